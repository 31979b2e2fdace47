//! `forest apply`: articles from pages, with the wrappers of their sites.
//!
//! - `wrappers`: which wrapper is a page's.
//! - `record`: a page to its record.
//! - `flow`: pages to records, several at once, in the order of the input; `window` holds
//!   those that are in memory, `around` gives what they need from elsewhere.
//! - `format`: a record to bytes.
//! - `sink`: bytes to stdout, a file or a folder.
//! - `store`: pages and articles into an archive.
//!
//! A record is written as soon as it and those before it are done, so that the output is
//! the same for any number of jobs and memory is bounded by a window of pages.

mod around;
mod flow;
mod format;
mod record;
mod sink;
#[cfg(feature = "archive")]
mod store;
mod window;
mod wrappers;

pub use format::Format;
#[cfg(feature = "archive")]
pub use sink::Sink;

#[cfg(all(feature = "archive", feature = "net"))]
use super::images::ImageArgs;
use super::methods::Methods;
use super::net::NetArgs;
use super::source::{Html, Opened, Source, SourceArgs, Sources, address};
use super::{Exit, Global, sites, text};
use anyhow::{Context, bail};
use around::Around;
use flow::{Flow, How};
use forest::error::counted;
use forest::extract::{Article, Status};
#[cfg(all(feature = "archive", feature = "net"))]
use forest::fetch::{FetchOptions, Fetcher};
use forest::learn::Method;
use forest::prose::TextOptions;
use record::{Maker, Way};
#[cfg(not(feature = "archive"))]
use sink::Sink;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use window::Made;
use wrappers::Wrappers;

/// Records that are stored in an archive at once while there are more pages to work on:
/// each time it waits for the disk.
#[cfg(feature = "archive")]
const STORED_TOGETHER: usize = 64;

/// Extract articles from pages with the wrappers of their sites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a page (address or file), a feed, a site's home page, a folder of pages,
a text file with an address a line, an OPML file, a WARC file, or - for stdin: JSON
lines {\"url\": ..., \"html\": ...}, an HTML page or a WARC. A record is written as soon
as it and those before it are done, in constant memory.

A page's wrapper is <sites>/<host of its address>.yaml, else the one named for its
folder, else the one that was learned from its feed. Each page gives one record;
one that the wrapper does not match has the status `fallback`, or `empty`.

An article that goes on at other pages of its site, as its wrapper says, is put
together from them, 20 at most: from the web where the page is from there, else
from its folder, or from the pages that are read together from an archive or from
JSON lines: its record waits until the page comes, for 256 pages or 16 MB at most.

Examples:
  forest apply https://example.org/feed.xml > articles.jsonl
  forest apply gold/harbour-gazette.example --format markdown --out articles/
  forest apply page.html --wrapper sites/example.org.yaml --format text
  forest apply crawl.warc.gz --jobs 4 --out articles.jsonl
  curl https://example.org/story | forest apply - --wrapper sites/example.org.yaml
  forest apply saved/ --prose --format text --out corpus/
  forest apply crawl.warc.gz --archive store > articles.jsonl
  forest apply https://example.org/feed.xml --archive store --with-images
  forest apply saved/ --method boilerpipe
  forest apply saved/ --method pipeline:precise")]
pub struct ApplyArgs {
    /// Where the pages come from.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// The folder of the wrappers [default: sites].
    #[arg(long, value_name = "DIR", group = "way")]
    sites: Option<PathBuf>,
    /// One wrapper for all pages.
    #[arg(long, value_name = "FILE", group = "way")]
    wrapper: Option<PathBuf>,
    /// No wrapper, but page by page. pipeline:FILE is a pipeline of one-page
    /// extractors in a file.
    #[arg(long, value_name = "METHOD", group = "way", value_parser = Methods::PageByPage)]
    method: Option<Method>,
    /// Store the pages and their articles in this archive, too, with the text as the
    /// page has it; those without an address cannot be. Without --sites, its wrappers are
    /// used for sites that have none in the folder.
    #[cfg(feature = "archive")]
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[cfg(all(feature = "archive", feature = "net"))]
    #[command(flatten)]
    images: ImageArgs,
    #[command(flatten)]
    net: NetArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The format [default: jsonl].
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Put clean HTML into the records of jsonl and json.
    #[arg(long)]
    with_html: bool,
    /// Where captions of pictures go besides the record's `images`: into the text,
    /// too, or nowhere else.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    captions: Captions,
    /// Text in which every sentence is a sentence, as `forest text` writes it: tables
    /// as clauses, lists joined to the clause before them, broken lines mended.
    #[arg(long)]
    prose: bool,
    /// The rules of --prose, in a file (YAML).
    #[arg(long, value_name = "FILE", requires = "prose")]
    settings: Option<PathBuf>,
    /// Write to this file; to a folder (one that is there, or a name that ends in
    /// a slash): a file a record.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Pages worked on at once [default: one a core].
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
}

/// [`forest::extract::CaptionPlace`] as an argument.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum Captions {
    #[default]
    Text,
    Images,
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1024) => Ok(n),
        _ => Err("give a number from 1 to 1024, or leave it out for one a core".to_owned()),
    }
}

