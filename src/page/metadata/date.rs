//! Dates as pages write them.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat};

/// Bytes of a date that are read: the longest usual form (RFC 2822 with a
/// comment) has under 40; what is longer is a sentence.
const MAX_DATE_BYTES: usize = 64;

/// Years before this are no publication dates but the null dates of content
/// systems (`0001-01-01T00:00:00`); the first newspapers are of 1605.
const MIN_YEAR: i32 = 1600;

/// Years from this on are not believed either.
const MAX_YEAR: i32 = 2200;

/// A date as it stood on the page, and what it says.
///
/// ```
/// use forest::page::metadata::Date;
///
/// let date = Date::read("2024-03-05 10:30 +0200");
/// assert_eq!(date.rfc3339.as_deref(), Some("2024-03-05T10:30:00+02:00"));
/// assert_eq!(Date::read("Fri, 31 Jul 2020 13:50:14 GMT").rfc3339.as_deref(), Some("2020-07-31T13:50:14Z"));
/// assert_eq!(Date::read("2024-03-05").rfc3339.as_deref(), Some("2024-03-05T00:00:00Z"));
/// assert_eq!(Date::read("yesterday").rfc3339, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Date {
    /// The string as the page has it, white space folded.
    pub raw: String,
    /// The same as RFC 3339; `None` where it could not be read. RFC 3339 wants
    /// a time and an offset: a date without time is given as its midnight, a
    /// time without zone as UTC (`Z`). Whoever needs to know which it was has
    /// `raw`.
    pub rfc3339: Option<String>,
}

impl Date {
    /// Reads a date: ISO 8601 with or without time, seconds, fraction and zone,
    /// also compact and with `/`, `.` or 年月日 between its numbers; RFC 2822 and
    /// other forms with the name of a month (English, German, French, Spanish,
    /// Italian, Portuguese, Dutch, Polish, Russian); Unix time in seconds or
    /// milliseconds; `31.12.2024`. Forms that differ between countries
    /// (`03/05/2024`) are not read.
    pub fn read(raw: &str) -> Date {
        let raw = crate::page::plain::fold(raw);
        let rfc3339 = parse(&raw).map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        Date { raw, rfc3339 }
    }

    /// Reads a date that is written in `format`, in the manner of `strftime`; a
    /// date without time is its midnight, without zone UTC.
    ///
    /// ```
    /// use forest::page::metadata::Date;
    ///
    /// let date = Date::read_as("03/05/2024 10:20", "%d/%m/%Y %H:%M");
    /// assert_eq!(date.rfc3339.as_deref(), Some("2024-05-03T10:20:00Z"));
    /// assert_eq!(Date::read_as("03/05/2024", "%d.%m.%Y").rfc3339, None);
    /// ```
    pub fn read_as(raw: &str, format: &str) -> Date {
        let raw = crate::page::plain::fold(raw);
        let zoned = || DateTime::parse_from_str(&raw, format).ok();
        let timed = || at(NaiveDateTime::parse_from_str(&raw, format).ok()?, None);
        let dated = || {
            let date = NaiveDate::parse_from_str(&raw, format).ok()?;
            at(date.and_time(Default::default()), None)
        };
        let read = zoned().or_else(timed).or_else(dated);
        let rfc3339 = read.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        Date { raw, rfc3339 }
    }
}

fn parse(raw: &str) -> Option<DateTime<FixedOffset>> {
    let text = &raw[..raw.floor_char_boundary(MAX_DATE_BYTES)];
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return digits_only(text);
    }
    let (date, time, zone) = match numeric(text).or_else(|| compact(text)) {
        Some((date, rest)) => {
            let (time, zone, _) = time(rest).unwrap_or_default();
            (date, time, zone)
        }
        None => named(text)?,
    };
    at(date.and_time(time), zone)
}

