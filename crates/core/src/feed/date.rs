//! Dates as feeds write them.

use chrono::{DateTime, FixedOffset, Utc};

use super::FeedDate;

/// Offsets in hours of time zones that feeds name and RFC 2822 does not (it has
/// those of the United States). Only names that mean one zone.
const ZONES: &[(&str, i32)] = &[
    ("WET", 0),
    ("WEST", 1),
    ("CET", 1),
    ("CEST", 2),
    ("MEZ", 1),
    ("MESZ", 2),
    ("EET", 2),
    ("EEST", 3),
    ("MSK", 3),
    ("HKT", 8),
    ("JST", 9),
    ("KST", 9),
    ("AEST", 10),
    ("AEDT", 11),
    ("NZST", 12),
    ("NZDT", 13),
];

/// A date with its own offset where it is well-formed or ends in a zone's name,
/// else as feed-rs mended it.
pub(super) fn date(raw: Option<String>, mended: Option<DateTime<Utc>>) -> Option<FeedDate> {
    let raw = raw?;
    let time = DateTime::parse_from_rfc3339(&raw)
        .or_else(|_| DateTime::parse_from_rfc2822(&raw))
        .ok()
        .or_else(|| named_zone(&raw))
        .or(mended.map(|time| time.fixed_offset()));
    Some(FeedDate { raw, time })
}

fn named_zone(raw: &str) -> Option<DateTime<FixedOffset>> {
    let (time, zone) = raw.trim().rsplit_once(' ')?;
    let (_, hours) = ZONES.iter().find(|(name, _)| *name == zone)?;
    DateTime::parse_from_rfc2822(&format!("{time} +{hours:02}00")).ok()
}
