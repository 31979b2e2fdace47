//! Any bytes to a document, its XHTML and its sentences.
#![no_main]

use forest::page::{Mask, Source};
use forest::prose::input::{Document, read};
use forest::prose::{TextOptions, prose, sentence, xhtml};
use forest::text::Language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Document::Page(page, _) = read(bytes, Source::default()) {
        xhtml::xhtml(&page);
        let prose = prose(&page, &Mask::all(&page), &TextOptions::default());
        let language = Language::detect(&prose.text, None);
        sentence::sentences(&prose.text, &prose.fixed, language);
    }
});
