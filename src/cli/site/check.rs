//! `forest site check`: whether wrappers still find the articles of their sites.

use super::rules::{files, read_any};
use crate::cli::net::NetArgs;
use crate::cli::progress::Progress;
use crate::cli::source::{
    Html, Lead, Leads, Place, Source, SourceArgs, Sources, Trouble, gold_of, load,
};
use crate::cli::{Exit, Global, sites};
use anyhow::bail;
use forest::drift::{PageObservation, Verdict, WrapperReport, observe, report, unread};
use forest::error::counted;
use forest::eval::GoldTexts;
use forest::extract::{Extractor, Status};
use forest::learn::site_of;
use rayon::prelude::*;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Pages that are worked on at once.
const CHUNK: usize = 64;

/// Check whether wrappers still find the articles of their sites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
WRAPPER is a wrapper, an ftr-site-config file (.txt), a folder of them, or a schema of
crawl4ai (.json). PAGES is a folder of pages, a page, a feed, a list of addresses, a
WARC file, or - for stdin, as `forest apply` takes them. Where a feed leads to the pages, the words that it has for
them are looked for in the articles; where a .json beside a page has the right text
(gold), the article is compared with it.

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
    /// Wrappers, then the pages.
    #[arg(required = true, num_args = 2.., value_names = ["WRAPPER", "PAGES"])]
    paths: Vec<String>,
    /// Write JSON, a line a wrapper.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    net: NetArgs,
}

/// A wrapper with what was seen of its pages.
struct Case {
    extractor: Extractor,
    /// Pages of its site.
    own: Vec<PageObservation>,
    /// Others, which count where there are no own ones.
    others: Vec<PageObservation>,
}

