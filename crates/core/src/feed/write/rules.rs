//! The rules of the three formats, a test each, over feeds that have all and that have nothing.

use super::*;
use crate::feed::Enclosure;
use roxmltree::{Document, Node};
use serde_json::Value;
use std::collections::HashSet;

const ATOM: &str = "http://www.w3.org/2005/Atom";

fn time(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).expect("a time")
}

fn web_url(text: &str) -> Option<Url> {
    Url::parse(text).ok()
}

fn entry(n: usize) -> FeedEntry {
    FeedEntry {
        id: format!("https://example.org/{n}"),
        number: Some(1_900_719_925_474_099_251),
        url: web_url(&format!("https://example.org/{n}")),
        title: format!("Bridge & <tunnel> {n}"),
        html: "<p>Open &amp; free</p>".to_owned(),
        authors: vec!["Ann Lee".to_owned(), "Jo".to_owned()],
        published: Some(time("2026-11-20T08:00:00+02:00")),
        updated: Some(time("2026-11-21T20:00:00Z")),
        categories: vec!["harbour & sea".to_owned()],
        terms: vec![SchemeTerm {
            scheme: "https://example.org/states".to_owned(),
            term: "state/read".to_owned(),
            label: "read & \"kept\"".to_owned(),
        }],
        language: Some("en".to_owned()),
        image: web_url("https://example.org/a.png"),
        enclosures: vec![
            Enclosure {
                url: "https://example.org/a.mp3".parse().expect("an address"),
                media_type: Some("audio/mpeg".to_owned()),
                bytes: Some(5),
            },
            Enclosure {
                url: "https://example.org/b".parse().expect("an address"),
                media_type: None,
                bytes: None,
            },
        ],
    }
}

/// A feed with all, one with entries that have nothing, one without entries, and an odd one.
fn channels() -> Vec<Channel> {
    let bare = |n: usize| FeedEntry {
        id: format!("urn:x:{n}"),
        ..FeedEntry::default()
    };
    let odd = FeedEntry {
        title: "nul\0 ]]> <b>\u{ffff}".to_owned(),
        categories: vec!["\"/><x>".to_owned(), String::new()],
        language: Some("en\" a=\"".to_owned()),
        url: web_url("javascript:alert(1)"),
        ..entry(3)
    };
    vec![
        Channel {
            id: "https://example.org/".to_owned(),
            title: "News & <more>".to_owned(),
            description: Some("All of it".to_owned()),
            home: web_url("https://example.org/"),
            address: web_url("https://example.org/whole.xml"),
            language: Some("en".to_owned()),
            image: web_url("https://example.org/logo.png"),
            entries: vec![entry(1), entry(2)],
            at: time("2026-11-22T08:00:00Z"),
        },
        Channel {
            id: "urn:x:all".to_owned(),
            entries: vec![bare(1), bare(2)],
            ..Channel::default()
        },
        Channel {
            id: "urn:x:none".to_owned(),
            home: web_url("ftp://example.org/"),
            ..Channel::default()
        },
        Channel {
            id: "urn:x:odd".to_owned(),
            title: "\u{1b}[31m".to_owned(),
            entries: vec![odd],
            ..Channel::default()
        },
    ]
}

