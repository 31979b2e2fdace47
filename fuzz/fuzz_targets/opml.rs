//! Any bytes as an outline of feeds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = forest_core::feed::parse_opml(bytes);
});
