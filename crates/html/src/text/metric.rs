//! Metric tokens: the words by which texts are scored and compared.

use std::collections::HashMap;

/// Bytes of text for one token in the reserved memory; a word and its space have some
/// six. The memory grows if there are more tokens.
const BYTES_A_TOKEN: usize = 8;

/// The metric tokens of a text, in order. Made by [`metric_tokens`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricTokens {
    lower: String,
    /// Byte ranges in `lower`.
    ranges: Vec<(usize, usize)>,
}

/// Splits `text` into metric tokens: maximal runs of letters, digits and `_`,
/// in lower case, each Han, Kana and Thai character alone.
///
/// These are the tokens of Python's `\w` after `str.lower()`, which outside
/// scorers use: general categories L and N and the underscore. Combining marks
/// end a token, Hangul stays in words (Korean has spaces).
///
/// ```
/// use forest_html::text::metric_tokens;
/// let tokens = metric_tokens("It's 北京, COVID_19!");
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["it", "s", "北", "京", "covid_19"]);
/// ```
pub fn metric_tokens(text: &str) -> MetricTokens {
    let lower = lower_case(text);
    let mut ranges = Vec::with_capacity(lower.len() / BYTES_A_TOKEN);
    ranges.extend(TokenRanges::of(&lower));
    MetricTokens { lower, ranges }
}

/// The number of a text's [`metric_tokens`], which are not made.
///
/// ```
/// assert_eq!(forest_html::text::word_count("It's 北京, COVID_19!"), 5);
/// ```
pub fn word_count(text: &str) -> usize {
    words_up_to(text, usize::MAX)
}

/// The number of a text's [`metric_tokens`], or `most` if there are more: what is behind them
/// is not read.
pub fn words_up_to(text: &str, most: usize) -> usize {
    // The one letter whose lower case has a character that is part of no word.
    const DOTTED_I: char = 'İ';
    if text.contains(DOTTED_I) {
        return metric_tokens(text).len().min(most);
    }
    TokenRanges::of(text).take(most).count()
}

/// The byte ranges of a text's runs of word characters, and of its single ones.
struct TokenRanges<'t> {
    text: &'t str,
    at: usize,
}

impl TokenRanges<'_> {
    fn of(text: &str) -> TokenRanges<'_> {
        TokenRanges { text, at: 0 }
    }
}

impl Iterator for TokenRanges<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let is_break = |&byte: &u8| byte.is_ascii() && !IS_ASCII_WORD[usize::from(byte)];
        loop {
            while self.text.as_bytes().get(self.at).is_some_and(is_break) {
                self.at += 1;
            }
            let from = self.at;
            self.at = end_of_word(self.text, from);
            if self.at > from {
                return Some((from, self.at));
            }
            let next = self.text[from..].chars().next()?;
            self.at = from + next.len_utf8();
            if is_single(next) {
                return Some((from, self.at));
            }
        }
    }
}

/// `text.to_lowercase()`, which takes characters one by one from the first that is not
/// ASCII on: here runs of ASCII are taken as bytes wherever they stand.
fn lower_case(text: &str) -> String {
    // Its lower case depends on its place in the word.
    const SIGMA: char = 'Σ';
    if text.contains(SIGMA) {
        return text.to_lowercase();
    }
    let mut lower = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let ascii = rest.bytes().position(|byte| !byte.is_ascii());
        let (run, behind) = rest.split_at(ascii.unwrap_or(rest.len()));
        if run.is_empty() {
            lower.extend(c.to_lowercase());
            rest = &rest[c.len_utf8()..];
        } else {
            let from = lower.len();
            lower.push_str(run);
            lower[from..].make_ascii_lowercase();
            rest = behind;
        }
    }
    lower
}

/// The end of the run of word characters that begins at `from`.
fn end_of_word(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        // Most characters are ASCII: one byte decides.
        while bytes
            .get(at)
            .is_some_and(|&byte| IS_ASCII_WORD[usize::from(byte)])
        {
            at += 1;
        }
        match text[at..].chars().next() {
            Some(c) if !c.is_ascii() && !is_single(c) && is_word(c) => at += c.len_utf8(),
            _ => return at,
        }
    }
}

/// True for the bytes of ASCII characters that are part of a word.
const IS_ASCII_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// The first character of the first of a text's [`metric_tokens`], `ς` as `σ`; `None` for a
/// text without tokens. The tokens are not made.
///
/// ```
/// use forest_html::text::first_of_tokens;
/// assert_eq!(first_of_tokens(" \"It's"), Some('i'));
/// assert_eq!(first_of_tokens("..."), None);
/// ```
pub fn first_of_tokens(text: &str) -> Option<char> {
    let mut lower = text.chars().flat_map(char::to_lowercase);
    let first = lower.find(|&c| is_single(c) || is_word(c))?;
    Some(if first == 'ς' { 'σ' } else { first })
}

