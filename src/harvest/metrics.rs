//! What is counted, and how Prometheus reads it: text format 0.0.4.
//!
//! | metric | type | labels |
//! | --- | --- | --- |
//! | `forest_errors_total` | counter | `kind` |
//! | `forest_extract_empty_total` | counter | `site` |
//! | `forest_feed_last_success_seconds` | gauge | `feed` |
//! | `forest_feeds` | gauge | `state` |
//! | `forest_fetch_bytes_total` | counter | |
//! | `forest_fetch_seconds` | summary | |
//! | `forest_fetch_total` | counter | `result` |
//! | `forest_pages_total` | counter | `site`, `status` |
//! | `forest_series_dropped_total` | counter | |
//! | `forest_wrapper_confidence` | gauge | `site` |
//! | `forest_wrapper_drift_total` | counter | `site` |
//!
//! Counters begin at zero with the process, as Prometheus expects, and are shown from then
//! on: those of errors at once, those of a site as soon as it is known. What comes from
//! outside (a site, a feed's address) is escaped, cut to 300 characters and, where
//! it is an address, shown without its user name and password. There are at most
//! 50,000 series of a metric; what would be more is left out and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use url::Url;

use crate::extract::Status;

/// Media type of [`Metrics::text`].
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Series of one metric at the most: five times the 10,000 feeds that are to be
/// managed, some 10 MB.
const MAX_SERIES: usize = 50_000;

/// Characters of a label's value at the most.
const MAX_LABEL_CHARS: usize = 300;

/// The weight of a site's latest page in its mean confidence. Ten pages, as a
/// harvest of a feed brings, make up two thirds of it.
const LATEST: f64 = 0.1;

/// Kinds of errors: how a poll of a feed fails.
const ERRORS: [&str; 5] = ["busy", "gone", "no_feed", "status", "unreachable"];

/// A metric: the order is that of their names, and of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    Errors,
    Empty,
    LastSuccess,
    Feeds,
    Bytes,
    Seconds,
    Fetches,
    Pages,
    Dropped,
    Confidence,
    Drift,
}

impl Family {
    /// Name, type, labels, and what it is.
    fn about(
        self,
    ) -> (
        &'static str,
        &'static str,
        &'static [&'static str],
        &'static str,
    ) {
        match self {
            Family::Errors => (
                "forest_errors_total",
                "counter",
                &["kind"],
                "What went wrong, by kind.",
            ),
            Family::Empty => (
                "forest_extract_empty_total",
                "counter",
                &["site"],
                "Pages in which no article was found.",
            ),
            Family::LastSuccess => (
                "forest_feed_last_success_seconds",
                "gauge",
                &["feed"],
                "Unix time of a feed's latest successful poll.",
            ),
            Family::Feeds => (
                "forest_feeds",
                "gauge",
                &["state"],
                "Feeds under management, by state.",
            ),
            Family::Bytes => (
                "forest_fetch_bytes_total",
                "counter",
                &[],
                "Bytes of answers, decompressed.",
            ),
            Family::Seconds => (
                "forest_fetch_seconds",
                "summary",
                &[],
                "Time that answers took.",
            ),
            Family::Fetches => (
                "forest_fetch_total",
                "counter",
                &["result"],
                "Requests, by how they ended.",
            ),
            Family::Pages => (
                "forest_pages_total",
                "counter",
                &["site", "status"],
                "Pages by the status of their article.",
            ),
            Family::Dropped => (
                "forest_series_dropped_total",
                "counter",
                &[],
                "Figures left out because their metric has too many series.",
            ),
            Family::Confidence => (
                "forest_wrapper_confidence",
                "gauge",
                &["site"],
                "Confidence in a site's latest articles, a weighted mean from 0 to 1.",
            ),
            Family::Drift => (
                "forest_wrapper_drift_total",
                "counter",
                &["site"],
                "Times that a site was found to have changed.",
            ),
        }
    }
}

/// The values of a metric's labels.
type Labels = Vec<String>;

/// The figures of a process, for any number of threads.
#[derive(Debug, Default)]
pub struct Metrics {
    families: Mutex<BTreeMap<Family, BTreeMap<Labels, f64>>>,
}

impl Metrics {
    /// Shows the counters of errors from now on: what begins with the first error would
    /// hide it from `increase()`.
    pub fn begin(&self) {
        for kind in ERRORS {
            self.change(Family::Errors, &[kind], |_| {});
        }
    }

    /// A site is known, with the mean confidence of the articles that are there.
    pub fn site(&self, site: &str, confidence: Option<f64>) {
        self.change(Family::Empty, &[site], |_| {});
        self.change(Family::Drift, &[site], |_| {});
        if let Some(mean) = confidence.filter(|mean| mean.is_finite()) {
            self.change(Family::Confidence, &[site], |known| *known = mean);
        }
    }

