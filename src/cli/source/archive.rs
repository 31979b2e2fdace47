//! Pages of a web archive.

use super::{Beside, Here, Input, Lead, Leads, Place, Trouble};
use anyhow::Context;
use forest::warc::{Reader, Warning};

/// The pages of a WARC, one after the other. Answers that are no success are
/// passed over: they are not pages of the site. A page has at most `limit` bytes.
pub fn pages(name: &str, input: Input, limit: usize) -> anyhow::Result<Leads> {
    let name = name.to_owned();
    let reader = Reader::new(input.all()).with_context(|| name.clone())?;
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
                Warning::TooLarge { url, .. }
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
