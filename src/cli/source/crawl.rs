//! The files of a crawl: pages of many hosts.

use super::{InputStream, PageRefs, Sources, archive};
use anyhow::bail;
use forest_core::feed::SniffedType;
use std::path::Path;

impl Sources<'_> {
    /// The pages of a WARC or a WACZ.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is neither.
    pub fn warc_pages(&self, file: &Path) -> anyhow::Result<PageRefs> {
        let name = file.display().to_string();
        let input = InputStream::open(file)?;
        match input.kind() {
            SniffedType::Warc => archive::pages(&name, input, self.page_limit),
            SniffedType::Zip => archive::wacz_pages(&name, file, self.page_limit),
            SniffedType::Empty => bail!("{name}: this is empty"),
            other => bail!("{name}: this is {}, not a WARC or a WACZ", other.name()),
        }
    }

    /// The pages of a Parquet file with the columns `url` and `html`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has no such columns, or if this program reads no Parquet.
    pub fn parquet_pages(&self, file: &Path) -> anyhow::Result<PageRefs> {
        #[cfg(feature = "parquet")]
        return super::columns::pages(file, self.page_limit);
        #[cfg(not(feature = "parquet"))]
        bail!(
            "{}: this forest was built without Parquet; build it with --features parquet",
            file.display()
        );
    }
}
