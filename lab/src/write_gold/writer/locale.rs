//! How a site writes days and numbers: its calendar, its digits, the names of its months.

use chrono::{Datelike, NaiveDate, NaiveDateTime};

use super::site::Site;

/// Gregorian years before the first of the Persian calendar.
const BEFORE_PERSIAN: i32 = 621;

/// Years of Thailand's calendar before the first Gregorian one.
const BEFORE_GREGORIAN: i32 = 543;

/// The calendar of the days that a site shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calendar {
    Gregorian,
    /// That of Iran: other years, months and days.
    Persian,
    /// Thailand's: the Gregorian one with other years.
    Buddhist,
}

/// The days and numbers of a site, by its `calendar` and `digits`.
#[derive(Debug)]
pub struct Locale {
    calendar: Calendar,
    /// From zero to nine; none for those of ASCII.
    digits: Vec<char>,
    /// From the first to the twelfth; none for the English ones.
    months: Vec<String>,
}

impl Locale {
    /// The manner of `site`, whose language names its `months`.
    pub fn of(site: &Site, months: &[String]) -> Result<Locale, String> {
        let calendar = match site.optional("calendar") {
            None => Calendar::Gregorian,
            Some("persian") => Calendar::Persian,
            Some("buddhist") => Calendar::Buddhist,
            Some(other) => {
                let host = &site.host;
                return Err(format!(
                    "sites.txt: [{host}] calendar: `{other}` is unknown"
                ));
            }
        };
        let digits: Vec<char> = site.optional("digits").unwrap_or("").chars().collect();
        if !matches!(digits.len(), 0 | 10) {
            return Err(format!("sites.txt: [{}] digits: ten of them", site.host));
        }
        if !matches!(months.len(), 0 | 12) {
            return Err(format!("{}-frames.txt: not twelve months", site.language()));
        }
        Ok(Locale {
            calendar,
            digits,
            months: months.to_vec(),
        })
    }

    /// A number, or a text with numbers, in the site's digits.
    pub fn number(&self, number: impl ToString) -> String {
        let own = |c: char| {
            let value = c.to_digit(10)? as usize;
            self.digits.get(value).copied()
        };
        let ascii = number.to_string();
        ascii.chars().map(|c| own(c).unwrap_or(c)).collect()
    }

    /// A Gregorian year in the site's calendar and digits; of the Persian years that meet in it
    /// the one that begins.
    pub fn year(&self, gregorian: usize) -> String {
        let year = gregorian as i32;
        self.number(match self.calendar {
            Calendar::Gregorian => year,
            Calendar::Persian => year - BEFORE_PERSIAN,
            Calendar::Buddhist => year + BEFORE_GREGORIAN,
        })
    }

    /// The year, month and day of the site's calendar.
    pub fn day(&self, date: NaiveDate) -> (i32, u32, u32) {
        match self.calendar {
            Calendar::Gregorian => (date.year(), date.month(), date.day()),
            Calendar::Persian => persian_day(date),
            Calendar::Buddhist => (date.year() + BEFORE_GREGORIAN, date.month(), date.day()),
        }
    }

    /// A moment by a `format` in the manner of `strftime`. Year, month and day are those of the
    /// site's calendar in `%Y`, `%m`, `%d`, `%-d` and, if the language names its months, `%B`.
    pub fn date(&self, at: NaiveDateTime, format: &str) -> String {
        let (year, month, day) = self.day(at.date());
        let mut format = format
            .replace("%Y", &year.to_string())
            .replace("%m", &format!("{month:02}"))
            .replace("%d", &format!("{day:02}"))
            .replace("%-d", &day.to_string());
        if let Some(name) = self.months.get(month as usize - 1) {
            format = format.replace("%B", name);
        }
        self.number(at.format(&format))
    }
}

fn persian_day(date: NaiveDate) -> (i32, u32, u32) {
    let (month, day) = (date.month() as u8, date.day() as u8);
    let date = icu_calendar::Date::try_new_gregorian(date.year(), month, day)
        .expect("a day of one library is one of the other")
        .to_calendar(icu_calendar::cal::Persian);
    let (month, day) = (date.month().ordinal, date.day_of_month().0);
    (date.year().extended_year(), month.into(), day.into())
}

#[cfg(test)]
mod tests {
    use super::super::site::parse;
    use super::*;

    fn shown(keys: &str, months: &[&str], day: &str, format: &str) -> String {
        let site = &parse(&format!("[a.example]\n{keys}")).expect("a site")[0];
        let months: Vec<String> = months.iter().map(|name| (*name).to_owned()).collect();
        let at = NaiveDateTime::parse_from_str(day, "%Y-%m-%dT%H:%M").expect("a moment");
        Locale::of(site, &months)
            .expect("a locale")
            .date(at, format)
    }

    #[test]
    fn days_are_of_the_site_s_calendar_in_its_digits() {
        let months: Vec<String> = (1..=12).map(|n| format!("month{n}")).collect();
        let months: Vec<&str> = months.iter().map(String::as_str).collect();
        let persian = "calendar persian\ndigits ۰۱۲۳۴۵۶۷۸۹";
        let check = |keys, day, format, expected| {
            assert_eq!(shown(keys, &months, day, format), expected);
        };
        check(persian, "2023-06-05T10:30", "%Y/%m/%d", "۱۴۰۲/۰۳/۱۵");
        check(persian, "2024-03-20T10:30", "%Y/%m/%d", "۱۴۰۳/۰۱/۰۱");
        check(persian, "2025-03-20T10:30", "%Y/%m/%d", "۱۴۰۳/۱۲/۳۰");
        check(
            "calendar buddhist",
            "2020-02-29T10:30",
            "%-d %B %Y",
            "29 month2 2563",
        );
        check("", "2020-02-09T10:30", "%d.%m.%Y %H:%M", "09.02.2020 10:30");
        assert_eq!(
            shown("", &[], "2011-03-02T08:10", "%B %e, %Y"),
            "March  2, 2011"
        );
    }

    #[test]
    fn what_is_no_manner_is_an_error_that_names_the_site() {
        let fails = |keys: &str| {
            let site = &parse(&format!("[a.example]\nlang th\n{keys}")).expect("a site")[0];
            Locale::of(site, &[]).expect_err("no manner")
        };
        assert!(fails("calendar lunar").contains("[a.example] calendar: `lunar`"));
        assert!(fails("digits 0123").contains("[a.example] digits"));
    }
}
