//! Words that a full stop belongs to, and words that begin a sentence.
//!
//! The lists stand in `words/`, a file a language. An entry has no last full stop and is
//! in lower case; an entry with a capital stands for exactly that. Parts with
//! spaces between them in print are written without spaces (`z.b` is `z. B.` and `z.B.`).

use crate::text::{Language, WordLists, stop_words};
use std::sync::LazyLock;

static ENGLISH: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words/english.txt")));
static FRENCH: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words/french.txt")));
static GERMAN: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words/german.txt")));
static SPANISH: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words/spanish.txt")));

/// The effect of a full stop behind an abbreviation on the sentence's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopRule {
    /// No end: a name or another word follows (`Dr.`, `z. B.`).
    Inside,
    /// No end if a number follows (`No. 7`, `p. 12`).
    BeforeNumber,
    /// The end if the next word begins sentences (`Inc.`, `Jan.`).
    BeforeStarter,
    /// The end if a capital follows (`etc.`).
    BeforeCapital,
    /// The same, except before days, months and time zones (`p.m.`).
    BeforeCapitalNoDate,
}

/// The sections of abbreviations with their rules, in the order in which they are
/// searched: a month that is also a title (`mar`) has the first rule that fits.
const ABBREVIATIONS: [(&str, StopRule); 5] = [
    ("before-number", StopRule::BeforeNumber),
    ("inside", StopRule::Inside),
    ("before-capital", StopRule::BeforeCapital),
    ("time", StopRule::BeforeCapitalNoDate),
    ("before-starter", StopRule::BeforeStarter),
];

/// The lists that are used for texts in a language, in order.
fn lists(language: Language) -> impl Iterator<Item = &'static WordLists> {
    use Language::*;
    let listed: &[Language] = match language {
        French => &[French],
        German => &[German],
        Spanish => &[Spanish],
        // Chinese and Japanese texts abbreviate in English.
        English | Chinese | Japanese | Korean => &[English],
        Portuguese | Italian | Catalan => &[Spanish, French],
        Dutch | Danish | Norwegian | Swedish => &[English, German],
        _ => &[English, French],
    };
    listed.iter().map(|language| match language {
        French => &*FRENCH,
        German => &*GERMAN,
        Spanish => &*SPANISH,
        _ => &*ENGLISH,
    })
}

/// The rule of a word before a full stop; `None` for words that are no abbreviations.
pub fn rule_of(word: &str, language: Language) -> Option<StopRule> {
    let lower = word.to_lowercase();
    for lists in lists(language) {
        for (section, rule) in ABBREVIATIONS {
            if lists.has(section, &lower) || lists.has(section, word) {
                return Some(rule);
            }
        }
    }
    // Streets: `Hauptstr. 12`.
    let is_street = language == Language::German && lower.ends_with("str");
    is_street.then_some(StopRule::BeforeStarter)
}

/// Returns true for words that have a capital only at the beginning of a sentence.
pub fn begins_sentences(word: &str, language: Language) -> bool {
    let lower = word.to_lowercase();
    let is_letter = lower.chars().nth(1).is_none();
    let own = lists(language).any(|lists| lists.has("starters", &lower));
    // The part before the apostrophe of `l'art` and the like.
    let head = lower.split(['\'', '’']).next().unwrap_or_default();
    let elided =
        head.len() < lower.len() && matches!(head, "l" | "d" | "c" | "j" | "n" | "s" | "qu");
    // The lists of stop words hold every letter.
    own || elided || (!is_letter && stop_words(language).contains(&lower))
}

/// Returns true for days, months and time zones, which may follow a time of day.
pub fn is_date(word: &str) -> bool {
    ENGLISH.has("dates", &word.to_lowercase())
}

/// Returns true for English verbs of saying.
pub fn is_verb_of_saying(word: &str) -> bool {
    ENGLISH.has("said", word)
}

/// Returns true for languages whose ordinals have a full stop (`3. Oktober`).
pub fn has_dotted_ordinals(language: Language) -> bool {
    let tag = language.tag();
    "da no fi et lv lt pl cs sk sl hr sr hu tr de"
        .split(' ')
        .any(|dotted| dotted == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_the_lists_is_used() {
        let used: Vec<&str> = ABBREVIATIONS.iter().map(|(section, _)| *section).collect();
        for lists in [&ENGLISH, &FRENCH, &GERMAN, &SPANISH] {
            let sections = lists.sections();
            let abbreviations = sections.iter().filter(|name| used.contains(name)).count();
            assert!(abbreviations >= 4, "{sections:?}");
            let others = sections.into_iter().filter(|name| !used.contains(name));
            let known = |name| ["starters", "dates", "said"].contains(&name);
            assert!(others.clone().all(known) && others.count() >= 1);
            assert!(lists.has("before-capital", "etc") && lists.has("before-number", "no"));
        }
        assert!(is_date("Monday") && is_verb_of_saying("asked"));
    }

    #[test]
    fn what_is_known_of_words() {
        let check =
            |word: &str, language, stop| assert_eq!(rule_of(word, language), stop, "{word}");
        check("Dr", Language::English, Some(StopRule::Inside));
        check("M", Language::French, Some(StopRule::Inside));
        check("m", Language::French, None);
        check("z.B", Language::German, Some(StopRule::Inside));
        check("usw", Language::German, Some(StopRule::BeforeCapital));
        check("Pág", Language::Spanish, Some(StopRule::BeforeNumber));
        check("etc", Language::Swedish, Some(StopRule::BeforeCapital));
        check("Rs", Language::English, Some(StopRule::BeforeNumber));
        check("Mill", Language::German, Some(StopRule::BeforeStarter));
        check("Schweiz", Language::German, None);
        check("harbour", Language::English, None);
    }
}
