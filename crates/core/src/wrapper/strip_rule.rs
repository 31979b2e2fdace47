//! A strip rule, and what it expects to take.
//!
//! An expression says where something stands, not what it is: a rule that was learned from
//! boxes takes the table of another page that stands in the same place. So a learned rule
//! keeps beside it what its matches were on the sample. A match that is another thing stays.

use forest_html::page::walk::is_link;
use forest_html::page::{Kind, NodeId, Page, tags};
use forest_html::text::{fold, word_count};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes of a text up to which a rule may expect it: a label, no paragraph.
pub const MAX_EXPECTED_TEXT: usize = 80;

/// Words of a match from which on the share of links says something.
pub const LINK_WORDS: usize = 5;

/// A rule of what is left out of a body: in a file its expression, or a map of both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StripRule {
    /// Its XPath expression.
    pub xpath: String,
    /// The look of a match; `None`: any.
    pub expect: Option<StripExpect>,
}

/// The look of the matches of a strip rule. What is absent is not looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StripExpect {
    /// Words (metric tokens), both ends included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<[usize; 2]>,
    /// Share of the words that stand in links, 0..=1, both ends included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<[f64; 2]>,
    /// Kinds of element of which a match may have some, by the names of
    /// [`StripMatch::kinds`]; it has no other of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// The text, digits as `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// True: nothing but numbers, each higher than the one before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub digits: bool,
}

/// A match of a strip rule: nodes that follow one another, none in another.
#[derive(Debug, Clone, PartialEq)]
pub struct StripMatch {
    /// Words (metric tokens).
    pub words: usize,
    /// Words in links.
    pub linked: usize,
    /// Its elements that hold an article's text, by kind: headings are `h`, all lists `ul`.
    pub kinds: Vec<&'static str>,
    /// Its text with digits as `0`, if that is no longer than [`MAX_EXPECTED_TEXT`].
    pub text: Option<String>,
    /// It is nothing but numbers, each higher than the one before.
    pub digits: bool,
}

impl StripMatch {
    /// The match of these nodes.
    pub fn of(page: &Page, nodes: &[NodeId]) -> StripMatch {
        let (mut words, mut linked) = (0, 0);
        let mut kinds: Vec<&str> = Vec::new();
        let mut text = String::new();
        let (mut digits, mut last) = (true, None);
        for &top in nodes {
            let is_in_link = page.ancestors(top).any(|up| is_link(page, up));
            // One past the last node of the link that is open.
            let mut link_end = top;
            for n in page.subtree(top) {
                if is_link(page, n) {
                    link_end = link_end.max(page.end(n));
                }
                let kind = page.tag(n).and_then(|tag| kind_of(tag));
                kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
                if page.kind(n) != Kind::Text || !page.is_content(n) {
                    continue;
                }
                let of_node = word_count(page.text(n));
                words += of_node;
                if is_in_link || n < link_end {
                    linked += of_node;
                }
                if text.len() <= MAX_EXPECTED_TEXT {
                    text.push_str(page.text(n));
                }
                let mut words = page.text(n).split_whitespace();
                digits = digits
                    && words.all(|word| {
                        let before = std::mem::replace(&mut last, word.parse::<u32>().ok());
                        last > before
                    });
            }
        }
        kinds.sort_unstable();
        let text = fold(&text).replace(|c: char| c.is_ascii_digit(), "0");
        StripMatch {
            words,
            linked,
            kinds,
            text: (text.len() <= MAX_EXPECTED_TEXT).then_some(text),
            digits: digits && last.is_some(),
        }
    }

    /// The share of its words in links.
    pub fn links(&self) -> f64 {
        self.linked as f64 / self.words.max(1) as f64
    }
}

/// The kinds of element whose names are tags.
const KINDS: [&str; 7] = ["blockquote", "dl", "figure", "form", "p", "pre", "table"];

fn kind_of(tag: &str) -> Option<&'static str> {
    match tag {
        "ul" | "ol" => Some("ul"),
        _ if tags::has(tag, tags::HEADING) => Some("h"),
        _ => KINDS.into_iter().find(|kind| *kind == tag),
    }
}

