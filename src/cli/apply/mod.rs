//! `forest apply`: articles from pages, with the wrappers of their sites.
//!
//! - `wrappers`: which wrapper is a page's.
//! - `record`: a page to its record.
//! - `parts`: further pages of an article.
//! - `format`: a record to bytes.
//! - `sink`: bytes to stdout, a file or a folder.
//! - `store`: pages and articles into an archive.
//!
//! Pages are read, extracted and written chunk by chunk: within a chunk in
//! parallel, written in the order of the input, so that the output is the same for
//! any number of jobs and memory is bounded by a chunk.

mod format;
mod parts;
mod record;
mod sink;
#[cfg(feature = "archive")]
mod store;
mod wrappers;

pub use format::Format;

use super::methods::Methods;
use super::net::NetArgs;
use super::source::{
    Html, Lead, Opened, Place, Source, SourceArgs, Sources, Trouble, load, web_address,
};
use super::{Exit, Global, sites, text};
use anyhow::{Context, bail};
use forest::extract::Status;
use forest::learn::{Method, site_of};
use forest::prose::TextOptions;
use parts::Parts;
use rayon::prelude::*;
use record::{Done, Draft, Maker, Way};
use sink::Sink;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use url::Url;
use wrappers::Wrappers;

/// Pages of a chunk at the most: their records wait for each other.
const CHUNK_PAGES: usize = 256;

/// Pages of a chunk that have to be fetched: output comes at least as often.
const CHUNK_FETCHED: usize = 32;

/// Pages of a chunk at the least, however large: enough for most machines' cores.
const CHUNK_LEAST: usize = 16;

/// Bytes of a chunk's pages from which it is full, as far as they are known.
const CHUNK_BYTES: u64 = 16_000_000;