    /// A page of `site` gave an article of this status and confidence.
    pub fn page(&self, site: &str, status: Status, confidence: Option<f64>) {
        self.site(site, None);
        self.change(Family::Pages, &[site, name(status)], |pages| *pages += 1.0);
        if status == Status::Empty {
            self.change(Family::Empty, &[site], |pages| *pages += 1.0);
        }
        let Some(latest) = confidence.filter(|latest| latest.is_finite()) else {
            return;
        };
        // NaN stands for a site without a page until now, and nowhere else.
        self.set_from(Family::Confidence, &[site], f64::NAN, |mean| {
            *mean = match mean.is_nan() {
                true => latest,
                false => *mean + (latest - *mean) * LATEST,
            };
        });
    }

    /// A request ended so: `ok`, `not_modified`, `timeout`.
    pub fn fetch(&self, result: &str) {
        self.change(Family::Fetches, &[result], |fetches| *fetches += 1.0);
    }

    /// An answer took this long and had this many bytes.
    pub fn answer(&self, took: Duration, bytes: u64) {
        self.change(Family::Bytes, &[], |all| *all += bytes as f64);
        self.change(Family::Seconds, &["_sum"], |sum| *sum += took.as_secs_f64());
        self.change(Family::Seconds, &["_count"], |count| *count += 1.0);
    }

    /// A site was found to have changed.
    pub fn drift(&self, site: &str) {
        self.change(Family::Drift, &[site], |times| *times += 1.0);
    }

    /// A feed was read, or is the same, at this time.
    pub fn feed_success(&self, feed: &str, at: DateTime<Utc>) {
        self.change(Family::LastSuccess, &[&without_credentials(feed)], |time| {
            *time = at.timestamp() as f64;
        });
    }

    /// The feeds that are polled and when each was read; other feeds are no longer
    /// shown.
    pub fn feed_successes<'a>(&self, feeds: impl IntoIterator<Item = (&'a str, DateTime<Utc>)>) {
        let polled: BTreeMap<&str, DateTime<Utc>> = feeds.into_iter().collect();
        let named = polled.keys();
        let shown: BTreeSet<Labels> = named
            .map(|feed| labels(&[&without_credentials(feed)]))
            .collect();
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(series) = families.get_mut(&Family::LastSuccess) {
            series.retain(|feed, _| shown.contains(feed));
        }
        drop(families);
        for (feed, at) in polled {
            self.feed_success(feed, at);
        }
    }

    /// So many feeds are in this state.
    pub fn feeds(&self, state: &str, count: usize) {
        self.change(Family::Feeds, &[state], |feeds| *feeds = count as f64);
    }

    /// Something of this kind went wrong.
    pub fn error(&self, kind: &str) {
        self.change(Family::Errors, &[kind], |errors| *errors += 1.0);
    }

    fn change(&self, family: Family, values: &[&str], change: impl FnOnce(&mut f64)) {
        self.set_from(family, values, 0.0, change);
    }

    fn set_from(&self, family: Family, values: &[&str], first: f64, change: impl FnOnce(&mut f64)) {
        let key = labels(values);
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let series = families.entry(family).or_default();
        if series.len() >= MAX_SERIES && !series.contains_key(&key) {
            let dropped = families.entry(Family::Dropped).or_default();
            *dropped.entry(Labels::new()).or_default() += 1.0;
            return;
        }
        change(series.entry(key).or_insert(first));
    }

    /// All figures, sorted by name and labels.
    pub fn text(&self) -> String {
        let families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = String::new();
        let shown = families.iter().filter(|(_, series)| !series.is_empty());
        for (family, series) in shown {
            let (name, kind, names, help) = family.about();
            // Writing to a string does not fail.
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (values, value) in series {
                out.push_str(name);
                if *family == Family::Seconds {
                    values.iter().for_each(|suffix| out.push_str(suffix));
                }
                for (i, (name, value)) in names.iter().zip(values).enumerate() {
                    let open = if i == 0 { '{' } else { ',' };
                    let _ = write!(out, "{open}{name}=\"");
                    escape(value, &mut out);
                    out.push('"');
                }
                if !names.is_empty() {
                    out.push('}');
                }
                let _ = writeln!(out, " {value}");
            }
        }
        out
    }
}

fn labels(values: &[&str]) -> Labels {
    let cut = |value: &&str| value.chars().take(MAX_LABEL_CHARS).collect();
    values.iter().map(cut).collect()
}

/// A backslash, a quote and a new line, as the format wants them in a label.
fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
}

