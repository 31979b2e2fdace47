//! Requests for a page of ours: which are let through, and the headers of the answers.
//!
//! Browsers send requests that a foreign page thought of. So a name that is not ours is
//! refused (a foreign name can be made to lead here, "DNS rebinding"), and what changes
//! something has to come from a form of ours: with its `Origin`, the token of forms
//! ([`FormToken`](super::token::FormToken)) and from this machine.

use super::FILTER_HOST;
use super::answers::refusal;
use super::app::WebApp;
use axum::body::Body;
use axum::extract::State;
use axum::http::Uri;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Request, Response, StatusCode};
use axum::middleware::Next;
use forest_fetch::unknown_transfer_coding;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use url::{Host, Url};

/// The client of a request. A router that another program mounts has none: who may use it is
/// that program's to say.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// The policy of a page: its own style, script and worker, its own frames, nothing else.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    img-src 'self' data:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; \
    worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of all answers that do not say it themselves.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Not `no-referrer`, with which a form says no Origin.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
];

/// Lets a request through to the pages, or refuses it.
pub async fn guard(
    State(state): State<Arc<WebApp>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let refused = fault(&state, &request, change_fault);
    guarded(refused, request, next).await
}

/// Lets a request through to the interfaces for programs, or refuses it. These change
/// nothing, but show what was harvested and fetch what they are asked for.
pub async fn program_guard(
    State(state): State<Arc<WebApp>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let refused = fault(&state, &request, foreign_fault)
        .or_else(|| outside_fault(request.headers(), request.extensions().get()));
    guarded(refused, request, next).await
}

/// Lets a request through to the pages of the archive, or refuses it: they show what was
/// harvested, and their forms change something.
pub async fn library_guard(
    State(state): State<Arc<WebApp>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let refused = fault(&state, &request, change_fault)
        .or_else(|| outside_fault(request.headers(), request.extensions().get()));
    guarded(refused, request, next).await
}

pub(super) async fn guarded(
    refused: Option<GuardFault>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    with_headers(match refused {
        Some((status, why)) => refusal(request.uri().path(), status, why),
        None => next.run(request).await,
    })
}

/// An answer with the headers that it does not say itself.
pub fn with_headers(mut answer: Response<Body>) -> Response<Body> {
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        answer.headers_mut().entry(name).or_insert(value);
    }
    answer
}

/// The reason why a request is refused whose body would not be read as it is.
pub const TRANSFER_CODING: &str = "of transfer codings only `chunked` is undone";

/// The status and the reason with which a request is refused.
pub(super) type GuardFault = (StatusCode, &'static str);

/// The reason why a request is refused. `post_fault` decides on the headers, the host and the
/// client of a POST.
pub(super) fn fault<B>(
    state: &WebApp,
    request: &Request<B>,
    post_fault: fn(&HeaderMap, &str, Option<&Peer>) -> Option<GuardFault>,
) -> Option<GuardFault> {
    let headers = request.headers();
    let Some(host) = one(headers, &header::HOST).filter(|host| is_own_host(&state.hosts, host))
    else {
        let why = "this name is not the server's: use its address, or localhost";
        return Some((StatusCode::MISDIRECTED_REQUEST, why));
    };
    if state.came_through(headers) {
        return Some((StatusCode::LOOP_DETECTED, "the request came here before"));
    }
    if unknown_transfer_coding(headers).is_some() {
        return Some((StatusCode::NOT_IMPLEMENTED, TRANSFER_CODING));
    }
    match *request.method() {
        Method::GET | Method::HEAD => None,
        Method::POST => post_fault(headers, host, request.extensions().get()),
        _ => Some((
            StatusCode::METHOD_NOT_ALLOWED,
            "this method is not for pages",
        )),
    }
}

/// The reason why a request from outside is refused: one from another machine, or one that a
/// page of another site made. A link or a bookmark, which a person follows, is let through.
fn outside_fault(headers: &HeaderMap, peer: Option<&Peer>) -> Option<GuardFault> {
    if !is_of_this_machine(peer) {
        let why = "the feeds and interfaces are for the machine of the server";
        return Some((StatusCode::FORBIDDEN, why));
    }
    let is = |name: &str, values: &[&[u8]]| {
        let value = headers.get(name).map(HeaderValue::as_bytes);
        value.is_some_and(|value| values.contains(&value))
    };
    let is_foreign = is("sec-fetch-site", &[b"cross-site", b"same-site"]);
    // A frame or an object of another site's page navigates as well.
    let is_in_page =
        headers.contains_key("sec-fetch-dest") && !is("sec-fetch-dest", &[b"document"]);
    let is_of_a_person = is("sec-fetch-mode", &[b"navigate"]) && !is_in_page;
    let why = "a page of another site uses no interface of this server";
    (is_foreign && !is_of_a_person).then_some((StatusCode::FORBIDDEN, why))
}

/// The reason why a POST to an interface is refused: a page of another site sent it. Programs
/// say no `Origin`.
fn foreign_fault(headers: &HeaderMap, host: &str, _: Option<&Peer>) -> Option<GuardFault> {
    let why = "a page of another site uses no interface of this server";
    let is_let_in = !headers.contains_key(header::ORIGIN) || is_own_origin(headers, host);
    (!is_let_in).then_some((StatusCode::FORBIDDEN, why))
}

/// True if the request says that it is from a page of ours. Pages by https are no others' by http:
/// whoever is on the way to them could have made these.
pub(super) fn is_own_origin(headers: &HeaderMap, host: &str) -> bool {
    let origin = one(headers, &header::ORIGIN).and_then(|origin| origin.split_once("://"));
    origin.is_some_and(|(scheme, from)| {
        let is_ours = scheme == "https" || scheme == "http" && !is_forwarded_https(headers);
        is_ours && from.eq_ignore_ascii_case(host)
    })
}

/// The media types of forms. Both are sent by pages of other sites as well, without asking: `Origin`
/// and the token tell them from ours.
const FORMS: [&str; 2] = ["application/x-www-form-urlencoded", "multipart/form-data"];

/// The reason why a request that may change something is refused.
fn change_fault(headers: &HeaderMap, host: &str, peer: Option<&Peer>) -> Option<GuardFault> {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if !is_own_origin(headers, host) || site.is_some_and(|site| site != b"same-origin") {
        let why = "a form of another page changes nothing here";
        return Some((StatusCode::FORBIDDEN, why));
    }
    if !is_of_this_machine(peer) {
        let why = "only the machine of the server changes settings";
        return Some((StatusCode::FORBIDDEN, why));
    }
    let kind = one(headers, &header::CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !FORMS.contains(&kind) {
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "this is no form"));
    }
    None
}

