//! A made-up site on loopback with a feed, and a user with an archive.

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use crate::loopback::Loopback;
use crate::started::Started;
use crate::story::paragraphs;

/// The contents of the site, its requests, and the receiver of events.
#[derive(Default)]
pub struct Show {
    /// Numbers of the articles, in the order of the feed.
    pub items: Vec<usize>,
    /// Items of the feed besides these, as XML.
    pub more: String,
    /// Further elements of the feed itself, as XML.
    pub about: String,
    /// The feed breaks off in its last item.
    pub is_cut: bool,
    /// Articles that were edited.
    pub edited: Vec<usize>,
    /// The names of all elements begin with this: the site was redesigned.
    pub names: &'static str,
    /// Headers without which a request is refused.
    pub wants: Vec<(&'static str, String)>,
    /// The status of every response.
    pub down: Option<StatusCode>,
    /// The requested paths.
    pub requests: Vec<String>,
    /// Receives the number of each request, from 1.
    pub events: Option<Sender<Event>>,
}

/// An event that a test waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The number of requests so far.
    Requested(usize),
    /// A line of the process's output.
    Line(String),
    /// The end of the process's output.
    End,
}

pub struct Site {
    pub show: Arc<Mutex<Show>>,
    pub host: String,
    _server: Loopback,
}

impl Site {
    pub fn new(items: usize) -> Site {
        let show = Show {
            items: (1..=items).collect(),
            ..Show::default()
        };
        let show = Arc::new(Mutex::new(show));
        let router = Router::new()
            .route("/", get(home))
            .route("/{*path}", get(answer))
            .with_state(Arc::clone(&show));
        let server = Loopback::of(|_| router);
        Site {
            show,
            host: server.address.to_string(),
            _server: server,
        }
    }

    pub fn feed(&self) -> String {
        format!("http://{}/feed", self.host)
    }

    pub fn set(&self, change: impl FnOnce(&mut Show)) {
        change(&mut self.show.lock().expect("not poisoned"));
    }

    /// The requested paths since the last call.
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.show.lock().expect("not poisoned").requests)
    }
}

async fn home() -> Response {
    let html = "<!DOCTYPE html><title>Gazette</title><link rel=alternate type=application/rss+xml href=/feed><p>Hello";
    ([(header::CONTENT_TYPE, "text/html")], html).into_response()
}

async fn answer(
    State(show): State<Arc<Mutex<Show>>>,
    UrlPath(path): UrlPath<String>,
    headers: HeaderMap,
) -> Response {
    let mut show = show.lock().expect("not poisoned");
    show.requests.push(path.clone());
    if let Some(events) = &show.events {
        // The test may be over.
        let _ = events.send(Event::Requested(show.requests.len()));
    }
    if path == "robots.txt" {
        return StatusCode::NOT_FOUND.into_response();
    }
    let has = |(name, value): &(&str, String)| headers.get(*name).is_some_and(|it| it == value);
    if !show.wants.iter().all(has) {
        return (StatusCode::UNAUTHORIZED, "Only for subscribers.").into_response();
    }
    if let Some(status) = show.down {
        return status.into_response();
    }
    if let Some(rounds) = path.strip_prefix("round/") {
        let location = [(header::LOCATION, format!("/round/x{rounds}"))];
        return (StatusCode::FOUND, location).into_response();
    }
    if let Some(to) = path.strip_prefix("go/") {
        let to = if to.starts_with("http") {
            to.to_owned()
        } else {
            format!("/{to}")
        };
        let location = [(header::LOCATION, to)];
        return (StatusCode::FOUND, location, "It is elsewhere.").into_response();
    }
    if path.starts_with("refused/") {
        let refusal = "Only for subscribers. ".repeat(4000);
        return (StatusCode::FORBIDDEN, refusal).into_response();
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let number = path.strip_prefix("story/").and_then(|n| n.parse().ok());
    let (kind, body) = match number {
        _ if path == "feed" => ("application/rss+xml", feed(host.unwrap_or_default(), &show)),
        Some(n) => ("text/html", page(n, show.edited.contains(&n), show.names)),
        None => return StatusCode::NOT_FOUND.into_response(),
    };
    let etag = format!("\"{}-{}-{}\"", path.len(), body.len(), show.names);
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == etag.as_str())
    {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response();
    }
    let head = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, etag),
    ];
    (head, body).into_response()
}

fn page(n: usize, edited: bool, names: &str) -> String {
    let mut body = String::new();
    for paragraph in paragraphs("", n) {
        let _ = write!(body, "<p>{paragraph}</p>");
    }
    if edited {
        body.push_str("<p>Correction: the keeper is in fact a well known lighthouse.</p>");
    }
    if !names.is_empty() {
        // What a reading without a wrapper takes for a part of the article.
        let _ = write!(
            body,
            "<p class={names}promo>The {names} letter of our newsroom is on its way every evening at six, \
             with pictures of the day, a map of the islands and whatever else we have heard.</p>"
        );
    }
    format!(
        "<!DOCTYPE html><html lang=en><title>Story {n}</title><body>\
         <ul class={names}menu><li><a href=/>Home</a><li><a href=/sport>Sport</a><li><a href=/about>About us</a></ul>\
         <h1>Story {n}</h1><div class={names}story>{body}</div>\
         <div class={names}foot>All rights reserved. <a href=/terms>Terms of use</a> <a href=/privacy>Privacy</a></div>"
    )
}

