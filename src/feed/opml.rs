//! OPML 1 and 2: a list of feeds, as feed readers export it.

use url::Url;

use super::scan::{Scanner, Tag, Token, local};
use super::{MAX_FEED_BYTES, decode, items::web_address, plain};
use crate::error::{Kind as ErrorKind, Result};

/// Feeds read of one list; a reader's export has some hundreds.
const MAX_OUTLINES: usize = 100_000;

/// Levels of folders. Deeper ones are refused: no reader writes them.
const MAX_DEPTH: usize = 64;

/// A feed in an OPML list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The title, empty if there is none.
    pub title: String,
    /// The feed.
    pub xml_url: Url,
    /// The site's home page.
    pub html_url: Option<Url>,
}

/// Reads the feeds of an OPML list in its order, folders flattened, a feed that
/// is listed twice once.
///
/// Attributes are read in any case (`xmlUrl`, `xmlurl`); outlines without a
/// feed's address (folders, notes) are passed over.
///
/// # Errors
///
/// If the bytes are no OPML, are larger than [`MAX_FEED_BYTES`], list no feed or
/// nest folders deeper than 64 levels; with the line.
pub fn parse_opml(bytes: &[u8]) -> Result<Vec<Outline>> {
    if bytes.len() > MAX_FEED_BYTES {
        return Err(ErrorKind::FeedTooLarge {
            bytes: bytes.len(),
            limit: MAX_FEED_BYTES,
        }
        .into());
    }
    let (text, _) = decode::decode(bytes, None);
    let mut scanner = Scanner::new(&text);
    let mut outlines: Vec<Outline> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut root = false;
    let mut depth = 0usize;
    loop {
        let offset = scanner.offset();
        let Some(token) = scanner.next() else { break };
        let fail = |reason| {
            let line = scanner.line(offset);
            Err(ErrorKind::Opml { line, reason }.into())
        };
        match token {
            Token::Start(tag) if is(tag.name, "opml") => root = true,
            Token::Start(tag) if !root && !is(tag.name, "outline") => {
                return fail("the document is no OPML: its root element must be `opml`");
            }
            Token::Start(tag) if is(tag.name, "outline") => {
                if let Some(outline) = outline(tag)
                    && known.insert(outline.xml_url.clone())
                {
                    if outlines.len() == MAX_OUTLINES {
                        return fail("more than 100000 feeds: split the list");
                    }
                    outlines.push(outline);
                }
                if !tag.empty {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return fail(
                            "folders nest deeper than 64 levels: close the `outline` elements",
                        );
                    }
                }
            }
            Token::End(name) if is(name, "outline") => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if outlines.is_empty() {
        let line = scanner.line(text.len());
        let reason = if root {
            "the list has no feed: `outline` elements need an `xmlUrl` with an absolute address"
        } else {
            "the document is no OPML: its root element must be `opml`"
        };
        return Err(ErrorKind::Opml { line, reason }.into());
    }
    Ok(outlines)
}

fn is(name: &str, expected: &str) -> bool {
    local(name).eq_ignore_ascii_case(expected)
}

fn outline(tag: Tag<'_>) -> Option<Outline> {
    let attributes = tag.attributes();
    let get = |name: &str| {
        let same = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        attributes
            .iter()
            .find(same)
            .map(|(_, value)| value.as_str())
    };
    let title = get("title").filter(|title| !title.trim().is_empty());
    // Lists of version 1 have `url` where the type says that it is a feed.
    let is_feed = get("type").is_some_and(|kind| {
        ["rss", "atom"]
            .iter()
            .any(|feed| kind.eq_ignore_ascii_case(feed))
    });
    let address = get("xmlUrl").or_else(|| get("url").filter(|_| is_feed))?;
    Some(Outline {
        title: plain::one_line(title.or(get("text")).unwrap_or_default()),
        xml_url: web_address(None, address)?,
        html_url: get("htmlUrl").and_then(|address| web_address(None, address)),
    })
}
