//! A part of a source that is left out, and what stands for it.

/// The comment that stands for what was cut.
pub(super) const MARK: &str = "forest:cut";

/// A part of a source that is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The place of its comment, which may be the start of the element.
    pub mark: usize,
    pub start: usize,
    pub end: usize,
}