fn without_credentials(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else {
        return address.to_owned();
    };
    // These fail for addresses that cannot have any.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

fn name(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Degraded => "degraded",
        Status::Fallback => "fallback",
        Status::Empty => "empty",
        Status::Blocked => "blocked",
        Status::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    /// Something of everything.
    fn busy() -> Metrics {
        let metrics = Metrics::default();
        metrics.page("b.example", Status::Ok, Some(0.5));
        metrics.page("a.example", Status::Empty, None);
        metrics.page("a.example", Status::Ok, Some(f64::NAN));
        metrics.page("b.example", Status::Ok, Some(1.0));
        metrics.fetch("ok");
        metrics.fetch("timeout");
        metrics.fetch("ok");
        metrics.answer(Duration::from_millis(1500), 1000);
        metrics.answer(Duration::from_millis(250), 24);
        metrics.drift("b.example");
        metrics.feed_success(
            "https://me:secret@b.example/rss",
            at("2026-01-01T00:00:00Z"),
        );
        metrics.feeds("active", 12);
        metrics.feeds("active", 11);
        metrics.error("fetch");
        metrics
    }

    #[test]
    fn the_text_of_a_small_harvest() {
        let expected = "\
# HELP forest_errors_total What went wrong, by kind.
# TYPE forest_errors_total counter
forest_errors_total{kind=\"fetch\"} 1
# HELP forest_extract_empty_total Pages in which no article was found.
# TYPE forest_extract_empty_total counter
forest_extract_empty_total{site=\"a.example\"} 1
forest_extract_empty_total{site=\"b.example\"} 0
# HELP forest_feed_last_success_seconds Unix time of a feed's latest successful poll.
# TYPE forest_feed_last_success_seconds gauge
forest_feed_last_success_seconds{feed=\"https://b.example/rss\"} 1767225600
# HELP forest_feeds Feeds under management, by state.
# TYPE forest_feeds gauge
forest_feeds{state=\"active\"} 11
# HELP forest_fetch_bytes_total Bytes of answers, decompressed.
# TYPE forest_fetch_bytes_total counter
forest_fetch_bytes_total 1024
# HELP forest_fetch_seconds Time that answers took.
# TYPE forest_fetch_seconds summary
forest_fetch_seconds_count 2
forest_fetch_seconds_sum 1.75
# HELP forest_fetch_total Requests, by how they ended.
# TYPE forest_fetch_total counter
forest_fetch_total{result=\"ok\"} 2
forest_fetch_total{result=\"timeout\"} 1
# HELP forest_pages_total Pages by the status of their article.
# TYPE forest_pages_total counter
forest_pages_total{site=\"a.example\",status=\"empty\"} 1
forest_pages_total{site=\"a.example\",status=\"ok\"} 1
forest_pages_total{site=\"b.example\",status=\"ok\"} 2
# HELP forest_wrapper_confidence Confidence in a site's latest articles, a weighted mean from 0 to 1.
# TYPE forest_wrapper_confidence gauge
forest_wrapper_confidence{site=\"b.example\"} 0.55
# HELP forest_wrapper_drift_total Times that a site was found to have changed.
# TYPE forest_wrapper_drift_total counter
forest_wrapper_drift_total{site=\"a.example\"} 0
forest_wrapper_drift_total{site=\"b.example\"} 1
";
        assert_eq!(busy().text(), expected);
        assert_eq!(Metrics::default().text(), "");
    }

    /// Reads a sample's labels; gives the rest of the line.
    fn read_labels(mut rest: &str) -> (Vec<(String, String)>, &str) {
        let mut labels = Vec::new();
        while let Some(label) = rest.strip_prefix(['{', ',']) {
            let (name, value) = label.split_once("=\"").expect("a value in quotes");
            let mut text = String::new();
            let mut chars = value.char_indices();
            let end = loop {
                match chars.next().expect("a closing quote") {
                    (at, '"') => break at + 1,
                    (_, '\\') => match chars.next().expect("what is escaped").1 {
                        'n' => text.push('\n'),
                        c @ ('\\' | '"') => text.push(c),
                        c => panic!("\\{c} is no escape"),
                    },
                    (_, c) => text.push(c),
                }
            };
            labels.push((name.to_owned(), text));
            rest = &value[end..];
        }
        if !labels.is_empty() {
            rest = rest.strip_prefix('}').expect("closed");
        }
        (labels, rest)
    }

    /// The rules of the format, line by line; gives the label values.
    fn check(text: &str) -> Vec<String> {
        assert!(text.is_empty() || text.ends_with('\n'));
        let is_name = |name: &str, more: &str| {
            !name.starts_with(|c: char| c.is_ascii_digit())
                && !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || more.contains(c))
        };
        let mut families = BTreeSet::new();
        let mut samples = BTreeSet::new();
        let mut found = Vec::new();
        let mut current = (String::new(), String::new());
        let mut help = None;
        for line in text.split_terminator('\n') {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, about) = rest.split_once(' ').expect("a text");
                assert!(!about.is_empty() && !about.contains('\\'), "{line}");
                help = Some(name);
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').expect("a type");
                assert_eq!(help, Some(name), "HELP stands before TYPE");
                assert!(["counter", "gauge", "summary"].contains(&kind), "{line}");
                assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
                assert!(is_name(name, "_:"), "{line}");
                assert!(
                    families.last().is_none_or(|last| *last < name),
                    "sorted: {line}"
                );
                assert!(families.insert(name), "{name} twice");
                current = (name.to_owned(), kind.to_owned());
            } else {
                let end = line.find(['{', ' ']).expect("a value");
                let (name, rest) = line.split_at(end);
                let suffix = name.strip_prefix(&current.0).expect("the family's samples");
                match current.1.as_str() {
                    "summary" => assert!(["_sum", "_count"].contains(&suffix), "{line}"),
                    _ => assert_eq!(suffix, "", "{line}"),
                }
                let (labels, rest) = read_labels(rest);
                assert!(labels.iter().all(|(name, _)| is_name(name, "_")), "{line}");
                assert!(samples.insert((name, labels.clone())), "{line} twice");
                let value = rest.strip_prefix(' ').expect("one space");
                let number: f64 = value.parse().expect("a number");
                assert!(number.is_finite(), "{line}");
                found.extend(labels.into_iter().map(|(_, value)| value));
            }
        }
        found
    }

    #[test]
    fn the_text_keeps_to_the_format() {
        check(&busy().text());
    }

    #[test]
    fn labels_cannot_forge_lines() {
        let bad = "a\"} 1\nforest_up{x=\"\\";
        let metrics = Metrics::default();
        metrics.page(bad, Status::Ok, None);
        metrics.fetch("a\\nb");
        metrics.feed_success(bad, at("2026-01-01T00:00:00Z"));
        assert_eq!(check(&metrics.text()), [bad, bad, "a\\nb", bad, "ok", bad]);
    }

    proptest::proptest! {
        #[test]
        fn any_label_comes_back(values in proptest::collection::btree_set(".{0,20}|[\\\\\"\n{},]{0,6}", 0..6)) {
            let metrics = Metrics::default();
            for value in &values {
                metrics.drift(value);
            }
            let found = check(&metrics.text());
            proptest::prop_assert_eq!(found, values.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn series_and_labels_are_bounded() {
        let metrics = Metrics::default();
        for n in 0..MAX_SERIES + 5 {
            metrics.drift(&n.to_string());
        }
        // Those that are there are counted on.
        metrics.drift("0");
        metrics.error(&"ä".repeat(5000));
        let text = metrics.text();
        assert!(text.contains("\nforest_series_dropped_total 5\n"));
        assert!(text.contains("\nforest_wrapper_drift_total{site=\"0\"} 2\n"));
        let labels = check(&text);
        assert_eq!(labels.len(), MAX_SERIES + 1);
        assert!(labels.contains(&"ä".repeat(MAX_LABEL_CHARS)));
    }

    #[test]
    fn a_feed_that_is_gone_is_no_longer_shown() {
        let metrics = Metrics::default();
        let feed = "https://me@b.example/rss";
        metrics.feed_success(feed, at("2026-01-01T00:00:00Z"));
        let other = "https://c.example/rss";
        metrics.feed_successes([(other, at("2026-01-02T00:00:00Z"))]);
        assert_eq!(check(&metrics.text()), [other]);
        metrics.feed_successes([]);
        assert_eq!(check(&metrics.text()), [""; 0]);
    }

    #[test]
    fn what_was_not_counted_yet_is_zero() {
        let metrics = Metrics::default();
        metrics.begin();
        metrics.site("a.example", Some(0.75));
        metrics.site("b.example", None);
        metrics.error("no_feed");
        // What is known of a site is not counted anew.
        metrics.drift("a.example");
        metrics.site("a.example", None);
        let text = metrics.text();
        for line in [
            "forest_errors_total{kind=\"busy\"} 0",
            "forest_errors_total{kind=\"no_feed\"} 1",
            "forest_extract_empty_total{site=\"a.example\"} 0",
            "forest_wrapper_confidence{site=\"a.example\"} 0.75",
            "forest_wrapper_drift_total{site=\"a.example\"} 1",
            "forest_wrapper_drift_total{site=\"b.example\"} 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        check(&text);
    }

    #[test]
    fn threads_count_together() {
        let metrics = Metrics::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| metrics.fetch("ok")));
            }
        });
        assert!(metrics.text().contains("{result=\"ok\"} 4000\n"));
    }
}
