//! Any bytes to a page, and all that is made of it.
#![no_main]

use forest_text::pipeline::Preset;
use forest_core::extract::{Options, article};
use forest_html::page::{Mask, Page, Source};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // Without markup, bytes with control characters are no page.
    let bytes = if bytes.first() == Some(&0) { [b"<html>", bytes].concat() } else { bytes.to_vec() };
    let page = Page::parse(&bytes, Source::default());
    let options = Options::default().with_html(true).with_markdown(true);
    article(&page, &Mask::all(&page), &options);
    for preset in Preset::ALL {
        preset.method().article(&page);
    }
});
