//! FreshRSS by its interface of Google Reader
//! (<https://freshrss.github.io/FreshRSS/en/developers/06_GoogleReader_API.html>, read for
//! FreshRSS 1.24): `accounts/ClientLogin`, `subscription/export` and `subscription/import`.
//!
//! The interface sets no selectors, but it imports OPML, whose attributes
//! `frss:cssFullContent` and `frss:cssFullContentFilter` are these selectors. The import
//! replaces title, home page and description of a feed, so its outline is sent back with all
//! attributes of the export. It also resumes a feed that was muted.

use super::service::{FeedReader, Service, Subscription, UnreadEntry};
use anyhow::{Context, bail};
use forest_core::feed::feed_attributes;
use forest_core::wrapper::Wrapper;
use forest_exchange::{
    FRESHRSS_OPML_START, OPML_END, ReaderSettings, UnsupportedPolicy, freshrss_settings, outline,
};
use forest_fetch::Verb;
use url::Url;

/// The prefix of FreshRSS's attributes in its export.
const PREFIX: &str = "frss:";

pub struct FreshRss(Service);

impl FreshRss {
    /// Logs in with the user's password for the interface.
    pub fn log_in(mut service: Service, user: &str, password: &str) -> anyhow::Result<FreshRss> {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("Email", user)
            .append_pair("Passwd", password)
            .finish();
        let kind = Some("application/x-www-form-urlencoded");
        let answer = service.send(Verb::Post, "accounts/ClientLogin", kind, form.as_bytes());
        let answer =
            answer.context("FreshRSS refuses the login; is it the password of its API?")?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let Some(key) = answer.lines().find_map(|line| line.strip_prefix("Auth=")) else {
            bail!("FreshRSS's answer to the login has no key; is --url that of api/greader.php?");
        };
        let value = format!("GoogleLogin auth={}", key.trim());
        service.headers.push(("Authorization", value));
        Ok(FreshRss(service))
    }
}

impl FeedReader for FreshRss {
    fn subscriptions(&self) -> anyhow::Result<Vec<Subscription>> {
        let path = "reader/api/0/subscription/export";
        let list = self.0.send(Verb::Get, path, None, &[])?;
        let feeds = feed_attributes(&list).into_iter().filter_map(|settings| {
            let address = settings.iter().find(|(name, _)| name == "xmlUrl")?;
            let url = Url::parse(&address.1).ok()?;
            let id = url.to_string();
            Some(Subscription { id, url, settings })
        });
        Ok(feeds.collect())
    }

    fn settings(
        &self,
        wrapper: &Wrapper,
        policy: UnsupportedPolicy,
    ) -> forest_exchange::Result<ReaderSettings> {
        freshrss_settings(wrapper, policy)
    }

    fn body_setting(&self) -> &'static str {
        "frss:cssFullContent"
    }

    fn merged(&self, of: &Subscription, new: &ReaderSettings) -> Vec<(&'static str, String)> {
        let each = new.values.iter();
        let changed = each.filter(|(name, value)| of.setting(&format!("{PREFIX}{name}")) != value);
        changed.cloned().collect()
    }

    fn write(&self, of: &Subscription, settings: &[(&'static str, String)]) -> anyhow::Result<()> {
        let fresh: Vec<(String, &str)> = settings
            .iter()
            .map(|(name, value)| (format!("{PREFIX}{name}"), value.as_str()))
            .collect();
        let is_fresh = |name: &str| fresh.iter().any(|(known, _)| known == name);
        let old = of.settings.iter().filter(|(name, _)| !is_fresh(name));
        let old = old.map(|(name, value)| (name.as_str(), value.as_str()));
        let all = old.chain(fresh.iter().map(|(name, value)| (name.as_str(), *value)));
        let list = format!("{FRESHRSS_OPML_START}{}{OPML_END}", outline(all));
        let path = "reader/api/0/subscription/import";
        let kind = Some("text/x-opml; charset=utf-8");
        self.0.send(Verb::Post, path, kind, list.as_bytes())?;
        Ok(())
    }

    fn unread(&self, _: &Subscription, _: usize) -> Option<anyhow::Result<Vec<UnreadEntry>>> {
        None
    }

    fn write_entry(&self, _: &UnreadEntry, _: &str) -> anyhow::Result<()> {
        bail!("FreshRSS's interface does not change articles")
    }
}
