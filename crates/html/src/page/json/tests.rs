use super::place::JsonKind;
use super::value::PageJson;
use crate::page::{Mask, Page};

const SENTENCE: &str = "The ferry to the islands leaves an hour later from Monday on.";

/// The page of the article in some JSON.
fn article(title: &str, json: &serde_json::Value) -> Option<Page> {
    let json = json.to_string().replace("</", "<\\/");
    let page = Page::from_html(&format!(
        "<title>{title}</title><script type=application/json>{json}</script>"
    ));
    let json = PageJson::of(&page);
    json.article().map(|value| json.page(&value))
}

fn path(title: &str, json: &serde_json::Value) -> Option<String> {
    let page = article(title, json)?;
    page.json_place().map(|place| place.path.clone())
}

/// The blocks of a page's body, each as `tag: text`.
fn blocks(page: &Page) -> Vec<String> {
    let kept = Mask::all(page);
    let texts = kept.texts(page).filter(|&n| page.is_content(n));
    let shown = texts.map(|n| {
        let tag = page.parent_element(n).and_then(|up| page.tag(up));
        format!("{}: {}", tag.map_or("", |tag| &**tag), page.text(n))
    });
    shown.collect()
}

#[test]
fn blocks_have_their_kinds() {
    let long = SENTENCE.repeat(4);
    let page = article(
        "Ferries",
        &serde_json::json!({ "title": "Ferries", "body": [
            { "type": "paragraph", "text": long },
            { "type": "heading", "level": 2, "text": "A new engine" },
            { "type": "list", "items": [{ "text": "Monday is the day of it" }, { "text": "Tuesday" }] },
            { "type": "p", "children": [{ "text": "See " }, { "text": "the timetable" }, { "text": ", it says." }] },
            { "type": "image", "url": "https://a.example/b c.jpg", "alt": "a ferry that leaves an hour later" },
            { "type": "quote", "text": "It never <b>came</b>." },
        ] }),
    );
    let page = page.expect("an article");
    let expected = [
        &format!("p: {long}"),
        "h2: A new engine",
        "li: Monday is the day of it",
        "li: Tuesday",
        "p: See the timetable, it says.",
        "blockquote: It never ",
        "b: came",
        "blockquote: .",
    ];
    assert_eq!(blocks(&page), expected);
    let place = page.json_place().expect("a place");
    assert_eq!((&*place.path, place.kind), ("/body", JsonKind::Blocks));
}

#[test]
fn the_objects_with_the_headline_are_preferred() {
    let long = SENTENCE.repeat(9);
    let other = format!("{long} {long}");
    let json = serde_json::json!({ "posts": [
        { "title": { "rendered": "Trains" }, "content": { "rendered": other } },
        { "title": { "rendered": "Ferries &amp; boats" }, "content": { "rendered": long } },
    ] });
    let page = article("Ferries & boats | The Paper", &json).expect("an article");
    assert_eq!(blocks(&page), [format!("p: {long}")]);
    assert_eq!(
        path("Planes", &json),
        None,
        "of two texts neither is the page's"
    );
}

#[test]
fn comments_and_lists_of_articles_are_no_blocks() {
    let comment = |day: &str| serde_json::json!({ "date": day, "text": SENTENCE.repeat(9) });
    let json = serde_json::json!({ "title": "Ferries", "html": format!("<p>{}", SENTENCE.repeat(5)),
        "comments": [comment("2024-03-05"), comment("2024-03-06T10:00:00Z")] });
    assert_eq!(path("Ferries", &json).as_deref(), Some("/html"));
}

#[test]
fn what_closes_elements_stays_inside() {
    let json = serde_json::json!({ "title": "Ferries",
        "html": format!("</div></div><p>{0}</p></body></html><p>{0}", SENTENCE.repeat(3)) });
    let page = article("Ferries", &json).expect("an article");
    let long = SENTENCE.repeat(3);
    assert_eq!(blocks(&page), [format!("p: {long}"), format!("p: {long}")]);
    let main = page
        .elements()
        .find(|&n| page.attr(n, "itemprop").is_some());
    let main = main.expect("the body");
    assert_eq!(page.text(main).matches("Monday").count(), 6);
}

