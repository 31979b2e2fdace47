//! Dates as pages write them.

mod calendar;
mod clock;
mod digits;
mod forms;
mod months;
mod order;
#[cfg(test)]
mod tests;
mod zone;

pub use order::DateStyle;

use crate::text::Language;
use calendar::date_of;
use chrono::{DateTime, Duration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat};
use forms::{at, beginning, parse, with_time};

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

    /// Reads a date in the manner of a language or, by its [`DateStyle`], a site: ISO 8601 with or without time, seconds, fraction and zone,
    /// also compact and with `/`, `.`, 年月日 or 년월일 between its numbers; RFC 2822
    /// and other forms with the name of a month, in full in any language that has a
    /// name here, abbreviated in the site's language and in English; Unix time in seconds or
    /// milliseconds; `31.12.2024`. Words may stand around it. Digits may be of any script, years
    /// of the Gregorian calendar, the Persian one, Thailand's, or Japan's and Taiwan's eras. Forms that differ between countries
    /// (`03/05/2024`) and years of two digits (`05.03.24`) are read where the style tells
    /// the order or only one order makes a date.
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
    pub fn read_in(raw: &str, style: impl Into<DateStyle>) -> Date {
        let raw = crate::text::fold(raw);
        let rfc3339 =
            parse(&raw, style.into()).map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        Date { raw, rfc3339 }
    }

    /// True if it says more than the day: another time than midnight.
    pub(super) fn has_time(&self) -> bool {
        let time = self.rfc3339.as_ref().and_then(|date| date.get(11..19));
        time.is_some_and(|time| time != "00:00:00")
    }

    /// The days between two dates, each as it is written, if both could be read.
    pub(super) fn days_from(&self, other: &Date) -> Option<u64> {
        let day = |date: &Date| {
            let read = DateTime::parse_from_rfc3339(date.rfc3339.as_ref()?).ok()?;
            Some(read.date_naive())
        };
        Some((day(self)? - day(other)?).num_days().unsigned_abs())
    }

    /// Reads a date that is written in `format`, in the manner of `strftime`; a
    /// date without time is its midnight, without zone UTC. Words may stand before
    /// its first digit and behind it, and a time in any usual form behind a format of the day alone.
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
        let text = beginning(&raw);
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
                let (date, time, zone) = with_time(date, rest);
                at(date.and_time(time), zone)
            };
            zoned().or_else(timed).or_else(dated)
        });
        let rfc3339 = read.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        Date { raw, rfc3339 }
    }
}

/// True if a word is a month's name.
pub(super) fn is_month(word: &str, style: DateStyle) -> bool {
    months::month_of(word, style.language).is_some()
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
