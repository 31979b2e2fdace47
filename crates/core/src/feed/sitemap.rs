//! Sitemaps (sitemaps.org, protocol 0.9): the pages of a site, and the index of its sitemaps.
//!
//! Takes the bytes of a sitemap, packed with gzip or not; gives a [`Sitemap`]: the entries of a
//! `urlset` as a [`Feed`], or the files that a `sitemapindex` names. `lastmod` is the time of an
//! item's last change; the title, the date and the keywords of Google's news sitemaps are the
//! item's own. The XML is read by the scanner of feeds: no entity is ever defined. A feed, and
//! a text of addresses, one a line, are sitemaps, too, where a sitemap is expected; and
//! robots.txt names sitemaps, see [`named_in_robots`].
//!
//! As the protocol says, an entry is of the sitemap's own site: those of other hosts are left
//! out. `www.` and the scheme make no difference. A [`Section`] is a part of a site by its paths.

use super::date::date;
use super::decode::decode;
use super::scan::{Token, XmlScanner, local, unescape};
use super::sniff::is_sitemap_root;
use super::{Feed, FeedDate, FeedItem, FeedVersion, FeedWarning, SniffedType, parse, sniff};
use crate::error::{ErrorKind, Result};
use chrono::{DateTime, FixedOffset};
use flate2::bufread::MultiGzDecoder;
use forest_html::address::{bare_site, web_link};
use forest_html::page::metadata::DateStyle;
use forest_html::text::fold;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::Read;
use url::Url;

/// Bytes of a sitemap at the most, unpacked (the protocol's limit).
pub const MAX_SITEMAP_BYTES: usize = 52_428_800;

/// Entries of a sitemap, and files of an index, at the most (the protocol's limit).
pub const MAX_SITEMAP_ENTRIES: usize = 50_000;

/// Bytes of an address, a title or a date that are read.
const MAX_FIELD_BYTES: usize = 8_192;

/// The path of the robots.txt of a site.
pub const ROBOTS_PATH: &str = "/robots.txt";

/// Sitemaps of a robots.txt that are read.
const MAX_NAMED: usize = 50;

/// A sitemap as it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Sitemap {
    /// Pages, in the order of the sitemap.
    Pages(Box<Feed>),
    /// An index of sitemaps.
    Index(SitemapIndex),
}

/// The files of a site's sitemaps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SitemapIndex {
    /// In the order of the index, each once.
    pub files: Vec<SitemapFile>,
    /// The faults that were passed over.
    pub warnings: Vec<FeedWarning>,
}

/// A sitemap that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapFile {
    /// Its address.
    pub url: Url,
    /// The time of its last change.
    pub changed: Option<DateTime<FixedOffset>>,
}

