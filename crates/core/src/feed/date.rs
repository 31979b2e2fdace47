//! Dates as feeds write them.

use chrono::{DateTime, Datelike, FixedOffset};
use forest_html::page::metadata::{Date, DateStyle};

use super::FeedDate;

/// Seconds around the beginning of Unix time that say "no date", in any zone.
const NULL_SECONDS: i64 = 14 * 60 * 60;

/// A date as pages of the style write them, or as RFC 2822 has it; without a zone it is UTC. A
/// date that means "none" is not read.
pub(super) fn date(raw: String, style: DateStyle) -> FeedDate {
    let read = |raw: &str| {
        let date = Date::read_in(raw, style).rfc3339?;
        DateTime::parse_from_rfc3339(&date).ok()
    };
    // Years of two digits have one meaning in this form, and none is before 1900 (3.3, 4.3).
    let as_mail = || {
        let time = DateTime::parse_from_rfc2822(&raw).ok();
        time.filter(|time| (1900..2200).contains(&time.year()))
    };
    let time = read(&raw)
        .or_else(|| read(&first_day(&raw)?))
        .or_else(as_mail);
    FeedDate {
        time: time.filter(|time| !is_null(time)),
        raw,
    }
}

/// The first day of a year (`2024`) or of a month (`2024-03`), which W3C's form of dates has, too.
fn first_day(raw: &str) -> Option<String> {
    let raw = raw.trim();
    let is_month = raw.len() == 7 && raw.as_bytes()[4] == b'-';
    let missing = match raw.len() {
        4 => "-01-01",
        7 if is_month => "-01",
        _ => return None,
    };
    let is_number = raw
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_number.then(|| format!("{raw}{missing}"))
}

/// Returns true for the beginning of Unix time in any zone.
fn is_null(time: &DateTime<FixedOffset>) -> bool {
    time.timestamp().abs() <= NULL_SECONDS && time.timestamp() % 900 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::text::Language;

    fn check(raw: &str, expected: Option<&str>) {
        let read = date(raw.to_owned(), Language::Unknown.into()).time;
        assert_eq!(
            read.map(|time| time.to_rfc3339()).as_deref(),
            expected,
            "{raw}"
        );
    }

    #[test]
    fn a_feed_s_dates_are_read_as_a_page_s() {
        check(
            "Mon, 05 Jun 2023 15:20:00 AEST",
            Some("2023-06-05T15:20:00+10:00"),
        );
        check(
            "Mon, 05 Jun 2023 15:20:00 WIB",
            Some("2023-06-05T15:20:00+07:00"),
        );
        check("2023-06-05 오후 3:20", Some("2023-06-05T15:20:00+00:00"));
        check(
            "lunes, 5 de junio de 2023",
            Some("2023-06-05T00:00:00+00:00"),
        );
        check("soon", None);
    }
}
