//! `forest harvest status`: how feeds and sites are doing.

use super::feeds::{as_json, time};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::shown::Shown;
use crate::cli::{Exit, Global};
use forest::archive::{FeedStatus, Reader, SiteStatus};
use serde_json::{Value, json};
use std::fmt::Write;

/// Show how feeds and sites are doing
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of each feed: when it was read last, when it is polled next, what went wrong, and what it
brought. Of each site: its wrapper, the mean confidence of its newest articles, and the
verdict on the wrapper with the time since when it holds.

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
    let archive = Reader::open(&args.archive.dir(global)?)?;
    let (feeds, sites) = (archive.feed_statuses()?, archive.site_statuses()?);
    if args.json {
        let feeds: Vec<Value> = feeds.iter().map(feed_json).collect();
        let sites: Vec<Value> = sites.iter().map(site_json).collect();
        let all = json!({"schema": 1, "feeds": feeds, "sites": sites});
        global.print(format!("{all}\n").as_bytes())?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    for feed in &feeds {
        feed_lines(feed, &mut out);
    }
    for site in &sites {
        site_lines(site, &mut out);
    }
    if feeds.is_empty() {
        global.say("no feeds: add one with `forest harvest add`");
    }
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

fn feed_json(status: &FeedStatus) -> Value {
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

fn site_json(status: &SiteStatus) -> Value {
    json!({
        "site": status.site,
        "articles": status.articles,
        "pages": status.pages,
        "wrapper": status.wrapper.as_ref().map(|(since, why)| json!({"since": time(*since), "why": why})),
        "confidence": status.confidence,
        "verdict": status.verdict.as_ref().map_or("ok", |(_, verdict)| verdict),
        "verdict_since": status.verdict.as_ref().map(|(since, _)| time(*since)),
        "drifts": status.drifts,
    })
}

// Writing to a string does not fail, so its results are not looked at.

fn feed_lines(status: &FeedStatus, out: &mut String) {
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
        "  {} items, {} pages, {} articles",
        status.items, status.pages, status.articles
    );
    if let Some(error) = &poll.error {
        let _ = writeln!(
            out,
            "  {} failures in a row: {}",
            poll.failures,
            Shown(error)
        );
    }
    out.push('\n');
}

fn site_lines(status: &SiteStatus, out: &mut String) {
    let _ = writeln!(out, "site {}", Shown(&status.site));
    let wrapper = match &status.wrapper {
        Some((since, why)) => format!("wrapper {} {}", Shown(why), time(*since)),
        None => "no wrapper yet".to_owned(),
    };
    let confidence = status
        .confidence
        .map_or(String::new(), |mean| format!(", confidence {mean:.2}"));
    let verdict = match &status.verdict {
        Some((since, verdict)) => format!("{verdict} since {}", time(*since)),
        None => "ok".to_owned(),
    };
    let drifts = match status.drifts {
        0 => String::new(),
        1 => ", drifted once".to_owned(),
        n => format!(", drifted {n} times"),
    };
    let _ = writeln!(out, "  {wrapper}{confidence}");
    let _ = writeln!(out, "  {verdict}{drifts}");
    let _ = writeln!(
        out,
        "  {} pages, {} articles\n",
        status.pages, status.articles
    );
}
