//! The HTML of an article, which is not stored: it is made of the raw page again, by the
//! wrapper that read it.

use super::arrival::read;
use super::{Reader, Version};
use crate::error::Result;
use crate::extract::{Extractor, Options, fallback};
use crate::page::{Page, Source};
use std::collections::HashMap;

/// Makes HTML; keeps the wrappers that it has used.
#[derive(Debug, Default)]
pub struct Markup(HashMap<String, Option<Extractor>>);

impl Markup {
    /// Clean HTML of a version (see [`html`](fn@crate::extract::html)). `None` where the
    /// raw page no longer gives the version's text, as after a change of the program.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of(&mut self, archive: &Reader, version: &Version) -> Result<Option<String>> {
        let Some(raw) = archive.raw_of(version)? else {
            return Ok(None);
        };
        let source = Source {
            url: Some(&raw.url),
            content_type: raw.content_type.as_deref(),
        };
        let options = Options::default().with_html(true);
        let mut article = match &version.wrapper {
            None => fallback(&Page::parse(&raw.body, source), &options, ""),
            Some(sha256) => {
                if !self.0.contains_key(sha256) {
                    let wrapper = archive.wrapper(sha256)?;
                    let extractor = wrapper.map(Extractor::new).transpose()?;
                    self.0.insert(sha256.clone(), extractor);
                }
                match &self.0[sha256] {
                    Some(extractor) => {
                        extractor.extract(&extractor.parse(&raw.body, source), &options)
                    }
                    None => return Ok(None),
                }
            }
        };
        let html = article.html.take();
        let same = read(article, &raw.url, &raw.url, None).1;
        let same = same.is_some_and(|(_, text)| text == version.record.text);
        Ok(html.filter(|_| same))
    }
}
