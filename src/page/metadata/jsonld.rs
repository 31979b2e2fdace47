//! What the page says of itself in JSON-LD (schema.org).

use super::super::Page;
use html5ever::local_name;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The property that holds an article's text.
pub(super) const ARTICLE_BODY: &str = "articleBody";

/// Bytes of JSON-LD of one page that are read, all scripts of a set together. The
/// largest of the development gold are 0.2 MB; one megabyte parses in some
/// milliseconds.
const MAX_JSON_BYTES: usize = 1_000_000;

/// Objects of one page that are looked at.
const MAX_OBJECTS: usize = 1000;

/// The JSON-LD of a page, parsed once for all who ask.
#[derive(Debug)]
pub(super) struct JsonLd(Vec<Script>);

/// A script that holds JSON.
#[derive(Debug)]
struct Script {
    value: Value,
    sets: [bool; 2],
}

/// Scripts that are read together, each set within [`MAX_JSON_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScriptSet {
    /// Those of the type `application/ld+json`.
    Declared,
    /// Those that have an `articleBody`, whatever their type.
    WithBody,
}

/// What kind of thing an object describes, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Article,
    /// Another work that a page can be about: a video, a recipe, a review.
    Work,
    WebPage,
}

impl JsonLd {
    /// Parses the scripts of a page. A script that is no JSON is passed over.
    pub fn of(page: &Page) -> JsonLd {
        let mut bytes = [0_usize; 2];
        let scripts = page.elements().filter_map(|n| {
            if !page.is(n, &local_name!("script")) {
                return None;
            }
            let text = page.text(n);
            let kind = page.attr(n, "type").unwrap_or_default().trim();
            let mut sets = [
                kind.eq_ignore_ascii_case("application/ld+json"),
                text.contains(ARTICLE_BODY),
            ];
            for (is_in, bytes) in sets.iter_mut().zip(&mut bytes).filter(|(is_in, _)| **is_in) {
                *bytes = bytes.saturating_add(text.len());
                *is_in = *bytes <= MAX_JSON_BYTES;
            }
            let value = sets.contains(&true).then(|| parsed(text))??;
            Some(Script { value, sets })
        });
        JsonLd(scripts.collect())
    }

    /// The objects that describe the page, the most telling first: the article
    /// (of several the one with an address in `urls`, else the first), then
    /// works, then web pages.
    pub fn about(&self, set: ScriptSet, urls: &[&str]) -> About<'_> {
        let all = self.objects(set);
        let mut ranked: Vec<(Rank, bool, &Map<String, Value>)> = all
            .iter()
            .filter_map(|&o| rank(o).map(|r| (r, !has_url(o, urls), o)))
            .collect();
        ranked.sort_by_key(|&(rank, other, _)| (rank, other));
        // Another article is about something else: one of each rank is enough.
        ranked.dedup_by_key(|&mut (rank, ..)| rank);
        About {
            objects: ranked.into_iter().map(|(_, _, o)| o).collect(),
            all,
        }
    }

    fn objects(&self, set: ScriptSet) -> Vec<&Map<String, Value>> {
        let mut objects = Vec::new();
        let own = self.0.iter().filter(|script| script.sets[set as usize]);
        let mut open: Vec<&Value> = own.rev().map(|script| &script.value).collect();
        while let Some(value) = open.pop() {
            match value {
                Value::Array(values) => open.extend(values.iter().rev()),
                Value::Object(object) => {
                    if objects.len() == MAX_OBJECTS {
                        break;
                    }
                    objects.push(object);
                    let inner = ["mainEntityOfPage", "mainEntity", "@graph"];
                    open.extend(inner.iter().filter_map(|key| object.get(*key)));
                }
                _ => {}
            }
        }
        objects
    }
}

/// The objects that describe a page. See [`JsonLd::about`].
#[derive(Debug)]
pub(super) struct About<'a> {
    objects: Vec<&'a Map<String, Value>>,
    all: Vec<&'a Map<String, Value>>,
}

