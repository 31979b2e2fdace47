//! Text to addresses of feeds: what is typed, a list of addresses, OPML.
//!
//! Nothing is dialled and no file is touched. The fetcher checks later if an address may be
//! dialled.

use std::collections::HashSet;
use std::fmt;

use url::Url;

use crate::error::{ErrorKind, Result};
use forest_archive::Event;
use forest_core::feed::{MAX_FEED_BYTES, Outline, SniffedType, read_opml, sniff};
use forest_html::address::{MAX_URL_BYTES, is_web, without_feed_scheme, without_fragment};

/// Characters of a refused text that are kept to show it by.
const SHOWN_CHARS: usize = 120;

/// Addresses of feeds in the order in which they came, each once.
#[derive(Debug, Clone, Default)]
pub struct FeedInputs {
    feeds: Vec<FeedInput>,
    refused: Vec<RefusedInput>,
    known: HashSet<Url>,
}

/// Characters of a title in a list that are kept.
const TITLE_CHARS: usize = 1000;

/// A feed to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedInput {
    /// Its address, normalised: see [`address`].
    pub url: Url,
    /// As an OPML list names it, where it comes from one. It is then an address of a feed
    /// and not of a home page.
    pub outline: Option<Outline>,
}

/// A text that is no address of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedInput {
    /// The line of the list, from 1.
    pub line: Option<usize>,
    /// The text, cut if it is long. It comes from outside: to be escaped where it
    /// is shown.
    pub text: String,
    /// The reason.
    pub reason: RefusedReason,
}

impl fmt::Display for RefusedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}: {}", self.text, self.reason)
    }
}

/// The reason why a text is no address of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedReason {
    /// It cannot be read as an address.
    NoAddress,
    /// Its scheme is neither `http` nor `https`.
    Scheme,
    /// More than one word on a line.
    SeveralWords,
    /// It has more than [`MAX_URL_BYTES`].
    TooLong,
}

impl fmt::Display for RefusedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefusedReason::NoAddress => f.write_str("no address; one begins with https://"),
            RefusedReason::Scheme => f.write_str("only http:// and https:// addresses are fetched"),
            RefusedReason::SeveralWords => {
                f.write_str("more than an address; give one a line, notes behind ` # `")
            }
            RefusedReason::TooLong => write!(f, "longer than {MAX_URL_BYTES} bytes"),
        }
    }
}

impl FeedInput {
    /// The event with its title, home page and folders in its list; `None` if it comes from none.
    /// `feed` is the address at which it was found.
    pub fn listed(&self, feed: &Url) -> Option<Event> {
        let outline = self.outline.as_ref()?;
        Some(Event::FeedListed {
            feed: feed.to_string(),
            title: outline.title.chars().take(TITLE_CHARS).collect(),
            home: outline.html_url.as_ref().map(Url::to_string),
            folders: outline.folders.iter().map(|path| path.to_vec()).collect(),
        })
    }
}

impl FeedInputs {
    /// The feeds.
    pub fn feeds(&self) -> &[FeedInput] {
        &self.feeds
    }

    /// The texts that were refused.
    pub fn refused(&self) -> &[RefusedInput] {
        &self.refused
    }

    /// Adds an address as a person types it.
    pub fn add(&mut self, typed: &str) {
        self.take(None, typed, None);
    }

    /// Adds the addresses of a list: OPML, or text with an address a line, where
    /// blank lines, lines that begin with `#` and what follows ` #` are notes.
    ///
    /// # Errors
    ///
    /// If the bytes are neither (the message says what they are), are more than
    /// [`MAX_FEED_BYTES`], or are OPML that cannot be read.
    pub fn add_list(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() > MAX_FEED_BYTES {
            return Err(forest_core::Error::feed_too_large(bytes.len(), MAX_FEED_BYTES).into());
        }
        match sniff(bytes) {
            SniffedType::Opml => {
                let opml = read_opml(bytes)?;
                for outline in opml.feeds {
                    let address = outline.xml_url.clone();
                    self.take(None, address.as_str(), Some(outline));
                }
                for refused in opml.refused {
                    self.take(Some(refused.line), &refused.address, None);
                }
                Ok(())
            }
            SniffedType::UrlList | SniffedType::Text | SniffedType::Empty => {
                let text = String::from_utf8_lossy(bytes);
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                for (index, line) in text.lines().enumerate() {
                    let line_of_text = without_note(line).trim();
                    if !line_of_text.is_empty() {
                        self.take(Some(index + 1), line_of_text, None);
                    }
                }
                Ok(())
            }
            other => Err(ErrorKind::NotAFeedList {
                found: other.name(),
            }
            .into()),
        }
    }

