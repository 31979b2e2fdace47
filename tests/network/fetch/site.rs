//! Sites on loopback: one whose responses a closure makes, and one that sends raw bytes, for
//! responses that no server library makes.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response, StatusCode};
use forest_fetch::Fetcher;
use url::Url;

use crate::loopback::Loopback;

pub type Answer = Response<Body>;

/// A received request.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Path and query.
    pub path: String,
    pub headers: HeaderMap,
    /// Earlier requests for this path.
    pub nth: usize,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// A site whose responses a closure makes; 404 for a robots.txt without one.
pub struct Site {
    server: Loopback,
    log: Arc<Mutex<Vec<Seen>>>,
}

impl Site {
    pub fn new(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        let log: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let written = Arc::clone(&log);
        let counts: Mutex<HashMap<String, usize>> = Mutex::default();
        let answer = Arc::new(move |request: Request| {
            let path = request
                .uri()
                .path_and_query()
                .map_or("", |path| path.as_str());
            let mut counts = counts.lock().expect("no panic");
            let count = counts.entry(path.to_owned()).or_insert(0);
            let seen = Seen {
                path: path.to_owned(),
                headers: request.headers().clone(),
                nth: *count,
            };
            *count += 1;
            drop(counts);
            written.lock().expect("no panic").push(seen.clone());
            answer(&seen)
        });
        let app = Router::new().fallback(move |request: Request| {
            let answer = Arc::clone(&answer);
            async move { answer(request) }
        });
        Site {
            server: Loopback::of(|_| app),
            log,
        }
    }

    /// A site with these pages; other paths have status 404.
    pub fn pages<const N: usize>(pages: [(&'static str, &'static str); N]) -> Self {
        Site::new(
            move |seen| match pages.iter().find(|(path, _)| *path == seen.path) {
                Some((_, page)) => html(page),
                None => status(404),
            },
        )
    }

    pub fn url(&self, path: &str) -> Url {
        url(&format!("http://{}{path}", self.server.address))
    }

    pub fn port(&self) -> u16 {
        self.server.address.port()
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.log.lock().expect("no panic").clone()
    }

    /// The requested paths so far, without robots.txt.
    pub fn paths(&self) -> Vec<String> {
        let paths = self.seen().into_iter().map(|seen| seen.path);
        paths.filter(|path| path != "/robots.txt").collect()
    }
}

/// A server that sends the n-th bytes to the n-th connection, and the last ones to later
/// connections, after the head of the first request. It closes the connection if the bytes
/// are marked so.
pub struct Raw {
    address: SocketAddr,
    /// Connections stay open while this lives.
    _stop: Sender<()>,
}

pub enum End {
    HangUp,
    Stall,
}

impl Raw {
    pub fn new(answers: Vec<(Vec<u8>, End)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = channel::<()>();
        thread::spawn(move || {
            let mut open = Vec::new();
            let mut nth = 0;
            for stream in listener.incoming() {
                if stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Disconnected) {
                    return;
                }
                let mut stream = stream.expect("a connection");
                let mut head = Vec::new();
                let mut byte = [0; 1];
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
                    head.push(byte[0]);
                }
                if head.starts_with(b"GET /robots.txt") {
                    let none =
                        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                    stream.write_all(none).expect("sent");
                    continue;
                }
                let (bytes, end) = &answers[nth.min(answers.len() - 1)];
                nth += 1;
                // The client may have closed the connection at its limit.
                let _ = stream.write_all(bytes);
                if matches!(end, End::Stall) {
                    open.push(stream);
                }
            }
        });
        Raw {
            address,
            _stop: stop,
        }
    }

    pub fn url(&self, path: &str) -> Url {
        url(&format!("http://{}{path}", self.address))
    }
}

pub fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

/// An answer with these headers.
pub fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
    let mut answer = Response::new(body.into());
    *answer.status_mut() = StatusCode::from_u16(status).expect("a status");
    for (name, value) in headers {
        let name = axum::http::HeaderName::from_bytes(name.as_bytes()).expect("a name");
        answer
            .headers_mut()
            .append(name, value.parse().expect("a value"));
    }
    answer
}

pub fn status(status: u16) -> Answer {
    answer(status, &[], "")
}

pub fn html(body: &'static str) -> Answer {
    answer(200, &[("content-type", "text/html; charset=utf-8")], body)
}

pub fn redirect(to: &str) -> Answer {
    answer(302, &[("location", to)], "")
}

/// Marks these URLs as typed by the user.
pub fn typed(fetcher: &Fetcher, urls: &[&Url]) {
    for url in urls {
        fetcher.allow(url);
    }
}
