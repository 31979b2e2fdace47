//! The marks of quotations in a line (`q`), which a browser's style sheet adds.

use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// The marks of languages, by the Unicode Common Locale Data Repository; others have “ ”.
const MARKS: [(&[&str], [&str; 2]); 5] = [
    (
        &["bg", "cs", "de", "et", "is", "lt", "sk", "sl"],
        ["„", "“"],
    ),
    (&["hr", "hu", "pl", "ro", "sr"], ["„", "”"]),
    (
        &["el", "es", "fr", "it", "nb", "no", "pt", "ru", "uk"],
        ["«", "»"],
    ),
    (&["fi", "sv"], ["”", "”"]),
    (&["ja"], ["「", "」"]),
];

/// Elements around a quotation that are looked at for its language.
const AROUND: usize = 32;

/// The marks of a `q`; none if its text has marks of its own.
pub fn marks(page: &Page, n: NodeId) -> [&'static str; 2] {
    let is_mark = |c: char| "\"'„“”«»‹›「『‘’‚".contains(c);
    if page.text(n).trim_start().starts_with(is_mark) {
        return ["", ""];
    }
    let mut around = page.ancestors(n).take(AROUND);
    let language = around.find_map(|up| page.attr(up, "lang"));
    // The language of a page is that of its root.
    let language = language.or_else(|| {
        let root = page
            .children(page.root())
            .find(|&n| page.is(n, &local_name!("html")))?;
        page.attr(root, "lang")
    });
    let primary = language
        .and_then(|tag| tag.split('-').next())
        .unwrap_or_default();
    let primary = primary.trim().to_ascii_lowercase();
    MARKS
        .iter()
        .find(|(languages, _)| languages.contains(&&*primary))
        .map_or(["“", "”"], |(_, marks)| *marks)
}
