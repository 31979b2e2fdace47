//! Warnings about what is left out of a web archive.

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
    /// Bytes that are no record's header; the file cannot be read further.
    BadHeader {
        /// Number of the record in the file, from 1.
        record: u64,
    },
    /// The file ends inside a record, or its compression is damaged there.
    Cut {
        /// Number of the record in the file, from 1.
        record: u64,
        /// The error of the reader.
        reason: String,
    },
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
            WarcWarning::BadHeader { record } => write!(
                f,
                "record {record} has no WARC header; the file is read up to there, check how it was written"
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
