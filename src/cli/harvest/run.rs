//! `forest harvest run`: what is due is fetched, read, stored and judged.

use super::failures::Failures;
use super::interrupt::stop_sign;
use super::metrics_server;
use super::tell::{tell, tell_end};
use crate::cli::archive_dir::ArchiveArgs;
use crate::cli::net::NetArgs;
use crate::cli::{Exit, Global};
use anyhow::Context;
use chrono::{DateTime, Utc};
use forest::archive::{Archive, ArchiveOptions};
use forest::fetch::Fetcher;
use forest::harvest::{
    Clock, Harvest, HarvestOptions, ManualClock, Metrics, Progress, SystemClock, Tally, Until,
};
use forest::learn::DEFAULT_SAMPLE;
use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
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

Examples:
  forest harvest run
  forest harvest run --once --quiet
  forest harvest run --once --json | jq .feeds_failed
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
    net: NetArgs,
}

pub fn run(args: RunArgs, global: &Global) -> anyhow::Result<Exit> {
    let stop = stop_sign()?;
    let dir = args.archive.dir(global)?;
    let mut options = ArchiveOptions::default();
    if let Some(sites) = &args.sites {
        options = options.with_sites(sites);
    }
    let mut archive = Archive::open(&dir, options)?;
    let fetcher = fetcher(&args.net, global)?;
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
        .with_learning(!args.no_learn);
    let until = match args.once {
        true => Until::Idle,
        false => Until::Stopped,
    };
    let progress = global.progress("pages", None);
    let mut harvest = Harvest::new(&mut archive, &fetcher, clock, options)?
        .with_metrics(metrics)
        .with_stop(stop);
    let mut failures = Failures::default();
    let tally = harvest.run(until, &mut |event| {
        if matches!(event, Progress::Page { .. }) {
            progress.step();
            failures.see(event);
        }
        tell(event, global);
    });
    drop(progress);
    let tally = tally.context("the harvest stops; what was stored is safe")?;
    if args.json {
        global.print(format!("{}\n", as_json(&tally, &failures)).as_bytes())?;
    }
    failures.tell(global);
    tell_end(&tally, global);
    Ok(match args.once {
        true if tally.feeds > 0 => {
            let good = tally.feeds - tally.feeds_failed;
            Exit::of(usize::try_from(good)?, usize::try_from(tally.feeds)?)
        }
        _ => Exit::Done,
    })
}

/// A fetcher with a harvest's manners: one request at a time to a host, and no cache,
/// since the archive keeps what came.
pub fn fetcher(net: &NetArgs, global: &Global) -> anyhow::Result<Fetcher> {
    let options = net.fetch_options(global, DELAY).with_per_host(1);
    Fetcher::new(options).context("cannot use the network")
}

fn as_json(tally: &Tally, failures: &Failures) -> serde_json::Value {
    json!({
        "feeds": tally.feeds,
        "feeds_failed": tally.feeds_failed,
        "items": tally.items,
        "pages": tally.pages,
        "pages_failed": tally.pages_failed,
        "articles": tally.articles,
        "versions": tally.versions,
        "wrappers": tally.wrappers,
        "drifted": tally.drifted,
        "failures": failures.json(),
    })
}
