//! An archive of a hundred thousand made-up articles, as a harvest of months would leave it:
//! pages, wrappers, feeds, answers, an index, marks.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Instant, SystemTime};

use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::search::SearchIndex;
use forest_archive::{
    Archive, ArchiveChange, Arrival, ArticleMark, ArticleMarks, Event, HttpExchange, KnownAddress,
    SiteFile, StoredItem, VisitResponse, paths,
};
use forest_core::extract::{Extractor, Options};
use forest_core::wrapper::Wrapper;
use forest_html::address::page_key;
use forest_html::page::Source;
use rayon::prelude::*;

use crate::words::{Draw, prose, title};

/// Articles of the archive, by default.
pub const ARTICLES: usize = 100_000;

/// Sites, each with a feed.
const SITES: usize = 250;

/// Articles in each so many that are of the first site: sites differ in size.
const OF_FIRST: usize = 5;

/// Words of an article, as the median page of the gold has them.
const WORDS: usize = 500;

/// Items of a feed's last answer, and of the first site's.
const ITEMS: usize = 30;
const ITEMS_OF_FIRST: usize = 1000;

/// Articles that nobody has read yet, and starred ones.
const UNREAD: usize = 2000;
const STARRED: usize = 200;

fn site_of(n: usize) -> usize {
    if n.is_multiple_of(OF_FIRST) {
        0
    } else {
        1 + n % (SITES - 1)
    }
}

fn host(site: usize) -> String {
    format!("site{site}.example")
}

/// The address of an article.
pub fn address(n: usize) -> String {
    format!("https://{}/story/{n}", host(site_of(n)))
}

fn page(n: usize) -> String {
    let mut page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title></head><body>\
         <ul class=\"menu\"><li><a href=\"/\">Home</a><li><a href=\"/about\">About us</a></ul>\
         <article class=\"story\"><h1>{0}</h1><div class=\"story__body\">",
        title(n)
    );
    let mut draw = Draw::new(n as u64);
    for _ in 0..6 {
        let _ = write!(page, "<p>{}</p>", prose(&mut draw, WORDS / 6));
    }
    page + "</div></article><footer>All rights reserved by the press.</footer></body></html>"
}

/// An answer with these bytes.
fn exchange(kind: &str, body: String) -> HttpExchange {
    HttpExchange {
        request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        response_head: format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n").into_bytes(),
        body: body.into_bytes(),
        ..HttpExchange::default()
    }
}

/// The visit of a page, read by the wrapper of its site.
pub fn visit(n: usize, at: DateTime<Utc>, by: &(Extractor, String)) -> ArchiveChange {
    let url = address(n);
    let body = page(n);
    let source = Source {
        url: Some(&url),
        content_type: Some("text/html"),
    };
    let article =
        by.0.extract(&by.0.parse(body.as_bytes(), source), &Options::default());
    let known = KnownAddress {
        key: page_key(&url),
        ..KnownAddress::default()
    };
    let arrival = Arrival {
        site: host(site_of(n)),
        http_status: Some(200),
        content_type: Some("text/html".to_owned()),
        article: Some(article),
        wrapper: Some(by.1.clone()),
        ..Arrival::new(url, at, VisitResponse::Answer(exchange("text/html", body)))
    };
    ArchiveChange::Page(Box::new(arrival.prepare(&known)))
}

/// The wrapper of a site, and the digest of its file.
pub fn wrapper(archive: &Archive, site: usize) -> (SiteFile, Extractor) {
    let yaml = format!(
        "format: 1\nsite: {}\ntemplates:\n- body: [\"//div[@class='story__body']\"]\n  title: [//h1]\n",
        host(site)
    );
    let wrapper = Wrapper::from_yaml(&yaml).expect("YAML").wrapper;
    let file = archive.write_wrapper(&wrapper).expect("written");
    (file, Extractor::new(wrapper).expect("it compiles"))
}

fn feed_address(site: usize) -> String {
    format!("https://{}/feed.xml", host(site))
}

