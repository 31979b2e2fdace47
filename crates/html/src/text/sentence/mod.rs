//! Text to sentences, one a line.
//!
//! Takes a text whose lines are blocks, the lines that are one sentence each and the language; gives the sentences. Lines
//! are never joined here.
//!
//! - `marks`: the marks that may end a sentence; `scan`: the rules that decide.
//! - `words`: abbreviations and words that begin sentences, by language.
//! - `unspaced`: Chinese and Japanese, by punctuation.
//!
//! The words before and after a full stop decide if it ends a sentence:
//!
//! | before | after | ends |
//! | --- | --- | --- |
//! | any word | no space, or a small letter | no |
//! | `Dr.`, `z. B.` | anything | no |
//! | `No.`, `p.`, `Abb.` | a number | no |
//! | `etc.`, `usw.` | a capital | yes |
//! | `p.m.` | a capital, but for days, months and time zones | yes |
//! | `Inc.`, `Jan.`, an initial, `U.S.` | a word that begins sentences (a stop word) | yes |
//! | the same | another capital | no |
//! | a number of three digits at the most, where ordinals have a stop (German) | a word that begins sentences | yes |
//! | the same | another capital: `3. Oktober` | no |
//! | a number or letter at the sentence's beginning | anything: `1. Boil` | no |
//! | any other word | a capital or a digit | yes |
//!
//! `!`, `?` and `…` end one where no small letter follows. Closing quotes and
//! brackets, and a note's `[3]`, belong to the sentence before; with `»` a space may
//! come before it, as in French.
//!
//! **Departures.** Kitten has no such stage: it leaves sentences to the parsers
//! behind it. The crate `sentencex` 0.1 was tried first. Of the 60 cases a language in
//! `tests/data/sentences`, it had 53 of the English, 36 of the French, 48 of the German,
//! 43 of the Spanish, 47 of the Chinese and 44 of the Japanese right. By design it keeps
//! `etc.` and the next sentence together, and a quotation and the sentence behind it. Of
//! the 30 cases a language (English: 31) that were written after them, the rules here had
//! 30, 30, 28, 28, 29 and 28 right at first; they have all right now.

mod marks;
mod scan;
#[cfg(test)]
mod tests;
mod unspaced;
mod words;

pub use marks::is_terminal;

use crate::text::Language;
use std::ops::Range;

/// The sentences of a text, in their order. `fixed` are the byte ranges of the lines that
/// are one sentence each, in order. `language` is that of the text, for example as
/// [detected](Language::detect).
///
/// ```
/// use forest_html::text::sentence::sentences;
/// use forest_html::text::Language;
///
/// let text = "Dr. Hale left at 3 p.m. It rained.\na ; b: 1. / c: D.";
/// let fixed = [35..text.len()];
/// assert_eq!(
///     sentences(text, &fixed, Language::English),
///     ["Dr. Hale left at 3 p.m.", "It rained.", "a ; b: 1. / c: D."]
/// );
/// ```
pub fn sentences<'t>(text: &'t str, fixed: &[Range<usize>], language: Language) -> Vec<&'t str> {
    let mut out = Vec::new();
    let mut fixed = fixed.iter().peekable();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        while fixed
            .next_if(|range| range.end <= start && range.start < start)
            .is_some()
        {}
        let is_fixed = fixed
            .peek()
            .is_some_and(|range| range.start < end && range.end > start);
        if is_fixed {
            out.extend(Some(line.trim()).filter(|line| !line.is_empty()));
        } else {
            scan::split(line, language, &mut out);
        }
        start = end + 1;
    }
    out
}
