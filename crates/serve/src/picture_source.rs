//! Pictures that are not stored, brought from their servers for a reader: one request a hop,
//! through the address rules, with nothing of the reader in it, and within bounds of size, time,
//! number and memory. What was brought is kept in memory for a while.

use super::kept_by_url::{KeptBounds, KeptByUrl};
use super::rate::{FetchRate, TooManyFetches};
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, Response, StatusCode};
use forest_fetch::{FetchOptions, Relay, Why, redirect_target};
use forest_harvest::{picture_extension, picture_type};
use forest_html::error::megabytes;
use forest_web::permits::{ClientPermits, NoPermit};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use std::fmt;
use std::time::Duration;
use url::Url;

/// Bytes of a picture at the most. Larger photographs are not made for pages.
const MAX_PICTURE_BYTES: usize = 8_000_000;

/// Pictures that are brought at once, and those of one client: together 64 MB.
const AT_ONCE: usize = 8;
const AT_ONCE_OF_CLIENT: usize = 4;

/// Time for which a picture is kept, here and by the browser.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(24 * 3600);

/// The pictures that are kept.
const KEPT: KeptBounds = KeptBounds {
    age: KEPT_FOR,
    count: 1000,
    bytes: 64_000_000,
};

/// Faults that are kept, so that nobody is asked again at once for what is not there.
const FAULTS: KeptBounds = KeptBounds {
    age: Duration::from_secs(600),
    count: 1000,
    bytes: 1_000_000,
};

/// The pictures that are brought, by the extensions of their files: a browser shows them, and
/// nothing in them runs.
const SHOWN: [&str; 5] = ["avif", "gif", "jpg", "png", "webp"];

/// The media types that are asked for.
const ACCEPT: &str = "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9";

/// A picture and its media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BroughtPicture {
    pub(super) kind: &'static str,
    pub(super) bytes: Bytes,
}

/// The reason why a picture is not brought.
#[derive(Debug)]
pub(super) enum NotBrought {
    /// The reader does not want it, or it may not be asked for.
    Refused(&'static str),
    TooMany(TooManyFetches),
    NoPermit(NoPermit),
    /// The server cannot be asked, or does not answer.
    Unreached(Why),
    /// It takes longer than this time.
    Slow(Duration),
    /// The answer is no picture that is shown.
    Unfit(String),
    /// It did not come a short while ago.
    Known(KnownFault),
}

/// Why a picture did not come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownFault {
    status: StatusCode,
    why: String,
}

impl fmt::Display for NotBrought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotBrought::Refused(why) => f.write_str(why),
            NotBrought::TooMany(why) => why.fmt(f),
            NotBrought::NoPermit(_) => f.write_str("too many pictures are brought at once"),
            NotBrought::Unreached(why) => why.fmt(f),
            NotBrought::Slow(within) => write!(f, "it takes longer than {} s", within.as_secs()),
            NotBrought::Unfit(why) => f.write_str(why),
            NotBrought::Known(fault) => f.write_str(&fault.why),
        }
    }
}

impl NotBrought {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            NotBrought::Refused(_) => StatusCode::FORBIDDEN,
            NotBrought::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            NotBrought::NoPermit(_) => StatusCode::SERVICE_UNAVAILABLE,
            NotBrought::Unreached(Why::PrivateAddress(_) | Why::Scheme(_)) => StatusCode::FORBIDDEN,
            NotBrought::Unreached(Why::Timeout) | NotBrought::Slow(_) => {
                StatusCode::GATEWAY_TIMEOUT
            }
            NotBrought::Unreached(_) | NotBrought::Unfit(_) => StatusCode::BAD_GATEWAY,
            NotBrought::Known(fault) => fault.status,
        }
    }

    /// True for a fault of the picture and its server.
    fn lasts(&self) -> bool {
        matches!(
            self,
            NotBrought::Unreached(_) | NotBrought::Slow(_) | NotBrought::Unfit(_)
        )
    }
}

/// The next step on the way to a picture.
pub(super) enum PictureStep {
    Arrived(BroughtPicture),
    /// The server leads to another address.
    Redirected(Url),
}

/// The state that all requests for pictures share.
pub(super) struct PictureSource {
    agent: HeaderValue,
    pub(super) within: Duration,
    pub(super) permits: ClientPermits,
    of_day: FetchRate,
    kept: KeptByUrl<BroughtPicture>,
    faults: KeptByUrl<KnownFault>,
}

