//! CDXJ, the index of a web archive: a line a page, with the key by which it is looked up,
//! its time, and where its record stands.

use super::date::read_date;
use super::digest::uniform_digest;
use super::whole::ReadRecord;
use super::write::RecordType;
use chrono::NaiveDateTime;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_encode};
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Bytes that an address is written without: as the Python package `surt` does, whose
/// keys players look for.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'%');

/// The key of an address in an index (SURT): the host's names in reverse order, then path
/// and query in lower case, the parameters sorted. Without scheme, user, `www.`, default
/// port, fragment, the slash at the end and the best known session ids. An address that
/// cannot be read is its own key.
///
/// ```
/// use forest_sources::warc::surt;
///
/// assert_eq!(surt("https://www.example.org/News/?b=2&a=1"), "org,example)/news?a=1&b=2");
/// ```
pub fn surt(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return address.to_owned();
    };
    let Some(host) = url.host() else {
        return address.to_owned();
    };
    let mut key = match host {
        Host::Domain(name) => reversed(without_www(name)),
        Host::Ipv4(ip) => reversed(&ip.to_string()),
        Host::Ipv6(ip) => ip.to_string(),
    };
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push(')');
    let parts = escaped(url.path()).to_ascii_lowercase();
    let mut parts = parts.split('/').skip(1).peekable();
    let mut path = String::from("/");
    while let Some(part) = parts.next() {
        path.push_str(part);
        if parts.peek().is_some() && !part.is_empty() {
            path.push('/');
        }
    }
    match path.strip_suffix('/') {
        Some(shorter) if !shorter.is_empty() => key.push_str(shorter),
        _ => key.push_str(&path),
    }
    if let Some(query) = url.query() {
        let query = escaped(query).to_ascii_lowercase();
        let parameters = query.split('&').filter(|parameter| !is_session(parameter));
        let mut parameters: Vec<&str> = parameters.collect();
        // By name, then by value; a parameter without a value comes first.
        parameters.sort_by_key(|parameter| {
            let (name, value) = parameter.split_at(parameter.find('=').unwrap_or(parameter.len()));
            (name, value)
        });
        let query = parameters.join("&");
        if !query.is_empty() {
            key.push('?');
            key.push_str(&query);
        }
    }
    key
}

fn reversed(host: &str) -> String {
    let names: Vec<&str> = host.trim_end_matches('.').split('.').rev().collect();
    names.join(",")
}

/// Without `www.`, `www2.` and the like.
fn without_www(host: &str) -> &str {
    let rest = host.strip_prefix("www").map(|rest| {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.strip_prefix('.')
    });
    rest.flatten()
        .filter(|rest| !rest.is_empty())
        .unwrap_or(host)
}

/// The most rounds in which an address is unescaped.
const MAX_ROUNDS: usize = 32;

/// Unescaped as often as that changes something, and escaped once.
fn escaped(part: &str) -> String {
    let mut bytes = part.as_bytes().to_vec();
    for _ in 0..MAX_ROUNDS {
        let decoded: Vec<u8> = percent_decode(&bytes).collect();
        if decoded.len() == bytes.len() {
            break;
        }
        bytes = decoded;
    }
    percent_encode(&bytes, ESCAPED).to_string()
}

/// Returns true if a parameter is one of the session ids that the keys of others leave out.
fn is_session(parameter: &str) -> bool {
    let names = ["jsessionid", "phpsessid", "sid"];
    parameter.split_once('=').is_some_and(|(name, value)| {
        let is_id = value.len() == 32 && value.bytes().all(|b| b.is_ascii_alphanumeric());
        is_id && names.contains(&name)
    })
}

/// The fields of a record in the index, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct CdxFields<'r> {
    url: &'r str,
    mime: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'r str>,
    length: String,
    offset: String,
    filename: &'r str,
}

/// The time of a record as an index has it: fourteen digits, UTC.
pub fn cdx_time(date: &str) -> Option<String> {
    Some(read_date(date)?.to_utc().format("%Y%m%d%H%M%S").to_string())
}

