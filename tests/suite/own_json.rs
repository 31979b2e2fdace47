//! Pages whose text stands in their own JSON: learned, applied, read alone, and hostile ones.

use forest_core::extract::{Article, Extractor, Options, Status, one_page};
use forest_core::learn::{LearnOptions, LearnOutcome, SamplePage, learn};
use forest_core::wrapper::{JsonKind, Wrapper};
use forest_eval::eval::GoldTexts;
use forest_html::page::{Page, Source};
use forest_sources::gold::{Collection, GoldSite};
use std::path::Path;

/// The shapes of `gold/json/`: script and path of the text, and its kind.
const PLACES: [(&str, &str, &str, JsonKind); 8] = [
    (
        "attribute.example",
        "@data-page",
        "/props/story/body",
        JsonKind::Blocks,
    ),
    (
        "document.example",
        "pageData",
        "/result/data/article/body/content",
        JsonKind::Blocks,
    ),
    (
        "escaped.example",
        "__INITIAL_STATE__",
        "/entity/content/rendered",
        JsonKind::Html,
    ),
    (
        "graph.example",
        "application/ld+json",
        "/@graph/*/articleBody",
        JsonKind::Text,
    ),
    (
        "props.example",
        "#__NEXT_DATA__",
        "/props/pageProps/post/html",
        JsonKind::Html,
    ),
    (
        "records.example",
        "__APOLLO_STATE__",
        "/Article:*/blocks",
        JsonKind::Blocks,
    ),
    (
        "returned.example",
        "__NUXT__",
        "/data/*/story/text",
        JsonKind::Html,
    ),
    (
        "teaser.example",
        "application/ld+json",
        "/*/articleBody",
        JsonKind::Text,
    ),
];

fn gold() -> Collection {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gold/json");
    Collection::open(path).expect("committed gold")
}

/// The pages of a site as a sample.
fn sample(gold: &Collection, site: &GoldSite) -> Vec<SamplePage> {
    let page = |page: &forest_sources::gold::GoldPage| {
        let source = Source {
            url: page.url.as_deref(),
            content_type: None,
        };
        let bytes = page.read().expect("committed gold");
        SamplePage::new(Page::parse(&bytes, source), page.id.clone())
    };
    gold.pages_of(site).iter().map(page).collect()
}

fn learned(pages: &[SamplePage]) -> Wrapper {
    match learn(pages, &LearnOptions::default().with_articles(true)) {
        LearnOutcome::Learned(learned) => learned.wrapper,
        LearnOutcome::Abstained(why) => panic!("{}: {:?}", why.reason, why.verdicts),
    }
}

fn f1(refs: &[String], article: &Article) -> f64 {
    let mut texts = GoldTexts::new(refs.iter().map(String::as_str));
    texts.score("", &article.text).two_gram.f1
}

fn warns_of_json(article: &Article) -> bool {
    let texts = article.warnings.iter().map(ToString::to_string);
    texts
        .into_iter()
        .any(|text| text.contains("the page's own JSON"))
}

#[test]
fn each_shape_is_learned_and_applied_to_other_pages() {
    let gold = gold();
    for site in gold.sites() {
        let place = PLACES.iter().find(|place| place.0 == site.name);
        let (_, script, path, kind) = *place.expect("a known site");
        let pages = sample(&gold, site);
        // The last page is another one than those of the sample.
        let (last, known) = pages.split_last().expect("pages");
        let wrapper = learned(known);
        let yaml = wrapper.to_yaml();
        assert_eq!(Wrapper::from_yaml(&yaml).expect("own").wrapper, wrapper);
        for template in &wrapper.templates {
            let json = template.json.as_ref().expect("a place");
            assert_eq!(
                (&*json.script, &*json.path, json.kind),
                (script, path, kind)
            );
            assert!(template.evidence.is_some() && template.pages > 0, "{yaml}");
        }
        assert!(
            wrapper.expect.is_some() && !wrapper.tests.is_empty(),
            "{yaml}"
        );
        let extractor = Extractor::new(wrapper).expect("compiles");
        let article = extractor.extract(&last.page, &Options::default());
        let page = gold
            .pages_of(site)
            .last()
            .and_then(|page| page.gold.clone());
        let gold = page.expect("gold");
        let f1 = f1(&gold.refs, &article);
        assert!(f1 > 0.97, "{}: {f1}\n{}\n{yaml}", site.name, article.text);
        assert_eq!(article.status, Status::Ok, "{}: {yaml}", site.name);
        assert!(warns_of_json(&article), "{}", site.name);
        assert_eq!(article.title, gold.title, "{}", site.name);
        assert_eq!(article.authors, gold.authors, "{}", site.name);
        assert!(article.date_published.is_some(), "{}", site.name);
    }
}

