//! `forest harvest add|remove|pause|resume|list|export`: which feeds are harvested.
//!
//! Where a harvest runs, the archive is its own: what is wanted is left for it in the
//! archive's inbox, and it sees to it at once.

use super::run::fetcher;
use super::tell::addressless;
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::net::NetArgs;
use crate::cli::shown::controls;
use crate::cli::stored::Out;
use crate::cli::{Exit, Global};
use anyhow::Context;
use chrono::{DateTime, SecondsFormat, Utc};
use forest::archive::{Archive, ArchiveOptions, Change, Event, FeedRow, Reader, request};
use forest::feed::MAX_FEED_BYTES;
use forest::fetch::Fetcher;
use forest::harvest::inputs::{Input, Inputs, address};
use forest::harvest::{add_feed, find_feed, request_feed};
use quick_xml::escape::escape;
use serde_json::json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Add feeds
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FEED is the address of a feed or of a home page that names one, a file with an address
a line, an OPML file, or - for either on stdin. Each feed is asked for once, and what is
no feed is not added.

Examples:
  forest harvest add https://news.example.org/
  forest harvest add subscriptions.opml feeds.txt
  forest harvest add --allow-private http://127.0.0.1:8000/feed.xml")]
pub struct AddArgs {
    /// What to add.
    #[arg(required = true, value_name = "FEED")]
    feeds: Vec<String>,
    #[command(flatten)]
    archive: ArchiveArgs,
    #[command(flatten)]
    net: NetArgs,
}

/// Harvest feeds no longer; what they brought stays
#[derive(Debug, clap::Args)]
pub struct RemoveArgs {
    #[command(flatten)]
    which: WhichArgs,
}

/// Let feeds rest
#[derive(Debug, clap::Args)]
pub struct PauseArgs {
    #[command(flatten)]
    which: WhichArgs,
}

/// Go on with feeds that rest, or that ended, and with pages of theirs that were given up
#[derive(Debug, clap::Args)]
pub struct ResumeArgs {
    #[command(flatten)]
    which: WhichArgs,
}

/// Feeds of the archive.
#[derive(Debug, clap::Args)]
struct WhichArgs {
    /// Addresses of feeds, as `forest harvest list` shows them.
    #[arg(required = true, value_name = "URL")]
    feeds: Vec<String>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// List the feeds
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// A line of JSON a feed.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// Write the active feeds as OPML
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Feeds that rest or that ended are left out, and it is said how many: whoever adds the list
elsewhere would ask for them again. `forest harvest list --json` has all of them.")]
pub struct ExportArgs {
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// The archive, or its inbox while another process writes to it.
enum Target {
    Own(Box<Archive>),
    Other,
}

impl Target {
    fn of(dir: &Path) -> anyhow::Result<Target> {
        match Archive::open(dir, ArchiveOptions::default()) {
            Ok(archive) => Ok(Target::Own(Box::new(archive))),
            Err(error) if error.is_archive_locked() => Ok(Target::Other),
            Err(error) => Err(error.into()),
        }
    }

    fn happens(&mut self, dir: &Path, event: Event) -> anyhow::Result<()> {
        let at = now();
        match self {
            Target::Own(archive) => {
                archive.write(vec![Change::Event { at, event }])?;
            }
            Target::Other => request(dir, at, event, None)?,
        }
        Ok(())
    }

