//! `/add`: from an address to a feed of the harvest.

use super::entry_filter::EntryFilter;
use super::feed_form::{IMAGE_BUDGET, image_budget_mb};
use super::field::FieldFault;
use super::importing;
use super::job::{AddingJob, JobState, TypedFeed};
use super::listed::address_in;
use super::{asked, in_folder, sent, token};
use crate::api::{NoDocument, feed_path};
use crate::rate::OF_ADDING;
use crate::state::LibraryApp;
use crate::state_words::harvest_command;
use crate::web_page::{http_address, typed_address};
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{Response, StatusCode, Uri};
use forest_archive::{ArchiveReader, EntryRange, Event, ListedEntry, is_in_use};
use forest_core::feed::ItemRules;
use forest_harvest::FeedStore;
use forest_web::links::see_other;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Seconds after which a page asks again how far the work is.
const REFRESH_S: u32 = 1;

/// Time for which the page of an added feed waits for its first entries. A feed may have none.
const WAITS: Duration = Duration::from_secs(120);

/// Entries of an added feed that are shown at once.
const FIRST_ENTRIES: usize = 5;

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    match state.archive {
        Some(_) => question(&state, StatusCode::OK, asked(&uri).get("url"), None),
        None => NoDocument::NoArchive.page("", "Add"),
    }
}

/// The page that asks for an address.
fn question(
    state: &LibraryApp,
    status: StatusCode,
    typed: &str,
    fault: Option<&str>,
) -> Response<Body> {
    let main = html! { .measure {
        h1 { "Add a feed" }
        (address_form(state, "add", typed, fault))
        p { "A few pages are read and shown first. Nothing is stored before you add the feed." }
        h2 { "Import feeds" }
        (importing::form(state, "add/import", "", None))
    } };
    shell::page(status, "Add", &main)
}

/// The form for an address. `action` is its address, relative to its page.
fn address_form(state: &LibraryApp, action: &str, typed: &str, fault: Option<&str>) -> Markup {
    html! {
        form method="post" action=(action) {
            (token(state))
            label for="url" { "The address of a site, of its feed, or of a page that lists articles" }
            .row {
                input #url name="url" type="text" inputmode="url" placeholder="https://example.org/" value=(typed)
                    aria-describedby=[fault.map(|_| "fault")] aria-invalid=[fault.map(|_| "true")];
                button .main { "Find its feed" }
            }
            @if let Some(fault) = fault { p #fault .bad role="alert" { (fault) } }
        }
    }
}

pub(super) async fn begin(state: ServedState<LibraryApp>, body: Bytes) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let Some(served) = &state.archive else {
        return NoDocument::NoArchive.page("", "Add");
    };
    let typed = sent.get("url");
    let url = match typed_address(typed) {
        Ok(url) => TypedFeed {
            plain: http_address(typed, &url),
            url,
        },
        Err(why) => return question(&state, StatusCode::BAD_REQUEST, typed, Some(why)),
    };
    if let Err(why) = state.rate.take(OF_ADDING) {
        let status = StatusCode::TOO_MANY_REQUESTS;
        return question(&state, status, typed, Some(&why.to_string()));
    }
    let Some(job) = state.jobs.begin() else {
        let why = "other addresses are being looked at: try again in a minute";
        return question(&state, StatusCode::TOO_MANY_REQUESTS, typed, Some(why));
    };
    job.state().typed = typed.to_owned();
    let address = format!("add/{}", job.id);
    let fetching = Arc::clone(&state);
    let sites = forest_archive::paths::sites(&served.dir);
    tokio::task::spawn_blocking(move || job.run(fetching.reader.fetcher(), url, &sites));
    see_other(&address)
}

pub(super) async fn progress(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
) -> Response<Body> {
    match state.jobs.get(&id) {
        Some(job) => shown(&state, &job, None).await,
        None => NoDocument::Unknown.page("../", "Add"),
    }
}

/// The page of a job; `fault`: of what was sent to add its feed.
async fn shown(
    state: &ServedState<LibraryApp>,
    job: &AddingJob,
    fault: Option<(&str, &FieldFault)>,
) -> Response<Body> {
    let added = added_feed(state, &job.state());
    let first = match &added {
        Some(added) => first_entries(state, added.url.clone()).await,
        None => Vec::new(),
    };
    let found = job.state().feed.clone().filter(|_| added.is_none());
    let is_known = match found {
        Some((url, _)) => is_known(state, url.to_string()).await,
        None => false,
    };
    let job_state = job.state();
    let waits = added.as_ref().is_some_and(AddedFeed::waits) && first.is_empty();
    let refresh = (waits || job_state.doing.is_some()).then_some(REFRESH_S);
    let main = html! { .measure {
        h1 { @match &job_state.feed {
            Some((url, title)) => @if title.trim().is_empty() { (url) } @else { span dir="auto" { (title) } },
            None => "Add a feed",
        } }
        ul { @for done in &job_state.done { li { (done) } } }
        @if let Some(doing) = &job_state.doing { p role="status" { (doing) " …" } }
        @if let Some(fault) = &job_state.fault { (address_form(state, "../add", &job_state.typed, Some(&format!("It does not work: {fault}.")))) }
        @if let Some(added) = &added { (added_now(state, added, &first)) }
        @if is_known { @if let Some((url, _)) = &job_state.feed {
            p role="status" { "You have this feed already: " a href={ "../" (EntryFilter::of_feed(url.as_str()).address()) } { "its articles" } "." }
        } }
        @if job_state.doing.is_none() { (result(state, &job.id, &job_state, is_known, fault)) }
    } };
    let status = match fault {
        Some(_) => StatusCode::BAD_REQUEST,
        None => StatusCode::OK,
    };
    shell::page_with("../", refresh, status, "Add", &main)
}

