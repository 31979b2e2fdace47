//! What pages show besides their texts, had for the archive: the pictures of articles, and
//! on request the style sheets and fonts of their pages.
//!
//! Takes versions that the archive has ([`Archive::unpictured`]) and answers to the visits
//! that it asks for; gives visits and what is to be written. Whoever drives it (a harvest,
//! or [`gather`]) fetches. An article's pictures are written down when all of them came or
//! failed; one whose process ends before is looked at again.
//!
//! - An address is asked for once, and again only for another version of an article.
//! - A picture that cannot be had is tried no more, unless its article changes; a host
//!   that rests or asks for it puts off the articles that need it.
//! - `picture`: which bytes are a picture or a font. SVG is one, though it can hold
//!   scripts: it is stored as it came and put into no HTML.
//! - `style`: what pages and style sheets name.

mod alone;
mod picture;
mod style;

pub use alone::gather;

use crate::address::is_web;
use crate::archive::{
    Archive, Change, Event, Picture, RequisiteCame, RequisiteKind, RequisiteKnown, Unpictured,
};
use crate::error::Result;
use crate::fetch::{Resource, Visited};
use crate::page::{Page, Source};
use crate::text::sha256_hex;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{HashMap, HashSet};
use url::Url;

/// Articles that wait for their pictures at once: their addresses are held.
const ARTICLES: usize = 256;

/// Style sheets and fonts of an article's pages at the most.
const MAX_STYLES: usize = 50;

/// Times that a version is looked at in one process: once, and again when it was read by
/// another wrapper. That its pictures are written down each time must not go on for ever.
const MAX_BEGUN: u32 = 8;

/// What is had.
///
/// ```
/// use forest::harvest::RequisiteOptions;
///
/// let options = RequisiteOptions::default().with_pictures(5);
/// assert_eq!((options.pictures(), options.styles()), (5, false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequisiteOptions {
    pictures: usize,
    styles: bool,
}

impl RequisiteOptions {
    /// Pictures of an article: a long report has as many.
    pub const PICTURES: usize = 20;

    /// Days that a version may have been there before its pictures are asked for in a
    /// harvest.
    pub const DAYS: i64 = 7;

    /// Pictures of an article at the most, the first ones ([`PICTURES`](Self::PICTURES)).
    #[must_use]
    pub fn with_pictures(mut self, most: usize) -> Self {
        self.pictures = most;
        self
    }

    /// Whether style sheets and fonts are had, too (no).
    #[must_use]
    pub fn with_styles(mut self, styles: bool) -> Self {
        self.styles = styles;
        self
    }

    /// Pictures of an article at the most.
    pub fn pictures(&self) -> usize {
        self.pictures
    }

    /// Whether style sheets and fonts are had.
    pub fn styles(&self) -> bool {
        self.styles
    }
}

impl Default for RequisiteOptions {
    fn default() -> Self {
        RequisiteOptions {
            pictures: Self::PICTURES,
            styles: false,
        }
    }
}

/// How many pictures came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureTally {
    /// Pictures that are in the archive now.
    pub stored: u64,
    /// Pictures that could not be had.
    pub failed: u64,
}

/// What is to be done next.
#[derive(Debug, Default)]
pub(super) struct Next {
    /// Addresses to be visited, and as what.
    pub ask: Vec<(String, Resource)>,
    /// To be written.
    pub changes: Vec<Change>,
    /// A picture that came, or why it did not.
    pub picture: Option<std::result::Result<(), String>>,
}

/// Articles that wait for what their pages show.
#[derive(Debug)]
pub(super) struct Gathering {
    options: RequisiteOptions,
    articles: HashMap<i64, Waiting>,
    asked: HashMap<String, Asked>,
    /// What came and is not written yet.
    fresh: HashMap<String, RequisiteKnown>,
    /// Versions that wait for a host, or were looked at too often.
    put_off: HashSet<i64>,
    /// How often versions were looked at.
    begun: HashMap<i64, u32>,
}

#[derive(Debug)]
struct Waiting {
    of: Unpictured,
    /// Answers.
    answers: usize,
    styles: usize,
    pictures: Vec<Picture>,
    /// It is to be written only.
    is_done: bool,
}

/// An address that was asked for.
#[derive(Debug)]
struct Asked {
    kind: RequisiteKind,
    /// A style sheet that another one names.
    is_imported: bool,
    by: Vec<i64>,
}

/// Which versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    pub since: DateTime<Utc>,
    pub after: i64,
}

impl Scope {
    /// Those that came lately.
    pub fn lately(now: DateTime<Utc>) -> Scope {
        Scope {
            since: now - TimeDelta::days(RequisiteOptions::DAYS),
            after: 0,
        }
    }
}

impl Gathering {
    pub fn new(options: RequisiteOptions) -> Gathering {
        Gathering {
            options,
            articles: HashMap::new(),
            asked: HashMap::new(),
            fresh: HashMap::new(),
            put_off: HashSet::new(),
            begun: HashMap::new(),
        }
    }

