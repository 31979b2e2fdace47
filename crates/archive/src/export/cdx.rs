//! The index of the stored pages in their WARC files, for players and other archives: CDXJ.

use super::records::each_record;
use crate::ArchiveReader;
use crate::error::Result;
use forest_sources::warc::cdx_line;

/// The lines of the index, each with its line break, in the order of keys and times. Files are
/// named as in the archive's folder of WARC files. Some 300 bytes of memory a page.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn cdx_lines(reader: &ArchiveReader) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    each_record(reader, &mut |file, record| {
        lines.extend(cdx_line(&record, &file.to_string(), record.offset));
        Ok(())
    })?;
    lines.sort_unstable();
    Ok(lines)
}