impl MetricTokens {
    /// The tokens, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.ranges.iter().map(|(from, to)| &self.lower[*from..*to])
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns true if there is no token.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

/// Returns true if two texts have the same metric tokens: case, white space and punctuation do
/// not count. Texts without any are the same if they are equal.
///
/// ```
/// use forest_html::text::same_words;
/// assert!(same_words("It's  so!", "it s: SO") && !same_words("so", "so so"));
/// assert!(same_words("!", " !") && !same_words("!", "?"));
/// ```
pub fn same_words(a: &str, b: &str) -> bool {
    let (of_a, of_b) = (metric_tokens(a), metric_tokens(b));
    of_a.iter().eq(of_b.iter()) && (!of_a.is_empty() || a.trim() == b.trim())
}

/// The [metric tokens](metric_tokens) of a text with a space between two. Case, white
/// space and punctuation do not tell such texts apart.
///
/// ```
/// assert_eq!(forest_html::text::metric_words("It's  9!"), "it s 9");
/// ```
pub fn metric_words(text: &str) -> String {
    let tokens = metric_tokens(text);
    tokens.iter().collect::<Vec<_>>().join(" ")
}

/// Numbers tokens, so that texts are compared as numbers: equal tokens of all
/// texts that went through one interner have equal numbers.
///
/// ```
/// use forest_html::text::Interner;
/// let mut interner = Interner::default();
/// assert_eq!(interner.ids("to be or not to be"), [0, 1, 2, 3, 0, 1]);
/// assert_eq!(interner.ids("Be not"), [1, 3]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interner {
    ids: HashMap<Box<str>, u32>,
}

impl Interner {
    /// The numbers of the metric tokens of `text`.
    ///
    /// # Panics
    ///
    /// After 4,294,967,295 different tokens.
    pub fn ids(&mut self, text: &str) -> Vec<u32> {
        let tokens = metric_tokens(text);
        tokens.iter().map(|token| self.id(token)).collect()
    }

    fn id(&mut self, token: &str) -> u32 {
        if let Some(id) = self.ids.get(token) {
            return *id;
        }
        let id = u32::try_from(self.ids.len()).expect("fewer than 2^32 different tokens");
        // The last number stays free for callers that need a number of no token.
        assert!(id < u32::MAX, "fewer than 2^32 - 1 different tokens");
        self.ids.insert(token.into(), id);
        id
    }
}

/// Returns true for characters that are a token each: Thai, Kana, Han.
fn is_single(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0e7f}'
        | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Returns true for Python's `\w`.
fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric() && !is_alphabetic_mark(c)
}

/// Returns true if `c` is alphabetic to Unicode (`Other_Alphabetic`) without being a
/// letter or a number by its general category.
fn is_alphabetic_mark(c: char) -> bool {
    let c = c as u32;
    let after = ALPHABETIC_MARKS.partition_point(|(from, _)| *from <= c);
    after > 0 && c <= ALPHABETIC_MARKS[after - 1].1
}

