//! A visited page, prepared for storage: the outcome for the archive, and the compressed
//! records. Pure, so that pages can be prepared on all cores.

use super::event::{Event, Extraction, Visit, VisitOutcome};
use super::joined::{EarlierReading, JoinedArticle, found_by, without_title};
use super::known::{KnownAddress, KnownRaw, LatestVersion};
use chrono::{DateTime, Utc};
use forest_core::extract::{Article, Status};
use forest_html::address::may_be_canonical;
use forest_html::address::{page_key, site_of};
use forest_html::text::{hex, sha256_hex, word_count};
use forest_sources::warc::{EarlierRecord, EncodedRecord, Record, is_digest_of};
use sha2::{Digest, Sha256};
use std::net::IpAddr;

/// An HTTP request and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpExchange {
    /// The request's head; empty if it is not known.
    pub request_head: Vec<u8>,
    /// The answer's head; it describes `body` in its decoded form.
    pub response_head: Vec<u8>,
    /// The answer's body.
    pub body: Vec<u8>,
    /// The server's address.
    pub address: Option<IpAddr>,
    /// The reason why the body is not whole, as in `WARC-Truncated`.
    pub truncated: Option<&'static str>,
}

impl HttpExchange {
    /// The records of the answer and of the request, if that is known. The answer is a
    /// revisit of the `earlier` record, if there is one.
    pub(super) fn records(
        &self,
        (url, at): (&str, DateTime<Utc>),
        earlier: Option<&EarlierRecord>,
        not_modified: bool,
    ) -> (Record, Option<Record>) {
        let head = &self.response_head;
        let answer = match earlier {
            Some(earlier) => Record::revisit(url, at, head, earlier, not_modified),
            None => Record::response(url, at, head, &self.body),
        };
        let answer = match self.address {
            Some(address) => answer.with_address(address),
            None => answer,
        };
        let answer = match self.truncated {
            Some(reason) => answer.with_truncation(reason),
            None => answer,
        };
        let request = (!self.request_head.is_empty())
            .then(|| Record::request(url, at, &self.request_head, &answer));
        (answer, request)
    }
}

/// The response to a visit.
#[derive(Debug, Clone, Default)]
pub enum VisitResponse {
    /// An HTTP answer with a body.
    Answer(HttpExchange),
    /// The server reports that the page has not changed; there is no body.
    NotModified(HttpExchange),
    /// A page that was not received by HTTP.
    File {
        /// The page.
        body: Vec<u8>,
    },
    /// A page as a browser showed it, which handed it over.
    Shown {
        /// The page.
        body: Vec<u8>,
    },
    /// Nothing to keep.
    #[default]
    Nothing,
}

/// A visit with the article that was read on the page.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// The time of the visit.
    pub at: DateTime<Utc>,
    /// The requested address.
    pub url: String,
    /// The address that answered.
    pub final_url: Option<String>,
    /// The site; empty if it is not known.
    pub site: String,
    /// HTTP status.
    pub http_status: Option<u16>,
    /// The reason why there is no page.
    pub error: Option<String>,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// For the next conditional request.
    pub etag: Option<String>,
    /// For the next conditional request.
    pub last_modified: Option<String>,
    /// The response.
    pub response: VisitResponse,
    /// The article that was read on the page; `None` if the page could not be fetched, or has
    /// not changed.
    pub article: Option<Article>,
    /// The further pages of `article`, in their order.
    pub parts: Vec<ArticlePart>,
    /// The address of its next page, which could not be read for now.
    pub missing: Option<String>,
    /// SHA-256 of the file of the wrapper that read it.
    pub wrapper: Option<String>,
    /// The record of the response in another archive, which is stored as it is there.
    pub imported: Option<EncodedRecord>,
    /// The wrapper finds no article there, as far as one can tell.
    pub is_unfit: bool,
    /// The page of the latest version as it is read today, if it was read in another way
    /// then.
    pub before: Option<EarlierReading>,
}

/// A further page of an article.
#[derive(Debug, Clone)]
pub struct ArticlePart {
    url: String,
    /// Its visit; `None`: the archive's copy of the page is used.
    visit: Option<Box<PreparedVisit>>,
    /// True if its bytes are those of the archive's copy.
    same: bool,
}

