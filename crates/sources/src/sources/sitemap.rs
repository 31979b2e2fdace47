//! The pages of sitemaps: of one, of the files of an index, of those that a robots.txt names.
//!
//! Takes a document that was read, or the addresses of sitemaps; gives the pages of all of them
//! as one list, the newest first, each once. The files of an index are read one by one, those
//! that changed last first, within bounds on files, entries, bytes and the depth of indices. A
//! file is beside a local index, or on the web; one that cannot be read is a warning, and so is
//! one of another host than the sitemap's own, after redirects too.

use super::file::read_file;
use super::folder;
use super::handle::Sources;
use super::pages::{PageList, pages_of};
use super::warning::SourceWarning;
use super::web::{RequestKind, WebDocument};
use crate::error::{Error, Result, SourceFault};
use forest_core::feed::{
    FeedItem, MAX_SITEMAP_BYTES, ROBOTS_PATH, Sitemap, SitemapFile, named_in_robots, read_sitemap,
    sort_newest_first,
};
use forest_html::address::{bare_site, page_key};
use forest_html::error::with_causes;
use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use url::Url;

/// Entries of all files together at the most.
const MAX_ENTRIES: usize = 50_000;

/// Bytes of all files together at the most, as they were read.
const MAX_BYTES: usize = 200_000_000;

/// Indices below the first one at the most. The protocol has none; some sites have one a year.
const MAX_DEPTH: usize = 2;

impl Sources {
    /// The pages of a sitemap from the web.
    pub(super) fn remote_sitemap(&self, answer: &WebDocument) -> Result<PageList> {
        let name = answer.url.as_str();
        let mut walk = SitemapWalk::new(self, Some(&answer.url), None);
        walk.take(&answer.bytes, Some(&answer.url), 0)
            .map_err(SourceFault::content(name))?;
        walk.finish(name, Some(name.to_owned()))
    }

    /// The pages of a sitemap in a file, or from a pipe.
    pub(super) fn local_sitemap(
        &self,
        bytes: &[u8],
        typed: &str,
        file: Option<&Path>,
    ) -> Result<PageList> {
        let dir = file.and_then(Path::parent);
        let mut walk = SitemapWalk::new(self, None, dir);
        walk.take(bytes, None, 0)
            .map_err(SourceFault::content(typed))?;
        walk.finish(typed, file.map(|_| typed.to_owned()))
    }

    /// The pages of the sitemaps that a robots.txt names; `None` if it names none of its own site.
    pub(super) fn robots_sitemaps(&self, robots: &Url, text: &[u8]) -> Result<Option<PageList>> {
        let own = bare_site(robots);
        let mut named = named_in_robots(text, Some(robots));
        named.retain(|url| bare_site(url) == own);
        if named.is_empty() {
            return Ok(None);
        }
        let files = named
            .into_iter()
            .map(|url| SitemapFile { url, changed: None });
        let mut walk = SitemapWalk::new(self, Some(robots), None);
        walk.add(files.collect(), 0);
        let feed = robots.as_str().to_owned();
        walk.finish(robots.as_str(), Some(feed)).map(Some)
    }

    /// The pages of the sitemaps that the robots.txt of a home page's site names.
    pub(super) fn sitemaps_of_home(&self, home: &Url) -> Result<Option<PageList>> {
        let Ok(robots) = home.join(ROBOTS_PATH) else {
            return Ok(None);
        };
        // A site without one names none.
        let Ok(answer) = self.web.get(&robots, RequestKind::Feed) else {
            return Ok(None);
        };
        let found = self.robots_sitemaps(&robots, &answer.bytes)?;
        if found.is_some() {
            self.warn(SourceWarning::FeedFound {
                home: home.clone(),
                feed: robots,
            });
        }
        Ok(found)
    }
}

/// A walk through the files of a sitemap.
struct SitemapWalk<'a> {
    sources: &'a Sources,
    /// The host that all files are of, if it is known.
    host: Option<String>,
    /// The folder in which files of a local index are searched.
    dir: Option<&'a Path>,
    items: Vec<FeedItem>,
    waiting: VecDeque<(SitemapFile, usize)>,
    /// The files that were met, so that an index that names itself ends.
    known: HashSet<String>,
    files: usize,
    bytes: usize,
    /// The first file that could not be read.
    failed: Option<Error>,
}