fn over_xml(format: SyndicationFormat, rule: impl Fn(Node<'_, '_>, &Channel)) {
    for channel in channels() {
        let text = write(&channel, format);
        let document = Document::parse(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
        rule(document.root_element(), &channel);
    }
}

/// A rule of Atom on the feed and on each of its entries.
fn atom(rule: impl Fn(Node<'_, '_>)) {
    over_xml(SyndicationFormat::Atom, |feed, _| {
        let entries = feed
            .children()
            .filter(|node| node.has_tag_name((ATOM, "entry")));
        entries.chain([feed]).for_each(&rule);
    });
}

/// A rule of RSS on the channel and on each of its items.
fn rss(rule: impl Fn(Node<'_, '_>)) {
    over_xml(SyndicationFormat::Rss, |rss, _| {
        let channel = only(rss, "channel").expect("a channel");
        let items = channel.children().filter(|node| node.has_tag_name("item"));
        items.chain([channel]).for_each(&rule);
    });
}

fn json(rule: impl Fn(&Value)) {
    for channel in channels() {
        let text = write(&channel, SyndicationFormat::Json);
        rule(&serde_json::from_str(&text).expect("JSON"));
    }
}

fn json_items(rule: impl Fn(&Value)) {
    json(|feed| {
        feed["items"]
            .as_array()
            .expect("a list")
            .iter()
            .for_each(&rule)
    });
}

fn named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Vec<Node<'a, 'i>> {
    let children = node.children().filter(Node::is_element);
    children
        .filter(|child| child.tag_name().name() == name)
        .collect()
}

/// The only child with a name; `None` if there is none.
fn only<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    let found = named(node, name);
    assert!(found.len() <= 1, "{} times {name}", found.len());
    found.first().copied()
}

fn is_iri(text: &str) -> bool {
    Url::parse(text).is_ok()
}

// Atom: RFC 4287.

#[test]
fn atom_4_1_a_feed_and_an_entry_have_one_id_title_and_time() {
    atom(|node| {
        for name in ["id", "title", "updated"] {
            assert!(only(node, name).is_some(), "{name}");
        }
    });
}

#[test]
fn atom_4_1_1_there_is_an_author_of_each_entry() {
    over_xml(SyndicationFormat::Atom, |feed, _| {
        let of_feed = !named(feed, "author").is_empty();
        let entries = named(feed, "entry");
        assert!(
            of_feed
                || entries
                    .iter()
                    .all(|entry| !named(*entry, "author").is_empty())
        );
    });
}

#[test]
fn atom_3_2_a_person_has_one_name() {
    atom(|node| {
        for author in named(node, "author") {
            assert!(only(author, "name").is_some());
        }
    });
}

#[test]
fn atom_3_3_times_are_of_rfc_3339_with_capital_letters() {
    atom(|node| {
        for name in ["updated", "published"] {
            let Some(text) = only(node, name).and_then(|date| date.text()) else {
                continue;
            };
            assert!(DateTime::parse_from_rfc3339(text).is_ok(), "{text}");
            assert!(text.contains('T') && !text.contains(['t', 'z']), "{text}");
        }
    });
}

#[test]
fn atom_4_2_6_an_id_is_an_absolute_iri_and_of_one_entry() {
    atom(|node| {
        let id = only(node, "id")
            .and_then(|id| id.text())
            .unwrap_or_default();
        assert!(is_iri(id), "{id}");
    });
    over_xml(SyndicationFormat::Atom, |feed, channel| {
        let ids = named(feed, "entry").into_iter();
        let ids: HashSet<_> = ids
            .map(|entry| only(entry, "id").and_then(|id| id.text()))
            .collect();
        assert_eq!(ids.len(), channel.entries.len());
    });
}

#[test]
fn atom_4_2_7_a_link_has_an_address_and_there_is_one_alternate() {
    atom(|node| {
        let links = named(node, "link");
        for link in &links {
            assert!(link.attribute("href").is_some_and(is_iri));
        }
        let rels: Vec<_> = links.iter().map(|link| link.attribute("rel")).collect();
        for once in ["alternate", "self"] {
            assert!(rels.iter().filter(|rel| **rel == Some(once)).count() <= 1);
        }
    });
}

#[test]
fn atom_4_1_2_an_entry_without_content_would_need_a_link() {
    over_xml(SyndicationFormat::Atom, |feed, _| {
        for entry in named(feed, "entry") {
            let content = only(entry, "content").expect("content");
            assert_eq!(content.attribute("type"), Some("html"));
            assert!(content.children().all(|child| child.is_text()), "4.1.3.3");
        }
    });
}

#[test]
fn atom_4_2_2_a_category_has_a_term() {
    atom(|node| {
        for category in named(node, "category") {
            assert!(category.attribute("term").is_some());
        }
    });
}

