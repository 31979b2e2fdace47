//! Sources of a line a page: lists of addresses, JSON lines.

use super::pages::{FurtherPages, PageContent, PageError, PageRef, PageRefs};
use forest_html::error::megabytes;
use forest_html::text::BOM;
use serde::Deserialize;
use std::io::{BufRead, Read};
use url::Url;

/// Bytes of a JSON line for a byte of the largest page: all of it escaped as two
/// characters.
const ESCAPED: u64 = 2;

/// The addresses of a list: one a line, each once; comments start with `#`.
pub fn addresses(bytes: &[u8]) -> Vec<Url> {
    let text = String::from_utf8_lossy(bytes);
    let mut seen = std::collections::HashSet::new();
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}'));
    lines
        .filter_map(forest_html::address::web_address)
        .filter(|url| seen.insert(url.clone()))
        .collect()
}

#[derive(Deserialize)]
struct JsonLine {
    url: Option<String>,
    html: String,
}

/// Returns true if a line is a page.
pub fn is_page(line: &[u8]) -> bool {
    parsed(line).is_ok()
}

/// A byte order mark may stand before the first line.
fn parsed(line: &[u8]) -> serde_json::Result<JsonLine> {
    serde_json::from_slice(line.strip_prefix(BOM).unwrap_or(line))
}

/// Pages of at most `limit` bytes as lines of JSON, `{"url": ..., "html": ...}`.
pub fn json_lines(name: &str, mut input: Box<dyn BufRead + Send>, limit: usize) -> PageRefs {
    let name = name.to_owned();
    let most = ESCAPED * limit as u64;
    let mut number = 0;
    let mut is_end = false;
    Box::new(std::iter::from_fn(move || {
        while !is_end {
            number += 1;
            let error = |reason: String| {
                let id = format!("{name}#{number}");
                let reason = format!("{name} line {number}: {reason}");
                let url = None;
                Some(Err(PageError { id, url, reason }))
            };
            let mut line = Vec::new();
            let read = input.by_ref().take(most).read_until(b'\n', &mut line);
            match read {
                Ok(0) => return None,
                Ok(n) if n as u64 == most && !line.ends_with(b"\n") => {
                    is_end = input.skip_until(b'\n').unwrap_or(0) == 0;
                    return error(format!(
                        "the page is larger than {}: give a smaller copy, or a higher limit with \
                         --max-page-bytes",
                        megabytes(limit)
                    ));
                }
                Ok(_) if line.trim_ascii().is_empty() => continue,
                Ok(_) => {}
                Err(why) => {
                    is_end = true;
                    return error(format!("cannot be read: {why}"));
                }
            }
            let line = match parsed(&line) {
                Ok(line) => line,
                Err(why) => {
                    return error(format!(
                        "no page: {why}; a line is {{\"url\": \"https://example.org/a\", \"html\": \"...\"}}"
                    ));
                }
            };
            let page = PageRef::of_content(PageContent {
                bytes: line.html.into_bytes(),
                // The text is decoded already, whatever its `meta` says.
                content_type: Some("text/html; charset=utf-8".to_owned()),
                further: FurtherPages::Together,
                date: None,
                url: line.url,
            });
            let has_url = page.url().is_some();
            let id = (!has_url).then(|| format!("{name}#{number}"));
            return Some(Ok(PageRef { id, ..page }));
        }
        None
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_each_address_once() {
        let urls =
            addresses(b"\xEF\xBB\xBFhttps://a.example/1\r\n# no\n\nhttps://a.example/1\nx\n");
        assert_eq!(urls.len(), 1);
    }

    #[test]
    fn a_line_a_page_and_a_bad_line_is_named() {
        let input = b"{\"url\":\"https://a.example/\",\"html\":\"<p>x\"}\n\n{\"html\":\"y\"}\nno\n";
        let leads: Vec<_> = json_lines("stdin", Box::new(input.as_slice()), 100).collect();
        assert_eq!(leads.len(), 3);
        let second = leads[1].as_ref().expect("a page");
        assert_eq!(second.id.as_deref(), Some("stdin#3"));
        let trouble = leads[2].as_ref().expect_err("no JSON");
        assert!(trouble.reason.contains("line 4") && trouble.reason.contains("html"));
    }
}
