//! Methods over collections: their text for each page, and its scores.

use super::setup::{Setup, Split};
use super::site::EvalSite;
use super::{GoldTexts, PageScore};
use crate::error::Result;
use forest_core::extract::confidence::{DOUBTFUL, TextFeatures, TextSource};
use forest_core::learn::{self, LearnOutcome, Method, SamplePage, description, sigfeed};
use forest_core::onepage::{ScoredBlock, ScoredPage};
use forest_core::render;
use forest_core::wrapper::Matcher;
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use forest_sources::gold::Collection;
use forest_text::pipeline::{AnyMethod, Preset};
use rayon::prelude::*;
use serde::Serialize;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a method for a page.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredText {
    /// `<site>/<page>`.
    pub id: String,
    /// The text; empty if the method found no text.
    pub text: String,
    /// The title from the page's metadata.
    pub title: Option<String>,
    /// `ok`, `degraded`, `fallback`, `empty` or, for a crash, `error`.
    pub status: &'static str,
    /// Probability that the text is right; of wrappers and `onepage` only.
    pub confidence: Option<f64>,
    /// Its scores.
    pub score: PageScore,
    /// True if the method asks trees of `onepage` that were trained on this page, so
    /// that its scores are too good.
    pub is_trained_on: bool,
    /// The scores of the page's blocks, if [`Setup::blocks`] asks for them.
    pub(super) blocks: Vec<BlockLine>,
}

/// A block of a page, with the score that the model of `onepage` gives it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct BlockLine {
    /// The beginning of its text.
    pub text: String,
    /// Words; in scripts without spaces two characters are one.
    pub words: f32,
    /// The probability that it is part of the article, kind and repetition on the site left
    /// out.
    pub probability: f32,
}

/// Characters of a block's text in [`BlockLine`].
const BLOCK_CHARS: usize = 80;

fn block_lines(page: &ScoredPage<'_>) -> Vec<BlockLine> {
    let line = |block: &ScoredBlock| {
        let texts = (block.span.0.0..=block.span.1.0).map(NodeId);
        let texts = texts.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
        let text: String = texts
            .flat_map(|n| page.text(n).chars())
            .take(4 * BLOCK_CHARS)
            .collect();
        BlockLine {
            text: fold(&text).chars().take(BLOCK_CHARS).collect(),
            words: block.words,
            probability: block.probability,
        }
    };
    page.scores().blocks.iter().map(line).collect()
}

/// Runs `setups` over a collection: for each setup the result for each scored page,
/// in the order of ids. Each site is read and parsed once; `done` is called after
/// each.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn run(
    collection: &Collection,
    setups: &[Setup],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Vec<ScoredText>>> {
    let by_site: Result<Vec<Vec<Vec<ScoredText>>>> = collection
        .sites()
        .par_iter()
        .map(|site| {
            let site = EvalSite::read(collection, site)?;
            let mut scorers = site.scorers();
            let of_setup = |setup| site.run_with(setup, &mut scorers);
            let of_site = setups.iter().map(of_setup).collect();
            done();
            Ok(of_site)
        })
        .collect();
    let mut out: Vec<Vec<ScoredText>> = setups.iter().map(|_| Vec::new()).collect();
    for site in by_site? {
        for (all, pages) in out.iter_mut().zip(site) {
            all.extend(pages);
        }
    }
    Ok(out)
}

/// A method, ready for the pages of a site.
pub enum SiteMethod {
    /// A method that learned a wrapper.
    Wrapper(Matcher),
    /// A method that looks at each page alone.
    PageByPage,
    /// A method that learns, and learned no wrapper.
    Abstained,
    /// A method that crashed while it learned, with the message.
    Crashed(String),
}

impl SiteMethod {
    /// The page with a value of its JSON as its body, if the wrapper is for that.
    pub(super) fn page_of_json(&self, page: &Page) -> Option<ScoredPage<'static>> {
        match self {
            SiteMethod::Wrapper(matcher) => matcher.page_of_json(page).map(ScoredPage::from),
            _ => None,
        }
    }
}

impl EvalSite {
    /// Runs one setup over the site's scored pages.
    pub fn run(&self, setup: &Setup) -> Vec<ScoredText> {
        self.run_with(setup, &mut self.scorers())
    }

    fn scorers(&self) -> Vec<Option<GoldTexts>> {
        (0..self.samples().len())
            .map(|at| self.gold_texts(at))
            .collect()
    }

    fn run_with(&self, setup: &Setup, scorers: &mut [Option<GoldTexts>]) -> Vec<ScoredText> {
        let Split { train, test } = setup.split(self.samples().len());
        let method = self.learn(&train, setup);
        let mut out = Vec::new();
        for at in test {
            if let Some(scorer) = &mut scorers[at] {
                let mut scored = self.scored_text(at, setup, &method, scorer);
                if setup.blocks {
                    let page = &self.samples()[at].page;
                    scored.blocks = setup.options.with_scored(page, block_lines);
                }
                out.push(scored);
            }
        }
        out
    }

