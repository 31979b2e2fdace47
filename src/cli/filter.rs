//! `forest filter`: pages without their clutter.

use super::ad_lists;
use super::choices::{Choice, one_of};
use super::net::{NetArgs, Network};
use super::output::OutputSink;
use super::source::SourceArgs;
use super::{Exit, Global, filter_settings};
use anyhow::{Context, bail};
use forest_html::error::{CRASHED, counted};
use forest_sources::sources::{FoundPage, PageError, PageRefs, Sources, address, load};
use forest_text::filter::{FilterEngine, FilterSettings, Filtered, OutputFormat};
use forest_text::prose::filtered_document;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use url::Url;

/// Take the clutter from pages and keep their look
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a page (a file, gzip or not, an address, or - for stdin), a folder of pages, a
text file with an address a line, or a WARC or ARC file.

Advertisements, scripts, images, link lists and empty tables go; the text links that go with
them are listed at the end. A page of links and little else, a portal, keeps its text. See
docs/crunch.md for the profiles and the settings.

Examples:
  forest filter page.html > light.html
  forest filter https://example.org/ --profile reader --format text
  forest filter saved/ --settings mine.yaml --out filtered/
  forest filter --update-ads https://example.org/hosts.txt")]
pub struct FilterArgs {
    /// Read the pages of these sources.
    #[arg(required_unless_present_any = ["update_ads", "print_settings"], value_name = "SOURCE")]
    sources: Vec<String>,
    /// Filter by this profile: paper, light, reader, text, speech, or one that was saved
    /// [default: light].
    #[arg(long, value_name = "PROFILE", conflicts_with = "settings")]
    profile: Option<String>,
    /// Read the settings from this file (YAML); --print-settings writes one.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Write this format [default: that of the profile or the settings].
    #[arg(long, value_name = "FORMAT", value_parser = one_of(FORMATS))]
    format: Option<OutputFormat>,
    /// Read more advertisement servers from these files: hosts files, or rules `||host^`.
    #[arg(long, value_name = "FILE")]
    ads: Vec<PathBuf>,
    /// Fetch a list of advertisement servers into the data folder, where it is used from
    /// then on.
    #[arg(long, value_name = "URL", value_parser = web_url)]
    update_ads: Option<Url>,
    /// Write the settings as a file, with the values of the profile.
    #[arg(long)]
    print_settings: bool,
    /// Write to this file, or a file a page to this folder (one that exists, or a name that
    /// ends in a slash) [default: stdout].
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    net: NetArgs,
}

const FORMATS: &[Choice<OutputFormat>] = &[
    ("html", "The page with its layout", OutputFormat::Html),
    ("text", "Its text, a line a block", OutputFormat::Text),
    ("xhtml", "The page as well-formed XML", OutputFormat::Xhtml),
];

/// An address of the Web that the user typed.
pub fn web_url(typed: &str) -> Result<Url, String> {
    address(typed).ok_or_else(|| "give an address that begins with http or https".to_owned())
}

impl FilterArgs {
    fn settings(&self) -> anyhow::Result<FilterSettings> {
        let Some(path) = &self.settings else {
            return filter_settings::of_profile(self.profile.as_deref());
        };
        filter_settings::read(path).with_context(|| format!("--settings {}", path.display()))
    }
}

