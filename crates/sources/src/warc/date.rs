//! Dates of records.

use chrono::{DateTime, FixedOffset};

/// Lengths of a date in digits alone: from the year to the milliseconds.
const DIGITS: [usize; 7] = [4, 6, 8, 10, 12, 14, 17];

/// A date as archives have it: RFC 3339, the shorter forms of WARC 1.1 (`2016-01`,
/// `2016-01-11T23:24Z`), or the digits of an ARC (`20160111232425`). The parts that are not
/// there are the first ones of their range; without a zone it is UTC.
pub(super) fn read_date(text: &str) -> Option<DateTime<FixedOffset>> {
    let text = text.trim();
    if let Ok(date) = DateTime::parse_from_rfc3339(text) {
        return Some(date);
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) && DIGITS.contains(&text.len()) {
        let part = |from: usize, first| text.get(from..from + 2).unwrap_or(first);
        let fraction = text.get(14..).filter(|digits| !digits.is_empty());
        let seconds = [part(12, "00"), fraction.unwrap_or("0")].join(".");
        let date = [&text[..4], part(4, "01"), part(6, "01")];
        return full(date, [part(8, "00"), part(10, "00"), &seconds], "Z");
    }
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let zone = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (time, zone) = time.split_at_checked(zone)?;
    let mut date = date.split('-');
    let date = [
        date.next()?,
        date.next().unwrap_or("01"),
        date.next().unwrap_or("01"),
    ];
    let mut time = time.split(':').filter(|part| !part.is_empty());
    let time = [(); 3].map(|()| time.next().unwrap_or("00"));
    full(date, time, if zone.is_empty() { "Z" } else { zone })
}

/// The date of all its parts.
fn full(date: [&str; 3], time: [&str; 3], zone: &str) -> Option<DateTime<FixedOffset>> {
    let whole = format!("{}T{}{zone}", date.join("-"), time.join(":"));
    DateTime::parse_from_rfc3339(&whole).ok()
}
