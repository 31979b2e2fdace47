//! Times of day as pages write them.

use super::digits::number;
use super::zone::zone;
use chrono::{FixedOffset, NaiveTime};

/// A time, its zone, and the text behind them.
pub(super) type ZonedTime<'a> = (NaiveTime, Option<FixedOffset>, &'a str);

/// Words for the halves of the day, in lower case and without full stops: before noon and
/// behind it. Those of Eastern Asia stand before the hour, the others behind the time.
const MORNING: &str =
    "am πμ ص صباحا صباحاً قظ पूर्वाह्न পূর্বাহ্ন öö sa sáng 上午 午前 오전 凌晨 早上 清晨";
const AFTERNOON: &str = "\
    pm μμ م مساء مساءً بظ بعدازظهر अपराह्न অপরাহ্ন ös ch chiều tối 下午 午後 오후 晚上 傍晚 中午";

/// Characters between an hour and its minutes in Eastern Asia, and behind the minutes.
const HOUR_SIGNS: [char; 5] = ['時', '时', '點', '点', '시'];
const MINUTE_SIGNS: [char; 2] = ['分', '분'];

/// Words behind an hour that has no minutes: `15 Uhr`, `15 h`.
const HOUR_WORDS: [&str; 4] = ["Uhr", "uhr", "uur", "h"];

/// The time after a date, its zone, and the rest: the first number behind the date. Without a
/// mark between hours and minutes (`1030`) it is only a time if nothing stands before it but
/// the `T` of ISO 8601, and nothing behind it.
pub(super) fn time_after_date(text: &str) -> Option<ZonedTime<'_>> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (before, number) = text.split_at(start);
    let found = clock(before, number)?;
    let is_marked = number.bytes().take_while(u8::is_ascii_digit).count() <= 2;
    let stands_alone = matches!(before.trim(), "" | "T" | "t") && found.2.trim().is_empty();
    (is_marked || stands_alone).then_some(found)
}

/// The place of the first time in a text, and the time: the first with a colon, else the first
/// number that is one (`15h20`, `15.20`, `3 pm`). Behind a second year it is another date's.
pub(super) fn time_in(text: &str) -> Option<(usize, ZonedTime<'_>)> {
    let colon = text.find(':').map(|colon| {
        let hour = text[..colon].bytes().rev();
        colon - hour.take_while(u8::is_ascii_digit).take(2).count()
    });
    let has_one_year = |at: &usize| {
        let numbers = text[..*at].split(|c: char| !c.is_ascii_digit());
        numbers.filter(|number| number.len() == 4).count() < 2
    };
    let colon = colon.filter(has_one_year);
    if let Some(at) = colon
        && let Some(time) = clock(&text[..at], &text[at..])
    {
        return Some((at, time));
    }
    let mut before = ' ';
    let starts = text.char_indices().filter(|&(_, c)| {
        let is_start = c.is_ascii_digit()
            && !before.is_alphanumeric()
            && !matches!(before, '.' | ',' | '/' | '-' | '$' | '€' | '£');
        before = c;
        is_start
    });
    let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.into_iter().filter(has_one_year).find_map(|at| {
        let (before, number) = text.split_at(at);
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        Some((at, clock(before, number).filter(|_| digits <= 2)?))
    })
}

/// `10:30`, `10:30:59.123`, `1030`, `103059`, `10.30`, `10h30`, `10時30分`, with a word for the half
/// of the day and a zone; an hour alone with such a word (`3 pm`, `午後3時`, `15 Uhr`). The empty
/// string is midnight. `before` stands before it.
pub(super) fn clock<'a>(before: &str, text: &'a str) -> Option<ZonedTime<'a>> {
    if text.is_empty() {
        return Some((NaiveTime::MIN, None, text));
    }
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut hour, minute, second, mut rest) = if len == 4 || len == 6 {
        let pair = |at: usize| text[at..at + 2].parse::<u32>().ok();
        let second = if len == 6 { pair(4)? } else { 0 };
        (pair(0)?, pair(2)?, second, &text[len..])
    } else {
        let (hour, rest) = number(text, 1, 2)?;
        let (minute, second, rest) = minutes(rest, is_afternoon_before(before).is_some())?;
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
    let half = match half_behind(rest) {
        Some((is_afternoon, behind)) => {
            rest = behind;
            Some(is_afternoon)
        }
        None => is_afternoon_before(before),
    };
    if let Some(is_afternoon) = half.filter(|_| hour <= 12) {
        hour = hour % 12 + if is_afternoon { 12 } else { 0 };
    }
    let time = NaiveTime::from_hms_nano_opt(hour, minute, second.min(59), nanos)?;
    let (zone, rest) = zone(rest);
    Some((time, zone, rest))
}

