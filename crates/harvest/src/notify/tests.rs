//! Notices to receivers on loopback and to programs, each of which behaves badly once.

use super::*;
use crate::loopback::Loopback;
use crate::{HarvestProgress, Learning};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use forest_archive::Stored;
use forest_core::drift::Verdict;
use forest_core::extract::Status;
use forest_fetch::FetchOptions;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::mpsc;

/// Bounds a test that has failed already.
const LONG: Duration = Duration::from_secs(60);

/// A request at a receiver: path, headers, body.
type Got = (String, HeaderMap, String);

/// How a receiver answers the n-th message, from 1; `None`: never.
type Answers = fn(u32) -> Option<(StatusCode, Option<String>)>;

struct Receives {
    got: mpsc::Sender<Got>,
    answers: Answers,
    count: Mutex<u32>,
}

struct Server {
    got: mpsc::Receiver<Got>,
    at: Loopback,
}

impl Server {
    fn new(answers: Answers) -> Server {
        let (send, got) = mpsc::channel();
        let state = Arc::new(Receives {
            got: send,
            answers,
            count: Mutex::default(),
        });
        let at = Loopback::of(|_| Router::new().fallback(receive).with_state(state));
        Server { got, at }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.at.address)
    }

    fn next(&self) -> Got {
        self.got.recv_timeout(LONG).expect("a message")
    }
}

async fn receive(
    Shared(state): Shared<Arc<Receives>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body = String::from_utf8(body.to_vec()).expect("UTF-8");
    // The test may be over.
    let _ = state.got.send((uri.path().to_owned(), headers, body));
    let n = {
        let mut count = state.count.lock().expect("not poisoned");
        *count += 1;
        *count
    };
    match (state.answers)(n) {
        Some((status, None)) => status.into_response(),
        Some((status, Some(to))) => (status, [(header::LOCATION, to)]).into_response(),
        None => std::future::pending().await,
    }
}

fn well(_: u32) -> Option<(StatusCode, Option<String>)> {
    Some((StatusCode::NO_CONTENT, None))
}

fn never(_: u32) -> Option<(StatusCode, Option<String>)> {
    None
}

fn at() -> chrono::DateTime<chrono::Utc> {
    "2026-01-02T03:04:05Z".parse().expect("a time")
}

/// Something of each kind, and some that are none.
fn events() -> Vec<HarvestProgress<'static>> {
    let page = |stored| HarvestProgress::Page {
        url: "http://a.example/1",
        site: "a.example",
        status: Status::Ok,
        stored,
        error: None,
        title: Some("The\n  ferry\u{1b}"),
        feed: Some("http://a.example/feed"),
    };
    let verdict = |from, to| HarvestProgress::Verdict {
        site: "a.example",
        from,
        to,
        url: "http://a.example/1",
    };
    vec![
        page(Stored::New),
        page(Stored::Version),
        page(Stored::Same),
        verdict(Verdict::Ok, Verdict::Drift),
        verdict(Verdict::Drift, Verdict::Ok),
        HarvestProgress::Learning {
            site: "a.example",
            learning: &Learning::Relearned,
        },
        HarvestProgress::Learning {
            site: "a.example",
            learning: &Learning::Learned,
        },
        verdict(Verdict::Ok, Verdict::Blocked),
        HarvestProgress::FeedMoved {
            url: "http://a.example/feed",
            to: "http://b.example/feed",
        },
        HarvestProgress::FeedEnded {
            url: "http://a.example/feed",
            why: "gone (410)",
        },
        HarvestProgress::Waiting { visits: 1 },
    ]
}

fn notices() -> Vec<Notice> {
    let events = events();
    events
        .iter()
        .filter_map(|event| Notice::of(event, at()))
        .collect()
}

/// A drift, which is reported by default.
fn drift() -> Notice {
    notices().swap_remove(2)
}

fn quick() -> NotifyOptions {
    NotifyOptions::default().with_pause(Duration::from_millis(1))
}

fn notifier(to: &[&str], options: &NotifyOptions) -> Notifier {
    let to = to.iter().map(|to| to.parse::<Recipient>().expect("one"));
    Notifier::new(to, Notifier::DEFAULT_KINDS, options).expect("it begins")
}

#[test]
fn a_notice_names_the_event() {
    let notices = notices();
    let kinds: Vec<EventKind> = notices.iter().map(Notice::kind).collect();
    assert_eq!(kinds, EventKind::ALL);
    let mut all: Vec<Value> = notices
        .iter()
        .map(|notice| serde_json::from_str(&notice.json()).expect("JSON"))
        .collect();
    for (n, json) in all.iter_mut().enumerate() {
        let id = json["id"].take();
        assert_eq!(id.as_str().expect("an id").len(), 32);
        assert_ne!(
            id,
            serde_json::to_value(&notices[(n + 1) % 7]).expect("JSON")["id"]
        );
        json.as_object_mut().expect("an object").remove("id");
    }
    let expected = json!({
        "schema": 1, "event": "new", "at": "2026-01-02T03:04:05Z", "site": "a.example",
        "feed": "http://a.example/feed", "url": "http://a.example/1", "title": "The ferry\u{1b}",
        "message": "a.example: new article: The ferry\u{241b}",
    });
    assert_eq!(all[0], expected);
    let part = |n: usize, name: &str, value: &str| assert_eq!(all[n][name], value, "{}", all[n]);
    part(1, "event", "edited");
    part(2, "was", "ok");
    part(2, "url", "http://a.example/1");
    part(3, "event", "relearned");
    part(4, "event", "blocked");
    part(5, "to", "http://b.example/feed");
    part(5, "site", "a.example");
    part(6, "event", "feed-gone");
    part(6, "why", "gone (410)");
}

