//! Fetches URLs politely. The only crate that dials.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version.
//!
//! It takes URLs and gives [`Fetched`] pages and feeds: bytes, the final URL,
//! the content type (the page stage decides the charset). Not from the paper,
//! which takes its pages as given.
//!
//! Its rules:
//!
//! - robots.txt (RFC 9309) under the token [`TOKEN`], read once a day for each host,
//!   also by several processes where they have a [`RobotsMemory`] in common;
//!   a Crawl-delay of up to five minutes is obeyed.
//! - One second between two requests to a host, two at once; see
//!   [`FetchOptions`] for these and all limits. The request for robots.txt
//!   itself does not count.
//! - Connections serve what waits for their host and are closed when nothing more
//!   does; others that are idle are kept to 128 hosts at the most.
//! - Retries with growing pauses for lost connections and the statuses 429,
//!   502, 503 and 504, with the server's `Retry-After`, which holds for all
//!   requests to that host.
//! - Sizes are counted after decompression (gzip, deflate, br, zstd), and a
//!   `Content-Length` above the limit ends a fetch before the body.
//! - Pages with an `ETag` or `Last-Modified` are kept in a folder, if one is
//!   set, and asked for again with conditions. A page in the folder is replaced
//!   whole or not at all. The folder is not pruned; it can be deleted at any
//!   time.
//! - Only public addresses are dialled. A name is resolved once and the address
//!   that passed is the one that is dialled; each redirect is checked as if it
//!   were a new URL. A host that the user typed, named with
//!   [`Fetcher::allow`], may be private if
//!   [`FetchOptions::with_allow_private`] says so, and then links and redirects
//!   to that very host and port may lead there too.
//! - The proxies of the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`,
//!   `NO_PROXY`) are used, except for this machine's own names and addresses.
//!   A proxy resolves names itself, so the addresses behind names are then its
//!   business; addresses written in URLs are still checked.
//! - Secrets of sites ([`Fetcher::keep_secrets`]) are sent to their own sites and appear in no
//!   result, message or log.
//! - Credentials in a URL are sent to its host and appear in no result, message
//!   or log.
//!
//! [`Fetcher::send`] sends a message to an address that the user typed.
//!
//! [`Relay`] sends on what others ask for, and gives the bodies as they come: a proxy's way
//! to the servers, under the same rules for addresses.
//!
//! An archive asks with [`Fetcher::visit`] and [`Fetcher::visits`]: without the
//! folder, with conditions of its own, and any final status is a result, with the
//! heads of the request and the answer; so are redirects, and 64 kB of the body of a failure.
//!
//! Nothing is printed; `tracing` has debug events.
//!
//! ```no_run
//! use forest_fetch::{FetchOptions, Fetcher, Resource};
//!
//! # fn main() -> forest_fetch::Result<()> {
//! let fetcher = Fetcher::new(FetchOptions::default())?;
//! let url = "https://example.org/feed.xml".parse().expect("a URL");
//! let feed = fetcher.get(&url, Resource::Feed)?;
//! println!("{} bytes from {}", feed.body.len(), feed.url);
//! # Ok(())
//! # }
//! ```

mod address;
mod body;
mod cache;
mod client;
mod coding;
mod date;
#[cfg(test)]
mod dns_script;
mod exchange;
pub mod error;
mod failure;
mod fetcher;
mod head;
mod host_cache;
mod options;
mod pace;
mod inflate;
mod kept;
mod list_folder;
mod message;
mod queue;
mod refresh;
mod relay;
mod resource;
mod response;
mod retry;
mod robots;
mod robots_request;
mod same_site;
mod secrets;
mod site_headers;
mod transfer;
mod visit;
mod visits;
mod whole_file;

pub use address::is_public;
pub use date::http_date;
pub use error::{Error, Result};
pub use failure::{FetchFailure, Why};
pub use fetcher::Fetcher;
pub use options::{FetchOptions, default_cache_dir};
pub use resource::{FetchWarning, Fetched, Resource};
pub use robots::TOKEN;
pub use secrets::{SecretSource, check_secret_header};
pub use transfer::unknown_transfer_coding;

pub use kept::{Exchange, Truncation};
pub use list_folder::{AdListFolder, ListAnswer, ListValidators};
pub use message::{Message, Verb};
pub use relay::Relay;
pub use response::{Hop, plain, redirect_target};
pub use robots::RobotsMemory;
pub use visit::{VisitRequest, Visited};
pub use visits::Visits;

/// The reason of a failed fetch, without the address that the caller knows.
pub fn reason(error: &crate::Error) -> String {
    match error.fetch_failure() {
        Some(failure) => failure.why().to_string(),
        None => error.to_string(),
    }
}
