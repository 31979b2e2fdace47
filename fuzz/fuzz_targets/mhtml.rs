//! Any bytes as a page that a browser saved, and behind the header of MHTML.
#![no_main]

use forest_sources::sources::{PageContent, PageRef, load};
use libfuzzer_sys::fuzz_target;

const HEAD: &[u8] = b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n";

fuzz_target!(|bytes: &[u8]| {
    for bytes in [bytes.to_vec(), [HEAD, bytes].concat()] {
        let content = PageContent {
            bytes,
            ..PageContent::default()
        };
        let _ = load(Ok(PageRef::of_content(content)), 1 << 20);
    }
});
