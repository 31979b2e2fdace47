//! Feeds of what is stored.

use super::super::diff::{CONTEXT_WORDS, Diff, html};
use super::super::search::published;
use super::super::{Filter, Markup, Reader, StoredArticle, Version};
use crate::error::Result;
use crate::extract::{Status, sanitise};
use crate::feed::write::{Channel, Entry};
use crate::page::plain::escape;
use chrono::{DateTime, Utc};

use std::cmp::Reverse;
use std::collections::BTreeMap;
use url::{Url, form_urlencoded};

/// Entries of a feed where nothing else is said: more than a reader misses in a week.
pub const DEFAULT_ENTRIES: usize = 50;

/// The newest articles of a site, `limit` at the most, by when they were published, or
/// first seen where that is not known. What holds no article is left out; `None` if
/// there is nothing.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn site_channel(archive: &Reader, site: &str, limit: usize) -> Result<Option<Channel>> {
    let filter = Filter {
        site: Some(site.to_owned()),
        statuses: vec![Status::Ok, Status::Degraded, Status::Fallback],
        ..Filter::default()
    };
    // The best so many, the last one first to go.
    let mut newest = BTreeMap::new();
    archive.each_latest(&filter, &mut |article, version| {
        let date = published(&article, &version);
        newest.insert((date, Reverse(article.id)), (article, version));
        if newest.len() > limit {
            newest.pop_first();
        }
        Ok(())
    })?;
    let mut markup = Markup::default();
    let mut entries = Vec::with_capacity(newest.len());
    for (article, mut version) in newest.into_values().rev() {
        if version.record.html.is_none() {
            version.record.html = markup.of(archive, &version)?;
        }
        entries.push(article_entry(&article, &version));
    }
    // A name does not change, also where the site's scheme does.
    let name = Url::parse(&format!("https://{site}/")).ok();
    let scheme = match newest_scheme(&entries) {
        Some("http") => "http",
        _ => "https",
    };
    let channel = Channel {
        id: name.map_or_else(|| name_of(site), String::from),
        title: site.to_owned(),
        home: Url::parse(&format!("{scheme}://{site}/")).ok(),
        address: None,
        language: one_language(&entries),
        entries,
    };
    Ok((!channel.entries.is_empty()).then_some(channel))
}

fn newest_scheme(entries: &[Entry]) -> Option<&str> {
    Some(entries.first()?.url.as_ref()?.scheme())
}

/// The language of all entries, if they have one in common.
fn one_language(entries: &[Entry]) -> Option<String> {
    let first = entries.first()?.language.as_ref()?;
    let same = |entry: &Entry| entry.language.as_ref() == Some(first);
    entries.iter().all(same).then(|| first.clone())
}

/// An article with its whole content. Its address is its name, whatever becomes of it.
pub fn article_entry(article: &StoredArticle, version: &Version) -> Entry {
    let record = &version.record;
    let url = Url::parse(&article.url).ok();
    let known = record.date_published.is_some();
    Entry {
        id: url
            .as_ref()
            .map_or_else(|| name_of(&article.url), Url::to_string),
        url,
        title: title_of(version),
        html: match &record.html {
            // It was safe when it was stored; what stands on a disk may be edited.
            Some(html) => sanitise(html),
            None => paragraphs(&record.text),
        },
        authors: record.authors.clone(),
        published: known.then(|| published(article, version).fixed_offset()),
        updated: version.at.fixed_offset(),
        categories: record.tags.clone(),
        language: record.language.clone(),
        image: record
            .images
            .first()
            .and_then(|image| Url::parse(&image.url).ok()),
    }
}

/// What was edited between two versions.
pub fn change_entry(article: &StoredArticle, before: &Version, after: &Version) -> Entry {
    let mut entry = article_entry(article, after);
    let diff = Diff::of(&before.record.text, &after.record.text);
    let mut content = String::new();
    if before.record.title != after.record.title {
        let titles = Diff::of(&title_of(before), &title_of(after));
        content = html(&titles.hunks(usize::MAX));
    }
    content.push_str(&html(&diff.hunks(CONTEXT_WORDS)));
    entry.id = format!("{}#version-{}", entry.id, after.number);
    entry.html = content;
    entry.published = Some(entry.updated);
    entry
}

/// What was edited in the archive since a time, of one site or of all, the newest
/// first.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn changes_channel(
    archive: &Reader,
    since: DateTime<Utc>,
    site: Option<&str>,
) -> Result<Channel> {
    let mut entries = Vec::new();
    archive.changed_since(since, &mut |article, before, after| {
        if site.is_none_or(|site| article.site == site) {
            entries.push(change_entry(&article, &before, &after));
        }
        Ok(())
    })?;
    entries.reverse();
    let title = match site {
        Some(site) => format!("Edits of {site}"),
        None => "Edits".to_owned(),
    };
    Ok(Channel {
        id: name_of(&title),
        title,
        entries,
        ..Channel::default()
    })
}

/// The versions of an article, the newest first: the edits, and at the end the first
/// version whole.
pub fn versions_channel(article: &StoredArticle, versions: &[Version]) -> Channel {
    let mut entries: Vec<Entry> = versions
        .windows(2)
        .rev()
        .map(|pair| change_entry(article, &pair[0], &pair[1]))
        .collect();
    entries.extend(versions.first().map(|first| article_entry(article, first)));
    Channel {
        id: name_of(&format!("versions of {}", article.url)),
        title: versions.last().map(title_of).unwrap_or_default(),
        home: Url::parse(&article.url).ok(),
        address: None,
        language: one_language(&entries),
        entries,
    }
}

/// The title; where there is none, the address.
fn title_of(version: &Version) -> String {
    let record = &version.record;
    let title = record
        .title
        .clone()
        .filter(|title| !title.trim().is_empty());
    title.or_else(|| record.url.clone()).unwrap_or_default()
}

/// A text, a line a block, as HTML.
fn paragraphs(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        out.push_str("<p>");
        escape(line, &mut out);
        out.push_str("</p>\n");
    }
    out
}

/// A URN for what has no address: RFC 8141 wants no spaces or signs in it.
fn name_of(text: &str) -> String {
    let safe: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    format!("urn:forest:{safe}")
}
