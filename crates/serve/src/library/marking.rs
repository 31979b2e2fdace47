//! `/reader/mark`: marks entries as read or starred, and takes that back.

use super::entry_filter::{EntryFilter, ListPart};
use super::list_pictures::ListPictures;
use super::listed::listed;
use super::settings::kept_settings;
use super::{archive_dir, asked, in_folder, sent, with_marks};
use crate::api::NoDocument;
use crate::state::LibraryApp;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks};
use forest_web::answers::plain;
use forest_web::form_fields::FormFields;
use forest_web::links::{see_other, with_field};
use forest_web::served_state::ServedState;
use forest_web::shell::answer;
use std::time::SystemTime;

/// Marks entries, and leads back to the page of the form: one entry, a part of a list, or those of
/// a change that is taken back. The script asks for `part=entry`: one entry in a list, as it is then.
pub(super) async fn change(
    state: ServedState<LibraryApp>,
    uri: Uri,
    body: Bytes,
) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let back = sent.get("back").to_owned();
    let done = if asked(&uri).get("part") == "entry" {
        return answer_entry(&state, &sent).await;
    } else if let Some(part) = ListPart::of(&sent) {
        mark_part(&state, &back, part).await
    } else if !sent.get("undo").is_empty() {
        undo(&state, sent.get("undo")).await.map(|()| back)
    } else {
        mark_entry(&state, &sent).await.map(|_| back)
    };
    match done {
        Ok(back) => see_other(&format!("../{back}")),
        Err(why) => why.page("../", "Reader"),
    }
}

/// Marks an entry; its number.
async fn mark_entry(state: &ServedState<LibraryApp>, sent: &FormFields) -> Result<i64, NoDocument> {
    let mark = match sent.get("mark") {
        "read" => ArticleMark::Read,
        "starred" => ArticleMark::Starred,
        _ => return Err(NoDocument::Unknown),
    };
    let is_set = sent.get("on") == "true";
    let Ok(id) = sent.get("id").parse() else {
        return Err(NoDocument::Unknown);
    };
    let marked = in_folder(state, move |dir| {
        let entry = ArchiveReader::open(dir)?.entry(id)?;
        let Some(entry) = entry else { return Ok(None) };
        ArticleMarks::change(dir, mark, is_set, &[entry.key])?;
        Ok(Some(id))
    });
    marked.await?.ok_or(NoDocument::Unknown)
}

async fn answer_entry(state: &ServedState<LibraryApp>, sent: &FormFields) -> Response<Body> {
    let marked = match mark_entry(state, sent).await {
        Ok(id) => {
            let dir = archive_dir(state);
            let marked = with_marks(state, move |archive, marks| {
                let entry = archive.entry(id)?;
                let pictures =
                    ListPictures::of(archive, &entry, kept_settings(dir.as_deref()).thumbnails)?;
                Ok((pictures, entry, marks))
            });
            marked.await
        }
        Err(why) => Err(why),
    };
    match marked {
        Ok((pictures, Some(entry), marks)) => {
            let entry = listed(state, (&marks, &pictures), &entry, sent.get("back")).into_string();
            answer(StatusCode::OK, "text/html; charset=utf-8", entry)
        }
        _ => plain(StatusCode::NOT_FOUND, "the archive has no such entry"),
    }
}

/// Marks the unread entries of a part of a list as read; the address of the list, which offers to
/// take that back.
async fn mark_part(
    state: &ServedState<LibraryApp>,
    list: &str,
    part: ListPart,
) -> Result<String, NoDocument> {
    let mut filter = EntryFilter::of_address(list);
    let asked = filter.clone();
    let archive = state.archive.as_ref().ok_or(NoDocument::NoArchive)?;
    let known = std::sync::Arc::clone(&archive.marks);
    let marked = in_folder(state, move |dir| {
        let archive = ArchiveReader::open(dir)?;
        let marks = known.of(dir)?;
        let list = asked.range(&archive.feeds()?);
        let range = part.bound(list, SystemTime::now().into());
        let wanted = |key: &str| asked.wants(&marks, key) && !marks.has(ArticleMark::Read, key);
        let keys = archive.entry_keys(&range, usize::MAX, wanted)?;
        ArticleMarks::change(dir, ArticleMark::Read, true, &keys)?;
        Ok(keys)
    });
    let keys = marked.await?;
    filter.after = None;
    let address = filter.address();
    if keys.is_empty() {
        return Ok(address);
    }
    let undo = format!("undo={}", state.undo.keep(keys));
    Ok(with_field(&address, &undo))
}

/// Takes a change back; nothing if that is too long ago.
async fn undo(state: &ServedState<LibraryApp>, number: &str) -> Result<(), NoDocument> {
    let Some(keys) = state.undo.keys(number) else {
        return Ok(());
    };
    let undone = in_folder(state, move |dir| {
        Ok(ArticleMarks::change(dir, ArticleMark::Read, false, &keys)?)
    });
    undone.await?;
    state.undo.forget(number);
    Ok(())
}
