//! Wrappers of lists as other programs write them: FreshRSS's feeds of HTML and XPath, in OPML
//! (<https://freshrss.github.io/FreshRSS/en/developers/OPML.html>), and configurations of
//! html2rss, in YAML with CSS (<https://html2rss.github.io/ruby-gem/reference/selectors>).

use super::readers::{FRESHRSS_OPML_START, OPML_END, outline};
use crate::error::{Error, ErrorKind, Result};
use forest_core::wrapper::DateField;
use forest_core::wrapper::list::ListWrapper;
use forest_core::wrapper::xpath::{XPath, alternatives};
use forest_core::yaml::read_yaml;
use forest_html::address::site_of;
use serde_json::{Map, Value, json};

/// Codes of a date's format, in the manner of `strftime` and of PHP.
const DATE_CODES: [(&str, &str); 7] = [
    ("%Y", "Y"),
    ("%m", "m"),
    ("%d", "d"),
    ("%y", "y"),
    ("%H", "H"),
    ("%M", "i"),
    ("%S", "s"),
];

/// A list's wrapper in another program's form, and its parts without a place there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedList {
    /// The text.
    pub text: String,
    /// The parts that are left out, each with the reason.
    pub left_out: Vec<String>,
}

/// A list's wrapper from another program's form, and the parts that were not used.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedList {
    /// The wrapper.
    pub wrapper: ListWrapper,
    /// The parts that were not used, each with the reason.
    pub left_out: Vec<String>,
}

/// Writes wrappers as OPML for FreshRSS: an outline of the type `HTML+XPath` for each.
pub fn lists_to_freshrss(wrappers: &[ListWrapper]) -> ExportedList {
    let mut text = FRESHRSS_OPML_START.to_owned();
    let mut left_out = Vec::new();
    for wrapper in wrappers {
        if wrapper.json.is_some() {
            left_out.push(format!("{}: {IN_JSON}", wrapper.site));
            continue;
        }
        let page = wrapper.pages.first().map_or("", String::as_str);
        let mut paths = ListPaths::of(wrapper);
        left_out.extend(without_place(wrapper));
        let date = wrapper.date.first();
        let format = date.and_then(|date| date.format.as_deref());
        let format = php_format(format.filter(|format| *format != "rfc3339").unwrap_or(""));
        let format = format.unwrap_or_else(|code| {
            let site = &wrapper.site;
            left_out.push(format!(
                "{site}: date: `{code}` of its format has no place there"
            ));
            paths.date.clear();
            String::new()
        });
        let values = [
            ("type", "HTML+XPath".to_owned()),
            ("text", wrapper.site.clone()),
            ("xmlUrl", page.to_owned()),
            ("htmlUrl", page.to_owned()),
            ("frss:xPathItem", wrapper.item.clone()),
            ("frss:xPathItemTitle", paths.title),
            ("frss:xPathItemUri", paths.address),
            ("frss:xPathItemContent", paths.summary),
            ("frss:xPathItemAuthor", paths.author),
            ("frss:xPathItemTimestamp", paths.date),
            ("frss:xPathItemTimeFormat", format),
            ("frss:xPathItemThumbnail", paths.image),
        ];
        let filled = values.iter().filter(|(_, value)| !value.is_empty());
        text.push_str(&outline(
            filled.map(|(name, value)| (*name, value.as_str())),
        ));
    }
    text.push_str(OPML_END);
    ExportedList { text, left_out }
}

/// The fields of a list, each as one expression from its item; empty if there is none.
pub(super) struct ListPaths {
    /// The attribute with the link.
    pub address: String,
    /// The title, or the link that has it.
    pub title: String,
    pub date: String,
    pub summary: String,
    pub author: String,
    /// The attribute with the address of the picture.
    pub image: String,
}

impl ListPaths {
    pub fn of(wrapper: &ListWrapper) -> ListPaths {
        let link = match wrapper.link.join(" | ") {
            none if none.is_empty() => "descendant-or-self::a".to_owned(),
            link => link,
        };
        let date = wrapper.date.first();
        let image = wrapper.image.join(" | ");
        ListPaths {
            address: with_attribute(&link, "/@href"),
            title: match wrapper.title.join(" | ") {
                none if none.is_empty() => link,
                title => title,
            },
            date: date.map_or_else(String::new, |date| date.xpath.clone()),
            summary: wrapper.summary.join(" | "),
            author: wrapper.author.join(" | "),
            image: with_attribute(&image, "/descendant-or-self::img/@src"),
        }
    }
}

