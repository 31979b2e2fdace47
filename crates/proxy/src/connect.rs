//! Tunnels (RFC 9110, 9.3.6): bytes of which nothing is known.

use super::refused;
use crate::state::ProxyApp;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use forest_fetch::Why;
use forest_web::places::ConnectionPlace;
use hyper_util::rt::TokioIo;
use std::sync::Arc;

/// Makes a tunnel to the host and port that a request names, if they may be dialled.
pub(super) async fn tunnel<B>(state: &Arc<ProxyApp>, request: Request<B>) -> Response<Body>
where
    B: Send + 'static,
{
    let refused = |status, why: &str| refused(state, status, why);
    let Some(to) = request.uri().authority().cloned() else {
        return refused(StatusCode::BAD_REQUEST, "CONNECT needs a host and a port");
    };
    let Some(port) = to.port_u16().filter(|_| !to.as_str().contains('@')) else {
        return refused(StatusCode::BAD_REQUEST, "CONNECT needs a host and a port");
    };
    if !state.tunnel_ports.contains(&port) {
        let why = format!("no tunnel to port {port}; --tunnel-port allows it");
        return refused(StatusCode::FORBIDDEN, &why);
    }
    #[cfg(feature = "ca")]
    if let Some(opened) = super::decrypt::opened(state, to.host(), port) {
        return match opened {
            Ok(opened) => opened.answer(state, request),
            Err(why) => refused(StatusCode::FORBIDDEN, &why.to_string()),
        };
    }
    let mut server = match state.web.relay.connect(to.host(), port).await {
        Ok(server) => server,
        Err(why @ Why::PrivateAddress(_)) => {
            return refused(StatusCode::FORBIDDEN, &why.to_string());
        }
        Err(why) => return refused(StatusCode::BAD_GATEWAY, &why.to_string()),
    };
    state.log().tunnels += 1;
    let place = request.extensions().get::<Arc<ConnectionPlace>>().cloned();
    let upgrade = hyper::upgrade::on(request);
    tokio::spawn(async move {
        let _place = place;
        let Ok(client) = upgrade.await else { return };
        // It ends when both sides have ended; what went wrong is theirs to know.
        let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(client), &mut server).await;
    });
    Response::new(Body::empty())
}
