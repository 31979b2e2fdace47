//! All sites of a crawl: one pass over its files that samples the pages of each host, then
//! the sites one by one.

use super::{LearnArgs, SiteLearner, learned_again, positive};
use crate::cli::Global;
use forest_core::learn::{DEFAULT_SAMPLE, HostReservoir, ReservoirBounds};
use forest_html::error::counted;
use forest_sources::sample::{offer_pages, sample_of_host};
use forest_sources::sources::Sources;
use rayon::prelude::*;
use std::path::PathBuf;

/// Hosts of which pages are held. With names and tables they take some 200 MB.
const MAX_HOSTS: usize = 1_000_000;

/// Megabytes of pages, compressed, that are held unless something else is asked for: ten pages
/// of 15 kB each of some 7,000 hosts.
const DEFAULT_HOLD_MB: usize = 1000;

/// The seed of the draws: the same files give the same sample.
const SEED: u64 = 1;

/// Sites that are learned at once, for each thread: it bounds the pages that are parsed.
const SITES_A_THREAD: usize = 4;

/// The files of a crawl, and how its pages are sampled.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "All sites of a crawl")]
pub struct CrawlArgs {
    /// Learn all sites in these WARC, ARC or WACZ files.
    #[arg(long, value_name = "FILE", num_args = 1.., group = "crawl")]
    from_warc: Vec<PathBuf>,
    /// Learn all sites in these Parquet files with the columns url and html (if this program
    /// was built with the feature `parquet`).
    #[arg(long, value_name = "FILE", num_args = 1.., group = "crawl")]
    from_parquet: Vec<PathBuf>,
    /// Learn each site from a sample of this number of its pages.
    #[arg(long, value_name = "N", requires = "crawl", default_value_t = DEFAULT_SAMPLE, value_parser = positive)]
    per_host: usize,
    /// Hold this number of megabytes of compressed pages at the most.
    #[arg(long, value_name = "MB", requires = "crawl", default_value_t = DEFAULT_HOLD_MB)]
    hold: usize,
}

impl CrawlArgs {
    /// Returns true if a crawl is to be learned from.
    pub fn is_given(&self) -> bool {
        !self.from_warc.is_empty() || !self.from_parquet.is_empty()
    }

    fn bounds(&self) -> ReservoirBounds {
        ReservoirBounds {
            per_host: self.per_host,
            hosts: MAX_HOSTS,
            bytes: self.hold.saturating_mul(1_000_000),
        }
    }
}

/// Learns the wrappers of all sites in the files.
///
/// # Errors
///
/// If stdout cannot be written. A file or page that cannot be read is reported.
pub fn run(
    args: &LearnArgs,
    sources: &Sources,
    learner: &mut SiteLearner<'_>,
) -> anyhow::Result<()> {
    let crawl = &args.crawl;
    let global = learner.global;
    let mut reservoir = HostReservoir::new(SEED, crawl.bounds());
    let warcs = crawl.from_warc.iter().map(|file| sources.warc_pages(file));
    let columns = crawl
        .from_parquet
        .iter()
        .map(|file| sources.parquet_pages(file));
    let warn = |line: String| global.warn(line);
    let progress = global.progress("sampling pages", None);
    for pages in warcs.chain(columns) {
        match pages {
            Ok(pages) => offer_pages(&mut reservoir, pages, warn, || progress.step()),
            Err(error) => learner.failed(&error.into()),
        }
    }
    drop(progress);
    global.detail(format_args!(
        "{} sampled, {} MB held",
        counted(reservoir.hosts(), "host", "hosts"),
        reservoir.bytes() / 1_000_000
    ));
    say_bounds(&reservoir, crawl, global);
    let (hosts, limit) = (reservoir.hosts(), sources.page_limit());
    let progress = global.progress("learning sites", Some(hosts));
    let mut samples = reservoir.into_hosts().into_iter();
    loop {
        let at_once = rayon::current_num_threads() * SITES_A_THREAD;
        let batch: Vec<_> = samples.by_ref().take(at_once).collect();
        if batch.is_empty() {
            break;
        }
        let learned = batch.into_par_iter().map(|(host, pages)| {
            let sample = sample_of_host(host, pages, limit);
            let options = learner.options_for(&sample);
            let (outcome, clusters) = learned_again(&sample, options, &learner.dir);
            progress.step();
            (sample, outcome, clusters)
        });
        for (sample, outcome, clusters) in learned.collect::<Vec<_>>() {
            learner.tell(&sample, &outcome, clusters.as_ref())?;
        }
    }
    drop(progress);
    let tally = &learner.tally;
    global.say(format_args!(
        "{}: {} learned, {} without a wrapper",
        counted(hosts, "host", "hosts"),
        tally.learned,
        hosts - tally.learned
    ));
    Ok(())
}

/// Tells which bounds were reached.
fn say_bounds(reservoir: &HostReservoir, crawl: &CrawlArgs, global: &Global) {
    let remedy = "a higher --hold, or the files in several runs";
    if reservoir.per_host() < crawl.per_host {
        global.warn(format_args!(
            "{} MB of pages are held: only {} of each host were kept; to keep more, give {remedy}",
            crawl.hold,
            counted(reservoir.per_host(), "page", "pages")
        ));
    }
    if reservoir.left_out() > 0 {
        global.warn(format_args!(
            "left out: {} of hosts beyond the first {}; to learn these, give {remedy}",
            counted(reservoir.left_out() as usize, "page", "pages"),
            reservoir.hosts()
        ));
    }
}
