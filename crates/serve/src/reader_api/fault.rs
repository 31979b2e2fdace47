//! Why a request of an app has no answer.

use crate::api::NoDocument;
use axum::body::Body;
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::{Response, StatusCode};
use forest_web::access::Untried;
use forest_web::answers::plain;
use forest_web::shell::answer;

/// The header by which an app sees that it has to log in again.
const BAD_TOKEN: HeaderName = HeaderName::from_static("x-reader-google-bad-token");

/// The reason.
pub(super) enum AppFault {
    /// There is no such request.
    Unknown,
    /// Only a POST changes something.
    NoPost,
    /// The token is none of a device, or is missing.
    BadToken,
    /// Neither a device's token nor the password.
    BadLogin,
    /// The request cannot be understood: the reason.
    Bad(&'static str),
    /// The archive has as many devices as it may.
    TooManyDevices,
    /// Too many tokens or passwords were wrong, or it is not the client's turn.
    Untried(Untried),
    /// Too much is fetched: the reason.
    Busy(String),
    NoDocument(NoDocument),
}

impl From<NoDocument> for AppFault {
    fn from(why: NoDocument) -> AppFault {
        AppFault::NoDocument(why)
    }
}

impl AppFault {
    pub(super) fn answer(self) -> Response<Body> {
        match self {
            AppFault::Unknown => plain(StatusCode::NOT_FOUND, "apps are given no such thing"),
            AppFault::NoPost => plain(StatusCode::METHOD_NOT_ALLOWED, "only a POST changes this"),
            AppFault::BadToken => {
                let status = StatusCode::UNAUTHORIZED;
                let kind = "text/plain; charset=utf-8";
                let mut answer = answer(status, kind, "Unauthorized".to_owned());
                let yes = HeaderValue::from_static("true");
                answer.headers_mut().insert(BAD_TOKEN, yes);
                answer
            }
            AppFault::BadLogin => {
                let kind = "text/plain; charset=utf-8";
                let text = "Error=BadAuthentication\n".to_owned();
                answer(StatusCode::UNAUTHORIZED, kind, text)
            }
            AppFault::Bad(why) => plain(StatusCode::BAD_REQUEST, why),
            AppFault::TooManyDevices => {
                let why = "there are 100 devices: revoke one on the page /apps";
                plain(StatusCode::FORBIDDEN, why)
            }
            AppFault::Untried(why) => why.in_answer(plain(why.status(), &why.to_string())),
            AppFault::Busy(why) => plain(StatusCode::TOO_MANY_REQUESTS, &why),
            AppFault::NoDocument(why) => why.answer(),
        }
    }
}
