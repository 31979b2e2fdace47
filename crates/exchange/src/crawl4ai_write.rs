//! A wrapper as a schema of [crawl4ai](https://github.com/unclecode/crawl4ai), for its
//! `JsonXPathExtractionStrategy`.
//!
//! The selectors are XPath, not CSS: XPath keeps the wrapper's expressions. The base is the
//! whole page, so that each page gives one item. crawl4ai looks for a selector below the
//! base by writing a dot before it. So the selectors begin with `..`, the document.
//!
//! crawl4ai takes the whole text of an element, with its scripts. So the body is a list of
//! paragraphs. A paragraph is an element of the body with text of its own, outside of other
//! such elements and of stripped ones. A condition tests the element and its ancestors for
//! being stripped: the strip expression [read backwards](backwards). An expression that
//! counts cannot be read backwards. Within a paragraph nothing is stripped.

use super::fundus::portable;
use super::links::only_if;
use super::omission::{Exported, Omission};
use super::templates::guarded;
use super::unsupported::{UnsupportedParts, UnsupportedPolicy};
use crate::error::Result;
use forest_core::wrapper::xpath::{XPath, alternatives, backwards};
use forest_core::wrapper::{Template, Wrapper, WrapperField};
use serde_json::{Value, json};

/// The base of the schema: the element around the whole page.
pub(super) const BASE: &str = "/*";

/// The prefix of a selector that does not begin with a slash. It selects nothing.
pub(super) const BESIDE: &str = "../*[false()] | ";

/// Elements with text of their own.
const WITH_TEXT: &str = "text()[normalize-space()]";

/// The condition that an element's text is read.
const READ: &str = "not(ancestor-or-self::*[self::script or self::style or self::noscript or self::template \
                    or self::head or self::select or self::textarea or self::svg])";

/// Writes a wrapper as a schema, a line of JSON: `title` and `date` are texts, `author`,
/// `tags`, `images` and `body` lists.
///
/// # Errors
///
/// If a part cannot be expressed: a template without a body, `keep`, concatenated texts,
/// bodies and strips that count.
///
/// ```
/// use forest_core::wrapper::Wrapper;
/// use forest_exchange::{UnsupportedPolicy, to_crawl4ai};
///
/// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [//article]\n  title: [//h1]\n";
/// let schema = to_crawl4ai(&Wrapper::from_yaml(yaml)?.wrapper, UnsupportedPolicy::Refused)?.text;
/// assert!(schema.starts_with("{\"name\":\"a.example\",\"baseSelector\":\"/*\",\"fields\":["));
/// assert!(schema.contains("{\"name\":\"title\",\"selector\":\"..//h1\",\"type\":\"text\"}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_crawl4ai(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<Exported> {
    let mut writer = SchemaWriter {
        unsupported: UnsupportedParts::of("a schema for crawl4ai", policy),
    };
    let wrapper = &*writer.unsupported.without_json(wrapper);
    let with_body: Vec<Template> = wrapper
        .templates
        .iter()
        .filter(|template| !template.body.is_empty())
        .cloned()
        .collect();
    if with_body.len() < wrapper.templates.len() {
        let why = "it has no body expression, and crawl4ai finds none by a page's shape";
        writer.unsupported.name("a template", why);
    }
    let bodies = writer.bodies(&with_body);
    let mut fields = writer.single(&with_body, WrapperField::Title);
    fields.extend(writer.list(&with_body, WrapperField::Author));
    fields.extend(writer.single(&with_body, WrapperField::Date));
    fields.extend(writer.list(&with_body, WrapperField::Tags));
    fields.extend(writer.images(&with_body));
    let has_body = !bodies.is_empty();
    fields.push(json!({
        "name": "body",
        "selector": selector(&bodies.join(" | ")),
        "type": "list",
        "fields": [{"name": "text", "type": "text"}],
    }));
    let left_out = writer.unsupported.finish(wrapper, has_body)?;
    let schema = json!({"name": wrapper.site, "baseSelector": BASE, "fields": fields});
    let omissions = [
        Omission::DateFormat,
        Omission::Conditions,
        Omission::StripsInside,
        Omission::Replace,
        Omission::Links,
    ];
    Ok(Exported {
        text: format!("{schema}\n"),
        omissions: Omission::of(wrapper, &with_body, &omissions),
        left_out,
    })
}

struct SchemaWriter {
    unsupported: UnsupportedParts,
}

impl SchemaWriter {
    /// An expression that gives nodes, for libxml2.
    fn nodes(&mut self, name: &str, source: &str) -> Option<XPath> {
        let what = format!("{name} {source}");
        let read = portable(source).map_err(str::to_owned);
        let read = read.and_then(|source| XPath::parse(&source).map_err(|e| e.to_string()));
        match read {
            Err(why) => self.unsupported.name(&what, &why),
            Ok(xpath) if !xpath.gives_nodes() => {
                let why = "it puts a text together, and crawl4ai takes texts of nodes";
                self.unsupported.name(&what, why);
            }
            Ok(xpath) => return Some(xpath),
        }
        None
    }

