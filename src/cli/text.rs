//! `forest text`: documents to text in which every sentence is a sentence.

use super::choices::{Choice, one_of};
use super::net::NetArgs;
use super::output::{self, OutputSink};
use super::source::SourceArgs;
use super::{Exit, Global};
use anyhow::{Context, bail};
use forest_html::error::{CRASHED, counted};
use forest_html::text::Language;
use forest_sources::sources::{FoundPage, PageLocation, PageRefs, Sources, is_page, load_document};
use forest_text::prose::{DocumentText, Normaliser, TableStyle, TextFormat, TextOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Normalise documents to text that a parser can read
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a page or another document (a file, gzip or not, or an address), a folder
of pages, a text file with an address a line, a WARC or ARC file, or - for one document
on stdin.

Tables become clauses that carry their headers, lists join the clause before them,
lines that layout broke are mended. Plain text goes through the same rules; XML of
converted documents (elements header, document, textfield, page) gives its text;
sitemaps are left out. A binary file gives the text in it, with a warning.

Examples:
  forest text page.html
  forest text https://example.org/ --format sentences
  forest text page.html.gz --article --table-style sentence
  forest text saved/ --format xhtml --out normalised/
  forest text - < page.html > page.txt")]
pub struct TextArgs {
    /// Read the documents of these sources.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// Write this format.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS), default_value = "text")]
    format: TextFormat,
    /// Write data tables in this style [default: clause, or that of --settings].
    #[arg(long, value_name = "STYLE", value_parser = one_of(TABLE_STYLES))]
    table_style: Option<TableStyle>,
    /// Write only the article of each page, by the one-page method.
    #[arg(long)]
    article: bool,
    /// Read the documents in the language of this tag [default: by their words].
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<String>,
    /// Read the settings of the rules from this file (YAML).
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Write the removed items of lists of links to this file, a line each.
    #[arg(long, value_name = "FILE")]
    removed: Option<PathBuf>,
    /// Write to this file, or a file a document to this folder (one that exists, or a name
    /// that ends in a slash) [default: stdout].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    net: NetArgs,
}

const FORMATS: &[Choice<TextFormat>] = &[
    ("text", "A line a block", TextFormat::Text),
    ("sentences", "A line a sentence", TextFormat::Sentences),
    (
        "xhtml",
        "The normalised page as well-formed XHTML",
        TextFormat::Xhtml,
    ),
];

const TABLE_STYLES: &[Choice<TableStyle>] = &[
    (
        "clause",
        "A clause a row, each cell with its headers: `header ; header: data / ...`",
        TableStyle::Clause,
    ),
    (
        "sentence",
        "Sentences of at most 40 words: each row, each column, rows with the same datum, \
         neighbouring rows (`table_across: false` in --settings: the rows only)",
        TableStyle::Sentence,
    ),
    (
        "markdown",
        "A Markdown table, for people",
        TableStyle::Markdown,
    ),
];

fn language(tag: &str) -> Result<String, String> {
    match Language::from_tag(tag) {
        Language::Unknown => {
            Err("give a language tag that forest knows, such as en, fr, de, es, zh or ja".into())
        }
        _ => Ok(tag.to_owned()),
    }
}

/// The rules in a settings file.
///
/// # Errors
///
/// If it cannot be read, or has an unknown rule.
pub fn settings(path: &Path) -> anyhow::Result<TextOptions> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("--settings {}: cannot read it", path.display()))?;
    TextOptions::from_yaml(&text).with_context(|| format!("--settings {}", path.display()))
}

impl TextArgs {
    fn options(&self) -> anyhow::Result<TextOptions> {
        let mut options = match &self.settings {
            None => TextOptions::default(),
            Some(path) => settings(path)?,
        };
        if let Some(style) = self.table_style {
            options.table_style = style;
        }
        if self.language.is_some() {
            options.language = self.language.clone();
        }
        Ok(options)
    }
}

