//! Entries are marked as read or starred: the marks are those of the reader.

use super::fault::AppFault;
use super::listed_feeds::ListedFeeds;
use super::request::AppRequest;
use super::stream::{EntryStream, StreamSelection};
use super::{AppAnswer, text};
use crate::library::{in_folder, with_marks};
use crate::state::LibraryApp;
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks};
use forest_web::served_state::ServedState;
use std::collections::BTreeSet;

/// Entries that are marked at once.
const MAX_MARKED: usize = 10_000;

/// The marks that a request sets or removes; `None`: they stay.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct MarkChange {
    read: Option<bool>,
    starred: Option<bool>,
}

impl MarkChange {
    fn of(request: &AppRequest) -> Result<MarkChange, AppFault> {
        let mut change = MarkChange::default();
        // That it is not kept unread says less than that it is read.
        let mut is_let_go = false;
        for (name, is_added) in [("a", true), ("r", false)] {
            for tag in request.all(name).filter(|tag| !tag.is_empty()) {
                match EntryStream::of(tag) {
                    Some(EntryStream::Read) => set(&mut change.read, is_added)?,
                    Some(EntryStream::Unread) if is_added => set(&mut change.read, false)?,
                    Some(EntryStream::Unread) => is_let_go = true,
                    Some(EntryStream::Starred) => set(&mut change.starred, is_added)?,
                    Some(EntryStream::Nothing | EntryStream::All) => {}
                    _ => {
                        return Err(AppFault::Bad(
                            "entries are read or starred, and nothing else",
                        ));
                    }
                }
            }
        }
        if is_let_go {
            change.read = change.read.or(Some(true));
        }
        Ok(change)
    }
}

fn set(mark: &mut Option<bool>, is_set: bool) -> Result<(), AppFault> {
    if mark.is_some_and(|known| known != is_set) {
        return Err(AppFault::Bad("a mark is added and removed at once"));
    }
    *mark = Some(is_set);
    Ok(())
}

/// `edit-tag`.
pub(super) async fn edit_tag(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let (change, numbers) = (MarkChange::of(request)?, request.numbers(MAX_MARKED)?);
    let changed = in_folder(state, move |dir| {
        let archive = ArchiveReader::open(dir)?;
        let mut keys = Vec::new();
        for number in numbers {
            keys.extend(archive.numbered_entry(number)?.map(|entry| entry.key));
        }
        let marks = [
            (ArticleMark::Read, change.read),
            (ArticleMark::Starred, change.starred),
        ];
        for (mark, is_set) in marks {
            if let Some(is_set) = is_set {
                ArticleMarks::change(dir, mark, is_set, &keys)?;
            }
        }
        Ok(())
    });
    changed.await?;
    Ok(text("OK"))
}

/// `mark-all-as-read`: the entries of a stream that were stored until a time.
pub(super) async fn mark_all(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let selection = StreamSelection::until(request.get("s"), request)?;
    let unread = with_marks(state, move |archive, marks| {
        let feeds = ListedFeeds::of(archive)?;
        let is_unread =
            |key: &str| !marks.has(ArticleMark::Read, key) && selection.wants(&marks, key);
        let mut keys = BTreeSet::new();
        archive.each_numbered_entry(&selection.query(&feeds), is_unread, |entry| {
            keys.insert(entry.key);
            true
        })?;
        Ok(keys)
    });
    let keys: Vec<String> = unread.await?.into_iter().collect();
    if !keys.is_empty() {
        let marking = in_folder(state, move |dir| {
            Ok(ArticleMarks::change(dir, ArticleMark::Read, true, &keys)?)
        });
        marking.await?;
    }
    Ok(text("OK"))
}