impl fmt::Debug for PictureSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PictureSource").field(&self.permits).finish()
    }
}

impl PictureSource {
    /// Redirects that are followed: as many as `fetch` does.
    pub(super) const REDIRECTS: usize = FetchOptions::REDIRECTS;

    /// Asks as these options say: under their name, for their time.
    pub(super) fn new(fetching: &FetchOptions) -> PictureSource {
        let agent = HeaderValue::try_from(fetching.user_agent());
        let usual = HeaderValue::from_static(FetchOptions::USER_AGENT);
        PictureSource {
            agent: agent.unwrap_or(usual),
            within: fetching.timeout(),
            permits: ClientPermits::new(AT_ONCE, AT_ONCE_OF_CLIENT),
            of_day: FetchRate::of_pictures_of_day(),
            kept: KeptByUrl::new(KEPT),
            faults: KeptByUrl::new(FAULTS),
        }
    }

    /// Takes the right to bring one picture, of the day and of `rate`, all fetches for clients.
    pub(super) fn take_right(&self, rate: &FetchRate) -> Result<(), NotBrought> {
        let taken = self.of_day.take(1).and_then(|()| rate.take(1));
        taken.map_err(NotBrought::TooMany)
    }

    /// The picture at an address, if it came a while ago, or the reason why it did not.
    pub(super) fn kept(&self, url: &Url) -> Option<Result<BroughtPicture, NotBrought>> {
        let picture = self.kept.get(url).map(Ok);
        picture.or_else(|| Some(Err(NotBrought::Known(self.faults.get(url)?))))
    }

    pub(super) fn keep(&self, url: &Url, brought: &Result<BroughtPicture, NotBrought>) {
        match brought {
            Ok(picture) => self.kept.keep(url, picture.clone(), picture.bytes.len()),
            Err(fault) if fault.lasts() => {
                let (status, why) = (fault.status(), fault.to_string());
                let bytes = why.len();
                self.faults.keep(url, KnownFault { status, why }, bytes);
            }
            Err(_) => {}
        }
    }

    /// One request. Without an address that a person typed, `typed`, private ones are refused.
    pub(super) async fn ask(
        &self,
        relay: &Relay,
        typed: Option<&Url>,
        url: &Url,
    ) -> Result<PictureStep, NotBrought> {
        let (headers, nothing) = (self.headers(), Empty::<Bytes>::new());
        let sent = relay.send(Method::GET, typed, url.clone(), headers, nothing);
        let answer: Response<_> = sent.await.map_err(NotBrought::Unreached)?.into();
        let unfit = |why: String| Err(NotBrought::Unfit(why));
        let (status, headers) = (answer.status(), answer.headers().clone());
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        match redirect_target(url, status.as_u16(), &headers) {
            Some(Ok(to)) => return Ok(PictureStep::Redirected(to)),
            Some(Err(to)) => return unfit(format!("a redirect leads nowhere: {to}")),
            None => {}
        }
        if status != StatusCode::OK {
            return unfit(format!(
                "its server answers with status {}",
                status.as_u16()
            ));
        }
        let coding = text(header::CONTENT_ENCODING).unwrap_or("identity");
        if !coding.eq_ignore_ascii_case("identity") {
            return unfit("its server packs it without being asked to".to_owned());
        }
        let kind = text(header::CONTENT_TYPE);
        let is_picture =
            kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("image/"));
        if !is_picture {
            return unfit("it is no picture".to_owned());
        }
        let bytes = match Limited::new(answer.into_body(), MAX_PICTURE_BYTES)
            .collect()
            .await
        {
            Ok(collected) => collected.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                let most = megabytes(MAX_PICTURE_BYTES);
                return unfit(format!("it is larger than {most}"));
            }
            Err(_) => return unfit("its server broke off".to_owned()),
        };
        let extension = picture_extension(kind, &bytes).filter(|found| SHOWN.contains(found));
        match extension.and_then(picture_type) {
            Some(kind) => Ok(PictureStep::Arrived(BroughtPicture { kind, bytes })),
            None => unfit("it is no picture that is shown".to_owned()),
        }
    }

    /// The headers of a request: nothing of the reader's browser, no `Referer`, no cookie.
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, self.agent.clone());
        headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPT));
        let plain = HeaderValue::from_static("identity");
        headers.insert(header::ACCEPT_ENCODING, plain);
        headers
    }
}
