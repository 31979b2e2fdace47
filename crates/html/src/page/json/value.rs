//! The values of a page's JSON that may be an article's text.

use super::super::{Page, plain::text_of_html};
use super::leaf::{JsonLeaf, PathStep, SENTENCE_WORDS, generalised, unescaped};
use super::place::{JsonKind, JsonPlace};
use super::reader::JsonReader;
use super::scripts::{JsonScript, may_hold, scripts};
use super::thread::{is_alike, threads};
use super::tie::{
    HEADLINE_STEPS, JsonTie, PageNames, holder, is_foreign, key_words, named_holder, names_text,
};
use crate::text::{MetricTokens, metric_tokens};
use std::cell::{LazyCell, OnceCell};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Words (metric tokens) of a value below which it is no article's text.
const MIN_VALUE_WORDS: usize = 25;

/// Words of a value that is taken for the article though nothing says what the page is
/// about.
const MANY_WORDS: usize = 100;

/// By so many times a text in a page's JSON is longer than that of the page's elements to
/// be taken in its place.
const FAR_LONGER: usize = 2;

/// And by so much of the 2-grams of words of that text it holds.
const HELD: f64 = 0.8;

/// The share of the 2-grams of words of a value that the page's elements show from which on it
/// is no hidden text.
const SHOWN: f64 = 0.5;

/// Titles, headlines and addresses of one script that are looked at.
const MAX_TITLES: usize = 1000;

/// Strings on either side of a value that are asked whether its object is an article.
const MAX_NEAR: usize = 200;

/// Steps from an object to the strings that say that it is an article.
const SAYING_STEPS: usize = 2;

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
    all_shown: OnceCell<MetricTokens>,
    names: PageNames,
}

/// A value that may be the text of the page's article.
#[derive(Debug, Clone)]
pub struct JsonValue {
    /// Its place, as a wrapper names it.
    pub place: JsonPlace,
    /// Its words (metric tokens).
    pub words: usize,
    /// Its tie to the page.
    pub tie: JsonTie,
    /// True if its key is that of a text: `body`, `content`.
    pub names_text: bool,
    script: usize,
    pub(super) leaves: Range<usize>,
    /// The number of steps of its path, and of that of the object that holds it.
    pub(super) depth: usize,
    pub(super) holder: usize,
}

