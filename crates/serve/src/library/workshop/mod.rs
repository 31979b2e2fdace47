//! `/sites/<site>/workshop`: the wrapper of a site, changed by a person, with its effect on the
//! newest pages before it is saved.
//!
//! - `draft`: a wrapper that is not saved yet; `drafts`: those of all sites, which outlive the server;
//!   `typed`: expressions of a form; `fault`: steps that cannot be made.
//! - `effect`: the words that a draft takes from each page and gives it, and by which rule.
//! - `frame`: an archived page, marked; `blocks`: its elements in a list.
//! - `markup`: the page of the workshop.
//! - `saving`: the wrapper's file is written.
//! - `rereading`: the stored articles, read again by the saved wrapper; `reread_page` shows it.
//!
//! A GET makes no draft but the one without a change, and the one of a proposal, and stores none.
//! All works without the script, which outlines the element under the pointer and chooses it by a click or
//! by the arrow keys.

mod blocks;
mod draft;
mod drafts;
mod effect;
mod fault;
mod frame;
mod markup;
mod reread_page;
mod rereading;
mod saving;
mod typed;

pub use drafts::WrapperDrafts;
pub use rereading::RereadingJobs;

use super::{asked, in_folder, sent};
use crate::api::{NoDocument, in_turn};
use crate::error::Result;
use crate::state::LibraryApp;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path};
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use axum::routing::get;
use chrono::{DateTime, SecondsFormat, Utc};
use draft::{DraftStep, WrapperDraft};
use effect::MarkedPage;
use fault::StepFault;
use forest_archive::{StoredDrafts, list_file, paths};
use forest_core::wrapper::LabelRole;
use forest_exchange::{RuleFormat, UnsupportedPolicy};
use forest_web::answers::plain;
use forest_web::form_fields::FormFields;
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use markup::{WorkshopPage, up};
use std::path::Path as FolderPath;
use std::sync::Arc;
use std::time::SystemTime;

/// Bytes of a form: the expressions of a wrapper, or a file of another program.
const MAX_FORM_BYTES: usize = 400_000;

pub(super) fn router() -> Router<Arc<LibraryApp>> {
    Router::new()
        .route("/sites/{site}/workshop", get(show).post(change))
        .route("/sites/{site}/workshop/frame", get(framed))
        .route("/sites/{site}/workshop/export", get(export))
        .route(
            "/sites/{site}/workshop/reread/{job}",
            get(reread_page::progress),
        )
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
}

