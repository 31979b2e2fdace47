//! The certificate of the authority: offered, and how to install it. Its key is never sent.

use crate::authority::{CertificateAuthority, YEARS};
use crate::state::ProxyApp;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::routing::get;
use maud::{Markup, html};
use std::sync::Arc;

/// The path of the certificate, from the page of the proxy.
const CERTIFICATE: &str = "forest-ca.pem";

pub(super) fn router() -> Router<Arc<ProxyApp>> {
    Router::new().route(&format!("/{CERTIFICATE}"), get(certificate))
}

async fn certificate(State(state): State<Arc<ProxyApp>>) -> Response<Body> {
    let Some(authority) = &state.authority else {
        let why = "there is no authority: --ca makes one";
        return forest_web::answers::plain(StatusCode::NOT_FOUND, why);
    };
    let mut answer = Response::new(Body::from(authority.certificate().pem.clone()));
    let kind = HeaderValue::from_static("application/x-x509-ca-cert");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    let name = format!("attachment; filename={CERTIFICATE}");
    if let Ok(name) = HeaderValue::try_from(name) {
        answer
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, name);
    }
    answer
}

/// How to install the certificate.
pub(super) fn installation(authority: &CertificateAuthority) -> Markup {
    html! {
        h2 { "Pages with https" }
        p {
            "They are filtered for browsers that trust the authority of this proxy. Use the proxy "
            "for https, too, and install " a href=(CERTIFICATE) { "the certificate" }
            " as an authority for web sites: in Firefox under Settings, Privacy and Security, "
            "Certificates; for other browsers in the certificates of the system. Before that, "
            "compare its SHA-256 with the one that the command prints:"
        }
        p .name { code { (authority.fingerprint()) } }
        p {
            "Whoever reads the key of the authority can pose as any site to these browsers. Take "
            "the certificate out again when the proxy is no longer used; it is valid for "
            (YEARS) " years. Sites that are left alone pass untouched; so do hosts of local networks."
        }
    }
}
