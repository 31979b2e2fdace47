//! The status of feeds and sites, as text and as JSON.

use super::feed_row::feed_json;
use crate::SiteState;
use crate::clock::rfc3339;
use crate::error::Result;
use forest_archive::{ArchiveReader, FeedStatus, SiteStatus, paths};
use forest_core::drift::Verdict;
use forest_core::learn::{DEFAULT_SAMPLE, MIN_PAGES};
use forest_html::error::counted;
use forest_html::text::OneLine;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// Sites of a feed that are named at the most.
const NAMED: usize = 5;

/// The feeds and sites of an archive.
#[derive(Debug)]
pub struct StatusReport {
    feeds: Vec<FeedStatus>,
    sites: Vec<SiteStatus>,
    /// The folder of the archive's wrappers.
    folder: String,
}

impl StatusReport {
    /// The status of the archive in the folder `dir`.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of(archive: &ArchiveReader, dir: &Path) -> Result<StatusReport> {
        Ok(StatusReport {
            feeds: archive.feed_statuses()?,
            sites: archive.site_statuses()?,
            folder: paths::sites(dir).display().to_string(),
        })
    }

    /// Returns true if nothing is harvested.
    pub fn has_no_feeds(&self) -> bool {
        self.feeds.is_empty()
    }

    /// The status for programs.
    pub fn json(&self) -> Value {
        let sites = self.views();
        let by_name = by_name(&sites);
        let feeds = self.feeds.iter();
        let feeds: Value = feeds
            .map(|feed| status_json(feed, &sites_of(feed, &by_name)))
            .collect();
        let sites = sites.iter();
        let sites: Value = sites
            .map(|site| site_json(site, site.remedy(&self.feeds, &self.folder)))
            .collect();
        json!({"schema": 1, "feeds": feeds, "sites": sites})
    }

    /// The status for a person.
    pub fn text(&self) -> String {
        let sites = self.views();
        let by_name = by_name(&sites);
        let mut out = String::new();
        for feed in &self.feeds {
            feed_lines(feed, &sites_of(feed, &by_name), &mut out);
        }
        for site in &sites {
            let remedy = site.remedy(&self.feeds, &self.folder);
            site_lines(site, remedy, &mut out);
        }
        out
    }

    fn views(&self) -> Vec<SiteView<'_>> {
        self.sites.iter().map(SiteView::of).collect()
    }
}

fn by_name<'a>(sites: &'a [SiteView<'a>]) -> HashMap<&'a str, &'a SiteView<'a>> {
    let named = |site: &'a SiteView<'a>| (site.status.site.as_str(), site);
    sites.iter().map(named).collect()
}

/// The sites of a feed.
fn sites_of<'a>(
    feed: &FeedStatus,
    by_name: &HashMap<&str, &'a SiteView<'a>>,
) -> Vec<&'a SiteView<'a>> {
    let names = feed.sites.iter();
    names
        .filter_map(|name| by_name.get(name.as_str()).copied())
        .collect()
}

/// A site with its verdict.
struct SiteView<'a> {
    status: &'a SiteStatus,
    state: Option<SiteState>,
    verdict: String,
    since: Option<String>,
}

