//! `forest harvest run`: fetches, extracts, stores and judges the pages that are due.

use super::interrupt::stop_flag;
use super::messages::{log, log_end, log_failures};
use super::metrics_server;
use super::notify::{self, NotifyArgs};
use super::pages_server::PagesArgs;
use super::typed_feed::feed_url;
use crate::cli::archived::archive_dir::{ResultArgs, WrittenArchiveArgs};
use crate::cli::archived::images::ImageArgs;
use crate::cli::net::NetArgs;
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use forest_archive::{Archive, ArchiveReader, FeedRow, UrgentRequest, request_now};
use forest_core::learn::DEFAULT_SAMPLE;
use forest_fetch::{FetchOptions, Fetcher};
use forest_harvest::report::{FailureCounts, FeedSummary};
use forest_harvest::{
    ArchiveSecrets, Clock, Harvest, HarvestOptions, HarvestProgress, HarvestTally, ManualClock,
    Metrics, PictureBudget, RequisiteOptions, SystemClock, Until,
};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Time between two requests to a host, unless the user sets another: nobody waits for a
/// harvest.
const DELAY: Duration = Duration::from_secs(3);

/// Poll the feeds that are due, and visit the pages of new items
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The harvest runs until SIGTERM or SIGINT, which finish the work that is under way; a second
signal ends it at once, without a loss of stored pages. With --once the exit code is 0, 3 if
some feeds failed, and 1 if all failed.

With --now feeds are polled before their time, besides those that are due; the back-off of
hosts and robots.txt still hold. If a harvest runs already, it polls them.

A notification is a JSON object: schema (1), id, event, at, site, message, and as it applies
feed, url, title, was, to, why. It is sent when its page is in the archive. One that does
not arrive is sent again with growing pauses, so it may come twice, with the same id. A
thousand wait for each receiver, then the oldest are dropped; at the end they have ten
seconds. After a kill -9 unsent notifications are lost.

Examples:
  forest harvest run
  forest harvest run --once --quiet
  forest harvest run --once --json | jq .feeds_failed
  forest harvest run --once --now https://news.example.org/feed.xml
  forest harvest run --notify ntfy+https://ntfy.example.org/feeds --notify 'mail -s forest me'
  forest harvest run --once --with-images
  forest harvest run --log json --metrics 127.0.0.1:9464")]
pub struct RunArgs {
    /// Stop when no visit is due any more.
    #[arg(long)]
    once: bool,
    /// Poll these feeds at once; without an address, all that are not paused.
    #[arg(long, value_name = "FEED", num_args = 0..)]
    now: Option<Vec<String>>,
    /// Show metrics for Prometheus at http://ADDR/metrics.
    #[arg(long, value_name = "ADDR")]
    metrics: Option<SocketAddr>,
    #[command(flatten)]
    pages: PagesArgs,
    /// Learn a wrapper from this number of pages.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SAMPLE)]
    sample: usize,
    /// Learn no wrappers: use those of the folder.
    #[arg(long)]
    no_learn: bool,
    /// Take this time for the current one, for replays.
    #[arg(long, value_name = "TIME", hide = true, requires = "once")]
    at: Option<DateTime<Utc>>,
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    archive: WrittenArchiveArgs,
    #[command(flatten)]
    notify: NotifyArgs,
    #[command(flatten)]
    images: ImageArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    net: NetArgs,
}

/// The room for pictures.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pictures")]
struct BudgetArgs {
    /// With --serve, store no pictures.
    #[arg(long, conflicts_with_all = ["with_images", "with_requisites"])]
    no_images: bool,
    /// Store pictures of 30 days of a feed's articles up to this number of megabytes, and all of
    /// them up to a tenth of the free space; a feed's own rule goes first [default: 200 with
    /// --serve, else all].
    #[arg(long, value_name = "MB", conflicts_with = "no_images")]
    image_budget: Option<usize>,
}

impl RunArgs {
    /// The pictures, style sheets and fonts to store. Where people read, pictures are wanted.
    fn requisites(&self) -> Option<RequisiteOptions> {
        let BudgetArgs {
            no_images,
            image_budget,
        } = self.budget;
        let bytes = image_budget.map(|megabytes| megabytes.saturating_mul(1_000_000));
        let asked = self.images.options();
        let is_default = asked.is_none() && self.pages.is_given() && !no_images;
        let bytes = bytes.or(is_default.then_some(PictureBudget::FEED_BYTES));
        let options = asked.or(bytes.map(|_| self.images.pictures()));
        let budget = bytes.map(|bytes| PictureBudget::default().with_feed_bytes(bytes));
        options.map(|options| options.with_budget(budget))
    }
}

