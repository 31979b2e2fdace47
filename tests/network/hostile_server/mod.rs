//! Servers that misbehave, on loopback: what becomes of a visit to each, and of
//! the visits to others meanwhile.

mod addresses;
mod bombs;
mod encodings;
mod framing;
mod pauses;
pub mod server;
mod times;

use forest_fetch::Result;
use forest_fetch::{FetchOptions, Fetcher, Resource, VisitRequest, Visited, Why};
use url::Url;

pub use crate::fetch::quick;

/// A fetcher for hosts that the user typed.
pub fn fetcher(options: FetchOptions, typed: &[&Url]) -> Fetcher {
    let fetcher = Fetcher::new(options).expect("a fetcher");
    typed.iter().for_each(|url| fetcher.allow(url));
    fetcher
}

pub fn page(url: &Url) -> VisitRequest {
    VisitRequest::new(url.clone(), Resource::Page)
}

pub fn visit(options: FetchOptions, url: &Url) -> Result<Visited> {
    fetcher(options, &[url]).visit(&page(url))
}

/// Why there was no answer.
pub fn why(result: Result<Visited>) -> Why {
    let error = result.expect_err("a failure");
    error.fetch_failure().expect("of the fetch").why().clone()
}
