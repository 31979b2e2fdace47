//! Which expressions of a wrapper select something.

use super::field::WrapperField;
use super::matching::Matcher;
use super::xpath::XPath;
use forest_html::page::Page;

/// One expression of a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrapperExpression<'a> {
    /// Index of its template.
    pub template: usize,
    /// The field that it selects.
    pub field: WrapperField,
    /// The expression.
    pub xpath: &'a str,
}

impl Matcher {
    /// All expressions, by template and field, in their order.
    pub fn expressions(&self) -> Vec<WrapperExpression<'_>> {
        let each = self
            .all()
            .map(|(template, field, xpath)| WrapperExpression {
                template,
                field,
                xpath: xpath.source(),
            });
        each.collect()
    }

    /// For each of the [`expressions`](Self::expressions) whether it gives
    /// something on the page: nodes, or a text.
    pub fn giving(&self, page: &Page) -> Vec<bool> {
        let gives = |xpath: &XPath| {
            if xpath.gives_nodes() {
                !xpath.nodes(page).is_empty()
            } else {
                !xpath.strings(page).is_empty()
            }
        };
        self.all().map(|(_, _, xpath)| gives(xpath)).collect()
    }

    /// The expressions that [may be too much](XPath::grows_with_square) for a large page.
    pub fn growing(&self) -> Vec<&str> {
        let growing = self.all().filter(|(_, _, xpath)| xpath.grows_with_square());
        growing.map(|(_, _, xpath)| xpath.source()).collect()
    }

    fn all(&self) -> impl Iterator<Item = (usize, WrapperField, &XPath)> {
        let fields = |template| WrapperField::ALL.map(|field| (template, field));
        let fields = (0..self.templates.len()).flat_map(fields);
        fields.flat_map(|(template, field)| {
            let xpaths = self.templates[template].of(field).iter();
            xpaths.map(move |xpath| (template, field, xpath))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::wrapper::Wrapper;
    use forest_html::page::Page;

    #[test]
    fn each_expression_gives_something_or_not() {
        let yaml = "format: 1\nsite: a\ntemplates:\n- body: [//p, //b]\n  title: [\"string(//h1)\"]\n  \
                    date: [{xpath: //time}]\n  tags: [//s]\n- body: [//i]\n  strip: [//u]\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let matcher = wrapper.compile().expect("compiles");
        let shown: Vec<String> = matcher
            .expressions()
            .iter()
            .map(|e| format!("{} {} {}", e.template, e.field, e.xpath))
            .collect();
        let expected = [
            "0 body //p",
            "0 body //b",
            "0 title string(//h1)",
            "0 date //time",
            "0 tags //s",
            "1 body //i",
            "1 strip //u",
        ];
        assert_eq!(shown, expected);
        let page = Page::from_html("<p>x<u></u><time></time>");
        let giving = matcher.giving(&page);
        assert_eq!(giving, [true, false, false, true, false, false, true]);
    }
}
