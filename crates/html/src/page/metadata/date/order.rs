//! The order in which a site writes day and month.

use super::calendar::Calendar;
use crate::text::Language;
use url::Url;

/// Countries by the ends of their hosts and the second part of their language tags: in the
/// first the month comes before the day, in the others the day before the month. Ends that
/// sites of all countries use (`io`, `tv`, `me`) and Canada, which has both orders, are in none.
const MONTH_FIRST: &str = "us ph gov mil";
const DAY_FIRST: &str = "\
    ar at au bd be bg br ch cl cz de dk ee es fi fr gb gh gr hk hr id ie il in it ke lk lt lv mt mx my \
    ng nl no nz pe pk pl pt ro rs ru sg si sk th tr tt tz ua ug uk vn za zm zw";

/// The first number of a date such as `05/06/2023`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstNumber {
    Day,
    Month,
    /// Only of two-digit years: `23.06.05`.
    Year,
}

/// The manner in which a site writes dates: its language, and the order of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateStyle {
    pub(super) language: Language,
    /// `None` where it is not known.
    pub(super) order: Option<FirstNumber>,
}

impl DateStyle {
    /// The style of a page by its language tag and its address: the address's country tells
    /// the order before the tag's, as many sites keep the `en-US` of their software.
    ///
    /// ```
    /// use forest_html::page::metadata::{Date, DateStyle};
    ///
    /// let day = |tag| Date::read_in("05/06/2023", DateStyle::of(Some(tag), None)).rfc3339;
    /// assert_eq!(day("fr").as_deref(), Some("2023-06-05T00:00:00Z"));
    /// assert_eq!(day("en-US").as_deref(), Some("2023-05-06T00:00:00Z"));
    /// assert_eq!(day("en"), None);
    /// ```
    pub fn of(tag: Option<&str>, url: Option<&str>) -> DateStyle {
        let language = tag.map_or(Language::Unknown, Language::from_tag);
        let url = url.and_then(|url| Url::parse(url).ok());
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let of_host = host.rsplit('.').next().and_then(order_in);
        let region = tag.and_then(|tag| tag.split(['-', '_']).nth(1));
        let order = of_host.or_else(|| region.and_then(order_in));
        let DateStyle { order: usual, .. } = DateStyle::from(language);
        DateStyle {
            language,
            order: order.or(usual),
        }
    }

    /// True if the day in a text may have another number than in the Gregorian calendar, or one in
    /// another script's digits.
    pub fn may_differ_in(self, text: &str) -> bool {
        Calendar::of(text, self.language) == Calendar::Persian
            || text.contains(|c: char| !c.is_ascii() && c.is_numeric())
    }

    /// The style of values for programs, whose order is that of their software: `11/01/2023
    /// 12:43:42` is as often a day of November on a German page as in America.
    pub fn without_order(self) -> DateStyle {
        DateStyle {
            order: None,
            ..self
        }
    }
}

impl From<Language> for DateStyle {
    /// The style of a language, whatever the country: all but English write the day first, or
    /// the year.
    fn from(language: Language) -> DateStyle {
        let order = match language {
            Language::English | Language::Unknown => None,
            Language::Chinese | Language::Japanese | Language::Korean => Some(FirstNumber::Year),
            _ => Some(FirstNumber::Day),
        };
        DateStyle { language, order }
    }
}

fn order_in(country: &str) -> Option<FirstNumber> {
    let is_in = |list: &str| {
        let mut countries = list.split(' ');
        countries.any(|known| known.eq_ignore_ascii_case(country))
    };
    if is_in(MONTH_FIRST) {
        Some(FirstNumber::Month)
    } else {
        is_in(DAY_FIRST).then_some(FirstNumber::Day)
    }
}
