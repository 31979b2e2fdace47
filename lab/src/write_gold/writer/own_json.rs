//! Writes `gold/json/`: sites whose pages have their text in their own JSON, a shape each.

use serde_json::{Value, json};

use super::article::Article;
use super::template::escape;

/// Articles of each site.
pub const PAGES: usize = 6;

/// A site and the way in which its pages hold their text.
pub struct JsonSite {
    /// The host, which is the folder's name too.
    pub host: &'static str,
    /// The site of `sites.txt` with the words.
    pub words_of: &'static str,
    /// The head's title, its description and the body of a page.
    page: fn(&Article, &[Article]) -> [String; 3],
}

/// The sites.
pub const SITES: [JsonSite; 8] = [
    JsonSite {
        host: "graph.example",
        words_of: "harbour-gazette.example",
        page: graph,
    },
    JsonSite {
        host: "props.example",
        words_of: "meridian-daily.example",
        page: props,
    },
    JsonSite {
        host: "returned.example",
        words_of: "tagesbote-lindach.example",
        page: returned,
    },
    JsonSite {
        host: "records.example",
        words_of: "kitchen-ledger.example",
        page: records,
    },
    JsonSite {
        host: "document.example",
        words_of: "northfield-review.example",
        page: document,
    },
    JsonSite {
        host: "escaped.example",
        words_of: "gazette-du-val.example",
        page: escaped,
    },
    JsonSite {
        host: "teaser.example",
        words_of: "plain-notes.example",
        page: teaser,
    },
    JsonSite {
        host: "attribute.example",
        words_of: "liutang-wanbao.example",
        page: attribute,
    },
];

impl JsonSite {
    /// The HTML of an article's page.
    pub fn html(&self, article: &Article, all: &[Article]) -> String {
        let [title, description, body] = (self.page)(article, all);
        format!(
            "<!doctype html>\n<html><head><meta charset=utf-8><title>{}</title>\n\
             <meta name=description content=\"{}\"></head>\n<body>{body}\n\
             <noscript>This page needs scripts.</noscript></body></html>\n",
            escape(&title),
            escape(&description)
        )
    }
}

fn head(article: &Article) -> [String; 2] {
    [article.topic.title.clone(), article.cut(20)]
}

fn day(article: &Article) -> String {
    article.published.format("%Y-%m-%dT%H:%M:00Z").to_string()
}

/// JSON inside of a `script`, where `</` would end it.
fn in_script(value: &Value) -> String {
    value.to_string().replace("</", "<\\/")
}

fn html_of(article: &Article) -> String {
    let paragraphs = article.paragraphs.iter();
    let paragraphs = paragraphs.map(|text| format!("<p>{}</p>", escape(text)));
    paragraphs.collect::<Vec<_>>().join("\n")
}

/// Other articles, as their lists have them.
fn teasers(article: &Article, all: &[Article]) -> Vec<Value> {
    let others = all.iter().filter(|other| other.index != article.index);
    let teaser = |other: &Article| json!({ "title": other.topic.title, "slug": other.topic.slug, "excerpt": other.cut(40) });
    others.take(3).map(teaser).collect()
}

/// JSON-LD with a graph; the text is plain, an empty line between paragraphs.
fn graph(article: &Article, _: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let graph = json!({ "@context": "https://schema.org", "@graph": [
        { "@type": "WebSite", "name": "Graph", "description": "News from a harbour, every day but Sunday, since 1911." },
        { "@type": "NewsArticle", "headline": title, "datePublished": day(article),
          "author": { "@type": "Person", "name": article.author },
          "articleBody": article.paragraphs.join("\n\n") },
    ] });
    let body = format!(
        "<div id=root></div><script type=\"application/ld+json\">{}</script>",
        in_script(&graph)
    );
    [format!("{title} | Graph"), description, body]
}

/// The properties of a page as JSON; the text is HTML with a box in it.
fn props(article: &Article, all: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let box_ = "<div class=\"promo\"><p>Sign up for the morning letter, and read the paper before \
                the postman does.</p></div>";
    let html = html_of(article).replacen("</p>\n", &format!("</p>\n{box_}\n"), 1);
    let state = json!({ "props": { "pageProps": {
        "post": { "id": article.number, "title": title, "html": html, "excerpt": article.cut(40),
                  "author": { "name": article.author }, "publishedAt": day(article) },
        "related": teasers(article, all) } },
        "page": "/[slug]", "query": { "slug": article.topic.slug }, "buildId": article.hash });
    let body = format!(
        "<div id=\"__next\"><nav><a href=/>Home</a> <a href=/world>World</a></nav></div>\
         <script id=\"__NEXT_DATA__\" type=\"application/json\">{}</script>",
        in_script(&state)
    );
    [format!("{title} - Props"), description, body]
}

