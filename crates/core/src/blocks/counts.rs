//! The counts of a text: words and the shape of their letters.

/// Counts over a text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct TextCounts {
    /// Words; in scripts without spaces two characters are one.
    pub words: f32,
    /// Words that begin with a capital.
    pub capitals: f32,
    /// Ends of sentences: `.`, `!`, `?` and their like.
    pub stops: f32,
}

impl TextCounts {
    pub fn add(&mut self, other: &TextCounts) {
        self.words += other.words;
        self.capitals += other.capitals;
        self.stops += other.stops;
    }
}

/// The class of a character for the counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedClass {
    /// Part of a word.
    Word,
    /// Part of a word, and a capital.
    Capital,
    /// A character of a script without spaces.
    Wide,
    /// The end of a sentence.
    Stop,
    /// Anything else.
    Other,
}

/// The classes of the ASCII characters.
const OF_ASCII: [CountedClass; 128] = {
    let mut classes = [CountedClass::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'0'..=b'9' => CountedClass::Word,
            b'A'..=b'Z' => CountedClass::Capital,
            b'.' | b'!' | b'?' => CountedClass::Stop,
            _ => CountedClass::Other,
        };
        byte += 1;
    }
    classes
};

#[inline]
fn class(c: char) -> CountedClass {
    match OF_ASCII.get(c as usize) {
        Some(&class) => class,
        None => class_beyond_ascii(c),
    }
}

fn class_beyond_ascii(c: char) -> CountedClass {
    match c {
        '。' | '！' | '？' | '…' | '؟' | '।' => CountedClass::Stop,
        // Kana, Han, Thai, Lao.
        '\u{3041}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{e01}'..='\u{eff}' => CountedClass::Wide,
        // Combining marks, and the vowels of Indic scripts.
        '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{200b}'..='\u{200f}' => {
            CountedClass::Word
        }
        _ if c.is_uppercase() => CountedClass::Capital,
        _ if c.is_alphanumeric() => CountedClass::Word,
        _ => CountedClass::Other,
    }
}

/// True of an ASCII character that is part of a word.
fn is_ascii_letter(byte: u8) -> bool {
    let class = OF_ASCII.get(usize::from(byte));
    matches!(class, Some(CountedClass::Word | CountedClass::Capital))
}

/// Start value and factor of FNV-1a, 32 bits.
const SEED: u32 = 0x811c_9dc5;
const FACTOR: u32 = 0x0100_0193;

/// Reads texts: counts their words and hashes them.
#[derive(Debug, Default)]
pub(crate) struct WordReader {
    /// The words read so far, in lower case, as hashes.
    pub hashes: Vec<u32>,
}

impl WordReader {
    /// Counts over `text`; its words are appended to the hashes. A word ends
    /// where the text does.
    pub fn read(&mut self, text: &str) -> TextCounts {
        let mut out = TextCounts::default();
        let mut word: Option<u32> = None;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let class = class(c);
            if matches!(class, CountedClass::Word | CountedClass::Capital) {
                if word.is_none() && class == CountedClass::Capital {
                    out.capitals += 1.0;
                }
                // Most letters are ASCII: those behind the first are taken as bytes.
                let (first, behind) = rest.split_at(c.len_utf8());
                let run = behind.bytes().take_while(|&byte| is_ascii_letter(byte));
                let hash = mix(word.unwrap_or(SEED), lower(c));
                let mut length = first.len();
                word = Some(run.fold(hash, |hash, byte| {
                    length += 1;
                    mix(hash, u32::from(byte.to_ascii_lowercase()))
                }));
                rest = &rest[length..];
                continue;
            }
            rest = &rest[c.len_utf8()..];
            self.end_word(&mut word, &mut out);
            match class {
                CountedClass::Stop => out.stops += 1.0,
                CountedClass::Wide => {
                    out.words += 0.5;
                    self.hashes.push(mix(SEED, c as u32));
                }
                _ => {}
            }
        }
        self.end_word(&mut word, &mut out);
        out
    }

    fn end_word(&mut self, word: &mut Option<u32>, out: &mut TextCounts) {
        if let Some(hash) = word.take() {
            out.words += 1.0;
            self.hashes.push(hash);
        }
    }
}

fn mix(hash: u32, c: u32) -> u32 {
    (hash ^ c).wrapping_mul(FACTOR)
}

fn lower(c: char) -> u32 {
    match c {
        '\0'..='\x7f' => u32::from(c.to_ascii_lowercase()),
        _ => u32::from(c.to_lowercase().next().unwrap_or(c)),
    }
}

/// True if a text ends as a sentence does, or with a colon; closing quotes and
/// brackets are passed over.
pub(crate) fn ends_sentence(text: &str) -> bool {
    let is_closing = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』')
    };
    let last = text.trim_end_matches(is_closing).chars().next_back();
    last.is_some_and(|c| c == ':' || class(c) == CountedClass::Stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: f32, capitals: f32, stops: f32) {
        let counts = WordReader::default().read(text);
        assert_eq!(
            counts,
            TextCounts {
                words,
                capitals,
                stops
            },
            "{text}"
        );
    }

    #[test]
    fn words_capitals_and_ends_of_sentences() {
        check("", 0.0, 0.0, 0.0);
        check("It rained. Éva, ünlü!", 4.0, 2.0, 2.0);
        check("北京天气。", 2.0, 0.0, 1.0);
        check("हिन्दी", 1.0, 0.0, 0.0);
    }

    #[test]
    fn the_same_word_has_the_same_hash_in_any_case() {
        let mut reader = WordReader::default();
        reader.read("Rain rain ÉTÉ été snow");
        let h = &reader.hashes;
        assert_eq!((h[0], h[2]), (h[1], h[3]));
        assert_ne!(h[0], h[4]);
    }

    #[test]
    fn sentences_end_inside_of_quotes() {
        for (text, expected) in [
            ("So.", true),
            ("“So!”  ", true),
            ("these:", true),
            ("So", false),
            ("", false),
        ] {
            assert_eq!(ends_sentence(text), expected, "{text}");
        }
    }
}