/// True for a client of this machine, for one that gave the password
/// ([`password_guard`](super::login::password_guard)), and for all clients of a router that another program
/// mounts.
pub fn is_of_this_machine(peer: Option<&Peer>) -> bool {
    peer.is_none_or(|peer| peer.0.ip().to_canonical().is_loopback())
}

/// The header by which a reverse proxy, or our own TLS, says how it was called.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Says that a request came by https, in place of what its client says.
pub(super) fn say_https(headers: &mut HeaderMap) {
    headers.insert(FORWARDED_PROTO, HeaderValue::from_static("https"));
}

fn is_forwarded_https(headers: &HeaderMap) -> bool {
    one(headers, &FORWARDED_PROTO) == Some("https")
}

/// True for a form that a browser sends by https, to this server or to a reverse proxy, which may
/// not say so.
pub(super) fn is_https_form(headers: &HeaderMap) -> bool {
    let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
    is_forwarded_https(headers) || origin.is_some_and(|origin| origin.starts_with(b"https:"))
}

/// The address of a request whose host [`fault`] has checked, as its client called it: a reverse
/// proxy says that it was by https. Whoever says so without one gets addresses that lead
/// nowhere, and nobody else does.
pub fn base_url(headers: &HeaderMap, uri: &Uri) -> Url {
    let host = one(headers, &header::HOST).unwrap_or_default();
    let scheme = if is_forwarded_https(headers) {
        "https"
    } else {
        "http"
    };
    let base = Url::parse(&format!("{scheme}://{host}{}", uri.path()));
    base.unwrap_or_else(|_| Url::parse("http://localhost/").expect("an address"))
}

/// True for an address whose pages nobody on the way can read or change: by https, or of this
/// machine (W3C, Secure Contexts, 3.1).
pub fn is_secure_context(base: &Url) -> bool {
    let is_own = match base.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.to_canonical().is_loopback(),
        None => false,
    };
    base.scheme() == "https" || is_own
}

/// The value of a header that stands there once.
pub(super) fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// True for a `Host` that is the server's: an address, which no foreign name leads to, or a
/// name of its own.
fn is_own_host(names: &[String], host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !host.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let is_address = match address {
        Some(v6) => v6.parse::<IpAddr>().is_ok_and(|ip| ip.is_ipv6()),
        None => name.parse::<IpAddr>().is_ok_and(|ip| ip.is_ipv4()),
    };
    port.is_none_or(is_port)
        && (is_address
            || name.eq_ignore_ascii_case("localhost")
            || name.eq_ignore_ascii_case(FILTER_HOST)
            || is_own_name(names, name))
}

