//! `forest feed`: feeds with whole articles, and the events of the archive as a feed.

use super::archive_dir::ArchiveArgs;
use super::rules::RuleArgs;
use super::stored::{line, nothing};
use crate::cli::choices::{Choice, one_of};
use crate::cli::output::{self, OutputFolder};
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use forest_archive::export::{
    DEFAULT_ENTRIES, WhichItems, events_channel, feed_channel, serve_pictures, site_channel,
};
use forest_archive::{ArchiveReader, EventKind, FeedRow};
use forest_core::feed::Outline;
use forest_core::feed::write::{Channel, SyndicationFormat, opml, write};
use forest_html::address::is_web;
use std::path::{Path, PathBuf};
use url::Url;

/// Write a feed with the whole articles of its items
#[derive(Debug, clap::Args)]
#[command(after_help = "\
WHICH is a site, as the archive names it, or the address of a harvested feed. The output has
every item, in the feed's order, with the whole text of its article; an item whose page
could not be read has the feed's own text, and a line with the reason. Older items follow
those of the current feed.

With --all the command writes a file a feed to the folder of --out, and feeds.opml with all
of them. With --events it writes a feed of the events in the archive, of one site or of all;
their kinds are new, edited, drift, relearned, blocked, feed-moved and feed-gone.

Examples:
  forest feed news.example.org --out whole.xml
  forest feed https://planet.example.org/atom.xml --format json
  forest feed --all --out public/feeds --base-url https://me.example.org/feeds/
  forest feed --events=drift,blocked,feed-gone --out events.xml")]
pub struct FeedArgs {
    /// Write the feed of this site, or the feed with this address.
    #[arg(
        value_name = "WHICH",
        required_unless_present_any = ["all", "events"],
        conflicts_with = "all"
    )]
    which: Option<String>,
    /// Write every feed of the archive.
    #[arg(long, requires = "out", conflicts_with = "events")]
    all: bool,
    /// Write events, of all kinds or of the named ones.
    #[arg(long, value_name = "KIND", num_args = 0.., require_equals = true, value_delimiter = ',')]
    events: Option<Vec<EventKind>>,
    /// Write this format.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), default_value = "atom")]
    format: SyndicationFormat,
    /// Write this number of items at the most; with --events, of each kind [default: all
    /// items of the current feed, and 50 at least].
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write to this file, with --all to this folder [default: stdout].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Put this address of the folder, with the file's name, into the feed as its own.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    base_url: Option<Url>,
    /// Put addresses below this one into entries for stored pictures, named as by `forest
    /// archive export --images DIR`.
    #[arg(long, value_name = "URL", value_parser = base_url, conflicts_with = "events")]
    image_base: Option<Url>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    archive: ArchiveArgs,
}

const FORMATS: &[Choice<SyndicationFormat>] = &[
    ("atom", "Atom 1.0", SyndicationFormat::Atom),
    ("rss", "RSS 2.0", SyndicationFormat::Rss),
    ("json", "JSON Feed 1.1", SyndicationFormat::Json),
];

fn extension(format: SyndicationFormat) -> &'static str {
    match format {
        SyndicationFormat::Atom | SyndicationFormat::Rss => "xml",
        SyndicationFormat::Json => "json",
    }
}

/// The list of all feeds, in the folder of `--all`.
const LIST: &str = "feeds.opml";

fn base_url(text: &str) -> Result<Url, String> {
    let mut url = Url::parse(text).map_err(|_| "give an address that begins with https://")?;
    if !is_web(&url) {
        return Err("give an address that begins with https://".to_owned());
    }
    url.set_query(None);
    url.set_fragment(None);
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

pub fn run(args: FeedArgs, global: &Global) -> anyhow::Result<Exit> {
    let archive = args.archive.reader(global)?;
    if args.all {
        return all(&args, &archive, global);
    }
    if let Some(kinds) = &args.events {
        return events(&args, kinds, &archive, global);
    }
    let which = args.which.as_deref().unwrap_or_default();
    let items = items(&args);
    let (channel, name) = if which.contains("://") {
        let Some(feed) = known_feed(&archive, which)? else {
            bail!(
                "{}: no such feed: `forest harvest list` shows them",
                line(which)
            );
        };
        (feed_channel(&archive, &feed.url, &items)?, feed.url)
    } else {
        (site_channel(&archive, which, &items)?, which.to_owned())
    };
    match with_pictures(&args, &archive, channel)?.filter(|channel| !channel.entries.is_empty()) {
        Some(channel) => put(&args, channel, &name, global),
        None => nothing("no articles", Some(which), &archive, global),
    }
}

/// With the addresses at which stored pictures are served.
fn with_pictures(
    args: &FeedArgs,
    archive: &ArchiveReader,
    mut channel: Option<Channel>,
) -> anyhow::Result<Option<Channel>> {
    if let (Some(channel), Some(base)) = (&mut channel, &args.image_base) {
        serve_pictures(archive, channel, base)?;
    }
    Ok(channel)
}

fn items(args: &FeedArgs) -> WhichItems {
    WhichItems {
        limit: args.limit,
        rules: args.rules.rules(),
    }
}

/// A feed as it is typed: the scheme and the host in any case.
fn known_feed(archive: &ArchiveReader, typed: &str) -> anyhow::Result<Option<FeedRow>> {
    let found = archive.feed(typed)?;
    Ok(match (found, Url::parse(typed)) {
        (None, Ok(url)) => archive.feed(url.as_str())?,
        (found, _) => found,
    })
}

/// Writes one feed to where it is wanted.
fn put(args: &FeedArgs, mut channel: Channel, name: &str, global: &Global) -> anyhow::Result<Exit> {
    let file = args.out.as_deref().and_then(Path::file_name);
    let file = match file {
        Some(file) => file.to_string_lossy().into_owned(),
        None => format!(
            "{}.{}",
            output::file_name(shown_name(name)),
            extension(args.format)
        ),
    };
    channel.address = served(args.base_url.as_ref(), &file);
    output::put(args.out.as_deref(), &write(&channel, args.format), global)?;
    Ok(Exit::Done)
}

/// The address at which a file is served.
fn served(base: Option<&Url>, file: &str) -> Option<Url> {
    let mut url = base?.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().push(file);
    }
    Some(url)
}

