//! The password of the pages, and who has it: the session of a browser that gave it, HTTP
//! Basic (RFC 7617) for programs, with any name, or a secret in the address of a feed.
//!
//! The secret of feeds follows from the password's hash: a new password revokes it. Sessions
//! are in memory, for this run.

use super::token::{FormToken, random_bytes};
use crate::error::{ErrorKind, Result};
use crate::text::sha256_hex;
use argon2::password_hash::PasswordVerifier;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher};
use axum::http::Uri;
use axum::http::header::{self, HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The name of the cookie.
const COOKIE: &str = "forest-session";

/// The time for which a session lasts.
const SESSION: Duration = Duration::from_secs(30 * 24 * 3600);

/// Sessions at once; the oldest ends.
const MAX_SESSIONS: usize = 100;

/// Wrong passwords in [`WINDOW`] after which none is tried.
const MAX_WRONG: usize = 20;

/// The time in which wrong passwords are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// Bytes of a password that are hashed.
pub(super) const MAX_PASSWORD_BYTES: usize = 1_000;

/// Memory that a stored hash may ask for, in KiB; and its passes.
const MAX_MEMORY_KIB: u32 = 256 * 1024;
const MAX_PASSES: u32 = 100;

/// Hex digits of the secret in the addresses of feeds.
const KEY_DIGITS: usize = 32;

/// The password of the pages, as an Argon2 hash in PHC form, and who gave it.
pub(super) struct PageAccess {
    hash: String,
    sessions: Mutex<VecDeque<(FormToken, Instant)>>,
    wrong: Mutex<VecDeque<Instant>>,
    /// Digests of HTTP Basic that was right: hashing takes too long for each request.
    basic: Mutex<Option<String>>,
    feed_key: FormToken,
}

impl fmt::Debug for PageAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageAccess")
    }
}

/// The hash of a password, for a file.
///
/// # Errors
///
/// If the password is empty or longer than 1,000 bytes.
pub fn hash_of(password: &str) -> Result<String> {
    let refuse = || ErrorKind::Password {
        why: "it has no characters, or more than 1,000 bytes",
    };
    if password.is_empty() || password.len() > MAX_PASSWORD_BYTES {
        return Err(refuse().into());
    }
    let salt = random_bytes::<16>();
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    Ok(hash.map_err(|_| refuse())?.to_string())
}

impl PageAccess {
    /// # Errors
    ///
    /// If it is no Argon2 hash, or one that takes too much memory or time to check.
    pub(super) fn new(hash: &str) -> Result<PageAccess> {
        let refuse = |why| ErrorKind::Password { why };
        let parsed = PasswordHash::new(hash.trim());
        let parsed = parsed.map_err(|_| refuse("it is no Argon2 hash in PHC form"))?;
        let params = argon2::Params::try_from(&parsed);
        let params = params.map_err(|_| refuse("its parameters are none of Argon2's"))?;
        if !parsed.algorithm.as_str().starts_with("argon2") || parsed.hash.is_none() {
            return Err(refuse("it is no Argon2 hash in PHC form").into());
        }
        if params.m_cost() > MAX_MEMORY_KIB || params.t_cost() > MAX_PASSES {
            return Err(refuse("checking it takes too much memory or time").into());
        }
        let hash = hash.trim().to_owned();
        let key = &sha256_hex(format!("feeds of {hash}"))[..KEY_DIGITS];
        Ok(PageAccess {
            feed_key: FormToken::of(key),
            hash,
            sessions: Mutex::default(),
            wrong: Mutex::default(),
            basic: Mutex::default(),
        })
    }

    /// The secret in the addresses of feeds.
    #[cfg(feature = "archive")]
    pub(super) fn feed_key(&self) -> &str {
        self.feed_key.text()
    }

    /// True for the password; `None` if too many were wrong of late. One is checked at a time.
    pub(super) fn is_password(&self, password: &str) -> Option<bool> {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong.retain(|at| at.elapsed() < WINDOW);
        if wrong.len() >= MAX_WRONG {
            return None;
        }
        let is_right = password.len() <= MAX_PASSWORD_BYTES
            && Argon2::default()
                .verify_password(password.as_bytes(), self.hash.as_str())
                .is_ok();
        if !is_right {
            wrong.push_back(Instant::now());
        }
        Some(is_right)
    }

