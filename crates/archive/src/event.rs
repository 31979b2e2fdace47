//! The events of an archive. Its database is made of these and nothing else, so that it can
//! be made again from the WARC files. There each event is a `metadata` record, which names
//! the records that it is about.

use chrono::{DateTime, Utc};
use forest_core::extract::{Article, Status};
use forest_core::feed::ItemRules;
use forest_sources::warc::Record;
use serde::{Deserialize, Serialize};

/// The format of events; another number is not read.
pub const FORMAT: u32 = 1;

/// An event with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// [`FORMAT`].
    pub format: u32,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// The id of the record with its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

impl EventRecord {
    /// Its record. `page`: the record that it is about, and its address.
    pub fn record(&self, page: Option<(&str, &str)>) -> Record {
        let json = serde_json::to_vec(self).expect("an event has string keys only");
        Record::metadata(self.at, &json, page)
    }
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A feed is to be harvested.
    FeedAdded {
        /// Its address.
        feed: String,
    },
    /// A list gives a feed its own title and folders.
    FeedListed {
        /// Its address.
        feed: String,
        /// Its title there.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// The site's home page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        home: Option<String>,
        /// Its folders, each as a path from the outermost.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        folders: Vec<Vec<String>>,
    },
    /// Rules for unwanted items of a feed. They replace the former rules.
    FeedRules {
        /// Its address.
        feed: String,
        /// The rules.
        rules: ItemRules,
    },
    /// A feed is not harvested any more; its articles stay.
    FeedRemoved {
        /// Its address.
        feed: String,
    },
    /// A feed is paused, or harvested again.
    FeedPaused {
        /// Its address.
        feed: String,
        /// True if it is paused.
        paused: bool,
    },
    /// The server reports that the feed is gone.
    FeedEnded {
        /// Its address.
        feed: String,
        /// The reason.
        why: String,
    },
    /// A feed has a new address.
    FeedMoved {
        /// The one until now.
        feed: String,
        /// The new one.
        to: String,
        /// Its name in the names of its entries, which does not change. `None`, as in earlier
        /// archives: the new address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<String>,
    },
    /// A feed has new items, or has changed known ones.
    FeedRead {
        /// The feed's address.
        feed: String,
        /// Its title.
        title: String,
        /// The new items, in the feed's order.
        items: Vec<StoredItem>,
    },
    /// A page was visited.
    Page(Box<Visit>),
    /// A wrapper became active.
    Wrapper {
        /// Its site.
        site: String,
        /// SHA-256 of the file, in hex.
        sha256: String,
        /// The file.
        yaml: String,
        /// Why: `learned`, `relearned`, `rolled back`, `edited` ...
        why: String,
    },
    /// The verdict on a site's wrapper has changed.
    Judged {
        /// The site.
        site: String,
        /// `ok`, `degraded`, `drift` or `blocked`.
        verdict: String,
        /// Why.
        why: String,
    },
    /// A version's text was made again from its raw page, by another wrapper.
    Reextracted {
        /// Key of the article.
        key: String,
        /// The version, from 1.
        number: u32,
        /// The new reading.
        reading: Box<Extraction>,
    },
    /// A [doubtful reading](VisitOutcome::Doubtful) of an article was read by a wrapper that
    /// finds it, and is doubtful no more. Or a wrapper finds an edit that the one at the time of
    /// the visit did not see.
    Settled {
        /// Key of the article.
        key: String,
        /// The time of the visit.
        seen: DateTime<Utc>,
        /// The version that it is, from that time on; `None`: nothing was edited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reading: Option<Box<Extraction>>,
    },
    /// A picture, a style sheet or a font was received.
    Requisite(Box<Requisite>),
    /// The pictures of a version, as far as they could be fetched. They replace those of an
    /// earlier event.
    Pictured {
        /// Key of the article.
        key: String,
        /// The version, from 1.
        number: u32,
        /// The pictures, in the article's order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pictures: Vec<Picture>,
    },
    /// Answers came that are no page, no news of a feed and no requisite: redirects, failures,
    /// robots.txt.
    Received {
        /// The address that was to be fetched.
        url: String,
        /// The address to which its redirects led, if it is another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        final_url: Option<String>,
        /// The ids of the requests and the answers, in the order of the file.
        records: Vec<String>,
    },
    /// Records of another archive were imported, as they are there.
    Imported {
        /// Their ids, in the order of each file: first those of the pages, then the others.
        records: Vec<String>,
    },
    /// An address was forgotten: its data is removed, and it is not visited again.
    Forgotten {
        /// SHA-256 of its key, in hex.
        digest: String,
    },
}