impl StripExpect {
    /// The reason why no match can be what is expected, if there is one.
    pub(super) fn fault(&self) -> Option<String> {
        if let Some([least, most]) = self.words.filter(|[least, most]| least > most) {
            return Some(format!("words: {least} is more than {most}"));
        }
        let is_share = |[least, most]: &[f64; 2]| 0.0 <= *least && least <= most && *most <= 1.0;
        if let Some([least, most]) = self.links.filter(|links| !is_share(links)) {
            return Some(format!(
                "links: [{least}, {most}] is no range of shares from 0 to 1"
            ));
        }
        let known = |kind: &String| ["h", "ul"].contains(&&**kind) || KINDS.contains(&&**kind);
        let mut kinds = self.kinds.iter().flatten();
        if let Some(kind) = kinds.find(|kind| !known(kind)) {
            let known = KINDS.join(", ");
            return Some(format!("kinds: `{kind}` is none of h, ul, {known}"));
        }
        let text = self.text.as_ref()?;
        if text.len() > MAX_EXPECTED_TEXT {
            return Some(format!(
                "text: {} bytes, {MAX_EXPECTED_TEXT} are the most",
                text.len()
            ));
        }
        let has_digits = text.bytes().any(|b| matches!(b, b'1'..=b'9'));
        has_digits.then(|| format!("text: write `0` for each digit of `{text}`"))
    }

    /// True if a match is what is expected. One without words always is.
    pub fn holds(&self, of: &StripMatch) -> bool {
        let is_in = |[least, most]: [usize; 2]| (least..=most).contains(&of.words);
        let links =
            |[least, most]: [f64; 2]| of.words < LINK_WORDS || (least..=most).contains(&of.links());
        let kinds = |expected: &Vec<String>| {
            of.kinds
                .iter()
                .all(|kind| expected.iter().any(|one| one == kind))
        };
        of.words == 0
            || self.words.is_none_or(is_in)
                && self.links.is_none_or(links)
                && self.kinds.as_ref().is_none_or(kinds)
                && self
                    .text
                    .as_ref()
                    .is_none_or(|text| of.text.as_ref() == Some(text))
                && (!self.digits || of.digits)
    }
}

impl StripRule {
    /// True if the expression takes siblings with an element.
    pub fn takes_siblings(&self) -> bool {
        self.xpath.contains("-sibling::")
    }

    /// The nodes in document order, none in another, as matches: each for itself, or those that
    /// follow one another as one, where the expression selects siblings.
    pub fn matches<'n>(&self, page: &Page, nodes: &'n [NodeId]) -> Vec<&'n [NodeId]> {
        let is_run = self.takes_siblings();
        let follows = |&a: &NodeId, &b: &NodeId| {
            is_run && page.parent(a) == page.parent(b) && {
                let between = page.end(a).0..b.0;
                between.map(NodeId).all(|n| page.text(n).trim().is_empty())
            }
        };
        nodes.chunk_by(follows).collect()
    }

    /// The look of one of its matches. Of siblings that are taken with an element only the element
    /// and the first of them with text count: a comment thread is as long as it is.
    pub fn look(&self, page: &Page, nodes: &[NodeId]) -> StripMatch {
        let edge = if self.xpath.contains("/following-sibling::") {
            nodes
                .split_first()
                .map(|(own, rest)| (own, rest.iter().find(has_text(page))))
        } else if self.xpath.contains("/preceding-sibling::") {
            nodes
                .split_last()
                .map(|(own, rest)| (own, rest.iter().rfind(has_text(page))))
        } else {
            None
        };
        match edge {
            Some((&own, Some(&next))) => StripMatch::of(page, &[own.min(next), own.max(next)]),
            Some((&own, None)) => StripMatch::of(page, &[own]),
            None => StripMatch::of(page, nodes),
        }
    }
}

fn has_text(page: &Page) -> impl Fn(&&NodeId) -> bool + '_ {
    move |n| !page.text(**n).trim().is_empty()
}

impl From<String> for StripRule {
    fn from(xpath: String) -> StripRule {
        StripRule {
            xpath,
            expect: None,
        }
    }
}

impl From<&str> for StripRule {
    fn from(xpath: &str) -> StripRule {
        xpath.to_owned().into()
    }
}

/// A rule with what it expects, as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectingRule {
    xpath: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expect: Option<StripExpect>,
}

impl Serialize for StripRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.expect.is_none() {
            return serializer.serialize_str(&self.xpath);
        }
        let written = ExpectingRule {
            xpath: self.xpath.clone(),
            expect: self.expect.clone(),
        };
        written.serialize(serializer)
    }
}

/// Reads either form, so that a fault in a map names its key.
struct EitherForm;

