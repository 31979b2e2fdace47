//! The records in a page's JSON, as a page with an element for each.
//!
//! A record is an element of an array, or a member of an object whose key is a number, a hash
//! or a name with one (`Article:12`). A list of articles in JSON is an array of such records.

use super::super::plain::{escape, text_of_html};
use super::super::{Page, links::Base};
use super::body::attribute;
use super::leaf::{JsonLeaf, PathStep, generalised, names_record, unescaped};
use super::reader::JsonReader;
use super::scripts::{JsonScript, may_hold, scripts};
use crate::text::fold;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Records from which a place may be that of a list.
const MIN_RECORDS: usize = 2;

/// Places of records of a page that are looked at, those with the most records.
const MAX_PLACES: usize = 12;

/// Steps from a record to its strings: `node/attributes/title/rendered`.
const RECORD_STEPS: usize = 4;

/// Strings of a record that are taken over.
const MAX_STRINGS: usize = 60;

/// Bytes of a string that are taken over: the beginning of a text.
const MAX_STRING_BYTES: usize = 2000;

/// Bytes of an address at the most.
const MAX_ADDRESS_BYTES: usize = 2000;

/// Keys of a title.
const TITLE_KEYS: [&str; 6] = ["title", "headline", "heading", "name", "label", "rendered"];

/// Keys of the name by which an address has an article.
const NAME_KEYS: [&str; 4] = ["slug", "urlslug", "permalink", "id"];

/// Parts of the keys of pictures' addresses.
const IMAGE_KEYS: [&str; 8] = [
    "image", "img", "thumb", "photo", "picture", "cover", "icon", "avatar",
];

/// The place of records: the script, and the path of each.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct JsonRecordPlace {
    /// See [`JsonPlace::script`](super::place::JsonPlace).
    pub script: String,
    /// See [`JsonPlace::path`](super::place::JsonPlace); its last step ends with `*`.
    pub path: String,
}

/// The strings and numbers of a page's JSON.
#[derive(Debug)]
pub struct PageRecords<'p> {
    page: &'p Page,
    scripts: Vec<JsonScript>,
    /// The page has more JSON than is read.
    pub is_cut: bool,
}

/// The leaves of a record, and the number of steps of its path.
#[derive(Debug, Clone, Copy)]
struct JsonRecord<'r> {
    leaves: &'r [JsonLeaf],
    depth: usize,
}

