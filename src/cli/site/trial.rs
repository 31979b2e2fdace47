//! `forest site try`: shows the nodes that an expression selects on pages.

use crate::cli::archived::ArchivedPagesArgs;
use crate::cli::net::NetArgs;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global};
use anyhow::{anyhow, bail};
use forest_core::explain::{PageSelection, shown_fault};
use forest_core::wrapper::xpath::{XPath, XPathFault};
use forest_html::error::counted;
use forest_html::page::{Page, Source};
use forest_sources::sources::{Html, PageContent, PageError, PageRefs, load};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const CSS_REMEDY: &str = "it reads as a CSS selector: give it with --css";

/// Show the nodes that an expression selects on pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
PAGE is a page, a folder of pages, a feed, a list of addresses, a WARC ..., as for apply.
Of each page the command shows the number of selected nodes, the number of words of an
article made of them, and the beginning of each text.

Exit: 0 done, 1 nothing is selected on any page, 2 it is no expression, 3 some pages
could not be read.

Examples:
  forest site try --xpath \"//div[@class='story']//p\" saved/
  forest site try --css 'article > p:not(.ad)' https://www.example.org/a
  forest site try --xpath '//h1 | //h2' --site www.example.org --json")]
pub struct TryArgs {
    /// Try this expression of XPath 1.0.
    #[arg(
        long,
        value_name = "EXPRESSION",
        required_unless_present = "css",
        conflicts_with = "css"
    )]
    xpath: Option<String>,
    /// Try this CSS selector; it may have the additions ::text, ::attr() and :contains().
    #[arg(long, value_name = "SELECTOR")]
    css: Option<String>,
    /// Try it on these pages.
    #[arg(value_name = "PAGE")]
    typed: Vec<String>,
    #[command(flatten)]
    archived: ArchivedPagesArgs,
    /// Show this number of pages at the most.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Show this number of texts of a page at the most.
    #[arg(long, value_name = "N", default_value_t = 3)]
    texts: u16,
    /// Write a line of JSON a page.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    net: NetArgs,
}

/// The counts of the pages so far.
#[derive(Default)]
struct TrialTally {
    pages: usize,
    selecting: usize,
    failed: usize,
    /// True if there are more pages than --limit.
    more: bool,
}

pub fn run(args: TryArgs, global: &Global) -> anyhow::Result<Exit> {
    let xpath = expression(&args)?;
    let limit = usize::from(args.limit);
    if let Some(pages) = args.archived.pages(&args.typed, limit + 1, global)? {
        return in_archive(&args, pages, &xpath, global);
    }
    if args.typed.is_empty() {
        let or_site = if cfg!(feature = "archive") {
            ", or with --site those of an archive"
        } else {
            ""
        };
        bail!("give pages{or_site}");
    }
    let sources = args.source.clone().sources(args.net.clone(), global)?;
    let mut tally = TrialTally::default();
    for typed in &args.typed {
        for source in sources.open(typed, Html::Page)? {
            let pages = source.open(&sources)?.pages;
            let (pages, more) = first_of(pages, limit - tally.pages);
            let select = |_, page| {
                let loaded = load(page, sources.page_limit())?;
                let texts = usize::from(args.texts);
                Ok(PageSelection::of(
                    &xpath,
                    &loaded.parse(),
                    &loaded.id,
                    texts,
                ))
            };
            let show = |page: Result<PageSelection, PageError>| {
                tally.pages += 1;
                match page {
                    Ok(page) => tally.show(&page, &args, global)?,
                    Err(error) => {
                        tally.failed += 1;
                        global.warn(format_args!("{}: {}", error.id, error.reason));
                    }
                }
                Ok::<_, anyhow::Error>(())
            };
            sources.for_each_page(pages, select, show)?;
            tally.more |= more.load(Ordering::Relaxed);
        }
    }
    Ok(tally.end(&xpath, global))
}