impl OutputArgs {
    /// The rules by which the text is normalised, if it is to be.
    fn rules(&self) -> anyhow::Result<Option<TextOptions>> {
        match &self.settings {
            _ if !self.prose => Ok(None),
            None => Ok(Some(TextOptions::default())),
            Some(path) => text::settings(path).map(Some),
        }
    }
}

impl ApplyArgs {
    fn way(&self, global: &Global) -> anyhow::Result<Way> {
        if let Some(method) = &self.method {
            if method.learns() {
                bail!(
                    "--method {method} learns a wrapper: use `forest learn --method {method}`, \
                     then `forest apply` without --method"
                );
            }
            return Ok(Way::PageByPage(method.clone()));
        }
        if let Some(file) = &self.wrapper {
            let found = sites::read(file)?;
            let found = found
                .with_context(|| format!("--wrapper {}: there is no such file", file.display()))?;
            return Ok(Way::Wrappers(Wrappers::one(found.wrapper)?));
        }
        let dir = self.sites.as_ref().or(global.config().sites.as_ref());
        let dir = dir.cloned().unwrap_or_else(|| sites::DEFAULT.into());
        #[cfg_attr(not(feature = "archive"), expect(unused_mut))]
        let mut dirs = vec![dir];
        #[cfg(feature = "archive")]
        if let (None, Some(archive)) = (&self.sites, &self.archive) {
            dirs.push(forest::archive::paths::sites(archive));
        }
        Ok(Way::Wrappers(Wrappers::in_folders(dirs)))
    }
}

/// Applies wrappers to what the sources hold.
///
/// # Errors
///
/// If the arguments do not fit, or the output cannot be written.
pub fn run(args: ApplyArgs, global: &Global) -> anyhow::Result<Exit> {
    let format = args.output.format.or(global.config().format);
    let format = format.unwrap_or_default();
    #[cfg(all(feature = "archive", feature = "net"))]
    let pictures = args.images.options_with(args.archive.is_some())?;
    let sources = Sources::new(args.source.clone(), args.net.clone(), global)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.output.jobs.or(global.config().jobs).unwrap_or(0))
        .build()
        .context("cannot start threads: try --jobs 1")?;
    let rules = args.output.rules()?;
    let maker = Maker::new(args.way(global)?, format, &args.output, rules);
    #[cfg(feature = "archive")]
    let maker = maker.keep_parts(args.archive.is_some());
    let maker = Arc::new(maker);
    let mut work = Work {
        around: Around::new(&sources, Arc::clone(&maker)),
        maker,
        sink: Sink::new(args.output.out.as_deref(), format, global)?,
        pool: Arc::new(pool),
        format,
        global,
        counts: BTreeMap::new(),
        #[cfg(feature = "archive")]
        store: args
            .archive
            .as_deref()
            .map(store::Store::open)
            .transpose()?,
    };
    let mut failed = Failed::default();
    for typed in &args.sources {
        if let Some(url) = address(typed) {
            work.around.send_headers_to(&url)?;
        }
        match sources.open(typed, Html::Page) {
            Ok(opened) => {
                for source in opened {
                    let opened = match source {
                        Source::Opened(opened) => Ok(opened),
                        Source::Feed(url) => {
                            work.around.send_headers_to(&url)?;
                            sources.open_feed(&url)
                        }
                    };
                    match opened {
                        Ok(opened) => work.apply(opened)?,
                        Err(error) => failed.add(&error, global),
                    }
                }
            }
            Err(error) => failed.add(&error, global),
        }
    }
    let all: usize = work.counts.values().sum();
    if all == 0 && failed.sources > 0 {
        // Nothing is written where no source could be opened.
        return Ok(Exit::Error);
    }
    work.sink.finish()?;
    global.say(summary(&work.counts));
    #[cfg(feature = "archive")]
    #[cfg_attr(not(feature = "net"), expect(unused_mut))]
    if let Some(mut store) = work.store {
        #[cfg(feature = "net")]
        if let Some(options) = pictures {
            let fetch = args.net.fetch_options(global, FetchOptions::DELAY);
            let fetcher =
                Fetcher::new(args.images.limit(fetch)).context("cannot use the network")?;
            let typed = args.sources.iter().filter_map(|typed| address(typed));
            typed.for_each(|url| fetcher.allow(&url));
            store.gather(&fetcher, options, global)?;
        }
        global.say(store.finish()?);
    }
    let done = [Status::Ok, Status::Degraded, Status::Fallback];
    let good = done.iter().filter_map(|s| work.counts.get(name(*s))).sum();
    Ok(Exit::of(good, all + failed.sources))
}

