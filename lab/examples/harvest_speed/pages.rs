//! Pages of 100 kB that are fetched, read, stored and indexed.

use forest_html::address::page_key;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use forest_archive::search::SearchIndex;
use forest_archive::{
    Archive, ArchiveChange, Arrival, Event, HttpExchange, KnownAddress, VisitResponse, paths,
};
use forest_core::drift::extract_and_observe;
use forest_core::extract::{Article, Extractor, Options};
use forest_core::wrapper::Wrapper;
use forest_fetch::{FetchOptions, Fetcher, Resource, VisitRequest};
use forest_harvest::{
    Clock, Harvest, HarvestOptions, HarvestProgress, HarvestTally, Learning, SystemClock, Until,
};
use forest_html::page::Source;
use url::Url;

use crate::figures::{cpu, ms};
use crate::site::{Server, story};

/// Pages that are measured.
const PAGES: usize = 3_000;

/// Pages of each site that come first: its wrapper is learned from them.
const FIRST: usize = 30;

pub fn measure() {
    for hosts in [1, 8] {
        whole(hosts, PAGES / hosts);
    }
    parts();
}

/// Does something with so many pages, and tells what it takes of one core: other work on
/// the machine disturbs that less than time.
fn tell<T>(what: &str, pages: usize, f: impl FnOnce() -> T) -> T {
    let (before, start) = (cpu(std::process::id()), Instant::now());
    let done = f();
    let (spent, wall) = (cpu(std::process::id()) - before, start.elapsed());
    println!(
        "  {what}: {:.2} ms of a core a page, {:.2} ms passed",
        ms(spent) / pages as f64,
        ms(wall) / pages as f64
    );
    done
}

pub fn fetcher() -> Fetcher {
    Fetcher::new(
        FetchOptions::default()
            .with_allow_private(true)
            .with_per_host(4),
    )
    .expect("a fetcher")
}

fn add(archive: &mut Archive, feeds: impl IntoIterator<Item = String>) {
    let at = SystemClock.now();
    let added = |feed| ArchiveChange::Event {
        at,
        event: Event::FeedAdded { feed },
    };
    archive
        .write(feeds.into_iter().map(added).collect())
        .expect("written");
}

fn harvest(archive: &mut Archive, fetcher: &Fetcher) -> HarvestTally {
    let clock = Arc::new(SystemClock);
    let mut harvest =
        Harvest::new(archive, fetcher, clock, HarvestOptions::default()).expect("it begins");
    let mut look_on = |progress: &HarvestProgress<'_>| {
        if let HarvestProgress::Learning {
            site,
            learning: Learning::Kept(why),
        } = progress
        {
            println!("  {site}: {why}");
        }
    };
    harvest.run(Until::Idle, &mut look_on).expect("harvested")
}

/// A harvest of some sites, from the feed to the index.
fn whole(hosts: usize, each: usize) {
    let server = Server::start();
    let dir = tempfile::tempdir().expect("a folder");
    let mut archive =
        Archive::open(dir.path(), forest_harvest::archive_options()).expect("it opens");
    let fetcher = fetcher();
    let feed = |host: usize, from: usize, to: usize| {
        let first = host * 1_000_000;
        format!(
            "http://127.0.0.{}:{}/feed/story/{}/{}",
            host + 1,
            server.port,
            first + from,
            first + to
        )
    };
    add(&mut archive, (0..hosts).map(|host| feed(host, 0, FIRST)));
    let learned = harvest(&mut archive, &fetcher);
    assert_eq!(learned.wrappers, hosts as u64);
    add(
        &mut archive,
        (0..hosts).map(|host| feed(host, FIRST, FIRST + each)),
    );
    let own = std::process::id();
    let (before, server_before) = (cpu(own), cpu(server.id()));
    let start = Instant::now();
    let tally = harvest(&mut archive, &fetcher);
    let wall = start.elapsed();
    let (own, served) = (cpu(own) - before, cpu(server.id()) - server_before);
    assert_eq!(tally.articles, (hosts * each) as u64);
    let index = SearchIndex::open(&paths::index(dir.path())).expect("an index");
    assert_eq!(index.articles(), (hosts * (each + FIRST)) as u64);
    let pages = tally.pages as f64;
    println!(
        "{} pages of {hosts} hosts: {:.0} pages a second; {:.2} ms of a core a page, the server's {:.2} ms",
        tally.pages,
        pages / wall.as_secs_f64(),
        ms(own) / pages,
        ms(served) / pages
    );
}