/// Each alternative with a step to an attribute, unless it gives one.
fn with_attribute(paths: &str, step: &str) -> String {
    let paths = alternatives(paths)
        .into_iter()
        .filter(|path| !path.is_empty());
    let each = paths.map(|path| {
        let gives_attribute = XPath::parse(path).is_ok_and(|path| path.gives_attribute());
        let own = if gives_attribute { "" } else { step };
        format!("{path}{own}")
    });
    each.collect::<Vec<_>>().join(" | ")
}

/// A date's format in the manner of PHP's `DateTime::createFromFormat`.
///
/// # Errors
///
/// The code that PHP does not have.
fn php_format(format: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c == '%' {
            let code: String = [Some('%'), chars.next()].into_iter().flatten().collect();
            match DATE_CODES.iter().find(|(ours, _)| *ours == code) {
                Some((_, theirs)) => out.push_str(theirs),
                None if code == "%%" => out.push('%'),
                None => return Err(code),
            }
        } else {
            if is_php_code(c) {
                out.push('\\');
            }
            out.push(c);
        }
    }
    Ok(out)
}

/// A date's format in the manner of `strftime`, from one in that of PHP.
///
/// # Errors
///
/// The code that `strftime` does not have, or has with another meaning.
fn our_format(format: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        let letter = if c == '\\' { chars.next() } else { None };
        let mut codes = DATE_CODES.iter();
        match letter.or((!is_php_code(c)).then_some(c)) {
            Some('%') => out.push_str("%%"),
            Some(literal) => out.push(literal),
            None => match codes.find(|(_, theirs)| *theirs == c.to_string()) {
                Some((ours, _)) => out.push_str(ours),
                None => return Err(c.to_string()),
            },
        }
    }
    Ok(out)
}

/// Returns true for what a format of PHP may not have as a letter of its own. No letter is
/// one: there are few without a meaning, and fewer with each version.
fn is_php_code(c: char) -> bool {
    c.is_ascii_alphabetic() || "?*!|+#\\".contains(c)
}

/// A date's field with its format in the manner of PHP. A format that cannot be said here is
/// named in `left_out`; then the date is read as dates are that have none.
pub(super) fn date_of_php(
    xpath: String,
    format: Option<String>,
    name: &str,
    left_out: &mut Vec<String>,
) -> DateField {
    let format = format.and_then(|format| match our_format(&format) {
        Ok(ours) => Some(ours),
        Err(code) => {
            left_out.push(format!(
                "{name} {format}: `{code}` cannot be said here; the date is read without a format"
            ));
            None
        }
    });
    DateField { xpath, format }
}

/// A selector of CSS as a path from an item; `name` is that of the field.
///
/// # Errors
///
/// If it cannot be read.
pub(super) fn relative_css(name: &str, selector: &str) -> Result<String> {
    let xpath = XPath::from_css(selector).map_err(|fault| -> Error {
        let reason = format!("{name}: {selector}: {}", fault.reason);
        ErrorKind::WrapperFile { reason }.into()
    })?;
    let parts = alternatives(xpath.source()).into_iter();
    let parts: Vec<String> = parts.map(|part| format!(".{part}")).collect();
    Ok(parts.join(" | "))
}

/// Alternatives of a path from the item as paths from the page.
pub(super) fn from_page(path: &str) -> String {
    let parts = alternatives(path).into_iter();
    let parts: Vec<&str> = parts
        .map(|part| part.strip_prefix('.').unwrap_or(part))
        .collect();
    parts.join(" | ")
}

/// The parts that no other program has.
pub(super) fn without_place(wrapper: &ListWrapper) -> Vec<String> {
    let mut out = Vec::new();
    let mut lacks = |what: &str| out.push(format!("{}: {what} has no place there", wrapper.site));
    if wrapper.period.is_some() {
        lacks("period");
    }
    if !wrapper.strip.is_empty() {
        lacks("strip");
    }
    if wrapper.next.is_some() {
        lacks("next");
    }
    if !wrapper.blocks.is_empty() {
        lacks("blocks");
    }
    if wrapper.date.len() > 1 {
        lacks("a second date");
    }
    out
}

/// The reason why a list in JSON is not written.
pub(super) const IN_JSON: &str =
    "the list is in the JSON of its page, where no expression of HTML reaches";

