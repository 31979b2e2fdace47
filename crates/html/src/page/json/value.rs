//! The values of a page's JSON that may be an article's text.

use super::super::{NodeId, Page, plain::text_of_html};
use super::leaf::{JsonLeaf, PathStep, generalised, unescaped};
use super::place::{JsonKind, JsonPlace};
use super::reader::JsonReader;
use super::scripts::{JsonScript, may_hold, scripts};
use crate::text::{MetricTokens, fold, metric_tokens};
use html5ever::local_name;
use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Words (metric tokens) of a value below which it is no article's text.
const MIN_VALUE_WORDS: usize = 25;

/// Words of a value that is taken for the article though nothing says what the page is
/// about.
const MANY_WORDS: usize = 100;

/// Words of a string from which on it is a sentence, and the strings with its key are text.
const SENTENCE_WORDS: usize = 5;

/// Steps from an object to a headline in it: `title/rendered`.
const HEADLINE_STEPS: usize = 2;

/// Steps from the object with the headline to the text: `content/body/html`.
const TEXT_STEPS: usize = 3;

/// By so many times a text in a page's JSON is longer than that of the page's elements to
/// be taken in its place.
const FAR_LONGER: usize = 2;

/// And by so much of the 2-grams of words of that text it holds.
const HELD: f64 = 0.8;

/// Headings of a page that its JSON is compared with.
const MAX_HEADLINES: usize = 16;

/// Titles and headlines of one script that are looked at.
const MAX_TITLES: usize = 1000;

/// Keys of the strings in one array that are text.
const MAX_NAMES: usize = 20;

/// Share of the longest value's words that another one needs to be the same text.
const SAME_TEXT: f64 = 0.8;

/// True if the JSON of a page may hold a text that [outdoes](PageJson::outdoes) that of its
/// elements.
pub fn may_outdo(page: &Page, shown: &str) -> bool {
    may_hold(page, FAR_LONGER * shown.len())
}

/// The JSON of a page, with the words that the page is called by.
#[derive(Debug)]
pub struct PageJson<'p> {
    pub(super) page: &'p Page,
    scripts: Vec<JsonScript>,
    headlines: Vec<String>,
}

/// A value that may be the text of the page's article.
#[derive(Debug, Clone)]
pub struct JsonValue {
    /// Its place, as a wrapper names it.
    pub place: JsonPlace,
    /// Its words (metric tokens).
    pub words: usize,
    /// True if the object that holds it has the page's headline, too.
    pub has_headline: bool,
    /// True if the object that holds it has some title.
    has_title: bool,
    script: usize,
    pub(super) leaves: Range<usize>,
    /// The number of steps of its path, and of that of the object that holds it.
    pub(super) depth: usize,
    pub(super) holder: usize,
}

