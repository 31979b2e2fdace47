//! A response's body, counted after decompression and cut off at the limit.

use reqwest::Response;

use super::coding::PieceDecoder;
use super::inflate::BadCoding;
use crate::Why;

/// Maximum capacity that is allocated before the first byte, whatever `Content-Length` says.
const FIRST_ROOM: u64 = 1 << 20;

/// Bytes of the body of a redirect, a failure or a robots.txt that an archive gets at the most.
const KEPT_BYTES: usize = 1 << 16;

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

/// The limit of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyLimit {
    /// A body of more bytes is refused.
    Refuse(u64),
    /// A body of more bytes is cut after so many and one.
    Cut(u64),
}

/// The reason why a body was not read.
#[derive(Debug)]
pub(super) enum BodyFailure {
    /// The limit or the answer itself.
    Why(Why),
    /// The transfer.
    Transfer(reqwest::Error),
    /// The coding, which is not what the headers say.
    BadCoding,
}

impl From<BadCoding> for BodyFailure {
    fn from(_: BadCoding) -> Self {
        BodyFailure::BadCoding
    }
}

/// Reads the body piece by piece. The memory never exceeds the limit by
/// more than one piece (some ten kilobytes), so that a compressed bomb stops
/// where a plain body would.
pub(super) async fn read(mut response: Response, limit: BodyLimit) -> Result<Vec<u8>, BodyFailure> {
    let promised = response.content_length();
    let bytes = match limit {
        BodyLimit::Refuse(limit) | BodyLimit::Cut(limit) => limit,
    };
    if let (BodyLimit::Refuse(limit), Some(promised)) = (limit, promised)
        && promised > limit
    {
        return Err(BodyFailure::Why(Why::TooLarge { limit }));
    }
    let mut decoder = PieceDecoder::of(response.headers());
    let most = usize::try_from(bytes).unwrap_or(usize::MAX);
    let room = promised.unwrap_or(0).min(bytes).min(FIRST_ROOM);
    let mut body = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    while let Some(piece) = response.chunk().await.map_err(BodyFailure::Transfer)? {
        match &mut decoder {
            Some(decoder) => decoder.push(&piece, &mut body, most)?,
            None => body.extend_from_slice(&piece),
        }
        if body.len() > most {
            return bounded(body, limit, most);
        }
    }
    if let Some(decoder) = decoder {
        decoder.finish(&mut body)?;
    }
    bounded(body, limit, most)
}

/// The body of an answer that is no success, as far as it comes.
pub(super) async fn read_failure(response: Response) -> (Vec<u8>, Option<Truncation>) {
    match read(response, BodyLimit::Cut(KEPT_BYTES as u64)).await {
        Ok(body) => kept(body),
        Err(BodyFailure::Transfer(error)) if error.is_timeout() => {
            (Vec::new(), Some(Truncation::Time))
        }
        Err(_) => (Vec::new(), Some(Truncation::Disconnect)),
    }
}

/// The bytes of a body that an archive gets of it.
pub(super) fn kept(mut body: Vec<u8>) -> (Vec<u8>, Option<Truncation>) {
    let is_longer = body.len() > KEPT_BYTES;
    body.truncate(KEPT_BYTES);
    (body, is_longer.then_some(Truncation::Length))
}

/// The body, refused or cut if it has more than `most` bytes.
fn bounded(mut body: Vec<u8>, limit: BodyLimit, most: usize) -> Result<Vec<u8>, BodyFailure> {
    match limit {
        BodyLimit::Refuse(limit) if body.len() > most => {
            Err(BodyFailure::Why(Why::TooLarge { limit }))
        }
        _ => {
            body.truncate(most.saturating_add(1));
            Ok(body)
        }
    }
}
