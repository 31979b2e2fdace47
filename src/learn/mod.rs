//! The methods that turn sample pages into a wrapper. Pure.
//!
//! Takes [`SamplePage`]s: parsed pages with what a feed said of them; gives an
//! [`Outcome`]: what was [`Learned`], or why the learner abstains. A page that is
//! not fit to learn from is left out with a [`Verdict`] that says why.
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
#[cfg(all(feature = "net", feature = "archive"))]
pub(crate) use sample::most_frequent;
pub use sample::{Verdict, keep_good, site_of, sort_out};

use crate::error::counted;
use crate::feed::Item;
use crate::onepage::{BlockModel, BlockScores};
use crate::page::{Mask, NodeId, Page};
use crate::pattern::{PatternOptions, anchor_lists};
use crate::rank::{LevelFactor, MeasureName};
use crate::signifier::DEFAULT_KEYWORDS;
use crate::text::metric_tokens;
use crate::wrapper::{Evidence, Expect, SampleRef, Template, Trace, Wrapper};
use std::fmt;
use std::sync::Arc;

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
    /// The page.
    pub page: Page,
    /// Its address, or the name of its file.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Title of the feed item that points to it.
    pub item_title: Option<String>,
    /// Description of that item, as text.
    pub item_description: Option<String>,
    /// Names of its authors.
    pub item_authors: Vec<String>,
    /// When it was published: RFC 3339, or as the feed has it.
    pub item_published: Option<String>,
    /// Its categories.
    pub item_tags: Vec<String>,
    /// The address of its picture.
    pub item_image: Option<String>,
}

impl SamplePage {
    /// A page without a feed item.
    pub fn new(page: Page, name: impl Into<String>) -> SamplePage {
        SamplePage {
            page,
            name: name.into(),
            sha256: String::new(),
            item_title: None,
            item_description: None,
            item_authors: Vec::new(),
            item_published: None,
            item_tags: Vec::new(),
            item_image: None,
        }
    }

    /// The page with what its feed item says.
    #[must_use]
    pub fn with_item(mut self, item: &Item) -> SamplePage {
        self.item_title = Some(item.title.clone());
        self.item_description = Some(item.summary.clone());
        self.item_authors.clone_from(&item.authors);
        // Atom's `published` is optional, its `updated` is not.
        let date = item.published.as_ref().or(item.updated.as_ref());
        self.item_published = date.map(|date| match date.time {
            Some(time) => time.to_rfc3339(),
            None => date.raw.clone(),
        });
        self.item_tags.clone_from(&item.categories);
        self.item_image = item.image.as_ref().map(ToString::to_string);
        self
    }

    /// Title and description of the item as one text, if it has any.
    pub fn item_text(&self) -> Option<String> {
        let texts: Vec<&str> = self.item_texts().collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// Title and description of the item.
    fn item_texts(&self) -> impl Iterator<Item = &str> {
        let title = self.item_title.as_deref();
        title.into_iter().chain(self.item_description.as_deref())
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
    trees: Option<Arc<BlockModel>>,
    fields: Option<bool>,
    ranking: bool,
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
            trees: None,
            fields: None,
            ranking: false,
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

    /// The trees of [`onepage`](crate::onepage) that `forest` believes
    /// (default: those that come with the program). For measuring it on pages that
    /// trees have not seen.
    pub fn with_trees(mut self, trees: Arc<BlockModel>) -> Self {
        self.trees = Some(trees);
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

    /// What is kept of a page that `forest` has no template for.
    pub fn fall_back(&self, page: &Page) -> Mask {
        BlockScores::of(page, self.trees()).kept(page)
    }

    /// The trees of [`onepage`](crate::onepage).
    pub fn trees(&self) -> &BlockModel {
        self.trees.as_deref().unwrap_or(BlockModel::shipped())
    }

    /// Where signifiers come from.
    pub fn signifiers(&self) -> &SignifierSource {
        &self.signifiers
    }
}

/// What came of a sample.
#[derive(Debug)]
pub enum Outcome {
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
    pub verdicts: Vec<Verdict>,
    /// The patterns behind it, if they were [ranked](LearnOptions::with_ranking). Its
    /// pages are the good ones of the sample, in order.
    pub induction: Induction,
}

/// Why nothing was learned.
#[derive(Debug)]
pub struct Abstention {
    /// The reason.
    pub reason: Reason,
    /// What was made of each page of the sample, in its order.
    pub verdicts: Vec<Verdict>,
}

/// Why a learner abstains.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
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

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TooFewPages { good, needed } => write!(
                f,
                "{} in the sample, {} needed: give a feed with more items, or a folder or a \
                 list of pages of the site",
                counted(*good, "good page", "good pages"),
                counted(*needed, "is", "are")
            ),
            Reason::NoSignifiers => f.write_str(
                "no page holds a signifier: try --signifiers feed, metadata or words:FILE",
            ),
            Reason::LearnsNothing { method } => write!(
                f,
                "method {method} looks at one page at a time and learns no wrapper: \
                 use it with `apply --method {method}`"
            ),
        }
    }
}