fn at(local: NaiveDateTime, zone: Option<FixedOffset>) -> Option<DateTime<FixedOffset>> {
    let zone = zone.or_else(|| FixedOffset::east_opt(0))?;
    local.and_local_timezone(zone).single()
}

fn date(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    (MIN_YEAR..MAX_YEAR)
        .contains(&year)
        .then(|| NaiveDate::from_ymd_opt(year, month, day))?
}

/// `20240305`, `20240305103000`, Unix seconds, Unix milliseconds.
fn digits_only(text: &str) -> Option<DateTime<FixedOffset>> {
    let number: i64 = text.parse().ok()?;
    match text.len() {
        8 | 12 | 14 => {
            let (day, rest) = compact(text)?;
            at(day.and_time(clock(rest)?.0), None)
        }
        9 | 10 => DateTime::from_timestamp_secs(number).map(|d| d.fixed_offset()),
        13 => DateTime::from_timestamp_millis(number).map(|d| d.fixed_offset()),
        _ => None,
    }
}

/// The number at the beginning of `text`, of `min` to `max` digits, and the rest.
fn number(text: &str, min: usize, max: usize) -> Option<(u32, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(min..=max).contains(&len) {
        return None;
    }
    Some((text[..len].parse().ok()?, &text[len..]))
}

/// `2024-03-05`, `2024/3/5`, `2024.03.05`, `2024年3月5日`, `05.03.2024`, and the rest.
fn numeric(text: &str) -> Option<(NaiveDate, &str)> {
    let (first, rest) = number(text, 1, 4)?;
    let separator = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '-' | '/' | '.' | '年'))?;
    let rest = rest[separator.len_utf8()..].trim_start();
    let (month, rest) = number(rest, 1, 2)?;
    let second = if separator == '年' { '月' } else { separator };
    let rest = rest.strip_prefix(second)?.trim_start();
    if first > 999 {
        let (day, rest) = number(rest, 1, 2)?;
        let rest = rest.strip_prefix('日').unwrap_or(rest);
        return Some((date(first as i32, month, day)?, rest));
    }
    // Numbers parted by full stops are day, month, year wherever they are used.
    let (year, rest) = number(rest, 4, 4).filter(|_| separator == '.')?;
    Some((date(year as i32, month, first)?, rest))
}

/// `20240305`, and the rest.
fn compact(text: &str) -> Option<(NaiveDate, &str)> {
    let digits = text
        .get(..8)
        .filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    let (year, month, day) = (&digits[..4], &digits[4..6], &digits[6..]);
    let day = date(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
    Some((day, &text[8..]))
}

type Clock<'a> = (NaiveTime, Option<FixedOffset>, &'a str);

/// The time after a date, its zone, and the rest.
fn time(text: &str) -> Option<Clock<'_>> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    clock(&text[start..])
}

/// `10:30`, `10:30:59.123`, `1030`, `103059`, with `am`, `pm` and a zone; the
/// empty string is midnight.
fn clock(text: &str) -> Option<Clock<'_>> {
    if text.is_empty() {
        return Some((NaiveTime::MIN, None, text));
    }
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut hour, minute, mut second, mut rest) = if len == 4 || len == 6 {
        let pair = |at: usize| text[at..at + 2].parse::<u32>().ok();
        let second = if len == 6 { pair(4)? } else { 0 };
        (pair(0)?, pair(2)?, second, &text[len..])
    } else {
        let (hour, rest) = number(text, 1, 2)?;
        let (minute, rest) = number(rest.strip_prefix([':', '.', 'h'])?, 2, 2)?;
        let seconds = rest.strip_prefix(':').and_then(|rest| number(rest, 2, 2));
        let (second, rest) = seconds.unwrap_or((0, rest));
        (hour, minute, second, rest)
    };
    let mut nanos = 0;
    if let Some(fraction) = rest.strip_prefix(['.', ','])
        && let len @ 1.. = fraction.bytes().take_while(u8::is_ascii_digit).count()
    {
        let kept = len.min(9);
        nanos = fraction[..kept].parse::<u32>().ok()? * 10_u32.pow(9 - kept as u32);
        rest = &fraction[len..];
    }
    let word = |text: &str| -> String {
        let letters = text.trim_start().chars();
        letters
            .take_while(|c| c.is_ascii_alphabetic() || *c == '.')
            .filter(|c| *c != '.')
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    if matches!(&*word(rest), "am" | "pm") && hour <= 12 {
        hour = hour % 12 + if word(rest) == "pm" { 12 } else { 0 };
        let letters = rest.trim_start().find(['m', 'M'])? + 1;
        rest = rest.trim_start()[letters..].trim_start_matches('.');
    }
    second = second.min(59);
    let time = NaiveTime::from_hms_nano_opt(hour, minute, second, nanos)?;
    let (zone, rest) = zone(rest);
    Some((time, zone, rest))
}

