use super::*;
use crate::feed::FeedItem;
use crate::refusal::NoArticle;
use forest_html::page::{Page, Source};
use std::borrow::Cow;

const WORDS: [&str; 4] = [
    "The orchard gave its harvest early this year, and the growers of the valley carried apples \
     to the market square, where apples were weighed, sorted and sold before noon.",
    "A lighthouse keeper wrote letters about storms; the lighthouse lamp burned through storms \
     while ships passed the reef, and the keeper counted every ship that came home.",
    "Weavers of the northern town dye wool with madder and woad; the wool dries on long lines, \
     and madder red is what the weavers of that town are known for far away.",
    "The railway museum restores engines; volunteers polish engines, mend boilers and tell \
     visitors how a boiler works, when the railway came and why the branch line closed.",
];

fn html(i: usize) -> String {
    let words: Vec<&str> = WORDS[i].split(' ').collect();
    let story: String = words
        .chunks(7)
        .map(|c| format!("<p>{}</p>", c.join(" ")))
        .collect();
    format!(
        "<html lang=en><head><title>Volume</title></head><body><div id=menu>Home News Sport Weather \
         Contact</div><div class='story n{i}'><h1>Title {i}</h1>{story}</div><div id=footer>Copyright \
         and terms of this paper apply to every page of it, whoever reads them</div>",
    )
}

fn item(title: &str, summary: &str) -> FeedItem {
    FeedItem {
        title: title.to_owned(),
        summary: summary.to_owned(),
        ..FeedItem::default()
    }
}

fn page(i: usize, url: &str) -> SamplePage {
    let source = Source {
        url: Some(url),
        content_type: None,
    };
    SamplePage::new(Page::parse(html(i).as_bytes(), source), url)
}

fn site() -> Vec<SamplePage> {
    (0..4)
        .map(|i| page(i, &format!("https://news.example/{i}")))
        .collect()
}

fn learned(pages: &[SamplePage], options: &LearnOptions) -> Box<Learned> {
    match learn(pages, options) {
        LearnOutcome::Learned(learned) => learned,
        LearnOutcome::Abstained(a) => panic!("abstained: {}", a.reason),
    }
}

fn abstained(pages: &[SamplePage], options: &LearnOptions) -> Abstention {
    match learn(pages, options) {
        LearnOutcome::Learned(learned) => panic!("learned {:?}", learned.wrapper.templates),
        LearnOutcome::Abstained(abstention) => abstention,
    }
}

#[test]
fn without_likely_blocks_the_published_ranking_decides() {
    let pages = site();
    let scored = pages.iter().map(|p| (p, Cow::Borrowed(p.page.scores())));
    let sample = SampleEvidence::of(scored.collect(), ForestLimits::default());
    let induction = induce(&pages.iter().collect::<Vec<_>>(), &LearnOptions::default());
    assert!(forest::templates(&sample, &induction).is_empty());
    let learned = learned(&pages, &LearnOptions::default());
    let evidence = learned.wrapper.templates[0].evidence.as_ref();
    assert_eq!(evidence.map(|e| &*e.method), Some("paper-nodfs"));
}

#[test]
fn the_story_is_found_by_each_method_that_learns() {
    let body = |method| {
        let learned = learned(&site(), &LearnOptions::default().with_method(method));
        assert_eq!(learned.wrapper.site, "news.example");
        assert_eq!(learned.wrapper.templates[0].pages, 4);
        learned.wrapper.templates[0].body.clone()
    };
    let story = "contains(translate(@class,'0123456789',''),'story')";
    assert_eq!(
        body(Method::Paper),
        [format!("//div[{story} and @dfs='3']")]
    );
    assert_eq!(body(Method::PaperNoDfs), [format!("//div[{story}]")]);
    assert_eq!(body(Method::Coverage).len(), 1);
}

#[test]
fn what_a_normal_page_looks_like_is_measured_on_the_sample() {
    let expect = learned(&site(), &LearnOptions::default())
        .wrapper
        .expect
        .expect("measured");
    assert!(expect.words[0] >= 25 && expect.words[0] < expect.words[1]);
    assert_eq!(expect.link_quota, [0.0, 0.0]);
}

#[test]
fn signifiers_from_the_feed_the_metadata_and_words() {
    let mut pages = site();
    pages[0].item = Some(item("Apples from the valley", "A harvest"));
    let words = |source| {
        let options = LearnOptions::default().with_signifiers(source);
        let good: Vec<&SamplePage> = pages.iter().collect();
        induce(&good, &options).signifiers[0].clone()
    };
    assert_eq!(words(SignifierSource::Feed), ["appl", "harvest", "valley"]);
    assert!(
        words(SignifierSource::Metadata).is_empty(),
        "its title is not in the body"
    );
    assert_eq!(
        words(SignifierSource::Words("Apples, engines".into())),
        ["appl"]
    );
    assert_eq!(words(SignifierSource::TfIdf).len(), 10);
}

#[test]
fn one_page_is_too_few_and_a_learner_says_so() {
    let pages = &site()[..1];
    let abstention = abstained(pages, &LearnOptions::default());
    assert_eq!(
        abstention.reason,
        AbstentionReason::TooFewPages { good: 1, needed: 2 }
    );
    assert!(
        abstention
            .reason
            .to_string()
            .contains("feed with more items")
    );
    let one = learned(pages, &LearnOptions::default().with_min_pages(1));
    assert!(one.induction.by_tf_only);
}

