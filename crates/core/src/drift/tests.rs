use super::*;
use crate::extract::{Extractor, Options};
use crate::onepage::ScoredPage;
use crate::wrapper::Wrapper;
use forest_html::page::{Page, Source};

const WORDS: [&str; 12] = [
    "river", "harbour", "mill", "baker", "ferry", "valley", "winter", "organ", "bridge", "market",
    "island", "school",
];

/// A paragraph of whole sentences.
fn paragraph(n: usize) -> String {
    let word = |i: usize| WORDS[(n * 7 + i * 5) % WORDS.len()];
    let sentences = (0..4).map(|s| {
        format!(
            "The {} of the old {} was closed for {} days, and nobody in the {} knew why it was so. ",
            word(s), word(s + 1), s + 3, word(s + 2)
        )
    });
    sentences.collect()
}

/// A page with a story of four paragraphs.
fn story(n: usize, class: &str) -> String {
    let body: String = (0..4)
        .map(|p| format!("<p>{}</p>", paragraph(n + p)))
        .collect();
    format!(
        "<title>Story {n} of the valley</title><ul class=menu><li><a href=/>Home</a><li><a href=/b>More</a></ul>\
         <h1>Story {n} of the valley</h1><div class={class}>{body}</div>\
         <div class=foot><a href=/imprint>Imprint</a></div>"
    )
}

fn stories(range: std::ops::Range<usize>, class: &str) -> Vec<String> {
    range.map(|n| story(n, class)).collect()
}

const CHALLENGE: &str = "<title>Just a moment...</title><h1>Verify you are human</h1>";

const YAML: &str = "format: 1\nsite: a.example\ntemplates:\n- body: [\"//div[@class='story']\"]\n  title: [//h1]\n";

fn extractor(yaml: &str) -> Extractor {
    Extractor::new(Wrapper::from_yaml(yaml).expect("yaml").wrapper).expect("compiles")
}

/// The report on pages, each with its F1 where that is known.
fn reported(yaml: &str, pages: &[(String, Option<f64>)]) -> WrapperReport {
    let extractor = extractor(yaml);
    let seen: Vec<PageObservation> = pages
        .iter()
        .enumerate()
        .map(|(n, (html, f1))| {
            let url = format!("https://a.example/{n}");
            let source = Source {
                url: Some(&url),
                content_type: None,
            };
            let page = extractor.parse(html.as_bytes(), source);
            observe(&extractor, &n.to_string(), &page.into(), None, |_| *f1)
        })
        .collect();
    report(extractor.wrapper(), extractor.matcher(), &seen)
}

#[track_caller]
fn check(yaml: &str, pages: &[String], verdict: Verdict, why: &[&str]) -> WrapperReport {
    let pages: Vec<_> = pages.iter().map(|page| (page.clone(), None)).collect();
    let report = reported(yaml, &pages);
    assert_eq!(report.verdict, verdict, "{report:#?}");
    for part in why {
        assert!(
            report.why.iter().any(|w| w.contains(part)),
            "{part}: {:?}",
            report.why
        );
    }
    assert_eq!(report.why.is_empty(), why.is_empty(), "{:?}", report.why);
    report
}

#[test]
fn a_wrapper_that_fits_is_ok() {
    let report = check(YAML, &stories(0..6, "story"), Verdict::Ok, &[]);
    assert!(report.pages.iter().all(|page| page.status == Status::Ok));
    assert!(
        report.pages.iter().all(|page| page.confidence > 0.8),
        "{report:?}"
    );
}

#[test]
fn a_new_design_is_drift() {
    let report = check(
        YAML,
        &stories(0..4, "text"),
        Verdict::Drift,
        &["no template selects text"],
    );
    assert!(report.pages.iter().all(|page| page.status == Status::Empty));
    assert!(report.pages.iter().all(|page| page.confidence == 0.0));
}

#[test]
fn some_pages_of_another_design_are_degraded() {
    let pages = [stories(0..4, "story"), stories(4..6, "text")].concat();
    check(
        YAML,
        &pages,
        Verdict::Degraded,
        &["of 6 pages with an article): 4, 5"],
    );
}

