//! From text to lower-case words, in one pass.

use super::language::Language;

/// The longest term, in characters; longer runs (addresses, encoded data) are dropped.
/// The figure is that of tantivy's default analyzer, which counts bytes and so would drop
/// Russian and Greek words of more than 20 letters.
pub const MAX_TERM_CHARS: usize = 40;

/// The class of a character: its effect on a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharClass {
    /// Part of a word.
    Word,
    /// A character of a script written without spaces (or, Hangul, with long
    /// compounds): its runs become bigrams.
    Bigram,
    /// Belongs to the character before it: continues a word, does not begin one.
    Mark,
    /// Invisible (soft hyphen, zero-width joiners): words continue over it.
    Invisible,
    /// Ends a word.
    Break,
}

/// The class of a character outside ASCII.
fn class(c: char) -> CharClass {
    match c as u32 {
        // Latin-1 and Latin Extended, Greek, Cyrillic letters: the scripts of
        // most pages, decided without a table look-up.
        0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x2af => CharClass::Word,
        0x388..=0x38a | 0x38e..=0x3a1 | 0x3a3..=0x3ff if c != '\u{3f6}' => CharClass::Word,
        0x400..=0x481 | 0x48a..=0x52f => CharClass::Word,
        0xad | 0x200c | 0x200d | 0x2060 | 0xfeff => CharClass::Invisible,
        0x300..=0x36f => CharClass::Mark,
        // Viramas and other signs of Indic words that are not alphabetic; the
        // two dandas and the abbreviation sign end words.
        0x964 | 0x965 | 0x970 => CharClass::Break,
        0x900..=0xd7f if !c.is_alphanumeric() => CharClass::Mark,
        // Thai, Lao, Myanmar, Khmer with their tone marks.
        0xe01..=0xe3a | 0xe40..=0xe4e | 0xe81..=0xece | 0x1000..=0x1049 | 0x1780..=0x17d3 => {
            CharClass::Bigram
        }
        // Hangul: jamo, compatibility jamo, syllables, half-width.
        0x1100..=0x11ff | 0x3131..=0x318e | 0xa960..=0xa97c | 0xac00..=0xd7fb => CharClass::Bigram,
        0xffa0..=0xffdc => CharClass::Bigram,
        // Kana, without the middle dot that parts words; half-width katakana.
        0x3041..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x30ff | 0x31f0..=0x31ff => CharClass::Bigram,
        0xff66..=0xff9f => CharClass::Bigram,
        // Han, its radicals, iteration marks and numerals; bopomofo.
        0x2e80..=0x2fd5 | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 => CharClass::Bigram,
        0x3038..=0x303b | 0x3105..=0x312f | 0x31a0..=0x31bf => CharClass::Bigram,
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => {
            CharClass::Bigram
        }
        _ if c.is_alphanumeric() => CharClass::Word,
        _ => CharClass::Break,
    }
}

/// Appends `c` to `word` in lower case and folded as `language` needs it.
///
/// The folds make two spellings of a word equal that the language's stemmer treats alike:
/// Greek without accents and final sigma (the Greek lists have neither), Russian `ё`,
/// Romanian cedillas, Arabic vowel signs and tatweel, Turkish dotted and dotless `i`;
/// full-width Latin letters and digits in all languages.
fn push_lower(language: Language, c: char, word: &mut String) {
    let c = match c {
        '\u{ff10}'..='\u{ff5a}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c => c,
    };
    match (language, c) {
        (_, 'а'..='я') => word.push(c),
        (Language::Turkish, 'I') => word.push('ı'),
        (Language::Turkish, 'İ') => word.push('i'),
        (Language::Russian, 'ё' | 'Ё') => word.push('е'),
        (Language::Romanian, 'ş' | 'Ş') => word.push('ș'),
        (Language::Romanian, 'ţ' | 'Ţ') => word.push('ț'),
        (Language::Arabic, '\u{640}' | '\u{64b}'..='\u{652}') => {}
        (Language::Greek, _) => c.to_lowercase().for_each(|c| word.push(greek_plain(c))),
        _ => word.extend(c.to_lowercase()),
    }
}

/// A lower-case Greek letter without accent, final sigma as sigma.
fn greek_plain(c: char) -> char {
    match c {
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        c => c,
    }
}

/// Scans a text for its words, lower-cased and folded, and for the bigrams of unspaced
/// scripts.
#[derive(Debug)]
pub(super) struct WordScanner<'a> {
    language: Language,
    text: &'a str,
    /// Byte offset of the unread text.
    at: usize,
    /// The last character of a run of [`CharClass::Bigram`] that ends at `at`, by
    /// its byte offset, and true if the run has given a bigram.
    run: Option<(usize, bool)>,
}