/// The time of each part of it, one after the other on one thread.
fn parts() {
    const COUNT: usize = 256;
    let server = Server::start();
    let url = |n: usize| format!("http://127.0.0.1:{}/story/{n}", server.port);
    println!("the parts, {COUNT} pages one after the other:");
    let fetcher = fetcher();
    fetcher.allow(&Url::parse(&url(0)).expect("a URL"));
    let mut visits = fetcher.visits(32);
    tell("fetch", COUNT, || {
        for n in 0..COUNT {
            let url = Url::parse(&url(n)).expect("a URL");
            visits.submit(n as u64, VisitRequest::new(url, Resource::Page));
        }
        while let Some((_, visited)) = visits.next(None) {
            assert_eq!(visited.expect("an answer").status, 200);
        }
    });

    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [\"//div[@class='story__body']\"]\n  title: [//h1]\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("YAML").wrapper;
    let extractor = Extractor::new(wrapper).expect("it compiles");
    let bodies: Vec<(String, Vec<u8>)> = (0..COUNT)
        .map(|n| (url(n), story(n).into_bytes()))
        .collect();
    let bytes: usize = bodies.iter().map(|(_, body)| body.len()).sum();
    println!("  {} bytes a page", bytes / COUNT);
    let pages: Vec<_> = tell("parse", COUNT, || {
        let parse = |(url, body): &(String, Vec<u8>)| {
            let source = Source {
                url: Some(url),
                content_type: Some("text/html"),
            };
            extractor.parse(body, source)
        };
        bodies.iter().map(parse).collect()
    });
    let options = Options::default();
    let articles: Vec<_> = tell("extract alone", COUNT, || {
        let extract = |page| extractor.extract(page, &options);
        pages.iter().map(extract).collect()
    });
    tell("extract and look", COUNT, || {
        for ((url, _), page) in bodies.iter().zip(&pages) {
            let said =
                Some("A title and some words of a feed, more than eight of them, as it says");
            std::hint::black_box(extract_and_observe(
                &extractor,
                url,
                &page.into(),
                said,
                &options,
            ));
        }
    });
    drop(pages);

    let at = SystemClock.now();
    let prepare = |((url, body), article): ((String, Vec<u8>), Article)| {
        let known = KnownAddress {
            key: page_key(&url),
            ..KnownAddress::default()
        };
        let came = VisitResponse::Answer(HttpExchange {
            request_head: b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".to_vec(),
            response_head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
            body,
            ..HttpExchange::default()
        });
        let arrival = Arrival {
            http_status: Some(200),
            content_type: Some("text/html".to_owned()),
            article: Some(article),
            wrapper: Some("0".repeat(64)),
            ..Arrival::new(url, at, came)
        };
        ArchiveChange::Page(Box::new(arrival.prepare(&known)))
    };
    let read = bodies.into_iter().zip(articles);
    let prepared: Vec<ArchiveChange> =
        tell("digest and compress", COUNT, || read.map(prepare).collect());
    let dir = tempfile::tempdir().expect("a folder");
    let mut archive =
        Archive::open(dir.path(), forest_harvest::archive_options()).expect("it opens");
    let mut prepared = prepared.into_iter();
    tell("write", COUNT, || {
        loop {
            let batch: Vec<ArchiveChange> = prepared.by_ref().take(HarvestOptions::BATCH).collect();
            if batch.is_empty() {
                break;
            }
            archive.write(batch).expect("written");
        }
    });
    println!(
        "  {} bytes a page in the WARC file",
        size_of(dir.path()) / COUNT as u64
    );
    let mut index = SearchIndex::open(&paths::index(dir.path())).expect("an index");
    let reader = archive.reader().expect("a reader");
    tell("index", COUNT, || index.catch_up(&reader).expect("indexed"));
}

fn size_of(archive: &Path) -> u64 {
    let files = std::fs::read_dir(archive.join("warc")).expect("a folder");
    files
        .map(|file| file.and_then(|file| file.metadata()).expect("a file").len())
        .sum()
}