    /// The paragraphs of each body, on condition that no body before it has text.
    fn bodies(&mut self, templates: &[Template]) -> Vec<String> {
        let mut out = Vec::new();
        let mut before: Vec<String> = Vec::new();
        for template in templates {
            for keep in &template.keep {
                let why = "what is stripped cannot be kept";
                self.unsupported.name(&format!("keep {keep}"), why);
            }
            let mut stripped = Vec::new();
            for strip in &template.strip {
                for part in alternatives(&strip.xpath) {
                    match portable(part)
                        .map_err(str::to_owned)
                        .and_then(|p| backwards(&p))
                    {
                        Ok(condition) => stripped.push(condition),
                        Err(why) => self.unsupported.name(&format!("strip {part}"), &why),
                    }
                }
            }
            for body in &template.body {
                let Some(xpath) = self.nodes("body", body) else {
                    continue;
                };
                let none_before: Vec<String> = before.iter().map(|b| format!("not({b})")).collect();
                for part in alternatives(xpath.source()) {
                    match backwards(part) {
                        Ok(of_body) => {
                            let first = if none_before.is_empty() {
                                String::new()
                            } else {
                                format!("[{}]", none_before.join(" and "))
                            };
                            out.push(paragraphs(&format!("{part}{first}"), &of_body, &stripped));
                        }
                        Err(why) => self.unsupported.name(&format!("body {part}"), &why),
                    }
                }
                before.push(format!("({})[normalize-space()]", xpath.source()));
            }
        }
        out
    }

    /// A text: one field for each alternative, the first alternative last, since the last
    /// field counts.
    fn single(&mut self, templates: &[Template], field: WrapperField) -> Vec<Value> {
        let name = field.name();
        let mut fields = Vec::new();
        for (source, guard) in guarded(templates, field) {
            let Some(xpath) = self.nodes(name, &source) else {
                continue;
            };
            let with_guard = |xpath: &XPath| match &guard {
                Some(guard) => only_if(xpath, guard),
                None => xpath.source().to_owned(),
            };
            fields.push(match xpath.owner_and_attribute() {
                Some((owner, attribute)) => match XPath::parse(&owner) {
                    Ok(owner) => json!({
                        "name": name,
                        "selector": selector(&with_guard(&owner)),
                        "type": "attribute",
                        "attribute": attribute,
                    }),
                    Err(_) => continue,
                },
                None => json!({
                    "name": name,
                    "selector": selector(&with_guard(&xpath)),
                    "type": "text",
                }),
            });
        }
        fields.reverse();
        fields
    }

    /// The texts of the first alternative that has any.
    fn list(&mut self, templates: &[Template], field: WrapperField) -> Option<Value> {
        let name = field.name();
        let (mut parts, mut before, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_text = false;
        for (source, guard) in guarded(templates, field) {
            let Some(xpath) = self.nodes(name, &source) else {
                continue;
            };
            let owner = match xpath.owner_and_attribute() {
                Some((owner, attribute)) => {
                    if !attributes.contains(&attribute) {
                        attributes.push(attribute);
                    }
                    owner
                }
                None => {
                    is_text = true;
                    xpath.source().to_owned()
                }
            };
            let conditions: Vec<String> = guard.into_iter().chain(before.clone()).collect();
            parts.push(if conditions.is_empty() {
                owner
            } else {
                format!("({owner})[{}]", conditions.join(" and "))
            });
            before.push(format!("not(({})[normalize-space()])", xpath.source()));
        }
        let text = is_text.then(|| json!({"name": name, "type": "text"}));
        // The attribute comes first: the text is always there.
        let values = attributes
            .iter()
            .map(|attribute| json!({"name": name, "type": "attribute", "attribute": attribute}));
        let fields: Vec<Value> = text.into_iter().chain(values).collect();
        (!parts.is_empty()).then(|| {
            json!({
                "name": name,
                "selector": selector(&parts.join(" | ")),
                "type": "list",
                "fields": fields,
            })
        })
    }

    fn images(&mut self, templates: &[Template]) -> Option<Value> {
        let mut parts: Vec<String> = Vec::new();
        for source in templates.iter().flat_map(|template| &template.images) {
            let Some(xpath) = self.nodes("images", source) else {
                continue;
            };
            let part = format!("({})/descendant-or-self::img", xpath.source());
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        (!parts.is_empty()).then(|| {
            json!({
                "name": "images",
                "selector": selector(&parts.join(" | ")),
                "type": "list",
                "fields": [{"name": "src", "type": "attribute", "attribute": "src"}],
            })
        })
    }
}

/// The paragraphs of a body: see the top of the page.
fn paragraphs(body: &str, of_body: &str, stripped: &[String]) -> String {
    let mut out = format!(
        "{body}/descendant-or-self::*[{WITH_TEXT}][{READ}]\
         [not(ancestor::*[{WITH_TEXT}][ancestor-or-self::*[{of_body}]])]"
    );
    if !stripped.is_empty() {
        out.push_str(&format!(
            "[not(ancestor-or-self::*[{}])]",
            stripped.join(" or ")
        ));
    }
    out
}

/// An expression as crawl4ai's selector.
fn selector(source: &str) -> String {
    if source.starts_with('/') {
        format!("..{source}")
    } else {
        format!("{BESIDE}{source}")
    }
}
