//! JSON Feed 1.1.

use super::xml::{one_line, valid_chars};
use super::{Channel, FeedEntry, files, media_type, rfc3339, tag, web};
use serde::Serialize;

const VERSION: &str = "https://jsonfeed.org/version/1.1";

#[derive(Serialize)]
struct JsonFeed<'a> {
    version: &'static str,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    home_page_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    items: Vec<JsonItem<'a>>,
}

#[derive(Serialize)]
struct JsonItem<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    _forest: Option<Extension>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    title: String,
    content_html: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authors: Vec<Author>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<Attachment<'a>>,
}

#[derive(Serialize)]
struct Attachment<'a> {
    url: &'a str,
    mime_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_in_bytes: Option<u64>,
}

/// Our fields, where JSON Feed has none.
#[derive(Serialize)]
struct Extension {
    /// Written as a string: JavaScript rounds numbers of more than 53 bits.
    number: String,
}

#[derive(Serialize)]
struct Author {
    name: String,
}

/// The feed as JSON Feed.
pub fn json(channel: &Channel) -> String {
    let feed = JsonFeed {
        version: VERSION,
        title: one_line(&channel.title),
        home_page_url: web(&channel.home),
        feed_url: web(&channel.address),
        description: channel.description.as_deref().map(one_line),
        icon: web(&channel.image),
        language: tag(&channel.language),
        items: channel.entries.iter().map(item).collect(),
    };
    let mut text = serde_json::to_string_pretty(&feed).expect("all keys are strings");
    text.push('\n');
    text
}

fn item(entry: &FeedEntry) -> JsonItem<'_> {
    let name = |name: &String| Author {
        name: one_line(name),
    };
    JsonItem {
        id: &entry.id,
        _forest: entry.number.map(|number| Extension {
            number: number.to_string(),
        }),
        url: web(&entry.url),
        title: one_line(&entry.title),
        content_html: valid_chars(&entry.html).into_owned(),
        image: web(&entry.image),
        date_published: entry.published.map(rfc3339),
        date_modified: entry.changed().map(rfc3339),
        authors: entry.authors.iter().map(name).collect(),
        tags: entry.categories.iter().map(|tag| one_line(tag)).collect(),
        language: tag(&entry.language),
        attachments: files(entry)
            .map(|(file, url)| Attachment {
                url,
                mime_type: media_type(file),
                size_in_bytes: file.bytes,
            })
            .collect(),
    }
}
