//! The fetch stage against sites on loopback.

mod addresses;
mod caching;
mod connections;
mod limits;
mod many;
mod refresh;
mod robots;
mod site;
mod statuses;
mod visits;

use std::time::Duration;

use forest_fetch::Result;
use forest_fetch::{FetchOptions, Fetched, Fetcher, Resource, Why};
use url::Url;

/// Options with loopback allowed, and no pause between attempts.
pub fn quick() -> FetchOptions {
    FetchOptions::default()
        .with_allow_private(true)
        .with_backoff(Duration::from_millis(1))
}

pub fn fetcher(options: FetchOptions) -> Fetcher {
    Fetcher::new(options).expect("a fetcher")
}

/// Fetches one page that the user typed.
pub fn get(options: FetchOptions, url: &Url) -> Result<Fetched> {
    let fetcher = fetcher(options);
    fetcher.allow(url);
    fetcher.get(url, Resource::Page)
}

/// The reason why the page was not fetched.
pub fn why(options: FetchOptions, url: &Url) -> Why {
    reason(get(options, url))
}

pub fn reason(result: Result<Fetched>) -> Why {
    let error = result.expect_err("a failure");
    error
        .fetch_failure()
        .expect("a fetch failure")
        .why()
        .clone()
}
