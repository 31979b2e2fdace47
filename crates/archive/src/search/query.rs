//! Compiles typed words to a query of terms.

use super::Query;
use super::fields::{Analyzers, IndexFields};
use foldhash::HashSet;
use forest_html::text::{Language, is_unspaced};
use std::ops::Bound;
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhraseQuery, Query as Tantivy,
    RangeQuery, RegexQuery, TermQuery, TermSetQuery,
};
use tantivy::schema::IndexRecordOption;

/// The weight of a word in the title; in the text it is 1. A title names the subject of an
/// article. The weight affects only the order of hits.
const TITLE_BOOST: f32 = 2.0;

/// Maximum number of words of a query; more are left out.
const MAX_WORDS: usize = 64;

/// A word or words in a row.
#[derive(Debug, PartialEq, Eq)]
pub struct Clause {
    pub text: String,
    /// The article must not have it.
    pub excluded: bool,
}

/// Parses a query. A quote that is not closed ends with the query; a single hyphen is ignored.
pub fn clauses(words: &str) -> Vec<Clause> {
    let mut out = Vec::new();
    let mut rest = words.trim_start();
    while !rest.is_empty() && out.len() < MAX_WORDS {
        let excluded = rest.strip_prefix('-');
        let word = excluded.unwrap_or(rest);
        let is_quote = |c: char| matches!(c, '"' | '“' | '”' | '„');
        let (text, behind) = match word.strip_prefix(is_quote) {
            Some(quoted) => {
                let (text, behind) = quoted.split_once(is_quote).unwrap_or((quoted, ""));
                (text, behind)
            }
            None => {
                let ends = |c: char| c.is_whitespace() || is_quote(c);
                let end = word.find(ends).unwrap_or(word.len());
                word.split_at(end)
            }
        };
        rest = behind.trim_start();
        if text.contains(char::is_alphanumeric) {
            out.push(Clause {
                text: text.to_owned(),
                excluded: excluded.is_some(),
            });
        }
    }
    out
}

/// Typed words, to be looked for in a text that is in no index.
#[derive(Debug)]
pub struct TypedWords {
    wanted: Vec<String>,
    excluded: Vec<String>,
}

impl TypedWords {
    /// The words of a query, as a [`Query`] has them.
    pub fn of(words: &str) -> TypedWords {
        let (excluded, wanted): (Vec<Clause>, Vec<Clause>) = clauses(words)
            .into_iter()
            .partition(|clause| clause.excluded);
        let in_row = |clause: Clause| {
            let words: Vec<&str> = clause.text.split_whitespace().collect();
            words.join(" ").to_lowercase()
        };
        TypedWords {
            wanted: wanted.into_iter().map(in_row).collect(),
            excluded: excluded.into_iter().map(in_row).collect(),
        }
    }

    /// True if a text has the words: each where a word begins, by its letters, whatever their case.
    /// False without words.
    pub fn are_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let has = |words: &String| begins_word(&text, words);
        !self.wanted.is_empty() && self.wanted.iter().all(has) && !self.excluded.iter().any(has)
    }
}

/// True if words in a row begin where a word of a text does, or anywhere in a script without spaces.
fn begins_word(text: &str, words: &str) -> bool {
    let is_free = words.chars().next().is_some_and(is_unspaced);
    let mut found = text.match_indices(words);
    found.any(|(at, _)| is_free || !text[..at].ends_with(char::is_alphanumeric))
}

/// The query for tantivy, and the terms to be found.
pub struct CompiledQuery {
    pub query: Box<dyn Tantivy>,
    pub terms: HashSet<String>,
    /// False if there is nothing to look for.
    pub has_condition: bool,
}

/// The filters of a query, which do not count in the score.
fn unscored_filters(query: &Query, fields: &IndexFields) -> Vec<(Occur, Box<dyn Tantivy>)> {
    let filters = filters(query, fields).into_iter();
    let unscored = filters.map(|filter| {
        let filter = ConstScoreQuery::new(filter, 0.0);
        (Occur::Must, Box::new(filter) as Box<dyn Tantivy>)
    });
    unscored.collect()
}

