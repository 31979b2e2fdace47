//! `forest harvest add|remove|pause|resume|rename|move|rules|list|export`: the feeds of a harvest.
//!
//! While a harvest runs, only it writes to the archive. A change of feeds then goes to the
//! archive's inbox, which the harvest reads at once.

use super::run::fetcher;
use super::typed_feed::{feed_address, feed_url};
use crate::cli::archived::archive_dir::{ArchiveArgs, READER_ADDRESS};
use crate::cli::archived::rules::{PictureRuleArgs, RuleArgs};
use crate::cli::net::NetArgs;
use crate::cli::stdin::read_limited;
use crate::cli::when::now;
use crate::cli::{Exit, Global, output};
use anyhow::Context;
use forest_archive::{ArchiveReader, Event, FeedRow, paths};
use forest_core::feed::MAX_FEED_BYTES;
use forest_core::feed::write::opml;
use forest_harvest::inputs::{FeedInputs, address, folder_path};
use forest_harvest::report::{feed_json, feed_line};
use forest_harvest::{FeedAdder, FeedNote, FeedStore};
use serde_json::json;
use std::path::{Path, PathBuf};
use url::Url;

/// Add feeds to the harvest
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FEED is the address of a feed, of a sitemap (or of the robots.txt that names it), or of a
home page that names a feed, a file with an address a line, an OPML file, or - for either
on stdin. Each feed is requested once; a page that is no feed is not added. A feed of an
OPML list is also added if its server does not answer, and the harvest tries again. Titles,
folders and home pages of the list are kept. The rules are set for each feed that is added.

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
    pictures: PictureRuleArgs,
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
    #[command(flatten)]
    pictures: PictureRuleArgs,
    /// Remove all rules.
    #[arg(long, conflicts_with_all = ["skip_title", "skip_address", "section", "least_words", "image_budget"])]
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

/// Give a feed another title
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The title stands in the reader, in `forest harvest list` and in OPML.

Examples:
  forest harvest rename https://news.example.org/feed.xml 'The Gazette'
  forest harvest rename https://news.example.org/feed.xml ''")]
pub struct RenameArgs {
    /// The address of the feed, as `forest harvest list` shows it.
    #[arg(value_name = "URL")]
    feed: String,
    /// Its new title; empty: its own.
    #[arg(value_name = "TITLE")]
    title: String,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// Put a feed into other folders
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The folders replace the earlier ones. Without any, the feed stands in no folder.

Examples:
  forest harvest move https://news.example.org/feed.xml News/Islands
  forest harvest move https://news.example.org/feed.xml")]
pub struct MoveArgs {
    /// The address of the feed, as `forest harvest list` shows it.
    #[arg(value_name = "URL")]
    feed: String,
    /// Its folders, the names of each joined by slashes, from the outermost.
    #[arg(value_name = "FOLDER")]
    folders: Vec<String>,
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
        fetcher: fetcher(&args.net, &dir, global)?,
        rules: args.pictures.with(args.rules.rules()),
    };
    let mut tell = |note: FeedNote| match note {
        FeedNote::News(line) => global.say(line),
        FeedNote::Warning(line) => global.warn(line),
    };
    let progress = global.progress("feeds", Some(inputs.feeds().len()));
    let mut good = 0;
    for input in inputs.feeds() {
        good += usize::from(adder.add(input, now(), &mut tell)?);
        progress.step();
    }
    drop(progress);
    if good > 0 {
        global.say(format_args!("archive: {}", dir.display()));
    }
    if good > 0 && !adder.store.waits_for_harvest() {
        let mut command = args.archive.harvest_command();
        if cfg!(feature = "serve") {
            command += &format!(" --serve {READER_ADDRESS}");
        }
        if args.net.allows_private() {
            command += " --allow-private";
        }
        global.say(format_args!(
            "`{command}` fetches the articles for as long as it runs"
        ));
    }
    Ok(Exit::of(good, all))
}

/// The addresses and the lists of a command line, and the number of unreadable lists.
fn read_inputs(typed: &[String], global: &Global) -> anyhow::Result<(FeedInputs, usize)> {
    let (mut inputs, mut failed) = (FeedInputs::default(), 0);
    for text in typed {
        let path = Path::new(text);
        let bytes = match text.as_str() {
            "-" => read_limited(std::io::stdin().lock(), MAX_FEED_BYTES).context("stdin"),
            _ if address(text).is_err() && path.exists() => std::fs::File::open(path)
                .and_then(|file| read_limited(file, MAX_FEED_BYTES))
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

pub fn rules(args: RulesArgs, global: &Global) -> anyhow::Result<Exit> {
    let rules = args.pictures.with(args.rules.rules());
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

pub fn rename(args: RenameArgs, global: &Global) -> anyhow::Result<Exit> {
    let which = WhichArgs {
        feeds: vec![args.feed],
        archive: args.archive,
    };
    let title = args.title.trim();
    change_rows(&which, "has its title", global, |row| {
        row.listed(title.to_owned(), row.folders.clone())
    })
}

pub fn move_to(args: MoveArgs, global: &Global) -> anyhow::Result<Exit> {
    let which = WhichArgs {
        feeds: vec![args.feed],
        archive: args.archive,
    };
    let folders: Vec<_> = args.folders.iter().map(|text| folder_path(text)).collect();
    change_rows(&which, "has its folders", global, |row| {
        row.listed(row.listed_title.clone(), folders.clone())
    })
}

/// Stores an event of each feed, and reports `change_made`.
fn change(
    which: &WhichArgs,
    change_made: &str,
    global: &Global,
    event: impl Fn(String) -> Event,
) -> anyhow::Result<Exit> {
    change_rows(which, change_made, global, |row| event(row.url.clone()))
}

/// [`change`], by the rows of the feeds.
fn change_rows(
    which: &WhichArgs,
    change_made: &str,
    global: &Global,
    event: impl Fn(&FeedRow) -> Event,
) -> anyhow::Result<Exit> {
    let dir = which.archive.dir(global)?;
    let known = ArchiveReader::open(&dir)?.feeds()?;
    let mut store = FeedStore::open(&dir)?;
    let mut good = 0;
    for url in which.feeds.iter().map(|typed| feed_url(typed)) {
        let Some(row) = known.iter().find(|feed| feed.url == url) else {
            warn_unknown(&url, global);
            continue;
        };
        store.write(event(row), now())?;
        let later = store.when_seen();
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

pub fn export(args: OpmlArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = args.archive.reader(global)?;
    let outlines = archive.outlines()?;
    output::put(args.out.as_deref(), &opml("Feeds", &outlines), global)?;
    let feeds = archive.feeds()?;
    let count = feeds.iter().filter(|feed| feed.state != "active").count();
    if count > 0 {
        global.say(format_args!("left out, since they rest or ended: {count}"));
    }
    Ok(Exit::Done)
}
