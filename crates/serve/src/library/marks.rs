//! Forms that mark articles as read or starred.

use super::{in_folder, sent, token};
use crate::state::LibraryApp;
use axum::body::{Body, Bytes};
use axum::http::Response;
use forest_archive::{ArchiveReader, ArticleMark, ArticleMarks, ListedArticle};
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use maud::{Markup, html};

/// The buttons of an article. `up` leads to the level of `/reader`; `back` is the address,
/// from there, of the page that they stand on.
pub(super) fn buttons(
    state: &LibraryApp,
    marks: &ArticleMarks,
    article: &ListedArticle,
    (up, back): (&str, &str),
) -> Markup {
    let is_read = marks.has(ArticleMark::Read, &article.article.key);
    let is_starred = marks.has(ArticleMark::Starred, &article.article.key);
    let button = |name: &str, is_set: bool, shown: &str| {
        html! {
            form method="post" action={ (up) "reader/mark" } {
                (token(state))
                input type="hidden" name="id" value=(article.article.id);
                input type="hidden" name="back" value=(back);
                input type="hidden" name="on" value=(!is_set);
                button .small name="mark" value=(name) { (shown) }
            }
        }
    };
    html! {
        (button("read", is_read, if is_read { "Mark as unread" } else { "Mark as read" })) " "
        (button("starred", is_starred, if is_starred { "Remove the star" } else { "Star" }))
    }
}

pub(super) async fn change(state: ServedState<LibraryApp>, body: Bytes) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
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
        let mut keys = Vec::new();
        for id in ids {
            keys.extend(archive.listed(id)?.map(|article| article.article.key));
        }
        Ok(ArticleMarks::change(dir, mark, is_set, &keys)?)
    });
    match changed.await {
        Ok(()) => see_other(&format!("../{}", sent.get("back"))),
        Err(why) => why.page("../", "Reader"),
    }
}