fn feed(host: &str, show: &Show) -> String {
    let mut items = show.more.replace("HOST", host);
    for n in &show.items {
        let summary: String = paragraphs("", *n).concat().chars().take(240).collect();
        let _ = write!(
            items,
            "<item><title>Story {n}</title><link>http://{host}/story/{n}?utm_source=rss</link>\
             <guid>story-{n}</guid><description>{summary}</description></item>"
        );
    }
    if show.is_cut {
        items.truncate(items.len() - 40);
        return format!("<rss version='2.0'><channel><title>The Gazette</title>{items}");
    }
    format!(
        "<rss version='2.0'><channel><title>The Gazette</title><link>http://{host}/</link>{}{items}</channel></rss>",
        show.about.replace("HOST", host)
    )
}

/// A user's folder, with nothing of this machine's settings in it.
pub struct User {
    pub dir: tempfile::TempDir,
}

/// The output of a command, and its exit code.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Checks that the exit code is `code`, and that stderr has all of `parts`.
    #[track_caller]
    pub fn ends(&self, code: i32, parts: &[&str]) -> &Ran {
        assert_eq!(self.code, Some(code), "{} {}", self.out, self.err);
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in: {}", self.err);
        }
        self
    }

    /// stdout as lines of JSON.
    pub fn records(&self) -> Vec<serde_json::Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

impl User {
    pub fn new() -> User {
        User {
            dir: tempfile::tempdir().expect("a folder"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn store(&self) -> PathBuf {
        self.path("store")
    }

    /// `forest` in the user's folder, run by `program` if there is one.
    pub fn command(&self, program: Option<(&str, &[&str])>) -> Command {
        let forest = env!("CARGO_BIN_EXE_forest");
        let mut command = match program {
            None => Command::new(forest),
            Some((program, args)) => {
                let mut command = Command::new(program);
                command.args(args).arg(forest);
                command
            }
        };
        command
            .current_dir(self.dir.path())
            .env("FOREST_CONFIG", "")
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_DATA_HOME", self.path("data"))
            .stdin(Stdio::null());
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env_remove(proxy).env_remove(proxy.to_lowercase());
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(None).args(args).output().expect("it runs"))
    }

    /// The same with this text on stdin.
    pub fn run_with(&self, args: &[&str], input: &str) -> Ran {
        let mut command = self.command(None);
        let command = command.args(args).stdin(Stdio::piped());
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that refuses its arguments does not read.
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
        drop(stdin);
        Ran::of(child.wait_with_output().expect("it ends"))
    }

    pub fn add(&self, site: &Site) -> Ran {
        self.add_all(&[&site.feed()])
    }

    /// `harvest add` with these addresses or lists.
    pub fn add_all(&self, added: &[&str]) -> Ran {
        let add = ["harvest", "add", "--archive", "store", "--allow-private"];
        self.run(&[&add[..], &["--delay", "0"], added].concat())
    }

    /// A round at a time in 2100, which is in the future.
    pub fn round(&self, hour: u32, more: &[&str]) -> Ran {
        let at = format!("2100-01-02T{hour:02}:00:00Z");
        self.run(&[&self.round_args(&at)[..], more].concat())
    }

    pub fn round_args<'a>(&self, at: &'a str) -> Vec<&'a str> {
        vec![
            "harvest",
            "run",
            "--once",
            "--at",
            at,
            "--archive",
            "store",
            "--delay",
            "0",
            "--allow-private",
        ]
    }

    /// The files below a folder, as paths from there, sorted.
    pub fn tree(&self) -> Vec<String> {
        let (mut found, mut folders) = (Vec::new(), vec![self.dir.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(self.below(&path)),
                }
            }
        }
        found.sort();
        found
    }

    fn below(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.dir.path()).expect("below it");
        below.to_string_lossy().into_owned()
    }
}

/// A timeout that only a failing test reaches.
const LONG: std::time::Duration = std::time::Duration::from_secs(60);

/// A harvest that runs until it is stopped.
pub struct Running {
    harvest: Started,
    events: Receiver<Event>,
    reader: std::thread::JoinHandle<()>,
}

impl Running {
    pub fn new(user: &User, more: &[&str]) -> Running {
        let mut command = user.command(None);
        let args = ["harvest", "run", "--archive", "store", "--delay", "0"];
        let command = command.args(args).args(["--allow-private"]).args(more);
        let mut harvest = Started::new(command.stderr(Stdio::piped()));
        let (sender, events) = channel();
        let stderr = BufReader::new(harvest.child.stderr.take().expect("piped"));
        let reader = std::thread::spawn(move || {
            for line in stderr.lines() {
                let _ = sender.send(Event::Line(line.expect("UTF-8")));
            }
            // A test that failed hears nothing more.
            let _ = sender.send(Event::End);
        });
        Running {
            harvest,
            events,
            reader,
        }
    }

    /// Waits for the next line with this part.
    pub fn wait_for(&self, part: &str) -> String {
        loop {
            match self.events.recv_timeout(LONG).expect("it speaks") {
                Event::Line(line) if line.contains(part) => return line,
                Event::End => panic!("it never said {part:?}"),
                _ => {}
            }
        }
    }

    /// Ends it by SIGTERM; checks that it writes `last` and ends with code 0.
    pub fn ends(mut self, last: &str) {
        let pid = self.harvest.child.id().to_string();
        let status = Command::new("kill").arg(&pid).status();
        assert!(status.expect("kill runs").success());
        self.wait_for(last);
        let status = self.harvest.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0));
        self.reader.join().expect("it read all");
    }
}
