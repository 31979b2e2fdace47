//! Fetches for the archive the pictures of articles, the icons of their sites and, on request, the
//! style sheets and fonts of their pages.
//!
//! Takes versions that the archive has ([`Archive::unpictured`]) and the responses to its
//! requests; gives requests and changes. The caller (a harvest, or [`gather`]) fetches and
//! writes. An article's pictures are written when all of them came or failed; an article
//! whose process ends before is looked at again.
//!
//! - An address is requested once, and again only for another version of an article.
//! - A picture that failed is not tried again, unless its article changes. A host in back-off
//!   puts off the articles that need it.
//! - With a budget, an article for whose pictures there is no room has none of them.
//! - `picture`: recognises pictures and fonts by their bytes. An SVG counts, though it can hold
//!   scripts: it is stored unchanged and put into no HTML.
//! - `icon`: the icon of a site.
//! - `style`: style sheets and fonts that pages and style sheets name.

mod alone;
mod budget;
mod icon;
mod picture;
mod style;

pub use alone::gather;
pub use budget::PictureBudget;
pub use icon::icon_address;
pub use picture::{extension as picture_extension, picture_type};
pub use style::is_style_sheet;

use crate::answers::{other_answers, take_exchange};
use crate::error::Result;
use budget::PictureRoom;
use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::{
    Archive, ArchiveChange, Event, FetchedRequisite, Picture, RequisiteKind, StoredRequisite,
    UnpicturedVersion,
};
use forest_fetch::{Resource, VisitRequest, Visited};
use forest_html::address::{bare_host, bare_site, is_web};
use forest_html::error::counted;
use forest_html::page::{Page, Source};
use forest_html::text::sha256_hex;
use icon::AnsweredIcons;
use std::collections::{HashMap, HashSet};
use std::fmt;
use style::MAX_STYLES;
use url::Url;

/// Maximum number of articles that wait for their pictures: their addresses are held.
const ARTICLES: usize = 256;

/// Times that a version is looked at in one process: once, and again when it was read by
/// another wrapper. That its pictures are written down each time must not go on for ever.
const MAX_BEGUN: u32 = 8;

/// The settings of the pictures, style sheets and fonts that are fetched.
///
/// ```
/// use forest_harvest::RequisiteOptions;
///
/// let options = RequisiteOptions::default().with_pictures(5);
/// assert_eq!((options.pictures(), options.styles()), (5, false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequisiteOptions {
    pictures: usize,
    styles: bool,
    budget: Option<PictureBudget>,
}

impl RequisiteOptions {
    /// Default of [`pictures`](Self::pictures): a long report has as many.
    pub const PICTURES: usize = 20;

    /// Days that a version may have been there before its pictures are asked for in a
    /// harvest.
    pub const DAYS: i64 = 7;

    /// Sets the maximum number of pictures of an article ([`PICTURES`](Self::PICTURES)).
    #[must_use]
    pub fn with_pictures(mut self, most: usize) -> Self {
        self.pictures = most;
        self
    }

    /// Sets if style sheets and fonts are fetched (no).
    #[must_use]
    pub fn with_styles(mut self, styles: bool) -> Self {
        self.styles = styles;
        self
    }

    /// Sets the room that pictures may take (any).
    #[must_use]
    pub fn with_budget(mut self, budget: Option<PictureBudget>) -> Self {
        self.budget = budget;
        self
    }

    /// Maximum number of pictures of an article: the first ones are fetched.
    pub fn pictures(&self) -> usize {
        self.pictures
    }

    /// Returns true if style sheets and fonts are fetched.
    pub fn styles(&self) -> bool {
        self.styles
    }
}

impl Default for RequisiteOptions {
    fn default() -> Self {
        RequisiteOptions {
            pictures: Self::PICTURES,
            styles: false,
            budget: None,
        }
    }
}