    /// Takes up further articles. `rests`: whether a host is left alone for now.
    pub fn look(
        &mut self,
        archive: &Archive,
        scope: Scope,
        now: DateTime<Utc>,
        rests: &dyn Fn(&Url) -> bool,
    ) -> Result<Next> {
        let mut next = Next::default();
        let held = self.articles.len() + self.put_off.len();
        for of in archive.unpictured(
            scope.since,
            scope.after,
            self.options.styles,
            ARTICLES + held,
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
        Ok(next)
    }

    fn begin(
        &mut self,
        archive: &Archive,
        of: Unpictured,
        now: DateTime<Utc>,
        rests: &dyn Fn(&Url) -> bool,
        next: &mut Next,
    ) -> Result<()> {
        let version = of.version;
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
        let waiting = Waiting {
            of,
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

    /// What the archive has of an address, if that will do.
    fn known(
        &self,
        archive: &Archive,
        url: &str,
        of: &Unpictured,
    ) -> Result<Option<RequisiteKnown>> {
        let known = match self.fresh.get(url) {
            Some(fresh) => Some(fresh.clone()),
            None => archive.requisite(url)?,
        };
        // Whoever edits an article may have put another picture in the old one's place.
        Ok(known.filter(|known| of.number == 1 || known.at >= of.at))
    }

    fn ask(
        &mut self,
        url: String,
        kind: RequisiteKind,
        is_imported: bool,
        version: i64,
        next: &mut Next,
    ) {
        let Some(waiting) = self.articles.get_mut(&version) else {
            return;
        };
        let asked = self.asked.entry(url.clone()).or_insert_with(|| {
            let what = match kind {
                RequisiteKind::Picture => Resource::Picture,
                RequisiteKind::Style | RequisiteKind::Font => Resource::Style,
            };
            next.ask.push((url, what));
            Asked {
                kind,
                is_imported,
                by: Vec::new(),
            }
        });
        if !asked.by.contains(&version) {
            asked.by.push(version);
            waiting.answers += 1;
        }
    }

    /// Takes what came at an address, or why nothing did.
    pub fn take(
        &mut self,
        archive: &Archive,
        url: &str,
        now: DateTime<Utc>,
        visited: std::result::Result<Visited, String>,
    ) -> Result<Next> {
        let mut next = Next::default();
        let Some(asked) = self.asked.remove(url) else {
            return Ok(next);
        };
        let came = visited.and_then(|visited| came(url, asked.kind, now, visited));
        let found = match &came {
            Ok(came) => {
                let known = RequisiteKnown {
                    at: now,
                    sha256: sha256_hex(&came.body),
                    extension: came.extension.clone(),
                };
                self.fresh.insert(url.to_owned(), known.clone());
                if asked.kind == RequisiteKind::Style {
                    self.go_on(archive, came, &asked, &mut next)?;
                }
                Ok(known)
            }
            Err(why) => Err(why.clone()),
        };
        for version in &asked.by {
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
        if asked.kind == RequisiteKind::Picture {
            next.picture = Some(found.map(|_| ()));
        }
        // Before the articles that have it.
        next.changes
            .extend(came.ok().map(|came| Change::Requisite(Box::new(came))));
        for version in asked.by {
            self.finish(version, now, &mut next);
        }
        Ok(next)
    }

    /// Asks for what a style sheet names.
    fn go_on(
        &mut self,
        archive: &Archive,
        came: &RequisiteCame,
        asked: &Asked,
        next: &mut Next,
    ) -> Result<()> {
        let css = String::from_utf8_lossy(&came.body);
        for (url, kind) in style::named_by(&css, &came.final_url) {
            // One level deep: what an imported one imports is left alone.
            if asked.is_imported && kind == RequisiteKind::Style {
                continue;
            }
            if self.fresh.contains_key(&url) || archive.requisite(&url)?.is_some() {
                continue;
            }
            for version in &asked.by {
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

    /// Writes down the pictures of an article that waits for nothing more.
    fn finish(&mut self, version: i64, now: DateTime<Utc>, next: &mut Next) {
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
        next.changes.push(Change::Event { at: now, event });
    }

    /// All that was to be written is.
    pub fn written(&mut self) {
        self.fresh.clear();
        self.articles.retain(|_, waiting| !waiting.is_done);
    }

    /// An address was not asked for: its articles wait.
    pub fn put_off(&mut self, url: &str) {
        let asked = self.asked.remove(url);
        for version in asked.into_iter().flat_map(|asked| asked.by) {
            if self.articles.remove(&version).is_some() {
                self.put_off.insert(version);
            }
        }
    }

    /// Those that wait for a host may be taken up again.
    pub fn try_again(&mut self) {
        self.put_off.clear();
    }
}

fn is_address(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| is_web(&url))
}

fn fill(picture: &mut Picture, known: &RequisiteKnown) {
    picture.sha256 = Some(known.sha256.clone());
    picture.extension = Some(known.extension.clone());
}

/// What an answer brought, if it is what it was asked for as.
fn came(
    url: &str,
    kind: RequisiteKind,
    at: DateTime<Utc>,
    visited: Visited,
) -> std::result::Result<RequisiteCame, String> {
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
    Ok(RequisiteCame {
        at,
        url: url.to_owned(),
        final_url: visited.url.to_string(),
        kind,
        extension: extension.to_owned(),
        content_type: visited.content_type,
        request_head: visited.request_head,
        response_head: visited.response_head,
        body: visited.body,
        address: visited.address,
    })
}

/// What the pages of a version name.
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
