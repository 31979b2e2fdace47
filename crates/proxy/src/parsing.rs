//! Pages parsed while their bytes come, and used on the thread that parsed them: what another
//! thread would have to be woken for, and reads from memory that is not in its cache.
//!
//! A parse stays on its thread, so there is a thread for each core, and each has many pages
//! in turn: a slow page holds up no other.

use axum::body::Bytes;
use forest_html::page::stream::PageStream;
use forest_text::filter::FilterEngine;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc;
use tokio::task::LocalSet;

/// Bytes that are parsed before another page has its turn.
const TURN_BYTES: usize = 64 * 1024;

/// The use of a page all of whose bytes have come, and of their number.
type UsePage = Box<dyn FnOnce(PageStream, usize) + Send>;

/// A page whose bytes come.
struct ParseJob {
    engine: FilterEngine,
    url: String,
    content_type: Option<String>,
    pieces: mpsc::UnboundedReceiver<Bytes>,
    use_page: UsePage,
}

/// The threads that parse.
#[derive(Debug)]
pub(super) struct ParseThreads {
    queues: Vec<mpsc::UnboundedSender<ParseJob>>,
    next: AtomicUsize,
}

/// A page that is parsed elsewhere; when it is dropped, all of its bytes have come.
#[derive(Debug)]
pub(super) struct GrowingPage {
    pieces: mpsc::UnboundedSender<Bytes>,
}

impl ParseThreads {
    /// A thread for each core; none where the system gives none.
    pub(super) fn new(cores: usize) -> ParseThreads {
        ParseThreads {
            queues: (0..cores).filter_map(|_| thread()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// A page of which nothing has come yet, and its use when all has. Where a thread fails,
    /// `use_page` is dropped.
    pub(super) fn begin(
        &self,
        engine: FilterEngine,
        url: String,
        content_type: Option<String>,
        use_page: impl FnOnce(PageStream, usize) + Send + 'static,
    ) -> GrowingPage {
        let (pieces, to_come) = mpsc::unbounded_channel();
        let job = ParseJob {
            engine,
            url,
            content_type,
            pieces: to_come,
            use_page: Box::new(use_page),
        };
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(queue) = self.queues.get(turn % self.queues.len().max(1)) {
            // Without its thread the job is dropped.
            let _ = queue.send(job);
        }
        GrowingPage { pieces }
    }
}

impl GrowingPage {
    /// Takes the next bytes.
    pub(super) fn push(&self, bytes: &[u8]) {
        for piece in bytes.chunks(TURN_BYTES) {
            // Without its thread nobody waits for them.
            let _ = self.pieces.send(Bytes::copy_from_slice(piece));
        }
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
    let mut bytes = 0;
    while let Some(piece) = job.pieces.recv().await {
        bytes += piece.len();
        stream.push(&piece);
        tokio::task::yield_now().await;
    }
    (job.use_page)(stream, bytes);
}
