use chrono::TimeDelta;
use std::fmt::Display;

/// A number with what it counts: `one` for 1, else `many`. Both are written out, so that
/// a verb behind the noun is right, too.
///
/// ```
/// use forest_html::error::counted;
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

/// A span of time in the largest unit of which there is one, from minutes to days.
pub fn span(time: TimeDelta) -> String {
    let time = time.max(TimeDelta::zero());
    match (time.num_days(), time.num_hours()) {
        (0, 0) => counted(time.num_minutes(), "minute", "minutes"),
        (0, hours) => counted(hours, "hour", "hours"),
        (days, _) => counted(days, "day", "days"),
    }
}

/// A number of bytes for a person: `20 MB`, `1500 bytes`.
pub fn megabytes(bytes: usize) -> String {
    match bytes % 1_000_000 {
        0 if bytes > 0 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{bytes} bytes"),
    }
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

    #[test]
    fn a_span_has_its_largest_unit() {
        assert_eq!(span(TimeDelta::minutes(200)), "3 hours");
        assert_eq!(span(TimeDelta::hours(24)), "1 day");
        assert_eq!(span(TimeDelta::seconds(-5)), "0 minutes");
    }
}
