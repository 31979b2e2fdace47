//! Labels: the role that a person gives a node of one page is obeyed on all of them.

use forest_core::extract::{Extractor, Options};
use forest_core::learn::{LearnOptions, LearnOutcome, Learned, SamplePage, learn};
use forest_core::wrapper::{Label, LabelRole, Wrapper};
use forest_html::page::{NodeId, Page, Source};

const WORDS: [&str; 14] = [
    "river", "harbour", "mill", "baker", "ferry", "valley", "winter", "organ", "bridge", "market",
    "island", "school", "castle", "garden",
];

fn paragraph(n: usize) -> String {
    let word = |i: usize| WORDS[(n * 5 + i * (n + 1)) % WORDS.len()];
    let sentence = |s: usize| {
        format!(
            "The {} of the old {} was closed for {} days, said the {} of {}, and nobody near \
             the {} knew why. ",
            word(s),
            word(s + 2),
            n + s + 3,
            word(s + 3),
            word(s + 4),
            word(s + 5)
        )
    };
    (0..3).map(sentence).collect()
}

fn url(n: usize) -> String {
    format!("https://a.example/{n}")
}

/// Page `n`: an article with a note in it, a writer and a date, a box outside of it, a link.
fn html(n: usize) -> String {
    let text: String = (0..5)
        .map(|p| format!("<p>{}</p>", paragraph(n * 10 + p)))
        .collect();
    format!(
        "<html lang=en><title>Volume</title><meta name=author content=Desk>\
         <meta property=article:published_time content=2025-01-01T10:00:00Z><ul class=menu><li><a href=/>Home</a></ul>\
         <h1 class=head>Story {n}: closed</h1><h2 class=teller>Ann Bell</h2>\
         <time class=when datetime=2026-02-0{d}>then</time>\
         <div class='story s{n}'><p class='box n{n} {parity}'>Note {n}. {note}</p>{text}</div>\
         <div class=facts>Facts {n}: {WORDS:?}</div>\
         <div class=more><a class=on href=/{n}/2>Continue</a> <a href=/b>Other</a></div>\
         <div class=foot>Imprint</div>",
        d = n + 1,
        parity = ["even", "odd"][n % 2],
        note = paragraph(n + 70),
    )
}

fn sample(n: usize, html: &str) -> SamplePage {
    let url = url(n);
    let source = Source {
        url: Some(&url),
        content_type: None,
    };
    SamplePage::new(Page::parse(html.as_bytes(), source), url.clone())
}

fn site() -> Vec<SamplePage> {
    (0..6).map(|n| sample(n, &html(n))).collect()
}

/// The first element with a class.
fn classed(page: &Page, class: &str) -> NodeId {
    let has = |n: &NodeId| {
        let own = page.attr(*n, "class").unwrap_or_default();
        own.split(' ').any(|own| own == class)
    };
    page.elements().find(has).expect("an element")
}

fn label(pages: &[SamplePage], at: usize, class: &str, role: LabelRole) -> Label {
    let page = &pages[at].page;
    Label::of(page, classed(page, class), url(at), role)
}

fn learned(pages: &[SamplePage], labels: Vec<Label>) -> Box<Learned> {
    match learn(pages, &LearnOptions::default().with_labels(labels)) {
        LearnOutcome::Learned(learned) => learned,
        LearnOutcome::Abstained(abstention) => panic!("{}", abstention.reason),
    }
}

fn texts(wrapper: &Wrapper, pages: &[SamplePage]) -> Vec<String> {
    let extractor = Extractor::new(wrapper.clone()).expect("compiles");
    let article = |p: &SamplePage| extractor.extract(&p.page, &Options::default());
    pages.iter().map(|p| article(p).text).collect()
}

fn count(texts: &[String], part: &str) -> usize {
    texts.iter().filter(|text| text.contains(part)).count()
}

#[test]
fn what_is_not_the_article_is_left_out_of_every_page() {
    let pages = site();
    let before = learned(&pages, Vec::new());
    assert_eq!(count(&texts(&before.wrapper, &pages), "Note "), 6);
    let label = label(&pages, 2, "box", LabelRole::NotArticle);
    let after = learned(&pages, vec![label]);
    let texts = texts(&after.wrapper, &pages);
    assert_eq!((count(&texts, "Note "), count(&texts, "said the")), (0, 6));
    let expression = after.wrapper.labels[0].expression.as_deref();
    let expression = expression.expect("an expression");
    assert!(expression.contains(" box "), "{expression}");
    let template = &after.wrapper.templates[0];
    assert!(template.strip.iter().any(|strip| strip.xpath == expression));
    let evidence = template.evidence.as_ref().expect("evidence");
    assert!(
        evidence
            .strips
            .iter()
            .all(|strip| strip.xpath != expression)
    );
    assert!(after.warnings.is_empty(), "{:?}", after.warnings);
    let again = learned(&pages, after.wrapper.labels.clone());
    assert_eq!(again.wrapper, after.wrapper);
}

