//! Texts in the XML of a book.

use forest_html::page::plain::escape;
use forest_text::prose::xhtml::legal;

/// A text as XML allows it, escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(
        &text.chars().filter_map(legal).collect::<String>(),
        &mut out,
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_xml() {
        let text = "a<b> & \u{0}\u{b}\"c\"";
        assert_eq!(escaped(text), "a&lt;b&gt; &amp;  &quot;c&quot;");
    }
}
