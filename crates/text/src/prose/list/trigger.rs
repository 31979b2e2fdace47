//! Words at the end of an introduction that bind each item to it (section 3.2.3):
//! prepositions, auxiliary verbs and *not*.
//!
//! The paper gives four of them ("in", "to", "may", "can"). The lists are those of
//! the usual grammars: simple prepositions; forms of the auxiliaries in the present,
//! the past and the conditional, as introductions have them; the modal verbs, and in
//! the Romance languages those that take an infinitive as English modals do. *Above*,
//! *below*, *down* and *up* are left out: at the end of an introduction they are adverbs
//! ("as listed below", "here is how it breaks down"), and the items are sentences. Also
//! left out are *do* ("what to do"), *après* ("ci-après") and the German *ab*, *an*, *auf*
//! and *vor*, which end a main clause as part of its verb ("Gehen Sie wie folgt vor").

use forest_html::text::{Language, WordLists};
use std::sync::LazyLock;

/// The trigger words: a section a language, named by its tag.
static TRIGGERS: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("triggers.txt")));

/// Returns true if an introduction, without its colon, ends in a trigger word of its
/// language.
pub(super) fn ends_in_trigger(introduction: &str, language: Language) -> bool {
    let word = introduction
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default()
        .to_lowercase();
    TRIGGERS.has(language.tag(), &word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_a_language() {
        assert_eq!(TRIGGERS.sections(), ["en", "fr", "de", "es"]);
    }

    #[test]
    fn trigger_words_are_those_of_the_language() {
        let check = |language, introduction, expected| {
            let found = ends_in_trigger(introduction, language);
            assert_eq!(found, expected, "{language} {introduction}");
        };
        check(Language::English, "parents need to", true);
        check(Language::English, "You may", true);
        check(Language::English, "It is NOT", true);
        check(Language::English, "dress styles to consider", false);
        check(
            Language::English,
            "You will need the papers named below",
            false,
        );
        check(Language::English, "This is where the cost shows up", false);
        check(Language::English, "What a tomato", false);
        check(Language::English, "What to do", false);
        check(Language::French, "Voir la liste ci-après", false);
        check(Language::German, "Gehen Sie wie folgt vor", false);
        check(Language::German, "Das Team besteht aus", true);
        check(Language::English, "", false);
        check(Language::French, "Vous devez", true);
        check(Language::French, "Le prix dépend de", true);
        check(Language::French, "Il ne faut pas", true);
        check(Language::German, "Sie können", true);
        check(Language::German, "Gehen Sie nicht", true);
        check(Language::German, "Man fährt über", true);
        check(Language::German, "to", false);
        check(Language::Spanish, "Usted puede", true);
        check(Language::Spanish, "El viaje pasa por", true);
        check(Language::Spanish, "Esto no", true);
        check(Language::Italian, "non", false);
    }
}