/// A query among the articles that pass the filters.
fn with_filters(filters: &[(Occur, Box<dyn Tantivy>)], row: Box<dyn Tantivy>) -> Box<dyn Tantivy> {
    let filters = filters.iter();
    let mut all: Vec<_> = filters
        .map(|(occur, filter)| (*occur, filter.box_clone()))
        .collect();
    all.push((Occur::Must, row));
    Box::new(BooleanQuery::new(all))
}

/// Reads a query in some languages. A language in which all its words are stop words has no
/// hits.
pub fn compile(
    query: &Query,
    languages: &[Language],
    fields: &IndexFields,
    analyzers: &mut Analyzers,
) -> CompiledQuery {
    let clauses = clauses(&query.words);
    let filters = unscored_filters(query, fields);
    let mut terms = HashSet::default();
    let mut any: Vec<(Occur, Box<dyn Tantivy>)> = Vec::new();
    for &language in languages {
        let mut all: Vec<(Occur, Box<dyn Tantivy>)> = Vec::new();
        for clause in &clauses {
            let tokens = analyzers.tokens(language, &clause.text);
            let Some(first) = tokens.first().map(|token| token.position) else {
                continue;
            };
            let row: Vec<(usize, String)> = tokens
                .into_iter()
                .map(|token| (token.position - first, token.text))
                .collect();
            // The articles of one word are a stored list. Those of words in a row must be
            // computed, so only among the articles that pass the filters.
            let passed = |row: Box<dyn Tantivy>, words: usize| match words {
                1 => row,
                _ => with_filters(&filters, row),
            };
            let title = passed(in_a_row(&row, fields.title), row.len());
            let either: Vec<(Occur, Box<dyn Tantivy>)> = vec![
                (Occur::Should, Box::new(BoostQuery::new(title, TITLE_BOOST))),
                (
                    Occur::Should,
                    passed(in_a_row(&row, fields.text), row.len()),
                ),
            ];
            let occur = if clause.excluded {
                Occur::MustNot
            } else {
                Occur::Must
            };
            all.push((occur, Box::new(BooleanQuery::new(either))));
            if !clause.excluded {
                terms.extend(row.into_iter().map(|(_, term)| term));
            }
        }
        if all.iter().any(|(occur, _)| *occur == Occur::Must) {
            any.push((Occur::Should, Box::new(BooleanQuery::new(all))));
        }
    }
    let has_condition = !any.is_empty() || clauses.is_empty() && !filters.is_empty();
    if !has_condition {
        let query = Box::new(EmptyQuery);
        return CompiledQuery {
            query,
            terms,
            has_condition,
        };
    }
    let mut parts = filters;
    if !any.is_empty() {
        parts.push((Occur::Must, Box::new(BooleanQuery::new(any))));
    }
    CompiledQuery {
        query: Box::new(BooleanQuery::new(parts)),
        terms,
        has_condition,
    }
}

fn in_a_row(row: &[(usize, String)], field: tantivy::schema::Field) -> Box<dyn Tantivy> {
    let term = |text: &str| Term::from_field_text(field, text);
    match row {
        [(_, one)] => {
            let exact = || Box::new(TermQuery::new(term(one), IndexRecordOption::WithFreqs)) as _;
            with_bigrams(one, field).unwrap_or_else(exact)
        }
        several => {
            let terms = several.iter().map(|(at, text)| (*at, term(text)));
            Box::new(PhraseQuery::new_with_offset(terms.collect()))
        }
    }
}

/// The query for one character of a script without spaces, which stands in the index as a part of
/// bigrams, unless it stood alone; `None` for other words. A word has its language before it.
fn with_bigrams(word: &str, field: tantivy::schema::Field) -> Option<Box<dyn Tantivy>> {
    let (language, word) = word.split_once(':')?;
    let mut characters = word.chars();
    let one = characters.next().filter(|c| is_unspaced(*c))?;
    if characters.next().is_some() {
        return None;
    }
    let found = RegexQuery::from_pattern(&format!("{language}:.?{one}.?"), field).ok()?;
    Some(Box::new(found))
}