/// Reads a sitemap; `base` is its address, if it has one.
///
/// # Errors
///
/// If it is none, cannot be unpacked, or is over [`MAX_SITEMAP_BYTES`].
///
/// # Examples
///
/// ```
/// use forest_core::feed::{Sitemap, read_sitemap};
/// let xml = b"<urlset><url><loc>https://example.org/a</loc><lastmod>2026-01-02</lastmod></url></urlset>";
/// let Sitemap::Pages(feed) = read_sitemap(xml, None)? else { panic!("pages") };
/// assert_eq!(feed.items[0].updated.as_ref().unwrap().raw, "2026-01-02");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_sitemap(bytes: &[u8], base: Option<&Url>) -> Result<Sitemap> {
    let bytes = unpacked(bytes)?;
    let kind = sniff(&bytes);
    let (text, warning) = decode(&bytes, None);
    let mut reader = SitemapReader::new(&text, base);
    match kind {
        SniffedType::Sitemap => reader.run(),
        SniffedType::UrlList => text.lines().for_each(|line| reader.take_line(line)),
        SniffedType::Feed => {
            let mut feed = parse(&bytes, base, None)?;
            let items = std::mem::take(&mut feed.items).into_iter();
            feed.items = items.filter(|item| reader.takes(item)).collect();
            return Ok(Sitemap::Pages(Box::new(feed)));
        }
        other => {
            let found = other.name();
            return Err(ErrorKind::NotASitemap { found }.into());
        }
    }
    let found = reader.entries;
    let mut warnings: Vec<FeedWarning> = warning.into_iter().chain(reader.warnings).collect();
    let foreign = reader.foreign;
    if foreign > 0 {
        warnings.push(FeedWarning::OtherHosts { entries: foreign });
    }
    if reader.is_index {
        let files = found.into_iter().map(|entry| SitemapFile {
            changed: entry.changed.and_then(|date| date.time),
            url: entry.url,
        });
        let files = files.collect();
        return Ok(Sitemap::Index(SitemapIndex { files, warnings }));
    }
    let site = base.or_else(|| Some(&found.first()?.url));
    Ok(Sitemap::Pages(Box::new(Feed {
        format: FeedVersion::Sitemap,
        title: site.and_then(Url::host_str).unwrap_or_default().to_owned(),
        description: None,
        language: None,
        site: site.and_then(|url| url.join("/").ok()),
        image: None,
        ttl: None,
        items: found.into_iter().map(SitemapEntry::into_item).collect(),
        warnings,
    })))
}

/// The bytes of a sitemap, unpacked.
fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>> {
    let limit = MAX_SITEMAP_BYTES;
    let whole: Cow<'_, [u8]> = if bytes.starts_with(b"\x1F\x8B") {
        let mut unpacked = Vec::new();
        // One byte more than allowed shows that there is more.
        let read = MultiGzDecoder::new(bytes)
            .take(limit as u64 + 1)
            .read_to_end(&mut unpacked);
        if let Err(source) = read
            && unpacked.is_empty()
        {
            let source = source.into();
            return Err(ErrorKind::FeedSyntax { source }.into());
        }
        unpacked.into()
    } else {
        bytes.into()
    };
    if whole.len() > limit {
        return Err(ErrorKind::SitemapTooLarge { limit }.into());
    }
    Ok(whole)
}

/// An entry of a sitemap or of an index.
#[derive(Debug)]
struct SitemapEntry {
    url: Url,
    changed: Option<FeedDate>,
    published: Option<FeedDate>,
    title: String,
    keywords: Vec<String>,
}

impl SitemapEntry {
    fn into_item(self) -> FeedItem {
        FeedItem {
            id: self.url.to_string(),
            title: self.title,
            link: Some(self.url),
            published: self.published,
            updated: self.changed,
            categories: self.keywords,
            ..FeedItem::default()
        }
    }
}

/// The fields of an open entry, as they are written.
#[derive(Debug, Default)]
struct RawEntry {
    place: String,
    changed: String,
    published: String,
    title: String,
    keywords: String,
}

struct SitemapReader<'a> {
    scanner: XmlScanner<'a>,
    base: Option<&'a Url>,
    /// The host that entries must be of, without `www.`; that of the first entry, where the
    /// sitemap has no address.
    host: Option<String>,
    is_index: bool,
    entries: Vec<SitemapEntry>,
    known: HashSet<Url>,
    foreign: usize,
    warnings: Vec<FeedWarning>,
}

