//! Terms, signifiers, patterns, ranking, expression.

use super::method::{Method, SignifierSource};
use super::options::LearnOptions;
use super::page::SamplePage;
use crate::pattern::{Occurrence, Pattern, patterns};
use crate::rank::{
    LevelFactor, Measure, MeasureName, RankedPattern, jeffreys_density, rank, unexpectedness,
};
use crate::signifier::{SampleTerms, Signifiers, TfIdf};
use crate::wrapper::expression::{paper, paper_without_dfs};
use crate::wrapper::{Evidence, RunnerUp, Template};
use forest_html::page::{Mask, NodeId, Page};

/// The patterns of a sample and how they are ranked.
#[derive(Debug)]
pub struct Induction {
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// The signifiers of each page, as words, the weightiest first.
    pub signifiers: Vec<Vec<String>>,
    /// True if idf said nothing, because the sample is one page.
    pub by_tf_only: bool,
    options: LearnOptions,
}

/// Finds and ranks the patterns of `pages`, whatever they are.
pub fn induce(pages: &[&SamplePage], options: &LearnOptions) -> Induction {
    let parsed: Vec<&Page> = pages.iter().map(|p| &*p.page).collect();
    let left_out: Vec<Option<Mask>> = parsed.iter().map(|p| options.left_out(p)).collect();
    let terms = SampleTerms::without(&parsed, |i| left_out[i].as_ref());
    let (signifiers, by_tf_only) = signifiers(pages, &terms, options);
    let patterns = patterns(&parsed, &terms, &signifiers, options.patterns);
    Induction {
        patterns,
        signifiers: signifiers
            .iter()
            .map(|s| s.iter().map(|s| terms.name(s.term).to_owned()).collect())
            .collect(),
        by_tf_only,
        options: options.clone(),
    }
}

pub(super) fn signifiers(
    pages: &[&SamplePage],
    terms: &SampleTerms,
    options: &LearnOptions,
) -> (Vec<Signifiers>, bool) {
    let k = options.keywords;
    let tfidf = TfIdf::of(terms);
    let of_page = |i: usize| -> Signifiers {
        let sample = pages[i];
        let by_words = |texts: Vec<&str>| Signifiers::by_words(terms, &tfidf, i, texts, k);
        match &options.signifiers {
            SignifierSource::TfIdf => Signifiers::by_tfidf(&tfidf, i, k),
            SignifierSource::Feed => by_words(sample.item_texts().collect()),
            SignifierSource::Metadata => {
                let meta = sample.page.metadata();
                let texts = meta.title.iter().chain(&meta.description);
                by_words(texts.chain(&meta.tags).map(String::as_str).collect())
            }
            SignifierSource::Words(words) => by_words(vec![words]),
        }
    };
    let all = (0..pages.len()).map(of_page).collect();
    (all, tfidf.by_tf_only())
}

impl Induction {
    /// The source of the signifiers.
    pub(super) fn source(&self) -> &SignifierSource {
        &self.options.signifiers
    }

    /// True if what was not taken is to be said, too: where articles are asked for.
    pub(super) fn explains(&self) -> bool {
        self.options.articles
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.options.method
    }

    /// The paper's method: what `forest` falls back to, where it is that.
    fn published(&self) -> &Method {
        match &self.options.method {
            Method::Forest => &Method::PaperNoDfs,
            method => method,
        }
    }