impl ArticlePart {
    /// A further page that was visited: its arrival, without an article. `known`: the facts
    /// of its address before the visit.
    pub fn of_arrival(arrival: Arrival, known: &KnownAddress) -> ArticlePart {
        let url = arrival.url.clone();
        let mut visit = arrival.prepare(known);
        let before = known.raw.as_ref().map(|raw| &raw.sha256);
        let same = before.is_some() && visit.visit.sha256.as_ref() == before;
        visit.visit.outcome = VisitOutcome::Part;
        visit.visit.status = Status::Ok;
        ArticlePart {
            url,
            visit: Some(Box::new(visit)),
            same,
        }
    }

    /// A further page that could not be fetched; the archive's copy is used.
    pub fn kept(url: String) -> ArticlePart {
        ArticlePart {
            url,
            visit: None,
            same: true,
        }
    }
}

/// The number of words from which equal texts show that two pages are one article.
pub(super) const DISTINCTIVE_WORDS: usize = 50;

/// A visit that is ready to be stored.
#[derive(Debug, Clone, Default)]
pub struct PreparedVisit {
    pub at: DateTime<Utc>,
    pub visit: Visit,
    /// The visits of the article's further pages.
    pub parts: Vec<PreparedVisit>,
    /// Response, resource or revisit.
    pub raw: Option<EncodedRecord>,
    pub request: Option<EncodedRecord>,
    /// The text of a new version.
    pub text: Option<EncodedRecord>,
    /// The latest version, read by the new wrapper or with the pages that it lacked.
    pub again: Option<(Event, EncodedRecord)>,
    /// Its article is not known by this address; it may be known by another, or by its text.
    pub is_new: bool,
    /// A wrapper that finds the article read the page: earlier doubts are over.
    pub is_certain: bool,
    /// Its text is long enough to show that two pages are one article.
    pub is_distinctive: bool,
}

impl PreparedVisit {
    /// The visit.
    pub fn visit(&self) -> &Visit {
        &self.visit
    }
}

impl Arrival {
    /// The response at an address, without an article.
    pub fn new(url: String, at: DateTime<Utc>, response: VisitResponse) -> Arrival {
        Arrival {
            at,
            site: site_of(Some(&url)).unwrap_or_default(),
            url,
            response,
            ..Arrival::default()
        }
    }

    /// Decides the outcome of the visit, by the known facts of the address, and makes its
    /// records.
    pub fn prepare(self, known: &KnownAddress) -> PreparedVisit {
        let url = self.final_url.clone().unwrap_or_else(|| self.url.clone());
        let sha256 = match &self.response {
            VisitResponse::Answer(HttpExchange { body, .. })
            | VisitResponse::File { body }
            | VisitResponse::Shown { body } => Some(sha256_hex(body)),
            VisitResponse::NotModified(_) => known.raw.as_ref().map(|raw| raw.sha256.clone()),
            VisitResponse::Nothing => None,
        };
        let same = known.raw.as_ref();
        let same = same.filter(|raw| sha256.as_deref() == Some(&raw.sha256));
        let from_browser = matches!(self.response, VisitResponse::Shown { .. });
        let (raw, request) = self.records(&url, same.map(|raw| &raw.earlier));
        let raw = raw.map(|record| record.encode());
        let raw = self.imported.clone().or(raw);
        let (status, confidence) = match (&self.article, same) {
            (Some(article), _) => (article.status, article.confidence),
            (None, Some(raw)) => (raw.status, raw.confidence),
            (None, None) if self.http_status.is_some_and(is_refusal) => (Status::Blocked, None),
            (None, None) => (Status::Error, None),
        };
        let is_same = same.is_some();
        let has_same_pages = is_same && same_parts(&self.parts, &self.missing, known);
        let (also, reading) = match self.article {
            // An article of several pages is read to find the others.
            Some(_) if has_same_pages && known.latest.is_some() => (Vec::new(), None),
            Some(_) if known.is_part() => (Vec::new(), None),
            Some(article) => {
                let joined = JoinedArticle {
                    article,
                    parts: self.parts.iter().map(|part| part.url.clone()).collect(),
                    missing: self.missing.clone(),
                };
                read(joined, &self.url, &url, self.wrapper)
            }
            None => (Vec::new(), None),
        };
        let mut is_doubtful = self.is_unfit;
        let (before, has_same_words) = match self.before {
            Some(EarlierReading::ByWrapper(before)) => {
                (read(*before, &self.url, &url, None).1, false)
            }
            Some(EarlierReading::Alone { same }) => {
                is_doubtful = true;
                (None, same)
            }
            None => (None, false),
        };
        let visits = self.parts.into_iter().filter_map(|part| part.visit);
        let mut prepared = PreparedVisit {
            at: self.at,
            visit: Visit {
                final_url: (url != self.url).then(|| url.clone()),
                url: self.url,
                site: self.site,
                http_status: self.http_status,
                error: self.error,
                sha256,
                content_type: self.content_type,
                etag: self.etag,
                last_modified: self.last_modified,
                from_browser,
                status,
                confidence,
                incomplete: self.missing.is_some(),
                also,
                outcome: VisitOutcome::Nothing,
            },
            parts: visits.map(|visit| *visit).collect(),
            request: request.map(|record| record.encode()),
            raw,
            text: None,
            again: None,
            is_new: known.latest.is_none(),
            is_certain: !self.is_unfit
                && (reading.as_ref()).is_some_and(|(reading, _)| reading.wrapper.is_some()),
            is_distinctive: false,
        };
        match (reading, &known.latest) {
            (None, Some(_)) if is_same || known.is_part() => {
                prepared.visit.outcome = VisitOutcome::Same;
            }
            (None, _) => {}
            (Some(_), Some(_)) if has_same_words => prepared.visit.outcome = VisitOutcome::Same,
            (Some((reading, text)), Some(latest)) => {
                prepared.compare((reading, is_doubtful), &text, before, latest, known);
            }
            (Some((reading, text)), None) => prepared.version(reading, &text),
        }
        prepared
    }

