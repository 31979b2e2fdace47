//! The fetch stage against sites on loopback.
#![cfg(feature = "net")]

mod addresses;
mod caching;
mod connections;
mod limits;
mod many;
mod robots;
mod site;
mod statuses;
mod visits;

use std::time::Duration;

use forest::Result;
use forest::fetch::{FetchOptions, Fetched, Fetcher, Resource, Why};
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

/// Runs this test again in a process of its own, with these environment variables and no
/// proxies. Returns true in that process, which then runs the test's body.
pub fn alone(test: &str, variables: &[(&str, &str)]) -> bool {
    const ALONE: &str = "FOREST_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut again = std::process::Command::new(std::env::current_exe().expect("this test"));
    for scheme in ["http", "https", "all", "no"] {
        again.env_remove(format!("{scheme}_proxy"));
        again.env_remove(format!("{scheme}_proxy").to_uppercase());
    }
    again.args(["--exact", test]).env(ALONE, "1");
    again.envs(variables.iter().copied());
    let output = again.output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    false
}
