//! A page of an era, and the F1 of wrappers on it.

use forest_core::extract::Extractor;
use forest_core::learn::SamplePage;
use forest_core::render::text;
use forest_eval::eval::GoldTexts;
use forest_sources::gold::Gold;
use std::collections::HashMap;

/// Below this mean F1 a wrapper does not work, be it in its own era or in the next.
pub const WORKING: f64 = 0.5;

/// A wrapper still works if its mean F1 is at least this share of that in its own
/// era.
pub const STILL: f64 = 0.9;

/// A page with its gold, and the texts that it has been compared with.
pub struct EraPage<'a> {
    /// The page.
    pub sample: &'a SamplePage,
    gold: GoldTexts,
    known: HashMap<String, f64>,
}

impl<'a> EraPage<'a> {
    pub fn new(sample: &'a SamplePage, gold: &Gold) -> EraPage<'a> {
        EraPage {
            sample,
            gold: GoldTexts::new(gold.refs.iter().map(String::as_str)),
            known: HashMap::new(),
        }
    }

    /// F1 of what a wrapper selects; `None` where that is no text.
    fn f1(&mut self, extractor: &Extractor) -> Option<f64> {
        let page = &self.sample.page;
        let text = text(page, &extractor.matcher().find(page)?.kept);
        if text.is_empty() {
            return None;
        }
        if let Some(&f1) = self.known.get(&text) {
            return Some(f1);
        }
        let f1 = self.gold.score("", &text).two_gram.f1;
        self.known.insert(text, f1);
        Some(f1)
    }
}

pub fn scores(extractor: &Extractor, pages: &mut [EraPage<'_>]) -> Vec<Option<f64>> {
    pages.iter_mut().map(|page| page.f1(extractor)).collect()
}

/// Mean F1 of a wrapper, a page without a text being 0.
pub fn mean_f1(extractor: &Extractor, pages: &mut [EraPage<'_>]) -> f64 {
    mean_of(&scores(extractor, pages))
}

pub fn mean_of(scores: &[Option<f64>]) -> f64 {
    let f1 = scores.iter().map(|f1| f1.unwrap_or_default());
    mean(&f1.collect::<Vec<_>>())
}

pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