/// Learns a wrapper from a sample: leaves out what is not fit to learn from, then
/// [`induce`]s.
pub fn learn(pages: &[SamplePage], options: &LearnOptions) -> Outcome {
    learn_from(&pages.iter().collect::<Vec<_>>(), options)
}

/// [`learn`] from pages that stand elsewhere.
pub fn learn_from(pages: &[&SamplePage], options: &LearnOptions) -> Outcome {
    let (site, verdicts) = sort_out(pages, options.site.as_deref(), options.any_host);
    let good: Vec<&SamplePage> = pages
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| **verdict == Verdict::Good)
        .map(|(page, _)| *page)
        .collect();
    let abstain = |reason, verdicts| Outcome::Abstained(Abstention { reason, verdicts });
    if !options.method.learns() {
        let method = options.method.clone();
        return abstain(Reason::LearnsNothing { method }, verdicts);
    }
    if good.len() < options.min_pages {
        let reason = Reason::TooFewPages {
            good: good.len(),
            needed: options.min_pages,
        };
        return abstain(reason, verdicts);
    }
    let (mut templates, witness) = match options.method {
        Method::Forest => {
            let (templates, witness) = forest::templates(&good, options.trees());
            (templates, Some(witness))
        }
        _ => (Vec::new(), None),
    };
    let induction = match templates.is_empty() || options.ranking {
        true => induce(&good, options),
        false => Induction::unranked(options),
    };
    if templates.is_empty() {
        // Where the witness believes in nothing, the paper's ranking decides.
        templates.extend(induction.template());
    }
    if templates.is_empty() {
        return abstain(Reason::NoSignifiers, verdicts);
    }
    let mut of_site = Vec::new();
    if options.fields() {
        let fields = fields::learn(&good);
        for template in &mut templates {
            fields.put_into(template);
        }
        of_site = fields.of_site;
    }
    let paging = match options.fields() {
        true => paging::learn(&good, pages),
        false => Paging::default(),
    };
    let mut wrapper = Wrapper {
        site,
        feed: options.feed.clone(),
        learned: options.learned.clone(),
        by: Some(concat!("forest ", env!("CARGO_PKG_VERSION")).to_owned()),
        sample: good
            .iter()
            .map(|p| SampleRef {
                url: p.name.clone(),
                sha256: p.sha256.clone(),
            })
            .collect(),
        templates,
        next_page: paging.next_page,
        single_page: paging.single_page,
        ..Wrapper::default()
    };
    let Ok(matcher) = wrapper.compile() else {
        debug_assert!(false, "learned expressions compile");
        return abstain(Reason::NoSignifiers, verdicts);
    };
    let traces: Vec<Option<Trace>> = good.iter().map(|p| matcher.trace(&p.page)).collect();
    if options.fields() {
        let images = fields::images::learn(&good, &traces);
        for template in &mut wrapper.templates {
            template.images.clone_from(&images);
        }
    }
    look_at_sample(&mut wrapper, &traces, &good, witness.as_ref());
    if let Some(expect) = &mut wrapper.expect {
        expect.tags = of_site;
    }
    Outcome::Learned(Box::new(Learned {
        wrapper,
        verdicts,
        induction,
    }))
}

/// Puts down what the new wrapper does on its sample: which pages each template carries,
/// what it takes on them, and what they look like.
fn look_at_sample(
    wrapper: &mut Wrapper,
    traces: &[Option<Trace>],
    good: &[&SamplePage],
    witness: Option<&forest::Witness<'_>>,
) {
    let pages = good.iter().map(|sample| &sample.page);
    wrapper.expect = expected(pages.clone().zip(traces));
    if let (Some(expect), Some(witness)) = (&mut wrapper.expect, witness)
        && good.len() >= AGREEING_PAGES
        && wrapper.templates.iter().all(is_agreed_on)
    {
        expect.agreement = witness.agreement(traces);
    }
    for (t, template) in wrapper.templates.iter_mut().enumerate() {
        let seen = pages.clone().zip(traces).enumerate();
        let seen = seen.filter_map(|(at, (page, trace))| {
            let trace = trace.as_ref().filter(|trace| trace.found.template == t)?;
            Some(forest::Carried { at, page, trace })
        });
        let carried: Vec<forest::Carried<'_>> = seen.collect();
        template.pages = carried.len();
        let strips = forest::strips(template, &carried, witness);
        let Some(evidence) = &mut template.evidence else {
            continue;
        };
        evidence.strips = strips;
        if carried.len() < good.len() {
            evidence.pages = carried.iter().map(|c| c.at).collect();
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
