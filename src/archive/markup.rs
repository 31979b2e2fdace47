//! The HTML of an article, which is not stored: it is made of the raw pages again, by the
//! wrapper that read them.

use super::arrival::read;
use super::{Reader, Version};
use crate::error::Result;
use crate::extract::{Extractor, Options};
use std::collections::HashMap;

/// Makes HTML; keeps the wrappers that it has used.
#[derive(Debug, Default)]
pub struct Markup(HashMap<String, Option<Extractor>>);

impl Markup {
    /// Clean HTML of a version (see [`html`](fn@crate::extract::html)). `None` where the
    /// raw pages no longer give the version's text, as after a change of the program.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn of(&mut self, archive: &Reader, version: &Version) -> Result<Option<String>> {
        let Some(raw) = archive.raw_of(version)? else {
            return Ok(None);
        };
        let options = Options::default().with_html(true);
        let mut joined = match &version.wrapper {
            None => raw.read(None, &options),
            Some(sha256) => {
                if !self.0.contains_key(sha256) {
                    let wrapper = archive.wrapper(sha256)?;
                    let extractor = wrapper.map(Extractor::new).transpose()?;
                    self.0.insert(sha256.clone(), extractor);
                }
                match &self.0[sha256] {
                    Some(extractor) => raw.read(Some(extractor), &options),
                    None => return Ok(None),
                }
            }
        };
        let html = joined.article.html.take();
        let url = &raw.first.url;
        let same = read(joined, url, url, None).1;
        let same = same.is_some_and(|(_, text)| text == version.record.text);
        Ok(html.filter(|_| same))
    }
}
