//! The report of `forest learn --report`: it is safe to open, explains the learned wrapper,
//! and shows the extracted text.

#[cfg(feature = "heavy")]
mod browser;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use forest_core::explain::{MAX_BYTES, SiteReport, html};
use forest_core::extract::{Extractor, Options};
use forest_core::feed::{FeedDate, FeedItem};
use forest_core::learn::{LearnOptions, LearnOutcome, Method, SamplePage, learn};
use forest_eval::eval::EvalSite;
use forest_html::page::{NodeId, Page, Source};
use forest_html::text::metric_tokens;
use forest_sources::gold::Collection;
use proptest::collection::vec;
use proptest::prelude::*;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The sites of the project's own gold.
fn gold() -> Vec<(String, EvalSite)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/gold");
    let collection = Collection::open(dir).expect("the gold is there");
    let sites = collection.sites().iter();
    sites
        .map(|site| {
            let read = EvalSite::read(&collection, site).expect("a readable site");
            (site.name.clone(), read)
        })
        .collect()
}

fn learned(name: &str, sample: &[SamplePage], method: Method) -> LearnOutcome {
    let options = LearnOptions::default().with_method(method);
    let time = "2026-11-22T08:00:00Z";
    learn(sample, &options.with_site(name).with_learned(time))
}

fn report(name: &str, sample: &[SamplePage], method: &Method, outcome: &LearnOutcome) -> String {
    let method = method.to_string();
    let site = SiteReport {
        clusters: None,
        name,
        feed: Some("https://feeds.example/feed.xml"),
        learned: Some("2026-11-22T08:00:00Z"),
        method: &method,
        signifiers: "tfidf",
        sample,
        outcome,
    };
    html(&site).expect("learned expressions compile")
}

fn page(name: &str, html: &str) -> SamplePage {
    let source = Source {
        url: Some(name),
        content_type: None,
    };
    SamplePage::new(Page::parse(html.as_bytes(), source), name)
}

/// Elements that a report may have: none of them loads, runs or sends anything.
const ELEMENTS: [&str; 50] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "header",
    "nav",
    "section",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "a",
    "b",
    "i",
    "q",
    "br",
    "dl",
    "div",
    "dt",
    "dd",
    "small",
    "ul",
    "li",
    "span",
    "code",
    "pre",
    "details",
    "summary",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "svg",
    "rect",
    "em",
    "strong",
    "abbr",
    "ol",
    "time",
    "figure",
    "figcaption",
    "sub",
    "sup",
];

/// The faults of a report, parsed as in a browser.
fn faults(report: &str) -> Vec<String> {
    let page = Page::from_html(report);
    let mut faults = Vec::new();
    let mut ids = BTreeSet::new();
    let mut links = BTreeSet::new();
    for n in page.elements() {
        let name = page.name(n).map_or("", |name| &*name.local);
        if !ELEMENTS.contains(&name) {
            faults.push(format!("an element <{name}>"));
        }
        for (attr, value) in page.attrs(n) {
            match (name, &*attr.local) {
                ("a", "href") if value.starts_with('#') => {
                    links.insert(value[1..].to_owned());
                }
                ("a", "href") if value.starts_with("http") => {
                    let rel = page.attr(n, "rel").unwrap_or_default();
                    if !rel.contains("noreferrer") {
                        faults.push(format!("a link that tells where it is: {value}"));
                    }
                }
                (_, "id") => {
                    if !ids.insert(value.to_owned()) {
                        faults.push(format!("two elements {value}"));
                    }
                }
                ("svg", "viewBox" | "preserveAspectRatio") | ("rect", "width" | "height") => {}
                ("meta", "charset" | "http-equiv" | "content" | "name") | ("html", "lang") => {}
                (_, "class" | "dir" | "rel" | "open" | "data-k" | "aria-label" | "aria-hidden") => {
                }
                (_, attr) => faults.push(format!("an attribute {attr}={value:?}")),
            }
        }
    }
    faults.extend(links.difference(&ids).map(|id| format!("no element {id}")));
    faults.extend(policy_faults(&page));
    if report.len() > MAX_BYTES {
        faults.push(format!("{} bytes", report.len()));
    }
    faults
}

