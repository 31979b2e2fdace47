//! Search over a hundred thousand articles.

use forest_html::address::page_key;
use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::search::{Query, SearchIndex};
use forest_archive::{Archive, ArchiveChange, Arrival, KnownAddress, VisitResponse, paths};
use forest_core::extract::{Article, Status};
use rayon::prelude::*;

use crate::figures::{median_and_worst, memory_mb, ms};
use crate::words::{Draw, prose, title, word};

const ARTICLES: usize = 100_000;

/// Words of an article.
const WORDS: usize = 500;

const SITES: usize = 50;

/// Times that each query is asked.
const ROUNDS: usize = 5;

pub fn measure() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut archive =
        Archive::open(dir.path(), forest_harvest::archive_options()).expect("it opens");
    let first: DateTime<Utc> = "2025-01-01T00:00:00Z".parse().expect("a date");
    let start = Instant::now();
    for batch in 0..ARTICLES / 1000 {
        let numbers: Vec<usize> = (batch * 1000..(batch + 1) * 1000).collect();
        let changes: Vec<ArchiveChange> = numbers.par_iter().map(|n| article(*n, first)).collect();
        archive.write(changes).expect("written");
    }
    println!(
        "{ARTICLES} articles of {WORDS} words stored in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    let start = Instant::now();
    let mut index = SearchIndex::open(&paths::index(dir.path())).expect("an index");
    index
        .catch_up(&archive.reader().expect("a reader"))
        .expect("indexed");
    println!("indexed in {:.0} s", start.elapsed().as_secs_f64());
    drop(index);
    let index = SearchIndex::open(&paths::index(dir.path())).expect("an index");
    assert_eq!(index.articles(), ARTICLES as u64);

    let (a, b, c) = (word(1), word(60), word(2500));
    let words = [
        a.clone(),
        b.clone(),
        c.clone(),
        word(20_000),
        format!("{a} {b}"),
        format!("{b} {c}"),
        format!("\"{a} {}\"", word(2)),
        format!("\"{b} {}\"", word(5)),
        format!("{b} -{a}"),
        format!("{} {} {} {}", word(2), word(9), word(40), word(300)),
    ];
    let half = first + TimeDelta::minutes(ARTICLES as i64 / 2);
    let kinds = [
        ("no filter", None, None),
        ("one site", Some("site7.example"), None),
        ("the newer half", None, Some(half)),
        ("both", Some("site7.example"), Some(half)),
    ];
    println!("filter: found by the ten queries; median and worst, the first round and the others");
    for (name, site, since) in kinds {
        let (mut cold, mut warm, mut totals) = (Vec::new(), Vec::new(), Vec::new());
        let mut worst = None;
        for round in 0..=ROUNDS {
            for words in &words {
                let query = Query {
                    words: words.clone(),
                    sites: site.map(|site| vec![site.to_owned()]),
                    since,
                    ..Query::default()
                };
                let start = Instant::now();
                let found = index.search(&query).expect("searched");
                let time = start.elapsed();
                if worst.as_ref().is_none_or(|(_, slowest)| *slowest < time) {
                    worst = Some((words.clone(), time));
                }
                match round {
                    0 => {
                        cold.push(time);
                        totals.push(found.total);
                    }
                    _ => warm.push(time),
                }
            }
        }
        let (cold, cold_worst) = median_and_worst(cold);
        let (warm, warm_worst) = median_and_worst(warm);
        println!(
            "{name}: {totals:?}; {:.1} ms, {:.1} ms; {:.1} ms, {:.1} ms; the slowest: {:?}",
            ms(cold),
            ms(cold_worst),
            ms(warm),
            ms(warm_worst),
            worst.map(|(words, _)| words)
        );
    }
    println!("{:.0} MB", memory_mb());
}

fn article(n: usize, first: DateTime<Utc>) -> ArchiveChange {
    let at = first + TimeDelta::minutes(n as i64);
    let site = format!("site{}.example", n % SITES);
    let url = format!("https://{site}/story/{n}");
    let article = Article {
        url: Some(url.clone()),
        title: Some(title(n)),
        text: prose(&mut Draw::new(n as u64), WORDS),
        language: Some("en".to_owned()),
        status: Status::Ok,
        ..Article::default()
    };
    let known = KnownAddress {
        key: page_key(&url),
        ..KnownAddress::default()
    };
    let came = VisitResponse::File {
        body: format!("<p>{n}").into_bytes(),
    };
    let arrival = Arrival {
        content_type: Some("text/html".to_owned()),
        article: Some(article),
        ..Arrival::new(url, at, came)
    };
    ArchiveChange::Page(Box::new(arrival.prepare(&known)))
}
