//! A made-up press: pages as large as real ones, each with words of its own, and feeds
//! of them. The same number gives the same page.

use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::words::{Draw, prose, title, word};

/// Bytes of a page with its template.
const PAGE_BYTES: usize = 100_000;

/// Bytes of these that are its own.
const STORY_BYTES: usize = 6_500;

/// The paragraphs of a story, some 5 kB.
fn paragraphs(n: usize) -> Vec<String> {
    let mut draw = Draw::new(n as u64);
    (0..9).map(|_| prose(&mut draw, 85)).collect()
}

/// The HTML before and behind the story on each page: scripts, styles, menus;
/// teasers of other stories, comments.
static TEMPLATE: LazyLock<(String, String)> = LazyLock::new(|| {
    let mut draw = Draw::new(0);
    let mut before = String::from("<style>");
    for rule in 0..200 {
        let _ = write!(
            before,
            ".c{rule} .{}-box>a:hover{{color:#{:06x};margin:{}px 0;padding:.{}em}}",
            word(rule),
            draw.next() & 0xFF_FFFF,
            rule % 30,
            rule % 9
        );
    }
    before.push_str("</style><script>");
    for line in 0..250 {
        let _ = write!(
            before,
            "window.q=window.q||[];q.push({{id:{line},slot:\"/{}/{}\",size:[[300,250],[728,90]]}});",
            draw.next() % 100_000,
            word(line)
        );
    }
    before.push_str(
        "</script></head><body class=\"page story-page\"><header class=\"top\"><nav><ul class=\"menu\">",
    );
    for entry in 0..120 {
        let _ = write!(
            before,
            "<li class=\"menu__item\"><a class=\"menu__link\" href=\"/section/{}/\">{} {}</a></li>",
            word(entry),
            word(entry),
            word(entry + 300)
        );
    }
    before.push_str("</ul></nav></header><main id=\"main\">");
    let mut behind = String::from("<aside class=\"related\">");
    let rest = PAGE_BYTES - before.len() - STORY_BYTES;
    let mut teaser = 0;
    while behind.len() < rest * 9 / 10 {
        teaser += 1;
        let _ = write!(
            behind,
            "<div class=\"teaser teaser--{}\"><a class=\"teaser__link\" href=\"/{teaser}/story/\"><img loading=\"lazy\" \
             src=\"/thumb/{teaser}.jpg\" alt=\"\"><h3 class=\"teaser__title\">{}</h3></a><p class=\"teaser__text\">{}</p>\
             </div>",
            teaser % 4,
            prose(&mut draw, 8),
            prose(&mut draw, 24)
        );
    }
    behind.push_str("</aside></main><footer class=\"foot\"><ul>");
    while behind.len() < rest {
        teaser += 1;
        let _ = write!(behind, "<li><a href=\"/{0}/\">{0}</a></li>", word(teaser));
    }
    behind.push_str("</ul><p>All rights reserved by the press.</p></footer></body></html>");
    (before, behind)
});

/// A page of some 100 kB.
pub fn story(n: usize) -> String {
    let title = title(n);
    let (before, behind) = &*TEMPLATE;
    let mut page = String::with_capacity(PAGE_BYTES + 4000);
    let _ = write!(
        page,
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} - The Press</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta property=\"og:title\" content=\"{title}\">\
         <meta property=\"og:type\" content=\"article\"><script type=\"application/ld+json\">\
         {{\"@context\":\"https://schema.org\",\"@type\":\"NewsArticle\",\"headline\":\"{title}\",\
         \"datePublished\":\"2026-01-02T03:04:05Z\",\"author\":{{\"@type\":\"Person\",\"name\":\"Jo Writer\"}}}}</script>\
         {before}<article class=\"story\"><h1 class=\"story__title\">{title}</h1>\
         <p class=\"story__meta\"><span class=\"author\">Jo Writer</span> <time datetime=\"2026-01-02T03:04:05Z\">\
         2 January 2026</time></p><div class=\"story__body\">"
    );
    for (at, paragraph) in paragraphs(n).iter().enumerate() {
        let _ = write!(page, "<p>{paragraph}</p>");
        if at == 4 {
            let _ = write!(
                page,
                "<figure><img src=\"/image/{n}.jpg\" width=\"800\" height=\"600\" alt=\"\">\
                 <figcaption>A picture of {title}</figcaption></figure>"
            );
        }
    }
    page.push_str("</div></article>");
    page.push_str(behind);
    page
}

/// The same without most of the template.
fn brief(n: usize) -> String {
    let mut page = format!(
        "<html lang=en><title>{0}</title><ul class=menu><li><a href=/>Home</a></ul><article class=story>\
         <h1 class=story__title>{0}</h1><div class=story__body>",
        title(n)
    );
    for paragraph in paragraphs(n).iter().take(3) {
        let _ = write!(page, "<p>{paragraph}</p>");
    }
    page.push_str("</div></article>");
    page
}

/// The stories `from..to` as a feed.
fn feed(host: &str, kind: &str, from: usize, to: usize) -> String {
    let mut out = String::from("<rss version=\"2.0\"><channel><title>The Press</title>");
    for n in from..to {
        let said: String = paragraphs(n)[0].chars().take(240).collect();
        let _ = write!(
            out,
            "<item><title>{}</title><link>http://{host}/{kind}/{n}</link><guid>{n}</guid><description>{said}\
             </description><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate></item>",
            title(n)
        );
    }
    out.push_str("</channel></rss>");
    out
}

async fn answer_page(Path((kind, n)): Path<(String, usize)>) -> Response {
    let page = match kind.as_str() {
        "story" => story(n),
        "brief" => brief(n),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

async fn answer_feed(
    Path((kind, from, to)): Path<(String, usize, usize)>,
    headers: HeaderMap,
) -> Response {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let body = feed(host.unwrap_or_default(), &kind, from, to);
    ([(header::CONTENT_TYPE, "application/rss+xml")], body).into_response()
}

/// Serves on all addresses of loopback until it is killed; prints the port.
pub fn serve() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("0.0.0.0:0")
            .await
            .expect("a port");
        println!("{}", listener.local_addr().expect("an address").port());
        let router = Router::new()
            .route("/{kind}/{n}", get(answer_page))
            .route("/feed/{kind}/{from}/{to}", get(answer_feed));
        axum::serve(listener, router).await.expect("it serves");
    });
}

/// The press in a process of its own.
pub struct Server {
    child: Child,
    pub port: u16,
}

impl Server {
    pub fn start() -> Server {
        use std::io::BufRead;
        let exe = std::env::current_exe().expect("a program");
        let mut child = Command::new(exe)
            .arg("serve")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        std::io::BufReader::new(out)
            .read_line(&mut line)
            .expect("a port");
        let port = line.trim().parse().expect("a port");
        Server { child, port }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is only ours, and nobody needs its end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
