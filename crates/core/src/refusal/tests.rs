use super::*;
use crate::baseline::boilerpipe;
use forest_html::page::view::View;
use proptest::prelude::*;

fn check(html: &str, expected: Option<NoArticle>) {
    let page = Page::from_html(html);
    let judgement = judge(&page, &boilerpipe::article(&View::whole(&page)));
    let found = judgement.refusal.as_ref().map(|refusal| refusal.kind);
    assert_eq!(found, expected, "{html}\n{judgement:?}");
    assert_eq!(found.is_some(), judgement.article <= 0.5);
}

const SENTENCE: &str = "The ferry leaves an hour later from Monday, the harbour master said. ";

#[test]
fn each_kind_by_the_smallest_page_that_shows_it() {
    check(
        "<title>Just a moment...</title><p>Checking your browser before accessing the paper",
        Some(NoArticle::Challenge),
    );
    check(
        "<p>We value your privacy. We and our 12 partners use cookies with your consent to show \
         advertising.<p><button>Accept all</button>",
        Some(NoArticle::Consent),
    );
    check(
        "<title>Anmelden</title><h1>Anmelden</h1><form><input type=password></form>",
        Some(NoArticle::Login),
    );
    check(
        "<h1>The harbour scandal</h1><p>This article is for subscribers only.<p>Already a subscriber?\
         <p>Subscribe to continue reading.",
        Some(NoArticle::Paywall),
    );
    check(
        "<title>Pagina non trovata</title><h1>Errore 404</h1>",
        Some(NoArticle::Error),
    );
    check(
        "<title>App</title><div id=root></div><script src=a.js></script>",
        Some(NoArticle::Shell),
    );
}

#[test]
fn an_article_may_speak_of_all_that() {
    let story = SENTENCE.repeat(30);
    for title in ["Are you a robot", "Log in", "Page not found", "Archive"] {
        check(
            &format!(
                "<title>{title}</title><h1>{title}</h1><form><input type=password></form><p>{story}"
            ),
            None,
        );
    }
    check(
        &format!("<title>Ferry leaves later</title><h1>Ferry leaves later</h1><p>{SENTENCE}"),
        None,
    );
}

#[test]
fn pictures_in_noscript_say_nothing() {
    let page = |stand_in: &str| {
        let sentence = |text: &str| format!("<p>{text}<noscript>{stand_in}</noscript>");
        let sentences = [
            "The ferry leaves later.",
            "Its engine had failed.",
            "A new one was ordered in March.",
        ];
        let shown: String = sentences.iter().map(|text| sentence(text)).collect();
        format!("<title>The Paper</title><div>{shown}</div><script src=a.js></script>")
    };
    check(&page("<img src=a.jpg loading=\"lazy\">"), None);
    check(
        &page("<img src='https://t.example/p?javascript is disabled'>"),
        None,
    );
    check(&page("<p>JavaScript is disabled"), Some(NoArticle::Shell));
}

#[test]
fn a_refusal_has_its_reasons() {
    let page = Page::from_html("<title>404 Not Found</title><h1>Not Found</h1><hr>nginx");
    let refusal = { judge(&page, &Mask::none(&page)).refusal }.expect("an error page");
    assert!(refusal.confidence > 0.5 && refusal.signs.len() <= MAX_SIGNS);
    let message = refusal.to_string();
    assert!(
        message.starts_with("error (0.") && message.contains("the title says so (+3.0)"),
        "{message}"
    );
    assert!(!refusal.kind.is_in_the_way());
    assert!(NoArticle::Paywall.is_in_the_way());
}

#[test]
fn names_lead_back_to_their_kinds() {
    for (i, kind) in NoArticle::ALL.into_iter().enumerate() {
        assert_eq!(NoArticle::named(kind.name()), Some(kind));
        assert_eq!(kind as usize, i);
    }
    assert_eq!(NoArticle::named("article"), None);
}

#[test]
fn hostile_pages_are_judged() {
    let many = |piece: &str| piece.repeat(100_000);
    for html in [
        String::new(),
        many("<h1>"),
        many("<h1><a href=/x>A headline of five words</a></h1>"),
        many("<a href=/x>A headline of five words</a><p>"),
        many("<noscript>x"),
        many("<button>accept all</button>"),
        many("<div id=root>"),
        many("404 "),
        format!("<title>{}</title>", many("404 |")),
        format!("<a href='{}'><h1>x", many("/../")),
        format!("<script type=application/ld+json>{}", many("\"@type\":")),
        format!("<div class='{}'>", many("captcha ")),
    ] {
        let page = Page::from_html(&html);
        for kept in [Mask::none(&page), Mask::all(&page)] {
            let judgement = judge(&page, &kept);
            assert!((0.0..=1.0).contains(&judgement.article));
        }
    }
}

proptest! {
    #[test]
    fn any_page_is_judged(
        html in "(<(/?(a href=/x|a href=//|h1|h2|p|title|noscript|frameset|button)|input type=password|meta property=og:url content=)>|404|log in|é|あ| ){0,60}"
    ) {
        let page = Page::from_html(&html);
        let judgement = judge(&page, &boilerpipe::article(&View::whole(&page)));
        prop_assert!((0.0..=1.0).contains(&judgement.article));
        prop_assert_eq!(judgement.refusal.is_some(), judgement.article <= 0.5);
    }
}