/// The minutes and seconds behind an hour, and the rest; `is_hour` is true if something before
/// the hour says what it is.
fn minutes(rest: &str, is_hour: bool) -> Option<(u32, u32, &str)> {
    let spaced = rest.trim_start();
    if let Some(behind) = spaced.strip_prefix(HOUR_SIGNS) {
        let Some((minute, behind)) = number(behind.trim_start(), 1, 2) else {
            return Some((0, 0, behind));
        };
        return Some((
            minute,
            0,
            behind.trim_start().trim_start_matches(MINUTE_SIGNS),
        ));
    }
    let behind_h = || spaced.strip_prefix('h').map(str::trim_start);
    let marked = rest.strip_prefix([':', '.']).or_else(behind_h);
    if let Some((minute, rest)) = marked.and_then(|rest| number(rest, 2, 2)) {
        let seconds = rest.strip_prefix(':').and_then(|rest| number(rest, 2, 2));
        // `06.03.2024` is a date.
        let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if seconds.is_none() && rest.strip_prefix('.').is_some_and(goes_on) {
            return None;
        }
        let (second, rest) = seconds.unwrap_or((0, rest));
        return Some((minute, second, rest));
    }
    let has_word = HOUR_WORDS.iter().any(|word| {
        let behind = spaced.strip_prefix(word);
        behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
    });
    (is_hour || has_word || half_behind(rest).is_some()).then_some((0, 0, rest))
}

/// True if a word behind a time says that it is in the afternoon, with the text behind the word;
/// `None` without such a word.
fn half_behind(rest: &str) -> Option<(bool, &str)> {
    let start = rest.trim_start();
    let end = |text: &str| {
        text.find(|c: char| c.is_whitespace() || matches!(c, ',' | ')' | '(' | '|' | '-'))
            .unwrap_or(text.len())
    };
    let first = end(start);
    let (word, behind) = start.split_at(first);
    if let Some(is_afternoon) = half_of(word) {
        return Some((is_afternoon, behind));
    }
    // `p. m.`
    let second = behind.trim_start();
    let (next, behind) = second.split_at(end(second));
    let is_split = word.len() == 2 && word.ends_with('.');
    let half = half_of(&format!("{word}{next}")).filter(|_| is_split)?;
    Some((half, behind))
}

/// True if a word before an hour says that it is in the afternoon; `None` without such a word.
fn is_afternoon_before(before: &str) -> Option<bool> {
    let before = before.trim_end();
    let is_wide = |word: &&str| word.chars().all(|c| c >= '\u{2e80}');
    let ends = |words: &str| {
        words
            .split(' ')
            .filter(is_wide)
            .any(|word| before.ends_with(word))
    };
    if ends(AFTERNOON) {
        Some(true)
    } else {
        ends(MORNING).then_some(false)
    }
}

fn half_of(word: &str) -> Option<bool> {
    /// Bytes of such a word at the most.
    const MAX_BYTES: usize = 32;
    if word.is_empty() || word.len() > MAX_BYTES {
        return None;
    }
    let word: String = word.chars().filter(|c| *c != '.').collect();
    let word = word.to_lowercase();
    let is_in = |words: &str| words.split(' ').any(|known| known == word);
    if is_in(AFTERNOON) {
        Some(true)
    } else {
        is_in(MORNING).then_some(false)
    }
}
