//! Terms for learning and search.

use foldhash::HashSet;
use std::fmt;

use tantivy::tokenizer::{RawTokenizer, Stemmer, Token, TokenFilter, TokenStream, Tokenizer};

use super::language::Language;
use super::scan::WordScanner;
use super::stop::stop_words;

/// Slots of the table of cached words: a power of two. A page of
/// 1,000 words has some 400 different ones, a sample of ten pages some 3,000;
/// with 4,096 slots the table stays under half a megabyte. `lab/benches/text.rs`
/// measured 40 ns a word with a full table, 150 ns with an empty one (English).
const SLOTS: usize = 4096;

/// Turns text of one language into terms: words in lower case, stop words
/// removed, stemmed.
///
/// * A word is a run of letters and digits (with their combining marks; soft
///   hyphens inside a word vanish) of at most
///   [`MAX_TERM_CHARS`](super::MAX_TERM_CHARS) characters. In English an
///   apostrophe between letters belongs to the word and a final `'s` is cut;
///   elsewhere it parts words (`l'eau` is `l`, a stop word, and `eau`).
/// * Runs of Han, Kana, Hangul, Thai, Lao, Khmer and Myanmar characters become
///   bigrams (a run of one its one character), whatever the language.
/// * Stop words are removed ([`stop_words()`]); then Snowball's stemmer runs, if tantivy
///   has one for the language.
///
/// The analyzer is a tantivy [`Tokenizer`]: an index and a learner that share one have
/// the same terms. It caches the stems of words, so it should be kept and used again. The
/// cache is bounded, changes no result, and is not cloned.
///
/// ```
/// use forest_html::text::{Analyzer, Language};
///
/// let mut terms = Vec::new();
/// let mut analyzer = Analyzer::new(Language::English);
/// analyzer.terms("The dogs are barking at iPhone手机用户!", |term| terms.push(term.to_owned()));
/// assert_eq!(terms, ["dog", "bark", "iphon", "手机", "机用", "用户"]);
/// ```
pub struct Analyzer {
    language: Language,
    stop: &'static HashSet<String>,
    stemmer: Option<<Stemmer as TokenFilter>::Tokenizer<RawTokenizer>>,
    /// Empty until the first word comes.
    known: Vec<CachedWord>,
    word: String,
}

/// A word with its term.
#[derive(Debug, Default)]
struct CachedWord {
    word: String,
    fate: CachedTerm,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum CachedTerm {
    /// A stop word.
    #[default]
    Stop,
    /// The stem is a prefix of the word, of this many bytes.
    Prefix(usize),
    /// The stem is another string.
    Other(String),
}

impl Analyzer {
    /// An analyzer for texts in `language`.
    pub fn new(language: Language) -> Self {
        Analyzer {
            language,
            stop: stop_words(language),
            stemmer: language
                .stemmer()
                .map(|stem| Stemmer::new(stem).transform(RawTokenizer::default())),
            known: Vec::new(),
            word: String::new(),
        }
    }

    /// Calls `f` with every term of `text`, in order.
    pub fn terms(&mut self, text: &str, mut f: impl FnMut(&str)) {
        let mut scanner = WordScanner::new(self.language, text);
        while scanner.next(&mut self.word).is_some() {
            if let Some(term) = self.term() {
                f(term);
            }
        }
    }

    /// Calls `f` with every word of `text`, in order, lower-cased and unstemmed (bigrams
    /// for unspaced scripts), and with true for a stop word.
    pub fn words(&mut self, text: &str, mut f: impl FnMut(&str, bool)) {
        let mut scanner = WordScanner::new(self.language, text);
        while scanner.next(&mut self.word).is_some() {
            f(&self.word, self.stop.contains(&self.word));
        }
    }

    /// The term of `self.word`, `None` for a stop word.
    fn term(&mut self) -> Option<&str> {
        if self.known.is_empty() {
            self.known.resize_with(SLOTS, CachedWord::default);
        }
        let slot = &mut self.known[hash(&self.word) as usize % SLOTS];
        // Words are never empty, so an unused slot matches no word.
        if slot.word != self.word {
            slot.word.clear();
            slot.word.push_str(&self.word);
            slot.fate = if self.stop.contains(&self.word) {
                CachedTerm::Stop
            } else if let Some(stemmer) = &mut self.stemmer {
                let mut stream = stemmer.token_stream(&self.word);
                let stem = if stream.advance() {
                    stream.token().text.as_str()
                } else {
                    ""
                };
                if stem.is_empty() {
                    // If a stemmer leaves nothing, the word is its own stem.
                    CachedTerm::Prefix(self.word.len())
                } else if self.word.starts_with(stem) {
                    CachedTerm::Prefix(stem.len())
                } else {
                    CachedTerm::Other(stem.to_owned())
                }
            } else {
                CachedTerm::Prefix(self.word.len())
            };
        }
        match &slot.fate {
            CachedTerm::Stop => None,
            CachedTerm::Prefix(bytes) => Some(&self.word[..*bytes]),
            CachedTerm::Other(stem) => Some(stem),
        }
    }
}

impl Clone for Analyzer {
    fn clone(&self) -> Self {
        Analyzer::new(self.language)
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Analyzer").field(&self.language).finish()
    }
}

/// A multiplicative hash over eight bytes at a time (as rustc's FxHash). The table only
/// needs a spread; a collision costs one more stemming.
fn hash(word: &str) -> u64 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let mut h = word.len() as u64;
    let mut chunks = word.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let bytes = chunk.try_into().expect("chunks_exact gives eight bytes");
        h = (h.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(FACTOR);
    }
    let rest = chunks
        .remainder()
        .iter()
        .fold(0_u64, |acc, b| acc << 8 | u64::from(*b));
    // Only the high bits of a product depend on all bits of its factors.
    (h.rotate_left(5) ^ rest).wrapping_mul(FACTOR) >> 40
}

impl Tokenizer for Analyzer {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        TermStream {
            scanner: WordScanner::new(self.language, text),
            analyzer: self,
            token: Token::default(),
        }
    }
}

/// The terms of a text as tantivy reads them: positions count words, stop words
/// included; offsets are those of the word in the text.
pub struct TermStream<'a> {
    analyzer: &'a mut Analyzer,
    scanner: WordScanner<'a>,
    token: Token,
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        while let Some((from, to)) = self.scanner.next(&mut self.analyzer.word) {
            // `Token::default` begins at `usize::MAX`, as tantivy's own streams
            // do: the first word comes to position 0.
            self.token.position = self.token.position.wrapping_add(1);
            if let Some(term) = self.analyzer.term() {
                self.token.offset_from = from;
                self.token.offset_to = to;
                self.token.text.clear();
                self.token.text.push_str(term);
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