/// The policy: nothing but the one style, by its hash.
fn policy_faults(page: &Page) -> Vec<String> {
    let of = |tag: &str| -> Vec<NodeId> {
        let all = page.elements();
        all.filter(|&n| page.tag(n).is_some_and(|t| &**t == tag))
            .collect()
    };
    let [style] = of("style")[..] else {
        return vec!["not one style".to_owned()];
    };
    let hash = STANDARD.encode(Sha256::digest(page.text(style).as_bytes()));
    let expected = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
    );
    let is_policy = |n: &NodeId| page.attr(*n, "http-equiv") == Some("Content-Security-Policy");
    let policies: Vec<NodeId> = of("meta").into_iter().filter(is_policy).collect();
    let [policy] = policies[..] else {
        return vec!["not one policy".to_owned()];
    };
    let mut faults = Vec::new();
    if page.attr(policy, "content") != Some(&*expected) {
        faults.push(format!("policy {:?}", page.attr(policy, "content")));
    }
    if policy > style {
        faults.push("the style stands before the policy".to_owned());
    }
    faults
}

/// The text of the elements with a class in the marked text of a page.
fn marked(report: &Page, number: usize, class: &str) -> String {
    let id = format!("p{number}");
    let sheet = report
        .elements()
        .find(|&n| report.attr(n, "id") == Some(&*id))
        .expect("the page is there");
    let has = |n: NodeId, class: &str| {
        let classes = report.attr(n, "class").unwrap_or_default();
        classes.split(' ').any(|c| c == class)
    };
    let mut text = String::new();
    let mut end = NodeId(0);
    for n in report.subtree(sheet).filter(|&n| has(n, class)) {
        if n < end {
            continue;
        }
        end = report.end(n);
        for t in report.content_texts(n) {
            let mut up = report.ancestors(t);
            if !up.any(|up| has(up, "tag") || has(up, "img")) {
                text.push_str(report.text(t));
            }
        }
        text.push('\n');
    }
    text
}

fn tokens(text: &str) -> Vec<String> {
    metric_tokens(text).iter().map(str::to_owned).collect()
}

/// Pages whose marked text was compared with the extracted text.
fn compared(name: &str, sample: &[SamplePage]) -> usize {
    let outcome = learned(name, sample, Method::Forest);
    let html = report(name, sample, &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0], "{name}");
    let LearnOutcome::Learned(learned) = &outcome else {
        panic!("{name}: nothing learned");
    };
    let read = Page::from_html(&html);
    let extractor = Extractor::new(learned.wrapper.clone()).expect("compiles");
    let mut compared = 0;
    for (number, (page, verdict)) in (1..).zip(sample.iter().zip(&learned.verdicts)) {
        assert!(html.contains(&page.name), "{}", page.name);
        if verdict.to_string() != "good" {
            assert!(html.contains(&verdict.to_string()));
            continue;
        }
        let Some(found) = extractor.matcher().find(&page.page) else {
            assert!(html.contains("good, but no template selects text on it"));
            continue;
        };
        let fields = extractor.matcher().fields(&page.page, &found);
        let in_body = |n: &NodeId| found.kept.contains(*n);
        if fields.iter().flat_map(|(_, nodes)| nodes).any(in_body) {
            // The source of a field is marked with the field.
            continue;
        }
        let article = extractor.extract(&page.page, &Options::default());
        let shown = marked(&read, number, "b");
        assert_eq!(
            tokens(&shown),
            tokens(&article.text),
            "{name} page {number}"
        );
        compared += 1;
    }
    compared
}

#[test]
fn reports_of_all_own_sites_are_safe_and_show_what_is_extracted() {
    let sites = gold();
    let each = sites
        .par_iter()
        .map(|(name, site)| compared(name, site.samples()));
    let pages: usize = each.sum();
    assert!(pages > 100, "only {pages} pages compared");
}

/// A small site of a live blog and stories, with a share bar and a login page.
fn small() -> Vec<SamplePage> {
    let words = [
        "It rained for nine days, and on the tenth the river was in the cellar of the old mill, \
         said the miller, who had carried his flour to the church in time.",
        "Weavers of the northern town dye wool with madder and woad, and the wool dries on long \
         lines, as it did when the town was known for it far beyond the mountains.",
        "A lighthouse keeper wrote letters about storms, and the lamp burned on while ships \
         passed the reef, and the keeper counted every ship that came home.",
    ];
    let mut pages: Vec<SamplePage> = (0..6)
        .map(|n| {
            let text: String = (0..3)
                .map(|i| format!("<p>In week {n}{i}: {}</p>", words[(n + i) % 3]))
                .collect();
            let share = "<div class=share>Share this story with your friends today.</div>";
            let story = match n % 3 {
                0 => format!("<table><tr><td id=live>{text}</table>"),
                _ => format!("<div class=story>{text}{share}</div>"),
            };
            let html = format!(
                "<title>Week {n} | Paper</title><div class=menu><a href=/>Home</a> <a href=/n>News</a></div>\
                 <h1>The week {n}</h1><time datetime='2026-0{}-02'>then</time>{story}<div class=footer>\
                 Copyright by the paper, all rights reserved.</div>",
                n + 1
            );
            let mut page = page(&format!("https://paper.example/{n}"), &html);
            page.item = Some(FeedItem {
                title: format!("The week {n}"),
                published: Some(FeedDate::of(format!("2026-0{}-02T00:00:00Z", n + 1))),
                ..FeedItem::default()
            });
            page
        })
        .collect();
    let item = pages[2].item.as_mut().expect("it has one");
    item.title = "Another week".to_owned();
    let login = "<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password>\
                 </form><p>Forgot your password?</p>";
    pages.push(page("https://paper.example/login", login));
    pages
}

