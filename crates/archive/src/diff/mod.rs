//! The changes between two texts, word by word.
//!
//! Takes two texts; gives a [`Diff`]: the pieces of both texts, of the old text only and of
//! the new text only, in order. The first two kinds joined are the old text, the first and
//! the last the new one, to the byte. Lines are compared first, then the words of changed
//! lines. So an inserted paragraph is not matched with words of its neighbours.
//!
//! The effort is bounded by the number of comparisons, not by a clock: the same texts
//! give the same diff on any machine. If the bound is reached, the rest is one change.

mod align;
mod render;

#[cfg(test)]
mod tests;

use align::{AlignedRange, DiffBudget, align};
use foldhash::HashMap;
use forest_html::text::is_unspaced;
use std::ops::Range;

pub use render::{html, json, terminal};

/// The change to a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EditOp {
    /// Both texts have it.
    Equal,
    /// Only the old text has it.
    Delete,
    /// Only the new text has it.
    Insert,
}

/// A piece of text and its change.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Piece {
    /// Its change.
    pub op: EditOp,
    /// The text, never empty.
    pub text: String,
}

/// The pieces of two texts. Two neighbours are never of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    pieces: Vec<Piece>,
}

/// A change with the words around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// True if text was left out before it.
    pub after_gap: bool,
    /// True if text was left out behind it: the last hunk's only.
    pub before_gap: bool,
    /// Its pieces.
    pub pieces: Vec<Piece>,
}

/// Default number of words on either side of a change: enough to recognise the sentence.
pub const CONTEXT_WORDS: usize = 8;

impl Diff {
    /// Compares two texts.
    ///
    /// ```
    /// use forest_archive::diff::{Diff, terminal};
    ///
    /// let diff = Diff::of("The ferry leaves at nine.", "The ferry leaves at ten.");
    /// let hunks = diff.hunks(2);
    /// assert_eq!(terminal(&hunks, false), "... leaves at [-nine-]{+ten+}.\n");
    /// ```
    pub fn of(old: &str, new: &str) -> Diff {
        let mut effort = DiffBudget::default();
        let mut names = TokenIds::default();
        let (old_lines, new_lines) = (lines(old), lines(new));
        let (a, b) = (names.of(old, &old_lines), names.of(new, &new_lines));
        let mut diff = Diff::default();
        for op in align(&a, &b, &mut effort) {
            let (before, after) = (
                text(old, &old_lines, &op.old),
                text(new, &new_lines, &op.new),
            );
            if op.equal {
                diff.push(EditOp::Equal, before);
            } else {
                diff.words(before, after, &mut effort);
            }
        }
        diff
    }

    /// Compares the words of lines that changed.
    fn words(&mut self, old: &str, new: &str, effort: &mut DiffBudget) {
        let mut names = TokenIds::default();
        let (old_words, new_words) = (words(old), words(new));
        let (a, b) = (names.of(old, &old_words), names.of(new, &new_words));
        let mut ops = align(&a, &b, effort);
        join_over_space(&mut ops, |op| {
            text(old, &old_words, &op.old).trim().is_empty()
        });
        for op in ops {
            let (before, after) = (
                text(old, &old_words, &op.old),
                text(new, &new_words, &op.new),
            );
            if op.equal {
                self.push(EditOp::Equal, before);
            } else {
                self.push(EditOp::Delete, before);
                self.push(EditOp::Insert, after);
            }
        }
    }

    fn push(&mut self, op: EditOp, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last) if last.op == op => last.text.push_str(text),
            _ => self.pieces.push(Piece {
                op,
                text: text.to_owned(),
            }),
        }
    }

    /// Returns true if the texts are the same.
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.op == EditOp::Equal)
    }

    /// The numbers of inserted and of removed words.
    pub fn words_changed(&self) -> (usize, usize) {
        let count = |op: EditOp| {
            let of = self.pieces.iter().filter(|piece| piece.op == op);
            of.map(|piece| piece.text.split_whitespace().count()).sum()
        };
        (count(EditOp::Insert), count(EditOp::Delete))
    }

    /// The changes, each with `context` words on either side; changes whose contexts
    /// meet are one hunk.
    pub fn hunks(&self, context: usize) -> Vec<Hunk> {
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut open: Option<Hunk> = None;
        for (at, piece) in self.pieces.iter().enumerate() {
            if piece.op != EditOp::Equal {
                let hunk = open.get_or_insert_with(|| Hunk {
                    after_gap: false,
                    before_gap: false,
                    pieces: Vec::new(),
                });
                hunk.pieces.push(piece.clone());
                continue;
            }
            let (head, tail) = context_ranges(&piece.text, context);
            let is_last = at + 1 == self.pieces.len();
            let whole = head.end >= tail.start && open.is_some() && !is_last;
            if whole {
                open.iter_mut()
                    .for_each(|hunk| hunk.pieces.push(piece.clone()));
                continue;
            }
            let part = |range: Range<usize>| Piece {
                op: EditOp::Equal,
                text: piece.text[range].to_owned(),
            };
            if let Some(mut hunk) = open.take() {
                hunk.before_gap = head.end < piece.text.len();
                if !head.is_empty() {
                    hunk.pieces.push(part(head));
                }
                hunks.push(hunk);
            }
            if !is_last {
                open = Some(Hunk {
                    after_gap: tail.start > 0,
                    before_gap: false,
                    pieces: (!tail.is_empty()).then(|| part(tail)).into_iter().collect(),
                });
            }
        }
        hunks.extend(open);
        hunks
    }
}

