//! Any text as filter settings, as a list of advertisement servers and as a page: what is
//! written is filtered already.
#![no_main]

use forest_text::filter::{AdList, BlockMethod, FilterEngine, FilterSettings, Profile};
use forest_html::page::Source;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let mut ads = AdList::default();
    ads.add(text);
    ads.matches(text);
    let read = FilterSettings::from_yaml(text);
    let settings = read.unwrap_or_else(|_| Profile::Speech.settings());
    assert_eq!(FilterSettings::from_yaml(&settings.to_yaml()).ok().as_ref(), Some(&settings));
    // One published walk and statistical methods promise no fixed point.
    let is_fixed = settings.repeat && settings.blocks == BlockMethod::None;
    let engine = FilterEngine::with_ads(settings, Arc::new(ads));
    let page = engine.parse(text.as_bytes(), Source::default());
    let filtered = engine.filter(&page);
    filtered.text();
    let written = filtered.html().text;
    let again = engine.parse(written.as_bytes(), Source::default());
    let twice = engine.filter(&again).html().text;
    assert!(!is_fixed || twice == written);
});
