//! Pages of a web archive.

use super::{Beside, Here, Input, Lead, Leads, Place, Trouble};
use anyhow::Context;
use forest::warc::{WarcReader, WarcWarning};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The pages of a WARC, one after the other. Answers that are no success are
/// passed over: they are not pages of the site. A page has at most `limit` bytes.
pub fn pages(name: &str, input: Input, limit: usize) -> anyhow::Result<Leads> {
    read(name, input.all(), limit)
}

/// The pages of a WACZ, of one of its WARC files after the other.
pub fn wacz_pages(name: &str, file: &Path, limit: usize) -> anyhow::Result<Leads> {
    let mut leads: Vec<Leads> = Vec::new();
    for (name, own) in wacz_files(name, file)? {
        leads.push(read(&name, own, limit)?);
    }
    Ok(Box::new(leads.into_iter().flatten()))
}

/// A WARC file that is read, and its name for messages.
pub type Named = (String, Box<dyn BufRead + Send>);

/// The WARC files in a WACZ.
pub fn wacz_files(name: &str, file: &Path) -> anyhow::Result<Vec<Named>> {
    let open = || File::open(file).with_context(|| format!("cannot read {name}"));
    let archives = forest::warc::archives(BufReader::new(open()?));
    let mut found: Vec<Named> = Vec::new();
    for archive in archives.with_context(|| name.to_owned())? {
        let name = format!("{name}: {}", archive.name);
        let own = archive.open(open()?).with_context(|| name.clone())?;
        found.push((name, Box::new(BufReader::new(own))));
    }
    Ok(found)
}

fn read(name: &str, input: impl BufRead + Send + 'static, limit: usize) -> anyhow::Result<Leads> {
    let name = name.to_owned();
    let reader = WarcReader::new(input).with_context(|| name.clone())?;
    let reader = reader.with_page_limit(limit);
    let leads = reader.filter_map(move |record| match record {
        Ok(page) if page.status.is_some_and(|s| !(200..300).contains(&s)) => None,
        Ok(page) => Some(Ok(Lead {
            id: None,
            folder: None,
            item: None,
            place: Place::Here(Box::new(Here {
                url: Some(page.url),
                bytes: page.payload,
                content_type: page.content_type,
                date: page.date.map(|date| {
                    date.to_utc()
                        .to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
                }),
                beside: Beside::Read,
            })),
        })),
        Err(warning) => {
            let url = match &warning {
                WarcWarning::TooLarge { url, .. }
                | WarcWarning::Coding { url, .. }
                | WarcWarning::Segmented { url } => Some(url.clone()),
                _ => None,
            };
            Some(Err(Trouble {
                id: url.clone().unwrap_or_else(|| name.clone()),
                url,
                reason: format!("{name}: {warning}"),
            }))
        }
    });
    Ok(Box::new(leads))
}
