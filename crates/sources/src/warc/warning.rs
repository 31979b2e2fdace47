//! Warnings about what is left out of a web archive, or was mended.

use std::fmt;

/// Why a record, or the rest of a file, was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarcWarning {
    /// A page over the limit, [`MAX_PAGE_BYTES`](forest_html::page::MAX_PAGE_BYTES) unless another one is set.
    TooLarge {
        /// The page.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// A content coding that is not known, or whose data is damaged.
    Coding {
        /// The page.
        url: String,
        /// The `Content-Encoding`.
        coding: String,
    },
    /// A page whose first part alone is in the record.
    Segmented {
        /// The page.
        url: String,
    },
    /// A record without an address, or a response that is no HTTP.
    NotHttp {
        /// Number of the record in the file, from 1.
        record: u64,
    },
    /// A record without a header that can be read.
    BadHeader {
        /// Number of the record in the file, from 1.
        record: u64,
        /// Where it begins, in bytes of the unpacked file.
        place: u64,
    },
    /// A record whose compression is damaged.
    Damaged {
        /// Number of the record in the file, from 1.
        record: u64,
        /// Where its member begins in the file, in bytes.
        place: u64,
        /// The error of the decoder.
        reason: String,
    },
    /// A record of another length than it states; mended.
    Length {
        /// Number of the record in the file, from 1.
        record: u64,
        /// The `Content-Length`; `None` if that is not there, or is no number.
        stated: Option<u64>,
        /// Bytes up to the next record.
        found: u64,
    },
    /// A record with a false length that is so long that others in it may be lost.
    Swallowed {
        /// Number of the record in the file, from 1.
        record: u64,
        /// The `Content-Length`.
        stated: u64,
        /// Bytes in which records were not looked for.
        bytes: u64,
    },
    /// A header with a line that is no field; mended.
    OddLine {
        /// Number of the record in the file, from 1.
        record: u64,
    },
    /// The file ends inside a record, or it is damaged there and no record follows.
    Cut {
        /// Number of the record in the file, from 1.
        record: u64,
        /// The error of the reader.
        reason: String,
    },
}

impl WarcWarning {
    /// Returns true if nothing is left out.
    pub fn is_mended(&self) -> bool {
        matches!(
            self,
            WarcWarning::Length { .. } | WarcWarning::OddLine { .. }
        )
    }
}

impl fmt::Display for WarcWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarcWarning::TooLarge { url, limit } => {
                write!(f, "{url}: larger than {limit} bytes, left out")
            }
            WarcWarning::Coding { url, coding } => write!(
                f,
                "{url}: content coding `{coding}` cannot be undone, left out; archive it uncompressed or with gzip"
            ),
            WarcWarning::Segmented { url } => write!(
                f,
                "{url}: split over several records, left out; join the segments first"
            ),
            WarcWarning::NotHttp { record } => write!(
                f,
                "record {record} has no address or no HTTP header, left out"
            ),
            WarcWarning::BadHeader { record, place } => write!(
                f,
                "record {record}, at byte {place} of the unpacked file, has no header of an archive, left out; the file is read on at the next record"
            ),
            WarcWarning::Damaged {
                record,
                place,
                reason,
            } => write!(
                f,
                "record {record} at byte {place} is damaged ({reason}), left out; the file is read on at the next record"
            ),
            WarcWarning::Length {
                record,
                stated,
                found,
            } => {
                let stated = stated.map(|length| format!("a length of {length} bytes"));
                let stated = stated.as_deref().unwrap_or("no length that can be read");
                write!(
                    f,
                    "record {record} states {stated} and has {found} bytes, which were read"
                )
            }
            WarcWarning::Swallowed {
                record,
                stated,
                bytes,
            } => write!(
                f,
                "record {record} states a false length of {stated} bytes: records in the {bytes} bytes behind its header are left out; correct the length, or store the archive with a gzip member a record"
            ),
            WarcWarning::OddLine { record } => write!(
                f,
                "record {record} has a line in its header that is no field, passed over"
            ),
            WarcWarning::Cut { record, reason } => write!(
                f,
                "record {record} is cut off or damaged ({reason}); the file is read up to there, copy it again"
            ),
        }
    }
}

/// Why there is no page to give.
pub(super) enum ReadStop {
    /// The file ended where a record may end.
    End,
    /// One record is left out.
    Skip(WarcWarning),
    /// The file cannot be read further.
    Fatal(WarcWarning),
}
