//! OPML 1 and 2: a list of feeds, as feed readers export it.

use std::collections::HashMap;
use std::sync::Arc;

use url::Url;

use super::scan::{Token, XmlScanner, local};
use super::{MAX_FEED_BYTES, decode, plain};
use crate::error::{ErrorKind, Result};
use forest_html::address::{web_address, without_feed_scheme};

/// Feeds read of one list; a reader's export has some hundreds.
const MAX_OUTLINES: usize = 100_000;

/// Levels of folders. Deeper ones are refused: no reader writes them.
const MAX_DEPTH: usize = 64;

/// Characters of a folder's name.
const FOLDER_CHARS: usize = 200;

/// Folders that one feed may be in.
const MAX_FOLDERS: usize = 32;

/// A feed in an OPML list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The title; may be empty.
    pub title: String,
    /// The feed.
    pub xml_url: Url,
    /// The site's home page.
    pub html_url: Option<Url>,
    /// The folders that it is in, each with those around it, the outermost first; empty
    /// where it is in none. Feeds of one folder share its names.
    pub folders: Vec<Arc<[String]>>,
}

impl Outline {
    /// A feed without further attributes.
    pub fn of(xml_url: Url) -> Outline {
        Outline {
            title: String::new(),
            xml_url,
            html_url: None,
            folders: Vec::new(),
        }
    }
}

/// An address in an OPML list that is not a feed's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedOutline {
    /// Its line, from 1.
    pub line: usize,
    /// The address as it stands there.
    pub address: String,
}

/// The contents of an OPML list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opml {
    /// The feeds in its order, each once.
    pub feeds: Vec<Outline>,
    /// Outlines that name a feed by an address that cannot be asked for.
    pub refused: Vec<RefusedOutline>,
}

/// Reads the feeds of an OPML list in its order. A feed that is listed twice is read
/// once, with the folders of both.
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
/// As there; and if all addresses of the list are refused.
pub fn read_opml(bytes: &[u8]) -> Result<Opml> {
    if bytes.len() > MAX_FEED_BYTES {
        return Err(ErrorKind::FeedTooLarge {
            bytes: bytes.len(),
            limit: MAX_FEED_BYTES,
        }
        .into());
    }
    let (text, _) = decode::decode(bytes, None);
    let mut scanner = XmlScanner::new(&text);
    let mut found = Opml::default();
    let mut known: HashMap<Url, usize> = HashMap::new();
    let mut root = false;
    // The open outlines: the path of folders that leads to what is in each.
    let mut open: Vec<Arc<[String]>> = Vec::new();
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
                let attributes = tag.attributes();
                let is_full = found.feeds.len() + found.refused.len() >= MAX_OUTLINES;
                let folder = open.last().filter(|path| !path.is_empty());
                let read = outline(&attributes);
                let is_feed = read.is_some();
                match read {
                    Some(Ok(outline)) if known.contains_key(&outline.xml_url) => {
                        let feed = &mut found.feeds[known[&outline.xml_url]];
                        let is_full = feed.folders.len() >= MAX_FOLDERS;
                        if let Some(folder) = folder
                            && !is_full
                            && !feed.folders.contains(folder)
                        {
                            feed.folders.push(Arc::clone(folder));
                        }
                    }
                    Some(_) if is_full => return fail("more than 100000 feeds: split the list"),
                    Some(Ok(mut outline)) => {
                        outline.folders.extend(folder.cloned());
                        known.insert(outline.xml_url.clone(), found.feeds.len());
                        found.feeds.push(outline);
                    }
                    Some(Err(address)) => {
                        // From the last one on, so that many cost one pass.
                        line += text[counted..offset].matches('\n').count();
                        counted = offset;
                        found.refused.push(RefusedOutline { line, address });
                    }
                    None => {}
                }
                if !tag.empty {
                    if open.len() == MAX_DEPTH {
                        return fail(
                            "folders nest deeper than 64 levels: close the `outline` elements",
                        );
                    }
                    let parent = open.last().cloned().unwrap_or_default();
                    open.push(if is_feed {
                        parent
                    } else {
                        within(parent, &attributes)
                    });
                }
            }
            Token::End(name) if is(name, "outline") => {
                open.pop();
            }
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

/// The attributes of each outline that names a feed, as they stand in the list. Bytes that
/// are no OPML have none.
pub fn feed_attributes(bytes: &[u8]) -> Vec<Vec<(String, String)>> {
    let (text, _) = decode::decode(bytes, None);
    let attributes = XmlScanner::new(&text).filter_map(|token| match token {
        Token::Start(tag) if is(tag.name, "outline") => Some(tag.attributes()),
        _ => None,
    });
    let is_feed = |found: &Vec<_>| attribute(found, "xmlUrl").is_some();
    attributes.filter(is_feed).take(MAX_OUTLINES).collect()
}

fn is(name: &str, expected: &str) -> bool {
    local(name).eq_ignore_ascii_case(expected)
}

/// The path of the folders within an outline; an outline without a name is no folder.
fn within(parent: Arc<[String]>, attributes: &[(String, String)]) -> Arc<[String]> {
    let name = name_of(attributes);
    if name.is_empty() {
        return parent;
    }
    let name = name.chars().take(FOLDER_CHARS).collect();
    parent.iter().cloned().chain([name]).collect()
}

/// The title of an outline, else its text, on one line.
fn name_of(attributes: &[(String, String)]) -> String {
    let title = attribute(attributes, "title").filter(|title| !title.trim().is_empty());
    plain::one_line(title.or(attribute(attributes, "text")).unwrap_or_default())
}

fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let same = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
    attributes
        .iter()
        .find(same)
        .map(|(_, value)| value.as_str())
}

/// The feed that an outline names, or the address if it is not a feed's.
fn outline(attributes: &[(String, String)]) -> Option<std::result::Result<Outline, String>> {
    let get = |name: &str| attribute(attributes, name);
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
    let Some(xml_url) = web_address(&without_feed_scheme(address.trim())) else {
        return Some(Err(plain::one_line(address)));
    };
    Some(Ok(Outline {
        title: name_of(attributes),
        html_url: get("htmlUrl").and_then(web_address),
        ..Outline::of(xml_url)
    }))
}