impl<'p> PageRecords<'p> {
    /// Reads the JSON of a page.
    pub fn of(page: &'p Page) -> PageRecords<'p> {
        let mut reader = JsonReader::with_numbers();
        let scripts = if may_hold(page, 0) {
            scripts(page, &mut reader)
        } else {
            Vec::new()
        };
        PageRecords {
            page,
            scripts,
            is_cut: reader.is_full(),
        }
    }

    /// The places of records with a title and an address, or a name for it; those with the
    /// most records first.
    pub fn places(&self) -> Vec<JsonRecordPlace> {
        let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for script in &self.scripts {
            for record in records(&script.leaves, |_| true) {
                let is_item = record.title().is_some()
                    && record
                        .leaves()
                        .any(|leaf| is_address(leaf) || is_name(leaf));
                if is_item {
                    let path = generalised(&record.leaves[0].path[..record.depth]);
                    *counts.entry((&script.name, path)).or_default() += 1;
                }
            }
        }
        let mut found: Vec<_> = counts.into_iter().collect();
        found.retain(|(_, count)| *count >= MIN_RECORDS);
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let places = found.into_iter().take(MAX_PLACES);
        let place = |((script, path), _): ((&str, String), usize)| JsonRecordPlace {
            script: script.to_owned(),
            path,
        };
        places.map(place).collect()
    }

    fn at<'r>(&'r self, place: &'r JsonRecordPlace) -> impl Iterator<Item = JsonRecord<'r>> {
        let named = self.scripts.iter().filter(|s| s.name == place.script);
        named.flat_map(|script| records(&script.leaves, |path| generalised(path) == place.path))
    }

    /// The names that stand for the addresses of records without one; none if most have one.
    pub fn names(&self, place: &JsonRecordPlace) -> Vec<String> {
        let (mut all, mut addressed) = (0, 0);
        let mut names = Vec::new();
        for record in self.at(place) {
            all += 1;
            addressed += usize::from(record.address().is_some());
            names.extend(record.name().map(str::to_owned));
        }
        if 2 * addressed > all {
            return Vec::new();
        }
        names
    }

    /// The page with an `article` for each record at a place, and in it an element for each of
    /// the record's strings, whose class is the string's path in the record: addresses as links
    /// and pictures, days as `time`. In `address`, `{}` stands for a record's name. `None` if
    /// there is no record.
    pub fn page(&self, place: &JsonRecordPlace, address: Option<&str>) -> Option<Page> {
        let mut html = String::from("<!doctype html><html");
        if let Some(language) = &self.page.metadata().language {
            attribute("lang", language, &mut html);
        }
        html.push_str("><head>");
        if let Some(base) = Base::of(self.page).url() {
            html.push_str("<base");
            attribute("href", base.as_str(), &mut html);
            html.push('>');
        }
        html.push_str("</head><body><main>");
        let empty = html.len();
        for record in self.at(place) {
            record.write(address, &mut html);
        }
        let has_record = html.len() > empty;
        has_record.then(|| Page {
            url: self.page.url.clone(),
            ..Page::from_html(&html)
        })
    }
}

/// The records of a script with the paths that `is_wanted`, in document order.
fn records<'r>(
    leaves: &'r [JsonLeaf],
    is_wanted: impl Fn(&[PathStep]) -> bool + 'r,
) -> impl Iterator<Item = JsonRecord<'r>> {
    let starts = leaves.iter().enumerate().flat_map(|(at, leaf)| {
        let before = at.checked_sub(1).map(|before| &leaves[before]);
        let known = before.map_or(0, |before| leaf.shared(&before.path));
        // A record has keys: a string that is an element itself is none.
        (known + 1..leaf.path.len()).map(move |depth| (at, depth))
    });
    starts.filter_map(move |(at, depth)| {
        let path = &leaves[at].path[..depth];
        if !names_record(&path[depth - 1]) || !is_wanted(path) {
            return None;
        }
        let inside = leaves[at..].iter().take_while(|l| l.shared(path) == depth);
        let length = inside.take(MAX_STRINGS * RECORD_STEPS).count();
        Some(JsonRecord {
            leaves: &leaves[at..at + length],
            depth,
        })
    })
}