#[test]
fn each_shape_is_read_without_a_wrapper() {
    let gold = gold();
    for site in gold.sites() {
        for (sample, page) in sample(&gold, site).iter().zip(gold.pages_of(site)) {
            let article = one_page(&sample.page, &Options::default());
            let gold = page.gold.as_ref().expect("gold");
            let f1 = f1(&gold.refs, &article);
            assert!(f1 > 0.9, "{}: {f1}\n{article:?}", page.id);
            assert_eq!(article.status, Status::Ok, "{}", page.id);
            assert!(warns_of_json(&article), "{}", page.id);
            assert_eq!(article.title, gold.title, "{}", page.id);
        }
    }
}

#[test]
fn what_repeats_inside_of_a_value_is_stripped() {
    let gold = gold();
    let site = gold
        .sites()
        .iter()
        .find(|site| site.name == "props.example");
    let pages = sample(&gold, site.expect("the site"));
    let extractor = Extractor::new(learned(&pages)).expect("compiles");
    let article = extractor.extract(&pages[0].page, &Options::default());
    assert!(!article.text.contains("morning letter"), "{}", article.text);
    let alone = one_page(&pages[0].page, &Options::default());
    assert!(
        alone.text.contains("morning letter"),
        "one page cannot know"
    );
}

#[test]
fn a_page_without_the_value_is_no_match() {
    let gold = gold();
    let pages = sample(&gold, &gold.sites()[0]);
    let extractor = Extractor::new(learned(&pages)).expect("compiles");
    let page = Page::from_html("<title>A</title><div id=app data-page='{}'></div>");
    let article = extractor.extract(&page, &Options::default());
    assert_eq!((article.status, &*article.text), (Status::Empty, ""));
}

#[test]
fn a_text_that_the_page_shows_is_not_taken_from_its_json() {
    let sentence =
        "The ferry to the islands leaves an hour later from Monday on, said the master. ";
    let story = |extra: &str| {
        let text = format!("{sentence}It rained on the pier. ").repeat(6);
        Page::from_html(&format!(
            "<title>Ferry times</title><article><h1>Ferry times</h1><p>{text}<p>{text}</article>\
             <script type=application/ld+json>{{\"@type\":\"Article\",\"headline\":\"Ferry times\",\
             \"articleBody\":\"{text} {text}{extra}\"}}</script>"
        ))
    };
    let article = one_page(&story(""), &Options::default());
    assert!(!warns_of_json(&article) && article.text.contains("pier"));
}

#[test]
fn hostile_json_ends() {
    let check = |json: &str| {
        let page = Page::from_html(&format!(
            "<title>Ferry</title><div id=root></div><script type=application/json id=s>{json}</script>\
             <script>window.a = {json};</script>"
        ));
        let article = one_page(&page, &Options::default());
        assert_ne!(
            article.status,
            Status::Ok,
            "{}",
            &json[..json.len().min(60)]
        );
    };
    check(&"[".repeat(300_000));
    check(&"{\"a\":".repeat(100_000));
    check(&format!(
        "{{\"title\":\"Ferry\",\"body\":\"{}",
        "word ".repeat(100_000)
    ));
    check(&format!(
        "{{\"title\":\"Ferry\",{}}}",
        "\"a\":\"x\",".repeat(100_000)
    ));
    check("{\"title\":\"Ferry\",\"body\":\"\\ud800\\uZZZZ\\x\"}");
    check(&format!("[{}]", "\"{\\\"a\\\":[1,2]}\",".repeat(20_000)));
    check(&format!("[{}]", "[[[[[[[[\"a b\"]]]]]]]],".repeat(20_000)));
}

#[test]
fn a_wrong_value_of_a_wrapper_is_refused() {
    let yaml = |json: &str| format!("format: 2\nsite: a\ntemplates:\n- json: {json}\n");
    let good = yaml("{script: s, path: /a, kind: html}");
    assert!(Wrapper::from_yaml(&good).is_ok());
    for bad in ["{script: s}", "{script: s, path: /a, kind: yaml}", "s"] {
        assert!(Wrapper::from_yaml(&yaml(bad)).is_err(), "{bad}");
    }
}