/// `Z`, `+02:00`, `+0200`, `+02`, `GMT+0200`, and the zone names of RFC 2822.
fn zone(text: &str) -> (Option<FixedOffset>, &str) {
    let start = text.trim_start().trim_start_matches('(');
    let letters = start.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, after) = start.split_at(letters);
    let hours = match name {
        "" => None,
        "Z" | "z" | "UT" | "UTC" | "GMT" => Some(0),
        "EDT" => Some(-4),
        "EST" | "CDT" => Some(-5),
        "CST" | "MDT" => Some(-6),
        "MST" | "PDT" => Some(-7),
        "PST" => Some(-8),
        "CET" => Some(1),
        "CEST" => Some(2),
        _ => return (None, text),
    };
    if matches!(hours, None | Some(0))
        && let Some(offset) = offset(after)
    {
        return offset;
    }
    match hours {
        Some(hours) => (FixedOffset::east_opt(hours * 3600), after),
        None => (None, text),
    }
}

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
    let seconds = sign * (hours * 3600 + minutes * 60) as i32;
    FixedOffset::east_opt(seconds).map(|zone| (Some(zone), rest))
}

/// Forms with the name of a month, whatever the order: RFC 2822, `asctime`,
/// `March 5, 2024 at 10:30 PM`.
fn named(text: &str) -> Option<(NaiveDate, NaiveTime, Option<FixedOffset>)> {
    let clock_at = text.find(':').map(|colon| {
        let hour = text[..colon].bytes().rev();
        colon - hour.take_while(u8::is_ascii_digit).take(2).count()
    });
    let (before, clock) = match clock_at {
        Some(at) => (&text[..at], clock(&text[at..])),
        None => (text, None),
    };
    let (time, zone, after) = clock.unwrap_or_default();
    let (mut year, mut month, mut day) = (None, None, None);
    let tokens = [before, after].into_iter().flat_map(|part| {
        part.split(|c: char| !c.is_alphanumeric())
            .filter(|token| !token.is_empty())
    });
    for token in tokens {
        if let Some((value, rest)) = number(token, 1, 4) {
            let ordinal = matches!(rest, "" | "st" | "nd" | "rd" | "th");
            match token.len() - rest.len() {
                4 if rest.is_empty() => year = year.or(Some(value as i32)),
                1 | 2 if ordinal => day = day.or(Some(value)),
                _ => {}
            }
        } else {
            month = month.or_else(|| month_of(token));
        }
    }
    Some((date(year?, month?, day?)?, time, zone))
}

/// The names of the months in English, German, French, Spanish, Italian,
/// Portuguese, Dutch, Polish and Russian (as they stand in dates). No name
/// means two months.
#[rustfmt::skip]
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro", "januari", "stycznia", "января"],
    &["february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "lutego", "февраля"],
    &["march", "märz", "mars", "marzo", "março", "maart", "marca", "марта"],
    &["april", "avril", "abril", "aprile", "kwietnia", "апреля"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "maja", "мая"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "czerwca", "июня"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "lipca", "июля"],
    &["august", "août", "agosto", "augustus", "sierpnia", "августа"],
    &["september", "sept", "septembre", "septiembre", "settembre", "setembro", "września", "сентября"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "października", "октября"],
    &["november", "novembre", "noviembre", "novembro", "listopada", "ноября"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "grudnia", "декабря"],
];

