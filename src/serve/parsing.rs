//! Pages parsed while their bytes come.
//!
//! A parse stays on its thread, so there is a thread for each core, and each has many pages
//! in turn: a slow page holds up no other.

use crate::filter::FilterEngine;
use crate::page::Page;
use axum::body::Bytes;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{mpsc, oneshot};
use tokio::task::LocalSet;

/// Bytes that are parsed before another page has its turn.
const TURN_BYTES: usize = 64 * 1024;

/// A page whose bytes come.
struct ParseJob {
    engine: FilterEngine,
    url: String,
    content_type: Option<String>,
    pieces: mpsc::UnboundedReceiver<Bytes>,
    done: oneshot::Sender<Page>,
}

/// The threads that parse.
#[derive(Debug)]
pub(super) struct ParseThreads {
    queues: Vec<mpsc::UnboundedSender<ParseJob>>,
    next: AtomicUsize,
}

/// A page that is parsed elsewhere. Without it nobody waits for the page, and its parse ends.
#[derive(Debug)]
pub(super) struct GrowingPage {
    pieces: mpsc::UnboundedSender<Bytes>,
    done: oneshot::Receiver<Page>,
}

impl ParseThreads {
    /// A thread for each core; none where the system gives none.
    pub(super) fn new(cores: usize) -> ParseThreads {
        ParseThreads {
            queues: (0..cores).filter_map(|_| thread()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// A page of which nothing has come yet.
    pub(super) fn begin(
        &self,
        engine: FilterEngine,
        url: String,
        content_type: Option<String>,
    ) -> GrowingPage {
        let (pieces, to_come) = mpsc::unbounded_channel();
        let (done, page) = oneshot::channel();
        let job = ParseJob {
            engine,
            url,
            content_type,
            pieces: to_come,
            done,
        };
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(queue) = self.queues.get(turn % self.queues.len().max(1)) {
            // Without its thread `finish` gives no page.
            let _ = queue.send(job);
        }
        GrowingPage { pieces, done: page }
    }
}

impl GrowingPage {
    /// Takes the next bytes.
    pub(super) fn push(&self, bytes: &[u8]) {
        for piece in bytes.chunks(TURN_BYTES) {
            // Without its thread `finish` gives no page.
            let _ = self.pieces.send(Bytes::copy_from_slice(piece));
        }
    }

    /// The page, after all bytes have come; `None` if its thread could not make one.
    pub(super) async fn finish(self) -> Option<Page> {
        drop(self.pieces);
        self.done.await.ok()
    }
}

/// A thread that parses, and its queue.
fn thread() -> Option<mpsc::UnboundedSender<ParseJob>> {
    let (queue, mut jobs) = mpsc::unbounded_channel::<ParseJob>();
    let runtime = tokio::runtime::Builder::new_current_thread().build().ok()?;
    let work = move || {
        let pages = LocalSet::new();
        pages.block_on(&runtime, async {
            while let Some(job) = jobs.recv().await {
                tokio::task::spawn_local(parse(job));
            }
        });
    };
    let named = std::thread::Builder::new().name("forest-parse".to_owned());
    named.spawn(work).ok()?;
    Some(queue)
}

async fn parse(mut job: ParseJob) {
    let mut stream = job.engine.stream(job.url, job.content_type);
    while let Some(piece) = job.pieces.recv().await {
        stream.push(&piece);
        tokio::task::yield_now().await;
    }
    if !job.done.is_closed() {
        let _ = job.done.send(stream.finish());
    }
}
