//! The differences of two wrappers, and of their texts on pages.

use crate::extract::Extractor;
use crate::render::text;
use crate::wrapper::changes::WrapperChange;
use crate::wrapper::names::names_of;
use forest_html::address::site_of;
use forest_html::error::counted;
use forest_html::page::Page;
use forest_html::text::metric_tokens;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines of a page that are shown of either wrapper at the most.
const SHOWN: usize = 3;

/// Characters of such a line at the most.
const LINE_CHARS: usize = 72;

/// The differences of two wrappers for a person: of their expressions, and of their texts on
/// pages.
pub fn shown_differences(
    title: &str,
    changes: &[WrapperChange],
    pages: Option<&[PageDiff]>,
) -> String {
    let mut out = format!("{title}\n");
    if changes.is_empty() {
        out.push_str("no expression differs\n");
    }
    let mut at = "";
    for change in changes {
        if change.at != at {
            at = &change.at;
            let _ = writeln!(out, "{at}");
        }
        let _ = writeln!(out, "  {}", plain(&change.to_string()));
    }
    let Some(pages) = pages else { return out };
    for page in pages.iter().filter(|page| page.differs()) {
        let [old, new] = [&page.old, &page.new];
        let _ = writeln!(
            out,
            "{}: {} before, {} now; {} only before, {} only now",
            plain(&page.id),
            counted(old.words, "word", "words"),
            new.words,
            old.only,
            new.only
        );
        for (sign, side) in [('-', old), ('+', new)] {
            for line in side.lines.iter().take(SHOWN) {
                let _ = writeln!(out, "  {sign} {}", short(line));
            }
            let more = side.lines.len().saturating_sub(SHOWN);
            if more > 0 {
                let more = counted(more, "more line", "more lines");
                let _ = writeln!(out, "  {sign} and {more}");
            }
        }
    }
    let same = pages.iter().filter(|page| !page.differs()).count();
    let pages = counted(pages.len(), "page", "pages");
    let give = if same == 1 { "gives" } else { "give" };
    let _ = writeln!(out, "{same} of {pages} {give} the same text");
    out
}

/// A text without control characters.
pub(super) fn plain(text: &str) -> String {
    let chars = text.chars();
    chars
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The beginning of a line of text.
pub(super) fn short(line: &str) -> String {
    let mut out = plain(line);
    if let Some((end, _)) = out.char_indices().nth(LINE_CHARS) {
        out.truncate(end);
        out.push('…');
    }
    out
}

/// The texts of two wrappers on a page.
#[derive(Debug)]
pub struct PageDiff {
    id: String,
    old: WrapperText,
    new: WrapperText,
}

/// The text of one of them.
#[derive(Debug, Default, PartialEq)]
struct WrapperText {
    /// Words of its text.
    words: usize,
    /// Of these, the words that the other text does not have as often.
    only: usize,
    /// Lines that the other text does not have.
    lines: Vec<String>,
}

impl PageDiff {
    /// The differences of two wrappers on a page; `None` of a page of another site. A page
    /// without an address is of any.
    pub fn of_page(
        extractors: &[Extractor; 2],
        id: &str,
        url: Option<&str>,
        parse: impl Fn(&Extractor) -> Page,
    ) -> Option<PageDiff> {
        let site = &extractors[0].wrapper().site;
        if site_of(url).is_some_and(|host| !names_of(&host).contains(site)) {
            return None;
        }
        let [old, new] = extractors.each_ref().map(|of| text_of(of, &parse(of)));
        Some(PageDiff::of(id.to_owned(), [&old, &new]))
    }

    /// The differences of two texts of the page `id`.
    pub fn of(id: String, [old, new]: [&str; 2]) -> PageDiff {
        PageDiff {
            id,
            old: WrapperText::of(old, new),
            new: WrapperText::of(new, old),
        }
    }

    fn differs(&self) -> bool {
        [&self.old, &self.new]
            .iter()
            .any(|given| given.only > 0 || !given.lines.is_empty())
    }

    /// The differences as JSON.
    pub fn json(&self) -> serde_json::Value {
        let given = |given: &WrapperText| serde_json::json!({ "words": given.words, "only": given.only, "lines": given.lines });
        serde_json::json!({ "id": self.id, "old": given(&self.old), "new": given(&self.new) })
    }
}

impl WrapperText {
    fn of(text: &str, other: &str) -> WrapperText {
        let (own, others) = (metric_tokens(text), metric_tokens(other));
        let mut left = occurrences(others.iter());
        let only = own.iter().filter(|word| !taken(&mut left, word)).count();
        let mut left = occurrences(other.lines());
        let lines = text.lines().filter(|line| !taken(&mut left, line));
        WrapperText {
            words: own.len(),
            only,
            lines: lines.map(str::to_owned).collect(),
        }
    }
}

/// The text of a wrapper; an empty text for a page that it does not match.
fn text_of(extractor: &Extractor, page: &Page) -> String {
    let of_json = extractor.matcher().page_of_json(page);
    let page = of_json.as_ref().unwrap_or(page);
    let found = extractor.find(page);
    found.map_or_else(String::new, |found| text(page, &found.kept))
}

fn occurrences<'a>(all: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for one in all {
        *counts.entry(one).or_default() += 1;
    }
    counts
}

/// Takes one of these away, if there is one left.
fn taken(left: &mut BTreeMap<&str, usize>, one: &str) -> bool {
    match left.get_mut(one) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_text_only_are_counted_as_often() {
        let page = PageDiff::of(
            "a".to_owned(),
            ["One two.\nAd ad\nEnd", "One two.\nThree\nEnd"],
        );
        assert_eq!((page.old.words, page.old.only), (5, 2));
        assert_eq!(page.old.lines, ["Ad ad"]);
        assert_eq!(
            (page.new.words, page.new.only, page.new.lines.len()),
            (4, 1, 1)
        );
        assert!(page.differs());
        assert!(!PageDiff::of("a".to_owned(), ["x", "x"]).differs());
        // The same words on other lines differ as well.
        assert!(PageDiff::of("a".to_owned(), ["x\ny", "x y"]).differs());
    }

    #[test]
    fn shown_text_has_no_control_characters() {
        assert_eq!(plain("a\u{1b}[31mb\r\n"), "a [31mb  ");
        assert_eq!(short(&"x".repeat(100)).chars().count(), LINE_CHARS + 1);
    }
}
