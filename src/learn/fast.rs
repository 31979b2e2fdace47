//! Wrappers that take the same from parts of their sample's pages as from the whole pages.

use super::SamplePage;
use crate::extract::{Extractor, SampledSource};
use crate::page::Source;
use crate::wrapper::Wrapper;

/// True if both roads of [`Extractor::read`] agree on all pages of the sample, whose bytes must
/// be known.
pub(super) fn is_fast(wrapper: &Wrapper, good: &[&SamplePage]) -> bool {
    let Ok(extractor) = Extractor::new(wrapper.clone()) else {
        return false;
    };
    let sources = good.iter().map(|sample| {
        let (bytes, content_type) = sample.source.as_ref()?;
        Some(SampledSource {
            page: &sample.page,
            bytes,
            source: Source {
                url: sample.page.url(),
                content_type: content_type.as_deref(),
            },
        })
    });
    let sources: Option<Vec<_>> = sources.collect();
    sources.is_some_and(|sources| extractor.agrees_on(&sources))
}
