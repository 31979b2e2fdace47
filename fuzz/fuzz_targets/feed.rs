//! Any bytes as a feed, and as a sitemap.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    forest_core::feed::sniff(bytes);
    let _ = forest_core::feed::parse(bytes, None, None);
    let _ = forest_core::feed::read_sitemap(bytes, None);
});
