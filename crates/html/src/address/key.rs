//! The name of a page.

use super::site::bare_site;
use crate::text::sha256_hex;
use url::Url;

/// Parameters that say where a reader came from, and nothing of the page.
const TRACKING: &str = "\
    fbclid gclid gclsrc dclid msclkid yclid twclid igshid mc_cid mc_eid _hsenc _hsmi \
    mkt_tok oly_enc_id oly_anon_id vero_id wickedid ref_src ref_url cmpid ncid sr_share";

/// Beginnings of the names of such parameters.
const TRACKING_STARTS: [&str; 5] = ["utm_", "pk_", "mtm_", "piwik_", "at_campaign"];

/// Bytes of a key at the most; of a longer one the end is replaced by a digest.
const MAX_KEY_BYTES: usize = 1000;

/// The name of the page at an address: two addresses with one key are one page. See
/// [the normal form](super#the-normal-form-of-a-page).
///
/// ```
/// use forest_html::address::page_key;
///
/// let key = page_key("https://www.example.org/a/?utm_source=rss&id=7#top");
/// assert_eq!(key, "example.org/a?id=7");
/// assert_eq!(key, page_key("http://example.org/a?id=7&fbclid=x"));
/// assert_ne!(key, page_key("http://example.org/A?id=7"));
/// ```
pub fn page_key(address: &str) -> String {
    bounded(key(address).unwrap_or_else(|| address.trim().to_owned()))
}

fn key(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let mut key = bare_site(&url)?.into_owned();
    key.push_str(url.path().trim_end_matches('/'));
    let mut mark = '?';
    for pair in url.query().unwrap_or_default().split('&') {
        let name = pair.split('=').next().unwrap_or_default();
        if !pair.is_empty() && !is_tracking(name) {
            key.push(mark);
            key.push_str(pair);
            mark = '&';
        }
    }
    Some(key)
}

/// Returns true for the name of a parameter that says nothing of the page.
pub(super) fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TRACKING.split(' ').any(|known| known == name)
        || TRACKING_STARTS.iter().any(|start| name.starts_with(start))
}

fn bounded(key: String) -> String {
    if key.len() <= MAX_KEY_BYTES {
        return key;
    }
    let digest = sha256_hex(&key);
    let end = key.floor_char_boundary(MAX_KEY_BYTES - digest.len());
    format!("{}{digest}", &key[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each rule of the normal form. Six other forms were in use besides the archive's,
    /// which is this one. They differed where the last column says so: L, the test pages
    /// of a wrapper file; I, the items of a feed beside local pages; E, the items of a
    /// gold site; S, the pages of a series; T, the targets of headlines; F, the feeds to
    /// be added, which keep an address that can be fetched.
    #[test]
    fn the_normal_form_rule_by_rule() {
        let cases = [
            // The scheme does not count.                                    F
            ("http://a.example/x", "a.example/x"),
            ("https://a.example/x", "a.example/x"),
            // `www.` does not count.                                        I, E, F
            ("https://www.a.example/x", "a.example/x"),
            // The case of the host does not count, that of the path does.   L, E, T
            ("https://A.Example/X", "a.example/X"),
            // The dot at the host's end does not count.                     all others
            ("https://a.example./x", "a.example/x"),
            // The scheme's own port does not count, another one does.       L, E, T
            ("https://a.example:443/x", "a.example/x"),
            ("https://a.example:81/x", "a.example:81/x"),
            // A user name does not count.                                   L, I, E, T, F
            ("https://jane:x@a.example/x", "a.example/x"),
            // Slashes at the end of the path do not count.                  L, I, E before `?`; F
            ("https://a.example/x/", "a.example/x"),
            ("https://a.example/x//?a=1", "a.example/x?a=1"),
            ("https://a.example/", "a.example"),
            // Empty segments within the path count.                         S: they do not
            ("https://a.example/x//y", "a.example/x//y"),
            // Dots are resolved.                                            L, E, T: they are kept
            ("https://a.example/x/../y", "a.example/y"),
            // The name of an index file counts.                             S: it does not
            ("https://a.example/x/index.html", "a.example/x/index.html"),
            // The fragment does not count.
            ("https://a.example/x#top", "a.example/x"),
            // Tracking parameters do not count.                             L, E, F: all; I: all but utm_;
            ("https://a.example/x?UTM_source=y", "a.example/x"), //          S: all but utm_, fbclid, gclid
            ("https://a.example/x?fbclid=y&a=1", "a.example/x?a=1"),
            ("https://a.example/x?mtm_kwd=y", "a.example/x"),
            // Parameters are kept as written and in their order.            S: decoded, sorted
            ("https://a.example/x?b=%41&a=2", "a.example/x?b=%41&a=2"),
            // Empty parameters do not count.                                L, I, E, F
            ("https://a.example/x?&a=1&", "a.example/x?a=1"),
            ("https://a.example/x?", "a.example/x"),
            // What is no address is its own name.                           L, E: parts were cut; S: none
            (" not an address ", "not an address"),
            ("mailto:jane@a.example", "mailto:jane@a.example"),
        ];
        for (address, expected) in cases {
            assert_eq!(page_key(address), expected, "{address}");
        }
    }

    #[test]
    fn a_key_is_bounded_and_still_tells_pages_apart() {
        let long = |end: &str| format!("http://a.example/{}{end}", "x".repeat(5000));
        assert!(page_key(&long("1")).len() <= MAX_KEY_BYTES);
        assert_ne!(page_key(&long("1")), page_key(&long("2")));
    }

    proptest::proptest! {
        #[test]
        fn a_key_is_the_key_of_its_page(address in "https?://(www\\.)?[a-v]{1,8}\\.example(/[a-z]{0,4}){0,4}(\\?[a-z]=[0-9])?") {
            let key = page_key(&address);
            proptest::prop_assert_eq!(page_key(&format!("https://{key}")), key);
        }
    }
}
