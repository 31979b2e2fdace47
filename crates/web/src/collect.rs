//! A body read whole: unpacked, within the limit of a page, the room for all pages, and a
//! time.

use super::encodings::{ContentCoding, Decoder};
use axum::body::{Body, Bytes};
use forest_html::page::MAX_PAGE_BYTES;
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// Bytes of a piece of the room.
const ROOM_PIECE: usize = 64 * 1024;

/// Room for the bodies that are read at once, packed and unpacked, by default: ten pages of the
/// largest size, or a thousand of usual ones.
pub const ROOM_BYTES: usize = 20 * MAX_PAGE_BYTES;

/// Time in which a body has to be whole, by default. Some pages never end: they pass as they
/// come.
pub const WHOLE_WITHIN: Duration = Duration::from_secs(30);

/// The room for all bodies that are read at once, and the time that each has.
#[derive(Debug, Clone)]
pub struct BodyRoom {
    pieces: Arc<Semaphore>,
    within: Duration,
}

impl BodyRoom {
    pub fn new(bytes: usize, within: Duration) -> BodyRoom {
        BodyRoom {
            pieces: Arc::new(Semaphore::new(bytes / ROOM_PIECE)),
            within,
        }
    }
}

/// The room that one body has taken.
#[derive(Debug, Default)]
struct TakenRoom {
    pieces: usize,
    permits: Option<OwnedSemaphorePermit>,
}

impl TakenRoom {
    /// Takes room for so many bytes in all; false if there is none.
    fn take(&mut self, room: &BodyRoom, bytes: usize) -> bool {
        let more = bytes.div_ceil(ROOM_PIECE).saturating_sub(self.pieces);
        let count = u32::try_from(more).unwrap_or(u32::MAX);
        let Ok(permits) = Arc::clone(&room.pieces).try_acquire_many_owned(count) else {
            return false;
        };
        self.pieces += more;
        match &mut self.permits {
            Some(taken) => taken.merge(permits),
            None => self.permits = Some(permits),
        }
        true
    }
}

/// The reason why a body was not read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWhole {
    /// It has more bytes than a page.
    TooLarge,
    /// It takes longer than a page may.
    TooSlow,
    /// It is not in the coding that its header names.
    Undecodable,
    /// Other bodies have all of the room.
    NoRoom,
}

impl fmt::Display for NotWhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotWhole::TooLarge => "it is larger than a page may be",
            NotWhole::TooSlow => "it takes longer than a page may",
            NotWhole::Undecodable => "it is not in the coding that it names",
            NotWhole::NoRoom => "too many pages are read at once; try again",
        })
    }
}

/// A body after it was read.
pub enum Collected {
    /// Unpacked, with the bytes as they came.
    Whole(WholeBody),
    /// As it comes, from its first byte.
    Passing(NotWhole, Body),
    /// The server broke off.
    Broken,
}

/// A body that was read whole.
pub struct WholeBody {
    /// Its bytes, unpacked.
    pub bytes: Vec<u8>,
    sent: VecDeque<Bytes>,
    _room: TakenRoom,
}

impl WholeBody {
    /// The body as it came.
    pub fn into_sent(self) -> Body {
        Body::new(Resumed {
            sent: self.sent,
            rest: http_body_util::Empty::<Bytes>::new(),
        })
    }
}

/// Reads a body. Its unpacked bytes are shown as they come.
pub async fn collect<B>(
    mut body: B,
    coding: ContentCoding,
    room: &BodyRoom,
    shown: impl Fn(&[u8]),
) -> Collected
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut decoder = Decoder::new(coding, MAX_PAGE_BYTES);
    let mut sent = VecDeque::new();
    let (mut sent_bytes, mut seen) = (0, 0);
    let mut taken = TakenRoom::default();
    let end = Instant::now() + room.within;
    let why = loop {
        let piece = match timeout_at(end, body.frame()).await {
            Err(_) => break NotWhole::TooSlow,
            Ok(None) => match decoder.finish().await {
                Ok(bytes) => {
                    shown(&bytes[seen..]);
                    return Collected::Whole(WholeBody {
                        bytes,
                        sent,
                        _room: taken,
                    });
                }
                Err(_) => break NotWhole::Undecodable,
            },
            Ok(Some(Err(_))) => return Collected::Broken,
            // Trailers say something of the bytes, which will be others.
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
        };
        sent_bytes += piece.len();
        let pushed = decoder.push(&piece).await;
        sent.push_back(piece);
        shown(&decoder.bytes()[seen..]);
        seen = decoder.bytes().len();
        match pushed {
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                break NotWhole::TooLarge;
            }
            Err(_) => break NotWhole::Undecodable,
            Ok(()) if sent_bytes > MAX_PAGE_BYTES => break NotWhole::TooLarge,
            Ok(()) if !taken.take(room, sent_bytes + decoder.bytes().len()) => {
                break NotWhole::NoRoom;
            }
            Ok(()) => {}
        }
    };
    Collected::Passing(why, Body::new(Resumed { sent, rest: body }))
}

/// A body that begins with bytes that were read before. Its length is that of its header.
struct Resumed<B> {
    sent: VecDeque<Bytes>,
    rest: B,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Resumed<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match self.sent.pop_front() {
            Some(piece) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            None => Pin::new(&mut self.rest).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.sent.is_empty() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let before: u64 = self.sent.iter().map(|piece| piece.len() as u64).sum();
        let rest = self.rest.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(before + rest.lower());
        if let Some(upper) = rest.upper() {
            hint.set_upper(before + upper);
        }
        hint
    }
}
