//! `forest harvest status`: how feeds and sites are doing.

use super::feeds::{as_json, time};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::shown::Shown;
use crate::cli::{Exit, Global};
use forest::archive::{ArchiveReader, FeedStatus, SiteStatus, paths};
use forest::drift::Verdict;
use forest::error::counted;
use forest::harvest::SiteState;
use forest::learn::{DEFAULT_SAMPLE, MIN_PAGES};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;

/// Sites of a feed that its lines name.
const NAMED: usize = 5;

/// Show how feeds and sites are doing
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of each feed: when it was read last, when it is polled next, what went wrong, what it
brought, and how the sites of its pages stand. Of each site: its wrapper, the mean
confidence of its newest articles, and the verdict with the time since when it holds;
where no wrapper was put to use, why that is and what to do (in JSON `not_learned` and
`remedy`):

  ok           the wrapper finds the articles
  degraded     it finds most of them, or has lost a field
  drift        it no longer fits the site
  blocked      something stands in the way of the articles: a status such as 403, a
               challenge, a login, robots.txt
  unreachable  there is no wrapper, and the pages do not come
  none yet     there is no wrapper yet, or no page of it was judged

Examples:
  forest harvest status
  forest harvest status --json | jq '.sites[] | select(.verdict == \"drift\")'")]
pub struct StatusArgs {
    /// All of it as one object of JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub fn run(args: StatusArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let archive = ArchiveReader::open(&dir)?;
    let folder = paths::sites(&dir).display().to_string();
    let (all_feeds, sites) = (archive.feed_statuses()?, archive.site_statuses()?);
    let sites: Vec<Site<'_>> = sites.iter().map(Site::of).collect();
    let by_name: HashMap<&str, &Site<'_>> = sites
        .iter()
        .map(|site| (site.status.site.as_str(), site))
        .collect();
    let of_feed = |feed: &FeedStatus| -> Vec<&Site<'_>> {
        let names = feed.sites.iter();
        names
            .filter_map(|name| by_name.get(name.as_str()).copied())
            .collect()
    };
    if args.json {
        let feeds = all_feeds.iter();
        let feeds: Vec<Value> = feeds.map(|feed| feed_json(feed, &of_feed(feed))).collect();
        let sites = sites.iter().map(|site| {
            let remedy = site.remedy(&all_feeds, &folder);
            site_json(site, remedy)
        });
        let sites: Vec<Value> = sites.collect();
        let all = json!({"schema": 1, "feeds": feeds, "sites": sites});
        global.print(format!("{all}\n").as_bytes())?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    for feed in &all_feeds {
        feed_lines(feed, &of_feed(feed), &mut out);
    }
    for site in &sites {
        let remedy = site.remedy(&all_feeds, &folder);
        site_lines(site, remedy, &mut out);
    }
    if all_feeds.is_empty() {
        global.say("no feeds: add one with `forest harvest add`");
    }
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

/// A site with what is thought of it.
struct Site<'a> {
    status: &'a SiteStatus,
    state: Option<SiteState>,
    verdict: String,
    since: Option<String>,
}