#[test]
fn challenges_are_blocked_and_no_drift() {
    let pages = vec![CHALLENGE.to_owned(); 3];
    let report = check(
        YAML,
        &pages,
        Verdict::Blocked,
        &["in the way of the article: 0, 1, 2"],
    );
    assert!(
        report
            .pages
            .iter()
            .all(|page| page.status == Status::Blocked)
    );
    let some = [stories(0..4, "story"), vec![CHALLENGE.to_owned()]].concat();
    check(YAML, &some, Verdict::Ok, &["in the way"]);
    let whole = "format: 1\nsite: a.example\ntemplates:\n- body: [//body]\n";
    check(whole, &pages, Verdict::Blocked, &["in the way"]);
}

#[test]
fn pages_without_an_article_do_not_speak_against_the_wrapper() {
    let gone = "<title>404 Not Found</title><h1>Not Found</h1><p>nginx".to_owned();
    let pages = [stories(0..3, "story"), vec![gone.clone(); 3]].concat();
    check(YAML, &pages, Verdict::Ok, &[]);
    check(
        YAML,
        &[gone],
        Verdict::Degraded,
        &["no page that was given"],
    );
}

#[test]
fn too_little_and_too_much() {
    let first = YAML.replace("story']", "story']/p[1]");
    let expects =
        |words: &str| format!("{first}expect: {{words: {words}, link_quota: [0.0, 0.1]}}\n");
    check(
        &expects("[250, 400]"),
        &stories(0..3, "story"),
        Verdict::Drift,
        &["too little"],
    );
    let menus = "<li><a href=/x>A link to something else of ours</a>".repeat(60);
    let pages: Vec<String> = stories(0..3, "story")
        .iter()
        .map(|page| format!("{page}<ul>{menus}</ul>"))
        .collect();
    let whole = "format: 1\nsite: a.example\ntemplates:\n- body: [//body]\n\
                 expect: {words: [150, 200], link_quota: [0.0, 0.1]}\n";
    check(whole, &pages, Verdict::Drift, &["too much", "are links"]);
}

#[test]
fn without_expectations_the_other_pages_are_the_measure() {
    let short = "<title>A</title><div class=story><p>The ferry is late.</div>\
                 <div class=more><p>The harbour master says that the old ferry needs a new engine.</p>\
                 <p>Nobody on the island was surprised, for the ferry is older than the school.</p></div>";
    let pages = [stories(0..6, "story"), vec![short.to_owned()]].concat();
    check(YAML, &pages, Verdict::Degraded, &["6: too little: 4 words"]);
}

#[test]
fn gold_decides_and_not_the_block_scores() {
    let pages = |f1| -> Vec<_> {
        stories(0..4, "story")
            .into_iter()
            .map(|p| (p, Some(f1)))
            .collect()
    };
    let report = reported(YAML, &pages(0.5));
    assert_eq!(report.verdict, Verdict::Drift);
    assert!(report.why[0].contains("F1 0.500"), "{:?}", report.why);
    assert_eq!(reported(YAML, &pages(0.95)).verdict, Verdict::Ok);
}

#[test]
fn a_lost_field_is_degraded_and_a_silent_strip_is_only_named() {
    let pages = stories(0..4, "story");
    let lost = YAML.replace("[//h1]", "[\"//h2[@id='x']\"]");
    check(
        &lost,
        &pages,
        Verdict::Degraded,
        &["title gives nothing on 4 pages: //h2[@id='x']"],
    );
    let one_of_two = YAML.replace("[//h1]", "[//h2, //h1]");
    check(
        &one_of_two,
        &pages,
        Verdict::Ok,
        &["title gives nothing on 4 pages: //h2"],
    );
    let strip = format!("{YAML}  strip: [//aside]\n- body: [//article]\n");
    check(
        &strip,
        &pages,
        Verdict::Ok,
        &["strip gives nothing", "template 1 matches no page"],
    );
}

#[test]
fn the_tests_of_a_wrapper_are_made() {
    let tests = |text: &str| {
        format!("{YAML}tests: [{{url: 'http://www.a.example/0/', contains: '{text}'}}]\n")
    };
    let pages = stories(0..4, "story");
    check(&tests("was  closed for 3 days"), &pages, Verdict::Ok, &[]);
    check(
        &tests("was open"),
        &pages,
        Verdict::Degraded,
        &["0: the text has no `was open`"],
    );
}