impl<'a> SitemapReader<'a> {
    fn new(text: &'a str, base: Option<&'a Url>) -> SitemapReader<'a> {
        SitemapReader {
            scanner: XmlScanner::new(text),
            base,
            host: base.and_then(bare_site).map(Cow::into_owned),
            is_index: false,
            entries: Vec::new(),
            known: HashSet::new(),
            foreign: 0,
            warnings: Vec::new(),
        }
    }

    fn run(&mut self) {
        let mut entry: Option<RawEntry> = None;
        let mut field: Option<(&'a str, String)> = None;
        let mut is_closed = false;
        while let Some(token) = self.scanner.next() {
            match token {
                Token::Start(tag) => {
                    let name = local(tag.name);
                    if name.eq_ignore_ascii_case("sitemapindex") {
                        self.is_index = true;
                    } else if name == self.entry_name() {
                        if self.entries.len() == MAX_SITEMAP_ENTRIES {
                            self.warnings.push(FeedWarning::TooManyEntries);
                            return;
                        }
                        self.close(entry.replace(RawEntry::default()));
                        field = None;
                    } else if !tag.empty {
                        field = Some((tag.name, String::new()));
                    }
                }
                Token::Text(text) => push_within(&mut field, || unescape(text).into()),
                Token::CData(text) => push_within(&mut field, || text.into()),
                Token::End(name) => {
                    if let Some((tag, text)) = field.take()
                        && let Some(entry) = &mut entry
                    {
                        entry.take(tag, &text);
                    }
                    if local(name) == self.entry_name() {
                        self.close(entry.take());
                    }
                    is_closed |= is_sitemap_root(local(name));
                }
            }
        }
        // An entry that the end of the document cuts is left out.
        if !is_closed && (self.scanner.cut || entry.is_some() || !self.entries.is_empty()) {
            self.warnings.push(FeedWarning::Truncated);
        }
    }

    /// Takes an address of a text.
    fn take_line(&mut self, line: &str) {
        if self.entries.len() < MAX_SITEMAP_ENTRIES && !line.starts_with('#') {
            self.close(Some(RawEntry {
                place: line.trim().to_owned(),
                ..RawEntry::default()
            }));
        }
    }

    /// Returns true if an item of a feed is of the sitemap's own site.
    fn takes(&self, item: &FeedItem) -> bool {
        let own = item.link.as_ref().and_then(bare_site);
        self.host.is_none() || own.as_deref() == self.host.as_deref()
    }

    fn entry_name(&self) -> &'static str {
        if self.is_index { "sitemap" } else { "url" }
    }

    fn close(&mut self, entry: Option<RawEntry>) {
        let Some(entry) = entry else { return };
        let Some(url) = web_link(self.base, entry.place.trim()) else {
            return;
        };
        let host = bare_site(&url);
        if self.host.is_none() {
            self.host = host.as_deref().map(str::to_owned);
        }
        if host.as_deref() != self.host.as_deref() {
            self.foreign += 1;
        } else if self.known.insert(url.clone()) {
            let style = DateStyle::of(None, Some(url.as_str()));
            let read = |raw: String| (!raw.is_empty()).then(|| date(raw, style));
            self.entries.push(SitemapEntry {
                changed: read(entry.changed),
                published: read(entry.published),
                title: entry.title,
                keywords: keywords(&entry.keywords),
                url,
            });
        }
    }
}

/// Adds text to an open field, up to the bound of one.
fn push_within<'t>(field: &mut Option<(&str, String)>, text: impl FnOnce() -> Cow<'t, str>) {
    if let Some((_, out)) = field
        && out.len() < MAX_FIELD_BYTES
    {
        let text = text();
        let room = text.floor_char_boundary(MAX_FIELD_BYTES - out.len());
        out.push_str(&text[..room]);
    }
}

impl RawEntry {
    /// Takes a field; of each the first. Those of pictures and films have prefixes of their own.
    fn take(&mut self, tag: &str, text: &str) {
        let prefix = tag.split_once(':').map(|(prefix, _)| prefix);
        let field = match (prefix, local(tag)) {
            (Some("image" | "video" | "xhtml" | "mobile"), _) => return,
            (_, "loc") => &mut self.place,
            (_, "lastmod") => &mut self.changed,
            (_, "publication_date") => &mut self.published,
            (_, "title") => &mut self.title,
            (_, "keywords") => &mut self.keywords,
            _ => return,
        };
        if field.is_empty() {
            *field = fold(text);
        }
    }
}

