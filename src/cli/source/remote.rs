//! The document at an address: a feed, a page, a home page, a list.

use super::{Html, PageError, PageList, PageRef, PageSource, Sources, lines, one, pages_of, web};
use crate::cli::net::{RequestKind, WebDocument};
use anyhow::{Context, bail};
use forest_core::extract::{Options, Status, one_page};
use forest_core::feed::{self, SniffedType, sniff};
use forest_html::error::counted;
use forest_html::page::{self, Page};
use forest_html::text::word_count;
use url::Url;

/// Feeds of a home page that are tried before it counts as having none.
const MAX_TRIES: usize = 5;

impl<'a> Sources<'a> {
    /// Opens the document at an address that the user typed.
    pub(super) fn open_url(&self, url: &Url, html: Html) -> anyhow::Result<Vec<PageSource>> {
        self.network.allow(url)?;
        let answer = match self.network.get(url, RequestKind::Page) {
            Ok(answer) => answer,
            Err(error) if html == Html::Home => return Err(error),
            Err(error) => {
                let failed = std::iter::once(Err(PageError::at(url, &error)));
                return one(pages_of(url.as_str(), failed));
            }
        };
        match sniff(&answer.bytes) {
            SniffedType::Feed => one(self.feed_of(url.as_str(), &answer)?),
            SniffedType::Opml => {
                let outlines = feed::parse_opml(&answer.bytes).with_context(|| url.to_string())?;
                let feeds = outlines.into_iter().map(|o| PageSource::Feed(o.xml_url));
                Ok(feeds.collect())
            }
            SniffedType::UrlList => {
                let urls = lines::addresses(&answer.bytes);
                one(pages_of(url.as_str(), urls.into_iter().map(web)))
            }
            SniffedType::Zip => {
                bail!("{url}: this is a ZIP file: if it is a WACZ, save it and give the file")
            }
            SniffedType::Warc => bail!("{url}: this is a WARC archive: save it and give the file"),
            SniffedType::Html
                if html == Html::Home || html == Html::Page && answer.url.path() == "/" =>
            {
                one(self.discovered(&answer)?)
            }
            kind if html == Html::Home => bail!(
                "{url}: this is {}, not a feed: give the address of the site's feed, or of its \
                 home page",
                kind.name()
            ),
            // A document that is no page is reported as one of the inputs.
            _ => {
                let page = PageRef::of_content(answer.into());
                one(pages_of(url.as_str(), std::iter::once(Ok(page))))
            }
        }
    }

    /// Fetches and reads a feed.
    pub(super) fn remote_feed(&self, url: &Url) -> anyhow::Result<PageList> {
        let answer = self.network.get(url, RequestKind::Feed)?;
        self.feed_of(url.as_str(), &answer)
    }

    fn feed_of(&self, name: &str, answer: &WebDocument) -> anyhow::Result<PageList> {
        let content_type = answer.content_type.as_deref();
        let feed = feed::parse(&answer.bytes, Some(&answer.url), content_type)
            .with_context(|| name.to_owned())?;
        let dir = self.args.pages.as_deref();
        Ok(self.of_feed(name, Some(answer.url.to_string()), feed, dir))
    }

    /// The feed that a home page names.
    fn discovered(&self, answer: &WebDocument) -> anyhow::Result<PageList> {
        let home = &answer.url;
        let source = page::Source {
            url: Some(home.as_str()),
            content_type: answer.content_type.as_deref(),
        };
        let page = Page::parse(&answer.bytes, source);
        let candidates = feed::discover(&page);
        let mut last = None;
        for candidate in candidates.iter().take(MAX_TRIES) {
            match self.remote_feed(&candidate.url) {
                Ok(opened) => {
                    let url = &candidate.url;
                    self.global.say(format_args!("{home}: its feed is {url}"));
                    return Ok(opened);
                }
                Err(error) => last = Some(error),
            }
        }
        match last {
            Some(error) => Err(error.context(format!("{home}: no feed that it names can be read"))),
            None => bail!(
                "{home}: this is {}, and it names no feed: give the feed's address, or that of \
                 the site's home page, or a folder or list of pages; if it lists articles, \
                  `forest learn --list {home}` learns that list",
                description(&page)
            ),
        }
    }
}

/// A description of a page that is no feed.
fn description(page: &Page) -> String {
    let found = one_page(page, &Options::default());
    let what = match (found.status, found.error) {
        (Status::Ok, _) => {
            let words = counted(word_count(&found.text), "word", "words");
            format!("a page with {words} of text")
        }
        (_, Some(why)) => format!("a page without an article ({why})"),
        _ => "a page without an article".to_owned(),
    };
    match found.title.filter(|title| !title.is_empty()) {
        Some(title) => format!("{what}, “{title}”"),
        None => what,
    }
}
