//! Wrappers of lists as addresses of RSS-Bridge, whose queries hold the expressions: written for
//! its `XPathBridge`, read from that, `CssSelectorBridge` and `CssSelectorComplexBridge`
//! (<https://github.com/RSS-Bridge/rss-bridge>, parameters of 2025).

use super::lists::{
    ExportedList, IN_JSON, ImportedList, ListPaths, date_of_php, from_page, relative_css,
    without_place,
};
use crate::error::{Error, ErrorKind, Result};
use forest_core::wrapper::DateField;
use forest_core::wrapper::list::ListWrapper;
use forest_html::address::site_of;
use std::collections::BTreeMap;
use url::form_urlencoded::{Serializer, parse};

/// Parameters that say how a bridge is asked, and nothing of the list.
const OF_THE_REQUEST: [&str; 6] = [
    "action",
    "bridge",
    "context",
    "format",
    "token",
    "_cache_timeout",
];

/// Writes wrappers as queries of the `XPathBridge`, a line each; they go behind the address of an
/// RSS-Bridge.
pub fn lists_to_rss_bridge(wrappers: &[ListWrapper]) -> ExportedList {
    let mut text = String::new();
    let mut left_out = Vec::new();
    for wrapper in wrappers {
        if wrapper.json.is_some() {
            left_out.push(format!("{}: {IN_JSON}", wrapper.site));
            continue;
        }
        let paths = ListPaths::of(wrapper);
        let mut query = Serializer::new(String::new());
        query.extend_pairs([
            ("action", "display"),
            ("bridge", "XPathBridge"),
            ("format", "Atom"),
        ]);
        query.append_pair("url", wrapper.pages.first().map_or("", String::as_str));
        for (name, value) in [
            ("item", wrapper.item.clone()),
            ("title", paths.title),
            ("content", paths.summary),
            ("uri", paths.address),
            ("author", paths.author),
            ("timestamp", paths.date),
            ("enclosures", paths.image),
        ] {
            // The bridge decodes expressions once more.
            let coded = value.replace('%', "%25").replace('+', "%2B");
            query.append_pair(name, &coded);
        }
        text.push('?');
        text.push_str(&query.finish());
        text.push('\n');
        left_out.extend(without_place(wrapper));
        let date = wrapper.date.first();
        if date.is_some_and(|date| date.format.is_some()) {
            let site = &wrapper.site;
            left_out.push(format!(
                "{site}: the format of the date: the bridge guesses it"
            ));
        }
    }
    ExportedList { text, left_out }
}

/// True of an address or a query of one of the bridges that are read.
pub fn is_of_rss_bridge(address: &str) -> bool {
    bridge_of(&parameters(address)).is_some()
}

/// A bridge whose lists are read.
#[derive(Debug, Clone, Copy)]
enum ListBridge {
    XPath,
    Css,
    CssOfEntries,
}

fn bridge_of(query: &BTreeMap<String, String>) -> Option<ListBridge> {
    let name = query.get("bridge")?;
    match name.strip_suffix("Bridge").unwrap_or(name) {
        "XPath" => Some(ListBridge::XPath),
        "CssSelector" => Some(ListBridge::Css),
        "CssSelectorComplex" => Some(ListBridge::CssOfEntries),
        _ => None,
    }
}