impl<'a> About<'a> {
    /// The strings of the first object that has `key`: the value itself, or the
    /// `name` (for pictures `url`) of the objects that it holds or refers to.
    pub fn strings(&self, key: &str, max: usize) -> Vec<&'a str> {
        for object in &self.objects {
            let mut found = Vec::new();
            if let Some(value) = object.get(key) {
                self.collect(value, max, &mut found);
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The first of [`About::strings`].
    pub fn string(&self, key: &str) -> Option<&'a str> {
        self.strings(key, 1).first().copied()
    }

    /// The headline of the article or work; a web page's `name` is its `title`.
    pub fn headline(&self) -> Option<&'a str> {
        self.string("headline").or_else(|| {
            let object = self.objects.first()?;
            let named = rank(object)? < Rank::WebPage;
            object.get("name").filter(|_| named).and_then(Value::as_str)
        })
    }

    /// The name of the site: of a `WebSite`, else of the article's publisher.
    pub fn site_name(&self) -> Option<&'a str> {
        let site = self.all.iter().find(|o| types(o).any(|t| t == "WebSite"));
        site.and_then(|o| o.get("name"))
            .and_then(Value::as_str)
            .or_else(|| self.string("publisher"))
    }

    fn collect(&self, value: &'a Value, max: usize, found: &mut Vec<&'a str>) {
        let values = match value {
            Value::Array(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        for value in values.iter().take(max) {
            let text = match value {
                Value::String(text) => Some(text.as_str()),
                Value::Object(object) => self.name(object),
                _ => None,
            };
            found.extend(text.map(str::trim).filter(|text| !text.is_empty()));
        }
    }

    /// What stands for an object: its name, its address; one with an `@id` only
    /// stands for the object with that `@id`.
    fn name(&self, object: &'a Map<String, Value>) -> Option<&'a str> {
        let own = |object: &'a Map<String, Value>| {
            ["name", "url", "contentUrl", "@value"]
                .iter()
                .filter_map(|key| object.get(*key))
                .find_map(|value| match value {
                    Value::Array(values) => values.first().and_then(Value::as_str),
                    value => value.as_str(),
                })
        };
        own(object).or_else(|| {
            let id = object.get("@id")?;
            own(self
                .all
                .iter()
                .find(|o| o.get("@id") == Some(id) && o.len() > 1)?)
        })
    }
}

/// The first value of a script.
fn parsed(script: &str) -> Option<Value> {
    let json = unwrap(script);
    first_value(json).or_else(|| {
        // Line breaks inside strings: common, and no JSON.
        json.contains(|c: char| c.is_control())
            .then(|| first_value(&json.replace(|c: char| c.is_control(), " ")))?
    })
}

/// The JSON in a script: without the comment or CDATA marks around it.
fn unwrap(script: &str) -> &str {
    let begin = |text: &str| text.find(['{', '[']).unwrap_or(text.len());
    let script = match script.find("<![CDATA[") {
        Some(at) if at <= begin(script) => &script[at + "<![CDATA[".len()..],
        _ => script,
    };
    &script[begin(script)..]
}

/// The first JSON value of `text`; what follows it (`;`, `-->`) is passed over.
fn first_value(text: &str) -> Option<Value> {
    Value::deserialize(&mut serde_json::Deserializer::from_str(text)).ok()
}

/// The types of an object, without the schema's address.
fn types(object: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let values = match object.get("@type") {
        Some(Value::Array(values)) => values.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    values
        .iter()
        .filter_map(Value::as_str)
        .map(|t| t.rsplit(['/', ':', '#']).next().unwrap_or(t))
}

fn rank(object: &Map<String, Value>) -> Option<Rank> {
    types(object)
        .filter_map(|t| match t {
            "Report" | "Reportage" => Some(Rank::Article),
            t if t.ends_with("Article") || t.ends_with("Posting") && t != "JobPosting" => {
                Some(Rank::Article)
            }
            "CreativeWork" | "VideoObject" | "Recipe" | "Review" | "HowTo" | "PodcastEpisode"
            | "Book" | "Event" | "Product" => Some(Rank::Work),
            t if t.ends_with("Page") => Some(Rank::WebPage),
            _ => None,
        })
        .min()
}

fn has_url(object: &Map<String, Value>, urls: &[&str]) -> bool {
    let own = |value: &Value| match value {
        Value::String(url) => urls.contains(&url.as_str()),
        Value::Object(o) => ["@id", "url"]
            .iter()
            .filter_map(|key| o.get(*key)?.as_str())
            .any(|url| urls.contains(&url)),
        _ => false,
    };
    ["url", "@id", "mainEntityOfPage"]
        .iter()
        .filter_map(|key| object.get(*key))
        .any(own)
}
