//! Times and memory of `forest serve`: readers that poll the feeds of an archive at once, its
//! pages one by one, and both while a harvest writes. What is measured here is told in
//! `docs/serve.md`.
//!
//! ```sh
//! cargo run --release -p forest-lab --example serve_speed make DIR   # of 100,000 articles, or of as many as are given
//! cargo run --release -p forest-lab --example serve_speed DIR
//! cargo run --release -p forest-lab --example serve_speed apps DIR   # an app that reads 10,000 entries
//! ```

mod apps;
mod connection;
mod press;
#[path = "../harvest_speed/words.rs"]
mod words;

use anyhow::{Context, Result, ensure};
use connection::{Connection, Rhythm, readers};
use press::Harvester;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use forest_serve::{FilterPages, ServeOptions};
use forest_web::server::raise_file_limit;

/// Requests for each page.
const VIEWS: usize = 25;

/// The pause between two articles of a harvest that writes beside the server.
const HARVEST_PAUSE: Duration = Duration::from_millis(200);

/// Median, 99 % and maximum of some times, in milliseconds.
fn shown(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let (median, most, max) = (at(0.5), at(0.99), at(1.0));
    let count = times.len();
    println!(
        "{what:44} {count:>6} requests, median {median:.2} ms, 99 % {most:.2} ms, max {max:.2} ms"
    );
}

/// The server in a process of its own.
struct Server {
    child: Child,
    at: SocketAddr,
}

impl Server {
    fn start(dir: &Path) -> Result<Server> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(dir)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let out = child.stdout.take().context("a pipe")?;
        BufReader::new(out).read_line(&mut line)?;
        let at = line.trim().parse()?;
        Ok(Server { child, at })
    }

    /// Its memory now and at the most, in MB.
    fn memory(&self) -> Result<String> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let mb = |name: &str| -> Result<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kb = line.and_then(|line| line.split_whitespace().next());
            Ok(kb.context("a size")?.parse::<u64>()? / 1000)
        };
        let (now, most) = (mb("VmRSS:")?, mb("VmHWM:")?);
        Ok(format!("{now} MB, {most} MB at the most"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is only ours, and nobody needs its end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves an archive until it is killed; prints the address.
fn serve(dir: &Path) -> Result<()> {
    raise_file_limit();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let pages = FilterPages::new(ServeOptions::default().with_archive(dir))?;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        pages.server().run(listener).await;
        Ok(())
    })
}

/// The addresses of the feeds on the page that lists them.
fn feeds(connection: &mut Connection) -> Result<Vec<String>> {
    let list = String::from_utf8(connection.get("/archive", "", "")?.body)?;
    let links = list.split("href=\"feed/").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    let atom = links.filter(|file| file.ends_with(".atom"));
    Ok(atom.map(|file| format!("/feed/{file}")).collect())
}

/// Readers that poll a feed at once, as they may: whole, packed, and what they have already.
fn poll_feed(host: SocketAddr, name: &str, feed: &str) -> Result<()> {
    for coding in ["", "gzip"] {
        let begun = Instant::now();
        let first = Connection::to(host)?.get(feed, "", coding)?;
        let made = begun.elapsed().as_secs_f64() * 1e3;
        let named = if coding.is_empty() { "whole" } else { coding };
        println!(
            "{name}, {named}: {} bytes, the first after {made:.1} ms",
            first.body.len()
        );
        for rhythm in [Rhythm::Together, Rhythm::Unresting] {
            let times = readers(host, &[feed], rhythm, ("", coding), 200)?;
            shown(&format!("{name}, {named}, {rhythm:?}"), times);
            let times = readers(host, &[feed], rhythm, (&first.tag, coding), 304)?;
            shown(&format!("{name}, {named}, 304, {rhythm:?}"), times);
        }
    }
    Ok(())
}