#[test]
fn no_rule_for_one_paragraph_takes_the_article() {
    // More than paragraphs, so that a rule for all of them leaves something.
    let html = |n| html(n).replacen("<p>", "<h2>The day</h2><p>", 1);
    let pages: Vec<SamplePage> = (0..6).map(|n| sample(n, &html(n))).collect();
    let before = texts(&learned(&pages, Vec::new()).wrapper, &pages);
    // A paragraph without a name of its own.
    let page = &pages[2].page;
    let story = classed(page, "s2");
    let paragraph = page.children(story).nth(4).expect("a paragraph");
    let label = Label::of(page, paragraph, url(2), LabelRole::NotArticle);
    let after = learned(&pages, vec![label]);
    assert_eq!(texts(&after.wrapper, &pages), before);
    let [warning] = &after.warnings[..] else {
        panic!("{:?}", after.warnings)
    };
    assert!(warning.contains("without much of the article"), "{warning}");
}

#[test]
fn what_is_kept_and_what_is_the_article_is_there_on_every_page() {
    let pages = site();
    for role in [LabelRole::Keep, LabelRole::Article] {
        let before = learned(&pages, Vec::new());
        assert_eq!(count(&texts(&before.wrapper, &pages), "Facts "), 0);
        let after = learned(&pages, vec![label(&pages, 1, "facts", role)]);
        let texts = texts(&after.wrapper, &pages);
        let counts = (count(&texts, "Facts "), count(&texts, "Note "));
        assert_eq!(counts, (6, 6), "{role:?}");
        assert_eq!(count(&texts, "Imprint"), 0, "{role:?}");
        let kept = !after.wrapper.templates[0].keep.is_empty();
        assert_eq!(kept, role == LabelRole::Keep);
    }
}

#[test]
fn fields_and_the_next_page_are_where_the_labels_say() {
    let pages = site();
    let labels = vec![
        label(&pages, 0, "head", LabelRole::Title),
        label(&pages, 1, "teller", LabelRole::Author),
        label(&pages, 2, "when", LabelRole::Date),
        label(&pages, 3, "on", LabelRole::NextPage),
    ];
    let wrapper = learned(&pages, labels).wrapper;
    let extractor = Extractor::new(wrapper.clone()).expect("compiles");
    let article = extractor.extract(&pages[4].page, &Options::default());
    assert_eq!(article.title.as_deref(), Some("Story 4: closed"));
    assert_eq!(article.authors, ["Ann Bell"]);
    let date = article.date_published.expect("a date");
    assert!(date.starts_with("2026-02-05"), "{date}");
    let next = wrapper.next_page.expect("a link");
    assert!(next.contains(" on "), "{next}");
}

#[test]
fn labels_that_cannot_be_obeyed_are_kept_and_said() {
    let pages = site();
    let mut gone = label(&pages, 0, "box", LabelRole::NotArticle);
    gone.page = "https://a.example/gone".to_owned();
    let mut nowhere = label(&pages, 0, "box", LabelRole::NotArticle);
    nowhere.node = "/html[1]/][".to_owned();
    nowhere.text = "No such words".to_owned();
    let all = label(&pages, 1, "story", LabelRole::NotArticle);
    let labels = vec![gone, nowhere, all];
    let after = learned(&pages, labels.clone());
    assert_eq!(after.wrapper.labels, labels);
    assert_eq!(after.warnings.len(), 3, "{:?}", after.warnings);
    assert_eq!(count(&texts(&after.wrapper, &pages), "Note "), 6);
}

#[test]
fn no_rule_goes_against_another_label() {
    let pages = site();
    let labels = vec![
        label(&pages, 1, "box", LabelRole::NotArticle),
        label(&pages, 2, "box", LabelRole::Article),
    ];
    let after = learned(&pages, labels);
    let texts = texts(&after.wrapper, &pages);
    assert!(!texts[1].contains("Note 1") && texts[2].contains("Note 2"));
}