    /// What to say behind what was done.
    fn later(&self) -> &'static str {
        match self {
            Target::Own(_) => "",
            Target::Other => ", as soon as the harvest that runs sees it",
        }
    }
}

pub fn now() -> DateTime<Utc> {
    DateTime::from(SystemTime::now())
}

pub fn add(args: AddArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let (inputs, failed) = read_inputs(&args.feeds, global)?;
    let all = inputs.feeds().len() + inputs.refused().len() + failed;
    for refused in inputs.refused() {
        global.warn(refused);
    }
    if inputs.feeds().is_empty() {
        return Ok(Exit::of(0, all));
    }
    let mut target = Target::of(&dir)?;
    let fetcher = fetcher(&args.net, global)?;
    let progress = global.progress("feeds", Some(inputs.feeds().len()));
    let mut good = 0;
    for input in inputs.feeds() {
        if add_one(&mut target, &dir, &fetcher, input, global)? {
            good += 1;
        }
        progress.step();
    }
    Ok(Exit::of(good, all))
}

/// Addresses and lists; how many of these could not be read.
fn read_inputs(typed: &[String], global: &Global) -> anyhow::Result<(Inputs, usize)> {
    let (mut inputs, mut failed) = (Inputs::default(), 0);
    for text in typed {
        let path = Path::new(text);
        let bytes = match text.as_str() {
            "-" => read_limited(std::io::stdin().lock()).context("stdin"),
            _ if address(text).is_err() && path.exists() => std::fs::File::open(path)
                .and_then(read_limited)
                .with_context(|| format!("cannot read {text}")),
            _ => {
                inputs.add(text);
                continue;
            }
        };
        if let Err(error) = inputs.add_list(&bytes?) {
            failed += 1;
            global.warn(format_args!("{text}: {error}"));
        }
    }
    Ok((inputs, failed))
}

fn read_limited(input: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input
        .take(MAX_FEED_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the feed is in the archive now.
fn add_one(
    target: &mut Target,
    dir: &Path,
    fetcher: &Fetcher,
    input: &Input,
    global: &Global,
) -> anyhow::Result<bool> {
    let url = &input.url;
    if is_active(target, dir, url.as_str())? {
        global.say(format_args!("{url}: is harvested already"));
        return Ok(true);
    }
    let found = match find_feed(fetcher, url) {
        Ok(found) => found,
        Err(why) => {
            global.warn(format_args!("{url}: not added: {why}"));
            return Ok(false);
        }
    };
    let named = found.url.clone();
    if named != *url {
        global.say(format_args!("{url}: its feed is {named}"));
        if is_active(target, dir, named.as_str())? {
            global.say(format_args!("{named}: is harvested already"));
            return Ok(true);
        }
    }
    let (title, items) = (found.title.clone(), found.items);
    let without_address = found.without_address;
    match target {
        Target::Own(archive) => add_feed(archive, found, now())?,
        Target::Other => request_feed(dir, found, now())?,
    }
    let later = target.later();
    let items = match items {
        1 => "1 item".to_owned(),
        n => format!("{n} items"),
    };
    global.say(format_args!("{named}: added{later}: {title} ({items})"));
    if without_address > 0 {
        global.warn(format_args!("{named}: {}", addressless(without_address)));
    }
    Ok(true)
}

fn is_active(target: &Target, dir: &Path, url: &str) -> anyhow::Result<bool> {
    let found = match target {
        Target::Own(archive) => archive.feed(url)?,
        Target::Other => Reader::open(dir)?
            .feeds()?
            .into_iter()
            .find(|f| f.url == url),
    };
    Ok(found.is_some_and(|feed| feed.state == "active"))
}

pub fn remove(args: RemoveArgs, global: &Global) -> anyhow::Result<Exit> {
    change(&args.which, "removed", global, |feed| Event::FeedRemoved {
        feed,
    })
}

pub fn pause(args: PauseArgs, global: &Global) -> anyhow::Result<Exit> {
    let paused = true;
    change(&args.which, "rests", global, |feed| Event::FeedPaused {
        feed,
        paused,
    })
}

pub fn resume(args: ResumeArgs, global: &Global) -> anyhow::Result<Exit> {
    let paused = false;
    change(&args.which, "goes on", global, |feed| Event::FeedPaused {
        feed,
        paused,
    })
}

fn change(
    which: &WhichArgs,
    done: &str,
    global: &Global,
    event: impl Fn(String) -> Event,
) -> anyhow::Result<Exit> {
    let dir = which.archive.dir(global)?;
    let known = Reader::open(&dir)?.feeds()?;
    let mut target = Target::of(&dir)?;
    let mut good = 0;
    for typed in &which.feeds {
        let url = address(typed).map_or_else(|_| typed.clone(), String::from);
        if !known.iter().any(|feed| feed.url == url) {
            global.warn(format_args!(
                "{url}: no such feed: `forest harvest list` shows them"
            ));
            continue;
        }
        target.happens(&dir, event(url.clone()))?;
        let later = target.later();
        global.say(format_args!("{url}: {done}{later}"));
        good += 1;
    }
    Ok(Exit::of(good, which.feeds.len()))
}

pub fn list(args: ListArgs, global: &Global) -> anyhow::Result<Exit> {
    let feeds = Reader::open(&args.archive.dir(global)?)?.feeds()?;
    let mut out = Vec::new();
    for feed in &feeds {
        match args.json {
            true => writeln!(out, "{}", as_json(feed))?,
            false => writeln!(out, "{}", as_line(feed))?,
        }
    }
    global.print(&out)?;
    Ok(Exit::Done)
}

/// A feed as JSON: what is the same in `list` and in `status`.
pub fn as_json(feed: &FeedRow) -> serde_json::Value {
    json!({
        "url": feed.url,
        "state": feed.state,
        "title": feed.title,
        "added": time(feed.added),
        "why": (!feed.why.is_empty()).then_some(&feed.why),
    })
}

/// A feed on a line.
fn as_line(feed: &FeedRow) -> String {
    let mut line = format!("{:<7} {}", feed.state, feed.url);
    let title: Vec<&str> = feed.title.split_whitespace().collect();
    if !title.is_empty() {
        line.push_str(&format!("  {}", title.join(" ")));
    }
    if !feed.why.is_empty() {
        line.push_str(&format!("  ({})", feed.why));
    }
    crate::cli::shown::Shown(line).to_string()
}

/// A time as it is shown.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

pub fn export(args: ExportArgs, global: &Global) -> anyhow::Result<Exit> {
    let feeds = Reader::open(&args.archive.dir(global)?)?.feeds()?;
    let mut out = Out::new(args.out.as_deref(), global)?;
    let mut opml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n<head><title>Feeds</title></head>\n<body>\n",
    );
    let (active, others): (Vec<_>, Vec<_>) = feeds.iter().partition(|feed| feed.state == "active");
    for feed in active {
        let title: String = feed.title.chars().filter(|c| !controls(*c)).collect();
        let title = if title.is_empty() {
            feed.url.clone()
        } else {
            title
        };
        opml.push_str(&format!(
            "<outline type=\"rss\" text=\"{}\" xmlUrl=\"{}\"/>\n",
            escape(title.as_str()),
            escape(feed.url.as_str())
        ));
    }
    opml.push_str("</body>\n</opml>\n");
    out.write_all(opml.as_bytes())?;
    out.finish()?;
    if !others.is_empty() {
        global.say(format_args!(
            "left out, since they rest or ended: {}",
            others.len()
        ));
    }
    Ok(Exit::Done)
}
