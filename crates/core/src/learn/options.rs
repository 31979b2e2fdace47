//! The options of the learner.

use super::forest::ForestLimits;
use super::method::{Method, SignifierSource};
use crate::onepage::{BlockModel, BlockScores, Favor, ScoredPage};
use crate::pattern::{PatternOptions, anchor_lists};
use crate::rank::{LevelFactor, MeasureName};
use crate::signifier::DEFAULT_KEYWORDS;
use crate::wrapper::{Label, Wrapper};
use forest_html::page::{Mask, Page};
use std::borrow::Cow;
use std::sync::Arc;

/// Good pages below which nothing is learned: tf-idf and repeated structure need
/// two (FOREST 4, "Influence of the number of pages").
pub const MIN_PAGES: usize = 2;

/// The options of the learner. The default is the program's.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnOptions {
    pub(super) method: Method,
    pub(super) signifiers: SignifierSource,
    pub(super) keywords: usize,
    pub(super) patterns: PatternOptions,
    pub(super) measure: Option<MeasureName>,
    pub(super) level_factor: LevelFactor,
    anchor_lists: bool,
    pub(super) min_pages: usize,
    pub(super) any_host: bool,
    pub(super) site: Option<String>,
    pub(super) feed: Option<String>,
    pub(super) learned: Option<String>,
    model: Option<Arc<BlockModel>>,
    pub(super) limits: ForestLimits,
    fields: Option<bool>,
    pub(super) articles: bool,
    pub(super) labels: Vec<Label>,
    /// Expressions of what belongs to the article in any case.
    pub(super) keep: Vec<String>,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions {
            method: Method::default(),
            signifiers: SignifierSource::default(),
            keywords: DEFAULT_KEYWORDS,
            patterns: PatternOptions::default(),
            measure: None,
            level_factor: LevelFactor::default(),
            anchor_lists: true,
            min_pages: MIN_PAGES,
            any_host: false,
            site: None,
            feed: None,
            learned: None,
            model: None,
            limits: ForestLimits::default(),
            fields: None,
            articles: false,
            labels: Vec::new(),
            keep: Vec::new(),
        }
    }
}

impl LearnOptions {
    /// The method (default [`Method::Forest`]).
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// The source of signifiers (default tf-idf).
    pub fn with_signifiers(mut self, signifiers: SignifierSource) -> Self {
        self.signifiers = signifiers;
        self
    }

    /// Signifiers per page (default [`DEFAULT_KEYWORDS`]).
    pub fn with_keywords(mut self, keywords: usize) -> Self {
        self.keywords = keywords;
        self
    }

    /// The rules by which patterns are formed (default as published).
    pub fn with_patterns(mut self, patterns: PatternOptions) -> Self {
        self.patterns = patterns;
        self
    }

    /// The measure that patterns are ranked by (default: that of the method).
    pub fn with_measure(mut self, measure: MeasureName) -> Self {
        self.measure = Some(measure);
        self
    }

    /// True if the level is a factor (default as published: it is).
    pub fn with_level_factor(mut self, level_factor: LevelFactor) -> Self {
        self.level_factor = level_factor;
        self
    }

    /// True if lists of nothing but anchors stay on the page (default as
    /// published: they do).
    pub fn with_anchor_lists(mut self, anchor_lists: bool) -> Self {
        self.anchor_lists = anchor_lists;
        self
    }

    /// Good pages that are needed (default [`MIN_PAGES`]; 1 only for experiments).
    pub fn with_min_pages(mut self, min_pages: usize) -> Self {
        self.min_pages = min_pages.max(1);
        self
    }

    /// True if pages of any host may teach one wrapper (default: only those of the
    /// most frequent host): the caller knows that they are of one site.
    pub fn with_any_host(mut self, any_host: bool) -> Self {
        self.any_host = any_host;
        self
    }

    /// The site's name (default: the most frequent host of the pages).
    pub fn with_site(mut self, site: impl Into<String>) -> Self {
        self.site = Some(site.into());
        self
    }

    /// The feed that the pages come from.
    pub fn with_feed(mut self, feed: impl Into<String>) -> Self {
        self.feed = Some(feed.into());
        self
    }

    /// When it is learned, RFC 3339; the learner reads no clock.
    pub fn with_learned(mut self, learned: impl Into<String>) -> Self {
        self.learned = Some(learned.into());
        self
    }

    /// The block model (default: the one that comes with the program): for measuring with
    /// a model that has not seen the pages.
    #[doc(hidden)]
    pub fn with_model(mut self, model: Arc<BlockModel>) -> Self {
        self.model = Some(model);
        self
    }

    /// The limits of `forest` (default: the program's): for the lab.
    pub fn with_limits(mut self, limits: ForestLimits) -> Self {
        self.limits = limits;
        self
    }

    /// True if [`Learned::articles`](super::Learned::articles) and the wrapper's tests are made (default: no).
    pub fn with_articles(mut self, articles: bool) -> Self {
        self.articles = articles;
        self
    }

    /// The roles that a person gave nodes of the sample, which the wrapper obeys (default: none).
    pub fn with_labels(mut self, labels: Vec<Label>) -> Self {
        self.labels = labels;
        self
    }

    /// The labels of the site's wrapper `old`, and the `keep` expressions that a person wrote in
    /// it: what is learned in its place obeys them, too.
    pub fn with_corrections_of(mut self, old: &Wrapper) -> Self {
        self.labels.clone_from(&old.labels);
        self.keep = old.own_keeps();
        self
    }

    /// True if the fields are learned, too (default: unless the method is one of the
    /// paper's, which has none: `paper` and `coverage`).
    pub fn with_fields(mut self, fields: bool) -> Self {
        self.fields = Some(fields);
        self
    }

    /// True if the fields are learned, too.
    pub fn fields(&self) -> bool {
        let published = matches!(self.method, Method::Paper | Method::Coverage);
        self.fields.unwrap_or(!published)
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Signifiers per page.
    pub fn keywords(&self) -> usize {
        self.keywords
    }

    /// The part of a page that is left out before learning: its lists of anchors, if
    /// they are not wanted.
    pub fn left_out(&self, page: &Page) -> Option<Mask> {
        (!self.anchor_lists).then(|| anchor_lists(page))
    }

    /// The text nodes that are kept of a page that `forest` has no template for.
    pub fn fall_back(&self, page: &ScoredPage<'_>) -> Mask {
        self.with_scored(page, |page| page.scores().kept(page, Favor::default()))
    }

    /// The block model of these options.
    pub fn model(&self) -> &BlockModel {
        self.model.as_deref().unwrap_or(BlockModel::shipped())
    }

    /// Calls `use_page` with the page, scored by the model of these options.
    #[doc(hidden)]
    pub fn with_scored<R>(
        &self,
        page: &ScoredPage<'_>,
        use_page: impl FnOnce(&ScoredPage<'_>) -> R,
    ) -> R {
        match &self.model {
            Some(model) => use_page(&ScoredPage::with_model(page, Arc::clone(model))),
            None => use_page(page),
        }
    }

    /// The block scores of a page by the model of these options.
    pub(super) fn scores<'p>(&self, page: &'p ScoredPage<'_>) -> Cow<'p, BlockScores> {
        match &self.model {
            Some(model) => Cow::Owned(BlockScores::of(page, model)),
            None => Cow::Borrowed(page.scores()),
        }
    }

    /// The source of signifiers.
    pub fn signifiers(&self) -> &SignifierSource {
        &self.signifiers
    }
}
