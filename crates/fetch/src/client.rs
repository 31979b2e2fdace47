//! The HTTP clients, TLS, and the meaning of a client's errors.

use std::collections::HashSet;
use std::error::Error as StdError;
use std::sync::Arc;

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use rustls::{ClientConfig, RootCertStore};
use url::Url;

use super::address::{AddressScope, NoPublicAddress, Resolver, Unresolved};
use super::body::BodyFailure;
use super::host_cache::HostCache;
use super::options::FetchOptions;
use super::pace::origin;
use super::retry::RequestFailure;
use super::transfer::unknown_transfer_coding;
use crate::Why;
use crate::error::{ErrorKind, Result};

/// Maximum number of hosts to which connections are kept between two requests. A connection
/// takes some 30 kB, more with TLS; hosts that are asked in turn are rarely more at once.
const KEPT: usize = 128;

/// The form in which a client gives the body of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyForm {
    /// Unpacked, and whole within [`FetchOptions::with_timeout`].
    Decoded,
    /// As the server sends it, for as long as it goes on sending.
    AsSent,
}

/// A client for each host. Its connections end with it, those of requests that are
/// under way with these.
#[derive(Debug)]
pub(super) struct Clients {
    options: FetchOptions,
    form: BodyForm,
    proxies: Arc<HashSet<String>>,
    tls: ClientConfig,
    /// The machine has CA certificates.
    has_roots: bool,
    /// Each client with the scope of its host: its connections are never used for another
    /// scope.
    kept: HostCache<(AddressScope, Client)>,
}

impl Clients {
    pub(super) fn new(
        options: &FetchOptions,
        proxies: &Arc<HashSet<String>>,
        form: BodyForm,
    ) -> Result<Self> {
        let (tls, has_roots) = tls()?;
        let clients = Clients {
            options: options.clone(),
            form,
            proxies: Arc::clone(proxies),
            tls,
            has_roots,
            kept: HostCache::new(KEPT),
        };
        // Wrong settings are reported before any request.
        let client = clients.build(AddressScope::Public);
        client.map_err(|error| ErrorKind::Client {
            reason: innermost(&error),
        })?;
        Ok(clients)
    }

    /// The resolver of names for hosts of this scope.
    pub(super) fn resolver(&self, reach: AddressScope) -> Resolver {
        Resolver {
            public_only: reach == AddressScope::Public,
            proxies: Arc::clone(&self.proxies),
            #[cfg(test)]
            script: self.options.script.clone(),
        }
    }

    fn build(&self, reach: AddressScope) -> reqwest::Result<Client> {
        let resolver = self.resolver(reach);
        let builder = Client::builder()
            .tls_backend_preconfigured(self.tls.clone())
            .dns_resolver(Arc::new(resolver))
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            // As browsers do.
            .http1_allow_spaces_after_header_name_in_responses(true)
            .connect_timeout(self.options.connect_timeout())
            .read_timeout(self.options.idle_timeout());
        let builder = match self.form {
            BodyForm::Decoded => builder.timeout(self.options.timeout),
            BodyForm::AsSent => builder.no_gzip().no_brotli().no_zstd(),
        };
        let direct = reach == AddressScope::Loopback;
        // A proxy would be asked in the place of the name server.
        #[cfg(test)]
        let direct = direct || self.options.script.is_some();
        let builder = if direct { builder.no_proxy() } else { builder };
        builder.build()
    }

    /// The client for the URL's host.
    pub(super) fn get(
        &self,
        reach: AddressScope,
        url: &Url,
    ) -> std::result::Result<Client, RequestFailure> {
        let fit = |(way, _): &(AddressScope, Client)| *way == reach;
        let make = || Ok((reach, self.build(reach)?));
        let got = self.kept.get(origin(url), fit, make);
        got.map(|(_, client)| client)
            .map_err(|error| self.failure(&error))
    }

    /// The answer that a client gave, if its body is what its headers say. No request asks for
    /// another protocol, so an answer that switches to one (101) is a failure.
    pub(super) fn answer(
        &self,
        given: reqwest::Result<Response>,
    ) -> std::result::Result<Response, RequestFailure> {
        let response = given.map_err(|error| self.failure(&error))?;
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err(RequestFailure::last(Why::Status(101)));
        }
        match unknown_transfer_coding(response.headers()) {
            Some(coding) => Err(RequestFailure::last(Why::TransferCoding(coding))),
            None => Ok(response),
        }
    }

    /// Closes the idle connections to a host: no request waits for it.
    pub(super) fn close(&self, origin: &str) {
        self.kept.close(origin);
    }

    /// The failure of a request that ended with an error of the client.
    pub(super) fn failure(&self, error: &reqwest::Error) -> RequestFailure {
        let mut link: Option<&(dyn StdError + 'static)> = Some(error);
        while let Some(cause) = link {
            if let Some(why) = resolver_failure(cause) {
                return RequestFailure::last(why);
            }
            if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
                return RequestFailure::last(Why::Tls(self.tls_text(tls)));
            }
            link = next_cause(cause);
        }
        let text = innermost(error);
        if error.is_timeout() && error.is_connect() {
            RequestFailure::passing(Why::Timeout)
        } else if error.is_timeout() {
            RequestFailure::last(Why::Timeout)
        } else if error.is_body() || error.is_decode() {
            RequestFailure::passing(Why::Body(text))
        } else {
            RequestFailure::passing(Why::Connect(text))
        }
    }

    /// The failure of a request whose body was not read.
    pub(super) fn body_failure(&self, failure: BodyFailure) -> RequestFailure {
        match failure {
            BodyFailure::Why(why) => RequestFailure::last(why),
            BodyFailure::Transfer(error) => self.failure(&error),
            BodyFailure::BadCoding => {
                let text = "it is cut off, or not packed as its headers say".to_owned();
                RequestFailure::passing(Why::Body(text))
            }
        }
    }

    fn tls_text(&self, error: &rustls::Error) -> String {
        if self.has_roots {
            error.to_string()
        } else {
            format!("{error} (this machine has no CA certificates)")
        }
    }
}

