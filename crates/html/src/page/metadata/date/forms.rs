//! The forms of dates.

use super::calendar::{Calendar, persian_month_of, with_gregorian_years};
use super::clock::{clock, time_after_date, time_in};
use super::digits::{number, with_ascii_digits};
use super::months::month_of;
use super::order::{DateStyle, FirstNumber};
use crate::text::Language;
use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};

/// Characters of a date that are read: the longest usual form (RFC 2822 with a
/// comment) has under 40; what is longer is a sentence.
const MAX_DATE_CHARS: usize = 64;

/// Two digits of a year from this on are of the last century, as for POSIX.
const LAST_CENTURY: u32 = 69;

/// The beginning of a text that is read.
pub(super) fn beginning(raw: &str) -> &str {
    let end = raw.char_indices().nth(MAX_DATE_CHARS);
    &raw[..end.map_or(raw.len(), |(at, _)| at)]
}

pub(super) fn parse(raw: &str, style: DateStyle) -> Option<DateTime<FixedOffset>> {
    let text = beginning(raw);
    let calendar = Calendar::of(text, style.language);
    let folded;
    let dated;
    let text = if text.is_ascii() {
        text
    } else {
        folded = with_ascii_digits(text);
        dated = with_gregorian_years(&folded);
        &dated
    };
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return digits_only(text);
    }
    let numeric = |text| numeric(text, style.order, calendar);
    let (date, time, zone) = match numeric(text).or_else(|| compact(text)) {
        Some((date, rest)) => with_time(date, rest),
        None => named(text, style.language).or_else(|| {
            let (date, rest) = numbers_in(text).find_map(numeric)?;
            Some(with_time(date, rest))
        })?,
    };
    at(date.and_time(time), zone)
}

/// The date with what follows it as its time and zone; without, midnight.
pub(super) fn with_time(
    date: NaiveDate,
    rest: &str,
) -> (NaiveDate, NaiveTime, Option<FixedOffset>) {
    let (time, zone, _) = time_after_date(rest).unwrap_or_default();
    (date, time, zone)
}

/// The rests of `text` that begin with a number behind something else.
fn numbers_in(text: &str) -> impl Iterator<Item = &str> {
    let mut before = 'a';
    text.char_indices().filter_map(move |(at, c)| {
        let begins =
            c.is_ascii_digit() && !before.is_ascii_alphanumeric() && !matches!(before, '.' | '/');
        before = c;
        begins.then(|| &text[at..])
    })
}

pub(super) fn at(local: NaiveDateTime, zone: Option<FixedOffset>) -> Option<DateTime<FixedOffset>> {
    let zone = zone.or_else(|| FixedOffset::east_opt(0))?;
    local.and_local_timezone(zone).single()
}