#[test]
fn atom_3_1_texts_have_no_children_unless_they_are_xhtml() {
    atom(|node| {
        for name in ["title", "subtitle"] {
            for text in named(node, name) {
                assert!(matches!(
                    text.attribute("type"),
                    None | Some("text" | "html")
                ));
                assert!(text.children().all(|child| child.is_text()));
            }
        }
    });
}

#[test]
fn atom_2_a_language_is_a_tag() {
    atom(|node| {
        let language = node.attribute(("http://www.w3.org/XML/1998/namespace", "lang"));
        let is_tag = |tag: &str| tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        assert!(language.is_none_or(is_tag), "{language:?}");
    });
}

// RSS 2.0, and the Advisory Board's profile.

#[test]
fn rss_has_its_version_and_one_channel() {
    over_xml(SyndicationFormat::Rss, |rss, _| {
        assert_eq!(rss.attribute("version"), Some("2.0"));
        assert!(only(rss, "channel").is_some());
    });
}

#[test]
fn rss_a_channel_has_a_title_a_link_and_a_description() {
    over_xml(SyndicationFormat::Rss, |rss, _| {
        let channel = only(rss, "channel").expect("a channel");
        for name in ["title", "description"] {
            assert!(only(channel, name).is_some(), "{name}");
        }
        let link = channel.children().find(|child| child.has_tag_name("link"));
        let link = link.and_then(|link| link.text()).unwrap_or_default();
        assert!(is_iri(link), "{link:?}");
    });
}

#[test]
fn rss_an_item_has_a_title_or_a_description() {
    rss(|node| assert!(only(node, "title").is_some()));
}

#[test]
fn rss_times_are_of_rfc_822() {
    rss(|node| {
        for name in ["pubDate", "lastBuildDate"] {
            let text = only(node, name).and_then(|date| date.text());
            assert!(
                text.is_none_or(|text| DateTime::parse_from_rfc2822(text).is_ok()),
                "{text:?}"
            );
        }
    });
}

#[test]
fn rss_a_guid_is_of_one_item_and_says_if_it_is_a_link() {
    over_xml(SyndicationFormat::Rss, |rss, channel| {
        let items = named(only(rss, "channel").expect("a channel"), "item").into_iter();
        let guids: HashSet<_> = items
            .map(|item| {
                let guid = only(item, "guid").expect("a guid");
                let text = guid.text().unwrap_or_default();
                let link = item.children().find(|child| child.has_tag_name("link"));
                let is_link = link.and_then(|link| link.text()) == Some(text);
                assert_eq!(
                    guid.attribute("isPermaLink"),
                    Some(if is_link { "true" } else { "false" })
                );
                text
            })
            .collect();
        assert_eq!(guids.len(), channel.entries.len());
    });
}

#[test]
fn rss_an_enclosure_has_an_address_a_length_and_a_type_and_is_alone() {
    rss(|node| {
        if let Some(enclosure) = only(node, "enclosure") {
            assert!(enclosure.attribute("url").is_some_and(is_iri));
            assert!(
                enclosure
                    .attribute("length")
                    .is_some_and(|n| n.parse::<u64>().is_ok())
            );
            assert!(
                enclosure
                    .attribute("type")
                    .is_some_and(|kind| kind.contains('/'))
            );
        }
    });
}

#[test]
fn rss_a_picture_has_the_title_and_the_link_of_its_channel() {
    rss(|node| {
        let Some(image) = node.children().find(|child| child.has_tag_name("image")) else {
            return;
        };
        assert!(
            only(image, "url")
                .and_then(|url| url.text())
                .is_some_and(is_iri)
        );
        for name in ["title", "link"] {
            let of = |node: Node<'_, '_>| {
                let found = node.children().find(|child| child.has_tag_name(name));
                found.and_then(|found| found.text()).map(str::to_owned)
            };
            assert_eq!(of(image), of(node), "{name}");
        }
    });
}

#[test]
fn rss_an_author_without_mail_is_a_creator() {
    rss(|node| assert!(named(node, "author").is_empty()));
}

