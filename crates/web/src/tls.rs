//! HTTPS of a server's own: its certificate, read again when it was renewed, and handshakes, which
//! have the time of a request's head.
//!
//! Takes a [`CertificateSource`]; gives [`ServerTls`] for
//! [`WebServer::with_tls`](super::server::WebServer::with_tls). TLS 1.2 and 1.3 by `ring`, HTTP/1.1
//! alone.

use super::connection::HEAD_WITHIN;
use forest_html::text::sha256_hex;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::io;
use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, join, split};
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsAcceptor;

/// Time after which a new connection has the certificate read again. Renewals come days before the
/// old certificate ends.
const CHECK_EVERY: Duration = Duration::from_secs(60);

/// The first byte of a connection with TLS: a record of a handshake (RFC 8446, 5.1).
const HANDSHAKE: u8 = 22;

/// Bytes of a request without TLS that are read before it is answered: what is left unread may
/// take the answer with it.
const PLAIN_BYTES: usize = 16 * 1024;

/// A certificate with those that lead to its authority, and its key, each in PEM.
pub struct CertificatePair {
    /// The server's own certificate first.
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
}

impl CertificatePair {
    fn digest(&self) -> String {
        sha256_hex([sha256_hex(&self.certificate), sha256_hex(&self.key)].concat())
    }
}

/// Where a certificate is read from, again and again.
pub trait CertificateSource: fmt::Debug + Send + Sync {
    /// The certificate as it is now.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn read(&self) -> io::Result<CertificatePair>;
}

/// The reason why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFault {
    /// It cannot be read; the message names the file.
    #[error("{0}")]
    Unread(#[from] io::Error),
    /// The text has no certificate.
    #[error("there is no certificate in PEM in the file of the certificate")]
    NoCertificate,
    /// The text has no key that can be used.
    #[error("there is no key in PEM, without a password, in the file of the key")]
    NoKey,
    /// The key is that of another certificate.
    #[error("the key is not that of the first certificate in its file")]
    OtherKey,
    /// The certificate or the key cannot be used for TLS.
    #[error("the certificate or its key cannot be used: {0}")]
    Unusable(rustls::Error),
}

impl From<rustls::Error> for CertificateFault {
    fn from(error: rustls::Error) -> CertificateFault {
        match error {
            rustls::Error::InconsistentKeys(_) => CertificateFault::OtherKey,
            error => CertificateFault::Unusable(error),
        }
    }
}

/// TLS of a server.
#[derive(Debug)]
pub struct ServerTls {
    source: Arc<dyn CertificateSource>,
    used: Mutex<UsedCertificate>,
    check_every: Duration,
}

/// The certificate of new connections.
struct UsedCertificate {
    config: Arc<ServerConfig>,
    /// The digest of its pair.
    digest: String,
    checked: Instant,
}

impl fmt::Debug for UsedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UsedCertificate")
            .field(&self.checked)
            .finish()
    }
}

impl ServerTls {
    /// TLS with the certificate that a source has now, and later with the one that it has then.
    ///
    /// # Errors
    ///
    /// If it cannot be read or used.
    pub fn new(source: Arc<dyn CertificateSource>) -> Result<ServerTls, CertificateFault> {
        let pair = source.read()?;
        let used = UsedCertificate {
            config: config_of(&pair)?,
            digest: pair.digest(),
            checked: Instant::now(),
        };
        Ok(ServerTls {
            source,
            used: Mutex::new(used),
            check_every: CHECK_EVERY,
        })
    }

    /// The time after which a new connection has the certificate read again; default: a minute.
    pub fn with_check_every(mut self, time: Duration) -> Self {
        self.check_every = time;
        self
    }

    /// The bytes inside a connection after its handshake; `None` if there was none in time. A
    /// request without TLS is told so.
    pub(super) async fn accept<S>(
        &self,
        stream: S,
    ) -> Option<impl AsyncRead + AsyncWrite + Unpin + Send + use<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send,
    {
        let accepted = timeout(HEAD_WITHIN, self.shake_hands(stream)).await;
        let accepted = accepted.unwrap_or_else(|late| Err(late.into()));
        accepted
            .inspect_err(|error| tracing::debug!(%error, "no handshake"))
            .ok()
    }

    async fn shake_hands<S>(
        &self,
        stream: S,
    ) -> io::Result<impl AsyncRead + AsyncWrite + Unpin + Send + use<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send,
    {
        let (mut reader, writer) = split(stream);
        let first = reader.read_u8().await?;
        if first != HANDSHAKE {
            answer_plain(reader, writer).await?;
            return Err(io::Error::other("it is without TLS"));
        }
        let stream = join(Cursor::new([first]).chain(reader), writer);
        TlsAcceptor::from(self.config().await).accept(stream).await
    }

    /// The configuration of a new connection. One a minute waits until the certificate is read.
    async fn config(&self) -> Arc<ServerConfig> {
        let known = {
            let mut used = self.used();
            if used.checked.elapsed() < self.check_every {
                return Arc::clone(&used.config);
            }
            used.checked = Instant::now();
            used.digest.clone()
        };
        let source = Arc::clone(&self.source);
        let read = tokio::task::spawn_blocking(move || renewed(&*source, &known)).await;
        let mut used = self.used();
        match read {
            Ok(Ok(Some((config, digest)))) => {
                tracing::info!("the certificate was renewed");
                (used.config, used.digest) = (config, digest);
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "the certificate stays the one from before");
            }
            // It is the same; or the server ends.
            Ok(Ok(None)) | Err(_) => {}
        }
        Arc::clone(&used.config)
    }

    fn used(&self) -> std::sync::MutexGuard<'_, UsedCertificate> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The certificate of a source, if it is another than the known one.