    /// The measure that the method ranks by.
    pub fn measure(&self) -> &'static dyn Measure {
        let of_method = match self.options.method {
            Method::Coverage => MeasureName::Coverage,
            _ => MeasureName::Informativeness,
        };
        self.options.measure.unwrap_or(of_method).measure()
    }

    /// True if the level is a factor.
    pub fn level_factor(&self) -> LevelFactor {
        self.options.level_factor
    }

    /// All patterns, the most relevant first.
    pub fn ranked(&self) -> Vec<RankedPattern<'_>> {
        rank(&self.patterns, self.measure(), self.options.level_factor)
    }

    /// The expression of a ranked pattern, as the method writes it.
    pub fn expression(&self, ranked: &RankedPattern<'_>) -> String {
        let (element_type, dfs) = (&ranked.pattern.element_type, ranked.dfs_set());
        match self.published() {
            Method::PaperNoDfs => paper_without_dfs(element_type, &dfs),
            _ => paper(element_type, &dfs),
        }
    }

    /// The pattern that most of `elements` have, given by page and in document order,
    /// with those of its elements; `None` where none stands for half of their pages.
    pub fn pattern_of(&self, elements: &[(usize, NodeId)]) -> Option<(&Pattern, Vec<&Occurrence>)> {
        let mut pages: Vec<usize> = elements.iter().map(|(page, _)| *page).collect();
        pages.dedup();
        let mut best = None;
        let mut best_pages = 0;
        for pattern in &self.patterns {
            let is_one = |o: &&Occurrence| elements.binary_search(&(o.page, o.node)).is_ok();
            let own: Vec<&Occurrence> = pattern.occurrences.iter().filter(is_one).collect();
            let of_pages = own.chunk_by(|a, b| a.page == b.page).count();
            if of_pages > best_pages {
                (best, best_pages) = (Some((pattern, own)), of_pages);
            }
        }
        best.filter(|_| 2 * best_pages >= pages.len())
    }

    /// The place of the pattern that most of `elements` have, given by page and in document
    /// order, among the `ranked` ones.
    pub(super) fn standing(
        &self,
        elements: &[(usize, NodeId)],
        ranked: &[RankedPattern<'_>],
    ) -> Option<PatternStanding> {
        let (pattern, own) = self.pattern_of(elements)?;
        let at = ranked
            .iter()
            .position(|r| std::ptr::eq(r.pattern, pattern))?;
        Some(PatternStanding::of(at, &ranked[at], &own))
    }

    /// The template of the top-ranked pattern; `None` where no pattern has any
    /// relevance.
    pub fn template(&self) -> Option<Template> {
        let ranked = self.ranked();
        let best = ranked.first().filter(|r| r.relevance > 0.0)?;
        let occurrences: Vec<&Occurrence> = best.chosen.iter().map(|c| &c.occurrence).collect();
        let runner_up = ranked.get(1).map(|r| RunnerUp {
            xpath: self.expression(r),
            expected_f1: None,
            relevance: Some(round(r.relevance)),
        });
        Some(Template {
            body: vec![self.expression(best)],
            evidence: Some(Evidence {
                method: self.published().to_string(),
                signifiers: self.options.signifiers.to_string(),
                runner_up,
                ..PatternStanding::of(0, best, &occurrences).evidence()
            }),
            ..Template::default()
        })
    }
}

/// The place of a pattern among those of a sample, with the means over some of its elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PatternStanding {
    /// From 1 on, by relevance.
    pub rank: usize,
    /// R.
    pub relevance: f64,
    /// Mean J.
    pub j: f64,
    /// Mean U, in nats.
    pub u: f64,
    /// The level.
    pub level: u16,
}

impl PatternStanding {
    /// The pattern at `at` of the ranked ones, with these elements of it.
    fn of(at: usize, ranked: &RankedPattern<'_>, elements: &[&Occurrence]) -> PatternStanding {
        PatternStanding {
            rank: at + 1,
            relevance: ranked.relevance,
            j: mean(&j, elements),
            u: mean(&u, elements),
            level: ranked.pattern.level,
        }
    }

    /// The evidence for a template whose elements have the pattern.
    pub fn evidence(self) -> Evidence {
        Evidence {
            rank: Some(self.rank),
            relevance: Some(round(self.relevance)),
            j: Some(round(self.j)),
            u: Some(round(self.u)),
            level: Some(self.level),
            ..Evidence::default()
        }
    }
}

fn j(occurrence: &Occurrence) -> f64 {
    jeffreys_density(occurrence.element.signifiers, occurrence.element.others)
}

fn u(occurrence: &Occurrence) -> f64 {
    unexpectedness(occurrence.element, occurrence.page_counts)
}

fn mean(of: &dyn Fn(&Occurrence) -> f64, occurrences: &[&Occurrence]) -> f64 {
    let sum: f64 = occurrences.iter().map(|o| of(o)).sum();
    sum / occurrences.len() as f64
}

/// Four decimals: enough to compare by eye, and stable text.
fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