/// The month that a word names: in full, or as the three letters of English.
fn month_of(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let at = MONTHS.iter().position(|names| {
        names.contains(&&*word) || word.len() == 3 && names[0].starts_with(&word)
    })?;
    Some(at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(
            Date::read(raw).rfc3339.as_deref().unwrap_or("-"),
            expected,
            "{raw}"
        );
    }

    #[test]
    fn iso_in_all_its_forms() {
        check("2024-03-05T10:30:59+02:00", "2024-03-05T10:30:59+02:00");
        check("2024-03-05T10:30:59.120Z", "2024-03-05T10:30:59.120Z");
        check(
            "2024-03-05T10:30:59.1234567-0800",
            "2024-03-05T10:30:59.123456700-08:00",
        );
        check("2024-03-05 10:30:59 +0200", "2024-03-05T10:30:59+02:00");
        check("2024-03-05T10:30", "2024-03-05T10:30:00Z");
        check("2024-03-05T10:30+02", "2024-03-05T10:30:00+02:00");
        check("20240305T103059Z", "2024-03-05T10:30:59Z");
        check("2024/3/5 9:05", "2024-03-05T09:05:00Z");
        check("2018年05月03日 10:20", "2018-05-03T10:20:00Z");
        check("2018-05-03 10:20:00 UTC", "2018-05-03T10:20:00Z");
    }

    #[test]
    fn a_date_alone_is_its_midnight() {
        check("2024-03-05", "2024-03-05T00:00:00Z");
        check("20240305", "2024-03-05T00:00:00Z");
        check("05.03.2024", "2024-03-05T00:00:00Z");
        check("March 5th, 2024", "2024-03-05T00:00:00Z");
    }

    #[test]
    fn forms_with_month_names() {
        check("Fri, 31 Jul 2020 13:50:14 GMT", "2020-07-31T13:50:14Z");
        check("31 Jul 2020 13:50 -0430", "2020-07-31T13:50:00-04:30");
        check("Tue Mar 05 10:20:30 PST 2024", "2024-03-05T10:20:30-08:00");
        check(
            "Sept. 5, 2024 at 12:30 a.m. EST",
            "2024-09-05T00:30:00-05:00",
        );
        check(
            "Tue Mar 05 2024 10:20:30 GMT+0100 (CET)",
            "2024-03-05T10:20:30+01:00",
        );
    }

    #[test]
    fn unix_times() {
        check("1583422000", "2020-03-05T15:26:40Z");
        check("1583422000123", "2020-03-05T15:26:40.123Z");
    }

    #[test]
    fn what_is_no_date_stays_raw() {
        for raw in [
            "",
            "yesterday",
            "03/05/2024",
            "0001-01-01T00:00:00",
            "2024-13-05",
            "5 March",
            "12345",
            "99999999999999999999",
        ] {
            check(raw, "-");
        }
        assert_eq!(Date::read(" last \n week").raw, "last week");
    }

    #[test]
    fn no_month_has_the_name_of_another() {
        let mut names: Vec<_> = MONTHS.concat();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    proptest! {
        #[test]
        fn anything_is_read_without_panic(raw in "\\PC{0,40}") {
            Date::read(&raw);
        }

        #[test]
        fn what_is_written_is_read_again(raw in "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-[0-3][0-9]T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][01][0-9]:?[0-5][0-9])?") {
            if let Some(once) = Date::read(&raw).rfc3339 {
                prop_assert_eq!(Date::read(&once).rfc3339, Some(once));
            }
        }
    }
}
