//! A page with what is computed of it once.

use super::{BlockModel, BlockScores, OnePage, Overlap};
use forest_html::page::{Mask, Page};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A page with its block scores and its article, each computed when it is first asked
/// for and then kept. It derefs to the [`Page`], which keeps its metadata itself.
///
/// ```
/// use forest_core::onepage::ScoredPage;
/// use forest_html::page::Page;
///
/// let page = ScoredPage::from(Page::from_html("<p>It rained for nine days."));
/// assert_eq!(page.scores().blocks.len(), 1);
/// assert!(std::ptr::eq(page.article(), page.article()));
/// assert_eq!(page.text(page.root()), "It rained for nine days.");
/// ```
#[derive(Debug)]
pub struct ScoredPage<'p> {
    page: Held<'p>,
    model: Option<Arc<BlockModel>>,
    scores: OnceLock<BlockScores>,
    article: OnceLock<OnePage>,
}

#[derive(Debug)]
enum Held<'p> {
    Owned(Box<Page>),
    Borrowed(&'p Page),
}

impl<'p> ScoredPage<'p> {
    fn new(page: Held<'p>) -> ScoredPage<'p> {
        ScoredPage {
            page,
            model: None,
            scores: OnceLock::new(),
            article: OnceLock::new(),
        }
    }

    /// The page with the scores of another model than the one that comes with the
    /// program: for measuring with a model that has not seen the page.
    #[doc(hidden)]
    pub fn with_model(page: &'p Page, model: Arc<BlockModel>) -> ScoredPage<'p> {
        ScoredPage {
            model: Some(model),
            ..ScoredPage::new(Held::Borrowed(page))
        }
    }

    fn model(&self) -> &BlockModel {
        self.model.as_deref().unwrap_or(BlockModel::shipped())
    }

    /// The scores of its blocks.
    pub fn scores(&self) -> &BlockScores {
        self.scores
            .get_or_init(|| BlockScores::of(self, self.model()))
    }

    /// The article that its scores show, and why it may be none.
    pub fn article(&self) -> &OnePage {
        self.article
            .get_or_init(|| OnePage::from_scores(self, self.scores()))
    }

    /// The overlap of the text `kept` and the article. Scores no more blocks than that
    /// takes, if none have a score yet.
    pub fn overlap(&self, kept: &Mask) -> Overlap {
        match self.scores.get() {
            Some(scores) => Overlap::from_scores(scores, kept),
            None => Overlap::of(self, kept, self.model()),
        }
    }
}

impl From<Page> for ScoredPage<'static> {
    fn from(page: Page) -> Self {
        ScoredPage::new(Held::Owned(Box::new(page)))
    }
}

impl<'p> From<&'p Page> for ScoredPage<'p> {
    fn from(page: &'p Page) -> Self {
        ScoredPage::new(Held::Borrowed(page))
    }
}

impl Deref for ScoredPage<'_> {
    type Target = Page;

    fn deref(&self) -> &Page {
        match &self.page {
            Held::Owned(page) => page,
            Held::Borrowed(page) => page,
        }
    }
}
