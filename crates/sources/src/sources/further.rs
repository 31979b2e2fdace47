//! Further pages of articles: from the page's folder, from the web, or from the pages that are
//! read together from an archive or JSON lines.
//!
//! Of the last ones the nearest is taken, within a window before and behind the article, and a
//! search waits for what is not read yet. So the result depends only on the article's own place
//! in the input, and not on the order in which pages are worked on.

use super::each::is_window;
use super::folder::{LocalPages, page_of};
use super::handle::Sources;
use super::load::{LoadedPage, load};
use super::pages::{FoundPage, FurtherPages, PageContent, PageLocation, PageRef, PageRefs, size};
use forest_html::address::page_key;
use forest_html::error::with_causes;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use url::Url;

/// Finds the further pages of the articles of a source.
pub struct FurtherFinder {
    sources: Sources,
    folders: Mutex<HashMap<PathBuf, Arc<LocalPages>>>,
    together: Arc<TogetherPages>,
}

impl FurtherFinder {
    /// A finder for the articles of `pages`, and the pages as they are to be read.
    pub fn of(sources: &Sources, mut pages: PageRefs) -> (FurtherFinder, PageRefs) {
        let together = Arc::new(TogetherPages::default());
        let finder = FurtherFinder {
            sources: sources.clone(),
            folders: Mutex::default(),
            together: Arc::clone(&together),
        };
        let read = std::iter::from_fn(move || match pages.next() {
            Some(page) => {
                together.add(&page);
                Some(page)
            }
            None => {
                together.end();
                None
            }
        });
        (finder, Box::new(read))
    }

    /// The page of `address`, which the article at the place `at` of the input goes on at. Of
    /// a page that will be fetched `before_fetch` hears the address.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read.
    pub fn find(
        &self,
        at: usize,
        further: &FurtherPages,
        address: &str,
        before_fetch: impl FnOnce(&Url) -> crate::Result<()>,
    ) -> Result<LoadedPage, String> {
        let page = match further {
            FurtherPages::Folder(dir) => Ok(self.in_folder(dir, address)?),
            FurtherPages::Web => self.fetch(address, before_fetch)?,
            FurtherPages::Together => {
                let found = self.together.find(at, &page_key(address));
                let content = found.ok_or("it is not among the pages that were read together")?;
                Ok(PageRef::new(PageLocation::Content(content)))
            }
        };
        load(page, self.sources.page_limit()).map_err(|error| error.reason)
    }

    /// The results before this place of the input are done with.
    pub fn done_before(&self, at: usize) {
        self.together.leave_before(at);
    }

    /// Ends all searches: nobody needs their results.
    pub fn end(&self) {
        self.together.end();
    }

    fn in_folder(&self, dir: &Path, address: &str) -> Result<PageRef, String> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = folders.entry(dir.to_owned());
        let pages = Arc::clone(pages.or_insert_with(|| Arc::new(LocalPages::of(dir))));
        drop(folders);
        let page = pages.at(address).map(page_of);
        page.ok_or_else(|| "no page in the folder has this address".to_owned())
    }

    fn fetch(
        &self,
        address: &str,
        before_fetch: impl FnOnce(&Url) -> crate::Result<()>,
    ) -> Result<FoundPage, String> {
        let url = Url::parse(address).map_err(|_| "this is no address")?;
        let fetched =
            before_fetch(&url).and_then(|()| self.sources.fetch(vec![Ok(PageRef::web(url))]));
        let mut fetched = fetched.map_err(|error| with_causes(&error))?;
        Ok(fetched.pop().expect("a page for each reference"))
    }
}

/// The pages around those that are worked on.
#[derive(Debug, Default)]
struct TogetherPages {
    near: Mutex<NearPages>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct NearPages {
    /// The place of the first one in the input.
    first: usize,
    pages: VecDeque<NearPage>,
    /// The place of the first page whose result is not done with.
    oldest: usize,
    is_ended: bool,
}

#[derive(Debug)]
struct NearPage {
    bytes: u64,
    /// The key of its address and its bytes, if other pages may lead to it.
    content: Option<(String, Arc<PageContent>)>,
}

impl TogetherPages {
    fn near(&self) -> MutexGuard<'_, NearPages> {
        self.near.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the next page of the input.
    fn add(&self, page: &FoundPage) {
        let content = match page.as_ref().map(|page| &page.location) {
            Ok(PageLocation::Content(content)) => Some(content),
            _ => None,
        };
        let content = content.filter(|content| content.further == FurtherPages::Together);
        let keyed = |content: &Arc<PageContent>| {
            let key = page_key(content.url.as_deref()?);
            Some((key, Arc::clone(content)))
        };
        self.near().pages.push_back(NearPage {
            bytes: size(page),
            content: content.and_then(keyed),
        });
        self.changed.notify_all();
    }

    fn end(&self) {
        self.near().is_ended = true;
        self.changed.notify_all();
    }

