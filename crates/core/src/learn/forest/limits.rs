//! The limits of `forest`, and what they were chosen by.

/// Probability from which on a block is likely.
pub(super) const LIKELY: f32 = 0.5;

/// The limits by which `forest` decides. Those of the program are the [default](Self::default).
///
/// Set by hand, and searched by the tuner in five folds over publishers: see
/// `docs/tuning.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForestLimits {
    /// F1 to expect below which a page is of another template.
    pub fits: f32,
    /// Amount by which a second piece must raise the mean F1 to expect.
    pub piece_gain: f32,
    /// Weight of what a name is worth because it lives long, 1 as measured.
    pub longevity: f32,
    /// F1 to expect that a strip costs.
    pub strip_cost: f32,
    /// F1 to expect that a body costs of which all would have to be stripped: what needs
    /// little stripping goes wrong less on other pages.
    pub stripped_cost: f32,
    /// Share of likely words up to which what a selector selects is stripped. Half is what the
    /// F1 to expect gains from.
    pub noise: f32,
    /// The same for what a tag alone selects.
    pub noise_of_tag: f32,
    /// The same for what few pages have.
    pub noise_of_page: f32,
    /// Share of the pages on which a strip must take something away.
    pub strip_pages: f32,
    /// Share of a page's article that a strip may take from it.
    pub max_loss: f32,
    /// Share of the sample's pages on which a text stands that is the template's.
    pub repeated: f32,
    /// Share of the sample's pages on which a sentence stands that is no article's, wherever
    /// it stands.
    pub nearly_all: f32,
}

impl Default for ForestLimits {
    fn default() -> Self {
        ForestLimits {
            fits: 0.6,
            piece_gain: 0.01,
            longevity: 1.0,
            strip_cost: 0.001,
            stripped_cost: 0.04,
            noise: 0.45,
            noise_of_tag: 0.3,
            noise_of_page: 0.2,
            strip_pages: 0.15,
            max_loss: 0.2,
            repeated: 0.4,
            nearly_all: 0.8,
        }
    }
}
