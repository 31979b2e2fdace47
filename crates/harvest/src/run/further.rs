//! Articles over several pages: the pages after the first, requested one by one.
//!
//! Takes an article whose first page was read ([`Unfinished`]) and the response for its next
//! page; gives the next [`ReadingStep`]. After a transient failure the archive's copy of the
//! page is taken. Without a copy the page is missing for now, and the article is visited again
//! within hours.

use super::page_result::{
    FetchedPage, PageReading, ReadPage, arrival_of, finish, is_confirmed, not_a_page,
};
use forest_archive::{ArticlePart, KnownAddress, RawPage};
use forest_core::drift::PageSign;
use forest_core::extract::{Extractor, PagedArticle};
use forest_fetch::Visited;
use forest_html::address::page_key;
use forest_html::error::CRASHED;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// An article while its further pages are fetched.
#[derive(Debug)]
pub(super) struct Unfinished {
    first: FetchedPage,
    whole: PagedArticle<Arc<Extractor>>,
    sign: Option<PageSign>,
    parts: Vec<ArticlePart>,
    missing: Option<String>,
}

/// The result of reading a page so far.
#[derive(Debug)]
pub(super) enum ReadingStep {
    Read(Box<ReadPage>),
    /// Its article continues on another page.
    GoesOn(Box<Unfinished>),
}

/// The response for a further page, or the reason why there is none.
#[derive(Debug)]
pub(super) struct FurtherResponse {
    pub visited: std::result::Result<Visited, String>,
    /// The failure is the host's and not the page's: the page may be received another time.
    pub is_transient: bool,
}

impl FurtherResponse {
    /// A page that is not requested.
    pub fn refused(why: &str) -> FurtherResponse {
        FurtherResponse {
            visited: Err(why.to_owned()),
            is_transient: false,
        }
    }
}

impl Unfinished {
    pub fn new(
        first: FetchedPage,
        whole: Box<PagedArticle<Arc<Extractor>>>,
        sign: Option<PageSign>,
    ) -> Unfinished {
        Unfinished {
            first,
            whole: *whole,
            sign,
            parts: Vec::new(),
            missing: None,
        }
    }

    /// The number of its first page in the archive.
    pub fn page(&self) -> i64 {
        self.first.page
    }

    /// The address of its next page.
    pub fn wanted(&self) -> &str {
        self.whole.wanted().unwrap_or_default()
    }

    /// Takes the response for its next page; `known`: the archive's state of that page.
    pub fn go_on(
        mut self: Box<Self>,
        known: &KnownAddress,
        response: FurtherResponse,
    ) -> ReadingStep {
        let taken = catch_unwind(AssertUnwindSafe(|| self.take(known, response)));
        if taken.is_ok() && self.whole.wanted().is_some() {
            return ReadingStep::GoesOn(self);
        }
        let reading = match taken {
            Err(_) => Err(Some(CRASHED.to_owned())),
            Ok(()) => Ok(PageReading {
                article: self.whole.finish(),
                sign: self.sign,
                parts: self.parts,
                missing: self.missing,
            }),
        };
        ReadingStep::Read(Box::new(finish(self.first, reading)))
    }

    fn take(&mut self, known: &KnownAddress, response: FurtherResponse) {
        let url = self.wanted().to_owned();
        let is_transient = response.is_transient;
        let page = response
            .visited
            .and_then(|visited| self.page_of(visited, known));
        match page {
            Ok((raw, visited)) => self.add(url, raw, known, Some(visited)),
            Err(why) => match self.page_before(known).filter(|_| is_transient) {
                // A failure of the server does not shorten the article.
                Some(raw) => self.add(url, raw, known, None),
                None => {
                    self.whole.miss(&why);
                    if is_transient && self.whole.wanted().is_none() {
                        self.missing = Some(url);
                    }
                }
            },
        }
    }

    /// The page in a response, and the response without its body.
    fn page_of(
        &self,
        mut visited: Visited,
        known: &KnownAddress,
    ) -> std::result::Result<(RawPage, Visited), String> {
        if let Some(raw) = known.raw.as_ref().filter(|_| is_confirmed(&visited, known)) {
            let raw = self.first.raw.read(raw);
            return Ok((raw.map_err(|error| error.to_string())?, visited));
        }
        match (visited.status, not_a_page(&visited.body)) {
            (200..=299, None) => {
                let raw = RawPage {
                    url: visited.url.to_string(),
                    at: self.first.at,
                    content_type: visited.content_type.clone(),
                    body: std::mem::take(&mut visited.body),
                };
                Ok((raw, visited))
            }
            (200..=299, Some(why)) => Err(why),
            (status, _) => Err(format!("status {status}")),
        }
    }

    /// The page in the latest version of the article.
    fn page_before(&self, known: &KnownAddress) -> Option<RawPage> {
        let parts = &self.first.known.latest.as_ref()?.parts;
        let part = parts.iter().find(|part| page_key(&part.url) == known.key)?;
        self.first.raw.read(part.raw.as_ref()?).ok()
    }

    /// Adds a page, if it is one of the article; `visited`: its response, without the body.
    fn add(&mut self, url: String, raw: RawPage, known: &KnownAddress, visited: Option<Visited>) {
        let page = raw.parse(Some(self.whole.extractor()));
        if !self.whole.add(&page) {
            return;
        }
        self.parts.push(match visited {
            None => ArticlePart::kept(url),
            Some(mut visited) => {
                visited.body = raw.body;
                ArticlePart::of_arrival(arrival_of(url, self.first.at, visited, known), known)
            }
        });
    }
}