/// The 1,495 characters that are alphanumeric for `char::is_alphanumeric` and not for
/// Python's `str.isalnum`: vowel signs and other marks (Mn, Mc) and circled letters (So).
/// Source: the general categories of Unicode 16. The ranges include characters that are
/// alphanumeric for neither. `tests/suite/scorer.rs` compares every character with Python.
#[rustfmt::skip]
const ALPHABETIC_MARKS: &[(u32, u32)] = &[
    (0x0345, 0x036f), (0x05b0, 0x05c7), (0x0610, 0x061a), (0x064b, 0x065f), (0x0670, 0x0670),
    (0x06d6, 0x06e4), (0x06e7, 0x06ed), (0x0711, 0x0711), (0x0730, 0x073f), (0x07a6, 0x07b0),
    (0x0816, 0x0817), (0x081b, 0x0823), (0x0825, 0x0827), (0x0829, 0x082c), (0x0897, 0x0897),
    (0x08d4, 0x0903), (0x093a, 0x093b), (0x093e, 0x094f), (0x0955, 0x0957), (0x0962, 0x0963),
    (0x0981, 0x0983), (0x09be, 0x09cc), (0x09d7, 0x09d7), (0x09e2, 0x09e3), (0x0a01, 0x0a03),
    (0x0a3e, 0x0a51), (0x0a70, 0x0a71), (0x0a75, 0x0a83), (0x0abe, 0x0acc), (0x0ae2, 0x0ae3),
    (0x0afa, 0x0b03), (0x0b3e, 0x0b57), (0x0b62, 0x0b63), (0x0b82, 0x0b82), (0x0bbe, 0x0bcc),
    (0x0bd7, 0x0bd7), (0x0c00, 0x0c04), (0x0c3e, 0x0c56), (0x0c62, 0x0c63), (0x0c81, 0x0c83),
    (0x0cbe, 0x0cd6), (0x0ce2, 0x0ce3), (0x0cf3, 0x0d03), (0x0d3e, 0x0d4c), (0x0d57, 0x0d57),
    (0x0d62, 0x0d63), (0x0d81, 0x0d83), (0x0dcf, 0x0ddf), (0x0df2, 0x0df3), (0x0e31, 0x0e31),
    (0x0e34, 0x0e3a), (0x0e4d, 0x0e4d), (0x0eb1, 0x0eb1), (0x0eb4, 0x0ebc), (0x0ecd, 0x0ecd),
    (0x0f71, 0x0f83), (0x0f8d, 0x0fbc), (0x102b, 0x103e), (0x1056, 0x1059), (0x105e, 0x1060),
    (0x1062, 0x1064), (0x1067, 0x106d), (0x1071, 0x1074), (0x1082, 0x108d), (0x108f, 0x108f),
    (0x109a, 0x109d), (0x1712, 0x1713), (0x1732, 0x1733), (0x1752, 0x1753), (0x1772, 0x1773),
    (0x17b6, 0x17c8), (0x1885, 0x1886), (0x18a9, 0x18a9), (0x1920, 0x1938), (0x1a17, 0x1a1b),
    (0x1a55, 0x1a74), (0x1abf, 0x1b04), (0x1b35, 0x1b43), (0x1b80, 0x1b82), (0x1ba1, 0x1bad),
    (0x1be7, 0x1bf1), (0x1c24, 0x1c36), (0x1dd3, 0x1df4), (0x24b6, 0x24e9), (0x2de0, 0x2dff),
    (0xa674, 0xa67b), (0xa69e, 0xa69f), (0xa802, 0xa802), (0xa80b, 0xa80b), (0xa823, 0xa827),
    (0xa880, 0xa881), (0xa8b4, 0xa8c5), (0xa8ff, 0xa8ff), (0xa926, 0xa92a), (0xa947, 0xa952),
    (0xa980, 0xa983), (0xa9b4, 0xa9bf), (0xa9e5, 0xa9e5), (0xaa29, 0xaa36), (0xaa43, 0xaa43),
    (0xaa4c, 0xaa4d), (0xaa7b, 0xaa7d), (0xaab0, 0xaab0), (0xaab2, 0xaab4), (0xaab7, 0xaab8),
    (0xaabe, 0xaabe), (0xaaeb, 0xaaef), (0xaaf5, 0xaaf5), (0xabe3, 0xabea), (0xfb1e, 0xfb1e),
    (0x10376, 0x1037a), (0x10a01, 0x10a0f), (0x10d24, 0x10d27), (0x10d69, 0x10d69),
    (0x10eab, 0x10eac), (0x10efc, 0x10efc), (0x11000, 0x11002), (0x11038, 0x11045),
    (0x11073, 0x11074), (0x11080, 0x11082), (0x110b0, 0x110c2), (0x11100, 0x11102),
    (0x11127, 0x11132), (0x11145, 0x11146), (0x11180, 0x11182), (0x111b3, 0x111bf),
    (0x111ce, 0x111cf), (0x1122c, 0x1123e), (0x11241, 0x11241), (0x112df, 0x112e8),
    (0x11300, 0x11303), (0x1133e, 0x1134c), (0x11357, 0x11357), (0x11362, 0x11363),
    (0x113b8, 0x113cd), (0x11435, 0x11445), (0x114b0, 0x114c1), (0x115af, 0x115be),
    (0x115dc, 0x115dd), (0x11630, 0x11640), (0x116ab, 0x116b5), (0x1171d, 0x1172a),
    (0x1182c, 0x11838), (0x11930, 0x1193c), (0x11940, 0x11940), (0x11942, 0x11942),
    (0x119d1, 0x119df), (0x119e4, 0x119e4), (0x11a01, 0x11a0a), (0x11a35, 0x11a39),
    (0x11a3b, 0x11a3e), (0x11a51, 0x11a5b), (0x11a8a, 0x11a97), (0x11c2f, 0x11c3e),
    (0x11c92, 0x11cb6), (0x11d31, 0x11d43), (0x11d47, 0x11d47), (0x11d8a, 0x11d96),
    (0x11ef3, 0x11f01), (0x11f03, 0x11f03), (0x11f34, 0x11f40), (0x1611e, 0x1612e),
    (0x16f4f, 0x16f4f), (0x16f51, 0x16f92), (0x16ff0, 0x16ff1), (0x1bc9e, 0x1bc9e),
    (0x1e000, 0x1e02a), (0x1e08f, 0x1e08f), (0x1e947, 0x1e947), (0x1f130, 0x1f189),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_case_is_that_of_the_whole_text() {
        for text in ["", "AbC", "Ünlü ÉTÉ İx", "ΟΔΟΣ ΣΑΣ, A", "éAé”B", "北京A"] {
            assert_eq!(lower_case(text), text.to_lowercase(), "{text}");
        }
    }

    #[test]
    fn words_are_counted_as_they_are_made() {
        let has_lower = |c: &char| !c.to_lowercase().eq([*c]);
        for c in ('\0'..=char::MAX).filter(has_lower) {
            let text = format!("A{c}B {c}{c}");
            assert_eq!(word_count(&text), metric_tokens(&text).len(), "{c:?}");
        }
        assert_eq!(words_up_to("one two three", 2), 2);
        assert_eq!(words_up_to("one İstanbul three", 2), 2);
        assert_eq!(words_up_to("one", 2), 1);
    }
}
