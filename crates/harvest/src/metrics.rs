//! The figures of a harvest, and their OpenMetrics text, which Prometheus reads.
//!
//! | metric | type | labels |
//! | --- | --- | --- |
//! | `forest_errors_total` | counter | `kind` |
//! | `forest_extract_empty_total` | counter | `site` |
//! | `forest_feed_last_success_seconds` | gauge | `feed` |
//! | `forest_feeds` | gauge | `state` |
//! | `forest_fetch_bytes_total` | counter | |
//! | `forest_fetch_seconds` | histogram | `le`, always `+Inf` |
//! | `forest_fetch_total` | counter | `result` |
//! | `forest_pages_total` | counter | `site`, `status` |
//! | `forest_series_dropped_total` | counter | |
//! | `forest_wrapper_confidence` | gauge | `site` |
//! | `forest_wrapper_drift_total` | counter | `site` |
//!
//! Counters begin at zero with the process, as Prometheus expects, and are shown from then
//! on: those of errors at once, those of a site as soon as it is known. Values from outside
//! (a site, a feed's address) are escaped and cut to 300 characters. Addresses are shown
//! without user name and password. A metric has at most 50,000 series; further ones are left
//! out and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;
use url::Url;

use forest_core::extract::Status;
use forest_fetch::plain;

/// Media type of [`Metrics::text`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Maximum number of series of one metric: five times the 10,000 feeds that are to be
/// managed, some 10 MB.
const MAX_SERIES: usize = 50_000;

/// Maximum number of characters of a label's value.
const MAX_LABEL_CHARS: usize = 300;

/// The weight of a site's latest page in its mean confidence. Ten pages, as a
/// harvest of a feed brings, make up two thirds of it.
const LATEST: f64 = 0.1;

/// Kinds of errors: how a poll of a feed fails.
const ERROR_KINDS: [&str; 5] = ["busy", "gone", "no_feed", "status", "unreachable"];

/// A metric without its values. A counter's name is written without `_total`, which
/// OpenMetrics adds.
#[derive(Debug)]
struct MetricFamily {
    name: &'static str,
    kind: MetricType,
    labels: &'static [&'static str],
    help: &'static str,
}

macro_rules! metric_families {
    ($($id:ident: $kind:ident $name:literal $labels:expr, $help:literal;)*) => {
        $(const $id: &MetricFamily = &MetricFamily {
            name: $name,
            kind: MetricType::$kind,
            labels: &$labels,
            help: $help,
        };)*
    };
}

metric_families! {
    ERRORS: Counter "forest_errors" ["kind"], "What went wrong, by kind.";
    EMPTY: Counter "forest_extract_empty" ["site"], "Pages in which no article was found.";
    LAST_SUCCESS: Gauge "forest_feed_last_success_seconds" ["feed"],
        "Unix time of a feed's latest successful poll.";
    FEEDS: Gauge "forest_feeds" ["state"], "Feeds under management, by state.";
    BYTES: Counter "forest_fetch_bytes" [], "Bytes of answers, decompressed.";
    SECONDS: Histogram "forest_fetch_seconds" [], "Time that answers took.";
    FETCHES: Counter "forest_fetch" ["result"], "Requests, by how they ended.";
    PAGES: Counter "forest_pages" ["site", "status"], "Pages by the status of their article.";
    DROPPED: Counter "forest_series_dropped" [],
        "Figures left out because their metric has too many series.";
    CONFIDENCE: Gauge "forest_wrapper_confidence" ["site"],
        "Confidence in a site's latest articles, a weighted mean from 0 to 1.";
    DRIFT: Counter "forest_wrapper_drift" ["site"], "Times that a site was found to have changed.";
}

/// The values of a metric's labels.
type Labels = Vec<String>;

/// The values of a metric by its labels. A histogram has `sum` and `count` in their place.
#[derive(Debug)]
struct MetricSeries {
    family: &'static MetricFamily,
    values: BTreeMap<Labels, f64>,
}

