//! The key of a picture's address: it shows that an article has the picture.

use forest_html::text::sha256_hex;
use forest_web::token::FormToken;
use std::fmt;
use url::Url;

/// Hex digits of the key of an address.
const KEY_DIGITS: usize = 40;

/// The secret from which the keys of addresses follow.
pub(super) struct PictureKey(String);

impl fmt::Debug for PictureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PictureKey")
    }
}

impl PictureKey {
    /// Keys that follow from a secret, which no page has.
    pub(super) fn new(secret: String) -> PictureKey {
        PictureKey(secret)
    }

    /// The key of an address. What is hashed with the secret has one length, so that the key of no
    /// longer address follows from it.
    pub(super) fn of(&self, url: &Url) -> String {
        let digest = sha256_hex(url.as_str());
        let key = sha256_hex(format!("picture {} of {digest}", self.0));
        key[..KEY_DIGITS].to_owned()
    }

    pub(super) fn is(&self, url: &Url, key: &str) -> bool {
        FormToken::of(&self.of(url)).is(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_web::token::random_name;

    #[test]
    fn a_key_is_that_of_one_address_and_one_run() {
        let url = |text: &str| Url::parse(text).expect("an address");
        let [ours, other] = [(); 2].map(|()| PictureKey::new(random_name()));
        let (a, b) = (
            url("https://a.example/1.png"),
            url("https://a.example/2.png"),
        );
        let key = ours.of(&a);
        assert_eq!(key.len(), KEY_DIGITS);
        assert!(ours.is(&a, &key));
        assert!(!ours.is(&b, &key) && !other.is(&a, &key));
        assert!(!ours.is(&a, "") && !ours.is(&a, &key[1..]));
    }
}
