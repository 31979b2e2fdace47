//! A wrapper as CSS selectors, alone or as the settings of a feed reader.
//!
//! The readers know a feed by its address and take title, author and date from it;
//! of the wrapper they need the body and the strips. What they select is what all
//! their selectors select, so that alternatives in order are said as
//! `html:not(:has(A)) B` to Miniflux, whose engine knows `:has`, and not at all to
//! FreshRSS. A strip that only one of several templates has cannot be said to
//! either.

use super::ftr_write::{Exported, Omission, unsaid};
use crate::error::Result;
use crate::page::plain::escape;
use crate::wrapper::Wrapper;
use crate::wrapper::xpath::{Css, XPath};
use serde_json::{Map, Value, json};

/// Expressions as CSS, those refused apart.
#[derive(Default)]
struct Translation {
    refused: Vec<String>,
}

impl Translation {
    fn css(&mut self, source: &str) -> Option<Css> {
        let css = match XPath::parse(source) {
            Ok(xpath) => xpath.to_css(),
            Err(error) => Err(error.to_string()),
        };
        css.map_err(|why| self.refused.push(format!("{source}: {why}")))
            .ok()
    }

    /// The selectors of whole elements.
    fn selectors(&mut self, source: &str) -> Option<Vec<String>> {
        let css = self.css(source)?;
        match css.attribute {
            None => Some(css.selectors),
            Some(_) => {
                self.refused
                    .push(format!("{source}: it gives an attribute"));
                None
            }
        }
    }

    /// A selector, or a selector and the name of an attribute.
    fn value(&mut self, source: &str) -> Value {
        match self.css(source) {
            None => Value::Null,
            Some(css) => match &css.attribute {
                None => json!(css.selector()),
                Some(attribute) => json!({"selector": css.selector(), "attribute": attribute}),
            },
        }
    }

    fn values(&mut self, sources: impl IntoIterator<Item = impl AsRef<str>>) -> Value {
        let each = sources.into_iter().map(|s| self.value(s.as_ref()));
        Value::Array(each.collect())
    }
}

/// Writes a wrapper as JSON, a line: for each template and field the selectors in
/// the order in which they are tried (`strip`: all apply). A field that is an
/// attribute is `{"selector", "attribute"}`.
///
/// # Errors
///
/// What CSS cannot say, each expression with the reason.
///
/// ```
/// use forest::wrapper::{Wrapper, exchange::to_css};
///
/// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//div[@id=\"story\"]']\n";
/// let css = to_css(&Wrapper::from_yaml(yaml)?.wrapper)?;
/// assert_eq!(css.text, "{\"site\":\"a.example\",\"templates\":[{\"body\":[\"div#story\"]}]}\n");
/// # Ok::<(), forest::Error>(())
/// ```
pub fn to_css(wrapper: &Wrapper) -> Result<Exported> {
    let mut translation = Translation::default();
    let mut templates = Vec::new();
    for template in &wrapper.templates {
        let dates = template.date.iter().map(|date| &date.xpath);
        let fields = [
            ("body", translation.values(&template.body)),
            ("strip", translation.values(&template.strip)),
            ("title", translation.values(&template.title)),
            ("author", translation.values(&template.author)),
            ("date", translation.values(dates)),
            ("images", translation.values(&template.images)),
        ];
        let fields = fields.into_iter();
        let said = fields.filter(|(_, list)| list.as_array().is_some_and(|l| !l.is_empty()));
        let said: Map<String, Value> = said.map(|(name, list)| (name.to_owned(), list)).collect();
        templates.push(said);
    }
    let mut out = json!({"site": wrapper.site, "templates": templates});
    for (name, link) in [
        ("next_page", &wrapper.next_page),
        ("single_page", &wrapper.single_page),
    ] {
        if let Some(link) = link {
            out[name] = translation.value(link);
        }
    }
    if !translation.refused.is_empty() {
        return Err(unsaid(wrapper, "CSS", translation.refused));
    }
    let mut omissions = Vec::new();
    if wrapper
        .templates
        .iter()
        .flat_map(|t| &t.date)
        .any(|d| d.format.is_some())
    {
        omissions.push(Omission::DateFormat);
    }
    if !wrapper.replace.is_empty() {
        omissions.push(Omission::Replace);
    }
    Ok(Exported {
        text: format!("{out}\n"),
        omissions,
    })
}

/// Selectors of the body and of the strips, for a reader.
struct Selectors {
    body: String,
    strip: String,
    omissions: Vec<Omission>,
}