    /// The page of a key: the nearest before the one at `at`, else the nearest behind it.
    fn find(&self, at: usize, key: &str) -> Option<Arc<PageContent>> {
        let mut near = self.near();
        loop {
            match near.find(at, key) {
                NearSearch::Found(content) => return Some(content),
                NearSearch::Nowhere => return None,
                NearSearch::NotRead => {
                    let changed = self.changed.wait(near);
                    near = changed.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn leave_before(&self, at: usize) {
        let mut near = self.near();
        near.oldest = at;
        near.forget();
    }
}

/// The result of a search.
enum NearSearch {
    Found(Arc<PageContent>),
    Nowhere,
    /// It may be among the pages that are read next.
    NotRead,
}

#[cfg(test)]
impl NearSearch {
    fn is_found(&self) -> bool {
        matches!(self, NearSearch::Found(_))
    }
}

/// The pages of a window, from the first one on.
fn window<'a>(
    pages: impl Iterator<Item = &'a NearPage> + Clone,
) -> impl Iterator<Item = &'a NearPage> + Clone {
    let (mut before, mut bytes) = (0, 0);
    pages.take_while(move |page| {
        let is_in = !is_window(before, bytes);
        before += 1;
        bytes += page.bytes;
        is_in
    })
}

impl NearPage {
    fn of_key(&self, wanted: &str) -> Option<Arc<PageContent>> {
        let (key, content) = self.content.as_ref()?;
        (key == wanted).then(|| Arc::clone(content))
    }
}

impl NearPages {
    fn find(&self, at: usize, key: &str) -> NearSearch {
        let own = at - self.first;
        let before = window(self.pages.range(..own).rev());
        let from_own = self.pages.range(own..);
        let mut near = before.chain(window(from_own.clone()).skip(1));
        if let Some(content) = near.find_map(|page| page.of_key(key)) {
            return NearSearch::Found(content);
        }
        let bytes = from_own.map(|page| page.bytes).sum();
        if self.is_ended || is_window(self.pages.len() - own, bytes) {
            NearSearch::Nowhere
        } else {
            NearSearch::NotRead
        }
    }

    /// Drops the pages before the window of the oldest one.
    fn forget(&mut self) {
        let before = self.pages.range(..self.oldest - self.first).rev();
        let gone = before.len() - window(before).count();
        self.pages.drain(..gone);
        self.first += gone;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(n: usize, bytes: usize) -> FoundPage {
        Ok(PageRef::of_content(PageContent {
            url: Some(format!("https://a.example/{n}")),
            bytes: vec![0; bytes],
            ..PageContent::default()
        }))
    }

    fn key(n: usize) -> String {
        page_key(&format!("https://a.example/{n}"))
    }

    #[test]
    fn the_nearest_page_is_found_before_and_behind_within_a_window() {
        let together = TogetherPages::default();
        for n in 0..1000 {
            together.add(&page(n, 1));
        }
        together.end();
        let check = |at: usize, wanted: usize, expected: bool| {
            let found = together.find(at, &key(wanted)).is_some();
            assert_eq!(found, expected, "{wanted} from {at}");
        };
        check(500, 499, true);
        check(500, 500 - 256, true);
        check(500, 500 - 257, false);
        check(500, 501, true);
        check(500, 500 + 255, true);
        check(500, 500 + 256, false);
        // The article itself is no further page.
        check(500, 500, false);
        check(999, 998, true);
    }

    #[test]
    fn large_pages_make_the_window_small() {
        let together = TogetherPages::default();
        for n in 0..60 {
            together.add(&page(n, 2_000_000));
        }
        together.end();
        assert!(together.find(30, &key(30 - 16)).is_some());
        assert!(together.find(30, &key(30 - 17)).is_none());
        assert!(together.find(30, &key(30 + 15)).is_some());
        assert!(together.find(30, &key(30 + 16)).is_none());
    }

    #[test]
    fn a_search_waits_for_pages_that_are_read_later() {
        let together = TogetherPages::default();
        together.add(&page(0, 1));
        std::thread::scope(|scope| {
            let found = scope.spawn(|| together.find(0, &key(7)));
            let lost = scope.spawn(|| together.find(0, &key(8)));
            together.add(&page(1, 1));
            together.add(&page(7, 1));
            together.end();
            assert!(found.join().expect("no panic").is_some());
            assert!(lost.join().expect("no panic").is_none());
        });
    }

    #[test]
    fn a_search_ends_with_a_full_window_though_the_input_goes_on() {
        let together = TogetherPages::default();
        for n in 0..256 {
            together.add(&page(n, 1));
        }
        assert!(together.find(0, &key(300)).is_none());
    }

    #[test]
    fn pages_that_nobody_can_reach_are_dropped_and_no_others() {
        let together = TogetherPages::default();
        for n in 0..2000 {
            together.add(&page(n, 1));
            together.leave_before(n);
            assert!(together.near().pages.len() <= 2 * 256, "{n}");
            let first = n.saturating_sub(256);
            assert_eq!(
                together.near().find(n, &key(first)).is_found(),
                n > 0,
                "{n}"
            );
        }
    }
}
