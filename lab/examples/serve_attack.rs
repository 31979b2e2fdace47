//! Two clients attack `forest serve`, and a third is timed: large pages to `/extract`, pages on
//! which a wrapper's expression takes all the steps that it may, requests that are sent by half,
//! and answers that are not read. What is measured here is told in
//! `docs/serve.md`. The clients are addresses of loopback, as Linux has them.
//!
//! ```sh
//! cargo build --release
//! cargo run --release -p forest-lab --example serve_attack target/release/forest [SECONDS]
//! ```

use anyhow::{Context, Result, bail};
use forest_web::server::raise_file_limit;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// The attackers, and the one who is not.
const ATTACKERS: [Ipv4Addr; 2] = [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3)];
const INNOCENT: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 4);

/// Bytes of a page that is sent to be read.
const PAGE_BYTES: usize = 19_500_000;

/// Of each attacker: pages of each kind that are sent at once, requests sent by half, answers
/// not read.
const POSTS: usize = 4;
const HALVES: usize = 4_096;
const UNREAD: usize = 32;

/// Time after which the innocent one gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// The site of a wrapper whose expression takes steps with the third power of a page.
const RULED: &str = "rules.example";
const RULE: &str = "//*[count(//*[count(//*)>1])>1]";

/// The server in a process of its own, with that wrapper.
struct Server {
    child: Child,
    at: SocketAddr,
    _sites: tempfile::TempDir,
}

