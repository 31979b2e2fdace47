//! FreshRSS by its interface of Google Reader
//! (<https://freshrss.github.io/FreshRSS/en/developers/06_GoogleReader_API.html>, read for
//! FreshRSS 1.24): `accounts/ClientLogin`, `subscription/export` and `subscription/import`.
//!
//! The interface sets no selectors, but it imports OPML, whose attributes
//! `frss:cssFullContent` and `frss:cssFullContentFilter` are these selectors. The import
//! replaces title, home page and description of a feed, so its outline is sent back with all
//! attributes of the export. It also resumes a feed that was muted.

use super::service::{FeedReader, ReaderVerb, Service, Subscription, UnreadEntry};
use crate::error::{ErrorKind, Result};
use crate::readers::{FRESHRSS_OPML_START, OPML_END, ReaderSettings, freshrss_settings, outline};
use crate::unsupported::UnsupportedPolicy;
use forest_core::feed::feed_attributes;
use forest_core::wrapper::Wrapper;
use url::Url;

/// The prefix of FreshRSS's attributes in its export.
const PREFIX: &str = "frss:";

/// The interface of a FreshRSS.
pub struct FreshRss<'a>(Service<'a>);

impl<'a> FreshRss<'a> {
    /// Logs in with the user's password for the interface.
    ///
    /// # Errors
    ///
    /// If the reader refuses it.
    pub fn log_in(mut service: Service<'a>, user: &str, password: &str) -> Result<FreshRss<'a>> {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("Email", user)
            .append_pair("Passwd", password)
            .finish();
        let kind = Some("application/x-www-form-urlencoded");
        let answer = service.send(
            ReaderVerb::Post,
            "accounts/ClientLogin",
            kind,
            form.as_bytes(),
        );
        let answer = answer.map_err(|source| ErrorKind::Login { source })?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let Some(key) = answer.lines().find_map(|line| line.strip_prefix("Auth=")) else {
            return Err(ErrorKind::NoKey.into());
        };
        let value = format!("GoogleLogin auth={}", key.trim());
        service.headers.push(("Authorization", value));
        Ok(FreshRss(service))
    }
}

impl FeedReader for FreshRss<'_> {
    fn subscriptions(&self) -> Result<Vec<Subscription>> {
        let path = "reader/api/0/subscription/export";
        let list = self.0.send(ReaderVerb::Get, path, None, &[])?;
        let feeds = feed_attributes(&list).into_iter().filter_map(|settings| {
            let address = settings.iter().find(|(name, _)| name == "xmlUrl")?;
            let url = Url::parse(&address.1).ok()?;
            let id = url.to_string();
            Some(Subscription { id, url, settings })
        });
        Ok(feeds.collect())
    }

    fn settings(&self, wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<ReaderSettings> {
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

    fn write(&self, of: &Subscription, settings: &[(&'static str, String)]) -> Result<()> {
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
        self.0.send(ReaderVerb::Post, path, kind, list.as_bytes())?;
        Ok(())
    }

    fn unread(&self, _: &Subscription, _: usize) -> Option<Result<Vec<UnreadEntry>>> {
        None
    }

    fn write_entry(&self, _: &UnreadEntry, _: &str) -> Result<()> {
        Err(ErrorKind::ArticlesStay.into())
    }
}
