//! `forest archive export`: writes articles for other programs.

use super::pictures::{PictureFolder, link_to};
use super::wacz;
use crate::cli::apply::RecordWriter;
use crate::cli::archived::archive_dir::ArchiveArgs;
use crate::cli::archived::stored::{nothing, status};
use crate::cli::choices::{Choice, one_of};
use crate::cli::exit::is_broken_pipe;
#[cfg(feature = "parquet")]
use crate::cli::output::OutputSink;
use crate::cli::when::When;
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest_archive::export::{AddedField, ExportCounts, ExportOptions, each_article};
use forest_archive::{ArchiveReader, Filter};
use forest_core::extract::{Options, Status};
use forest_html::error::counted;
use forest_text::prose::RecordFormat;
use std::io;
use std::path::PathBuf;

/// Write the articles of the archive for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The latest version of each article, in the order of sites and of when it was first seen.

An article is a near-duplicate of one that was first seen before it, at any address and
site, if both have 50 words or more and the 64-bit SimHashes of their texts over shingles of
three words differ in 8 bits or less. Of the exported articles, the first one stays.

Examples:
  forest archive export > articles.jsonl
  forest archive export --format text --dedup --out corpus/
  forest archive export --format markdown --site news.example.org --out all.md
  forest archive export --format html --images site/pictures --out site/
  forest archive export --with word_count,sentences,duplicate_of --out articles.jsonl
  forest archive export --site news.example.org --since 2026-01-01 --out articles.jsonl
  forest archive export --format wacz --out news.wacz
  forest archive export --format wacz --dedup-against crawl.cdxj --out news.wacz
  forest archive export --format parquet --out articles.parquet")]
pub struct ArchiveExportArgs {
    /// Write this format.
    #[arg(long, value_enum, default_value_t)]
    format: ExportFormat,
    /// Write the stored pictures of the articles to this folder, named
    /// `<sha256>.<extension>`, each once. HTML and Markdown then name these files, and the
    /// records of jsonl have them in the field `image_files`. An SVG is not sanitised: it
    /// may contain scripts, which run only if it is opened by itself.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// Leave out near-duplicates of articles that were first seen before.
    #[arg(long)]
    dedup: bool,
    /// Leave out of a WACZ the payloads that another collection holds, by its index in CDXJ,
    /// plain or in gzip; may be given again. Their records are then revisits of those there.
    #[arg(long, value_name = "FILE")]
    dedup_against: Vec<PathBuf>,
    /// Add these fields to the records of jsonl, with commas between them.
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = one_of(ADDED_FIELDS))]
    with: Vec<AddedField>,
    /// Write only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Write only articles whose latest version is from this time on: a day, a time, or a
    /// span before now (12h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: Option<When>,
    /// Write only articles whose latest version is from before this time.
    #[arg(long, value_name = "WHEN")]
    until: Option<When>,
    /// Write only articles of this status; may be given again.
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Vec<Status>,
    /// Write to this file, or a file an article to this folder (one that exists, or a name
    /// that ends in a slash) [default: stdout].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    /// A line of JSON an article.
    #[default]
    Jsonl,
    /// Title and text.
    Text,
    /// Markdown, made of the stored pages.
    Markdown,
    /// Clean HTML, made of the stored pages.
    Html,
    /// The stored pages as a web archive in one file, for replays in a browser. --site,
    /// --since and --until then choose pages.
    Wacz,
    /// Columns, if this program was built with the feature `parquet`.
    Parquet,
}

const ADDED_FIELDS: &[Choice<AddedField>] = &[
    (
        "duplicate_of",
        "The address of the earlier article with nearly the same text, or null",
        AddedField::DuplicateOf,
    ),
    (
        "paragraphs",
        "The blocks of the text, as a list",
        AddedField::Paragraphs,
    ),
    (
        "word_count",
        "Words of the text; of Chinese, Japanese and Thai, characters",
        AddedField::WordCount,
    ),
    (
        "sentences",
        "The begin and end of each sentence in `text`, in Unicode code points from 0",
        AddedField::Sentences,
    ),
];

impl ExportFormat {
    /// The same format of `forest apply`; `None` if that does not write it.
    fn of_records(self) -> Option<RecordFormat> {
        match self {
            ExportFormat::Jsonl => Some(RecordFormat::Jsonl),
            ExportFormat::Text => Some(RecordFormat::Text),
            ExportFormat::Markdown => Some(RecordFormat::Markdown),
            ExportFormat::Html => Some(RecordFormat::Html),
            ExportFormat::Wacz | ExportFormat::Parquet => None,
        }
    }
}

