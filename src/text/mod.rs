//! Words: what a text's words are, for learning and search and for metrics.
//!
//! Takes text, gives two kinds of tokens that must not be confused:
//!
//! * **Terms**, for learning and for search ([`Analyzer`]): words in lower
//!   case, stop words removed, stemmed in the text's own [`Language`]; Chinese,
//!   Japanese, Korean and Thai as character bigrams. FOREST, section 3.1, ranks
//!   them by tf-idf. The analyzer is itself a tantivy tokenizer, so that an
//!   index holds the very terms that the learner counts.
//! * **Metric tokens**, for scoring only ([`metric_tokens`]): maximal runs of
//!   letters, digits and `_`, lower-cased, every Han, Kana and Thai character
//!   alone. No stop words, no stems: a metric judges the text, not its topic.
//!
//! # Departures
//!
//! FOREST names neither its tokenizer nor its stop-word list nor its stemmer,
//! and its pages are English. Here the lists are Snowball's: those of tantivy,
//! our own copy for English, where tantivy has Lucene's 33 words (with Snowball's
//! the mean 2-gram F1 of `paper` on big9 is 0.936, with Lucene's 0.920); where
//! tantivy has none, those of the `stop-words` crate. The stemmers are Snowball's. Polish, Czech, Ukrainian
//! and other languages without a Snowball stemmer in tantivy stay unstemmed.

mod analyzer;
mod detect;
mod digest;
mod english;
mod language;
mod metric;
mod scan;
mod simhash;
mod stop;
#[cfg(test)]
mod tests;
mod visible;

pub use analyzer::{Analyzer, TermStream};
pub use digest::{fnv1a, hex, sha256_hex};
pub use language::Language;
pub use metric::{Interner, MetricTokens, first_of_tokens, metric_tokens, same_words};
pub use scan::MAX_TERM_CHARS;
pub use simhash::simhash;
pub use stop::stop_words;
pub use visible::{fold, visible};