impl Event {
    /// The ids of its records, if it is about these and nothing else.
    pub(super) fn listed_records(&self) -> Option<&Vec<String>> {
        match self {
            Event::Received { records, .. } | Event::Imported { records } => Some(records),
            _ => None,
        }
    }

    /// The same event with other records, if it is about records and nothing else.
    pub(super) fn with_listed(self, records: Vec<String>) -> Event {
        match self {
            Event::Received { url, final_url, .. } => Event::Received {
                url,
                final_url,
                records,
            },
            Event::Imported { .. } => Event::Imported { records },
            other => other,
        }
    }
}

/// A feed's item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredItem {
    /// Its name among the items of its feed: see [`NamedItem`](crate::NamedItem).
    pub id: String,
    /// The page's address; empty if it links to none.
    pub link: String,
    /// The name of its entry in served feeds. `None`, as in earlier archives: its link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Its title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Names of its authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Its summary, as text; the first words of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The time of publication, RFC 3339 if the feed's format of dates is known. For a known
    /// item `None` keeps the former time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Its categories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The address of its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Digest of all its fields in the feed. If it changes, the page is visited again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

/// A picture, a style sheet or a font of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requisite {
    /// The address in the page.
    pub url: String,
    /// The address that answered, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    /// Its kind.
    pub kind: RequisiteKind,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// The extension of a file with it, by its bytes.
    pub extension: String,
    /// Its `Content-Type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
}

/// The kind of a [`Requisite`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequisiteKind {
    /// A picture of an article.
    Picture,
    /// A style sheet.
    Style,
    /// A font.
    Font,
}

/// A picture of a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its address, as in the [record](forest_core::render::Image).
    pub url: String,
    /// SHA-256 of its bytes, in hex; `None`: it could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The extension of a file with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
    /// The reason why it could not be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Picture {
    /// The name of a file with it, `<sha256>.<extension>`; `None` if it could not be fetched,
    /// or if a forged event has something else in place of the digest.
    pub fn file_name(&self) -> Option<String> {
        let (sha256, extension) = (self.sha256.as_ref()?, self.extension.as_ref()?);
        let is_plain = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let is_name = is_plain(sha256, 64) && is_plain(extension, 8);
        is_name.then(|| format!("{sha256}.{extension}"))
    }
}

/// A visit to a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The requested address.
    pub url: String,
    /// The address that answered, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    /// The site.
    pub site: String,
    /// HTTP status, where there was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// Why there is no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// SHA-256 of the page's bytes, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// `Content-Type` of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// For the next conditional request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// For the next conditional request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// A browser handed over the page as it showed it: the server was not asked, and is not
    /// asked again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_browser: bool,
    /// The status of the page.
    pub status: Status,
    /// The confidence in its text, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// A further page of its article could not be fetched this time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Further addresses of the same article.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The outcome for the archive.
    pub outcome: VisitOutcome,
}

impl Visit {
    /// The address that answered.
    pub fn address(&self) -> &str {
        self.final_url.as_deref().unwrap_or(&self.url)
    }
}

/// The outcome of a visit for the archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitOutcome {
    /// No article: the page could not be fetched, or holds none.
    #[default]
    Nothing,
    /// The page has not changed.
    Same,
    /// An article that is in the archive under the key given here.
    Known(String),
    /// A further page of an article, whose own visit follows.
    Part,
    /// The page has changed, and its text was found in another way than that of the latest
    /// version, or its wrapper finds no article there: an edit or a redesign.
    Doubtful,
    /// A new version of its article, the first or another.
    Version(Box<Extraction>),
}

/// An article as it was read on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// SHA-256 of the text without a first line that is the title, in hex.
    pub text_sha256: String,
    /// Words of the text (metric tokens).
    pub words: usize,
    /// SHA-256 of the wrapper's file, if a wrapper read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<String>,
    /// Addresses of its further pages, in their order. Each was visited before
    /// ([`VisitOutcome::Part`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// The address of its next page, which could not be read yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The record; its text is in a `conversion` record.
    pub record: Article,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The earlier form, without tags and a picture.
    #[test]
    fn items_of_earlier_archives_are_read_and_written_as_they_were() {
        let json = r#"{"id":"1","link":"https://a.example/1","title":"Ferry","authors":["Jane Doe"],"digest":"0"}"#;
        let item: StoredItem = serde_json::from_str(json).expect("an item");
        assert_eq!((&*item.tags, &item.image), (&[][..], &None));
        assert_eq!(serde_json::to_string(&item).expect("JSON"), json);
        let more = StoredItem {
            tags: vec!["Sea".to_owned()],
            image: Some("https://a.example/1.jpg".to_owned()),
            ..item
        };
        let json = serde_json::to_string(&more).expect("JSON");
        assert_eq!(
            serde_json::from_str::<StoredItem>(&json).expect("an item"),
            more
        );
    }
}
