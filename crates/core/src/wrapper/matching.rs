//! Wrapper and page to the nodes of the article.

use super::audience::TemplateAudience;
use super::field::WrapperField;
use super::xpath::XPath;
use super::{MAX_LABELS, MAX_REPLACES, StripRule, Template, Wrapper};
use crate::error::{ErrorKind, Result};
use forest_html::page::json::{PageJson, may_hold};
use forest_html::page::walk::is_embed;
use forest_html::page::{JsonPlace, Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;
use std::collections::HashSet;

/// The body of a template for a value of the page's JSON that names none: all of it.
const WHOLE_VALUE: &str = "//main[@itemprop='articleBody']";

/// A wrapper with its expressions compiled: made once, used for many pages.
#[derive(Debug, Clone)]
pub struct Matcher {
    pub(super) templates: Vec<CompiledTemplate>,
    next_page: Option<Box<XPath>>,
    single_page: Option<Box<XPath>>,
}

#[derive(Debug, Clone)]
pub(super) struct CompiledTemplate {
    /// The expressions of each of [`WrapperField::ALL`].
    expressions: [Vec<XPath>; WrapperField::ALL.len()],
    pub(super) json: Option<JsonPlace>,
    pub(super) audience: Option<TemplateAudience>,
    /// The formats of the dates, in the order of their expressions.
    date_formats: Vec<Option<String>>,
    /// For each strip rule, true if it was learned: it says what is no text, and leaves
    /// the figures and embeds in it to the writers.
    is_learned: Vec<bool>,
    /// The strip rules.
    strips: Vec<StripRule>,
}

/// Where a page's article is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Index of the template that matched.
    pub template: usize,
    /// Index of the body expression that matched; `None` of a template without one.
    pub expression: Option<usize>,
    /// The selected nodes in document order, none below another.
    pub nodes: Vec<NodeId>,
    /// The nodes that are kept of them.
    pub kept: Mask,
    /// Matches of strip rules in the body that are not what the rules expect, and stay.
    pub unexpected: usize,
}

impl CompiledTemplate {
    fn compile(template: &Template) -> Result<CompiledTemplate> {
        let mut expressions = [const { Vec::new() }; WrapperField::ALL.len()];
        for field in WrapperField::ALL {
            let list = template.expressions(field).into_iter();
            expressions[field as usize] = list.map(XPath::parse).collect::<Result<_>>()?;
        }
        if template.json.is_some() && template.body.is_empty() {
            expressions[WrapperField::Body as usize].push(XPath::parse(WHOLE_VALUE)?);
        }
        let dates = template.date.iter();
        let learned = template
            .evidence
            .iter()
            .flat_map(|evidence| &evidence.strips);
        let learned: HashSet<&str> = learned.map(|strip| &*strip.xpath).collect();
        let strips = template.strip.iter();
        Ok(CompiledTemplate {
            expressions,
            is_learned: strips
                .map(|strip| learned.contains(&*strip.xpath))
                .collect(),
            strips: template.strip.clone(),
            json: template.json.clone(),
            audience: template.audience.clone(),
            date_formats: dates.map(|date| date.format.clone()).collect(),
        })
    }

    pub(super) fn of(&self, field: WrapperField) -> &[XPath] {
        &self.expressions[field as usize]
    }

    /// True if the template is for pages with this body: their own or a value of their JSON.
    pub(super) fn is_for(&self, page: &Page) -> bool {
        self.json.as_ref() == page.json_place()
    }

    /// Takes what is stripped out of `kept` and puts in what is kept in any case.
    pub(super) fn correct(&self, page: &Page, kept: &mut Mask) -> StrippedNodes {
        let mut stripped = StrippedNodes::default();
        let rules = self.of(WrapperField::Strip).iter().zip(&self.strips);
        for (xpath, rule) in rules {
            let nodes = xpath.own_nodes(page);
            let taken = stripped.expected(rule, page, nodes, kept);
            stripped.by_rule.push(taken);
        }
        for (strip, &is_learned) in stripped.by_rule.iter().zip(&self.is_learned) {
            for n in without_nested(page, strip.clone()) {
                if is_learned {
                    drop_text(page, n, kept);
                } else {
                    kept.drop_subtree(page, n);
                }
            }
        }
        for n in self
            .of(WrapperField::Keep)
            .iter()
            .flat_map(|keep| keep.own_nodes(page))
        {
            kept.keep_subtree(page, n);
        }
        stripped
    }
}

/// The nodes that the strip rules of a template take from a page.
#[derive(Debug, Default)]
pub(super) struct StrippedNodes {
    /// The nodes that each rule takes, on the whole page.
    pub by_rule: Vec<Vec<NodeId>>,
    /// Matches in the body that no rule takes, as they are not what it expects.
    pub unexpected: usize,
}

