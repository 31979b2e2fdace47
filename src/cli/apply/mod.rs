//! `forest apply`: articles from pages, with the wrappers of their sites.
//!
//! - `by_method`: articles by a one-page method.
//! - `headers`: the request headers of wrappers.
//! - `list`: pages that list articles to their items.
//! - `writer`: records to stdout, a file or a folder.
//!
//! A record is written as soon as it and those before it are done, so that the output is
//! the same for any number of jobs and memory is bounded by a window of pages.

mod by_method;
mod headers;
mod list;
mod writer;

pub use writer::RecordWriter;

use super::archived::{ImageArgs, KeeperArgs, PageKeeper};
use super::choices::{Choice, one_of};
use super::methods::Methods;
use super::net::NetArgs;
use super::source::SourceArgs;
use super::{Exit, Global, sites, text};
use anyhow::{Context, bail};
use forest_core::extract::{
    Article, CaptionPlace, EmbedHosts, Options, PageKind, SiteExtractors, Status, TextStyle,
};
use forest_core::onepage::Favor;
use forest_html::error::counted;
use forest_sources::record::{ArticleRecord, ExtractionMode, RecordMaker};
use forest_sources::sources::{
    FurtherFinder, Html, LoadedPage, PageList, PageSource, Sources, address, load,
};
use forest_text::pipeline::AnyMethod;
use forest_text::prose::{self, RecordFormat, TextOptions};
use headers::WrapperHeaders;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Records that are stored in an archive at once while there are more pages to work on:
/// each time it waits for the disk.
const STORED_TOGETHER: usize = 64;

/// Extract articles from pages with the wrappers of their sites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a page (address or file), a feed, a sitemap, a site's home page, a folder of pages,
a text file with an address a line, an OPML file, a WARC, ARC or WACZ file, or - for
stdin: JSON lines {\"url\": ..., \"html\": ...}, an HTML page, a WARC or an ARC. A record
is written as soon as it and those before it are done, in constant memory.

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
  forest apply saved/ --method onepage --kinds article,forum
  forest apply saved/ --method boilerpipe
  forest apply saved/ --method pipeline:precise")]
pub struct ApplyArgs {
    /// Read the pages of these sources.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// Use the wrappers in this folder [default: sites].
    #[arg(long, value_name = "DIR", group = "way")]
    sites: Option<PathBuf>,
    /// Use this wrapper for all pages. That of a list (`forest learn --list`) gives a line of
    /// JSON an item.
    #[arg(long, value_name = "FILE", group = "way")]
    wrapper: Option<PathBuf>,
    /// Read this number of pages of a list from the web: the page itself, and those that follow
    /// by its "next" links.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "wrapper")]
    list_pages: usize,
    /// Use this one-page method instead of wrappers. pipeline:FILE is a pipeline of
    /// one-page methods in a file.
    #[arg(long, value_name = "METHOD", group = "way", value_parser = Methods::PageByPage)]
    method: Option<AnyMethod>,
    #[command(flatten)]
    keeper: KeeperArgs,
    /// Without effect: each page is read whole.
    #[arg(long, hide = true)]
    whole: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    images: ImageArgs,
    #[command(flatten)]
    net: NetArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write this format [default: jsonl].
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS))]
    format: Option<RecordFormat>,
    /// Put clean HTML into the records of jsonl and json.
    #[arg(long)]
    with_html: bool,
    /// Show frames (iframe) of players in HTML as links, or leave those of the hosts in the
    /// program's list (crates/core/lists/embeds.txt) or in FILE, a host a line, as they are.
    #[arg(long, value_name = "links|frames|FILE", default_value = "links")]
    embeds: String,
    /// Write text as plain lines, or with marks: `#` before headings, `-` or a number before
    /// items, a tab between the cells of tables.
    #[arg(long, value_name = "STYLE", value_parser = one_of(TEXT_STYLES), default_value = "plain", conflicts_with = "prose")]
    text_style: TextStyle,
    /// Put captions of pictures into the text, too, or only into the record's `images`, HTML
    /// and Markdown.
    #[arg(long, value_name = "WHERE", value_parser = one_of(CAPTIONS), default_value = "learned")]
    captions: CaptionPlace,
    /// Decide doubtful parts of a page without a wrapper on this side.
    #[arg(long, value_name = "SIDE", value_parser = one_of(FAVORS), default_value = "balance")]
    favor: Favor,
    /// Keep pages of these kinds, separated by commas. The records of others have the status
    /// `empty`, no text, and an `error` that names their kind [default: keep all].
    #[arg(long, value_name = "KINDS", value_delimiter = ',', ignore_case = true, value_parser = one_of(KINDS))]
    kinds: Vec<PageKind>,
    /// Write text in which every sentence is a sentence, as `forest text` does: tables
    /// become clauses, lists join the clause before them, broken lines are mended.
    #[arg(long)]
    prose: bool,
    /// Read the rules of --prose from this file (YAML).
    #[arg(long, value_name = "FILE", requires = "prose")]
    settings: Option<PathBuf>,
    /// Write to this file, or a file a record to this folder (one that exists, or a name
    /// that ends in a slash) [default: stdout].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Work on this number of pages at once [default: one a core].
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
}