/// All metrics by name.
#[derive(Debug, Default)]
struct MetricTable(Mutex<BTreeMap<&'static str, MetricSeries>>);

/// The figures of a process, for any number of threads.
#[derive(Debug, Default)]
pub struct Metrics(Arc<MetricTable>);

impl Metrics {
    /// Shows the counters of errors from now on: a counter that began with the first error
    /// would hide it from `increase()`.
    pub fn begin(&self) {
        for kind in ERROR_KINDS {
            self.add(ERRORS, &[kind], 0.0);
        }
    }

    /// Adds a site, with the mean confidence of the articles that are there.
    pub fn site(&self, site: &str, confidence: Option<f64>) {
        self.add(EMPTY, &[site], 0.0);
        self.add(DRIFT, &[site], 0.0);
        if let Some(mean) = confidence.filter(|mean| mean.is_finite()) {
            self.update(CONFIDENCE, &[site], |_| mean);
        }
    }

    /// Counts a page of `site` with the status and the confidence of its article.
    pub fn page(&self, site: &str, status: Status, confidence: Option<f64>) {
        self.site(site, None);
        self.add(PAGES, &[site, status.name()], 1.0);
        if status == Status::Empty {
            self.add(EMPTY, &[site], 1.0);
        }
        if let Some(latest) = confidence.filter(|latest| latest.is_finite()) {
            self.update(CONFIDENCE, &[site], |mean| {
                mean.map_or(latest, |mean| mean + (latest - mean) * LATEST)
            });
        }
    }

    /// Counts a request by its result: `ok`, `not_modified`, `timeout`.
    pub fn fetch(&self, result: &str) {
        self.add(FETCHES, &[result], 1.0);
    }

    /// Counts an answer's time and bytes.
    pub fn answer(&self, took: Duration, bytes: u64) {
        self.add(BYTES, &[], bytes as f64);
        self.add(SECONDS, &["sum"], took.as_secs_f64());
        self.add(SECONDS, &["count"], 1.0);
    }

    /// Counts a site that was found to have changed.
    pub fn drift(&self, site: &str) {
        self.add(DRIFT, &[site], 1.0);
    }

    /// Sets the time at which a feed was read, or was the same.
    pub fn feed_success(&self, feed: &str, at: DateTime<Utc>) {
        let seconds = at.timestamp() as f64;
        self.update(LAST_SUCCESS, &[&without_credentials(feed)], |_| seconds);
    }

    /// Sets the feeds that are polled and when each was read; other feeds are no longer
    /// shown.
    pub fn feed_successes<'a>(&self, feeds: impl IntoIterator<Item = (&'a str, DateTime<Utc>)>) {
        let polled: BTreeMap<&str, DateTime<Utc>> = feeds.into_iter().collect();
        let shown = polled
            .keys()
            .map(|feed| labels(&[&without_credentials(feed)]));
        let shown: BTreeSet<Labels> = shown.collect();
        if let Some(series) = self.0.lock().get_mut(LAST_SUCCESS.name) {
            series.values.retain(|feed, _| shown.contains(feed));
        }
        for (feed, at) in polled {
            self.feed_success(feed, at);
        }
    }

    /// Sets the number of feeds in a state.
    pub fn feeds(&self, state: &str, count: usize) {
        self.update(FEEDS, &[state], |_| count as f64);
    }

    /// Counts an error of this kind.
    pub fn error(&self, kind: &str) {
        self.add(ERRORS, &[kind], 1.0);
    }

    fn add(&self, family: &'static MetricFamily, values: &[&str], amount: f64) {
        self.update(family, values, |old| old.unwrap_or(0.0) + amount);
    }

    fn update(
        &self,
        family: &'static MetricFamily,
        label_values: &[&str],
        new: impl FnOnce(Option<f64>) -> f64,
    ) {
        let key = labels(label_values);
        let mut table = self.0.lock();
        let values = values_of(&mut table, family);
        if values.len() >= MAX_SERIES && !values.contains_key(&key) {
            *values_of(&mut table, DROPPED)
                .entry(Labels::new())
                .or_default() += 1.0;
            return;
        }
        let value = new(values.get(&key).copied());
        values.insert(key, value);
    }

    /// All figures, sorted by name and labels.
    pub fn text(&self) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Arc::clone(&self.0)));
        let mut out = String::new();
        text::encode(&mut out, &registry).expect("writing to a string does not fail");
        out
    }
}

impl MetricTable {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, MetricSeries>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector for MetricTable {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let table = self.lock();
        for MetricSeries { family, values } in table.values().filter(|one| !one.values.is_empty()) {
            let mut metric =
                encoder.encode_descriptor(family.name, family.help, None, family.kind)?;
            if let MetricType::Histogram = family.kind {
                let value = |name: &str| values.get(&labels(&[name])).copied().unwrap_or(0.0);
                let count = value("count") as u64;
                let all = [(f64::INFINITY, count)];
                metric.encode_histogram::<NoLabelSet>(value("sum"), count, &all, None)?;
                continue;
            }
            for (label_values, value) in values {
                let names = family.labels.iter().copied();
                let labels: Vec<(&str, &String)> = names.zip(label_values).collect();
                if labels.is_empty() {
                    encode_value(&mut metric, family.kind, *value)?;
                } else {
                    encode_value(&mut metric.encode_family(&labels)?, family.kind, *value)?;
                }
            }
        }
        Ok(())
    }
}

fn encode_value(metric: &mut MetricEncoder<'_>, kind: MetricType, value: f64) -> fmt::Result {
    match kind {
        MetricType::Counter => metric.encode_counter::<NoLabelSet, _, u64>(&(value as u64), None),
        // A count or a time is written without a fraction.
        _ if value.fract() == 0.0 => metric.encode_gauge(&(value as i64)),
        _ => metric.encode_gauge(&value),
    }
}

fn values_of<'t>(
    table: &'t mut BTreeMap<&'static str, MetricSeries>,
    family: &'static MetricFamily,
) -> &'t mut BTreeMap<Labels, f64> {
    let new = || MetricSeries {
        family,
        values: BTreeMap::new(),
    };
    &mut table.entry(family.name).or_insert_with(new).values
}

