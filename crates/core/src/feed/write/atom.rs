//! Atom 1.0.

use super::xml::{Xml, as_markup, document, empty, nested, one_line, text, valid_chars};
use chrono::{DateTime, FixedOffset};

use super::{Channel, FeedEntry, SchemeTerm, files, media_type, rfc3339, tag, web};

pub(super) const NAMESPACE: &str = "http://www.w3.org/2005/Atom";

/// The feed as Atom.
pub fn atom(channel: &Channel) -> String {
    let mut attributes = vec![("xmlns", NAMESPACE)];
    attributes.extend(tag(&channel.language).map(|tag| ("xml:lang", tag)));
    document(|xml| {
        nested(xml, "feed", &attributes, |xml| {
            text(xml, "id", &[], &channel.id);
            title(xml, "title", &channel.title);
            if let Some(description) = &channel.description {
                title(xml, "subtitle", description);
            }
            text(
                xml,
                "updated",
                &[],
                &rfc3339(channel.updated().unwrap_or(channel.at)),
            );
            // A feed has an author where an entry has none (RFC 4287, 4.1.1).
            author(xml, &channel.title);
            link(xml, "alternate", web(&channel.home));
            link(xml, "self", web(&channel.address));
            if let Some(image) = web(&channel.image) {
                text(xml, "logo", &[], image);
            }
            for one in &channel.entries {
                entry(xml, one, channel.at);
            }
        });
    })
}

/// Writes an entry. `at`: its time if it has none.
fn entry(xml: &mut Xml, entry: &FeedEntry, at: DateTime<FixedOffset>) {
    let language: Vec<_> = tag(&entry.language)
        .map(|tag| ("xml:lang", tag))
        .into_iter()
        .collect();
    nested(xml, "entry", &language, |xml| {
        text(xml, "id", &[], &entry.id);
        title(xml, "title", &entry.title);
        link(xml, "alternate", web(&entry.url));
        for (file, href) in files(entry) {
            let (kind, bytes) = (media_type(file), file.bytes.map(|bytes| bytes.to_string()));
            let mut attributes = vec![("rel", "enclosure"), ("href", href), ("type", &kind)];
            attributes.extend(bytes.as_deref().map(|bytes| ("length", bytes)));
            empty(xml, "link", &attributes);
        }
        for name in &entry.authors {
            author(xml, name);
        }
        if let Some(published) = entry.published {
            text(xml, "published", &[], &rfc3339(published));
        }
        text(xml, "updated", &[], &rfc3339(entry.changed().unwrap_or(at)));
        for category in &entry.categories {
            empty(xml, "category", &[("term", &one_line(category))]);
        }
        for SchemeTerm {
            scheme,
            term,
            label,
        } in &entry.terms
        {
            let attributes = [("scheme", scheme), ("term", term), ("label", label)];
            let attributes = attributes.map(|(name, value)| (name, one_line(value)));
            let attributes = attributes.each_ref().map(|(name, value)| (*name, &**value));
            empty(xml, "category", &attributes);
        }
        text(
            xml,
            "content",
            &[("type", "html")],
            &valid_chars(&entry.html),
        );
    });
}

/// A title; where it has what looks like markup it says that it is escaped, for
/// readers that take all titles for HTML.
fn title(xml: &mut Xml, name: &str, title: &str) {
    match as_markup(title) {
        Some(html) => text(xml, name, &[("type", "html")], &html),
        None => text(xml, name, &[], &one_line(title)),
    }
}

fn author(xml: &mut Xml, name: &str) {
    nested(xml, "author", &[], |xml| {
        text(xml, "name", &[], &one_line(name));
    });
}

fn link(xml: &mut Xml, rel: &str, href: Option<&str>) {
    if let Some(href) = href {
        empty(xml, "link", &[("rel", rel), ("href", href)]);
    }
}