impl<'r> JsonRecord<'r> {
    /// Its strings near it.
    fn leaves(&self) -> impl Iterator<Item = &'r JsonLeaf> {
        let depth = self.depth;
        let near = move |leaf: &&JsonLeaf| leaf.path.len() <= depth + RECORD_STEPS;
        self.leaves.iter().filter(near).take(MAX_STRINGS)
    }

    /// Its title: of the strings with a key of one the nearest, of the best key.
    fn title(&self) -> Option<&'r JsonLeaf> {
        self.title_beside(None)
    }

    /// The title in the object of a string, or in the nearest object around it.
    fn title_beside(&self, of: Option<&JsonLeaf>) -> Option<&'r JsonLeaf> {
        let rank = |leaf: &JsonLeaf| {
            let name = leaf.name().to_ascii_lowercase();
            let key = TITLE_KEYS.iter().position(|key| *key == name)?;
            let shared = of.map_or(0, |of| leaf.shared(&of.path));
            (!is_address(leaf)).then_some((usize::MAX - shared, leaf.path.len(), key))
        };
        let ranked = self.leaves().filter_map(|leaf| Some((rank(leaf)?, leaf)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, leaf)| leaf)
    }

    /// Its own address: the nearest to it.
    fn address(&self) -> Option<&'r JsonLeaf> {
        let title = self.title()?;
        let own = |leaf: &&JsonLeaf| {
            let above = title.path.len() - 1;
            is_address(leaf) && !is_image(leaf) && leaf.shared(&title.path) + 1 >= above
        };
        self.leaves().filter(own).min_by_key(|leaf| leaf.path.len())
    }

    /// The name that stands for its address.
    fn name(&self) -> Option<&'r str> {
        let rank = |leaf: &JsonLeaf| {
            let name = leaf.name().to_ascii_lowercase();
            let key = NAME_KEYS.iter().position(|key| *key == name)?;
            Some((leaf.path.len(), key))
        };
        let named = self.leaves().filter(|leaf| is_name(leaf));
        let ranked = named.filter_map(|leaf| Some((rank(leaf)?, &*leaf.text)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, name)| name)
    }

    fn write(&self, address: Option<&str>, html: &mut String) {
        html.push_str("<article>");
        for leaf in self.leaves() {
            let class = self.class(leaf);
            if is_address(leaf) {
                self.link(leaf, &class, &leaf.text, html);
            } else if is_day(leaf) {
                html.push_str("<time");
                attribute("class", &class, html);
                attribute("datetime", &leaf.text, html);
                html.push_str("></time>");
            } else if leaf.text.bytes().any(|b| !b.is_ascii_digit()) {
                let tag = match leaf.name().to_ascii_lowercase() {
                    name if TITLE_KEYS[..3].contains(&&*name) => "h3",
                    _ => "p",
                };
                let text = text_of_html(&unescaped(&leaf.text));
                let _ = write!(html, "<{tag}");
                attribute("class", &class, html);
                html.push('>');
                escape(&text[..text.floor_char_boundary(MAX_STRING_BYTES)], html);
                let _ = write!(html, "</{tag}>");
            }
        }
        if let (Some(address), Some(name)) = (address, self.name())
            && let Some(title) = self.title()
        {
            self.link(title, "address", &address.replace("{}", name), html);
        }
        html.push_str("</article>");
    }

    /// Appends an address: with the title in its object as its text, or as a picture.
    fn link(&self, leaf: &JsonLeaf, class: &str, address: &str, html: &mut String) {
        if is_image(leaf) {
            html.push_str("<img");
            attribute("class", class, html);
            attribute("src", address, html);
            html.push('>');
            return;
        }
        html.push_str("<a");
        attribute("class", class, html);
        attribute("href", address, html);
        html.push('>');
        if let Some(title) = self.title_beside(Some(leaf)) {
            let text = fold(&text_of_html(&unescaped(&title.text)));
            escape(&text[..text.floor_char_boundary(MAX_STRING_BYTES)], html);
        }
        html.push_str("</a>");
    }

    /// The keys from a record to a string, with points between them.
    fn class(&self, leaf: &JsonLeaf) -> String {
        let keys = leaf.path[self.depth..].iter().filter_map(PathStep::name);
        let keys: Vec<String> = keys
            .map(|key| key.replace(char::is_whitespace, "_"))
            .collect();
        keys.join(".")
    }
}

/// True if a string is an address, by its form.
fn is_address(leaf: &JsonLeaf) -> bool {
    let text = &leaf.text;
    let begins = ["http://", "https://", "/"];
    begins
        .iter()
        .any(|begin| text.starts_with(begin) && text.len() > begin.len())
        && text.len() <= MAX_ADDRESS_BYTES
        && !text.contains(char::is_whitespace)
}

/// True if the address of a string is that of a picture.
fn is_image(leaf: &JsonLeaf) -> bool {
    let path = leaf.text.split(['?', '#']).next().unwrap_or_default();
    let ends = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".svg", ".avif"];
    let mut keys = leaf.path.iter().rev().take(3).filter_map(PathStep::name);
    ends.iter()
        .any(|end| path.to_ascii_lowercase().ends_with(end))
        || keys.any(|key| {
            let key = key.to_ascii_lowercase();
            key == "src" || IMAGE_KEYS.iter().any(|part| key.contains(part))
        })
}