    fn take(&mut self, line: Option<usize>, text: &str, outline: Option<Outline>) {
        match address(text) {
            Ok(url) if self.known.insert(url.clone()) => {
                self.feeds.push(FeedInput { url, outline })
            }
            // It is there already.
            Ok(_) => {}
            Err(reason) => self.refused.push(RefusedInput {
                line,
                text: text.chars().take(SHOWN_CHARS).collect(),
                reason,
            }),
        }
    }
}

/// A line up to its note: `#` at its begin or behind white space. Anywhere else it
/// belongs to the address.
fn without_note(line: &str) -> &str {
    let note = line.char_indices().find(|&(at, c)| {
        c == '#'
            && line[..at]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace)
    });
    note.map_or(line, |(at, _)| &line[..at])
}

/// The address of a feed, normalised: scheme and host in lower case, no default
/// port, no fragment; `feed:` and `feed://`, as browsers once wrote them, are what
/// they stand for.
///
/// # Errors
///
/// If it is none that could be fetched.
///
/// ```
/// use forest_harvest::inputs::address;
///
/// let url = address(" feed://Example.org:80/rss#new ");
/// assert_eq!(url.map(String::from).as_deref(), Ok("http://example.org/rss"));
/// ```
pub fn address(text: &str) -> std::result::Result<Url, RefusedReason> {
    let text = text.trim();
    if text.len() > MAX_URL_BYTES {
        return Err(RefusedReason::TooLong);
    }
    if text.contains(char::is_whitespace) {
        return Err(RefusedReason::SeveralWords);
    }
    let url = Url::parse(&without_feed_scheme(text)).map_err(|_| RefusedReason::NoAddress)?;
    if is_web(&url) {
        Ok(without_fragment(url))
    } else {
        Err(RefusedReason::Scheme)
    }
}

