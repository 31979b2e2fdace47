//! The page's description of itself in JSON-LD (schema.org).

use super::clean::MAX_VALUES;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Bytes of JSON-LD of one page that are read, all scripts together. The
/// largest of the development gold are 0.2 MB; one megabyte parses in some
/// milliseconds.
const MAX_JSON_BYTES: usize = 1_000_000;

/// Objects of one page that are looked at.
const MAX_OBJECTS: usize = 1000;

/// The JSON-LD of a page.
#[derive(Debug, Default)]
pub(super) struct JsonLd {
    values: Vec<Value>,
    bytes: usize,
}

/// The rank of an object as a description of the page, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Article,
    /// Another work that a page can be about: a video, a recipe, a review.
    Work,
    WebPage,
}

impl JsonLd {
    /// Adds a script's text. What is no JSON is passed over.
    pub fn add(&mut self, script: &str) {
        self.bytes = self.bytes.saturating_add(script.len());
        if self.bytes > MAX_JSON_BYTES {
            return;
        }
        let value = first_value(unwrap(script)).or_else(|| first_value(unwrap(&mended(script))));
        self.values.extend(value);
    }

    /// The objects that describe the page, the most telling first: the article
    /// (of several the one with an address in `urls`, else the first), then
    /// works, then web pages.
    pub fn about(&self, urls: &[&str]) -> PageObjects<'_> {
        let all = self.objects();
        let mut ranked: Vec<(Rank, bool, &Map<String, Value>)> = all
            .iter()
            .filter_map(|&o| rank(o).map(|r| (r, !has_url(o, urls), o)))
            .collect();
        ranked.sort_by_key(|&(rank, other, _)| (rank, other));
        let works = ranked.iter().map(|&(_, _, o)| o).collect();
        // Another article is about something else: one of each rank is enough.
        ranked.dedup_by_key(|&mut (rank, ..)| rank);
        PageObjects {
            objects: ranked.into_iter().map(|(_, _, o)| o).collect(),
            works,
            all,
        }
    }

    /// The first `@type` of every object, however deep, each once, in document order.
    pub fn first_types(&self) -> Vec<String> {
        let mut types: Vec<String> = Vec::new();
        for object in self.values.iter().flat_map(every_object) {
            let named = match object.get("@type") {
                Some(Value::Array(types)) => types.first(),
                named => named,
            };
            if let Some(named) = named.and_then(Value::as_str)
                && types.len() < MAX_VALUES
                && !types.iter().any(|known| known == named)
            {
                types.push(named.to_owned());
            }
        }
        types
    }

    /// True if the first `isAccessibleForFree` of a script is false.
    pub fn is_sold(&self) -> bool {
        self.values.iter().any(|value| {
            match every_object(value).find_map(|object| object.get("isAccessibleForFree")) {
                Some(Value::Bool(is_free)) => !is_free,
                Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("false"),
                _ => false,
            }
        })
    }

    fn objects(&self) -> Vec<&Map<String, Value>> {
        let mut objects = Vec::new();
        let mut open: Vec<&Value> = self.values.iter().rev().collect();
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
pub(super) struct PageObjects<'a> {
    /// The best object of each rank.
    objects: Vec<&'a Map<String, Value>>,
    /// The objects of all ranks.
    works: Vec<&'a Map<String, Value>>,
    all: Vec<&'a Map<String, Value>>,
}

impl<'a> PageObjects<'a> {
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

    /// The names of the persons or organizations that the first object with `key` holds or refers
    /// to, in lists too; without a `name`, given and family name.
    pub fn people(&self, key: &str, max: usize) -> Vec<String> {
        for object in &self.objects {
            let mut found: Vec<String> = Vec::new();
            let mut open: Vec<&Value> = object.get(key).into_iter().collect();
            let mut left = MAX_OBJECTS;
            while let Some(value) = open.pop()
                && found.len() < max
                && left > 0
            {
                left -= 1;
                match value {
                    Value::Array(values) => open.extend(values.iter().rev()),
                    Value::String(text) => found.push(text.trim().to_owned()),
                    Value::Object(person) => {
                        let lists = ["@list", "itemListElement", "item"];
                        let list = lists.iter().find_map(|key| person.get(*key));
                        let name = person.get("name").filter(|name| !name.is_string());
                        match list.or(name) {
                            Some(inner) => open.push(inner),
                            None => found.extend(self.person(person)),
                        }
                    }
                    _ => {}
                }
            }
            found.retain(|name| !name.is_empty());
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The name of a person: in one, in two parts, or by its address.
    fn person(&self, person: &'a Map<String, Value>) -> Option<String> {
        let parts = ["givenName", "familyName"].iter();
        let parts: Vec<&str> = parts.filter_map(|key| person.get(*key)?.as_str()).collect();
        if parts.is_empty() || person.contains_key("name") {
            return Some(self.name(person)?.trim().to_owned());
        }
        Some(parts.join(" "))
    }

    /// The first of [`PageObjects::strings`].
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

    /// The text of the first work that holds one.
    pub fn article_body(&self) -> Option<&'a str> {
        let mut bodies = self.works.iter().filter_map(|o| o.get("articleBody"));
        bodies.find_map(Value::as_str)
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

    /// The text for an object: its name, its address; one with an `@id` only
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

/// The objects in a value, however deep, each before what it holds.
fn every_object(value: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    let mut open = vec![value];
    std::iter::from_fn(move || {
        while let Some(value) = open.pop() {
            match value {
                Value::Array(values) => open.extend(values.iter().rev()),
                Value::Object(object) => {
                    open.extend(object.values().rev());
                    return Some(object);
                }
                _ => {}
            }
        }
        None
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

/// A script as JSON, if only this is wrong with it: comments of JavaScript, commas before a closing
/// bracket, and line breaks inside strings.
fn mended(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut rest = script;
    let mut in_string = false;
    while let Some(c) = rest.chars().next() {
        if !in_string && rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        if !in_string && rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                // The character behind it is no quote that ends the string.
                let escaped = rest.chars().next().filter(|c| !c.is_control());
                out.push('\\');
                out.extend(escaped);
                rest = &rest[escaped.map_or(0, char::len_utf8)..];
                continue;
            }
            '}' | ']' if !in_string => {
                let before = out.trim_end();
                let length = before.strip_suffix(',').unwrap_or(before).len();
                out.truncate(length);
            }
            _ => {}
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
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
    // Every creative work may have a headline, and nothing else has.
    let by_headline = object.contains_key("headline").then_some(Rank::Work);
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
        .or(by_headline)
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
