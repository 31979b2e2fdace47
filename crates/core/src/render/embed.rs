//! Frames, videos and sounds: things that a page shows from elsewhere.

use super::images::{is_pixel, late_address};
use super::shown::is_hidden;
use forest_html::address::is_web;
use forest_html::page::links::Base;
use forest_html::page::walk::is_embed;
use forest_html::page::{NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};
use url::Url;

/// Bytes of the title of an embed at the most.
const MAX_TITLE_BYTES: usize = 300;

/// Nodes of an element that are looked at for the address of its source.
const MAX_SOURCES: usize = 100;

/// The list that comes with the program, read once.
static SHIPPED: LazyLock<EmbedHosts> =
    LazyLock::new(|| EmbedHosts::read(include_str!("../../lists/embeds.txt")));

/// Hosts whose frames may stay frames in HTML. A host stands for itself and its subdomains.
///
/// ```
/// use forest_core::render::EmbedHosts;
///
/// let hosts = EmbedHosts::read("# players\nvideo.example\n");
/// assert!(hosts.has("https://www.video.example/embed/1"));
/// assert!(!hosts.has("https://video.example.net/") && !hosts.has("http://video.example/"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct EmbedHosts(Arc<HashSet<Box<str>>>);

impl EmbedHosts {
    /// The list that comes with the program, `lists/embeds.txt`.
    pub fn shipped() -> EmbedHosts {
        SHIPPED.clone()
    }

    /// A list: a host a line; `#` begins a comment.
    pub fn read(text: &str) -> EmbedHosts {
        let hosts = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim());
        let hosts = hosts.filter(|host| !host.is_empty());
        EmbedHosts(Arc::new(
            hosts.map(|host| host.to_ascii_lowercase().into()).collect(),
        ))
    }

    /// True if the list has no host: all frames are links.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a frame with this address may stay: `https`, and a host of the list.
    pub fn has(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else {
            return false;
        };
        let host = url.host_str().filter(|_| url.scheme() == "https");
        let mut rest = host;
        while let Some(host) = rest {
            if self.0.contains(host) {
                return true;
            }
            rest = host.split_once('.').map(|(_, above)| above);
        }
        false
    }
}

/// A frame, a video or a sound.
#[derive(Debug)]
pub(super) struct Embed<'p> {
    /// The address of what it shows.
    pub url: Cow<'p, str>,
    /// Its title; without one, the host of the address, with the word for a video or a sound before it,
    /// or its last part.
    pub title: String,
    /// The address of the picture that stands for a video.
    pub poster: Option<Cow<'p, str>>,
    /// True for a frame: HTML that is shown in place.
    pub is_frame: bool,
}

impl<'p> Embed<'p> {
    /// The embed of an element; `None` for other elements, and for embeds that cannot be
    /// seen or have no address of the web.
    pub fn of(page: &'p Page, n: NodeId, base: &Base) -> Option<Embed<'p>> {
        let tag = page.tag(n).filter(|tag| is_embed(tag))?;
        let is_sound = *tag == local_name!("audio");
        // The sizes of AMP's elements are a ratio.
        let is_pixel = !tag.starts_with("amp-") && is_pixel(page, n);
        if !is_sound && (is_pixel || is_hidden(page, n)) {
            return None;
        }
        let url = source(page, n, base)?;
        let titles = ["title", "aria-label"].into_iter();
        let titles = titles.filter_map(|name| page.attr(n, name)).map(fold);
        let mut title = titles
            .into_iter()
            .find(|title| !title.is_empty())
            .unwrap_or_else(|| match (medium(tag), host_of(&url)) {
                (Some(medium), Some(host)) => format!("{medium} ({host})"),
                _ => name_of(&url),
            });
        title.truncate(title.floor_char_boundary(MAX_TITLE_BYTES));
        Some(Embed {
            poster: page.attr(n, "poster").and_then(|src| base.resolve(src)),
            is_frame: *tag == local_name!("iframe"),
            url,
            title,
        })
    }
}

/// The word for an element without a title that shows a video or a sound.
fn medium(tag: &str) -> Option<&'static str> {
    match tag {
        "video" | "amp-video" => Some("Video"),
        "audio" | "amp-audio" => Some("Audio"),
        _ => None,
    }
}