/// The first pages of a source, and whether there are more, which is known when they were read.
fn first_of(pages: PageRefs, most: usize) -> (PageRefs, Arc<AtomicBool>) {
    let more = Arc::new(AtomicBool::new(false));
    let (seen, mut left) = (Arc::clone(&more), most);
    let first = pages.take_while(move |_| {
        seen.store(left == 0, Ordering::Relaxed);
        left = left.saturating_sub(1);
        !seen.load(Ordering::Relaxed)
    });
    (Box::new(first), more)
}

/// Tries it on pages of an archive; one more than the limit says that there are more.
fn in_archive(
    args: &TryArgs,
    mut pages: Vec<PageContent>,
    xpath: &XPath,
    global: &Global,
) -> anyhow::Result<Exit> {
    if pages.is_empty() {
        return Ok(Exit::Nothing);
    }
    let limit = usize::from(args.limit);
    let mut tally = TrialTally {
        more: pages.len() > limit,
        ..TrialTally::default()
    };
    pages.truncate(limit);
    tally.pages = pages.len();
    let selected = pages.par_iter().map(|content| {
        let source = Source {
            url: content.url.as_deref(),
            content_type: content.content_type.as_deref(),
        };
        let id = source.url.unwrap_or_default();
        let texts = usize::from(args.texts);
        PageSelection::of(xpath, &Page::parse(&content.bytes, source), id, texts)
    });
    for page in selected.collect::<Vec<_>>() {
        tally.show(&page, args, global)?;
    }
    Ok(tally.end(xpath, global))
}

/// The typed expression.
fn expression(args: &TryArgs) -> anyhow::Result<XPath> {
    if let Some(source) = args.css.as_deref() {
        return XPath::from_css(source).map_err(|fault| {
            let remedy = match XPath::compile(source) {
                Ok(_) => "it reads as XPath: give it with --xpath",
                Err(_) => "a selector is written like div.story > p",
            };
            anyhow!(shown_fault("--css", source, &fault, remedy))
        });
    }
    let source = args.xpath.as_deref().unwrap_or_default();
    let refused = |fault: &XPathFault, remedy| {
        let remedy = match XPath::from_css(source) {
            Ok(_) => CSS_REMEDY,
            Err(_) => remedy,
        };
        anyhow!(shown_fault("--xpath", source, fault, remedy))
    };
    let written = "an expression is written like //div[@class='story']//p";
    let xpath = XPath::compile(source).map_err(|fault| refused(&fault, written))?;
    let Some(reason) = xpath.unknown() else {
        return Ok(xpath);
    };
    // The name stands at the end of the reason.
    let name = reason.rsplit([' ', '$']).next().unwrap_or_default();
    let byte = source.find(name.trim_end_matches([')', '(']));
    Err(refused(
        &XPathFault { reason, byte },
        "XPath 1.0 compares by =, contains(), starts-with(), normalize-space() and translate()",
    ))
}

impl TrialTally {
    fn show(
        &mut self,
        page: &PageSelection,
        args: &TryArgs,
        global: &Global,
    ) -> anyhow::Result<()> {
        self.selecting += usize::from(page.count > 0);
        if !args.json {
            return Ok(global.print(page.for_a_person().as_bytes())?);
        }
        Ok(global.print_json(&serde_json::json!(page))?)
    }

    fn end(&self, xpath: &XPath, global: &Global) -> Exit {
        let more = self.more.then_some("; there are more: --limit");
        let more = more.unwrap_or_default();
        global.say(format_args!(
            "selects something on {} of {}{more}",
            self.selecting,
            counted(self.pages, "page", "pages")
        ));
        if self.selecting == 0 && !xpath.gives_nodes() {
            global.say("the expression gives a value, no nodes: a body or a strip needs nodes");
        }
        match (self.selecting, self.failed) {
            (0, _) => Exit::Nothing,
            (_, 0) => Exit::Done,
            _ => Exit::Partial,
        }
    }
}
