//! The memory of a harvest over ten thousand pages. A binary of its own, since Cargo runs
//! one after the other: beside other tests, on few cores, more pages wait to be read.
#![cfg(target_os = "linux")]

#[path = "shared/loopback.rs"]
mod loopback;
#[allow(dead_code, reason = "other tests need the rest of it")]
#[path = "network/harvest_cli/site.rs"]
mod site;
#[path = "shared/started.rs"]
mod started;
#[path = "shared/story.rs"]
mod story;
#[allow(dead_code, reason = "other tests need the rest of it")]
#[path = "network/harvest_cli/watched.rs"]
mod watched;

#[test]
fn ten_thousand_pages_grow_memory_by_little() {
    let series = watched::memory(10_000);
    assert_eq!(series.len(), 500, "a figure after each twentieth page");
    // What is lost with each page shows in every five hundred pages: 2 kB of a page would be
    // 1 MB. Of how many pages are read at once, and where the allocator puts them, come
    // steps of 20 MB up and down; they are few, so the median difference knows none.
    let levels: Vec<i64> = series[50..].chunks(25).map(median).collect();
    let growth: Vec<i64> = levels.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let steady = median(&growth);
    let whole = levels[levels.len() - 1] - levels[0];
    assert!(steady < 1000, "{steady} kB in 500 pages: {levels:?}");
    assert!(whole <= 48 * 1024, "{whole} kB in all: {levels:?}");
}

fn median(figures: &[i64]) -> i64 {
    let mut sorted = figures.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
