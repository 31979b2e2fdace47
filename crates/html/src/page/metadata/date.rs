//! Dates as pages write them.

use super::months::month_of;
use crate::text::Language;
use chrono::{
    DateTime, Datelike, Duration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat,
};

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
/// use forest_html::page::metadata::Date;
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
    /// [`read_in`](Date::read_in) a language that is not known.
    pub fn read(raw: &str) -> Date {
        Date::read_in(raw, Language::Unknown)
    }

    /// Reads a date: ISO 8601 with or without time, seconds, fraction and zone,
    /// also compact and with `/`, `.`, 年月日 or 년월일 between its numbers; RFC 2822
    /// and other forms with the name of a month, in full in any language that has a
    /// name here, abbreviated in `language` and in English; Unix time in seconds or
    /// milliseconds; `31.12.2024`. Words may stand around it. Forms that differ
    /// between countries (`03/05/2024`) are read where only one is a date.
    ///
    /// ```
    /// use forest_html::page::metadata::Date;
    /// use forest_html::text::Language;
    ///
    /// let day = |raw, language| Date::read_in(raw, language).rfc3339.unwrap()[..10].to_owned();
    /// assert_eq!(day("Publicado el 6 de dic. de 2013", Language::Spanish), "2013-12-06");
    /// assert_eq!(day("31/12/2013 - 10 h", Language::French), "2013-12-31");
    /// assert_eq!(day("5月6日 2013", Language::Japanese), "2013-05-06");
    /// assert_eq!(Date::read_in("05/06/2013", Language::English).rfc3339, None);
    /// ```
    pub fn read_in(raw: &str, language: Language) -> Date {
        let raw = crate::text::fold(raw);
        let rfc3339 =
            parse(&raw, language).map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        Date { raw, rfc3339 }
    }

    /// Reads a date that is written in `format`, in the manner of `strftime`; a
    /// date without time is its midnight, without zone UTC. Words may stand before
    /// its first digit and behind it.
    ///
    /// ```
    /// use forest_html::page::metadata::Date;
    ///
    /// let date = Date::read_as("03/05/2024 10:20", "%d/%m/%Y %H:%M");
    /// assert_eq!(date.rfc3339.as_deref(), Some("2024-05-03T10:20:00Z"));
    /// assert_eq!(Date::read_as("03/05/2024", "%d.%m.%Y").rfc3339, None);
    /// ```
    pub fn read_as(raw: &str, format: &str) -> Date {
        let raw = crate::text::fold(raw);
        let text = &raw[..raw.floor_char_boundary(MAX_DATE_BYTES)];
        let first_digit = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
        let read = [text, &text[first_digit..]].into_iter().find_map(|text| {
            let zoned = || Some(DateTime::parse_and_remainder(text, format).ok()?.0);
            let timed = || {
                at(
                    NaiveDateTime::parse_and_remainder(text, format).ok()?.0,
                    None,
                )
            };
            let dated = || {
                let (date, rest) = NaiveDate::parse_and_remainder(text, format).ok()?;
                let whole = !rest.starts_with(|c: char| c.is_ascii_digit());
                let date = date_of(date).filter(|_| whole)?;
                at(date.and_time(Default::default()), None)
            };
            zoned().or_else(timed).or_else(dated)
        });
        let rfc3339 = read.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        Date { raw, rfc3339 }
    }
}

/// Returns true if `given`, as a page shows it, is on the day of `right`, a full moment: in
/// the zone of either or in UTC. Feeds that have lost their site's zone are in UTC,
/// and what a page shows as a day alone (here: midnight, UTC) is right then if the
/// moment falls on it somewhere (UTC-12 to UTC+14).
pub fn same_day(right: DateTime<FixedOffset>, given: DateTime<FixedOffset>) -> bool {
    let utc = |at: DateTime<FixedOffset>| at.offset().local_minus_utc() == 0;
    let day_in = |zone: &FixedOffset| {
        right.with_timezone(zone).date_naive() == given.with_timezone(zone).date_naive()
    };
    let same = right.date_naive() == given.date_naive()
        || day_in(given.offset())
        || day_in(right.offset())
        || right.naive_utc().date() == given.naive_utc().date();
    let day_alone = utc(given) && given.time() == NaiveTime::MIN;
    same || (day_alone && utc(right) && {
        let first = (right - Duration::hours(12)).date_naive();
        let last = (right + Duration::hours(14)).date_naive();
        (first..=last).contains(&given.date_naive())
    })
}

