//! The reason why a program gets no answer: a status, and `{"error": "..."}`.

use crate::rate::TooManyFetches;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use forest_fetch::Why;
use forest_web::answers::with_retry_after;
use forest_web::cores::NoResult;
use forest_web::permits::NoPermit;
use serde::Serialize;
use serde_json::json;

/// See the file's page.
#[derive(Debug, Clone)]
pub(super) struct ApiFault {
    status: StatusCode,
    why: String,
    retry_after_s: Option<u64>,
}

impl From<TooManyFetches> for ApiFault {
    fn from(too_many: TooManyFetches) -> ApiFault {
        ApiFault {
            retry_after_s: Some(too_many.after_s()),
            ..ApiFault::new(StatusCode::TOO_MANY_REQUESTS, too_many.to_string())
        }
    }
}

impl From<NoResult> for ApiFault {
    fn from(why: NoResult) -> ApiFault {
        ApiFault {
            retry_after_s: why.retry_after_s(),
            ..ApiFault::new(why.status(), why.to_string())
        }
    }
}

impl From<NoPermit> for ApiFault {
    fn from(why: NoPermit) -> ApiFault {
        NoResult::from(why).into()
    }
}

impl ApiFault {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> ApiFault {
        let why = why.into();
        ApiFault {
            status,
            why,
            retry_after_s: None,
        }
    }

    /// The reason for people.
    pub(super) fn why(&self) -> &str {
        &self.why
    }
}

impl From<&forest_fetch::Error> for ApiFault {
    /// A failed fetch is the other server's fault, a refused one that of the request.
    fn from(error: &forest_fetch::Error) -> ApiFault {
        let Some(failure) = error.fetch_failure() else {
            return ApiFault::new(StatusCode::BAD_GATEWAY, error.to_string());
        };
        let status = match failure.why() {
            Why::PrivateAddress(_) | Why::Scheme(_) | Why::Robots => StatusCode::FORBIDDEN,
            Why::Timeout => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::BAD_GATEWAY,
        };
        ApiFault::new(status, failure.why().to_string())
    }
}

impl IntoResponse for ApiFault {
    fn into_response(self) -> Response<Body> {
        let answer = json_answer(self.status, &json!({ "error": self.why }));
        match self.retry_after_s {
            Some(seconds) => with_retry_after(answer, seconds),
            None => answer,
        }
    }
}

/// A value as JSON.
pub(super) fn json_answer(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    // A map with keys that are no texts cannot be written; there is none.
    let bytes = serde_json::to_vec(value).unwrap_or_default();
    let mut answer = Response::new(Body::from(bytes));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}