fn labels(values: &[&str]) -> Labels {
    let cut = |value: &&str| value.chars().take(MAX_LABEL_CHARS).collect();
    values.iter().map(cut).collect()
}

fn without_credentials(address: &str) -> String {
    Url::parse(address).map_or_else(|_| address.to_owned(), |url| plain(&url).into())
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
# HELP forest_errors What went wrong, by kind.
# TYPE forest_errors counter
forest_errors_total{kind=\"fetch\"} 1
# HELP forest_extract_empty Pages in which no article was found.
# TYPE forest_extract_empty counter
forest_extract_empty_total{site=\"a.example\"} 1
forest_extract_empty_total{site=\"b.example\"} 0
# HELP forest_feed_last_success_seconds Unix time of a feed's latest successful poll.
# TYPE forest_feed_last_success_seconds gauge
forest_feed_last_success_seconds{feed=\"https://b.example/rss\"} 1767225600
# HELP forest_feeds Feeds under management, by state.
# TYPE forest_feeds gauge
forest_feeds{state=\"active\"} 11
# HELP forest_fetch Requests, by how they ended.
# TYPE forest_fetch counter
forest_fetch_total{result=\"ok\"} 2
forest_fetch_total{result=\"timeout\"} 1
# HELP forest_fetch_bytes Bytes of answers, decompressed.
# TYPE forest_fetch_bytes counter
forest_fetch_bytes_total 1024
# HELP forest_fetch_seconds Time that answers took.
# TYPE forest_fetch_seconds histogram
forest_fetch_seconds_sum 1.75
forest_fetch_seconds_count 2
forest_fetch_seconds_bucket{le=\"+Inf\"} 2
# HELP forest_pages Pages by the status of their article.
# TYPE forest_pages counter
forest_pages_total{site=\"a.example\",status=\"empty\"} 1
forest_pages_total{site=\"a.example\",status=\"ok\"} 1
forest_pages_total{site=\"b.example\",status=\"ok\"} 2
# HELP forest_wrapper_confidence Confidence in a site's latest articles, a weighted mean from 0 to 1.
# TYPE forest_wrapper_confidence gauge
forest_wrapper_confidence{site=\"b.example\"} 0.55
# HELP forest_wrapper_drift Times that a site was found to have changed.
# TYPE forest_wrapper_drift counter
forest_wrapper_drift_total{site=\"a.example\"} 0
forest_wrapper_drift_total{site=\"b.example\"} 1
# EOF
";
        assert_eq!(busy().text(), expected);
        assert_eq!(Metrics::default().text(), "# EOF\n");
    }

    /// The samples as text format 0.0.4 had them, which dashboards and alerts name.
    #[test]
    fn names_labels_and_values_are_those_of_the_former_format() {
        let former = [
            ("forest_errors_total{kind=\"fetch\"}", 1.0),
            ("forest_extract_empty_total{site=\"a.example\"}", 1.0),
            ("forest_extract_empty_total{site=\"b.example\"}", 0.0),
            (
                "forest_feed_last_success_seconds{feed=\"https://b.example/rss\"}",
                1_767_225_600.0,
            ),
            ("forest_feeds{state=\"active\"}", 11.0),
            ("forest_fetch_bytes_total", 1024.0),
            ("forest_fetch_seconds_count", 2.0),
            ("forest_fetch_seconds_sum", 1.75),
            ("forest_fetch_total{result=\"ok\"}", 2.0),
            ("forest_fetch_total{result=\"timeout\"}", 1.0),
            (
                "forest_pages_total{site=\"a.example\",status=\"empty\"}",
                1.0,
            ),
            ("forest_pages_total{site=\"a.example\",status=\"ok\"}", 1.0),
            ("forest_pages_total{site=\"b.example\",status=\"ok\"}", 2.0),
            ("forest_wrapper_confidence{site=\"b.example\"}", 0.55),
            ("forest_wrapper_drift_total{site=\"a.example\"}", 0.0),
            ("forest_wrapper_drift_total{site=\"b.example\"}", 1.0),
        ];
        let text = busy().text();
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        let samples = samples.filter(|line| !line.contains("_bucket{"));
        let mut found: Vec<(&str, f64)> = samples
            .map(|line| {
                let (name, value) = line.rsplit_once(' ').expect("a value");
                (name, value.parse().expect("a number"))
            })
            .collect();
        found.sort_by_key(|(name, _)| *name);
        assert_eq!(found, former);
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

    /// The rules of OpenMetrics, line by line; gives the label values.
    fn check(text: &str) -> Vec<String> {
        let text = text.strip_suffix("# EOF\n").expect("an end");
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
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                assert!(!name.ends_with("_total"), "{line}");
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
                    "histogram" => {
                        assert!(["_sum", "_count", "_bucket"].contains(&suffix), "{line}");
                    }
                    "counter" => assert_eq!(suffix, "_total", "{line}"),
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
        fn any_label_round_trips(values in proptest::collection::btree_set(".{0,20}|[\\\\\"\n{},]{0,6}", 0..6)) {
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
