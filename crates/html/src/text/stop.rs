//! Stop words, by language.

use foldhash::{HashSet, HashSetExt as _};
use std::sync::OnceLock;

use tantivy::tokenizer::{StopWordFilter, TextAnalyzer, WhitespaceTokenizer};

use super::language::{Language, StopSource};
use super::scan;
use super::word_lists::WordLists;

/// The stop words of `language`: in lower case and folded as
/// [`Analyzer::words`](super::Analyzer::words) gives words, so that the two can
/// be compared. Empty if no list exists.
///
/// The list is tantivy's; if tantivy has no list, the ISO list of the `stop-words` crate;
/// for English Snowball's, since tantivy has Lucene's 33 words.
///
/// ```
/// use forest_html::text::{Language, stop_words};
/// assert!(stop_words(Language::Polish).contains("ale"));
/// assert!(stop_words(Language::Unknown).is_empty());
/// ```
pub fn stop_words(language: Language) -> &'static HashSet<String> {
    // Constant data, made on first use: the sets of 30 languages take a few milliseconds,
    // and most programs need one.
    static SETS: [OnceLock<HashSet<String>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    SETS[language as usize].get_or_init(|| build(language))
}

fn build(language: Language) -> HashSet<String> {
    let iso = stop_words::lookup(language.tag()).unwrap_or_default();
    let mut set = HashSet::new();
    match language.stop_source() {
        StopSource::None => {}
        StopSource::Iso => set.extend(iso.iter().filter_map(|word| fold(language, word))),
        StopSource::Snowball(file) => {
            let lists = WordLists::read(file);
            set.extend(lists.words("").filter_map(|word| fold(language, word)));
        }
        StopSource::Tantivy(stem) => {
            // tantivy's lists are private; its filter only applies them. The ISO lists
            // contain each of them entirely (they are unions of many lists, Snowball's
            // included), so the words that the filter removes from an ISO list are
            // tantivy's list.
            let Some(filter) = StopWordFilter::new(stem) else {
                return set;
            };
            let mut kept = TextAnalyzer::builder(WhitespaceTokenizer::default())
                .filter(filter)
                .build();
            for word in iso {
                if !kept.token_stream(word).advance() {
                    set.extend(fold(language, word));
                }
            }
        }
    }
    set
}

/// `word` as the analyzer gives it; `None` if that is not exactly one word (the ISO lists
/// have punctuation, phrases and `l'`-like fragments).
fn fold(language: Language, word: &str) -> Option<String> {
    let mut scanner = scan::WordScanner::new(language, word);
    let mut buffer = String::new();
    scanner.next(&mut buffer)?;
    let first = buffer.clone();
    scanner.next(&mut buffer).is_none().then_some(first)
}
