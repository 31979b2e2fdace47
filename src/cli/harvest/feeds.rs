//! `forest harvest add|remove|pause|resume|rules|list|export`: which feeds are harvested.
//!
//! Where a harvest runs, the archive is its own: what is wanted is left for it in the
//! archive's inbox, and it sees to it at once.

use super::run::fetcher;
use super::tell::addressless;
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::net::NetArgs;
use crate::cli::rules::RuleArgs;
use crate::cli::shown::controls;
use crate::cli::source;
use crate::cli::stored::Out;
use crate::cli::{Exit, Global};
use anyhow::Context;
use chrono::{DateTime, SecondsFormat, Utc};
use forest::archive::{Archive, ArchiveOptions, Change, Event, FeedRow, Reader, request};
use forest::error::counted;
use forest::feed::write::opml;
use forest::feed::{ItemRules, MAX_FEED_BYTES};
use forest::fetch::Fetcher;
use forest::harvest::inputs::{FeedInput, FeedInputs, RefusedReason, address};
use forest::harvest::{FoundFeed, add_feed, add_unseen, find_feed, request_feed};
use serde_json::json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use url::Url;

/// Add feeds
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FEED is the address of a feed or of a home page that names one, a file with an address
a line, an OPML file, or - for either on stdin. Each feed is asked for once, and what is
no feed is not added. A feed of an OPML list whose server does not answer is added all the
same, and tried again; titles, folders and home pages of that list are kept. Rules are
those of each feed that is added.

Examples:
  forest harvest add https://news.example.org/
  forest harvest add subscriptions.opml feeds.txt
  forest harvest add https://news.example.org/ --skip-title sponsored --least-words 80
  forest harvest add --allow-private http://127.0.0.1:8000/feed.xml")]
pub struct AddArgs {
    /// What to add.
    #[arg(required = true, value_name = "FEED")]
    feeds: Vec<String>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    archive: ArchiveArgs,
    #[command(flatten)]
    net: NetArgs,
}

/// Show or set what is not wanted of feeds
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without rules, those of the feeds are shown, a line of JSON a feed. Rules take the place of
those before: --none takes them all away. An item that is skipped is not visited, and not
written by `forest feed`; what the archive has of it stays.

Examples:
  forest harvest rules https://news.example.org/feed.xml --skip-address /video/
  forest harvest rules https://news.example.org/feed.xml --none")]
