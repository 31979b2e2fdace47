//! The nodes that each expression of a wrapper selects on a page.

use super::audience::speaking;
use super::matching::{CompiledTemplate, has_text, without_nested};
use super::{Match, Matcher, WrapperField};
use forest_html::page::{Mask, NodeId, Page, articles};

/// Where a page's article is, and what each strip rule selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Where the article is.
    pub found: Match,
    /// The nodes that each strip rule of the matched template takes, in document order: on the
    /// whole page, or in the body alone if it expects something.
    pub strips: Vec<Vec<NodeId>>,
}

impl CompiledTemplate {
    /// The place of the article by this template alone, which counts as the first.
    pub(super) fn trace(&self, page: &Page) -> Option<Trace> {
        let bodies = self.of(WrapperField::Body).iter().enumerate();
        let mut traces = bodies.filter_map(|(e, body)| {
            let nodes = articles::of_first(page, without_nested(page, body.own_nodes(page)));
            if nodes.is_empty() {
                return None;
            }
            let mut kept = Mask::subtrees(page, &nodes);
            let stripped = self.correct(page, &mut kept);
            let found = Match {
                template: 0,
                expression: Some(e),
                nodes,
                kept,
                unexpected: stripped.unexpected,
            };
            let strips = stripped.by_rule;
            has_text(page, &found.kept, &found.nodes).then_some(Trace { found, strips })
        });
        traces.next()
    }
}

impl Matcher {
    /// [`find`](Self::find), with what the strip rules select.
    pub fn trace(&self, page: &Page) -> Option<Trace> {
        let all = self.templates.iter().enumerate();
        let fitting = all.filter(|(_, template)| template.is_for(page));
        let audiences = fitting.map(|(t, template)| (t, template.audience.as_ref()));
        speaking(audiences, page).into_iter().find_map(|t| {
            let mut trace = self.templates[t].trace(page)?;
            trace.found.template = t;
            Some(trace)
        })
    }

    /// The elements that the matched template's expressions take the fields from: of
    /// each field those of the first expression that gives something. The owners of
    /// attributes.
    pub fn fields(&self, page: &Page, found: &Match) -> Vec<(WrapperField, Vec<NodeId>)> {
        let template = &self.templates[found.template];
        let mut out = Vec::new();
        for field in [
            WrapperField::Title,
            WrapperField::Author,
            WrapperField::Date,
            WrapperField::Tags,
        ] {
            let mut expressions = template.of(field).iter();
            let giving = expressions.find(|xpath| !xpath.strings(page).is_empty());
            let mut nodes = giving.map_or_else(Vec::new, |xpath| xpath.nodes(page));
            // Title and date are the first of what is selected.
            if matches!(field, WrapperField::Title | WrapperField::Date) {
                nodes.truncate(1);
            }
            if !nodes.is_empty() {
                out.push((field, nodes));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::wrapper::Wrapper;
    use forest_html::page::{NodeId, Page};

    #[test]
    fn each_expression_is_followed_to_its_nodes() {
        let yaml = "format: 1\nsite: a\ntemplates:\n- body: [//nav, //div]\n  strip: [//u, //b]\n  \
                    title: [//h2, //h1]\n  author: [//i]\n  date: [{xpath: //time/@datetime}]\n  \
                    tags: [//s]\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let matcher = wrapper.compile().expect("compiles");
        let page = Page::from_html(
            "<h1>T</h1><h1>U</h1><time datetime=2024></time><i>A</i><i>B</i><div>x<u>y</u></div><u>z</u>",
        );
        let trace = matcher.trace(&page).expect("it matches");
        assert_eq!(Some(&trace.found), matcher.find(&page).as_ref());
        let names = |nodes: &[NodeId]| -> Vec<String> {
            let texts = nodes.iter().map(|&n| page.text(n).to_owned());
            texts.collect()
        };
        let strips: Vec<_> = trace.strips.iter().map(|nodes| names(nodes)).collect();
        assert_eq!(strips, [vec!["y", "z"], vec![]]);
        let fields = matcher.fields(&page, &trace.found);
        let shown: Vec<String> = fields
            .iter()
            .map(|(field, nodes)| format!("{field} {}", names(nodes).join(" ")))
            .collect();
        assert_eq!(shown, ["title T", "author A B", "date "]);
    }

    #[test]
    fn a_match_that_is_not_expected_is_kept_and_counted() {
        let yaml = "format: 2\nsite: a\ntemplates:\n- body: [//article]\n  strip:\n  \
                    - {xpath: '//article//div', expect: {kinds: [p]}}\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let matcher = wrapper.compile().expect("compiles");
        let page = Page::from_html(
            "<article><div><p>No</div>Yes<div><table><td>1</table></div></article><div><pre>x</pre></div>",
        );
        let trace = matcher.trace(&page).expect("it matches");
        let texts = trace.found.kept.texts(&page);
        let text: Vec<&str> = texts.map(|n| page.text(n)).collect();
        assert_eq!(text, ["Yes", "1"]);
        assert_eq!((trace.found.unexpected, trace.strips[0].len()), (1, 1));
    }
}
