//! Pages of a web archive.

use super::{Beside, Here, Lead, Leads, Place, Trouble};
use anyhow::Context;
use forest::warc::{Reader, Warning};
use std::io::BufRead;

/// The pages of a WARC, one after the other. Answers that are no success are
/// passed over: they are not pages of the site.
pub fn pages<'a>(name: &str, input: impl BufRead + 'a) -> anyhow::Result<Leads<'a>> {
    let name = name.to_owned();
    let reader = Reader::new(input).with_context(|| name.clone())?;
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
                Warning::TooLarge { url }
                | Warning::Coding { url, .. }
                | Warning::Segmented { url } => Some(url.clone()),
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
