//! Labels obeyed: a person says what a node is, the learner chooses the expression.
//!
//! A label that the wrapper obeys as it is changes nothing. Else the expression is the one, of
//! those that select the node by names, which selects the least beside the labelled nodes of
//! the page, then something on most pages of the sample, then the least that is not of the
//! label's kind by what each page shows. Where the node is no longer found, the label's
//! expression of last time stays, as far as it selects anything.

use super::forest::SampleNames;
use super::{LearnOptions, SamplePage};
use crate::wrapper::xpath::XPath;
use crate::wrapper::{DateField, Label, LabelRole, MAX_LABELS, Template, Wrapper, WrapperField};
use forest_html::error::counted;
use forest_html::page::{Mask, NodeId, Page};
use forest_html::text::word_count;
use html5ever::local_name;
use std::cmp::Reverse;
use std::fmt;

/// The step from an element to the attribute that has its date.
const DATETIME: &str = "/@datetime";

/// The result of obeying labels.
#[derive(Debug, Default)]
pub(super) struct ObeyedLabels {
    /// A sentence for each label that no expression obeys.
    pub warnings: Vec<String>,
    /// The reason for the expression of each label; `None` for a label without one.
    pub reasons: Vec<Option<LabelReason>>,
    strips: Vec<String>,
}

/// The reason for the expression that obeys a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelReason {
    /// The expression.
    pub xpath: String,
    /// The expressions that select the node by names that are likely to last; 0 where the
    /// wrapper obeyed the label already.
    pub candidates: usize,
    /// The pages of the sample on which it selects something, and the number of all pages.
    pub pages: (usize, usize),
    /// The words, or of a field the nodes, that it selects beside the labelled nodes of the
    /// page.
    pub beside: usize,
}

impl fmt::Display for LabelReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.candidates == 0 {
            return f.write_str("the wrapper did so already");
        }
        let (pages, of) = self.pages;
        write!(
            f,
            "of {} that select it by names likely to last, the one that selects least beside it \
             ({}) and something on most pages ({pages} of {of})",
            counted(self.candidates, "expression", "expressions"),
            self.beside
        )
    }
}

impl ObeyedLabels {
    /// Takes the strips of labels out of the evidence: nothing in the sample speaks for them.
    pub fn leave_evidence(&self, wrapper: &mut Wrapper) {
        for template in &mut wrapper.templates {
            if let Some(evidence) = &mut template.evidence {
                let is_learned = |xpath: &String| !self.strips.contains(xpath);
                evidence.strips.retain(|strip| is_learned(&strip.xpath));
            }
        }
    }
}

/// Makes a wrapper obey the labels and hold the `keep` expressions of the options.
pub(super) fn obey(
    wrapper: &mut Wrapper,
    good: &[&SamplePage],
    options: &LearnOptions,
) -> ObeyedLabels {
    let mut obeyed = ObeyedLabels::default();
    for keep in &options.keep {
        add_to_all(wrapper, WrapperField::Keep, keep);
    }
    if options.labels.is_empty() {
        return obeyed;
    }
    let mut labels = options.labels.clone();
    labels.truncate(MAX_LABELS);
    let mut sample = LabelledSample::of(good, &labels, options);
    for (at, label) in labels.iter_mut().enumerate() {
        match sample.rule(wrapper, at) {
            Ok(rule) => {
                obeyed.reasons.push(Some(rule.reason.clone()));
                if rule.is_new {
                    let node = &sample.nodes[at];
                    put(wrapper, label.role, &rule, sample.page(node.as_ref()));
                }
                if rule.is_new && label.role == LabelRole::NotArticle {
                    obeyed.strips.push(rule.xpath.clone());
                }
                label.expression = Some(rule.xpath);
            }
            Err(why) => {
                obeyed.reasons.push(None);
                obeyed.warnings.push(format!("the label {label}: {why}"));
            }
        }
    }
    wrapper.labels = labels;
    obeyed
}

/// An expression that obeys a label.
struct LabelRule {
    xpath: String,
    /// The wrapper does not have it yet.
    is_new: bool,
    node: NodeId,
    reason: LabelReason,
}

/// A labelled node.
struct LabelledNode {
    /// The index of its page.
    page: usize,
    node: NodeId,
    role: LabelRole,
    /// The expression of last time, if the node is known by it alone.
    expression: Option<String>,
}

