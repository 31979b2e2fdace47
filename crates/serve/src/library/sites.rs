//! `/sites`: the sites of the archive.

use super::times::exact_time;
use crate::api::read;
use crate::narrowing::{NarrowingWords, none_found};
use crate::state::LibraryApp;
use crate::state_words::{site_state, verdict};
use axum::body::Body;
use axum::http::{Response, StatusCode, Uri};
use forest_archive::SiteStatus;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    match read(&state, |archive| Ok(archive.site_statuses()?)).await {
        Ok(sites) => {
            let main = html! { h1 { "Sites" } (narrowed(&sites, &NarrowingWords::of(&uri))) };
            shell::page(StatusCode::OK, "Sites", &main)
        }
        Err(why) => why.page("", "Sites"),
    }
}

/// The sites whose names or verdicts have the words.
fn narrowed(sites: &[SiteStatus], words: &NarrowingWords) -> Markup {
    if sites.is_empty() {
        return html! { p { "No page was visited yet: " a href="add" { "add a feed" } ", then run " code { "forest harvest run" } "." } };
    }
    let fits = |site: &&SiteStatus| {
        let names = [site.site.as_str(), verdict(site), site_state(site)];
        words.fit(names.into_iter())
    };
    let shown: Vec<&SiteStatus> = sites.iter().filter(fits).collect();
    html! {
        (words.form("sites", "Name or state"))
        @if shown.is_empty() { (none_found("sites", "site", sites.len())) }
        @else { (table(&shown)) }
    }
}

fn table(sites: &[&SiteStatus]) -> Markup {
    html! {
        .scroll { table {
            thead { tr {
                th scope="col" { "Site" } th .word scope="col" { "State" } th scope="col" { "Articles" }
                @for name in ["Pages", "Confidence", "Redesigns", "Learned"] { th .wide-only scope="col" { (name) } }
            } }
            tbody { @for site in sites { tr {
                th scope="row" { a href={ "sites/" (site.site) } { (site.site) } }
                td .word .bad[FAILING.contains(&verdict(site))] title=(verdict(site)) { (site_state(site)) }
                td { (site.articles) }
                td .wide-only { (site.pages) }
                td .wide-only { @match site.confidence { Some(value) => (format!("{value:.2}")), None => "–" } }
                td .wide-only { (site.drifts) }
                td .wide-only { @match &site.wrapper { Some((since, _)) => (exact_time(*since)), None => "none" } }
            } } }
        } }
    }
}

/// Verdicts that ask for a look.
const FAILING: [&str; 3] = ["drift", "blocked", "unreachable"];
