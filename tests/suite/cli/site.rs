//! A small site of our own: pages that differ, and feeds of them.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write;
use std::io::Write as _;

/// Paragraphs of an article.
const PARAGRAPHS: usize = 4;

/// The `n`-th of 1728 made-up words.
pub fn word(n: usize) -> String {
    const SYLLABLES: [&str; 12] = [
        "har", "bor", "lin", "mes", "tor", "vak", "ped", "sun", "gal", "fir", "nob", "quel",
    ];
    let (a, b, c) = (n / 144 % 12, n / 12 % 12, n % 12);
    format!("{}{}{}", SYLLABLES[a], SYLLABLES[b], SYLLABLES[c])
}

/// A paragraph: ten words that all paragraphs of the page have and no other page, between
/// words that all pages have.
pub fn paragraph(page: usize, number: usize) -> String {
    let mut text = String::new();
    for n in 0..10 {
        let (own, shared) = (word(page * 10 + n), word(1000 + number * 10 + n));
        let _ = write!(text, " {own} {shared}");
    }
    text
}

/// Page `part` of `parts` of the `n`-th article, which is at `path`: its headline and
/// paragraphs of its own, and links to the other pages.
pub fn part(n: usize, part: usize, parts: usize, path: &str) -> String {
    let paragraphs: String = (0..PARAGRAPHS)
        .map(|number| {
            let words = paragraph(n, 4 * part + number);
            format!("<p>Story {n} page {part} is about{words}</p>")
        })
        .collect();
    let links: String = (1..=parts)
        .filter(|other| parts > 1 && *other != part)
        .map(|other| match other {
            1 => format!("<a href=\"{path}\">1</a> "),
            _ => format!("<a href=\"{path}/{other}\">{other}</a> "),
        })
        .collect();
    let title = format!("{} {} {}", word(n * 10), word(n * 10 + 1), word(n * 10 + 2));
    format!(
        "<!DOCTYPE html><html lang=en><head><title>{title}</title></head><body>\
         <div id=menu><a href=/>Home</a> <a href=/about>About us</a></div>\
         <div class=\"story\"><h1>{title}</h1>{paragraphs}</div><div class=pages>{links}</div>\
         <div class=\"footer\">All rights reserved by the small site.</div></body></html>"
    )
}

/// A page with a menu, an article and a footer. Its article begins with `Story N`.
pub fn page(n: usize) -> String {
    let paragraphs: String = (0..PARAGRAPHS)
        .map(|number| format!("<p>Story {n} is about{}</p>", paragraph(n, number)))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Story {n}</title></head><body>\
         <div id=menu><a href=/>Home</a> <a href=/about>About us</a></div>\
         <div class=\"story\"><h1>Story {n}</h1>{paragraphs}</div>\
         <div class=\"footer\">All rights reserved by the small site.</div></body></html>"
    )
}

/// An RSS feed of links.
pub fn feed(links: &[String]) -> String {
    let mut items = String::new();
    for (n, link) in links.iter().enumerate() {
        let _ = write!(
            items,
            "<item><title>Story {n}</title><link>{link}</link>\
             <description>{}</description></item>",
            paragraph(n, 0)
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel>\
         <title>Small site</title><link>https://small.example/</link>{items}</channel></rss>"
    )
}

/// A response record of WARC.
pub fn warc_record(url: &str, html: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    let length = http.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         Content-Length: {length}\r\n\r\n{http}\r\n\r\n"
    )
    .into_bytes()
}

/// A member of gzip.
pub fn packed(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), level);
    packed.write_all(bytes).expect("packed");
    packed.finish().expect("packed")
}