/// A sample, its labelled nodes, and which texts of it are likely to be an article's.
struct LabelledSample<'a> {
    good: &'a [&'a SamplePage],
    nodes: Vec<Option<LabelledNode>>,
    likely: Vec<Mask>,
    /// The words of these texts.
    likely_words: Vec<usize>,
    names: SampleNames,
}

impl<'a> LabelledSample<'a> {
    fn of(good: &'a [&'a SamplePage], labels: &[Label], options: &LearnOptions) -> Self {
        let pages = good.iter().map(|sample| &*sample.page);
        let likely = good.iter().map(|sample| options.fall_back(&sample.page));
        let likely: Vec<Mask> = likely.collect();
        let words = good.iter().zip(&likely).map(|(sample, likely)| {
            let texts = sample.page.content_texts(sample.page.root());
            let texts = texts.filter(|&n| likely.contains(n));
            texts.map(|n| word_count(sample.page.text(n))).sum()
        });
        LabelledSample {
            likely_words: words.collect(),
            good,
            nodes: labels.iter().map(|label| found(label, good)).collect(),
            likely,
            names: SampleNames::of(pages),
        }
    }

    fn page(&self, node: Option<&LabelledNode>) -> Option<&'a Page> {
        Some(&*self.good[node?.page].page)
    }

    /// The rule that obeys a label.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn rule(&mut self, wrapper: &Wrapper, at: usize) -> Result<LabelRule, &'static str> {
        let Some(labelled) = &self.nodes[at] else {
            return Err("its node is not found on the pages of the sample");
        };
        let page: &Page = &self.good[labelled.page].page;
        let (node, role) = (labelled.node, labelled.role);
        if let Some(xpath) = known_rule(wrapper, page, node, role) {
            return Ok(LabelRule {
                reason: LabelReason {
                    xpath: xpath.clone(),
                    candidates: 0,
                    pages: (0, self.good.len()),
                    beside: 0,
                },
                xpath,
                is_new: false,
                node,
            });
        }
        let mut candidates = match &labelled.expression {
            Some(expression) => vec![expression.clone()],
            None => self.names.expressions(page, node),
        };
        if is_field(role)
            && labelled.expression.is_none()
            && let Some(tag) = page.tag(node)
        {
            candidates.push(format!("//{tag}"));
        }
        let labelled = self.nodes[at].as_ref();
        let found = wrapper.compile().ok().and_then(|known| known.find(page));
        let kept = found.map(|found| found.kept);
        let judged = candidates.iter().filter_map(|xpath| {
            let cost = self.cost(labelled?, xpath, kept.as_ref())?;
            Some((cost, xpath))
        });
        let (cost, xpath) = judged
            .min_by(|a, b| a.0.cmp(&b.0))
            .ok_or("no name that lasts selects its node without much of the article beside it, or what other labels are against")?;
        let is_dated = role == LabelRole::Date && page.attr(node, "datetime").is_some();
        let read = if is_dated { DATETIME } else { "" };
        let (beside, Reverse(pages), ..) = cost;
        let xpath = format!("{xpath}{read}");
        Ok(LabelRule {
            reason: LabelReason {
                xpath: xpath.clone(),
                candidates: candidates.len(),
                pages: (pages, self.good.len()),
                beside,
            },
            xpath,
            is_new: true,
            node,
        })
    }

    /// The cost of an expression as the rule of a label, the lower the better; `None` if it
    /// does not select the node, or selects what other labels are against, or all that is `kept`. A
    /// rule for what is not the article leaves most of the article, on the labelled page and on most others.
    fn cost(&self, labelled: &LabelledNode, xpath: &str, kept: Option<&Mask>) -> Option<RuleCost> {
        let compiled = XPath::parse(xpath).ok()?;
        let role = labelled.role;
        let (mut here, mut elsewhere, mut pages, mut emptied) = (0, 0, 0, 0);
        for (at, sample) in self.good.iter().enumerate() {
            let nodes = compiled.own_nodes(&sample.page);
            let is_here = at == labelled.page;
            if is_here && !nodes.contains(&labelled.node)
                || self.is_against(role, at, &nodes)
                || is_here
                    && role == LabelRole::NotArticle
                    && kept.is_some_and(|kept| is_all(kept, &sample.page, &nodes))
            {
                return None;
            }
            pages += usize::from(!nodes.is_empty());
            let cost = self.beside(role, at, &nodes);
            if role == LabelRole::NotArticle && 2 * cost > self.likely_words[at] {
                if is_here {
                    return None;
                }
                emptied += 1;
            }
            if is_here {
                here += cost;
            } else {
                elsewhere += cost;
            }
        }
        if 2 * emptied > self.good.len() {
            return None;
        }
        Some((here, Reverse(pages), elsewhere, xpath.len()))
    }

    /// True if a rule that selects these nodes goes against another label.
    fn is_against(&self, role: LabelRole, at: usize, nodes: &[NodeId]) -> bool {
        let page: &Page = &self.good[at].page;
        let mut others = self.nodes.iter().flatten().filter(|node| node.page == at);
        others.any(|other| {
            let is_opposite = match role {
                LabelRole::NotArticle => {
                    matches!(other.role, LabelRole::Article | LabelRole::Keep)
                }
                LabelRole::Keep => other.role == LabelRole::NotArticle,
                _ => false,
            };
            is_opposite && nodes.iter().any(|&n| page.contains(n, other.node))
        })
    }

    /// The words that nodes have on a page beside those of labelled nodes of the role; of a
    /// field, the nodes beside one.
    fn beside(&self, role: LabelRole, at: usize, nodes: &[NodeId]) -> usize {
        if is_field(role) {
            return nodes.len().saturating_sub(1);
        }
        let (page, likely): (&Page, &Mask) = (&self.good[at].page, &self.likely[at]);
        let mut selected = Mask::subtrees(page, nodes);
        let labelled = self.nodes.iter().flatten();
        let labelled = labelled.filter(|node| node.page == at && node.role == role);
        let labelled: Vec<NodeId> = labelled.map(|labelled| labelled.node).collect();
        labelled
            .iter()
            .for_each(|&n| selected.drop_subtree(page, n));
        let is_counted = |n: &NodeId| match role {
            LabelRole::NotArticle => selected.contains(*n) && likely.contains(*n),
            LabelRole::Keep => selected.contains(*n) && !likely.contains(*n),
            _ if labelled.is_empty() => selected.contains(*n) != likely.contains(*n),
            _ => selected.contains(*n),
        };
        let texts = page.content_texts(page.root()).filter(is_counted);
        texts.map(|n| word_count(page.text(n))).sum()
    }
}