const FORMATS: &[Choice<RecordFormat>] = &[
    ("jsonl", "A line of JSON a page", RecordFormat::Jsonl),
    ("json", "One JSON array", RecordFormat::Json),
    ("text", "Title and text of the articles", RecordFormat::Text),
    (
        "markdown",
        "The articles as Markdown",
        RecordFormat::Markdown,
    ),
    (
        "html",
        "The articles as one clean HTML document",
        RecordFormat::Html,
    ),
    (
        "xhtml",
        "The same as well-formed XHTML",
        RecordFormat::Xhtml,
    ),
    (
        "tei",
        "The articles as XML of the Text Encoding Initiative, for corpora",
        RecordFormat::Tei,
    ),
];

const CAPTIONS: &[Choice<CaptionPlace>] = &[
    (
        "learned",
        "Into the text, too, where the wrapper leaves them there",
        CaptionPlace::Learned,
    ),
    (
        "text",
        "Into the text, too, all of them",
        CaptionPlace::Text,
    ),
    (
        "images",
        "Only into the record's `images`, HTML and Markdown",
        CaptionPlace::Images,
    ),
];

const FAVORS: &[Choice<Favor>] = &[
    (
        "precision",
        "Nothing foreign is kept: more is lost",
        Favor::Precision,
    ),
    (
        "balance",
        "As much is lost as is kept wrongly",
        Favor::Balance,
    ),
    ("recall", "Nothing is lost: more is foreign", Favor::Recall),
];

const KINDS: &[Choice<PageKind>] = &[
    ("article", "News, posts, recipes", PageKind::Article),
    (
        "documentation",
        "Manuals, references",
        PageKind::Documentation,
    ),
    (
        "service",
        "What a company says of itself",
        PageKind::Service,
    ),
    ("forum", "Threads", PageKind::Forum),
    ("product", "Things for sale", PageKind::Product),
    ("listing", "Lists of other pages", PageKind::Listing),
    ("collection", "Lists of things", PageKind::Collection),
];

const TEXT_STYLES: &[Choice<TextStyle>] = &[
    ("plain", "Lines without marks", TextStyle::Plain),
    (
        "structured",
        "With marks of headings and items, and tables with tabs",
        TextStyle::Structured,
    ),
];

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1024) => Ok(n),
        _ => Err("give a number from 1 to 1024, or leave it out for one a core".to_owned()),
    }
}

impl OutputArgs {
    /// The hosts whose frames stay frames.
    fn frames(&self) -> anyhow::Result<EmbedHosts> {
        match &*self.embeds {
            "links" => Ok(EmbedHosts::default()),
            "frames" => Ok(EmbedHosts::shipped()),
            file => {
                let text = std::fs::read_to_string(file)
                    .with_context(|| format!("--embeds: cannot read {file}"))?;
                Ok(EmbedHosts::read(&text))
            }
        }
    }