/// Extract articles from pages with the wrappers of their sites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a page (address or file), a feed, a site's home page, a folder of pages,
a text file with an address a line, an OPML file, a WARC file, or - for JSON lines
{\"url\": ..., \"html\": ...} on stdin.

A page's wrapper is <sites>/<host of its address>.yaml, else the one named for its
folder, else the one that was learned from its feed. Each page gives one record;
one that the wrapper does not match has the status `fallback`, or `empty`.

An article that goes on at other pages of its site, as its wrapper says, is put
together from them, 20 at most: from the web where the page is from there, else
from its folder, or from the pages that are read together from an archive or from
JSON lines.

Examples:
  forest apply https://example.org/feed.xml > articles.jsonl
  forest apply gold/harbour-gazette.example --format markdown --out articles/
  forest apply page.html --wrapper sites/example.org.yaml --format text
  forest apply crawl.warc.gz --jobs 4 --out articles.jsonl
  forest apply saved/ --prose --format text --out corpus/
  forest apply crawl.warc.gz --archive store > articles.jsonl
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

/// [`forest::extract::Captions`] as an argument.
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
    let sources = Sources::new(args.source.clone(), args.net.clone(), global)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.output.jobs.or(global.config().jobs).unwrap_or(0))
        .build()
        .context("cannot start threads: try --jobs 1")?;
    let rules = args.output.rules()?;
    let maker = Maker::new(args.way(global)?, format, &args.output, rules);
    #[cfg(feature = "archive")]
    let maker = maker.keep_parts(args.archive.is_some());
    let mut work = Work {
        maker,
        parts: Parts::default(),
        told: HashSet::new(),
        sink: Sink::new(args.output.out.as_deref(), format, global)?,
        sources: &sources,
        pool,
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
        if let Some(url) = web_address(typed) {
            work.send_headers_to(&url)?;
        }
        match sources.open(typed, Html::Page) {
            Ok(opened) => {
                for source in opened {
                    let opened = match source {
                        Source::Opened(opened) => Ok(opened),
                        Source::Feed(url) => {
                            work.send_headers_to(&url)?;
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
    if let Some(store) = work.store {
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
    match (all, all == 1) {
        (0, _) => "no pages".to_owned(),
        (_, true) => format!("1 page: {}", parts.join(", ")),
        _ => format!("{all} pages: {}", parts.join(", ")),
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
    maker: Maker,
    parts: Parts,
    /// Origins whose headers are known to the network.
    told: HashSet<String>,
    sink: Sink<'a>,
    sources: &'a Sources<'a>,
    pool: rayon::ThreadPool,
    format: Format,
    global: &'a Global,
    counts: BTreeMap<&'static str, usize>,
    #[cfg(feature = "archive")]
    store: Option<store::Store>,
}

impl Work<'_> {
    /// Sends what the wrapper of a host wants with all that is fetched from it.
    fn send_headers_to(&mut self, url: &Url) -> anyhow::Result<()> {
        let Some(host) = site_of(Some(url.as_str())) else {
            return Ok(());
        };
        if !self.told.insert(url.origin().ascii_serialization()) {
            return Ok(());
        }
        if let Some(headers) = self.maker.headers_of(&host) {
            self.sources.send_to(url, &headers)?;
        }
        Ok(())
    }

    fn apply(&mut self, opened: Opened<'_>) -> anyhow::Result<()> {
        let Opened {
            feed, mut leads, ..
        } = opened;
        let progress = self.global.progress("pages", None);
        loop {
            let chunk = chunk(&mut leads);
            if chunk.is_empty() {
                return Ok(());
            }
            for lead in chunk.iter().flatten() {
                if let Place::Web(url) = &lead.place {
                    self.send_headers_to(url)?;
                }
            }
            let chunk = self.sources.fetch(chunk, || {})?;
            let (maker, format) = (&self.maker, self.format);
            let (read, mut drafts) = self.pool.install(|| {
                let read: Vec<_> = chunk
                    .into_par_iter()
                    .map(|lead| lead.and_then(load))
                    .collect();
                let drafts = read
                    .par_iter()
                    .map(|page| maker.draft(page, feed.as_deref()));
                let drafts: Vec<Draft> = drafts.collect();
                (read, drafts)
            });
            self.parts
                .add_to(&mut drafts, &read, self.sources, &self.pool)?;
            #[cfg(feature = "archive")]
            let read = self.store.is_some().then_some(read);
            #[cfg(not(feature = "archive"))]
            drop(read);
            let made: Vec<(Done, Option<Vec<u8>>)> = self.pool.install(|| {
                let each = drafts.into_par_iter().map(|draft| {
                    let done = draft.finish();
                    let bytes = format.record(&done.article);
                    (done, bytes)
                });
                each.collect()
            });
            #[cfg(feature = "archive")]
            if let (Some(store), Some(read)) = (&mut self.store, read) {
                for (page, (done, _)) in read.into_iter().zip(&made) {
                    if let Ok(page) = page {
                        let extractor = self.maker.extractor_of(&page, feed.as_deref());
                        store.add(page, done, extractor)?;
                    }
                }
                store.write()?;
            }
            for (Done { article, .. }, bytes) in &made {
                let status = name(article.status);
                *self.counts.entry(status).or_default() += 1;
                progress.step();
                if !matches!(article.status, Status::Ok | Status::Fallback) {
                    let id = &article.id;
                    let warned = || article.warnings.last().map(ToString::to_string);
                    let reason = article.error.clone().or_else(warned).unwrap_or_default();
                    self.global.warn(format_args!("{id}: {status}: {reason}"));
                }
                if let Some(bytes) = bytes {
                    self.sink.add(&article.id, bytes)?;
                }
            }
        }
    }
}

/// The next leads that are worked on together.
fn chunk(leads: &mut dyn Iterator<Item = Result<Lead, Trouble>>) -> Vec<Result<Lead, Trouble>> {
    let mut chunk = Vec::new();
    let (mut bytes, mut fetched) = (0_u64, 0);
    while chunk.len() < CHUNK_PAGES
        && fetched < CHUNK_FETCHED
        && (bytes < CHUNK_BYTES || chunk.len() < CHUNK_LEAST)
    {
        let Some(lead) = leads.next() else { break };
        if let Ok(lead) = &lead {
            match &lead.place {
                Place::File(path) => bytes += std::fs::metadata(path).map_or(0, |m| m.len()),
                Place::Here(here) => bytes += here.bytes.len() as u64,
                Place::Web(_) => fetched += 1,
            }
        }
        chunk.push(lead);
    }
    chunk
}
