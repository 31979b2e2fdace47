//! The bounds of secrets, and the reasons why one is not kept.

/// Sites with secrets at the most.
pub const MAX_SECRET_SITES: usize = 500;

/// Headers of a site at the most, cookies of a site, and bytes of each name and value.
pub const MAX_SECRET_HEADERS: usize = 20;
pub const MAX_SECRET_COOKIES: usize = 100;
pub const MAX_SECRET_BYTES: usize = 4096;

/// The reason why a secret is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretFault {
    #[error("{MAX_SECRET_SITES} sites have secrets already: remove some")]
    TooManySites,
    #[error("the site has {MAX_SECRET_HEADERS} headers already: remove some")]
    TooManyHeaders,
    #[error("the file has more than {MAX_SECRET_COOKIES} cookies of the site: leave out some")]
    TooManyCookies,
    #[error("a name or a value is longer than {MAX_SECRET_BYTES} bytes")]
    TooLong,
    #[error("a name or a value is empty")]
    Empty,
    #[error("a name or a value has control characters, or a cookie's has a semicolon")]
    Characters,
}

/// Checks a name or a value.
pub(super) fn check(part: &str, is_bad: impl Fn(char) -> bool) -> Result<(), SecretFault> {
    match part {
        "" => Err(SecretFault::Empty),
        part if part.len() > MAX_SECRET_BYTES => Err(SecretFault::TooLong),
        part if part.contains(is_bad) => Err(SecretFault::Characters),
        _ => Ok(()),
    }
}
