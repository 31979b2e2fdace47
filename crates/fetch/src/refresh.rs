//! Pages that send their readers on: a few words and `<meta http-equiv="refresh">`, in place of a
//! redirect.

use forest_html::page::charset::is_html;
use forest_html::page::links::Base;
use forest_html::page::{Page, Scripting, Source};
use forest_html::text::word_count;
use reqwest::header;
use url::Url;

use super::response::{HttpResponse, plain};

/// Maximum number of bytes of such a page. Those that web servers, site generators and link
/// shorteners write have less than 5 kB.
const MAX_BYTES: usize = 1 << 16;

/// Maximum number of words of such a page: "This page has moved. Follow this link if nothing
/// happens" in a few languages.
const MAX_WORDS: usize = 60;

/// Maximum delay in seconds. A page that is shown longer is meant to be read, or reloads itself.
const MAX_DELAY_S: u32 = 5;

/// Beginnings of feeds' first elements. What looks like a refresh there is an item's content.
const OF_FEEDS: [&str; 3] = ["<rss", "<feed", "<rdf:rdf"];

/// Returns the target of a page at `from` that sends its readers on.
pub(super) fn find_refresh(from: &Url, answer: &HttpResponse) -> Option<Url> {
    let content_type = answer.text(header::CONTENT_TYPE);
    let content_type = content_type.as_deref();
    let is_page = (200..300).contains(&answer.status) && content_type.is_none_or(is_html);
    if !is_page || answer.body.len() > MAX_BYTES {
        return None;
    }
    let lower = String::from_utf8_lossy(&answer.body).to_ascii_lowercase();
    if !lower.contains("http-equiv") || OF_FEEDS.iter().any(|name| lower.contains(name)) {
        return None;
    }
    let source = Source {
        url: Some(from.as_str()),
        content_type,
    };
    // With scripts, as in a browser, there are no elements in `noscript`.
    let page = Page::parse_for(Scripting::On, &answer.body, source, MAX_BYTES);
    let is_of = |n, name: &str| page.tag(n).is_some_and(|tag| &**tag == name);
    let obeyed = |n| !page.ancestors(n).any(|above| is_of(above, "template"));
    let target = page.subtree(page.root()).find_map(|n| {
        let name = page.attr(n, "http-equiv").filter(|_| is_of(n, "meta"))?;
        let is_refresh = name.trim().eq_ignore_ascii_case("refresh") && obeyed(n);
        read_refresh(page.attr(n, "content").filter(|_| is_refresh)?)
    })?;
    let target = Base::of(&page).resolve(target)?;
    let target = plain(&Url::parse(&target).ok()?);
    let is_other = matches!(target.scheme(), "http" | "https") && target != plain(from);
    let texts = page.content_texts(page.body().unwrap_or(page.root()));
    let words: usize = texts.map(|text| word_count(page.text(text))).sum();
    (is_other && words <= MAX_WORDS).then_some(target)
}

/// The address in a refresh's `content`, if its delay is short (HTML, 4.2.5.3, "shared
/// declarative refresh steps").
fn read_refresh(content: &str) -> Option<&str> {
    let content = content.trim_ascii();
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let (delay, rest) = content.split_at(digits);
    // Fractions of a second do not count.
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_short = match delay {
        "" => content.starts_with('.'),
        delay => delay.parse::<u32>().is_ok_and(|delay| delay <= MAX_DELAY_S),
    };
    let parted = |c: char| matches!(c, ';' | ',') || c.is_ascii_whitespace();
    if !is_short || !rest.starts_with(parted) {
        return None;
    }
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_ascii_start();
    let target = named_url(rest).unwrap_or(rest);
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    (!target.is_empty()).then_some(target)
}

