//! The tolerant form of attribute values, in which they are compared over pages. FOREST 3.2.

/// The first token of an attribute value, without its digits.
///
/// ```
/// use forest_html::page::tolerant::tolerant_form;
///
/// assert_eq!(tolerant_form("post wrapper-02"), "post");
/// assert_eq!(tolerant_form("post-1234"), "post-");
/// assert_eq!(tolerant_form("  "), "");
/// ```
pub fn tolerant_form(value: &str) -> String {
    tolerant_chars(value).collect()
}

/// The characters of the [tolerant form](tolerant_form).
pub fn tolerant_chars(value: &str) -> impl Iterator<Item = char> {
    let first = value.split_whitespace().next().unwrap_or_default();
    first.chars().filter(|c| !c.is_ascii_digit())
}
