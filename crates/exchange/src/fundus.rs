//! A wrapper as a parser of [fundus](https://github.com/flairNLP/fundus), in Python.
//!
//! The output is the file `fundus.py` beside this one, with the wrapper's expressions as
//! literals. All that comes from a wrapper is data there, in quotes. The name of the class
//! is made of letters and digits of the site's name.
//!
//! fundus parses with libxml2, forest as browsers do: on broken pages the trees differ.

use super::omission::{Exported, Omission};
use super::unsupported::{UnsupportedParts, UnsupportedPolicy};
use crate::error::Result;
use forest_core::wrapper::expression::without_dfs;
use forest_core::wrapper::{Template, Wrapper, WrapperField};
use std::fmt::Write;

const PARSER: &str = include_str!("fundus.py");

/// Python's keywords, which cannot be names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// The fields that a parser has besides the body.
const WRITTEN: [WrapperField; 6] = [
    WrapperField::Strip,
    WrapperField::Keep,
    WrapperField::Title,
    WrapperField::Author,
    WrapperField::Date,
    WrapperField::Tags,
];

/// The parts of a wrapper that a parser has no place for.
const OMISSIONS: [Omission; 5] = [
    Omission::DateFormat,
    Omission::Conditions,
    Omission::Images,
    Omission::Replace,
    Omission::Links,
];

/// Writes a wrapper as a module with a parser for fundus 0.5, which gives title, body,
/// authors, publishing date and topics. Expressions are XPath as in the wrapper; `@dfs` is
/// written as places on the page.
///
/// # Errors
///
/// If a part cannot be expressed: a template without a body, `@dfs` in a form of its own, a
/// character that libxml2 does not accept.
///
/// ```
/// use forest_core::wrapper::Wrapper;
/// use forest_exchange::{UnsupportedPolicy, to_fundus};
///
/// let yaml = "format: 1\nsite: a-b.example\ntemplates:\n- body: [\"//div[@id='a']\"]\n";
/// let module = to_fundus(&Wrapper::from_yaml(yaml)?.wrapper, UnsupportedPolicy::Refused)?.text;
/// assert!(module.contains("\nclass ABExampleParser(ParserProxy):\n"));
/// assert!(module.contains("        \"body\": [\"//div[@id='a']\"],\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_fundus(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<Exported> {
    let mut unsupported = UnsupportedParts::of("a parser for fundus", policy);
    let wrapper = &*unsupported.without_json(wrapper);
    let mut templates = String::new();
    for template in &wrapper.templates {
        if template.body.is_empty() {
            let why = "it has no body expression, and fundus finds none by a page's shape";
            unsupported.name("a template", why);
            continue;
        }
        let mut list = |field| portable_literals(&mut unsupported, template, field);
        let body = list(WrapperField::Body);
        if body.is_empty() {
            continue;
        }
        let _ = writeln!(
            templates,
            "    {{\n        \"body\": [{}],",
            body.join(", ")
        );
        for field in WRITTEN {
            let _ = writeln!(
                templates,
                "        \"{field}\": [{}],",
                list(field).join(", ")
            );
        }
        templates.push_str("    },\n");
    }
    let left_out = unsupported.finish(wrapper, !templates.is_empty())?;
    let feed = wrapper.feed.as_deref();
    let text = filled(|mark| match mark {
        "SITE" => string(&wrapper.site),
        "FEED" => feed.map_or_else(|| "None".to_owned(), string),
        "CLASS" => class_of(&wrapper.site),
        _ => templates.clone(),
    });
    Ok(Exported {
        text,
        omissions: Omission::of(wrapper, &wrapper.templates, &OMISSIONS),
        left_out,
    })
}

/// The name of the module with a site's parser: a file of this name and `.py` can be
/// imported.
///
/// ```
/// use forest_exchange::fundus_module;
///
/// assert_eq!(fundus_module("www.a-b.example"), "www_a_b_example");
/// assert_eq!(fundus_module("9.example"), "site_9_example");
/// ```
pub fn fundus_module(site: &str) -> String {
    let parts: Vec<String> = parts(site).map(str::to_ascii_lowercase).collect();
    let name = parts.join("_");
    let begins = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if begins && !KEYWORDS.contains(&&*name) {
        name
    } else if name.is_empty() {
        "site".to_owned()
    } else {
        format!("site_{name}")
    }
}

/// The runs of ASCII letters and digits in a name.
fn parts(site: &str) -> impl Iterator<Item = &str> {
    let parts = site.split(|c: char| !c.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty())
}

/// `WwwABExampleParser`.
fn class_of(site: &str) -> String {
    let mut name: String = parts(site)
        .flat_map(|part| {
            let (first, rest) = part.split_at(1);
            [first.to_ascii_uppercase(), rest.to_owned()]
        })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "Site");
    }
    name.push_str("Parser");
    name
}