/// True if a string may stand for its record in an address.
fn is_name(leaf: &JsonLeaf) -> bool {
    let name = leaf.name().to_ascii_lowercase();
    NAME_KEYS.contains(&&*name)
        && leaf.text.len() <= MAX_ADDRESS_BYTES
        && !leaf.text.contains(|c: char| c.is_whitespace() || c == ':')
}

/// True if a string says when: a number by its key, else by its form.
fn is_day(leaf: &JsonLeaf) -> bool {
    let name = leaf.name().to_ascii_lowercase();
    let is_time = ["date", "time", "publish", "created", "updated", "modified"]
        .iter()
        .any(|part| name.contains(part));
    let is_number = leaf.text.bytes().all(|b| b.is_ascii_digit());
    let begins_with_year = leaf.text.len() <= 40
        && leaf.text.as_bytes().get(..5).is_some_and(|year| {
            year[..4].iter().all(u8::is_ascii_digit) && matches!(year[4], b'-' | b'/')
        });
    is_time && (is_number && leaf.text.len() >= 8) || begins_with_year
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::NodeId;

    fn page(json: &str) -> Page {
        // Shorter scripts are not looked at.
        let space = " ".repeat(200);
        let html =
            format!("<html lang=de><script id=s type=application/json>{json}{space}</script>");
        Page::from_html(&html)
    }

    fn body(page: &Page) -> String {
        page.body().map_or("", |n: NodeId| page.text(n)).to_owned()
    }

    #[test]
    fn records_become_elements() {
        let page = page(
            r#"{"posts":[{"title":"One","url":"/1","published":1716900000,"author":{"name":"Jo","url":"/jo"},
            "image":{"url":"/1.jpg"}},{"title":"Two","url":"/2","n":7}],"menu":["a","b"]}"#,
        );
        let records = PageRecords::of(&page);
        let places = records.places();
        assert_eq!(places.len(), 1, "{places:?}");
        assert_eq!((&*places[0].script, &*places[0].path), ("#s", "/posts/*"));
        let made = records.page(&places[0], None).expect("records");
        let hrefs = made.elements().filter_map(|n| made.attr(n, "href"));
        assert_eq!(hrefs.collect::<Vec<_>>(), ["/1", "/jo", "/2"]);
        assert_eq!(body(&made), "OneOneJoJoTwoTwo");
        let days = made.elements().filter_map(|n| made.attr(n, "datetime"));
        assert_eq!(days.collect::<Vec<_>>(), ["1716900000"]);
    }

    #[test]
    fn a_name_stands_for_an_address() {
        let page = page(
            r#"[{"node":{"slug":"the-mill","title":"One"}},{"node":{"slug":"the-ferry","title":"Two"}}]"#,
        );
        let records = PageRecords::of(&page);
        let place = records.places().remove(0);
        assert_eq!(place.path, "/*");
        assert_eq!(records.names(&place), ["the-mill", "the-ferry"]);
        let made = records
            .page(&place, Some("/news/{}.html"))
            .expect("records");
        let hrefs = made.elements().filter_map(|n| made.attr(n, "href"));
        assert_eq!(
            hrefs.collect::<Vec<_>>(),
            ["/news/the-mill.html", "/news/the-ferry.html"]
        );
    }

    #[test]
    fn strings_and_records_without_address_are_no_list() {
        assert_eq!(PageRecords::of(&page(r#"["a","b","c"]"#)).places(), []);
        assert_eq!(
            PageRecords::of(&page(r#"[{"title":"a"},{"title":"b"}]"#)).places(),
            []
        );
        assert_eq!(PageRecords::of(&Page::from_html("")).places(), []);
    }
}
