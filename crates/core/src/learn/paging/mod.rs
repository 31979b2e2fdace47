//! The links between the pages of an article: to the next page, and to the whole
//! article on one page.
//!
//! Takes the good pages of a sample, and all of its pages, as the second page of an
//! article may be among these; gives the expressions of [`Paging`], or none. A link
//! leads to the next page if its address is the page's own with the next page's
//! number ([`address`](forest_html::address)), and if it says so (`links`): by
//! the number, a word such as "next" in one of the languages of the program, `rel` or
//! its class. An expression is a name for such links
//! (`choose`): one that selects the link to the next page on `MIN_PAGES` pages, or
//! on one whose next page is in the sample, and that selects on no page a link to
//! anything but a page of the same article.
//!
//! So a `rel=next` that leads to the next article is never learned, however many
//! pages have it. `single_page` is only learned where it stands on pages that have a
//! next one: a link to a print version that all pages have says nothing.
//!
//! **Measured** on the 179 sites of the development gold and the feeds, up to 20 pages
//! a site: two learn a `next_page`, a magazine from seven articles over several pages
//! and a news site from three. On their 20 pages it leads on from these ten and from no
//! other, and on the other 1,746 pages nothing leads on. Three sites that show one such
//! article, or pages without addresses, learn none. No site learns a `single_page`: none
//! of the ten articles has a link to it.
//!
//! **Departures.** The paper's articles have one page.

mod choose;
pub(super) mod links;
#[cfg(test)]
mod tests;

use super::page::SamplePage;
use choose::LinkSelectors;
use forest_html::address::Address;
use links::{PageLinks, may_go_on};

/// Expressions of the links between the pages of an article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paging {
    /// To the next page, or to all pages.
    pub next_page: Option<String>,
    /// To the whole article on one page.
    pub single_page: Option<String>,
}

/// Learns where the articles of a site go on.
///
/// ```
/// use forest_core::learn::{SamplePage, paging};
/// use forest_html::page::{Page, Source};
///
/// let page = |path: &str| {
///     let url = format!("https://a.example/{path}");
///     let html = format!("<p>Text<div class=pages>1 <a href=/{path}/2>2</a></div>");
///     let source = Source { url: Some(&url), ..Source::default() };
///     SamplePage::new(Page::parse(html.as_bytes(), source), url.clone())
/// };
/// let (one, two) = (page("one"), page("two"));
/// let paging = paging::learn(&[&one, &two], &[&one, &two]);
/// let expected = "//div[contains(concat(' ',normalize-space(@class),' '),' pages ')]//a/@href";
/// assert_eq!(paging.next_page.as_deref(), Some(expected));
/// ```
pub fn learn(good: &[&SamplePage], all: &[&SamplePage]) -> Paging {
    if !good.iter().any(|sample| may_go_on(&sample.page)) {
        return Paging::default();
    }
    let mut pages: Vec<PageLinks<'_>> = good
        .iter()
        .map(|sample| PageLinks::of(&sample.page))
        .collect();
    let going_on = pages.iter().filter(|page| page.next().is_some());
    let going_on = going_on.filter_map(|page| Address::of(page.page.url()?));
    let going_on: Vec<Address> = going_on.collect();
    for page in &mut pages {
        page.read_among(&going_on);
    }
    if pages.iter().all(|page| page.next().is_none()) {
        return Paging::default();
    }
    let in_sample = |page: &PageLinks<'_>| {
        let next = page.next().map(|link| &link.address);
        let mut others = all.iter().filter_map(|sample| sample.page.url());
        next.is_some_and(|next| others.any(|url| Address::of(url).is_some_and(|u| u.is(next))))
    };
    let next_page = LinkSelectors::of_next(&pages).best(&pages, in_sample);
    let single_page = match next_page {
        Some(_) => LinkSelectors::of_single(&pages).best(&pages, |_| false),
        None => None,
    };
    Paging {
        next_page,
        single_page,
    }
}