/// The module with its placeholders, `$NAME$`, filled in. A filled-in value is not searched
/// for placeholders.
fn filled(with: impl Fn(&str) -> String) -> String {
    let parts = PARSER.split('$').enumerate();
    let fill = |(at, part): (usize, &str)| match at % 2 {
        0 => part.to_owned(),
        _ => with(part),
    };
    parts.map(fill).collect()
}

/// A template's expressions of a field as literals, those that can be expressed.
fn portable_literals(
    unsupported: &mut UnsupportedParts,
    template: &Template,
    field: WrapperField,
) -> Vec<String> {
    let mut out = Vec::new();
    for source in template.expressions(field) {
        match portable(source) {
            Ok(source) => out.push(string(&source)),
            Err(why) => unsupported.name(&format!("{field} {source}"), why),
        }
    }
    out
}

/// An expression for libxml2.
pub(super) fn portable(source: &str) -> Result<String, &'static str> {
    let unfit = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    if source.contains(|c| unfit(c) || matches!(c, '\u{fffe}' | '\u{ffff}')) {
        return Err("it has a character that XML has not");
    }
    without_dfs(source)
}

/// A text as Python's literal. Letters and digits of all scripts and the printable ASCII
/// characters stay, all others are escaped.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(yaml: &str, policy: UnsupportedPolicy) -> Result<Exported> {
        to_fundus(&Wrapper::from_yaml(yaml).expect("yaml").wrapper, policy)
    }

    #[test]
    fn a_wrappers_text_is_never_code() {
        let evil = "a\"\nimport os\nos.system('x')\n\"\"\"\\";
        let wrapper = Wrapper {
            site: evil.to_owned(),
            feed: Some(format!("{evil}$CLASS$\u{202e}\u{2028}\0")),
            templates: vec![Template {
                body: vec!["//p[.='\"]}, exit(), {\"\u{2028}']".to_owned()],
                strip: vec!["//p[.='$TEMPLATES$\\']".into()],
                ..Template::default()
            }],
            ..Wrapper::default()
        };
        let text = to_fundus(&wrapper, UnsupportedPolicy::Refused)
            .expect("said")
            .text;
        assert!(
            text.contains("\nclass AImportOsOsSystemXParser(ParserProxy):\n"),
            "{text}"
        );
        let site = "SITE: str = \"a\\\"\\U0000000aimport os\\U0000000aos.system('x')\\U0000000a\\\"\\\"\\\"\\\\\"\n";
        assert!(text.contains(site), "{text}");
        assert!(
            text.contains("$CLASS$\\U0000202e\\U00002028\\U00000000\"\n"),
            "{text}"
        );
        assert!(
            text.contains("\"strip\": [\"//p[.='$TEMPLATES$\\\\']\"],\n"),
            "{text}"
        );
        assert!(
            text.contains("\"body\": [\"//p[.='\\\"]}, exit(), {\\\"\\U00002028']\"],\n"),
            "{text}"
        );
        // Except for the literals it is the file beside this one.
        let own = |line: &&str| !line.starts_with("        \"");
        let count = |text: &str| text.lines().filter(own).count();
        assert_eq!(count(&text), count(PARSER) + 2);
        assert!(text.is_ascii());
    }

    #[test]
    fn names_are_names() {
        for (site, class, name) in [
            ("news.example", "NewsExampleParser", "news_example"),
            (
                "1.example:8080",
                "Site1Example8080Parser",
                "site_1_example_8080",
            ),
            ("class", "ClassParser", "site_class"),
            ("bücher.example", "BCherExampleParser", "b_cher_example"),
            ("例え", "SiteParser", "site"),
        ] {
            assert_eq!((&*class_of(site), &*fundus_module(site)), (class, name));
        }
    }

    #[test]
    fn what_it_cannot_express_is_refused_or_left_out() {
        let yaml = "format: 2\nsite: a.example\nreplace: [{find: a, with: b}]\ntemplates:\n\
                    - body: ['//p[@dfs > 3]', //article]\n- strip: [//i]\n";
        let refused = module(yaml, UnsupportedPolicy::Refused)
            .expect_err("refused")
            .to_string();
        assert!(refused.contains("body //p[@dfs > 3]: ") && refused.contains("no body expression"));
        let out = module(yaml, UnsupportedPolicy::LeftOut).expect("the rest");
        assert_eq!(
            (out.left_out.len(), &*out.omissions),
            (2, &[Omission::Replace][..])
        );
        assert!(out.text.contains("        \"body\": [\"//article\"],\n"));
        let none = "format: 2\nsite: a.example\ntemplates:\n- body: ['//p[@dfs > 3]']\n";
        let refused = module(none, UnsupportedPolicy::LeftOut)
            .expect_err("no body")
            .to_string();
        assert!(refused.contains("none of it can be expressed"), "{refused}");
    }
}
