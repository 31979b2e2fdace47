/// A number with what it counts: `one` for 1, else `many`. Both are written out, so that
/// a verb behind the noun is right, too.
///
/// ```
/// use forest::error::counted;
///
/// assert_eq!(counted(0, "page", "pages"), "0 pages");
/// assert_eq!(counted(1, "page", "pages"), "1 page");
/// assert_eq!(counted(2, "entry has", "entries have"), "2 entries have");
/// ```
pub fn counted(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let check = |number, expected: &str| {
            assert_eq!(counted(number, "rule leaves", "rules leave"), expected);
        };
        check(0, "0 rules leave");
        check(1, "1 rule leaves");
        check(2, "2 rules leave");
        check(11, "11 rules leave");
        check(21, "21 rules leave");
    }
}
