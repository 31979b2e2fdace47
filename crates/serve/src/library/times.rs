//! Times for people: today, yesterday, or a day, in the time zone of this machine. The script says
//! them in that of the browser, by the same rules.

use chrono::{DateTime, Datelike, Local, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use maud::{Markup, html};

/// Hours before the end of a day in UTC at which all zones but two have that day.
const WITHIN_DAY: TimeDelta = TimeDelta::hours(10);

/// A time of the archive's list, or a day where nobody said a time.
pub fn shown_time(at: DateTime<Utc>) -> Markup {
    let now = Local::now();
    let said = said(at, now.date_naive(), &now.timezone());
    match day_alone(at) {
        None => html! { time data-zone datetime=(at.format("%Y-%m-%dT%H:%M:%SZ")) { (said) } },
        Some(day) => shown_day(day, &said),
    }
}

/// A date of the search, in which midnight in UTC stands for a day.
pub fn shown_date(at: DateTime<Utc>) -> Markup {
    if at.time() == NaiveTime::MIN {
        let day = at.date_naive();
        return shown_day(day, &said_day(day, Local::now().date_naive()));
    }
    shown_time(at)
}

fn shown_day(day: NaiveDate, said: &str) -> Markup {
    html! { time data-zone="day" datetime=(day) { (said) } }
}

/// A time to the minute.
pub fn exact_time(at: DateTime<Utc>) -> Markup {
    let local = at.with_timezone(&Local);
    html! {
        time data-zone="exact" datetime=(at.format("%Y-%m-%dT%H:%M:%SZ")) { (local.format("%Y-%m-%d %H:%M")) }
    }
}

/// The day that a time stands for, if it is the last millisecond of one somewhere: zones differ in
/// quarters of hours.
fn day_alone(at: DateTime<Utc>) -> Option<NaiveDate> {
    let is_last = (at.timestamp_millis() + 1).rem_euclid(15 * 60 * 1000) == 0;
    is_last.then(|| (at - WITHIN_DAY).date_naive())
}

fn said(at: DateTime<Utc>, today: NaiveDate, zone: &impl TimeZone) -> String {
    if let Some(day) = day_alone(at) {
        return said_day(day, today);
    }
    let local = at.with_timezone(zone).naive_local();
    let day = said_day(local.date(), today);
    match today.signed_duration_since(local.date()).num_days() {
        0 | 1 => format!("{day} {}", local.format("%H:%M")),
        _ => day,
    }
}

fn said_day(day: NaiveDate, today: NaiveDate) -> String {
    match today.signed_duration_since(day).num_days() {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        _ if day.year() == today.year() => day.format("%-d %B").to_string(),
        _ => day.format("%-d %B %Y").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    #[test]
    fn a_time_is_said_from_where_one_stands() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 2).expect("a day");
        let check = |at: &str, hours: i32, expected: &str| {
            let zone = FixedOffset::east_opt(hours * 3600).expect("a zone");
            let at = at.parse().expect("a time");
            assert_eq!(said(at, today, &zone), expected, "{at} at {hours}");
        };
        check("2026-01-02T08:05:00Z", 0, "today 08:05");
        check("2026-01-01T23:30:00Z", 0, "yesterday 23:30");
        check("2026-01-01T23:30:00Z", 1, "today 00:30");
        check("2026-01-02T03:00:00Z", -5, "yesterday 22:00");
        check("2025-12-31T12:00:00Z", 0, "31 December 2025");
        check("2026-01-09T12:00:00Z", 0, "9 January");
        // A day is the same everywhere, and wherever it ended.
        check("2026-01-02T23:59:59.999Z", -5, "today");
        check("2026-01-01T21:59:59.999Z", 9, "yesterday");
        check("2026-01-02T09:59:59.999Z", 9, "yesterday");
        check("2025-11-05T23:59:59.999Z", 9, "5 November 2025");
        check("2026-01-01T18:44:59.999Z", 0, "yesterday");
        // Times as others.
        check("2026-01-02T00:00:00Z", 9, "today 09:00");
        check("2026-01-02T08:05:07.999Z", 0, "today 08:05");
    }
}
