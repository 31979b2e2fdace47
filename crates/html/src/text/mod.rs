//! The words of a text: to learn and search by, to score by, and as its size.
//!
//! Takes text, gives two kinds of tokens and a size, which must not be confused:
//!
//! * **Terms**, for learning and for search ([`Analyzer`]): words in lower
//!   case, stop words removed, stemmed in the text's own [`Language`]; Chinese,
//!   Japanese, Korean and Thai as character bigrams. FOREST, section 3.1, ranks
//!   them by tf-idf. The analyzer is itself a tantivy tokenizer, so that an
//!   index holds the very terms that the learner counts.
//! * **Metric tokens**, to score and compare texts ([`metric_tokens`]): maximal runs of
//!   letters, digits and `_`, lower-cased, every Han, Kana and Thai character
//!   alone. No stop words, no stems: a metric judges the text, not its topic.
//!   Numbers of words that users see are numbers of metric tokens.
//! * **Size**, for rules on the length and shape of texts ([`text_size`]): words, in
//!   scripts without spaces ([`is_unspaced`]) two characters are one. No tokens are made.
//!
//! # Departures
//!
//! FOREST names neither its tokenizer nor its stop-word list nor its stemmer, and its
//! pages are English. Here the lists are Snowball's: those of tantivy, and our own copy
//! for English, where tantivy has Lucene's 33 words (with Snowball's the mean 2-gram F1 of
//! `paper` on big9 is 0.936, with Lucene's 0.920). For languages that tantivy lacks, the
//! lists are those of the `stop-words` crate. The stemmers are Snowball's. Polish, Czech,
//! Ukrainian and other languages without a Snowball stemmer in tantivy stay unstemmed.

mod analyzer;
mod detect;
mod digest;
mod invisible;
mod items;
mod language;
mod metric;
mod one_line;
mod scan;
mod secret;
pub mod sentence;
mod simhash;
mod size;
mod stop;
#[cfg(test)]
mod tests;
mod visible;
mod word_lists;

pub use analyzer::Analyzer;
pub use digest::{fnv1a, hex, mixed, sha256_hex};
pub use invisible::{is_invisible, without_invisible};
pub use items::begins_item;
pub use language::Language;
pub use metric::words_up_to;
pub use metric::{
    Interner, MetricTokens, first_of_tokens, metric_tokens, metric_words, same_words, word_count,
};
pub use one_line::{OneLine, controls};
pub use secret::Secret;
pub use simhash::{shingles, simhash};
pub use size::is_south_east_asian;
pub use size::{is_unspaced, text_size};
pub use stop::stop_words;
pub use visible::push_folded;
pub use visible::{fold, visible};

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

pub use scan::MAX_TERM_CHARS;
pub use word_lists::WordLists;
