//! Any bytes as a web archive of somebody's, WARC, ARC or WACZ, and as one of our own.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = forest_sources::warc::WarcReader::new(bytes) {
        reader.for_each(drop);
    }
    if let Ok(archives) = forest_sources::warc::archives(std::io::Cursor::new(bytes)) {
        for archive in archives {
            let own = archive.open(std::io::Cursor::new(bytes.to_vec()));
            if let Ok(reader) = own.map(std::io::BufReader::new).map(forest_sources::warc::WarcReader::new) {
                reader.into_iter().flatten().for_each(drop);
            }
        }
    }
    let mut members = forest_sources::warc::Members::new(bytes, 0);
    while let Ok(Some(record)) = members.read() {
        record.answer();
    }
});