impl<'a> WordScanner<'a> {
    pub(super) fn new(language: Language, text: &'a str) -> Self {
        WordScanner {
            language,
            text,
            at: 0,
            run: None,
        }
    }

    /// Puts the next word into `word` and gives its byte range in the text.
    pub(super) fn next(&mut self, word: &mut String) -> Option<(usize, usize)> {
        loop {
            if let Some(found) = self.next_of_run(word) {
                return Some(found);
            }
            let (from, c) = self.skip_breaks()?;
            if class_of(c) == CharClass::Bigram {
                self.run = Some((from, false));
                self.at = from + c.len_utf8();
                continue;
            }
            self.at = from;
            if let Some(found) = self.word(word) {
                return Some(found);
            }
        }
    }

    /// The next bigram of the run that is being read, if one is.
    fn next_of_run(&mut self, word: &mut String) -> Option<(usize, usize)> {
        let (from, paired) = self.run?;
        let next = self.text[self.at..]
            .chars()
            .next()
            .filter(|c| class_of(*c) == CharClass::Bigram);
        match next {
            Some(c) => {
                self.run = Some((self.at, true));
                self.at += c.len_utf8();
            }
            None => {
                self.run = None;
                if paired {
                    return None;
                }
            }
        }
        word.clear();
        word.push_str(&self.text[from..self.at]);
        Some((from, self.at))
    }

    /// The first character at or after `at` that begins a word or a run.
    fn skip_breaks(&self) -> Option<(usize, char)> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while at < bytes.len() {
            let b = bytes[at];
            if b.is_ascii() {
                if b.is_ascii_alphanumeric() {
                    return Some((at, b as char));
                }
                at += 1;
                continue;
            }
            let c = self.text[at..].chars().next()?;
            match class(c) {
                CharClass::Word | CharClass::Bigram => return Some((at, c)),
                CharClass::Mark | CharClass::Invisible | CharClass::Break => at += c.len_utf8(),
            }
        }
        None
    }

    /// The word that begins at `at`; `None` if it is over-long or folds to
    /// nothing. Moves `at` past it either way.
    fn word(&mut self, word: &mut String) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        let english = self.language == Language::English;
        let turkish = self.language == Language::Turkish;
        let from = self.at;
        // `to` is the end of the last character that counts.
        let (mut at, mut to) = (from, from);
        let mut chars = 0;
        word.clear();
        loop {
            let start = at;
            while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                at += 1;
            }
            if at > start {
                chars += at - start;
                to = at;
                if chars <= MAX_TERM_CHARS {
                    let run = &self.text[start..at];
                    if turkish {
                        run.chars().for_each(|c| push_lower(self.language, c, word));
                    } else {
                        let old = word.len();
                        word.push_str(run);
                        word[old..].make_ascii_lowercase();
                    }
                }
            }
            let Some(c) = self.text[at..].chars().next() else {
                break;
            };
            if english && matches!(c, '\'' | '\u{2019}') && self.letter_at(at + c.len_utf8()) {
                chars += 1;
                if chars <= MAX_TERM_CHARS {
                    word.push('\'');
                }
                at += c.len_utf8();
                continue;
            }
            if c.is_ascii() {
                break;
            }
            match class(c) {
                CharClass::Word | CharClass::Mark => {
                    chars += 1;
                    at += c.len_utf8();
                    to = at;
                    if chars <= MAX_TERM_CHARS {
                        push_lower(self.language, c, word);
                    }
                }
                CharClass::Invisible => at += c.len_utf8(),
                CharClass::Bigram | CharClass::Break => break,
            }
        }
        self.at = at;
        if english && word.ends_with("'s") {
            // A possessive or `is`: the stop words have the word before it.
            word.truncate(word.len() - 2);
        }
        (chars <= MAX_TERM_CHARS && !word.is_empty()).then_some((from, to))
    }

    /// Returns true if a letter or digit of a word begins at byte `at`.
    fn letter_at(&self, at: usize) -> bool {
        self.text[at..]
            .chars()
            .next()
            .is_some_and(|c| class_of(c) == CharClass::Word)
    }
}

/// The class of any character.
fn class_of(c: char) -> CharClass {
    if c.is_ascii_alphanumeric() {
        CharClass::Word
    } else if c.is_ascii() {
        CharClass::Break
    } else {
        class(c)
    }
}
