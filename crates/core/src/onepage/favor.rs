//! The side on which a doubtful block is decided.

/// The preference where a block may or may not be the article's: that nothing foreign is kept, or that
/// nothing is lost. It moves the probability above which blocks are kept; `docs/guide.md` says what it
/// costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Favor {
    /// Nothing foreign: three halves of the usual probability.
    Precision,
    /// As many words lost as foreign ones kept.
    #[default]
    Balance,
    /// Nothing lost: half of the usual probability.
    Recall,
}

impl Favor {
    /// The probability above which a block is kept instead of this one.
    pub(super) fn least(self, usual: f32) -> f32 {
        match self {
            Favor::Precision => 1.5 * usual,
            Favor::Balance => usual,
            Favor::Recall => 0.5 * usual,
        }
    }
}
