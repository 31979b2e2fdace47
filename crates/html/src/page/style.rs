//! The style that an element has in its own attribute.

/// True if a style declares a property with a value that `is_it`, in any case; priorities are
/// left out. Other values of a shorthand are not taken apart.
///
/// ```
/// use forest_html::page::style::declares;
///
/// let is_none = |value: &str| value.eq_ignore_ascii_case("none");
/// assert!(declares("color: red; DISPLAY : none !important", "display", is_none));
/// assert!(!declares("display: block", "display", is_none));
/// ```
pub fn declares(style: &str, property: &str, is_it: impl Fn(&str) -> bool) -> bool {
    style.split(';').any(|rule| {
        rule.split_once(':').is_some_and(|(name, value)| {
            let value = value.trim().split([' ', '!']).next().unwrap_or_default();
            name.trim().eq_ignore_ascii_case(property) && is_it(value)
        })
    })
}

/// True for a style that takes an element out of sight.
pub fn hides(style: &str) -> bool {
    declares(style, "display", |value| value.eq_ignore_ascii_case("none"))
        || declares(style, "visibility", |value| {
            value.eq_ignore_ascii_case("hidden")
        })
}
