//! `/sites`: the sites of the archive.

use super::when;
use crate::api::read;
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use forest_archive::SiteStatus;
use forest_web::served_state::ServedState;
use forest_web::shell;
use maud::{Markup, html};

pub(super) async fn show(state: ServedState<LibraryApp>) -> Response<Body> {
    match read(&state, |archive| Ok(archive.site_statuses()?)).await {
        Ok(sites) => {
            let main = html! { h1 { "Sites" } (table(&sites)) };
            shell::page(StatusCode::OK, "Sites", &main)
        }
        Err(why) => why.page("", "Sites"),
    }
}

fn table(sites: &[SiteStatus]) -> Markup {
    if sites.is_empty() {
        return html! { p { "No page was visited yet: " a href="add" { "add a feed" } ", then run " code { "forest harvest run" } "." } };
    }
    html! {
        .scroll { table {
            thead { tr {
                @for name in ["Site", "Verdict", "Confidence", "Articles", "Pages", "Drifts", "Wrapper since"] { th scope="col" { (name) } }
            } }
            tbody { @for site in sites { tr {
                th scope="row" { a href={ "sites/" (site.site) } { (site.site) } }
                td { (verdict(site)) }
                td { @match site.confidence { Some(value) => (format!("{value:.2}")), None => "–" } }
                td { (site.articles) }
                td { (site.pages) }
                td { (site.drifts) }
                td { @match &site.wrapper { Some((since, _)) => (when(*since)), None => "none" } }
            } } }
        } }
    }
}

/// The last verdict on a site.
pub(super) fn verdict(site: &SiteStatus) -> &str {
    let verdict = site.verdict.as_ref();
    verdict.map_or("none yet", |(_, verdict)| verdict)
}
