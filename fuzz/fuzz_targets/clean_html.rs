//! The clean HTML of any page is what ammonia writes of its texts in one piece.
#![no_main]

use forest_html::page::links::Base;
use forest_html::page::{Mask, Page};
use forest_core::render::{html, html_in_whole_texts};
use libfuzzer_sys::fuzz_target;

/// Bytes of a page at least: shorter texts have one piece.
const MIN_BYTES: usize = 16_384;

fuzz_target!(|text: &str| {
    let page = Page::from_html(&text.repeat(1 + MIN_BYTES / text.len().max(1)));
    let (body, base) = (Mask::all(&page), Base::of(&page));
    assert_eq!(html(&page, &body, &base), html_in_whole_texts(&page, &body, &base));
});
