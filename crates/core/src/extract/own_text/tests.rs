//! Invented pages whose text stands in their JSON or in `noscript`, or only seems to.

use super::super::{Article, Options, Status, one_page};
use forest_html::page::{Page, Source};
use serde_json::{Value, json};

const URL: &str = "https://pier.example/t/ferry-times-from-monday/40817";

/// Sentences of which no two are alike.
const SENTENCES: [&str; 8] = [
    "The ferry to the islands leaves an hour later from Monday on, said the harbour master.",
    "Its old engine had failed three times in a week, and passengers had to be towed home.",
    "A new one was ordered in March, but the yard that builds it has no crane to lift it.",
    "Until summer a fishing boat carries the mail, the milk and whoever can climb a ladder.",
    "The school on the outer island begins at nine instead of eight for as long as that lasts.",
    "Two teachers sleep in the lighthouse when the wind is too strong for the small boat.",
    "Nobody in the village remembers a winter in which the crossing was closed for so long.",
    "The council votes on Thursday on whether the fare should be halved until the ferry is back.",
];

const NOTICE: &str = "All content on this site is provided for general information only and does not \
    constitute advice of any kind. The company accepts no liability for losses that arise from its use, \
    and the rights of third parties remain with them. Reproduction in whole or in part needs consent in \
    writing. By using the site you accept these terms, our policy on privacy and the use of cookies, as \
    amended from time to time. Courts at the seat of the company have jurisdiction over any dispute, as \
    far as the law allows such an agreement between the parties, and no clause affects any other clause.";

fn story() -> String {
    SENTENCES.join(" ")
}

fn paragraphs() -> String {
    SENTENCES.map(|s| format!("<p>{s}</p>")).concat()
}

fn read(html: &str) -> Article {
    let source = Source {
        url: Some(URL),
        content_type: None,
    };
    one_page(&Page::parse(html.as_bytes(), source), &Options::default())
}

/// A page of these elements, with a state in a script.
fn page(title: &str, body: &str, state: &Value) -> String {
    let state = state.to_string().replace("</", "<\\/");
    format!(
        "<!doctype html><html lang=en><head><title>{title}</title></head><body>{body}\
         <script id=__STATE__ type=application/json>{state}</script></body></html>"
    )
}

/// A shell that scripts fill from a state.
fn shell(state: &Value) -> Article {
    read(&page(
        "Ferry times from Monday",
        "<div id=root></div>",
        state,
    ))
}

/// Checks the lines of a text, the headline aside.
fn check_text(article: &Article, lines: &[&str]) {
    let shown = article
        .text
        .lines()
        .filter(|&line| line != "Ferry times from Monday");
    assert_eq!(shown.collect::<Vec<_>>(), lines, "{article:?}");
    assert_eq!(article.status, Status::Ok, "{article:?}");
}

fn check_story(article: &Article) {
    assert_eq!(
        article.text.split_whitespace().collect::<Vec<_>>(),
        story().split_whitespace().collect::<Vec<_>>(),
        "{article:?}"
    );
    assert_eq!(article.status, Status::Ok, "{article:?}");
}

fn check_none(article: &Article) {
    assert_eq!(&*article.text, "", "{article:?}");
    assert_ne!(article.status, Status::Ok);
}

fn warns(article: &Article, of: &str) -> bool {
    let texts: Vec<String> = article.warnings.iter().map(ToString::to_string).collect();
    texts.iter().any(|text| text.contains(of))
}

/// The state of a forum of the usual program: JSON in strings of JSON, in an attribute.
fn forum(has_posts: bool) -> String {
    let post = |at: usize| {
        json!({ "id": 91000 + at, "username": format!("user{at}"), "created_at": "2024-03-05T10:00:00Z",
            "cooked": format!("<p>{}</p>", SENTENCES[at]), "post_number": at + 1,
            "actions_summary": [{ "id": 2, "count": 1 }] })
    };
    let kinds = ["It is off topic", "It is rude", "It is spam"].map(|name| {
        json!({ "name": name, "short_description": "This post is not about the topic as its title has it, \
            and should be moved elsewhere or be left to the moderators of this place to deal with" })
    });
    let mut posts: Vec<Value> = (0..4).map(post).collect();
    if has_posts {
        posts[2]["cooked"] = json!("<p>Thanks!</p>");
    } else {
        posts.clear();
    }
    let topic = json!({ "post_stream": { "posts": posts }, "id": 40817,
        "title": "Ferry times from Monday", "slug": "ferry-times-from-monday" });
    let site = json!({ "post_action_types": kinds, "title": "The Pier" });
    let banner = json!({ "html": format!("<p>{NOTICE}</p>"), "title": "Welcome" });
    let outer = json!({ "site": site.to_string(), "banner": banner.to_string(),
        "topic_40817": topic.to_string() });
    outer
        .to_string()
        .replace('&', "&amp;")
        .replace('"', "&quot;")
}

