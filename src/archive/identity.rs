//! Which addresses are one article's.

use url::Url;

/// Parameters of a query that say where a reader came from, and nothing of the page.
/// Parameters with one of the [`TRACKING_STARTS`] come on top.
const TRACKING: [&str; 22] = [
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "msclkid",
    "yclid",
    "twclid",
    "igshid",
    "mc_cid",
    "mc_eid",
    "_hsenc",
    "_hsmi",
    "mkt_tok",
    "oly_enc_id",
    "oly_anon_id",
    "vero_id",
    "wickedid",
    "ref_src",
    "ref_url",
    "cmpid",
    "ncid",
    "sr_share",
];

/// Their beginnings.
const TRACKING_STARTS: [&str; 5] = ["utm_", "pk_", "mtm_", "piwik_", "at_campaign"];

/// Bytes of a key at the most; of a longer one the rest counts by its digest.
const MAX_KEY_BYTES: usize = 1000;

/// The name of an address among the archive's: two addresses with one key are one
/// page. Scheme, `www.`, default port, fragment, tracking parameters and slashes at
/// the end do not count.
///
/// ```
/// use forest::archive::key_of;
///
/// let key = key_of("https://www.example.org/a/?utm_source=rss&id=7#top");
/// assert_eq!(key, "example.org/a?id=7");
/// assert_eq!(key, key_of("http://example.org/a?id=7&fbclid=x"));
/// assert_ne!(key, key_of("http://example.org/A?id=7"));
/// ```
pub fn key_of(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return bounded(address.trim().to_owned());
    };
    let Some(host) = url.host_str() else {
        return bounded(address.trim().to_owned());
    };
    let host = host.trim_end_matches('.');
    let mut key = host.strip_prefix("www.").unwrap_or(host).to_owned();
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push_str(url.path().trim_end_matches('/'));
    let pairs = url.query().unwrap_or_default().split('&');
    let mut mark = '?';
    for pair in pairs.filter(|pair| !pair.is_empty() && !is_tracking(pair)) {
        key.push(mark);
        key.push_str(pair);
        mark = '&';
    }
    bounded(key)
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    TRACKING.contains(&&*name) || TRACKING_STARTS.iter().any(|start| name.starts_with(start))
}

fn bounded(key: String) -> String {
    if key.len() <= MAX_KEY_BYTES {
        return key;
    }
    let digest = crate::warc::hex(&<sha2::Sha256 as sha2::Digest>::digest(&key));
    let end = key.floor_char_boundary(MAX_KEY_BYTES - digest.len());
    format!("{}{digest}", &key[..end])
}

/// Returns true if a page at `page` may say that its own address is `canonical`: only one of
/// its own host counts, so that no site takes another's articles over.
pub(crate) fn may_be_canonical(page: &str, canonical: &str) -> bool {
    let host = |address: &str| {
        let url = Url::parse(address).ok()?;
        let host = url.host_str()?.trim_end_matches('.').to_owned();
        let bare = host.strip_prefix("www.").map(str::to_owned);
        let path = url.path().trim_matches('/').to_owned();
        Some((bare.unwrap_or(host), url.port(), path))
    };
    match (host(page), host(canonical)) {
        (Some((a, p, path)), Some((b, q, theirs))) => {
            // A template that names the home page everywhere says nothing.
            a == b && p == q && (!theirs.is_empty() || path.is_empty())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_page() {
        let check = |a: &str, b: &str, same: bool| {
            assert_eq!(key_of(a) == key_of(b), same, "{a} {b}");
        };
        check("http://a.example/x", "https://www.a.example:443/x/", true);
        check(
            "http://a.example/x?b=1&a=2",
            "http://a.example/x?b=1&utm_medium=m&a=2",
            true,
        );
        check("http://a.example/x?b=1", "http://a.example/x?b=2", false);
        check("http://a.example:81/x", "http://a.example/x", false);
        check("http://a.example/", "http://a.example", true);
        check("http://A.example./x", "http://a.example/x", true);
        check("not an address", " not an address ", true);
    }

    #[test]
    fn a_key_is_bounded_and_still_tells_pages_apart() {
        let long = |end: &str| format!("http://a.example/{}{end}", "x".repeat(5000));
        assert!(key_of(&long("1")).len() <= MAX_KEY_BYTES);
        assert_ne!(key_of(&long("1")), key_of(&long("2")));
    }

    #[test]
    fn only_a_pages_own_host_is_believed() {
        let check = |page, canonical, expected| {
            assert_eq!(
                may_be_canonical(page, canonical),
                expected,
                "{page} {canonical}"
            );
        };
        check("https://www.a.example/x?p=1", "http://a.example/x", true);
        check("https://a.example/x", "https://b.example/x", false);
        check("https://a.example/x", "https://a.example/", false);
        check("https://a.example/x", "http://127.0.0.1/x", false);
        check("https://a.example/x", "http://a.example:22/x", false);
        check("https://a.example/x", "javascript:alert(1)", false);
    }
}
