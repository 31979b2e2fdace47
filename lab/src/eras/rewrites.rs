//! The wrappers of one era: as methods learn them, and other ways to write the
//! element that `forest` chose.

use super::names::{NameKind, of_element, path};
use super::page::{EraPage, STILL, WORKING, mean_f1};
use forest_core::extract::Extractor;
use forest_core::learn::{LearnOptions, LearnOutcome, Method, SamplePage, learn_from};
use forest_core::wrapper::{Match, Template, Wrapper};
use forest_html::page::{NodeId, Page};
use std::collections::BTreeMap;
use std::fmt;

/// Ancestors whose names can stand for an element.
const AROUND: usize = 4;

/// Names that are tried.
const MAX_NAMES: usize = 100;

/// The origin of a wrapper. All but the learned ones write the element that
/// `forest` chose in one step of their own and keep its strip rules; where there
/// are several expressions of a kind, the one with the best F1 in the own era, of
/// equals the innermost.
#[derive(Debug, Clone, PartialEq)]
pub enum Rewrite {
    /// A method learned it.
    Learned(Method),
    /// The position from the root.
    Path,
    /// The whole class.
    WholeClass,
    /// A token of the element's class.
    Token,
    /// A token of its class or of an ancestor's.
    TokenAround,
    /// As a person writes it into a rule file such as those of ftr-site-config: the
    /// id; else the class as it stands; else a part of it; else the same of the
    /// parent, and so on, until it gives what `forest` gives.
    ByHand,
    /// The wrapper that `forest` learned, and behind it, for pages on which that selects
    /// nothing, all names that give as much in the own era: a tag alone first, then
    /// roles, ids and class tokens.
    Alternatives,
}

impl Rewrite {
    const REWRITTEN: [Rewrite; 5] = [
        Rewrite::Path,
        Rewrite::WholeClass,
        Rewrite::Token,
        Rewrite::TokenAround,
        Rewrite::ByHand,
    ];
}

impl fmt::Display for Rewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rewrite::Learned(method) => return write!(f, "`{method}`"),
            Rewrite::Path => "position from the root",
            Rewrite::WholeClass => "`@class='...'`",
            Rewrite::Token => "a class token of the element",
            Rewrite::TokenAround => "a class token of it or an ancestor",
            Rewrite::ByHand => "as a person writes it",
            Rewrite::Alternatives => "`forest`, then other names",
        })
    }
}

/// A wrapper with its figures in the own era.
pub(super) struct TriedOnOwn<K> {
    /// Its origin, or the kind of its name.
    pub source: K,
    pub xpath: String,
    pub extractor: Extractor,
    pub own: f64,
}

/// The wrappers and names that work in an era.
pub(super) struct EraWrappers {
    pub wrappers: Vec<TriedOnOwn<Rewrite>>,
    /// The names that select as much as `forest`'s expression does.
    pub names: Vec<TriedOnOwn<NameKind>>,
}