fn forum_page(has_posts: bool, noscript: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>Ferry times from Monday - Travel - The Pier</title></head>\
         <body><noscript>{noscript}</noscript><section id=main></section><div id=data-preloaded \
         data-preloaded=\"{}\"></div><p>Powered by a program</p></body></html>",
        forum(has_posts)
    )
}

fn noscript_posts() -> String {
    let post = |at: usize| {
        format!(
            "<div class=post itemprop=comment><span itemprop=author>user{at}</span><time>March 5, 2024</time>\
             <div class=body itemprop=text><p>{}</p><p>{}</p></div></div>",
            SENTENCES[2 * at],
            SENTENCES[2 * at + 1]
        )
    };
    let posts: String = (0..4).map(post).collect();
    format!(
        "<header><a href=/>The Pier</a></header><h1><a href=/t/40817>Ferry times from Monday</a></h1>{posts}"
    )
}

#[test]
fn the_posts_of_a_forum_are_read_in_order() {
    let posts = [SENTENCES[0], SENTENCES[1], "Thanks!", SENTENCES[3]];
    let article = read(&forum_page(true, ""));
    check_text(&article, &posts);
    assert_eq!(article.title.as_deref(), Some("Ferry times from Monday"));
    assert!(warns(&article, "the page's own JSON"));
    // The posts are known one by one there; `noscript` has them between names and days.
    check_text(&read(&forum_page(true, &noscript_posts())), &posts);
}

#[test]
fn a_forum_without_posts_in_its_json_is_read_in_noscript() {
    let article = read(&forum_page(false, &noscript_posts()));
    for sentence in SENTENCES {
        assert!(article.text.contains(sentence), "{article:?}");
    }
    assert!(!article.text.contains("off topic") && !article.text.contains("liability"));
    assert!(warns(&article, "noscript"), "{article:?}");
}

#[test]
fn an_array_of_posts_is_a_thread() {
    let post = |at: usize| {
        json!({ "author": { "name": format!("user{at}") }, "postedAt": 1_716_900_000 + at,
        "body": SENTENCES[at] })
    };
    let posts: Vec<Value> = (0..5).map(post).collect();
    let article = shell(
        &json!({ "props": { "thread": { "title": "Ferry times from Monday",
        "posts": posts } } }),
    );
    check_text(&article, &SENTENCES[..5]);
}

#[test]
fn the_posts_of_a_cache_of_records_are_a_thread() {
    let mut state = json!({ "Thread:40817": { "title": "Ferry times from Monday" } });
    for (at, sentence) in SENTENCES[..5].iter().enumerate() {
        let key = format!("Post:{}", 7000 + at);
        state[key] = json!({ "createdBy": { "ref": format!("User:{at}") }, "content": sentence });
    }
    check_text(&shell(&state), &SENTENCES[..5]);
}

#[test]
fn articles_in_an_array_are_no_thread() {
    let item = |at: usize| {
        json!({ "title": format!("Another story, the {at}th of them"), "author": "A. Writer",
        "body": SENTENCES[at] })
    };
    let items: Vec<Value> = (0..5).map(item).collect();
    check_none(&shell(
        &json!({ "page": { "title": "Ferry times from Monday", "items": items } }),
    ));
}

