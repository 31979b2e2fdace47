//! Words that a full stop belongs to, and words that begin a sentence.
//!
//! Own lists, by language. An entry has no last full stop and is in lower case; one
//! with a capital stands for exactly that. Parts that spaces part in print are
//! written without (`z.b` is `z. B.` and `z.B.`). Sorted, so that they can be
//! searched by halves.
//!
//! - `english`, `french`, `german`, `spanish`: the lists.

mod english;
mod french;
mod german;
mod spanish;

use crate::text::{Language, stop_words};
use english::ENGLISH;
use french::FRENCH;
use german::GERMAN;
use spanish::SPANISH;

/// What a full stop behind an abbreviation says of the sentence's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Nothing: a name or another word follows (`Dr.`, `z. B.`).
    Inside,
    /// Nothing, if a number follows (`No. 7`, `p. 12`).
    BeforeNumber,
    /// It ends there if the next word is one that begins sentences (`Inc.`, `Jan.`).
    BeforeStarter,
    /// It ends there if a capital follows (`etc.`).
    BeforeCapital,
    /// The same, but for days, months and time zones (`p.m.`).
    BeforeCapitalNoDate,
}

type List = &'static [&'static str];

/// The lists of one language, by [`Stop`].
pub struct Lists {
    inside: List,
    before_number: List,
    before_starter: List,
    before_capital: List,
    time: List,
    starters: List,
}

/// Days, months and time zones that may follow a time of day.
const DATES: List = &[
    "april",
    "aug",
    "august",
    "bst",
    "cest",
    "cet",
    "cst",
    "december",
    "eastern",
    "edt",
    "est",
    "february",
    "friday",
    "gmt",
    "ist",
    "january",
    "jst",
    "july",
    "june",
    "march",
    "may",
    "monday",
    "mountain",
    "november",
    "october",
    "pacific",
    "pdt",
    "pst",
    "saturday",
    "september",
    "sunday",
    "thursday",
    "tuesday",
    "utc",
    "wednesday",
];

/// Verbs behind a quotation (`"Where?" John asked.`); other languages put the
/// speaker behind the verb, which has a small letter.
const SAID: List = &[
    "added",
    "announced",
    "answered",
    "asked",
    "called",
    "cried",
    "demanded",
    "exclaimed",
    "explained",
    "muttered",
    "noted",
    "observed",
    "remarked",
    "repeated",
    "replied",
    "said",
    "says",
    "screamed",
    "shouted",
    "sighed",
    "whispered",
    "wondered",
    "wrote",
    "yelled",
];

fn lists(language: Language) -> &'static [&'static Lists] {
    match language {
        Language::English => &[&ENGLISH],
        Language::French => &[&FRENCH],
        Language::German => &[&GERMAN],
        Language::Spanish => &[&SPANISH],
        // Chinese and Japanese texts abbreviate in English.
        Language::Chinese | Language::Japanese | Language::Korean => &[&ENGLISH],
        Language::Portuguese | Language::Italian | Language::Catalan => &[&SPANISH, &FRENCH],
        Language::Dutch | Language::Danish | Language::Norwegian | Language::Swedish => {
            &[&ENGLISH, &GERMAN]
        }
        _ => &[&ENGLISH, &FRENCH],
    }
}

fn is_in(list: List, word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// What is known of a word before a full stop.
pub fn stop_of(word: &str, language: Language) -> Option<Stop> {
    let lower = word.to_lowercase();
    let has = |list: List| is_in(list, &lower) || is_in(list, word);
    for lists in lists(language) {
        // A month that is also a title (`mar`) is the first that fits.
        let by_stop = [
            (lists.before_number, Stop::BeforeNumber),
            (lists.inside, Stop::Inside),
            (lists.before_capital, Stop::BeforeCapital),
            (lists.time, Stop::BeforeCapitalNoDate),
            (lists.before_starter, Stop::BeforeStarter),
        ];
        for (list, stop) in by_stop {
            if has(list) {
                return Some(stop);
            }
        }
    }
    // Streets: `Hauptstr. 12`.
    let is_street = language == Language::German && lower.ends_with("str");
    is_street.then_some(Stop::BeforeStarter)
}

/// Whether a word with a capital begins sentences: it would be written small
/// within one.
pub fn begins_sentences(word: &str, language: Language) -> bool {
    let lower = word.to_lowercase();
    let is_letter = lower.chars().nth(1).is_none();
    let own = lists(language).iter().any(|l| is_in(l.starters, &lower));
    // `l'art` and the like: what stands before the apostrophe.
    let head = lower.split(['\'', '’']).next().unwrap_or_default();
    let elided =
        head.len() < lower.len() && matches!(head, "l" | "d" | "c" | "j" | "n" | "s" | "qu");
    // The lists of stop words hold every letter.
    own || elided || (!is_letter && stop_words(language).contains(&lower))
}

/// Whether a word goes on after a time of day.
pub fn is_date(word: &str) -> bool {
    is_in(DATES, &word.to_lowercase())
}

/// Whether a word says that somebody said something.
pub fn is_said(word: &str) -> bool {
    is_in(SAID, word)
}

/// Whether numbers with a full stop are ordinals (`3. Oktober`).
pub fn has_dotted_ordinals(language: Language) -> bool {
    use Language::*;
    matches!(
        language,
        German
            | Danish
            | Norwegian
            | Finnish
            | Estonian
            | Latvian
            | Lithuanian
            | Polish
            | Czech
            | Slovak
            | Slovene
            | Croatian
            | Serbian
            | Hungarian
            | Turkish
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_searched_by_halves() {
        for lists in [&ENGLISH, &FRENCH, &GERMAN, &SPANISH] {
            for list in [
                lists.inside,
                lists.before_number,
                lists.before_starter,
                lists.before_capital,
                lists.time,
                lists.starters,
            ] {
                let unsorted = list.windows(2).find(|pair| pair[0] >= pair[1]);
                assert_eq!(unsorted, None);
            }
        }
        assert!(DATES.is_sorted() && SAID.is_sorted());
    }

    #[test]
    fn what_is_known_of_words() {
        let check =
            |word: &str, language, stop| assert_eq!(stop_of(word, language), stop, "{word}");
        check("Dr", Language::English, Some(Stop::Inside));
        check("M", Language::French, Some(Stop::Inside));
        check("m", Language::French, None);
        check("z.B", Language::German, Some(Stop::Inside));
        check("usw", Language::German, Some(Stop::BeforeCapital));
        check("Pág", Language::Spanish, Some(Stop::BeforeNumber));
        check("etc", Language::Swedish, Some(Stop::BeforeCapital));
        check("Rs", Language::English, Some(Stop::BeforeNumber));
        check("Mill", Language::German, Some(Stop::BeforeStarter));
        check("Schweiz", Language::German, None);
        check("harbour", Language::English, None);
    }
}
