//! The password of the pages, and who has it: the session of a browser that gave it, HTTP
//! Basic (RFC 7617) for programs, with any name, or a secret in the address of a feed.
//!
//! The secret of feeds is one of its own. Where the options name none, it follows from the
//! password's hash, as it did before it had a place in the password's file. Sessions are in
//! memory, and outlive the run where a [`SessionMemory`] keeps them.

use super::answers::with_retry_after;
use super::clients::ClientKey;
use super::cores::{Cores, NoResult};
use super::token::{FormToken, random_bytes, random_name};
use super::wrong_passwords::{WINDOW, WrongPasswords};
use crate::error::{ErrorKind, Result};
use argon2::password_hash::PasswordVerifier;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher};
use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use forest_html::text::sha256_hex;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The name of the cookie.
const COOKIE: &str = "forest-session";

/// Its name by https: a browser takes it from this host alone, and with `Secure`.
const HTTPS_COOKIE: &str = "__Host-forest-session";

/// The time for which a session lasts.
const SESSION: Duration = Duration::from_secs(30 * 24 * 3600);

/// Sessions at once; the oldest ends.
const MAX_SESSIONS: usize = 100;

/// Bytes of a password that are hashed.
pub const MAX_PASSWORD_BYTES: usize = 1_000;

/// Characters of a password when it is set. Those that were set before may have less.
const MIN_PASSWORD_CHARS: usize = 10;

/// Memory that a stored hash may ask for, in KiB; and its passes.
const MAX_MEMORY_KIB: u32 = 256 * 1024;
const MAX_PASSES: u32 = 100;

/// Hex digits of the secret in the addresses of feeds that follows from the hash.
const KEY_DIGITS: usize = 32;

/// Hex digits of the token of an app that gave the password.
const APP_TOKEN_DIGITS: usize = 40;

/// Characters of a secret in the addresses of feeds at the least.
const MIN_KEY_CHARS: usize = 20;

/// The password of the pages, as an Argon2 hash in PHC form, and who gave it.
pub struct PageAccess {
    hash: String,
    /// Oldest first.
    sessions: Mutex<VecDeque<KeptSession>>,
    memory: Option<Arc<dyn SessionMemory>>,
    wrong: Mutex<WrongPasswords>,
    /// Digests of HTTP Basic that was right: hashing takes too long for each request.
    basic: Mutex<Option<String>>,
    feed_key: FormToken,
}

/// The session of a browser, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSession {
    /// The digest of its secret and of the password's hash: another password ends it.
    pub digest: String,
    pub begun: SystemTime,
}

impl KeptSession {
    fn is_over(&self) -> bool {
        self.begun.elapsed().unwrap_or_default() >= SESSION
    }
}

/// Keeps sessions beyond a run. What it cannot keep is lost with the run.
pub trait SessionMemory: fmt::Debug + Send + Sync {
    /// The sessions that were kept, oldest first.
    fn sessions(&self) -> Vec<KeptSession>;

    /// Keeps a session, in the place of the oldest where there are `most`.
    fn begin(&self, session: &KeptSession, most: usize);

    /// Forgets the sessions with these digests.
    fn end(&self, digests: &[String]);
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
/// If the password has fewer than 10 characters or more than 1,000 bytes.
pub fn hash_of(password: &str) -> Result<String> {
    let refuse = || ErrorKind::Password {
        why: "give one of at least 10 characters, and of at most 1,000 bytes",
    };
    let chars = password.chars().count();
    if chars < MIN_PASSWORD_CHARS || password.len() > MAX_PASSWORD_BYTES {
        return Err(refuse().into());
    }
    let salt = random_bytes::<16>();
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    Ok(hash.map_err(|_| refuse())?.to_string())
}

/// A secret for the addresses of feeds, which nobody can guess.
pub fn new_feed_key() -> String {
    random_name()
}

/// The reason why a password was not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untried {
    /// Too many were wrong of late.
    TooManyWrong,
    /// It is not its turn.
    NoResult(NoResult),
}

impl fmt::Display for Untried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untried::TooManyWrong => f.write_str("too many wrong passwords: wait for a minute"),
            Untried::NoResult(why) => why.fmt(f),
        }
    }
}

impl Untried {
    pub fn status(self) -> StatusCode {
        match self {
            Untried::TooManyWrong => StatusCode::TOO_MANY_REQUESTS,
            Untried::NoResult(why) => why.status(),
        }
    }

    /// An answer that says so, with the time to try again.
    pub fn in_answer(self, answer: Response<Body>) -> Response<Body> {
        match self {
            Untried::TooManyWrong => with_retry_after(answer, WINDOW.as_secs()),
            Untried::NoResult(why) => why.in_answer(answer),
        }
    }
}

