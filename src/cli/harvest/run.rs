//! `forest harvest run`: what is due is fetched, read, stored and judged.

use super::failures::Failures;
use super::feeds::now;
use super::interrupt::stop_sign;
use super::metrics_server;
use super::notify::{self, NotifyArgs};
use super::polled::Polled;
use super::tell::{tell, tell_end};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::images::ImageArgs;
use crate::cli::net::NetArgs;
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use forest::archive::{Archive, ArchiveOptions, FeedRow, Reader, Wish, request_now};
use forest::fetch::{FetchOptions, Fetcher};
use forest::harvest::inputs::address;
use forest::harvest::{
    Clock, Harvest, HarvestOptions, HarvestProgress, HarvestTally, ManualClock, Metrics, Notice,
    SystemClock, Until,
};
use forest::learn::DEFAULT_SAMPLE;
use serde_json::json;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Between two requests to a host, unless the user says otherwise: nobody waits for a
/// harvest.
const DELAY: Duration = Duration::from_secs(3);

/// Poll the feeds that are due, and visit the pages of new items
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Goes on until SIGTERM or SIGINT, which finish what is under way; a second one ends it at
once, and nothing that was stored is lost by that. With --once the exit code is 0, 3 if
some feeds could not be had, and 1 if all of them could not.

With --now feeds are polled whatever their schedule, besides what is due; hosts that asked
to be left alone are, and robots.txt holds. Where a harvest runs already, it is told.

A notification is an object: schema (1), id, event, at, site, message, and as it applies
feed, url, title, was, to, why. It is sent when the archive has what it tells of. One that
does not arrive is sent again with growing pauses, so it may come twice, with the same id.
A thousand wait for each receiver, then the oldest are dropped; at the end ten seconds are
left for them. After a kill -9 what was not sent is missed, and never sent again.

Examples:
  forest harvest run
  forest harvest run --once --quiet
  forest harvest run --once --json | jq .feeds_failed
  forest harvest run --once --now https://news.example.org/feed.xml
  forest harvest run --notify ntfy+https://ntfy.example.org/feeds --notify 'mail -s forest me'
  forest harvest run --once --with-images
  forest harvest run --log json --metrics 127.0.0.1:9464")]
pub struct RunArgs {
    #[command(flatten)]
    archive: ArchiveArgs,
    /// The folder of the wrappers [default: sites in the archive].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// Stop when nothing is due any more.
    #[arg(long)]
    once: bool,
    /// Poll these feeds at once, all that are not paused where none is named.
    #[arg(long, value_name = "FEED", num_args = 0..)]
    now: Option<Vec<String>>,
    /// What was done, as JSON, when it ends.
    #[arg(long)]
    json: bool,
    /// Show figures for Prometheus at http://ADDR/metrics.
    #[arg(long, value_name = "ADDR")]
    metrics: Option<SocketAddr>,
    /// Pages that a wrapper is learned from.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SAMPLE)]
    sample: usize,
    /// Learn no wrappers: use those that are there.
    #[arg(long)]
    no_learn: bool,
    /// The time that it is said to be, for replays.
    #[arg(long, value_name = "TIME", hide = true, requires = "once")]
    at: Option<DateTime<Utc>>,
    #[command(flatten)]
    notify: NotifyArgs,
    #[command(flatten)]
    images: ImageArgs,
    #[command(flatten)]
    net: NetArgs,
}

