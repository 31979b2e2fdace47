//! The parts of an answer that an archive keeps.

use std::net::IpAddr;
use url::Url;

/// Bytes of the body of a redirect, a failure or a robots.txt that an archive gets at the most.
pub(super) const KEPT_BYTES: usize = 1 << 16;

/// The reason why a body is not whole. Only the bodies of redirects, of failures and of
/// robots.txt are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// It is longer than what is kept of such an answer.
    Length,
    /// It did not come in time.
    Time,
    /// The connection or its coding broke.
    Disconnect,
    /// It was not asked for.
    Unspecified,
}

impl Truncation {
    /// Its name in `WARC-Truncated` (WARC 1.1, 5.13).
    pub fn name(self) -> &'static str {
        match self {
            Truncation::Length => "length",
            Truncation::Time => "time",
            Truncation::Disconnect => "disconnect",
            Truncation::Unspecified => "unspecified",
        }
    }
}

/// A request and its answer, as an archive keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The URL that was asked for, without credentials and fragment.
    pub url: Url,
    /// As [`Visited::request_head`](crate::Visited::request_head).
    pub request_head: Vec<u8>,
    /// As [`Visited::response_head`](crate::Visited::response_head).
    pub response_head: Vec<u8>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The reason why the body is not whole.
    pub truncated: Option<Truncation>,
    /// The address that answered, unless a proxy stands between.
    pub address: Option<IpAddr>,
}

/// The bytes of a body that an archive gets of it.
pub(super) fn kept(mut body: Vec<u8>) -> (Vec<u8>, Option<Truncation>) {
    let is_longer = body.len() > KEPT_BYTES;
    body.truncate(KEPT_BYTES);
    (body, is_longer.then_some(Truncation::Length))
}