fn renewed(
    source: &dyn CertificateSource,
    known: &str,
) -> Result<Option<(Arc<ServerConfig>, String)>, CertificateFault> {
    let pair = source.read()?;
    let digest = pair.digest();
    if digest == known {
        return Ok(None);
    }
    Ok(Some((config_of(&pair)?, digest)))
}

fn config_of(pair: &CertificatePair) -> Result<Arc<ServerConfig>, CertificateFault> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pair.certificate).collect();
    let chain = chain.map_err(|_| CertificateFault::NoCertificate)?;
    if chain.is_empty() {
        return Err(CertificateFault::NoCertificate);
    }
    let key = PrivateKeyDer::from_pem_slice(&pair.key).map_err(|_| CertificateFault::NoKey)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Says that a request has to come with https.
async fn answer_plain(
    mut reader: impl AsyncRead + Unpin,
    mut writer: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut request = vec![0; PLAIN_BYTES];
    let _ = reader.read(&mut request).await?;
    let why = "forest: this address is one of https\n";
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{why}",
        why.len()
    );
    writer.write_all(answer.as_bytes()).await?;
    writer.shutdown().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::io::duplex;

    /// One pair after the other; a file that is half written in between.
    #[derive(Debug)]
    struct Renewals {
        names: Vec<&'static str>,
        reads: AtomicUsize,
    }

    impl CertificateSource for Renewals {
        fn read(&self) -> io::Result<CertificatePair> {
            let at = self.reads.fetch_add(1, Ordering::SeqCst);
            let name = self.names[at.min(self.names.len() - 1)];
            Ok(match name {
                "" => CertificatePair {
                    certificate: Vec::new(),
                    key: Vec::new(),
                },
                name => pair_of(name),
            })
        }
    }

    fn pair_of(name: &str) -> CertificatePair {
        let made = rcgen::generate_simple_self_signed([name.to_owned()]).expect("made");
        CertificatePair {
            certificate: made.cert.pem().into_bytes(),
            key: made.signing_key.serialize_pem().into_bytes(),
        }
    }

    fn tls(names: &[&'static str]) -> ServerTls {
        let source = Renewals {
            names: names.to_vec(),
            reads: AtomicUsize::new(0),
        };
        ServerTls::new(Arc::new(source)).expect("a certificate")
    }

    #[test]
    fn a_pair_that_cannot_be_used_is_refused_with_the_reason() {
        let (one, other) = (pair_of("a.example"), pair_of("b.example"));
        let check = |certificate: &[u8], key: &[u8], expected: &str| {
            let pair = CertificatePair {
                certificate: certificate.to_vec(),
                key: key.to_vec(),
            };
            let fault = config_of(&pair).expect_err("a fault").to_string();
            assert!(fault.contains(expected), "{fault}");
        };
        check(b"", &one.key, "no certificate in PEM");
        check(&one.key, &one.key, "no certificate in PEM");
        check(&one.certificate, b"", "no key in PEM");
        check(&one.certificate, &one.certificate, "no key in PEM");
        check(&one.certificate, &other.key, "not that of the first");
        let odd = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        check(odd, &one.key, "cannot be used");
        assert!(config_of(&one).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_certificate_is_read_again_once_a_minute() {
        let tls = tls(&["a.example", "", "b.example"]);
        let first = tls.config().await;
        assert!(Arc::ptr_eq(&first, &tls.config().await));
        // One that is half written changes nothing.
        tokio::time::advance(CHECK_EVERY).await;
        assert!(Arc::ptr_eq(&first, &tls.config().await));
        tokio::time::advance(CHECK_EVERY / 2).await;
        assert!(Arc::ptr_eq(&first, &tls.config().await));
        tokio::time::advance(CHECK_EVERY / 2).await;
        assert!(!Arc::ptr_eq(&first, &tls.config().await));
    }

    #[tokio::test(start_paused = true)]
    async fn handshakes_that_do_not_go_on_are_not_waited_for() {
        let tls = tls(&["a.example"]);
        for sent in [&b""[..], &[HANDSHAKE], &[HANDSHAKE, 3, 1, 2, 0, 1]] {
            let begun = Instant::now();
            let (mut client, stream) = duplex(64);
            client.write_all(sent).await.expect("room");
            assert!(tls.accept(stream).await.is_none());
            assert_eq!(begun.elapsed(), HEAD_WITHIN);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_without_tls_is_told_so() {
        let begun = Instant::now();
        let (mut client, stream) = duplex(4096);
        let request = b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
        client.write_all(request).await.expect("room");
        assert!(tls(&["a.example"]).accept(stream).await.is_none());
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.expect("text");
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
        assert!(answer.ends_with("one of https\n"), "{answer}");
        assert!(begun.elapsed().is_zero());
    }
}
