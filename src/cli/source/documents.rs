//! Sources of documents of any kind.

use super::file::{InputStream, read_all};
use super::{Html, PageRef, PageRefs, PageSource, Sources, metadata, page_of};
use forest_core::feed::SniffedType;
use std::path::Path;

impl Sources<'_> {
    /// Calls `each` with the documents of each source, in order; gives the number of sources
    /// that could not be opened, of which each has its message.
    ///
    /// # Errors
    ///
    /// The first one of `each`.
    pub fn each_document(
        &self,
        typed: &[String],
        mut each: impl FnMut(PageRefs) -> anyhow::Result<()>,
    ) -> anyhow::Result<usize> {
        let mut unopened = 0;
        for typed in typed {
            match open(typed, self) {
                Ok(pages) => each(pages)?,
                Err(error) => {
                    unopened += 1;
                    self.global.warn_failed(&error);
                }
            }
        }
        Ok(unopened)
    }
}

/// The documents of a source: the document at an address or in a file; the pages of a folder,
/// a list or an archive, as in `apply`.
fn open(typed: &str, sources: &Sources<'_>) -> anyhow::Result<PageRefs> {
    let one = |page| -> anyhow::Result<PageRefs> { Ok(Box::new(std::iter::once(Ok(page)))) };
    if typed == "-" {
        let bytes = read_all(std::io::stdin(), sources.page_limit(), "stdin")?;
        return one(PageRef::of_bytes("stdin", bytes));
    }
    if let Some(url) = sources.address(typed) {
        return one(sources.page_at(url)?);
    }
    let path = Path::new(typed);
    let has_extension = |named: &str| path.extension().is_some_and(|e| e == named);
    let opened = if metadata(path)?.is_dir() || has_extension("jsonl") {
        sources.open(typed, Html::Page)?
    } else {
        let input = InputStream::open(path)?;
        match input.kind() {
            SniffedType::Warc | SniffedType::UrlList => sources.open_input(input, typed)?,
            SniffedType::Zip if has_extension("wacz") => sources.open_input(input, typed)?,
            _ if input.file().is_some() => {
                return one(PageRef {
                    id: Some(typed.to_owned()),
                    ..page_of(path)
                });
            }
            _ => return one(PageRef::of_bytes(typed, input.whole(sources.page_limit())?)),
        }
    };
    let lists = opened.into_iter().filter_map(|source| match source {
        PageSource::Open(list) => Some(list.pages),
        PageSource::Feed(_) => None,
    });
    Ok(Box::new(lists.flatten()))
}
