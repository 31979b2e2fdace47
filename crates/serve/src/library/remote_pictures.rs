//! `/picture?url=&key=`: a picture of an article that the archive does not have. The server brings
//! it, so that a browser asks nobody else.
//!
//! The key of an address is made for the article that shows it, from a secret of the server. So no
//! other address can be asked for, and nobody but a reader of an article has one.

use super::archived::under_policy;
use super::{asked, in_folder};
use crate::api::NoDocument;
use crate::picture_key::PictureKey;
use crate::picture_source::{BroughtPicture, KEPT_FOR, NotBrought, PictureSource, PictureStep};
use crate::state::LibraryApp;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, Uri};
use forest_archive::{ArchiveReader, KnownHost, ReadingSettings, UnstoredPictures};
use forest_html::address::{has_credentials, web_address, without_fragment};
use forest_web::answers::{plain, with_retry_after};
use forest_web::links::coded;
use forest_web::served_state::ServedState;
use std::cell::RefCell;
use std::collections::HashMap;
use tokio::time::timeout;
use url::Url;

/// Hosts of an article's pictures that are looked up; pictures of further ones stay links.
const MAX_HOSTS: usize = 50;

/// The addresses at which an article shows pictures that are not stored.
pub(super) struct PictureAddresses<'a> {
    archive: &'a ArchiveReader,
    key: &'a PictureKey,
    wish: UnstoredPictures,
    /// The hosts that were looked up.
    hosts: RefCell<HashMap<String, bool>>,
}

impl<'a> PictureAddresses<'a> {
    pub(super) fn new(
        archive: &'a ArchiveReader,
        key: &'a PictureKey,
        wish: UnstoredPictures,
    ) -> PictureAddresses<'a> {
        PictureAddresses {
            archive,
            key,
            wish,
            hosts: RefCell::default(),
        }
    }

    /// The address for a picture, from the page of an article; `None`: it stays a link.
    pub(super) fn of(&self, address: &str) -> Option<String> {
        if self.wish == UnstoredPictures::Links {
            return None;
        }
        let url = picture_url(address)?;
        self.is_wanted(&url).then(|| {
            let key = self.key.of(&url);
            format!("../picture?url={}&amp;key={key}", coded(url.as_str()))
        })
    }

    fn is_wanted(&self, url: &Url) -> bool {
        if self.wish == UnstoredPictures::AnyHost {
            return true;
        }
        let host = url[url::Position::BeforeHost..url::Position::AfterPort].to_owned();
        let mut hosts = self.hosts.borrow_mut();
        if let Some(is_known) = hosts.get(&host) {
            return *is_known;
        }
        if hosts.len() == MAX_HOSTS {
            return false;
        }
        let known = self.archive.known_host(url).unwrap_or_default();
        hosts.insert(host, known.has_answered);
        known.has_answered
    }
}

/// The address of a picture on the web, without a fragment; `None` with a name or a password.
fn picture_url(address: &str) -> Option<Url> {
    let url = web_address(address)?;
    (!has_credentials(&url)).then(|| without_fragment(url))
}

pub(super) async fn show(state: ServedState<LibraryApp>, uri: Uri) -> Response<Body> {
    let asked = asked(&uri);
    let url = picture_url(asked.get("url"));
    let url = url.filter(|url| state.picture_key.is(url, asked.get("key")));
    let brought = match url {
        Some(url) => brought(&state, url).await,
        None => {
            let why = "no article shows this picture any more: load the page again";
            Ok(Err(NotBrought::Refused(why)))
        }
    };
    match brought {
        Ok(Ok(picture)) => {
            let kind = HeaderValue::from_static(picture.kind);
            let mut answer = under_policy(picture.bytes, kind);
            let kept = format!("private, max-age={}", KEPT_FOR.as_secs());
            let kept = HeaderValue::try_from(kept).expect("letters and digits");
            answer.headers_mut().insert(header::CACHE_CONTROL, kept);
            answer
        }
        Ok(Err(why)) => {
            let answer = plain(why.status(), &why.to_string());
            match why {
                NotBrought::TooMany(many) => with_retry_after(answer, many.after_s()),
                _ => answer,
            }
        }
        Err(why) => why.answer(),
    }
}

/// The picture at an address whose key is right.
async fn brought(
    state: &ServedState<LibraryApp>,
    url: Url,
) -> Result<Result<BroughtPicture, NotBrought>, NoDocument> {
    let known = match reach(state, &url).await? {
        Ok(known) => known,
        Err(why) => return Ok(Err(why)),
    };
    let source = &state.pictures;
    if let Some(kept) = source.kept(&url) {
        return Ok(kept);
    }
    if let Err(why) = source.take_right(&state.rate) {
        return Ok(Err(why));
    }
    let within = source.within;
    let fetched = timeout(within, async {
        let permit = source.permits.acquire(state.client).await;
        match permit {
            Ok(_permit) => followed(state, &url, known).await,
            Err(why) => Ok(Err(NotBrought::NoPermit(why))),
        }
    });
    let fetched = fetched.await.unwrap_or(Ok(Err(NotBrought::Slow(within))))?;
    source.keep(&url, &fetched);
    Ok(fetched)
}

/// The picture behind all redirects. Each address on the way has to be one that is wanted, and
/// private ones only where a person typed the address of a feed there.
async fn followed(
    state: &ServedState<LibraryApp>,
    first: &Url,
    known: KnownHost,
) -> Result<Result<BroughtPicture, NotBrought>, NoDocument> {
    let typed = known.is_typed.then_some(first);
    let mut url = first.clone();
    for _ in 0..=PictureSource::REDIRECTS {
        let step = state.pictures.ask(&state.web.relay, typed, &url).await;
        url = match step {
            Ok(PictureStep::Arrived(picture)) => return Ok(Ok(picture)),
            Ok(PictureStep::Redirected(to)) => to,
            Err(why) => return Ok(Err(why)),
        };
        if let Err(why) = reach(state, &url).await? {
            return Ok(Err(why));
        }
    }
    let why = format!("more than {} redirects", PictureSource::REDIRECTS);
    Ok(Err(NotBrought::Unfit(why)))
}

/// The knowledge of the host of an address, if pictures of it are wanted.
async fn reach(
    state: &ServedState<LibraryApp>,
    url: &Url,
) -> Result<Result<KnownHost, NotBrought>, NoDocument> {
    let url = url.clone();
    let found = in_folder(state, move |dir| {
        let settings = ReadingSettings::of(dir).unwrap_or_default();
        let known = ArchiveReader::open(dir)?.known_host(&url)?;
        Ok((settings.unstored_pictures, known))
    });
    let (wish, known) = found.await?;
    let refused = match wish {
        UnstoredPictures::Links => Some("the settings ask for links to such pictures"),
        UnstoredPictures::KnownHosts if !known.has_answered => {
            Some("the archive has nothing of its host, as the settings ask for")
        }
        _ => None,
    };
    Ok(match refused {
        Some(why) => Err(NotBrought::Refused(why)),
        None => Ok(known),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_have_pictures() {
        for none in [
            "",
            "1.png",
            "data:image/png;base64,AA",
            "ftp://a.example/1.png",
            "https://u@a.example/1.png",
            "https://u:p@a.example/1.png",
        ] {
            assert_eq!(picture_url(none), None, "{none}");
        }
    }
}
