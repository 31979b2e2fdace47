//! Threads: records of one place, each with a text and an author of its own.

use super::leaf::{JsonLeaf, PathStep, SENTENCE_WORDS, generalised, names_record};
use super::tie::{PageNames, key_words};

/// Steps from a record to its text: `content/body`.
const TEXT_STEPS: usize = 2;

/// Strings on either side of a text that are looked at for its author.
const MAX_BESIDE: usize = 120;

/// Places of texts in one script that may be those of posts.
const MAX_PLACES: usize = 40;

/// Steps from a record to the name of its author: `author/name`.
pub(super) const AUTHOR_STEPS: usize = 3;

/// Words of the keys of authors.
const AUTHOR_WORDS: [&str; 9] = [
    "author", "user", "username", "poster", "creator", "created", "member", "nickname", "owner",
];

/// The texts at one place that may be a thread's posts: indices of leaves.
#[derive(Debug)]
pub(super) struct JsonThread {
    pub texts: Vec<usize>,
    /// The number of steps to the records.
    pub depth: usize,
}

/// The threads of a script, of whose strings `words` are the words.
pub(super) fn threads(leaves: &[JsonLeaf], words: &[usize], names: &PageNames) -> Vec<JsonThread> {
    let mut places: Vec<usize> = Vec::new();
    for (at, leaf) in leaves.iter().enumerate() {
        let may_begin = words[at] >= SENTENCE_WORDS
            && !is_title(leaf)
            && places.len() < MAX_PLACES
            && record_depth(&leaf.path).is_some();
        if may_begin
            && !places
                .iter()
                .any(|&known| is_alike(&leaves[known].path, &leaf.path))
        {
            places.push(at);
        }
    }
    let thread = |place: usize| {
        let path = &leaves[place].path;
        let depth = record_depth(path)?;
        let texts = (0..leaves.len()).filter(|&at| is_alike(&leaves[at].path, path));
        let texts: Vec<usize> = texts.collect();
        let is_most = |is_one: &dyn Fn(&usize) -> bool| {
            2 * texts.iter().filter(|at| is_one(at)).count() > texts.len()
        };
        let has_author = |&at: &usize| {
            beside(leaves, at, depth).any(|leaf| {
                leaf.path.len() <= depth + AUTHOR_STEPS && is_of_author(&leaf.path[depth..])
            })
        };
        // Articles have titles of their own; a post, if any, that of its thread.
        let is_article = |&at: &usize| {
            beside(leaves, at, depth).any(|leaf| {
                leaf.path.len() == depth + 1
                    && (is_title(leaf) || matches!(leaf.name(), "slug" | "permalink"))
                    && !names.is_headline(&leaf.text)
            })
        };
        (is_most(&has_author) && !is_most(&is_article)).then_some(JsonThread { texts, depth })
    };
    places.into_iter().filter_map(thread).collect()
}

/// The number of steps to the record that a text is of, if it is near it.
pub(super) fn record_depth(path: &[PathStep]) -> Option<usize> {
    let at = path.iter().rposition(names_record)?;
    (1..=TEXT_STEPS)
        .contains(&(path.len() - at - 1))
        .then_some(at + 1)
}

/// The strings of the record whose text is the leaf `at`, those near it.
pub(super) fn beside(
    leaves: &[JsonLeaf],
    at: usize,
    depth: usize,
) -> impl Iterator<Item = &JsonLeaf> {
    let record = &leaves[at].path[..depth];
    let is_inside = move |leaf: &&JsonLeaf| leaf.shared(record) == depth;
    let before = leaves[..at]
        .iter()
        .rev()
        .take(MAX_BESIDE)
        .take_while(is_inside);
    let behind = leaves[at + 1..]
        .iter()
        .take(MAX_BESIDE)
        .take_while(is_inside);
    before.chain(behind)
}

fn is_title(leaf: &JsonLeaf) -> bool {
    matches!(leaf.name(), "title" | "headline")
}

pub(super) fn is_of_author(path: &[PathStep]) -> bool {
    let words = path.iter().filter_map(PathStep::name).flat_map(key_words);
    let mut words = words.map(str::to_ascii_lowercase);
    words.any(|word| AUTHOR_WORDS.contains(&&*word))
}

/// True if two paths are one place.
pub(super) fn is_alike(a: &[PathStep], b: &[PathStep]) -> bool {
    let is_same = |(a, b): (&PathStep, &PathStep)| {
        a == b
            || names_record(a)
                && generalised(std::slice::from_ref(a)) == generalised(std::slice::from_ref(b))
    };
    a.len() == b.len() && a.iter().rev().zip(b.iter().rev()).all(is_same)
}