/// The line of a record in an index, with its line break; the record stands at `offset` of the
/// file `name`. `None` for one that is no page.
pub fn cdx_line(record: &ReadRecord, name: &str, offset: u64) -> Option<String> {
    let (mime, status) = match record.kind? {
        RecordType::Revisit => ("warc/revisit".to_owned(), record.answer().map(|a| a.0)),
        RecordType::Response => match record.answer() {
            Some((status, content_type, _)) => (bare(content_type.as_deref()), Some(status)),
            // The address of a host.
            None => (bare(record.content_type.as_deref()), None),
        },
        RecordType::Resource => (bare(record.content_type.as_deref()), None),
        _ => return None,
    };
    let fields = CdxFields {
        url: &record.url,
        mime,
        status: status.map(|status| status.to_string()),
        digest: record.payload_digest.as_deref(),
        length: record.length.to_string(),
        offset: offset.to_string(),
        filename: name,
    };
    let json = serde_json::to_string(&fields).ok()?;
    let time = cdx_time(&record.date)?;
    Some(format!("{} {time} {json}\n", surt(&record.url)))
}

/// A `Content-Type` without its parameters.
fn bare(content_type: Option<&str>) -> String {
    let kind = content_type.unwrap_or_default().split([';', ' ']).next();
    match kind.unwrap_or_default().trim() {
        "" => "unk".to_owned(),
        kind => kind.to_owned(),
    }
}

/// A payload of another collection, as a line of its index names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CdxPayload {
    /// The address of its record.
    pub url: String,
    /// The date of its record, RFC 3339, to the second.
    pub date: String,
    /// Its digest, as [`uniform_digest`] writes it.
    pub digest: String,
}

/// The fields of a line that are read.
#[derive(Debug, Deserialize)]
struct CdxLine {
    url: String,
    #[serde(default)]
    mime: String,
    digest: Option<String>,
}

/// The payload that a line of CDXJ names. `None` for a revisit, whose payload is elsewhere, for
/// a line without a digest that is known, and for what is no line of CDXJ.
///
/// ```
/// use forest_sources::warc::cdx_payload;
///
/// let line = r#"org,example)/ 20260102030405 {"url": "https://example.org/", "digest": "MYQGPG7UCWDTGPJHPDQXJGZ2GG3NMQZC"}"#;
/// let payload = cdx_payload(line).expect("a payload");
/// assert_eq!(payload.digest, "sha1:MYQGPG7UCWDTGPJHPDQXJGZ2GG3NMQZC");
/// assert_eq!(payload.date, "2026-01-02T03:04:05Z");
/// ```
pub fn cdx_payload(line: &str) -> Option<CdxPayload> {
    let mut parts = line.splitn(3, ' ');
    let (_key, time, json) = (parts.next()?, parts.next()?, parts.next()?);
    let time = NaiveDateTime::parse_from_str(time, "%Y%m%d%H%M%S").ok()?;
    let fields: CdxLine = serde_json::from_str(json).ok()?;
    let digest = fields.digest.filter(|_| fields.mime != "warc/revisit")?;
    Some(CdxPayload {
        url: fields.url,
        date: time.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        // pywb writes the digits of SHA-1 alone.
        digest: uniform_digest(&digest).or_else(|| uniform_digest(&format!("sha1:{digest}")))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `surt.surt` of the Python package of that name (0.3.1) gives them.
    #[test]
    fn keys_are_those_of_others() {
        for (address, key) in [
            ("http://example.org", "org,example)/"),
            ("https://www.Example.org:443/", "org,example)/"),
            ("http://www2.example.org/a/", "org,example)/a"),
            ("http://example.org:8080/A//B/", "org,example:8080)/a/b"),
            ("http://example.org/a?", "org,example)/a"),
            ("http://example.org/a?b=2&a=1&a", "org,example)/a?a&a=1&b=2"),
            ("http://user@example.org/%7Ea#top", "org,example)/~a"),
            ("http://example.org/%2541", "org,example)/a"),
            ("http://example.org/%C3%A4", "org,example)/%c3%a4"),
            ("http://example.org/a%20b", "org,example)/a%20b"),
            ("http://b\u{fc}cher.example/", "example,xn--bcher-kva)/"),
            ("http://127.0.0.1:80/", "1,0,0,127)/"),
            ("http://[2001:db8::1]/a", "2001:db8::1)/a"),
            ("http://[::1]:8080/b?x=1", "::1:8080)/b?x=1"),
            ("http://www.example.org/a/../b", "org,example)/b"),
            (
                "http://example.org/?sid=0123456789abcdef0123456789abcdef&p=1",
                "org,example)/?p=1",
            ),
            ("urn:uuid:1", "urn:uuid:1"),
        ] {
            assert_eq!(surt(address), key, "{address}");
        }
    }
}