impl StrippedNodes {
    /// Those of the nodes that a rule selects which are in matches that it expects; all of a
    /// rule that expects anything.
    fn expected(
        &mut self,
        rule: &StripRule,
        page: &Page,
        nodes: Vec<NodeId>,
        body: &Mask,
    ) -> Vec<NodeId> {
        let Some(expect) = &rule.expect else {
            return nodes;
        };
        let tops = without_nested(page, nodes);
        let mut taken = Vec::with_capacity(tops.len());
        for nodes in rule.matches(page, &tops) {
            if !nodes.iter().any(|&n| body.contains(n)) {
                continue;
            }
            if expect.holds(&rule.look(page, nodes)) {
                taken.extend(nodes);
            } else {
                self.unexpected += 1;
            }
        }
        taken
    }
}

/// Elements around a stripped one that are looked at for a figure.
const AROUND: usize = 8;

/// Leaves out a node and all below it but the elements of figures and embeds.
fn drop_text(page: &Page, top: NodeId, kept: &mut Mask) {
    let is_figure = |n: NodeId| page.is(n, &local_name!("figure"));
    let is_shown = |n: NodeId| is_figure(n) || page.tag(n).is_some_and(is_embed);
    let in_figure = page.ancestors(top).take(AROUND).any(is_figure);
    let mut shown: Vec<NodeId> = Vec::new();
    let mut nodes = page.walk(top);
    while let Some(n) = nodes.next() {
        if in_figure || is_shown(n) {
            nodes.pass_over(n);
            let elements = page.subtree(n).filter(|&n| page.kind(n) == Kind::Element);
            shown.extend(elements.filter(|&n| kept.contains(n)));
        }
    }
    kept.drop_subtree(page, top);
    shown.into_iter().for_each(|n| kept.keep(n));
}

impl Matcher {
    pub(super) fn of(wrapper: &Wrapper) -> Result<Matcher> {
        if wrapper.replace.len() > MAX_REPLACES {
            let reason = format!("more than {MAX_REPLACES} entries in `replace`");
            return Err(ErrorKind::WrapperFile { reason }.into());
        }
        if wrapper.labels.len() > MAX_LABELS {
            let reason = format!("more than {MAX_LABELS} entries in `labels`");
            return Err(ErrorKind::WrapperFile { reason }.into());
        }
        let templates: Result<Vec<_>> = wrapper
            .templates
            .iter()
            .map(CompiledTemplate::compile)
            .collect();
        let link = |link: &Option<String>| {
            link.as_deref()
                .map(|x| XPath::parse(x).map(Box::new))
                .transpose()
        };
        Ok(Matcher {
            templates: templates?,
            next_page: link(&wrapper.next_page)?,
            single_page: link(&wrapper.single_page)?,
        })
    }

    /// The article's nodes on `page`; `None` where no template selects text.
    pub fn find(&self, page: &Page) -> Option<Match> {
        self.trace(page).map(|trace| trace.found)
    }