/// A feed that a job has added.
struct AddedFeed {
    url: String,
    /// Since then.
    since: Instant,
    /// A harvest runs, and reads it.
    is_read_now: bool,
    /// The command that reads it.
    command: Markup,
}

impl AddedFeed {
    /// True while its first entries may come at any moment.
    fn waits(&self) -> bool {
        self.is_read_now && self.since.elapsed() < WAITS
    }
}

/// The feed of a job, once it is added.
fn added_feed(state: &LibraryApp, job: &JobState) -> Option<AddedFeed> {
    let ((url, _), since) = job.feed.as_ref().zip(job.added)?;
    let dir = &state.archive.as_ref()?.dir;
    Some(AddedFeed {
        url: url.to_string(),
        since,
        is_read_now: is_in_use(dir),
        command: harvest_command(dir),
    })
}

/// True for a feed that the archive has.
async fn is_known(state: &ServedState<LibraryApp>, url: String) -> bool {
    let known = in_folder(state, move |dir| Ok(ArchiveReader::open(dir)?.feed(&url)?));
    let known = known.await.ok().flatten();
    known.is_some_and(|feed| feed.state != "removed")
}

/// The entries of a feed that are there already, the newest first.
async fn first_entries(state: &ServedState<LibraryApp>, url: String) -> Vec<ListedEntry> {
    let range = EntryRange {
        feeds: Some(vec![url]),
        ..EntryRange::default()
    };
    let found = in_folder(state, move |dir| {
        Ok(ArchiveReader::open(dir)?.entries(&range, FIRST_ENTRIES, |_| true)?)
    });
    // Without them the page says the rest.
    found.await.unwrap_or_default()
}

/// The part of the page about an added feed: its entries, as soon as there are some.
fn added_now(state: &LibraryApp, added: &AddedFeed, first: &[ListedEntry]) -> Markup {
    let list = EntryFilter::of_feed(&added.url).address();
    let served = |format| {
        format!(
            "../{}{}",
            feed_path(&added.url, format),
            state.web.feed_query()
        )
    };
    html! {
        p .good role="status" { "The feed is added." }
        @if !first.is_empty() {
            ul .entries .hits { @for entry in first { li {
                h2 { a href={ "../" (address_in(entry, &list)) } { span dir="auto" { (entry.name()) } } }
            } } }
        } @else if added.is_read_now {
            p { "The harvest that runs reads it now: its articles will stand here." }
        } @else {
            p { "The next harvest reads it: " (added.command) }
        }
        p { a href={ "../" (list) } { "All its articles" } }
        p { "Its whole articles, for a feed reader: " a href=(served("atom")) { "Atom" } " · " a href=(served("rss")) { "RSS" } }
    }
}

fn result(
    state: &LibraryApp,
    id: &str,
    job: &JobState,
    is_known: bool,
    fault: Option<(&str, &FieldFault)>,
) -> Markup {
    html! {
        @if job.feed.is_some() && job.added.is_none() && !is_known {
            form method="post" action=(id) {
                (token(state))
                @let (typed, fault) = fault.unzip();
                (IMAGE_BUDGET.show(typed.unwrap_or_default(), fault))
                button .main { "Add the feed" }
            }
        }
        @for article in job.articles.iter().filter(|_| job.added.is_none()) {
            article {
                h2 dir="auto" { (article.title.as_deref().unwrap_or(&article.url)) }
                p .meta { (article.status) " · " (article.url) }
                pre .text dir="auto" { (article.text) "…" }
            }
        }
        @if job.fault.is_none() { p { a href="../add" { "Add another feed" } } }
    }
}

pub(super) async fn keep(
    state: ServedState<LibraryApp>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let Some(job) = state.jobs.get(&id) else {
        return NoDocument::Unknown.page("../", "Add");
    };
    let rules = match image_budget_mb(&sent) {
        Ok(image_budget_mb) => ItemRules {
            image_budget_mb,
            ..ItemRules::default()
        },
        Err(fault) => {
            let typed = sent.get(IMAGE_BUDGET.name);
            return shown(&state, &job, Some((typed, &fault))).await;
        }
    };
    // Who presses twice adds it once.
    let found = job.state().found.take();
    if let Some(found) = found {
        let again = found.clone();
        let adding = in_folder(&state, move |dir| {
            let url = found.url.clone();
            let feed = url.to_string();
            let ruled = (!rules.is_empty()).then_some(Event::FeedRules { feed, rules });
            let events = ruled.into_iter().collect();
            let now = SystemTime::now().into();
            Ok(FeedStore::open(dir)?.add(&url, Some(found), events, now)?)
        });
        match adding.await {
            Ok(()) => {
                let mut added = job.state();
                (added.added, added.fault) = (Some(Instant::now()), None);
            }
            // The button stays.
            Err(why) => {
                job.state().found = Some(again);
                match why {
                    NoDocument::Unreadable(why) => job.state().fault = Some(why),
                    why => return why.page("../", "Add"),
                }
            }
        }
    }
    see_other(&format!("../add/{id}"))
}
