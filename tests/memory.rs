//! The memory of a harvest over ten thousand pages. A binary of its own, since Cargo runs
//! one after the other: beside other tests, on few cores, more pages wait to be read.
#![cfg(target_os = "linux")]

#[path = "shared/loopback.rs"]
mod loopback;
#[allow(dead_code, reason = "other tests need the rest of it")]
#[path = "network/harvest_cli/site.rs"]
mod site;
#[path = "shared/story.rs"]
mod story;
#[allow(dead_code, reason = "other tests need the rest of it")]
#[path = "network/harvest_cli/watched.rs"]
mod watched;

#[test]
fn ten_thousand_pages_grow_memory_by_little() {
    let (early, most) = watched::memory(10_000, 1000).expect("figures of memory");
    // The most pages that are read at once may come late: some megabytes are no growth.
    let at_once = 8 * 1024;
    assert!(
        most * 20 <= (early + at_once) * 21,
        "{early} kB, then {most} kB"
    );
}
