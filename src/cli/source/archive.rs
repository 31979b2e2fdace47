//! Pages of a web archive.

use super::{FurtherPages, InputStream, PageContent, PageError, PageRef, PageRefs};
use crate::cli::when::time;
use crate::warc::{WarcReader, WarcWarning};
use anyhow::Context;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The pages of a WARC in their order, each of at most `limit` bytes. Responses that are no
/// success are left out: they are not pages of the site.
pub fn pages(name: &str, input: InputStream, limit: usize) -> anyhow::Result<PageRefs> {
    read(name, input.all(), limit)
}

/// The pages of the WARC files in a WACZ, in their order.
pub fn wacz_pages(name: &str, file: &Path, limit: usize) -> anyhow::Result<PageRefs> {
    let files = wacz_files(name, file)?.into_iter();
    let pages: anyhow::Result<Vec<PageRefs>> =
        files.map(|(name, own)| read(&name, own, limit)).collect();
    Ok(Box::new(pages?.into_iter().flatten()))
}

/// A WARC file, and its name for messages.
pub type NamedReader = (String, Box<dyn BufRead + Send>);

/// The WARC files in a WACZ.
pub fn wacz_files(name: &str, file: &Path) -> anyhow::Result<Vec<NamedReader>> {
    let open = || File::open(file).with_context(|| format!("cannot read {name}"));
    let archives = crate::warc::archives(BufReader::new(open()?));
    let mut found: Vec<NamedReader> = Vec::new();
    for archive in archives.with_context(|| name.to_owned())? {
        let name = format!("{name}: {}", archive.name);
        let own = archive.open(open()?).with_context(|| name.clone())?;
        found.push((name, Box::new(BufReader::new(own))));
    }
    Ok(found)
}

fn read(
    name: &str,
    input: impl BufRead + Send + 'static,
    limit: usize,
) -> anyhow::Result<PageRefs> {
    let name = name.to_owned();
    let reader = WarcReader::new(input).with_context(|| name.clone())?;
    let reader = reader.with_page_limit(limit);
    let pages = reader.filter_map(move |record| match record {
        Ok(page) if page.status.is_some_and(|s| !(200..300).contains(&s)) => None,
        Ok(page) => Some(Ok(PageRef::of_content(PageContent {
            url: Some(page.url),
            bytes: page.payload,
            content_type: page.content_type,
            date: page.date.map(|date| time(date.to_utc())),
            further: FurtherPages::Together,
        }))),
        Err(warning) => {
            let url = match &warning {
                WarcWarning::TooLarge { url, .. }
                | WarcWarning::Coding { url, .. }
                | WarcWarning::Segmented { url } => Some(url.clone()),
                _ => None,
            };
            Some(Err(PageError {
                id: url.clone().unwrap_or_else(|| name.clone()),
                url,
                reason: format!("{name}: {warning}"),
            }))
        }
    });
    Ok(Box::new(pages))
}
