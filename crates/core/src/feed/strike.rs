//! A feed without some of its items. The other bytes of XML stay as they came, and each item leaves a
//! comment in its place. JSON is written anew, and says how many were taken out.

use super::items::link_of;
use super::scan::unescape;
use super::{decode, json as feed_json, xml};
use forest_html::address::bare_site;
use serde_json::{Value, json};
use url::Url;

/// Stands in the place of an item.
const COMMENT: &str = "<!-- An item was taken out here. -->";

/// A feed without some of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StruckFeed {
    /// The feed.
    pub bytes: Vec<u8>,
    /// The number of items that were taken out.
    pub items: usize,
}

/// Takes the items out of a feed whose link `is_struck`. `None` if there is none of them, or if it
/// cannot be done: the feed is not in UTF-8, or it names the page of such an item at another place,
/// too, as the table of contents of RSS 1.0 does. Scheme, `www.` and parameters make no difference.
///
/// # Examples
///
/// ```
/// use forest_core::feed::strike_out;
///
/// let rss = b"<rss><channel><item><link>http://a.example/1</link></item>\
///     <item><link>http://a.example/2</link></item></channel></rss>";
/// let struck = strike_out(rss, None, None, &|link| link.ends_with("/1")).expect("a feed");
/// let text = String::from_utf8(struck.bytes)?;
/// assert!(!text.contains("/1") && text.contains("/2"));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
pub fn strike_out(
    bytes: &[u8],
    base: Option<&Url>,
    content_type: Option<&str>,
    is_struck: &dyn Fn(&str) -> bool,
) -> Option<StruckFeed> {
    let (text, _) = decode::decode(bytes, content_type);
    if text.as_bytes() != bytes {
        return None;
    }
    let (rest, links) = if text.trim_start().starts_with('{') {
        without_objects(&text, base, is_struck)?
    } else {
        without_elements(&text, base, is_struck)?
    };
    let is_left = |link: &Url| names_page(&unescape(&rest), link);
    (!links.is_empty() && !links.iter().any(is_left)).then(|| StruckFeed {
        items: links.len(),
        bytes: rest.into_bytes(),
    })
}

/// Returns true if a text has the address of a page, its host and path; a longer path is another
/// page's.
fn names_page(text: &str, link: &Url) -> bool {
    let Some(site) = bare_site(link) else {
        return true;
    };
    let page = format!("{site}{}", link.path().trim_end_matches('/'));
    let mut found = text.match_indices(&page);
    found.any(|(at, _)| {
        let behind = text[at + page.len()..].trim_start_matches('/');
        !behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '%'))
    })
}

/// The rest of an XML feed, and the links that were taken out.
fn without_elements(
    text: &str,
    base: Option<&Url>,
    is_struck: &dyn Fn(&str) -> bool,
) -> Option<(String, Vec<Url>)> {
    let (mut rest, mut links, mut taken) = (String::new(), Vec::new(), 0);
    for item in xml::read(text, base)?.items {
        let Some(link) = link_of(&item, base).filter(|link| is_struck(link.as_str())) else {
            continue;
        };
        let source = item.source?;
        rest.push_str(text.get(taken..source.start)?);
        rest.push_str(COMMENT);
        taken = source.end;
        links.push(link);
    }
    rest.push_str(text.get(taken..)?);
    Some((rest, links))
}