/// Sources that could not be opened.
#[derive(Default)]
struct Failed {
    sources: usize,
}

impl Failed {
    fn add(&mut self, error: &anyhow::Error, global: &Global) {
        self.sources += 1;
        global.warn(format_args!("forest: {error:#}"));
    }
}

fn summary(counts: &BTreeMap<&'static str, usize>) -> String {
    let all: usize = counts.values().sum();
    let parts: Vec<String> = counts.iter().map(|(s, n)| format!("{n} {s}")).collect();
    match all {
        0 => "no pages".to_owned(),
        _ => format!("{}: {}", counted(all, "page", "pages"), parts.join(", ")),
    }
}

/// A status as it stands in a record.
fn name(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Degraded => "degraded",
        Status::Fallback => "fallback",
        Status::Empty => "empty",
        Status::Blocked => "blocked",
        Status::Error => "error",
    }
}

/// The work under way.
struct Work<'a> {
    maker: Arc<Maker>,
    around: Around<'a>,
    sink: Sink<'a>,
    pool: Arc<rayon::ThreadPool>,
    format: Format,
    global: &'a Global,
    counts: BTreeMap<&'static str, usize>,
    #[cfg(feature = "archive")]
    store: Option<store::Store>,
}

impl Work<'_> {
    fn apply(&mut self, opened: Opened) -> anyhow::Result<()> {
        let progress = self.global.progress("pages", None);
        let how = How {
            maker: Arc::clone(&self.maker),
            feed: opened.feed.map(Arc::from),
            format: self.format,
            page_limit: self.around.page_limit(),
        };
        #[cfg(feature = "archive")]
        let (batch, feed) = match self.store {
            Some(_) => (STORED_TOGETHER, how.feed.clone()),
            None => (1, None),
        };
        #[cfg(not(feature = "archive"))]
        let batch = 1;
        let mut flow = Flow::start(opened.leads, how, Arc::clone(&self.pool), batch)?;
        while let Some(made) = flow.next(&mut self.around)? {
            #[cfg(feature = "archive")]
            self.store(&made, feed.as_deref())?;
            for Made { done, bytes, .. } in &made {
                self.write(&done.article, bytes.as_deref())?;
                progress.step();
            }
        }
        Ok(())
    }

    /// Stores pages, if they are to be stored: before their records are written.
    #[cfg(feature = "archive")]
    fn store(&mut self, made: &[Made], feed: Option<&str>) -> anyhow::Result<()> {
        let Some(store) = &mut self.store else {
            return Ok(());
        };
        for made in made {
            if let Some(page) = &made.page {
                let extractor = self.maker.extractor_of(page, feed);
                store.add(page, &made.done, extractor)?;
            }
        }
        store.write()
    }

    /// Writes a record, and says what is not well with it.
    fn write(&mut self, article: &Article, bytes: Option<&[u8]>) -> anyhow::Result<()> {
        let status = name(article.status);
        *self.counts.entry(status).or_default() += 1;
        if !matches!(article.status, Status::Ok | Status::Fallback) {
            let id = &article.id;
            let warned = || article.warnings.last().map(ToString::to_string);
            let reason = article.error.clone().or_else(warned);
            let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
            self.global.warn(format_args!("{id}: {status}{reason}"));
        }
        match bytes {
            Some(bytes) => self.sink.add(&article.id, bytes),
            None => Ok(()),
        }
    }
}