pub fn run(args: RunArgs, global: &Global) -> anyhow::Result<Exit> {
    let stop = stop_flag()?;
    let dir = args.archive.dir(global)?;
    let mut archive = match Archive::open(&dir, args.archive.options(global)) {
        Err(error) if error.is_archive_locked() && args.now.is_some() => {
            return ask_other(&args, &dir, global);
        }
        opened => opened?,
    };
    global.say(format_args!("archive: {}", dir.display()));
    let fetcher = args.images.fetcher(fetch_options(&args.net, global))?;
    let metrics = Arc::new(Metrics::default());
    let feeds = archive.reader()?.feeds()?;
    for state in ["active", "paused", "ended"] {
        let count = feeds.iter().filter(|feed| feed.state == state).count();
        metrics.feeds(state, count);
    }
    if feeds.is_empty() && !archive.has_requests() {
        global.say("it has no feeds: add one with `forest harvest add`");
    }
    if args.metrics.is_some() || args.pages.is_given() {
        for site in archive.reader()?.site_statuses()? {
            metrics.site(&site.site, site.confidence);
        }
    }
    let serve = |address| metrics_server::serve(address, Arc::clone(&metrics));
    let server = args.metrics.map(serve).transpose()?;
    if let Some(server) = &server {
        global.say(format_args!(
            "figures at http://{}/metrics",
            server.address()
        ));
    }
    let folders = (dir.as_path(), args.archive.sites(&dir));
    let allow_private = args.net.allows_private();
    let _pages = args
        .pages
        .serve(folders, Arc::clone(&metrics), allow_private, global)?;
    let clock: Arc<dyn Clock> = match args.at {
        Some(at) => Arc::new(ManualClock::at(at)),
        None => Arc::new(SystemClock),
    };
    let options = HarvestOptions::default()
        .with_sample(args.sample)
        .with_learning(!args.no_learn)
        .with_requisites(args.requisites());
    let until = if args.once {
        Until::Idle
    } else {
        Until::Stopped
    };
    let typed = args.now.as_deref();
    let named = typed.map(|typed| active(typed, &feeds, global));
    let unknown = typed.map_or(0, <[_]>::len) - named.as_ref().map_or(0, Vec::len);
    if unknown > 0 && named.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Exit::Nothing);
    }
    let mut harvest = Harvest::new(&mut archive, &fetcher, Arc::clone(&clock), options)?
        .with_metrics(metrics)
        .with_stop(stop);
    if let Some(feeds) = &named {
        harvest.poll_now(feeds)?;
    }
    let notifier = args.notify.notifier(args.net.user_agent(global), global)?;
    let progress = global.progress("visits", None);
    let (mut failures, mut polled) = (FailureCounts::default(), FeedSummary::default());
    let tally = harvest.run(until, &mut |event| {
        match event {
            HarvestProgress::Page { .. } | HarvestProgress::Feed { .. } => progress.step(),
            HarvestProgress::Waiting { visits } => progress.left(*visits as u64),
            _ => {}
        }
        failures.add(event);
        polled.add(event);
        log(event);
        notify::send(notifier.as_ref(), event, clock.now());
    });
    drop((progress, harvest));
    let deliveries = notify::finish(notifier, global);
    let tally = tally.context("the harvest stops; what was stored is safe")?;
    args.result.print(global, || {
        let mut json = json(&tally);
        json["failures"] = failures.json();
        json["polled"] = polled.json();
        if !deliveries.is_empty() {
            json["notifications"] = notify::deliveries_json(&deliveries);
        }
        json
    })?;
    log_failures(&failures, global);
    if args.once {
        let (feeds, rests) = (archive.reader()?.feeds()?, archive.rests()?);
        let lines = polled.lines(&feeds, &rests.into_iter().collect(), clock.now());
        lines.into_iter().for_each(|line| global.say(line));
    }
    log_end(&tally);
    if !args.once || tally.feeds == 0 && unknown == 0 {
        return Ok(Exit::Done);
    }
    let good = usize::try_from(tally.feeds - tally.feeds_failed)?;
    Ok(Exit::of(good, usize::try_from(tally.feeds)? + unknown))
}

/// The typed feeds that are active; warns of the others.
fn active(typed: &[String], feeds: &[FeedRow], global: &Global) -> Vec<String> {
    let mut named = Vec::new();
    for url in typed.iter().map(|typed| feed_url(typed)) {
        let feed = feeds.iter().find(|feed| feed.url == url);
        match feed.map(|feed| feed.state.as_str()) {
            Some("active") => named.push(url),
            Some(state) => global.warn(format_args!(
                "{url}: is not polled, since it is {state}: `forest harvest resume` lets it go on"
            )),
            None => global.warn(format_args!(
                "{url}: no such feed: `forest harvest list` shows them, `forest harvest add` adds one"
            )),
        }
    }
    named
}

/// Asks the harvest that runs to poll the feeds.
fn ask_other(args: &RunArgs, dir: &Path, global: &Global) -> anyhow::Result<Exit> {
    args.notify.refuse()?;
    if args.result.json {
        bail!(
            "--json tells what this process does, and another one harvests: see `forest harvest status`"
        );
    }
    let typed = args.now.as_deref().unwrap_or_default();
    let feeds = ArchiveReader::open(dir)?.feeds()?;
    let named = active(typed, &feeds, global);
    let count = match typed {
        [] => feeds.iter().filter(|feed| feed.state == "active").count(),
        _ => named.len(),
    };
    if count > 0 {
        request_now(dir, now(), UrgentRequest::Poll(named))?;
        global.say("another process harvests: it polls them now");
    }
    Ok(match typed {
        [] => Exit::Done,
        typed => Exit::of(count, typed.len()),
    })
}

/// A fetcher for a harvest: one request at a time to a host, and no cache, since the
/// archive in `dir` keeps the responses. It sends the secrets of the archive's sites.
pub fn fetcher(net: &NetArgs, dir: &Path, global: &Global) -> anyhow::Result<Fetcher> {
    let secrets = ArchiveSecrets::open(dir, Arc::new(SystemClock))?;
    let fetcher = Fetcher::new(fetch_options(net, global)).context("cannot use the network")?;
    fetcher.keep_secrets(Arc::new(secrets));
    Ok(fetcher)
}

fn fetch_options(net: &NetArgs, global: &Global) -> FetchOptions {
    net.fetch_options(global, DELAY).with_per_host(1)
}

#[rustfmt::skip]
fn json(tally: &HarvestTally) -> serde_json::Value {
    json_of!(
        tally, feeds, feeds_failed, feeds_gone, items, pages, pages_failed, pages_gone,
        pages_blocked, pages_empty, articles, versions, pictures, pictures_failed, wrappers, drifted
    )
}