    /// The page with a value of its JSON as its body, if the first template that selects
    /// text is for that value; `None` if the page is to be read as it is.
    ///
    /// ```
    /// use forest_html::page::Page;
    /// use forest_core::wrapper::Wrapper;
    ///
    /// let yaml = "format: 2\nsite: a.example\ntemplates:\n\
    ///     - json: {script: '#state', path: /post/body, kind: html}\n";
    /// let matcher = Wrapper::from_yaml(yaml)?.wrapper.compile()?;
    /// let words = "the ferry leaves an hour later ".repeat(9);
    /// let page = Page::from_html(&format!(
    ///     "<div id=app></div><script type=application/json id=state>\
    ///      {{\"post\": {{\"body\": \"<p>{words}<p>End.\"}}}}</script>"
    /// ));
    /// assert_eq!(matcher.find(&page), None);
    /// let page = matcher.page_of_json(&page).unwrap();
    /// let found = matcher.find(&page).unwrap();
    /// assert!(forest_core::render::text(&page, &found.kept).ends_with("\nEnd."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn page_of_json(&self, page: &Page) -> Option<Page> {
        let no_json = self
            .templates
            .iter()
            .all(|template| template.json.is_none());
        if no_json || page.json_place().is_some() || !may_hold(page, 0) {
            return None;
        }
        let json = PageJson::of(page);
        for template in &self.templates {
            let made = template.json.as_ref().map(|place| json.at(place));
            let made = match made {
                Some(Some(value)) => Some(json.page(&value)),
                Some(None) => continue,
                None => None,
            };
            if template.trace(made.as_ref().unwrap_or(page)).is_some() {
                return made;
            }
        }
        None
    }

    /// Returns true if a template has no body expression, so that [`corrected`](Self::corrected)
    /// may give something.
    pub fn corrects(&self) -> bool {
        self.without_body().is_some()
    }

    /// The nodes that a page's own shape shows as its article (`kept`), corrected by the strips and
    /// keeps of the first template without a body expression; `None` where there is no such
    /// template, or no text is left.
    ///
    /// ```
    /// use forest_html::page::{Mask, Page};
    /// use forest_core::wrapper::Wrapper;
    ///
    /// let yaml = "format: 1\nsite: a.example\ntemplates:\n- strip: [//i]\n  keep: [//b]\n";
    /// let matcher = Wrapper::from_yaml(yaml)?.wrapper.compile()?;
    /// let page = Page::from_html("<p>One <i>two <b>three</b></i></p>");
    /// assert_eq!(matcher.find(&page), None);
    /// let found = matcher.corrected(&page, Mask::all(&page)).unwrap();
    /// assert_eq!(forest_core::render::text(&page, &found.kept), "One three");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn corrected(&self, page: &Page, mut kept: Mask) -> Option<Match> {
        let (template, compiled) = self.without_body()?;
        let unexpected = compiled.correct(page, &mut kept).unexpected;
        let has_text = kept.texts(page).any(|n| !page.text(n).trim().is_empty());
        has_text.then_some(Match {
            template,
            expression: None,
            nodes: Vec::new(),
            kept,
            unexpected,
        })
    }

    fn without_body(&self) -> Option<(usize, &CompiledTemplate)> {
        let mut all = self.templates.iter().enumerate();
        all.find(|(_, template)| template.of(WrapperField::Body).is_empty())
    }

    /// The source of the body expression that matched; empty where none did.
    pub fn expression(&self, found: &Match) -> &str {
        let body = self.templates[found.template].of(WrapperField::Body);
        found.expression.map_or("", |at| body[at].source())
    }

    /// The title that the matched template's expressions give.
    pub fn title(&self, page: &Page, found: &Match) -> Option<String> {
        let titles = self.templates[found.template].of(WrapperField::Title);
        first(titles, page).into_iter().next()
    }

    /// The authors that the matched template's expressions give.
    pub fn authors(&self, page: &Page, found: &Match) -> Vec<String> {
        first(
            self.templates[found.template].of(WrapperField::Author),
            page,
        )
    }

    /// The tags that the matched template's expressions give, each once. An element with
    /// several links is a list of them: its text alone would run its tags together.
    pub fn tags(&self, page: &Page, found: &Match) -> Vec<String> {
        let tags = self.templates[found.template].of(WrapperField::Tags);
        let lists = tags.iter().map(|xpath| tags_of(xpath, page));
        let mut found = lists.into_iter().find(|tags| !tags.is_empty());
        let mut once = HashSet::new();
        if let Some(tags) = &mut found {
            tags.retain(|tag| once.insert(tag.clone()));
        }
        found.unwrap_or_default()
    }

    /// The publication date as it stands on the page, and the format that it is
    /// said to be in.
    pub fn date(&self, page: &Page, found: &Match) -> Option<(String, Option<&str>)> {
        let template = &self.templates[found.template];
        let dates = template.of(WrapperField::Date).iter();
        let mut read = dates.zip(&template.date_formats).flat_map(|(x, format)| {
            let raw = x.strings(page).into_iter().next()?;
            Some((raw, format.as_deref()))
        });
        read.next()
    }

    /// The expression of the link to the article's next page.
    pub fn next_page(&self) -> Option<&XPath> {
        self.next_page.as_deref()
    }

    /// The expression of the link to the whole article on one page.
    pub fn single_page(&self) -> Option<&XPath> {
        self.single_page.as_deref()
    }

    /// The elements that hold the images, if the matched template names some.
    pub fn images(&self, page: &Page, found: &Match) -> Option<Mask> {
        let images = self.templates[found.template].of(WrapperField::Images);
        let nodes: Vec<NodeId> = images.iter().flat_map(|x| x.nodes(page)).collect();
        (!nodes.is_empty()).then(|| Mask::subtrees(page, &nodes))
    }
}

/// The strings of the first expression that gives any.
fn first(expressions: &[XPath], page: &Page) -> Vec<String> {
    expressions
        .iter()
        .map(|x| x.strings(page))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn tags_of(xpath: &XPath, page: &Page) -> Vec<String> {
    let nodes = without_nested(page, xpath.own_nodes(page));
    let links = |n: NodeId| -> Vec<String> {
        let links = page.subtree(n).skip(1).filter(|&n| {
            page.tag(n).is_some_and(|tag| &**tag == "a") && page.attr(n, "href").is_some()
        });
        let texts = links.map(|link| fold(page.text(link)));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let lists: Vec<Vec<String>> = nodes.iter().map(|&n| links(n)).collect();
    if lists.iter().all(|links| links.len() < 2) {
        return xpath.strings(page);
    }
    let each = nodes
        .iter()
        .zip(lists)
        .map(|(&n, links)| match links.len() {
            0 | 1 => vec![fold(page.text(n))],
            _ => links,
        });
    each.flatten().filter(|tag| !tag.is_empty()).collect()
}

/// Drops nodes below other nodes of the list, which is in document order.
pub fn without_nested(page: &Page, nodes: Vec<NodeId>) -> Vec<NodeId> {
    let mut kept: Vec<NodeId> = Vec::with_capacity(nodes.len());
    for n in nodes {
        if kept.last().is_none_or(|&last| !page.contains(last, n)) {
            kept.push(n);
        }
    }
    kept
}

pub(super) fn has_text(page: &Page, kept: &Mask, nodes: &[NodeId]) -> bool {
    nodes.iter().any(|&n| {
        page.content_texts(n)
            .any(|t| kept.contains(t) && !page.text(t).trim().is_empty())
    })
}