fn measure(dir: &Path) -> Result<()> {
    let server = Server::start(dir)?;
    println!("the server has {}", server.memory()?);
    let mut connection = Connection::to(server.at)?;
    let feeds = feeds(&mut connection)?;
    ensure!(feeds.len() > 1, "there are {} feeds", feeds.len());
    poll_feed(server.at, "a feed", &feeds[1])?;
    poll_feed(server.at, "the largest feed", &feeds[0])?;
    let begun = Instant::now();
    for feed in &feeds {
        connection.get(feed, "", "gzip")?;
    }
    let each = begun.elapsed().as_secs_f64() * 1e3 / feeds.len() as f64;
    println!(
        "all {} feeds, one after the other: {each:.1} ms each",
        feeds.len()
    );
    let all: Vec<&str> = feeds.iter().map(String::as_str).collect();
    for rhythm in [Rhythm::Together, Rhythm::Unresting] {
        let times = readers(server.at, &all, rhythm, ("", "gzip"), 200)?;
        shown(&format!("all feeds, gzip, {rhythm:?}"), times);
    }
    println!("the server has {}", server.memory()?);
    let list = String::from_utf8(connection.get("/reader", "", "")?.body)?;
    let (_, newest) = list.split_once("href=\"reader/").context("an article")?;
    let newest = newest.split('"').next().context("its end")?;
    let (older, _) = list.split_once("\">Older</a>").context("a further page")?;
    let older = older.rsplit("href=\"").next().context("its address")?;
    let feed = url::form_urlencoded::byte_serialize(b"https://site0.example/feed.xml");
    let feed: String = feed.collect();
    let pages = [
        "/reader".to_owned(),
        "/reader?show=unread".to_owned(),
        "/reader?show=starred".to_owned(),
        format!("/{}", older.replace("&amp;", "&")),
        format!("/reader?feed={feed}"),
        format!("/reader/{newest}"),
        format!("/reader/{newest}?beside=page"),
        format!("/reader/{newest}/page"),
        format!("/search?q={}", words::word(60)),
        format!("/search?q={}", words::word(1)),
        "/search?site=site1".to_owned(),
        format!("/search?q={}&starred=1", words::word(60)),
        "/sites".to_owned(),
        "/sites/site0.example".to_owned(),
        "/sites/site1.example".to_owned(),
        "/archive".to_owned(),
        "/opml".to_owned(),
        "/add".to_owned(),
        "/filter".to_owned(),
        "/view".to_owned(),
        "/api".to_owned(),
        "/settings".to_owned(),
        "/apps".to_owned(),
        format!("/archive/feed?url={feed}"),
        format!("/save?url={feed}"),
        "/opds".to_owned(),
        format!("/opds/list?feed={feed}"),
    ];
    // What people open, one after the other; the other pages are of seldom use.
    let read: Vec<&str> = pages[..10].iter().map(String::as_str).collect();
    let view = |connection: &mut Connection, note: &str| -> Result<()> {
        for page in &pages {
            let mut times = Vec::new();
            for _ in 0..VIEWS {
                let begun = Instant::now();
                let answer = connection.get(page, "", "")?;
                times.push(begun.elapsed());
                ensure!(answer.status == 200, "{page}: status {}", answer.status);
            }
            shown(&format!("{page}{note}"), times);
        }
        Ok(())
    };
    view(&mut connection, "")?;
    println!("the server has {}", server.memory()?);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let harvest = scope.spawn(|| {
            let mut harvester = Harvester::of(dir);
            let mut written = 0;
            while !stop.load(Ordering::Relaxed) {
                harvester.write_one();
                written += 1;
                std::thread::sleep(HARVEST_PAUSE);
            }
            written
        });
        let measured = (|| {
            for rhythm in [Rhythm::Together, Rhythm::Unresting] {
                for (name, feed) in [("a feed", &feeds[1]), ("the largest feed", &feeds[0])] {
                    let times = readers(server.at, &[feed], rhythm, ("", "gzip"), 200)?;
                    shown(
                        &format!("{name}, gzip, beside a harvest, {rhythm:?}"),
                        times,
                    );
                }
                let times = readers(server.at, &all, rhythm, ("", "gzip"), 200)?;
                shown(
                    &format!("all feeds, gzip, beside a harvest, {rhythm:?}"),
                    times,
                );
            }
            let times = readers(server.at, &read, Rhythm::Reading, ("", "gzip"), 200)?;
            shown("pages that people leaf through, beside a harvest", times);
            view(&mut connection, ", beside a harvest")
        })();
        stop.store(true, Ordering::Relaxed);
        let written = harvest.join().expect("it does not panic");
        println!("the harvest wrote {written} articles meanwhile");
        measured
    })?;
    println!("the server has {}", server.memory()?);
    Ok(())
}

fn main() -> Result<()> {
    let given: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match &given[..] {
        [what, dir] if what.as_os_str() == "make" => press::make(dir, press::ARTICLES),
        [what, dir, count] if what.as_os_str() == "make" => {
            let count = count.to_str().context("a number")?.parse()?;
            press::make(dir, count);
        }
        [what, dir] if what.as_os_str() == "serve" => return serve(dir),
        [what, dir] if what.as_os_str() == "apps" => return apps::measure_apps(dir),
        [dir] => return measure(dir),
        _ => anyhow::bail!("give `make DIR`, `apps DIR` or DIR"),
    }
    Ok(())
}