/// True for one of the names that the options give.
pub fn is_own_name(names: &[String], name: &str) -> bool {
    names.iter().any(|own| own.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_by_https_and_of_this_machine_are_secure() {
        let is_secure = |base: &str| is_secure_context(&Url::parse(base).expect("an address"));
        for base in [
            "https://a.example/",
            "http://127.0.0.1:7878/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://localhost:1/",
        ] {
            assert!(is_secure(base), "{base}");
        }
        for base in [
            "http://a.example/",
            "http://192.0.2.7:7878/",
            "http://[fd00::1]/",
            "http://localhost.a.example/",
        ] {
            assert!(!is_secure(base), "{base}");
        }
    }

    #[test]
    fn foreign_names_are_not_ours() {
        let names = ["tools.example".to_owned()];
        for own in [
            "127.0.0.1:7878",
            "127.0.0.1",
            "[::1]:7878",
            "[::1]",
            "localhost:1",
            "LOCALHOST",
            "forest.internal",
            "Tools.example:80",
            "192.168.1.7:8080",
        ] {
            assert!(is_own_host(&names, own), "{own}");
        }
        for foreign in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evil.example:7878",
            "127.0.0.1:",
            "127.0.0.1:80x",
            "127.0.0.1@evil.example",
            "localhost:80@evil.example",
            "[::1",
            "::1",
            "[127.0.0.1]",
            "0x7f.1",
        ] {
            assert!(!is_own_host(&names, foreign), "{foreign}");
        }
    }

    fn fault_of(lines: &[(&'static str, &'static str)], peer: &str) -> Option<StatusCode> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_static(value));
        }
        let peer = Peer(peer.parse().expect("an address"));
        change_fault(&headers, "127.0.0.1:7878", Some(&peer)).map(|(status, _)| status)
    }

    #[test]
    fn a_change_comes_from_a_form_of_ours_on_this_machine() {
        let here = "127.0.0.1:999";
        let form = ("content-type", "application/x-www-form-urlencoded");
        let origin = ("origin", "http://127.0.0.1:7878");
        assert_eq!(fault_of(&[form, origin], here), None);
        let own = ("sec-fetch-site", "same-origin");
        assert_eq!(fault_of(&[form, origin, own], here), None);
        let check = |lines: &[(&'static str, &'static str)], status| {
            assert_eq!(fault_of(lines, here), Some(status), "{lines:?}");
        };
        check(&[form], StatusCode::FORBIDDEN);
        for foreign in [
            "null",
            "http://evil.example",
            "http://127.0.0.1",
            "http://127.0.0.1:7879",
            "http://127.0.0.1:7878.evil.example",
            "file://127.0.0.1:7878",
        ] {
            check(&[form, ("origin", foreign)], StatusCode::FORBIDDEN);
        }
        check(&[form, origin, origin], StatusCode::FORBIDDEN);
        let by_https = ("x-forwarded-proto", "https");
        check(&[form, origin, by_https], StatusCode::FORBIDDEN);
        let of_https = ("origin", "https://127.0.0.1:7878");
        assert_eq!(fault_of(&[form, of_https, by_https], here), None);
        assert_eq!(fault_of(&[form, of_https], here), None);
        for site in ["cross-site", "same-site", "none"] {
            check(
                &[form, origin, ("sec-fetch-site", site)],
                StatusCode::FORBIDDEN,
            );
        }
        let file = ("content-type", "multipart/form-data; boundary=x");
        assert_eq!(fault_of(&[file, origin], here), None);
        check(&[file], StatusCode::FORBIDDEN);
        let text = ("content-type", "text/plain");
        check(&[text, origin], StatusCode::UNSUPPORTED_MEDIA_TYPE);
        let group = fault_of(&[form, origin], "192.168.1.9:999");
        assert_eq!(group, Some(StatusCode::FORBIDDEN));
    }

    #[test]
    fn a_page_of_another_site_reads_nothing_and_frames_nothing() {
        let check = |site: &'static str, mode: &'static str, dest: &'static str, is_let_in| {
            let mut headers = HeaderMap::new();
            let lines = [
                ("sec-fetch-site", site),
                ("sec-fetch-mode", mode),
                ("sec-fetch-dest", dest),
            ];
            for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
                headers.append(name, HeaderValue::from_static(value));
            }
            let fault = outside_fault(&headers, None);
            assert_eq!(fault.is_none(), is_let_in, "{site} {mode} {dest}");
        };
        for site in ["cross-site", "same-site"] {
            check(site, "navigate", "document", true);
            check(site, "navigate", "", true);
            for dest in ["iframe", "frame", "embed", "object", "fencedframe", "empty"] {
                check(site, "navigate", dest, false);
            }
            check(site, "no-cors", "document", false);
            check(site, "cors", "empty", false);
        }
        check("same-origin", "navigate", "iframe", true);
        check("none", "navigate", "document", true);
        check("", "", "", true);
    }
}
