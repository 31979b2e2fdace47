//! `forest site diff`: the differences of a wrapper from an earlier one.

use super::earlier::{WrapperArgs, checked, date, earlier, learned, none};
use crate::cli::net::NetArgs;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global};
use chrono::{DateTime, FixedOffset};
use forest_core::explain::{PageDiff, shown_differences};
use forest_core::extract::Extractor;
use forest_core::wrapper::changes::changes;
use forest_sources::sources::{PageError, Sources, load};

/// Pages that are compared at the most.
const MAX_PAGES: usize = 1000;

/// Show the differences of a wrapper from an earlier one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Expressions with - are those of the earlier wrapper alone, with + of the active one. With
PAGES the same is shown of lines of text, page by page.

Exit: 0 done, 1 there is no earlier wrapper, 3 pages could not be read.

Examples:
  forest site diff example.org
  forest site diff sites/example.org.yaml --from 2026-05-01 saved/")]
pub struct DiffArgs {
    #[command(flatten)]
    chosen: WrapperArgs,
    /// Compare the texts of these pages: a folder, a list of addresses, a WARC or ARC.
    #[arg(value_name = "PAGES")]
    compared: Option<String>,
    /// Compare with the wrapper that was active at this time: a day, or RFC 3339 [default:
    /// the last earlier one].
    #[arg(long, value_name = "DATE", value_parser = date)]
    from: Option<DateTime<FixedOffset>>,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    net: NetArgs,
}

pub fn run(args: DiffArgs, global: &Global) -> anyhow::Result<Exit> {
    let (path, file) = args.chosen.read(global)?;
    let new = file.wrapper;
    let Some(retired) = earlier(&new, args.from).cloned() else {
        global.warn(none(&path, args.from));
        return Ok(Exit::Nothing);
    };
    let old = retired.restored(&new);
    checked(&old, &path)?;
    let found = changes(&old, &new);
    let title = format!(
        "{}: learned {}, active until {}, against that learned {}",
        new.site,
        learned(old.learned.as_deref()),
        retired.until,
        learned(new.learned.as_deref())
    );
    let (mut pages, mut failed) = (Vec::new(), 0);
    if let Some(typed) = &args.compared {
        let extractors = [Extractor::new(old)?, Extractor::new(new.clone())?];
        let sources = args.source.sources(args.net, global)?;
        (pages, failed) = compared(&extractors, typed, &sources, global)?;
    }
    if args.json {
        global.print_json(&serde_json::json!({
            "site": new.site,
            "old": { "learned": retired.learned, "until": retired.until },
            "new": { "learned": new.learned },
            "changes": found,
            "pages": pages.iter().map(PageDiff::json).collect::<Vec<_>>(),
        }))?;
    } else {
        let pages = args.compared.is_some().then_some(&pages[..]);
        global.print(shown_differences(&title, &found, pages).as_bytes())?;
    }
    Ok(Exit::Partial.unless(failed == 0))
}

/// The texts on each page, and the number of unreadable pages.
fn compared(
    extractors: &[Extractor; 2],
    typed: &str,
    sources: &Sources,
    global: &Global,
) -> anyhow::Result<(Vec<PageDiff>, usize)> {
    let (mut pages, mut failed) = (Vec::new(), 0);
    for list in sources.open_pages(typed, "")? {
        let compare = |_, page| {
            let page = load(page, sources.page_limit())?;
            let url = page.content.url.as_deref();
            Ok(PageDiff::of_page(extractors, &page.id, url, |of| {
                page.parse_for(of)
            }))
        };
        let add = |page: Result<Option<PageDiff>, PageError>| {
            match page {
                Ok(page) => pages.extend(page),
                Err(error) => {
                    failed += 1;
                    global.warn(format_args!("{}: {}", error.id, error.reason));
                }
            }
            Ok::<_, anyhow::Error>(())
        };
        sources.for_each_page(Box::new(list.pages.take(MAX_PAGES)), compare, add)?;
    }
    Ok((pages, failed))
}