/// The counts of pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureTally {
    /// Pictures that are in the archive now.
    pub stored: u64,
    /// Pictures that failed.
    pub failed: u64,
}

/// `2 pictures (1 failed)`.
impl fmt::Display for PictureTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.stored, "picture", "pictures"))?;
        match self.failed {
            0 => Ok(()),
            n => write!(f, " ({n} failed)"),
        }
    }
}

/// A request for a requisite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequisiteRequest {
    pub url: String,
    pub what: Resource,
    /// The article that names it is of another site.
    pub is_foreign: bool,
}

impl RequisiteRequest {
    /// Its visit, if it has an address.
    pub fn visit(&self) -> Option<VisitRequest> {
        Some(VisitRequest {
            is_foreign: self.is_foreign,
            ..VisitRequest::new(Url::parse(&self.url).ok()?, self.what)
        })
    }
}

/// True for an address of a site, with or without `www.`.
fn is_of_site(url: &str, site: &str) -> bool {
    let url = Url::parse(url).ok();
    let of = url.as_ref().and_then(bare_site);
    of.as_deref() == Some(bare_host(site))
}

/// The requests and changes that follow from an event.
#[derive(Debug, Default)]
pub(super) struct GatherStep {
    /// The requests to be sent.
    pub requests: Vec<RequisiteRequest>,
    /// The changes to be written.
    pub changes: Vec<ArchiveChange>,
    /// A picture that came, or the reason why it did not.
    pub picture: Option<std::result::Result<(), String>>,
}

/// Articles that wait for their pictures, style sheets and fonts.
#[derive(Debug)]
pub(super) struct Gathering {
    options: RequisiteOptions,
    room: PictureRoom,
    articles: HashMap<i64, WaitingArticle>,
    requested: HashMap<String, RequestedAddress>,
    icons: AnsweredIcons,
    /// Requisites that came and are not written yet.
    fresh: HashMap<String, StoredRequisite>,
    /// Versions that wait for a host, or were looked at too often.
    put_off: HashSet<i64>,
    /// The number of times that versions were looked at.
    begun: HashMap<i64, u32>,
}

#[derive(Debug)]
struct WaitingArticle {
    of: UnpicturedVersion,
    /// The numbers of its feeds.
    feeds: Vec<i64>,
    /// Requests that were not answered yet.
    answers: usize,
    styles: usize,
    pictures: Vec<Picture>,
    /// All was answered, and the changes are not written yet.
    is_done: bool,
}

/// An address that was requested.
#[derive(Debug)]
struct RequestedAddress {
    kind: RequisiteKind,
    /// It was asked for as the icon of a site.
    is_icon: bool,
    /// The numbers of the feeds of the article that asked first: its bytes are theirs.
    feeds: Vec<i64>,
    /// A style sheet that another one names.
    is_imported: bool,
    by: Vec<i64>,
}

/// The versions that are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct GatherScope {
    pub since: DateTime<Utc>,
    pub after: i64,
}

impl GatherScope {
    /// Versions that came lately.
    pub fn lately(now: DateTime<Utc>) -> GatherScope {
        GatherScope {
            since: now - TimeDelta::days(RequisiteOptions::DAYS),
            after: 0,
        }
    }
}

impl Gathering {
    /// Nothing yet; the icons of the sites of versions with a number above `after` are asked for.
    pub fn new(options: RequisiteOptions, after: i64) -> Gathering {
        Gathering {
            room: PictureRoom::of(options.budget.clone()),
            options,
            articles: HashMap::new(),
            requested: HashMap::new(),
            icons: AnsweredIcons::new(after),
            fresh: HashMap::new(),
            put_off: HashSet::new(),
            begun: HashMap::new(),
        }
    }

