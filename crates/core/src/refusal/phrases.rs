//! The phrases of pages without an article in many languages: the table `phrases.txt`,
//! compared word by word.

use super::kind::NoArticle;
use foldhash::HashMap;
use forest_html::text::metric_tokens;
use std::sync::LazyLock;

/// The place where a phrase has to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PhrasePlace {
    /// It makes up most of a heading or of a part of the title.
    Head,
    /// Anywhere in what a reader is shown.
    Text,
    /// It makes up most of a button's label.
    Button,
}

/// A phrase that stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PhraseHit {
    pub kind: NoArticle,
    /// The number of the phrase.
    pub phrase: usize,
    /// Its first word, counted from 0.
    pub first: usize,
    /// Its words.
    pub words: usize,
}

#[derive(Debug)]
struct Phrase {
    /// Its number in the table.
    number: usize,
    kind: NoArticle,
    place: PhrasePlace,
    /// Its words from the second on.
    rest: Vec<Word>,
}

#[derive(Debug)]
enum Word {
    Exactly(String),
    Begins(String),
}

impl Word {
    fn is(&self, token: &str) -> bool {
        match self {
            Word::Exactly(word) => word == token,
            Word::Begins(stem) => token.starts_with(&**stem),
        }
    }
}

/// The phrases by their first word.
type PhraseTable = HashMap<String, Vec<Phrase>>;

static PHRASES: LazyLock<PhraseTable> = LazyLock::new(|| {
    let mut table = PhraseTable::default();
    let rows = include_str!("phrases.txt").lines().filter_map(row);
    let phrases = rows.flat_map(|(kind, place, phrases)| {
        let phrases = phrases.split('|');
        phrases.map(move |phrase| (kind, place, phrase))
    });
    for (number, (kind, place, phrase)) in phrases.enumerate() {
        enter(&mut table, number, kind, place, phrase);
    }
    table
});

/// A row of the table; `None` for other lines.
fn row(line: &str) -> Option<(NoArticle, PhrasePlace, &str)> {
    let (about, phrases) = line.split_once(':')?;
    let mut about = about.split(' ');
    let kind = NoArticle::named(about.next()?)?;
    let place = match about.next()? {
        "head" => PhrasePlace::Head,
        "text" => PhrasePlace::Text,
        "button" => PhrasePlace::Button,
        _ => return None,
    };
    Some((kind, place, phrases))
}

fn enter(
    table: &mut PhraseTable,
    number: usize,
    kind: NoArticle,
    place: PhrasePlace,
    phrase: &str,
) {
    let mut words = phrase.split_whitespace().flat_map(|word| {
        if let Some(stem) = word.strip_suffix('*') {
            return vec![Word::Begins(stem.to_lowercase())];
        }
        let tokens = metric_tokens(word);
        tokens
            .iter()
            .map(|token| Word::Exactly(token.to_owned()))
            .collect()
    });
    if let Some(Word::Exactly(first)) = words.next() {
        let phrase = Phrase {
            number,
            kind,
            place,
            rest: words.collect(),
        };
        table.entry(first).or_default().push(phrase);
    }
}

/// The phrases that stand in `tokens`.
pub(super) fn hits<'t>(
    tokens: &'t [&'t str],
    place: PhrasePlace,
) -> impl Iterator<Item = PhraseHit> + 't {
    tokens.iter().enumerate().flat_map(move |(first, token)| {
        let phrases = PHRASES.get(*token).map_or(&[][..], Vec::as_slice);
        phrases
            .iter()
            .filter(move |phrase| phrase.place == place)
            .filter(move |phrase| {
                let here = &tokens[first + 1..];
                here.len() >= phrase.rest.len()
                    && phrase
                        .rest
                        .iter()
                        .zip(here)
                        .all(|(word, token)| word.is(token))
            })
            .map(move |phrase| PhraseHit {
                kind: phrase.kind,
                phrase: phrase.number,
                first,
                words: 1 + phrase.rest.len(),
            })
    })
}

/// Share of a heading's words that phrases have to make up: "404 Not Found" and
/// "Sorry, page not found" say what the page is, "Page not found: the story of an
/// error" does not.
const MOST: f64 = 0.6;

/// Words of a heading or label that are looked at; longer ones are sentences.
const MAX_HEAD_WORDS: usize = 24;

/// The kinds whose phrases make up most of `text`.
pub(super) fn kinds_of(text: &str, place: PhrasePlace) -> Vec<NoArticle> {
    let all = metric_tokens(text);
    let tokens: Vec<&str> = all.iter().collect();
    if tokens.is_empty() || tokens.len() > MAX_HEAD_WORDS {
        return Vec::new();
    }
    let hits: Vec<PhraseHit> = hits(&tokens, place).collect();
    let mut kinds = Vec::new();
    for kind in NoArticle::ALL {
        let mut covered = [false; MAX_HEAD_WORDS];
        for hit in hits.iter().filter(|hit| hit.kind == kind) {
            covered[hit.first..hit.first + hit.words].fill(true);
        }
        let covered = covered.iter().filter(|c| **c).count();
        if covered as f64 >= MOST * tokens.len() as f64 {
            kinds.push(kind);
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_row() {
        let mut rows = 0;
        for line in include_str!("phrases.txt").lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (_, _, phrases) = row(line).unwrap_or_else(|| panic!("no row: {line}"));
            for phrase in phrases.split('|') {
                let mut table = PhraseTable::default();
                enter(&mut table, 0, NoArticle::Error, PhrasePlace::Head, phrase);
                assert_eq!(table.len(), 1, "begins with no word: {phrase}");
            }
            rows += 1;
        }
        assert!(rows > 200);
    }

    #[test]
    fn a_phrase_makes_up_most_of_a_heading_or_does_not_count() {
        let check =
            |text, expected: &[NoArticle]| assert_eq!(kinds_of(text, PhrasePlace::Head), expected);
        check("Sorry, page not found!", &[NoArticle::Error]);
        check("404", &[NoArticle::Error]);
        check("Page not found: the story of an error", &[]);
        check("ページが見つかりません", &[NoArticle::Error]);
        check("", &[]);
        check(&"404 ".repeat(100), &[]);
    }

    #[test]
    fn a_star_stands_for_any_word() {
        let text = metric_tokens("We and our 137 partners");
        let tokens: Vec<&str> = text.iter().collect();
        let found: Vec<PhraseHit> = hits(&tokens, PhrasePlace::Text).collect();
        let found: Vec<_> = found.iter().map(|h| (h.kind, h.first, h.words)).collect();
        assert_eq!(found, [(NoArticle::Consent, 0, 5)]);
    }
}
