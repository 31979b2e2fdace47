//! Pages with https, opened by an authority of the user's own (feature `ca`).

use super::{Client, PAGE, Running, options};
use chrono::{DateTime, Utc};
use forest_proxy::{AuthorityPair, CertificateAuthority, ProxyOptions};
use forest_serve::ServeOptions;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, StreamOwned};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;

/// The variable with the folder of the server's certificate.
const UPSTREAM: &str = "FOREST_TEST_UPSTREAM";

/// Runs a test in a process that trusts a certificate of `localhost`, or none; `None` in that
/// process.
fn with_upstream(test: &str, is_trusted: bool) -> Option<String> {
    let dir = tempfile::tempdir().expect("a folder");
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("made");
    let [certificate, key] = ["certificate", "key"].map(|name| dir.path().join(name));
    std::fs::write(&certificate, made.cert.pem()).expect("written");
    std::fs::write(key, made.signing_key.serialize_pem()).expect("written");
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("made");
    let trusted = dir.path().join("trusted");
    let trusts = if is_trusted { made.cert } else { other.cert };
    std::fs::write(&trusted, trusts.pem()).expect("written");
    let path = |path: &Path| path.to_str().expect("a path").to_owned();
    let variables = [
        (UPSTREAM, &*path(dir.path())),
        ("SSL_CERT_FILE", &*path(&trusted)),
    ];
    crate::alone(&format!("serve::authority::{test}"), &variables)
}

/// A server with https that answers each connection with a page, and then with its path.
struct Upstream {
    port: u16,
    certificate: CertificateDer<'static>,
    _runtime: tokio::runtime::Runtime,
}

