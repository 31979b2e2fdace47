//! A wrapper as CSS selectors, alone or as the settings of a feed reader.
//!
//! The readers identify a feed by its address and take title, author and date from it. Of
//! the wrapper they need the body and the strips. They take the union of what their
//! selectors select. So alternatives in order become `html:not(:has(A)) B` for Miniflux,
//! whose engine supports `:has`. FreshRSS has no form for them. A strip that only one of
//! several templates has can be expressed for neither.

use super::omission::{Exported, Omission, is_address};
use super::unsupported::{UnsupportedParts, UnsupportedPolicy};
use crate::error::Result;
use forest_core::wrapper::xpath::{Css, XPath, alternatives};
use forest_core::wrapper::{Wrapper, WrapperField};
use forest_html::page::plain::escape;
use serde_json::{Map, Value, json};

/// Expressions as CSS; those that CSS cannot express are collected.
struct Translation {
    unsupported: UnsupportedParts,
}

impl Translation {
    fn of(format: &'static str, policy: UnsupportedPolicy) -> Translation {
        let unsupported = UnsupportedParts::of(format, policy);
        Translation { unsupported }
    }

    fn css(&mut self, name: &str, source: &str) -> Option<Css> {
        let css = css_of(source);
        if css.is_ok() || !self.unsupported.is_left_out() {
            let whole = |why: String| self.unsupported.name(&format!("{name} {source}"), &why);
            return css.map_err(whole).ok();
        }
        self.in_part(name, source)
    }

    /// The alternatives of an expression that CSS can express.
    fn in_part(&mut self, name: &str, source: &str) -> Option<Css> {
        let mut found: Option<Css> = None;
        for part in alternatives(source) {
            let what = format!("{name} {part}");
            let css = match (css_of(part), part.strip_suffix("-sibling::node()")) {
                (Err(why), Some(path)) => match css_of(&format!("{path}-sibling::*")) {
                    Ok(css) => {
                        let why = "the elements are written, not the texts between them";
                        self.unsupported.name(&what, why);
                        Ok(css)
                    }
                    Err(_) => Err(why),
                },
                (css, _) => css,
            };
            match (css, &mut found) {
                (Err(why), _) => self.unsupported.name(&what, &why),
                (Ok(css), None) => found = Some(css),
                (Ok(css), Some(found)) if css.attribute == found.attribute => {
                    let fresh = |selector: &String| !found.selectors.contains(selector);
                    let fresh: Vec<String> = css.selectors.into_iter().filter(fresh).collect();
                    found.selectors.extend(fresh);
                }
                (Ok(_), Some(_)) => self.unsupported.name(&what, "it gives another attribute"),
            }
        }
        found
    }

    /// The selectors of whole elements.
    fn selectors(&mut self, name: &str, source: &str) -> Option<Vec<String>> {
        let css = self.css(name, source)?;
        match css.attribute {
            None => Some(css.selectors),
            Some(_) => {
                let what = format!("{name} {source}");
                self.unsupported.name(&what, "it gives an attribute");
                None
            }
        }
    }

    /// A selector, or a selector and the name of an attribute.
    fn value(&mut self, name: &str, source: &str) -> Option<Value> {
        let css = self.css(name, source)?;
        Some(match &css.attribute {
            None => json!(css.selector()),
            Some(attribute) => json!({"selector": css.selector(), "attribute": attribute}),
        })
    }

    fn values(
        &mut self,
        name: &str,
        sources: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Vec<Value> {
        let each = sources.into_iter();
        each.filter_map(|s| self.value(name, s.as_ref())).collect()
    }
}

fn css_of(source: &str) -> Result<Css, String> {
    match XPath::parse(source) {
        Ok(xpath) => xpath.to_css(),
        Err(error) => Err(error.to_string()),
    }
}

/// Writes a wrapper as one line of JSON: for each template and field the selectors in
/// the order in which they are tried (`strip`: all apply). A field that is an
/// attribute is `{"selector", "attribute"}`. On request, what CSS cannot express is left
/// out: single alternatives of an expression, if CSS can express the others.
///
/// # Errors
///
/// If CSS cannot express an expression: each with the reason.
///
/// ```
/// use forest_core::wrapper::Wrapper;
/// use forest_exchange::{UnsupportedPolicy, to_css};
///
/// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//div[@id=\"story\"]']\n";
/// let css = to_css(&Wrapper::from_yaml(yaml)?.wrapper, UnsupportedPolicy::Refused)?;
/// assert_eq!(css.text, "{\"site\":\"a.example\",\"templates\":[{\"body\":[\"div#story\"]}]}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_css(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<Exported> {
    let mut translation = Translation::of("CSS", policy);
    let wrapper = &*translation.unsupported.without_json(wrapper);
    let mut templates = Vec::new();
    'templates: for template in &wrapper.templates {
        let mut selectors = Map::new();
        for field in WrapperField::ALL {
            let list = translation.values(field.name(), template.expressions(field));
            // Without any body expression a template would match all other pages.
            let is_lost = field == WrapperField::Body && !template.body.is_empty();
            if !list.is_empty() {
                selectors.insert(field.name().to_owned(), Value::Array(list));
            } else if is_lost {
                continue 'templates;
            }
        }
        templates.push(selectors);
    }
    let has_body = !templates.is_empty();
    let mut out = json!({"site": wrapper.site, "templates": templates});
    for (name, link) in [
        ("next_page", &wrapper.next_page),
        ("single_page", &wrapper.single_page),
    ] {
        if let Some(link) = link.as_ref().and_then(|link| translation.value(name, link)) {
            out[name] = link;
        }
    }
    let left_out = translation.unsupported.finish(wrapper, has_body)?;
    let omissions = [
        Omission::DateFormat,
        Omission::Conditions,
        Omission::Replace,
    ];
    Ok(Exported {
        text: format!("{out}\n"),
        omissions: Omission::of(wrapper, &wrapper.templates, &omissions),
        left_out,
    })
}

