//! Saves a draft as the wrapper's file, and has the stored articles read again by it.

use super::draft::WrapperDraft;
use super::fault::StepFault;
use super::markup::{WorkshopPage, up};
use crate::api::NoDocument;
use crate::library::in_folder;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_harvest::SavedWork;
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use std::sync::Arc;
use std::time::SystemTime;

/// Saves a draft.
pub(super) async fn save(
    state: &ServedState<LibraryApp>,
    draft: Arc<WrapperDraft>,
    number: usize,
) -> Response<Body> {
    match saved(state, &draft, number).await {
        Ok(()) => see_other(&format!("workshop?saved=on&page={number}")),
        Err(why) => *why,
    }
}

/// Saves a draft with changes, and reads the stored articles of the site again.
pub(super) async fn reread(
    state: &ServedState<LibraryApp>,
    draft: Arc<WrapperDraft>,
    number: usize,
) -> Response<Body> {
    let Some(archive) = &state.archive else {
        return NoDocument::NoArchive.page(up(), "Sites");
    };
    let Some(job) = state.rereadings.begin() else {
        let mut page = WorkshopPage::new(state, draft, number);
        let why = "stored articles of other sites are being read again: try again in a minute";
        page.fault = Some(StepFault::of(why));
        return page.answer(StatusCode::TOO_MANY_REQUESTS);
    };
    if !draft.steps.is_empty()
        && let Err(why) = saved(state, &draft, number).await
    {
        job.give_up("nothing was saved");
        return *why;
    }
    let address = format!("workshop/reread/{}", job.id);
    let base = &draft.base;
    job.start(&archive.dir, &base.site, base.work.articles);
    see_other(&address)
}

/// Writes the wrapper's file; else the page that says why not.
async fn saved(
    state: &ServedState<LibraryApp>,
    draft: &Arc<WrapperDraft>,
    number: usize,
) -> std::result::Result<(), Box<Response<Body>>> {
    let made = Arc::clone(draft);
    let done = in_folder(state, move |dir| {
        let Some(wrapper) = made.wrapper().cloned() else {
            return Ok(Err("there is no wrapper to be saved".to_owned()));
        };
        let work = SavedWork {
            wrapper,
            made_from: made.base.sha256(),
            by_hand: made.by_hand,
        };
        Ok(work.save(dir, &made.base.site, SystemTime::now().into())?)
    });
    match done.await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(why)) => {
            let mut page = WorkshopPage::new(state, Arc::clone(draft), number);
            page.fault = Some(StepFault::of(why));
            Err(Box::new(page.answer(StatusCode::CONFLICT)))
        }
        Err(why) => Err(Box::new(why.page(up(), "Sites"))),
    }
}