impl<'p> PageJson<'p> {
    /// Reads the JSON of a page.
    pub fn of(page: &'p Page) -> PageJson<'p> {
        let mut headlines: Vec<String> = page.metadata().title.iter().map(|t| key_of(t)).collect();
        let is_heading =
            |&n: &NodeId| page.is(n, &local_name!("title")) || page.is(n, &local_name!("h1"));
        let headings = page.elements().filter(is_heading).take(MAX_HEADLINES);
        headlines.extend(headings.map(|n| key_of(page.text(n))));
        headlines.retain(|headline| !headline.is_empty());
        PageJson {
            page,
            scripts: scripts(page, &mut JsonReader::default()),
            headlines,
        }
    }

    pub(super) fn leaves_of(&self, value: &JsonValue) -> &[JsonLeaf] {
        &self.scripts[value.script].leaves
    }

    /// The strings of a value that are its text, in order.
    pub(super) fn text_leaves<'a>(
        &'a self,
        value: &'a JsonValue,
    ) -> impl Iterator<Item = &'a JsonLeaf> {
        let leaves = &self.leaves_of(value)[value.leaves.clone()];
        let words = &self.scripts[value.script].words()[value.leaves.clone()];
        let is_array = value.place.kind == JsonKind::Blocks;
        let names = is_array.then(|| text_names(leaves, words));
        let is_text =
            move |leaf: &&JsonLeaf| names.as_ref().is_none_or(|n| n.contains(&leaf.name()));
        leaves.iter().filter(is_text)
    }

    /// The text of a value, a string a line.
    pub fn text(&self, value: &JsonValue) -> String {
        let texts = self.text_leaves(value).map(|leaf| text_of_html(&leaf.text));
        texts.collect::<Vec<_>>().join("\n")
    }

    /// True if a value is far longer than the text that the page's elements show; and if
    /// that is a text, holds it and has the page's headline beside it.
    pub fn outdoes(&self, value: &JsonValue, shown: &MetricTokens) -> bool {
        if value.words < FAR_LONGER * shown.len() {
            return false;
        }
        if shown.len() < MIN_VALUE_WORDS {
            return true;
        }
        let text = self.text(value);
        let text = metric_tokens(&text);
        let all: HashSet<(&str, &str)> = text.iter().zip(text.iter().skip(1)).collect();
        let pairs = shown.iter().zip(shown.iter().skip(1));
        let shared = pairs.filter(|pair| all.contains(pair)).count();
        value.has_headline && shared as f64 >= HELD * (shown.len() - 1) as f64
    }

    /// All values with as many words as a text has, and `least_words`, in document order.
    fn values(&self, least_words: usize) -> Vec<JsonValue> {
        let of_script = |at| self.values_of(at, least_words, |_| true);
        (0..self.scripts.len()).flat_map(of_script).collect()
    }

    /// All values that are [far longer](Self::outdoes) than the text that the elements show.
    pub fn outdoing(&self, shown: &MetricTokens) -> Vec<JsonValue> {
        let mut values = self.values(FAR_LONGER * shown.len());
        values.retain(|value| self.outdoes(value, shown));
        values
    }

    /// The value at a place: of several the one whose object has the page's headline, else
    /// the longest.
    pub fn at(&self, place: &JsonPlace) -> Option<JsonValue> {
        let is_there = |path: &str| path == place.path;
        let named = (0..self.scripts.len()).filter(|&at| self.scripts[at].name == place.script);
        let values = named.flat_map(|at| self.values_of(at, 0, is_there));
        let is_array = place.kind == JsonKind::Blocks;
        let alike = values.filter(|v| (v.place.kind == JsonKind::Blocks) == is_array);
        let mut best = alike.max_by_key(|v| (v.has_headline, v.words))?;
        best.place.kind = place.kind;
        Some(best)
    }

    /// The value that is the page's article, as far as this page alone shows it: the longest
    /// one in an object that has the page's headline, or is a JSON-LD `articleBody`; else a
    /// long one whose object has a title and that is the only one at its path.
    pub fn article(&self) -> Option<JsonValue> {
        let values = self.values(0);
        let is_body = |value: &JsonValue| value.place.path.ends_with("/articleBody");
        let about = values.iter().filter(|v| v.has_headline);
        let found = longest(about).or_else(|| longest(values.iter().filter(|v| is_body(v))));
        let alone = || {
            let mut at_place: BTreeMap<&JsonPlace, usize> = BTreeMap::new();
            for value in &values {
                *at_place.entry(&value.place).or_default() += 1;
            }
            let is_alone = |value: &&JsonValue| at_place[&value.place] == 1;
            let titled = values
                .iter()
                .filter(|v| v.words >= MANY_WORDS && v.has_title);
            longest(titled.filter(is_alone))
        };
        found.or_else(alone).cloned()
    }

    /// The values of a script with so many words at paths that `is_wanted`.
    fn values_of(
        &self,
        script: usize,
        least_words: usize,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<JsonValue> {
        let JsonScript { name, leaves, .. } = &self.scripts[script];
        let words = self.scripts[script].words();
        let those = |is_one: &dyn Fn(&JsonLeaf) -> bool| -> Vec<&JsonLeaf> {
            let those = leaves.iter().filter(|leaf| is_one(leaf));
            those.take(MAX_TITLES).collect()
        };
        // Most scripts hold no value: what is only asked of one waits for it.
        let headlines = LazyCell::new(|| those(&|leaf| self.is_headline(&leaf.text)));
        let titles = LazyCell::new(|| those(&|leaf| matches!(leaf.name(), "title" | "headline")));
        let mut out = Vec::new();
        let mut add = |path: &[PathStep], range: Range<usize>, words, kind| {
            if words < least_words {
                return;
            }
            let place_path = generalised(path);
            if !is_wanted(&place_path) {
                return;
            }
            let nearest = |leaves: &[&JsonLeaf]| {
                let holders = leaves.iter().filter_map(|leaf| holder(path, leaf));
                holders.max()
            };
            let (of_headline, of_title) = (nearest(&headlines), nearest(&titles));
            let own = path.iter().rposition(|step| step.name().is_some());
            out.push(JsonValue {
                place: JsonPlace {
                    script: name.clone(),
                    path: place_path,
                    kind,
                },
                words,
                has_headline: of_headline.is_some(),
                has_title: of_title.is_some(),
                script,
                leaves: range,
                depth: path.len(),
                holder: of_headline.or(of_title).or(own).unwrap_or(0),
            });
        };
        for (at, leaf) in leaves.iter().enumerate() {
            for depth in array_depths(leaf) {
                let is_inside = |other: &JsonLeaf| other.shared(&leaf.path[..depth]) == depth;
                if at > 0 && is_inside(&leaves[at - 1]) {
                    continue;
                }
                let length = leaves[at..].iter().take_while(|l| is_inside(l)).count();
                let range = at..at + length;
                let in_all: usize = words[range.clone()].iter().sum();
                let inside = &leaves[range.clone()];
                if in_all < MIN_VALUE_WORDS || is_list_of_records(inside, depth) {
                    continue;
                }
                let names = text_names(inside, &words[range.clone()]);
                let is_text = |i: &usize| names.contains(&leaves[*i].name());
                let texts: Vec<usize> = range.clone().filter(is_text).collect();
                let in_texts = texts.iter().map(|&i| words[i]).sum();
                if texts.len() > 1 && in_texts >= MIN_VALUE_WORDS {
                    add(&leaf.path[..depth], range, in_texts, JsonKind::Blocks);
                }
            }
            if words[at] >= MIN_VALUE_WORDS {
                let kind = if is_html(&leaf.text) {
                    JsonKind::Html
                } else {
                    JsonKind::Text
                };
                add(&leaf.path, at..at + 1, words[at], kind);
            }
        }
        out
    }

    /// True if a text is what the page is called by, or what its `title` begins with.
    fn is_headline(&self, text: &str) -> bool {
        /// Bytes of the longest headline.
        const MAX_BYTES: usize = 400;
        /// Bytes of the shortest text that a `title` may begin with.
        const MIN_BYTES: usize = 12;
        if text.len() > MAX_BYTES {
            return false;
        }
        let text = key_of(text);
        let names_page = |headline: &String| {
            *headline == text || text.len() >= MIN_BYTES && headline.starts_with(&text)
        };
        !text.is_empty() && self.headlines.iter().any(names_page)
    }
}