    /// Begins a session; gives its cookie.
    pub(super) fn begin_session(&self, is_https: bool) -> HeaderValue {
        let token = FormToken::new();
        let value = cookie(token.text(), SESSION.as_secs(), is_https);
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MAX_SESSIONS {
            sessions.pop_front();
        }
        sessions.push_back((token, Instant::now()));
        value
    }

    /// Ends the session of a request; gives the cookie that removes its own.
    pub(super) fn end_session(&self, headers: &HeaderMap) -> HeaderValue {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|(token, _)| !cookies(headers).any(|sent| token.is(sent)));
        cookie("", 0, false)
    }

    /// True for a request with a session, the secret of a feed, or HTTP Basic; `None` if too
    /// many passwords were wrong of late.
    pub(super) fn lets_in(&self, headers: &HeaderMap, uri: &Uri) -> Option<bool> {
        if self.has_session(headers) || self.has_feed_key(uri) {
            return Some(true);
        }
        self.has_basic(headers)
    }

    /// True for a request of a browser that gave the password.
    pub(super) fn has_session(&self, headers: &HeaderMap) -> bool {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|(_, begun)| begun.elapsed() < SESSION);
        let mut sent = cookies(headers);
        sent.any(|sent| sessions.iter().any(|(token, _)| token.is(sent)))
    }

    /// True for the secret in the address of a feed or of the list of feeds.
    fn has_feed_key(&self, uri: &Uri) -> bool {
        let is_feed = uri.path().starts_with("/feed/") || uri.path() == "/opml";
        let query = uri.query().unwrap_or_default().as_bytes();
        let mut keys = url::form_urlencoded::parse(query).filter(|(name, _)| name == "key");
        is_feed && keys.any(|(_, key)| self.feed_key.is(&key))
    }

    /// True for HTTP Basic with the password; `None` if too many were wrong of late.
    fn has_basic(&self, headers: &HeaderMap) -> Option<bool> {
        let sent = headers.get(header::AUTHORIZATION);
        let sent = sent.and_then(|sent| sent.to_str().ok());
        let Some((scheme, coded)) = sent.and_then(|sent| sent.split_once(' ')) else {
            return Some(false);
        };
        if !scheme.eq_ignore_ascii_case("basic") {
            return Some(false);
        }
        let digest = sha256_hex(coded);
        let mut known = self.basic.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref() == Some(&digest) {
            return Some(true);
        }
        let pair = STANDARD.decode(coded.trim()).ok();
        let pair = pair.and_then(|pair| String::from_utf8(pair).ok());
        let Some((_, password)) = pair.as_ref().and_then(|pair| pair.split_once(':')) else {
            return Some(false);
        };
        let is_right = self.is_password(password)?;
        if is_right {
            *known = Some(digest);
        }
        Some(is_right)
    }
}

/// The values of our cookie.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    let pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
    pairs.filter_map(|(name, value)| (name == COOKIE).then_some(value))
}

fn cookie(value: &str, seconds: u64, is_https: bool) -> HeaderValue {
    let secure = if is_https { "; Secure" } else { "" };
    let text =
        format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::try_from(text).expect("letters and digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashes_of_argon2_are_taken() {
        let hash = hash_of("open sesame").expect("a hash");
        let access = PageAccess::new(&format!(" {hash}\n")).expect("access");
        assert_eq!(access.is_password("open sesame"), Some(true));
        assert_eq!(access.is_password("open"), Some(false));
        assert_ne!(
            hash_of("open sesame").expect("a hash"),
            hash,
            "it is salted"
        );
        assert!(hash_of("").is_err() && hash_of(&"x".repeat(1001)).is_err());
        let large = hash.replace("m=19456", "m=999999999");
        for wrong in ["", "open sesame", "$argon2id$", "$1$abc$def", &large] {
            assert!(PageAccess::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wrong_passwords_are_counted() {
        let access = PageAccess::new(&hash_of("a").expect("a hash")).expect("access");
        for _ in 0..MAX_WRONG {
            assert_eq!(access.is_password(&"x".repeat(1001)), Some(false));
        }
        assert_eq!(access.is_password("a"), None);
    }
}