/// The reason that a [`Resolver`] gives, if it is one.
pub(super) fn resolver_failure(error: &(dyn StdError + 'static)) -> Option<Why> {
    let refused = error.downcast_ref::<NoPublicAddress>();
    let refused = refused.map(|refused| Why::PrivateAddress(refused.0.clone()));
    refused.or_else(|| {
        let unresolved = error.downcast_ref::<Unresolved>()?;
        Some(Why::Dns(unresolved.to_string()))
    })
}

/// rustls with the ring provider and the platform's certificates. A machine
/// without any can still speak plain HTTP; the flag says whether it has some.
fn tls() -> Result<(ClientConfig, bool)> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| ErrorKind::Client {
            reason: error.to_string(),
        })?;
    let verifier = rustls_platform_verifier::Verifier::new(provider);
    let has_roots = verifier.is_ok();
    let mut config = match verifier {
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        Err(error) => {
            tracing::debug!(%error, "no CA certificates");
            builder
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth()
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok((config, has_roots))
}

/// The cause below this one. An I/O error does not give what it holds as its
/// source, only what is below that.
fn next_cause<'a>(cause: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    let inner = cause
        .downcast_ref::<std::io::Error>()
        .and_then(std::io::Error::get_ref);
    match inner {
        Some(inner) => Some(inner),
        None => cause.source(),
    }
}

/// The last cause of a chain: the one that says what happened.
fn innermost(error: &(dyn StdError + 'static)) -> String {
    let mut last = error;
    while let Some(next) = next_cause(last) {
        last = next;
    }
    last.to_string()
}

/// The user's own headers, checked once.
#[derive(Debug, Default)]
pub(super) struct UserHeaders {
    /// For every host that is asked for.
    pub(super) open: HeaderMap,
    /// `Authorization` and `Cookie`: for typed hosts.
    pub(super) secret: HeaderMap,
}

/// Headers that the client itself must set, since the answer's reading hangs
/// on them.
const RESERVED: [&str; 15] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "if-modified-since",
    "if-none-match",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl UserHeaders {
    pub(super) fn new(headers: &[(String, String)]) -> Result<Self> {
        let mut own = UserHeaders::default();
        for (name, value) in headers {
            let (parsed, value) = checked(name, value)?;
            if parsed == header::USER_AGENT {
                let name = name.clone();
                let reason = "it has an option of its own; use --user-agent";
                return Err(ErrorKind::Header { name, reason }.into());
            }
            match parsed.as_str() {
                "authorization" | "cookie" => own.secret.append(parsed, value),
                _ => own.open.append(parsed, value),
            };
        }
        Ok(own)
    }
}

/// A header that may be sent.
pub(super) fn checked(name: &str, value: &str) -> Result<(HeaderName, HeaderValue)> {
    let refuse = |reason| ErrorKind::Header {
        name: name.to_owned(),
        reason,
    };
    let parsed = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| refuse("the name is no HTTP header name; give 'Name: value'"))?;
    if RESERVED.contains(&parsed.as_str()) {
        return Err(refuse("it is set by the client itself; leave it out").into());
    }
    let mut value = header_value(value)
        .ok_or_else(|| refuse("the value holds control characters; leave them out"))?;
    // It keeps them out of what is archived: any other may be a key.
    value.set_sensitive(!matches!(
        parsed,
        header::ACCEPT | header::ACCEPT_LANGUAGE | header::USER_AGENT
    ));
    Ok((parsed, value))
}

/// The encodings that the client undoes.
pub(super) const ENCODINGS: HeaderValue = HeaderValue::from_static("zstd,gzip,deflate,br");

pub(super) fn header_value(value: &str) -> Option<HeaderValue> {
    HeaderValue::from_bytes(value.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, value: &str, message: Option<&str>) {
        let headers = UserHeaders::new(&[(name.to_owned(), value.to_owned())]);
        let error = headers.err().map(|error| error.to_string());
        match message {
            None => assert_eq!(error, None),
            Some(message) => assert!(
                error.as_ref().is_some_and(|e| e.contains(message)),
                "{error:?}"
            ),
        }
    }

    #[test]
    fn headers_are_checked_before_anything_is_sent() {
        check("Accept-Language", "el, en;q=0.5", None);
        check("X-Name", "Ἀθῆναι", None);
        check("Cookie", "a=b", None);
        check("X Name", "v", Some("no HTTP header name"));
        check("", "v", Some("no HTTP header name"));
        check("X-Name", "a\r\nEvil: b", Some("control characters"));
        check("Host", "a.example", Some("leave it out"));
        check("user-agent", "me", Some("--user-agent"));
    }
}
