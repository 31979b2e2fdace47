//! A feed of the archive on a line, and as JSON.

use crate::clock::rfc3339;
use forest_archive::FeedRow;
use forest_html::text::{OneLine, fold};
use serde_json::json;

/// A feed as JSON, with the fields that `list` and `status` share.
pub fn feed_json(feed: &FeedRow) -> serde_json::Value {
    let mut json = json!({
        "url": feed.url,
        "state": feed.state,
        "title": feed.title,
        "added": rfc3339(feed.added),
        "why": (!feed.why.is_empty()).then_some(&feed.why),
    });
    if !feed.listed_title.is_empty() {
        json["listed_title"] = json!(feed.listed_title);
    }
    if !feed.folders.is_empty() {
        json["folders"] = json!(feed.folders);
    }
    if !feed.rules.is_empty() {
        json["rules"] = json!(feed.rules);
    }
    json
}

/// A feed on a line.
pub fn feed_line(feed: &FeedRow) -> String {
    let mut line = format!("{:<7} {}", feed.state, feed.url);
    let titles = [&feed.listed_title, &feed.title];
    let title = titles.into_iter().find(|title| !title.is_empty());
    let title = fold(title.map_or("", String::as_str));
    if !title.is_empty() {
        line.push_str(&format!("  {title}"));
    }
    if !feed.why.is_empty() {
        line.push_str(&format!("  ({})", feed.why));
    }
    OneLine(line).to_string()
}
