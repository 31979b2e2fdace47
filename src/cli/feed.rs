//! `forest feed`: feeds with whole articles, and what happened as a feed.

use super::archive_dir::ArchiveArgs;
use super::output;
use super::rules::RuleArgs;
use super::stored::{Out, line, nothing};
use super::{Exit, Global};
use anyhow::{Context, bail};
use forest::address::is_web;
use forest::archive::export::{
    DEFAULT_ENTRIES, WhichItems, events_channel, feed_channel, serve_pictures, site_channel,
};
use forest::archive::{FeedRow, Happening, Reader};
use forest::feed::Outline;
use forest::feed::write::{self, Channel, opml, write};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use url::Url;

/// Write a feed with the whole articles of its items
#[derive(Debug, clap::Args)]
#[command(after_help = "\
WHICH is a site, as the archive names it, or the address of a feed that is harvested. Every
item is there, in the feed's order, with the whole text of its article; an item whose page
could not be read has what the feed itself says, and a line that says why. Behind the items
that the feed has today come older ones.

With --all there is a file a feed in the folder of --out, and feeds.opml with all of them.
With --events it is a feed of what happened in the archive, of one site or of all; its kinds
are new, edited, drift, relearned, blocked, feed-moved and feed-gone.

Examples:
  forest feed news.example.org --out whole.xml
  forest feed https://planet.example.org/atom.xml --format json
  forest feed --all --out public/feeds --base-url https://me.example.org/feeds/
  forest feed --events=drift,blocked,feed-gone --out events.xml")]
pub struct FeedArgs {
    /// A site, or the address of a feed.
    #[arg(
        value_name = "WHICH",
        required_unless_present_any = ["all", "events"],
        conflicts_with = "all"
    )]
    which: Option<String>,
    /// Write every feed of the archive.
    #[arg(long, requires = "out", conflicts_with = "events")]
    all: bool,
    /// Write what happened, of all kinds or of those that are named.
    #[arg(long, value_name = "KIND", num_args = 0.., require_equals = true, value_delimiter = ',')]
    events: Option<Vec<Happening>>,
    /// The feed's format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// So many items at the most; of --events so many of each kind [default: all that the
    /// feed has today, and 50 at least].
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write to this file, with --all to this folder.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// The folder at which the file will be served: the feed names its own address.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    base_url: Option<Url>,
    /// Where stored pictures are served, as `forest archive export --images DIR` names
    /// them: entries have these addresses for them.
    #[arg(long, value_name = "URL", value_parser = base_url, conflicts_with = "events")]
    image_base: Option<Url>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    archive: ArchiveArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Atom 1.0.
    #[default]
    Atom,
    /// RSS 2.0.
    Rss,
    /// JSON Feed 1.1.
    Json,
}

impl Format {
    fn write(self, channel: &Channel) -> String {
        let format = match self {
            Format::Atom => write::SyndicationFormat::Atom,
            Format::Rss => write::SyndicationFormat::Rss,
            Format::Json => write::SyndicationFormat::Json,
        };
        write(channel, format)
    }

    fn extension(self) -> &'static str {
        match self {
            Format::Atom | Format::Rss => "xml",
            Format::Json => "json",
        }
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
    let archive = Reader::open(&args.archive.dir(global)?)?;
    if args.all {
        return all(&args, &archive, global);
    }
    if let Some(kinds) = &args.events {
        return events(&args, kinds, &archive, global);
    }
    let which = args.which.as_deref().unwrap_or_default();
    let items = items(&args);
    let (channel, name) = match which.contains("://") {
        true => {
            let known = known_feed(&archive, which)?;
            let Some(feed) = known else {
                bail!(
                    "{}: no such feed: `forest harvest list` shows them",
                    line(which)
                );
            };
            (feed_channel(&archive, &feed.url, &items)?, feed.url)
        }
        false => (site_channel(&archive, which, &items)?, which.to_owned()),
    };
    match with_pictures(&args, &archive, channel)?.filter(|channel| !channel.entries.is_empty()) {
        Some(channel) => put(&args, channel, &name, global),
        None => nothing("no articles", Some(which), &archive, global),
    }
}

/// With the addresses at which stored pictures are served.
fn with_pictures(
    args: &FeedArgs,
    archive: &Reader,
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
fn known_feed(archive: &Reader, typed: &str) -> anyhow::Result<Option<FeedRow>> {
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
        None => file_of(name, args.format),
    };
    channel.address = served(args.base_url.as_ref(), &file);
    let mut out = Out::new(args.out.as_deref(), global)?;
    out.write_all(args.format.write(&channel).as_bytes())?;
    out.finish()?;
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

/// The file of a feed or a site.
fn file_of(name: &str, format: Format) -> String {
    let name = name.split_once("://").map_or(name, |(_, rest)| rest);
    let name = name.trim_end_matches('/');
    format!("{}.{}", output::file_name(name), format.extension())
}

fn events(
    args: &FeedArgs,
    kinds: &[Happening],
    archive: &Reader,
    global: &Global,
) -> anyhow::Result<Exit> {
    let kinds = match kinds.is_empty() {
        true => &Happening::ALL,
        false => kinds,
    };
    let limit = args.limit.unwrap_or(DEFAULT_ENTRIES);
    let site = args.which.as_deref();
    let channel = events_channel(archive, kinds, site, limit)?;
    let is_empty = channel.entries.is_empty();
    // A reader of feeds takes one without entries for a feed, and no bytes for an error.
    put(args, channel, "events", global)?;
    match is_empty {
        true => nothing("no events", site, archive, global),
        false => Ok(Exit::Done),
    }
}

/// A file a feed, and the list of all.
fn all(args: &FeedArgs, archive: &Reader, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.out.as_deref().unwrap_or(Path::new("."));
    output::make_folder(dir)?;
    let feeds = archive.feeds()?;
    if feeds.is_empty() {
        return nothing("no feeds", None, archive, global);
    }
    let items = items(args);
    let (mut outlines, mut names) = (Vec::new(), HashSet::from([LIST.to_owned()]));
    let progress = global.progress("feeds", Some(feeds.len()));
    for feed in &feeds {
        let file = unused(&file_of(&feed.url, args.format), &mut names);
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

/// A file name that no other feed has, on systems where case does not count, too.
fn unused(file: &str, names: &mut HashSet<String>) -> String {
    let (stem, end) = file.rsplit_once('.').unwrap_or((file, ""));
    let numbered = (2u32..).map(|n| format!("{stem}-{n}.{end}"));
    let mut all = std::iter::once(file.to_owned()).chain(numbered);
    let free = all.find(|name| names.insert(name.to_lowercase()));
    free.unwrap_or_else(|| file.to_owned())
}

/// Writes a feed to its file; how the list names it.
fn write_one(
    args: &FeedArgs,
    archive: &Reader,
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
    output::write(&path, args.format.write(&channel).as_bytes())?;
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