fn selectors(wrapper: &Wrapper, format: &'static str, has: bool) -> Result<Selectors> {
    let mut translation = Translation::default();
    let bodies: Vec<Vec<String>> = wrapper
        .templates
        .iter()
        .flat_map(|template| &template.body)
        .filter_map(|body| translation.selectors(body))
        .collect();
    let strips: Vec<String> = wrapper.templates.first().map_or_else(Vec::new, |template| {
        let strips = template.strip.iter();
        strips.filter_map(|s| translation.strip(s)).collect()
    });
    let refused = &mut translation.refused;
    if wrapper
        .templates
        .windows(2)
        .any(|pair| pair[0].strip != pair[1].strip)
    {
        refused.push("strip: its templates do not strip the same".to_owned());
    }
    if bodies.is_empty() && refused.is_empty() {
        refused.push("body: there is none".to_owned());
    }
    if bodies.len() > 1 && !has {
        refused.push("body: it has alternatives that are tried in order".to_owned());
    }
    if !refused.is_empty() {
        return Err(unsaid(wrapper, format, translation.refused));
    }
    let mut omissions = Vec::new();
    if !wrapper.replace.is_empty() {
        omissions.push(Omission::Replace);
    }
    if wrapper.next_page.is_some() || wrapper.single_page.is_some() {
        omissions.push(Omission::Links);
    }
    if !wrapper.feed.as_deref().is_some_and(is_address) {
        omissions.push(Omission::Feed);
    }
    Ok(Selectors {
        body: in_order(&bodies),
        strip: strips.join(", "),
        omissions,
    })
}

impl Translation {
    /// A strip; nothing where it takes attributes away, which hold no text.
    fn strip(&mut self, source: &str) -> Option<String> {
        let css = self.css(source)?;
        css.attribute.is_none().then(|| css.selector())
    }
}

fn is_address(feed: &str) -> bool {
    feed.starts_with("http://") || feed.starts_with("https://")
}

/// One selector for alternatives of which the first that is there counts.
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

/// Writes a wrapper as the settings of a feed in Miniflux, a line of JSON with the
/// names of its interface (`PUT /v1/feeds/ID`): `scraper_rules`, and for the strips
/// `remove("...")` in `rewrite_rules`.
///
/// # Errors
///
/// What cannot be said, each expression with the reason.
pub fn to_miniflux(wrapper: &Wrapper) -> Result<Exported> {
    let said = selectors(wrapper, "Miniflux's rules", true)?;
    let mut out = json!({
        "site": wrapper.site,
        "crawler": true,
        "scraper_rules": said.body,
    });
    if !said.strip.is_empty() {
        // Its strings are those of Go, which for these are as those of JSON.
        out["rewrite_rules"] = json!(format!("remove({})", json!(said.strip)));
    }
    if let Some(feed) = wrapper.feed.as_ref().filter(|feed| is_address(feed)) {
        out["feed_url"] = json!(feed);
    }
    if let Some(agent) = wrapper.headers.get("user-agent") {
        out["user_agent"] = json!(agent);
    }
    Ok(Exported {
        text: format!("{out}\n"),
        omissions: said.omissions,
    })
}

/// Writes wrappers as OPML for FreshRSS, an outline each, with the attributes
/// `frss:cssFullContent` and `frss:cssFullContentFilter`.
///
/// # Errors
///
/// What cannot be said, each expression with the reason.
pub fn to_freshrss(wrappers: &[Wrapper]) -> Result<Exported> {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <opml version=\"2.0\" xmlns:frss=\"https://freshrss.org/opml\">\n\
         <head><title>forest</title></head>\n<body>\n",
    );
    let mut omissions = Vec::new();
    for wrapper in wrappers {
        let said = selectors(wrapper, "FreshRSS's settings", false)?;
        let feed = wrapper.feed.as_deref().filter(|feed| is_address(feed));
        text.push_str("<outline type=\"rss\"");
        for (name, value) in [
            ("text", &*wrapper.site),
            ("xmlUrl", feed.unwrap_or("")),
            ("frss:cssFullContent", &said.body),
            ("frss:cssFullContentFilter", &said.strip),
        ] {
            if !value.is_empty() || name == "xmlUrl" {
                text.push_str(&format!(" {name}=\"{}\"", attribute(value)));
            }
        }
        text.push_str("/>\n");
        for omission in said.omissions {
            if !omissions.contains(&omission) {
                omissions.push(omission);
            }
        }
    }
    text.push_str("</body>\n</opml>\n");
    Ok(Exported { text, omissions })
}

/// A value as XML's attribute.
fn attribute(value: &str) -> String {
    let mut out = String::new();
    escape(&value.replace(char::is_control, " "), &mut out);
    out
}