#[test]
fn methods_of_one_page_learn_nothing() {
    let options = LearnOptions::default().with_method(Method::Sigfeed);
    assert!(
        abstained(&site(), &options)
            .reason
            .to_string()
            .contains("apply --method sigfeed")
    );
}

#[test]
fn signifiers_that_no_page_holds_are_a_reason_to_abstain() {
    let options = LearnOptions::default().with_signifiers(SignifierSource::Words("zebra".into()));
    assert_eq!(
        abstained(&site(), &options).reason,
        AbstentionReason::NoSignifiers
    );
}

fn check(extra: SamplePage, expected: SampleVerdict) {
    let mut pages = site();
    pages.push(extra);
    let (site, verdicts) = sort_out(&pages.iter().collect::<Vec<_>>(), None, false);
    assert_eq!(site, "news.example");
    assert_eq!(
        verdicts[..4],
        [
            SampleVerdict::Good,
            SampleVerdict::Good,
            SampleVerdict::Good,
            SampleVerdict::Good
        ]
    );
    assert_eq!(verdicts[4], expected);
}

fn no_article(kind: NoArticle) -> SampleVerdict {
    SampleVerdict::NoArticle { kind }
}

fn bytes(html: &str) -> SamplePage {
    SamplePage::new(Page::from_html(html), "x")
}

#[test]
fn pages_of_other_hosts_are_left_out() {
    let host = "shop.example:8080".to_owned();
    check(
        page(0, "https://shop.example:8080/1"),
        SampleVerdict::OtherHost { host },
    );
}

#[test]
fn near_identical_pages_are_left_out() {
    let of = "https://news.example/2".to_owned();
    let mut copy = html(2);
    copy.push_str("<p>12</p>");
    check(bytes(&copy), SampleVerdict::NearDuplicate { of });
}

#[test]
fn an_article_with_other_comments_is_the_same_article() {
    let of = "https://news.example/1".to_owned();
    let comments: String = (0..4)
        .map(|i| format!("<p>Reader{i} thinks number {i}x of it</p>"))
        .collect();
    let copy = html(1).replace("<div id=footer>", &format!("{comments}<div id=footer>"));
    let longer = |i: usize| {
        let story: String = (0..40)
            .map(|n| format!("<p>Story {i} has {n}th{i} part</p>"))
            .collect();
        let html = html(i).replace("</h1>", &format!("</h1>{story}"));
        SamplePage::new(Page::from_html(&html), format!("https://news.example/{i}"))
    };
    let mut pages: Vec<SamplePage> = (0..4).map(longer).collect();
    let story: String = (0..40)
        .map(|n| format!("<p>Story 1 has {n}th1 part</p>"))
        .collect();
    let copy = copy.replace("</h1>", &format!("</h1>{story}"));
    pages.push(bytes(&copy));
    // Short stories of one day share their side bars: another title, another story.
    pages.push(bytes(&copy.replace("Volume", "Another")));
    let (_, verdicts) = sort_out(&pages.iter().collect::<Vec<_>>(), None, false);
    assert_eq!(verdicts[4], SampleVerdict::NearDuplicate { of });
    assert_eq!(verdicts[5], SampleVerdict::Good);
    assert_eq!(verdicts[3], SampleVerdict::Good);
}

#[test]
fn consent_walls_are_known_by_their_vocabulary() {
    check(
        bytes(
            "<div>Wir und bis zu 132 Partner speichern Cookies, um Anzeigen zu messen. Dafür brauchen wir \
               Ihre Einwilligung. <button>Weiterlesen</button></div>",
        ),
        no_article(NoArticle::Consent),
    );
}

#[test]
fn what_is_no_page_is_left_out() {
    check(
        bytes(&"%PDF-1.4 binary ".repeat(50)),
        SampleVerdict::NotHtml,
    );
    check(
        bytes("<div>Not found</div>"),
        SampleVerdict::NearlyEmpty { words: 2 },
    );
}

#[test]
fn challenges_and_consent_walls_are_left_out() {
    check(
        bytes(
            "<title>Just a moment...</title><div>Enable JavaScript and cookies to continue</div>",
        ),
        no_article(NoArticle::Challenge),
    );
    check(
        bytes(
            "<div>Before you continue to the paper, we store cookies. <button>Accept all</button></div>",
        ),
        no_article(NoArticle::Consent),
    );
}

#[test]
fn a_long_article_may_speak_of_captchas() {
    let story: String = (0..60)
        .map(|i| format!("<p>Word{i} says are you a robot, no {i}.</p>"))
        .collect();
    check(bytes(&story), SampleVerdict::Good);
}

#[test]
fn the_baselines_of_one_page() {
    let mut pages = site();
    pages[0].item = Some(item("Apples", "The harvest"));
    let kept: String = sigfeed(&pages[0], 10)
        .texts(&pages[0].page)
        .map(|n| pages[0].page.text(n))
        .collect();
    assert!(kept.starts_with("Title 0The orchard"));
    assert_eq!(description(&pages[0]), "Apples\nThe harvest");
    assert!(sigfeed(&pages[1], 10).is_empty(), "no item, no words");
}

#[test]
fn the_published_methods_learn_no_fields() {
    let fields = |method| LearnOptions::default().with_method(method).fields();
    assert!(!fields(Method::Paper) && !fields(Method::Coverage));
    assert!(fields(Method::PaperNoDfs));
    assert!(!LearnOptions::default().with_fields(false).fields());
    assert!(
        LearnOptions::default()
            .with_method(Method::Paper)
            .with_fields(true)
            .fields()
    );
}