/// All text of a report, white space folded.
fn text_of(html: &str) -> String {
    let page = Page::from_html(html);
    let body = page.body().expect("a body");
    let texts: Vec<&str> = page.content_texts(body).map(|n| page.text(n)).collect();
    let words = texts.join(" ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn has_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn a_report_shows_what_was_learned_and_why() {
    let sample = small();
    let outcome = learned("paper.example", &sample, Method::Forest);
    let html = report("paper.example", &sample, &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0]);
    has_parts(
        &text_of(&html),
        &[
            "Good pages 6 1 left out",
            "Carried 6 of 6",
            "Template 1 4 of 6 good pages div.story Carries 4 pages: 2 3 5 6",
            "Template 2 2 of 6 good pages td#live Carries 2 pages: 1 4",
            "with a mean F1 of",
            "over all pages that were still open",
            "Its 1 strip rule takes 28 of",
            "Runner-up",
            "div.story div.share On page 2 : Share this story with your friends today. 4 28 repeats",
            "differs from the feed on 1 of 6",
            "The week 2 expression Another week ✗ differs",
            "left out: the page asks its reader to log in",
        ],
    );
    let read = Page::from_html(&html);
    assert_eq!(
        marked(&read, 2, "s").trim(),
        "Share this story with your friends today."
    );
    assert_eq!(marked(&read, 1, "s").trim(), "");
}

#[test]
fn the_paper_s_methods_show_the_factors_of_their_relevance() {
    let sample = small();
    for (method, sum) in [
        (Method::PaperNoDfs, "Sum of J·U"),
        (Method::Paper, "Sum of J·U"),
        (Method::Coverage, "Sum of the coverage"),
    ] {
        let outcome = learned("paper.example", &sample, method);
        let html = report("paper.example", &sample, &method, &outcome);
        assert_eq!(faults(&html), [""; 0], "{method}");
        let LearnOutcome::Learned(learned) = &outcome else {
            panic!("nothing learned");
        };
        let ranked = learned.induction.ranked();
        let times = format!("{:.2}", ranked[0].relevance / ranked[1].relevance);
        let text = text_of(&html);
        has_parts(
            &text,
            &[sum, &times, "times that of the runner-up", "× level"],
        );
        if method == Method::PaperNoDfs {
            has_parts(
                &text,
                &["No template selects text on 2 pages: 1 4 . Such pages fall back"],
            );
        }
    }
}

