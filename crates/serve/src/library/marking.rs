//! `/reader/mark`: marks articles as read or starred.

use super::entries::listed;
use super::{asked, in_folder, sent, with_marks};
use crate::state::LibraryApp;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks};
use forest_web::answers::plain;
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use forest_web::shell::answer;

/// Marks articles, and leads back to the page of the form. The script asks for `part=entry`: the
/// entry of one article in a list, as it is then.
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
    let is_entry = asked(&uri).get("part") == "entry";
    let mark = match sent.get("mark") {
        "starred" => ArticleMark::Starred,
        _ => ArticleMark::Read,
    };
    let is_set = sent.get("on") == "true";
    let ids: Vec<i64> = sent
        .get("id")
        .split(' ')
        .filter_map(|id| id.parse().ok())
        .collect();
    let changed = in_folder(&state, move |dir| {
        let archive = ArchiveReader::open(dir)?;
        let mut articles = Vec::new();
        for id in ids {
            articles.extend(archive.listed(id)?);
        }
        let keys = articles.iter().map(|article| article.article.key.clone());
        let keys: Vec<String> = keys.collect();
        ArticleMarks::change(dir, mark, is_set, &keys)?;
        Ok(articles.pop())
    });
    let changed = match changed.await {
        Ok(article) if is_entry => with_marks(&state, |_, marks| Ok((article, Some(marks)))).await,
        Ok(_) => Ok((None, None)),
        Err(why) => Err(why),
    };
    match changed {
        Ok((Some(article), Some(marks))) => {
            let entry = listed(&state, &marks, &article, &back).into_string();
            answer(StatusCode::OK, "text/html; charset=utf-8", entry)
        }
        Ok(_) if is_entry => plain(StatusCode::NOT_FOUND, "the archive has no such article"),
        Ok(_) => see_other(&format!("../{back}")),
        Err(why) => why.page("../", "Reader"),
    }
}
