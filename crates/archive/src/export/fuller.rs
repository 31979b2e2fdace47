//! Articles of which a feed says more than their pages do, as where a page is behind a wall.

use super::super::ArchiveReader;
use crate::error::Result;
use forest_core::feed::FeedItem;
use forest_html::text::fold;
use std::collections::{HashMap, HashSet};

/// Items of an article that are looked at.
const MAX_ITEMS: u32 = 20;

impl ArchiveReader {
    /// An item of an article that says more than the article's text: the newest of a feed. Not of
    /// a page that several items of the feed link to, with titles of their own: its text is none
    /// of theirs.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn fuller_item(&self, article: i64, text: &str) -> Result<Option<FeedItem>> {
        let rows = self.items_of_article(article, MAX_ITEMS)?;
        let mut titles: HashMap<i64, HashSet<String>> = HashMap::new();
        for row in &rows {
            titles.entry(row.feed).or_default().insert(fold(&row.title));
        }
        for row in rows {
            // Only the newest item of a feed finds its titles here.
            if titles
                .remove(&row.feed)
                .is_none_or(|titles| titles.len() > 1)
            {
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