/// The wrappers of an era, those left out that do not work in it.
pub(super) fn of_era(pages: &mut [EraPage<'_>], methods: &[Method]) -> EraWrappers {
    let mut found = EraWrappers {
        wrappers: Vec::new(),
        names: Vec::new(),
    };
    for method in methods {
        let Some(extractor) = learn(pages, method) else {
            continue;
        };
        let own = mean_f1(&extractor, pages);
        if own < WORKING {
            continue;
        }
        let chosen = ChosenElement::of(&extractor, pages);
        let (rewritten, names) = match method {
            Method::Forest => rewritten(&extractor, own, &chosen, pages),
            _ => (Vec::new(), Vec::new()),
        };
        found.wrappers.push(TriedOnOwn {
            source: Rewrite::Learned(*method),
            xpath: chosen.xpath,
            extractor,
            own,
        });
        found.wrappers.extend(rewritten);
        found.names.extend(names);
    }
    found
}

fn learn(pages: &[EraPage<'_>], method: &Method) -> Option<Extractor> {
    let samples: Vec<&SamplePage> = pages.iter().map(|page| page.sample).collect();
    let options = LearnOptions::default().with_method(*method);
    let options = options.with_min_pages(1).with_any_host(true);
    match learn_from(&samples, &options) {
        LearnOutcome::Learned(learned) => {
            let compiled = Extractor::new(learned.wrapper);
            Some(compiled.expect("learned expressions compile"))
        }
        LearnOutcome::Abstained(_) => None,
    }
}

/// The elements that a wrapper chose on the pages of its own era.
struct ChosenElement {
    /// The template that matches most pages.
    template: usize,
    /// The expression that matches most of them.
    xpath: String,
    /// The element of most text on each of them, with the index of the page.
    elements: Vec<(usize, NodeId)>,
}

impl ChosenElement {
    fn of(extractor: &Extractor, pages: &[EraPage<'_>]) -> ChosenElement {
        let matcher = extractor.matcher();
        let found = pages.iter().map(|page| matcher.find(&page.sample.page));
        let found: Vec<Option<Match>> = found.collect();
        let place = |found: &Match| Some((found.template, found.expression?));
        let (template, expression) =
            most(found.iter().flatten().filter_map(place)).unwrap_or_default();
        let of_template = found.iter().enumerate().filter_map(|(at, found)| {
            let found = found.as_ref().filter(|found| found.template == template)?;
            Some((at, largest(&pages[at].sample.page, found)?))
        });
        ChosenElement {
            template,
            xpath: extractor.wrapper().templates[template].body[expression].clone(),
            elements: of_template.collect(),
        }
    }
}

/// The element of most text among those that were selected, of equals the first.
fn largest(page: &Page, found: &Match) -> Option<NodeId> {
    let text_bytes = |n: NodeId| -> usize {
        let texts = page.content_texts(n);
        texts.map(|text| page.text(text).len()).sum()
    };
    let largest = found.nodes.iter().rev().max_by_key(|&&n| text_bytes(n))?;
    page.ancestors(*largest).next()
}

/// The most frequent value, of equals the first.
fn most<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    let mut order: Vec<T> = Vec::new();
    for value in values {
        let count = counts.entry(value).or_default();
        *count += 1;
        if *count == 1 {
            order.push(value);
        }
    }
    order.into_iter().rev().max_by_key(|value| counts[value])
}

/// A name of the chosen element or of one around it.
struct Candidate {
    /// Steps up from the element.
    up: usize,
    kind: NameKind,
    xpath: String,
    extractor: Extractor,
    own: f64,
}

/// The other ways to write what `forest` chose, and the names that do as well.
fn rewritten(
    forest: &Extractor,
    own: f64,
    chosen: &ChosenElement,
    pages: &mut [EraPage<'_>],
) -> (Vec<TriedOnOwn<Rewrite>>, Vec<TriedOnOwn<NameKind>>) {
    let strip = &forest.wrapper().templates[chosen.template].strip;
    let named = names_of(chosen, pages);
    let candidates = named.into_iter().filter_map(|(up, kind, xpath)| {
        let template = Template {
            body: vec![xpath.clone()],
            strip: strip.clone(),
            ..Template::default()
        };
        let extractor = Extractor::new(Wrapper {
            templates: vec![template],
            ..forest.wrapper().clone()
        });
        let extractor = extractor.ok()?;
        Some(Candidate {
            own: mean_f1(&extractor, pages),
            up,
            kind,
            xpath,
            extractor,
        })
    });
    let candidates: Vec<Candidate> = candidates.collect();
    let wrappers = Rewrite::REWRITTEN.into_iter().filter_map(|rewrite| {
        let best = choose(&rewrite, own, &candidates).filter(|best| best.own >= WORKING)?;
        Some(best.known(rewrite))
    });
    let mut wrappers: Vec<TriedOnOwn<Rewrite>> = wrappers.collect();
    let as_good = candidates.iter().filter(|name| name.own >= STILL * own);
    let as_good: Vec<&Candidate> = as_good.collect();
    let last = Template {
        body: alternatives(&as_good),
        strip: strip.clone(),
        ..Template::default()
    };
    if !last.body.is_empty() {
        let mut wrapper = forest.wrapper().clone();
        wrapper.templates.push(last);
        let extractor = Extractor::new(wrapper).expect("its expressions compile");
        wrappers.push(TriedOnOwn {
            source: Rewrite::Alternatives,
            xpath: chosen.xpath.clone(),
            own: mean_f1(&extractor, pages),
            extractor,
        });
    }
    let names = as_good.iter().map(|name| name.known(name.kind));
    (wrappers, names.collect())
}

/// The expressions of names, the kind that is to be tried first in front, of one
/// kind the innermost.
fn alternatives(names: &[&Candidate]) -> Vec<String> {
    let mut names: Vec<&Candidate> = names.to_vec();
    names.retain(|name| name.kind.is_name());
    names.sort_by_key(|name| (name.kind, name.up));
    names.into_iter().map(|name| name.xpath.clone()).collect()
}

impl Candidate {
    fn known<K>(&self, source: K) -> TriedOnOwn<K> {
        TriedOnOwn {
            source,
            xpath: self.xpath.clone(),
            extractor: self.extractor.clone(),
            own: self.own,
        }
    }
}

fn choose<'a>(rewrite: &Rewrite, own: f64, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
    let best = |fits: &dyn Fn(&Candidate) -> bool| {
        let fitting = candidates.iter().rev().filter(|candidate| fits(candidate));
        fitting.max_by(|a, b| a.own.total_cmp(&b.own))
    };
    match rewrite {
        Rewrite::Learned(_) | Rewrite::Alternatives => None,
        Rewrite::Path => best(&|c| c.kind == NameKind::Path),
        Rewrite::WholeClass => best(&|c| c.kind == NameKind::WholeClass && c.up == 0),
        Rewrite::Token => best(&|c| c.kind.is_token() && c.up == 0),
        Rewrite::TokenAround => best(&|c| c.kind.is_token()),
        Rewrite::ByHand => {
            let mut by_hand: Vec<(usize, u8, &Candidate)> = candidates
                .iter()
                .filter_map(|c| Some((c.up, c.kind.by_hand()?, c)))
                .collect();
            by_hand.sort_by_key(|(up, order, _)| (*up, *order));
            let good = by_hand.iter().find(|(.., c)| c.own >= STILL * own);
            let good = good.map(|(.., c)| *c);
            good.or_else(|| best(&|c| c.kind.by_hand().is_some()))
        }
    }
}

/// The names of the chosen elements and of those around them that at least half of
/// the pages have, innermost first, and the most frequent position.
fn names_of(chosen: &ChosenElement, pages: &[EraPage<'_>]) -> Vec<(usize, NameKind, String)> {
    let mut counts: BTreeMap<(usize, NameKind, String), usize> = BTreeMap::new();
    for &(at, element) in &chosen.elements {
        let page = &pages[at].sample.page;
        let inside = |&n: &NodeId| !matches!(page.tag(n).map(|tag| &**tag), Some("body" | "html"));
        let around = page.ancestors(element).take_while(inside);
        for (up, outer) in around.take(AROUND + 1).enumerate() {
            let mut names = of_element(page, outer);
            names.sort();
            names.dedup();
            for (kind, xpath) in names {
                *counts.entry((up, kind, xpath)).or_default() += 1;
            }
        }
    }
    let paths = chosen.elements.iter();
    let paths = paths.filter_map(|&(at, element)| path(&pages[at].sample.page, element));
    let paths: Vec<String> = paths.collect();
    let path = most(paths.iter().map(String::as_str));
    let enough = chosen.elements.len().div_ceil(2);
    let frequent = counts.into_iter().filter(|(_, pages)| *pages >= enough);
    let mut names: Vec<_> = frequent.map(|(name, _)| name).take(MAX_NAMES).collect();
    names.extend(path.map(|path| (0, NameKind::Path, path.to_owned())));
    let mut seen = Vec::new();
    names.retain(|(_, _, xpath)| {
        let new = !seen.contains(xpath);
        seen.push(xpath.clone());
        new
    });
    names
}