    /// The options of the extraction.
    fn options(&self, format: RecordFormat) -> anyhow::Result<Options> {
        let is_html = matches!(
            format,
            RecordFormat::Html | RecordFormat::Xhtml | RecordFormat::Tei
        );
        let options = Options::default()
            .with_captions(self.captions)
            .with_text_style(self.text_style)
            .with_favor(self.favor)
            .with_frames(self.frames()?)
            .with_html(self.with_html || is_html)
            .with_markdown(format == RecordFormat::Markdown);
        if !self.prose {
            return Ok(options);
        }
        let rules = match &self.settings {
            None => TextOptions::default(),
            Some(path) => text::settings(path)?,
        };
        Ok(options.with_prose(move |page, body| prose::prose(page, body, &rules).text))
    }
}

impl ApplyArgs {
    fn mode(&self, global: &Global) -> anyhow::Result<ExtractionMode> {
        if let Some(method) = &self.method {
            if method.learns() {
                bail!(
                    "--method {method} learns a wrapper: use `forest learn --method {method}`, \
                     then `forest apply` without --method"
                );
            }
            return Ok(ExtractionMode::PageByPage(Box::new(by_method::ByMethod(
                method.clone(),
            ))));
        }
        if let Some(file) = &self.wrapper {
            let found = sites::read(file)?;
            let found = found
                .with_context(|| format!("--wrapper {}: there is no such file", file.display()))?;
            return Ok(ExtractionMode::Wrappers(SiteExtractors::one(
                found.wrapper,
            )?));
        }
        let folders = sites::WrapperFolders(self.folders(global));
        Ok(ExtractionMode::Wrappers(SiteExtractors::of(folders)))
    }

    /// The folders of the wrappers, the first that has one counts.
    fn folders(&self, global: &Global) -> Vec<PathBuf> {
        let mut dirs = vec![sites::dir(self.sites.as_ref(), global)];
        if self.sites.is_none() {
            dirs.extend(self.keeper.sites());
        }
        dirs
    }
}

/// Applies wrappers to what the sources hold.
///
/// # Errors
///
/// If the arguments do not fit, or the output cannot be written.
pub fn run(args: ApplyArgs, global: &Global) -> anyhow::Result<Exit> {
    if let Some(file) = &args.wrapper
        && let Some(wrapper) = sites::read_if_list(file)?
    {
        return list::run(&args, wrapper, global);
    }
    let format = args.output.format.or(global.config().format);
    let format = format.unwrap_or_default();
    let keeper = args.keeper.open(&args.images)?;
    let secrets = args.keeper.secrets()?;
    let source = args.source.clone();
    let sources = source.sources_with(secrets, args.net.clone(), global)?;
    let sources = match args.output.jobs.or(global.config().jobs) {
        Some(jobs) => sources.with_jobs(jobs),
        None => sources,
    };
    let maker = RecordMaker::new(args.mode(global)?, args.output.options(format)?);
    let maker = maker.keep_kinds(&args.output.kinds);
    let maker = Arc::new(maker.keep_parts(keeper.is_some()));
    let mut work = ApplyRun {
        headers: Arc::new(WrapperHeaders::new(sources.clone(), Arc::clone(&maker))),
        sources: sources.clone(),
        maker,
        writer: RecordWriter::open(args.output.out.as_deref(), format, global)?,
        format,
        global,
        counts: BTreeMap::new(),
        keeper,
    };
    let mut failed = 0;
    let mut fail = |error: forest_sources::Error| {
        failed += 1;
        global.warn_failed(&error.into());
    };
    for typed in &args.sources {
        if let Some(url) = address(typed) {
            work.headers.send_to(&url)?;
        }
        let opened = sources.open(typed, Html::Page);
        for source in opened.unwrap_or_else(|error| {
            fail(error);
            Vec::new()
        }) {
            if let PageSource::Feed(url) = &source {
                work.headers.send_to(url)?;
            }
            match source.open(&sources) {
                Ok(list) => work.apply(list)?,
                Err(error) => fail(error),
            }
        }
    }
    let all: usize = work.counts.values().sum();
    if all == 0 && failed > 0 {
        // Nothing is written where no source could be opened.
        return Ok(Exit::Error);
    }
    work.writer.finish()?;
    global.say(summary(&work.counts));
    if let Some(keeper) = work.keeper {
        keeper.finish(&args.images, &args.net, &args.sources, global)?;
    }
    let found = [Status::Ok, Status::Degraded, Status::Fallback];
    let good = found.iter().filter_map(|s| work.counts.get(s.name())).sum();
    Ok(Exit::of(good, all + failed))
}

