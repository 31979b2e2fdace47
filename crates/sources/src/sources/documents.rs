//! Sources of documents of any kind.

use super::address::metadata;
use super::file::{InputStream, read_all};
use super::folder::page_of;
use super::handle::Sources;
use super::pages::{PageRef, PageRefs, PageSource};
use super::remote::Html;
use crate::error::Result;
use forest_core::feed::SniffedType;
use std::path::Path;

impl Sources {
    /// The documents of a source: the document at an address or in a file; the pages of a folder,
    /// a list or an archive, as in `apply`.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn open_documents(&self, typed: &str) -> Result<PageRefs> {
        let one = |page| -> Result<PageRefs> { Ok(Box::new(std::iter::once(Ok(page)))) };
        if typed == "-" {
            let bytes = read_all(std::io::stdin(), self.page_limit, "stdin")?;
            return one(PageRef::of_bytes("stdin", bytes));
        }
        if let Some(url) = self.address(typed) {
            return one(self.page_at(url)?);
        }
        let path = Path::new(typed);
        let has_extension = |named: &str| path.extension().is_some_and(|e| e == named);
        let opened = if metadata(path)?.is_dir() || has_extension("jsonl") {
            self.open(typed, Html::Page)?
        } else {
            let input = InputStream::open(path)?;
            match input.kind() {
                SniffedType::Warc | SniffedType::UrlList => self.open_input(input, typed)?,
                SniffedType::Zip if has_extension("wacz") => self.open_input(input, typed)?,
                _ if input.file().is_some() => {
                    return one(PageRef {
                        id: Some(typed.to_owned()),
                        ..page_of(path)
                    });
                }
                _ => return one(PageRef::of_bytes(typed, input.whole(self.page_limit)?)),
            }
        };
        let lists = opened.into_iter().filter_map(|source| match source {
            PageSource::Open(list) => Some(list.pages),
            PageSource::Feed(_) => None,
        });
        Ok(Box::new(lists.flatten()))
    }
}