/// Writes the pages of the sources, filtered.
///
/// # Errors
///
/// If the arguments do not fit, a list or the settings cannot be read, or the output cannot
/// be written.
pub fn run(args: FilterArgs, global: &Global) -> anyhow::Result<Exit> {
    if let Some(url) = &args.update_ads {
        ad_lists::update(url, &Network::new(args.net.clone(), global), global)?;
    }
    let settings = args.settings()?;
    if args.print_settings {
        global.print(settings.to_yaml().as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.sources.is_empty() {
        return Ok(Exit::Done);
    }
    let sources = SourceArgs::default().sources(args.net.clone(), global)?;
    let format = args.format.unwrap_or(settings.output);
    let filter = ClutterFilter {
        engine: FilterEngine::with_ads(settings, ad_lists::read(&args.ads, global)?),
        format,
        limit: sources.page_limit(),
    };
    let mut run = FilterCommand {
        format,
        sink: OutputSink::open(args.out.as_deref(), global)?,
        global,
        good: 0,
        all: 0,
    };
    let mut unopened = 0;
    for typed in &args.sources {
        match sources.open_documents(typed) {
            Ok(pages) => run.apply(pages, &sources, &filter)?,
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
    Ok(Exit::of(run.good, run.all + unopened))
}

/// A run of the command.
struct FilterCommand<'a> {
    format: OutputFormat,
    sink: OutputSink<'a>,
    global: &'a Global,
    good: usize,
    all: usize,
}

/// Filters pages.
struct ClutterFilter {
    engine: FilterEngine,
    format: OutputFormat,
    /// Bytes of a page at the most.
    limit: usize,
}

/// A filtered page as it is written.
struct FilteredPage {
    text: String,
    warnings: Vec<String>,
    /// The size before and after, for users of `--verbose`.
    summary: String,
}

impl FilterCommand<'_> {
    fn apply(
        &mut self,
        pages: PageRefs,
        sources: &Sources,
        filter: &ClutterFilter,
    ) -> anyhow::Result<()> {
        let progress = self.global.progress("pages", None);
        sources.for_each_page(
            pages,
            |_, page| filter.page(page),
            |page| {
                progress.step();
                self.all += 1;
                match page {
                    Ok((id, page)) => self.write(&id, &page)?,
                    Err(error) => self
                        .global
                        .warn(format_args!("{}: {}", error.id, error.reason)),
                }
                Ok(())
            },
        )
    }

    fn write(&mut self, id: &str, page: &FilteredPage) -> anyhow::Result<()> {
        for warning in &page.warnings {
            self.global.warn(format_args!("{id}: {warning}"));
        }
        self.global.detail(format_args!("{id}: {}", page.summary));
        let text = &page.text;
        self.good += 1;
        if let OutputSink::Folder(folder) = &mut self.sink {
            let extension = match self.format {
                OutputFormat::Html => "html",
                OutputFormat::Text => "txt",
                OutputFormat::Xhtml => "xhtml",
            };
            let packed = id.strip_suffix(".gz").unwrap_or(id);
            let stem = packed.strip_suffix(".html").unwrap_or(packed);
            return folder.put(stem, extension, text.as_bytes());
        }
        if self.good > 1 && self.format != OutputFormat::Text {
            bail!("two pages in one are no page: give one SOURCE, or a folder with --out DIR/");
        }
        let between = if self.good > 1 { "\n" } else { "" };
        self.sink.add(format!("{between}{text}").as_bytes())
    }
}

impl ClutterFilter {
    fn page(&self, page: FoundPage) -> Result<(String, FilteredPage), PageError> {
        let loaded = load(page, self.limit)?;
        let filtered = catch_unwind(AssertUnwindSafe(|| {
            let (bytes, limit) = (&loaded.content.bytes, loaded.limit);
            let page = self.engine.parse_within(bytes, loaded.source(), limit);
            self.written(&self.engine.filter(&page))
        }));
        match filtered {
            Ok(filtered) => Ok((loaded.id, filtered)),
            Err(_) => Err(PageError {
                id: loaded.id,
                url: loaded.content.url.clone(),
                reason: CRASHED.to_owned(),
            }),
        }
    }

    fn written(&self, filtered: &Filtered<'_>) -> FilteredPage {
        let document = filtered_document(filtered, self.format);
        let parse = filtered.page().warnings().iter().map(ToString::to_string);
        let (before, after) = (filtered.before(), filtered.after());
        let words = counted(before.words, "word", "words");
        let links = counted(before.links, "link", "links");
        let images = counted(before.images, "image", "images");
        FilteredPage {
            summary: format!(
                "{} of {words}, {} of {links}, {} of {images} stay",
                after.words, after.links, after.images
            ),
            warnings: parse
                .chain(document.warnings.iter().map(ToString::to_string))
                .collect(),
            text: document.text,
        }
    }
}
