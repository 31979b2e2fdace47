//! `forest site check`: tests whether wrappers still find the articles of their sites.

use super::rules::{files, read_any};
use crate::cli::net::NetArgs;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global};
use anyhow::bail;
use forest_core::drift::{Verdict, WrapperReport};
use forest_core::explain::verdict_table;
use forest_core::extract::{Extractor, Status};
use forest_eval::eval::{CheckedWrapper, check_pages};
use forest_html::error::counted;
use forest_sources::sources::Html;
use std::path::PathBuf;

/// Check whether wrappers still find the articles of their sites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
WRAPPER is a wrapper, an ftr-site-config file (.txt), a folder of them, or a schema of
crawl4ai (.json). PAGES is a folder of pages, a page, a feed, a list of addresses, a
WARC file, or - for stdin, as for `forest apply`. If a feed leads to the pages, its words
for them are searched in the articles; if a .json beside a page has the right text (gold),
the article is compared with it.

The pages of a wrapper are those of its site, by their host or the name of their
folder; a single wrapper takes all pages if none is of its site.

Verdicts: ok; degraded, some articles or a field are lost; drift, the wrapper no
longer fits and should be learned again; blocked, the pages do not show their
articles.

Exit: 0 all are ok or degraded, 1 one has drifted, 3 a wrapper was blocked, had no
pages, or had pages that could not be read.

Examples:
  forest site check sites/example.org.yaml saved/
  forest site check ftr-site-config/ crawl.warc.gz --json
  forest site check sites/ gold/")]
pub struct CheckArgs {
    /// Check these wrappers on the pages of the last argument.
    #[arg(required = true, num_args = 2.., value_names = ["WRAPPER", "PAGES"])]
    paths: Vec<String>,
    /// Write a line of JSON a wrapper.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    net: NetArgs,
}

pub fn run(args: CheckArgs, global: &Global) -> anyhow::Result<Exit> {
    let Some((pages, wrappers)) = args.paths.split_last() else {
        bail!("give wrappers and pages");
    };
    let (mut cases, mut failed) = cases(wrappers, global)?;
    let sources = args.source.sources(args.net, global)?;
    let mut strays = 0;
    let progress = global.progress("pages", None);
    for source in sources.open(pages, Html::Page)? {
        match source.open(&sources) {
            Ok(list) => {
                strays += check_pages(&mut cases, list.pages, &sources, &|| progress.step())?
            }
            Err(error) => {
                global.warn_failed(&error.into());
                failed += 1;
            }
        }
    }
    drop(progress);
    if strays > 0 {
        let strays = counted(strays, "page is", "pages are");
        global.say(format_args!("{strays} of none of the wrappers' sites"));
    }
    let mut reports = Vec::new();
    for case in cases {
        let site = case.site().to_owned();
        let Some(report) = case.report() else {
            failed += 1;
            global.warn(format_args!("{site}: none of the pages is of this site"));
            continue;
        };
        reports.push(report);
    }
    if !args.json {
        global.print(verdict_table(&reports).as_bytes())?;
    }
    for report in reports.iter().filter(|_| args.json) {
        global.print(format!("{}\n", serde_json::to_string(report)?).as_bytes())?;
    }
    Ok(exit(&reports, failed))
}

fn exit(reports: &[WrapperReport], failed: usize) -> Exit {
    let any = |verdict| reports.iter().any(|report| report.verdict == verdict);
    let unread =
        |report: &WrapperReport| report.pages.iter().any(|page| page.status == Status::Error);
    if reports.is_empty() || any(Verdict::Drift) {
        Exit::Nothing
    } else if failed > 0 || any(Verdict::Blocked) || reports.iter().any(unread) {
        Exit::Partial
    } else {
        Exit::Done
    }
}

/// The wrappers, and the number of unreadable ones. An unreadable wrapper is reported and
/// the others are checked, unless it is the only one.
fn cases(wrappers: &[String], global: &Global) -> anyhow::Result<(Vec<CheckedWrapper>, usize)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for typed in wrappers {
        paths.extend(files(typed.as_ref())?);
    }
    let (mut cases, mut failed) = (Vec::new(), 0);
    for path in &paths {
        let read = read_any(path, global).and_then(|wrapper| Ok(Extractor::new(wrapper)?));
        match read {
            Ok(extractor) => cases.push(CheckedWrapper::new(extractor)),
            Err(error) if paths.len() == 1 => return Err(error),
            Err(error) => {
                global.warn_failed(&error);
                failed += 1;
            }
        }
    }
    Ok((cases, failed))
}