/// The text behind `url =`.
fn named_url(text: &str) -> Option<&str> {
    let (name, rest) = text.split_at_checked(3)?;
    let rest = rest.trim_ascii_start().strip_prefix('=')?;
    name.eq_ignore_ascii_case("url")
        .then_some(rest.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderMap, HeaderValue};

    fn found(content_type: &'static str, html: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        let answer = HttpResponse {
            status: 200,
            headers,
            body: html.as_bytes().to_vec(),
            truncated: None,
            request_head: Vec::new(),
            address: None,
            took: std::time::Duration::ZERO,
            room: None,
        };
        let from = "https://a.example/x/y".parse().expect("a URL");
        find_refresh(&from, &answer).map(String::from)
    }

    fn check(html: &str, expected: Option<&str>) {
        assert_eq!(found("text/html", html).as_deref(), expected, "{html}");
    }

    fn check_content(content: &str, expected: Option<&str>) {
        check(
            &format!("<meta http-equiv=refresh content=\"{content}\">"),
            expected,
        );
    }

    #[test]
    fn a_short_refresh_to_another_address_is_one() {
        let z = Some("https://a.example/z");
        for content in [
            "0; url=/z",
            "0;URL=/z",
            "0;url='/z'",
            "5, url = /z",
            " 1 ; url=&quot;/z&quot; and more",
            "0.5;/z",
            ".0; url=/z",
            "0 /z",
            "3;url=../z",
            "0;url=https://a.example/z#part",
        ] {
            check_content(content, z);
        }
        for content in [
            "6; url=/z",
            "99999999999; url=/z",
            "-1; url=/z",
            "0",
            "0;",
            "0; url=",
            "url=/z",
            "",
            "0; url=javascript:alert(1)",
            "0; url=mailto:a@a.example",
            "0; url=/x/y",
            "0; url=#part",
            "0; url=http://[",
        ] {
            check_content(content, None);
        }
    }

    #[test]
    fn only_elements_that_a_browser_obeys_count() {
        let meta = "<meta http-equiv='Refresh' content='0; url=z'>";
        let z = Some("https://a.example/x/z");
        check(
            &format!("<html><head><title>Moved</title>{meta}</head><body>Moved."),
            z,
        );
        check(&format!("<body><p>Moved.</p>{meta}"), z);
        check(
            &format!("<base href=/b/>{meta}"),
            Some("https://a.example/b/z"),
        );
        check(&format!("<noscript>{meta}</noscript>"), None);
        check(&format!("<body><noscript>{meta}</noscript><p>Words"), None);
        check(&format!("<template>{meta}</template>"), None);
        check(&format!("<!-- {meta} -->"), None);
        check(&format!("<script>'{meta}'</script>"), None);
        check(&format!("<textarea>{meta}</textarea>"), None);
        check("<meta name=refresh content='0; url=z'> http-equiv", None);
        check("<p http-equiv=refresh content='0; url=z'>", None);
    }

    #[test]
    fn a_page_with_its_own_text_is_read_itself() {
        let meta = "<meta http-equiv=refresh content='0; url=z'>";
        let words = |n: usize| format!("{meta}<p>{}", "word ".repeat(n));
        check(&words(MAX_WORDS), Some("https://a.example/x/z"));
        check(&words(MAX_WORDS + 1), None);
        // Scripts and styles are no text.
        let styled = format!("<style>{}</style>{meta}", "a b c ".repeat(100));
        check(&styled, Some("https://a.example/x/z"));
        check(&format!("{meta}{}", " ".repeat(MAX_BYTES)), None);
        let feed = format!("<rss><channel><item><description><![CDATA[{meta}]]>");
        check(&feed, None);
        assert_eq!(found("text/plain", meta), None);
        assert_eq!(found("application/rss+xml", meta), None);
        let xhtml = "application/xhtml+xml; charset=utf-8";
        assert!(found(xhtml, &format!("{meta}Moved.")).is_some());
    }

    #[test]
    fn hostile_pages_take_no_time() {
        check(&format!("http-equiv{}", "<meta ".repeat(9_000)), None);
        check(
            &"<meta http-equiv=refresh content='9;url=z'>".repeat(1_400),
            None,
        );
        check_content(
            &format!("{};url=z", "0".repeat(60_000)),
            Some("https://a.example/x/z"),
        );
        check_content(&format!("0;url={}", "z".repeat(60_000)), None);
    }
}
