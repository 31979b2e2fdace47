//! A bounded number of connections, each of bounded time. A slow or silent client cannot
//! take more, and cannot block the others.

use axum::serve::Listener;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// A listener with permits for connections; others wait in the queue of the system.
#[derive(Debug)]
pub struct Bounded<L> {
    listener: L,
    permits: Arc<Semaphore>,
    lasts: Duration,
}

impl<L> Bounded<L> {
    /// At most `most` connections at once; each is closed after the time `lasts`.
    pub fn new(listener: L, most: usize, lasts: Duration) -> Bounded<L> {
        Bounded {
            listener,
            permits: Arc::new(Semaphore::new(most)),
            lasts,
        }
    }
}

impl<L: Listener> Listener for Bounded<L> {
    type Io = Connection<L::Io>;
    type Addr = L::Addr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.expect("nobody closes the semaphore");
        let (stream, address) = self.listener.accept().await;
        let ends = Box::pin(sleep(self.lasts));
        let connection = Connection {
            stream,
            ends,
            _permit: permit,
        };
        (connection, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A connection whose reads and writes fail when its time is over.
#[derive(Debug)]
pub struct Connection<S> {
    stream: S,
    ends: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl<S> Connection<S> {
    /// The stream until the time is over; registers a waker for its end.
    fn stream(&mut self, cx: &mut Context<'_>) -> io::Result<&mut S> {
        match self.ends.as_mut().poll(cx) {
            Poll::Ready(()) => Err(io::ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(&mut self.stream),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = self.get_mut().stream(cx)?;
        Pin::new(stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let stream = self.get_mut().stream(cx)?;
        Pin::new(stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut().stream(cx)?;
        Pin::new(stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut().stream(cx)?;
        Pin::new(stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::time::Instant;

    const LASTS: Duration = Duration::from_secs(10);

    /// Connections without a network, so that time can be a test's own.
    struct Calls(UnboundedReceiver<DuplexStream>);

    impl Listener for Calls {
        type Io = DuplexStream;
        type Addr = ();

        async fn accept(&mut self) -> (DuplexStream, ()) {
            match self.0.recv().await {
                Some(stream) => (stream, ()),
                None => std::future::pending().await,
            }
        }

        fn local_addr(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn listener(most: usize) -> (UnboundedSender<DuplexStream>, Bounded<Calls>) {
        let (call, calls) = unbounded_channel();
        (call, Bounded::new(Calls(calls), most, LASTS))
    }

    /// A client whose small buffer shows what is not read.
    fn connect(call: &UnboundedSender<DuplexStream>) -> DuplexStream {
        let (ours, theirs) = duplex(64);
        call.send(theirs).expect("it listens");
        ours
    }

    #[tokio::test]
    async fn no_more_connections_than_there_is_room_for() {
        let (call, mut listener) = listener(2);
        let _clients = [connect(&call), connect(&call), connect(&call)];
        let first = listener.accept().await;
        let _second = listener.accept().await;
        tokio::select! {
            biased;
            _ = listener.accept() => panic!("a third of two"),
            () = tokio::task::yield_now() => {}
        }
        drop(first);
        listener.accept().await;
    }

    #[tokio::test(start_paused = true)]
    async fn slow_clients_are_not_waited_for() {
        let (call, listener) = listener(3);
        let big = || async { "figures ".repeat(1000) };
        let router = Router::new().route("/metrics", get(big));
        let begun = Instant::now();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let request = b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        // One is silent, one does not end its request, one does not read the answer.
        let mut silent = connect(&call);
        let mut half = connect(&call);
        half.write_all(&request[..20]).await.expect("it reads");
        let mut deaf = connect(&call);
        deaf.write_all(request).await.expect("it reads");
        // Who comes after them is answered as soon as they are gone.
        let mut next = connect(&call);
        next.write_all(request).await.expect("room for it");
        let mut answer = String::new();
        next.read_to_string(&mut answer).await.expect("answered");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(begun.elapsed().as_secs(), LASTS.as_secs());
        for (client, received_bytes) in [(&mut silent, 0), (&mut half, 0), (&mut deaf, 64)] {
            let mut rest = Vec::new();
            client.read_to_end(&mut rest).await.expect("hung up");
            assert_eq!(rest.len(), received_bytes);
        }
    }
}