fn parse(raw: &str, language: Language) -> Option<DateTime<FixedOffset>> {
    let text = &raw[..raw.floor_char_boundary(MAX_DATE_BYTES)];
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return digits_only(text);
    }
    let (date, time, zone) = match numeric(text).or_else(|| compact(text)) {
        Some((date, rest)) => with_time(date, rest),
        None => named(text, language).or_else(|| {
            let (date, rest) = numbers_in(text).find_map(numeric)?;
            Some(with_time(date, rest))
        })?,
    };
    at(date.and_time(time), zone)
}

/// The date with what follows it as its time and zone; without, midnight.
fn with_time(date: NaiveDate, rest: &str) -> (NaiveDate, NaiveTime, Option<FixedOffset>) {
    let (time, zone, _) = time(rest).unwrap_or_default();
    (date, time, zone)
}

/// The rests of `text` that begin with a number behind something else.
fn numbers_in(text: &str) -> impl Iterator<Item = &str> {
    let mut before = 'a';
    text.char_indices().filter_map(move |(at, c)| {
        let begins = c.is_ascii_digit() && !before.is_ascii_alphanumeric();
        before = c;
        begins.then(|| &text[at..])
    })
}

fn at(local: NaiveDateTime, zone: Option<FixedOffset>) -> Option<DateTime<FixedOffset>> {
    let zone = zone.or_else(|| FixedOffset::east_opt(0))?;
    local.and_local_timezone(zone).single()
}

fn date(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    date_of(NaiveDate::from_ymd_opt(year, month, day)?)
}

/// The date, if its year is believed.
fn date_of(date: NaiveDate) -> Option<NaiveDate> {
    (MIN_YEAR..MAX_YEAR).contains(&date.year()).then_some(date)
}

/// `20240305`, `20240305103000`, Unix seconds, Unix milliseconds.
fn digits_only(text: &str) -> Option<DateTime<FixedOffset>> {
    let number: i64 = text.parse().ok()?;
    match text.len() {
        8 | 12 | 14 => {
            let (day, rest) = compact(text)?;
            at(day.and_time(clock(rest)?.0), None)
        }
        9 | 10 => unix_time(DateTime::from_timestamp_secs(number)?),
        13 => unix_time(DateTime::from_timestamp_millis(number)?),
        _ => None,
    }
}

/// Years of a Unix time that are believed: there was no Web before. Other numbers of as many
/// digits are names of articles.
const UNIX_YEARS: std::ops::Range<i32> = 1990..2100;

fn unix_time(time: DateTime<chrono::Utc>) -> Option<DateTime<FixedOffset>> {
    let is_believed = UNIX_YEARS.contains(&time.year());
    is_believed.then(|| time.fixed_offset())
}

/// The number at the beginning of `text`, of `min` to `max` digits, and the rest.
fn number(text: &str, min: usize, max: usize) -> Option<(u32, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(min..=max).contains(&len) {
        return None;
    }
    Some((text[..len].parse().ok()?, &text[len..]))
}

/// `2024-03-05`, `2024/3/5`, `2024.03.05`, `2024年3月5日`, `2024년 3월 5일`,
/// `3月5日 2024`, `3월 5일 2024`, `05.03.2024`, `31/12/2024`, and the rest.
fn numeric(text: &str) -> Option<(NaiveDate, &str)> {
    let (first, rest) = number(text, 1, 4)?;
    let next = |text: &str| text.chars().next();
    let separator = next(rest).filter(|c| matches!(c, '-' | '/' | '.'));
    let spaced = rest.trim_start();
    let named = || next(spaced).filter(|c| matches!(c, '年' | '년' | '月' | '월'));
    let (separator, rest) = match separator {
        Some(separator) => (separator, rest),
        None => (named()?, spaced),
    };
    let rest = rest[separator.len_utf8()..].trim_start();
    let (second, rest) = number(rest, 1, 2)?;
    let (between, last) = match separator {
        '年' => ('月', "日"),
        '년' => ('월', "일"),
        '月' => ('日', ""),
        '월' => ('일', ""),
        other => (other, ""),
    };
    let rest = rest.trim_start().strip_prefix(between)?.trim_start();
    if first > 999 {
        let (day, rest) = number(rest, 1, 2)?;
        let rest = rest.trim_start().strip_prefix(last).unwrap_or(rest);
        return Some((date(first as i32, second, day)?, rest));
    }
    let rest = rest.trim_start_matches([',', ' ']);
    let (year, rest) = number(rest, 4, 4)?;
    let year = year as i32;
    let date = match separator {
        // Numbers parted by full stops are day, month, year wherever they are used.
        '.' => date(year, second, first),
        '月' | '월' => date(year, first, second),
        _ if first > 12 => date(year, second, first),
        _ if second > 12 => date(year, first, second),
        _ => None,
    };
    Some((date?, rest))
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

type ZonedTime<'a> = (NaiveTime, Option<FixedOffset>, &'a str);