/// The amount that a rule selects beside the labelled nodes of its page, the pages on which it
/// selects something, the amount that it selects amiss on the others, and its length in bytes.
type RuleCost = (usize, Reverse<usize>, usize, usize);

/// The node of a label, or the first that its expression of last time selects.
fn found(label: &Label, good: &[&SamplePage]) -> Option<LabelledNode> {
    let role = label.role;
    let is_page = |sample: &&SamplePage| {
        sample.name == label.page || sample.page.url() == Some(label.page.as_str())
    };
    let there = good.iter().position(is_page);
    let there = there.and_then(|page| Some((page, label.find(&good[page].page)?)));
    if let Some((page, node)) = there {
        return Some(LabelledNode {
            page,
            node: linked(&good[page].page, node, role),
            role,
            expression: None,
        });
    }
    let expression = label.expression.as_deref()?.trim_end_matches(DATETIME);
    let compiled = XPath::parse(expression).ok()?;
    let pages = good.iter().enumerate();
    let mut selected = pages.filter_map(|(page, sample)| {
        let node = *compiled.own_nodes(&sample.page).first()?;
        Some(LabelledNode {
            page,
            node,
            role,
            expression: Some(expression.to_owned()),
        })
    });
    selected.next()
}

/// The link of a node that is a link to the next page, or has or is in one.
fn linked(page: &Page, n: NodeId, role: LabelRole) -> NodeId {
    if role != LabelRole::NextPage {
        return n;
    }
    let is_link = |n: &NodeId| page.is(*n, &local_name!("a"));
    let mut near = page.subtree(n).chain(page.ancestors(n));
    near.find(is_link).unwrap_or(n)
}

fn is_field(role: LabelRole) -> bool {
    matches!(
        role,
        LabelRole::Title | LabelRole::Author | LabelRole::Date | LabelRole::NextPage
    )
}

/// True if nothing of what is kept is left without these nodes.
fn is_all(kept: &Mask, page: &Page, nodes: &[NodeId]) -> bool {
    let gone = Mask::subtrees(page, nodes);
    kept.texts(page).all(|n| gone.contains(n))
}

