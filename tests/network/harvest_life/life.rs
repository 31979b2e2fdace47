//! The simulated harvest, and its results.

use forest_html::address::page_key;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use forest_archive::{Archive, ArchiveChange, Event, Filter, Stored};
use forest_core::extract::Status;
use forest_eval::eval::GoldTexts;
use forest_fetch::{FetchOptions, Fetcher};
use forest_harvest::{
    Clock, Harvest, HarvestOptions, HarvestProgress, HarvestTally, ManualClock, Until,
};
use sha2::{Digest, Sha256};

use crate::harvest_life::hostile::{self, WAYS};
use crate::harvest_life::press::{Fate, Press};
use crate::hostile_server::server::{Peer, Server};
use crate::judges;

/// Half hours of the simulation: three days, and half a day without new items.
const TICKS: usize = 2 * (72 + 12);

/// Half hours after which the harvest begins anew, with another fetcher.
const RESTART: usize = 10;

const TICK: Duration = Duration::from_secs(1800);

/// The time before a site turns hostile in which a new item may be missed: twice the time
/// between two items.
const NOTICE: TimeDelta = TimeDelta::hours(9);

pub struct Simulation {
    sites: Arc<Vec<Press>>,
    server: Server,
    clock: Arc<ManualClock>,
    begin: DateTime<Utc>,
    dir: tempfile::TempDir,
}

/// The results of a site.
pub struct SiteResults {
    pub name: String,
    pub fate: Fate,
    pub articles: usize,
    pub wrappers: usize,
    pub relearned: usize,
    /// Wrappers that were learned after it turned hostile.
    pub learned_when_hostile: usize,
    /// Stories that appeared after the new wrapper became active and are not `ok`.
    pub later_not_ok: Vec<String>,
    /// Mean F1 of these, if there is gold.
    pub later_f1: Option<f64>,
    /// Mean F1 of all, if there is gold.
    pub f1: Option<f64>,
    pub reported: Vec<String>,
}

/// The results of a simulation.
pub struct SimulationResults {
    pub tally: HarvestTally,
    /// Articles in the archive.
    pub articles: usize,
    /// Addresses of the stories that are in the archive.
    pub kept: BTreeSet<String>,
    /// Missing stories.
    pub missing: Vec<String>,
    /// Articles that no feed listed.
    pub unexpected: Vec<String>,
    /// Stories that are stored under another story's address: the same text.
    pub doubles: usize,
    pub versions: usize,
    /// Articles with more than one version, though no story was ever edited.
    pub edited: Vec<String>,
    pub not_ok: Vec<String>,
    pub statuses: BTreeMap<String, usize>,
    pub damage: usize,
    pub sites: Vec<SiteResults>,
    took: Duration,
}

