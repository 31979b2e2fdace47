//! The methods that turn sample pages into a wrapper. Pure.
//!
//! Takes [`SamplePage`]s: parsed pages with what a feed said of them; gives an
//! [`LearnOutcome`]: what was [`Learned`], or why the learner abstains. A page that is
//! not fit to learn from is left out with a [`SampleVerdict`] that says why.
//!
//! - [`method`](mod@method): what can be asked for, by name.
//! - `sample`: which pages are good.
//! - `forest`: what the one-page extractor believes in, over the whole sample.
//! - `induce`: terms, signifiers, patterns, ranking, expression.
//! - [`fields`](mod@fields): title, authors, date and tags.
//! - [`paging`]: links to an article's next page and to the whole of it.
//! - `baseline`: the paper's baselines that look at one page: SIGFEED, DESCRIPTION.
//!
//! **Departures.** The paper learns from whatever its feeds gave; here pages of
//! other hosts, near-identical pages, pages that hold no article (challenges, logins,
//! error pages, lists: [`refusal`](crate::refusal)) and pages that are no
//! HTML or nearly empty are left out first. Of the 1,766 pages of the development
//! gold's sites that is ten: eight without text and two copies.

mod baseline;
pub mod fields;
mod forest;
mod induce;
pub mod method;
pub mod paging;
mod sample;
#[cfg(test)]
mod tests;

pub use baseline::{description, sigfeed};
pub use induce::{Induction, induce};
pub use method::{Method, SignifierSource};
pub use paging::Paging;
pub use sample::{SampleVerdict, keep_good, sort_out};

use crate::error::counted;
use crate::extract::{Article, Extractor, Options, tests_of};
use crate::feed::FeedItem;
use crate::onepage::{BlockModel, BlockScores, ScoredPage};
use crate::page::{Mask, NodeId, Page};
use crate::pattern::{PatternOptions, anchor_lists};
use crate::rank::{LevelFactor, MeasureName};
use crate::signifier::DEFAULT_KEYWORDS;
use crate::text::metric_tokens;
use crate::wrapper::{Evidence, Expect, SampleRef, Template, Trace, Wrapper};
use forest::SampleEvidence;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Good pages below which nothing is learned: tf-idf and repeated structure need
/// two (FOREST 4, "Influence of the number of pages").
pub const MIN_PAGES: usize = 2;

/// Pages of a sample unless something else is asked for: the plateau of FOREST,
/// figure 5.
pub const DEFAULT_SAMPLE: usize = 10;

/// Pages of a feed that are looked at for each page of the sample: most of them may be
/// copies, lists, or of other hosts.
pub const TRIES_A_PAGE: usize = 20;

/// Pages that outweigh what one of them shows alone: from so many on the template is told
/// from the article ([`sort_out`] asks for as many).
const AGREEING_PAGES: usize = 4;

/// And the mean F1 that they must let expect: the least that a wrapper must be worth to
/// take another one's place, too (`drift::relearn`).
const AGREED: f64 = 0.7;

/// A page to learn from.
#[derive(Debug)]
pub struct SamplePage {
    /// The page, with its scores once they are known.
    pub page: ScoredPage<'static>,
    /// Its address, or the name of its file.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// The feed item that points to it, without its content.
    pub item: Option<FeedItem>,
    screening: OnceLock<sample::Screening>,
}

impl SamplePage {
    /// A page without a feed item.
    pub fn new(page: Page, name: impl Into<String>) -> SamplePage {
        SamplePage {
            page: page.into(),
            name: name.into(),
            sha256: String::new(),
            item: None,
            screening: OnceLock::new(),
        }
    }

    /// The page with what its feed item says.
    #[must_use]
    pub fn with_item(mut self, item: &FeedItem) -> SamplePage {
        self.item = Some(item.without_content());
        self
    }

    /// Title and summary of the item as one text, if it has any.
    pub fn item_text(&self) -> Option<String> {
        self.item.as_ref()?.text()
    }

    /// Title and summary of the item.
    fn item_texts(&self) -> impl Iterator<Item = &str> {
        self.item.iter().flat_map(FeedItem::texts)
    }
}

