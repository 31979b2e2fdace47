//! `forest harvest add|remove|pause|resume|rules|list|export`: the feeds of a harvest.
//!
//! While a harvest runs, only it writes to the archive. A change of feeds then goes to the
//! archive's inbox, which the harvest reads at once.

use super::messages::items_without_address;
use super::run::fetcher;
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::net::NetArgs;
use crate::cli::rules::RuleArgs;
use crate::cli::source::{feed_address, feed_url};
use crate::cli::when::{now, time};
use crate::cli::{Exit, Global, output};
use anyhow::Context;
use forest_archive::{ArchiveReader, Event, FeedRow, paths};
use forest_core::feed::write::opml;
use forest_core::feed::{ItemRules, MAX_FEED_BYTES};
use forest_fetch::{Fetcher, Visited};
use forest_harvest::inputs::{FeedInput, FeedInputs, address};
use forest_harvest::{FeedNotFound, FeedStore, FoundFeed, find_feed, find_list};
use forest_html::error::counted;
use forest_html::text::{OneLine, controls, fold};
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use url::Url;

/// Add feeds to the harvest
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FEED is the address of a feed or of a home page that names one, a file with an address
a line, an OPML file, or - for either on stdin. Each feed is requested once; a page that is
no feed is not added. A feed of an OPML list is also added if its server does not answer,
and the harvest tries again. Titles, folders and home pages of the list are kept. The rules
are set for each feed that is added.

Examples:
  forest harvest add https://news.example.org/
  forest harvest add subscriptions.opml feeds.txt
  forest harvest add https://news.example.org/ --skip-title sponsored --least-words 80
  forest harvest add --allow-private http://127.0.0.1:8000/feed.xml")]
pub struct AddArgs {
    /// Add these feeds.
    #[arg(required = true, value_name = "FEED")]
    feeds: Vec<String>,
    /// Of a page that names no feed, poll the list of its articles.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    archive: ArchiveArgs,
    #[command(flatten)]
    net: NetArgs,
}

/// Show or set the rules of feeds
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without rules, the command shows those of the feeds, a line of JSON a feed. Rules replace
the earlier ones; --none removes all of them. An item that a rule skips is not visited, and
`forest feed` does not write it; its article in the archive stays.

Examples:
  forest harvest rules https://news.example.org/feed.xml --skip-address /video/
  forest harvest rules https://news.example.org/feed.xml --none")]
pub struct RulesArgs {
    #[command(flatten)]
    rules: RuleArgs,
    /// Remove all rules.
    #[arg(long, conflicts_with_all = ["skip_title", "skip_address", "least_words"])]
    none: bool,
    #[command(flatten)]
    which: WhichArgs,
}

/// Feeds of the archive.
#[derive(Debug, clap::Args)]
pub struct WhichArgs {
    /// The addresses of the feeds, as `forest harvest list` shows them.
    #[arg(required = true, value_name = "URL")]
    feeds: Vec<String>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// List the feeds
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Write a line of JSON a feed.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// Write the active feeds as OPML
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Titles, folders and home pages are those of the list that a feed was added with, else the
feed's own. Feeds that rest or ended are left out, since other programs would request them
again; a message counts them. `forest harvest list --json` has all feeds.")]
pub struct OpmlArgs {
    /// Write to this file [default: stdout].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// The end of messages about changes.
fn later(store: &FeedStore) -> &'static str {
    if store.waits_for_harvest() {
        ", as soon as the harvest that runs sees it"
    } else {
        ""
    }
}

/// Adds feeds to an archive.
struct FeedAdder<'a> {
    store: FeedStore,
    /// The folder of the archive's wrappers.
    sites: PathBuf,
    /// Pages that list articles are polled.
    lists: bool,
    fetcher: Fetcher,
    rules: ItemRules,
    global: &'a Global,
}

pub fn add(args: AddArgs, global: &Global) -> anyhow::Result<Exit> {
    let (inputs, failed) = read_inputs(&args.feeds, global)?;
    let all = inputs.feeds().len() + inputs.refused().len() + failed;
    for refused in inputs.refused() {
        global.warn(refused);
    }
    if inputs.feeds().is_empty() {
        return Ok(Exit::of(0, all));
    }
    let dir = args.archive.dir(global)?;
    let mut adder = FeedAdder {
        store: FeedStore::open(&dir)?,
        sites: paths::sites(&dir),
        lists: args.list,
        fetcher: fetcher(&args.net, global)?,
        rules: args.rules.rules(),
        global,
    };
    let progress = global.progress("feeds", Some(inputs.feeds().len()));
    let mut good = 0;
    for input in inputs.feeds() {
        good += usize::from(adder.add(input)?);
        progress.step();
    }
    Ok(Exit::of(good, all))
}

