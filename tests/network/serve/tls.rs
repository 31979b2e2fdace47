//! The pages by https of the server's own. Certificates are made here, by the crate that makes the
//! proxy's (feature `ca`).

use super::access::PASSWORD;
use super::client::Client;
use super::command::{command, serve};
use super::{Running, options};
use crate::harvest_cli::site::{Running as Harvesting, Site, User};
use forest_serve::{FilterPages, ServeOptions};
use forest_web::access::hash_of;
use forest_web::tls::{CertificatePair, CertificateSource, ServerTls};
use rustls::pki_types::CertificateDer;
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion, version,
};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// The files of a certificate of `localhost`, which can be renewed.
#[derive(Debug)]
struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> (Files, CertificateDer<'static>) {
        let files = Files {
            folder: tempfile::tempdir().expect("a folder"),
        };
        let certificate = files.renew();
        (files, certificate)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes another certificate with another key.
    fn renew(&self) -> CertificateDer<'static> {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("made");
        std::fs::write(self.path("certificate"), made.cert.pem()).expect("written");
        std::fs::write(self.path("key"), made.signing_key.serialize_pem()).expect("written");
        made.cert.der().clone()
    }

    /// The options of the command.
    fn args(&self) -> [String; 4] {
        let path = |name| self.path(name).to_str().expect("a path").to_owned();
        let (certificate, key) = (path("certificate"), path("key"));
        [
            "--tls-cert".to_owned(),
            certificate,
            "--tls-key".to_owned(),
            key,
        ]
    }
}

/// The same files for a server of this process.
#[derive(Debug)]
struct CertificateFolder(PathBuf);

impl CertificateSource for CertificateFolder {
    fn read(&self) -> io::Result<CertificatePair> {
        Ok(CertificatePair {
            certificate: std::fs::read(self.0.join("certificate"))?,
            key: std::fs::read(self.0.join("key"))?,
        })
    }
}

/// The pages by https, whose certificate is read again at each connection.
fn server(options: ServeOptions, files: &Path) -> Running {
    let pages = FilterPages::new(options).expect("pages");
    let tls = ServerTls::new(Arc::new(CertificateFolder(files.to_owned()))).expect("a certificate");
    let tls = tls.with_check_every(Duration::ZERO);
    Running::of(&pages, |pages| pages.server().with_tls(tls))
}

const BOTH: &[&SupportedProtocolVersion] = &[&version::TLS12, &version::TLS13];

/// The answer to a request of a client that trusts one certificate.
fn ask(
    address: SocketAddr,
    trusted: &CertificateDer<'static>,
    versions: &[&'static SupportedProtocolVersion],
    request: &str,
) -> io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().expect("a name");
    let connection = ClientConnection::new(Arc::new(tls), name).expect("a client");
    let mut stream = StreamOwned::new(connection, Client::to(address).stream.into_inner());
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A request as a browser sends it, with more lines and a form.
fn request(address: SocketAddr, line: &str, lines: &[&str], form: &str) -> String {
    let more: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    format!(
        "{line} HTTP/1.1\r\nHost: {address}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n{form}",
        form.len()
    )
}

fn get(server: &Running, trusted: &CertificateDer<'static>, path: &str, lines: &[&str]) -> String {
    let request = request(server.address, &format!("GET {path}"), lines, "");
    ask(server.address, trusted, BOTH, &request).expect("an answer")
}

#[test]
fn pages_come_by_both_versions_of_tls_and_no_other_key() {
    let (files, certificate) = Files::new();
    let server = server(options(), files.folder.path());
    let request = request(server.address, "GET /filter", &[], "");
    for version in BOTH {
        let answer = ask(server.address, &certificate, &[version], &request);
        assert!(answer.expect("an answer").starts_with("HTTP/1.1 200"));
    }
    let (_, other) = Files::new();
    assert!(ask(server.address, &other, BOTH, &request).is_err());
}

#[test]
fn a_request_without_tls_is_told_so_and_a_slow_handshake_keeps_nobody_out() {
    let (files, certificate) = Files::new();
    let args = files.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let serving = serve(&[&["--addr", "127.0.0.1:0"], &args[..]].concat(), 1);
    let address = serving.addresses[0];
    // These never end their handshake, one after a byte of it.
    let silent: Vec<TcpStream> = (0..200)
        .map(|_| TcpStream::connect(address).expect("a place"))
        .collect();
    (&silent[0]).write_all(&[22]).expect("a byte");
    let plain = Client::to(address).ask("GET /filter", &[&format!("Host: {address}")], b"");
    assert_eq!(plain.status, 400);
    assert!(plain.text().contains("one of https"), "{}", plain.text());
    let request = request(address, "GET /filter", &[], "");
    let answer = ask(address, &certificate, BOTH, &request).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(silent);
}

#[test]
fn a_renewed_certificate_is_taken_and_a_broken_one_is_not() {
    let (files, first) = Files::new();
    let server = server(options(), files.folder.path());
    let is_trusted = |certificate: &CertificateDer<'static>| {
        let request = request(server.address, "GET /filter", &[], "");
        ask(server.address, certificate, BOTH, &request).is_ok()
    };
    assert!(is_trusted(&first));
    let second = files.renew();
    assert!(is_trusted(&second) && !is_trusted(&first));
    // The certificate is written before its key.
    let key = std::fs::read(files.path("key")).expect("a key");
    let third = files.renew();
    let new_key = std::fs::read(files.path("key")).expect("a key");
    std::fs::write(files.path("key"), key).expect("written");
    assert!(is_trusted(&second));
    std::fs::write(files.path("key"), new_key).expect("written");
    assert!(is_trusted(&third));
    std::fs::remove_file(files.path("key")).expect("removed");
    assert!(is_trusted(&third));
}