/// How to learn. The default is the program's.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnOptions {
    method: Method,
    signifiers: SignifierSource,
    keywords: usize,
    patterns: PatternOptions,
    measure: Option<MeasureName>,
    level_factor: LevelFactor,
    anchor_lists: bool,
    min_pages: usize,
    any_host: bool,
    site: Option<String>,
    feed: Option<String>,
    learned: Option<String>,
    model: Option<Arc<BlockModel>>,
    fields: Option<bool>,
    ranking: bool,
    articles: bool,
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
            fields: None,
            ranking: false,
            articles: false,
        }
    }
}

impl LearnOptions {
    /// The method (default [`Method::Forest`]).
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Where signifiers come from (default tf-idf).
    pub fn with_signifiers(mut self, signifiers: SignifierSource) -> Self {
        self.signifiers = signifiers;
        self
    }

    /// Signifiers per page (default [`DEFAULT_KEYWORDS`]).
    pub fn with_keywords(mut self, keywords: usize) -> Self {
        self.keywords = keywords;
        self
    }

    /// How patterns are formed (default as published).
    pub fn with_patterns(mut self, patterns: PatternOptions) -> Self {
        self.patterns = patterns;
        self
    }

    /// The measure that patterns are ranked by (default: that of the method).
    pub fn with_measure(mut self, measure: MeasureName) -> Self {
        self.measure = Some(measure);
        self
    }

    /// Whether the level is a factor (default as published: it is).
    pub fn with_level_factor(mut self, level_factor: LevelFactor) -> Self {
        self.level_factor = level_factor;
        self
    }

    /// Whether lists of nothing but anchors stay on the page (default as
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

    /// Whether pages of any host may teach one wrapper (default: only those of the
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

    /// Whether [`Learned::articles`] and the wrapper's tests are made (default: no).
    pub fn with_articles(mut self, articles: bool) -> Self {
        self.articles = articles;
        self
    }

    /// Whether the fields are learned, too (default: unless the method is one of the
    /// paper's, which has none: `paper` and `coverage`).
    pub fn with_fields(mut self, fields: bool) -> Self {
        self.fields = Some(fields);
        self
    }

    /// Whether the patterns are ranked even if the method does not need it (default:
    /// no): `forest` needs it only where no page looks like an article. It costs
    /// about as much as parsing the pages.
    pub fn with_ranking(mut self, ranking: bool) -> Self {
        self.ranking = ranking;
        self
    }

    /// Whether the fields are learned, too.
    pub fn fields(&self) -> bool {
        let published = matches!(self.method, Method::Paper | Method::Coverage);
        self.fields.unwrap_or(!published)
    }

    /// The method.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Signifiers per page.
    pub fn keywords(&self) -> usize {
        self.keywords
    }

    /// What of a page is left out before it is looked at: its lists of anchors, if
    /// they are not wanted.
    pub fn left_out(&self, page: &Page) -> Option<Mask> {
        (!self.anchor_lists).then(|| anchor_lists(page))
    }

    /// The text nodes that are kept of a page that `forest` has no template for.
    pub fn fall_back(&self, page: &ScoredPage<'_>) -> Mask {
        self.with_scored(page, |page| page.scores().kept(page))
    }

    /// Calls `use_page` with the page, scored by the model of these options.
    pub(crate) fn with_scored<R>(
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
    fn scores<'p>(&self, page: &'p ScoredPage<'_>) -> Cow<'p, BlockScores> {
        match &self.model {
            Some(model) => Cow::Owned(BlockScores::of(page, model)),
            None => Cow::Borrowed(page.scores()),
        }
    }

    /// Where signifiers come from.
    pub fn signifiers(&self) -> &SignifierSource {
        &self.signifiers
    }
}

/// What came of a sample.
#[derive(Debug)]
pub enum LearnOutcome {
    /// A wrapper.
    Learned(Box<Learned>),
    /// No wrapper, for a reason.
    Abstained(Abstention),
}

/// A wrapper and where it comes from.
#[derive(Debug)]
pub struct Learned {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// What was made of each page of the sample, in its order.
    pub verdicts: Vec<SampleVerdict>,
    /// The patterns behind it, if they were [ranked](LearnOptions::with_ranking). Its
    /// pages are the good ones of the sample, in order.
    pub induction: Induction,
    /// The articles of the good pages of the sample, in order, if they were
    /// [asked for](LearnOptions::with_articles).
    pub articles: Vec<Article>,
}

/// Why nothing was learned.
#[derive(Debug)]
pub struct Abstention {
    /// The reason.
    pub reason: AbstentionReason,
    /// What was made of each page of the sample, in its order.
    pub verdicts: Vec<SampleVerdict>,
}

/// Why a learner abstains.
#[derive(Debug, Clone, PartialEq)]
pub enum AbstentionReason {
    /// Fewer good pages than are needed.
    TooFewPages {
        /// Good pages.
        good: usize,
        /// Pages that are needed.
        needed: usize,
    },
    /// No page holds a signifier in its body.
    NoSignifiers,
    /// The method extracts from pages as they come and learns nothing.
    LearnsNothing {
        /// The method.
        method: Method,
    },
}

impl fmt::Display for AbstentionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AbstentionReason::TooFewPages { good, needed } => write!(
                f,
                "{} in the sample, {} needed: give a feed with more items, or a folder or a \
                 list of pages of the site",
                counted(*good, "good page", "good pages"),
                counted(*needed, "is", "are")
            ),
            AbstentionReason::NoSignifiers => f.write_str(
                "no page holds a signifier: try --signifiers feed, metadata or words:FILE",
            ),
            AbstentionReason::LearnsNothing { method } => write!(
                f,
                "method {method} looks at one page at a time and learns no wrapper: \
                 use it with `apply --method {method}`"
            ),
        }
    }
}

