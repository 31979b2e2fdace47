//! The token of forms: a secret of the server, which a page of another origin cannot read.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;

/// Bytes of randomness in a secret.
const SECRET_BYTES: usize = 18;

/// A secret that stands in each form of ours, and in no other.
#[derive(Clone)]
pub struct FormToken(String);

impl FormToken {
    pub fn new() -> FormToken {
        FormToken(random_name())
    }

    /// A token that is known already.
    pub fn of(text: &str) -> FormToken {
        FormToken(text.to_owned())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// True for the token itself. The time does not depend on where another differs.
    pub fn is(&self, other: &str) -> bool {
        let differ = self
            .0
            .bytes()
            .zip(other.bytes())
            .fold(0, |d, (a, b)| d | (a ^ b));
        self.0.len() == other.len() && differ == 0
    }
}

impl fmt::Debug for FormToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FormToken")
    }
}

/// A name that nobody can guess.
pub fn random_name() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<SECRET_BYTES>())
}

/// Bytes that nobody can guess.
pub fn random_bytes<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    let provider = rustls::crypto::ring::default_provider();
    provider
        .secure_random
        .fill(&mut bytes)
        .expect("the system gives random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_alone() {
        let (token, other) = (FormToken::new(), FormToken::new());
        assert!(token.is(token.text()));
        assert!(!token.is(other.text()));
        assert!(!token.is("") && !token.is(&token.text()[1..]));
        assert!(!token.is(&format!("{}a", token.text())));
        assert_eq!(format!("{token:?}"), "FormToken");
    }
}