#[test]
fn nothing_learned_is_a_report_too() {
    let sample: Vec<SamplePage> = small().into_iter().skip(5).collect();
    let outcome = learned("paper.example", &sample, Method::Forest);
    let html = report("paper.example", &sample, &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0]);
    let parts = [
        "Nothing was learned 1 good page in the sample, 2 are needed",
        "https://paper.example/5 good",
        "left out: the page asks its reader to log in",
    ];
    has_parts(&text_of(&html), &parts);
    let outcome = learned("paper.example", &[], Method::Forest);
    let html = report("paper.example", &[], &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0]);
    has_parts(&text_of(&html), &["No page could be read"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_stands_on_a_page_is_text(parts in vec("(?s)</?[a-z]{1,8}[^<]{0,20}>?|.{0,30}", 40)) {
        let sample: Vec<SamplePage> = (0..3)
            .map(|n| {
                let story = format!("Of {n}{n} and {n}7 and 8{n} the paper says nothing. ").repeat(9);
                let odd = parts.concat();
                let html = format!("<div class=story><p>{story}</p>{odd}</div>{odd}<p>{story}");
                page(&format!("https://paper.example/{n}"), &html)
            })
            .collect();
        let outcome = learned("paper.example", &sample, Method::Forest);
        prop_assert!(matches!(outcome, LearnOutcome::Learned(_)));
        let html = report("paper.example", &sample, &Method::Forest, &outcome);
        prop_assert_eq!(faults(&html), [""; 0]);
    }
}

#[test]
fn texts_of_a_site_are_escaped() {
    let evil = "</style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;\u{202e}";
    let attack = evil.replace('&', "&amp;").replace('<', "&lt;");
    let mut sample = small();
    for (n, page) in sample.iter_mut().enumerate() {
        let html = format!(
            "<title>{attack}</title><meta name=author content='</td><script>'><div class='story{n} \
             &lt;/code>&lt;script>' id='&quot;>&lt;script>'><h1>{attack}</h1><p>{attack} number {n} of \
             the hostile pages, which are all about something else, as far as words go: {n}{n} {}</p>\
             <ul class=more><li>{attack}</ul><p><img alt='{}' src=x></div>",
            ["one", "two", "three", "four", "five", "six", "seven"][n].repeat(20),
            attack.replace('\'', "")
        );
        let name = [
            "javascript:alert(1)",
            evil,
            "https://a.example/?\"><script>",
        ][n % 3];
        let item = page.item.take();
        *page = SamplePage::new(Page::from_html(&html), format!("{name}{n}"));
        page.item = Some(FeedItem {
            title: item.map(|_| evil.to_owned()).unwrap_or_default(),
            authors: vec![evil.to_owned()],
            categories: vec![evil.to_owned()],
            published: Some(FeedDate::of(evil)),
            ..FeedItem::default()
        });
    }
    for method in [Method::Forest, Method::Paper] {
        let outcome = learned(evil, &sample, method);
        assert!(matches!(outcome, LearnOutcome::Learned(_)), "{method}");
        let html = report(evil, &sample, &method, &outcome);
        assert_eq!(faults(&html), [""; 0], "{method}");
        assert!(text_of(&html).contains("<script>alert(1)</script>"));
    }
    let outcome = learned(evil, &sample[..1], Method::Forest);
    let html = report(evil, &sample, &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0]);
}

#[test]
fn a_report_is_bounded_and_names_what_it_leaves_out() {
    let quotes = "\"quoted\" ".repeat(40);
    let amps = "&amp;".repeat(500);
    let words = |n: usize, i: usize| -> String {
        let words = (0..12).map(|k| format!("\"w{n}x{i}y{k}\" "));
        words.collect()
    };
    let sample: Vec<SamplePage> = (0..24)
        .map(|n| {
            let story: String = (0..60)
                .map(|i| format!("<p>Part {i}: {} {amps}</p>", words(n, i)))
                .collect();
            let class = format!("story {}", "\"".repeat(5000));
            let html = format!("<title>{quotes}</title><div class='{class}'>{story}</div>");
            let mut page = page(
                &format!("https://a.example/{n}?{}", "x".repeat(3000)),
                &html,
            );
            page.item = Some(FeedItem {
                title: quotes.repeat(20),
                authors: vec![quotes.repeat(20)],
                ..FeedItem::default()
            });
            page
        })
        .collect();
    let outcome = learned("a.example", &sample, Method::Forest);
    assert!(matches!(outcome, LearnOutcome::Learned(_)));
    let html = report("a.example", &sample, &Method::Forest, &outcome);
    assert_eq!(faults(&html), [""; 0]);
    let parts = ["The rest of this page is cut", "4 pages more left out"];
    has_parts(&text_of(&html), &parts);
    // Half of the limit is used before anything is cut.
    assert!(html.len() > MAX_BYTES / 2, "{}", html.len());
}

#[test]
fn a_report_as_a_person_reads_it() {
    let sites = gold();
    let site = sites
        .iter()
        .find(|(name, _)| name == "tagesbote-lindach.example");
    let (name, site) = site.expect("the site is there");
    let sample = &site.samples()[..4];
    let outcome = learned(name, sample, Method::PaperNoDfs);
    let html = report(name, sample, &Method::PaperNoDfs, &outcome);
    let (_, main) = html.split_once("<body>").expect("a body");
    // The wrapper file follows, which has tests of its own.
    let (main, _) = main.split_once("<section id=\"file\">").expect("a file");
    let mut lines = main.to_owned();
    for block in [
        "header", "nav", "section", "h2", "h3", "p", "dl", "div", "table", "tr", "details", "ul",
    ] {
        for end in [">", " "] {
            let start = format!("<{block}{end}");
            lines = lines.replace(&start, &format!("\n{start}"));
        }
    }
    insta::assert_snapshot!(lines);
}
