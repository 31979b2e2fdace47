//! The items of an article: a feed may say more than its page, as where that is behind a wall, and
//! names files that go with it.

use super::super::ArchiveReader;
use crate::error::Result;
use forest_core::feed::{Enclosure, FeedItem};
use forest_html::text::fold;
use std::collections::{HashMap, HashSet};

/// Items of an article that are looked at.
const MAX_ITEMS: u32 = 20;

/// The items of an article, as far as they have more than its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleItems {
    /// The first item that says more than the text.
    pub fuller: Option<FeedItem>,
    /// The files of the first item with any, up to the fuller one.
    pub files: Vec<Enclosure>,
}

impl ArchiveReader {
    /// The items of an article beside its text: the newest of each feed. Not of
    /// a page that several items of the feed link to, with titles of their own: its text is none
    /// of theirs.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read.
    pub fn article_items(&self, article: i64, text: &str) -> Result<ArticleItems> {
        let mut found = ArticleItems::default();
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
            if found.files.is_empty() {
                found.files.clone_from(&item.enclosures);
            }
            if item.says_more_than(text) {
                found.fuller = Some(item);
                break;
            }
        }
        Ok(found)
    }
}
