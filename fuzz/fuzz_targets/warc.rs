//! Any bytes as a web archive.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = forest::warc::Reader::new(bytes) {
        reader.for_each(drop);
    }
});