    /// Takes up further articles, and the icons of their sites. `rests` returns true for a host in
    /// back-off.
    pub fn look(
        &mut self,
        archive: &Archive,
        scope: GatherScope,
        now: DateTime<Utc>,
        rests: &dyn Fn(&Url) -> bool,
    ) -> Result<GatherStep> {
        let mut next = GatherStep::default();
        let pending = self.articles.len() + self.put_off.len();
        for of in archive.unpictured(
            scope.since,
            scope.after,
            self.options.styles,
            ARTICLES + pending,
        )? {
            let is_known =
                self.articles.contains_key(&of.version) || self.put_off.contains(&of.version);
            if is_known || self.articles.len() >= ARTICLES {
                continue;
            }
            let begun = self.begun.entry(of.version).or_default();
            *begun += 1;
            if *begun > MAX_BEGUN {
                self.put_off.insert(of.version);
            } else {
                self.begin(archive, of, now, rests, &mut next)?;
            }
        }
        let may_be_asked = |url: &Url| !rests(url) && !self.requested.contains_key(url.as_str());
        for (icon, article) in self.icons.missing(archive, &may_be_asked)? {
            let feeds = archive.feeds_of_article(&article)?;
            if self.room.refusal(archive, &feeds, now)?.is_none() {
                self.ask_icon(icon, feeds, &mut next);
            }
        }
        Ok(next)
    }

    fn ask_icon(&mut self, url: String, feeds: Vec<i64>, next: &mut GatherStep) {
        self.room.expect(&feeds);
        next.requests.push(RequisiteRequest {
            url: url.clone(),
            what: Resource::Picture,
            is_foreign: false,
        });
        let icon = RequestedAddress {
            kind: RequisiteKind::Picture,
            is_icon: true,
            feeds,
            is_imported: false,
            by: Vec::new(),
        };
        self.requested.insert(url, icon);
    }

    fn begin(
        &mut self,
        archive: &Archive,
        of: UnpicturedVersion,
        now: DateTime<Utc>,
        rests: &dyn Fn(&Url) -> bool,
        next: &mut GatherStep,
    ) -> Result<()> {
        let version = of.version;
        let feeds = archive.feeds_of_article(&of.key)?;
        let refusal = self.room.refusal(archive, &feeds, now)?;
        let mut pictures = Vec::new();
        let mut wanted: Vec<(String, RequisiteKind)> = Vec::new();
        for image in of.record.images.iter().take(self.options.pictures) {
            let mut picture = Picture {
                url: image.url.clone(),
                sha256: None,
                extension: None,
                error: None,
            };
            match self.known(archive, &image.url, &of)? {
                Some(known) => fill(&mut picture, &known),
                None if !is_address(&image.url) || archive.is_forgotten(&image.url)? => {
                    picture.error = Some("it is no address that may be visited".to_owned());
                }
                None if refusal.is_some() => picture.error.clone_from(&refusal),
                None => wanted.push((image.url.clone(), RequisiteKind::Picture)),
            }
            pictures.push(picture);
        }
        let mut styles = 0;
        if self.options.styles {
            for (url, kind) in styles_of(archive, version)? {
                if styles < MAX_STYLES && self.known(archive, &url, &of)?.is_none() {
                    wanted.push((url, kind));
                    styles += 1;
                }
            }
        }
        let is_resting =
            |(url, _): &(String, RequisiteKind)| Url::parse(url).is_ok_and(|url| rests(&url));
        if wanted.iter().any(is_resting) {
            self.put_off.insert(version);
            return Ok(());
        }
        let waiting = WaitingArticle {
            of,
            feeds,
            answers: 0,
            styles,
            pictures,
            is_done: false,
        };
        self.articles.insert(version, waiting);
        for (url, kind) in wanted {
            self.ask(url, kind, false, version, next);
        }
        self.finish(version, now, next);
        Ok(())
    }

    /// The requisite that the archive has of an address, if it is new enough.
    fn known(
        &self,
        archive: &Archive,
        url: &str,
        of: &UnpicturedVersion,
    ) -> Result<Option<StoredRequisite>> {
        let known = match self.fresh.get(url) {
            Some(fresh) => Some(fresh.clone()),
            None => archive.requisite(url)?,
        };
        // An edit of an article may have put another picture in the old one's place.
        Ok(known.filter(|known| of.number == 1 || known.at >= of.at))
    }

