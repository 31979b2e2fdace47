//! JSON Feed. What is of the wrong type is left out, item by item.

use serde_json::{Map, Value};
use url::Url;

use super::field::author_names;
use super::raw::{Attached, MAX_ITEMS, MAX_NAMES, RankedText, RawFeed, RawItem, TextVocabulary};
use super::scan::unescape;
use super::text::FeedText;
use super::{FeedVersion, FeedWarning, plain};
use crate::error::{ErrorKind, Result};

/// Reads a JSON Feed; `None` if the value is no feed.
pub(super) fn read(source: &str, base: Option<&Url>) -> Result<Option<RawFeed>> {
    let mut warnings = Vec::new();
    let value: Value = match serde_json::from_str(source) {
        Ok(value) => value,
        Err(error) => match whole_items(source).filter(|_| error.is_eof()) {
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
    let items = items.iter().take(MAX_ITEMS).filter_map(Value::as_object);
    Ok(Some(RawFeed {
        format: FeedVersion::Json,
        items: items.map(|item| read_item(item, base)).collect(),
        feed: RawItem {
            base: base.cloned(),
            title: text(string(feed, "title").map(unescaped)),
            summary: text(string(feed, "description").map(FeedText::html)),
            links: string(feed, "home_page_url")
                .map(|link| (false, link))
                .into_iter()
                .collect(),
            permalink: string(feed, "feed_url"),
            authors: authors(feed),
            image: string(feed, "icon").or_else(|| string(feed, "favicon")),
            language: string(feed, "language"),
            ..RawItem::default()
        },
        warnings,
    }))
}

pub(super) fn read_item(item: &Map<String, Value>, base: Option<&Url>) -> RawItem {
    let links = ["url", "external_url"].iter().enumerate();
    let html = string(item, "content_html").map(FeedText::html);
    let content = html.or_else(|| string(item, "content_text").map(FeedText::plain));
    let mut out = RawItem {
        base: base.cloned(),
        id: string(item, "id").unwrap_or_default(),
        title: text(string(item, "title").map(unescaped)),
        summary: text(string(item, "summary").map(FeedText::html)),
        content: text(content),
        links: links
            .filter_map(|(rank, name)| Some((rank > 0, string(item, name)?)))
            .collect(),
        permalink: string(item, "id"),
        published: string(item, "date_published"),
        updated: string(item, "date_modified"),
        authors: authors(item),
        image: string(item, "image").or_else(|| string(item, "banner_image")),
        enclosures: attachments(item),
        ..RawItem::default()
    };
    let tags = item.get("tags").and_then(Value::as_array);
    for tag in tags.into_iter().flatten().filter_map(Value::as_str) {
        out.add_category(plain::one_line(tag));
    }
    out
}

/// A title, which is text, though often with references in it.
fn unescaped(title: String) -> FeedText {
    FeedText::plain(unescape(&title))
}

fn text(text: Option<FeedText>) -> RankedText {
    let mut out = RankedText::default();
    out.offer(TextVocabulary::Core, text.unwrap_or_default());
    out
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
        for name in name.iter().flat_map(|name| author_names(name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}
