//! The records of pages that are in the tables, in the order of their files.

use crate::ArchiveReader;
use crate::error::Result;
use crate::files::{FileId, FileKind};
use crate::lengths::known_lengths;
use forest_sources::warc::{ReadRecord, RecordType};

/// Each record of pages that is in the tables, file by file.
pub(super) fn each_record(
    reader: &ArchiveReader,
    take: &mut dyn FnMut(FileId, ReadRecord) -> Result<()>,
) -> Result<()> {
    for (file, length) in known_lengths(&reader.db)? {
        if file.kind() != FileKind::Pages {
            continue;
        }
        let mut records = reader.folder.records(file, 0)?;
        loop {
            let read = records
                .read()
                .map_err(|broken| reader.folder.broken(file, broken.offset, &broken.reason))?;
            let Some(record) = read.filter(|record| record.offset < length) else {
                break;
            };
            let is_other = matches!(
                record.kind,
                None | Some(RecordType::Conversion | RecordType::Metadata)
            );
            if !is_other {
                take(file, record)?;
            }
        }
    }
    Ok(())
}