/// The expression of a wrapper that obeys a label already.
fn known_rule(wrapper: &Wrapper, page: &Page, n: NodeId, role: LabelRole) -> Option<String> {
    let selects = |xpath: &&String| {
        let compiled = XPath::parse(xpath);
        compiled.is_ok_and(|compiled| compiled.own_nodes(page).contains(&n))
    };
    if role == LabelRole::NextPage {
        return wrapper.next_page.as_ref().filter(selects).cloned();
    }
    let trace = wrapper.compile().ok()?.trace(page)?;
    let template = &wrapper.templates[trace.found.template];
    let kept = |n: NodeId| trace.found.kept.contains(n);
    let body = || template.body.get(trace.found.expression?).cloned();
    let covers = |nodes: &Vec<NodeId>| nodes.iter().any(|&top| page.contains(top, n));
    let mut texts = page.content_texts(n).peekable();
    let first_of = |list: &[String]| list.first().filter(selects).cloned();
    match role {
        LabelRole::Article => {
            let is_stripped = trace.strips.iter().any(covers);
            (covers(&trace.found.nodes) && !is_stripped).then(body)?
        }
        LabelRole::NotArticle => {
            if texts.peek().is_none() || texts.any(kept) {
                return None;
            }
            let strip = trace.strips.iter().position(covers);
            strip.map_or_else(body, |strip| Some(template.strip.get(strip)?.xpath.clone()))
        }
        LabelRole::Keep => template.keep.iter().find(selects).cloned(),
        LabelRole::Title => first_of(&template.title),
        LabelRole::Author => first_of(&template.author),
        LabelRole::Date => {
            let date = &template.date.first()?.xpath;
            let element = date.trim_end_matches(DATETIME).to_owned();
            selects(&&element).then(|| date.clone())
        }
        LabelRole::NextPage => None,
    }
}

/// Puts a new rule in its place.
fn put(wrapper: &mut Wrapper, role: LabelRole, rule: &LabelRule, page: Option<&Page>) {
    let xpath = &rule.xpath;
    match role {
        LabelRole::Article => {
            if let Some(page) = page {
                put_body(wrapper, rule, page);
            }
        }
        LabelRole::NotArticle => add_to_all(wrapper, WrapperField::Strip, xpath),
        LabelRole::Keep => add_to_all(wrapper, WrapperField::Keep, xpath),
        LabelRole::Title => put_first(wrapper, |template| &mut template.title, xpath),
        LabelRole::Author => put_first(wrapper, |template| &mut template.author, xpath),
        LabelRole::Date => {
            let date = DateField {
                xpath: xpath.clone(),
                format: None,
            };
            for template in &mut wrapper.templates {
                template.date.retain(|known| *known != date);
                template.date.insert(0, date.clone());
            }
        }
        LabelRole::NextPage => wrapper.next_page = Some(xpath.clone()),
    }
}

/// Makes a node a part of the body: no strip takes it away, and the body holds it, alone if it
/// is around the body, else beside it.
fn put_body(wrapper: &mut Wrapper, rule: &LabelRule, page: &Page) {
    let n = rule.node;
    let trace = wrapper.compile().ok().and_then(|found| found.trace(page));
    let template = trace.as_ref().map_or(0, |trace| trace.found.template);
    let Some(template) = wrapper.templates.get_mut(template) else {
        return;
    };
    let Some(trace) = trace else {
        template.body.push(rule.xpath.clone());
        return;
    };
    let strips = std::mem::take(&mut template.strip);
    let with_nodes = strips.into_iter().zip(&trace.strips);
    let apart = |nodes: &[NodeId]| nodes.iter().all(|&top| !page.contains(top, n));
    let left = with_nodes.filter(|(_, nodes)| apart(nodes));
    template.strip = left.map(|(strip, _)| strip).collect();
    let bodies = &trace.found.nodes;
    if bodies.iter().any(|&body| page.contains(body, n)) {
        return;
    }
    let is_around = bodies.iter().all(|&body| page.contains(n, body));
    let known = trace
        .found
        .expression
        .and_then(|e| template.body.get_mut(e));
    match known {
        Some(known) if is_around => known.clone_from(&rule.xpath),
        Some(known) => *known = format!("{known} | {}", rule.xpath),
        None => template.body.push(rule.xpath.clone()),
    }
}

type ExpressionList = fn(&mut Template) -> &mut Vec<String>;

fn add_to_all(wrapper: &mut Wrapper, field: WrapperField, xpath: &str) {
    for template in &mut wrapper.templates {
        if !template.expressions(field).contains(&xpath) {
            template.add(field, xpath.to_owned());
        }
    }
}

fn put_first(wrapper: &mut Wrapper, list: ExpressionList, xpath: &str) {
    for template in &mut wrapper.templates {
        let known = list(template);
        known.retain(|known| known != xpath);
        known.insert(0, xpath.to_owned());
    }
}