/// Writes a wrapper as a configuration of html2rss.
///
/// # Errors
///
/// If the list is in JSON, or CSS cannot express the items; other fields that it cannot express are left out and named.
pub fn list_to_html2rss(wrapper: &ListWrapper) -> Result<ExportedList> {
    if wrapper.json.is_some() {
        return Err(unsupported("json", IN_JSON));
    }
    let css = |path: &str| -> Result<(String, Option<String>), String> {
        let below = path.strip_prefix('.').unwrap_or(path);
        let absolute = if below.starts_with("//") {
            below.to_owned()
        } else {
            return Err("CSS has no way to name a child of the item itself".to_owned());
        };
        let xpath = XPath::parse(&absolute).map_err(|error| error.to_string())?;
        let css = xpath.to_css()?;
        Ok((css.selector(), css.attribute))
    };
    let (items, _) = css(&wrapper.item).map_err(|why| unsupported("item", &why))?;
    let mut selectors = Map::new();
    selectors.insert("items".to_owned(), json!({ "selector": items }));
    let mut left_out = without_place(wrapper);
    let dates: Vec<String> = wrapper.date.iter().map(|date| date.xpath.clone()).collect();
    let fields = [
        ("title", &wrapper.title),
        ("url", &wrapper.link),
        ("published_at", &dates),
        ("description", &wrapper.summary),
        ("author", &wrapper.author),
    ];
    for (name, paths) in fields {
        let Some(path) = paths.first() else { continue };
        match css(path) {
            Ok((selector, attribute)) => {
                let mut value = json!({ "selector": selector });
                match attribute {
                    Some(attribute) => {
                        value["extractor"] = json!("attribute");
                        value["attribute"] = json!(attribute);
                    }
                    None if name == "url" => value["extractor"] = json!("href"),
                    None => {}
                }
                if name == "published_at" {
                    value["post_process"] = json!([{"name": "parse_time"}]);
                }
                selectors.insert(name.to_owned(), value);
            }
            Err(why) => left_out.push(format!("{}: {name} {path}: {why}", wrapper.site)),
        }
    }
    let page = wrapper.pages.first().cloned().unwrap_or_default();
    let out = json!({"channel": {"url": page}, "selectors": selectors});
    let text = serde_yaml::to_string(&out).expect("strings are YAML");
    Ok(ExportedList { text, left_out })
}

fn unsupported(part: &str, why: &str) -> Error {
    let reason = format!("{part} cannot be written: {why}");
    ErrorKind::WrapperFile { reason }.into()
}

/// Reads FreshRSS's feeds of the type `HTML+XPath` from the attributes of outlines.
///
/// # Errors
///
/// If an expression is no XPath 1.0.
pub fn lists_from_freshrss(outlines: &[Vec<(String, String)>]) -> Result<Vec<ImportedList>> {
    let is_list = |outline: &&Vec<(String, String)>| attribute(outline, "type") == "HTML+XPath";
    let lists = outlines.iter().filter(is_list).map(|outline| {
        let get = |name: &str| {
            let value = attribute(outline, &format!("frss:xPathItem{name}")).to_owned();
            Some(value).filter(|value| !value.is_empty())
        };
        let page = attribute(outline, "xmlUrl");
        let mut left_out = Vec::new();
        for name in ["Categories", "Uid"] {
            if let Some(value) = get(name) {
                left_out.push(format!(
                    "{page}: xPathItem{name} {value}: a list has no such field"
                ));
            }
        }
        let date = get("Timestamp").map(|xpath| {
            let name = format!("{page}: xPathItemTimeFormat");
            date_of_php(xpath, get("TimeFormat"), &name, &mut left_out)
        });
        let wrapper = ListWrapper {
            site: site_of(Some(page)).unwrap_or_default(),
            pages: vec![page.to_owned()],
            item: get("").unwrap_or_default(),
            link: get("Uri").into_iter().collect(),
            title: get("Title").into_iter().collect(),
            date: date.into_iter().collect(),
            summary: get("Content")
                .filter(|path| path != ".")
                .into_iter()
                .collect(),
            image: get("Thumbnail").into_iter().collect(),
            author: get("Author").into_iter().collect(),
            ..ListWrapper::default()
        };
        wrapper.compile()?;
        Ok(ImportedList { wrapper, left_out })
    });
    lists.collect()
}

fn attribute<'a>(outline: &'a [(String, String)], name: &str) -> &'a str {
    let found = outline.iter().find(|(known, _)| known == name);
    found.map_or("", |(_, value)| value)
}