pub fn run(args: CheckArgs, global: &Global) -> anyhow::Result<Exit> {
    let Some((pages, wrappers)) = args.paths.split_last() else {
        bail!("give wrappers and pages");
    };
    let (mut cases, mut failed) = cases(wrappers, global)?;
    let sources = Sources::new(args.source, args.net, global)?;
    let mut strays = 0;
    let progress = global.progress("pages", None);
    for source in sources.open(pages, Html::Page)? {
        let opened = match source {
            Source::Opened(opened) => Ok(opened),
            Source::Feed(url) => sources.open_feed(&url),
        };
        match opened {
            Ok(mut opened) => {
                strays += check_all(&mut cases, &mut opened.leads, &sources, &progress)?
            }
            Err(error) => {
                global.warn(format_args!("forest: {error:#}"));
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
    match args.json {
        true => {
            for report in &reports {
                let line = serde_json::to_string(report)? + "\n";
                global.print(line.as_bytes())?;
            }
        }
        false => global.print(table(&reports).as_bytes())?,
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

/// The wrappers, and how many could not be read. One that cannot is reported and
/// the others are checked, unless it is the only one.
fn cases(wrappers: &[String], global: &Global) -> anyhow::Result<(Vec<Case>, usize)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for typed in wrappers {
        paths.extend(files(typed.as_ref())?);
    }
    let (mut cases, mut failed) = (Vec::new(), 0);
    for path in &paths {
        let read = read_any(path, global).and_then(|wrapper| Ok(Extractor::new(wrapper)?));
        match read {
            Ok(extractor) => cases.push(Case {
                extractor,
                own: Vec::new(),
                others: Vec::new(),
            }),
            Err(error) if paths.len() == 1 => return Err(error),
            Err(error) => {
                global.warn(format_args!("forest: {error:#}"));
                failed += 1;
            }
        }
    }
    Ok((cases, failed))
}

/// Looks at pages with the wrappers that they are for; gives the number of those
/// that are for none.
fn check_all(
    cases: &mut [Case],
    leads: &mut Leads,
    sources: &Sources<'_>,
    progress: &Progress,
) -> anyhow::Result<usize> {
    let mut strays = 0;
    loop {
        let chunk: Vec<_> = leads.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return Ok(strays);
        }
        // What is fetched comes one by one, what is here at once.
        let mut fetched = 0;
        let chunk = sources.fetch(chunk, || {
            progress.step();
            fetched += 1;
        })?;
        (fetched..chunk.len()).for_each(|_| progress.step());
        let (shared, limit) = (&*cases, sources.page_limit());
        let looked = chunk.into_par_iter().map(|lead| one(shared, lead, limit));
        for looked in looked.collect::<Vec<Looked>>() {
            match looked.case {
                Some(at) if looked.own => cases[at].own.push(looked.seen),
                Some(at) => cases[at].others.push(looked.seen),
                None => strays += 1,
            }
        }
    }
}

/// A page that was looked at.
struct Looked {
    /// The wrapper that it was looked at with.
    case: Option<usize>,
    /// It is of that wrapper's site.
    own: bool,
    seen: PageObservation,
}

fn one(cases: &[Case], lead: Result<Lead, Trouble>, limit: usize) -> Looked {
    let alone = (cases.len() == 1).then_some(0);
    let looked = |of_site: Option<usize>, seen| Looked {
        case: of_site.or(alone),
        own: of_site.is_some(),
        seen,
    };
    let folder = lead.as_ref().ok().and_then(|lead| lead.folder.clone());
    let gold = match &lead {
        Ok(Lead {
            place: Place::File(path),
            ..
        }) => gold_of(path),
        _ => None,
    };
    let loaded = match lead.and_then(|lead| load(lead, limit)) {
        Ok(loaded) => loaded,
        Err(trouble) => {
            let at = of_site(cases, trouble.url.as_deref(), folder.as_deref());
            return looked(at, unread(&trouble.id, &trouble.reason));
        }
    };
    let at = of_site(cases, loaded.here.url.as_deref(), folder.as_deref());
    let Some(case) = at.or(alone) else {
        return looked(None, unread(&loaded.id, "of no wrapper's site"));
    };
    let extractor = &cases[case].extractor;
    // What the feed says of it, where a feed led to it.
    let said = loaded.item.as_ref();
    let said = said.map(|item| format!("{}\n{}", item.title, item.summary));
    let seen = catch_unwind(AssertUnwindSafe(|| {
        let page = loaded.parse_for(extractor);
        observe(
            extractor,
            &loaded.id,
            &page.into(),
            said.as_deref(),
            |text| {
                let mut gold = GoldTexts::new(gold.as_ref()?.iter().map(String::as_str));
                Some(gold.score(&loaded.id, text).two_gram.f1)
            },
        )
    }));
    let crashed = |_| unread(&loaded.id, "forest crashed on this page: please report it");
    looked(at, seen.unwrap_or_else(crashed))
}

/// The wrapper of a page's host, else of its folder.
fn of_site(cases: &[Case], url: Option<&str>, folder: Option<&str>) -> Option<usize> {
    let host = site_of(url);
    let names = host.iter().flat_map(|host| sites::names_of(host));
    let mut names = names.chain(folder.map(str::to_owned));
    names.find_map(|name| {
        let site = |case: &Case| case.extractor.wrapper().site == name;
        cases.iter().position(site)
    })
}

/// What a person reads: a line a wrapper, and below it why.
fn table(reports: &[WrapperReport]) -> String {
    let wide = reports.iter().map(|report| report.site.chars().count());
    let wide = wide.max().unwrap_or(0).max(4);
    let mut out = format!(
        "{:wide$}  {:8}  {:>5}  {:>5}  {:>8}  {:>5}  {:>7}  {:>5}  {:>10}",
        "site", "verdict", "pages", "ok", "degraded", "empty", "blocked", "error", "confidence"
    );
    let scores =
        |report: &WrapperReport| report.pages.iter().filter_map(|p| p.f1).collect::<Vec<_>>();
    let gold = reports.iter().any(|report| !scores(report).is_empty());
    if gold {
        let _ = write!(out, "  {:>6}", "F1");
    }
    out.push('\n');
    for report in reports {
        let count = |status| report.pages.iter().filter(|p| p.status == status).count();
        let confidence: Vec<f64> = report.pages.iter().map(|page| page.confidence).collect();
        let _ = write!(
            out,
            "{:wide$}  {:8}  {:>5}  {:>5}  {:>8}  {:>5}  {:>7}  {:>5}  {:>10.3}",
            report.site,
            report.verdict,
            report.pages.len(),
            count(Status::Ok),
            count(Status::Degraded),
            count(Status::Empty),
            count(Status::Blocked),
            count(Status::Error),
            mean(&confidence)
        );
        match &scores(report)[..] {
            [] if gold => out.push_str("       -"),
            [] => {}
            scores => {
                let _ = write!(out, "  {:>6.3}", mean(scores));
            }
        }
        out.push('\n');
        for why in &report.why {
            let _ = writeln!(out, "    {why}");
        }
    }
    out
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
