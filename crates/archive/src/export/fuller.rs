//! Articles of which a feed says more than their pages do, as where a page is behind a wall.

use super::super::ArchiveReader;
use super::shared_pages::find_shared_pages;
use crate::error::Result;
use forest_core::feed::FeedItem;

/// Items of an article that are read, since each may be in another answer.
const MAX_ITEMS: u32 = 3;

impl ArchiveReader {
    /// The newest item of an article that says more than the article's text. Not of a page that
    /// several items of a feed link to: its text is none of theirs.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn fuller_item(&self, article: i64, text: &str) -> Result<Option<FeedItem>> {
        let rows = self.items_of_article(article, MAX_ITEMS)?;
        let shared = find_shared_pages([].into_iter(), &rows);
        for row in rows {
            if row.page.is_none_or(|page| shared.contains(&page)) {
                continue;
            }
            let answer = match row.answer {
                Some(answer) => self.answered_items(answer)?,
                None => None,
            };
            let item = self.item_in(&row, answer.as_ref())?;
            if item.says_more_than(text) {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }
}
