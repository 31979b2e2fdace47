//! Dates as feeds write them.

use chrono::{DateTime, FixedOffset, Utc};
use forest_html::page::metadata::Date;

use super::FeedDate;

/// A date with its own offset where it is well-formed or ends in a zone's name, else as feed-rs
/// mended it, else as pages write dates.
pub(super) fn date(raw: Option<String>, mended: Option<DateTime<Utc>>) -> Option<FeedDate> {
    let raw = raw?;
    let as_page = || DateTime::parse_from_rfc3339(&Date::read(&raw).rfc3339?).ok();
    let has_zone = |time: &DateTime<FixedOffset>| time.offset().local_minus_utc() != 0;
    let time = DateTime::parse_from_rfc3339(&raw)
        .or_else(|_| DateTime::parse_from_rfc2822(&raw))
        .ok()
        .or_else(|| as_page().filter(has_zone))
        .or(mended.map(|time| time.fixed_offset()))
        .or_else(as_page);
    Some(FeedDate { raw, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: Option<&str>) {
        let read = date(Some(raw.to_owned()), None).and_then(|date| date.time);
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
