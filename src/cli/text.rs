//! `forest text`: documents to text in which every sentence is a sentence.

use super::net::NetArgs;
use super::output::{self, NewFile};
use super::source::{
    Html, Input, Lead, Place, Source, SourceArgs, Sources, file_bytes, is_page, page_of, read_all,
    there,
};
use super::{Exit, Global};
use anyhow::{Context, bail};
use forest::error::counted;
use forest::feed::SniffedType;
use forest::onepage;
use forest::page::{self, Mask, Page};
use forest::prose::input::{self, Document, Origin};
use forest::prose::{self, Prose, TextOptions, sentence, xhtml};
use forest::text::Language;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Documents that are worked on together: their texts wait for each other.
const CHUNK: usize = 32;

/// Normalise documents to text that a parser can read
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a page or another document (a file, gzip or not, or an address), a folder
of pages, a text file with an address a line, a WARC file, or - for one document on
stdin.

Tables become clauses that carry their headers, lists join the clause before them,
lines that layout broke are mended. Plain text goes through the same rules; XML of
converted documents (elements header, document, textfield, page) gives its text;
sitemaps are left out. A file that is no text at all gives the text that is in it,
which stderr says.

Examples:
  forest text page.html
  forest text https://example.org/ --format sentences
  forest text page.html.gz --article --table-style sentence
  forest text saved/ --format xhtml --out normalised/
  forest text - < page.html > page.txt")]
pub struct TextArgs {
    /// Where the documents come from.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,
    /// How a data table is written [default: clause, or what --settings says].
    #[arg(long, value_enum, value_name = "STYLE")]
    table_style: Option<TableStyle>,
    /// Only the article of each page, as the one-page extractor finds it.
    #[arg(long)]
    article: bool,
    /// The language of the documents, as a tag [default: by their words].
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<String>,
    /// Read the rules' settings from this file (YAML).
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Write the items that are removed from lists of links to this file, a line
    /// each.
    #[arg(long, value_name = "FILE")]
    removed: Option<PathBuf>,
    /// Write to this file; to a folder (one that is there, or a name that ends in
    /// a slash): a file a document.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    net: NetArgs,
}

/// What is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A line a block.
    #[default]
    Text,
    /// A line a sentence.
    Sentences,
    /// The normalised page as well-formed XHTML.
    Xhtml,
}

/// [`prose::TableStyle`] as an argument.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum TableStyle {
    /// A clause a row, each cell with its headers: `header ; header: data / ...`.
    Clause,
    /// Sentences of at most 40 words: each row, each column, rows with the same datum,
    /// neighbouring rows (`table_across: false` in --settings: the rows only).
    Sentence,
    /// A Markdown table, for people.
    Markdown,
}

fn language(tag: &str) -> Result<String, String> {
    match Language::from_tag(tag) {
        Language::Unknown => {
            Err("give a language tag that forest knows, such as en, fr, de, es, zh or ja".into())
        }
        _ => Ok(tag.to_owned()),
    }
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Text | Format::Sentences => "txt",
            Format::Xhtml => "xhtml",
        }
    }
}

/// The rules in a settings file.
///
/// # Errors
///
/// If it cannot be read, or says what is no rule.
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
            options.table_style = match style {
                TableStyle::Clause => prose::TableStyle::Clause,
                TableStyle::Sentence => prose::TableStyle::Sentence,
                TableStyle::Markdown => prose::TableStyle::Markdown,
            };
        }
        if self.language.is_some() {
            options.language = self.language.clone();
        }
        Ok(options)
    }
}

/// Writes the text of what the sources hold.
///
/// # Errors
///
/// If the arguments do not fit, or the output cannot be written.
pub fn run(args: TextArgs, global: &Global) -> anyhow::Result<Exit> {
    let options = args.options()?;
    let sources = Sources::new(SourceArgs::default(), args.net.clone(), global)?;
    let mut work = Work {
        args: &args,
        options,
        out: Out::new(&args, global)?,
        global,
        removed: String::new(),
        good: 0,
        all: 0,
        unopened: 0,
        limit: sources.page_limit(),
    };
    for typed in &args.sources {
        match open(typed, &sources) {
            Ok(leads) => work.apply(leads, &sources)?,
            Err(error) => {
                work.unopened += 1;
                global.warn(format_args!("forest: {error:#}"));
            }
        }
    }
    if work.all == 0 && work.unopened > 0 {
        return Ok(Exit::Error);
    }
    let Work {
        out,
        removed,
        good,
        all,
        unopened,
        ..
    } = work;
    out.finish(good)?;
    if let Some(path) = &args.removed {
        output::write(path, removed.as_bytes())?;
    }
    if all > 1 {
        let all = counted(all, "document", "documents");
        global.say(format_args!("{all}: text in {good}"));
    }
    Ok(Exit::of(good, all + unopened))
}

type Leads<'a> = Box<dyn Iterator<Item = Result<Lead, (String, String)>> + 'a>;

