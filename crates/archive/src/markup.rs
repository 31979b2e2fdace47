//! HTML and Markdown of an article. They are not stored, but made again from the raw pages,
//! by the wrapper that read them.

use super::arrival::read;
use super::read::{ArchiveReader, ArticleVersion};
use crate::error::Result;
use forest_core::extract::{Article, Extractor, Options};
use std::collections::HashMap;

/// Makes HTML and Markdown; keeps the wrappers that it has used.
#[derive(Debug, Default)]
pub struct MarkupRenderer(HashMap<String, Option<Extractor>>);

impl MarkupRenderer {
    /// A version's record with the HTML and the Markdown that `options` ask for. `None` if
    /// the raw pages no longer give the version's text, for example after a change of the
    /// program.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn read(
        &mut self,
        archive: &ArchiveReader,
        version: &ArticleVersion,
        options: &Options,
    ) -> Result<Option<Article>> {
        let Some(raw) = archive.raw_of(version)? else {
            return Ok(None);
        };
        let mut joined = match &version.wrapper {
            None => raw.read(None, options),
            Some(sha256) => {
                if !self.0.contains_key(sha256) {
                    let wrapper = archive.wrapper(sha256)?;
                    let extractor = wrapper.map(Extractor::new).transpose()?;
                    self.0.insert(sha256.clone(), extractor);
                }
                match &self.0[sha256] {
                    Some(extractor) => raw.read(Some(extractor), options),
                    None => return Ok(None),
                }
            }
        };
        let (html, markdown) = (joined.article.html.take(), joined.article.markdown.take());
        let url = &raw.first.url;
        let same = read(joined, url, url, None).1;
        let same = same.is_some_and(|(_, text)| text == version.record.text);
        Ok(same.then(|| Article {
            html,
            markdown,
            ..version.record.clone()
        }))
    }
}
