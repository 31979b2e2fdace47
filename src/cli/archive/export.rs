//! `forest archive export`: articles for other programs.

use super::pictures::{Pictures, link_to};
use crate::cli::apply::{self, Sink};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::exit::is_broken_pipe;
#[cfg(feature = "parquet")]
use crate::cli::stored::Out;
use crate::cli::stored::{nothing, status};
use crate::cli::when::When;
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest::archive::export::{AddedField, ExportCounts, ExportOptions, each_article};
use forest::archive::{ArchiveReader, Filter};
use forest::error::counted;
use forest::extract::{Options, Status};
use std::io;
use std::path::PathBuf;

/// Write the articles of the archive for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The latest version of each article, in the order of sites and of when it was first seen.

An article is a near-duplicate of one that was first seen before it, at whatever address
and site, if the 64-bit SimHashes of their texts over shingles of three words differ in 8
bits or less. Both have 50 words or more. Of those that are exported, the first one stays.

Examples:
  forest archive export > articles.jsonl
  forest archive export --format text --dedup --out corpus/
  forest archive export --format markdown --site news.example.org --out all.md
  forest archive export --format html --images site/pictures --out site/
  forest archive export --with word_count,sentences,duplicate_of --out articles.jsonl
  forest archive export --site news.example.org --since 2026-01-01 --out articles.jsonl
  forest archive export --format wacz --out news.wacz
  forest archive export --format parquet --out articles.parquet")]
pub struct ExportArgs {
    /// The format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the stored pictures of the articles to this folder, named
    /// `<sha256>.<extension>`, each once. HTML and Markdown then name these files, and the
    /// records of jsonl have them in the field `image_files`. An SVG is what its site
    /// made it: it may hold scripts, which run only where it is opened by itself.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// Leave out near-duplicates of articles that were first seen before.
    #[arg(long)]
    dedup: bool,
    /// Fields that the records of jsonl have besides, with commas between them.
    #[arg(long, value_enum, value_name = "FIELD", value_delimiter = ',')]
    with: Vec<With>,
    /// Only articles of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Only articles whose latest version came from then on: a day, a time, or how long
    /// ago (12h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: Option<When>,
    /// Only articles whose latest version came before then.
    #[arg(long, value_name = "WHEN")]
    until: Option<When>,
    /// Only articles of this status; may be given again.
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Vec<Status>,
    /// Write to this file; to a folder (one that is there, or a name that ends in a
    /// slash): a file an article.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
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

/// [`AddedField`] as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum With {
    /// The address of the article that was there before with nearly the same text, or null.
    DuplicateOf,
    /// The blocks of the text, as a list.
    Paragraphs,
    /// Words of the text; of Chinese, Japanese and Thai, characters.
    WordCount,
    /// Where each sentence begins and ends in `text`, in Unicode code points from 0.
    Sentences,
}

impl From<With> for AddedField {
    fn from(with: With) -> AddedField {
        match with {
            With::DuplicateOf => AddedField::DuplicateOf,
            With::Paragraphs => AddedField::Paragraphs,
            With::WordCount => AddedField::WordCount,
            With::Sentences => AddedField::Sentences,
        }
    }
}

impl Format {
    /// How `forest apply` writes it, if it does.
    fn of_records(self) -> Option<apply::Format> {
        match self {
            Format::Jsonl => Some(apply::Format::Jsonl),
            Format::Text => Some(apply::Format::Text),
            Format::Markdown => Some(apply::Format::Markdown),
            Format::Html => Some(apply::Format::Html),
            Format::Wacz | Format::Parquet => None,
        }
    }
}

pub fn run(args: ExportArgs, global: &Global) -> anyhow::Result<Exit> {
    if args.format == Format::Parquet && args.images.is_some() {
        bail!("--images goes with jsonl, text, Markdown and HTML: leave it out, or export jsonl");
    }
    if args.format != Format::Jsonl && !args.with.is_empty() {
        bail!("only the records of jsonl take further fields: leave out --with or --format");
    }
    if args.format == Format::Wacz && (args.dedup || args.images.is_some()) {
        bail!("a web archive holds the pages as they came: leave out --dedup and --images");
    }
    let archive = ArchiveReader::open(&args.archive.dir(global)?)?;
    let markup = Options::default()
        .with_html(args.format == Format::Html)
        .with_markdown(args.format == Format::Markdown);
    let options = ExportOptions {
        filter: Filter {
            site: args.site.clone(),
            since: args.since.map(When::time),
            until: args.until.map(When::time),
            statuses: args.status.clone(),
        },
        dedup: args.dedup,
        added: args.with.iter().copied().map(AddedField::from).collect(),
        markup,
        pictures_at: args
            .images
            .as_deref()
            .map(|dir| link_to(dir, args.out.as_deref()))
            .transpose()?,
    };
    let mut pictures = args
        .images
        .as_deref()
        .map(|dir| Pictures::new(dir, &archive));
    let counts = match args.format.of_records() {
        Some(format) => records(&archive, &options, format, &args, &mut pictures, global)?,
        None if args.format == Format::Wacz => {
            let done = super::wacz::write(&archive, &options.filter, args.out.as_deref(), global)?;
            if done.records == 0 {
                return nothing("no pages", args.site.as_deref(), &archive, global);
            }
            global.say(format_args!(
                "{}, {}",
                counted(done.records, "page", "pages"),
                counted(done.articles, "article", "articles")
            ));
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
        pictures.tell(global);
    }
    Ok(Exit::Done)
}

/// Writes a record an article, as `forest apply` does.
fn records(
    archive: &ArchiveReader,
    options: &ExportOptions,
    format: apply::Format,
    args: &ExportArgs,
    pictures: &mut Option<Pictures<'_>>,
    global: &Global,
) -> anyhow::Result<ExportCounts> {
    let mut sink = Sink::new(args.out.as_deref(), format, global)?;
    let counts = each_article(archive, options, &mut |article| {
        if let Some(pictures) = pictures {
            pictures.put(&article.pictures).map_err(as_io)?;
        }
        let bytes = match format {
            apply::Format::Jsonl => {
                let mut line = serde_json::to_vec(article)?;
                line.push(b'\n');
                Some(line)
            }
            _ => format.record(article.record),
        };
        match bytes {
            Some(bytes) => sink.add(&article.record.id, &bytes).map_err(as_io),
            None => Ok(()),
        }
    })?;
    if counts.articles > 0 {
        sink.finish()?;
    }
    Ok(counts)
}

/// A closed pipe stays one.
fn as_io(error: anyhow::Error) -> io::Error {
    match is_broken_pipe(&error) {
        true => io::ErrorKind::BrokenPipe.into(),
        false => io::Error::other(format!("{error:#}")),
    }
}

#[cfg(feature = "parquet")]
fn parquet(
    archive: &ArchiveReader,
    options: &ExportOptions,
    args: &ExportArgs,
    global: &Global,
) -> anyhow::Result<ExportCounts> {
    let mut out = Out::new(args.out.as_deref(), global)?;
    let counts = forest::archive::export::parquet(archive, options, &mut out)?;
    if counts.articles > 0 {
        out.finish()?;
    }
    Ok(counts)
}

#[cfg(not(feature = "parquet"))]
fn parquet(
    _: &ArchiveReader,
    _: &ExportOptions,
    _: &ExportArgs,
    _: &Global,
) -> anyhow::Result<ExportCounts> {
    bail!(
        "this forest was built without Parquet; build it with --features parquet, or export jsonl"
    )
}