impl Upstream {
    fn new() -> Upstream {
        let dir = std::env::var_os(UPSTREAM).expect("the variable");
        let dir = Path::new(&dir);
        let certificate = CertificateDer::from_pem_file(dir.join("certificate")).expect("read");
        let key = PrivateKeyDer::from_pem_file(dir.join("key")).expect("read");
        let tls = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .expect("a certificate");
        let acceptor = TlsAcceptor::from(Arc::new(tls));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        runtime.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else {
                        return;
                    };
                    let mut head = String::new();
                    while !head.ends_with("\r\n\r\n") {
                        let Ok(byte) = stream.read_u8().await else {
                            return;
                        };
                        head.push(char::from(byte));
                    }
                    let path = head.split(' ').nth(1).unwrap_or_default();
                    let body = format!("{PAGE}<p>The path of this page of the harbour is {path}");
                    let answer = format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\
                         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    let _ = stream.write_all(answer.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Upstream {
            port,
            certificate,
            _runtime: runtime,
        }
    }

    /// A proxy that tunnels to its port.
    fn proxy(&self, options: impl FnOnce(ProxyOptions) -> ProxyOptions) -> Running {
        let of_proxy = ProxyOptions::default().with_tunnel_port(self.port);
        Running::proxy_with(super::options(), options(of_proxy))
    }

    /// Through a proxy, a connection whose server has to have this certificate.
    fn connect(&self, proxy: &Running, trusted: &CertificateDer<'static>) -> TlsStream {
        let mut client = Client::to(proxy.address);
        let to = format!("localhost:{}", self.port);
        client.send(format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n").as_bytes());
        assert_eq!(client.head().status, 200);
        let mut roots = RootCertStore::empty();
        roots.add(trusted.clone()).expect("a certificate");
        let mut tls = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let name = "localhost".try_into().expect("a name");
        let connection = ClientConnection::new(Arc::new(tls), name).expect("a client");
        StreamOwned::new(connection, client.stream.into_inner())
    }

    /// The answer to a request inside, and how the connection ended.
    fn ask(&self, stream: &mut TlsStream, path: &str) -> std::io::Result<String> {
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n",
            self.port
        );
        say(stream, &head)
    }
}

type TlsStream = StreamOwned<ClientConnection, TcpStream>;

fn say(stream: &mut TlsStream, head: &str) -> std::io::Result<String> {
    stream.write_all(head.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// A new authority, and its certificate.
fn authority() -> (CertificateAuthority, CertificateDer<'static>) {
    let today = DateTime::<Utc>::from(SystemTime::now()).date_naive();
    let pair = AuthorityPair::generate(today).expect("a pair");
    let certificate = CertificateDer::from_pem_slice(pair.certificate.as_bytes());
    let authority = CertificateAuthority::from_pem(&pair, today).expect("an authority");
    (authority, certificate.expect("a certificate"))
}

#[test]
fn pages_with_https_are_filtered_for_those_who_trust_the_authority() {
    let test = "pages_with_https_are_filtered_for_those_who_trust_the_authority";
    if with_upstream(test, true).is_some() {
        return;
    }
    let upstream = Upstream::new();
    let (authority, certificate) = authority();
    let proxy = upstream.proxy(|options| options.with_authority(authority));
    let mut stream = upstream.connect(&proxy, &certificate);
    let text = upstream.ask(&mut stream, "/a?b=c").expect("an answer");
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    assert!(text.contains("x-forest-filter: filtered"), "{text}");
    assert!(
        text.contains("harbour is /a?b=c") && !text.contains("evil()"),
        "{text}"
    );
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
    // A request for another host goes nowhere.
    let mut stream = upstream.connect(&proxy, &certificate);
    let head = "GET / HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n";
    let text = say(&mut stream, head).expect("an answer");
    assert!(text.starts_with("HTTP/1.1 421"), "{text}");
    // One who trusts the server alone is not served.
    let mut stream = upstream.connect(&proxy, &upstream.certificate);
    assert!(upstream.ask(&mut stream, "/").is_err());
    let page = proxy.own("/").text();
    assert!(
        page.contains("Connections with https that were opened</th><td>3"),
        "{page}"
    );
}

#[test]
fn a_site_that_is_left_alone_is_a_tunnel() {
    let test = "a_site_that_is_left_alone_is_a_tunnel";
    if with_upstream(test, true).is_some() {
        return;
    }
    let upstream = Upstream::new();
    let (authority, certificate) = authority();
    let proxy = upstream.proxy(|options| options.with_authority(authority));
    let token = proxy.token();
    let fields = [("token", &*token), ("site", "localhost"), ("to", "off")];
    assert_eq!(proxy.send_form("/site", &fields).status, 303);
    let mut stream = upstream.connect(&proxy, &upstream.certificate);
    let text = upstream.ask(&mut stream, "/").expect("an answer");
    assert!(
        text.contains("evil()") && !text.contains("x-forest"),
        "{text}"
    );
    let mut stream = upstream.connect(&proxy, &certificate);
    assert!(upstream.ask(&mut stream, "/").is_err());
}

#[test]
fn without_an_authority_tunnels_stay_tunnels() {
    let test = "without_an_authority_tunnels_stay_tunnels";
    if with_upstream(test, true).is_some() {
        return;
    }
    let upstream = Upstream::new();
    let proxy = upstream.proxy(|options| options);
    let mut stream = upstream.connect(&proxy, &upstream.certificate);
    let text = upstream.ask(&mut stream, "/").expect("an answer");
    assert!(text.contains("evil()"), "{text}");
    assert_eq!(proxy.own("/forest-ca.pem").status, 404);
    assert!(proxy.own("/").text().contains("pass through untouched"));
}

#[test]
fn a_server_that_is_not_trusted_is_not_made_so() {
    let test = "a_server_that_is_not_trusted_is_not_made_so";
    if with_upstream(test, false).is_some() {
        return;
    }
    let upstream = Upstream::new();
    let (authority, certificate) = authority();
    let proxy = upstream.proxy(|options| options.with_authority(authority));
    let mut stream = upstream.connect(&proxy, &certificate);
    let text = upstream.ask(&mut stream, "/").expect("an answer");
    assert!(text.starts_with("HTTP/1.1 502"), "{text}");
    assert!(
        text.contains("certificate") && !text.contains("ferry"),
        "{text}"
    );
}

#[test]
fn the_page_of_the_proxy_offers_the_certificate_and_never_the_key() {
    let (authority, certificate) = authority();
    let fingerprint = authority.fingerprint().to_owned();
    let proxy = Running::proxy_with(options(), ProxyOptions::default().with_authority(authority));
    let page = proxy.ask("GET http://forest.internal/", &[]).text();
    assert!(page.contains("href=\"forest-ca.pem\""), "{page}");
    assert!(
        page.contains(&fingerprint) && !page.contains("PRIVATE"),
        "{page}"
    );
    let answer = proxy.ask("GET http://forest.internal/forest-ca.pem", &[]);
    let kind = answer.header("content-type");
    assert_eq!(kind, Some("application/x-x509-ca-cert"));
    let offered = CertificateDer::from_pem_slice(&answer.body).expect("a certificate");
    assert_eq!(offered, certificate);
    assert!(!answer.text().contains("PRIVATE"));
    let rule = proxy.own("/proxy.pac").text();
    assert!(
        rule.contains("!== \"http\"") && !rule.contains("\"http:\""),
        "{rule}"
    );
    // Private hosts stay closed, as those of tunnels.
    let (other, _) = self::authority();
    let strict = Running::proxy_with(
        ServeOptions::default(),
        ProxyOptions::default().with_authority(other),
    );
    assert_eq!(strict.ask("CONNECT localhost:443", &[]).status, 403);
    assert_eq!(strict.ask("CONNECT 127.0.0.1:443", &[]).status, 403);
}
