//! `/export.epub?`: the articles of a list or of a search as a book.
//!
//! The query is that of the list (`show`, `feed`, `folder`) or of the search (`q` and its filters).

use super::entry_filter::{EntryFilter, ShownMarks};
use super::export::saved;
use super::search_page::TypedSearch;
use super::{archive_dir, asked, with_marks};
use crate::api::title_of;
use crate::error::Result;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, Uri};
use forest_archive::export::{MAX_EPUB_ARTICLES, epub};
use forest_archive::{ArchiveReader, ArticleMarks, EntryRange, FeedRow};
use forest_web::served_state::ServedState;

/// The media type of a book.
pub(super) const EPUB: &str = "application/epub+zip";

/// Characters of the name of a file.
const MAX_NAME_CHARS: usize = 60;

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let asked = asked(&uri);
    let search = TypedSearch::of(&asked).without_offset();
    let dir = archive_dir(&state);
    let filter = EntryFilter::of(&asked);
    let written = with_marks(&state, move |archive, marks| {
        let (title, articles) = match dir.filter(|_| !search.is_empty()) {
            Some(dir) => {
                let results = search.find(&dir, archive, &marks, MAX_EPUB_ARTICLES)?;
                let found = results.hits.iter().map(|hit| hit.article);
                (search.title(), found.collect())
            }
            None => listed(archive, &marks, &filter)?,
        };
        let (bytes, _) = epub(archive, &title, &articles)?;
        Ok((title, bytes))
    });
    match written.await {
        Ok((title, bytes)) => saved(bytes, &format!("{}.epub", file_name(&title)), EPUB),
        Err(why) => why.page("", "Reader"),
    }
}

/// The entries of a list that have an article.
pub(super) fn range_of_book(filter: &EntryFilter, feeds: &[FeedRow]) -> EntryRange {
    EntryRange {
        with_article: true,
        ..filter.range(feeds)
    }
}

/// The articles of a list, with its title.
fn listed(
    archive: &ArchiveReader,
    marks: &ArticleMarks,
    filter: &EntryFilter,
) -> Result<(String, Vec<i64>)> {
    let feeds = archive.feeds()?;
    let wanted = |key: &str| filter.wants(marks, key);
    let articles = archive.entries(&range_of_book(filter, &feeds), MAX_EPUB_ARTICLES, wanted)?;
    let feed = feeds.iter().find(|feed| feed.url == filter.feed);
    let names = [
        match filter.show {
            ShownMarks::Unread => "Unread",
            ShownMarks::Starred => "Starred",
            ShownMarks::All => "",
        },
        feed.map_or("", title_of),
        &filter.folder,
    ];
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let title = if names.is_empty() {
        "Articles".to_owned()
    } else {
        names.join(": ")
    };
    Ok((title, articles.iter().map(|entry| entry.id).collect()))
}

/// A name of a file that any system takes: letters and digits of a title.
fn file_name(title: &str) -> String {
    let pieces = title.split(|c: char| !c.is_ascii_alphanumeric());
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    let name: String = pieces.join("-").chars().take(MAX_NAME_CHARS).collect();
    if name.is_empty() {
        "articles".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_plain_name() {
        assert_eq!(file_name("Unread: The \"Gazette\"/é"), "Unread-The-Gazette");
        assert_eq!(file_name("日本"), "articles");
        assert_eq!(file_name(&"a".repeat(200)).len(), MAX_NAME_CHARS);
    }
}
