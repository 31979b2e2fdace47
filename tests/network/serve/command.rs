//! The command `forest serve`.

use super::{PAGE, client::Client};
use crate::hostile_server::server::Server as Origin;
use crate::started::Started;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

/// The command while it runs; it ends with this.
pub struct Serving {
    _server: Started,
    /// The addresses that it says, in their order.
    pub addresses: Vec<SocketAddr>,
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forest"));
    command.arg("serve").args(args).env("FOREST_CONFIG", "");
    // No archive of the user's.
    let none = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data");
    command.env("XDG_DATA_HOME", none);
    command
}

/// Starts the command; it says as many addresses as it listens at.
pub fn serve(args: &[&str], listens: usize) -> Serving {
    serve_by(&mut command(args), listens)
}

fn serve_by(command: &mut Command, listens: usize) -> Serving {
    let mut server = Started::new(command.stderr(Stdio::piped()));
    let said = BufReader::new(server.child.stderr.take().expect("a pipe"));
    let lines = said.lines().map(|line| line.expect("a line"));
    let at = lines.filter_map(|line| Some(line.split_once("127.0.0.1:")?.1.to_owned()));
    let addresses = at.take(listens).map(|at| {
        let port: String = at.chars().take_while(char::is_ascii_digit).collect();
        SocketAddr::from(([127, 0, 0, 1], port.parse().expect("a port")))
    });
    let addresses = addresses.collect();
    Serving {
        _server: server,
        addresses,
    }
}

#[test]
fn a_changed_file_of_settings_holds_from_the_next_page_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.yaml");
    std::fs::write(&file, "scripts: true\n").expect("written");
    let path = file.to_str().expect("a path");
    let args = [
        "--addr",
        "127.0.0.1:0",
        "--proxy",
        "127.0.0.1:0",
        "--allow-private",
        "--settings",
        path,
    ];
    let serving = serve(&args, 2);
    let origin = Origin::new(|mut peer| async move {
        peer.answer(200, &[("Content-Type", "text/html")], PAGE.as_bytes())
            .await;
    });
    let [pages, proxy] = serving.addresses[..] else {
        panic!("two addresses: {:?}", serving.addresses)
    };
    let page = || {
        let line = format!("GET {}", origin.url("/"));
        Client::to(proxy).ask(&line, &[], b"").text()
    };
    assert!(!page().contains("evil()"));
    std::fs::write(&file, "# another length\nscripts: false\n").expect("written");
    assert!(page().contains("evil()"));
    // A mistake changes nothing, and is told on the page.
    std::fs::write(&file, "# still another length\nscripst: true\n").expect("written");
    assert!(page().contains("evil()"));
    let host = format!("Host: {pages}");
    let settings = Client::to(pages).ask("GET /filter", &[&host], b"").text();
    assert!(
        settings.contains("line 2") && settings.contains("scripst"),
        "{settings}"
    );
}

#[test]
fn the_feeds_and_wrappers_of_an_archive_are_served() {
    use crate::harvest_cli::site::{Site, User};
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &["3 items"]);
    user.round(3, &[]).ends(0, &["wrapper learned"]);
    let store = user.store();
    let archive = ["--archive", store.to_str().expect("a path")];
    let args = ["--addr", "127.0.0.1:0", "--allow-private"];
    let serving = serve(&[&args[..], &archive].concat(), 1);
    let at = serving.addresses[0];
    let host = format!("Host: {at}");
    let page = Client::to(at).ask("GET /archive", &[&host], b"").text();
    assert!(page.contains("The Gazette"), "{page}");
    let line = format!("GET /extract?url=http://{}/story/2", site.host);
    let record = Client::to(at).ask(&line, &[&host], b"").text();
    let record: serde_json::Value = serde_json::from_str(&record).expect("a record");
    assert_eq!(record["title"], "Story 2");
    assert!(!record["wrapper"].is_null(), "{record}");
}

#[test]
fn the_archive_of_the_harvest_is_served_where_there_is_one() {
    use crate::harvest_cli::site::{Site, User};
    let (site, user) = (Site::new(3), User::new());
    let root_of = |data: &std::path::Path| {
        let mut command = command(&["--addr", "127.0.0.1:0"]);
        let serving = serve_by(command.env("XDG_DATA_HOME", data), 1);
        let at = serving.addresses[0];
        let host = format!("Host: {at}");
        let root = Client::to(at).ask("GET /", &[&host], b"");
        let reader = Client::to(at).ask("GET /reader", &[&host], b"").text();
        (root.header("location").map(str::to_owned), reader)
    };
    let data = user.path("data");
    let (first, reader) = root_of(&data);
    assert_eq!(first.as_deref(), Some("filter"));
    assert!(reader.contains("--archive DIR"), "{reader}");
    assert!(!data.join("forest/archive").exists(), "nothing is made");
    let add = ["harvest", "add", "--allow-private", "--delay", "0"];
    let next = "`forest harvest run --serve 127.0.0.1:7878 --allow-private` fetches the articles";
    user.run(&[&add[..], &[&site.feed()]].concat())
        .ends(0, &["forest/archive\n", next]);
    let (first, reader) = root_of(&data);
    assert_eq!(first.as_deref(), Some("reader"));
    assert!(reader.contains("No harvest runs"), "{reader}");
    // One that cannot be read is named, and the filter is there.
    let database = data.join("forest/archive/archive.sqlite");
    std::fs::write(&database, "no database").expect("written");
    assert_eq!(root_of(&data).0.as_deref(), Some("filter"));
    let path = data.join("forest/archive");
    let path = path.to_str().expect("a path");
    let named = command(&["--archive", path]).output().expect("it ends");
    assert!(!named.status.success());
}

