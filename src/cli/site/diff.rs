//! `forest site diff`: the differences of a wrapper from an earlier one.

use super::earlier::{WrapperArgs, checked, date, earlier, learned, none};
use crate::cli::net::NetArgs;
use crate::cli::sites::names_of;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global};
use chrono::{DateTime, FixedOffset};
use forest_core::extract::Extractor;
use forest_core::render::text;
use forest_core::wrapper::changes::{WrapperChange, changes};
use forest_html::address::site_of;
use forest_html::error::counted;
use forest_html::page::Page;
use forest_html::text::metric_tokens;
use forest_sources::sources::{PageError, Sources, load};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Pages that are compared at the most.
const MAX_PAGES: usize = 1000;

/// Lines of a page that are shown of either wrapper at the most.
const SHOWN: usize = 3;

/// Characters of such a line at the most.
const LINE_CHARS: usize = 72;

/// Show the differences of a wrapper from an earlier one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Expressions with - are those of the earlier wrapper alone, with + of the active one. With
PAGES the same is shown of lines of text, page by page.

Exit: 0 done, 1 there is no earlier wrapper, 3 pages could not be read.

Examples:
  forest site diff example.org
  forest site diff sites/example.org.yaml --from 2026-05-01 saved/")]
pub struct DiffArgs {
    #[command(flatten)]
    chosen: WrapperArgs,
    /// Compare the texts of these pages: a folder, a list of addresses, a WARC.
    #[arg(value_name = "PAGES")]
    compared: Option<String>,
    /// Compare with the wrapper that was active at this time: a day, or RFC 3339 [default:
    /// the last earlier one].
    #[arg(long, value_name = "DATE", value_parser = date)]
    from: Option<DateTime<FixedOffset>>,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    net: NetArgs,
}

pub fn run(args: DiffArgs, global: &Global) -> anyhow::Result<Exit> {
    let (path, file) = args.chosen.read(global)?;
    let new = file.wrapper;
    let Some(retired) = earlier(&new, args.from).cloned() else {
        global.warn(none(&path, args.from));
        return Ok(Exit::Nothing);
    };
    let old = retired.restored(&new);
    checked(&old, &path)?;
    let found = changes(&old, &new);
    let title = format!(
        "{}: learned {}, active until {}, against that learned {}",
        new.site,
        learned(old.learned.as_deref()),
        retired.until,
        learned(new.learned.as_deref())
    );
    let (mut pages, mut failed) = (Vec::new(), 0);
    if let Some(typed) = &args.compared {
        let extractors = [Extractor::new(old)?, Extractor::new(new.clone())?];
        let sources = args.source.sources(args.net, global)?;
        (pages, failed) = compared(&extractors, typed, &sources, global)?;
    }
    if args.json {
        global.print_json(&serde_json::json!({
            "site": new.site,
            "old": { "learned": retired.learned, "until": retired.until },
            "new": { "learned": new.learned },
            "changes": found,
            "pages": pages.iter().map(PageDiff::json).collect::<Vec<_>>(),
        }))?;
    } else {
        let pages = args.compared.is_some().then_some(&pages[..]);
        global.print(shown(&title, &found, pages).as_bytes())?;
    }
    Ok(Exit::Partial.unless(failed == 0))
}

/// The text for a person.
fn shown(title: &str, changes: &[WrapperChange], pages: Option<&[PageDiff]>) -> String {
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
struct PageDiff {
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
    fn of(id: String, [old, new]: [&str; 2]) -> PageDiff {
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

    fn json(&self) -> serde_json::Value {
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

/// The texts on each page, and the number of unreadable pages.
fn compared(
    extractors: &[Extractor; 2],
    typed: &str,
    sources: &Sources,
    global: &Global,
) -> anyhow::Result<(Vec<PageDiff>, usize)> {
    let (mut pages, mut failed) = (Vec::new(), 0);
    for list in sources.open_pages(typed, "")? {
        let compare = |_, page| {
            let page = load(page, sources.page_limit())?;
            if !is_of(&extractors[0], page.content.url.as_deref()) {
                return Ok(None);
            }
            let text = |of: &Extractor| text_of(of, &page.parse_for(of));
            let [old, new] = extractors.each_ref().map(text);
            Ok(Some(PageDiff::of(page.id.clone(), [&old, &new])))
        };
        let add = |page: Result<Option<PageDiff>, PageError>| {
            match page {
                Ok(page) => pages.extend(page),
                Err(error) => {
                    failed += 1;
                    global.warn(format_args!("{}: {}", error.id, error.reason));
                }
            }
            Ok::<_, anyhow::Error>(())
        };
        sources.for_each_page(Box::new(list.pages.take(MAX_PAGES)), compare, add)?;
    }
    Ok((pages, failed))
}

/// Returns true if a page is of the wrapper's site, or has no address.
fn is_of(extractor: &Extractor, url: Option<&str>) -> bool {
    let host = site_of(url);
    host.is_none_or(|host| names_of(&host).contains(&extractor.wrapper().site))
}

/// The text of a wrapper; an empty text for a page that it does not match.
fn text_of(extractor: &Extractor, page: &Page) -> String {
    let of_json = extractor.matcher().page_of_json(page);
    let page = of_json.as_ref().unwrap_or(page);
    let found = extractor.find(page);
    found.map_or_else(String::new, |found| text(page, &found.kept))
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
