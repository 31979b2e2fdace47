//! Work on pages: on several threads, with the results in the order of the input.
//!
//! A thread of its own reads the source and fetches, others work on the pages, the caller takes
//! the results. A result is given as soon as it and those before it are there, so that an idle
//! pipe holds nothing back. The reader waits while a window of pages is full: memory does not
//! grow with the input.

use super::handle::Sources;
use super::pages::{FoundPage, PageRefs, size};
use super::web::on_web;
use crate::error::{Error, Result, SourceFault};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

/// Pages between the reader and the caller at the most: their results wait for each other.
const WINDOW_PAGES: usize = 256;

/// Bytes of these pages from which no more are read, as far as they are known.
const WINDOW_BYTES: u64 = 16_000_000;

/// Pages of the window whatever their size: enough for most machines' cores.
const LEAST_PAGES: usize = 16;

/// Pages that are fetched at once, several hosts at a time.
const FETCHED_TOGETHER: usize = 32;

/// Returns true if so many pages, of so many bytes, fill the window.
pub(super) fn is_window(pages: usize, bytes: u64) -> bool {
    pages >= WINDOW_PAGES || pages >= LEAST_PAGES && bytes >= WINDOW_BYTES
}

/// The pages between the reader and the caller.
#[derive(Debug, Default)]
struct PageWindow {
    held: Mutex<HeldPages>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct HeldPages {
    pages: usize,
    bytes: u64,
    /// Nobody takes results any more.
    is_closed: bool,
}

impl PageWindow {
    fn held(&self) -> MutexGuard<'_, HeldPages> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room, and takes it for a page. Returns false if the window is closed.
    fn enter(&self, bytes: u64) -> bool {
        let full = |held: &mut HeldPages| !held.is_closed && is_window(held.pages, held.bytes);
        let held = self.changed.wait_while(self.held(), full);
        let mut held = held.unwrap_or_else(PoisonError::into_inner);
        held.pages += 1;
        held.bytes += bytes;
        !held.is_closed
    }

    fn leave(&self, pages: usize, bytes: u64) {
        let mut held = self.held();
        held.pages -= pages;
        held.bytes -= bytes;
        self.changed.notify_one();
    }

    fn close(&self) {
        self.held().is_closed = true;
        self.changed.notify_one();
    }