#[test]
fn wrong_arguments_are_named() {
    let check = |args: &[&str], parts: &[&str]| {
        let output = command(args).output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for part in parts {
            assert!(said.contains(part), "{said} says {part}");
        }
    };
    check(
        &["--addr", "0.0.0.0:0"],
        &["--addr 0.0.0.0:0", "--password-file", "127.0.0.1:7878"],
    );
    check(&["--profile", "nope"], &["--profile nope", "light, reader"]);
    check(
        &["--settings", "/nowhere.yaml"],
        &["--settings /nowhere.yaml"],
    );
    check(&["--archive", "/nowhere"], &["/nowhere"]);
    check(&["--allow", "10.0.0.0/8"], &["--proxy"]);
    check(
        &["--proxy", "127.0.0.1:0", "--allow", "10.0.0.0/33"],
        &["192.168.1.0/24"],
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("an address").to_string();
    check(&["--addr", &taken], &[&format!("--addr {taken}")]);
}

/// The folder of an authority, in which nothing is before.
#[cfg(all(feature = "ca", unix))]
#[test]
fn an_authority_is_made_when_its_option_is_typed_and_read_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("authority");
    let proxy = ["--addr", "127.0.0.1:0", "--proxy", "127.0.0.1:0"];
    drop(serve(&proxy, 2));
    assert!(!dir.exists());
    let path = dir.to_str().expect("a path");
    let args = [&proxy[..], &["--ca", path]].concat();
    let first_line = || {
        let mut server = Started::new(command(&args).stderr(Stdio::piped()));
        let said = BufReader::new(server.child.stderr.take().expect("a pipe"));
        said.lines().next().expect("a line").expect("a line")
    };
    let first = first_line();
    assert!(first.contains("SHA-256"), "{first}");
    let [certificate, key] = ["forest-ca.pem", "forest-ca.key"].map(|name| dir.join(name));
    let mode = |path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&key), 0o600);
    let files = || [&certificate, &key].map(|path| std::fs::read(path).expect("there"));
    let made = files();
    assert_eq!(std::fs::read_dir(&dir).expect("there").count(), 2);
    assert_eq!(first_line(), first);
    assert_eq!(files(), made);
    let refused = |part: &str| {
        let output = command(&args).output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && said.contains(part),
            "{said} says {part}"
        );
    };
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).expect("set");
    refused("chmod 600");
    std::fs::remove_file(&key).expect("removed");
    refused("forest-ca.key is missing");
    assert!(!key.exists());
}

/// A list with an entity tag, and the requests for it that had the tag.
fn list_server() -> (Origin, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    use std::sync::atomic::Ordering;
    let asked = std::sync::Arc::<std::sync::atomic::AtomicUsize>::default();
    let seen = std::sync::Arc::clone(&asked);
    let origin = Origin::new(move |mut peer| {
        let seen = std::sync::Arc::clone(&seen);
        async move {
            let kind = ("Content-Type", "text/plain");
            let tag = ("ETag", "\"a\"");
            let date = ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT");
            let head = peer.head.to_ascii_lowercase();
            if head.contains("if-none-match: \"a\"\r\n") && head.contains("if-modified-since: mon")
            {
                seen.fetch_add(1, Ordering::SeqCst);
                peer.answer(304, &[tag], b"").await;
            } else {
                peer.answer(200, &[kind, tag, date], b"0.0.0.0 ads.example\n")
                    .await;
            }
        }
    });
    (origin, asked)
}

#[test]
fn a_list_is_asked_for_with_conditions() {
    let (origin, asked) = list_server();
    let data = tempfile::tempdir().expect("a folder");
    let url = origin.url("/hosts").to_string();
    for times in 0..3 {
        let output = Command::new(env!("CARGO_BIN_EXE_forest"))
            .args([
                "filter",
                "--update-ads",
                &url,
                "--allow-private",
                "--delay",
                "0",
            ])
            .env("FOREST_CONFIG", "")
            .env("XDG_DATA_HOME", data.path())
            .output()
            .expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 host"), "{said}");
        assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), times);
    }
    assert_eq!(
        std::fs::read_dir(data.path().join("forest/ads"))
            .expect("there")
            .count(),
        2
    );
}

#[test]
fn a_server_fetches_its_lists_and_shows_them() {
    let (origin, _) = list_server();
    let data = tempfile::tempdir().expect("a folder");
    let url = origin.url("/hosts").to_string();
    let mut command = command(&[
        "--addr",
        "127.0.0.1:0",
        "--allow-private",
        "--update-ads",
        &url,
    ]);
    command.env("XDG_DATA_HOME", data.path());
    let mut server = Started::new(command.stderr(Stdio::piped()));
    let mut said = BufReader::new(server.child.stderr.take().expect("a pipe")).lines();
    let line = said.next().expect("a line").expect("a line");
    let (_, at) = line.split_once("http://").expect("an address");
    let at: SocketAddr = at.trim_end_matches("/filter").parse().expect("an address");
    let begun = std::time::Instant::now();
    loop {
        let host = format!("Host: {at}");
        let page = Client::to(at).ask("GET /filter", &[&host], b"").text();
        if page.contains("1 host or rule, fetched 0 minutes ago") {
            break;
        }
        assert!(begun.elapsed().as_secs() < 60, "{page}");
    }
}