fn summary(counts: &BTreeMap<&'static str, usize>) -> String {
    let all: usize = counts.values().sum();
    let parts: Vec<String> = counts.iter().map(|(s, n)| format!("{n} {s}")).collect();
    match all {
        0 => "no pages".to_owned(),
        _ => format!("{}: {}", counted(all, "page", "pages"), parts.join(", ")),
    }
}

/// The work under way.
struct ApplyRun<'a> {
    sources: Sources,
    maker: Arc<RecordMaker>,
    headers: Arc<WrapperHeaders>,
    writer: RecordWriter<'a>,
    format: RecordFormat,
    global: &'a Global,
    counts: BTreeMap<&'static str, usize>,
    keeper: Option<PageKeeper>,
}

/// A record, and its bytes in the output's format.
struct FinishedRecord {
    record: ArticleRecord,
    bytes: Option<Vec<u8>>,
    /// Its page, if it is stored.
    page: Option<LoadedPage>,
}

impl ApplyRun<'_> {
    fn apply(&mut self, list: PageList) -> anyhow::Result<()> {
        let progress = self.global.progress("pages", None);
        let feed = list.feed;
        let headers = Arc::clone(&self.headers);
        let pages = list.pages.inspect(move |page| headers.send_for(page));
        let (finder, pages) = FurtherFinder::of(&self.sources, Box::new(pages));
        let (sources, maker) = (self.sources.clone(), Arc::clone(&self.maker));
        let (headers, format) = (Arc::clone(&self.headers), self.format);
        let is_stored = self.is_stored();
        let work = |at, page| {
            let loaded = load(page, sources.page_limit());
            let further = |url: &str| {
                let place = loaded.as_ref().map(|page| &page.content.further);
                let place = place.cloned().unwrap_or_default();
                finder.find(at, &place, url, |url| headers.send_to(url))
            };
            let record = maker.record(loaded.as_ref(), feed.as_deref(), further);
            FinishedRecord {
                bytes: format.record(&record.article),
                record,
                page: loaded.ok().filter(|_| is_stored),
            }
        };
        let mut done = 0;
        let each = |ready: Vec<FinishedRecord>| {
            done += ready.len();
            let written = self.take(&ready, feed.as_deref(), || progress.step());
            match written {
                Ok(()) => finder.done_before(done),
                Err(_) => finder.end(),
            }
            written
        };
        let together = if is_stored { STORED_TOGETHER } else { 1 };
        sources.for_each_batch(pages, together, work, each)
    }

    fn is_stored(&self) -> bool {
        self.keeper.is_some()
    }

    /// Stores and writes records.
    fn take(
        &mut self,
        ready: &[FinishedRecord],
        feed: Option<&str>,
        on_record: impl Fn(),
    ) -> anyhow::Result<()> {
        self.store(ready, feed)?;
        for FinishedRecord { record, bytes, .. } in ready {
            self.write(&record.article, bytes.as_deref())?;
            on_record();
        }
        Ok(())
    }

    /// Stores pages in the archive, before their records are written.
    fn store(&mut self, finished: &[FinishedRecord], feed: Option<&str>) -> anyhow::Result<()> {
        let Some(keeper) = &mut self.keeper else {
            return Ok(());
        };
        for finished in finished {
            if let Some(page) = &finished.page {
                let extractor = self.maker.extractor_of(page, feed);
                keeper.add(page, &finished.record, extractor)?;
            }
        }
        keeper.write()
    }

    /// Writes a record, and warns of its failure.
    fn write(&mut self, article: &Article, bytes: Option<&[u8]>) -> anyhow::Result<()> {
        let status = article.status.name();
        *self.counts.entry(status).or_default() += 1;
        if !matches!(article.status, Status::Ok | Status::Fallback) {
            let id = &article.id;
            let warned = || article.warnings.last().map(ToString::to_string);
            let reason = article.error.clone().or_else(warned);
            let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
            self.global.warn(format_args!("{id}: {status}{reason}"));
        }
        match bytes {
            Some(bytes) => self.writer.add(&article.id, bytes),
            None => Ok(()),
        }
    }
}
