//! A person's work on the wrapper of a site: its newest pages to see the effect on, and the file
//! that is saved, and its stored articles, which are read again.

use super::learning::sample_page;
use crate::error::Result;
use crate::schedule::archive_options;
use chrono::{DateTime, SecondsFormat, Utc};
use forest_archive::{
    Archive, ArchiveReader, ReextractOptions, RereadReceipt, SiteFile, UrgentRequest, paths,
    replace_wrapper, request_now, wrapper_file,
};
use forest_core::learn::SamplePage;
use forest_core::wrapper::Wrapper;
use std::path::Path;

/// Bytes of the pages at the most, unpacked; the first page counts whatever its size.
const MAX_PAGES_BYTES: usize = 20_000_000;

/// A site's wrapper and its newest pages.
#[derive(Debug)]
pub struct SiteWork {
    /// The wrapper's file.
    pub file: Option<SiteFile>,
    /// The newest pages, the newest first.
    pub pages: Vec<SamplePage>,
    /// The number of the site's stored articles.
    pub articles: u64,
}

impl SiteWork {
    /// The work on a site: its wrapper, and so many of its newest pages at the most.
    ///
    /// # Errors
    ///
    /// If the archive or the file cannot be read.
    pub fn of(dir: &Path, site: &str, count: usize) -> Result<SiteWork> {
        let reader = ArchiveReader::open(dir)?;
        let mut bytes = 0;
        let pages = reader.latest_pages(site, count)?;
        let fitting = pages.iter().take_while(|page| {
            let is_first = bytes == 0;
            bytes += page.raw.body.len();
            is_first || bytes <= MAX_PAGES_BYTES
        });
        let status = reader.site_status(site)?;
        Ok(SiteWork {
            articles: status.map_or(0, |status| status.articles),
            pages: fitting.map(sample_page).collect(),
            file: wrapper_file(&paths::sites(dir), site)?,
        })
    }
}

/// A wrapper to be saved.
#[derive(Debug)]
pub struct SavedWork<'a> {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// SHA-256 of the file that it was made from, in hex; `None`: there was none.
    pub made_from: Option<&'a str>,
    /// A person typed some of its expressions: its file counts as edited by hand.
    pub by_hand: bool,
}

impl SavedWork<'_> {
    /// Writes the file of a site's wrapper, with the one before in its history. A harvest that
    /// runs takes it over. A sentence for people, or the reason why nothing changed: the file is
    /// another one by now.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn save(
        self,
        dir: &Path,
        site: &str,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<String, String>> {
        let known = wrapper_file(&paths::sites(dir), site)?;
        if known.as_ref().map(|file| &*file.sha256) != self.made_from {
            return Ok(Err(
                "the wrapper was changed elsewhere since this work began: begin again".to_owned(),
            ));
        }
        let wrapper = match known {
            Some(SiteFile { file, .. }) => {
                let at = now.to_rfc3339_opts(SecondsFormat::Secs, true);
                self.wrapper.in_place_of(file.wrapper, &at)
            }
            None => self.wrapper,
        };
        replace_wrapper(dir, &wrapper, self.by_hand)?;
        Ok(Ok("Saved. The harvest takes it over.".to_owned()))
    }
}

/// Reads the stored articles of a site again by its wrapper's file. Calls `progress` after each
/// version. If a harvest runs, it does so and leaves a receipt with this name; then `None`.
///
/// # Errors
///
/// If the archive cannot be read or written.
pub fn reread_stored(
    dir: &Path,
    site: &str,
    receipt: &str,
    now: DateTime<Utc>,
    progress: &mut dyn FnMut(),
) -> Result<Option<RereadReceipt>> {
    let options = ReextractOptions {
        site: Some(site.to_owned()),
        receipt: Some(receipt.to_owned()),
        ..ReextractOptions::default()
    };
    let mut archive = match Archive::open(dir, archive_options()) {
        Err(error) if error.is_archive_locked() => {
            request_now(dir, now, UrgentRequest::Reextract(options))?;
            return Ok(None);
        }
        opened => opened?,
    };
    let mut done = RereadReceipt::default();
    let report = archive.reextract(&options, now, &mut |text| match text {
        Some(text) => done.note(&text.url),
        None => progress(),
    })?;
    Ok(Some(done.with_counts(&report)))
}
