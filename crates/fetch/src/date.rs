//! Dates and times of waiting in headers.

use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. A date that is
/// past is 0.
pub(super) fn retry_after(value: &str, now: DateTime<Utc>) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are a very long time.
        return Some(Duration::from_secs(
            value.parse().unwrap_or(u64::from(u32::MAX)),
        ));
    }
    let wait = http_date(value)? - now;
    Some(wait.to_std().unwrap_or(Duration::ZERO))
}

/// Reads an HTTP date, in the form that RFC 9110, 5.6.7 prescribes or one of the
/// two that it calls obsolete.
pub fn http_date(value: &str) -> Option<DateTime<Utc>> {
    let value = value.trim();
    if let Ok(date) = DateTime::parse_from_rfc2822(value) {
        return Some(date.with_timezone(&Utc));
    }
    let obsolete = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
    let mut dates = obsolete
        .iter()
        .filter_map(|form| NaiveDateTime::parse_from_str(value, form).ok());
    dates.next().map(|date| date.and_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, seconds: Option<u64>) {
        let now = http_date("Sun, 06 Nov 1994 08:49:37 GMT").expect("a date");
        assert_eq!(
            retry_after(value, now).map(|wait| wait.as_secs()),
            seconds,
            "{value:?}"
        );
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        check("120", Some(120));
        check(" 0 ", Some(0));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sun, 06 Nov 1994 08:48:37 GMT", Some(0));
        check("Sunday, 06-Nov-94 08:50:37 GMT", Some(60));
        check("Sun Nov  6 08:50:37 1994", Some(60));
        check("Fri, 31 Dec 9999 23:59:59 GMT", Some(252_618_189_022));
        check("99999999999999999999999", Some(u64::from(u32::MAX)));
        check("", None);
        check("-1", None);
        check("soon", None);
        check("1.5", None);
        check("+5", None);
        check("0x10", None);
        check("120, 60", None);
        check("Sun, 06 Nov 1994", None);
    }

    proptest::proptest! {
        #[test]
        fn any_retry_after_is_read_or_left(value in "\\PC{0,40}|[0-9]{1,30}|[A-Z][a-z]{2}, [0-9]{1,3} (Jan|Feb|Dec) [0-9]{1,6} [0-9:]{0,9} GMT|Sunday, [0-9]{1,3}-Nov-[0-9]{1,7} [0-9:]{8} GMT|Sun Nov [ 0-9]{2} [0-9:]{8} [+-]?[0-9]{1,7}") {
            let _ = retry_after(&value, DateTime::<Utc>::MAX_UTC);
            let _ = retry_after(&value, DateTime::<Utc>::MIN_UTC);
        }
    }
}