impl<'p> PageJson<'p> {
    /// Reads the JSON of a page.
    pub fn of(page: &'p Page) -> PageJson<'p> {
        PageJson {
            page,
            scripts: scripts(page, &mut JsonReader::default()),
            all_shown: OnceCell::new(),
            names: PageNames::of(page),
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
        let script = &self.scripts[value.script];
        let (leaves, range) = (&script.leaves, value.leaves.clone());
        let first = range.start;
        let texts = match value.place.kind {
            JsonKind::Blocks => script.said_once(range, value.depth),
            JsonKind::Thread => {
                let is_post = |&at: &usize| is_alike(&leaves[at].path, &leaves[first].path);
                range.filter(is_post).collect()
            }
            JsonKind::Html | JsonKind::Text => vec![first],
        };
        texts.into_iter().map(|at| &leaves[at])
    }

    /// The text of a value, a string a line.
    pub fn text(&self, value: &JsonValue) -> String {
        let texts = self.text_leaves(value).map(|leaf| text_of_html(&leaf.text));
        texts.collect::<Vec<_>>().join("\n")
    }

    /// True if a value is far longer than the text that the page's elements show; and if
    /// that is a text, holds it and is tied to the page; and if the elements do not show most of it
    /// in other places. An array holds much beside an article that the elements show.
    pub fn outdoes(&self, value: &JsonValue, shown: &MetricTokens) -> bool {
        if value.words < FAR_LONGER * shown.len() {
            return false;
        }
        let text = self.text(value);
        let text = metric_tokens(&text);
        let goes_on = value.tie >= JsonTie::Address && value.place.kind != JsonKind::Blocks;
        let is_part = || goes_on && share_held(shown, &text) >= HELD;
        let is_hidden = || share_held(&text, self.all_shown()) < SHOWN;
        (shown.len() < MIN_VALUE_WORDS || is_part()) && is_hidden()
    }

    /// The words of the page's elements, menus included.
    fn all_shown(&self) -> &MetricTokens {
        self.all_shown.get_or_init(|| {
            let mut text = String::new();
            for n in self
                .page
                .content_texts(self.page.body().unwrap_or(self.page.root()))
            {
                text.push_str(self.page.text(n));
                text.push(' ');
            }
            metric_tokens(&text)
        })
    }

    /// All values with as many words as a text has, and `least_words`, in document order; without
    /// those of navigation, notices and the like.
    fn values(&self, least_words: usize) -> Vec<JsonValue> {
        let of_script = |at| self.values_of(at, least_words, |_| true);
        let all = (0..self.scripts.len()).flat_map(of_script);
        all.filter(|value| !is_foreign(self.path(value), value.words))
            .collect()
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
        let is_single = |kind| matches!(kind, JsonKind::Html | JsonKind::Text);
        let is_alike = |kind| kind == place.kind || is_single(kind) && is_single(place.kind);
        let alike = values.filter(|value| is_alike(value.place.kind));
        let mut best = alike.max_by_key(|v| (v.tie >= JsonTie::Address, v.words))?;
        best.place.kind = place.kind;
        Some(best)
    }

    /// The value that is the page's article, as far as this page alone shows it: the longest
    /// one in an object that has the page's headline; else its address; else a JSON-LD
    /// `articleBody`; else a long one whose object says that it is an article and that is the only
    /// one at its path. A short one needs the key of a text. A thread that is tied to the page by its headline or address is the
    /// article if one of its posts is, or a part of one.
    pub fn article(&self) -> Option<JsonValue> {
        let values = self.values(0);
        // Objects around others with the same name and a long text: the name is those others'.
        let mut around: HashSet<(usize, JsonTie, &[PathStep])> = HashSet::new();
        for value in values.iter().filter(|value| value.words >= MANY_WORDS) {
            let holder = &self.leaves_of(value)[value.leaves.start].path[..value.holder];
            around.extend((0..holder.len()).map(|end| (value.script, value.tie, &holder[..end])));
        }
        let may_be_it = |value: &&JsonValue| {
            let holder = &self.leaves_of(value)[value.leaves.start].path[..value.holder];
            (value.names_text || value.words >= MANY_WORDS)
                && !around.contains(&(value.script, value.tie, holder))
        };
        let values: Vec<JsonValue> = values.iter().filter(may_be_it).cloned().collect();
        let (threads, texts): (Vec<JsonValue>, Vec<JsonValue>) = values
            .into_iter()
            .partition(|value| value.place.kind == JsonKind::Thread);
        let tied = |values: &[JsonValue], tie| {
            longest(values.iter().filter(|value| value.tie == tie)).cloned()
        };
        let best = |values: &[JsonValue]| {
            tied(values, JsonTie::Headline).or_else(|| tied(values, JsonTie::Address))
        };
        let alone = || {
            let mut at_place: BTreeMap<&JsonPlace, usize> = BTreeMap::new();
            for value in &texts {
                *at_place.entry(&value.place).or_default() += 1;
            }
            let is_alone = |value: &&JsonValue| {
                value.tie == JsonTie::Article
                    && value.words >= MANY_WORDS
                    && at_place[&value.place] == 1
            };
            longest(texts.iter().filter(is_alone)).cloned()
        };
        let by_key = || tied(&texts, JsonTie::Body);
        let found = best(&texts).or_else(by_key).or_else(alone);
        let Some(thread) = best(&threads) else {
            return found;
        };
        let is_of_thread = |found: &JsonValue| {
            let (text, posts) = (self.text(found), self.text(&thread));
            share_held(&metric_tokens(&text), &metric_tokens(&posts)) >= HELD
        };
        match found {
            Some(found) if !is_of_thread(&found) => Some(found),
            _ => Some(thread),
        }
    }

    /// The path of a value.
    fn path(&self, value: &JsonValue) -> &[PathStep] {
        &self.leaves_of(value)[value.leaves.start].path[..value.depth]
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
        let headlines = LazyCell::new(|| those(&|leaf| self.names.is_headline(&leaf.text)));
        let addresses = LazyCell::new(|| those(&|leaf| self.names.is_address(leaf)));
        let titles = LazyCell::new(|| those(&|leaf| matches!(leaf.name(), "title" | "headline")));
        let mut out = Vec::new();
        // `base` is the path of the value, or that of the first record of a thread.
        let mut add = |path: &[PathStep], base: &[PathStep], range: Range<usize>, words, kind| {
            if words < least_words {
                return;
            }
            let place_path = generalised(path);
            if !is_wanted(&place_path) {
                return;
            }
            let nearest = |leaves: &[&JsonLeaf], steps| {
                let holders = leaves.iter().filter_map(|leaf| holder(base, leaf, steps));
                holders.max()
            };
            let of_address = || {
                let of_string = nearest(&addresses, 1);
                of_string.or_else(|| named_holder(base, &self.names))
            };
            let of_title = nearest(&titles, HEADLINE_STEPS);
            let own = base.iter().rposition(|step| step.name().is_some());
            let (tie, of_name) = if let Some(holder) = nearest(&headlines, HEADLINE_STEPS) {
                (JsonTie::Headline, Some(holder))
            } else if let Some(holder) = of_address() {
                (JsonTie::Address, Some(holder))
            } else if place_path.ends_with("/articleBody") {
                (JsonTie::Body, of_title)
            } else if of_title
                .is_some_and(|holder| says_article(near(leaves, &range), &path[..holder]))
            {
                (JsonTie::Article, of_title)
            } else {
                (JsonTie::None, of_title)
            };
            let depth = match kind {
                JsonKind::Thread => base.len() - 1,
                _ => path.len(),
            };
            out.push(JsonValue {
                place: JsonPlace {
                    script: name.clone(),
                    path: place_path,
                    kind,
                },
                words,
                tie,
                names_text: names_text(path),
                script,
                leaves: range,
                depth,
                holder: of_name.or(own).unwrap_or(0).min(depth),
            });
        };
        for thread in threads(leaves, words, &self.names) {
            let (Some(&first), Some(&last)) = (thread.texts.first(), thread.texts.last()) else {
                continue;
            };
            let in_all: usize = thread.texts.iter().map(|&at| words[at]).sum();
            if in_all >= MIN_VALUE_WORDS {
                let path = &leaves[first].path;
                add(
                    path,
                    &path[..thread.depth],
                    first..last + 1,
                    in_all,
                    JsonKind::Thread,
                );
            }
        }
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
                let texts = self.scripts[script].said_once(range.clone(), depth);
                let in_texts = texts.iter().map(|&at| words[at]).sum();
                if texts.len() > 1 && in_texts >= MIN_VALUE_WORDS {
                    let path = &leaf.path[..depth];
                    add(path, path, range, in_texts, JsonKind::Blocks);
                }
            }
            if words[at] >= MIN_VALUE_WORDS {
                let kind = if is_html(&leaf.text) {
                    JsonKind::Html
                } else {
                    JsonKind::Text
                };
                add(&leaf.path, &leaf.path, at..at + 1, words[at], kind);
            }
        }
        out
    }
}

