//! True if what was extracted of pages is what is known of them.

use super::field::ArticleField;
use super::truth::SampleTruth;
use crate::learn::page::SamplePage;

/// True if a field of a page is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// True if the feed says what is right, not only the page's metadata.
    pub by_feed: bool,
    /// True if the values that were found are that.
    pub agrees: bool,
}

/// For each page and each of [`ArticleField::ALL`] whether the values that `found` gives,
/// by the index of the page, are right; `None` where nobody knows what is.
///
/// ```
/// use forest_core::feed::FeedItem;
/// use forest_core::learn::fields::{ArticleField, agreement};
/// use forest_core::learn::SamplePage;
/// use forest_html::page::Page;
///
/// let mut page = SamplePage::new(Page::from_html("<h1>Rain, again</h1>"), "a page");
/// page.item = Some(FeedItem { title: "Rain again".to_owned(), ..FeedItem::default() });
/// let found = |_, field| match field {
///     ArticleField::Title => vec!["RAIN - again".to_owned()],
///     _ => Vec::new(),
/// };
/// let [title, author, ..] = agreement(&[&page], found)[0];
/// assert!(title.is_some_and(|title| title.by_feed && title.agrees));
/// assert_eq!(author, None);
/// ```
pub fn agreement(
    pages: &[&SamplePage],
    found: impl Fn(usize, ArticleField) -> Vec<String>,
) -> Vec<[Option<Agreement>; 4]> {
    let truths = SampleTruth::of(pages).truths.into_iter().enumerate();
    let judged = truths.map(|(at, truth)| {
        ArticleField::ALL.map(|field| {
            truth.knows(field).then(|| {
                let values = found(at, field);
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                Agreement {
                    by_feed: truth.is_by_feed(field),
                    agrees: truth.is_right(field, &values, None),
                }
            })
        })
    });
    judged.collect()
}