impl<'a> SiteView<'a> {
    fn of(status: &'a SiteStatus) -> SiteView<'a> {
        let state = status.watch.as_deref().and_then(SiteState::from_json);
        let last = status.verdict.as_ref();
        let verdict = match (&state, last) {
            (Some(state), _) => state.watch.verdict().to_string(),
            (None, Some((_, verdict))) => verdict.clone(),
            (None, None) => Verdict::NoneYet.to_string(),
        };
        let judged_at = last
            .filter(|(_, judged_at)| *judged_at == verdict)
            .map(|judged_at| judged_at.0);
        let seen = || state.as_ref().and_then(|state| state.watch.since());
        SiteView {
            since: judged_at.or_else(seen).map(rfc3339),
            status,
            state,
            verdict,
        }
    }

    fn confidence(&self) -> String {
        let mean = self.status.confidence;
        mean.map_or(String::new(), |mean| format!(", confidence {mean:.2}"))
    }

    fn drifts(&self) -> String {
        match self.status.drifts {
            0 => String::new(),
            1 => ", drifted once".to_owned(),
            n => format!(", drifted {}", counted(n, "time", "times")),
        }
    }

    fn verdict(&self) -> String {
        match &self.since {
            Some(since) => format!("{} since {since}", self.verdict),
            None => self.verdict.clone(),
        }
    }

    /// A field of the state, if there is one.
    fn of_state(&self, field: fn(&SiteState) -> &Option<String>) -> Option<&str> {
        field(self.state.as_ref()?).as_deref()
    }

    fn failure(&self) -> Option<&str> {
        self.of_state(|state| &state.failure)
    }

    fn unusable(&self) -> Option<&str> {
        self.of_state(|state| &state.unusable)
    }

    fn not_learned(&self) -> Option<&str> {
        self.of_state(|state| &state.not_learned)
    }

    /// The remedy if no wrapper is in use; `None` if one is, and no other was tried since.
    fn remedy(&self, feeds: &[FeedStatus], sites: &str) -> Option<String> {
        let is_of = |feed: &&FeedStatus| feed.sites.contains(&self.status.site);
        let feed = feeds.iter().find(is_of);
        let source = feed.map_or("FEED", |feed| &feed.feed.url);
        let learn = format!("`forest learn {source} --sites {sites}`");
        if self.unusable().is_some() {
            return Some(format!("mend it, or replace it: {learn} --force"));
        }
        if self.not_learned().is_some() {
            return Some(format!(
                "it is tried again as more pages come; {learn} shows what is found, and the next \
                 harvest uses what it writes"
            ));
        }
        if self.status.wrapper.is_some() {
            return None;
        }
        let articles = counted(self.status.articles, "article", "articles");
        Some(if self.status.articles < MIN_PAGES as u64 {
            format!(
                "{articles} of the {MIN_PAGES} that are needed: wait for more pages, or give \
                 others of the site: `forest learn PAGE... --sites {sites}`"
            )
        } else {
            format!(
                "`forest harvest run` learns one when {DEFAULT_SAMPLE} pages have come or no more \
                 wait, without --no-learn; at once: {learn}"
            )
        })
    }
}

fn status_json(status: &FeedStatus, sites: &[&SiteView<'_>]) -> Value {
    let poll = &status.feed.poll;
    let mut json = feed_json(&status.feed);
    json["last_poll"] = poll.last.map(rfc3339).into();
    json["last_success"] = poll.success.map(rfc3339).into();
    json["next_poll"] = next(status).into();
    json["failures"] = poll.failures.into();
    json["error"] = poll.error.clone().into();
    json["items"] = status.items.into();
    json["pages"] = status.pages.into();
    json["articles"] = status.articles.into();
    let sites = sites.iter().map(|site| {
        json!({
            "site": site.status.site, "confidence": site.status.confidence,
            "verdict": site.verdict, "drifts": site.status.drifts,
        })
    });
    json["sites"] = sites.collect();
    json
}

/// The time of its next poll; `None` of a feed that is not active.
fn next(status: &FeedStatus) -> Option<String> {
    let feed = &status.feed;
    // A feed that was never polled is due since 1970.
    let due = feed.poll.next.filter(|_| feed.state == "active");
    due.map(|next| match feed.poll.last {
        Some(_) => rfc3339(next),
        None => rfc3339(feed.added),
    })
}

fn site_json(site: &SiteView<'_>, remedy: Option<String>) -> Value {
    let status = site.status;
    json!({
        "site": status.site,
        "articles": status.articles,
        "pages": status.pages,
        "wrapper": status.wrapper.as_ref().map(|(since, why)| json!({"since": rfc3339(*since), "why": why})),
        "confidence": status.confidence,
        "verdict": site.verdict,
        "verdict_since": site.since,
        "failure": site.failure(),
        "unusable": site.unusable(),
        "not_learned": site.not_learned(),
        "remedy": remedy,
        "drifts": status.drifts,
    })
}

// Writing to a string does not fail, so the results are not checked.

fn feed_lines(status: &FeedStatus, sites: &[&SiteView<'_>], out: &mut String) {
    let (feed, poll) = (&status.feed, &status.feed.poll);
    let _ = writeln!(out, "{}", OneLine(&feed.url));
    if !feed.title.trim().is_empty() {
        let _ = writeln!(out, "  {}", OneLine(feed.title.trim()));
    }
    let success = poll.success.map(|at| format!("read {}", rfc3339(at)));
    let success = success.as_deref().unwrap_or("never read");
    let next = match (next(status), feed.state.as_str()) {
        (Some(next), _) => format!("next poll {next}"),
        (None, "ended") => format!("ended: {}", OneLine(&feed.why)),
        (None, state) => state.to_owned(),
    };
    let items = counted(status.items, "item", "items");
    let counts = counts(status.pages, status.articles);
    let _ = writeln!(out, "  {success}, {next}\n  {items}, {counts}");
    for site in sites.iter().take(NAMED) {
        let (name, verdict) = (OneLine(&site.status.site), site.verdict());
        let (confidence, drifts) = (site.confidence(), site.drifts());
        let _ = writeln!(out, "  {name}: {verdict}{confidence}{drifts}");
    }
    if sites.len() > NAMED {
        let more = counted(sites.len() - NAMED, "more site", "more sites");
        let _ = writeln!(out, "  and {more}");
    }
    if let Some(error) = &poll.error {
        // A feed that was read may have a fault.
        let failures = match poll.failures {
            0 => String::new(),
            failures => counted(failures, "failure", "failures") + " in a row: ",
        };
        let _ = writeln!(out, "  {failures}{}", OneLine(error));
    }
    out.push('\n');
}

fn site_lines(site: &SiteView<'_>, remedy: Option<String>, out: &mut String) {
    let status = site.status;
    let wrapper = match &status.wrapper {
        Some((since, why)) => format!("wrapper {} {}", OneLine(why), rfc3339(*since)),
        None => "no wrapper yet".to_owned(),
    };
    let (name, confidence) = (OneLine(&status.site), site.confidence());
    let _ = writeln!(out, "site {name}\n  {wrapper}{confidence}");
    let unusable = "its file cannot be used and is left as it is: ";
    let not_learned = "nothing was learned: ";
    let failure = "the last page: ";
    let mut line = |label: &str, text: Option<&str>| {
        if let Some(text) = text {
            let _ = writeln!(out, "  {label}{}", OneLine(text));
        }
    };
    line(unusable, site.unusable());
    line(not_learned, site.not_learned());
    line("", remedy.as_deref());
    line("", Some(&format!("{}{}", site.verdict(), site.drifts())));
    line(failure, site.failure());
    line("", Some(&counts(status.pages, status.articles)));
    out.push('\n');
}

/// `3 pages, 1 article`.
fn counts(pages: u64, articles: u64) -> String {
    let pages = counted(pages, "page", "pages");
    format!("{pages}, {}", counted(articles, "article", "articles"))
}
