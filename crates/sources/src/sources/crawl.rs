//! The files of a crawl: pages of many hosts.

use super::archive;
use super::handle::Sources;
use super::pages::PageRefs;
use crate::error::Result;
use std::path::Path;

impl Sources {
    /// The pages of a WARC, an ARC or a WACZ.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is none of these.
    pub fn warc_pages(&self, file: &Path) -> Result<PageRefs> {
        archive::warc_pages(file, self.page_limit, &self.warn)
    }

    /// The pages of a Parquet file with the columns `url` and `html`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has no such columns, or if this program reads no Parquet.
    pub fn parquet_pages(&self, file: &Path) -> Result<PageRefs> {
        #[cfg(feature = "parquet")]
        return super::columns::pages(file, self.page_limit);
        #[cfg(not(feature = "parquet"))]
        {
            let path = file.to_owned();
            Err(crate::error::SourceFault::NoParquet { path }.into())
        }
    }
}
