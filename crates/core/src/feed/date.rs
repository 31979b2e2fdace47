//! Dates as feeds write them.

use chrono::{DateTime, Datelike, FixedOffset};
use forest_html::page::metadata::{Date, DateStyle};

use super::FeedDate;

/// The first and the last year of publication that is believed: others are the null dates
/// and the "never" of content systems.
const YEARS: std::ops::RangeInclusive<i32> = 1600..=2199;

/// Seconds around the beginning of Unix time that say "no date", in any zone.
const NULL_SECONDS: i64 = 14 * 60 * 60;

/// A date as RFC 3339 and RFC 2822 have it, else as pages of the style write dates; without
/// a zone it is UTC. A date that means "none" is not read.
pub(super) fn date(raw: String, style: DateStyle) -> FeedDate {
    let as_page = |raw: &str| {
        let date = Date::read_in(raw, style).rfc3339?;
        DateTime::parse_from_rfc3339(&date).ok()
    };
    let time = DateTime::parse_from_rfc3339(&raw)
        .or_else(|_| DateTime::parse_from_rfc2822(&raw))
        .ok()
        .or_else(|| as_page(&raw))
        .or_else(|| as_page(&first_day(&raw)?))
        .filter(is_publication);
    FeedDate { raw, time }
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

fn is_publication(time: &DateTime<FixedOffset>) -> bool {
    let is_null = time.timestamp().abs() <= NULL_SECONDS && time.timestamp() % 900 == 0;
    YEARS.contains(&time.year()) && !is_null
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