#[test]
fn rss_elements_of_modules_are_in_their_namespaces() {
    rss(|node| {
        for child in node.children().filter(Node::is_element) {
            let own = [
                "title",
                "link",
                "description",
                "language",
                "lastBuildDate",
                "image",
                "item",
                "guid",
                "pubDate",
                "category",
                "enclosure",
            ];
            let tag = child.tag_name();
            assert_eq!(
                tag.namespace().is_none(),
                own.contains(&tag.name()) && tag.namespace().is_none()
            );
            assert!(
                tag.namespace().is_some() || own.contains(&tag.name()),
                "{}",
                tag.name()
            );
        }
    });
}

// JSON Feed 1.1.

#[test]
fn json_has_its_version_a_title_and_items() {
    json(|feed| {
        assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
        assert!(feed["title"].is_string() && feed["items"].is_array());
    });
}

#[test]
fn json_an_id_is_a_string_and_of_one_item() {
    json(|feed| {
        let items = feed["items"].as_array().expect("a list");
        let ids: HashSet<&str> = items
            .iter()
            .filter_map(|item| item["id"].as_str())
            .collect();
        assert_eq!(ids.len(), items.len());
    });
}

#[test]
fn json_a_number_is_whole_where_numbers_are_rounded() {
    let channel = Channel {
        entries: vec![entry(1), FeedEntry::default()],
        ..Channel::default()
    };
    let feed: Value =
        serde_json::from_str(&write(&channel, SyndicationFormat::Json)).expect("JSON");
    assert_eq!(feed["items"][0]["_forest"]["number"], "1900719925474099251");
    assert_eq!(feed["items"][1].get("_forest"), None);
}

#[test]
fn json_an_item_has_content() {
    json_items(|item| assert!(item["content_html"].is_string()));
}

#[test]
fn json_times_are_of_rfc_3339() {
    json_items(|item| {
        for name in ["date_published", "date_modified"] {
            let text = item[name].as_str();
            assert!(
                text.is_none_or(|text| DateTime::parse_from_rfc3339(text).is_ok()),
                "{text:?}"
            );
        }
    });
}

#[test]
fn json_addresses_are_addresses() {
    let check = |value: &Value, names: &[&str]| {
        for name in names {
            let address = &value[*name];
            assert!(
                address.is_null() || address.as_str().is_some_and(is_iri),
                "{name}: {address}"
            );
        }
    };
    json(|feed| check(feed, &["home_page_url", "feed_url", "icon"]));
    json_items(|item| check(item, &["url", "image"]));
}

#[test]
fn json_an_author_has_a_name_and_the_old_field_is_not_used() {
    json_items(|item| {
        for author in item["authors"].as_array().into_iter().flatten() {
            assert!(author["name"].is_string());
        }
        assert!(item["author"].is_null(), "1.0");
    });
}

#[test]
fn json_an_attachment_has_an_address_and_a_type() {
    json_items(|item| {
        for attachment in item["attachments"].as_array().into_iter().flatten() {
            assert!(attachment["url"].as_str().is_some_and(is_iri));
            assert!(
                attachment["mime_type"]
                    .as_str()
                    .is_some_and(|kind| kind.contains('/'))
            );
            let bytes = &attachment["size_in_bytes"];
            assert!(bytes.is_null() || bytes.is_u64());
        }
    });
}

#[test]
fn feed_rs_reads_back_all_that_has_entries() {
    for channel in channels() {
        for format in [
            SyndicationFormat::Atom,
            SyndicationFormat::Rss,
            SyndicationFormat::Json,
        ] {
            let text = write(&channel, format);
            let read = feed_rs::parser::parse(text.as_bytes());
            let read = read.unwrap_or_else(|why| panic!("{format:?}: {why}: {text}"));
            let ids: Vec<&str> = read.entries.iter().map(|entry| entry.id.as_str()).collect();
            let written: Vec<&str> = channel
                .entries
                .iter()
                .map(|entry| entry.id.as_str())
                .collect();
            assert_eq!(ids, written, "{format:?}");
        }
    }
}
