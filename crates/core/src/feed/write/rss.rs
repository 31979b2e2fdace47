//! RSS 2.0, as the RSS Advisory Board's profile reads it.

use super::xml::{Xml, as_markup, document, empty, nested, one_line, text};
use super::{Channel, FeedEntry, files, media_type, rfc3339, tag, web};

/// The modules: the whole content, authors without a mail address, the feed's own
/// address and changes of items, files beside the first one.
const NAMESPACES: [(&str, &str); 5] = [
    ("version", "2.0"),
    ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
    ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    ("xmlns:atom", "http://www.w3.org/2005/Atom"),
    ("xmlns:media", "http://search.yahoo.com/mrss/"),
];

/// The feed as RSS.
pub fn rss(channel: &Channel) -> String {
    document(|xml| {
        nested(xml, "rss", &NAMESPACES, |xml| {
            nested(xml, "channel", &[], |xml| {
                let name = title(&channel.title);
                text(xml, "title", &[], &name);
                // All three are required.
                text(xml, "link", &[], home(channel));
                let description = channel.description.as_deref().map(title);
                text(
                    xml,
                    "description",
                    &[],
                    description.as_ref().unwrap_or(&name),
                );
                if let Some(tag) = tag(&channel.language) {
                    text(xml, "language", &[], tag);
                }
                if let Some(updated) = channel.updated() {
                    text(xml, "lastBuildDate", &[], &updated.to_rfc2822());
                }
                if let Some(href) = web(&channel.address) {
                    let link = [
                        ("rel", "self"),
                        ("type", "application/rss+xml"),
                        ("href", href),
                    ];
                    empty(xml, "atom:link", &link);
                }
                if let Some(image) = web(&channel.image) {
                    nested(xml, "image", &[], |xml| {
                        text(xml, "url", &[], image);
                        text(xml, "title", &[], &name);
                        text(xml, "link", &[], home(channel));
                    });
                }
                for entry in &channel.entries {
                    item(xml, entry);
                }
            });
        });
    })
}

/// The address that a channel must have: the site's, or else one that leads to it.
fn home(channel: &Channel) -> &str {
    let entries = channel.entries.iter().filter_map(|entry| web(&entry.url));
    let known = [web(&channel.home), web(&channel.address)];
    let mut known = known.into_iter().flatten().chain(entries);
    known.next().unwrap_or(&channel.id)
}

fn item(xml: &mut Xml, entry: &FeedEntry) {
    nested(xml, "item", &[], |xml| {
        text(xml, "title", &[], &title(&entry.title));
        let url = web(&entry.url);
        if let Some(url) = url {
            text(xml, "link", &[], url);
        }
        let is_link = if url == Some(&entry.id) {
            "true"
        } else {
            "false"
        };
        text(xml, "guid", &[("isPermaLink", is_link)], &entry.id);
        for name in &entry.authors {
            text(xml, "dc:creator", &[], &one_line(name));
        }
        if let Some(published) = entry.published.or(entry.updated) {
            text(xml, "pubDate", &[], &published.to_rfc2822());
        }
        if let Some(updated) = entry.changed() {
            text(xml, "atom:updated", &[], &rfc3339(updated));
        }
        for category in &entry.categories {
            text(xml, "category", &[], &one_line(category));
        }
        for (at, (file, url)) in files(entry).enumerate() {
            let (kind, bytes) = (media_type(file), file.bytes.unwrap_or(0).to_string());
            // The profile has one enclosure an item, and wants a length of it.
            match at {
                0 => empty(
                    xml,
                    "enclosure",
                    &[("url", url), ("length", &bytes), ("type", &kind)],
                ),
                _ => empty(xml, "media:content", &[("url", url), ("type", &kind)]),
            }
        }
        text(xml, "content:encoded", &[], &entry.html);
    });
}

/// A title as readers take it: those that take it as text and those that take it as
/// HTML see the same, unless it has what HTML would take for markup. Then it is
/// written for the latter, as for them it would be lost, or run.
fn title(text: &str) -> String {
    as_markup(text).unwrap_or_else(|| one_line(text))
}