fn filters(query: &Query, fields: &IndexFields) -> Vec<Box<dyn Tantivy>> {
    let mut out: Vec<Box<dyn Tantivy>> = Vec::new();
    let is = |field, text: &str| -> Box<dyn Tantivy> {
        let term = Term::from_field_text(field, text);
        Box::new(TermQuery::new(term, IndexRecordOption::Basic))
    };
    if let Some(sites) = &query.sites {
        let terms = sites.iter();
        let terms = terms.map(|site| Term::from_field_text(fields.site, site));
        out.push(Box::new(TermSetQuery::new(terms)));
    }
    if let Some(articles) = &query.articles {
        let terms = articles.iter();
        let terms = terms.map(|id| Term::from_field_i64(fields.article, *id));
        out.push(Box::new(TermSetQuery::new(terms)));
    }
    if !query.statuses.is_empty() {
        let names = query.statuses.iter().map(|status| status.name());
        let any = names.map(|name| (Occur::Should, is(fields.status, name)));
        out.push(Box::new(BooleanQuery::new(any.collect())));
    }
    if query.since.is_some() || query.until.is_some() {
        let bound = |time: i64| Term::from_field_i64(fields.date, time);
        // The index keeps whole seconds: 10.5 s is stored as 10.
        let since = query.since.map_or(Bound::Unbounded, |since| {
            Bound::Included(bound(since.timestamp()))
        });
        let until = query.until.map_or(Bound::Unbounded, |until| {
            Bound::Excluded(bound(until.timestamp()))
        });
        out.push(Box::new(RangeQuery::new(since, until)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, expected: &[(&str, bool)]) {
        let found = clauses(words);
        let found: Vec<(&str, bool)> = found.iter().map(|c| (&*c.text, c.excluded)).collect();
        assert_eq!(found, expected, "{words}");
    }

    #[test]
    fn words_rows_and_what_is_not_wanted() {
        check("", &[]);
        check(" rain  snow ", &[("rain", false), ("snow", false)]);
        check("\"rain and snow\"", &[("rain and snow", false)]);
        check("“rain and” snow", &[("rain and", false), ("snow", false)]);
        check("rain -snow", &[("rain", false), ("snow", true)]);
        check(
            "-\"heavy snow\" rain",
            &[("heavy snow", true), ("rain", false)],
        );
        check("well-known", &[("well-known", false)]);
    }

    #[test]
    fn a_text_in_no_index_has_words_by_their_letters() {
        let check = |words: &str, text: &str, expected: bool| {
            let is_in = TypedWords::of(words).are_in(text);
            assert_eq!(is_in, expected, "{words} in {text}");
        };
        check("BOAT", "Two boats came", true);
        check("boats", "A boat came", false);
        check("art", "A party", false);
        check("boat rain", "Rain on the boat", true);
        check("boat rain", "The boat", false);
        check("\"the  boat\"", "Rain on the boat", true);
        check("\"boat the\"", "Rain on the boat", false);
        check("boat -rain", "Rain on the boat", false);
        check("-rain", "The boat", false);
        check("東京", "今日は東京へ", true);
        check("", "The boat", false);
    }

    #[test]
    fn nothing_is_an_error() {
        check("\"rain", &[("rain", false)]);
        check("a\"b c\"d", &[("a", false), ("b c", false), ("d", false)]);
        check("- -- \" \"\" -\" () [ ] * ~ ^ \\ : ! ?", &[]);
        check("title:(rain AND", &[("title:(rain", false), ("AND", false)]);
        check("--rain", &[("-rain", true)]);
        assert_eq!(clauses(&"a ".repeat(1000)).len(), MAX_WORDS);
    }
}
