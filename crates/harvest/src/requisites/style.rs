//! Style sheets and fonts that pages and style sheets name.

use forest_archive::RequisiteKind;
use forest_html::page::Page;
use forest_html::page::links::Base;
use std::borrow::Cow;
use url::Url;

/// Maximum number of style sheets and fonts of an article's pages.
pub(super) const MAX_STYLES: usize = 50;

/// Returns true if the `Content-Type` is that of a style sheet, or missing.
pub(super) fn is_one(content_type: Option<&str>) -> bool {
    let essence = content_type.and_then(|named| named.split(';').next());
    essence.is_none_or(|named| named.trim().eq_ignore_ascii_case("text/css"))
}

/// The requisites that a page names: style sheets in `link`, and the imports and fonts of its
/// `style` elements.
pub(super) fn of_page(page: &Page) -> Vec<(String, RequisiteKind)> {
    let base = Base::of(page);
    let mut found = Vec::new();
    for n in page.elements() {
        let name = page.tag(n).map(|tag| &**tag);
        let href =
            match name {
                Some("link") if is_style_sheet(page.attr(n, "rel")) => page.attr(n, "href"),
                Some("style") => {
                    let named = links(page.text(n));
                    found.extend(named.into_iter().filter_map(|(href, kind)| {
                        Some((on_the_web(base.resolve(&href)?)?, kind))
                    }));
                    None
                }
                _ => None,
            };
        let url = href.and_then(|href| on_the_web(base.resolve(href)?));
        found.extend(url.map(|url| (url, RequisiteKind::Style)));
        if found.len() >= MAX_STYLES {
            break;
        }
    }
    found
}

/// True of the `rel` of a link to a style sheet that is used.
pub fn is_style_sheet(rel: Option<&str>) -> bool {
    let has = |word: &str| {
        let mut words = rel.unwrap_or_default().split_ascii_whitespace();
        words.any(|other| other.eq_ignore_ascii_case(word))
    };
    has("stylesheet") && !has("alternate")
}

fn on_the_web(url: Cow<'_, str>) -> Option<String> {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    is_web.then(|| url.into_owned())
}

/// The absolute addresses that the style sheet at an address names.
pub(super) fn named_by(css: &str, address: &str) -> Vec<(String, RequisiteKind)> {
    let Ok(base) = Url::parse(address) else {
        return Vec::new();
    };
    let absolute = |(href, kind): (String, RequisiteKind)| {
        let url = base.join(&href).ok()?;
        Some((on_the_web(Cow::Owned(url.into()))?, kind))
    };
    links(css).into_iter().filter_map(absolute).collect()
}

/// The addresses after `@import`, and the best address of each `@font-face`.
fn links(css: &str) -> Vec<(String, RequisiteKind)> {
    let css = without_comments(css);
    let mut found = Vec::new();
    let mut rest = css.as_str();
    while let Some(at) = rest.find('@') {
        rest = &rest[at + 1..];
        if found.len() >= MAX_STYLES {
            break;
        }
        if let Some(after) = strip(rest, "import") {
            found.extend(address(after).map(|href| (href.to_owned(), RequisiteKind::Style)));
        } else if let Some(after) = strip(rest, "font-face") {
            let end = after.find('}').unwrap_or(after.len());
            let offered: Vec<&str> = urls(&after[..end]).collect();
            let ends = |end: &str| offered.iter().copied().find(|href| href.contains(end));
            let best = ends(".woff2")
                .or_else(|| ends(".woff"))
                .or(offered.first().copied());
            found.extend(best.map(|href| (href.to_owned(), RequisiteKind::Font)));
        }
    }
    found
}

fn strip<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let is_it = text.get(..word.len())?.eq_ignore_ascii_case(word);
    is_it.then(|| text[word.len()..].trim_start())
}

/// The address at the beginning: a string, or `url(...)`.
fn address(text: &str) -> Option<&str> {
    match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..]
            .split(quote)
            .next()
            .filter(|href| !href.is_empty()),
        _ => urls(text.split(';').next()?).next(),
    }
}

/// The addresses in `url(...)`, but data.
fn urls(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.split("url(").skip(1).filter_map(|after| {
        let after = after.trim_start();
        match after.chars().next()? {
            quote @ ('"' | '\'') => after[1..].split(quote).next(),
            _ => after.split(')').next().map(str::trim_end),
        }
    });
    inner.filter(|href| !href.is_empty() && !href.starts_with("data:"))
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use RequisiteKind::{Font, Style};
    use forest_html::page::Source;

    #[test]
    fn a_style_sheet_names_others_and_fonts() {
        let css = "@charset 'utf-8'; /* @import 'no.css'; */ @import \"a.css\" screen;\n@IMPORT url( 'b.css' );\
                   @import url(/c.css);@font-face{font-family:x;src:url(x.eot);src:url('x.eot?#i') format('e'),\
                   url(x.woff2) format('woff2'),url(x.woff)}@font-face{src:url(data:font/woff2;base64,AA)}\
                   p{background:url(p.png)}@import";
        let found = named_by(css, "https://a.example/css/main.css");
        let expected = [
            ("https://a.example/css/a.css", Style),
            ("https://a.example/css/b.css", Style),
            ("https://a.example/c.css", Style),
            ("https://a.example/css/x.woff2", Font),
        ];
        assert_eq!(found, expected.map(|(url, kind)| (url.to_owned(), kind)));
        assert_eq!(named_by("@import '/*", "https://a.example/"), []);
        assert_eq!(named_by("@import ''; @import;", "https://a.example/"), []);
    }

    #[test]
    fn a_page_names_style_sheets() {
        let html = "<link rel='preload stylesheet' href=/a.css><link rel=icon href=/i.png>\
                    <link rel='alternate stylesheet' href=/dark.css><link rel=stylesheet href='data:text/css,p'>\
                    <style>@import '/b.css';</style><p>x";
        let source = Source {
            url: Some("https://a.example/story"),
            ..Source::default()
        };
        let found = of_page(&Page::parse(html.as_bytes(), source));
        let expected = ["https://a.example/a.css", "https://a.example/b.css"];
        assert_eq!(found, expected.map(|url| (url.to_owned(), Style)));
    }

    #[test]
    fn what_one_sheet_names_is_bounded() {
        let many = "@import 'x.css';".repeat(10_000);
        assert_eq!(links(&many).len(), MAX_STYLES);
        assert_eq!(links(&"@font-face{".repeat(10_000)), []);
    }
}
