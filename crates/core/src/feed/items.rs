//! From what feed-rs read, and what was kept beside it, to [`Feed`].

use feed_rs::model::{Content, Entry, Text};
use forest_html::address::web_link;
use url::Url;

use super::date::date;
use super::repair::{Extra, MAX_NAMES, Repaired};
use super::scan::unescape;
use super::{Enclosure, Feed, FeedItem, FeedVersion, FeedWarning, Result, plain, ttl};
use crate::error::ErrorKind;
use forest_html::page::plain::escape;
use forest_html::text::fold;

/// A repaired feed as feed-rs reads it.
fn parsed(xml: &str) -> Result<feed_rs::model::Feed> {
    let parser = feed_rs::parser::Builder::new()
        .sanitize_content(false)
        // feed-rs makes a random one up where an item has none.
        .id_generator(|_, _, _| String::new())
        .build();
    let read = parser.parse(xml.as_bytes());
    Ok(read.map_err(|source| ErrorKind::FeedSyntax {
        source: Box::new(source),
    })?)
}

/// Reads a repaired feed with feed-rs.
pub(super) fn assemble(repaired: Repaired, warnings: Vec<FeedWarning>) -> Result<Feed> {
    let Repaired {
        xml,
        format,
        feed: whole,
        items: extras,
        warnings: found,
    } = repaired;
    let read = parsed(&xml)?;
    // The feed's own link to itself stands in for an address that is not known.
    let own = whole
        .permalink
        .as_deref()
        .and_then(|link| Url::parse(link).ok());
    let base = whole.base.clone().or(own);
    let site = sorted_links(&whole).find_map(|link| web_link(base.as_ref(), link));
    let base = base.or_else(|| site.clone());
    let mut warnings: Vec<FeedWarning> = warnings.into_iter().chain(found).collect();
    let mut items = Vec::with_capacity(read.entries.len());
    for (index, entry) in read.entries.into_iter().enumerate() {
        let extra = extras.get(index).cloned().unwrap_or_default();
        items.push(item(format, index, entry, extra, &whole, base.as_ref()));
    }
    let ttl = ttl::ttl(&whole);
    let picture = whole.image.as_deref();
    let image = picture.and_then(|image| web_link(base.as_ref(), image));
    let without_link = items.iter().filter(|item| item.link.is_none()).count();
    if without_link > 0 {
        warnings.push(FeedWarning::NoLink {
            items: without_link,
        });
    }
    Ok(Feed {
        format,
        title: read
            .title
            .map(|text| title(&text, format))
            .unwrap_or_default(),
        description: read
            .description
            .map(|text| summary(&text, format))
            .filter(|text| !text.is_empty()),
        language: whole
            .language
            .or(read.language)
            .filter(|code| !code.is_empty()),
        site,
        image,
        ttl,
        items,
        warnings,
    })
}

/// The links to the page itself, HTML pages first.
fn sorted_links(extra: &Extra) -> impl Iterator<Item = &str> {
    let best = extra.links.iter().filter(|(second, _)| !second);
    let rest = extra.links.iter().filter(|(second, _)| *second);
    best.chain(rest).map(|(_, link)| link.as_str())
}

fn item(
    format: FeedVersion,
    index: usize,
    entry: Entry,
    extra: Extra,
    feed: &Extra,
    base: Option<&Url>,
) -> FeedItem {
    let base = extra.base.as_ref().or(base);
    // `urn:`, `tag:` and bare numbers are names, not addresses: a permalink must
    // be an absolute one.
    let link = extra
        .original_link
        .iter()
        .filter_map(|link| web_link(None, link))
        .chain(sorted_links(&extra).filter_map(|link| web_link(base, link)))
        .chain(
            extra
                .permalink
                .iter()
                .filter_map(|link| web_link(None, link)),
        )
        .chain(extra.about.iter().filter_map(|link| web_link(base, link)))
        .next();
    let id = match (entry.id.trim(), &link) {
        ("", Some(link)) => link.to_string(),
        ("", None) => format!("#{}", index + 1),
        (id, _) => id.to_owned(),
    };
    let content = entry.content.and_then(html);
    let authors = if extra.authors.is_empty() {
        feed.authors.clone()
    } else {
        extra.authors
    };
    let image = extra.image.and_then(|image| web_link(base, &image));
    let mut enclosures: Vec<Enclosure> = Vec::new();
    for file in extra.enclosures {
        if let Some(url) = web_link(base, &file.url)
            && enclosures.iter().all(|known| known.url != url)
        {
            enclosures.push(Enclosure {
                url,
                media_type: file.media_type,
                bytes: file.bytes,
            });
        }
    }
    let mut categories: Vec<String> = Vec::new();
    for category in entry.categories.into_iter().take(MAX_NAMES) {
        let name = plain::one_line(&category.label.unwrap_or(category.term));
        if !name.is_empty() && !categories.contains(&name) {
            categories.push(name);
        }
    }
    FeedItem {
        id,
        title: entry
            .title
            .map(|text| title(&text, format))
            .unwrap_or_default(),
        summary: entry
            .summary
            .map(|text| summary(&text, format))
            .unwrap_or_default(),
        content,
        link,
        published: date(extra.published, entry.published),
        updated: date(extra.updated, entry.updated),
        authors,
        categories,
        image,
        enclosures,
    }
}

/// A title as one line. Only RSS leaves open whether it is HTML; in JSON Feed it
/// is text, though often with references in it.
fn title(text: &Text, format: FeedVersion) -> String {
    match format {
        FeedVersion::Atom if text.content_type.subty() == "plain" => fold(&text.content),
        FeedVersion::Json => fold(&unescape(&text.content)),
        _ => plain::one_line(&text.content),
    }
}

/// A description as text.
fn summary(text: &Text, format: FeedVersion) -> String {
    match format {
        FeedVersion::Atom if text.content_type.subty() == "plain" => fold(&text.content),
        _ => plain::lines(&text.content),
    }
}

/// The content as HTML.
fn html(content: Content) -> Option<String> {
    let body = content.body.filter(|body| !body.trim().is_empty())?;
    Some(if content.content_type.subty() == "plain" {
        let mut out = String::with_capacity(body.len());
        escape(&body, &mut out);
        out
    } else {
        body
    })
}
