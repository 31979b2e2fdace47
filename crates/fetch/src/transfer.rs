//! Transfer codings (RFC 9112, 6.1): how a body is packed for one connection.

use reqwest::header::{self, HeaderMap};

/// The transfer codings of a message, if one of them is not undone here. Only one `chunked` is,
/// and `identity`, which is none; behind others the body is not what the message says that it is.
pub fn unknown_transfer_coding(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(header::TRANSFER_ENCODING).iter();
    let values: Vec<_> = values
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .collect();
    let codings = values.iter().flat_map(|value| value.split(','));
    let codings = codings.map(str::trim);
    let packing: Vec<&str> = codings
        .filter(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
        .collect();
    match packing[..] {
        [] => None,
        [one] if one.eq_ignore_ascii_case("chunked") => None,
        _ => Some(values.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_chunked_is_undone_and_nothing_else() {
        let check = |lines: &[&'static str], expected: Option<&str>| {
            let lines = lines.iter().map(|line| {
                let value = header::HeaderValue::from_static(line);
                (header::TRANSFER_ENCODING, value)
            });
            let found = unknown_transfer_coding(&HeaderMap::from_iter(lines));
            assert_eq!(found.as_deref(), expected);
        };
        for known in [
            &[][..],
            &["chunked"],
            &["Chunked "],
            &["identity, chunked"],
            &[", chunked"],
        ] {
            check(known, None);
        }
        check(&["gzip, chunked"], Some("gzip, chunked"));
        check(&["gzip", "chunked"], Some("gzip, chunked"));
        check(&["chunked, chunked"], Some("chunked, chunked"));
        check(&["chunked, gzip"], Some("chunked, gzip"));
        check(&["xchunked"], Some("xchunked"));
    }
}
