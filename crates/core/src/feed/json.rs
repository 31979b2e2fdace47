//! JSON Feed, brought to the shape that feed-rs reads.
//!
//! feed-rs refuses the whole feed for one item whose `id` is a number or whose
//! `title` is missing at the top, and panics on some authors; here what is of
//! the wrong type is left out, item by item.

use serde_json::{Map, Value, json};
use url::Url;

use super::field::{Attached, author_name};
use super::repair::{Extra, MAX_ITEMS, MAX_NAMES, Repaired};
use super::{FeedVersion, FeedWarning};
use crate::error::{ErrorKind, Result};

/// Rewrites a JSON Feed; `None` if the value is no feed.
pub(super) fn repair(text: &str, base: Option<&Url>) -> Result<Option<Repaired>> {
    let mut warnings = Vec::new();
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => match whole_items(text).filter(|_| error.is_eof()) {
            Some(value) => {
                warnings.push(FeedWarning::Truncated);
                value
            }
            None => {
                let source = Box::new(error);
                return Err(ErrorKind::FeedSyntax { source }.into());
            }
        },
    };
    let Some(feed) = value.as_object() else {
        return Ok(None);
    };
    let version = string(feed, "version").unwrap_or_default();
    let Some(items) = feed.get("items").and_then(Value::as_array) else {
        return Ok(None);
    };
    let is_item = |item: &Value| item.get("url").is_some() || item.get("id").is_some();
    if !version.contains("jsonfeed.org/") && !items.first().is_some_and(is_item) {
        return Ok(None);
    }

    if items.len() > MAX_ITEMS {
        warnings.push(FeedWarning::TooManyItems);
    }
    let mut extras = Vec::new();
    let mut kept = Vec::new();
    for item in items.iter().take(MAX_ITEMS).filter_map(Value::as_object) {
        let mut out = Map::new();
        copy(
            item,
            &mut out,
            &[
                "id",
                "title",
                "content_html",
                "content_text",
                "summary",
                "date_published",
                "date_modified",
            ],
        );
        if let Some(tags) = item.get("tags").and_then(Value::as_array) {
            let tags: Vec<Value> = tags.iter().filter(|tag| tag.is_string()).cloned().collect();
            out.insert("tags".to_owned(), Value::Array(tags));
        }
        kept.push(Value::Object(out));
        let links = ["url", "external_url"].iter().enumerate();
        extras.push(Extra {
            base: base.cloned(),
            links: links
                .filter_map(|(rank, name)| Some((rank > 0, string(item, name)?)))
                .collect(),
            permalink: string(item, "id"),
            published: string(item, "date_published"),
            updated: string(item, "date_modified"),
            authors: authors(item),
            image: string(item, "image").or_else(|| string(item, "banner_image")),
            enclosures: attachments(item),
            ..Extra::default()
        });
    }
    let mut out = Map::new();
    copy(feed, &mut out, &["title", "description", "language"]);
    out.entry("title").or_insert_with(|| json!(""));
    out.insert(
        "version".to_owned(),
        json!("https://jsonfeed.org/version/1.1"),
    );
    out.insert("items".to_owned(), Value::Array(kept));
    Ok(Some(Repaired {
        xml: Value::Object(out).to_string(),
        format: FeedVersion::Json,
        feed: Extra {
            base: base.cloned(),
            links: string(feed, "home_page_url")
                .map(|link| (false, link))
                .into_iter()
                .collect(),
            permalink: string(feed, "feed_url"),
            authors: authors(feed),
            image: string(feed, "icon").or_else(|| string(feed, "favicon")),
            ..Extra::default()
        },
        items: extras,
        warnings,
    }))
}

/// A cut feed up to its last whole item.
fn whole_items(text: &str) -> Option<Value> {
    let (mut depth, mut end) = (0usize, None);
    let (mut string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if string {
            string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                // The feed, its items, and one of them just closed.
                if depth == 2 && byte == b'}' {
                    end = Some(at + 1);
                }
            }
            _ => {}
        }
    }
    serde_json::from_str(&format!("{}]}}", &text[..end?])).ok()
}

/// A member that is a string that is not blank, or a number.
fn string(object: &Map<String, Value>, name: &str) -> Option<String> {
    match object.get(name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn copy(from: &Map<String, Value>, to: &mut Map<String, Value>, names: &[&str]) {
    for &name in names {
        if let Some(text) = string(from, name) {
            to.insert(name.to_owned(), Value::String(text));
        }
    }
}

fn attachments(item: &Map<String, Value>) -> Vec<Attached> {
    let all = item.get("attachments").and_then(Value::as_array);
    let all = all.into_iter().flatten().filter_map(Value::as_object);
    let attached = all.filter_map(|one| {
        Some(Attached {
            url: string(one, "url")?,
            media_type: string(one, "mime_type"),
            bytes: one.get("size_in_bytes").and_then(Value::as_u64),
        })
    });
    attached.take(MAX_NAMES).collect()
}

/// The names in `authors` (version 1.1) or `author` (version 1).
fn authors(object: &Map<String, Value>) -> Vec<String> {
    let many = object.get("authors").and_then(Value::as_array);
    let one = object.get("author");
    let mut names: Vec<String> = Vec::new();
    for author in many.into_iter().flatten().chain(one).take(MAX_NAMES) {
        let name = match author {
            Value::Object(author) => string(author, "name"),
            Value::String(name) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = name.as_deref().and_then(author_name)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}
