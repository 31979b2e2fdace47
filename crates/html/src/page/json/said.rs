//! Strings that others say already: frameworks write a paragraph as a whole and as its runs of one
//! style, or once more as plain text.

use super::leaf::{JsonLeaf, SENTENCE_WORDS};
use std::collections::HashMap;

/// Bytes of a string up to which the strings below its object are looked for in it.
const MAX_PARAGRAPH_BYTES: usize = 4000;

/// Strings that one is looked for in.
const MAX_OUTER: usize = 4;

/// For each string the nearest one before it that says it: a sentence that is the same, or one
/// in an object around it, of which it is the next part. `words` are the strings' words.
pub(super) fn said_before(leaves: &[JsonLeaf], words: &[usize]) -> Vec<Option<usize>> {
    let mut sentences: HashMap<&str, usize> = HashMap::new();
    // Strings of the objects around this one, and the bytes of each that were found again.
    let mut around: Vec<(usize, usize)> = Vec::new();
    let mut said = Vec::with_capacity(leaves.len());
    for (at, leaf) in leaves.iter().enumerate() {
        around.retain(|&(outer, _)| {
            let object = leaves[outer].path.len().saturating_sub(1);
            leaf.shared(&leaves[outer].path[..object]) == object
        });
        let text = leaf.text.trim();
        let same = if words[at] >= SENTENCE_WORDS {
            sentences.insert(text, at)
        } else {
            None
        };
        let mut part_of = None;
        for (outer, found) in &mut around {
            let whole = &leaves[*outer];
            if leaf.path.len() > whole.path.len()
                && let Some(begin) = whole.text[*found..].find(text)
            {
                *found += begin + text.len();
                part_of = Some(*outer);
            }
        }
        said.push(same.max(part_of));
        if around.len() < MAX_OUTER
            && words[at] >= SENTENCE_WORDS
            && leaf.text.len() <= MAX_PARAGRAPH_BYTES
        {
            around.push((at, 0));
        }
    }
    said
}
