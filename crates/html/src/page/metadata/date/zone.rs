//! Zones of time by their names.

use super::digits::number;
use chrono::FixedOffset;

/// Minutes east of UTC of the zones that pages and feeds name: those of RFC 2822 and names that
/// mean one zone. `IST` is India's, Ireland's and Israel's, `ET` is two: they are left out.
const ZONES: [(&str, i32); 51] = [
    ("Z", 0),
    ("z", 0),
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("NDT", -150),
    ("NST", -210),
    ("BRT", -180),
    ("EDT", -240),
    ("EST", -300),
    ("CDT", -300),
    ("CST", -360),
    ("MDT", -360),
    ("MST", -420),
    ("PDT", -420),
    ("PST", -480),
    ("AKDT", -480),
    ("AKST", -540),
    ("HST", -600),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("MEZ", 60),
    ("WAT", 60),
    ("CEST", 120),
    ("MESZ", 120),
    ("EET", 120),
    ("CAT", 120),
    ("SAST", 120),
    ("EEST", 180),
    ("EAT", 180),
    ("MSK", 180),
    ("TRT", 180),
    ("PKT", 300),
    ("NPT", 345),
    ("ICT", 420),
    ("WIB", 420),
    ("WITA", 480),
    ("HKT", 480),
    ("SGT", 480),
    ("AWST", 480),
    ("WIT", 540),
    ("JST", 540),
    ("KST", 540),
    ("ACST", 570),
    ("AEST", 600),
    ("AEDT", 660),
    ("ACDT", 630),
    ("NZST", 720),
    ("NZDT", 780),
];

/// Words between a time and its zone.
const FILLERS: [&str; 5] = ["Uhr", "uhr", "hrs", "h", "น."];

/// `Z`, `+02:00`, `+0200`, `+02`, `GMT+0200`, `Uhr (MEZ)`, and the names of [`ZONES`], with the
/// rest of the text.
pub(super) fn zone(text: &str) -> (Option<FixedOffset>, &str) {
    let mut start = text.trim_start();
    for word in FILLERS {
        let behind = start.strip_prefix(word);
        let ends = |behind: &&str| !behind.starts_with(char::is_alphanumeric);
        start = behind.filter(ends).map_or(start, str::trim_start);
    }
    let start = start.trim_start_matches('(');
    let letters = start.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, after) = start.split_at(letters);
    let minutes = ZONES
        .iter()
        .find(|(zone, _)| *zone == name)
        .map(|zone| zone.1);
    if minutes.is_none() && !name.is_empty() {
        return (None, text);
    }
    if matches!(minutes, None | Some(0))
        && let Some(offset) = offset(after)
    {
        return offset;
    }
    match minutes {
        Some(minutes) => (FixedOffset::east_opt(minutes * 60), after),
        None => (None, text),
    }
}

/// Hours of the zone that is farthest from UTC.
const MAX_ZONE_HOURS: u32 = 14;

fn offset(text: &str) -> Option<(Option<FixedOffset>, &str)> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' | '\u{2212}' => -1,
        _ => return None,
    };
    let digits = &text[text.chars().next()?.len_utf8()..];
    let (hours, minutes, rest) = match number(digits, 4, 4) {
        Some((both, rest)) => (both / 100, both % 100, rest),
        None => {
            let (hours, rest) = number(digits, 1, 2)?;
            let minutes = rest.strip_prefix(':').and_then(|rest| number(rest, 2, 2));
            let (minutes, rest) = minutes.unwrap_or((0, rest));
            (hours, minutes, rest)
        }
    };
    if hours > MAX_ZONE_HOURS || minutes > 59 {
        return None;
    }
    let seconds = sign * (hours * 3600 + minutes * 60) as i32;
    FixedOffset::east_opt(seconds).map(|zone| (Some(zone), rest))
}