/// Words between commas, each once.
fn keywords(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        if all.len() < super::raw::MAX_NAMES && all.iter().all(|known| known != word) {
            all.push(word.to_owned());
        }
    }
    all
}

impl SitemapIndex {
    /// The files, those that changed last first; those without a date behind them, in the order
    /// of the index, news before others.
    pub fn newest_first(self) -> Vec<SitemapFile> {
        let mut files = self.files;
        let is_news = |file: &SitemapFile| file.url.path().to_ascii_lowercase().contains("news");
        files.sort_by_key(|file| (std::cmp::Reverse(file.changed), !is_news(file)));
        files
    }
}

/// Sorts the items of sitemaps: the newest first by the date of publication, else of the last
/// change; those without a date behind them, in their order.
pub fn sort_newest_first(items: &mut [FeedItem]) {
    items.sort_by_key(|item| std::cmp::Reverse(item.date().and_then(|date| date.time)));
}

/// The sitemaps that a robots.txt names (RFC 9309, 2.2.4), each once.
pub fn named_in_robots(text: &[u8], robots: Option<&Url>) -> Vec<Url> {
    let text = String::from_utf8_lossy(text);
    let mut named = Vec::new();
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}'));
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default());
    for line in lines {
        if let Some((key, value)) = line.split_once(':')
            && key.trim().eq_ignore_ascii_case("sitemap")
            && let Some(url) = web_link(robots, value.trim())
            && !named.contains(&url)
            && named.len() < MAX_NAMED
        {
            named.push(url);
        }
    }
    named
}

/// Returns true if the last segment of an address says that it is a sitemap's, which may be larger
/// than a feed.
pub fn names_sitemap(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    name.to_ascii_lowercase().contains("sitemap")
}

/// A part of a site, by the paths of its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Section {
    /// All pages.
    #[default]
    All,
    /// The pages below a path, `/news/`.
    Below(String),
    /// The section with the most pages; where some have a title or a date of publication, of
    /// these.
    Largest,
}

impl Section {
    /// The section below a typed path: `news`, `/news/` or an address of the site.
    pub fn below(typed: &str) -> Section {
        let path = Url::parse(typed).map_or_else(|_| typed.to_owned(), |url| url.path().to_owned());
        match path.trim_matches('/') {
            "" => Section::All,
            path => Section::Below(format!("/{path}/")),
        }
    }

    /// Returns true if a page is below the path; [`Largest`](Self::Largest) leaves all in.
    pub fn has(&self, url: &Url) -> bool {
        match self {
            Section::All | Section::Largest => true,
            Section::Below(path) => {
                let own = url.path();
                own.starts_with(path.as_str()) || path.strip_suffix('/') == Some(own)
            }
        }
    }

    /// [`has`](Self::has) of an address as text; false of what is no address.
    pub fn has_address(&self, address: &str) -> bool {
        Url::parse(address).is_ok_and(|url| self.has(&url))
    }

    /// Keeps the items of the section; gives the name and the number of pages of the one that
    /// was chosen, if there were several.
    pub fn keep(&self, items: &mut Vec<FeedItem>) -> Option<ChosenSection> {
        let of = items.len();
        match self {
            Section::All => None,
            Section::Below(_) => {
                items.retain(|item| item.link.as_ref().is_some_and(|link| self.has(link)));
                None
            }
            Section::Largest => {
                let name = largest(items)?;
                items.retain(|item| item.link.as_ref().map(section_of).as_ref() == Some(&name));
                let pages = items.len();
                (pages < of).then_some(ChosenSection { name, pages, of })
            }
        }
    }
}

/// A section that was chosen among several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenSection {
    /// The path that its pages begin with; `YYYY` stands for a year.
    pub name: String,
    /// Its pages.
    pub pages: usize,
    /// The pages of all sections.
    pub of: usize,
}

impl fmt::Display for ChosenSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "of {} pages the {} of the section {} are used: --section PATH names another, / all",
            self.of, self.pages, self.name
        )
    }
}

