//! Atom 1.0.

use super::xml::{Xml, around, as_markup, document, empty, held, one_line, text};
use super::{Channel, Entry, rfc3339, tag, web};

const NAMESPACE: &str = "http://www.w3.org/2005/Atom";

/// The feed as Atom.
pub fn atom(channel: &Channel) -> String {
    let mut attributes = vec![("xmlns", NAMESPACE)];
    attributes.extend(tag(&channel.language).map(|tag| ("xml:lang", tag)));
    document(|xml| {
        around(xml, "feed", &attributes, |xml| {
            text(xml, "id", &[], &channel.id);
            title(xml, &channel.title);
            text(xml, "updated", &[], &rfc3339(channel.updated()));
            // A feed has an author where an entry has none (RFC 4287, 4.1.1).
            author(xml, &channel.title);
            link(xml, "alternate", web(&channel.home));
            link(xml, "self", web(&channel.address));
            for one in &channel.entries {
                entry(xml, one);
            }
        });
    })
}

fn entry(xml: &mut Xml, entry: &Entry) {
    let language: Vec<_> = tag(&entry.language)
        .map(|tag| ("xml:lang", tag))
        .into_iter()
        .collect();
    around(xml, "entry", &language, |xml| {
        text(xml, "id", &[], &entry.id);
        title(xml, &entry.title);
        link(xml, "alternate", web(&entry.url));
        for name in &entry.authors {
            author(xml, name);
        }
        if let Some(published) = entry.published {
            text(xml, "published", &[], &rfc3339(published));
        }
        text(xml, "updated", &[], &rfc3339(entry.updated));
        for category in &entry.categories {
            empty(xml, "category", &[("term", &one_line(category))]);
        }
        text(xml, "content", &[("type", "html")], &held(&entry.html));
    });
}

/// A title; where it has what looks like markup it says that it is escaped, for
/// readers that take all titles for HTML.
fn title(xml: &mut Xml, title: &str) {
    match as_markup(title) {
        Some(html) => text(xml, "title", &[("type", "html")], &html),
        None => text(xml, "title", &[], &one_line(title)),
    }
}

fn author(xml: &mut Xml, name: &str) {
    around(xml, "author", &[], |xml| {
        text(xml, "name", &[], &one_line(name));
    });
}

fn link(xml: &mut Xml, rel: &str, href: Option<&str>) {
    if let Some(href) = href {
        empty(xml, "link", &[("rel", rel), ("href", href)]);
    }
}
