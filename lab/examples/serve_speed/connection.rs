//! Readers of feeds on connections that are kept open.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// Readers at once, each on a connection of its own.
const READERS: usize = 200;

/// Polls, or pages, of each reader.
const POLLS: usize = 25;

/// A connection that is kept open.
pub struct Connection {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
}

/// Status, entity tag and body of an answer.
pub struct Answer {
    pub status: u16,
    pub tag: String,
    pub body: Vec<u8>,
}

impl Connection {
    pub fn to(host: SocketAddr) -> Result<Connection> {
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        let stream = BufReader::with_capacity(64 * 1024, stream);
        Ok(Connection { stream, host })
    }

    /// Asks for a path with the tag that the reader has, and a coding that it knows.
    pub fn get(&mut self, path: &str, tag: &str, coding: &str) -> Result<Answer> {
        let mut request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.host);
        for (name, value) in [("If-None-Match", tag), ("Accept-Encoding", coding)] {
            if !value.is_empty() {
                request.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        request.push_str("\r\n");
        self.send(&request)
    }

    /// Asks as an app with a token: with a form, or for a list.
    pub fn ask_as_app(&mut self, path: &str, token: &str, form: Option<&str>) -> Result<Answer> {
        let method = if form.is_some() { "POST" } else { "GET" };
        let form = form.unwrap_or_default();
        let (host, length) = (self.host, form.len());
        self.send(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: GoogleLogin auth={token}\r\n\
             Content-Length: {length}\r\n\r\n{form}"
        ))
    }

    fn send(&mut self, request: &str) -> Result<Answer> {
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

/// The pause of a person between two pages.
const READING: Duration = Duration::from_secs(2);

/// When readers ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rhythm {
    /// All at the same moment, and again when all have their answers.
    Together,
    /// Each again as soon as it has its answer.
    Unresting,
    /// Each two seconds after its answer, none at the same moment: people who leaf through pages.
    Reading,
}

/// The times of readers that poll these feeds, with a tag and a coding, and get answers of a
/// status.
pub fn readers(
    host: SocketAddr,
    feeds: &[&str],
    rhythm: Rhythm,
    (tag, coding): (&str, &str),
    status: u16,
) -> Result<Vec<Duration>> {
    let moment = Barrier::new(READERS);
    let polls = |reader: usize| -> Result<Vec<Duration>> {
        let mut connection = Connection::to(host);
        let mut polled = Vec::new();
        for poll in 0..POLLS {
            match rhythm {
                Rhythm::Together => {
                    moment.wait();
                }
                Rhythm::Reading if poll == 0 => {
                    thread::sleep(READING * reader as u32 / READERS as u32);
                }
                Rhythm::Reading => thread::sleep(READING),
                Rhythm::Unresting => {}
            }
            let feed = feeds[(reader * POLLS + poll) % feeds.len()];
            // A reader that failed comes to each moment, too: the others wait for it.
            let Ok(open) = &mut connection else { continue };
            let begun = Instant::now();
            let answer = open.get(feed, tag, coding);
            polled.push((feed, begun.elapsed(), answer.map(|answer| answer.status)));
        }
        connection?;
        let times = polled.into_iter().map(|(feed, time, answered)| {
            let answered = answered?;
            ensure!(answered == status, "{feed}: status {answered}");
            Ok(time)
        });
        times.collect()
    };
    let times = thread::scope(|scope| {
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
