//! A site of a collection, read and parsed: its pages with their feed items and gold.

use super::GoldTexts;
use crate::error::Result;
use forest_core::feed::{self, FeedDate, FeedItem};
use forest_core::learn::SamplePage;
use forest_core::model::PageDigest;
use forest_html::address::page_key;
use forest_html::page::metadata::Metadata;
use forest_html::page::{Page, Source};
use forest_sources::gold::{Collection, Gold, GoldPage, GoldSite};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// A site's pages, parsed, with their gold.
#[derive(Debug)]
pub struct EvalSite {
    pages: Vec<EvalPage>,
    samples: Vec<SamplePage>,
}

/// The facts of a page that scoring needs.
#[derive(Debug)]
pub(super) struct EvalPage {
    /// `<site>/<page>`.
    pub id: String,
    /// The right texts and fields; `None` if the page is not scored.
    pub gold: Option<Gold>,
    /// The title from the page's metadata.
    pub title: Option<String>,
    /// The digest of its bytes, which is in a model's corpus if the model was trained on it.
    pub digest: PageDigest,
}

impl EvalSite {
    /// Reads and parses the pages of a site as [`EvalSite::read_with_feed`] does. A page
    /// without an item gets one: headline, authors and date of the gold and the description
    /// of the page's metadata.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or the feed is no feed.
    pub fn read(collection: &Collection, site: &GoldSite) -> Result<EvalSite> {
        let mut out = EvalSite::read_with_feed(collection, site)?;
        for (page, sample) in out.pages.iter().zip(&mut out.samples) {
            let metadata = sample.page.metadata();
            sample
                .item
                .get_or_insert_with(|| item_of(page.gold.as_ref(), metadata));
        }
        Ok(out)
    }

    /// Reads and parses the pages of a site. The items of its `feed.xml` go to the pages
    /// whose address they link to; other pages have no item.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or the feed is no feed.
    pub fn read_with_feed(collection: &Collection, site: &GoldSite) -> Result<EvalSite> {
        let items = match &site.feed {
            Some(path) => items(path)?,
            None => HashMap::new(),
        };
        let mut out = EvalSite {
            pages: Vec::new(),
            samples: Vec::new(),
        };
        for page in collection.pages_of(site) {
            let item = page
                .url
                .as_deref()
                .and_then(|url| items.get(&page_key(url)));
            out.add(page, item)?;
        }
        Ok(out)
    }

    fn add(&mut self, page: &GoldPage, item: Option<&FeedItem>) -> Result<()> {
        let bytes = page.read()?;
        let source = Source {
            url: page.url.as_deref(),
            content_type: None,
        };
        let mut sample = SamplePage::new(Page::parse(&bytes, source), page.id.clone());
        let title = sample.page.metadata().title.clone();
        sample.item = item.map(FeedItem::without_content);
        self.pages.push(EvalPage {
            id: page.id.clone(),
            gold: page.gold.clone(),
            title,
            digest: PageDigest::of(&bytes),
        });
        self.samples.push(sample);
        Ok(())
    }

    /// The pages.
    pub fn samples(&self) -> &[SamplePage] {
        &self.samples
    }

    /// Pages in a range that are to be scored, with their gold.
    pub fn scored(&self, range: Range<usize>) -> impl Iterator<Item = (&SamplePage, &Gold)> {
        let pages = self.pages[range.clone()].iter();
        let samples = self.samples[range].iter();
        samples
            .zip(pages)
            .filter_map(|(sample, page)| Some((sample, page.gold.as_ref()?)))
    }

    /// The right texts of the page at an index; `None` if it is not scored.
    pub fn gold_texts(&self, at: usize) -> Option<GoldTexts> {
        let gold = self.pages[at].gold.as_ref()?;
        Some(GoldTexts::new(gold.refs.iter().map(String::as_str)))
    }

    /// The facts of the page at an index.
    pub(super) fn page(&self, at: usize) -> &EvalPage {
        &self.pages[at]
    }
}

/// The item of a page without one: the gold, and the page's own summary.
fn item_of(gold: Option<&Gold>, metadata: &Metadata) -> FeedItem {
    let mut item = FeedItem {
        summary: metadata.description.clone().unwrap_or_default(),
        ..FeedItem::default()
    };
    if let Some(gold) = gold {
        item.title = gold.title.clone().unwrap_or_default();
        item.authors.clone_from(&gold.authors);
        item.published = gold.published.clone().map(FeedDate::of);
    }
    item
}

/// A feed's items by the key of their link.
fn items(path: &Path) -> Result<HashMap<String, FeedItem>> {
    let bytes = forest_sources::gold::read(path)?;
    Ok(feed::parse(&bytes, None, None)?.by_page())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gold_stands_in_for_items_only_where_it_is_asked_to() {
        let gold = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gold");
        let collection = Collection::open(gold).expect("gold");
        let without_item = |read: fn(&Collection, &GoldSite) -> Result<EvalSite>| {
            let sites = collection.sites().iter();
            let pages = sites.flat_map(|site| read(&collection, site).expect("gold").samples);
            pages.filter(|page| page.item.is_none()).count()
        };
        assert_ne!(without_item(EvalSite::read_with_feed), 0);
        assert_eq!(without_item(EvalSite::read), 0);
    }
}