/// Learns a wrapper from a sample: leaves out what is not fit to learn from, then
/// [`induce`]s.
pub fn learn(pages: &[SamplePage], options: &LearnOptions) -> LearnOutcome {
    learn_from(&pages.iter().collect::<Vec<_>>(), options)
}

/// [`learn`] from pages that stand elsewhere.
pub fn learn_from(pages: &[&SamplePage], options: &LearnOptions) -> LearnOutcome {
    let (site, verdicts) = sort_out(pages, options.site.as_deref(), options.any_host);
    match learned_from(pages, site, &verdicts, options) {
        Ok(learned) => LearnOutcome::Learned(Box::new(Learned {
            verdicts,
            ..learned
        })),
        Err(reason) => LearnOutcome::Abstained(Abstention { reason, verdicts }),
    }
}

fn learned_from(
    pages: &[&SamplePage],
    site: String,
    verdicts: &[SampleVerdict],
    options: &LearnOptions,
) -> Result<Learned, AbstentionReason> {
    let judged = pages.iter().zip(verdicts);
    let good = judged.filter(|(_, verdict)| **verdict == SampleVerdict::Good);
    let good: Vec<&SamplePage> = good.map(|(page, _)| *page).collect();
    if !options.method.learns() {
        let method = options.method.clone();
        return Err(AbstentionReason::LearnsNothing { method });
    }
    if good.len() < options.min_pages {
        return Err(AbstentionReason::TooFewPages {
            good: good.len(),
            needed: options.min_pages,
        });
    }
    let evidence = (options.method == Method::Forest).then(|| {
        let scored = good.iter().map(|p| (&*p.page, options.scores(&p.page)));
        SampleEvidence::of(scored.collect())
    });
    let mut templates = evidence.as_ref().map(forest::templates).unwrap_or_default();
    let induction = if templates.is_empty() || options.ranking {
        induce(&good, options)
    } else {
        Induction::unranked(options)
    };
    if templates.is_empty() {
        // If no block is likely to be an article's, the paper's ranking decides.
        templates.extend(induction.template());
    }
    if templates.is_empty() {
        return Err(AbstentionReason::NoSignifiers);
    }
    let (mut of_site, mut paging) = (Vec::new(), Paging::default());
    if options.fields() {
        let fields = fields::learn(&good);
        for template in &mut templates {
            fields.put_into(template);
        }
        of_site = fields.of_site;
        paging = paging::learn(&good, pages);
    }
    let sample = good.iter().map(|p| SampleRef {
        url: p.name.clone(),
        sha256: p.sha256.clone(),
    });
    let mut wrapper = Wrapper {
        site,
        feed: options.feed.clone(),
        learned: options.learned.clone(),
        by: Some(concat!("forest ", env!("CARGO_PKG_VERSION")).to_owned()),
        sample: sample.collect(),
        templates,
        next_page: paging.next_page,
        single_page: paging.single_page,
        ..Wrapper::default()
    };
    let Ok(matcher) = wrapper.compile() else {
        debug_assert!(false, "learned expressions compile");
        return Err(AbstentionReason::NoSignifiers);
    };
    let traces: Vec<Option<Trace>> = good.iter().map(|p| matcher.trace(&p.page)).collect();
    if options.fields() {
        let images = fields::images::learn(&good, &traces);
        for template in &mut wrapper.templates {
            template.images.clone_from(&images);
        }
    }
    look_at_sample(&mut wrapper, &traces, &good, evidence.as_ref());
    if let Some(expect) = &mut wrapper.expect {
        expect.tags = of_site;
    }
    let mut articles = Vec::new();
    if options.articles
        && let Ok(extractor) = Extractor::new(wrapper.clone())
    {
        let article = |p: &&SamplePage| extractor.extract_scored(&p.page, &Options::default());
        articles.extend(good.iter().map(article));
        wrapper.tests = tests_of(&articles);
    }
    Ok(Learned {
        wrapper,
        verdicts: Vec::new(),
        induction,
        articles,
    })
}