pub fn run(args: ArchiveExportArgs, global: &Global) -> anyhow::Result<Exit> {
    if args.format == ExportFormat::Parquet && args.images.is_some() {
        bail!("--images goes with jsonl, text, Markdown and HTML: leave it out, or export jsonl");
    }
    if args.format != ExportFormat::Jsonl && !args.with.is_empty() {
        bail!("only the records of jsonl take further fields: leave out --with or --format");
    }
    if args.format == ExportFormat::Wacz && (args.dedup || args.images.is_some()) {
        bail!("a web archive holds the pages as they came: leave out --dedup and --images");
    }
    if args.format != ExportFormat::Wacz && !args.dedup_against.is_empty() {
        bail!("only a web archive has payloads: leave out --dedup-against, or add --format wacz");
    }
    let archive = args.archive.reader(global)?;
    let markup = Options::default()
        .with_html(args.format == ExportFormat::Html)
        .with_markdown(args.format == ExportFormat::Markdown);
    let options = ExportOptions {
        filter: Filter {
            site: args.site.clone(),
            since: args.since.map(When::time),
            until: args.until.map(When::time),
            statuses: args.status.clone(),
        },
        dedup: args.dedup,
        added: args.with.clone(),
        markup,
        pictures_at: args
            .images
            .as_deref()
            .map(|dir| link_to(dir, args.out.as_deref()))
            .transpose()?,
    };
    let images = args.images.as_deref();
    let mut pictures = images.map(|dir| PictureFolder::new(dir, &archive));
    let counts = match args.format.of_records() {
        Some(format) => records(&archive, &options, format, &args, &mut pictures, global)?,
        None if args.format == ExportFormat::Wacz => {
            let (filter, against) = (&options.filter, &args.dedup_against);
            let report = wacz::write(&archive, filter, against, args.out.as_deref(), global)?;
            if report.records == 0 {
                return nothing("no pages", args.site.as_deref(), &archive, global);
            }
            global.say(format_args!(
                "{}, {}",
                counted(report.records, "page", "pages"),
                counted(report.articles, "article", "articles")
            ));
            if !args.dedup_against.is_empty() {
                let held = counted(report.held, "payload is", "payloads are");
                global.say(format_args!("{held} in the other collection"));
            }
            return Ok(Exit::Done);
        }
        None => parquet(&archive, &options, &args, global)?,
    };
    if counts.articles == 0 {
        return nothing("no articles", args.site.as_deref(), &archive, global);
    }
    if counts.duplicates > 0 {
        global.say(format_args!(
            "left out as near-duplicates: {}",
            counts.duplicates
        ));
    }
    if counts.without_markup > 0 {
        global.warn(format_args!(
            "written as plain paragraphs, since the stored pages no longer give the text that was read on them: {}",
            counts.without_markup
        ));
    }
    if let Some(pictures) = pictures {
        pictures.report(global);
    }
    Ok(Exit::Done)
}

/// Writes a record an article, as `forest apply` does.
fn records(
    archive: &ArchiveReader,
    options: &ExportOptions,
    format: RecordFormat,
    args: &ArchiveExportArgs,
    pictures: &mut Option<PictureFolder<'_>>,
    global: &Global,
) -> anyhow::Result<ExportCounts> {
    let mut writer = RecordWriter::open(args.out.as_deref(), format, global)?;
    let counts = each_article(archive, options, &mut |article| {
        if let Some(pictures) = pictures {
            pictures.put(&article.pictures).map_err(as_io)?;
        }
        let bytes = match format {
            RecordFormat::Jsonl => {
                let mut line = serde_json::to_vec(article)?;
                line.push(b'\n');
                Some(line)
            }
            _ => format.record(article.record),
        };
        match bytes {
            Some(bytes) => writer.add(&article.record.id, &bytes).map_err(as_io),
            None => Ok(()),
        }
    })?;
    if counts.articles > 0 {
        writer.finish()?;
    }
    Ok(counts)
}

/// The error as one of I/O; a broken pipe stays one.
fn as_io(error: anyhow::Error) -> io::Error {
    if is_broken_pipe(&error) {
        return io::ErrorKind::BrokenPipe.into();
    }
    io::Error::other(format!("{error:#}"))
}

#[cfg(feature = "parquet")]
fn parquet(
    archive: &ArchiveReader,
    options: &ExportOptions,
    args: &ArchiveExportArgs,
    global: &Global,
) -> anyhow::Result<ExportCounts> {
    let mut out = OutputSink::open_file(args.out.as_deref(), global)?;
    let counts = forest_archive::export::parquet(archive, options, &mut out)?;
    if counts.articles > 0 {
        out.finish()?;
    }
    Ok(counts)
}

#[cfg(not(feature = "parquet"))]
fn parquet(
    _: &ArchiveReader,
    _: &ExportOptions,
    _: &ArchiveExportArgs,
    _: &Global,
) -> anyhow::Result<ExportCounts> {
    bail!(
        "this forest was built without Parquet; build it with --features parquet, or export jsonl"
    )
}
