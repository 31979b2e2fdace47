//! Servers that misbehave, on loopback: the result of a visit to each, and of the visits to
//! others meanwhile.
#![cfg(feature = "net")]

mod addresses;
mod bombs;
mod encodings;
mod framing;
mod pauses;
mod server;
mod times;

use forest::Result;
use forest::fetch::{FetchOptions, Fetcher, Resource, VisitRequest, Visited, Why};
use std::time::Duration;
use url::Url;

/// Options with loopback allowed, and no pause between attempts.
pub fn quick() -> FetchOptions {
    FetchOptions::default()
        .with_allow_private(true)
        .with_backoff(Duration::from_millis(1))
}

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

/// The reason why there was no response.
pub fn why(result: Result<Visited>) -> Why {
    let error = result.expect_err("a failure");
    error.fetch_failure().expect("of the fetch").why().clone()
}

/// Runs this test again in a process of its own and returns its output; `None` in that
/// process, which then runs the test's body.
pub fn alone(test: &str) -> Option<String> {
    const ALONE: &str = "FOREST_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return None;
    }
    let mut again = std::process::Command::new(std::env::current_exe().expect("this test"));
    again.args(["--exact", test, "--nocapture"]).env(ALONE, "1");
    let output = again.output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    let passed = output.status.success() && text.contains("1 passed");
    assert!(passed, "{text}{errors}");
    Some(text)
}