#[test]
fn a_receiver_gets_each_kind_that_it_wants() {
    let server = Server::new(well);
    let to: Recipient = server.url("hook").parse().expect("an address");
    let all = Notifier::new([to.clone()], EventKind::ALL, &quick()).expect("it begins");
    notices().into_iter().for_each(|notice| all.send(notice));
    for notice in notices() {
        let (path, headers, body) = server.next();
        assert_eq!((&*path, body), ("/hook", notice.json()));
        assert_eq!(headers[header::CONTENT_TYPE], "application/json");
    }
    let reports = all.finish(LONG);
    assert!(reports[0].is_whole() && reports[0].sent == 7, "{reports:?}");
    let some = Notifier::new([to], Notifier::DEFAULT_KINDS, &quick()).expect("it begins");
    notices().into_iter().for_each(|notice| some.send(notice));
    assert_eq!(some.finish(LONG)[0].sent, 5);
    let kinds: Vec<String> = server.got.try_iter().map(|(_, _, body)| body).collect();
    assert!(
        !kinds
            .iter()
            .any(|body| body.contains("\"new\"") || body.contains("\"edited\""))
    );
}

#[test]
fn a_topic_gets_text_with_a_heading() {
    let server = Server::new(well);
    let to = format!("ntfy+{}", server.url("topic"));
    let notifier = notifier(&[&to], &quick());
    notifier.send(drift());
    let (path, headers, body) = server.next();
    assert_eq!(path, "/topic");
    assert_eq!(headers["title"], "a.example: drift");
    assert_eq!(headers["click"], "http://a.example/1");
    assert_eq!(body, drift().message());
    assert!(notifier.finish(LONG)[0].is_whole());
}

#[test]
fn what_fails_twice_is_sent_a_third_time() {
    let server = Server::new(|n| {
        let status = match n {
            1 => StatusCode::INTERNAL_SERVER_ERROR,
            2 => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        };
        Some((status, None))
    });
    let notifier = notifier(&[&server.url("")], &quick());
    notifier.send(drift());
    let bodies = [server.next().2, server.next().2, server.next().2];
    assert_eq!(bodies, [(); 3].map(|()| drift().json()));
    assert!(notifier.finish(LONG)[0].is_whole());
    assert_eq!(server.got.try_iter().count(), 0);
}

#[test]
fn what_is_refused_is_not_sent_again() {
    let server = Server::new(|_| Some((StatusCode::NOT_FOUND, None)));
    let notifier = notifier(&[&server.url("")], &quick());
    notifier.send(drift());
    let reports = notifier.finish(LONG).swap_remove(0);
    assert_eq!((reports.sent, reports.failed), (0, 1));
    assert!(
        reports
            .to_string()
            .contains("1 of 1 notification did not arrive (1 failed): it is gone (status 404)"),
        "{reports}"
    );
    assert_eq!(server.got.try_iter().count(), 1);
}

