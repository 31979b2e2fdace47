//! Further pages of articles: from where the first page is from.
//!
//! Round by round, one page of each article of a chunk; those that are on the web
//! several hosts at once.

use super::record::Draft;
use crate::cli::source::{
    Beside, Lead, Loaded, LocalPages, Place, Sources, Trouble, key, load, page_of,
};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use url::Url;

/// Finds further pages; knows the folders that it looked into.
#[derive(Default)]
pub struct Parts {
    folders: HashMap<PathBuf, LocalPages>,
}

/// Where a page that is wanted is.
enum At<'p> {
    /// It was read with the others.
    Read(&'p Loaded),
    File(PathBuf),
    /// Its index among those that were fetched.
    Fetched(usize),
    Nowhere(&'static str),
}

impl Parts {
    /// Adds to the drafts of `read` what they want, until they want nothing more.
    ///
    /// # Errors
    ///
    /// If the network cannot be used.
    pub fn add_to(
        &mut self,
        drafts: &mut [Draft],
        read: &[Result<Loaded, Trouble>],
        sources: &Sources<'_>,
        pool: &rayon::ThreadPool,
    ) -> anyhow::Result<()> {
        let together: HashMap<String, &Loaded> = read
            .iter()
            .flatten()
            .filter(|page| !matches!(page.here.beside, Beside::Folder(_)))
            .filter_map(|page| Some((key(page.here.url.as_deref()?), page)))
            .collect();
        loop {
            let mut leads = Leads::default();
            let mut wanting: Vec<(&mut Draft, At<'_>)> = Vec::new();
            for (draft, page) in drafts.iter_mut().zip(read) {
                if let (Some(address), Ok(page)) = (draft.wanted(), page) {
                    let at = match (&page.here.beside, together.get(&key(address))) {
                        (Beside::Folder(dir), _) => self.in_folder(dir, address),
                        (_, Some(page)) => At::Read(page),
                        (Beside::Web, None) => leads.ask(address),
                        (Beside::Read, None) => {
                            At::Nowhere("it is not among the pages that were read together")
                        }
                    };
                    wanting.push((draft, at));
                }
            }
            if wanting.is_empty() {
                return Ok(());
            }
            let fetched = sources.fetch(leads.leads, || {})?;
            let fetched: Vec<_> = fetched
                .into_iter()
                .map(|lead| lead.and_then(load))
                .collect();
            pool.install(|| {
                wanting.into_par_iter().for_each(|(draft, at)| match at {
                    At::Read(page) => draft.add(Ok(page)),
                    At::File(path) => draft.add(part(&load(page_of(&path)))),
                    At::Fetched(at) => draft.add(part(&fetched[at])),
                    At::Nowhere(why) => draft.add(Err(why)),
                });
            });
        }
    }

    fn in_folder<'p>(&mut self, dir: &Path, address: &str) -> At<'p> {
        let known = self.folders.entry(dir.to_owned());
        let pages = known.or_insert_with(|| LocalPages::of(dir));
        match pages.at(address) {
            Some(file) => At::File(file.to_owned()),
            None => At::Nowhere("no page in the folder has this address"),
        }
    }
}

fn part(loaded: &Result<Loaded, Trouble>) -> Result<&Loaded, &str> {
    loaded.as_ref().map_err(|trouble| &*trouble.reason)
}

/// Pages to fetch, each once.
#[derive(Default)]
struct Leads {
    leads: Vec<Result<Lead, Trouble>>,
    known: HashMap<String, usize>,
}

impl Leads {
    fn ask<'p>(&mut self, address: &str) -> At<'p> {
        let Ok(url) = Url::parse(address) else {
            return At::Nowhere("this is no address");
        };
        let at = *self.known.entry(key(address)).or_insert(self.leads.len());
        if at == self.leads.len() {
            self.leads.push(Ok(Lead {
                id: None,
                folder: None,
                item: None,
                place: Place::Web(url),
            }));
        }
        At::Fetched(at)
    }
}
