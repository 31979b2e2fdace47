//! The body of a request that has to come within a time.

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// Time for the body of a request to a page, all of it; and, of a request that the proxy sends on,
/// for each piece: what is sent to another server may be long.
pub const BODY_WITHIN: Duration = Duration::from_secs(30);

/// A body, and the time that it has.
pub struct TimedBody<B> {
    body: B,
    ends: Pin<Box<Sleep>>,
    is_of_piece: bool,
    was_late: LateBody,
}

/// Says if a body came too late.
#[derive(Debug, Clone, Default)]
pub struct LateBody(Arc<AtomicBool>);

impl LateBody {
    pub fn is_late(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for LateBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body of the request does not come in time")
    }
}

impl Error for LateBody {}

impl<B> TimedBody<B> {
    /// A body that has to be whole within the time.
    pub fn whole(body: B) -> TimedBody<B> {
        TimedBody {
            body,
            ends: Box::pin(sleep(BODY_WITHIN)),
            is_of_piece: false,
            was_late: LateBody::default(),
        }
    }

    /// A body each piece of which has to come within the time after the one before.
    pub fn in_pieces(body: B) -> TimedBody<B> {
        TimedBody {
            is_of_piece: true,
            ..TimedBody::whole(body)
        }
    }

    /// Says later if it came too late.
    pub fn lateness(&self) -> LateBody {
        self.was_late.clone()
    }
}

impl<B> Body for TimedBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = &mut *self;
        if let Poll::Ready(piece) = Pin::new(&mut this.body).poll_frame(cx) {
            if this.is_of_piece {
                this.ends.as_mut().reset(Instant::now() + BODY_WITHIN);
            }
            return Poll::Ready(piece.map(|piece| piece.map_err(Into::into)));
        }
        if this.ends.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        this.was_late.0.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(Box::new(this.was_late.clone()))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body as WholeBody, to_bytes};
    use std::convert::Infallible;
    use tokio::sync::mpsc;

    /// A body whose pieces are sent one by one.
    struct SentPieces(mpsc::UnboundedReceiver<&'static str>);

    impl Body for SentPieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            let piece = self.0.poll_recv(cx);
            piece.map(|piece| piece.map(|text| Ok(Frame::data(text.into()))))
        }
    }

    /// The time after which a body ends whose pieces come every 20 seconds, and its length.
    async fn read(
        timed: fn(SentPieces) -> TimedBody<SentPieces>,
        pieces: usize,
    ) -> (u64, Option<usize>) {
        let begun = Instant::now();
        let (send, pieces_of) = mpsc::unbounded_channel();
        let body = timed(SentPieces(pieces_of));
        let late = body.lateness();
        let reading = tokio::spawn(to_bytes(WholeBody::new(body), 1000));
        for _ in 0..pieces {
            tokio::time::advance(Duration::from_secs(20)).await;
            let _ = send.send("piece");
            tokio::task::yield_now().await;
        }
        // The last one never comes.
        let _held = (pieces < 5).then(|| send.clone());
        drop(send);
        let read = reading.await.expect("a task");
        assert_eq!(late.is_late(), read.is_err());
        (
            begun.elapsed().as_secs(),
            read.ok().map(|bytes| bytes.len()),
        )
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_end_is_late() {
        assert_eq!(read(TimedBody::whole, 1).await, (30, None));
        assert_eq!(read(TimedBody::whole, 5).await, (100, None));
        assert_eq!(read(TimedBody::in_pieces, 1).await, (50, None));
        assert_eq!(read(TimedBody::in_pieces, 5).await, (100, Some(25)));
    }
}
