//! The time that the proxy adds to a page, in parses of it: `cargo run --release -p forest-lab
//! --example proxy_speed [FILE]`. Without a file it is a page of 100 kB made here.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header;
use forest_html::page::{Page, Source};
use forest_proxy::{Proxy, ProxyOptions};
use forest_serve::{FilterPages, ServeOptions};
use forest_text::filter::Profile;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const ROUNDS: usize = 200;

/// Time between the bytes of a page and its last byte, in which all else is done.
const BEFORE_LAST: Duration = Duration::from_millis(20);

type Failure = Box<dyn std::error::Error>;

fn page() -> String {
    let story = "<div class=story><h2>The ferry</h2><p>The ferry to the islands leaves an \
        <b>hour</b> later from Monday, says the <a href=/who>harbour master</a>.</p></div>\
        <ul class=menu><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>Sport</a></ul>";
    let head = "<!DOCTYPE html><meta charset=utf-8><title>Stories</title><body>";
    format!("{head}{}", story.repeat(100_000 / story.len()))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The time from the request to the last byte.
async fn ask(to: SocketAddr, target: &str) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(to).await?;
    let asked = format!("GET {target} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(begun.elapsed())
}

/// The time from the last byte of a page to the first byte of the answer.
async fn last_to_first(proxy: SocketAddr, page: &[u8]) -> Result<Duration, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = listener.local_addr()?;
    let (before, last) = (page[..page.len() - 1].to_vec(), page[page.len() - 1]);
    let (ended, mut at) = mpsc::channel(1);
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await?;
        let mut asked = [0; 4096];
        let _ = stream.read(&mut asked).await?;
        let length = before.len() + 1;
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(&before).await?;
        tokio::time::sleep(BEFORE_LAST).await;
        stream.write_all(&[last]).await?;
        let _ = ended.send(Instant::now()).await;
        std::io::Result::Ok(stream)
    });
    let mut stream = TcpStream::connect(proxy).await?;
    let asked = format!("GET http://{origin}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).await?;
    stream.read_u8().await?;
    let first = Instant::now();
    let ended = at.recv().await.ok_or("the page was not sent")?;
    drop(served.await??);
    Ok(first - ended)
}

fn main() -> Result<(), Failure> {
    let html: Bytes = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?.into(),
        None => page().into(),
    };
    let source = Source {
        url: None,
        content_type: Some("text/html; charset=utf-8"),
    };
    let times = |mut work: Box<dyn FnMut() + '_>| {
        let run = |_| {
            let begun = Instant::now();
            work();
            begun.elapsed()
        };
        median((0..ROUNDS).map(run).collect())
    };
    let parse = times(Box::new(|| drop(Page::parse(&html, source))));
    let settings = Profile::Light.settings();
    let engine = forest_text::filter::FilterEngine::new(settings.clone());
    let parsed = engine.parse(&html, source);
    let filter = times(Box::new(|| drop(engine.filter(&parsed))));

    let runtime = tokio::runtime::Runtime::new()?;
    let sent = html.clone();
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let router = Router::new().fallback(move || async move { (kind, Body::from(sent)) });
    let options = ServeOptions::default()
        .with_settings(settings)
        .with_allow_private(true);
    let pages = FilterPages::new(options)?;
    let (direct, through, after_last) = runtime.block_on(async move {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let origin = listener.local_addr()?;
        tokio::spawn(async move { axum::serve(listener, router).await });
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let proxy = listener.local_addr()?;
        let of_proxy = Proxy::new(pages.web(), pages.filter(), ProxyOptions::default());
        let server = of_proxy.server(|root| pages.router_with(root));
        tokio::spawn(server.run(listener));
        let (mut direct, mut through, mut after_last) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            direct.push(ask(origin, "/").await?);
            through.push(ask(proxy, &format!("http://{origin}/")).await?);
        }
        for _ in 0..ROUNDS / 4 {
            after_last.push(last_to_first(proxy, &html).await?);
        }
        Ok::<_, Failure>((median(direct), median(through), median(after_last)))
    })?;
    let parses = |time: Duration| time.as_secs_f64() / parse.as_secs_f64();
    let row = |what: &str, time: Duration| {
        println!(
            "{what:<42} {:>8.3} ms {:>6.2} parses",
            time.as_secs_f64() * 1e3,
            parses(time)
        );
    };
    row("parse", parse);
    row("filter", filter);
    row("page without the proxy", direct);
    row("page through the proxy", through);
    row("added by the proxy", through.saturating_sub(direct));
    row("from the last byte in to the first byte out", after_last);
    Ok(())
}