pub fn run(args: RunArgs, global: &Global) -> anyhow::Result<Exit> {
    let stop = stop_sign()?;
    let dir = args.archive.dir(global)?;
    let mut options = ArchiveOptions::default();
    if let Some(sites) = &args.sites {
        options = options.with_sites(sites);
    }
    let mut archive = match Archive::open(&dir, options) {
        Err(error) if error.is_archive_locked() && args.now.is_some() => {
            return ask_other(&args, &dir, global);
        }
        opened => opened?,
    };
    let fetch = args.images.limit(fetch_options(&args.net, global));
    let fetcher = new_fetcher(fetch)?;
    let metrics = Arc::new(Metrics::default());
    let feeds = archive.reader()?.feeds()?;
    for state in ["active", "paused", "ended"] {
        let count = feeds.iter().filter(|feed| feed.state == state).count();
        metrics.feeds(state, count);
    }
    if feeds.is_empty() && !archive.has_requests() {
        global.say(format_args!(
            "no feeds in {}: add one with `forest harvest add`",
            dir.display()
        ));
    }
    if args.metrics.is_some() {
        for site in archive.reader()?.site_statuses()? {
            metrics.site(&site.site, site.confidence);
        }
    }
    let server = args
        .metrics
        .map(|address| metrics_server::serve(address, Arc::clone(&metrics)))
        .transpose()?;
    if let Some(server) = &server {
        global.say(format_args!(
            "figures at http://{}/metrics",
            server.address()
        ));
    }
    let clock: Arc<dyn Clock> = match args.at {
        Some(at) => Arc::new(ManualClock::at(at)),
        None => Arc::new(SystemClock),
    };
    let options = HarvestOptions::default()
        .with_sample(args.sample)
        .with_learning(!args.no_learn)
        .with_requisites(args.images.options());
    let until = match args.once {
        true => Until::Idle,
        false => Until::Stopped,
    };
    let named = args
        .now
        .as_deref()
        .map(|typed| known(typed, &feeds, global));
    let unknown = match (&args.now, &named) {
        (Some(typed), Some(named)) => typed.len() - named.len(),
        _ => 0,
    };
    if unknown > 0 && named.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Exit::Nothing);
    }
    let mut harvest = Harvest::new(&mut archive, &fetcher, Arc::clone(&clock), options)?
        .with_metrics(metrics)
        .with_stop(stop);
    if let Some(feeds) = &named {
        harvest.poll_now(feeds)?;
    }
    let notifier = args.notify.notifier(&args.net, global)?;
    let progress = global.progress("visits", None);
    let (mut failures, mut polled) = (Failures::default(), Polled::default());
    let tally = harvest.run(until, &mut |event| {
        match event {
            HarvestProgress::Page { .. } | HarvestProgress::Feed { .. } => progress.step(),
            HarvestProgress::Waiting { visits } => progress.left(*visits as u64),
            _ => {}
        }
        failures.see(event);
        polled.see(event);
        tell(event, global);
        if let Some(notifier) = &notifier
            && let Some(notice) = Notice::of(event, clock.now())
        {
            notifier.send(notice);
        }
    });
    drop((progress, harvest));
    let deliveries = notify::finish(notifier, global);
    let tally = tally.context("the harvest stops; what was stored is safe")?;
    if args.json {
        let mut json = as_json(&tally, &failures);
        json["polled"] = polled.json();
        if !deliveries.is_empty() {
            json["notifications"] = notify::as_json(&deliveries);
        }
        global.print(format!("{json}\n").as_bytes())?;
    }
    failures.tell(global);
    if args.once {
        polled.tell(&archive, clock.now(), global)?;
    }
    tell_end(&tally, global);
    Ok(match args.once {
        true if tally.feeds > 0 || unknown > 0 => {
            let good = tally.feeds - tally.feeds_failed;
            let all = usize::try_from(tally.feeds)? + unknown;
            Exit::of(usize::try_from(good)?, all)
        }
        _ => Exit::Done,
    })
}

/// The feeds of the archive that are meant, and can be polled; what cannot is said.
fn known(typed: &[String], feeds: &[FeedRow], global: &Global) -> Vec<String> {
    let mut named = Vec::new();
    for text in typed {
        let url = address(text).map_or_else(|_| text.clone(), String::from);
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

/// Leaves word for the harvest that runs.
fn ask_other(args: &RunArgs, dir: &Path, global: &Global) -> anyhow::Result<Exit> {
    args.notify.refuse()?;
    if args.json {
        bail!(
            "--json tells what this process does, and another one harvests: see `forest harvest status`"
        );
    }
    let typed = args.now.as_deref().unwrap_or_default();
    let feeds = Reader::open(dir)?.feeds()?;
    let named = known(typed, &feeds, global);
    let count = match typed {
        [] => feeds.iter().filter(|feed| feed.state == "active").count(),
        _ => named.len(),
    };
    if count > 0 {
        request_now(dir, now(), Wish::Poll(named))?;
        global.say("another process harvests: it polls them now");
    }
    Ok(match typed {
        [] => Exit::Done,
        typed => Exit::of(count, typed.len()),
    })
}

/// A fetcher with a harvest's manners: one request at a time to a host, and no cache,
/// since the archive keeps what came.
pub fn fetcher(net: &NetArgs, global: &Global) -> anyhow::Result<Fetcher> {
    new_fetcher(fetch_options(net, global))
}

fn fetch_options(net: &NetArgs, global: &Global) -> FetchOptions {
    net.fetch_options(global, DELAY).with_per_host(1)
}

fn new_fetcher(options: FetchOptions) -> anyhow::Result<Fetcher> {
    Fetcher::new(options).context("cannot use the network")
}

fn as_json(tally: &HarvestTally, failures: &Failures) -> serde_json::Value {
    json!({
        "feeds": tally.feeds,
        "feeds_failed": tally.feeds_failed,
        "feeds_gone": tally.feeds_gone,
        "items": tally.items,
        "pages": tally.pages,
        "pages_failed": tally.pages_failed,
        "pages_gone": tally.pages_gone,
        "pages_blocked": tally.pages_blocked,
        "pages_empty": tally.pages_empty,
        "articles": tally.articles,
        "versions": tally.versions,
        "pictures": tally.pictures,
        "pictures_failed": tally.pictures_failed,
        "wrappers": tally.wrappers,
        "drifted": tally.drifted,
        "failures": failures.json(),
    })
}
