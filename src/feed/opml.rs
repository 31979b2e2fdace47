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

/// An address in an OPML list that is none of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoFeed {
    /// Its line, from 1.
    pub line: usize,
    /// The address as it stands there.
    pub address: String,
}

/// What an OPML list has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opml {
    /// The feeds in its order, each once.
    pub feeds: Vec<Outline>,
    /// Outlines that name a feed by an address that cannot be asked for.
    pub refused: Vec<NoFeed>,
}

/// Reads the feeds of an OPML list in its order, folders flattened, a feed that
/// is listed twice once.
///
/// Attributes are read in any case (`xmlUrl`, `xmlurl`), `feed:` and `feed://` are what they
/// stand for; outlines without a feed's address (folders, notes) are passed over.
///
/// # Errors
///
/// If the bytes are no OPML, are larger than [`MAX_FEED_BYTES`], list no feed or
/// nest folders deeper than 64 levels; with the line.
pub fn parse_opml(bytes: &[u8]) -> Result<Vec<Outline>> {
    let opml = read_opml(bytes)?;
    match opml.refused.first() {
        Some(refused) if opml.feeds.is_empty() => Err(no_feed(refused.line)),
        _ => Ok(opml.feeds),
    }
}

fn no_feed(line: usize) -> crate::Error {
    let reason =
        "the list has no feed: `outline` elements need an `xmlUrl` with an absolute address";
    ErrorKind::Opml { line, reason }.into()
}

/// [`parse_opml`], with what names a feed and cannot be asked for.
///
/// # Errors
///
/// As there; a list of which all addresses are refused is none.
pub fn read_opml(bytes: &[u8]) -> Result<Opml> {
    if bytes.len() > MAX_FEED_BYTES {
        return Err(ErrorKind::FeedTooLarge {
            bytes: bytes.len(),
            limit: MAX_FEED_BYTES,
        }
        .into());
    }
    let (text, _) = decode::decode(bytes, None);
    let mut scanner = Scanner::new(&text);
    let mut found = Opml::default();
    let mut known = std::collections::HashSet::new();
    let mut root = false;
    let mut depth = 0usize;
    // The line of a place up to which lines were counted.
    let (mut line, mut counted) = (1, 0);
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
                let outline = outline(tag);
                let is_full = found.feeds.len() + found.refused.len() >= MAX_OUTLINES;
                match outline {
                    Some(Ok(outline)) if known.contains(&outline.xml_url) => {}
                    Some(_) if is_full => return fail("more than 100000 feeds: split the list"),
                    Some(Ok(outline)) => {
                        known.insert(outline.xml_url.clone());
                        found.feeds.push(outline);
                    }
                    Some(Err(address)) => {
                        // From the last one on, so that many cost one pass.
                        line += text[counted..offset].matches('\n').count();
                        counted = offset;
                        found.refused.push(NoFeed { line, address });
                    }
                    None => {}
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
    if found.feeds.is_empty() && found.refused.is_empty() {
        let line = scanner.line(text.len());
        if root {
            return Err(no_feed(line));
        }
        let reason = "the document is no OPML: its root element must be `opml`";
        return Err(ErrorKind::Opml { line, reason }.into());
    }
    Ok(found)
}

fn is(name: &str, expected: &str) -> bool {
    local(name).eq_ignore_ascii_case(expected)
}

/// The feed that an outline names, or its address where that is none.
fn outline(tag: Tag<'_>) -> Option<std::result::Result<Outline, String>> {
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
    if address.trim().is_empty() {
        return None;
    }
    let Some(xml_url) = feed_address(address) else {
        return Some(Err(plain::one_line(address)));
    };
    Some(Ok(Outline {
        title: plain::one_line(title.or(get("text")).unwrap_or_default()),
        xml_url,
        html_url: get("htmlUrl").and_then(|address| web_address(None, address)),
    }))
}

/// A feed's address; `feed:` and `feed://`, as browsers once wrote them, are what they stand
/// for.
fn feed_address(text: &str) -> Option<Url> {
    let text = text.trim();
    let scheme = text.get(..5).unwrap_or_default();
    match text.get(5..) {
        Some(rest) if scheme.eq_ignore_ascii_case("feed:") => match rest.starts_with("//") {
            true => web_address(None, &format!("http:{rest}")),
            false => web_address(None, rest),
        },
        _ => web_address(None, text),
    }
}
