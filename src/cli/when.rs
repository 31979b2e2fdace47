//! Times: of the clock, as they are printed, and as a user types them.

use chrono::{DateTime, FixedOffset, NaiveDate, SecondsFormat, TimeDelta, Utc};
use std::str::FromStr;
use std::time::SystemTime;

/// The current time.
pub fn now() -> DateTime<Utc> {
    DateTime::from(SystemTime::now())
}

/// A time as it is printed: RFC 3339 in UTC, to the second.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A typed day, which begins at midnight UTC, or a time of RFC 3339.
pub fn day_or_time(typed: &str) -> Option<DateTime<FixedOffset>> {
    let day = || {
        let day = NaiveDate::parse_from_str(typed, "%Y-%m-%d").ok()?;
        Some(day.and_hms_opt(0, 0, 0)?.and_utc().fixed_offset())
    };
    DateTime::parse_from_rfc3339(typed).ok().or_else(day)
}

/// A point in time, or a span before now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    At(DateTime<Utc>),
    Ago(TimeDelta),
}

impl When {
    /// The point in time.
    pub fn time(self) -> DateTime<Utc> {
        match self {
            When::At(time) => time,
            When::Ago(span) => now()
                .checked_sub_signed(span)
                .unwrap_or(DateTime::<Utc>::MIN_UTC),
        }
    }
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<When, String> {
        let span = || {
            let unit = text.chars().last()?;
            let number: i64 = text.strip_suffix(unit)?.parse().ok().filter(|n| *n >= 0)?;
            match unit {
                'm' => TimeDelta::try_minutes(number),
                'h' => TimeDelta::try_hours(number),
                'd' => TimeDelta::try_days(number),
                'w' => TimeDelta::try_weeks(number),
                _ => None,
            }
        };
        day_or_time(text)
            .map(|time| When::At(time.to_utc()))
            .or_else(|| span().map(When::Ago))
            .ok_or_else(|| {
                "give a day (2026-11-21), a time (2026-11-21T20:00:00Z), or how long ago (30m, 12h, 7d, 2w)"
                    .to_owned()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_times_and_spans() {
        let at = |text: &str| text.parse::<When>();
        let time = |text: &str| Ok(When::At(text.parse().expect("a time")));
        assert_eq!(at("2026-11-21"), time("2026-11-21T00:00:00Z"));
        assert_eq!(
            at("2026-11-21T20:00:00+02:00"),
            time("2026-11-21T18:00:00Z")
        );
        assert_eq!(at("7d"), Ok(When::Ago(TimeDelta::days(7))));
        assert_eq!(at("90m"), Ok(When::Ago(TimeDelta::minutes(90))));
        assert_eq!(at("12h"), Ok(When::Ago(TimeDelta::hours(12))));
        assert_eq!(at("2w"), Ok(When::Ago(TimeDelta::days(14))));
        let odd = [
            "",
            "d",
            "-1d",
            "7",
            "7y",
            "yesterday",
            "2026-13-01",
            "99999999999999999d",
            "1ä",
            "\u{661}d",
        ];
        for text in odd {
            assert!(at(text).is_err(), "{text}");
        }
        let long = When::Ago(TimeDelta::days(1_000_000_000)).time();
        assert_eq!(long, DateTime::<Utc>::MIN_UTC);
    }
}
