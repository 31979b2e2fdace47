//! `forest harvest refetch`: visits pages of the archive again at once.

use super::interrupt::stop_flag;
use super::messages::{log, say_page};
use super::notify::{NotifyArgs, finish, send};
use super::run::fetcher;
use crate::cli::archived::archive_dir::WrittenArchiveArgs;
use crate::cli::archived::stored::nothing;
use crate::cli::net::NetArgs;
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use forest_archive::{Archive, ArchiveReader, Stored, UrgentRequest, request_now};
use forest_harvest::report::stored_name;
use forest_harvest::{Harvest, HarvestOptions, HarvestProgress, SystemClock, Until};
use forest_html::error::counted;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// Visit pages of the archive again at once, and store their changes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
URL is the address of an article, or of a page that gave none so far. It is requested with
the page's ETag, as in a harvest; the back-off of hosts and robots.txt hold. If a harvest
runs already, it visits the page. A site whose names have changed since is learned again, as
in a harvest: what is found without its wrapper counts as doubtful until then. The exit code
is 3 if some of the pages show no article or were not visited, 1 if no page shows one.

Examples:
  forest harvest refetch https://news.example.org/2026/a-correction
  forest harvest refetch --site news.example.org
  forest harvest refetch --json https://news.example.org/1 https://news.example.org/2")]
pub struct RefetchArgs {
    /// Visit the pages with these addresses.
    #[arg(required_unless_present = "site", value_name = "URL")]
    urls: Vec<String>,
    /// Visit all pages of this site.
    #[arg(long, value_name = "SITE")]
    site: Option<String>,
    /// Write a line of JSON a page.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
    #[command(flatten)]
    notify: NotifyArgs,
    #[command(flatten)]
    net: NetArgs,
}

pub fn run(mut args: RefetchArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    let reader = ArchiveReader::open(&dir)?;
    if let Some(site) = &args.site {
        let pages = reader.visited_pages(site)?;
        if pages.is_empty() {
            return nothing("nothing visited", Some(site), &reader, global);
        }
        args.urls.extend(pages);
    }
    let known = known(&args.urls, &reader, global)?;
    drop(reader);
    if known.is_empty() {
        return Ok(Exit::Nothing);
    }
    match Archive::open(&dir, args.archive.options(global)) {
        Ok(archive) => visit(&args, archive, &known, global),
        Err(error) if error.is_archive_locked() => ask_other(&args, &dir, known, global),
        Err(error) => Err(error.into()),
    }
}

/// The addresses of pages in the archive; warns of the others.
fn known(
    typed: &[String],
    archive: &ArchiveReader,
    global: &Global,
) -> anyhow::Result<Vec<String>> {
    let mut known = Vec::new();
    for url in typed {
        match archive.page_of(url)? {
            Some(page) if page.url.starts_with("http") => known.push(url.clone()),
            Some(_) => global.warn(format_args!("{url}: came from a file, not from the web")),
            None => global.warn(format_args!(
                "{url}: the archive has no such page: `forest search` finds articles"
            )),
        }
    }
    Ok(known)
}

fn visit(
    args: &RefetchArgs,
    mut archive: Archive,
    known: &[String],
    global: &Global,
) -> anyhow::Result<Exit> {
    let stop = stop_flag()?;
    let fetcher = fetcher(&args.net, archive.dir(), global)?;
    let options = HarvestOptions::default();
    let mut harvest = Harvest::new(&mut archive, &fetcher, Arc::new(SystemClock), options)?
        .with_stop(stop)
        .with_wanted_only();
    harvest.visit_now(known)?;
    let notifier = args.notify.notifier(args.net.user_agent(global), global)?;
    let progress = global.progress("pages", Some(known.len()));
    let (mut good, mut printed) = (0, Ok(()));
    let result = harvest.run(Until::Idle, &mut |event| {
        send(notifier.as_ref(), event, now());
        let HarvestProgress::Page {
            url,
            status,
            stored,
            error,
            ..
        } = event
        else {
            return log(event);
        };
        progress.step();
        good += usize::from(!matches!(stored, Stored::Nothing | Stored::Forgotten));
        say_page(event, global);
        if args.json && printed.is_ok() {
            let stored = stored_name(*stored);
            let json = json!({"url": url, "stored": stored, "status": status, "error": error});
            printed = global.print_json(&json);
        }
    });
    drop(progress);
    finish(notifier, global);
    result.context("not all pages were visited; what was stored is safe")?;
    printed?;
    for url in harvest.unvisited() {
        global.warn(format_args!(
            "{url}: not visited: its host is left alone for now, since it failed or asked for it"
        ));
    }
    Ok(Exit::of(good, args.urls.len()))
}

/// Asks the harvest that runs to visit the pages.
fn ask_other(
    args: &RefetchArgs,
    dir: &Path,
    known: Vec<String>,
    global: &Global,
) -> anyhow::Result<Exit> {
    args.notify.refuse()?;
    if args.json {
        bail!("--json tells what this process does, and another one harvests");
    }
    let count = known.len();
    request_now(dir, now(), UrgentRequest::Visit(known))?;
    global.say(format_args!(
        "another process harvests: it visits {} now",
        counted(count, "page", "pages")
    ));
    Ok(Exit::of(count, args.urls.len()))
}