/// The state as a function returns it, a literal of JavaScript and no JSON.
fn returned(article: &Article, _: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let quoted = |text: &str| in_script(&Value::from(text));
    let body = format!(
        "<div id=__nuxt></div><script>window.__NUXT__=(function(a,b,c){{return {{layout:\"default\",\
         data:[{{story:{{headline:{},lead:{},text:{},author:{},date:{},isFree:b,id:{}}}}}],error:a,\
         state:{{loaded:!0,user:void 0}}}}}}(null,true,0));</script>",
        quoted(&title),
        quoted(&article.cut(25)),
        quoted(&html_of(article)),
        quoted(&article.author),
        quoted(&day(article)),
        article.number,
    );
    [format!("{title} · Returned"), description, body]
}

/// A cache of records by their ids; the text is a list of blocks with types.
fn records(article: &Article, all: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let blocks = article.paragraphs.iter().enumerate().map(|(at, text)| {
        json!({ "__typename": "ParagraphBlock", "id": format!("{}{at}", article.hash), "text": text })
    });
    let mut cache = serde_json::Map::new();
    let query = json!({ "article": { "__ref": format!("Article:{}", article.number) } });
    cache.insert("ROOT_QUERY".to_owned(), query);
    for other in all
        .iter()
        .filter(|other| other.index != article.index)
        .take(2)
    {
        let teaser = json!({ "title": other.topic.title, "summary": other.cut(40) });
        cache.insert(format!("Article:{}", other.number), teaser);
    }
    let own = json!({ "title": title, "published": day(article), "author": article.author,
                      "blocks": blocks.collect::<Vec<_>>() });
    cache.insert(format!("Article:{}", article.number), own);
    let body = format!(
        "<div id=root><p>Loading</p></div><script>window.__APOLLO_STATE__ = {};</script>",
        in_script(&Value::Object(cache))
    );
    [format!("{title} | Records"), description, body]
}

/// Rich text as a tree of nodes, words in bold cut out of their sentences.
fn document(article: &Article, all: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let paragraph = |text: &String| {
        let cut = text.find(' ').map_or(0, |at| at + 1);
        let word = text[cut..].find(' ').map_or(text.len(), |at| cut + at);
        let parts = [
            (&text[..cut], false),
            (&text[cut..word], true),
            (&text[word..], false),
        ];
        let parts = parts.iter().filter(|(part, _)| !part.is_empty());
        let parts = parts.map(|(part, is_bold)| {
            let marks = if *is_bold {
                json!([{ "type": "bold" }])
            } else {
                json!([])
            };
            json!({ "nodeType": "text", "value": part, "marks": marks })
        });
        json!({ "nodeType": "paragraph", "content": parts.collect::<Vec<_>>() })
    };
    let content: Vec<Value> = article.paragraphs.iter().map(paragraph).collect();
    let data = json!({ "result": { "data": {
        "article": { "title": title, "date": day(article), "author": article.author, "body": { "nodeType": "document", "content": content } },
        "more": teasers(article, all) } } });
    let body = format!(
        "<div id=___gatsby></div><script>/*<![CDATA[*/window.pageData={};/*]]>*/</script>",
        in_script(&data)
    );
    [format!("{title} | Document"), description, body]
}

/// Escaped JSON in a string, under a title that says nothing; comments beside the text.
fn escaped(article: &Article, all: &[Article]) -> [String; 3] {
    let comments = article.comments.iter().map(|comment| {
        json!({ "name": comment.name, "date": comment.date.format("%Y-%m-%d").to_string(), "text": comment.text })
    });
    let state = json!({ "route": { "path": article.topic.slug },
        "entity": { "title": article.topic.title, "published": day(article), "author": article.author,
                    "content": { "rendered": html_of(article) }, "comments": comments.collect::<Vec<_>>() },
        "latest": teasers(article, all) });
    let text = in_script(&Value::from(state.to_string()));
    let body = format!(
        "<app-root></app-root><script>var __INITIAL_STATE__ = JSON.parse({text});</script>"
    );
    ["Escaped".to_owned(), "All the news".to_owned(), body]
}

/// The first paragraph on the page, all of them in JSON-LD.
fn teaser(article: &Article, _: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let data = json!({ "@context": "https://schema.org", "@type": "BlogPosting", "headline": title,
        "datePublished": day(article), "author": article.author,
        "articleBody": article.paragraphs.join("\n") });
    let body = format!(
        "<header><a href=/>Teaser</a></header><article><h1>{}</h1><p class=lead>{}</p></article>\
         <script type=\"application/ld+json\">[{}]</script>",
        escape(&title),
        escape(&article.paragraphs[0]),
        in_script(&data)
    );
    [title, description, body]
}

/// The state in an attribute; the text is a list of blocks with children.
fn attribute(article: &Article, _: &[Article]) -> [String; 3] {
    let [title, description] = head(article);
    let blocks = article.paragraphs.iter().map(|text| {
        json!({ "_type": "block", "style": "normal", "children": [{ "_type": "span", "text": text }] })
    });
    let state = json!({ "component": "Story", "props": { "story": {
        "title": title, "publishedOn": day(article), "authors": [{ "name": article.author }],
        "body": blocks.collect::<Vec<_>>() } }, "url": format!("/{}", article.topic.slug) });
    let body = format!(
        "<div id=app data-page=\"{}\"></div>",
        escape(&state.to_string())
    );
    [title, description, body]
}
