//! The part of a text with the words of a query.

use super::fields::Analyzers;
use foldhash::HashSet;
use forest_html::text::Language;
use std::ops::Range;

/// Words of a snippet: two lines of a terminal.
const WORDS: usize = 30;

/// The same for languages whose bigrams count as words; a bigram is a character.
const UNSPACED_WORDS: usize = 70;

/// Words before the first found one, so that it is read in its sentence.
const LEAD: usize = 5;

/// Maximum number of bytes of a snippet: words may be long.
const MAX_BYTES: usize = 600;

/// Some words of a text, on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The words.
    pub text: String,
    /// The ranges of found words, in bytes of `text`: in order, without overlap.
    pub marks: Vec<Range<usize>>,
    /// True if the article's text begins before it.
    pub cut_before: bool,
    /// True if the text continues behind it.
    pub cut_after: bool,
}

impl Snippet {
    /// The words around those with one of `terms`: the first place with most of them, or the
    /// text's beginning.
    pub fn of(
        text: &str,
        language: Language,
        terms: &HashSet<String>,
        analyzers: &mut Analyzers,
    ) -> Snippet {
        let size = match language {
            Language::Chinese | Language::Japanese | Language::Korean | Language::Thai => {
                UNSPACED_WORDS
            }
            _ => WORDS,
        };
        let tokens = analyzers.tokens(language, text);
        let found: Vec<usize> = (0..tokens.len())
            .filter(|&at| terms.contains(&tokens[at].text))
            .collect();
        // The place: of `size` words that begin with a found one, those with most
        // different terms, then with most of any.
        let mut best = (0, 0, 0);
        let mut end = 0;
        let mut counts: foldhash::HashMap<&str, usize> = foldhash::HashMap::default();
        for (i, &at) in found.iter().enumerate() {
            let last = tokens[at].position + size - LEAD;
            while end < found.len() && tokens[found[end]].position < last {
                *counts.entry(&tokens[found[end]].text).or_default() += 1;
                end += 1;
            }
            if (counts.len(), end - i) > (best.0, best.1) {
                best = (counts.len(), end - i, at);
            }
            let gone: &str = &tokens[at].text;
            if let Some(count) = counts.get_mut(gone) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(gone);
                }
            }
        }
        let first = tokens.get(best.2).map_or(0, |token| token.position);
        let first = if found.is_empty() {
            0
        } else {
            first.saturating_sub(LEAD)
        };
        // Stop words are no tokens: the bounds are next to tokens, then moved to where
        // the text may be cut.
        let from = tokens.partition_point(|token| token.position < first);
        let to = tokens.partition_point(|token| token.position < first + size);
        let start = match from {
            0 => 0,
            from => tokens[from].offset_from,
        };
        let end = match tokens.get(to) {
            Some(_) if to > from => tokens[to - 1].offset_to,
            Some(next) => next.offset_from,
            None => text.len(),
        };
        // The full stop behind the last word belongs to it.
        let end = if text[end..].contains(char::is_alphanumeric) {
            end
        } else {
            text.len()
        };
        let end = text.floor_char_boundary(end.min(start + MAX_BYTES));
        let ranges = found
            .iter()
            .map(|&at| tokens[at].offset_from..tokens[at].offset_to)
            .filter(|range| range.start >= start && range.end <= end);
        let mut marks: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match marks.last_mut() {
                // Bigrams overlap.
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => marks.push(range),
            }
        }
        one_line(text, start..end, &marks)
    }
}

/// A part of the text with every run of white space as one space.
fn one_line(text: &str, part: Range<usize>, marks: &[Range<usize>]) -> Snippet {
    let mut out = Snippet {
        cut_before: text[..part.start].contains(char::is_alphanumeric),
        cut_after: text[part.end..].contains(char::is_alphanumeric),
        ..Snippet::default()
    };
    let mut marks = marks.iter().peekable();
    let mut open = None;
    for (at, c) in text[part.clone()].char_indices() {
        let at = part.start + at;
        if marks.peek().is_some_and(|mark| mark.start == at) {
            open = marks.next().map(|mark| (out.text.len(), mark.end));
        }
        if !c.is_whitespace() {
            out.text.push(c);
        } else if !out.text.is_empty() && !out.text.ends_with(' ') {
            out.text.push(' ');
        }
        if let Some((from, end)) = open
            && at + c.len_utf8() >= end
        {
            out.marks.push(from..out.text.len());
            open = None;
        }
    }
    out.text.truncate(out.text.trim_end().len());
    out
}