/// The longest of some values; of several with nearly the same text that with the most
/// structure.
fn longest<'v>(values: impl Iterator<Item = &'v JsonValue> + Clone) -> Option<&'v JsonValue> {
    let most = values.clone().map(|value| value.words).max()?;
    let is_same = |value: &&JsonValue| value.words as f64 >= SAME_TEXT * most as f64;
    values.filter(is_same).min_by_key(|value| value.place.kind)
}

/// A text as it is compared: folded, in lower case, entities decoded.
fn key_of(text: &str) -> String {
    fold(&text_of_html(text)).to_lowercase()
}

/// True if a string is HTML, escaped once more than needed or not.
pub(super) fn is_html(text: &str) -> bool {
    let text = unescaped(text);
    let mut opens = text.match_indices('<').map(|(at, _)| &text[at + 1..]);
    opens.any(|rest| {
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let name = rest.find(|c: char| !c.is_ascii_alphanumeric());
        rest.starts_with(|c: char| c.is_ascii_lowercase())
            && name.is_some_and(|end| end < 12 && rest[end..].starts_with([' ', '>', '/', '\n']))
    })
}

/// The depths at which a leaf's path enters an array.
fn array_depths(leaf: &JsonLeaf) -> impl Iterator<Item = usize> {
    let steps = leaf.path.iter().enumerate();
    steps
        .filter(|(_, step)| step.name().is_none())
        .map(|(depth, _)| depth)
}

/// The keys of the strings in an array that are text: those of which one is a sentence.
/// `words` are the strings'.
fn text_names<'a>(leaves: &'a [JsonLeaf], words: &[usize]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    let sentences = leaves.iter().zip(words);
    for (leaf, _) in sentences.filter(|(_, words)| **words >= SENTENCE_WORDS) {
        let name = leaf.name();
        if name != "alt" && names.len() < MAX_NAMES && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// True if most elements of an array have a date or an address of their own: comments,
/// other articles, no blocks of a text. `depth` is that of the elements' indices.
fn is_list_of_records(leaves: &[JsonLeaf], depth: usize) -> bool {
    let elements = leaves.chunk_by(|a, b| a.path[depth] == b.path[depth]);
    let is_record = |element: &&[JsonLeaf]| {
        let own = element.iter().filter(|leaf| leaf.path.len() == depth + 2);
        own.clone()
            .any(|leaf| is_day(&leaf.text) || matches!(leaf.name(), "slug" | "permalink"))
    };
    let (all, records) = (elements.clone().count(), elements.filter(is_record).count());
    2 * records > all
}

/// True if a string begins with a day: `2024-03-05`.
fn is_day(text: &str) -> bool {
    let day = text.as_bytes().get(..10);
    day.is_some_and(|day| {
        let is_digit = |(at, b): (usize, &u8)| match at {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        };
        day.iter().enumerate().all(is_digit)
    })
}

/// The depth of the object that holds both the value at `path` and a headline near it.
fn holder(path: &[PathStep], headline: &JsonLeaf) -> Option<usize> {
    let shared = headline.shared(path);
    let (own, other) = (&path[shared..], &headline.path[shared..]);
    let is_near = |steps: &[PathStep], most: usize| {
        (1..=most).contains(&steps.len()) && steps.iter().all(|step| step.name().is_some())
    };
    // The last step of a string in an array is an index.
    let own = match own {
        [keys @ .., PathStep::Index(_)] => keys,
        keys => keys,
    };
    (is_near(own, TEXT_STEPS) && is_near(other, HEADLINE_STEPS)).then_some(shared)
}