fn now() -> DateTime<Utc> {
    DateTime::<Utc>::from(SystemTime::now())
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The draft that a request names, or the one without a change.
async fn draft_of(
    state: &ServedState<LibraryApp>,
    site: &str,
    sent: &FormFields,
) -> std::result::Result<Arc<WrapperDraft>, NoDocument> {
    let (shared, site) = (Arc::clone(state), site.to_owned());
    match sent.get("draft").to_owned() {
        id if id.is_empty() => {
            let first = in_folder(state, move |dir| shared.drafts.first_of(dir, &site));
            first.await?.ok_or(NoDocument::Unknown)
        }
        id => {
            let named = in_folder(state, move |dir| shared.drafts.named(dir, &site, &id));
            named.await?.ok_or(NoDocument::Gone(
                "This draft is gone, or the wrapper was changed since: open the workshop again.",
            ))
        }
    }
}

/// Makes a step of a draft, on a thread of its own.
async fn stepped(
    state: &ServedState<LibraryApp>,
    draft: &Arc<WrapperDraft>,
    step: DraftStep,
) -> std::result::Result<std::result::Result<WrapperDraft, StepFault>, NoDocument> {
    let draft = Arc::clone(draft);
    in_turn(state, move || Ok(draft.after(&step, &rfc3339(now())))).await
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let asked = asked(&uri);
    let draft = match draft_of(&state, &site, &asked).await {
        Ok(draft) => draft,
        Err(why) => return why.page(up(), "Sites"),
    };
    let mut page = WorkshopPage::new(&state, draft, page_number(&asked));
    page.chosen = chosen(&asked);
    if asked.get("proposal") == "on" {
        match stepped(&state, &page.draft, DraftStep::Learn).await {
            Ok(Ok(proposed)) => page.draft = state.drafts.keep(proposed),
            Ok(Err(fault)) => page.fault = Some(fault),
            Err(why) => return why.page(up(), "Sites"),
        }
    }
    if page.draft.steps.is_empty() {
        page.waiting = match waiting(&state, &page.draft).await {
            Ok(waiting) => waiting,
            Err(why) => return why.page(up(), "Sites"),
        };
    }
    page.is_saved = asked.get("saved") == "on";
    page.answer(StatusCode::OK)
}

/// The name of the newest draft with changes of the same wrapper, and their number.
async fn waiting(
    state: &ServedState<LibraryApp>,
    first: &Arc<WrapperDraft>,
) -> std::result::Result<Option<(String, usize)>, NoDocument> {
    let base = Arc::clone(&first.base);
    let found = in_folder(state, move |dir| {
        let drafts = StoredDrafts::of(dir)?;
        let latest = drafts.latest(&base.site, base.sha256());
        Ok(latest.map(|draft| (draft.id.clone(), draft.steps.len())))
    });
    found.await
}

/// The number of the chosen element.
fn chosen(sent: &FormFields) -> Option<u32> {
    sent.get("node").parse().ok()
}

fn page_number(sent: &FormFields) -> usize {
    sent.get("page").parse().unwrap_or_default()
}

pub(super) async fn framed(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let asked = asked(&uri);
    let draft = match draft_of(&state, &site, &asked).await {
        Ok(draft) => draft,
        Err(why) => return why.page(up(), "Sites"),
    };
    let (number, chosen) = (page_number(&asked), chosen(&asked));
    let shown = in_turn(&state, move || {
        let Some(sample) = draft.base.work.pages.get(number) else {
            return Ok(None);
        };
        let marks = match &draft.extractor {
            Some(extractor) => MarkedPage::of(extractor, sample).marks,
            None => Vec::new(),
        };
        Ok(Some(frame::document(sample, marks, chosen)))
    });
    match shown.await {
        Ok(Some(document)) => frame::answer(document),
        Ok(None) => plain(StatusCode::NOT_FOUND, "the sample has no such page"),
        Err(why) => why.page(up(), "Sites"),
    }
}

pub(super) async fn change(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    body: Bytes,
) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let draft = match draft_of(&state, &site, &sent).await {
        Ok(draft) => draft,
        Err(why) => return why.page(up(), "Sites"),
    };
    // Of the page that the form was about, wherever it stands among the newest by now.
    let pages = &draft.base.work.pages;
    let of = pages.iter().position(|page| page.sha256 == sent.get("of"));
    let number = of.unwrap_or_else(|| page_number(&sent));
    let step = match step_of(&sent) {
        Some(step) => step,
        None if sent.get("action") == "save" => return saving::save(&state, draft, number).await,
        None if sent.get("action") == "reread" => {
            return saving::reread(&state, draft, number).await;
        }
        None => return plain(StatusCode::BAD_REQUEST, "there is no such button"),
    };
    match stepped(&state, &draft, step).await {
        Ok(Ok(made)) => {
            let node = chosen(&sent).map(|node| format!("&node={node}"));
            let node = node.unwrap_or_default();
            let next = format!("workshop?draft={}&page={number}{node}", made.id);
            let shared = Arc::clone(&state);
            let stored = in_folder(&state, move |dir| shared.drafts.store(dir, &draft, made));
            match stored.await {
                Ok(_) => see_other(&next),
                Err(why) => why.page(up(), "Sites"),
            }
        }
        Ok(Err(fault)) => {
            let mut page = WorkshopPage::new(&state, draft, number);
            page.fault = Some(fault);
            page.chosen = chosen(&sent);
            page.typed = Some(sent);
            page.answer(StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(why) => why.page(up(), "Sites"),
    }
}

/// The step that a form asks for.
fn step_of(sent: &FormFields) -> Option<DraftStep> {
    if let Some(role) = LabelRole::ALL
        .into_iter()
        .find(|role| role.name() == sent.get("role"))
    {
        return Some(DraftStep::Label {
            page: sent.get("of").to_owned(),
            node: chosen(sent).unwrap_or(u32::MAX),
            role,
        });
    }
    let at = || sent.get("at").parse().unwrap_or(usize::MAX);
    match sent.get("action") {
        "forget" => Some(DraftStep::Forget(at())),
        "learn" => Some(DraftStep::Learn),
        "type" => {
            let named = typed::field_names().map(|name| {
                let text = sent.get(&name).to_owned();
                (name, text)
            });
            Some(DraftStep::Typed(named.collect()))
        }
        "restore" => Some(DraftStep::Restore(at())),
        "import" => Some(DraftStep::Import(sent.get("rules").to_owned())),
        _ => None,
    }
}

/// A wrapper as a file of another program; the reason is for people.
type ExportedFile = std::result::Result<(String, String), String>;

/// The wrapper of a site's list in a format; the reason why there is none.
fn exported_list(
    sites: &FolderPath,
    site: &str,
    format: RuleFormat,
) -> crate::Result<ExportedFile> {
    let Some(list) = list_file(sites, site)? else {
        return Ok(Err("the site has no wrapper of a list".to_owned()));
    };
    let written = format.written_lists(&[list.wrapper]);
    let text = written.map(|lists| lists.into_iter().flatten().map(|list| list.text).collect());
    Ok(text
        .map(|text| (format.file_name(site), text))
        .map_err(|why| why.to_string()))
}

pub(super) async fn export(
    state: ServedState<LibraryApp>,
    Path(site): Path<String>,
    uri: Uri,
) -> Response<Body> {
    let asked = asked(&uri);
    let named = |format: &RuleFormat| format.name() == asked.get("to");
    let Some(format) = RuleFormat::ALL.into_iter().find(named) else {
        return plain(StatusCode::NOT_FOUND, "there is no such format");
    };
    let (draft, archive) = match (draft_of(&state, &site, &asked).await, &state.archive) {
        (Ok(draft), Some(archive)) => (draft, archive),
        (Ok(_), None) => return NoDocument::NoArchive.page(up(), "Sites"),
        (Err(why), _) => return why.page(up(), "Sites"),
    };
    let (dir, policy) = match asked.get("lossy") {
        "on" => (archive.dir.clone(), UnsupportedPolicy::LeftOut),
        _ => (archive.dir.clone(), UnsupportedPolicy::Refused),
    };
    let shown = Arc::clone(&draft);
    let written = in_turn(&state, move || -> Result<ExportedFile> {
        if format.is_of_lists() {
            return exported_list(&paths::sites(&dir), &shown.base.site, format);
        }
        let Some(wrapper) = shown.wrapper() else {
            return Ok(Err("there is no wrapper to be exported".to_owned()));
        };
        let written = format.written(std::slice::from_ref(wrapper), policy);
        let name = format.file_name(&wrapper.site);
        Ok(written
            .map(|exported| (name, exported.text))
            .map_err(|why| why.to_string()))
    });
    match written.await {
        Ok(Ok((name, text))) => attachment(&name, text),
        Ok(Err(why)) => {
            let mut page = WorkshopPage::new(&state, draft, page_number(&asked));
            page.fault = Some(StepFault::of(format!(
                "not exported to {}: {why}",
                format.name()
            )));
            page.lossy = Some(format);
            page.answer(StatusCode::CONFLICT)
        }
        Err(why) => why.page(up(), "Sites"),
    }
}

/// A text to be stored under a name.
fn attachment(name: &str, text: String) -> Response<Body> {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || ".-_".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut answer = Response::new(Body::from(text));
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    let place = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let place = place.unwrap_or(HeaderValue::from_static("attachment"));
    answer
        .headers_mut()
        .insert(header::CONTENT_DISPOSITION, place);
    answer
}