#[test]
fn a_report_is_json_of_its_shape() {
    let report = reported(
        YAML,
        &[(story(1, "story"), Some(1.0)), (story(2, "story"), None)],
    );
    let json = serde_json::to_value(&report).expect("JSON");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(keys(&json), ["site", "verdict", "pages", "why"]);
    assert_eq!(
        keys(&json["pages"][0]),
        ["id", "status", "confidence", "f1"]
    );
    assert_eq!(keys(&json["pages"][1]), ["id", "status", "confidence"]);
    assert_eq!(json["verdict"], "ok");
}

#[test]
fn hostile_pages_are_looked_at() {
    let extractor = extractor(YAML);
    for html in [
        "",
        "<",
        "<div class=story>",
        &"<div class=story>".repeat(3000),
        "<div class=story>\0\u{feff}",
    ] {
        let seen = observe(&extractor, "x", &Page::from_html(html).into(), None, |_| {
            None
        });
        report(
            extractor.wrapper(),
            extractor.matcher(),
            &[seen, unread("y", "gone")],
        );
    }
}

#[test]
fn doubt_makes_a_wrapper_degraded_and_much_of_it_a_drift() {
    let extractor = extractor(YAML);
    let seen = |confidence| PageObservation {
        status: Status::Ok,
        template: Some(0),
        words: 300,
        precision: 0.9,
        recall: 0.9,
        likely_words: 300,
        giving: vec![true; 2],
        confidence: Some(confidence),
        ..unread("a", "")
    };
    let check = |confidence, verdict, status| {
        let seen = [seen(confidence), seen(confidence), seen(0.9)];
        let report = report(extractor.wrapper(), extractor.matcher(), &seen);
        assert_eq!(report.verdict, verdict, "{confidence}");
        assert_eq!(report.pages[0].status, status, "{confidence}");
        assert!(report.pages[0].confidence <= confidence);
        let doubt = report.why.iter().any(|why| why.contains("confidence"));
        assert_eq!(doubt, status != Status::Ok, "{:?}", report.why);
    };
    check(0.8, Verdict::Ok, Status::Ok);
    check(0.4, Verdict::Degraded, Status::Degraded);
    check(0.1, Verdict::Drift, Status::Degraded);
}

#[test]
fn strips_that_meet_other_things_on_most_pages_make_a_wrapper_degraded() {
    let yaml = YAML.replace("format: 1", "format: 2")
        + "  strip:\n  - {xpath: //aside, expect: {kinds: [p]}}\n";
    let pages = |unlike: usize| -> Vec<String> {
        let page = |n| {
            let inside = if n < unlike {
                "<table><tr><td>7</table>"
            } else {
                "<p>More"
            };
            let foot = "</div><div class=foot>";
            story(n, "story").replace(foot, &format!("<aside>{inside}</aside>{foot}"))
        };
        (0..6).map(page).collect()
    };
    check(&yaml, &pages(2), Verdict::Ok, &[]);
    let why = "strip rules meet other things than those that they were learned from on 3 pages";
    check(&yaml, &pages(3), Verdict::Degraded, &[why]);
}

/// The report on pages with what the feed says of each.
fn reported_with(pages: &[(String, &str)]) -> WrapperReport {
    let extractor = extractor(YAML);
    let seen: Vec<PageObservation> = pages
        .iter()
        .enumerate()
        .map(|(n, (html, item))| {
            let page = Page::from_html(html);
            observe(&extractor, &n.to_string(), &page.into(), Some(item), |_| {
                None
            })
        })
        .collect();
    report(extractor.wrapper(), extractor.matcher(), &seen)
}

const ITEM: &str = "Story of the valley: the ferry of the old island was closed, and nobody in the market knew why, \
                    said the school, the bridge, the mill and the baker";

#[test]
fn a_quarter_without_a_text_is_a_drift_two_pages_are_none() {
    let with = |lost: usize, of: usize| {
        let mut pages = stories(0..of - lost, "story");
        pages.extend(stories(of - lost..of, "entry"));
        let pages: Vec<_> = pages.into_iter().map(|html| (html, None)).collect();
        reported(YAML, &pages).verdict
    };
    assert_eq!(with(3, 12), Verdict::Drift);
    assert_eq!(with(3, 13), Verdict::Degraded);
    assert_eq!(with(2, 5), Verdict::Degraded);
}

