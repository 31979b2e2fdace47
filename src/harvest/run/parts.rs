//! Articles over several pages: the pages after the first, asked for one by one, each
//! before whatever else waits for its host.
//!
//! Takes an article whose first page was read ([`Unfinished`]) and what came for the page
//! that it goes on at; gives the next [`Step`]. A page that could not be had for a reason
//! that passes is taken as the archive has it, or is missing for now: its article is
//! visited again within hours.

use super::reading::{CRASHED, Job, Made, Step, arrival_of, arrived, is_confirmed, not_a_page};
use super::{Errand, Harvest, Work};
use crate::archive::{Known, Part, RawPage, key_of};
use crate::drift::PageSign;
use crate::error::Result;
use crate::extract::{Extractor, PagedArticle};
use crate::fetch::{Resource, Visit, Visited};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use url::Url;

/// An article while its further pages come.
#[derive(Debug)]
pub(super) struct Unfinished {
    pub job: Job,
    whole: PagedArticle<Arc<Extractor>>,
    sign: Option<PageSign>,
    parts: Vec<Part>,
    missing: Option<String>,
}

/// What came for a further page: an answer, or why there is none. `passes`: it says
/// something of the host and nothing of the page, and may be another time.
pub(super) struct Came {
    pub visited: std::result::Result<Visited, String>,
    pub passes: bool,
}

impl Unfinished {
    pub fn new(
        job: Job,
        whole: Box<PagedArticle<Arc<Extractor>>>,
        sign: Option<PageSign>,
    ) -> Unfinished {
        Unfinished {
            job,
            whole: *whole,
            sign,
            parts: Vec::new(),
            missing: None,
        }
    }

    /// The address of the page that is wanted.
    pub fn wanted(&self) -> &str {
        self.whole.wanted().unwrap_or_default()
    }

    /// Takes what came for the page that is wanted, of which `known` was known.
    pub fn go_on(mut self: Box<Self>, known: &Known, came: Came) -> Step {
        let done = catch_unwind(AssertUnwindSafe(|| self.take(known, came)));
        if done.is_err() {
            let crashed = Err(Some(CRASHED.to_owned()));
            return Step::Read(Box::new(arrived(self.job, crashed)));
        }
        if self.whole.wanted().is_some() {
            return Step::GoesOn(self);
        }
        let made = Made {
            article: self.whole.finish(),
            sign: self.sign,
            parts: self.parts,
            missing: self.missing,
        };
        Step::Read(Box::new(arrived(self.job, Ok(made))))
    }

    fn take(&mut self, known: &Known, came: Came) {
        let url = self.wanted().to_owned();
        let Came { visited, passes } = came;
        let page = visited.and_then(|visited| self.page_of(visited, known));
        match page {
            Ok((raw, visited)) => self.add(url, raw, known, Some(visited)),
            Err(why) => match self.page_before(known).filter(|_| passes) {
                // Its article did not become shorter because its server failed.
                Some(raw) => self.add(url, raw, known, None),
                None => {
                    self.whole.miss(&why);
                    if passes && self.whole.wanted().is_none() {
                        self.missing = Some(url);
                    }
                }
            },
        }
    }

    /// The page in an answer, or why there is none; the answer is without its body.
    fn page_of(
        &self,
        mut visited: Visited,
        known: &Known,
    ) -> std::result::Result<(RawPage, Visited), String> {
        if let Some(raw) = known.raw.as_ref().filter(|_| is_confirmed(&visited, known)) {
            let raw = self.job.raw.read(raw).map_err(|error| error.to_string())?;
            return Ok((raw, visited));
        }
        match (visited.status, not_a_page(&visited.body)) {
            (200..=299, None) => {
                let raw = RawPage {
                    url: visited.url.to_string(),
                    at: self.job.at,
                    content_type: visited.content_type.clone(),
                    body: std::mem::take(&mut visited.body),
                };
                Ok((raw, visited))
            }
            (200..=299, Some(why)) => Err(why),
            (status, _) => Err(format!("status {status}")),
        }
    }

    /// The page as the latest version of the article has it.
    fn page_before(&self, known: &Known) -> Option<RawPage> {
        let parts = &self.job.known.latest.as_ref()?.parts;
        let part = parts.iter().find(|part| key_of(&part.url) == known.key)?;
        self.job.raw.read(part.raw.as_ref()?).ok()
    }

    /// Adds a page, if it is one of the article; `visited` brought it, without its body.
    fn add(&mut self, url: String, raw: RawPage, known: &Known, visited: Option<Visited>) {
        let page = raw.parse(Some(self.whole.extractor()));
        if !self.whole.add(&page) {
            return;
        }
        self.parts.push(match visited {
            None => Part::kept(url),
            Some(mut visited) => {
                visited.body = raw.body;
                Part::came(arrival_of(url, self.job.at, visited, known), known)
            }
        });
    }
}

impl Harvest<'_> {
    /// Asks for the page that an article goes on at.
    pub(super) fn go_on(&self, work: &mut Work<'_>, unfinished: Box<Unfinished>) -> Result<()> {
        let known = self.archive.known(unfinished.wanted())?;
        match Url::parse(unfinished.wanted()) {
            Ok(url) if !known.forgotten => {
                let visit = Visit {
                    etag: known.etag.clone(),
                    last_modified: known.last_modified.clone(),
                    ..Visit::new(url, Resource::Page)
                };
                let known = Box::new(known);
                work.submit_first(Errand::Part { unfinished, known }, visit);
            }
            _ => {
                let came = Came {
                    visited: Err("it is not to be visited".to_owned()),
                    passes: false,
                };
                work.read_on(unfinished, known, came);
            }
        }
        Ok(())
    }
}

impl Work<'_> {
    /// Reads on with what came for the page that was wanted.
    pub(super) fn read_on(&mut self, unfinished: Box<Unfinished>, known: Known, came: Came) {
        let send = self.read.0.clone();
        self.reading += 1;
        rayon::spawn(move || {
            // Nobody waits for it any more if the harvest has failed.
            let _ = send.send(unfinished.go_on(&known, came));
        });
    }
}