/// The name of the section with the most pages.
fn largest(items: &[FeedItem]) -> Option<String> {
    let is_told = |item: &&FeedItem| item.published.is_some() || !item.title.is_empty();
    let has_told = items.iter().any(|item| is_told(&item));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for item in items.iter().filter(|item| !has_told || is_told(item)) {
        if let Some(link) = &item.link {
            *counts.entry(section_of(link)).or_default() += 1;
        }
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, n)| *n == most).map(|(s, _)| s)
}

/// The name of a page's section: the first segment of its path, behind that of a language; a
/// year of four digits is `YYYY`. Pages directly below the root are of the section `/`.
fn section_of(url: &Url) -> String {
    let all: Vec<&str> = url.path().split('/').filter(|s| !s.is_empty()).collect();
    let above = &all[..all.len().saturating_sub(1)];
    let is_language = |s: &str| {
        let (code, region) = s.split_once(['-', '_']).unwrap_or((s, "xx"));
        [code, region]
            .iter()
            .all(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_alphabetic()))
    };
    let is_year = |s: &str| s.len() == 4 && s.bytes().all(|b| b.is_ascii_digit());
    let mut name = String::from("/");
    for segment in above {
        name.push_str(if is_year(segment) { "YYYY" } else { segment });
        name.push('/');
        if !is_language(segment) {
            break;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn base() -> Url {
        Url::parse("https://www.a.example/maps/sitemap.xml").expect("a URL")
    }

    fn pages(xml: &str) -> Feed {
        match read_sitemap(xml.as_bytes(), Some(&base())).expect("a sitemap") {
            Sitemap::Pages(feed) => *feed,
            Sitemap::Index(index) => panic!("{index:?}"),
        }
    }

    fn index(xml: &str) -> SitemapIndex {
        match read_sitemap(xml.as_bytes(), Some(&base())).expect("a sitemap") {
            Sitemap::Index(index) => index,
            Sitemap::Pages(feed) => panic!("{feed:?}"),
        }
    }

    fn links(feed: &Feed) -> Vec<&str> {
        let links = feed.items.iter().filter_map(|item| item.link.as_ref());
        links.map(Url::path).collect()
    }

    fn item(url: &str) -> FeedItem {
        FeedItem {
            link: Url::parse(url).ok(),
            ..FeedItem::default()
        }
    }

    #[test]
    fn entries_are_items_with_their_dates_and_titles() {
        let feed = pages(
            "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
             <url><loc> https://a.example/one?a=1&amp;b=2 </loc><lastmod>2026-03-04</lastmod>\
             <image:image><image:loc>https://a.example/x.png</image:loc><image:title>No</image:title>\
             </image:image></url>\
             <url><loc><![CDATA[http://www.a.example/two]]></loc><news:news><news:publication>\
             <news:name>The Gazette</news:name></news:publication>\
             <news:publication_date>2026-03-05T06:07:08+01:00</news:publication_date>\
             <news:title>A bridge &amp; a mill</news:title><news:keywords>mill, bridge, mill\
             </news:keywords></news:news></url></urlset>",
        );
        assert_eq!(feed.format, FeedVersion::Sitemap);
        assert_eq!(feed.warnings, []);
        let [one, two] = &feed.items[..] else {
            panic!("{feed:?}")
        };
        assert_eq!(one.id, "https://a.example/one?a=1&b=2");
        assert_eq!((one.title.as_str(), one.published.as_ref()), ("", None));
        let changed = one.updated.as_ref().expect("a date");
        assert_eq!(changed.to_string(), "2026-03-04T00:00:00+00:00");
        assert_eq!(two.title, "A bridge & a mill");
        let published = two.published.as_ref().expect("a date");
        assert_eq!(published.to_string(), "2026-03-05T06:07:08+01:00");
        assert_eq!(two.categories, ["mill", "bridge"]);
    }

    #[test]
    fn entries_of_other_hosts_and_what_is_no_address_are_left_out() {
        let feed = pages(
            "<urlset><url><loc>https://b.example/x</loc></url><url><loc>/rel</loc></url>\
             <url><loc>http://169.254.1.1/</loc></url><url><loc>ftp://a.example/</loc></url>\
             <url><loc>https://a.example:8443/y</loc></url><url/><url><loc></loc></url>\
             <url><loc>https://a.example/z</loc></url><url><loc>https://a.example/z</loc></url>\
             </urlset>",
        );
        assert_eq!(links(&feed), ["/rel", "/z"]);
        assert_eq!(feed.warnings, [FeedWarning::OtherHosts { entries: 3 }]);
        // Without an address of its own the first entry says which site it is.
        let xml = b"<urlset><url><loc>https://c.example/1</loc></url><url><loc>https://d.example/\
            </loc></url></urlset>";
        let Sitemap::Pages(feed) = read_sitemap(xml, None).expect("a sitemap") else {
            panic!("pages")
        };
        assert_eq!(links(&feed), ["/1"]);
    }

    #[test]
    fn files_of_an_index_come_newest_first() {
        let files = index(
            "<sm:sitemapindex xmlns:sm='x'><sm:sitemap><sm:loc>https://a.example/old.xml</sm:loc>\
             <sm:lastmod>2024-01-01</sm:lastmod></sm:sitemap>\
             <sm:sitemap><sm:loc>https://a.example/undated.xml</sm:loc></sm:sitemap>\
             <sm:sitemap><sm:loc>https://a.example/news.xml</sm:loc></sm:sitemap>\
             <sm:sitemap><sm:loc>https://a.example/new.xml.gz</sm:loc>\
             <sm:lastmod>2026-01-01T00:00:00Z</sm:lastmod></sm:sitemap></sm:sitemapindex>",
        );
        let files = files.newest_first();
        let paths: Vec<&str> = files.iter().map(|file| file.url.path()).collect();
        assert_eq!(
            paths,
            ["/new.xml.gz", "/old.xml", "/news.xml", "/undated.xml"]
        );
    }

    #[test]
    fn hostile_sitemaps_are_bounded() {
        let mut many = String::from("<urlset>");
        for n in 0..=MAX_SITEMAP_ENTRIES {
            many.push_str(&format!("<url><loc>/{n}</loc></url>"));
        }
        let feed = pages(&many);
        assert_eq!(feed.items.len(), MAX_SITEMAP_ENTRIES);
        assert_eq!(feed.warnings, [FeedWarning::TooManyEntries]);
        let bomb = pages(
            "<!DOCTYPE urlset [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\
             <urlset><url><loc>/&b;</loc></url></urlset>",
        );
        assert_eq!(links(&bomb), ["/&b;"]);
        let long = pages(&format!(
            "<urlset><url><loc>/a</loc><news:title>{}</news:title></url></urlset>",
            "ä".repeat(1_000_000)
        ));
        assert!(long.items[0].title.len() <= MAX_FIELD_BYTES);
        let cut = pages("<urlset><url><loc>/a</loc></url><url><loc>/b");
        assert_eq!(links(&cut), ["/a"]);
        assert_eq!(cut.warnings, [FeedWarning::Truncated]);
    }

    #[test]
    fn gzip_is_undone_within_the_limit() {
        let packed = |bytes: &[u8]| {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(bytes).expect("into memory");
            gzip.finish().expect("into memory")
        };
        let small = packed(b"<?xml version='1.0'?><urlset><url><loc>/a</loc></url></urlset>");
        assert_eq!(sniff(&small), SniffedType::Sitemap);
        let feed = parse(&small, Some(&base()), None).expect("a sitemap");
        assert_eq!(links(&feed), ["/a"]);
        let mut zeros = b"<urlset>".to_vec();
        zeros.resize(MAX_SITEMAP_BYTES + 1, 0);
        let error = read_sitemap(&packed(&zeros), None).expect_err("too large");
        assert!(error.to_string().contains("52428800"), "{error}");
    }

    #[test]
    fn feeds_and_texts_of_addresses_are_sitemaps_and_pages_are_not() {
        let text = pages("https://a.example/1\n# no\nhttps://b.example/2\n");
        assert_eq!(links(&text), ["/1"]);
        let feed = pages(
            "<rss version='2.0'><channel><item><title>One</title><link>/1</link></item>\
             <item><link>https://b.example/2</link></item></channel></rss>",
        );
        assert_eq!(
            (links(&feed), feed.items[0].title.as_str()),
            (vec!["/1"], "One")
        );
        let error = read_sitemap(b"<!DOCTYPE html><p>One", None).expect_err("a page");
        assert!(
            error.to_string().contains("an HTML page, not a sitemap"),
            "{error}"
        );
    }

    #[test]
    fn an_index_is_no_feed_and_the_message_says_so() {
        let error = parse(b"<sitemapindex/>", None, None).expect_err("an index");
        assert!(
            error.to_string().contains("an index of sitemaps"),
            "{error}"
        );
    }

    #[test]
    fn robots_txt_names_sitemaps() {
        let robots = Url::parse("https://a.example/robots.txt").expect("a URL");
        let text = b"\xEF\xBB\xBFSITEMAP: /s.xml\r\nUser-agent: *\nDisallow: /x # Sitemap: /no\n\
            sitemap:https://a.example/t.xml.gz # of the news\nSitemap: /s.xml\nSitemap: mailto:x\n";
        let named = named_in_robots(text, Some(&robots));
        let named: Vec<&str> = named.iter().map(Url::as_str).collect();
        assert_eq!(
            named,
            ["https://a.example/s.xml", "https://a.example/t.xml.gz"]
        );
    }

    #[test]
    fn sections_of_a_site() {
        let check = |url: &str, expected: &str| {
            assert_eq!(section_of(&Url::parse(url).expect("a URL")), expected);
        };
        check("https://a.example/", "/");
        check("https://a.example/about", "/");
        check("https://a.example/news/x", "/news/");
        check("https://a.example/news/2026/x", "/news/");
        check("https://a.example/2026/01/x", "/YYYY/");
        check("https://a.example/de/blog/x", "/de/blog/");
        check("https://a.example/pt-BR/blog/x", "/pt-BR/blog/");
        let urls = ["tag/a", "tag/b", "tag/c", "news/1", "news/2", "2026/1", "x"];
        let items = || -> Vec<FeedItem> {
            let urls = urls.iter();
            urls.map(|path| item(&format!("https://a.example/{path}")))
                .collect()
        };
        let kept = |section: Section, mut items: Vec<FeedItem>| {
            let chosen = section.keep(&mut items);
            (items.len(), chosen.map(|chosen| chosen.name))
        };
        assert_eq!(kept(Section::All, items()), (7, None));
        assert_eq!(kept(Section::Largest, items()), (3, Some("/tag/".into())));
        for typed in ["news", "/news", "/news/", "https://a.example/news/"] {
            assert_eq!(kept(Section::below(typed), items()), (2, None), "{typed}");
        }
        assert_eq!(kept(Section::below("/ne"), items()), (0, None));
        assert_eq!(kept(Section::below("/"), items()), (7, None));
        // Articles have titles.
        let mut told = items();
        told[4].title = "News".to_owned();
        assert_eq!(kept(Section::Largest, told), (2, Some("/news/".into())));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
                          xml in "(<(/?(urlset|url|loc|sitemapindex|sitemap|news:title))>?|[a&;/\\]]|<!\\[CDATA\\[){0,30}") {
            let _ = read_sitemap(&bytes, None);
            let _ = read_sitemap(xml.as_bytes(), Some(&base()));
        }
    }
}
