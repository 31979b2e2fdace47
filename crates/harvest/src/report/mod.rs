//! The harvest in words and as JSON: what it did, and how feeds and sites stand.
//!
//! - `lines`: events and counts; `feed_row`: a feed of the archive.
//! - `feed_summary`: the feeds that were polled, and why the others were not.
//! - `failures`: pages without an article, by site and reason.
//! - `secrets`: the names of headers and cookies.
//! - `status`: feeds and sites.

mod failures;
mod feed_row;
mod feed_summary;
mod lines;
mod secrets;
mod status;

pub use failures::{FailureCounts, FailureGroup};
pub use feed_row::{feed_json, feed_line};
pub use feed_summary::FeedSummary;
pub use lines::{items_without_address, page_line, picture_failure, stored_name, tally_line};
pub use secrets::{SecretRow, rows_of_site, secret_json, secret_line, secret_rows};
pub use status::StatusReport;