/// Puts down what the new wrapper does on its sample: which pages each template carries,
/// what it takes on them, and what they look like.
fn look_at_sample(
    wrapper: &mut Wrapper,
    traces: &[Option<Trace>],
    good: &[&SamplePage],
    evidence: Option<&SampleEvidence<'_>>,
) {
    let pages = good.iter().map(|sample| &*sample.page);
    wrapper.expect = expected(pages.clone().zip(traces));
    if let (Some(expect), Some(evidence)) = (&mut wrapper.expect, evidence)
        && good.len() >= AGREEING_PAGES
        && wrapper.templates.iter().all(is_agreed_on)
    {
        expect.agreement = evidence.agreement(traces);
    }
    for (t, template) in wrapper.templates.iter_mut().enumerate() {
        let seen = pages.clone().zip(traces).enumerate();
        let seen = seen.filter_map(|(at, (page, trace))| {
            let trace = trace.as_ref().filter(|trace| trace.found.template == t)?;
            Some(forest::CarriedPage { at, page, trace })
        });
        let carried: Vec<forest::CarriedPage<'_>> = seen.collect();
        template.pages = carried.len();
        let strips = forest::strips(template, &carried, evidence);
        let Some(of_template) = &mut template.evidence else {
            continue;
        };
        of_template.strips = strips;
        if carried.len() < good.len() {
            of_template.pages = carried.iter().map(|c| c.at).collect();
        }
    }
}

/// Whether the pages of a sample together leave little doubt that a template is right.
fn is_agreed_on(template: &Template) -> bool {
    let expected = template.evidence.as_ref().and_then(Evidence::expected_f1);
    expected.is_some_and(|f1| f1 >= AGREED)
}

/// What the articles of pages look like.
fn expected<'a>(pages: impl Iterator<Item = (&'a Page, &'a Option<Trace>)>) -> Option<Expect> {
    let mut seen: Option<Expect> = None;
    for (page, trace) in pages {
        let Some(Trace { found, .. }) = trace else {
            continue;
        };
        let words = words(page, &found.kept);
        let quota = link_quota(page, &found.kept);
        let expect = seen.get_or_insert(Expect {
            words: [words, words],
            link_quota: [quota, quota],
            ..Expect::default()
        });
        expect.words = [expect.words[0].min(words), expect.words[1].max(words)];
        expect.link_quota = [
            expect.link_quota[0].min(quota),
            expect.link_quota[1].max(quota),
        ];
    }
    seen
}

/// Words (metric tokens) in the kept text.
pub fn words(page: &Page, kept: &Mask) -> usize {
    kept.texts(page)
        .map(|n| metric_tokens(page.text(n)).len())
        .sum()
}

/// Share of the kept text's characters, white space left out, that stand in
/// links, to three decimals; 0 where there is no text.
pub fn link_quota(page: &Page, kept: &Mask) -> f64 {
    let (mut all, mut linked) = (0_usize, 0_usize);
    for n in kept.texts(page) {
        let chars = page.text(n).chars().filter(|c| !c.is_whitespace()).count();
        all += chars;
        if is_linked(page, n) {
            linked += chars;
        }
    }
    (linked as f64 / all.max(1) as f64 * 1000.0).round() / 1000.0
}

/// Whether a node stands in a link.
fn is_linked(page: &Page, n: NodeId) -> bool {
    let is_link = |&up: &NodeId| {
        page.tag(up).is_some_and(|tag| &**tag == "a") && page.attr(up, "href").is_some()
    };
    page.ancestors(n).any(|up| is_link(&up))
}
