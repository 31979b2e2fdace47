//! The past events of an archive, as a feed.

use super::super::item_names::name_of;
use super::super::{ArchiveReader, EventKind, PastEvent};
use crate::error::Result;
use chrono::SecondsFormat;
use forest_core::feed::write::{Channel, FeedEntry};
use forest_core::render::paragraphs;
use url::Url;

/// The past events of these kinds, on one site or on all, the newest first; of each kind
/// `limit` at the most, so that many new articles do not hide a wrapper that drifted.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn events_channel(
    archive: &ArchiveReader,
    kinds: &[EventKind],
    site: Option<&str>,
    limit: usize,
) -> Result<Channel> {
    let happened = archive.past_events(kinds, site, limit)?;
    let title = match site {
        Some(site) => format!("Events of {site}"),
        None => "Events".to_owned(),
    };
    Ok(Channel {
        id: name_of(&title),
        title,
        home: site.and_then(home_of),
        entries: happened.iter().map(entry).collect(),
        ..Channel::default()
    })
}

fn home_of(site: &str) -> Option<Url> {
    Url::parse(&format!("https://{site}/")).ok()
}

fn entry(one: &PastEvent) -> FeedEntry {
    let kind = one.kind.name();
    let url = match &one.url {
        Some(url) => Url::parse(url).ok(),
        None => home_of(&one.site),
    };
    // An article is named by its title, a feed by its address; else the site is named.
    let subject = match (&one.title, &one.url) {
        (Some(title), _) if !title.trim().is_empty() => title,
        (_, Some(url)) => url,
        _ => &one.site,
    };
    let what = sentence(one);
    let time = one.at.to_rfc3339_opts(SecondsFormat::Millis, true);
    let of = one.url.as_ref().unwrap_or(&one.site);
    // A version of an article occurs once; other events may occur again.
    let nth = one.version.map_or(time, |version| version.to_string());
    FeedEntry {
        id: name_of(&format!("{kind} {nth} {of}")),
        url,
        title: format!("{}: {subject}", headline(one.kind)),
        html: paragraphs(&what),
        published: Some(one.at.fixed_offset()),
        updated: Some(one.at.fixed_offset()),
        categories: vec![kind.to_owned()],
        ..FeedEntry::default()
    }
}

fn headline(happening: EventKind) -> &'static str {
    match happening {
        EventKind::New => "New article",
        EventKind::Edited => "Edited",
        EventKind::Drift => "Wrapper drifted",
        EventKind::Relearned => "Wrapper learned again",
        EventKind::Blocked => "Blocked",
        EventKind::FeedMoved => "Feed moved",
        EventKind::FeedGone => "Feed gone",
    }
}

/// The sentence about an event.
fn sentence(one: &PastEvent) -> String {
    let site = &one.site;
    let feed = one.url.as_deref().unwrap_or_default();
    let why = match one.why.as_str() {
        "" => String::new(),
        why => format!(" ({why})"),
    };
    match one.kind {
        EventKind::New => format!("An article of {site} that was not there."),
        EventKind::Edited => {
            let version = one.version.unwrap_or_default();
            format!("Version {version} of an article of {site}.")
        }
        EventKind::Drift => {
            format!("The wrapper of {site} no longer finds its articles{why}.")
        }
        EventKind::Relearned => format!("The wrapper of {site} was learned again."),
        EventKind::Blocked => format!("{site} shows a wall in place of its articles{why}."),
        EventKind::FeedMoved => format!("The feed {feed} moved to {}.", one.why),
        EventKind::FeedGone => format!("The feed {feed} is no more{why}."),
    }
}