#[test]
fn gaps_of_the_metadata_are_filled() {
    let json = serde_json::json!({ "story": { "headline": "Ferries", "publishedAt": "2024-03-05",
        "authors": [{ "name": "A. Writer" }], "text": SENTENCE.repeat(20) } });
    let page = article("", &json).expect("the only text");
    let metadata = page.metadata();
    assert_eq!(metadata.title.as_deref(), Some("Ferries"));
    assert_eq!(metadata.authors, ["A. Writer"]);
    assert!(metadata.date_published.is_some());
    let named = page
        .elements()
        .find(|&n| page.attr(n, "name") == Some("authors.name"));
    assert_eq!(
        named.and_then(|n| page.attr(n, "content")),
        Some("A. Writer")
    );
}

/// Records of a thread, of which the first is of `first`.
fn thread(posts: usize, first: &str) -> serde_json::Value {
    let post = |at: usize| {
        serde_json::json!({ "user": { "id": at, "name": if at == 0 { first.to_owned() } else { format!("user{at}") } },
            "createdAt": "2024-03-05T10:00:00Z", "message": if at == 1 { "Thanks!" } else { SENTENCE } })
    };
    let posts: Vec<serde_json::Value> = (0..posts).map(post).collect();
    serde_json::json!({ "thread": { "title": "Ferries", "posts": posts } })
}

#[test]
fn the_posts_of_a_thread_have_authors_and_days() {
    let json = thread(4, "Jo Writer");
    let page = Page::from_html(&format!(
        "<title>Ferries</title><script type=application/json>{json}</script>"
    ));
    let json = PageJson::of(&page);
    let value = json.article().expect("a thread");
    assert_eq!(value.place.kind, JsonKind::Thread);
    assert_eq!(value.place.path, "/thread/posts/*/message");
    let posts = json.posts(&value);
    let shown: Vec<(Option<&str>, &str)> = posts
        .iter()
        .map(|post| (post.author.as_deref(), &*post.text))
        .collect();
    assert_eq!(
        shown,
        [
            (Some("Jo Writer"), SENTENCE),
            (Some("user1"), "Thanks!"),
            (Some("user2"), SENTENCE),
            (Some("user3"), SENTENCE),
        ]
    );
    let days = posts
        .iter()
        .filter_map(|post| post.date.as_ref()?.rfc3339.as_deref());
    assert_eq!(days.filter(|day| day.starts_with("2024-03-05")).count(), 4);
    let again = json.at(&value.place).expect("the place of a wrapper");
    assert_eq!(json.text(&again), json.text(&value));
}

#[test]
fn an_article_in_an_array_is_no_thread() {
    let json = serde_json::json!([{ "headline": "Ferries", "author": "Jo Writer", "articleBody": SENTENCE.repeat(9) }]);
    let made = article("Ferries", &json).expect("an article");
    let place = made.json_place().expect("a place");
    assert_eq!(
        (&*place.path, place.kind),
        ("/*/articleBody", JsonKind::Text)
    );
}

#[test]
fn a_thread_without_end_ends() {
    let made = article("Ferries", &thread(4_000, "Jo")).expect("a thread");
    assert!(blocks(&made).len() > 1000);
    // Each string stands in one around it.
    let mut nested = serde_json::json!({ "text": SENTENCE });
    for _ in 0..20 {
        nested = serde_json::json!({ "text": SENTENCE, "blocks": [nested] });
    }
    let all = serde_json::json!({ "title": "Ferries", "blocks": vec![nested; 400] });
    let made = article("Ferries", &all).expect("blocks");
    assert_eq!(blocks(&made).len(), 400);
}
