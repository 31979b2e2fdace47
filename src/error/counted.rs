use std::fmt::Display;

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
pub fn counted<N>(number: N, one: &str, many: &str) -> String
where
    N: Display + PartialEq + From<u8>,
{
    let of = if number == N::from(1) { one } else { many };
    format!("{number} {of}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let check = |number: u64, expected: &str| {
            let own = usize::try_from(number).expect("small");
            assert_eq!(counted(number, "rule leaves", "rules leave"), expected);
            assert_eq!(counted(own, "rule leaves", "rules leave"), expected);
        };
        check(0, "0 rules leave");
        check(1, "1 rule leaves");
        check(2, "2 rules leave");
        check(11, "11 rules leave");
        check(21, "21 rules leave");
    }
}
