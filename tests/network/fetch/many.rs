//! Many URLs, many threads.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use forest_fetch::{Resource, Why};
use url::Url;

use crate::fetch::site::{Site, answer, status, typed};
use crate::fetch::{fetcher, quick, reason};

/// A site whose pages contain their own path; `/gone...` is gone.
fn echo() -> Site {
    Site::new(|seen| match seen.path.as_str() {
        "/robots.txt" => status(404),
        path if path.starts_with("/gone") => status(410),
        path => answer(200, &[], path.to_owned()),
    })
}

#[test]
fn every_url_is_reported_once_and_results_keep_their_order() {
    let (one, other) = (echo(), echo());
    let fetcher = fetcher(quick());
    typed(&fetcher, &[&one.url("/"), &other.url("/")]);
    let urls: Vec<Url> = (0..100)
        .map(|i| match i {
            _ if i % 10 == 3 => one.url(&format!("/gone{i}")),
            _ if i % 2 == 0 => one.url(&format!("/{i}")),
            _ => other.url(&format!("/{i}")),
        })
        .collect();
    let mut reported = Vec::new();
    let results = fetcher.get_vec(&urls, Resource::Page, |index, result| {
        reported.push((index, result.is_ok()));
    });
    assert_eq!(results.len(), 100);
    for (i, result) in results.into_iter().enumerate() {
        match i % 10 {
            3 => assert_eq!(reason(result), Why::Gone(410)),
            _ => assert_eq!(result.expect("a page").body, format!("/{i}").into_bytes()),
        }
    }
    let indices: BTreeSet<usize> = reported.iter().map(|(index, _)| *index).collect();
    assert_eq!((reported.len(), indices.len()), (100, 100));
    assert_eq!(reported.iter().filter(|(_, ok)| !ok).count(), 10);
    assert_eq!(fetcher.get_vec(&[], Resource::Page, |_, _| ()).len(), 0);
}

#[test]
fn a_caller_may_fetch_in_its_callback() {
    let site = echo();
    let fetcher = fetcher(quick().with_concurrency(1));
    fetcher.allow(&site.url("/"));
    let urls: Vec<Url> = (0..10).map(|i| site.url(&format!("/{i}"))).collect();
    let mut inner = 0;
    fetcher.get_all(&urls, Resource::Page, |index, result| {
        assert!(result.is_ok());
        let again = fetcher.get(&site.url(&format!("/again/{index}")), Resource::Page);
        inner += usize::from(again.is_ok());
    });
    assert_eq!(inner, 10);
}

#[test]
fn threads_share_a_fetcher() {
    let site = echo();
    let fetcher = fetcher(quick());
    fetcher.allow(&site.url("/"));
    let finished = AtomicUsize::new(0);
    thread::scope(|scope| {
        for i in 0..8 {
            let (fetcher, site, finished) = (&fetcher, &site, &finished);
            scope.spawn(move || {
                let page = fetcher.get(&site.url(&format!("/{i}")), Resource::Page);
                assert_eq!(page.expect("a page").body, format!("/{i}").into_bytes());
                finished.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(finished.into_inner(), 8);
    assert_eq!(site.seen().len(), 9, "robots.txt is fetched once");
}

#[test]
fn allowed_private_hosts_have_no_delay_unless_one_is_set() {
    let site = echo();
    let time = |options, n: usize| {
        let fetcher = fetcher(options);
        fetcher.allow(&site.url("/"));
        let urls: Vec<Url> = (0..n).map(|i| site.url(&format!("/{i}"))).collect();
        let start = Instant::now();
        fetcher.get_all(&urls, Resource::Page, |_, result| assert!(result.is_ok()));
        start.elapsed()
    };
    // With the default delay this would take 19 s.
    assert!(time(quick(), 20) < Duration::from_secs(10));
    let slow = quick().with_delay(Duration::from_millis(30));
    assert!(time(slow, 4) >= Duration::from_millis(90));
}

#[test]
fn a_fetcher_may_be_dropped_anywhere() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let fetcher = fetcher(quick());
    runtime.block_on(async move { drop(fetcher) });
}

#[test]
fn a_callers_panic_is_its_own() {
    let site = echo();
    let fetcher = fetcher(quick());
    fetcher.allow(&site.url("/"));
    let urls = [site.url("/1"), site.url("/2")];
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        fetcher.get_all(&urls, Resource::Page, |_, _| panic!("on purpose"));
    }));
    assert!(caught.is_err());
    assert!(fetcher.get(&urls[0], Resource::Page).is_ok());
}
