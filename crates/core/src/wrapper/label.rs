//! Labels: the roles that a person gives nodes of pages, for the learner to obey.

use super::Wrapper;
use super::xpath::XPath;
use forest_html::page::{NodeId, Page};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Labels of a wrapper at the most.
pub const MAX_LABELS: usize = 40;

/// Words of a node by which it is found again.
const FIRST_WORDS: usize = 8;

/// Bytes of them at the most: some texts have no spaces.
const MAX_TEXT_BYTES: usize = 200;

/// The role of a node of a page, given by a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The address of the page.
    pub page: String,
    /// The node's place on it, as XPath: `/html[1]/body[1]/p[2]`.
    pub node: String,
    /// The first words of its text, by which it is found again if its place has changed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its role.
    pub role: LabelRole,
    /// The expression of the wrapper that obeys the label, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
}

/// The roles that a node can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelRole {
    /// It is the article, or a part of it.
    Article,
    /// It is no part of the article.
    NotArticle,
    /// The title.
    Title,
    /// An author.
    Author,
    /// The date of publication.
    Date,
    /// It belongs to the article wherever it stands, whatever a strip rule says.
    Keep,
    /// The link to the article's next page.
    NextPage,
}

impl LabelRole {
    /// All of them.
    pub const ALL: [LabelRole; 7] = [
        LabelRole::Article,
        LabelRole::NotArticle,
        LabelRole::Title,
        LabelRole::Author,
        LabelRole::Date,
        LabelRole::Keep,
        LabelRole::NextPage,
    ];

    /// As in the wrapper's file.
    pub fn name(self) -> &'static str {
        match self {
            LabelRole::Article => "article",
            LabelRole::NotArticle => "not_article",
            LabelRole::Title => "title",
            LabelRole::Author => "author",
            LabelRole::Date => "date",
            LabelRole::Keep => "keep",
            LabelRole::NextPage => "next_page",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}: {}", self.role.name(), self.page, self.node)
    }
}

impl Label {
    /// The label of an element of a page, whose address is `url`.
    pub fn of(page: &Page, n: NodeId, url: impl Into<String>, role: LabelRole) -> Label {
        Label {
            page: url.into(),
            node: place(page, n),
            text: PageWords::of(page).first_words(page, n),
            role,
            expression: None,
        }
    }

    /// The labelled node: the one at its place, if it has the label's text, else the first
    /// element of the same tag that has; `None` if there is none.
    pub fn find(&self, page: &Page) -> Option<NodeId> {
        let words = PageWords::of(page);
        let is_it = |&n: &NodeId| words.first_words(page, n) == self.text;
        let there = XPath::parse(&self.node).map(|place| place.own_nodes(page));
        let there = there.ok().and_then(|nodes| nodes.first().copied());
        if let Some(n) = there.filter(is_it) {
            return Some(n);
        }
        let tag = self.node.rsplit('/').next()?.split('[').next()?;
        let elements = page
            .elements()
            .filter(|&n| page.tag(n).is_some_and(|own| **own == *tag));
        let mut elements = elements.filter(|_| !self.text.is_empty());
        elements.find(is_it)
    }
}

impl Wrapper {
    /// The `keep` expressions that no label made: those that a person wrote.
    pub fn own_keeps(&self) -> Vec<String> {
        let of_label = |keep: &String| {
            let mut labels = self.labels.iter();
            labels.any(|label| {
                label.role == LabelRole::Keep && label.expression.as_ref() == Some(keep)
            })
        };
        let keeps = self.templates.iter().flat_map(|template| &template.keep);
        let mut own: Vec<String> = Vec::new();
        for keep in keeps.filter(|keep| !of_label(keep)) {
            if !own.contains(keep) {
                own.push(keep.clone());
            }
        }
        own
    }
}

/// The place of an element as XPath from the root.
fn place(page: &Page, n: NodeId) -> String {
    let mut steps: Vec<String> = Vec::new();
    for up in page.ancestors(n) {
        let (Some(tag), Some(parent)) = (page.tag(up), page.parent(up)) else {
            continue;
        };
        let alike = page
            .children(parent)
            .take_while(|child| *child <= up)
            .filter(|&child| page.is(child, tag));
        steps.push(format!("/{tag}[{}]", alike.count()));
    }
    steps.into_iter().rev().collect()
}

/// The words of a page in order, each with its text node.
struct PageWords<'p>(Vec<(NodeId, &'p str)>);

impl<'p> PageWords<'p> {
    fn of(page: &'p Page) -> PageWords<'p> {
        let texts = page.content_texts(page.root());
        let words = |n| page.text(n).split_whitespace().map(move |word| (n, word));
        PageWords(texts.flat_map(words).collect())
    }

    fn first_words(&self, page: &Page, n: NodeId) -> String {
        let begin = self.0.partition_point(|(text, _)| *text < n);
        let own = self.0[begin..].iter();
        let own = own.take_while(|(text, _)| *text < page.end(n));
        let words: Vec<&str> = own.take(FIRST_WORDS).map(|(_, word)| *word).collect();
        let mut text = words.join(" ");
        text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(page: &Page, xpath: &str) -> NodeId {
        XPath::parse(xpath).expect("an expression").own_nodes(page)[0]
    }

    #[test]
    fn a_node_is_found_again_by_its_place_or_by_its_words() {
        let page = Page::from_html("<p>One<div class=box>Read <b>this</b> as well</div><p>Two");
        let label = Label::of(
            &page,
            at(&page, "//div"),
            "https://a.example/1",
            LabelRole::NotArticle,
        );
        assert_eq!(label.node, "/html[1]/body[1]/div[1]");
        assert_eq!(label.text, "Read this as well");
        assert_eq!(label.find(&page), Some(at(&page, "//div")));
        let moved = Page::from_html("<div>New</div><p>One<div>Read <b>this</b> as well</div>");
        assert_eq!(label.find(&moved), Some(at(&moved, "//div[2]")));
        let gone = Page::from_html("<div>New</div><p>Read this as well");
        assert_eq!(label.find(&gone), None);
    }

    #[test]
    fn a_node_without_text_is_found_at_its_place_alone() {
        let page = Page::from_html("<p><img src=a><p>Two");
        let label = Label::of(&page, at(&page, "//img"), "a", LabelRole::Keep);
        assert_eq!(label.find(&page), Some(at(&page, "//img")));
        let moved = Page::from_html("<p>One<p><img src=a>");
        assert_eq!(label.find(&moved), None);
    }

    #[test]
    fn a_file_without_labels_is_as_it_was_and_one_with_labels_is_read_back() {
        let template = crate::wrapper::Template {
            body: vec!["//p".to_owned()],
            ..Default::default()
        };
        let mut wrapper = Wrapper {
            site: "a.example".to_owned(),
            templates: vec![template],
            ..Wrapper::default()
        };
        assert!(!wrapper.to_yaml().contains("labels"));
        let page = Page::from_html("<p>One");
        for role in LabelRole::ALL {
            let label = Label::of(&page, at(&page, "//p"), "https://a.example/1", role);
            wrapper.labels.push(label);
        }
        let yaml = wrapper.to_yaml();
        assert!(yaml.starts_with("format: 1\n"), "{yaml}");
        assert!(yaml.contains("role: not_article"), "{yaml}");
        let file = Wrapper::from_yaml(&yaml).expect("a wrapper");
        assert_eq!((file.wrapper, file.edited), (wrapper.clone(), false));
        let first = wrapper.labels[0].clone();
        wrapper.labels.resize(MAX_LABELS + 1, first);
        assert!(Wrapper::from_yaml(&wrapper.to_yaml()).is_err());
    }
}
