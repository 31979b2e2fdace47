//! Which expressions of a wrapper select something.

use super::Matcher;
use super::xpath::XPath;
use crate::page::Page;
use std::fmt;

/// What an expression is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The article's body.
    Body,
    /// What is left out of it.
    Strip,
    /// What belongs to it in any case.
    Keep,
    /// The title.
    Title,
    /// The authors.
    Author,
    /// The publication date.
    Date,
    /// The tags.
    Tags,
    /// The images.
    Images,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Body => "body",
            Field::Strip => "strip",
            Field::Keep => "keep",
            Field::Title => "title",
            Field::Author => "author",
            Field::Date => "date",
            Field::Tags => "tags",
            Field::Images => "images",
        })
    }
}

/// One expression of a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expression<'a> {
    /// Index of its template.
    pub template: usize,
    /// What it is for.
    pub field: Field,
    /// The expression.
    pub xpath: &'a str,
}

impl Matcher {
    /// All expressions, by template and field, in their order.
    pub fn expressions(&self) -> Vec<Expression<'_>> {
        let each = self.all().map(|(template, field, xpath)| Expression {
            template,
            field,
            xpath: xpath.source(),
        });
        each.collect()
    }

    /// For each of the [`expressions`](Self::expressions) whether it gives
    /// something on the page: nodes, or a text.
    pub fn giving(&self, page: &Page) -> Vec<bool> {
        let gives = |xpath: &XPath| match xpath.gives_nodes() {
            true => !xpath.nodes(page).is_empty(),
            false => !xpath.strings(page).is_empty(),
        };
        self.all().map(|(_, _, xpath)| gives(xpath)).collect()
    }

    fn all(&self) -> impl Iterator<Item = (usize, Field, &XPath)> {
        self.templates.iter().enumerate().flat_map(|(t, template)| {
            let dates = template
                .date
                .iter()
                .map(|(xpath, _)| (t, Field::Date, xpath));
            let mut all = of(t, Field::Body, &template.body);
            all.extend(of(t, Field::Strip, &template.strip));
            all.extend(of(t, Field::Keep, &template.keep));
            all.extend(of(t, Field::Title, &template.title));
            all.extend(of(t, Field::Author, &template.author));
            all.extend(dates);
            all.extend(of(t, Field::Tags, &template.tags));
            all.extend(of(t, Field::Images, &template.images));
            all
        })
    }
}

fn of(template: usize, field: Field, list: &[XPath]) -> Vec<(usize, Field, &XPath)> {
    list.iter().map(|xpath| (template, field, xpath)).collect()
}

#[cfg(test)]
mod tests {
    use crate::page::Page;
    use crate::wrapper::Wrapper;

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
