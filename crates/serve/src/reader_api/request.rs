//! A request of an app: its path, and its parameters in the query and in the form.

use super::fault::AppFault;
use axum::http::Method;
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use url::form_urlencoded;

/// Before the digits of an entry's number in their long form.
const LONG_ID: &str = "tag:google.com,2005:reader/item/";

/// Digits of a hexadecimal number without that.
const HEX_DIGITS: usize = 16;

/// A request.
#[derive(Debug)]
pub(super) struct AppRequest {
    /// Its path below the address that was given to the app, decoded.
    pub(super) path: String,
    pub(super) is_post: bool,
    /// The token that it says, in its header or else in its form; may be empty.
    pub(super) token: String,
    /// The product in `User-Agent`.
    pub(super) agent: String,
    fields: Vec<(String, String)>,
}

impl AppRequest {
    pub(super) fn new(path: &str, parts: &Parts, body: &[u8]) -> AppRequest {
        let is_post = parts.method == Method::POST;
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let body = if is_post { body } else { b"" };
        let pairs = |text| form_urlencoded::parse(text).into_owned();
        let mut request = AppRequest {
            path: path.to_owned(),
            is_post,
            token: header_token(&parts.headers).unwrap_or_default(),
            agent: header_text(&parts.headers, header::USER_AGENT).to_owned(),
            fields: pairs(query).chain(pairs(body)).collect(),
        };
        if request.token.is_empty() && is_post {
            request.token = request.get("T").trim().to_owned();
        }
        request
    }

    /// The last parameter of this name, or an empty text.
    pub(super) fn get(&self, name: &str) -> &str {
        let mut named = self.fields.iter().rev().filter(|(known, _)| known == name);
        named.next().map_or("", |(_, value)| value)
    }

    /// All parameters of this name, in their order.
    pub(super) fn all<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r str> {
        let named = self.fields.iter().filter(move |(known, _)| known == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The number of entries that is asked for, 20 by default.
    pub(super) fn count(&self, most: usize) -> usize {
        const COUNT: usize = 20;
        match self.get("n") {
            "" => COUNT,
            // A number beyond all is the most that is given.
            n => n.parse().map_or(
                if n.bytes().all(|b| b.is_ascii_digit()) {
                    most
                } else {
                    COUNT
                },
                |n: usize| n.clamp(1, most),
            ),
        }
    }

    /// A time in a parameter; `None` without it.
    pub(super) fn time(&self, name: &str) -> Result<Option<DateTime<Utc>>, AppFault> {
        match self.get(name).trim() {
            "" | "0" => Ok(None),
            typed => {
                let time = typed.parse().ok().and_then(time_of);
                time.map(Some).ok_or(AppFault::Bad(
                    "a time is a number of seconds or microseconds",
                ))
            }
        }
    }

    /// The numbers of the entries `i`, at most so many.
    pub(super) fn numbers(&self, most: usize) -> Result<Vec<i64>, AppFault> {
        let mut numbers = Vec::new();
        for id in self.all("i") {
            if numbers.len() == most {
                return Err(AppFault::Bad(
                    "these are more entries than may be asked for at once",
                ));
            }
            let number = number_of(id.trim());
            numbers.push(number.ok_or(AppFault::Bad("an entry has no such id"))?);
        }
        if numbers.is_empty() {
            return Err(AppFault::Bad("no entry is named: `i` is missing"));
        }
        Ok(numbers)
    }
}

/// The number of an entry: in decimals, or hexadecimal in its long form or with all its digits.
fn number_of(id: &str) -> Option<i64> {
    let hex = |digits: &str| i64::from_str_radix(digits, 16).ok();
    let number = match id.strip_prefix(LONG_ID) {
        Some(digits) => hex(digits),
        // No number of ours has 16 decimals before the year 2000.
        None if id.len() == HEX_DIGITS
            && id.starts_with(['0', '1', '2', '3', '4', '5', '6', '7']) =>
        {
            hex(id)
        }
        None => id.parse().ok(),
    };
    number.filter(|number| *number >= 0)
}

/// The long form of an entry's number.
pub(super) fn long_id(number: i64) -> String {
    format!("{LONG_ID}{number:016x}")
}

/// A time in seconds, or by its size in milliseconds, microseconds or nanoseconds.
fn time_of(typed: i64) -> Option<DateTime<Utc>> {
    // The first of each: of the year 1973, if it were of the next larger unit.
    const OF_MS: i64 = 100_000_000_000;
    match typed {
        ..0 => None,
        typed if typed < OF_MS => DateTime::from_timestamp_secs(typed),
        typed if typed < OF_MS * 1_000 => DateTime::from_timestamp_millis(typed),
        typed if typed < OF_MS * 1_000_000 => DateTime::from_timestamp_micros(typed),
        typed => Some(DateTime::from_timestamp_nanos(typed)),
    }
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// The token of `Authorization: GoogleLogin auth=TOKEN`.
fn header_token(headers: &HeaderMap) -> Option<String> {
    let said = header_text(headers, header::AUTHORIZATION);
    let (scheme, rest) = said.split_once(' ')?;
    let token = rest.trim().strip_prefix("auth=")?;
    let is_it = scheme.eq_ignore_ascii_case("GoogleLogin");
    is_it.then(|| token.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn request(query: &str) -> AppRequest {
        let address = format!("/x?{query}");
        let (parts, ()) = Request::get(address)
            .body(())
            .expect("a request")
            .into_parts();
        AppRequest::new("x", &parts, b"")
    }

    #[test]
    fn an_entry_has_its_number_in_several_forms() {
        let check = |id: &str, expected: Option<i64>| assert_eq!(number_of(id), expected, "{id}");
        check(
            "tag:google.com,2005:reader/item/00000000148b9369",
            Some(0x148b_9369),
        );
        check("tag:google.com,2005:reader/item/2f2", Some(0x2f2));
        check("000000000000048c", Some(0x48c));
        check("12345", Some(12345));
        check("1857294627364512345", Some(1_857_294_627_364_512_345));
        for odd in [
            "",
            "x",
            "-1",
            "tag:google.com,2005:reader/item/",
            "99999999999999999999",
        ] {
            check(odd, None);
        }
        check("tag:google.com,2005:reader/item/ffffffffffffffff", None);
        assert_eq!(number_of(&long_id(0x48c)), Some(0x48c));
    }

    #[test]
    fn a_number_of_entries_is_bounded() {
        let check = |query: &str, expected: usize| {
            assert_eq!(request(query).count(1000), expected, "{query}");
        };
        check("", 20);
        check("n=5", 5);
        check("n=0", 1);
        check("n=2000", 1000);
        check("n=99999999999999999999999", 1000);
        check("n=-1", 20);
        check("n=x", 20);
    }

    #[test]
    fn times_are_of_the_unit_of_their_size() {
        let check = |typed: &str, expected: Option<i64>| {
            let time = request(&format!("ts={typed}")).time("ts").ok().flatten();
            assert_eq!(time.map(|time| time.timestamp()), expected, "{typed}");
        };
        check("1700000000", Some(1_700_000_000));
        check("1700000000123", Some(1_700_000_000));
        check("1700000000123456", Some(1_700_000_000));
        check("1700000000123456789", Some(1_700_000_000));
        check("", None);
        check("0", None);
        check("-5", None);
        check("soon", None);
    }
}