/// Selectors of the body and of the strips, for a reader.
struct Selectors {
    body: String,
    strip: String,
    omissions: Vec<Omission>,
    left_out: Vec<String>,
}

/// `has`: the reader's engine supports `:has()`.
fn selectors(
    wrapper: &Wrapper,
    format: &'static str,
    has: bool,
    policy: UnsupportedPolicy,
) -> Result<Selectors> {
    let mut translation = Translation::of(format, policy);
    let wrapper = &*translation.unsupported.without_json(wrapper);
    let templates = &wrapper.templates;
    let bodies: Vec<Vec<String>> = templates
        .iter()
        .flat_map(|template| &template.body)
        .filter_map(|body| translation.selectors("body", body))
        .collect();
    for template in templates {
        if template.body.is_empty() {
            let why = "it has no body expression: the reader has a way of its own there";
            translation.unsupported.name("a template", why);
        }
        for keep in &template.keep {
            let why = "what is stripped cannot be kept";
            translation.unsupported.name(&format!("keep {keep}"), why);
        }
    }
    let (common, others): (Vec<&str>, Vec<&str>) = templates
        .iter()
        .flat_map(|template| template.expressions(WrapperField::Strip))
        .partition(|strip| {
            let mut all = templates.iter();
            all.all(|t| t.expressions(WrapperField::Strip).contains(strip))
        });
    for strip in others {
        let why = "its templates do not strip the same, and only one of them this";
        translation.unsupported.name(&format!("strip {strip}"), why);
    }
    let mut strips = Vec::new();
    for strip in common {
        let strip = translation.strip(strip);
        strips.extend(strip.filter(|strip| !strips.contains(strip)));
    }
    let body = if has {
        in_order(&bodies)
    } else {
        bodies.concat().join(", ")
    };
    if bodies.len() > 1 && !has {
        let why = "it has alternatives that are tried in order: a page that has several gives all";
        translation.unsupported.name("body", why);
    }
    let left_out = translation
        .unsupported
        .finish(wrapper, !bodies.is_empty())?;
    let omissions = [
        Omission::Conditions,
        Omission::Replace,
        Omission::Links,
        Omission::Feed,
    ];
    Ok(Selectors {
        body,
        strip: strips.join(", "),
        omissions: Omission::of(wrapper, templates, &omissions),
        left_out,
    })
}

impl Translation {
    /// The selectors of a strip; none if it strips attributes, which hold no text.
    fn strip(&mut self, source: &str) -> Option<String> {
        let css = self.css("strip", source)?;
        css.attribute.is_none().then(|| css.selector())
    }
}

/// One selector for alternatives of which the first match counts.
fn in_order(alternatives: &[Vec<String>]) -> String {
    let mut out = Vec::new();
    for (i, alternative) in alternatives.iter().enumerate() {
        let before = alternatives[..i].concat().join(", ");
        for one in alternative {
            out.push(match i {
                0 => one.to_owned(),
                _ => format!("html:not(:has({before})) {one}"),
            });
        }
    }
    out.join(", ")
}