/// `20240305`, `20240305103000`, Unix seconds, Unix milliseconds.
fn digits_only(text: &str) -> Option<DateTime<FixedOffset>> {
    let number: i64 = text.parse().ok()?;
    match text.len() {
        8 | 12 | 14 => {
            let (day, rest) = compact(text)?;
            at(day.and_time(clock("", rest)?.0), None)
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

/// `2024-03-05`, `2024/3/5`, `2024.03.05`, `2024年3月5日`, `2024년 3월 5일`,
/// `3月5日 2024`, `3월 5일 2024`, `05.03.2024`, `31/12/2024`, and, where the order is known,
/// `05/03/2024` and `05.03.24`; and the rest.
fn numeric(
    text: &str,
    order: Option<FirstNumber>,
    calendar: Calendar,
) -> Option<(NaiveDate, &str)> {
    let date = |year, month, day| calendar.day(year, month, day);
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
    if first > 999 || calendar.has_own_year(first as i32) {
        let (day, rest) = number(rest, 1, 2)?;
        let rest = rest.trim_start().strip_prefix(last).unwrap_or(rest);
        return Some((date(first as i32, second, day)?, rest));
    }
    let rest = rest.trim_start_matches([',', ' ']);
    let Some((year, rest)) = number(rest, 4, 4) else {
        return two_digit_year(first, second, rest, separator, order);
    };
    let year = year as i32;
    let date = match separator {
        // Numbers parted by full stops are day, month, year wherever they are used.
        '.' => date(year, second, first),
        '月' | '월' => date(year, first, second),
        _ if first > 12 => date(year, second, first),
        _ if second > 12 => date(year, first, second),
        _ => match order? {
            FirstNumber::Day => date(year, second, first),
            FirstNumber::Month => date(year, first, second),
            FirstNumber::Year => None,
        },
    };
    Some((date?, rest))
}

/// The rest of `05.03.24`, where the order of its numbers is known. Between hyphens it may be
/// the year that stands first, as in ISO 8601.
fn two_digit_year(
    first: u32,
    second: u32,
    rest: &str,
    separator: char,
    order: Option<FirstNumber>,
) -> Option<(NaiveDate, &str)> {
    let (third, rest) = number(rest, 2, 2)?;
    // Versions and addresses of computers go on.
    let goes_on = |c: char| rest.strip_prefix(c)?.chars().next();
    if ['.', '/']
        .into_iter()
        .filter_map(goes_on)
        .any(|c| c.is_ascii_digit())
    {
        return None;
    }
    let (year, month, day) = match (separator, order?) {
        ('.' | '/', FirstNumber::Year) => (first, second, third),
        ('.', _) | ('/', FirstNumber::Day) => (third, second, first),
        ('/', FirstNumber::Month) => (third, first, second),
        _ => return None,
    };
    Some((Calendar::Gregorian.day(full_year(year), month, day)?, rest))
}

fn full_year(two_digits: u32) -> i32 {
    let century = if two_digits < LAST_CENTURY {
        2000
    } else {
        1900
    };
    century + two_digits as i32
}

/// `20240305`, and the rest.
fn compact(text: &str) -> Option<(NaiveDate, &str)> {
    let digits = text
        .get(..8)
        .filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    let (year, month, day) = (&digits[..4], &digits[4..6], &digits[6..]);
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    Some((Calendar::Gregorian.day(year, month, day)?, &text[8..]))
}

/// Forms with the name of a month, whatever the order: RFC 2822, `asctime`,
/// `March 5, 2024 at 10:30 PM`, `05-Mar-24`.
fn named(text: &str, language: Language) -> Option<(NaiveDate, NaiveTime, Option<FixedOffset>)> {
    // Most short texts with a digit are no dates: the months need not be asked.
    let mut digits = text
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let has_year = digits.any(|run| run.len() == 4 && run[0].is_ascii_digit());
    if !has_year && !text.contains(['\'', '’', '-']) {
        return None;
    }
    let (before, (time, zone, after)) = match time_in(text) {
        Some((at, time)) => (&text[..at], time),
        None => (text, Default::default()),
    };
    let (mut year, mut month, mut persian_month) = (None, None, None);
    // Numbers that may be the day, with their places among the words.
    let mut days: Vec<(usize, u32)> = Vec::new();
    // Vietnamese counts its months: `tháng 5`, `tháng mười một`.
    let mut counted = CountedMonth::No;
    let named_in = match language {
        // Its numbers are months only behind the word for one: `Thứ hai` is Monday.
        Language::Vietnamese => Language::Unknown,
        language => language,
    };
    let words = words_in(before).chain(words_in(after));
    for (place, (mark, word)) in words.enumerate() {
        let after_month = counted != CountedMonth::No;
        let nth = match counted {
            CountedMonth::No => None,
            _ => month_of(word, Language::Vietnamese).map(|(nth, _)| nth),
        };
        let ten = std::mem::replace(&mut counted, CountedMonth::No) == CountedMonth::Ten;
        if let Some((value, rest)) = number(word, 1, 4) {
            let ordinal = matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er");
            let is_year =
                matches!(mark, '\'' | '’') || (mark == '-' && month.is_some() && !days.is_empty());
            match word.len() - rest.len() {
                4 if rest.is_empty() => year = year.or(Some(value as i32)),
                2 if is_year && rest.is_empty() => year = year.or(Some(full_year(value))),
                1 | 2 if after_month => {
                    month = month.or(Some((value, true, place)));
                }
                1 | 2 if ordinal => days.push((place, value)),
                _ => {}
            }
        } else if word.to_lowercase() == MONTH_WORD {
            counted = CountedMonth::Next;
        } else if let Some(nth) = nth {
            month = Some((if ten { 10 + nth } else { nth }, true, place));
            if nth == 10 {
                counted = CountedMonth::Ten;
            }
        } else if let Some(nth) = persian_month_of(word) {
            persian_month = persian_month.or(Some((nth, place)));
        } else if let Some((named, in_full)) = month_of(word, named_in) {
            // An abbreviated weekday, as the French `mar.`, comes before the month.
            let may_be_weekday = month.is_none_or(|(_, in_full, _)| !in_full) && year.is_none();
            if may_be_weekday || month.is_none() {
                month = Some((named, in_full, place));
            }
        }
    }
    let (calendar, month, named_at) = match (persian_month, month) {
        (Some((month, at)), _) if Calendar::Persian.has_own_year(year?) => {
            (Calendar::Persian, month, at)
        }
        (_, Some((month, _, at))) => (Calendar::Gregorian, month, at),
        _ => return None,
    };
    // Other numbers count comments or minutes.
    let day = days
        .iter()
        .min_by_key(|(place, _)| place.abs_diff(named_at));
    Some((calendar.day(year?, month, day?.1)?, time, zone))
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

/// The words and numbers of a text, each with the character before it.
fn words_in(text: &str) -> impl Iterator<Item = (char, &str)> {
    let mut rest = text;
    let mut mark = ' ';
    std::iter::from_fn(move || {
        let start = rest.find(is_in_word)?;
        mark = rest[..start].chars().next_back().unwrap_or(mark);
        let from = &rest[start..];
        let (word, behind) = from.split_at(from.find(|c| !is_in_word(c)).unwrap_or(from.len()));
        rest = behind;
        Some((mark, word))
    })
}

/// Letters and digits, and the signs of Indic scripts and Thai that stand in words
/// and are neither.
fn is_in_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{900}'..='\u{963}' | '\u{981}'..='\u{9e3}' | '\u{b82}'..='\u{be5}' | '\u{e31}'..='\u{e4e}')
}
