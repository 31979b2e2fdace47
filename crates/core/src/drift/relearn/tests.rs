use super::*;
use crate::feed::FeedItem;
use crate::wrapper::{Label, LabelRole, Template};
use forest_html::page::Page;
use forest_html::page::Source;

const WORDS: [&str; 14] = [
    "river", "harbour", "mill", "baker", "ferry", "valley", "winter", "organ", "bridge", "market",
    "island", "school", "castle", "garden",
];

fn word(n: usize) -> &'static str {
    WORDS[n % WORDS.len()]
}

/// The text of story `n`, a paragraph of whole sentences at a time.
fn paragraph(n: usize) -> String {
    let sentence = |s: usize| {
        let word = |i: usize| word(n * 5 + s * 3 + i * n);
        format!(
            "The {} of the old {} was closed for {} days, said the {} of {}, and nobody near the {} knew why. ",
            word(1),
            word(2),
            n + s + 3,
            word(3),
            word(4),
            word(5)
        )
    };
    (0..4).map(sentence).collect()
}

fn item(n: usize) -> String {
    format!(
        "Story {n}: closed. The {} of the old {} was closed for {} days, said the {} of {}",
        word(n * 6),
        word(n * 7),
        n + 3,
        word(n * 8),
        word(n * 9)
    )
}

/// A page of the site, its story in an element of class `class`.
fn story(n: usize, class: &str) -> String {
    let body: String = (0..5)
        .map(|p| format!("<p>{}</p>", paragraph(n * 10 + p)))
        .collect();
    let first = paragraph(n);
    format!(
        "<html lang=en><title>Story {n} of the valley</title><ul class=menu><li><a href=/>Home</a><li><a \
         href=/b>More</a></ul><h1>Story {n}: closed</h1><div class={class}><p>{first}</p>{body}</div>\
         <div class=foot><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></div>"
    )
}

fn sample(n: usize, html: &str) -> SamplePage {
    let url = format!("https://a.example/{n}");
    let source = Source {
        url: Some(&url),
        content_type: None,
    };
    let mut sample = SamplePage::new(Page::parse(html.as_bytes(), source), url.clone());
    sample.item = Some(FeedItem {
        title: format!("Story {n}"),
        summary: item(n),
        ..FeedItem::default()
    });
    sample
}

fn samples(range: std::ops::Range<usize>, class: &str) -> Vec<SamplePage> {
    range.map(|n| sample(n, &story(n, class))).collect()
}

fn old() -> Extractor {
    let template = Template {
        body: vec!["//div[@class='story']".to_owned()],
        ..Template::default()
    };
    let wrapper = Wrapper {
        site: "a.example".to_owned(),
        learned: Some("2026-01-01T00:00:00Z".to_owned()),
        templates: vec![template],
        next_page: Some("//a[@class='next']".to_owned()),
        ..Wrapper::default()
    };
    Extractor::new(wrapper).expect("compiles")
}

const NOW: &str = "2026-05-01T00:00:00Z";

fn decided(stored: &[SamplePage], newest: &[SamplePage]) -> Decision {
    decided_from(&old(), stored, newest)
}

fn decided_from(old: &Extractor, stored: &[SamplePage], newest: &[SamplePage]) -> Decision {
    let (stored, newest): (Vec<_>, Vec<_>) = (stored.iter().collect(), newest.iter().collect());
    let trial = RelearnTrial {
        old,
        stored: &stored,
        newest: &newest,
        is_asked: false,
    };
    relearn(&trial, &LearnOptions::default().with_learned(NOW), NOW)
}

fn promoted(decision: Decision) -> Promotion {
    match decision {
        Decision::Promote(promotion) => *promotion,
        Decision::Keep(keep) => panic!("kept: {keep}"),
    }
}

fn kept(decision: Decision) -> KeepReason {
    match decision {
        Decision::Keep(keep) => keep,
        Decision::Promote(promotion) => panic!("promoted: {promotion}"),
    }
}

/// The pages on which a wrapper finds the story, and nothing but the story.
fn found(wrapper: &Wrapper, pages: &[SamplePage]) -> usize {
    let extractor = Extractor::new(wrapper.clone()).expect("compiles");
    let right = |sample: &&SamplePage| {
        let found = extractor.matcher().find(&sample.page);
        let text = found.map(|found| crate::render::text(&sample.page, &found.kept));
        text.is_some_and(|text| text.starts_with("The ") && !text.contains("Imprint"))
    };
    pages.iter().filter(right).count()
}