/// The documents of a source. An address is the page that stands there, a file the
/// document that it holds; what holds many is opened as `apply` does.
fn open<'a>(typed: &str, sources: &'a Sources<'_>) -> anyhow::Result<Leads<'a>> {
    let one = |lead| -> anyhow::Result<Leads<'a>> { Ok(Box::new(std::iter::once(Ok(lead)))) };
    if typed == "-" {
        let bytes = read_all(std::io::stdin(), sources.page_limit(), "stdin")?;
        return one(Lead::of_bytes("stdin", bytes));
    }
    if let Some(url) = sources.address(typed) {
        return one(sources.page_at(url)?);
    }
    let path = Path::new(typed);
    let opened = if there(path)?.is_dir() || path.extension().is_some_and(|e| e == "jsonl") {
        sources.open(typed, Html::Page)?
    } else {
        let input = Input::open(path)?;
        match input.kind() {
            SniffedType::Warc | SniffedType::UrlList => sources.open_input(input, typed)?,
            SniffedType::Zip if path.extension().is_some_and(|e| e == "wacz") => {
                sources.open_input(input, typed)?
            }
            _ if input.file().is_some() => {
                return one(Lead {
                    id: Some(typed.to_owned()),
                    ..page_of(path)
                });
            }
            _ => return one(Lead::of_bytes(typed, input.whole(sources.page_limit())?)),
        }
    };
    let opened = opened.into_iter();
    let opened = opened.filter_map(|source| match source {
        Source::Opened(opened) => Some(opened.leads),
        Source::Feed(_) => None,
    });
    Ok(Box::new(opened.flatten().map(|lead| {
        lead.map_err(|trouble| (trouble.id, trouble.reason))
    })))
}

/// The work under way.
struct Work<'a> {
    args: &'a TextArgs,
    options: TextOptions,
    out: Out<'a>,
    global: &'a Global,
    removed: String,
    /// Documents with text.
    good: usize,
    all: usize,
    unopened: usize,
    /// Bytes of a document at the most.
    limit: usize,
}

/// What comes of a document.
struct Made {
    id: String,
    /// Nothing, if there is no text; the reason is among the warnings.
    text: Option<String>,
    removed: Vec<String>,
    warnings: Vec<String>,
}

impl Work<'_> {
    fn apply(&mut self, mut leads: Leads<'_>, sources: &Sources<'_>) -> anyhow::Result<()> {
        let progress = self.global.progress("documents", None);
        loop {
            let chunk: Vec<_> = leads.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            let chunk: Vec<_> = chunk
                .into_iter()
                .map(|lead| lead.map_err(trouble))
                .collect();
            let chunk = sources.fetch(chunk, || {})?;
            let made: Vec<Made> = chunk.into_par_iter().map(|lead| self.made(lead)).collect();
            for made in made {
                progress.step();
                self.all += 1;
                for warning in &made.warnings {
                    self.global.warn(format_args!("{}: {warning}", made.id));
                }
                for item in &made.removed {
                    self.removed.push_str(item);
                    self.removed.push('\n');
                }
                if let Some(text) = made.text {
                    self.out.add(&made.id, &text, self.good)?;
                    self.good += 1;
                }
            }
        }
    }

    fn made(&self, lead: Result<Lead, super::source::Trouble>) -> Made {
        let failed = |id: String, why: String| Made {
            id,
            text: None,
            removed: Vec::new(),
            warnings: vec![why],
        };
        let lead = match lead {
            Ok(lead) => lead,
            Err(trouble) => return failed(trouble.id, trouble.reason),
        };
        let url = lead.url();
        let id = lead.id.clone().or_else(|| url.clone()).unwrap_or_default();
        let (bytes, content_type) = match lead.place {
            Place::Here(here) => (Ok(here.bytes), here.content_type),
            Place::File(path) => {
                // A page's name says what it is served as.
                let html = is_page(&path).then(|| "text/html".to_owned());
                (file_bytes(&path, self.limit), html)
            }
            Place::Web(_) => (Err(anyhow::anyhow!("not fetched")), None),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return failed(id, format!("{error:#}")),
        };
        let source = page::Source {
            url: url.as_deref(),
            content_type: content_type.as_deref(),
        };
        let made = catch_unwind(AssertUnwindSafe(|| self.text(&bytes, source)));
        match made {
            Ok(made) => Made { id, ..made },
            Err(_) => failed(id, "forest crashed on it: please report it".to_owned()),
        }
    }

    fn text(&self, bytes: &[u8], source: page::Source<'_>) -> Made {
        let mut made = Made {
            id: String::new(),
            text: None,
            removed: Vec::new(),
            warnings: Vec::new(),
        };
        match input::read_within(bytes, source, self.limit) {
            Document::Excluded(why) => made.warnings.push(why.to_string()),
            Document::Dump(text, kind) => {
                let name = kind.name();
                if text.is_empty() {
                    made.warnings.push(format!("this is {name}: no text in it"));
                } else {
                    made.warnings.push(format!(
                        "this is {name}, of which no page can be made: the text that is in it, as \
                         it stands"
                    ));
                    let page = input::plain::page(&text);
                    made.text = Some(match self.args.format {
                        Format::Text => text,
                        Format::Sentences => self.sentences(&text, &[], None),
                        Format::Xhtml => xhtml::xhtml(&page).text,
                    });
                }
            }
            Document::Page(page, origin) => self.of_page(&page, origin, &mut made),
        }
        made
    }

    fn of_page(&self, page: &Page, origin: Origin, made: &mut Made) {
        made.warnings
            .extend(page.warnings().iter().map(ToString::to_string));
        if origin == Origin::Xml {
            let xml = SniffedType::Xml.name();
            made.warnings
                .push(format!("this is {xml}: the text of its elements"));
        }
        if self.args.format == Format::Xhtml && !self.args.article {
            let xhtml = xhtml::xhtml(page);
            if xhtml.cut {
                made.warnings.push(format!(
                    "its XHTML was cut: it would be more than {} times as long as it is, or has an \
                     attribute or a comment of more than {} MB",
                    xhtml::MAX_GROWTH,
                    xhtml::MAX_RUN_BYTES / 1_000_000
                ));
            }
            if xhtml.dissolved > 0 {
                let warning = page::PageWarning::TooDeep {
                    dropped: xhtml.dissolved,
                    depth: xhtml::MAX_DEPTH,
                };
                made.warnings.push(warning.to_string());
            }
            made.text = Some(xhtml.text);
            return;
        }
        let kept = match self.args.article {
            false => Mask::all(page),
            true => {
                let found = onepage::article(page);
                if let Some(refusal) = found.refusal {
                    made.warnings.push(format!("no article: {}", refusal.kind));
                    return;
                }
                found.kept
            }
        };
        if self.args.format == Format::Xhtml {
            let base = page::links::Base::of(page);
            let html = forest::render::html(page, &kept, &base);
            made.text = Some(xhtml::xhtml(&Page::from_html(&html)).text);
            return;
        }
        let Prose {
            text,
            removed,
            fixed,
        } = prose::prose(page, &kept, &self.options);
        made.removed = removed;
        if text.trim().is_empty() {
            made.warnings.push("no text in it".to_owned());
            return;
        }
        made.text = Some(match self.args.format {
            Format::Sentences => self.sentences(&text, &fixed, language_tag(page)),
            _ => text,
        });
    }

    fn sentences(&self, text: &str, fixed: &[Range<usize>], tag: Option<&str>) -> String {
        let set = self.options.language.as_deref().map(Language::from_tag);
        let language = set.unwrap_or_else(|| Language::detect(text, tag));
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        for sentence in sentence::sentences(text, fixed, language) {
            out.push_str(sentence);
            out.push('\n');
        }
        out
    }
}