impl PageAccess {
    /// # Errors
    ///
    /// If it is no Argon2 hash, or one that takes too much memory or time to check, or the secret
    /// of feeds is too short or cannot stand in an address.
    pub fn new(hash: &str, feed_key: Option<&str>) -> Result<PageAccess> {
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
        let feed_key = match feed_key {
            Some(key) if !is_key(key) => {
                return Err(refuse("the key of its feeds is none: make a new one").into());
            }
            Some(key) => FormToken::of(key),
            None => FormToken::of(&sha256_hex(format!("feeds of {hash}"))[..KEY_DIGITS]),
        };
        Ok(PageAccess {
            feed_key,
            hash,
            sessions: Mutex::default(),
            memory: None,
            wrong: Mutex::new(WrongPasswords::new(Instant::now())),
            basic: Mutex::default(),
        })
    }

    /// The same, with the sessions that a memory has.
    #[must_use]
    pub fn with_memory(mut self, memory: Arc<dyn SessionMemory>) -> PageAccess {
        self.sessions = Mutex::new(memory.sessions().into());
        self.memory = Some(memory);
        self
    }

    /// The secret in the addresses of feeds.
    pub fn feed_key(&self) -> &str {
        self.feed_key.text()
    }

    /// The token of an app that gave the password. It follows from this salt and from the
    /// password's hash, so that another password revokes it.
    pub fn app_token(&self, salt: &str) -> String {
        sha256_hex(format!("app {salt} of {}", self.hash))[..APP_TOKEN_DIGITS].to_owned()
    }

    /// True for the password. One is checked at a time, in the client's turn.
    pub async fn is_password(
        self: &Arc<Self>,
        cores: &Cores,
        client: ClientKey,
        password: String,
    ) -> std::result::Result<bool, Untried> {
        if self.wrong().are_too_many(client, Instant::now()) {
            return Err(Untried::TooManyWrong);
        }
        let access = Arc::clone(self);
        let checked = cores.run_alone(client, move || access.checks(client, &password));
        checked.await.map_err(Untried::NoResult)?
    }

    /// [`is_password`](Self::is_password), now. What is wrong is counted, even if nobody waits for
    /// the answer.
    fn checks(&self, client: ClientKey, password: &str) -> std::result::Result<bool, Untried> {
        // Others of the client's were tried while this one waited.
        if self.wrong().are_too_many(client, Instant::now()) {
            return Err(Untried::TooManyWrong);
        }
        let is_right = password.len() <= MAX_PASSWORD_BYTES
            && Argon2::default()
                .verify_password(password.as_bytes(), self.hash.as_str())
                .is_ok();
        if !is_right {
            self.wrong().add(client, Instant::now());
        }
        Ok(is_right)
    }

    fn wrong(&self) -> MutexGuard<'_, WrongPasswords> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session; gives its cookie.
    pub fn begin_session(&self, is_https: bool) -> HeaderValue {
        let token = FormToken::new();
        let value = cookie(token.text(), SESSION.as_secs(), is_https);
        let session = KeptSession {
            digest: self.digest(token.text()),
            begun: SystemTime::now(),
        };
        // Nobody waits for the disk with the lock.
        if let Some(memory) = &self.memory {
            memory.begin(&session, MAX_SESSIONS);
        }
        let mut sessions = self.sessions();
        sessions.retain(|session| !session.is_over());
        if sessions.len() >= MAX_SESSIONS {
            sessions.pop_front();
        }
        sessions.push_back(session);
        value
    }

    /// Ends the session of a request; gives the cookie that removes its own.
    pub fn end_session(&self, headers: &HeaderMap, is_https: bool) -> HeaderValue {
        let sent: Vec<String> = cookies(headers).map(|sent| self.digest(sent)).collect();
        self.sessions()
            .retain(|session| !sent.contains(&session.digest));
        if let Some(memory) = self.memory.as_ref().filter(|_| !sent.is_empty()) {
            memory.end(&sent);
        }
        cookie("", 0, is_https)
    }

    fn sessions(&self) -> MutexGuard<'_, VecDeque<KeptSession>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The digest of a session. Its secret is random, so that the time of a comparison tells nothing.
    fn digest(&self, secret: &str) -> String {
        sha256_hex(format!("session {secret} of {}", self.hash))
    }

    /// True for a request with a session, the secret of a feed, or HTTP Basic.
    pub async fn lets_in(
        self: &Arc<Self>,
        cores: &Cores,
        client: ClientKey,
        headers: &HeaderMap,
        uri: &Uri,
    ) -> std::result::Result<bool, Untried> {
        if self.has_session(headers) || self.has_feed_key(uri) {
            return Ok(true);
        }
        let Some((digest, password)) = basic_password(headers) else {
            return Ok(false);
        };
        if self.basic().as_ref() == Some(&digest) {
            return Ok(true);
        }
        let is_right = self.is_password(cores, client, password).await?;
        if is_right {
            *self.basic() = Some(digest);
        }
        Ok(is_right)
    }

    fn basic(&self) -> MutexGuard<'_, Option<String>> {
        self.basic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True for a request of a browser that gave the password.
    pub fn has_session(&self, headers: &HeaderMap) -> bool {
        let sent: Vec<String> = cookies(headers).map(|sent| self.digest(sent)).collect();
        let sessions = self.sessions();
        let mut begun = sessions.iter().filter(|session| !session.is_over());
        begun.any(|session| sent.contains(&session.digest))
    }