impl<'de> Visitor<'de> for EitherForm {
    type Value = StripRule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an XPath expression, or a map of `xpath` and `expect`")
    }

    fn visit_str<E>(self, xpath: &str) -> Result<StripRule, E> {
        Ok(xpath.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StripRule, A::Error> {
        let read = ExpectingRule::deserialize(MapAccessDeserializer::new(map))?;
        let ExpectingRule { xpath, expect } = read;
        Ok(StripRule { xpath, expect })
    }
}

impl<'de> Deserialize<'de> for StripRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StripRule, D::Error> {
        deserializer.deserialize_any(EitherForm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::Wrapper;
    use crate::wrapper::xpath::XPath;

    /// Checks which of the matches of a rule on a page are expected.
    fn check(rule: &str, html: &str, expected: &[bool]) {
        let rule: StripRule = serde_yaml::from_str(rule).expect("a rule");
        let page = Page::from_html(html);
        let nodes = XPath::parse(&rule.xpath).expect("XPath").own_nodes(&page);
        let expect = rule.expect.clone().expect("an expect");
        let matches = rule.matches(&page, &nodes).into_iter();
        let holds = matches.map(|nodes| expect.holds(&rule.look(&page, nodes)));
        assert_eq!(holds.collect::<Vec<_>>(), expected, "{html}");
    }

    #[test]
    fn a_match_has_the_words_links_kinds_and_text_that_are_expected() {
        check(
            "{xpath: //div, expect: {words: [2, 4]}}",
            "<div>one<div></div></div><div>one two</div><div>one two three four five</div>",
            &[false, true, true, false],
        );
        check(
            "{xpath: //div, expect: {links: [0.5, 1]}}",
            "<div><a href=/>a b c</a> d e</div><div>a b <a href=/>c</a> d e</div><div>few words</div>",
            &[true, false, true],
        );
        check(
            "{xpath: //div, expect: {kinds: [p, ul, h]}}",
            "<div><p>a<ol><li>b</ol><h4>c</h4></div><div>a <b>b</b></div><div><pre>a</pre></div>",
            &[true, true, false],
        );
        check(
            "{xpath: //div, expect: {text: '0 comments'}}",
            "<div>7\n comments</div><div>7 comments more</div>",
            &[true, false],
        );
        check(
            "{xpath: //pre, expect: {digits: true}}",
            "<pre>1\n2\n3</pre><pre>98 99</pre><pre>3 2 1</pre><pre>1 x</pre><pre></pre>",
            &[true, true, false, false, true],
        );
    }

    #[test]
    fn siblings_are_one_match_and_known_by_the_first_of_them() {
        let rule = "{xpath: //h4 | //h4/following-sibling::node(), expect: {kinds: [h, ul]}}";
        check(rule, "<h4>More</h4> <ul><li>a</ul> <p>b", &[true]);
        check(
            rule,
            "<h4>More</h4> <!-- x --> <p>b <ul><li>a</ul>",
            &[false],
        );
        let rule = "{xpath: //hr | //hr/preceding-sibling::node(), expect: {kinds: [p]}}";
        check(rule, "<table><td>a</table><p>b</p><hr>", &[true]);
    }

    #[test]
    fn what_no_match_can_be_is_refused_with_the_reason() {
        let check = |expect: &str, why: &str| {
            let yaml = format!(
                "format: 2\nsite: a\ntemplates:\n- body: [//p]\n  strip: [{{xpath: //i, expect: {{{expect}}}}}]\n"
            );
            let error = Wrapper::from_yaml(&yaml).expect_err(expect).to_string();
            assert!(error.contains("`//i`") && error.contains(why), "{error}");
        };
        check("words: [34, 1]", "34 is more than 1");
        check("links: [0, 80]", "shares from 0 to 1");
        check("links: [0.5, 0.2]", "shares from 0 to 1");
        check("kinds: [p, h2]", "`h2` is none of h, ul");
        check("text: Posted 2019", "write `0` for each digit");
        check(&format!("text: {}", "x".repeat(81)), "80 are the most");
    }

    #[test]
    fn a_rule_is_a_string_or_a_map() {
        let yaml = "format: 2\nsite: a\ntemplates:\n- body:\n  - //p\n  strip:\n  - //i\n  - xpath: //b\n    \
                    expect:\n      words:\n      - 1\n      - 9\n      kinds:\n      - p\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("a wrapper").wrapper;
        let [bare, expecting] = &wrapper.templates[0].strip[..] else {
            panic!("two rules");
        };
        assert_eq!((&*bare.xpath, &bare.expect), ("//i", &None));
        let expect = expecting.expect.as_ref().expect("an expect");
        assert_eq!(expect.words, Some([1, 9]));
        let written = wrapper.to_yaml();
        assert!(written.starts_with("format: 2\n"), "{written}");
        assert_eq!(
            Wrapper::from_yaml(&written).expect("a wrapper").wrapper,
            wrapper
        );
        let unknown = yaml.replace("words:", "letters:");
        assert!(Wrapper::from_yaml(&unknown).is_err());
    }
}
