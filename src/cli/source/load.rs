//! Leads to bytes.

use super::{Beside, Here, Lead, Place, Sources, Trouble, file, folder};
use forest::extract::Extractor;
use forest::feed::{FeedItem, SniffedType, sniff};
use forest::page::{Page, Source};
use forest::prose::input::has_markup;

/// A page as bytes, with what is known of it.
#[derive(Debug)]
pub struct Loaded {
    /// `<folder>/<stem>`, else its final address.
    pub id: String,
    /// The folder's name, which may be a site's.
    pub folder: Option<String>,
    /// What a feed says of it.
    pub item: Option<FeedItem>,
    pub here: Here,
    /// Bytes of it that are read at the most.
    limit: usize,
}

impl Loaded {
    /// Parses it.
    pub fn parse(&self) -> Page {
        Page::parse_within(&self.here.bytes, self.source(), self.limit, |text| text)
    }

    /// Parses it as the wrapper wants it.
    pub fn parse_for(&self, extractor: &Extractor) -> Page {
        extractor.parse_within(&self.here.bytes, self.source(), self.limit)
    }

    fn source(&self) -> Source<'_> {
        Source {
            url: self.here.url.as_deref(),
            content_type: self.here.content_type.as_deref(),
        }
    }
}

impl Lead {
    /// A document at hand.
    pub fn of_bytes(id: &str, bytes: Vec<u8>) -> Lead {
        Lead {
            id: Some(id.to_owned()),
            folder: None,
            item: None,
            place: Place::Here(Box::new(Here {
                bytes,
                ..Here::default()
            })),
        }
    }

    /// The page's address, as far as it is known before it is fetched.
    pub fn url(&self) -> Option<String> {
        match &self.place {
            Place::Web(url) => Some(url.to_string()),
            Place::Here(here) => here.url.clone(),
            Place::File(path) => folder::address_of(path),
        }
    }
}

impl Sources<'_> {
    /// Fetches those pages that are on the web, several hosts at once. The others
    /// stay where they are.
    pub fn fetch(
        &self,
        leads: Vec<Result<Lead, Trouble>>,
        mut on_done: impl FnMut(),
    ) -> anyhow::Result<Vec<Result<Lead, Trouble>>> {
        let urls: Vec<_> = leads
            .iter()
            .filter_map(|lead| match lead {
                Ok(Lead {
                    place: Place::Web(url),
                    ..
                }) => Some(url.clone()),
                _ => None,
            })
            .collect();
        if urls.is_empty() {
            return Ok(leads);
        }
        let mut answers = self.network.get_pages(&urls, &mut on_done)?.into_iter();
        let fetched = leads.into_iter().map(|lead| {
            let mut lead = lead?;
            let Place::Web(url) = &lead.place else {
                return Ok(lead);
            };
            let answer = answers.next().expect("an answer for each address");
            let shown = url.to_string();
            match answer {
                Ok(answer) => {
                    lead.place = Place::Here(Box::new(Here {
                        url: Some(answer.url.into()),
                        bytes: answer.bytes,
                        content_type: answer.content_type,
                        date: Some(answer.date),
                        beside: Beside::Web,
                    }));
                    Ok(lead)
                }
                Err(error) => Err(Trouble {
                    id: shown.clone(),
                    url: Some(shown),
                    reason: format!("{error:#}"),
                }),
            }
        });
        Ok(fetched.collect())
    }
}

/// The bytes of a page that is at hand or in a file. A page that is still on the
/// web is trouble: [`Sources::fetch`] comes first. A page has at most `limit` bytes.
pub fn load(lead: Lead, limit: usize) -> Result<Loaded, Trouble> {
    let Lead {
        id,
        folder,
        item,
        place,
    } = lead;
    let here = match place {
        Place::Here(here) => *here,
        Place::File(path) => {
            let url = folder::address_of(&path);
            match file::read(&path, limit) {
                Ok(bytes) => Here {
                    url,
                    bytes,
                    beside: Beside::Folder(path.parent().map(Into::into).unwrap_or_default()),
                    ..Here::default()
                },
                Err(error) => {
                    return Err(Trouble {
                        id: id.unwrap_or_else(|| path.display().to_string()),
                        url,
                        reason: format!("{error:#}"),
                    });
                }
            }
        }
        Place::Web(url) => {
            return Err(Trouble {
                id: url.to_string(),
                url: Some(url.into()),
                reason: "not fetched".to_owned(),
            });
        }
    };
    let id = id.or_else(|| here.url.clone()).unwrap_or_default();
    if let Some(found) = not_a_page(&here.bytes) {
        let reason = format!("this is {found}, not an HTML page: leave it out");
        let url = here.url;
        return Err(Trouble { id, url, reason });
    }
    Ok(Loaded {
        id,
        folder,
        item,
        here,
        limit,
    })
}

/// What the bytes are, if they are certainly no page.
fn not_a_page(bytes: &[u8]) -> Option<&'static str> {
    match sniff(bytes) {
        kind @ (SniffedType::Pdf
        | SniffedType::Warc
        | SniffedType::Zip
        | SniffedType::Gzip
        | SniffedType::Feed
        | SniffedType::Opml
        | SniffedType::Json) => Some(kind.name()),
        // Pages with a stray zero byte are pages.
        SniffedType::Binary if !has_markup(bytes) => Some(SniffedType::Binary.name()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_page() {
        assert_eq!(not_a_page(b"%PDF-1.7\n"), Some("a PDF document"));
        assert_eq!(not_a_page(b"\x89PNG\0\0\0"), Some("binary data"));
        assert_eq!(not_a_page(b"<html>\0<p>a page"), None);
        assert_eq!(not_a_page(b"{\"a\": 1}"), Some("JSON"));
        assert_eq!(not_a_page(b""), None);
    }
}