#[test]
fn a_site_with_a_new_design_gets_a_new_wrapper_and_keeps_the_old_in_the_history() {
    let newest = samples(10..18, "entry");
    let promotion = promoted(decided(&samples(0..5, "story"), &newest));
    assert_eq!(promotion.old_templates, OldTemplates::Replaced);
    let wrapper = &promotion.wrapper;
    assert_eq!(found(wrapper, &newest), 8);
    assert_eq!(found(wrapper, &samples(20..25, "entry")), 5);
    assert!(!wrapper.tests.is_empty());
    // What no sample shows stays, and the old one can be put back.
    assert_eq!(wrapper.next_page, old().wrapper().next_page);
    let [retired] = &wrapper.history[..] else {
        panic!("{:?}", wrapper.history);
    };
    assert_eq!(
        (&*retired.until, &*retired.body[0]),
        (NOW, "//div[@class='story']")
    );
    assert_eq!(
        retired.restored(wrapper).templates,
        old().wrapper().templates
    );
    assert!(
        promotion.worth.old < 0.1 && promotion.worth.new > 0.8,
        "{promotion}"
    );
}

#[test]
fn where_a_part_of_the_site_keeps_its_design_both_are_found() {
    let mut newest = samples(10..16, "entry");
    newest.extend(samples(20..23, "story"));
    let stored = samples(0..5, "story");
    let wrapper = promoted(decided(&stored, &newest)).wrapper;
    assert_eq!(found(&wrapper, &newest), 9);
    assert_eq!(found(&wrapper, &samples(30..35, "story")), 5);
    assert_eq!(found(&wrapper, &samples(30..35, "entry")), 5);
    assert_eq!(wrapper.history.len(), 1);
}

#[test]
fn one_page_of_the_old_design_is_enough_to_keep_it() {
    // One page alone teaches no template of its own when the halves are learned.
    let mut newest = samples(10..16, "entry");
    newest.extend(samples(20..21, "story"));
    let wrapper = promoted(decided(&samples(0..5, "story"), &newest)).wrapper;
    assert_eq!(found(&wrapper, &newest), 7);
    assert_eq!(found(&wrapper, &samples(0..5, "story")), 5);
}

#[test]
fn a_wrapper_that_works_is_not_replaced() {
    let keep = kept(decided(&samples(0..5, "story"), &samples(10..18, "story")));
    assert!(matches!(keep, KeepReason::NotBetter(_)), "{keep}");
}

#[test]
fn walls_teach_nothing() {
    let login = "<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password></form>\
                 <p>Forgot your password? Log in to read on.</p>";
    let challenge = "<title>Just a moment...</title><h1>Verify you are human</h1>";
    let missing = "<title>404 Not Found</title><h1>Not Found</h1><p>The page was not found.</p>";
    for wall in [login, challenge, missing] {
        let newest: Vec<SamplePage> = (10..18).map(|n| sample(n, wall)).collect();
        let keep = kept(decided(&samples(0..5, "story"), &newest));
        assert!(
            matches!(
                keep,
                KeepReason::Abstained(_) | KeepReason::OtherPages { .. }
            ),
            "{wall}: {keep}"
        );
    }
    // A few articles among them teach; the walls do not.
    let mut newest: Vec<SamplePage> = (10..14).map(|n| sample(n, login)).collect();
    newest.extend(samples(14..20, "entry"));
    let promotion = promoted(decided(&[], &newest));
    assert_eq!(promotion.worth.pages, 6);
    assert_eq!(promotion.wrapper.sample.len(), 6);
}

#[test]
fn what_somebody_else_shows_under_the_address_teaches_nothing() {
    // Articles by their shape, and not those of the feed's items.
    let casino = |n: usize| {
        let text = "Play roulette and win jackpots tonight: bonus spins await every gambler here, always. ";
        let body: String = (0..6)
            .map(|p| format!("<p>Table {n}-{p}. {}</p>", text.repeat(3)))
            .collect();
        format!("<html lang=en><title>Win {n}</title><h1>Win {n}</h1><div class=win>{body}</div>")
    };
    let newest: Vec<SamplePage> = (10..18).map(|n| sample(n, &casino(n))).collect();
    let keep = kept(decided(&samples(0..5, "story"), &newest));
    assert_eq!(keep, KeepReason::OtherPages { pages: 8, of: 8 });
}

