//! Any bytes as a web archive of somebody's, and as one of our own.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = forest::warc::Reader::new(bytes) {
        reader.for_each(drop);
    }
    let mut members = forest::warc::Members::new(bytes, 0);
    while let Ok(Some(record)) = members.read() {
        record.answer();
    }
});
