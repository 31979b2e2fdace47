//! Any bytes to a document, its XHTML and its sentences.
#![no_main]

use forest_html::page::{MAX_PAGE_BYTES, Mask, Source};
use forest_text::prose::{Document, TextOptions, prose, read, sentence, xhtml};
use forest_html::text::Language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Document::Page(page, _) = read(bytes, Source::default(), MAX_PAGE_BYTES) {
        xhtml::xhtml(&page);
        let prose = prose(&page, &Mask::all(&page), &TextOptions::default());
        let language = Language::detect(&prose.text, None);
        sentence::sentences(&prose.text, &prose.fixed, language);
    }
});
