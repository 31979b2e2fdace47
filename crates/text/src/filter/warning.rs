//! Warnings of a filtered page.

use std::fmt;

/// Something that a user should know of a filtered page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterWarning {
    /// The filters would have taken nearly all words: only scripts, advertisements and the
    /// like were removed.
    Portal,
    /// The HTML would be more than four times as long as the page: its end was left out.
    Cut,
    /// The page has markup that is read otherwise each time it is written: its text was
    /// written in the place of it.
    TextOnly,
}

impl fmt::Display for FilterWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FilterWarning::Portal => {
                "this page has links and little else: its text and its images stay as they are \
                 (`portal_share` in the settings)"
            }
            FilterWarning::Cut => {
                "the page would be more than four times as long as it was: its end was left out"
            }
            FilterWarning::TextOnly => {
                "the page has markup that reads otherwise each time it is written: only its text \
                 was written"
            }
        })
    }
}