/// The addresses and the lists of a command line, and the number of unreadable lists.
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
                inputs.add(feed_address(text).as_ref().map_or(text, Url::as_str));
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
    let mut limited = input.take(MAX_FEED_BYTES as u64 + 1);
    limited.read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl FeedAdder<'_> {
    /// Adds a feed; returns true if it is in the archive now.
    fn add(&mut self, input: &FeedInput) -> anyhow::Result<bool> {
        let (url, global) = (&input.url, self.global);
        if self.is_active(url, input)? {
            return Ok(true);
        }
        let found = match find_feed(&self.fetcher, url) {
            Ok(found) => found,
            // The list says that it is a feed.
            Err(why) if why.is_down && input.outline.is_some() => {
                self.store.add(url, None, self.events(url, input), now())?;
                let later = later(&self.store);
                global.warn(format_args!(
                    "{url}: added{later}, though it did not answer: {why}; the harvest tries again"
                ));
                return Ok(true);
            }
            Err(FeedNotFound {
                page: Some(page), ..
            }) => match self.list_at(url, *page) {
                Some(found) => found,
                None => return Ok(false),
            },
            Err(why) => {
                global.warn(format_args!("{url}: not added: {why}"));
                return Ok(false);
            }
        };
        let named = found.url.clone();
        if named != *url {
            global.say(format_args!("{url}: its feed is {named}"));
            if self.is_active(&named, input)? {
                return Ok(true);
            }
        }
        let (title, without_address) = (found.title.clone(), found.without_address);
        let items = counted(found.items, "item", "items");
        let events = self.events(&named, input);
        self.store.add(&named, Some(found), events, now())?;
        let later = later(&self.store);
        global.say(format_args!("{named}: added{later}: {title} ({items})"));
        if without_address > 0 {
            let items = items_without_address(without_address);
            global.warn(format_args!("{named}: {items}"));
        }
        Ok(true)
    }

    /// The list of articles on a page that names no feed, if it has one and is to be followed.
    fn list_at(&self, url: &Url, page: Visited) -> Option<FoundFeed> {
        let global = self.global;
        match find_list(url, page, &self.sites, now().to_utc()) {
            Ok(found) if self.lists => Some(found),
            Ok(found) => {
                let items = counted(found.items, "article", "articles");
                global.warn(format_args!(
                    "{url}: not added: this is an HTML page that names no feed; it lists {items}: \
                     with --list it is polled as a feed"
                ));
                None
            }
            Err(why) => {
                global.warn(format_args!(
                    "{url}: not added: this is an HTML page that names no feed, and {why}"
                ));
                None
            }
        }
    }

    /// Returns true if the feed is harvested already. New titles and rules of it are stored.
    fn is_active(&mut self, url: &Url, input: &FeedInput) -> anyhow::Result<bool> {
        let known = self.store.feed(url)?;
        let Some(known) = known.filter(|feed| feed.state == "active") else {
            return Ok(false);
        };
        for event in self.events(url, input) {
            let is_known = match &event {
                Event::FeedListed {
                    title,
                    home,
                    folders,
                    ..
                } => {
                    let listed = (&known.listed_title, &known.listed_home, &known.folders);
                    (title, home, folders) == listed
                }
                Event::FeedRules { rules, .. } => *rules == known.rules,
                _ => true,
            };
            if !is_known {
                self.store.write(event, now())?;
            }
        }
        self.global.say(format_args!("{url}: is harvested already"));
        Ok(true)
    }

    /// The title, home page and folders of a feed in its list, and its rules.
    fn events(&self, url: &Url, input: &FeedInput) -> Vec<Event> {
        let feed = || url.to_string();
        let listed = input.outline.as_ref().map(|outline| Event::FeedListed {
            feed: feed(),
            title: outline.title.clone(),
            home: outline.html_url.as_ref().map(Url::to_string),
            folders: outline.folders.iter().map(|path| path.to_vec()).collect(),
        });
        let rules = (!self.rules.is_empty()).then(|| Event::FeedRules {
            feed: feed(),
            rules: self.rules.clone(),
        });
        listed.into_iter().chain(rules).collect()
    }
}

