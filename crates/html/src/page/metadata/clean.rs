//! The strings of a description: folded, decoded and bounded.

use crate::page::plain::text_of_html;
use crate::text::fold;
use std::borrow::Cow;

/// Authors, tags and images of a page that are kept: more are lists of links.
pub const MAX_VALUES: usize = 64;

/// Bytes of a title, an author's or site's name or a tag;
/// a longer string is not a name.
pub(super) const MAX_NAME_BYTES: usize = 1000;

/// White space folded, and entities decoded that are still there: content systems
/// escape twice. Text with a `<` is left alone, it may speak of tags.
pub(super) fn clean(text: &str) -> String {
    if text.contains('&') && text.contains(';') && !text.contains('<') {
        return text_of_html(text).replace('\n', " ");
    }
    fold(text)
}

/// The text of a name that is written with its markup: `<a href=/jane>Jane Doe</a>`.
pub(super) fn without_markup(text: &str) -> Cow<'_, str> {
    if text.contains('<') && text.contains('>') {
        Cow::Owned(text_of_html(text))
    } else {
        Cow::Borrowed(text)
    }
}

/// The cleaned text; `None` if it is empty or longer than a name.
pub(super) fn name(text: &str) -> Option<String> {
    if text.len() > MAX_NAME_BYTES {
        return None;
    }
    Some(clean(text)).filter(|text| !text.is_empty())
}

/// Returns true if the text is a handle: `@jdoe`.
pub(super) fn is_handle(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('@') && !text.contains(char::is_whitespace)
}

/// Returns true if the text begins like an address.
pub(super) fn is_url(text: &str) -> bool {
    let text = text.trim_start();
    ["http://", "https://", "//", "www."]
        .iter()
        .any(|start| text.starts_with(start))
}