/// The same of a JSON Feed.
fn without_objects(
    text: &str,
    base: Option<&Url>,
    is_struck: &dyn Fn(&str) -> bool,
) -> Option<(String, Vec<Url>)> {
    let mut feed: Value = serde_json::from_str(text).ok()?;
    let mut links: Vec<Url> = Vec::new();
    feed.get_mut("items")?.as_array_mut()?.retain(|item| {
        let item = item
            .as_object()
            .map(|item| feed_json::read_item(item, base));
        let link = item.and_then(|item| link_of(&item, base));
        let link = link.filter(|link| is_struck(link.as_str()));
        let is_kept = link.is_none();
        links.extend(link);
        is_kept
    });
    feed["_forest"] = json!({ "items_taken_out": links.len() });
    Some((feed.to_string(), links))
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    /// The links that are left, if those that end in `/x` are taken out; `None`: it cannot be done.
    fn left(feed: &str) -> Option<Vec<String>> {
        let struck = strike_out(feed.as_bytes(), None, None, &|link| link.ends_with("/x"))?;
        let text = std::str::from_utf8(&struck.bytes).expect("UTF-8");
        assert!(!text.contains("secret"), "{text}");
        let before = parse(feed.as_bytes(), None, None).expect("a feed");
        let after = parse(&struck.bytes, None, None).expect("a feed");
        assert_eq!(after.items.len() + struck.items, before.items.len());
        assert_eq!((&after.title, after.format), (&before.title, before.format));
        let links = after.items.iter().filter_map(|item| item.link.clone());
        Some(links.map(String::from).collect())
    }

    fn rss(items: &str) -> String {
        format!(
            "<?xml version='1.0'?>\n<rss version='2.0'><channel><title>News</title>{items}</channel></rss>\n"
        )
    }

    const KEPT: &str = "<item><title>Kept</title><link>http://a.example/1</link></item>";
    const STRUCK: &str = "<item><title>A secret</title><link>http://a.example/x</link>\
        <description>&lt;item>secret&lt;/item></description></item>";

    #[test]
    fn an_item_is_taken_out_wherever_it_stands() {
        let one = Some(vec!["http://a.example/1".to_owned()]);
        for items in [
            format!("{STRUCK}{KEPT}"),
            format!("{KEPT}\n  {STRUCK}"),
            format!("{STRUCK}\n{KEPT}\n{STRUCK}"),
        ] {
            assert_eq!(left(&rss(&items)), one, "{items}");
        }
        assert_eq!(left(&rss(STRUCK)), Some(Vec::new()));
        // An item that its neighbour ends.
        let open = STRUCK.replace("</description></item>", "</description>");
        assert_eq!(left(&rss(&format!("{open}{KEPT}"))), one);
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title>\
            <entry><title>A secret</title><link href='http://a.example/x'/><summary>secret</summary></entry>\
            <entry><title>Kept</title><link href='http://a.example/1'/></entry></feed>";
        assert_eq!(left(atom), one);
        let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [
            {"id": "1", "url": "http://a.example/1", "title": "Kept"},
            {"id": "x", "url": "http://a.example/x", "content_text": "secret"}]}"#;
        assert_eq!(left(json), one);
    }

    #[test]
    fn the_other_bytes_stay() {
        let feed = rss(&format!("{KEPT}{STRUCK}<!-- a comment -->{KEPT}"));
        let struck = strike_out(feed.as_bytes(), None, None, &|link| link.ends_with("/x"));
        let expected = feed.replace(STRUCK, COMMENT).into_bytes();
        assert_eq!(struck.map(|struck| struck.bytes), Some(expected));
    }

    #[test]
    fn a_feed_that_would_keep_the_link_is_refused() {
        assert_eq!(left(&rss(KEPT)), None);
        // The table of contents.
        let contents = format!("<items><li resource='http://a.example/x'/></items>{STRUCK}{KEPT}");
        assert_eq!(left(&rss(&contents)), None);
        // Another item links to it in its text.
        for named in [
            "http://a.example/x",
            "https://www.a.example/x/?from=feed",
            "http:&#47;/a.example/x&amp;amp;b",
        ] {
            let other = KEPT.replace("Kept", &format!("See {named}"));
            assert_eq!(left(&rss(&format!("{STRUCK}{other}"))), None, "{named}");
        }
        // Other pages with longer paths.
        let others = ["x-ray", "x2", "x.html", "x/y"];
        let others = others.map(|path| KEPT.replace("/1", &format!("/{path}")));
        assert_eq!(
            left(&rss(&(STRUCK.to_owned() + &others.concat()))).map(|left| left.len()),
            Some(4)
        );
        let utf16: Vec<u8> = rss(STRUCK)
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let utf16 = [&[0xfe, 0xff], utf16.as_slice()].concat();
        assert_eq!(
            strike_out(&utf16, None, None, &|link| link.ends_with("/x")),
            None
        );
        assert_eq!(strike_out(b"not a feed", None, None, &|_| true), None);
    }
}
