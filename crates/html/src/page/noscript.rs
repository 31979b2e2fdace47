//! A page that has its text for browsers without scripts only.
//!
//! Forums and applications that scripts fill often write the whole text into `noscript`, for
//! search engines. Then what stands there is what the page says. Pictures that stand in for lazy
//! ones are no words, and a request to enable scripts is short.

use super::{Characters, PROSE_BYTES, Page, PageWarning, Scripting};
use html5ever::local_name;

/// Bytes of prose in `noscript` below which it is no text: requests to enable scripts are shorter, or
/// refused.
const MIN_BYTES: usize = 240;

/// By so many times `noscript` has more prose than the page shows. Of the 2,633 pages of the
/// development gold that have text 13 have as much or more there: 12 forums, which show none, and a
/// page that shows its article and has six times as much in comments.
const FAR_MORE: usize = 10;

impl Page {
    /// Parses a page as a browser with scripts does; or as one without, if the page shows hardly a
    /// sentence to the first, and has its text for the other.
    pub(super) fn with_its_text(html: &str, mut warnings: Vec<PageWarning>) -> Page {
        let page = Self::from_decoded(html, Scripting::On, Characters::AsShown, warnings.clone());
        if !has_text_in_noscript(&page) {
            return page;
        }
        warnings.push(PageWarning::WithoutScripts);
        Self::from_decoded(html, Scripting::Off, Characters::AsShown, warnings)
    }
}

/// True if the `noscript` elements of a page, which was parsed with scripts, have far more prose
/// than it shows.
fn has_text_in_noscript(page: &Page) -> bool {
    let mut markup = String::new();
    let noscript = page
        .elements()
        .filter(|&n| page.is(n, &local_name!("noscript")));
    for n in noscript {
        markup.push_str(page.text(n));
        markup.push('\n');
    }
    if markup.len() < MIN_BYTES {
        return false;
    }
    let hidden = Page::from_decoded(&markup, Scripting::Off, Characters::AsWritten, Vec::new());
    let hidden = prose_bytes(&hidden);
    hidden >= MIN_BYTES && hidden >= FAR_MORE * prose_bytes(page)
}

/// The bytes of a page's body that are content and no labels.
fn prose_bytes(page: &Page) -> usize {
    let texts = page
        .body()
        .into_iter()
        .flat_map(|body| page.content_texts(body));
    let lengths = texts.map(|n| page.text(n).trim().len());
    lengths.filter(|&bytes| bytes >= PROSE_BYTES).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "The ferry to the islands leaves an hour later from Monday on. ";

    /// Checks that the words of `noscript` are content on such a page, or are not.
    fn check(html: &str, is_content: bool) {
        let page = Page::from_html(html);
        let warned = page.warnings().contains(&PageWarning::WithoutScripts);
        let elements = page.content_elements().iter();
        let shown = elements
            .filter(|&&n| page.is(n, &local_name!("noscript")))
            .count();
        assert_eq!(
            (warned, shown > 0),
            (is_content, is_content),
            "{:.200}",
            html
        );
    }

    #[test]
    fn the_text_of_a_page_that_shows_none_is_in_noscript() {
        let text = WORDS.repeat(9);
        check(
            &format!("<div id=root></div><noscript><p>{text}</noscript>"),
            true,
        );
        check(&format!("<p>{WORDS}<noscript><p>{text}</noscript>"), true);
        let menu = "<li><a href=/news/>A short title in a menu</a>".repeat(90);
        check(
            &format!("<ul>{menu}</ul><noscript><p>{text}</noscript>"),
            true,
        );
        let parts = format!("<noscript><p>{}</noscript><i></i>", WORDS.repeat(3));
        check(&parts.repeat(3), true);
    }

    #[test]
    fn what_stands_in_for_pictures_and_scripts_is_no_text() {
        let text = WORDS.repeat(9);
        check(&format!("<p>{text}<noscript><p>{text}</noscript>"), false);
        check(&format!("<p>{WORDS}<noscript><p>{WORDS}</noscript>"), false);
        check(
            "<noscript>Please enable JavaScript to run this app.</noscript>",
            false,
        );
        let picture = format!("<p>A ferry.<noscript><img alt=\"{text}\" src=/a.jpg></noscript>");
        check(&picture.repeat(9), false);
        check(
            &format!("<noscript><style>{text}</style><!--{text}--></noscript>"),
            false,
        );
        check(
            "<head><noscript><link rel=stylesheet href=/a.css></noscript><body>",
            false,
        );
        check(&format!("<frameset><noframes>{text}"), false);
    }

    #[test]
    fn nested_elements_end() {
        check(&"<noscript>".repeat(100_000), false);
        check(
            &format!("{}{WORDS}", "<noscript>&lt;noscript>".repeat(50_000)),
            true,
        );
    }
}