/// The host of an address, without `www.`.
fn host_of(address: &str) -> Option<String> {
    let host = Url::parse(address)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned));
    let host = host.or_else(|| {
        let rest = address.strip_prefix("//")?;
        Some(rest.split('/').next().unwrap_or_default().to_owned())
    });
    host.map(|host| host.strip_prefix("www.").unwrap_or(&host).to_owned())
}

/// The host of an address; of one without a host its last part.
fn name_of(address: &str) -> String {
    if let Some(host) = host_of(address) {
        return host;
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or(address)
        .to_owned()
}

/// The address of what an embed shows: its own, that of its first `source` or `embed`, or
/// that of the parameter `movie` of an `object`.
fn source<'p>(page: &'p Page, n: NodeId, base: &Base) -> Option<Cow<'p, str>> {
    let own = late_address(page, n, base)
        .or_else(|| page.attr(n, "src").and_then(|src| base.resolve(src)))
        .or_else(|| page.attr(n, "data").and_then(|data| base.resolve(data)));
    let below = page.subtree(n).skip(1).take(MAX_SOURCES);
    let mut of_parts = below.filter_map(|part| {
        let name = match *page.tag(part)? {
            local_name!("source") | local_name!("embed") => "src",
            local_name!("param") if page.attr(part, "name")?.eq_ignore_ascii_case("movie") => {
                "value"
            }
            _ => return None,
        };
        base.resolve(page.attr(part, name)?)
    });
    let is_of_web = |url: &Cow<'_, str>| match Url::parse(url) {
        Ok(url) => is_web(&url),
        Err(error) => error == url::ParseError::RelativeUrlWithoutBase,
    };
    own.or_else(|| of_parts.next()).filter(is_of_web)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: Option<(&str, &str, Option<&str>)>) {
        let page = Page::from_html(html);
        let base = Base::of(&page);
        let embed = page.elements().find_map(|n| Embed::of(&page, n, &base));
        let found = embed
            .as_ref()
            .map(|embed| (&*embed.url, &*embed.title, embed.poster.as_deref()));
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn an_embed_has_an_address_a_title_and_a_poster() {
        check(
            "<iframe src=https://v.example/1 title=' The  ferry '></iframe>",
            Some(("https://v.example/1", "The ferry", None)),
        );
        check(
            "<iframe src=about:blank data-src=//v.example/1></iframe>",
            Some(("//v.example/1", "v.example", None)),
        );
        check(
            "<video poster=a.jpg aria-label=Gulls><source src=a.webm><source src=a.mp4></video>",
            Some(("a.webm", "Gulls", Some("a.jpg"))),
        );
        check(
            "<audio hidden width=0 src=/b/a.ogg?c></audio>",
            Some(("/b/a.ogg?c", "a.ogg", None)),
        );
        check(
            "<object><param name=Movie value=a.swf></object>",
            Some(("a.swf", "a.swf", None)),
        );
    }

    #[test]
    fn embeds_of_amp_are_embeds() {
        check(
            "<amp-iframe src=https://v.example/1 width=1 height=1></amp-iframe>",
            Some(("https://v.example/1", "v.example", None)),
        );
    }

    #[test]
    fn what_cannot_be_seen_is_no_embed() {
        check("<iframe src=https://t.example/ height=0></iframe>", None);
        check(
            "<iframe src=https://t.example/ style='display: none'></iframe>",
            None,
        );
        check("<iframe src='javascript:x'></iframe><video></video>", None);
        check("<iframe src=mailto:a@b.example></iframe>", None);
    }
}