/// The settings of a feed in a reader.
pub struct ReaderSettings {
    /// Values under the reader's names for them; none is empty.
    pub values: Vec<(&'static str, String)>,
    /// Expressions that were left out, with the reasons.
    pub left_out: Vec<String>,
    omissions: Vec<Omission>,
}

/// The settings of a feed in Miniflux, with the names of its interface
/// (`PUT /v1/feeds/ID`): `scraper_rules`, for the strips `remove("...")` in
/// `rewrite_rules`, `user_agent`.
///
/// # Errors
///
/// If an expression cannot be expressed: each with the reason.
pub fn miniflux_settings(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<ReaderSettings> {
    let selected = selectors(wrapper, "Miniflux's rules", true, policy)?;
    // The strings are those of Go, which agree with JSON's for these texts.
    let remove = |strip: &String| format!("remove({})", json!(strip));
    let strip = Some(&selected.strip).filter(|strip| !strip.is_empty());
    let agent = wrapper.headers.get("user-agent").cloned();
    Ok(ReaderSettings::of([
        ("scraper_rules", Some(selected.body)),
        ("rewrite_rules", strip.map(remove)),
        ("user_agent", agent),
    ])
    .with(selected.omissions, selected.left_out))
}

/// The settings of a feed in FreshRSS, with the names of its OPML: `cssFullContent` and
/// `cssFullContentFilter`.
///
/// # Errors
///
/// If an expression cannot be expressed: each with the reason.
pub fn freshrss_settings(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<ReaderSettings> {
    let selected = selectors(wrapper, "FreshRSS's settings", false, policy)?;
    Ok(ReaderSettings::of([
        ("cssFullContent", Some(selected.body)),
        ("cssFullContentFilter", Some(selected.strip)),
    ])
    .with(selected.omissions, selected.left_out))
}

impl ReaderSettings {
    fn of<const N: usize>(values: [(&'static str, Option<String>); N]) -> ReaderSettings {
        let values = values.into_iter();
        let present = values.filter_map(|(name, value)| Some((name, value?)));
        ReaderSettings {
            values: present.filter(|(_, value)| !value.is_empty()).collect(),
            left_out: Vec::new(),
            omissions: Vec::new(),
        }
    }

    fn with(self, omissions: Vec<Omission>, left_out: Vec<String>) -> ReaderSettings {
        ReaderSettings {
            omissions,
            left_out,
            ..self
        }
    }
}

/// Writes a wrapper as the settings of a feed in Miniflux, a line of JSON with the
/// names of its interface (`PUT /v1/feeds/ID`): `scraper_rules`, and for the strips
/// `remove("...")` in `rewrite_rules`.
///
/// # Errors
///
/// If an expression cannot be expressed: each with the reason.
pub fn to_miniflux(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<Exported> {
    let settings = miniflux_settings(wrapper, policy)?;
    let mut out = json!({"site": wrapper.site, "crawler": true});
    for (name, value) in &settings.values {
        out[*name] = json!(value);
    }
    if let Some(feed) = wrapper.feed.as_ref().filter(|feed| is_address(feed)) {
        out["feed_url"] = json!(feed);
    }
    Ok(Exported {
        text: format!("{out}\n"),
        omissions: settings.omissions,
        left_out: settings.left_out,
    })
}

/// The beginning of an OPML list with FreshRSS's attributes, up to its first outline.
pub const FRESHRSS_OPML_START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
     <opml version=\"2.0\" xmlns:frss=\"https://freshrss.org/opml\">\n\
     <head><title>forest</title></head>\n<body>\n";

/// The end of an OPML list.
pub const OPML_END: &str = "</body>\n</opml>\n";

/// An OPML outline with these attributes.
pub fn outline<'a>(attributes: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::from("<outline");
    for (name, value) in attributes {
        out.push_str(&format!(" {name}=\"{}\"", attribute(value)));
    }
    out + "/>\n"
}

/// Writes wrappers as OPML for FreshRSS, one outline for each, with the attributes
/// `frss:cssFullContent` and `frss:cssFullContentFilter`.
///
/// # Errors
///
/// If an expression cannot be expressed: each with the reason.
pub fn to_freshrss(wrappers: &[Wrapper], policy: UnsupportedPolicy) -> Result<Exported> {
    let mut text = FRESHRSS_OPML_START.to_owned();
    let (mut omissions, mut left_out) = (Vec::new(), Vec::new());
    for wrapper in wrappers {
        let settings = freshrss_settings(wrapper, policy)?;
        let feed = wrapper.feed.as_deref().filter(|feed| is_address(feed));
        let mut attributes = vec![
            ("type".to_owned(), "rss"),
            ("text".to_owned(), &*wrapper.site),
            ("xmlUrl".to_owned(), feed.unwrap_or("")),
        ];
        let own = settings.values.iter();
        attributes.extend(own.map(|(name, value)| (format!("frss:{name}"), value.as_str())));
        let pairs = attributes.iter().map(|(name, value)| (&**name, *value));
        text.push_str(&outline(pairs));
        let of_site = |what: String| format!("{}: {what}", wrapper.site);
        left_out.extend(settings.left_out.into_iter().map(of_site));
        for omission in settings.omissions {
            if !omissions.contains(&omission) {
                omissions.push(omission);
            }
        }
    }
    text.push_str(OPML_END);
    Ok(Exported {
        text,
        omissions,
        left_out,
    })
}

/// A value as XML's attribute.
fn attribute(value: &str) -> String {
    let mut out = String::new();
    escape(&value.replace(char::is_control, " "), &mut out);
    out
}
