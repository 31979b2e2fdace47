//! The fields of an article.

/// Names of finds that are followed, a field.
pub(super) const MAX_KEYS: usize = 400;

/// A field of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArticleField {
    /// The title.
    Title,
    /// The authors.
    Author,
    /// The date of publication.
    Date,
    /// The tags.
    Tags,
}

impl ArticleField {
    /// All of them, in the order of a template's keys.
    pub const ALL: [ArticleField; 4] = [
        ArticleField::Title,
        ArticleField::Author,
        ArticleField::Date,
        ArticleField::Tags,
    ];

    /// Its key in a template.
    pub fn name(self) -> &'static str {
        match self {
            ArticleField::Title => "title",
            ArticleField::Author => "author",
            ArticleField::Date => "date",
            ArticleField::Tags => "tags",
        }
    }

    /// True if an article may have several values.
    pub(super) fn is_list(self) -> bool {
        matches!(self, ArticleField::Author | ArticleField::Tags)
    }
}