#[test]
fn without_pages_nothing_is_learned() {
    assert!(matches!(kept(decided(&[], &[])), KeepReason::Abstained(_)));
    let one = samples(10..11, "entry");
    assert!(matches!(kept(decided(&[], &one)), KeepReason::Abstained(_)));
}

/// Pages with a paragraph of class `note` of their own in the story.
fn noted(range: std::ops::Range<usize>, class: &str) -> Vec<SamplePage> {
    let html = |n| {
        let note = format!(
            "<p class=note>Noted by a reader. {}</p><p>",
            paragraph(n + 7)
        );
        story(n, class).replacen("<p>", &note, 1)
    };
    range.map(|n| sample(n, &html(n))).collect()
}

/// The wrapper of stories with notes, with a label that a note is not the article's.
fn labelled(stored: &[SamplePage]) -> Extractor {
    let page = &stored[1].page;
    let is_note = |n: &forest_html::page::NodeId| page.attr(*n, "class") == Some("note");
    let note = page.elements().find(is_note).expect("a note");
    let label = Label::of(page, note, &*stored[1].name, LabelRole::NotArticle);
    let options = LearnOptions::default().with_labels(vec![label]);
    let (learned, _) = learned_from(&stored.iter().collect::<Vec<_>>(), &options).expect("learned");
    Extractor::new(learned.wrapper).expect("compiles")
}

fn texts(wrapper: &Wrapper, pages: &[SamplePage]) -> String {
    let extractor = Extractor::new(wrapper.clone()).expect("compiles");
    let article = |p: &SamplePage| extractor.extract(&p.page, &crate::extract::Options::default());
    pages.iter().map(|p| article(p).text).collect()
}

#[test]
fn a_label_is_obeyed_again_on_pages_of_a_new_design() {
    let (stored, newest) = (noted(0..5, "story"), noted(10..18, "entry"));
    let old = labelled(&stored);
    let without = promoted(decided(&stored, &newest)).wrapper;
    assert!(texts(&without, &newest).contains("Noted by a reader"));
    let promotion = promoted(decided_from(&old, &stored, &newest));
    assert!(!texts(&promotion.wrapper, &newest).contains("Noted by a reader"));
    assert_eq!(found(&promotion.wrapper, &newest), 8);
    assert_eq!(promotion.wrapper.labels, old.wrapper().labels);
    assert!(promotion.warnings.is_empty(), "{:?}", promotion.warnings);
}

#[test]
fn a_label_of_what_is_gone_stays_and_is_said() {
    let (stored, newest) = (noted(0..5, "story"), samples(10..18, "entry"));
    let old = labelled(&stored);
    let promotion = promoted(decided_from(&old, &stored, &newest));
    assert_eq!(found(&promotion.wrapper, &newest), 8);
    assert_eq!(promotion.wrapper.labels, old.wrapper().labels);
    let [warning] = &promotion.warnings[..] else {
        panic!("{:?}", promotion.warnings);
    };
    assert!(
        warning.contains("not_article") && warning.contains("not found"),
        "{warning}"
    );
}

#[test]
fn what_a_person_keeps_is_kept_by_the_new_wrapper_and_of_a_label_only_with_it() {
    let newest = samples(10..18, "entry");
    let mut wrapper = old().wrapper().clone();
    wrapper.templates[0].keep = vec!["//h1".to_owned(), "//ul".to_owned()];
    let page = &newest[0].page;
    let mut label = Label::of(page, page.root(), "https://a.example/0", LabelRole::Keep);
    label.expression = Some("//ul".to_owned());
    wrapper.labels = vec![label];
    assert_eq!(wrapper.own_keeps(), ["//h1"]);
    let old = Extractor::new(wrapper).expect("compiles");
    let new = promoted(decided_from(&old, &samples(0..5, "story"), &newest)).wrapper;
    assert_eq!(new.templates[0].keep, ["//h1", "//ul"]);
    let text = texts(&new, &newest);
    assert!(
        text.contains("Story 10: closed") && text.contains("Home"),
        "{text}"
    );
}
