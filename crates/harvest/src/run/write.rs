//! Writes pages that were read, and the verdicts on their sites that follow from them.
//! Nothing is reported that is not on the disk.

use super::page_result::ReadPage;
use super::sites::Sites;
use crate::error::Result;
use forest_archive::{Archive, ArchiveChange, Event, Stored, Visit};
use forest_core::drift::Verdict;

/// A page that is on the disk.
#[derive(Debug)]
pub(super) struct WrittenPage {
    /// Its number in the archive.
    pub page: i64,
    pub site: String,
    pub visit: Visit,
    pub stored: Stored,
    /// The verdict on its site before and after it, if it changed the verdict.
    pub verdict: Option<(Verdict, Verdict)>,
}

/// Writes `changes`, then the pages in their order; then the verdicts that the pages change
/// and the watches of their sites.
pub(super) fn write_pages(
    archive: &mut Archive,
    sites: &mut Sites,
    mut changes: Vec<ArchiveChange>,
    pages: Vec<ReadPage>,
) -> Result<Vec<WrittenPage>> {
    let mut rest = Vec::with_capacity(pages.len());
    for read in pages {
        let visit = read.prepared.visit().clone();
        changes.push(ArchiveChange::Page(Box::new(read.prepared)));
        rest.push((read.page, read.site, read.at, read.sign, visit));
    }
    let stored = if changes.is_empty() {
        Vec::new()
    } else {
        archive.write(changes)?
    };
    let mut written = Vec::with_capacity(rest.len());
    let mut judged = Vec::new();
    for ((page, site, at, sign, visit), stored) in rest.into_iter().zip(stored) {
        let verdict = sites.see(&site, at, sign, stored);
        judged.extend(verdict.map(|(from, to)| {
            let event = Event::Judged {
                site: site.clone(),
                verdict: to.to_string(),
                why: format!("was {from}"),
            };
            ArchiveChange::Event { at, event }
        }));
        written.push(WrittenPage {
            page,
            site,
            visit,
            stored,
            verdict,
        });
    }
    judged.extend(sites.watches());
    if !judged.is_empty() {
        archive.write(judged)?;
    }
    Ok(written)
}