/// Writes the text of the documents of the sources.
///
/// # Errors
///
/// If the arguments do not fit, or the output cannot be written.
pub fn run(args: TextArgs, global: &Global) -> anyhow::Result<Exit> {
    let sources = SourceArgs::default().sources(args.net.clone(), global)?;
    let reader = DocumentReader {
        normaliser: Normaliser {
            options: args.options()?,
            format: args.format,
            only_article: args.article,
            limit: sources.page_limit(),
        },
    };
    let mut run = TextCommand {
        sink: OutputSink::open(args.out.as_deref(), global)?,
        global,
        removed: String::new(),
        good: 0,
        all: 0,
        args: &args,
    };
    let mut unopened = 0;
    for typed in &args.sources {
        match sources.open_documents(typed) {
            Ok(pages) => run.apply(pages, &sources, &reader)?,
            Err(error) => {
                unopened += 1;
                global.warn_failed(&error.into());
            }
        }
    }
    if run.all == 0 && unopened > 0 {
        return Ok(Exit::Error);
    }
    if run.good > 0 {
        run.sink.finish()?;
    }
    if let Some(path) = &args.removed {
        output::write(path, run.removed.as_bytes())?;
    }
    if run.all > 1 {
        let all = counted(run.all, "document", "documents");
        global.say(format_args!("{all}: text in {}", run.good));
    }
    Ok(Exit::of(run.good, run.all + unopened))
}

/// A run of the command.
struct TextCommand<'a> {
    args: &'a TextArgs,
    sink: OutputSink<'a>,
    global: &'a Global,
    removed: String,
    /// Documents with text.
    good: usize,
    all: usize,
}

/// Reads documents.
struct DocumentReader {
    normaliser: Normaliser,
}

impl TextCommand<'_> {
    fn apply(
        &mut self,
        pages: PageRefs,
        sources: &Sources,
        reader: &DocumentReader,
    ) -> anyhow::Result<()> {
        let progress = self.global.progress("documents", None);
        sources.for_each_page(
            pages,
            |_, page| reader.read(page),
            |(id, document)| {
                progress.step();
                self.add(&id, document)
            },
        )
    }

    fn add(&mut self, id: &str, document: DocumentText) -> anyhow::Result<()> {
        self.all += 1;
        for warning in &document.warnings {
            self.global.warn(format_args!("{id}: {warning}"));
        }
        for item in &document.removed {
            self.removed.push_str(item);
            self.removed.push('\n');
        }
        if let Some(text) = document.text {
            self.write(id, &text)?;
            self.good += 1;
        }
        Ok(())
    }

    /// Writes the text of a document; an empty line parts it from the one before.
    fn write(&mut self, id: &str, text: &str) -> anyhow::Result<()> {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let is_xhtml = self.args.format == TextFormat::Xhtml;
        if let OutputSink::Folder(folder) = &mut self.sink {
            let extension = if is_xhtml { "xhtml" } else { "txt" };
            return folder.put(id, extension, format!("{text}{end}").as_bytes());
        }
        if self.good > 0 && is_xhtml {
            bail!(
                "two XHTML documents are no document: give one SOURCE, or a folder with --out DIR/"
            );
        }
        let between = if self.good > 0 { "\n" } else { "" };
        self.sink.add(format!("{between}{text}{end}").as_bytes())
    }
}

impl DocumentReader {
    /// The id and the text of a document.
    fn read(&self, page: FoundPage) -> (String, DocumentText) {
        // A file that is named like a page is HTML.
        let is_named = page
            .as_ref()
            .is_ok_and(|page| matches!(&page.location, PageLocation::File(path) if is_page(path)));
        let loaded = match load_document(page, self.normaliser.limit) {
            Ok(loaded) => loaded,
            Err(error) => return (error.id, DocumentText::failed(error.reason)),
        };
        let (id, bytes) = (loaded.id.clone(), &loaded.content.bytes);
        let mut source = loaded.source();
        source.content_type = source.content_type.or(is_named.then_some("text/html"));
        let text = catch_unwind(AssertUnwindSafe(|| self.normaliser.text(bytes, source)));
        (id, text.unwrap_or_else(|_| DocumentText::failed(CRASHED)))
    }
}