/// The parameters of an address or a query that are not empty.
fn parameters(address: &str) -> BTreeMap<String, String> {
    let (_, query) = address.split_once('?').unwrap_or_default();
    let query = query.split('#').next().unwrap_or_default();
    let pairs = parse(query.as_bytes()).filter(|(_, value)| !value.trim().is_empty());
    pairs
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// A parameter that a wrapper of a list has no place for, and the reason.
fn left_out_of(name: &str, value: &str) -> String {
    let why = match name {
        "use_article_pages" | "content_selector" | "article_page_content_selector" => {
            "articles are read by the wrapper of their site"
        }
        _ => "a list has no such field",
    };
    format!("{name} {value}: {why}")
}

/// Reads the address of a feed of RSS-Bridge, without asking it.
///
/// # Errors
///
/// If it is of another bridge, names no page or no items, or an expression cannot be read.
pub fn list_from_rss_bridge(address: &str) -> Result<ImportedList> {
    let fail = |reason: &str| -> Error {
        let reason = reason.to_owned();
        ErrorKind::WrapperFile { reason }.into()
    };
    let mut query = parameters(address);
    let bridge = bridge_of(&query).ok_or_else(|| fail("no XPathBridge or CssSelectorBridge"))?;
    OF_THE_REQUEST
        .iter()
        .for_each(|name| drop(query.remove(*name)));
    // Then the fields are those of the articles' own pages.
    let reads_articles = query.contains_key("use_article_pages");
    let mut take = |name: &str| query.remove(name);
    let mut wrapper = ListWrapper::default();
    let mut left_out = Vec::new();
    let page = match bridge {
        ListBridge::XPath => take("url"),
        _ => take("home_page"),
    };
    let page = page.ok_or_else(|| fail("it names no page"))?;
    wrapper.site = site_of(Some(&page)).unwrap_or_default();
    wrapper.pages = vec![page];
    let mut css = |name: &str| take(name).map(|css| relative_css(name, &css)).transpose();
    let item = match bridge {
        ListBridge::XPath => {
            let mut path = |name: &str| take(name).map(|path| decoded(&path));
            wrapper.title = path("title").into_iter().collect();
            wrapper.summary = path("content").into_iter().collect();
            wrapper.link = path("uri").into_iter().collect();
            wrapper.author = path("author").into_iter().collect();
            wrapper.image = path("enclosures").into_iter().collect();
            let date = path("timestamp").map(|xpath| DateField {
                xpath,
                format: None,
            });
            wrapper.date = date.into_iter().collect();
            path("item")
        }
        ListBridge::Css => css("url_selector")?.map(|path| from_page(&path)),
        ListBridge::CssOfEntries => {
            wrapper.link = css("url_selector")?.into_iter().collect();
            let item = css("entry_element_selector")?.map(|path| from_page(&path));
            if !reads_articles {
                wrapper.title = css("title_selector")?.into_iter().collect();
                wrapper.author = css("author_selector")?.into_iter().collect();
                let time = css("time_selector")?;
                let format = take("time_format");
                let date =
                    time.map(|xpath| date_of_php(xpath, format, "time_format", &mut left_out));
                wrapper.date = date.into_iter().collect();
            }
            item
        }
    };
    wrapper.item = item.ok_or_else(|| fail("it has no selector of items"))?;
    wrapper.compile()?;
    left_out.extend(query.iter().map(|(name, value)| left_out_of(name, value)));
    Ok(ImportedList { wrapper, left_out })
}

/// An expression as the bridge reads it: decoded once more.
fn decoded(value: &str) -> String {
    let pair = format!("x={}", value.replace('&', "%26"));
    let decoded = parse(pair.as_bytes()).next();
    decoded.map_or_else(String::new, |(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "https://a.example/news/?page=1&kind=all";

    fn wrapper() -> ListWrapper {
        ListWrapper {
            site: "a.example".to_owned(),
            pages: vec![PAGE.to_owned()],
            item: "//ul[@class='50% + more']/li[a and b or c]".to_owned(),
            link: vec![".//h2/a/@href".to_owned()],
            title: vec![".//h2".to_owned()],
            date: vec![DateField {
                xpath: ".//time/@datetime".to_owned(),
                format: None,
            }],
            summary: vec!["./p[contains(., '&')]".to_owned()],
            image: vec![".//img/@src".to_owned()],
            ..ListWrapper::default()
        }
    }

    #[test]
    fn a_query_reads_back_as_it_was_written() {
        let exported = lists_to_rss_bridge(&[wrapper()]);
        assert!(exported.left_out.is_empty(), "{:?}", exported.left_out);
        let line = exported.text.trim_end();
        assert!(
            line.starts_with("?action=display&bridge=XPathBridge&format=Atom&url=https%3A%2F%2F")
        );
        for address in [
            line.to_owned(),
            format!("https://bridge.example/{line}#top"),
        ] {
            assert!(is_of_rss_bridge(&address));
            let back = list_from_rss_bridge(&address).expect("a list");
            assert_eq!(
                (back.wrapper, back.left_out),
                (wrapper(), Vec::<String>::new())
            );
        }
    }

    #[test]
    fn css_becomes_xpath_and_the_rest_is_named() {
        let address = "https://bridge.example/?action=display&bridge=CssSelectorBridge&format=Mrss\
            &home_page=https://a.example/&url_selector=div.news,+li.old&url_pattern=/news/&content_selector=article&limit=";
        let list = list_from_rss_bridge(address).expect("a list");
        let item = &list.wrapper.item;
        assert!(
            item.starts_with("//div[") && item.contains(" | //li["),
            "{item}"
        );
        assert_eq!(list.wrapper.site, "a.example");
        assert_eq!(
            list.left_out,
            [
                "content_selector article: articles are read by the wrapper of their site",
                "url_pattern /news/: a list has no such field"
            ]
        );
        let entries = "?bridge=CssSelectorComplex&home_page=https://a.example/&entry_element_selector=article\
            &url_selector=h2+a&title_selector=h2&time_selector=time&time_format=d/m/Y";
        let list = list_from_rss_bridge(entries).expect("a list").wrapper;
        assert_eq!(
            (&*list.item, &*list.title),
            ("//article", &[".//h2".to_owned()][..])
        );
        assert_eq!(list.link, [".//h2//a"]);
        assert_eq!(list.date[0].format.as_deref(), Some("%d/%m/%Y"));
        let worded = entries.replace("d/m/Y", "j.+F+Y");
        let list = list_from_rss_bridge(&worded).expect("a list");
        assert_eq!(list.wrapper.date[0].format, None);
        assert!(
            list.left_out[0].contains("time_format j. F Y: `j`"),
            "{:?}",
            list.left_out
        );
        // The fields are those of the articles' pages.
        let pages = format!("{entries}&use_article_pages=on");
        let list = list_from_rss_bridge(&pages).expect("a list");
        assert!(list.wrapper.title.is_empty() && list.wrapper.date.is_empty());
        assert_eq!(list.left_out.len(), 4, "{:?}", list.left_out);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for (address, why) in [
            (
                "https://bridge.example/?bridge=YouTube&u=x",
                "no XPathBridge",
            ),
            ("https://bridge.example/", "no XPathBridge"),
            ("?bridge=XPathBridge&item=//li", "no page"),
            (
                "?bridge=XPathBridge&url=https://a.example/",
                "no selector of items",
            ),
            (
                "?bridge=XPathBridge&url=https://a.example/&item=//li[",
                "//li[",
            ),
            (
                "?bridge=CssSelectorBridge&home_page=https://a.example/&url_selector=a[",
                "a[",
            ),
        ] {
            let error = list_from_rss_bridge(address).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(
            !is_of_rss_bridge("feeds.opml") && !is_of_rss_bridge("https://a.example/?bridge=x")
        );
    }
}