/// The longest of some values; of several with nearly the same text that with the most
/// structure.
fn longest<'v>(values: impl Iterator<Item = &'v JsonValue> + Clone) -> Option<&'v JsonValue> {
    let most = values.clone().map(|value| value.words).max()?;
    let is_same = |value: &&JsonValue| value.words as f64 >= SAME_TEXT * most as f64;
    values.filter(is_same).min_by_key(|value| value.place.kind)
}

/// The share of the 2-grams of words of a text that another one has; 1 of a text without any.
fn share_held(text: &MetricTokens, other: &MetricTokens) -> f64 {
    let all: HashSet<(&str, &str)> = other.iter().zip(other.iter().skip(1)).collect();
    let pairs = text.iter().zip(text.iter().skip(1));
    let held = pairs.filter(|pair| all.contains(pair)).count();
    if text.len() < 2 {
        return 1.0;
    }
    held as f64 / (text.len() - 1) as f64
}

/// The strings of a value, and those before and behind them.
fn near<'a>(leaves: &'a [JsonLeaf], value: &Range<usize>) -> &'a [JsonLeaf] {
    let end = value.end.saturating_add(MAX_NEAR).min(leaves.len());
    &leaves[value.start.saturating_sub(MAX_NEAR)..end]
}

/// True if the object at a path has an author or a day of its own.
fn says_article(leaves: &[JsonLeaf], path: &[PathStep]) -> bool {
    let near = leaves.iter().filter(|leaf| {
        let steps = leaf.path.len().saturating_sub(path.len());
        (1..=SAYING_STEPS + 1).contains(&steps) && leaf.shared(path) == path.len()
    });
    near.take(MAX_TITLES).any(|leaf| {
        let keys = leaf.path[path.len()..].iter().filter_map(PathStep::name);
        let mut words = keys.flat_map(key_words).map(str::to_ascii_lowercase);
        is_day(&leaf.text)
            || words.any(|word| matches!(&*word, "author" | "authors" | "byline" | "creator"))
    })
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

impl JsonScript {
    /// The keys of the strings in an array that are text: those of which one is a sentence and not
    /// aside. `depth` is that of the elements' indices.
    fn text_names(&self, array: Range<usize>, depth: usize) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for at in array.filter(|&at| self.words()[at] >= SENTENCE_WORDS) {
            let name = self.leaves[at].name();
            if names.len() < MAX_NAMES && !names.contains(&name) && !self.is_aside(at, depth) {
                names.push(name);
            }
        }
        names
    }

    /// The strings of an array that are text, without those that another one of the same element
    /// says.
    fn said_once(&self, array: Range<usize>, depth: usize) -> Vec<usize> {
        let names = self.text_names(array.clone(), depth);
        let is_text =
            |at: usize| names.contains(&self.leaves[at].name()) && !self.is_aside(at, depth);
        let is_said = |at: usize, by: usize| {
            by >= array.start
                && self.leaves[by].path[depth] == self.leaves[at].path[depth]
                && is_text(by)
        };
        let texts = array.clone().filter(|&at| is_text(at));
        let once = texts.filter(|&at| !self.said()[at].is_some_and(|by| is_said(at, by)));
        once.collect()
    }

    /// True if a string's path leads aside below an array.
    fn is_aside(&self, at: usize, depth: usize) -> bool {
        self.aside()[at].is_some_and(|step| step >= depth)
    }
}

/// True if most elements of an array have a date or an address of their own, or a title and an
/// author: comments, other articles, no blocks of a text. `depth` is that of the elements' indices.
fn is_list_of_records(leaves: &[JsonLeaf], depth: usize) -> bool {
    let elements = leaves.chunk_by(|a, b| a.path[depth] == b.path[depth]);
    let is_record = |element: &&[JsonLeaf]| {
        let own = element.iter().filter(|leaf| leaf.path.len() == depth + 2);
        let is_title = |leaf: &JsonLeaf| matches!(leaf.name(), "title" | "headline");
        own.clone()
            .any(|leaf| is_day(&leaf.text) || matches!(leaf.name(), "slug" | "permalink"))
            || own.clone().any(is_title) && says_article(element, &element[0].path[..=depth])
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