pub struct RulesArgs {
    #[command(flatten)]
    rules: RuleArgs,
    /// Nothing is skipped any more.
    #[arg(long, conflicts_with_all = ["skip_title", "skip_address", "least_words"])]
    none: bool,
    #[command(flatten)]
    which: WhichArgs,
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
Titles, folders and home pages are those of the list that a feed was added with, else the
feed's own. Feeds that rest or that ended are left out, and it is said how many: whoever adds the list
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
            Target::Other => request(dir, at, event, vec![], None)?,
        }
        Ok(())
    }

    /// A feed that is in the archive.
    fn feed(&self, dir: &Path, url: &str) -> anyhow::Result<Option<FeedRow>> {
        Ok(match self {
            Target::Own(archive) => archive.feed(url)?,
            Target::Other => Reader::open(dir)?.feed(url)?,
        })
    }

    /// Adds a feed, with what it answered if it did.
    fn add(
        &mut self,
        dir: &Path,
        url: &Url,
        found: Option<FoundFeed>,
        about: Vec<Event>,
    ) -> anyhow::Result<()> {
        match (self, found) {
            (Target::Own(archive), Some(found)) => add_feed(archive, found, about, now())?,
            (Target::Own(archive), None) => add_unseen(archive, url.as_str(), about, now())?,
            (Target::Other, found) => request_feed(dir, url, found, about, now())?,
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
    let rules = args.rules.rules();
    let mut good = 0;
    for input in inputs.feeds() {
        if add_one(&mut target, &dir, &fetcher, input, &rules, global)? {
            good += 1;
        }
        progress.step();
    }
    Ok(Exit::of(good, all))
}

/// Addresses and lists; how many of these could not be read.
fn read_inputs(typed: &[String], global: &Global) -> anyhow::Result<(FeedInputs, usize)> {
    let (mut inputs, mut failed) = (FeedInputs::default(), 0);
    for text in typed {
        let path = Path::new(text);
        let bytes = match text.as_str() {
            "-" => read_limited(std::io::stdin().lock()).context("stdin"),
            _ if address(text).is_err() && path.exists() => std::fs::File::open(path)
                .and_then(read_limited)
                .with_context(|| format!("cannot read {text}")),
            _ => {
                match bare_host(text) {
                    Some(url) => inputs.add(url.as_str()),
                    None => inputs.add(text),
                }
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

/// The address of a bare host, which is asked by `https`.
fn bare_host(text: &str) -> Option<url::Url> {
    match address(text) {
        Err(RefusedReason::NoAddress | RefusedReason::Scheme) => source::address(text),
        _ => None,
    }
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
    input: &FeedInput,
    rules: &ItemRules,
    global: &Global,
) -> anyhow::Result<bool> {
    let url = &input.url;
    if is_there(target, dir, url, input, rules, global)? {
        return Ok(true);
    }
    let found = match find_feed(fetcher, url) {
        Ok(found) => found,
        // A list says that it is a feed.
        Err(why) if why.is_down && input.outline.is_some() => {
            target.add(dir, url, None, about(url, input, rules))?;
            let later = target.later();
            global.warn(format_args!(
                "{url}: added{later}, though it did not answer: {why}; the harvest tries again"
            ));
            return Ok(true);
        }
        Err(why) => {
            global.warn(format_args!("{url}: not added: {why}"));
            return Ok(false);
        }
    };
    let named = found.url.clone();
    if named != *url {
        global.say(format_args!("{url}: its feed is {named}"));
        if is_there(target, dir, &named, input, rules, global)? {
            return Ok(true);
        }
    }
    let (title, items) = (found.title.clone(), found.items);
    let without_address = found.without_address;
    target.add(dir, &named, Some(found), about(&named, input, rules))?;
    let later = target.later();
    let items = counted(items, "item", "items");
    global.say(format_args!("{named}: added{later}: {title} ({items})"));
    if without_address > 0 {
        global.warn(format_args!("{named}: {}", addressless(without_address)));
    }
    Ok(true)
}

/// Whether a feed is harvested already. What its list and its rules say is kept, if it is
/// something else than before.
fn is_there(
    target: &mut Target,
    dir: &Path,
    url: &Url,
    input: &FeedInput,
    rules: &ItemRules,
    global: &Global,
) -> anyhow::Result<bool> {
    let known = target.feed(dir, url.as_str())?;
    let Some(known) = known.filter(|feed| feed.state == "active") else {
        return Ok(false);
    };
    for event in about(url, input, rules) {
        let is_known = match &event {
            Event::FeedListed {
                title,
                home,
                folders,
                ..
            } => {
                (title, home, folders) == (&known.listed_title, &known.listed_home, &known.folders)
            }
            Event::FeedRules { rules, .. } => *rules == known.rules,
            _ => true,
        };
        if !is_known {
            target.happens(dir, event)?;
        }
    }
    global.say(format_args!("{url}: is harvested already"));
    Ok(true)
}

/// What a list and its user's rules say of a feed.
fn about(url: &Url, input: &FeedInput, rules: &ItemRules) -> Vec<Event> {
    let feed = || url.to_string();
    let listed = input.outline.as_ref().map(|outline| Event::FeedListed {
        feed: feed(),
        title: outline.title.clone(),
        home: outline.html_url.as_ref().map(Url::to_string),
        folders: outline.folders.iter().map(|path| path.to_vec()).collect(),
    });
    let rules = (!rules.is_empty()).then(|| Event::FeedRules {
        feed: feed(),
        rules: rules.clone(),
    });
    listed.into_iter().chain(rules).collect()
}

pub fn rules(args: RulesArgs, global: &Global) -> anyhow::Result<Exit> {
    let rules = args.rules.rules();
    if args.none || !rules.is_empty() {
        return change(&args.which, "has its rules", global, |feed| {
            let rules = rules.clone();
            Event::FeedRules { feed, rules }
        });
    }
    let archive = Reader::open(&args.which.archive.dir(global)?)?;
    let (mut out, mut good) = (Vec::new(), 0);
    for typed in &args.which.feeds {
        let url = address(typed).map_or_else(|_| typed.clone(), String::from);
        match archive.feed(&url)?.filter(|feed| feed.state != "removed") {
            Some(feed) => {
                writeln!(out, "{}", json!({"url": feed.url, "rules": feed.rules}))?;
                good += 1;
            }
            None => unknown(&url, global),
        }
    }
    global.print(&out)?;
    Ok(Exit::of(good, args.which.feeds.len()))
}

fn unknown(url: &str, global: &Global) {
    global.warn(format_args!(
        "{url}: no such feed: `forest harvest list` shows them"
    ));
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
            unknown(&url, global);
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
    let mut json = json!({
        "url": feed.url,
        "state": feed.state,
        "title": feed.title,
        "added": time(feed.added),
        "why": (!feed.why.is_empty()).then_some(&feed.why),
    });
    if !feed.listed_title.is_empty() {
        json["listed_title"] = json!(feed.listed_title);
    }
    if !feed.folders.is_empty() {
        json["folders"] = json!(feed.folders);
    }
    if !feed.rules.is_empty() {
        json["rules"] = json!(feed.rules);
    }
    json
}

/// A feed on a line.
fn as_line(feed: &FeedRow) -> String {
    let mut line = format!("{:<7} {}", feed.state, feed.url);
    let title = match feed.listed_title.is_empty() {
        true => &feed.title,
        false => &feed.listed_title,
    };
    let title: Vec<&str> = title.split_whitespace().collect();
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
    let archive = Reader::open(&args.archive.dir(global)?)?;
    let feeds = archive.feeds()?;
    let (active, others): (Vec<_>, Vec<_>) = feeds.iter().partition(|feed| feed.state == "active");
    let mut outlines = Vec::with_capacity(active.len());
    for feed in active {
        let mut outline = feed.outline(feed.url.parse()?);
        outline.title.retain(|c| !controls(c));
        if outline.html_url.is_none() {
            outline.html_url = archive.last_said(&feed.url)?.and_then(|said| said.site);
        }
        outlines.push(outline);
    }
    let mut out = Out::new(args.out.as_deref(), global)?;
    out.write_all(opml("Feeds", &outlines).as_bytes())?;
    out.finish()?;
    if !others.is_empty() {
        global.say(format_args!(
            "left out, since they rest or ended: {}",
            others.len()
        ));
    }
    Ok(Exit::Done)
}