fn host(n: usize, port: u16) -> String {
    format!("127.0.1.{}:{port}", n + 1)
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

async fn answer(
    mut peer: Peer,
    sites: Arc<Vec<Press>>,
    clock: Arc<ManualClock>,
    begin: DateTime<Utc>,
) {
    let since = clock.now() - begin;
    let host = header(&peer.head, "host").unwrap_or_default().to_owned();
    let name = host.split(':').next().unwrap_or_default();
    let n = name
        .rsplit('.')
        .next()
        .and_then(|n| n.parse::<usize>().ok());
    let Some(site) = n.and_then(|n| sites.get(n.wrapping_sub(1))) else {
        peer.answer(404, &[], b"").await;
        return;
    };
    if !site.is_up(since) {
        match site.fate {
            Fate::Hostile { .. } => {
                let way = (since.num_minutes() / 30) % (WAYS + 1);
                // At times the feed lists new stories, so that pages are requested.
                if way < WAYS && (peer.path != "/feed" || way % 2 == 1) {
                    return hostile::answer(peer, way).await;
                }
                if peer.path != "/feed" {
                    return hostile::answer(peer, 0).await;
                }
            }
            _ => {
                peer.answer(503, &[], b"").await;
                return;
            }
        }
    }
    let (kind, body) = match peer.path.as_str() {
        "/feed" => (
            "application/rss+xml",
            Some(site.feed(&host, begin, since).into_bytes()),
        ),
        path => ("text/html", site.page(path, since)),
    };
    let Some(body) = body else {
        peer.answer(404, &[], b"").await;
        return;
    };
    let tag = format!("\"{:x?}\"", &Sha256::digest(&body)[..8]).replace([',', ' '], "");
    if header(&peer.head, "if-none-match") == Some(tag.as_str()) {
        peer.answer(304, &[("ETag", &tag)], b"").await;
        return;
    }
    let length = body.len().to_string();
    let headers = [
        ("Content-Type", kind),
        ("ETag", &tag),
        ("Content-Length", &length),
    ];
    peer.answer(200, &headers, &body).await;
}

impl Simulation {
    pub fn new(sites: Vec<Press>) -> Simulation {
        let sites = Arc::new(sites);
        let begin = "2026-01-02T03:04:05Z".parse().expect("a date");
        let clock = Arc::new(ManualClock::at(begin));
        let (served, seen) = (Arc::clone(&sites), Arc::clone(&clock));
        let script = move |peer| answer(peer, Arc::clone(&served), Arc::clone(&seen), begin);
        let server = Server::at(([0, 0, 0, 0], 0).into(), script).expect("a port");
        Simulation {
            sites,
            server,
            clock,
            begin,
            dir: tempfile::tempdir().expect("a folder"),
        }
    }

    fn open(&self) -> Archive {
        Archive::open(self.dir.path(), forest_harvest::archive_options()).expect("it opens")
    }

    /// Runs the simulation.
    pub fn run(self) -> SimulationResults {
        let start = Instant::now();
        let port = self.server.port();
        let added = (0..self.sites.len()).map(|n| ArchiveChange::Event {
            at: self.begin,
            event: Event::FeedAdded {
                feed: format!("http://{}/feed", host(n, port)),
            },
        });
        self.open().write(added.collect()).expect("written");
        let mut reported: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut sum = HarvestTally::default();
        let mut new_articles = BTreeSet::new();
        for from in (0..TICKS).step_by(RESTART) {
            let mut archive = self.open();
            let options = FetchOptions::default()
                .with_allow_private(true)
                .with_retries(0)
                .with_timeout(Duration::from_millis(700))
                .with_page_limit(5_000_000)
                .with_feed_limit(5_000_000);
            let fetcher = Fetcher::new(options).expect("a fetcher");
            let clock: Arc<dyn Clock> = self.clock.clone();
            let mut harvest =
                Harvest::new(&mut archive, &fetcher, clock, HarvestOptions::default())
                    .expect("it begins");
            for _ in from..(from + RESTART).min(TICKS) {
                let hour = (self.clock.now() - self.begin).num_minutes() as f64 / 60.0;
                let tally = harvest.run(Until::Idle, &mut |progress| {
                    let (site, what) = match progress {
                        HarvestProgress::Verdict { site, from, to, .. } => {
                            (site, format!("{from} to {to}"))
                        }
                        HarvestProgress::Learning { site, learning } => {
                            (site, format!("{learning:?}"))
                        }
                        HarvestProgress::Page {
                            url,
                            stored: Stored::New,
                            ..
                        } => {
                            assert!(new_articles.insert((*url).to_owned()), "{url}: new twice");
                            return;
                        }
                        _ => return,
                    };
                    let reported = reported.entry((*site).to_owned()).or_default();
                    reported.push(format!("hour {hour}: {what}"));
                });
                add(&mut sum, &tally.expect("harvested"));
                self.clock.advance(TICK);
            }
        }
        let mut results = self.look(sum, &reported);
        judges::warcio_check(self.dir.path());
        judges::pywb_replays(self.dir.path());
        results.took = start.elapsed();
        results
    }

    /// Compares the archive with the feeds' lists.
    fn look(
        &self,
        tally: HarvestTally,
        reported: &BTreeMap<String, Vec<String>>,
    ) -> SimulationResults {
        let archive = self.open();
        let verified = archive.verify().expect("it can be read");
        for damage in &verified.damage {
            eprintln!("{damage:?}");
        }
        let reader = archive.reader().expect("a reader");
        let mut found = BTreeMap::new();
        let (mut versions, mut statuses) = (0, BTreeMap::new());
        let (mut edited, mut not_ok) = (Vec::new(), Vec::new());
        let each = reader.each_latest(&Filter::default(), &mut |article, version| {
            versions += article.versions as usize;
            if article.versions > 1 {
                edited.push(article.key.clone());
            }
            if version.record.status != Status::Ok {
                let warnings = &version.record.warnings;
                not_ok.push(format!("{}: {warnings:?}", article.key));
            }
            *statuses
                .entry(format!("{:?}", version.record.status))
                .or_default() += 1;
            found.insert(article.key, version.record);
            Ok(())
        });
        each.expect("readable");
        let mut results = SimulationResults {
            tally,
            articles: found.len(),
            kept: BTreeSet::new(),
            missing: Vec::new(),
            unexpected: Vec::new(),
            doubles: 0,
            versions,
            edited,
            not_ok,
            statuses,
            damage: verified.damage.len(),
            sites: Vec::new(),
            took: Duration::ZERO,
        };
        let mut known = BTreeSet::new();
        for (n, site) in self.sites.iter().enumerate() {
            let host = host(n, self.server.port());
            let expected = self.expected(site);
            let mut scores: Vec<(usize, f64)> = Vec::new();
            let mut later_not_ok = Vec::new();
            let wrappers = reader.wrappers(&host).expect("readable");
            let relearned: Vec<_> = wrappers
                .iter()
                .filter(|row| row.why == "relearned")
                .collect();
            let since_new = relearned
                .last()
                .map_or(TimeDelta::MAX, |row| row.since - self.begin);
            let mut articles = 0;
            for (at, story) in site.stories.iter().enumerate() {
                let url = format!("http://{host}{}", story.path);
                let article = reader.article(&url).expect("readable");
                if !story.is_article {
                    assert_eq!(article, None, "{url} only leads elsewhere");
                    continue;
                }
                if article.is_none() && expected.contains(&at) {
                    let known = reader.known(&url).expect("readable");
                    let status = known.raw.map(|raw| raw.status);
                    let missing = format!("{} {url}: {status:?}", site.name);
                    results.missing.push(missing);
                }
                let Some(article) = article else { continue };
                known.insert(article.key.clone());
                if article.key != page_key(&url) {
                    results.doubles += 1;
                    continue;
                }
                articles += 1;
                results.kept.insert(url.clone());
                let record = &found[&article.key];
                let is_later = site.appears(at) > since_new;
                if is_later && record.status != Status::Ok {
                    later_not_ok.push(format!("{url}: {:?}", record.status));
                }
                if !story.gold.is_empty() {
                    let mut gold = GoldTexts::new(story.gold.iter().map(String::as_str));
                    let f1 = gold.score(&url, &read(&reader, article.id)).two_gram.f1;
                    scores.push((at, f1));
                }
            }
            let is_later = |at: usize| site.appears(at) > since_new;
            let hostile = match site.fate {
                Fate::Hostile { from } => TimeDelta::hours(from),
                _ => TimeDelta::MAX,
            };
            let after = |row: &&forest_archive::WrapperRow| row.since - self.begin >= hostile;
            results.sites.push(SiteResults {
                name: site.name.clone(),
                fate: site.fate,
                articles,
                wrappers: wrappers.len(),
                relearned: relearned.len(),
                learned_when_hostile: wrappers.iter().filter(after).count(),
                later_not_ok,
                later_f1: mean(
                    scores
                        .iter()
                        .filter(|(at, _)| is_later(*at))
                        .map(|(_, f1)| *f1),
                ),
                f1: mean(scores.iter().map(|(_, f1)| *f1)),
                reported: reported.get(&host).cloned().unwrap_or_default(),
            });
        }
        results.unexpected = found
            .into_keys()
            .filter(|key| !known.contains(key))
            .collect();
        results
    }

    /// The stories that a feed listed while its server was up.
    fn expected(&self, site: &Press) -> BTreeSet<usize> {
        let mut expected = BTreeSet::new();
        for tick in 0..TICKS {
            let since = TimeDelta::minutes(30 * tick as i64);
            let notice = match site.fate {
                Fate::Hostile { .. } => NOTICE,
                _ => TimeDelta::zero(),
            };
            if site.is_up(since + notice) && site.is_up(since) {
                expected.extend(site.listed(since));
            }
        }
        expected
    }
}

/// The text of an article's latest version.
fn read(reader: &forest_archive::ArchiveReader, article: i64) -> String {
    let versions = reader.versions(article).expect("readable");
    versions.last().expect("a version").record.text.clone()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn add(sum: &mut HarvestTally, more: &HarvestTally) {
    sum.feeds += more.feeds;
    sum.feeds_failed += more.feeds_failed;
    sum.items += more.items;
    sum.pages += more.pages;
    sum.pages_failed += more.pages_failed;
    sum.articles += more.articles;
    sum.versions += more.versions;
    sum.wrappers += more.wrappers;
    sum.drifted += more.drifted;
}

impl SimulationResults {
    /// Prints the figures.
    pub fn print(&self) {
        let tally = &self.tally;
        println!(
            "{} sites, {} polls ({} failed), {} pages ({} failed), {} articles, {} versions, {} under another's \
             address, {:?}; {} wrappers, {} drifted; {:.0} s",
            self.sites.len(),
            tally.feeds,
            tally.feeds_failed,
            tally.pages,
            tally.pages_failed,
            self.articles,
            self.versions,
            self.doubles,
            self.statuses,
            tally.wrappers,
            tally.drifted,
            self.took.as_secs_f64()
        );
        for site in &self.sites {
            println!(
                "{}: {:?}, {} articles, {} wrappers, {} relearned, F1 {:.3}, after relearning {:.3}; {}",
                site.name,
                site.fate,
                site.articles,
                site.wrappers,
                site.relearned,
                site.f1.unwrap_or(f64::NAN),
                site.later_f1.unwrap_or(f64::NAN),
                site.reported.join("; ")
            );
        }
        println!("with two versions: {}", self.edited.join(", "));
        println!("not ok: {}", self.not_ok.join("; "));
        let scores = mean(self.sites.iter().filter_map(|site| site.f1));
        println!(
            "mean F1 of sites with gold: {:.3}",
            scores.unwrap_or(f64::NAN)
        );
    }
}