/// Parts of a state that are no text of the page, each near its headline.
#[test]
fn navigation_footers_facets_actions_banners_and_code_are_no_article() {
    let items: Vec<Value> = SENTENCES
        .iter()
        .map(|s| json!({ "label": s, "text": s }))
        .collect();
    let code = "function _createMdxContent(props){const _components={p:\"p\",...props.components};\
        return _jsxs(_Fragment,{children:[_jsx(_components.p,{children:\"The ferry\"}),\"\\n\",\
        _jsx(_components.h2,{id:\"a\",children:\"Times\"})]});}"
        .repeat(4);
    for (key, value) in [
        ("navigation", json!(items)),
        ("mainMenu", json!({ "items": items })),
        ("footer", json!({ "columns": items })),
        ("footer", json!({ "html": paragraphs() })),
        ("post_action_types", json!(items)),
        ("facets", json!(items)),
        ("banner", json!({ "html": paragraphs() })),
        ("siteBanners", json!(items)),
        ("legalNotice", json!(NOTICE)),
        ("disclaimer", json!({ "text": NOTICE })),
        ("cookieConsent", json!({ "text": NOTICE })),
        ("translations", json!(items)),
        ("compiledSource", json!(code)),
        ("source", json!(code)),
    ] {
        let article =
            shell(&json!({ "props": { "title": "Ferry times from Monday", key: value } }));
        assert_eq!(&*article.text, "", "{key}: {article:?}");
    }
}

#[test]
fn the_body_is_taken_though_the_notice_beside_it_is_longer() {
    let notice = NOTICE.repeat(3);
    let article = shell(
        &json!({ "article": { "title": "Ferry times from Monday", "html": paragraphs(),
        "legalDisclaimer": notice, "footer": { "text": notice } } }),
    );
    check_story(&article);
    assert!(article.confidence > Some(0.5), "{article:?}");
}

#[test]
fn menus_and_footers_beside_a_page_of_elements_are_left_alone() {
    let strings = |from: usize| -> Vec<Value> {
        let all = SENTENCES[from..].iter();
        all.map(|s| json!({ "text": format!("Buy: {s}") }))
            .collect()
    };
    let state = json!({ "props": { "pageProps": { "title": "Ferry times from Monday",
        "menu": strings(0), "footer": { "legal": NOTICE.repeat(2) }, "sections": strings(3) } } });
    let shown: String = SENTENCES[..3]
        .iter()
        .map(|s| format!("<p>{s}</p>"))
        .collect();
    let body = format!("<main><h1>Ferry times from Monday</h1>{shown}</main>");
    check_text(
        &read(&page("Ferry times from Monday", &body, &state)),
        &SENTENCES[..3],
    );
}

#[test]
fn an_article_in_elements_is_read_there_though_its_json_says_more() {
    let blocks =
        SENTENCES.map(|s| json!({ "type": "text", "text": s, "plain": s, "model": { "text": s } }));
    let related: Vec<Value> = (0..30)
        .map(|at| {
            json!({ "type": "promo",
        "text": format!("{} {at}", NOTICE) })
        })
        .collect();
    let all: Vec<Value> = blocks.into_iter().chain(related).collect();
    let state = json!({ "article": { "title": "Ferry times from Monday", "blocks": all } });
    let body = format!(
        "<article><h1>Ferry times from Monday</h1>{}</article>",
        paragraphs()
    );
    let article = read(&page("Ferry times from Monday", &body, &state));
    check_text(&article, &SENTENCES);
    assert!(!warns(&article, "JSON"), "{article:?}");
}

#[test]
fn what_the_elements_show_in_other_places_is_no_hidden_article() {
    // Teasers of a page of sections, which its state holds, too.
    let sections: Vec<Value> = SENTENCES.iter().map(|s| json!({ "summary": s })).collect();
    let state = json!({ "page": { "title": "Ferry times from Monday", "sections": sections } });
    let teaser = |s: &str| format!("<h3><a href=/s/{}>{}</a></h3><p>{s}</p>", s.len(), &s[..30]);
    let body: String = SENTENCES.iter().map(|s| teaser(s)).collect();
    let article = read(&page("Ferry times from Monday", &body, &state));
    assert!(!warns(&article, "JSON"), "{article:?}");
}

#[test]
fn a_text_that_its_blocks_repeat_is_read_once() {
    let blocks = SENTENCES.map(|s| {
        let (first, second) = s.split_at(s.find(' ').map_or(0, |at| at + 1));
        json!({ "model": { "text": s, "blocks": [{ "text": first }, { "text": second }] } })
    });
    check_text(
        &shell(&json!({ "article": { "headline": "Ferry times from Monday", "blocks": blocks } })),
        &SENTENCES,
    );
}