#[test]
fn sessions_forms_and_addresses_are_those_of_https() {
    let (files, certificate) = Files::new();
    let (site, user) = (Site::new(1), User::new());
    user.add(&site).ends(0, &[]);
    let options = options()
        .with_archive(user.store())
        .with_password_hash(hash_of(PASSWORD).expect("a hash"));
    let server = server(options, files.folder.path());
    let address = server.address;
    let page = get(&server, &certificate, "/login", &[]);
    let (_, token) = page.split_once("name=\"token\" value=\"").expect("a token");
    let token = token.split('"').next().expect("its end");
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let form = format!("token={token}&password={}&to=", PASSWORD.replace(' ', "+"));
    let post = |path: &str, lines: &[&str], form: &str| {
        let request = request(address, &format!("POST {path}"), lines, form);
        ask(address, &certificate, BOTH, &request).expect("an answer")
    };
    // A page by http of this address is somebody else's.
    let plain = format!("Origin: http://{address}");
    assert!(post("/login", &[kind, &plain], &form).starts_with("HTTP/1.1 403"));
    let own = format!("Origin: https://{address}");
    let begun = post("/login", &[kind, &own], &form);
    let (_, cookie) = begun.split_once("set-cookie: ").expect("a cookie");
    let (cookie, _) = cookie.split_once("\r\n").expect("its end");
    assert!(cookie.starts_with("__Host-forest-session="), "{cookie}");
    assert!(
        cookie.contains("; Path=/;") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().expect("a pair");
    let session = format!("Cookie: {cookie}");
    // What a client says of the scheme counts for nothing.
    let said = "X-Forwarded-Proto: http";
    for path in ["/opml", "/archive", "/apps"] {
        let page = get(&server, &certificate, path, &[&session, said]);
        assert!(page.contains(&format!("https://{address}/")), "{page}");
        assert!(!page.contains(&format!("http://{address}")), "{page}");
    }
    let out = post(
        "/logout",
        &[kind, &own, &session],
        &format!("token={token}"),
    );
    assert!(
        out.contains("__Host-forest-session=; Path=/; Max-Age=0"),
        "{out}"
    );
    assert!(get(&server, &certificate, "/reader", &[&session]).starts_with("HTTP/1.1 401"));
}

#[test]
fn files_that_do_not_fit_are_an_error_at_the_start() {
    let ((files, _), (other, _)) = (Files::new(), Files::new());
    let path = |files: &Files, name: &str| files.path(name).to_str().expect("a path").to_owned();
    std::fs::write(files.path("empty"), "").expect("written");
    let (certificate, key) = (path(&files, "certificate"), path(&files, "key"));
    let check = |certificate: &str, key: &str, expected: &[&str]| {
        let args = [
            "--addr",
            "127.0.0.1:0",
            "--tls-cert",
            certificate,
            "--tls-key",
            key,
        ];
        let ended = command(&args).output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        for part in expected {
            assert!(said.contains(part), "{said}");
        }
    };
    let nowhere = path(&files, "nowhere");
    check(&nowhere, &key, &["--tls-cert ", "nowhere: cannot be read"]);
    check(
        &certificate,
        &nowhere,
        &["--tls-key ", "nowhere: cannot be read"],
    );
    let of_other = path(&other, "key");
    check(
        &certificate,
        &of_other,
        &[&of_other, "not that of the first"],
    );
    check(&path(&files, "empty"), &key, &["no certificate in PEM"]);
    check(&certificate, &certificate, &["no key in PEM"]);
    let alone = command(&["--tls-cert", &certificate])
        .output()
        .expect("it ends");
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("--tls-key"));
}

#[test]
fn a_harvest_serves_its_pages_by_https_too() {
    let ((files, certificate), user) = (Files::new(), User::new());
    user.add(&Site::new(1)).ends(0, &[]);
    let args = files.args();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // Without pages there is nothing to answer by https.
    let run = [
        &["harvest", "run", "--once", "--archive", "store"],
        &args[..],
    ]
    .concat();
    user.run(&run).ends(2, &["--serve"]);
    let harvest = Harvesting::new(&user, &[&["--serve", "127.0.0.1:0"], &args[..]].concat());
    let line = harvest.wait_for("pages at https://");
    let (_, at) = line.split_once("https://").expect("an address");
    let address = at
        .split('/')
        .next()
        .expect("its end")
        .parse()
        .expect("an address");
    let request = request(address, "GET /reader", &[], "");
    let answer = ask(address, &certificate, BOTH, &request).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    harvest.ends("");
}
