//! Articles over several pages: where an article goes on, and its pages as one.
//!
//! Takes pages one by one, gives the addresses of those that are wanted and in the
//! end the [`Article`](super::Article): who has the pages, the network or a folder,
//! is the caller's business. An address is one of the page's own site, or none.
//!
//! - [`Extractor::next_page`], [`Extractor::single_page`]: where a page leads.
//! - [`PagedArticle`]: an article while its pages come.
//! - `marks`: the links between the pages, where they stand in the body.
//! - `repeats`: what stands on a page that stood on the pages before.
//! - `sameness`: whether a page is of the same article.
//!
//! **Which link.** An expression may select the links to all pages. Where the
//! addresses show numbers ([`address`](forest_html::address)) the link to the
//! page after this one is taken; where none does, the first link.
//!
//! **What is joined.** A page that the same wrapper finds text on, of the same site and
//! with the same title: of its words half, where the address has a page's number, else
//! all. Not one that repeats what is there. [`MAX_PAGES`] pages, together not larger
//! than one page may be. An article that ends before one of its pages says so:
//! [`ArticleWarning::EndsBefore`](super::ArticleWarning).

mod marks;
mod repeats;
mod sameness;
#[cfg(test)]
mod tests;
mod whole;

pub use whole::PagedArticle;

use super::Extractor;
use crate::wrapper::xpath::XPath;
use forest_html::address::{Address, Series};
use forest_html::page::Page;
use forest_html::page::links::Base;
use forest_html::text::fold;

/// Links of a page that are looked at.
const MAX_LINKS: usize = 100;

/// A link to a page of the article.
struct NextLink {
    url: String,
    address: Address,
    /// The number that it shows to its reader.
    shown: Option<u32>,
}

impl Extractor {
    /// The address of the page that the article goes on at; `None` where the
    /// wrapper's `next_page` selects no address of the page's own site, or the page
    /// has no address itself.
    ///
    /// ```
    /// use forest_core::extract::Extractor;
    /// use forest_html::page::Source;
    /// use forest_core::wrapper::Wrapper;
    ///
    /// let yaml = "format: 1\nsite: a.example\nnext_page: //nav/a/@href\ntemplates: []\n";
    /// let extractor = Extractor::new(Wrapper::from_yaml(yaml)?.wrapper)?;
    /// let source = Source { url: Some("https://a.example/story/2"), ..Source::default() };
    /// let page = extractor.parse(b"<nav><a href=/story>1</a> 2 <a href=/story/3>3</a>", source);
    /// assert_eq!(extractor.next_page(&page).as_deref(), Some("https://a.example/story/3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_page(&self, page: &Page) -> Option<String> {
        self.page_after(None, page)
    }

    /// The address of the whole article on one page; `None` as for
    /// [`next_page`](Self::next_page).
    pub fn single_page(&self, page: &Page) -> Option<String> {
        let links = links(page, self.matcher().single_page()?);
        links.into_iter().next().map(|link| link.url)
    }

    /// [`next_page`](Self::next_page) of a page of the article that begins at `first`.
    fn page_after(&self, first: Option<&Address>, page: &Page) -> Option<String> {
        let own = Address::of(page.url()?)?;
        let mut links = links(page, self.matcher().next_page()?);
        let pairs: Vec<(Address, Option<u32>)> = links
            .iter()
            .map(|link| (link.address.clone(), link.shown))
            .collect();
        let others: Vec<Address> = pairs.iter().map(|(address, _)| address.clone()).collect();
        let series = first
            .map(|first| Series::of(first, &others))
            .filter(|series| series.number(&own).is_some())
            .unwrap_or_else(|| Series::of(&own, &others));
        let numbered = others.iter().any(|other| series.number(other).is_some());
        let at = if numbered {
            series.next(&own, &pairs)?
        } else {
            0
        };
        (at < links.len()).then(|| links.swap_remove(at).url)
    }
}

/// The links to other pages of the page's own site that an expression gives: of an
/// element its `href`, of anything else the text.
fn links(page: &Page, xpath: &XPath) -> Vec<NextLink> {
    let Some(own) = page.url().and_then(Address::of) else {
        return Vec::new();
    };
    let base = Base::of(page);
    let owners = xpath.nodes(page);
    let elements = xpath.own_nodes(page);
    let hrefs: Vec<String> = if elements.is_empty() {
        xpath.strings(page)
    } else {
        elements
            .iter()
            .filter_map(|&n| page.attr(n, "href").map(str::to_owned))
            .collect()
    };
    let shown = |href: &str| {
        let of_it = |(_, value): (&html5ever::QualName, &str)| value.trim() == href.trim();
        let mut owners = owners.iter().take(MAX_LINKS);
        let owner = owners.find(|&&n| page.attrs(n).any(of_it))?;
        number_in(page.text(*owner))
    };
    let hrefs = hrefs.into_iter().take(MAX_LINKS);
    let links = hrefs.filter_map(|href| {
        let url = base.resolve(&href)?.into_owned();
        let address = Address::of(&url)?;
        let shown = shown(&href);
        let leads_on = address.is_of_site(&own) && !address.is(&own);
        leads_on.then_some(NextLink {
            url,
            address,
            shown,
        })
    });
    links.collect()
}

/// The number that a link shows, if it shows nothing else.
fn number_in(text: &str) -> Option<u32> {
    let text = text.get(..text.len().min(40)).unwrap_or(text);
    let text = fold(text);
    let fits = (1..=2).contains(&text.len());
    (fits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}