impl Server {
    fn start(program: &str) -> Result<Server> {
        let sites = tempfile::tempdir()?;
        let wrapper = format!("format: 1\nsite: {RULED}\ntemplates:\n- body: ['{RULE}']\n");
        std::fs::write(sites.path().join(format!("{RULED}.yaml")), wrapper)?;
        let mut child = Command::new(program)
            .args(["serve", "--addr", "127.0.0.1:0", "--sites"])
            .arg(sites.path())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(child.stderr.take().context("a pipe")?);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let host = line.split("http://").nth(1).context("no address")?;
        let host = host.split('/').next().context("no address")?;
        let at = host.parse()?;
        // What else it says is read, so that it never waits.
        std::thread::spawn(move || lines.lines().for_each(drop));
        Ok(Server {
            child,
            at,
            _sites: sites,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn connect(from: Ipv4Addr, to: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind((from, 0).into())?;
    Ok(socket.connect(to).await?)
}

fn post(to: SocketAddr, query: &str, page: &str) -> Vec<u8> {
    let bytes = page.len();
    format!(
        "POST /extract{query} HTTP/1.1\r\nHost: {to}\r\nContent-Type: text/html; charset=utf-8\r\n\
         Content-Length: {bytes}\r\nConnection: close\r\n\r\n{page}"
    )
    .into_bytes()
}

/// Sends a request and reads the answer to its end, over and over.
async fn ask_without_end(from: Ipv4Addr, to: SocketAddr, request: Arc<Vec<u8>>) {
    loop {
        if let Ok(mut stream) = connect(from, to).await {
            let _ = stream.write_all(&request).await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Sends some bytes and reads nothing until the server hangs up, over and over.
async fn send_and_wait(from: Ipv4Addr, to: SocketAddr, bytes: Arc<Vec<u8>>) {
    loop {
        if let Ok(mut stream) = connect(from, to).await {
            let _ = stream.write_all(&bytes).await;
            // Its end is seen without a read of what it sent.
            let _ = stream.ready(tokio::io::Interest::ERROR).await;
        }
        sleep(Duration::from_millis(500)).await;
    }
}

/// Sends half of a request and waits until the server hangs up, over and over.
async fn send_half(from: Ipv4Addr, to: SocketAddr) {
    loop {
        if let Ok(mut stream) = connect(from, to).await {
            let _ = stream.write_all(b"GET /filter HTTP/1.1\r\nHost:").await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
        sleep(Duration::from_millis(500)).await;
    }
}

/// The time of an answer with status 200 on a connection of its own.
async fn time_of(from: Ipv4Addr, to: SocketAddr, request: &[u8]) -> Result<Duration> {
    let begun = Instant::now();
    let mut stream = connect(from, to).await?;
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    if !answer.starts_with(b"HTTP/1.1 200 ") {
        let line = answer.split(|&b| b == b'\r').next().unwrap_or_default();
        bail!("{}", String::from_utf8_lossy(line));
    }
    Ok(begun.elapsed())
}

/// The times of one kind of request.
#[derive(Default)]
struct AskedTimes {
    times: Vec<Duration>,
    failures: Vec<String>,
}

impl AskedTimes {
    async fn ask(&mut self, to: SocketAddr, request: &[u8]) {
        match timeout(PATIENCE, time_of(INNOCENT, to, request)).await {
            Ok(Ok(time)) => self.times.push(time),
            Ok(Err(why)) => self.failures.push(why.to_string()),
            Err(_) => self
                .failures
                .push(format!("no answer in {} s", PATIENCE.as_secs())),
        }
    }

    fn show(&mut self, what: &str) {
        self.times.sort();
        let ms = |time: Option<&Duration>| time.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
        println!(
            "{what:32} {:>4} answers, median {:.0} ms, worst {:.0} ms, {} without an answer",
            self.times.len(),
            ms(self.times.get(self.times.len() / 2)),
            ms(self.times.last()),
            self.failures.len(),
        );
        self.failures.sort();
        self.failures.dedup();
        self.failures.iter().for_each(|why| println!("    {why}"));
    }
}

/// The third client asks for a while.
async fn ask_as_innocent(to: SocketAddr, time: Duration) {
    let show = format!("GET /filter HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n");
    let text = "The ferry to the islands leaves an hour later from Monday, says the harbour. ";
    let page = format!(
        "<title>T</title><article><h1>T</h1>{}</article>",
        format!("<p>{}</p>", text.repeat(5)).repeat(20)
    );
    let extract = post(to, "", &page);
    let (mut shown, mut extracted) = (AskedTimes::default(), AskedTimes::default());
    let begun = Instant::now();
    while begun.elapsed() < time {
        shown.ask(to, show.as_bytes()).await;
        extracted.ask(to, &extract).await;
        sleep(Duration::from_millis(250)).await;
    }
    shown.show("GET /filter");
    extracted.show("POST /extract, a small page");
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let program = args.next().context("serve_attack FOREST [SECONDS]")?;
    let seconds = args.next().map_or(Ok(60), |text| text.parse())?;
    raise_file_limit();
    let server = Server::start(&program)?;
    let to = server.at;
    let page = format!(
        "<article><p>{}</p></article>",
        "£ & pounds ".repeat(PAGE_BYTES / 12)
    );
    let large = Arc::new(post(to, "", &page));
    let ruled = "<h2>a</h2><p>b</p>".repeat(20_000);
    let ruled = Arc::new(post(to, &format!("?url=http://{RULED}/a"), &ruled));
    let unread = format!("GET /filter/style.css HTTP/1.1\r\nHost: {to}\r\n\r\n").repeat(2_000);
    let unread = Arc::new(unread.into_bytes());
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        println!("alone");
        ask_as_innocent(to, Duration::from_secs(3)).await;
        for from in ATTACKERS {
            for _ in 0..HALVES {
                tokio::spawn(send_half(from, to));
            }
            for _ in 0..UNREAD {
                tokio::spawn(send_and_wait(from, to, Arc::clone(&unread)));
            }
            for _ in 0..POSTS {
                tokio::spawn(ask_without_end(from, to, Arc::clone(&large)));
                tokio::spawn(ask_without_end(from, to, Arc::clone(&ruled)));
            }
        }
        sleep(Duration::from_secs(3)).await;
        println!("beside two clients that attack, for {seconds} s");
        ask_as_innocent(to, Duration::from_secs(seconds)).await;
        anyhow::Ok(())
    })?;
    drop(server);
    // Those who attack are not waited for.
    runtime.shutdown_background();
    Ok(())
}
