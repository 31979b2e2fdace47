//! Lists in plain text.

/// Digits of a number that counts items.
const MAX_DIGITS: usize = 3;

/// Returns true if a line begins with a bullet or with the number or letter of an item.
///
/// ```
/// use forest_html::text::begins_item;
///
/// assert!(begins_item("- bread") && begins_item("(a) milk") && begins_item("12. eggs"));
/// assert!(!begins_item("-") && !begins_item("1984 was") && !begins_item("e.g. this"));
/// ```
pub fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let Some((mark, rest)) = line.split_once([' ', '\t']) else {
        return false;
    };
    let counts = |mark: &str| {
        let digits =
            (1..=MAX_DIGITS).contains(&mark.len()) && mark.bytes().all(|b| b.is_ascii_digit());
        digits || (mark.len() == 1 && mark.bytes().all(|b| b.is_ascii_lowercase()))
    };
    !rest.trim().is_empty()
        && match mark {
            "-" | "*" | "+" | "•" | "–" | "◦" | "▪" | "·" | "‣" => true,
            _ => match mark.strip_suffix(')') {
                Some(mark) => counts(mark.strip_prefix('(').unwrap_or(mark)),
                None => mark.strip_suffix('.').is_some_and(counts),
            },
        }
}