#[test]
fn the_object_that_the_address_names_is_the_pages_own() {
    let other = NOTICE.repeat(3);
    for own in [
        json!({ "id": 40817, "title": "From Monday on", "body": paragraphs() }),
        json!({ "slug": "ferry-times-from-monday", "name": "From Monday on", "body": paragraphs() }),
        json!({ "url": URL, "body": paragraphs() }),
        json!({ "path": "/t/ferry-times-from-monday/40817/", "content": { "html": paragraphs() } }),
    ] {
        let state = json!({ "editorial": { "title": "Read this, too", "author": "A. Writer", "body": other },
            "story": own });
        let html = page("The Pier", "<div id=root></div>", &state);
        check_story(&read(&html));
    }
}

#[test]
fn a_text_of_no_known_object_is_no_article() {
    // Long, titled and alone, but nothing says that it is the page's, or an article.
    let state = json!({ "settings": { "x": { "title": "Welcome", "body": NOTICE.repeat(2) } } });
    check_none(&read(&page("The Pier", "<div id=root></div>", &state)));
}

#[test]
fn the_article_of_a_shell_stands_in_its_noscript() {
    let html = format!(
        "<!doctype html><html lang=en><head><title>Ferry times from Monday</title></head><body>\
         <div id=root>Loading</div><noscript><article><h1>Ferry times from Monday</h1>{}</article>\
         <footer><a href=/legal>Imprint</a></footer></noscript><script src=/app.js></script></body></html>",
        paragraphs()
    );
    let article = read(&html);
    check_text(&article, &SENTENCES);
    assert!(warns(&article, "noscript"), "{article:?}");
}

#[test]
fn a_noscript_that_asks_for_scripts_is_no_article() {
    check_none(&read(
        "<title>The Pier</title><div id=root></div><noscript><h1>JavaScript is disabled</h1><p>This site needs \
         JavaScript. You need to enable JavaScript to run this app. To do so, open the settings of your \
         browser, choose privacy and security, then site settings, then JavaScript, and allow sites to use \
         it. Then load this page again. If that does not help, ask whoever looks after your network whether \
         scripts are blocked there, or use another browser.</p></noscript><script src=/app.js></script>",
    ));
}

#[test]
fn stand_ins_of_lazy_pictures_make_no_shell() {
    for stand_in in [
        "<img src=/a.jpg loading=\"lazy\">",
        "<img src=/a.jpg loading=lazy alt=''><img src='https://t.example/p?javascript is disabled'>",
        "<iframe src=https://t.example/redirecting-you-to></iframe>",
    ] {
        let sentence =
            |s: &str| format!("<p>{s}</p><img data-src=/a.jpg><noscript>{stand_in}</noscript>");
        let shown: String = SENTENCES[..3].iter().map(|s| sentence(s)).collect();
        let html = format!(
            "<title>The Pier</title><div class=post>{shown}</div><script src=a.js></script>"
        );
        check_text(&read(&html), &SENTENCES[..3]);
        let short = format!(
            "<title>The Pier</title><div class=post><p>The ferry leaves an hour later.</p>\
             <noscript>{stand_in}</noscript><p>Its engine had failed.</p><noscript>{stand_in}</noscript>\
             <p>A new one was ordered in March.</p></div>"
        );
        assert_eq!(
            read(&short).status,
            Status::Ok,
            "{stand_in}: {:?}",
            read(&short)
        );
    }
}

#[test]
fn the_confidence_is_lower_the_less_ties_a_text_to_its_page() {
    let state = |object: Value| page("The Pier", "<div id=root></div>", &json!({ "x": object }));
    let confidence = |html: &str| read(html).confidence.expect("a text");
    let headline = page(
        "Ferry times from Monday",
        "<div id=root></div>",
        &json!({ "x": { "title": "Ferry times from Monday", "html": paragraphs() } }),
    );
    let alone = state(json!({ "title": "Monday", "author": "A. Writer", "html": paragraphs() }));
    assert!(warns(&read(&alone), "the page's own JSON"));
    assert!(confidence(&headline) > confidence(&alone));
    assert!(confidence(&alone) <= 0.5, "{}", confidence(&alone));
}
