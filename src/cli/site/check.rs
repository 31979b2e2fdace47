//! `forest site check`: tests whether wrappers still find the articles of their sites.

use super::rules::{files, read_any};
use crate::cli::net::NetArgs;
use crate::cli::progress::WorkProgress;
use crate::cli::source::SourceArgs;
use crate::cli::{Exit, Global, sites};
use anyhow::bail;
use forest_core::drift::{PageObservation, Verdict, WrapperReport, observe, report, unread};
use forest_core::explain::verdict_table;
use forest_core::extract::{Extractor, Status};
use forest_eval::eval::GoldTexts;
use forest_html::address::site_of;
use forest_html::error::{CRASHED, counted};
use forest_sources::sources::{
    FoundPage, Html, PageLocation, PageRef, PageRefs, Sources, gold_of, load,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// A wrapper with the observations on its pages.
struct CheckedWrapper {
    extractor: Extractor,
    /// Pages of its site.
    own: Vec<PageObservation>,
    /// Other pages, which count if there are no own ones.
    others: Vec<PageObservation>,
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
            Ok(list) => strays += check_all(&mut cases, list.pages, &sources, &progress)?,
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
    for case in &mut cases {
        if case.own.is_empty() {
            case.own.append(&mut case.others);
        }
        let wrapper = case.extractor.wrapper();
        if case.own.is_empty() {
            failed += 1;
            global.warn(format_args!(
                "{}: none of the pages is of this site",
                wrapper.site
            ));
            continue;
        }
        reports.push(report(wrapper, case.extractor.matcher(), &case.own));
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
            Ok(extractor) => cases.push(CheckedWrapper {
                extractor,
                own: Vec::new(),
                others: Vec::new(),
            }),
            Err(error) if paths.len() == 1 => return Err(error),
            Err(error) => {
                global.warn_failed(&error);
                failed += 1;
            }
        }
    }
    Ok((cases, failed))
}

/// Checks pages with the wrappers of their sites; returns the number of pages of other
/// sites.
fn check_all(
    cases: &mut [CheckedWrapper],
    pages: PageRefs,
    sources: &Sources,
    progress: &WorkProgress,
) -> anyhow::Result<usize> {
    let (mut checked, mut strays) = (Vec::new(), 0);
    let (shared, limit) = (&*cases, sources.page_limit());
    let check = |_, page| one(shared, page, limit);
    sources.for_each_page(pages, check, |page| {
        progress.step();
        checked.push(page);
        Ok::<_, anyhow::Error>(())
    })?;
    for page in checked {
        match page.case {
            Some(at) if page.own => cases[at].own.push(page.seen),
            Some(at) => cases[at].others.push(page.seen),
            None => strays += 1,
        }
    }
    Ok(strays)
}

/// A page that was checked.
struct CheckedPage {
    /// Its wrapper.
    case: Option<usize>,
    /// True if it is of that wrapper's site.
    own: bool,
    seen: PageObservation,
}

fn one(cases: &[CheckedWrapper], page: FoundPage, limit: usize) -> CheckedPage {
    let alone = (cases.len() == 1).then_some(0);
    let looked = |of_site: Option<usize>, seen| CheckedPage {
        case: of_site.or(alone),
        own: of_site.is_some(),
        seen,
    };
    let folder = page.as_ref().ok().and_then(|page| page.folder.clone());
    let gold = match &page {
        Ok(PageRef {
            location: PageLocation::File(path),
            ..
        }) => gold_of(path),
        _ => None,
    };
    let loaded = match load(page, limit) {
        Ok(loaded) => loaded,
        Err(error) => {
            let at = of_site(cases, error.url.as_deref(), folder.as_deref());
            return looked(at, unread(&error.id, &error.reason));
        }
    };
    let at = of_site(cases, loaded.content.url.as_deref(), folder.as_deref());
    let Some(case) = at.or(alone) else {
        return looked(None, unread(&loaded.id, "of no wrapper's site"));
    };
    let extractor = &cases[case].extractor;
    let item = loaded.item.as_ref();
    let item = item.and_then(|item| item.text());
    let seen = catch_unwind(AssertUnwindSafe(|| {
        let page = loaded.parse_for(extractor);
        observe(
            extractor,
            &loaded.id,
            &(&page).into(),
            item.as_deref(),
            |text| {
                let mut gold = GoldTexts::new(gold.as_ref()?.iter().map(String::as_str));
                Some(gold.score(&loaded.id, text).two_gram.f1)
            },
        )
    }));
    let crashed = |_| unread(&loaded.id, CRASHED);
    looked(at, seen.unwrap_or_else(crashed))
}

/// The wrapper of a page's host, else of its folder.
fn of_site(cases: &[CheckedWrapper], url: Option<&str>, folder: Option<&str>) -> Option<usize> {
    let host = site_of(url);
    let names = host.iter().flat_map(|host| sites::names_of(host));
    let mut names = names.chain(folder.map(str::to_owned));
    names.find_map(|name| {
        let site = |case: &CheckedWrapper| case.extractor.wrapper().site == name;
        cases.iter().position(site)
    })
}