    fn ask(
        &mut self,
        url: String,
        kind: RequisiteKind,
        is_imported: bool,
        version: i64,
        next: &mut GatherStep,
    ) {
        let Some(waiting) = self.articles.get_mut(&version) else {
            return;
        };
        let requested = self.requested.entry(url.clone()).or_insert_with(|| {
            let what = match kind {
                RequisiteKind::Picture => Resource::Picture,
                RequisiteKind::Style | RequisiteKind::Font => Resource::Style,
            };
            let is_foreign = !is_of_site(&url, &waiting.of.site);
            next.requests.push(RequisiteRequest {
                url,
                what,
                is_foreign,
            });
            self.room.expect(&waiting.feeds);
            RequestedAddress {
                kind,
                is_icon: false,
                feeds: waiting.feeds.clone(),
                is_imported,
                by: Vec::new(),
            }
        });
        if !requested.by.contains(&version) {
            requested.by.push(version);
            waiting.answers += 1;
        }
    }

    /// Takes the response of an address, or the reason why there is none.
    pub fn take(
        &mut self,
        archive: &Archive,
        url: &str,
        now: DateTime<Utc>,
        visited: std::result::Result<Visited, String>,
    ) -> Result<GatherStep> {
        let mut next = GatherStep::default();
        let Some(requested) = self.requested.remove(url) else {
            return Ok(next);
        };
        if requested.is_icon {
            self.icons.answered(url);
        }
        let others = visited.as_ref().ok();
        (next.changes).extend(others.and_then(|visited| other_answers(visited, now)));
        let fetched = visited.and_then(|visited| match visited.body.len() {
            bytes if requested.is_icon && bytes > icon::MAX_BYTES => {
                Err(format!("an icon of {bytes} bytes"))
            }
            _ => requisite_of(url, requested.kind, now, visited),
        });
        let found = match &fetched {
            Ok(fetched) => {
                let known = StoredRequisite {
                    at: now,
                    sha256: sha256_hex(&fetched.exchange.body),
                    extension: fetched.extension.clone(),
                };
                self.fresh.insert(url.to_owned(), known.clone());
                if requested.kind == RequisiteKind::Style {
                    self.go_on(archive, fetched, &requested, &mut next)?;
                }
                Ok(known)
            }
            Err(why) => Err(why.clone()),
        };
        let came = fetched.as_ref().map(|fetched| fetched.exchange.body.len());
        (self.room).take(&requested.feeds, came.unwrap_or(0) as u64);
        for version in &requested.by {
            let Some(waiting) = self.articles.get_mut(version) else {
                continue;
            };
            waiting.answers -= 1;
            for picture in waiting.pictures.iter_mut().filter(|p| p.url == url) {
                match &found {
                    Ok(known) => fill(picture, known),
                    Err(why) => picture.error = Some(why.clone()),
                }
            }
        }
        if requested.kind == RequisiteKind::Picture && !requested.is_icon {
            next.picture = Some(found.map(|_| ()));
        }
        // Before the articles that have it.
        next.changes.extend(
            fetched
                .ok()
                .map(|fetched| ArchiveChange::Requisite(Box::new(fetched))),
        );
        for version in requested.by {
            self.finish(version, now, &mut next);
        }
        Ok(next)
    }

