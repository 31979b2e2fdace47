//! The language of an article.

use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::Language;
use html5ever::local_name;

/// Letters outside of code from which they alone say the language: a short sentence. A
/// page whose article is all in one `pre` has none.
const LEAST_LETTERS: usize = 40;

/// The language of what is `kept` of a page, whose text is `text`, with the page's own
/// statement as `hint`.
///
/// Code does not vote: its short words look like Danish, Latin or Indonesian, in any
/// language of the text around it.
pub fn language(page: &Page, kept: &Mask, text: &str, hint: Option<&str>) -> Language {
    let said = without_code(page, kept);
    Language::detect(said.as_deref().unwrap_or(text), hint)
}

/// The text outside of code; `None` without code, or if there is little else.
fn without_code(page: &Page, kept: &Mask) -> Option<String> {
    let mut rest: Option<Mask> = None;
    let mut nodes = page.walk(page.root());
    while let Some(n) = nodes.next() {
        if page.kind(n) == Kind::Element && is_code(page, n) {
            rest.get_or_insert_with(|| kept.clone())
                .drop_subtree(page, n);
            nodes.pass_over(n);
        }
    }
    let rest = rest?;
    let mut out = String::new();
    for n in rest.texts(page) {
        out.push_str(page.text(n));
        out.push(' ');
    }
    let letters = out
        .chars()
        .filter(|c| c.is_alphabetic())
        .take(LEAST_LETTERS);
    (letters.count() == LEAST_LETTERS).then_some(out)
}

fn is_code(page: &Page, n: NodeId) -> bool {
    page.tag(n).is_some_and(|tag| {
        matches!(
            *tag,
            local_name!("pre")
                | local_name!("code")
                | local_name!("kbd")
                | local_name!("samp")
                | local_name!("tt")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::text;

    fn check(html: &str, hint: Option<&str>, expected: Language) {
        let page = Page::from_html(html);
        let kept = Mask::all(&page);
        assert_eq!(
            language(&page, &kept, &text(&page, &kept), hint),
            expected,
            "{html}"
        );
    }

    /// A program with names in Danish.
    const CODE: &str = "for hver linje i filen skal der skrives en ny linje med det samme ord og \
        derefter skal den gamle linje ikke findes mere fordi den er slettet af brugeren selv";

    const PROSE: &str = "<p>The loop reads each line of the file and writes it again.</p>";

    #[test]
    fn code_does_not_vote() {
        let lines = CODE.repeat(20);
        check(&format!("<p>{CODE}</p>"), None, Language::Danish);
        for tag in ["pre", "code", "samp"] {
            check(
                &format!("{PROSE}<{tag}>{lines}</{tag}>"),
                None,
                Language::English,
            );
        }
        check(
            &format!("{PROSE}<pre><code>{lines}</code></pre>{PROSE}"),
            Some("en"),
            Language::English,
        );
    }

    #[test]
    fn where_all_is_code_it_votes() {
        check(
            &format!("<p>1.</p><pre>{CODE}</pre>"),
            None,
            Language::Danish,
        );
        check("<p>42</p>", Some("fr"), Language::French);
        check("", None, Language::Unknown);
    }
}
