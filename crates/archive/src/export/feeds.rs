//! Feeds of articles and of the edits in them.

use super::super::diff::{CONTEXT_WORDS, Diff, html};
use super::super::item_names::name_of;
use super::super::search::{as_time, published};
use super::super::{ArchiveReader, ArticleVersion, StoredArticle};
use crate::error::Result;
use chrono::{DateTime, TimeDelta, Utc};
use forest_core::feed::write::{Channel, FeedEntry};
use forest_core::render::{paragraphs, sanitise};
use url::Url;

/// The language of all entries, if they have one in common.
pub(super) fn one_language(entries: &[FeedEntry]) -> Option<String> {
    let first = entries.first()?.language.as_ref()?;
    let same = |entry: &FeedEntry| entry.language.as_ref() == Some(first);
    entries.iter().all(same).then(|| first.clone())
}

/// An article with its whole content. Its address is its permanent identifier.
pub fn article_entry(article: &StoredArticle, version: &ArticleVersion) -> FeedEntry {
    titled_entry(article, version, title_of(version))
}

/// The same under another title, for example that of its feed.
pub fn titled_entry(article: &StoredArticle, version: &ArticleVersion, title: String) -> FeedEntry {
    let record = &version.record;
    let url = Url::parse(&article.url).ok();
    let known = record.date_published.is_some();
    let html = match &record.html {
        // It was safe when it was stored, but a file on a disk may be edited.
        Some(html) => sanitise(html),
        None => paragraphs(&record.text),
    };
    FeedEntry {
        id: url
            .as_ref()
            .map_or_else(|| name_of(&article.url), Url::to_string),
        number: None,
        url,
        html: record.head(&title).cut_html(&html),
        title,
        authors: record.authors.clone(),
        published: known.then(|| published(article, version).fixed_offset()),
        updated: Some(updated(article, version).fixed_offset()),
        categories: record.tags.clone(),
        terms: Vec::new(),
        language: record.language.clone(),
        image: record
            .images
            .first()
            .and_then(|image| Url::parse(&image.url).ok()),
        enclosures: Vec::new(),
    }
}

/// The time of an article's last change, as stated by its page. Otherwise it is the time of
/// publication for a first version, and the time of the visit for others.
fn updated(article: &StoredArticle, version: &ArticleVersion) -> DateTime<Utc> {
    let record = &version.record;
    // No version is seen before it is written.
    let latest = version.at + TimeDelta::days(1);
    let date_on_page =
        |date: &Option<String>| as_time(date.as_deref()?).filter(|time| *time <= latest);
    let (first, modified) = (
        date_on_page(&record.date_published),
        date_on_page(&record.date_modified),
    );
    match version.number {
        1 => modified.max(first).unwrap_or(version.at),
        _ => modified
            .filter(|modified| *modified > article.first_seen)
            .unwrap_or(version.at),
    }
}

/// The edits between two versions.
pub fn change_entry(
    article: &StoredArticle,
    before: &ArticleVersion,
    after: &ArticleVersion,
) -> FeedEntry {
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
    entry.updated = Some(after.at.fixed_offset());
    entry.published = entry.updated;
    entry
}

/// The edits in the archive since a time, of one site or of all, the newest
/// first.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn changes_channel(
    archive: &ArchiveReader,
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
pub fn versions_channel(article: &StoredArticle, versions: &[ArticleVersion]) -> Channel {
    let mut entries: Vec<FeedEntry> = versions
        .windows(2)
        .rev()
        .map(|pair| change_entry(article, &pair[0], &pair[1]))
        .collect();
    entries.extend(versions.first().map(|first| article_entry(article, first)));
    Channel {
        id: name_of(&format!("versions of {}", article.url)),
        title: versions.last().map(title_of).unwrap_or_default(),
        home: Url::parse(&article.url).ok(),
        language: one_language(&entries),
        entries,
        ..Channel::default()
    }
}

/// The title; if there is no title, the address.
fn title_of(version: &ArticleVersion) -> String {
    let record = &version.record;
    let title = record
        .title
        .clone()
        .filter(|title| !title.trim().is_empty());
    title.or_else(|| record.url.clone()).unwrap_or_default()
}