    /// True for the secret in the address of a feed, of a list of feeds or of a book.
    fn has_feed_key(&self, uri: &Uri) -> bool {
        let paths = ["/opml", "/opds", "/opds/list", "/export.epub"];
        let is_feed = uri.path().starts_with("/feed/") || paths.contains(&uri.path());
        let query = uri.query().unwrap_or_default().as_bytes();
        let fields = || url::form_urlencoded::parse(query);
        // The feeds' own addresses may hold secrets of their own.
        let is_own = uri.path() == "/opml" && fields().any(|(name, _)| name == "addresses");
        let mut keys = fields().filter(|(name, _)| name == "key");
        is_feed && !is_own && keys.any(|(_, key)| self.feed_key.is(&key))
    }
}

/// The password of HTTP Basic, and a digest of all that was sent with it.
fn basic_password(headers: &HeaderMap) -> Option<(String, String)> {
    let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, coded) = sent.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = STANDARD.decode(coded.trim()).ok()?;
    let pair = String::from_utf8(pair).ok()?;
    let (_, password) = pair.split_once(':')?;
    Some((sha256_hex(coded), password.to_owned()))
}

/// True for a secret that can stand in an address as it is.
fn is_key(key: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    key.len() >= MIN_KEY_CHARS && key.bytes().all(is_plain)
}

/// The values of our cookie, under each of its names.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    let pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
    pairs.filter_map(|(name, value)| [COOKIE, HTTPS_COOKIE].contains(&name).then_some(value))
}

/// The cookie of a session. A link on another site brings it along (`Lax`), since GET changes
/// nothing; a form of another site does not, and the guard refuses it anyway.
fn cookie(value: &str, seconds: u64, is_https: bool) -> HeaderValue {
    let (name, secure) = if is_https {
        (HTTPS_COOKIE, "; Secure")
    } else {
        (COOKIE, "")
    };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).expect("letters and digits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrong_passwords::OF_CLIENT;

    const PASSWORD: &str = "open sesame";

    fn access(hash: &str, feed_key: Option<&str>) -> Arc<PageAccess> {
        Arc::new(PageAccess::new(hash, feed_key).expect("access"))
    }

    fn client(number: u8) -> ClientKey {
        ClientKey::of([10, 0, 0, number].into())
    }

    #[test]
    fn only_hashes_of_argon2_are_taken() {
        let hash = hash_of(PASSWORD).expect("a hash");
        let access = access(&format!(" {hash}\n"), None);
        assert_eq!(access.checks(client(1), PASSWORD), Ok(true));
        assert_eq!(access.checks(client(1), "open"), Ok(false));
        assert_ne!(hash_of(PASSWORD).expect("a hash"), hash, "it is salted");
        let large = hash.replace("m=19456", "m=999999999");
        for wrong in ["", PASSWORD, "$argon2id$", "$1$abc$def", &large] {
            assert!(PageAccess::new(wrong, None).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_that_is_set_has_ten_characters() {
        for (password, is_taken) in [
            ("", false),
            ("open sesa", false),
            ("äöüäöüäöü", false),
            ("äöüäöüäöüß", true),
            (&"x".repeat(1000), true),
            (&"x".repeat(1001), false),
        ] {
            assert_eq!(hash_of(password).is_ok(), is_taken, "{password}");
        }
        // One that was set before goes on.
        let salt = [7; 16];
        let short = Argon2::default().hash_password_with_salt(b"a", &salt);
        let access = access(&short.expect("a hash").to_string(), None);
        assert_eq!(access.checks(client(1), "a"), Ok(true));
    }

    #[tokio::test]
    async fn wrong_passwords_are_counted_by_client() {
        let access = access(&hash_of(PASSWORD).expect("a hash"), None);
        let cores = Cores::new(1);
        let gives = |number, password: &str| {
            access.is_password(&cores, client(number), password.to_owned())
        };
        for _ in 0..OF_CLIENT {
            assert_eq!(gives(1, &"x".repeat(1001)).await, Ok(false));
        }
        assert_eq!(gives(1, PASSWORD).await, Err(Untried::TooManyWrong));
        assert_eq!(gives(2, PASSWORD).await, Ok(true));
    }

    #[test]
    fn a_key_of_feeds_is_the_one_that_is_given() {
        let hash = hash_of(PASSWORD).expect("a hash");
        let opens = |access: &PageAccess, key: &str| {
            let uri = format!("/opml?key={key}").parse().expect("a path");
            access.has_feed_key(&uri)
        };
        // Before keys had a place of their own they followed from the hash.
        let old = &sha256_hex(format!("feeds of {hash}"))[..32];
        assert!(opens(&access(&hash, None), old));
        let key = new_feed_key();
        let renewed = access(&hash, Some(&key));
        assert!(opens(&renewed, &key) && !opens(&renewed, old));
        assert_ne!(new_feed_key(), key);
        for wrong in ["", "short", "a key with spaces and more"] {
            assert!(PageAccess::new(&hash, Some(wrong)).is_err(), "{wrong}");
        }
    }
}
