//! A response's body, counted after decompression and cut off at the limit.

use reqwest::Response;

use super::coding::PieceDecoder;
use super::inflate::BadCoding;
use super::kept::{KEPT_BYTES, Truncation, kept};
use crate::Why;

/// Maximum capacity that is allocated before the first byte, whatever `Content-Length` says.
const FIRST_ROOM: u64 = 1 << 20;

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
pub(super) async fn read(response: Response, limit: BodyLimit) -> Result<Vec<u8>, BodyFailure> {
    let mut body = Vec::new();
    read_into(response, limit, &mut body).await?;
    Ok(body)
}

/// The same into `body`, which has the beginning if the rest does not come.
async fn read_into(
    mut response: Response,
    limit: BodyLimit,
    body: &mut Vec<u8>,
) -> Result<(), BodyFailure> {
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
    body.reserve(usize::try_from(room).unwrap_or(0));
    while let Some(piece) = response.chunk().await.map_err(BodyFailure::Transfer)? {
        match &mut decoder {
            Some(decoder) => decoder.push(&piece, body, most)?,
            None => body.extend_from_slice(&piece),
        }
        if body.len() > most {
            return bounded(body, limit, most);
        }
    }
    if let Some(decoder) = decoder {
        decoder.finish(body)?;
    }
    bounded(body, limit, most)
}

/// The body of an answer that is no success: the beginning, as far as it comes.
pub(super) async fn read_failure(response: Response) -> (Vec<u8>, Option<Truncation>) {
    let length = response.content_length();
    let mut body = Vec::new();
    let limit = BodyLimit::Cut(KEPT_BYTES as u64);
    let reason = match read_into(response, limit, &mut body).await {
        Ok(()) => None,
        Err(BodyFailure::Transfer(error)) if error.is_timeout() => Some(Truncation::Time),
        Err(_) => Some(Truncation::Disconnect),
    };
    let (body, longer) = kept(body);
    (body, longer.or(reason).filter(|_| length != Some(0)))
}

/// Refuses or cuts the body if it has more than `most` bytes.
fn bounded(body: &mut Vec<u8>, limit: BodyLimit, most: usize) -> Result<(), BodyFailure> {
    match limit {
        BodyLimit::Refuse(limit) if body.len() > most => {
            Err(BodyFailure::Why(Why::TooLarge { limit }))
        }
        _ => {
            body.truncate(most.saturating_add(1));
            Ok(())
        }
    }
}