pub fn rules(args: RulesArgs, global: &Global) -> anyhow::Result<Exit> {
    let rules = args.rules.rules();
    if args.none || !rules.is_empty() {
        return change(&args.which, "has its rules", global, |feed| {
            let rules = rules.clone();
            Event::FeedRules { feed, rules }
        });
    }
    let archive = args.which.archive.reader(global)?;
    let mut good = 0;
    for url in args.which.feeds.iter().map(|typed| feed_url(typed)) {
        match archive.feed(&url)?.filter(|feed| feed.state != "removed") {
            Some(feed) => {
                global.print_json(&json!({"url": feed.url, "rules": feed.rules}))?;
                good += 1;
            }
            None => warn_unknown(&url, global),
        }
    }
    Ok(Exit::of(good, args.which.feeds.len()))
}

fn warn_unknown(url: &str, global: &Global) {
    global.warn(format_args!(
        "{url}: no such feed: `forest harvest list` shows them"
    ));
}

pub fn remove(which: WhichArgs, global: &Global) -> anyhow::Result<Exit> {
    let event = |feed| Event::FeedRemoved { feed };
    change(&which, "removed", global, event)
}

pub fn pause(which: WhichArgs, global: &Global) -> anyhow::Result<Exit> {
    let paused = true;
    let event = |feed| Event::FeedPaused { feed, paused };
    change(&which, "rests", global, event)
}

pub fn resume(which: WhichArgs, global: &Global) -> anyhow::Result<Exit> {
    let paused = false;
    let event = |feed| Event::FeedPaused { feed, paused };
    change(&which, "goes on", global, event)
}

/// Stores an event of each feed, and reports `change_made`.
fn change(
    which: &WhichArgs,
    change_made: &str,
    global: &Global,
    event: impl Fn(String) -> Event,
) -> anyhow::Result<Exit> {
    let dir = which.archive.dir(global)?;
    let known = ArchiveReader::open(&dir)?.feeds()?;
    let mut store = FeedStore::open(&dir)?;
    let mut good = 0;
    for url in which.feeds.iter().map(|typed| feed_url(typed)) {
        if !known.iter().any(|feed| feed.url == url) {
            warn_unknown(&url, global);
            continue;
        }
        store.write(event(url.clone()), now())?;
        let later = later(&store);
        global.say(format_args!("{url}: {change_made}{later}"));
        good += 1;
    }
    Ok(Exit::of(good, which.feeds.len()))
}

pub fn list(args: ListArgs, global: &Global) -> anyhow::Result<Exit> {
    let mut out = String::new();
    for feed in args.archive.reader(global)?.feeds()? {
        if args.json {
            out.push_str(&feed_json(&feed).to_string());
        } else {
            out.push_str(&feed_line(&feed));
        }
        out.push('\n');
    }
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

/// A feed as JSON, with the fields that `list` and `status` share.
pub fn feed_json(feed: &FeedRow) -> serde_json::Value {
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
fn feed_line(feed: &FeedRow) -> String {
    let mut line = format!("{:<7} {}", feed.state, feed.url);
    let titles = [&feed.listed_title, &feed.title];
    let title = titles.into_iter().find(|title| !title.is_empty());
    let title = fold(title.map_or("", String::as_str));
    if !title.is_empty() {
        line.push_str(&format!("  {title}"));
    }
    if !feed.why.is_empty() {
        line.push_str(&format!("  ({})", feed.why));
    }
    OneLine(line).to_string()
}

pub fn export(args: OpmlArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = args.archive.reader(global)?;
    let feeds = archive.feeds()?;
    let (active, others): (Vec<_>, Vec<_>) = feeds.iter().partition(|feed| feed.state == "active");
    let mut outlines = Vec::with_capacity(active.len());
    for feed in active {
        let mut outline = feed.outline(feed.url.parse()?);
        outline.title.retain(|c| !controls(c));
        if outline.html_url.is_none() {
            outline.html_url = archive
                .latest_content(&feed.url)?
                .and_then(|content| content.site);
        }
        outlines.push(outline);
    }
    output::put(args.out.as_deref(), &opml("Feeds", &outlines), global)?;
    if !others.is_empty() {
        let count = others.len();
        global.say(format_args!("left out, since they rest or ended: {count}"));
    }
    Ok(Exit::Done)
}