/// The time after a date, its zone, and the rest: the first number behind the date. Without a
/// mark between hours and minutes (`1030`) it is only a time if nothing stands before it but
/// the `T` of ISO 8601, and nothing behind it.
fn time(text: &str) -> Option<ZonedTime<'_>> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (before, number) = text.split_at(start);
    let found = clock(number)?;
    let is_marked = number.bytes().take_while(u8::is_ascii_digit).count() <= 2;
    let stands_alone = matches!(before.trim(), "" | "T" | "t") && found.2.trim().is_empty();
    (is_marked || stands_alone).then_some(found)
}

/// `10:30`, `10:30:59.123`, `1030`, `103059`, with `am`, `pm` and a zone; the
/// empty string is midnight.
fn clock(text: &str) -> Option<ZonedTime<'_>> {
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
        // `06.03.2024` is a date.
        let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if seconds.is_none() && rest.strip_prefix('.').is_some_and(goes_on) {
            return None;
        }
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

/// Forms with the name of a month, whatever the order: RFC 2822, `asctime`,
/// `March 5, 2024 at 10:30 PM`.
fn named(text: &str, language: Language) -> Option<(NaiveDate, NaiveTime, Option<FixedOffset>)> {
    // Most short texts with a digit are no dates: the months need not be asked.
    let digits = text
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    if !digits
        .into_iter()
        .any(|run| run.len() == 4 && run[0].is_ascii_digit())
    {
        return None;
    }
    let clock_at = text.find(':').map(|colon| {
        let hour = text[..colon].bytes().rev();
        colon - hour.take_while(u8::is_ascii_digit).take(2).count()
    });
    // Behind a second year it is the time of another date.
    let has_one_year = |before: &str| {
        let numbers = before.split(|c: char| !c.is_ascii_digit());
        numbers.filter(|number| number.len() == 4).count() < 2
    };
    let clock_at = clock_at.filter(|&at| has_one_year(&text[..at]));
    let (before, clock) = match clock_at {
        Some(at) => match clock(&text[at..]) {
            Some(clock) => (&text[..at], Some(clock)),
            None => (text, None),
        },
        None => (text, None),
    };
    let (time, zone, after) = clock.unwrap_or_default();
    let (mut year, mut month, mut day) = (None, None, None);
    // Vietnamese counts its months: `tháng 5`, `tháng mười một`.
    let mut counted = CountedMonth::No;
    let tokens = [before, after].into_iter().flat_map(|part| {
        part.split(|c: char| !is_in_word(c))
            .filter(|token| !token.is_empty())
    });
    for token in tokens {
        let after_month = counted != CountedMonth::No;
        let nth = match counted {
            CountedMonth::No => None,
            _ => month_of(token, Language::Vietnamese).map(|(nth, _)| nth),
        };
        let ten = std::mem::replace(&mut counted, CountedMonth::No) == CountedMonth::Ten;
        if let Some((value, rest)) = number(token, 1, 4) {
            let ordinal = matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er");
            match token.len() - rest.len() {
                4 if rest.is_empty() => year = year.or(Some(value as i32)),
                1 | 2 if after_month => {
                    month = month.or(Some((value, true)));
                }
                1 | 2 if ordinal => day = day.or(Some(value)),
                _ => {}
            }
        } else if token.to_lowercase() == MONTH_WORD {
            counted = CountedMonth::Next;
        } else if let Some(nth) = nth {
            month = Some((if ten { 10 + nth } else { nth }, true));
            if nth == 10 {
                counted = CountedMonth::Ten;
            }
        } else if let Some(named) = month_of(token, language) {
            // An abbreviated weekday, as the French `mar.`, comes before the month.
            let may_be_weekday = month.is_none_or(|(_, in_full)| !in_full) && year.is_none();
            if may_be_weekday || month.is_none() {
                month = Some(named);
            }
        }
    }
    let year = year.map(|year| match year {
        // The Buddhist calendar of Thailand.
        2400..=2743 => year - 543,
        year => year,
    });
    Some((date(year?, month?.0, day?)?, time, zone))
}

/// The word before the number of a month in Vietnamese.
const MONTH_WORD: &str = "tháng";

/// The state of a counted month: the next word may be its number, or the rest of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedMonth {
    No,
    Next,
    Ten,
}

