//! Ten thousand feeds under management: memory, and what a look at the clock costs.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use forest_archive::{Archive, ArchiveChange, Event};
use forest_core::wrapper::Wrapper;
use forest_fetch::Fetcher;
use forest_harvest::{Clock, Harvest, HarvestOptions, HarvestTally, ManualClock, Until};

use crate::figures::{cpu, median_and_worst, memory_mb, ms};
use crate::pages::fetcher;
use crate::site::Server;

const FEEDS: usize = 10_000;

/// How long it is watched doing nothing.
const WATCHED: Duration = Duration::from_secs(20);

pub fn measure() {
    let server = Server::start();
    let dir = tempfile::tempdir().expect("a folder");
    let mut archive =
        Archive::open(dir.path(), forest_harvest::archive_options()).expect("it opens");
    let clock = Arc::new(ManualClock::at(
        "2026-01-02T06:00:00Z".parse().expect("a date"),
    ));
    let host = |n: usize| format!("127.1.{}.{}:{}", n / 250, n % 250 + 1, server.port);
    let mut changes = Vec::with_capacity(FEEDS);
    for n in 0..FEEDS {
        let feed = format!("http://{}/feed/brief/{n}/{}", host(n), n + 1);
        changes.push(ArchiveChange::Event {
            at: clock.now(),
            event: Event::FeedAdded { feed },
        });
        // Each site has its wrapper.
        let yaml = format!(
            "format: 1\nsite: {}\ntemplates:\n- body: [\"//div[@class='story__body']\"]\n  title: [//h1]\n",
            host(n)
        );
        let wrapper = Wrapper::from_yaml(&yaml).expect("YAML").wrapper;
        archive.write_wrapper(&wrapper).expect("written");
    }
    archive.write(changes).expect("written");
    println!(
        "{FEEDS} feeds, each of a host of its own, added: {:.0} MB",
        memory_mb()
    );
    let fetcher = fetcher();
    let start = Instant::now();
    let tally = once(&mut archive, &fetcher, &clock);
    assert_eq!((tally.feeds, tally.articles), (FEEDS as u64, FEEDS as u64));
    println!(
        "polled, a page of each visited in {:.0} s: {:.0} MB",
        start.elapsed().as_secs_f64(),
        memory_mb()
    );
    drop(archive);
    // A harvest that has just been started, by a process of its own.
    let status = std::process::Command::new(std::env::current_exe().expect("a program"))
        .arg("manage")
        .arg(dir.path())
        .status();
    assert!(status.expect("it starts").success());
    clock.advance(Duration::from_secs(25 * 3600));
    let mut archive =
        Archive::open(dir.path(), forest_harvest::archive_options()).expect("it opens");

    // What has become due at the end of the day.
    once(&mut archive, &fetcher, &clock);
    let (own, start) = (cpu(std::process::id()), Instant::now());
    let tally = once(&mut archive, &fetcher, &clock);
    assert_eq!(tally, HarvestTally::default());
    println!(
        "a run with nothing due: {:.0} ms, {:.0} ms of a core",
        ms(start.elapsed()),
        ms(cpu(std::process::id()) - own)
    );
    let mut times = Vec::new();
    for _ in 0..1000 {
        let start = Instant::now();
        let now = clock.now();
        let due = archive.due_feeds(now, 100).expect("read").len()
            + archive.feeds_ahead(now).expect("read").len()
            + archive.due_pages(now, 100).expect("read").len();
        assert_eq!(due, 0);
        assert!(
            archive
                .next_due()
                .expect("read")
                .is_some_and(|next| next > now)
        );
        times.push(start.elapsed());
    }
    let (median, worst) = median_and_worst(times);
    println!(
        "a look for what is due: {:.3} ms, at worst {:.3} ms",
        ms(median),
        ms(worst)
    );
}

fn once(archive: &mut Archive, fetcher: &Fetcher, clock: &Arc<ManualClock>) -> HarvestTally {
    let clock: Arc<dyn Clock> = clock.clone();
    let mut harvest =
        Harvest::new(archive, fetcher, clock, HarvestOptions::default()).expect("it begins");
    harvest.run(Until::Idle, &mut |_| {}).expect("harvested")
}

/// A harvest that goes on: a day in a minute, then it waits.
pub fn manage(dir: &Path) {
    let mut archive = Archive::open(dir, forest_harvest::archive_options()).expect("it opens");
    let start = "2026-01-02T06:00:00Z".parse().expect("a date");
    let clock = Arc::new(ManualClock::at(start));
    let stop = Arc::new(AtomicBool::new(false));
    let shared: Arc<dyn Clock> = clock.clone();
    let fetcher = fetcher();
    let harvest = Harvest::new(&mut archive, &fetcher, shared, HarvestOptions::default());
    let mut harvest = harvest.expect("it begins").with_stop(Arc::clone(&stop));
    let watcher = std::thread::spawn(move || {
        let mut most = 0.0_f64;
        for _ in 0..300 {
            clock.advance(Duration::from_secs(300));
            std::thread::sleep(Duration::from_millis(200));
            most = most.max(memory_mb());
        }
        let day = cpu(std::process::id());
        std::thread::sleep(Duration::from_secs(15));
        let (before, after) = (cpu(std::process::id()), memory_mb());
        std::thread::sleep(WATCHED);
        let spent = cpu(std::process::id()) - before;
        stop.store(true, Ordering::SeqCst);
        (most, after, day, spent)
    });
    let tally = harvest.run(Until::Stopped, &mut |_| {}).expect("harvested");
    let (most, after, day, spent) = watcher.join().expect("it ends");
    println!(
        "a day of it in a minute, in a new process: {} polls, {} pages, {:.1} s of a core: {most:.0} MB at most, \
         {after:.0} MB after it",
        tally.feeds,
        tally.pages,
        day.as_secs_f64()
    );
    println!(
        "waiting takes {:.2} % of a core",
        100.0 * spent.as_secs_f64() / WATCHED.as_secs_f64()
    );
}
