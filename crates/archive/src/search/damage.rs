//! Does the index have what the tables have?

use super::SearchIndex;
use crate::error::Result;
use crate::{ArchiveReader, paths};
use forest_html::error::counted;
use std::path::Path;

/// The damage of the search index after it was updated from the tables.
///
/// # Errors
///
/// If the index cannot be read or written.
pub fn index_damage(
    dir: &Path,
    archive: &ArchiveReader,
    articles: u64,
    rebuild: bool,
) -> Result<Option<String>> {
    let path = paths::index(dir);
    let mut index = if rebuild {
        SearchIndex::anew(&path)?
    } else {
        match SearchIndex::open(&path) {
            Ok(index) => index,
            Err(error) => return Ok(Some(error.to_string())),
        }
    };
    if !index.is_sound()? {
        return Ok(Some(
            "the search index is damaged; make it again with --rebuild".to_owned(),
        ));
    }
    index.catch_up(archive)?;
    index.reload()?;
    let indexed = index.articles();
    Ok((indexed != articles).then(|| {
        format!(
            "the search index has {} and not {articles}; make it again with --rebuild",
            counted(indexed, "article", "articles")
        )
    }))
}
