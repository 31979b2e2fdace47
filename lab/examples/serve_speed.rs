//! Times of `forest serve`: readers that poll the feeds of an archive at once, and its pages one
//! by one.
//!
//! ```sh
//! forest serve --archive store &
//! cargo run --release -p forest-lab --example serve_speed -- 127.0.0.1:7878
//! ```

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Readers at once, each on a connection of its own.
const READERS: usize = 200;

/// Polls of each reader.
const POLLS: usize = 25;

/// Requests for each page.
const VIEWS: usize = 25;

/// A connection that is kept open.
struct Connection {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
}

/// Status, entity tag and body of an answer.
struct Answer {
    status: u16,
    tag: String,
    body: Vec<u8>,
}

impl Connection {
    fn to(host: SocketAddr) -> Result<Connection> {
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        Ok(Connection { stream, host })
    }

    fn get(&mut self, path: &str, tag: &str) -> Result<Answer> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nIf-None-Match: {tag}\r\n\r\n",
            self.host
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).context("a status")?.parse()?;
        let (mut length, mut tag) = (0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            match name {
                "content-length" if status != 304 => length = value.parse()?,
                "etag" => value.clone_into(&mut tag),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, tag, body })
    }
}

/// Median, 99 % and maximum of some times, in milliseconds.
fn shown(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let (median, most, max) = (at(0.5), at(0.99), at(1.0));
    let count = times.len();
    println!(
        "{what:28} {count:>6} requests, median {median:.2} ms, 99 % {most:.2} ms, max {max:.2} ms"
    );
}

fn poll(host: SocketAddr, path: &str, tag: &str, status: u16) -> Result<Vec<Duration>> {
    let polls = |_| -> Result<Vec<Duration>> {
        let mut connection = Connection::to(host)?;
        let mut times = Vec::new();
        for _ in 0..POLLS {
            let begun = Instant::now();
            let answer = connection.get(path, tag)?;
            times.push(begun.elapsed());
            ensure!(answer.status == status, "{path}: status {}", answer.status);
        }
        Ok(times)
    };
    let times = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|n| scope.spawn(move || polls(n)))
            .collect();
        let joined = readers.into_iter();
        joined
            .map(|reader| reader.join().expect("it does not panic"))
            .collect::<Result<Vec<_>>>()
    })?;
    Ok(times.into_iter().flatten().collect())
}

fn main() -> Result<()> {
    let host = std::env::args()
        .nth(1)
        .context("give the server's address")?;
    let host: SocketAddr = host.parse()?;
    let mut connection = Connection::to(host)?;
    let list = String::from_utf8(connection.get("/archive", "")?.body)?;
    let (_, feed) = list.split_once("href=\"feed/").context("a feed")?;
    let feed = format!("/feed/{}", feed.split('"').next().context("its end")?);
    let first = connection.get(&feed, "")?;
    println!("the feed has {} bytes", first.body.len());
    shown("feed, polled at once", poll(host, &feed, "", 200)?);
    shown("the same, 304", poll(host, &feed, &first.tag, 304)?);
    let site = String::from_utf8(connection.get("/sites", "")?.body)?;
    let site = site.split_once("href=\"sites/").context("a site")?.1;
    let site = format!("/sites/{}", site.split('"').next().context("its end")?);
    let pages = [
        "/reader",
        "/reader?show=starred",
        "/reader?before=1000",
        "/reader/1",
    ];
    let pages = pages.into_iter().map(str::to_owned);
    for page in pages.chain(["/search?q=ferry".to_owned(), "/sites".to_owned(), site]) {
        let mut times = Vec::new();
        for _ in 0..VIEWS {
            let begun = Instant::now();
            let answer = connection.get(&page, "")?;
            times.push(begun.elapsed());
            ensure!(answer.status == 200, "{page}: status {}", answer.status);
        }
        shown(&page, times);
    }
    Ok(())
}