#[test]
fn one_that_hangs_holds_up_neither_the_others_nor_the_end() {
    let (hangs, answers) = (Server::new(never), Server::new(well));
    let notifier = notifier(
        &[&hangs.url(""), &answers.url("")],
        &quick().with_answer(LONG).with_most(2),
    );
    notifier.send(drift());
    hangs.next();
    for _ in 0..4 {
        answers.next();
        notifier.send(drift());
    }
    answers.next();
    let begun = Instant::now();
    let reports = notifier.finish(Duration::from_millis(100));
    assert!(begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
    assert!(reports[1].is_whole() && reports[1].sent == 5, "{reports:?}");
    // One under way, two that wait; the oldest two of four were dropped.
    assert_eq!(
        (reports[0].left, reports[0].dropped, reports[0].sent),
        (3, 2, 0)
    );
}

#[test]
fn one_that_does_not_answer_is_given_up() {
    let server = Server::new(never);
    let options = quick()
        .with_answer(Duration::from_millis(50))
        .with_retries(1);
    let notifier = notifier(&[&server.url("")], &options);
    notifier.send(drift());
    server.next();
    server.next();
    let reports = notifier.finish(LONG).swap_remove(0);
    assert_eq!(reports.failed, 1);
    assert!(
        reports
            .why
            .as_ref()
            .is_some_and(|why| why.contains("no answer in time")),
        "{reports}"
    );
}

#[test]
fn redirects_lead_to_no_other_private_host() {
    let why_and_paths = |answers: Answers| {
        let server = Server::new(answers);
        let notifier = notifier(&[&server.url("a")], &quick());
        notifier.send(drift());
        let reports = notifier.finish(LONG).swap_remove(0);
        let paths: Vec<String> = server.got.try_iter().map(|(path, ..)| path).collect();
        (reports.why.unwrap_or_default(), paths)
    };
    // To the typed one with what was sent.
    let (why, paths) = why_and_paths(|n| match n {
        1 => Some((StatusCode::TEMPORARY_REDIRECT, Some("/b".to_owned()))),
        _ => well(n),
    });
    assert_eq!((&*why, &*paths.join(" ")), ("", "/a /b"));
    let (why, paths) = why_and_paths(|_| {
        let other = "http://127.0.0.1:9/".to_owned();
        Some((StatusCode::PERMANENT_REDIRECT, Some(other)))
    });
    assert!(why.contains("127.0.0.1 is not a public address"), "{why}");
    assert_eq!(paths.len(), 1);
    // One after which a browser would send nothing.
    let (why, _) = why_and_paths(|_| Some((StatusCode::FOUND, Some("/c".to_owned()))));
    assert!(why.contains("/c in a way that drops what is sent"), "{why}");
    let (why, paths) =
        why_and_paths(|_| Some((StatusCode::TEMPORARY_REDIRECT, Some("/a".to_owned()))));
    assert!(why.contains("redirects"), "{why}");
    assert_eq!(paths.len(), FetchOptions::REDIRECTS + 1);
}

#[cfg(unix)]
mod programs {
    use super::*;
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn a_program_reads_the_notice() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("what it got");
        let command = format!("tee -a '{}'", file.display());
        let notifier = notifier(&[&command], &quick());
        notifier.send(drift());
        notifier.send(drift());
        assert!(notifier.finish(LONG)[0].is_whole());
        let line = drift().json() + "\n";
        assert_eq!(fs::read_to_string(file).expect("written"), line.repeat(2));
    }

    #[test]
    fn one_that_fails_is_run_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let log = dir.path().join("log");
        let check = |ends: u32, expected: (u64, u64), runs: usize| {
            let script = format!("echo >> {0}; test $(wc -l < {0}) -ge {ends}", log.display());
            let command = format!("sh -c '{script}'");
            let notifier = notifier(&[&command], &quick().with_retries(3));
            notifier.send(drift());
            let reports = notifier.finish(LONG).swap_remove(0);
            assert_eq!((reports.sent, reports.failed), expected, "{reports}");
            let log = fs::read_to_string(&log).expect("written");
            assert_eq!(log.lines().count(), runs);
        };
        check(3, (1, 0), 3);
        check(100, (0, 1), 3 + 4);
    }

    #[test]
    fn a_missing_program_is_reported() {
        let notifier = notifier(&["/nowhere/at/all"], &quick());
        notifier.send(drift());
        let reports = notifier.finish(LONG).swap_remove(0);
        assert!(
            reports
                .to_string()
                .contains("/nowhere/at/all: 1 of 1 notification"),
            "{reports}"
        );
        assert!(
            reports.to_string().contains("it does not start"),
            "{reports}"
        );
    }

    /// A program that writes its process number to a pipe and never ends.
    fn endless(dir: &Path) -> (String, std::path::PathBuf) {
        let pipe = dir.join("pipe");
        let status = Command::new("mkfifo").arg(&pipe).status();
        assert!(status.expect("mkfifo").success());
        let command = format!("sh -c 'echo $$ > {}; exec sleep 1000'", pipe.display());
        (command, pipe)
    }

    fn lives(id: &str) -> bool {
        let signal = Command::new("kill").args(["-0", id.trim()]).output();
        signal.expect("kill").status.success()
    }

    #[test]
    fn one_that_never_ends_is_killed_when_its_time_is_over() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("number");
        let command = format!("sh -c 'echo $$ > {}; exec sleep 1000'", file.display());
        // Time for a busy machine to begin it.
        let options = quick().with_program(Duration::from_secs(2));
        let notifier = notifier(&[&command], &options);
        notifier.send(drift());
        let reports = notifier.finish(LONG).swap_remove(0);
        assert_eq!((reports.failed, reports.left), (1, 0));
        assert!(reports.to_string().contains("was killed"), "{reports}");
        let id = fs::read_to_string(file).expect("its number");
        assert!(!lives(&id), "{id}");
    }

    #[test]
    fn one_that_runs_at_the_end_is_killed() {
        let dir = tempfile::tempdir().expect("a folder");
        let (command, pipe) = endless(dir.path());
        let notifier = notifier(&[&command], &quick().with_program(LONG));
        notifier.send(drift());
        let id = fs::read_to_string(pipe).expect("its number");
        assert!(lives(&id), "{id}");
        let begun = Instant::now();
        let reports = notifier.finish(Duration::ZERO).swap_remove(0);
        assert!(begun.elapsed() < LONG / 2);
        assert_eq!((reports.failed, reports.left), (0, 1), "{reports:?}");
        assert!(!lives(&id), "{id}");
    }
}