impl<'a> SitemapWalk<'a> {
    fn new(sources: &'a Sources, own: Option<&Url>, dir: Option<&'a Path>) -> SitemapWalk<'a> {
        SitemapWalk {
            sources,
            host: own.and_then(bare_site).map(Cow::into_owned),
            dir,
            items: Vec::new(),
            waiting: VecDeque::new(),
            known: own.map(|url| page_key(url.as_str())).into_iter().collect(),
            files: 0,
            bytes: 0,
            failed: None,
        }
    }

    /// Takes the pages of a sitemap, or the files of an index.
    fn take(&mut self, bytes: &[u8], base: Option<&Url>, depth: usize) -> Result<()> {
        self.bytes += bytes.len();
        let name = base.map(Url::to_string);
        let warnings = match read_sitemap(bytes, base)? {
            Sitemap::Pages(feed) => {
                let room = MAX_ENTRIES - self.items.len();
                let feed = *feed;
                self.items.extend(feed.items.into_iter().take(room));
                feed.warnings
            }
            Sitemap::Index(mut index) => {
                let warnings = std::mem::take(&mut index.warnings);
                self.add(index.newest_first(), depth);
                warnings
            }
        };
        for fault in &warnings {
            self.sources.warn(SourceWarning::OfFeed {
                name: name.clone().unwrap_or_else(|| "the sitemap".to_owned()),
                fault: fault.to_string(),
            });
        }
        Ok(())
    }

    /// Adds files that are to be read.
    fn add(&mut self, files: Vec<SitemapFile>, depth: usize) {
        for file in files {
            if depth <= MAX_DEPTH && self.known.insert(page_key(file.url.as_str())) {
                self.waiting.push_back((file, depth + 1));
            }
        }
    }

    fn is_full(&self) -> bool {
        self.files >= self.sources.sitemaps.files
            || self.items.len() >= MAX_ENTRIES
            || self.bytes >= MAX_BYTES
    }

    /// Reads a file of an index.
    fn read(&mut self, url: &Url, depth: usize) -> Result<()> {
        let beside = self.dir.zip(url.path_segments().and_then(Iterator::last));
        let beside = beside.map(|(dir, name)| dir.join(name));
        if let Some(path) = beside.filter(|path| path.is_file()) {
            let bytes = read_file(&path, MAX_SITEMAP_BYTES)?;
            return self.take(&bytes, Some(url), depth);
        }
        let own = self
            .host
            .as_deref()
            .map(Cow::Borrowed)
            .or_else(|| bare_site(url));
        let is_own = |url: &Url| bare_site(url) == own;
        let other = |url: &Url| SourceFault::OtherHost {
            url: url.to_string(),
        };
        if !is_own(url) {
            return Err(other(url).into());
        }
        let answer = self.sources.web.get(url, RequestKind::Sitemap)?;
        if !is_own(&answer.url) {
            return Err(other(url).into());
        }
        self.take(&answer.bytes, Some(&answer.url), depth)
    }

    /// Reads the files that wait, and gives the pages of the section.
    fn finish(mut self, name: &str, feed: Option<String>) -> Result<PageList> {
        while !self.is_full()
            && let Some((file, depth)) = self.waiting.pop_front()
        {
            self.files += 1;
            if let Err(error) = self.read(&file.url, depth) {
                self.sources.warn(SourceWarning::SitemapUnread {
                    url: file.url,
                    why: with_causes(&error),
                });
                self.failed.get_or_insert(error);
            }
        }
        if let Some(source) = self.failed.filter(|_| self.items.is_empty()) {
            return Err(SourceFault::content(name)(source));
        }
        let (name, left) = (name.to_owned(), self.waiting.len());
        if left > 0 {
            let (name, files) = (name.clone(), left);
            self.sources
                .warn(SourceWarning::SitemapsLeft { name, files });
        }
        let mut items = self.items;
        let of = items.len();
        if let Some(section) = self.sources.sitemaps.section.keep(&mut items) {
            let name = name.clone();
            self.sources
                .warn(SourceWarning::InSection { name, section });
        }
        sort_newest_first(&mut items);
        if items.is_empty() {
            let name = name.clone();
            self.sources.warn(match of {
                0 => SourceWarning::NoItems { name },
                of => SourceWarning::NoneInSection { name, of },
            });
        }
        let pages = folder::pages_of_items(&items, self.dir.map(folder::LocalPages::of));
        Ok(PageList {
            feed,
            by_feed: true,
            is_sitemap: true,
            ..pages_of(&name, pages.into_iter())
        })
    }
}