    /// The records of the answer and of the request.
    fn records(
        &self,
        url: &str,
        earlier: Option<&EarlierRecord>,
    ) -> (Option<Record>, Option<Record>) {
        if self.imported.is_some() {
            return (None, None);
        }
        let (exchange, not_modified) = match &self.response {
            VisitResponse::Answer(exchange) => (exchange, false),
            VisitResponse::NotModified(exchange) if earlier.is_some() => (exchange, true),
            // A stored file is not stored again.
            VisitResponse::File { body } if earlier.is_none() => {
                let content_type = self.content_type.as_deref();
                return (
                    Some(Record::resource(url, self.at, content_type, body)),
                    None,
                );
            }
            VisitResponse::Shown { body } if earlier.is_none() => {
                let content_type = self.content_type.as_deref().unwrap_or("text/html");
                let record = Record::shown(url, self.at, content_type, body);
                return (Some(record), None);
            }
            _ => return (None, None),
        };
        // What another program stored packed is no payload for a page that came unpacked.
        let holds = |earlier: &&EarlierRecord| {
            not_modified || is_digest_of(&earlier.digest, &exchange.body) == Some(true)
        };
        let earlier = earlier.filter(holds);
        let (answer, request) = exchange.records((url, self.at), earlier, not_modified);
        (Some(answer), request)
    }
}

impl PreparedVisit {
    /// Removes everything from the visit but the fact.
    pub(super) fn drop_contents(&mut self, why: &str) {
        let visit = std::mem::take(&mut self.visit);
        *self = PreparedVisit {
            at: self.at,
            visit: Visit {
                url: visit.url,
                site: visit.site,
                http_status: visit.http_status,
                error: Some(why.to_owned()),
                ..Visit::default()
            },
            ..PreparedVisit::default()
        };
    }

    /// A first version with fewer words counts as no version. The page is kept.
    pub fn leave_out_short(&mut self, least_words: usize) {
        let is_short = matches!(&self.visit.outcome, VisitOutcome::Version(reading) if reading.words < least_words);
        if self.is_new && is_short {
            (self.visit.outcome, self.text) = (VisitOutcome::Nothing, None);
        }
    }

