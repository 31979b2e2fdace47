//! The guard of pages that have a [password](super::access), and the page that asks for it.

use super::access::MAX_PASSWORD_BYTES;
use super::answers::{is_browser, refusal};
use super::app::WebApp;
use super::app_guard::is_of_apps;
use super::clients::ClientKey;
use super::form_fields::FormFields;
use super::guard::{Peer, is_https_form, with_headers};
use super::links::{coded, see_other, up_from};
use super::places::ConnectionPlace;
use super::served_state::ServedState;
use super::shell;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Request, Response, StatusCode, Uri};
use axum::middleware::Next;
use axum::routing::{get, post};
use maud::html;
use std::sync::Arc;

/// The page that asks for the password. Without one there is none.
pub fn router(state: &Arc<WebApp>) -> Router {
    let router = match state.access {
        Some(_) => Router::new()
            .route("/login", get(ask).post(log_in))
            .route("/logout", post(log_out)),
        None => Router::new(),
    };
    let router = router.layer(DefaultBodyLimit::max(2 * MAX_PASSWORD_BYTES));
    router.with_state(Arc::clone(state))
}

/// Lets requests through that have the password, a session or a secret; asks others for one.
pub async fn password_guard(
    State(state): State<Arc<WebApp>>,
    mut request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let path = request.uri().path();
    let is_open = matches!(
        path,
        "/login"
            | "/filter/style.css"
            | "/filter/script.js"
            | "/filter/icon.svg"
            | "/filter/icon-180.png"
            | "/filter/icon-512.png"
            | "/manifest.webmanifest"
            | "/worker.js"
    ) || is_of_apps(path);
    if let Some(access) = &state.access {
        let client = ClientKey::of_extensions(request.extensions());
        let (headers, uri) = (request.headers(), request.uri());
        let lets_in = if is_open {
            Ok(true)
        } else {
            access.lets_in(&state.cores, client, headers, uri).await
        };
        match lets_in {
            // From here on it is as good as one of this machine.
            Ok(true) => request.extensions_mut().remove::<Peer>(),
            Ok(false) => return with_headers(unknown(&request)),
            Err(why) => {
                let status = why.status();
                let refused = refusal(request.uri().path(), status, &why.to_string());
                return with_headers(why.in_answer(refused));
            }
        };
    }
    // The page that asks for the password is shown to strangers, who stay that.
    let place = request.extensions().get::<Arc<ConnectionPlace>>();
    if let Some(place) = place.filter(|_| state.access.is_none() || !is_open) {
        place.let_in();
    }
    next.run(request).await
}

/// The answer to a request without a password: browsers are led to the page that asks.
fn unknown(request: &Request<Body>) -> Response<Body> {
    if is_browser(request.headers()) && request.method() == Method::GET {
        let path = request.uri().path_and_query();
        let path = path.map_or("/", |path| path.as_str());
        let up = up_from(request.uri().path());
        return see_other(&format!("{up}login?to={}", coded(path)));
    }
    let mut answer = refusal(
        request.uri().path(),
        StatusCode::UNAUTHORIZED,
        "this server has a password",
    );
    let basic = HeaderValue::from_static("Basic realm=\"forest\", charset=\"UTF-8\"");
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, basic);
    answer
}

async fn ask(State(state): State<Arc<WebApp>>, headers: HeaderMap, uri: Uri) -> Response<Body> {
    let access = state.access.as_ref();
    if access.is_some_and(|access| access.has_session(&headers)) {
        let main = html! { .measure {
            h1 { "Password" }
            p { "This browser gave the password." }
            form method="post" action="logout" {
                input type="hidden" name="token" value=(state.token.text());
                button { "Log out" }
            }
        } };
        return shell::page(StatusCode::OK, "Password", &main);
    }
    let asked = FormFields::read(uri.query().unwrap_or_default().as_bytes());
    let asks = question(&state, StatusCode::OK, asked.get("to"), None);
    // The session may have ended. A page of another site that loads this one as a picture has no
    // cookie with it, and ends nothing.
    let is_document = headers
        .get("sec-fetch-dest")
        .is_some_and(|dest| dest.as_bytes() == b"document");
    if is_document {
        return with_nothing_kept(asks);
    }
    asks
}

/// An answer after which the browser has no article any more that it kept for reading without the
/// network, and no picture.
fn with_nothing_kept(mut answer: Response<Body>) -> Response<Body> {
    let name = HeaderName::from_static("clear-site-data");
    let value = HeaderValue::from_static("\"cache\", \"storage\"");
    answer.headers_mut().insert(name, value);
    answer
}

fn question(state: &WebApp, status: StatusCode, to: &str, fault: Option<&str>) -> Response<Body> {
    let main = html! { .measure {
        h1 { "Password" }
        form method="post" action="login" {
            input type="hidden" name="token" value=(state.token.text());
            input type="hidden" name="to" value=(to);
            label for="password" { "The password of this server" }
            .row {
                input #password name="password" type="password" autocomplete="current-password" autofocus
                    aria-describedby=[fault.map(|_| "fault")] aria-invalid=[fault.map(|_| "true")];
                button .main { "Log in" }
            }
            @if let Some(fault) = fault { p #fault .bad role="alert" { (fault) } }
        }
    } };
    shell::page(status, "Password", &main)
}

async fn log_in(state: ServedState<WebApp>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    let sent = FormFields::read(&body);
    let to = sent.get("to").to_owned();
    if !state.token.is(sent.get("token")) {
        let why = "The server was started again: give the password once more.";
        return question(&state, StatusCode::FORBIDDEN, &to, Some(why));
    }
    let wrong = "This is not the password.";
    let Some(access) = &state.access else {
        return question(&state, StatusCode::FORBIDDEN, &to, Some(wrong));
    };
    let password = sent.get("password").to_owned();
    match access
        .is_password(&state.cores, state.client, password)
        .await
    {
        Ok(true) => {
            let mut answer = see_other(match to.strip_prefix('/') {
                None | Some("") => state.first_page,
                Some(path) => path,
            });
            let value = access.begin_session(is_https_form(&headers));
            answer.headers_mut().insert(header::SET_COOKIE, value);
            answer
        }
        Ok(false) => question(&state, StatusCode::FORBIDDEN, &to, Some(wrong)),
        Err(why) => {
            let fault = format!("{why}.");
            why.in_answer(question(&state, why.status(), &to, Some(&fault)))
        }
    }
}

async fn log_out(
    State(state): State<Arc<WebApp>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let mut answer = see_other("login");
    if let Some(access) = &state.access
        && state.token.is(FormFields::read(&body).get("token"))
    {
        let gone = access.end_session(&headers, is_https_form(&headers));
        answer.headers_mut().insert(header::SET_COOKIE, gone);
        answer = with_nothing_kept(answer);
    }
    answer
}
