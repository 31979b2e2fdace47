//! `forest harvest backfill`: older articles of a site, by its lists and archives.

use super::interrupt::stop_flag;
use super::messages::{log, say_page};
use super::run::fetcher;
use crate::cli::archived::archive_dir::WrittenArchiveArgs;
use crate::cli::net::NetArgs;
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use forest_archive::{Archive, Stored};
use forest_harvest::{
    Harvest, HarvestOptions, HarvestProgress, SystemClock, Until, feed_of_site, start_of_walk,
    walk_list,
};
use forest_html::error::counted;
use serde_json::json;
use std::sync::Arc;
use url::Url;

/// Pages of lists that are read, unless the user says how many.
const PAGES: usize = 10;

/// Store older articles of a site, by the pages of its lists
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SITE is a site of the archive, or the address of a feed of it. The walk begins at the page
that is polled as a list, else at the site's home page, and goes on with its \"next\" links
and with archives by year and month; it ends after N pages, or where nothing new comes.
Of a feed that is a sitemap, or an index of sitemaps, it reads the files.
Articles that the archive has not are stored as items of the feed, and visited at once.
robots.txt and the pause between two requests hold. The wrapper of the list is learned if
there is none. The exit code is 1 if no page lists articles, 3 if some pages failed.

Examples:
  forest harvest backfill news.example.org --pages 50
  forest harvest backfill https://news.example.org/feed.xml --from https://news.example.org/archive")]
pub struct BackfillArgs {
    /// The site, or the address of its feed.
    #[arg(value_name = "SITE")]
    site: String,
    /// Read at most this number of pages of lists.
    #[arg(long, value_name = "N", default_value_t = PAGES)]
    pages: usize,
    /// Begin at this page.
    #[arg(long, value_name = "URL")]
    from: Option<Url>,
    /// Write a line of JSON a page of a list.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
    #[command(flatten)]
    net: NetArgs,
}

pub fn run(args: BackfillArgs, global: &Global) -> anyhow::Result<Exit> {
    let stop = stop_flag()?;
    let dir = args.archive.dir(global)?;
    let mut archive = Archive::open(&dir, args.archive.options(global))?;
    let reader = archive.reader()?;
    let Some(row) = feed_of_site(&args.site, reader.feeds()?) else {
        global.warn(format_args!(
            "{}: the archive has no feed of it: add one with `forest harvest add`",
            args.site
        ));
        return Ok(Exit::Nothing);
    };
    let start = match args.from.clone() {
        Some(from) => from,
        None => match start_of_walk(&row, &archive, &reader)? {
            Some(start) => start,
            None => bail!("{}: name the page to begin at with --from", row.url),
        },
    };
    drop(reader);
    let fetcher = fetcher(&args.net, &dir, global)?;
    fetcher.allow(&start);
    let (mut good, mut all, mut printed) = (0, 0, Ok(()));
    let walk = walk_list(
        &mut archive,
        &fetcher,
        &row,
        &start,
        args.pages,
        now(),
        &mut |read| {
            all += 1;
            good += usize::from(read.error.is_none());
            match &read.error {
                Some(why) => global.warn(format_args!("{}: {why}", read.url)),
                None => global.say(format_args!(
                    "{}: {}, {} new",
                    read.url,
                    counted(read.items, "item", "items"),
                    read.new
                )),
            }
            if args.json && printed.is_ok() {
                let line = json!({"list": read.url, "items": read.items, "new": read.new, "error": read.error});
                printed = global.print_json(&line);
            }
        },
    )?;
    printed?;
    if walk.left > 0 {
        global.say(format_args!(
            "{} left: read them with a greater --pages",
            counted(walk.left, "known page of lists", "known pages of lists")
        ));
    }
    let articles = visit(&mut archive, &fetcher, &walk.new, stop, global)?;
    global.say(format_args!(
        "{} of {} stored, from {}",
        articles,
        counted(walk.new.len(), "new article", "new articles"),
        counted(walk.pages, "page of lists", "pages of lists")
    ));
    Ok(Exit::of(good, all))
}

/// Visits the pages of new items; gives the number of stored articles.
fn visit(
    archive: &mut Archive,
    fetcher: &forest_fetch::Fetcher,
    urls: &[String],
    stop: Arc<std::sync::atomic::AtomicBool>,
    global: &Global,
) -> anyhow::Result<usize> {
    let options = HarvestOptions::default();
    let mut harvest = Harvest::new(archive, fetcher, Arc::new(SystemClock), options)?
        .with_stop(stop)
        .with_wanted_only();
    harvest.visit_listed(urls)?;
    let progress = global.progress("pages", Some(urls.len()));
    let mut stored_pages = 0;
    let result = harvest.run(Until::Idle, &mut |event| {
        let HarvestProgress::Page { stored, .. } = event else {
            return log(event);
        };
        progress.step();
        stored_pages += usize::from(!matches!(stored, Stored::Nothing | Stored::Forgotten));
        say_page(event, global);
    });
    drop(progress);
    result.context("not all pages were visited; what was stored is safe")?;
    Ok(stored_pages)
}