#[test]
fn the_words_of_the_feed_are_looked_for() {
    let with = |html: String, item| {
        let report = reported_with(&[(html, item)]);
        (report.pages[0].status, report.why.join("; "))
    };
    assert_eq!(with(story(1, "story"), ITEM), (Status::Ok, String::new()));
    // The page has another subject: it is no evidence for the wrapper.
    let casino =
        "Roulette, jackpot, blackjack: bonus spins tonight, gamblers win fortunes, dealers smile";
    let (status, why) = with(story(1, "story"), casino);
    assert_eq!(status, Status::Blocked);
    assert!(
        why.contains("without the words that the feed says"),
        "{why}"
    );
    // The page has them and the text has not.
    let aside = format!("<p class=x>{casino}</p>{}", story(1, "story"));
    let (status, why) = with(aside, casino);
    assert_eq!(status, Status::Degraded);
    assert!(
        why.contains("words of the feed on the page 0 stand in the text"),
        "{why}"
    );
}

#[test]
fn a_page_sign_has_what_a_harvest_stores() {
    let extractor = extractor(YAML);
    let sign = |html: &str, item: Option<&str>| {
        let seen = observe(&extractor, "x", &Page::from_html(html).into(), item, |_| {
            None
        });
        PageSign::of(extractor.wrapper(), &seen)
    };
    let good = sign(&story(1, "story"), None);
    assert_eq!((good.status, good.fits), (Status::Ok, true));
    assert!(good.worth.is_some_and(|worth| worth > 0.8), "{good:?}");
    let lost = sign(&story(1, "entry"), None);
    assert_eq!(
        (lost.status, lost.worth, lost.fits),
        (Status::Fallback, Some(0.0), false)
    );
    assert!(lost.is_lost());
    let wall = sign(CHALLENGE, None);
    assert_eq!(
        (wall.status, wall.worth, wall.fits),
        (Status::Blocked, None, false)
    );
    assert!(wall.is_blocked() && !wall.is_lost());
    let missing = sign(
        "<title>404 Not Found</title><h1>Not Found</h1><p>nginx</p>",
        None,
    );
    assert_eq!((missing.worth, missing.is_lost()), (None, false));
    let of_other_page =
        "Roulette, jackpot, blackjack: bonus spins tonight, gamblers win fortunes, dealers smile";
    assert!(sign(&story(1, "story"), Some(of_other_page)).is_blocked());
}

#[test]
fn read_in_one_pass_is_read_as_in_two() {
    let extractor = extractor(YAML);
    let empty = "<title>404 Not Found</title><h1>Not Found</h1>";
    let pages = [
        story(1, "story"),
        story(2, "other"),
        CHALLENGE.to_owned(),
        empty.to_owned(),
    ];
    for (html, status) in
        pages
            .iter()
            .zip([Status::Ok, Status::Fallback, Status::Blocked, Status::Empty])
    {
        let page = ScoredPage::from(Page::from_html(html));
        let item = Some(
            "Story of the valley, the harbour, the mill and the old ferry in the winter market",
        );
        let options = Options::default();
        let (article, seen) = extract_and_observe(&extractor, "1", &page, item, &options);
        assert_eq!(article.status, status);
        assert_eq!(article, extractor.extract(&page, &options));
        assert_eq!(seen, observe(&extractor, "1", &page, item, |_| None));
        // What is seen knows of no fall-back.
        assert_eq!(seen.fallback, status == Status::Fallback);
        assert_ne!(seen.status, Status::Fallback);
    }
}

#[test]
fn a_wrapper_that_only_strips_is_held_against_what_its_pages_show() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- strip: [\"//div[@class='foot']\"]\n";
    let report = check(yaml, &stories(0..6, "any"), Verdict::Ok, &[]);
    assert!(
        report.pages.iter().all(|page| page.status == Status::Ok),
        "{report:#?}"
    );
    // Its rules that no longer take anything away are named.
    let yaml = yaml.replace("foot", "gone");
    check(
        &yaml,
        &stories(0..6, "any"),
        Verdict::Ok,
        &["strip gives nothing on 6 pages"],
    );
    let lost = vec![CHALLENGE.to_owned(); 3];
    check(
        &yaml,
        &lost,
        Verdict::Blocked,
        &["something stands in the way"],
    );
}