/// The first and the last `context` words of a text, with the characters between them and
/// at the ends of the text.
fn context_ranges(text: &str, context: usize) -> (Range<usize>, Range<usize>) {
    let all = words(text);
    let is_word = |range: &&Range<usize>| text[(*range).clone()].contains(char::is_alphanumeric);
    let words: Vec<&Range<usize>> = all.iter().filter(is_word).collect();
    if words.len() <= context {
        return (0..text.len(), 0..text.len());
    }
    let (last_of_head, first_of_tail) = match context {
        // The punctuation at the change.
        0 => (0, text.len()),
        n => (words[n - 1].end, words[words.len() - n].start),
    };
    (0..last_of_head, first_of_tail..text.len())
}

/// Unchanged white space between two changes belongs to the change: words that were
/// replaced one by one are read together.
fn join_over_space(ops: &mut Vec<AlignedRange>, is_space: impl Fn(&AlignedRange) -> bool) {
    let mut joined: Vec<AlignedRange> = Vec::with_capacity(ops.len());
    let mut rest = std::mem::take(ops).into_iter().peekable();
    while let Some(op) = rest.next() {
        let between = op.equal
            && rest.peek().is_some()
            && joined.last().is_some_and(|last| !last.equal)
            && is_space(&op);
        match joined.last_mut() {
            Some(last) if !last.equal && (between || !op.equal) => {
                last.old.end = op.old.end;
                last.new.end = op.new.end;
            }
            _ => joined.push(op),
        }
    }
    *ops = joined;
}

/// The lines, each with its end.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let range = |line: &str| {
        at += line.len();
        at - line.len()..at
    };
    text.split_inclusive('\n').map(range).collect()
}

/// The words and the characters between them: runs of letters and digits, runs of white
/// space without line ends, each other character alone. In scripts without spaces each
/// character is a word.
fn words(text: &str) -> Vec<Range<usize>> {
    #[derive(PartialEq, Clone, Copy)]
    enum DiffTokenClass {
        Word,
        Space,
        Alone,
    }
    let class = |c: char| match c {
        '\n' => DiffTokenClass::Alone,
        c if c.is_whitespace() => DiffTokenClass::Space,
        c if is_unspaced(c) => DiffTokenClass::Alone,
        c if c.is_alphanumeric() || is_joining(c) => DiffTokenClass::Word,
        _ => DiffTokenClass::Alone,
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut last = DiffTokenClass::Alone;
    for (at, c) in text.char_indices() {
        let (end, class) = (at + c.len_utf8(), class(c));
        match out.last_mut() {
            Some(word) if class == last && class != DiffTokenClass::Alone => word.end = end,
            _ => out.push(at..end),
        }
        last = class;
    }
    out
}

/// Combining marks, soft hyphens and joiners are parts of words.
fn is_joining(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200c}' | '\u{200d}' | '_'
    )
}

/// The text from the first to the last of some ranges.
fn text<'a>(text: &'a str, ranges: &[Range<usize>], of: &Range<usize>) -> &'a str {
    match ranges.get(of.clone()) {
        Some([first, .., last]) => &text[first.start..last.end],
        Some([one]) => &text[one.clone()],
        _ => "",
    }
}

/// A number for each different string.
#[derive(Default)]
struct TokenIds<'a>(HashMap<&'a str, u32>);

impl<'a> TokenIds<'a> {
    fn of(&mut self, text: &'a str, ranges: &[Range<usize>]) -> Vec<u32> {
        let name = |range: &Range<usize>| {
            let next = self.0.len() as u32;
            *self.0.entry(&text[range.clone()]).or_insert(next)
        };
        ranges.iter().map(name).collect()
    }
}