    /// Learns from the pages in a range, if the method of `setup` learns.
    pub fn learn(&self, train: &Range<usize>, setup: &Setup) -> SiteMethod {
        if !setup.method.learns() {
            return SiteMethod::PageByPage;
        }
        let pages: Vec<&SamplePage> = self.samples()[train.clone()].iter().collect();
        let options = setup.options.clone().with_min_pages(1).with_any_host(true);
        let learn = || match learn::learn_from(&pages, &options) {
            LearnOutcome::Learned(learned) => {
                let compiled = learned.wrapper.compile();
                SiteMethod::Wrapper(compiled.expect("learned expressions compile"))
            }
            LearnOutcome::Abstained(_) => SiteMethod::Abstained,
        };
        let learned = catch_unwind(AssertUnwindSafe(learn));
        learned.unwrap_or_else(|panic| SiteMethod::Crashed(message(panic)))
    }

    /// The text of the page at an index; the message, if the method crashed.
    ///
    /// # Errors
    ///
    /// If the method crashed while it learned or on this page.
    pub fn text(
        &self,
        at: usize,
        setup: &Setup,
        method: &SiteMethod,
    ) -> std::result::Result<String, String> {
        if let SiteMethod::Crashed(message) = method {
            return Err(message.clone());
        }
        let sample = &self.samples()[at];
        catch_unwind(AssertUnwindSafe(|| text(sample, setup, method))).map_err(message)
    }

    fn scored_text(
        &self,
        at: usize,
        setup: &Setup,
        method: &SiteMethod,
        scorer: &mut GoldTexts,
    ) -> ScoredText {
        let page = self.page(at);
        let text = self.text(at, setup, method);
        let (score, status) = match &text {
            Err(message) => (PageScore::crashed(&page.id, message.clone()), "error"),
            Ok(text) if text.is_empty() => (scorer.score(&page.id, text), "empty"),
            Ok(text) => (scorer.score(&page.id, text), "ok"),
        };
        let mut out = ScoredText {
            id: page.id.clone(),
            text: text.unwrap_or_default(),
            title: page.title.clone(),
            status,
            confidence: None,
            score,
            is_trained_on: asks_trees(&setup.method)
                && setup.options.model().corpus().has(page.digest),
            blocks: Vec::new(),
        };
        if status == "ok"
            && let Some((source, features)) = self.features(at, setup, method)
        {
            let confidence = features.confidence(source);
            out.confidence = Some(confidence);
            out.status = match source {
                TextSource::Page if setup.method.learns() => "fallback",
                TextSource::Page => "ok",
                _ if confidence < DOUBTFUL => "degraded",
                _ => "ok",
            };
        }
        out
    }

    /// The source of the text of the page at an index, and the features of its
    /// confidence; `None` if the method has no confidence, or crashed.
    fn features(
        &self,
        at: usize,
        setup: &Setup,
        method: &SiteMethod,
    ) -> Option<(TextSource, TextFeatures)> {
        let features = |page: &ScoredPage<'_>| {
            let alone = || {
                let features = TextFeatures::of_one_page(page.article());
                Some((TextSource::Page, features))
            };
            match (method, &setup.method) {
                (SiteMethod::Wrapper(matcher), method) => {
                    let Some(found) = matcher.find(page) else {
                        return alone();
                    };
                    let source = match method {
                        AnyMethod::OfSite(Method::Forest) => TextSource::Forest,
                        _ => TextSource::Wrapper,
                    };
                    Some((source, TextFeatures::of(page, &found.kept)))
                }
                (SiteMethod::Abstained, AnyMethod::OfSite(Method::Forest))
                | (_, AnyMethod::OnePage(Preset::Onepage)) => alone(),
                _ => None,
            }
        };
        let page = &self.samples()[at].page;
        let of_json = method.page_of_json(page);
        let features = || {
            setup
                .options
                .with_scored(of_json.as_ref().unwrap_or(page), features)
        };
        catch_unwind(AssertUnwindSafe(features)).ok().flatten()
    }
}

/// True if the method asks the trees of `onepage`.
fn asks_trees(method: &AnyMethod) -> bool {
    matches!(
        method,
        AnyMethod::OfSite(Method::Forest) | AnyMethod::OnePage(Preset::Onepage)
    )
}

fn text(sample: &SamplePage, setup: &Setup, method: &SiteMethod) -> String {
    let options = &setup.options;
    let of_json = method.page_of_json(&sample.page);
    let page = of_json.as_ref().unwrap_or(&sample.page);
    let of_site = setup.method.of_site();
    let fall_back = || (of_site == Some(Method::Forest)).then(|| options.fall_back(page));
    let kept: Option<Mask> = match (method, of_site) {
        (SiteMethod::Wrapper(matcher), _) => {
            let found = matcher.find(page).map(|found| found.kept);
            found.or_else(fall_back)
        }
        (SiteMethod::Abstained, _) => fall_back(),
        (SiteMethod::PageByPage, Some(Method::Sigfeed)) => {
            Some(sigfeed(sample, options.keywords()))
        }
        (SiteMethod::PageByPage, Some(Method::Description)) => return description(sample),
        (SiteMethod::PageByPage, _) => setup.method.of_one_page(page),
        (SiteMethod::Crashed(_), _) => None,
    };
    kept.map_or_else(String::new, |mut mask| {
        if let Some(left_out) = options.left_out(page) {
            mask.subtract(&left_out);
        }
        render::text(page, &mask)
    })
}

/// The message of a crash.
fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "crashed without a message".to_owned())
}
