//! From the parts of a feed as it has them to [`Feed`].

use forest_html::address::web_link;
use forest_html::page::metadata::DateStyle;
use url::Url;

use super::date::date;
use super::raw::{RawFeed, RawItem};
use super::text::FeedText;
use super::{Enclosure, Feed, FeedItem, FeedWarning, ttl};

/// Reads links, dates and texts of a feed.
pub(super) fn assemble(raw: RawFeed, warnings: Vec<FeedWarning>) -> Feed {
    let RawFeed {
        format,
        feed: whole,
        items: raw_items,
        warnings: found,
    } = raw;
    // The feed's own link to itself stands in for an address that is not known.
    let own = whole
        .permalink
        .as_deref()
        .and_then(|link| Url::parse(link).ok());
    let base = whole.base.clone().or(own);
    let site = whole
        .sorted_links()
        .find_map(|link| web_link(base.as_ref(), link));
    let base = base.or_else(|| site.clone());
    let address = site.as_ref().or(base.as_ref()).map(Url::as_str);
    let style = DateStyle::of(whole.language.as_deref(), address);
    let mut items = Vec::with_capacity(raw_items.len());
    for (index, raw) in raw_items.into_iter().enumerate() {
        items.push(item(index, raw, &whole, style, base.as_ref()));
    }
    let ttl = ttl::ttl(&whole);
    let picture = whole.image.as_deref();
    let image = picture.and_then(|image| web_link(base.as_ref(), image));
    let mut warnings: Vec<FeedWarning> = warnings.into_iter().chain(found).collect();
    let without_link = items.iter().filter(|item| item.link.is_none()).count();
    if without_link > 0 {
        warnings.push(FeedWarning::NoLink {
            items: without_link,
        });
    }
    let description = whole.summary.get().map(FeedText::to_lines);
    Feed {
        format,
        title: whole.title.get().map(FeedText::to_line).unwrap_or_default(),
        description: description.filter(|text| !text.is_empty()),
        language: whole.language.filter(|code| !code.is_empty()),
        site,
        image,
        ttl,
        items,
        warnings,
    }
}

fn item(
    index: usize,
    raw: RawItem,
    feed: &RawItem,
    style: DateStyle,
    base: Option<&Url>,
) -> FeedItem {
    let link = link_of(&raw, base);
    let base = raw.base.as_ref().or(base);
    let id = match (raw.id.trim(), &link) {
        ("", Some(link)) => link.to_string(),
        ("", None) => format!("#{}", index + 1),
        (id, _) => id.to_owned(),
    };
    let image = raw.image.as_ref().and_then(|image| web_link(base, image));
    let mut enclosures: Vec<Enclosure> = Vec::new();
    for file in &raw.enclosures {
        if let Some(url) = web_link(base, &file.url)
            && enclosures.iter().all(|known| known.url != url)
        {
            enclosures.push(Enclosure {
                url,
                media_type: file.media_type.clone(),
                bytes: file.bytes,
            });
        }
    }
    let content = raw.content.into_text().and_then(FeedText::into_html);
    let of_summary = raw.summary_base.clone().filter(|_| content.is_none());
    let content_base = of_summary
        .or_else(|| raw.content_base.clone())
        .or_else(|| base.filter(|_| link.is_none()).cloned());
    // A picture's caption is no summary of an item that has its own text.
    let summary = match content {
        Some(_) => raw.summary.of_item(),
        None => raw.summary.get(),
    };
    let summary_html = summary.and_then(FeedText::markup).map(str::to_owned);
    FeedItem {
        id,
        title: raw.title.get().map(FeedText::to_line).unwrap_or_default(),
        summary: summary.map(FeedText::to_lines).unwrap_or_default(),
        content_base: content_base.filter(|_| content.is_some() || summary_html.is_some()),
        summary_html,
        content,
        link,
        published: raw.published.map(|raw| date(raw, style)),
        updated: raw.updated.map(|raw| date(raw, style)),
        authors: [raw.authors, raw.source_authors, feed.authors.clone()]
            .into_iter()
            .find(|authors| !authors.is_empty())
            .unwrap_or_default(),
        categories: raw.categories,
        image,
        enclosures,
    }
}

/// The page of an item. `urn:`, `tag:` and bare numbers are names, not addresses: a permalink
/// must be an absolute one.
pub(super) fn link_of(raw: &RawItem, base: Option<&Url>) -> Option<Url> {
    let base = raw.base.as_ref().or(base);
    let original = raw.original_link.iter();
    original
        .filter_map(|link| web_link(None, link))
        .chain(raw.sorted_links().filter_map(|link| web_link(base, link)))
        .chain(raw.permalink.iter().filter_map(|link| web_link(None, link)))
        .chain(raw.about.iter().filter_map(|link| web_link(base, link)))
        .next()
}