    fn is_closed(&self) -> bool {
        self.held().is_closed
    }
}

/// A page to work on: its place in the input, and the way of its result.
struct PageTask<R> {
    at: usize,
    page: FoundPage,
    result: Sender<R>,
}

/// The place of a result, in the order of the input.
struct ResultSlot<R> {
    bytes: u64,
    result: Receiver<R>,
}

/// The ends of the reader's channels.
struct SourceReader<R> {
    slots: Sender<Result<ResultSlot<R>>>,
    /// `None` ends a worker.
    tasks: Sender<Option<PageTask<R>>>,
}

impl Sources {
    /// Calls `work` with each page and its place in the input, on several threads, and `each`
    /// with the results, on this one and in the order of the input.
    ///
    /// # Errors
    ///
    /// The first one of `each`, which ends the work; if the network cannot be used; if the
    /// system gives no threads.
    pub fn for_each_page<R, E>(
        &self,
        pages: PageRefs,
        work: impl Fn(usize, FoundPage) -> R + Sync,
        mut each: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E>
    where
        R: Send + 'static,
        E: From<Error>,
    {
        self.for_each_batch(pages, 1, work, |batch| {
            batch.into_iter().try_for_each(&mut each)
        })
    }

    /// The same; `each` is called with `most` results, or with fewer if no page is read that is
    /// worth waiting for.
    ///
    /// # Errors
    ///
    /// As [`for_each_page`](Self::for_each_page).
    pub fn for_each_batch<R, E>(
        &self,
        pages: PageRefs,
        most: usize,
        work: impl Fn(usize, FoundPage) -> R + Sync,
        each: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        R: Send + 'static,
        E: From<Error>,
    {
        let window = Arc::new(PageWindow::default());
        let (slots, ordered) = channel();
        let (tasks, waiting) = channel();
        let stop = tasks.clone();
        let (reader, sources) = (SourceReader { slots, tasks }, self.clone());
        let room = Arc::clone(&window);
        let read = move || reader.read(pages, &sources, &room);
        let no_thread = |source| Error::from(SourceFault::Threads { source });
        // It is joined at the end of the input only: it may hang in a read after an error.
        let reading = Builder::new().name("reader".to_owned()).spawn(read);
        let reading = reading.map_err(no_thread)?;
        let waiting = Mutex::new(waiting);
        let given = thread::scope(|scope| {
            let mut workers = 0;
            while workers < self.jobs {
                let go_on = || work_on(&waiting, &window, &work);
                match Builder::new().spawn_scoped(scope, go_on) {
                    Ok(_) => workers += 1,
                    Err(source) if workers == 0 => return Err(no_thread(source).into()),
                    Err(_) => break,
                }
            }
            let given = give(&ordered, most, &window, each);
            window.close();
            for _ in 0..workers {
                // The receiver lives as long as the workers.
                let _ = stop.send(None);
            }
            given
        });
        given?;
        reading.join().unwrap_or_else(|why| resume_unwind(why));
        Ok(())
    }
}

impl<R> SourceReader<R> {
    /// Reads all pages, and fetches those that are on the web.
    fn read(self, mut pages: PageRefs, sources: &Sources, window: &PageWindow) {
        let mut at = 0;
        while let Some(first) = pages.next() {
            let mut batch = vec![first];
            if on_web(&batch[0]).is_some() {
                batch.extend(pages.by_ref().take(FETCHED_TOGETHER - 1));
            }
            let batch = match sources.fetch(batch) {
                Ok(batch) => batch,
                Err(error) => return drop(self.slots.send(Err(error))),
            };
            for page in batch {
                let bytes = size(&page);
                let (result, slot) = channel();
                let slot = ResultSlot {
                    bytes,
                    result: slot,
                };
                let task = PageTask { at, page, result };
                at += 1;
                if !window.enter(bytes)
                    || self.slots.send(Ok(slot)).is_err()
                    || self.tasks.send(Some(task)).is_err()
                {
                    return;
                }
            }
        }
    }
}

/// Works on one page after the other.
fn work_on<R>(
    tasks: &Mutex<Receiver<Option<PageTask<R>>>>,
    window: &PageWindow,
    work: &impl Fn(usize, FoundPage) -> R,
) {
    let next = || {
        let tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.recv().ok().flatten()
    };
    while let Some(task) = next() {
        if !window.is_closed() {
            // Nobody takes it after an error.
            let _ = task.result.send(work(task.at, task.page));
        }
    }
}

/// Gives the results in their order, `most` at once.
fn give<R, E: From<Error>>(
    ordered: &Receiver<Result<ResultSlot<R>>>,
    most: usize,
    window: &PageWindow,
    mut each: impl FnMut(Vec<R>) -> Result<(), E>,
) -> Result<(), E> {
    while let Ok(first) = ordered.recv() {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        let mut next = Some(first);
        let mut end = None;
        while let Some(slot) = next.take() {
            match slot.map(|slot| (slot.result.recv(), slot.bytes)) {
                Ok((Ok(result), of_page)) => {
                    bytes += of_page;
                    batch.push(result);
                }
                // Its worker panicked, which the end of the scope reports.
                Ok((Err(_), _)) => return Ok(()),
                Err(error) => end = Some(error),
            }
            if batch.len() < most && end.is_none() {
                next = ordered.try_recv().ok();
            }
        }
        let pages = batch.len();
        if pages > 0 {
            each(batch)?;
        }
        window.leave(pages, bytes);
        if let Some(error) = end {
            return Err(error.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::pages::PageRef;
    use crate::sources::web::{DocumentFetcher, RequestKind, WebDocument};
    use std::collections::BTreeMap;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use url::Url;

    /// Answers each address with itself, and notes how many are asked for together.
    #[derive(Default)]
    struct Echo(Mutex<Vec<usize>>);

    impl DocumentFetcher for Echo {
        fn allow(&self, _: &Url) -> Result<()> {
            Ok(())
        }

        fn send_to(&self, _: &Url, _: &BTreeMap<String, String>) -> Result<()> {
            Ok(())
        }

        fn get(&self, _: &Url, _: RequestKind) -> Result<WebDocument> {
            Err(SourceFault::NotFetched.into())
        }

        fn get_pages(&self, urls: &[Url]) -> Result<Vec<Result<WebDocument, String>>> {
            self.0.lock().expect("unharmed").push(urls.len());
            let answer = |url: &Url| WebDocument {
                url: url.clone(),
                bytes: Vec::new(),
                content_type: None,
                date: String::new(),
            };
            Ok(urls.iter().map(|url| Ok(answer(url))).collect())
        }
    }

    fn sources(jobs: usize) -> Sources {
        Sources::new(Arc::new(Echo::default()), 1000, Arc::new(|_| {})).with_jobs(jobs)
    }

    fn page(n: usize, bytes: usize) -> FoundPage {
        Ok(PageRef::of_bytes(&n.to_string(), vec![0; bytes]))
    }

    fn id(_: usize, page: FoundPage) -> usize {
        let id = page.expect("a page").id.expect("an id");
        id.parse().expect("a number")
    }

    #[test]
    fn results_are_in_the_order_of_the_input_for_any_number_of_jobs() {
        let all: Vec<usize> = (0..2 * WINDOW_PAGES).collect();
        for jobs in [1, 2, 7] {
            let pages = Box::new(all.clone().into_iter().map(|n| page(n, 1)));
            let mut given = Vec::new();
            let each = |n| {
                given.push(n);
                Ok::<_, Error>(())
            };
            sources(jobs).for_each_page(pages, id, each).expect("done");
            assert_eq!(given, all, "{jobs} jobs");
        }
    }

    #[test]
    fn a_result_does_not_wait_for_the_next_page() {
        let (go_on, wait) = channel();
        go_on.send(()).expect("it is heard");
        // Each page but the first comes after the result of the one before.
        let pages = (0..50).map(move |n| {
            wait.recv().expect("the result of the page before");
            page(n, 1)
        });
        let each = |batch: Vec<usize>| {
            assert_eq!(batch.len(), 1);
            // After the last one nobody waits.
            let _ = go_on.send(());
            Ok::<_, Error>(())
        };
        let done = sources(2).for_each_batch(Box::new(pages), 64, id, each);
        done.expect("done");
    }

    #[test]
    fn no_more_is_read_than_the_window_holds() {
        let check = |bytes: usize, most: usize| {
            let (read, mut given) = (Arc::new(AtomicUsize::new(0)), 0);
            let counted = Arc::clone(&read);
            let pages = (0..4 * most).map(move |n| {
                counted.fetch_add(1, Ordering::SeqCst);
                page(n, bytes)
            });
            let each = |_| {
                let held = read.load(Ordering::SeqCst) - given;
                given += 1;
                // One more is read and waits for room.
                assert!(held <= most + 1, "{held} of {bytes} bytes");
                Ok::<_, Error>(())
            };
            let done = sources(2).for_each_page(Box::new(pages), id, each);
            done.expect("done");
            assert_eq!(given, 4 * most);
        };
        check(1, WINDOW_PAGES);
        check(2_000_000, LEAST_PAGES);
    }

    #[test]
    fn batches_are_full_while_there_are_pages() {
        let (all_read, wait) = channel();
        let pages = (0..130).chain([130]).map(move |n| {
            if n == 130 {
                all_read.send(()).expect("it is heard");
            }
            page(n, 1)
        });
        let wait = Mutex::new(wait);
        // The first result comes when all pages are read.
        let work = |at, page| {
            if at == 0 {
                wait.lock().expect("unharmed").recv().expect("all are read");
            }
            id(at, page)
        };
        let mut sizes = Vec::new();
        let each = |batch: Vec<usize>| {
            sizes.push(batch.len());
            Ok::<_, Error>(())
        };
        let done = sources(2).for_each_batch(Box::new(pages), 64, work, each);
        done.expect("done");
        assert_eq!(sizes[0], 64);
        assert_eq!(sizes.iter().sum::<usize>(), 131);
        assert!(sizes.iter().all(|&size| size <= 64), "{sizes:?}");
    }

    #[test]
    fn an_error_ends_the_work_though_the_source_hangs() {
        let (never, wait) = channel::<()>();
        let pages = (0..2).map(move |n| {
            if n > 0 {
                // Until the end of the test.
                let _ = wait.recv();
            }
            page(n, 1)
        });
        let each = |_| Err(Error::from(SourceFault::NotFetched));
        let done = sources(2).for_each_page(Box::new(pages), id, each);
        assert_eq!(done.expect_err("of each").to_string(), "not fetched");
        drop(never);
    }

    #[test]
    fn a_panic_is_not_the_end_of_the_input() {
        let run = |pages: PageRefs, work: fn(usize, FoundPage) -> usize| {
            let each = |_| Ok::<_, Error>(());
            catch_unwind(AssertUnwindSafe(|| {
                sources(2).for_each_page(pages, work, each)
            }))
        };
        let broken = (0..9).map(|n| {
            assert!(n < 5, "the reader breaks");
            page(n, 1)
        });
        assert!(run(Box::new(broken), id).is_err());
        let whole = (0..9).map(|n| page(n, 1));
        assert!(run(Box::new(whole), |_, _| panic!("a worker breaks")).is_err());
    }

    #[test]
    fn pages_of_the_web_are_fetched_some_at_once() {
        let url = |n: usize| {
            format!("https://a.example/{n}")
                .parse()
                .expect("an address")
        };
        let found = move |n| match n {
            3 => page(n, 1),
            _ => Ok(PageRef::web(url(n))),
        };
        let web = Arc::new(Echo::default());
        let sources = Sources::new(Arc::clone(&web) as _, 1000, Arc::new(|_| {}));
        let work = |_, page: FoundPage| page.expect("a page").url();
        let mut given = Vec::new();
        let each = |url: Option<String>| {
            given.push(url.is_some());
            Ok::<_, Error>(())
        };
        let pages = Box::new((0..70).map(found));
        sources.for_each_page(pages, work, each).expect("done");
        assert_eq!(given.iter().position(|is_web| !is_web), Some(3));
        assert_eq!(given.len(), 70);
        let asked = web.0.lock().expect("unharmed");
        assert_eq!(*asked, [FETCHED_TOGETHER - 1, FETCHED_TOGETHER, 6]);
    }
}
