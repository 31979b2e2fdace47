//! The written words: topics and decks of sentence frames, one pair of files a
//! language (see `text/README.md`).

use std::collections::BTreeMap;
use std::path::Path;

use super::locale::Locale;
use super::site::Site;
use crate::rng::Rng;

/// Reads a file of the writer; the error names it.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The topic of one article.
#[derive(Debug, Clone, Default)]
pub struct Topic {
    /// The short name after `@`.
    pub slug: String,
    /// The group (`##`), which is one site's.
    pub group: String,
    /// The headline.
    pub title: String,
    /// Slot values by name.
    pub slots: BTreeMap<String, String>,
    /// Paragraphs that belong to this topic only.
    pub own: Vec<String>,
}

/// Everything written in one language, for a site of it.
pub struct Bank {
    /// `en`, `de`, ...
    lang: String,
    /// The days and numbers of the site.
    pub locale: Locale,
    /// All topics, in the file's order.
    pub topics: Vec<Topic>,
    decks: BTreeMap<String, Vec<String>>,
}

/// The slots of a topic line, by language.
fn slot_names(lang: &str) -> &'static [&'static str] {
    match lang {
        "en" => &[
            "thing", "noun", "nouns", "place", "who", "role", "who2", "role2", "org", "a", "b", "c",
        ],
        "de" => &[
            "sache", "leute", "place", "who", "who2", "a", "b", "c", "org",
        ],
        "fr" => &[
            "chose", "gens", "place", "who", "who2", "a", "b", "c", "org",
        ],
        "es" => &[
            "cosa", "gente", "place", "who", "who2", "a", "b", "c", "org",
        ],
        _ => &["thing", "place", "who", "who2", "a", "b", "c", "org"],
    }
}

impl Bank {
    /// Reads `<lang>-topics.txt` and `<lang>-frames.txt` in `folder`, `lang` being that of `site`.
    pub fn read(folder: &Path, site: &Site) -> Result<Bank, String> {
        let lang = site.language();
        let topics = read(&folder.join(format!("{lang}-topics.txt")))?;
        let frames = read(&folder.join(format!("{lang}-frames.txt")))?;
        let decks = parse_decks(&frames);
        Ok(Bank {
            lang: lang.to_owned(),
            locale: Locale::of(site, decks.get("months").map_or(&[], Vec::as_slice))?,
            topics: parse_topics(&topics, lang)?,
            decks,
        })
    }

    /// The space between two sentences: none in Chinese; in Thai one, which is all that
    /// ends a sentence there.
    pub fn sentence_gap(&self) -> &'static str {
        if self.lang == "zh" { "" } else { " " }
    }

    /// The topics of one site.
    pub fn group(&self, group: &str) -> Vec<&Topic> {
        self.topics
            .iter()
            .filter(|topic| topic.group == group)
            .collect()
    }

    /// The cards of a deck; an unknown name is an error that names it.
    pub fn deck(&self, name: &str) -> Result<&[String], String> {
        self.decks
            .get(name)
            .map(Vec::as_slice)
            .ok_or_else(|| format!("{}-frames.txt has no deck `## {name}`", self.lang))
    }

    /// Fills the slots of `frame` from `topic` and, for numbers, days and
    /// money, from `rng`.
    pub fn fill(&self, frame: &str, topic: &Topic, rng: &mut Rng) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = frame;
        while let Some(start) = rest.find('{') {
            out.push_str(&rest[..start]);
            let end = rest[start..]
                .find('}')
                .ok_or_else(|| format!("`{frame}`: slot without `}}`"))?;
            let name = &rest[start + 1..start + end];
            out.push_str(&self.slot(name, topic, rng)?);
            rest = &rest[start + end + 1..];
        }
        out.push_str(rest);
        Ok(capital_after_stop(&out))
    }

    fn slot(&self, name: &str, topic: &Topic, rng: &mut Rng) -> Result<String, String> {
        let value = match name {
            "n" | "m" => self.locale.number(rng.between(5, 19)),
            "N" => self
                .locale
                .number(rng.between(21, 89) * 10 + rng.between(5, 9)),
            "year" => self.locale.year(rng.between(1871, 1994)),
            "since" => self.locale.year(rng.between(1968, 1994)),
            "day" | "month" => rng.pick(self.deck(name)?).clone(),
            "money" => {
                let frame = rng.pick(self.deck("money")?).clone();
                return self.fill(&frame, topic, rng);
            }
            "last" | "last2" => {
                let who = &topic.slots[if name == "last" { "who" } else { "who2" }];
                who.rsplit(' ').next().unwrap_or(who).to_owned()
            }
            "a3" | "b3" | "c3" => dative(&topic.slots[&name[..1]]),
            _ => {
                let lower = name.to_lowercase();
                let value = topic
                    .slots
                    .get(&lower)
                    .ok_or_else(|| format!("no slot {{{name}}} in topic @{}", topic.slug))?;
                if lower == name {
                    value.clone()
                } else {
                    capital(value)
                }
            }
        };
        Ok(value)
    }
}

/// The German dative plural: `n` is added unless the word ends in `n` or `s`.
fn dative(plural: &str) -> String {
    if plural.ends_with(['n', 's']) {
        plural.to_owned()
    } else {
        format!("{plural}n")
    }
}

/// The same with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// A sentence that begins with a slot begins with a capital all the same.
fn capital_after_stop(text: &str) -> String {
    let quoted = text.starts_with(['“', '„', '«']);
    let skip = text
        .char_indices()
        .find(|(_, c)| c.is_alphanumeric())
        .map_or(0, |(at, _)| at);
    let lower_start = text[skip..].starts_with(|c: char| c.is_lowercase());
    if lower_start && (skip == 0 || quoted) {
        format!("{}{}", &text[..skip], capital(&text[skip..]))
    } else {
        text.to_owned()
    }
}

fn parse_topics(text: &str, lang: &str) -> Result<Vec<Topic>, String> {
    let mut topics: Vec<Topic> = Vec::new();
    let mut group = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            group = name.to_owned();
        } else if let Some(slug) = line.strip_prefix('@') {
            topics.push(Topic {
                slug: slug.to_owned(),
                group: group.clone(),
                ..Topic::default()
            });
        } else if !line.is_empty() && !line.starts_with('#') {
            let topic = topics.last_mut().ok_or("a topic file begins with @slug")?;
            let (kind, value) = line.split_once(' ').unwrap_or((line, ""));
            match kind {
                "t" => topic.title = value.to_owned(),
                "p" => topic.own.push(value.to_owned()),
                "s" => topic.slots = parse_slots(value, lang, &topic.slug)?,
                _ => return Err(format!("{lang}-topics.txt: unknown line `{line}`")),
            }
        }
    }
    Ok(topics)
}

fn parse_slots(line: &str, lang: &str, slug: &str) -> Result<BTreeMap<String, String>, String> {
    let names = slot_names(lang);
    let values: Vec<&str> = line.split('|').collect();
    if names.len() != values.len() {
        return Err(format!(
            "{lang}-topics.txt @{slug}: {} slots, not {}",
            values.len(),
            names.len()
        ));
    }
    Ok(names
        .iter()
        .zip(values)
        .map(|(k, v)| ((*k).to_owned(), v.to_owned()))
        .collect())
}

fn parse_decks(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut decks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(deck) = line.strip_prefix("## ") {
            name = deck.to_owned();
        } else if !line.is_empty() && !line.starts_with("# ") {
            decks.entry(name.clone()).or_default().push(line.to_owned());
        }
    }
    decks
}
