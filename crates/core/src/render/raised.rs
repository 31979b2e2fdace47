//! Raised numbers: powers, which without a mark would be digits of the number before them.

use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;

/// Bytes of a power at the most.
const MAX_POWER_BYTES: usize = 8;

/// Units of length and time that are raised: other words before a number have a note.
const UNITS: [&str; 12] = [
    "m", "cm", "km", "mm", "dm", "ft", "in", "mi", "s", "h", "kg", "x",
];

/// A number that stands raised behind what it belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Power<'p>(&'p str);

/// The power that a `sup` is behind what was `written`; `None` for marks of notes and for what
/// is no number.
pub(super) fn power<'p>(
    page: &'p Page,
    body: &Mask,
    n: NodeId,
    written: &str,
) -> Option<Power<'p>> {
    if !page.is(n, &local_name!("sup")) {
        return None;
    }
    let text = page.text(n);
    let digits = text.trim_start_matches(['-', '\u{2212}', '\u{2013}', '+']);
    let is_number = !digits.is_empty()
        && text.len() <= MAX_POWER_BYTES
        && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number || !is_raised(written) {
        return None;
    }
    let mut below = page.subtree(n).skip(1);
    let is_plain = below.all(|n| match page.kind(n) {
        Kind::Text => body.contains(n),
        _ => !page.is(n, &local_name!("a")),
    });
    is_plain.then_some(Power(text))
}

/// True for text that ends in a number or a unit.
fn is_raised(text: &str) -> bool {
    if text.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let start = text.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    UNITS.contains(&&text[start..])
}

impl Power<'_> {
    /// In the raised characters of Unicode.
    pub fn to_text(&self) -> String {
        let raised = |c: char| match c {
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '0' | '4'..='9' => char::from_u32(0x2070 + (c as u32 - '0' as u32)).unwrap_or(c),
            '+' => '⁺',
            _ => '⁻',
        };
        self.0.chars().map(raised).collect()
    }

    /// As the HTML that Markdown may hold.
    pub fn to_markdown(&self) -> String {
        format!("<sup>{}</sup>", self.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::render::text;
    use forest_html::page::{Mask, Page};

    fn check(html: &str, expected: &str) {
        let page = Page::from_html(html);
        assert_eq!(text(&page, &Mask::all(&page)), expected, "{html}");
    }

    #[test]
    fn powers_are_raised() {
        check("10<sup>6</sup> cells", "10⁶ cells");
        check("10<sup>-12</sup>", "10⁻¹²");
        check("40 m<sup>2</sup>, 3 km<sup>3</sup>", "40 m², 3 km³");
    }

    #[test]
    fn notes_and_letters_are_as_they_are() {
        check("the mill<sup>3</sup>", "the mill3");
        check("the 1<sup>st</sup>", "the 1st");
        check("in 1931<sup><a href=/n>2</a></sup>", "in 19312");
        check("H<sub>2</sub>O", "H2O");
    }
}