/// What the page says of its language.
fn language_tag(page: &Page) -> Option<&str> {
    let html = page
        .children(page.root())
        .find(|&n| page.kind(n) == page::Kind::Element)?;
    page.attr(html, "lang")
        .or_else(|| page.attr(html, "xml:lang"))
}

fn trouble((id, reason): (String, String)) -> super::source::Trouble {
    super::source::Trouble {
        id,
        url: None,
        reason,
    }
}

/// Where texts go.
struct Out<'a> {
    to: To<'a>,
    format: Format,
    used: HashSet<String>,
}

enum To<'a> {
    Stdout(&'a Global),
    File(Box<NewFile>),
    Folder(&'a Path),
}

impl<'a> Out<'a> {
    fn new(args: &'a TextArgs, global: &'a Global) -> anyhow::Result<Out<'a>> {
        let to = match args.out.as_deref() {
            None => To::Stdout(global),
            Some(path) if path.as_os_str() == "-" => To::Stdout(global),
            Some(path) if output::is_folder(path) => {
                output::make_folder(path)?;
                To::Folder(path)
            }
            Some(path) => To::File(Box::new(NewFile::at(path)?)),
        };
        Ok(Out {
            to,
            format: args.format,
            used: HashSet::new(),
        })
    }

    /// Writes the text of a document; an empty line parts it from those before.
    fn add(&mut self, id: &str, text: &str, before: usize) -> anyhow::Result<()> {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        if let To::Folder(dir) = self.to {
            let name = output::file_name(id);
            let mut free = name.clone();
            let mut times = 1;
            // File systems that do not tell case apart would overwrite.
            while !self.used.insert(free.to_lowercase()) {
                times += 1;
                free = format!("{name}-{times}");
            }
            let path = dir.join(format!("{free}.{}", self.format.extension()));
            return output::write(&path, format!("{text}{end}").as_bytes());
        }
        if before > 0 && self.format == Format::Xhtml {
            bail!(
                "two XHTML documents are no document: give one SOURCE, or a folder with --out DIR/"
            );
        }
        let between = if before > 0 { "\n" } else { "" };
        let bytes = format!("{between}{text}{end}");
        match &mut self.to {
            To::Stdout(global) => Ok(global.print(bytes.as_bytes())?),
            To::File(file) => file.add(bytes.as_bytes()),
            To::Folder(_) => Ok(()),
        }
    }

    /// Gives a file its name, unless nothing was written.
    fn finish(self, good: usize) -> anyhow::Result<()> {
        match self.to {
            To::File(file) if good > 0 => file.finish(),
            _ => Ok(()),
        }
    }
}