/// The name of a feed or a site without the scheme.
fn shown_name(name: &str) -> &str {
    let name = name.split_once("://").map_or(name, |(_, rest)| rest);
    name.trim_end_matches('/')
}

fn events(
    args: &FeedArgs,
    kinds: &[EventKind],
    archive: &ArchiveReader,
    global: &Global,
) -> anyhow::Result<Exit> {
    let kinds = match kinds {
        [] => &EventKind::ALL,
        kinds => kinds,
    };
    let limit = args.limit.unwrap_or(DEFAULT_ENTRIES);
    let site = args.which.as_deref();
    let channel = events_channel(archive, kinds, site, limit)?;
    let is_empty = channel.entries.is_empty();
    // A reader of feeds takes one without entries for a feed, and no bytes for an error.
    put(args, channel, "events", global)?;
    if is_empty {
        return nothing("no events", site, archive, global);
    }
    Ok(Exit::Done)
}

/// A file a feed, and the list of all.
fn all(args: &FeedArgs, archive: &ArchiveReader, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.out.as_deref().unwrap_or(Path::new("."));
    let mut folder = OutputFolder::open(dir)?;
    let feeds = archive.feeds()?;
    if feeds.is_empty() {
        return nothing("no feeds", None, archive, global);
    }
    let items = items(args);
    let mut outlines = Vec::new();
    let progress = global.progress("feeds", Some(feeds.len()));
    for feed in &feeds {
        let name = folder.unused_name(shown_name(&feed.url));
        let file = format!("{name}.{}", extension(args.format));
        match write_one(args, archive, feed, &items, dir, &file) {
            Ok(outline) => outlines.extend(outline),
            Err(error) => global.warn(format_args!("{}: {error:#}", line(&feed.url))),
        }
        progress.step();
    }
    output::write(&dir.join(LIST), opml("Feeds", &outlines).as_bytes())?;
    global.say(format_args!(
        "{} of {} feeds and {LIST} in {}",
        outlines.len(),
        feeds.len(),
        dir.display()
    ));
    Ok(Exit::of(outlines.len(), feeds.len()))
}

/// Writes a feed to its file; how the list names it.
fn write_one(
    args: &FeedArgs,
    archive: &ArchiveReader,
    feed: &FeedRow,
    items: &WhichItems,
    dir: &Path,
    file: &str,
) -> anyhow::Result<Option<Outline>> {
    let channel = feed_channel(archive, &feed.url, items)?;
    let Some(mut channel) = with_pictures(args, archive, channel)? else {
        return Ok(None);
    };
    channel.address = served(args.base_url.as_ref(), file);
    let path = dir.join(file);
    output::write(&path, write(&channel, args.format).as_bytes())?;
    let address = match &channel.address {
        Some(address) => address.clone(),
        None => file_url(&path)?,
    };
    let mut outline = feed.outline(address);
    if feed.listed_title.is_empty() {
        outline.title = channel.title;
    }
    outline.html_url = outline.html_url.or(channel.home);
    Ok(Some(outline))
}

/// A file as an address, for readers on this machine.
fn file_url(path: &Path) -> anyhow::Result<Url> {
    let whole = path
        .canonicalize()
        .with_context(|| format!("cannot read {}", path.display()))?;
    Url::from_file_path(&whole)
        .map_err(|()| anyhow::anyhow!("{} has no address: give --base-url", path.display()))
}
