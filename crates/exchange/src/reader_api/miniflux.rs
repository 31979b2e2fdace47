//! Miniflux by its REST interface, version 1 (<https://miniflux.app/docs/api.html>, read for
//! Miniflux 2.2): `GET /v1/feeds`, `PUT /v1/feeds/ID`, `GET /v1/feeds/ID/entries` and, since
//! 2.0.49, `PUT /v1/entries/ID`. The credential is the header `X-Auth-Token`.

use super::service::{FeedReader, Service, Subscription, UnreadEntry, text};
use crate::error::{ErrorKind, Result};
use crate::readers::{ReaderSettings, miniflux_settings};
use crate::unsupported::UnsupportedPolicy;
use forest_core::wrapper::Wrapper;
use serde_json::{Map, Value, json};
use url::Url;

/// The settings that are read.
const SETTINGS: [&str; 3] = ["scraper_rules", "rewrite_rules", "user_agent"];

/// The interface of a Miniflux.
pub struct Miniflux<'a>(Service<'a>);

impl<'a> Miniflux<'a> {
    /// Sends `token` with each request.
    pub fn new(mut service: Service<'a>, token: String) -> Miniflux<'a> {
        service.headers.push(("X-Auth-Token", token));
        Miniflux(service)
    }
}

impl FeedReader for Miniflux<'_> {
    fn subscriptions(&self) -> Result<Vec<Subscription>> {
        let feeds = self.0.json("v1/feeds")?;
        let feeds = feeds.as_array().ok_or(ErrorKind::NoFeeds)?;
        Ok(feeds.iter().filter_map(subscription).collect())
    }

    fn settings(&self, wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<ReaderSettings> {
        miniflux_settings(wrapper, policy)
    }

    fn body_setting(&self) -> &'static str {
        "scraper_rules"
    }

    /// Rewrite rules are joined with those of the user, and a user agent stays.
    fn merged(&self, of: &Subscription, new: &ReaderSettings) -> Vec<(&'static str, String)> {
        let each = new.values.iter().filter_map(|(name, value)| {
            let old = of.setting(name);
            match *name {
                "rewrite_rules" if old.contains(value) => None,
                "rewrite_rules" if !old.is_empty() => Some((*name, format!("{old},{value}"))),
                "user_agent" if !old.is_empty() => None,
                _ if old == value => None,
                _ => Some((*name, value.clone())),
            }
        });
        let mut merged: Vec<_> = each.collect();
        if of.setting("crawler") != "true" {
            merged.insert(0, ("crawler", "true".to_owned()));
        }
        merged
    }

    fn write(&self, of: &Subscription, settings: &[(&'static str, String)]) -> Result<()> {
        let values = settings.iter().map(|(name, value)| {
            let value = match *name {
                "crawler" => json!(true),
                _ => json!(value),
            };
            ((*name).to_owned(), value)
        });
        let body = Value::Object(values.collect::<Map<_, _>>());
        self.0.put(&format!("v1/feeds/{}", of.id), &body)
    }

    fn unread(&self, of: &Subscription, most: usize) -> Option<Result<Vec<UnreadEntry>>> {
        let path = format!(
            "v1/feeds/{}/entries?status=unread&order=published_at&direction=desc&limit={most}",
            of.id
        );
        Some(self.0.json(&path).map(|answer| {
            let entries = answer["entries"].as_array();
            entries.into_iter().flatten().filter_map(entry).collect()
        }))
    }

    fn write_entry(&self, entry: &UnreadEntry, html: &str) -> Result<()> {
        let body = json!({"content": html});
        self.0.put(&format!("v1/entries/{}", entry.id), &body)
    }
}

fn subscription(feed: &Value) -> Option<Subscription> {
    let mut settings: Vec<_> = SETTINGS
        .iter()
        .map(|name| ((*name).to_owned(), text(feed, name).to_owned()))
        .collect();
    settings.push(("crawler".to_owned(), feed["crawler"].to_string()));
    Some(Subscription {
        id: feed["id"].as_u64()?.to_string(),
        url: Url::parse(text(feed, "feed_url")).ok()?,
        settings,
    })
}

fn entry(entry: &Value) -> Option<UnreadEntry> {
    Some(UnreadEntry {
        id: entry["id"].as_u64()?.to_string(),
        url: Url::parse(text(entry, "url")).ok()?,
        html: text(entry, "content").to_owned(),
    })
}