/// The path of a folder as a person types it: its names joined by slashes, from the outermost.
///
/// ```
/// use forest_harvest::inputs::folder_path;
///
/// assert_eq!(folder_path(" News / Islands/"), ["News", "Islands"]);
/// ```
pub fn folder_path(typed: &str) -> Vec<String> {
    let names = typed.split('/').map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(bytes: &[u8]) -> FeedInputs {
        let mut inputs = FeedInputs::default();
        inputs.add_list(bytes).expect("a list");
        inputs
    }

    fn urls(inputs: &FeedInputs) -> Vec<&str> {
        inputs
            .feeds()
            .iter()
            .map(|input| input.url.as_str())
            .collect()
    }

    #[test]
    fn addresses_are_normalised() {
        let check = |text: &str, expected: std::result::Result<&str, RefusedReason>| {
            let found = address(text);
            assert_eq!(
                found.as_ref().map(Url::as_str).map_err(|r| *r),
                expected,
                "{text}"
            );
        };
        check(
            "HTTPS://Example.ORG:443/Feed",
            Ok("https://example.org/Feed"),
        );
        check("https://example.org", Ok("https://example.org/"));
        check("https://example.org/feed#x", Ok("https://example.org/feed"));
        check("https://example.org/?a=1#", Ok("https://example.org/?a=1"));
        check("https://exämple.org/", Ok("https://xn--exmple-cua.org/"));
        check("https://example.org/a/../b", Ok("https://example.org/b"));
        check(
            "Feed:https://example.org/rss",
            Ok("https://example.org/rss"),
        );
        check("feed://example.org/rss", Ok("http://example.org/rss"));
        check("feed:file:///etc/passwd", Err(RefusedReason::Scheme));
        check("file:///etc/passwd", Err(RefusedReason::Scheme));
        check("javascript:alert(1)", Err(RefusedReason::Scheme));
        check("example.org/feed", Err(RefusedReason::NoAddress));
        check("/etc/passwd", Err(RefusedReason::NoAddress));
        check("https://", Err(RefusedReason::NoAddress));
        check("https://exa mple.org/", Err(RefusedReason::SeveralWords));
        check("", Err(RefusedReason::NoAddress));
        let long = format!("https://example.org/{}", "a".repeat(MAX_URL_BYTES));
        check(&long, Err(RefusedReason::TooLong));
    }

    #[test]
    fn a_list_with_notes() {
        let inputs = list(
            b"\xEF\xBB\xBF# feeds\r\n\r\nhttps://a.example/feed\r\n  https://b.example/feed \t# news\n\
              https://A.example:443/feed#again\nhttps://c.example/#!/feed\n#https://d.example/\n\
              b.example/feed\nhttps://e.example/ and more\n",
        );
        let expected = [
            "https://a.example/feed",
            "https://b.example/feed",
            "https://c.example/",
        ];
        assert_eq!(urls(&inputs), expected);
        let refused: Vec<String> = inputs
            .refused()
            .iter()
            .map(RefusedInput::to_string)
            .collect();
        assert_eq!(
            refused,
            [
                "line 8: b.example/feed: no address; one begins with https://",
                "line 9: https://e.example/ and more: more than an address; give one a line, \
                 notes behind ` # `",
            ]
        );
    }

    #[test]
    fn opml_and_typed_addresses_are_one_list() {
        let mut inputs = FeedInputs::default();
        inputs.add("https://b.example/rss");
        inputs.add("not one");
        let opml = b"<opml version='2.0'><body><outline text='News'>\
            <outline text='A' xmlUrl='https://a.example/rss#x' htmlUrl='https://a.example/'/>\
            <outline xmlUrl='https://B.example/rss'/></outline></body></opml>";
        inputs.add_list(opml).expect("OPML");
        assert_eq!(
            urls(&inputs),
            ["https://b.example/rss", "https://a.example/rss"]
        );
        let outlines: Vec<_> = inputs.feeds().iter().map(|input| &input.outline).collect();
        let outline = outlines[1].as_ref().expect("it is in the list");
        assert_eq!((outlines[0], outline.title.as_str()), (&None, "A"));
        let home = outline.html_url.as_ref().map(Url::as_str);
        assert_eq!(home, Some("https://a.example/"));
        assert_eq!(outline.folders[0].to_vec(), ["News"]);
        assert_eq!(inputs.refused().len(), 1);
    }

    #[test]
    fn what_an_opml_list_names_is_read_as_what_is_typed() {
        let inputs = list(
            b"<opml version='2.0'><body>\n<outline xmlUrl='feed://a.example/rss'/>\n\
              <outline xmlUrl='Feed:https://b.example/rss'/><outline text='a folder'/>\n\
              <outline xmlUrl='javascript:alert(1)'/><outline xmlUrl='/rss'/></body></opml>",
        );
        assert_eq!(
            urls(&inputs),
            ["http://a.example/rss", "https://b.example/rss"]
        );
        let refused: Vec<String> = inputs
            .refused()
            .iter()
            .map(RefusedInput::to_string)
            .collect();
        assert_eq!(
            refused,
            [
                "line 4: javascript:alert(1): only http:// and https:// addresses are fetched",
                "line 4: /rss: no address; one begins with https://"
            ]
        );
        let refused = list(b"<opml><body><outline xmlUrl='file:///rss'/></body></opml>");
        assert_eq!((refused.feeds().len(), refused.refused().len()), (0, 1));
    }

    #[test]
    fn what_is_no_list_is_named() {
        let check = |bytes: &[u8], found: &str| {
            let error = FeedInputs::default().add_list(bytes).expect_err("no list");
            assert!(error.to_string().contains(found), "{error}");
        };
        check(b"<rss version='2.0'/>", "a feed");
        check(b"<!DOCTYPE html><p>x", "an HTML page");
        check(b"\x89PNG\0\0", "binary data");
        check(b"<opml version='2.0'><body/></opml>", "OPML line");
        check(&vec![b'\n'; MAX_FEED_BYTES + 1], "limit");
        assert_eq!(urls(&list(b"")).len() + urls(&list(b"# none\n\n")).len(), 0);
    }

    #[test]
    fn a_refused_text_is_cut() {
        let inputs = list("ä".repeat(100_000).as_bytes());
        assert_eq!(inputs.refused()[0].text.chars().count(), SHOWN_CHARS);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic_and_normalising_twice_is_once(text in "\\PC{0,60}|(https?|feed)://?\\PC{0,40}") {
            let mut inputs = FeedInputs::default();
            let _ = inputs.add_list(text.as_bytes());
            inputs.add(&text);
            for input in inputs.feeds() {
                let again = address(input.url.as_str());
                proptest::prop_assert_eq!(again.as_ref(), Ok(&input.url));
            }
        }
    }
}
