//! A page with what is computed of it once.

use super::{BlockModel, BlockScores, Favor, OnePage, OtherBlockModel, Overlap};
use crate::blocks::PageFacts;
use crate::kind::{self, KindModel, KindScores};
use forest_html::page::view::View;
use forest_html::page::{Mask, Page};
use std::borrow::Cow;
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
    other_model: Option<Arc<OtherKindsModel>>,
    facts: OnceLock<PageFacts>,
    kind: OnceLock<KindScores>,
    scores: OnceLock<BlockScores>,
    article: OnceLock<OnePage>,
}

/// The models of kinds other than articles.
#[doc(hidden)]
#[derive(Debug)]
pub struct OtherKindsModel {
    /// The kind of a page.
    pub kinds: KindModel,
    /// The main text of one that is no article.
    pub blocks: OtherBlockModel,
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
            other_model: None,
            facts: OnceLock::new(),
            kind: OnceLock::new(),
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

    /// The page with the kind, and with the main text of kinds other than articles, by models
    /// that have not seen it.
    #[doc(hidden)]
    #[must_use]
    pub fn with_other_kinds(mut self, models: Arc<OtherKindsModel>) -> ScoredPage<'p> {
        self.other_model = Some(models);
        self
    }

    fn model(&self) -> &BlockModel {
        self.model.as_deref().unwrap_or(BlockModel::shipped())
    }

    /// Its blocks and containers, with what is counted of them.
    pub(crate) fn facts(&self) -> &PageFacts {
        self.facts.get_or_init(|| PageFacts::of(&View::whole(self)))
    }

    /// The kind of the page.
    pub fn page_kind(&self) -> &KindScores {
        self.kind.get_or_init(|| {
            let models = self.other_model.as_deref();
            let model = models.map_or(KindModel::shipped(), |models| &models.kinds);
            kind::judge(self, self.facts(), model)
        })
    }

    /// The scores of its blocks as those of an article.
    pub fn scores(&self) -> &BlockScores {
        self.scores
            .get_or_init(|| BlockScores::of_article(self.facts(), self.model()))
    }

    /// Its main text: that of an article by its scores, or of what else it is, and why there may
    /// be none.
    pub fn article(&self) -> &OnePage {
        self.article
            .get_or_init(|| self.article_by(Favor::default()))
    }

    /// [`article`](Self::article) with doubtful blocks decided on this side.
    pub fn article_favoring(&self, favor: Favor) -> Cow<'_, OnePage> {
        match favor {
            Favor::Balance => Cow::Borrowed(self.article()),
            other => Cow::Owned(self.article_by(other)),
        }
    }

    fn article_by(&self, favor: Favor) -> OnePage {
        let kind = self.page_kind();
        if kind.is_article() {
            let scores = self.scores();
            return OnePage::of(self, *kind, scores, scores.kept(self, favor));
        }
        let models = self.other_model.as_deref();
        let model = models.map_or(OtherBlockModel::shipped(), |models| &models.blocks);
        let scores = BlockScores::of_other_kind(self.facts(), kind, model);
        OnePage::of(self, *kind, &scores, scores.kept_of_other_kind(self, favor))
    }

    /// The overlap of the text `kept` and the article. Scores no more blocks than that
    /// takes, if none have a score yet.
    pub fn overlap(&self, kept: &Mask) -> Overlap {
        match self.scores.get() {
            Some(scores) => Overlap::from_scores(scores, kept),
            None => Overlap::from_facts(self.facts(), kept, self.model()),
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