impl<'a> Site<'a> {
    fn of(status: &'a SiteStatus) -> Site<'a> {
        let state = status.watch.as_deref().and_then(SiteState::from_json);
        let last = status.verdict.as_ref();
        let verdict = match (&state, last) {
            (Some(state), _) => state.watch.verdict().to_string(),
            (None, Some((_, verdict))) => verdict.clone(),
            (None, None) => Verdict::NoneYet.to_string(),
        };
        let said = last.filter(|(_, said)| *said == verdict).map(|said| said.0);
        let seen = || state.as_ref().and_then(|state| state.watch.since());
        Site {
            since: said.or_else(seen).map(time),
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

    fn failure(&self) -> Option<&str> {
        self.state.as_ref()?.failure.as_deref()
    }

    fn unusable(&self) -> Option<&str> {
        self.state.as_ref()?.unusable.as_deref()
    }

    fn not_learned(&self) -> Option<&str> {
        self.state.as_ref()?.not_learned.as_deref()
    }

    /// What a person can do where no wrapper was put to use; `None` where one is in use,
    /// and nothing was tried since.
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
        let articles = self.status.articles;
        Some(match articles < MIN_PAGES as u64 {
            true => format!(
                "{articles} {} of the {MIN_PAGES} that are needed: wait for more pages, or give \
                 others of the site: `forest learn PAGE... --sites {sites}`",
                if articles == 1 { "article" } else { "articles" }
            ),
            false => format!(
                "`forest harvest run` learns one when {DEFAULT_SAMPLE} pages have come or no more \
                 wait, without --no-learn; at once: {learn}"
            ),
        })
    }
}

fn feed_json(status: &FeedStatus, sites: &[&Site<'_>]) -> Value {
    let poll = &status.feed.poll;
    let mut json = as_json(&status.feed);
    json["last_poll"] = poll.last.map(time).into();
    json["last_success"] = poll.success.map(time).into();
    json["next_poll"] = next(status).into();
    json["failures"] = poll.failures.into();
    json["error"] = poll.error.clone().into();
    json["items"] = status.items.into();
    json["pages"] = status.pages.into();
    json["articles"] = status.articles.into();
    let sites = sites.iter().map(|site| {
        json!({
            "site": site.status.site,
            "confidence": site.status.confidence,
            "verdict": site.verdict,
            "drifts": site.status.drifts,
        })
    });
    json["sites"] = sites.collect();
    json
}

/// When it is polled next, if it is.
fn next(status: &FeedStatus) -> Option<String> {
    let feed = &status.feed;
    // A feed that was never polled is due since 1970.
    let due = feed.poll.next.filter(|_| feed.state == "active");
    due.map(|next| match feed.poll.last {
        Some(_) => time(next),
        None => time(feed.added),
    })
}

fn site_json(site: &Site<'_>, remedy: Option<String>) -> Value {
    let status = site.status;
    json!({
        "site": status.site,
        "articles": status.articles,
        "pages": status.pages,
        "wrapper": status.wrapper.as_ref().map(|(since, why)| json!({"since": time(*since), "why": why})),
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

// Writing to a string does not fail, so its results are not looked at.

fn feed_lines(status: &FeedStatus, sites: &[&Site<'_>], out: &mut String) {
    let (feed, poll) = (&status.feed, &status.feed.poll);
    let _ = writeln!(out, "{}", Shown(&feed.url));
    if !feed.title.trim().is_empty() {
        let _ = writeln!(out, "  {}", Shown(feed.title.trim()));
    }
    let success = poll
        .success
        .map_or("never read".to_owned(), |at| format!("read {}", time(at)));
    let next = match (next(status), feed.state.as_str()) {
        (Some(next), _) => format!("next poll {next}"),
        (None, "ended") => format!("ended: {}", Shown(&feed.why)),
        (None, state) => state.to_owned(),
    };
    let _ = writeln!(out, "  {success}, {next}");
    let _ = writeln!(
        out,
        "  {}, {}, {}",
        counted(status.items, "item", "items"),
        counted(status.pages, "page", "pages"),
        counted(status.articles, "article", "articles")
    );
    for site in sites.iter().take(NAMED) {
        let _ = writeln!(
            out,
            "  {}: {}{}{}",
            Shown(&site.status.site),
            site.verdict(),
            site.confidence(),
            site.drifts()
        );
    }
    if sites.len() > NAMED {
        let more = counted(sites.len() - NAMED, "more site", "more sites");
        let _ = writeln!(out, "  and {more}");
    }
    if let Some(error) = &poll.error {
        let _ = writeln!(
            out,
            "  {} in a row: {}",
            counted(poll.failures, "failure", "failures"),
            Shown(error)
        );
    }
    out.push('\n');
}

fn site_lines(site: &Site<'_>, remedy: Option<String>, out: &mut String) {
    let status = site.status;
    let _ = writeln!(out, "site {}", Shown(&status.site));
    let wrapper = match &status.wrapper {
        Some((since, why)) => format!("wrapper {} {}", Shown(why), time(*since)),
        None => "no wrapper yet".to_owned(),
    };
    let _ = writeln!(out, "  {wrapper}{}", site.confidence());
    if let Some(why) = site.unusable() {
        let _ = writeln!(
            out,
            "  its file cannot be used and is left as it is: {}",
            Shown(why)
        );
    }
    if let Some(why) = site.not_learned() {
        let _ = writeln!(out, "  nothing was learned: {}", Shown(why));
    }
    if let Some(remedy) = remedy {
        let _ = writeln!(out, "  {}", Shown(&remedy));
    }
    let _ = writeln!(out, "  {}{}", site.verdict(), site.drifts());
    if let Some(why) = site.failure() {
        let _ = writeln!(out, "  the last page: {}", Shown(why));
    }
    let _ = writeln!(
        out,
        "  {}, {}\n",
        counted(status.pages, "page", "pages"),
        counted(status.articles, "article", "articles")
    );
}
