//! Years of other calendars than the Gregorian one.
//!
//! Thailand's, Japan's and Taiwan's calendars are the Gregorian one with other numbers of years. The
//! Persian one, of Iran and Afghanistan, has months of its own: `icu_calendar` converts it.

use super::digits::number;
use crate::text::Language;
use chrono::{Datelike, NaiveDate};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The calendar of a text's years, where it is not told by the years themselves, as Thailand's are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calendar {
    Gregorian,
    Persian,
    /// Taiwan's (民國), whose year 1 is 1912.
    Minguo,
}

/// Years before this are no publication dates but the null dates of content
/// systems (`0001-01-01T00:00:00`); the first newspapers are of 1605.
const MIN_YEAR: i32 = 1600;

/// Years from this on are not believed either.
const MAX_YEAR: i32 = 2200;

/// Years of the Persian calendar that are believed: 1921 to 2100.
const PERSIAN_YEARS: RangeInclusive<i32> = 1300..=1478;

/// Years of Thailand's Buddhist calendar that are believed, and by how many they are more.
const BUDDHIST_YEARS: RangeInclusive<i32> = 2400..=2743;
const BEFORE_BUDDHIST: i32 = 543;

/// Years of Taiwan's calendar whose numbers have three digits and are believed, and by how many they are
/// less.
const MINGUO_YEARS: RangeInclusive<i32> = 100..=189;
const BEFORE_MINGUO: i32 = 1911;

/// Words before the number of a year, and the Gregorian year before the first that they count.
const ERAS: [(&str, i32); 7] = [
    ("令和", 2018),
    ("平成", 1988),
    ("昭和", 1925),
    ("大正", 1911),
    ("明治", 1867),
    ("民國", BEFORE_MINGUO),
    ("民国", BEFORE_MINGUO),
];

/// Stands for the number of an era's first year.
const FIRST_YEAR: char = '元';

const YEAR: char = '年';

/// The months of the Persian calendar in their order: those of Iran, then Afghanistan's.
#[rustfmt::skip]
const PERSIAN_MONTHS: [&str; 12] = [
    "فروردین|فروردين|حمل", "اردیبهشت|ارديبهشت|ثور", "خرداد|جوزا", "تیر|تير|سرطان", "مرداد|امرداد|اسد", "شهریور|شهريور|سنبله",
    "مهر|میزان", "آبان|عقرب", "آذر|قوس", "دی|دي|جدی", "بهمن|دلو", "اسفند|حوت",
];

impl Calendar {
    /// The calendar of a text in its own digits, on a page in `language`.
    pub(super) fn of(text: &str, language: Language) -> Calendar {
        let has_persian_digit = || text.contains(|c| matches!(c, '\u{6f0}'..='\u{6f9}'));
        match language {
            Language::Persian => Calendar::Persian,
            Language::Chinese => Calendar::Minguo,
            _ if !text.is_ascii() && has_persian_digit() => Calendar::Persian,
            _ => Calendar::Gregorian,
        }
    }

    /// True if a year is of this calendar alone.
    pub(super) fn has_own_year(self, year: i32) -> bool {
        match self {
            Calendar::Gregorian => false,
            Calendar::Persian => PERSIAN_YEARS.contains(&year),
            Calendar::Minguo => MINGUO_YEARS.contains(&year),
        }
    }

    /// The Gregorian day, if there is one and its year is believed.
    pub(super) fn day(self, year: i32, month: u32, day: u32) -> Option<NaiveDate> {
        let year = match self {
            Calendar::Persian if self.has_own_year(year) => return persian_day(year, month, day),
            Calendar::Minguo if self.has_own_year(year) => year + BEFORE_MINGUO,
            _ if BUDDHIST_YEARS.contains(&year) => year - BEFORE_BUDDHIST,
            _ => year,
        };
        date_of(NaiveDate::from_ymd_opt(year, month, day)?)
    }
}

/// The date, if its year is believed.
pub(super) fn date_of(date: NaiveDate) -> Option<NaiveDate> {
    (MIN_YEAR..MAX_YEAR).contains(&date.year()).then_some(date)
}

fn persian_day(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    let (month, day) = (month.try_into().ok()?, day.try_into().ok()?);
    let date = icu_calendar::Date::try_new_persian(year, month, day).ok()?;
    // Both libraries count the days from the first of the Gregorian year 1.
    let days = date.to_rata_die().to_i64_date();
    NaiveDate::from_num_days_from_ce_opt(days.try_into().ok()?)
}

/// The month (1 to 12) of the Persian calendar that a word names.
pub(super) fn persian_month_of(word: &str) -> Option<u32> {
    let names = |forms: &str| forms.split('|').any(|form| form == word);
    let at = PERSIAN_MONTHS.iter().position(|forms| names(forms))?;
    Some(at as u32 + 1)
}

/// A text in ASCII digits whose years of Japan's and Taiwan's eras (`令和6年`, `民國113年`) are the
/// Gregorian ones.
pub(super) fn with_gregorian_years(text: &str) -> Cow<'_, str> {
    let found = ERAS
        .iter()
        .find_map(|(name, before)| Some((text.find(name)?, name.len(), before)));
    let Some((at, name_len, before)) = found else {
        return Cow::Borrowed(text);
    };
    let behind = text[at + name_len..].trim_start();
    let year = match behind.strip_prefix(FIRST_YEAR) {
        Some(rest) => Some((1, rest)),
        None => number(behind, 1, 3),
    };
    match year {
        Some((year, rest)) if rest.trim_start().starts_with(YEAR) => {
            let year = before + year as i32;
            Cow::Owned(format!("{} {year}{}", &text[..at], rest.trim_start()))
        }
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persian_new_year_is_the_day_of_spring() {
        for (year, day) in [
            (1375, "1996-03-20"),
            (1399, "2020-03-20"),
            (1402, "2023-03-21"),
            (1404, "2025-03-21"),
        ] {
            let first = Calendar::Persian.day(year, 1, 1).expect("a day");
            assert_eq!(first.to_string(), day);
        }
        assert_eq!(Calendar::Persian.day(1402, 12, 30), None, "no leap year");
        assert_eq!(Calendar::Persian.day(1402, 13, 1), None);
        assert_eq!(Calendar::Persian.day(1402, 300, 1), None);
    }

    #[test]
    fn years_that_are_believed_are_on_both_sides_of_today() {
        let year = |year| Calendar::Persian.day(year, 1, 1).map(|day| day.year());
        assert_eq!(year(*PERSIAN_YEARS.start()), Some(1921));
        assert_eq!(year(*PERSIAN_YEARS.end()), Some(2099));
        assert_eq!(year(1299), None);
    }

    #[test]
    fn months_are_named_in_all_spellings() {
        assert_eq!(persian_month_of("فروردین"), Some(1));
        assert_eq!(persian_month_of("شهريور"), Some(6));
        assert_eq!(persian_month_of("حوت"), Some(12));
        assert_eq!(persian_month_of(""), None);
        assert_eq!(persian_month_of("ژوئن"), None);
    }
}