    /// Compares with the latest version. If one wrapper reads the same text from both, there
    /// is no new version. If a wrapper read that version, and none reads this page, what it finds
    /// is no article, or it does not read the former page, the reading is doubtful. So it is if
    /// another expression of the wrapper finds it: the first may be gone with a redesign, and the
    /// next be a wider box.
    fn compare(
        &mut self,
        (reading, is_doubtful): (Extraction, bool),
        text: &str,
        before: Option<(Extraction, String)>,
        latest: &LatestVersion,
        known: &KnownAddress,
    ) {
        if let Some((before, had)) = &before
            && before.missing.is_some()
            && reading.parts.len() > before.parts.len()
            && text.starts_with(had.as_str())
        {
            // Nothing was edited: a page that was missing then was received now.
            self.again = Some(self.reread(reading, text, latest, &known.key));
            self.visit.outcome = VisitOutcome::Same;
            return;
        }
        let read_again = before.filter(|_| reading.wrapper != latest.wrapper);
        let again = read_again.as_ref().map(|(before, _)| &before.text_sha256);
        if [Some(&latest.text_sha256), again].contains(&Some(&reading.text_sha256)) {
            self.visit.outcome = VisitOutcome::Same;
            return;
        }
        let is_otherwise = reading.wrapper == latest.wrapper
            && found_by(&reading.record) != latest.found_by.as_deref();
        if latest.wrapper.is_some() && (is_doubtful || is_otherwise || reading.wrapper.is_none()) {
            self.visit.outcome = VisitOutcome::Doubtful;
            return;
        }
        // Both sides of the difference, read by one wrapper.
        if let Some((before, text)) = read_again.filter(|_| reading.wrapper.is_some()) {
            let before = Extraction {
                wrapper: reading.wrapper.clone(),
                ..before
            };
            self.again = Some(self.reread(before, &text, latest, &known.key));
        }
        self.version(reading, text);
    }

    /// Another reading of the latest version, with the record of its text.
    fn reread(
        &self,
        reading: Extraction,
        text: &str,
        latest: &LatestVersion,
        key: &str,
    ) -> (Event, EncodedRecord) {
        let of = match &latest.raw {
            Some(KnownRaw { earlier, .. }) => (earlier.id.as_str(), earlier.url.as_str()),
            None => ("", self.visit.url.as_str()),
        };
        let text = Record::conversion(self.at, text, Some(of)).encode();
        let event = Event::Reextracted {
            key: key.to_owned(),
            number: latest.number,
            reading: Box::new(reading),
        };
        (event, text)
    }

    fn version(&mut self, reading: Extraction, text: &str) {
        let id = self.raw.as_ref().map(|raw| raw.id.as_str());
        let of = (id.unwrap_or_default(), self.visit.address());
        self.text = Some(Record::conversion(self.at, text, Some(of)).encode());
        self.is_distinctive = reading.words >= DISTINCTIVE_WORDS;
        self.visit.outcome = VisitOutcome::Version(Box::new(reading));
    }
}

/// Returns true if an article consists of the unchanged pages of its latest version.
fn same_parts(parts: &[ArticlePart], missing: &Option<String>, known: &KnownAddress) -> bool {
    let latest = known.latest.iter().flat_map(|latest| &latest.parts);
    let before: Vec<(String, bool)> = latest
        .map(|part| (page_key(&part.url), part.raw.is_some()))
        .collect();
    let now = parts.iter().map(|part| (page_key(&part.url), true));
    let now = now.chain(missing.iter().map(|url| (page_key(url), false)));
    parts.iter().all(|part| part.same) && before.into_iter().eq(now)
}

/// Returns true if this HTTP status means that access is refused.
fn is_refusal(status: u16) -> bool {
    matches!(status, 401 | 402 | 403 | 407 | 451)
}

/// The result of reading: further addresses, and the reading with its text if there is an
/// article.
pub fn read(
    joined: JoinedArticle,
    requested: &str,
    url: &str,
    wrapper: Option<String>,
) -> (Vec<String>, Option<(Extraction, String)>) {
    let JoinedArticle {
        mut article,
        parts,
        missing,
    } = joined;
    let own = article.url.clone().filter(|own| may_be_canonical(url, own));
    if own.is_none() {
        article.url = Some(url.to_owned());
    }
    let also = own
        .filter(|own| page_key(own) != page_key(requested))
        .into_iter()
        .collect();
    let found = matches!(
        article.status,
        Status::Ok | Status::Degraded | Status::Fallback
    );
    if !found || article.text.is_empty() {
        return (also, None);
    }
    let text = std::mem::take(&mut article.text);
    article.html = None;
    let by_wrapper = article.wrapper.is_some();
    let reading = Extraction {
        text_sha256: hex(&Sha256::digest(without_title(
            &text,
            article.title.as_deref(),
        ))),
        words: word_count(&text),
        wrapper: wrapper.filter(|_| by_wrapper),
        parts,
        missing,
        record: article,
    };
    (also, Some((reading, text)))
}