/// Letters and digits, and the signs of Indic scripts and Thai that stand in words
/// and are neither.
fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{963}' | '\u{e31}'..='\u{e4e}')
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
    fn forms_of_other_languages() {
        let check = |raw: &str, language: Language, expected: &str| {
            let read = Date::read_in(raw, language).rfc3339;
            assert_eq!(read.as_deref().map(|d| &d[..10]), Some(expected), "{raw}");
        };
        for (raw, language) in [
            ("2013年5月6日", Language::Chinese),
            ("5月6日 2013", Language::Japanese),
            ("5 月 6 日 2013 年", Language::Chinese),
            ("2013 年 5 月 6 日", Language::Chinese),
            ("5월 6일 2013", Language::Korean),
            ("2013년 5월 6일 월요일", Language::Korean),
            ("2013. 5. 6.", Language::Korean),
            ("6 tháng 5, 2013", Language::Vietnamese),
            ("Tháng Năm 6, 2013", Language::Vietnamese),
            ("lundi 6 mai 2013", Language::French),
            ("2013. május 6.", Language::Hungarian),
            ("6 במאי 2013", Language::Hebrew),
            ("6 พฤษภาคม 2556", Language::Thai),
            ("6 मई 2013", Language::Hindi),
            ("6 toukokuuta 2013", Language::Finnish),
            ("6. svibnja 2013.", Language::Croatian),
            ("6 травня 2013, 10:20", Language::Ukrainian),
            ("Δευτέρα, 6 Μαΐου 2013", Language::Greek),
        ] {
            check(raw, language, "2013-05-06");
        }
        check("6 tháng mười một 2013", Language::Vietnamese, "2013-11-06");
        check("5 अप्रैल 2013", Language::Hindi, "2013-04-05");
        check("mar. 5 avr. 2013", Language::French, "2013-04-05");
        check("6 listopada 2013", Language::Croatian, "2013-10-06");
        check("6 listopada 2013", Language::Polish, "2013-11-06");
    }

    #[test]
    fn words_around_a_date() {
        check("Posted by: Bob on March 5, 2024", "2024-03-05T00:00:00Z");
        check(
            "Posted by Ross at February  4, 2009 08:23 AM",
            "2009-02-04T08:23:00Z",
        );
        check("Stand 05.03.2024, 10:20 Uhr", "2024-03-05T10:20:00Z");
        check("Dec 5, 2013 | updated Jan 6, 2014", "2013-12-05T00:00:00Z");
    }

    #[test]
    fn days_above_twelve_tell_the_order() {
        check("25/03/2024", "2024-03-25T00:00:00Z");
        check("03/25/2024", "2024-03-25T00:00:00Z");
        check("25-03-2024", "2024-03-25T00:00:00Z");
        check("05/03/2024", "-");
    }

    #[test]
    fn a_format_finds_its_date_among_words() {
        let check = |raw: &str, format: &str, expected: Option<&str>| {
            let read = Date::read_as(raw, format).rfc3339;
            assert_eq!(read.as_deref(), expected, "{raw} {format}");
        };
        let day = Some("2013-06-05T00:00:00Z");
        check("Le 05/06/2013 à Lyon", "%d/%m/%Y", day);
        check("05.06.13", "%d.%m.%y", day);
        check("05.06.2013", "%d.%m.%y", None);
        check("05/06/0013", "%d/%m/%Y", None);
    }

    #[test]
    fn what_follows_a_date_and_is_no_time() {
        for (raw, day) in [
            ("2024-03-05 – updated 2024-03-06", "2024-03-05"),
            ("2024-03-05 – updated 2024-03-06 10:30", "2024-03-05"),
            ("2024-03-05 2024-03-06", "2024-03-05"),
            ("2024-03-05 (1200 words)", "2024-03-05"),
            ("2024-03-05 1200 words", "2024-03-05"),
            ("05.03.2024 (1200 Wörter)", "2024-03-05"),
            ("05.03.2024 (aktualisiert 06.03.2024)", "2024-03-05"),
            ("05.03.2024, aktualisiert am 06.03.24", "2024-03-05"),
            ("2024年3月5日 1200字", "2024-03-05"),
            ("March 5, 2024 (1200 words)", "2024-03-05"),
            ("March 5, 2024, updated March 6, 2024 10:30", "2024-03-05"),
        ] {
            check(raw, &format!("{day}T00:00:00Z"));
        }
        check("2024-03-05 1030", "2024-03-05T10:30:00Z");
        check("2024-03-05T1030+0200", "2024-03-05T10:30:00+02:00");
        check("05.03.2024 um 10.30 Uhr", "2024-03-05T10:30:00Z");
        check("05.03.2024 – 18:00-20:00", "2024-03-05T18:00:00Z");
    }

    #[test]
    fn unix_times() {
        check("1583422000", "2020-03-05T15:26:40Z");
        check("1583422000123", "2020-03-05T15:26:40.123Z");
        for name in ["123456789", "9876543210", "9780306406157", "0123456789"] {
            check(name, "-");
        }
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