    /// Requests the addresses that a style sheet names.
    fn go_on(
        &mut self,
        archive: &Archive,
        fetched: &FetchedRequisite,
        requested: &RequestedAddress,
        next: &mut GatherStep,
    ) -> Result<()> {
        let css = String::from_utf8_lossy(&fetched.exchange.body);
        for (url, kind) in style::named_by(&css, &fetched.final_url) {
            // One level deep: the imports of an imported sheet are left out.
            if requested.is_imported && kind == RequisiteKind::Style {
                continue;
            }
            if self.fresh.contains_key(&url) || archive.requisite(&url)?.is_some() {
                continue;
            }
            for version in &requested.by {
                let Some(waiting) = self.articles.get_mut(version) else {
                    continue;
                };
                if waiting.styles < MAX_STYLES {
                    waiting.styles += 1;
                    self.ask(url.clone(), kind, true, *version, next);
                }
            }
        }
        Ok(())
    }

    /// Writes the pictures of an article that waits for nothing more.
    fn finish(&mut self, version: i64, now: DateTime<Utc>, next: &mut GatherStep) {
        let Some(waiting) = self.articles.get_mut(&version) else {
            return;
        };
        if waiting.answers > 0 || waiting.is_done {
            return;
        }
        waiting.is_done = true;
        let event = Event::Pictured {
            key: waiting.of.key.clone(),
            number: waiting.of.number,
            pictures: std::mem::take(&mut waiting.pictures),
        };
        next.changes.push(ArchiveChange::Event { at: now, event });
    }

    /// Forgets the changes that were written.
    pub fn written(&mut self) {
        self.fresh.clear();
        self.articles.retain(|_, waiting| !waiting.is_done);
    }

    /// Puts off the articles of an address that was not requested.
    pub fn put_off(&mut self, url: &str) {
        let requested = self.requested.remove(url);
        for version in requested.into_iter().flat_map(|requested| requested.by) {
            if self.articles.remove(&version).is_some() {
                self.put_off.insert(version);
            }
        }
    }

    /// Lets versions that wait for a host be taken up again.
    pub fn try_again(&mut self) {
        self.put_off.clear();
    }
}

fn is_address(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| is_web(&url))
}

fn fill(picture: &mut Picture, known: &StoredRequisite) {
    picture.sha256 = Some(known.sha256.clone());
    picture.extension = Some(known.extension.clone());
}

/// The requisite in a response, if it is of the kind that was requested.
fn requisite_of(
    url: &str,
    kind: RequisiteKind,
    at: DateTime<Utc>,
    mut visited: Visited,
) -> std::result::Result<FetchedRequisite, String> {
    if !(200..=299).contains(&visited.status) {
        return Err(format!("status {}", visited.status));
    }
    let content_type = visited.content_type.as_deref();
    let extension = match kind {
        RequisiteKind::Picture => picture::extension(content_type, &visited.body),
        RequisiteKind::Font => picture::font(&visited.body),
        RequisiteKind::Style => style::is_one(content_type).then_some("css"),
    };
    let Some(extension) = extension else {
        let what = content_type.unwrap_or("nothing");
        return Err(format!(
            "it is not what its page takes it for: it says {what} of itself"
        ));
    };
    Ok(FetchedRequisite {
        at,
        url: url.to_owned(),
        final_url: visited.url.to_string(),
        kind,
        extension: extension.to_owned(),
        exchange: take_exchange(&mut visited),
        content_type: visited.content_type,
    })
}

/// The style sheets and fonts that the pages of a version name.
fn styles_of(archive: &Archive, version: i64) -> Result<Vec<(String, RequisiteKind)>> {
    let reader = archive.reader()?;
    let raw = match reader.version(version)? {
        Some((_, version)) => reader.raw_of(&version)?,
        None => None,
    };
    let mut found = Vec::new();
    let Some(raw) = raw else { return Ok(found) };
    for raw in std::iter::once(&raw.first).chain(raw.parts.iter().map(|(_, raw)| raw)) {
        let source = Source {
            url: Some(&raw.url),
            content_type: raw.content_type.as_deref(),
        };
        for named in style::of_page(&Page::parse(&raw.body, source)) {
            if !found.contains(&named) {
                found.push(named);
            }
        }
        found.truncate(MAX_STYLES);
    }
    Ok(found)
}
