//! Pictures that are not stored, brought from their servers for a reader: one request a hop,
//! through the address rules, with nothing of the reader in it, and within bounds of size, time,
//! number and memory. What was brought is kept in memory for a while.

use super::rate::{FetchRate, TooManyFetches};
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, Response, StatusCode};
use forest_fetch::{FetchOptions, Relay, Why};
use forest_harvest::{picture_extension, picture_type};
use forest_html::error::megabytes;
use forest_web::permits::{ClientPermits, NoPermit};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// Bytes of a picture at the most. Larger photographs are not made for pages.
const MAX_PICTURE_BYTES: usize = 8_000_000;

/// Pictures that are brought at once, and those of one client: together 64 MB.
const AT_ONCE: usize = 8;
const AT_ONCE_OF_CLIENT: usize = 4;

/// Time for which a picture is kept, here and by the browser.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(24 * 3600);

/// Pictures that are kept at the most, and their bytes.
const MAX_KEPT: usize = 1000;
const MAX_KEPT_BYTES: usize = 64_000_000;

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
        }
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
    kept: Mutex<VecDeque<KeptPicture>>,
}

impl fmt::Debug for PictureSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PictureSource").field(&self.permits).finish()
    }
}

/// A picture and the time when it came.
struct KeptPicture {
    url: String,
    came: Instant,
    picture: BroughtPicture,
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
            kept: Mutex::default(),
        }
    }

    /// Takes the right to bring one picture, of the day and of `rate`, all fetches for clients.
    pub(super) fn take_right(&self, rate: &FetchRate) -> Result<(), NotBrought> {
        let taken = self.of_day.take(1).and_then(|()| rate.take(1));
        taken.map_err(NotBrought::TooMany)
    }

    /// The picture at an address, if it came a while ago.
    pub(super) fn kept(&self, url: &Url) -> Option<BroughtPicture> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|kept| kept.url == url.as_str())?;
        (found.came.elapsed() < KEPT_FOR).then(|| found.picture.clone())
    }

    /// Keeps a picture; the oldest ones go if they take too much room.
    pub(super) fn keep(&self, url: &Url, picture: &BroughtPicture) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.url != url.as_str());
        kept.push_back(KeptPicture {
            url: url.to_string(),
            came: Instant::now(),
            picture: picture.clone(),
        });
        let mut bytes: usize = kept.iter().map(|kept| kept.picture.bytes.len()).sum();
        while kept.len() > MAX_KEPT || bytes > MAX_KEPT_BYTES {
            let Some(oldest) = kept.pop_front() else {
                break;
            };
            bytes -= oldest.picture.bytes.len();
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
        if let Some(to) = text(header::LOCATION).filter(|_| status.is_redirection()) {
            return match url.join(to) {
                Ok(to) => Ok(PictureStep::Redirected(to)),
                Err(_) => unfit("a redirect leads nowhere".to_owned()),
            };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_pictures_make_room() {
        let source = PictureSource::new(&FetchOptions::default());
        let url = |n: usize| Url::parse(&format!("https://a.example/{n}")).expect("an address");
        let of_bytes = |bytes: usize| BroughtPicture {
            kind: "image/png",
            bytes: vec![0; bytes].into(),
        };
        for n in 0..=MAX_KEPT {
            source.keep(&url(n), &of_bytes(1));
        }
        assert_eq!(source.kept(&url(0)), None);
        assert_eq!(source.kept(&url(1)), Some(of_bytes(1)));
        source.keep(&url(0), &of_bytes(MAX_KEPT_BYTES));
        assert!(source.kept(&url(0)).is_some());
        assert_eq!(source.kept(&url(MAX_KEPT)), None);
    }
}
