use super::super::search::published;
use super::super::{ArticleVersion, StoredArticle};
use super::feeds::{article_entry, change_entry};
use super::*;
use chrono::{DateTime, Utc};
use forest_core::extract::{Article, Status};
use forest_core::feed::write::{self, Channel, write};

fn time(day: u32) -> DateTime<Utc> {
    format!("2026-01-{day:02}T03:04:05Z")
        .parse()
        .expect("a time")
}

fn article(url: &str, text: &str) -> (StoredArticle, ArticleVersion) {
    let stored = StoredArticle {
        id: 1,
        key: url.to_owned(),
        url: url.to_owned(),
        site: "a.example".to_owned(),
        first_seen: time(2),
        versions: 1,
    };
    let version = ArticleVersion {
        id: 1,
        article: 1,
        number: 1,
        at: time(2),
        wrapper: None,
        record: Article {
            url: Some(url.to_owned()),
            title: Some("Ferry".to_owned()),
            text: text.to_owned(),
            status: Status::Ok,
            ..Article::default()
        },
        changed: 1,
        raw: None,
    };
    (stored, version)
}

#[test]
fn text_without_html_is_a_paragraph_a_line() {
    let (stored, version) = article("https://a.example/1", "a < b\n\nc & d");
    let entry = article_entry(&stored, &version);
    assert_eq!(entry.html, "<p>a &lt; b</p>\n<p>c &amp; d</p>\n");
    assert_eq!(
        (entry.id.as_str(), entry.published),
        ("https://a.example/1", None)
    );
    assert_eq!(entry.updated, Some(time(2).fixed_offset()));
}

#[test]
fn a_title_is_not_repeated() {
    let check = |html: &str, expected: &str| {
        let (stored, mut version) = article("https://a.example/1", "x");
        version.record.html = Some(html.to_owned());
        assert_eq!(article_entry(&stored, &version).html, expected);
    };
    check("<h1>Ferry</h1>\n<p>a</p>", "<p>a</p>");
    // Another headline stays.
    check(
        "<h2><a href=\"/x\">The ferry</a></h2><p>a</p>",
        "<h2><a href=\"/x\">The ferry</a></h2><p>a</p>",
    );
    check(
        "<div>\n<div><h2><b>FERRY</b></h2><p>a</p></div></div>",
        "<div>\n<div><p>a</p></div></div>",
    );
    // A headline that is not at the beginning, or is the only content, stays.
    check("<p>a</p><h1>Ferry</h1>", "<p>a</p><h1>Ferry</h1>");
    check("<h1>Ferry</h1>", "<h1>Ferry</h1>");
    check("Ferry", "Ferry");
    let (stored, version) = article("https://a.example/1", "Ferry\na");
    assert_eq!(article_entry(&stored, &version).html, "<p>a</p>\n");
}

#[test]
fn an_article_was_changed_at_the_time_on_its_page() {
    let check = |published: Option<&str>, modified: Option<&str>, number: u32, expected: &str| {
        let (stored, mut version) = article("https://a.example/1", "a");
        (version.number, version.at) = (number, time(2 + number));
        version.record.date_published = published.map(str::to_owned);
        version.record.date_modified = modified.map(str::to_owned);
        let updated = article_entry(&stored, &version).updated.expect("a time");
        assert_eq!(updated.to_rfc3339(), expected, "{published:?} {modified:?}");
    };
    let (day, later) = (Some("2026-01-01T10:00:00Z"), Some("2026-01-02T09:00:00Z"));
    check(day, None, 1, "2026-01-01T10:00:00+00:00");
    check(day, later, 1, "2026-01-02T09:00:00+00:00");
    check(None, None, 1, "2026-01-03T03:04:05+00:00");
    // A date more than a day ahead is ignored.
    check(Some("2027-01-01"), None, 1, "2026-01-03T03:04:05+00:00");
    // An edit without a date on the page has the time of the visit.
    check(day, Some("2026-01-01"), 2, "2026-01-04T03:04:05+00:00");
    check(
        day,
        Some("2026-01-03T12:00:00Z"),
        2,
        "2026-01-03T12:00:00+00:00",
    );
}

#[test]
fn html_is_sanitised_once_more() {
    let (stored, mut version) = article("https://a.example/1", "a");
    version.record.html = Some("<p onclick=x>a</p><script>b</script>".to_owned());
    assert_eq!(article_entry(&stored, &version).html, "<p>a</p>");
}

#[test]
fn an_address_that_is_none_gives_a_name() {
    let (stored, version) = article("saved pages/1", "a");
    let entry = article_entry(&stored, &version);
    assert_eq!(
        (entry.id.as_str(), entry.url),
        ("urn:forest:saved+pages%2F1", None)
    );
}

#[test]
fn dates_of_publication() {
    let check = |date: Option<&str>, expected: &str| {
        let (stored, mut version) = article("https://a.example/1", "a");
        version.record.date_published = date.map(str::to_owned);
        assert_eq!(
            published(&stored, &version).to_rfc3339(),
            expected,
            "{date:?}"
        );
    };
    check(
        Some("2026-01-05T10:00:00+02:00"),
        "2026-01-05T08:00:00+00:00",
    );
    check(Some("2026-01-05T10:00:00"), "2026-01-05T10:00:00+00:00");
    check(Some("2026-01-05"), "2026-01-05T00:00:00+00:00");
    check(Some("last week"), "2026-01-02T03:04:05+00:00");
    check(None, "2026-01-02T03:04:05+00:00");
}

#[test]
fn edits_are_entries_of_their_own() {
    let (stored, first) = article("https://a.example/1", "It leaves at <nine>.");
    let (_, mut second) = article("https://a.example/1", "It leaves at <ten>.");
    (second.number, second.at) = (2, time(3));
    second.record.title = Some("Ferry, later".to_owned());
    let entry = change_entry(&stored, &first, &second);
    assert_eq!(entry.id, "https://a.example/1#version-2");
    assert_eq!(
        entry.html,
        "<p>Ferry<ins>, later</ins></p>\n<p>It leaves at &lt;<del>nine</del><ins>ten</ins>&gt;.</p>\n"
    );
    let channel: Channel = versions_channel(&stored, &[first, second]);
    let ids: Vec<&str> = channel.entries.iter().map(|entry| &*entry.id).collect();
    assert_eq!(
        ids,
        ["https://a.example/1#version-2", "https://a.example/1"]
    );
    let atom = write(&channel, write::SyndicationFormat::Atom);
    roxmltree::Document::parse(&atom).expect("well-formed");
}