/// Reads a configuration of html2rss.
///
/// # Errors
///
/// If it is no YAML, has no `channel.url` or no selector of items, or a selector cannot be read.
pub fn list_from_html2rss(yaml: &str) -> Result<ImportedList> {
    let fail = |reason: String| -> Error { ErrorKind::WrapperFile { reason }.into() };
    let config: Value = read_yaml(yaml).map_err(|error| fail(error.to_string()))?;
    let page = config["channel"]["url"].as_str();
    let page = page.ok_or_else(|| fail("it has no `channel.url`".to_owned()))?;
    let selectors = config["selectors"].as_object();
    let selectors = selectors.ok_or_else(|| fail("it has no `selectors`".to_owned()))?;
    let mut left_out = Vec::new();
    let mut path = |name: &str| -> Result<Option<String>> {
        let Some(field) = selectors.get(name) else {
            return Ok(None);
        };
        let Some(selector) = field["selector"].as_str() else {
            left_out.push(format!("{name}: it has no selector"));
            return Ok(None);
        };
        let path = relative_css(name, selector)?;
        let attribute = match field["extractor"].as_str() {
            Some("attribute") => field["attribute"].as_str(),
            Some(extractor @ ("static" | "current_time")) => {
                left_out.push(format!("{name}: the extractor {extractor} reads no page"));
                return Ok(None);
            }
            _ => None,
        };
        Ok(Some(match attribute {
            Some(attribute) => with_attribute(&path, &format!("/@{attribute}")),
            None => path,
        }))
    };
    let item = path("items")?.map(|path| from_page(&path));
    let item = item.ok_or_else(|| fail("it has no selector of `items`".to_owned()))?;
    let mut first = |names: [&str; 2]| -> Result<Option<String>> {
        match path(names[0])? {
            Some(found) => Ok(Some(found)),
            None => path(names[1]),
        }
    };
    let date = first(["published_at", "updated"])?;
    let wrapper = ListWrapper {
        site: site_of(Some(page)).unwrap_or_default(),
        pages: vec![page.to_owned()],
        item,
        link: first(["url", "link"])?.into_iter().collect(),
        title: first(["title", "headline"])?.into_iter().collect(),
        date: date
            .map(|xpath| DateField {
                xpath,
                format: None,
            })
            .into_iter()
            .collect(),
        summary: first(["description", "summary"])?.into_iter().collect(),
        image: first(["image", "thumbnail"])?.into_iter().collect(),
        author: first(["author", "authors"])?.into_iter().collect(),
        ..ListWrapper::default()
    };
    wrapper.compile()?;
    Ok(ImportedList { wrapper, left_out })
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::feed::feed_attributes;
    use forest_core::wrapper::list::{ListBlock, ListRecords};

    fn wrapper() -> ListWrapper {
        let class =
            |token: &str| format!("contains(concat(' ',normalize-space(@class),' '),' {token} ')");
        ListWrapper {
            site: "a.example".to_owned(),
            pages: vec!["https://a.example/news/".to_owned()],
            item: format!("//ul[{}]/li", class("news")),
            link: vec![".//h2/a".to_owned()],
            title: vec![".//h2".to_owned()],
            date: vec![DateField {
                xpath: ".//time/@datetime".to_owned(),
                format: Some("%d/%m/%Y".to_owned()),
            }],
            image: vec![".//img".to_owned()],
            ..ListWrapper::default()
        }
    }

    #[test]
    fn freshrss_reads_back_what_is_written() {
        let exported = lists_to_freshrss(&[wrapper()]);
        for part in [
            "type=\"HTML+XPath\"",
            "frss:xPathItemUri=\".//h2/a/@href\"",
            "frss:xPathItemTimeFormat=\"d/m/Y\"",
            "frss:xPathItemThumbnail=\".//img/descendant-or-self::img/@src\"",
        ] {
            assert!(exported.text.contains(part), "{part}: {}", exported.text);
        }
        let outlines = feed_attributes(exported.text.as_bytes());
        let back = lists_from_freshrss(&outlines)
            .expect("XPath")
            .remove(0)
            .wrapper;
        let expected = ListWrapper {
            link: vec![".//h2/a/@href".to_owned()],
            image: vec![".//img/descendant-or-self::img/@src".to_owned()],
            ..wrapper()
        };
        assert_eq!(back, expected);
    }

    #[test]
    fn html2rss_reads_back_what_is_written_and_the_rest_is_named() {
        let with_period = ListWrapper {
            period: Some("//h2".to_owned()),
            summary: vec!["./p[1]".to_owned()],
            ..wrapper()
        };
        let exported = list_to_html2rss(&with_period).expect("CSS");
        assert!(
            exported.text.contains("selector: ul.news > li"),
            "{}",
            exported.text
        );
        assert_eq!(exported.left_out.len(), 2, "{:?}", exported.left_out);
        let back = list_from_html2rss(&exported.text)
            .expect("a configuration")
            .wrapper;
        assert_eq!(back.pages, wrapper().pages);
        assert_eq!((back.title, back.link), (wrapper().title, wrapper().link));
        assert_eq!(back.date[0].xpath, ".//time[@datetime]/@datetime");
    }

    #[test]
    fn a_format_that_cannot_be_said_is_named() {
        for (ours, php) in [
            ("%d/%m/%Y %H:%M:%S", "d/m/Y H:i:s"),
            ("%Y-%m-%dT%H", "Y-m-d\\TH"),
            ("%d de %m", "d \\d\\e m"),
            ("100%% %d?", "100% d\\?"),
        ] {
            assert_eq!(php_format(ours).as_deref(), Ok(php));
            assert_eq!(our_format(php).as_deref(), Ok(ours));
        }
        for (php, code) in [
            ("j. F Y", "j"),
            ("d|", "|"),
            ("Y-m-dTH", "T"),
            ("d\\", "\\"),
        ] {
            assert_eq!(our_format(php), Err(code.to_owned()), "{php}");
        }
        for (ours, code) in [("%d de %B", "%B"), ("%-d.%m", "%-"), ("%d%", "%")] {
            assert_eq!(php_format(ours), Err(code.to_owned()), "{ours}");
        }
        let date = |format: &str| ListWrapper {
            date: vec![DateField {
                xpath: ".//time".to_owned(),
                format: Some(format.to_owned()),
            }],
            ..wrapper()
        };
        let exported = lists_to_freshrss(&[date("%d de %B")]);
        assert!(!exported.text.contains("Time"), "{}", exported.text);
        let expected = "a.example: date: `%B` of its format has no place there";
        assert_eq!(exported.left_out, [expected]);
        let exported = lists_to_freshrss(&[date("%d/%m")])
            .text
            .replace("d/m", "j. F Y");
        let back = lists_from_freshrss(&feed_attributes(exported.as_bytes()));
        let back = back.expect("XPath").remove(0);
        assert_eq!(
            (back.wrapper.date[0].format.as_deref(), back.left_out.len()),
            (None, 1)
        );
        assert!(
            back.left_out[0].contains("j. F Y: `j`"),
            "{:?}",
            back.left_out
        );
    }

    #[test]
    fn an_attribute_in_a_predicate_is_not_given() {
        let check =
            |path: &str, expected: &str| assert_eq!(with_attribute(path, "/@src"), expected);
        check(
            ".//img[ancestor::a/@href]",
            ".//img[ancestor::a/@href]/@src",
        );
        check(".//img[a/@href]/@data-src", ".//img[a/@href]/@data-src");
        check(".//img/attribute::*", ".//img/attribute::*");
        check(
            ".//a/@href[. != ''] | .//b",
            ".//a/@href[. != ''] | .//b/@src",
        );
    }

    #[test]
    fn json_and_blocks_are_named() {
        let with_blocks = ListWrapper {
            blocks: vec![ListBlock::default()],
            ..wrapper()
        };
        let exported = lists_to_freshrss(&[with_blocks]);
        assert_eq!(exported.left_out, ["a.example: blocks has no place there"]);
        let of_json = ListWrapper {
            json: Some(ListRecords {
                script: "#state".to_owned(),
                path: "/posts/*".to_owned(),
                address: None,
            }),
            ..wrapper()
        };
        assert!(list_to_html2rss(&of_json).is_err());
        let exported = lists_to_freshrss(&[of_json]);
        assert!(exported.left_out[0].contains("JSON") && !exported.text.contains("HTML+XPath"));
    }

    #[test]
    fn a_configuration_without_items_is_refused() {
        let check = |yaml: &str, expected: &str| {
            let error = list_from_html2rss(yaml).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("a: b", "channel.url");
        check("channel: {url: 'https://a.example'}", "selectors");
        check(
            "channel: {url: 'https://a.example'}\nselectors: {title: {selector: a}}",
            "items",
        );
        check(
            "channel: {url: 'https://a.example'}\nselectors: {items: {selector: 'a['}}",
            "a[",
        );
    }
}