/// A feed with these articles, and its items.
fn feed(site: usize, articles: &[usize]) -> (String, Vec<StoredItem>) {
    let mut xml = format!("<rss version=\"2.0\"><channel><title>The Press {site}</title>");
    let items = articles.iter().map(|n| {
        let (title, link) = (title(*n), address(*n));
        let summary = prose(&mut Draw::new(*n as u64), 30);
        let _ = write!(
            xml,
            "<item><title>{title}</title><link>{link}</link><guid>{n}</guid><description>{summary}</description></item>"
        );
        StoredItem {
            id: n.to_string(),
            link,
            title,
            summary,
            ..StoredItem::default()
        }
    });
    let items = items.collect();
    (xml + "</channel></rss>", items)
}

/// The changes that a poll of a feed makes: its answer, and its new items.
fn poll(site: usize, at: DateTime<Utc>, articles: &[usize]) -> [ArchiveChange; 2] {
    let (xml, items) = feed(site, articles);
    let answer = exchange("application/rss+xml", xml);
    let url = feed_address(site);
    let read = Event::FeedRead {
        feed: url.clone(),
        title: format!("The Press {site}"),
        items,
    };
    [
        ArchiveChange::Feed {
            at,
            url,
            exchange: answer,
        },
        ArchiveChange::Event { at, event: read },
    ]
}

/// Makes the archive in a folder, of so many articles: 10,000 at the least.
pub fn make(dir: &Path, count: usize) {
    let mut archive = Archive::open(dir, forest_harvest::archive_options()).expect("it opens");
    let first: DateTime<Utc> = "2025-01-01T00:00:00Z".parse().expect("a date");
    let start = Instant::now();
    let mut wrappers = Vec::with_capacity(SITES);
    let mut changes = Vec::new();
    for site in 0..SITES {
        let (file, extractor) = wrapper(&archive, site);
        let feed = feed_address(site);
        changes.push(ArchiveChange::Event {
            at: first,
            event: Event::FeedAdded { feed },
        });
        changes.push(file.activation(&host(site), first, "learned"));
        wrappers.push((extractor, file.sha256));
    }
    archive.write(changes).expect("written");
    let at = |n: usize| first + TimeDelta::minutes(n as i64);
    for batch in 0..count / 1000 {
        let numbers: Vec<usize> = (batch * 1000..(batch + 1) * 1000).collect();
        let visits = numbers.par_iter();
        let visits = visits.map(|n| visit(*n, at(*n), &wrappers[site_of(*n)]));
        archive.write(visits.collect()).expect("written");
    }
    let mut of_sites: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for n in (0..count).rev() {
        of_sites.entry(site_of(n)).or_default().push(n);
    }
    let end = at(count);
    for (site, articles) in of_sites {
        let items = if site == 0 { ITEMS_OF_FIRST } else { ITEMS };
        let older = articles[items..].chunks(items).rev();
        let mut changes: Vec<_> = older.flat_map(|older| poll(site, end, older)).collect();
        let last = end + TimeDelta::minutes(1);
        changes.extend(poll(site, last, &articles[..items]));
        archive.write(changes).expect("written");
    }
    println!(
        "{count} articles of {SITES} sites stored in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    let mut index = SearchIndex::open(&paths::index(dir)).expect("an index");
    let reader = archive.reader().expect("a reader");
    index.catch_up(&reader).expect("indexed");
    let keys = |numbers: std::ops::Range<usize>| -> Vec<String> {
        numbers.map(|n| page_key(&address(n))).collect()
    };
    let read = keys(0..count - UNREAD);
    ArticleMarks::change(dir, ArticleMark::Read, true, &read).expect("marked");
    ArticleMarks::change(dir, ArticleMark::Starred, true, &read[..STARRED]).expect("marked");
    println!("all of it in {:.0} s", start.elapsed().as_secs_f64());
}

/// Writes an article after the other, as a harvest beside the server does.
pub struct Harvester {
    archive: Archive,
    by: (Extractor, String),
    next: usize,
}

impl Harvester {
    pub fn of(dir: &Path) -> Harvester {
        let archive = Archive::open(dir, forest_harvest::archive_options()).expect("it opens");
        let (file, extractor) = wrapper(&archive, 0);
        Harvester {
            archive,
            by: (extractor, file.sha256),
            next: ARTICLES,
        }
    }

    pub fn write_one(&mut self) {
        let visit = visit(self.next * OF_FIRST, SystemTime::now().into(), &self.by);
        self.archive.write(vec![visit]).expect("written");
        self.next += 1;
    }
}
