//! `forest site try`: shows the nodes that an expression selects on pages.

use super::diff::{plain, short};
use crate::cli::net::NetArgs;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global};
use anyhow::{anyhow, bail};
use forest_core::render::text;
use forest_core::wrapper::xpath::{XPath, XPathFault};
use forest_html::error::counted;
use forest_html::page::{Mask, Page};
use forest_html::text::{visible, word_count};
use forest_sources::sources::{Html, PageError, PageRefs, load};
#[cfg(feature = "archive")]
use rayon::prelude::*;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Characters of an expression that are shown around a fault, to either side.
const AROUND: usize = 40;

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
    /// Try it on the newest archived pages of this site.
    #[cfg(feature = "archive")]
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Show this number of pages at the most.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Show this number of texts of a page at the most.
    #[arg(long, value_name = "N", default_value_t = 3)]
    texts: u16,
    /// Write a line of JSON a page.
    #[arg(long)]
    json: bool,
    /// Use the archive in this folder for --site [default: the user's own].
    #[cfg(feature = "archive")]
    #[arg(long, value_name = "DIR", requires = "site")]
    archive: Option<std::path::PathBuf>,
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

/// The selection on a page.
struct PageSelection {
    id: String,
    /// Nodes, or values.
    count: usize,
    /// Words (metric tokens) of an article made of them.
    words: usize,
    /// The beginnings of the first texts.
    texts: Vec<String>,
}

pub fn run(args: TryArgs, global: &Global) -> anyhow::Result<Exit> {
    let xpath = expression(&args)?;
    #[cfg(feature = "archive")]
    if let Some(site) = &args.site {
        return in_archive(&args, site, &xpath, global);
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
            let (pages, more) = first_of(pages, usize::from(args.limit) - tally.pages);
            let select = |_, page| {
                let loaded = load(page, sources.page_limit())?;
                Ok(selected(&xpath, &loaded.parse(), &loaded.id, &args))
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

#[cfg(feature = "archive")]
fn in_archive(args: &TryArgs, site: &str, xpath: &XPath, global: &Global) -> anyhow::Result<Exit> {
    use forest_html::page::Source;
    if !args.typed.is_empty() {
        bail!(
            "--site reads the pages of an archive: leave out {}",
            args.typed[0]
        );
    }
    let dir = match &args.archive {
        Some(dir) => dir.clone(),
        None => crate::cli::archive_dir::ArchiveArgs::default().dir(global)?,
    };
    let reader = forest_archive::ArchiveReader::open(&dir)?;
    let limit = usize::from(args.limit);
    let mut pages = reader.latest_pages(site, limit + 1)?;
    if pages.is_empty() {
        return crate::cli::stored::nothing("nothing to try it on", Some(site), &reader, global);
    }
    let mut tally = TrialTally {
        more: pages.len() > limit,
        ..TrialTally::default()
    };
    pages.truncate(limit);
    tally.pages = pages.len();
    let selected = pages.par_iter().map(|page| {
        let raw = &page.raw;
        let source = Source {
            url: Some(&raw.url),
            content_type: raw.content_type.as_deref(),
        };
        selected(xpath, &Page::parse(&raw.body, source), &raw.url, args)
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
            anyhow!(shown("--css", source, &fault, remedy))
        });
    }
    let source = args.xpath.as_deref().unwrap_or_default();
    let refused = |fault: &XPathFault, remedy| {
        let remedy = match XPath::from_css(source) {
            Ok(_) => CSS_REMEDY,
            Err(_) => remedy,
        };
        anyhow!(shown("--xpath", source, fault, remedy))
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

/// A fault with its place: the column, from 1, and the text there.
fn shown(option: &str, source: &str, fault: &XPathFault, remedy: &str) -> String {
    let mut out = option.to_owned();
    if let Some(byte) = fault.byte {
        let at = source.floor_char_boundary(byte);
        let (before, behind) = source.split_at(at);
        let column = before.chars().count() + 1;
        let skipped = before.chars().count().saturating_sub(AROUND);
        let before: String = before.chars().skip(skipped).collect();
        let behind: String = behind.chars().take(AROUND).collect();
        let _ = match (&*before, &*behind) {
            ("", behind) => write!(out, ", column 1, at `{behind}`"),
            (before, "") => write!(out, ", at its end, behind `{before}`"),
            (before, behind) => {
                write!(out, ", column {column}, at `{behind}`, behind `{before}`")
            }
        };
    }
    let _ = write!(out, ": {}; {remedy}", fault.reason);
    out
}

fn selected(xpath: &XPath, page: &Page, id: &str, args: &TryArgs) -> PageSelection {
    let most = usize::from(args.texts);
    let own = xpath.own_nodes(page);
    let (count, words, texts) = if own.is_empty() {
        // Attributes, or a value that is no node.
        let values = xpath.strings(page);
        let words = values.iter().map(|value| word_count(value)).sum();
        let count = xpath.nodes(page).len().max(values.len());
        (count, words, values.into_iter().take(most).collect())
    } else {
        let words = word_count(&text(page, &Mask::subtrees(page, &own)));
        let each = own.iter().take(most);
        let texts: Vec<String> = each
            .map(|&n| text(page, &Mask::subtrees(page, &[n])))
            .collect();
        (own.len(), words, texts)
    };
    let texts = texts.iter().map(|text| short(&visible(text)));
    PageSelection {
        id: id.to_owned(),
        count,
        words,
        texts: texts.collect(),
    }
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
        let PageSelection {
            id,
            count,
            words,
            texts,
        } = page;
        let json = serde_json::json!({"id": id, "count": count, "words": words, "texts": texts});
        Ok(global.print_json(&json)?)
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

impl PageSelection {
    fn for_a_person(&self) -> String {
        let mut out = format!(
            "{}: {}, {}\n",
            plain(&visible(&self.id)),
            counted(self.count, "node", "nodes"),
            counted(self.words, "word", "words")
        );
        for text in &self.texts {
            let text = if text.trim().is_empty() {
                "(no text)"
            } else {
                text
            };
            let _ = writeln!(out, "    {text}");
        }
        match self.count.saturating_sub(self.texts.len()) {
            0 => {}
            more => {
                let _ = writeln!(out, "    and {more} more");
            }
        }
        out
    }
}
