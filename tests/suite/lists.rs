//! Pages that list articles: the project's own gold, and hostile pages.

use forest_core::extract::list::{ListExtractor, ListWarning};
use forest_core::learn::list::{LearnedList, ListOptions, learn};
use forest_eval::eval::lists;
use forest_html::page::{Page, Source};
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_lists_of_the_gold_are_learned_from_one_snapshot_and_from_two() {
    let table = lists(&Path::new(env!("CARGO_MANIFEST_DIR")).join("gold/lists")).expect("gold");
    assert_eq!(table.sites.len(), 13);
    for site in &table.sites {
        for figures in [site.one, site.two] {
            assert_eq!(
                figures.shares(),
                [1.0; 4],
                "{}: {:?}",
                site.site,
                site.missed
            );
            assert_eq!((figures.pages, figures.items), (3, 21));
        }
    }
}

fn page(html: &str) -> Page {
    let source = Source {
        url: Some("https://a.example/news/"),
        ..Source::default()
    };
    Page::parse(html.as_bytes(), source)
}

fn learned(html: &str, options: &ListOptions) -> LearnedList {
    learn(&[&page(html)], options)
}

fn story(n: usize) -> String {
    format!("<a href=/2026/the-old-mill-{n}>The old mill burned down again, part {n}</a>")
}

fn titles(html: &str, learned: &LearnedList) -> Vec<String> {
    let wrapper = learned.wrapper.clone().expect("a list");
    let items = ListExtractor::new(wrapper)
        .expect("compiles")
        .apply(&page(html))
        .items;
    items.into_iter().filter_map(|item| item.title).collect()
}

#[test]
fn a_hundred_thousand_links_are_bounded_and_said() {
    let html: String = (0..100_000).fold(String::new(), |mut html, n| {
        let _ = write!(html, "<li>{}</li>", story(n));
        html
    });
    let learned = learned(&format!("<ul>{html}</ul>"), &ListOptions::default());
    assert_eq!(learned.cut, 1);
    assert_eq!(titles(&format!("<ul>{html}</ul>"), &learned).len(), 5000);
}

#[test]
fn hostile_json_is_bounded_and_said() {
    let record = |n: usize| {
        format!(
            "{{\"headline\":\"The old mill burned down again, part {n}\",\"url\":\"/2026/mill-{n}\"}}"
        )
    };
    let records = |range: std::ops::Range<usize>| range.map(record).collect::<Vec<_>>().join(",");
    let script = |json: &str| {
        format!("<div id=app></div><script id=s type=application/json>{json}</script>")
    };
    let of = |json: &str| {
        let html = script(json);
        let learned = learned(&html, &ListOptions::default());
        let wrapper = learned.wrapper?;
        Some(
            ListExtractor::new(wrapper)
                .expect("compiles")
                .apply(&page(&html)),
        )
    };
    let many = of(&format!("[{}]", records(0..100_000))).expect("a list");
    assert_eq!(many.items.len(), 5000);
    assert!(many.warnings.contains(&ListWarning::JsonCut));
    // Each of five thousand short lists may be the one.
    let lists = (0..5000).map(|n| format!("\"l{n}\":[{}]", records(2 * n..2 * n + 2)));
    let lists = format!("{{{}}}", lists.collect::<Vec<_>>().join(","));
    assert!(of(&lists).is_none_or(|listed| listed.items.len() <= 5000));
    // Records within records, and one that has no end.
    let deep = (0..2000).fold(record(0), |inner, n| {
        format!("{},\"more\":[{inner}]}}", record(n).trim_end_matches('}'))
    });
    assert!(of(&format!("[{deep}]")).is_none_or(|listed| listed.items.len() <= 48));
    assert!(of(&format!("[{}", records(0..9))).is_none());
    assert!(of(&"[".repeat(100_000)).is_none());
}

#[test]
fn a_list_in_a_list_gives_its_outer_items() {
    let mut html = String::from("<ul class=news>");
    for n in 0..6 {
        let _ = write!(
            html,
            "<li><h3>{}</h3>6 May 2026<ul><li><a href=/tag/fire>Fire</a><li><a href=/tag/mills>Mills</a></ul>",
            story(n)
        );
    }
    let learned = learned(&html, &ListOptions::default());
    assert_eq!(titles(&html, &learned).len(), 6);
}

#[test]
fn a_calendar_without_end_and_menus_are_no_list_of_articles() {
    let days: String = (1..=31)
        .map(|day| format!("<td><a href=/calendar/2026/05/{day}>{day}</a>"))
        .collect();
    let menu = "<nav><ul><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>";
    let html =
        format!("{menu}<table><tr>{days}</table><a rel=next href=/calendar/2026/06>June</a>");
    let found = learned(&html, &ListOptions::default());
    assert_eq!(found.wrapper, None, "{:?}", found.candidates.first());
    assert!(learned("", &ListOptions::default()).wrapper.is_none());
    assert!(
        learned("<p>No link", &ListOptions::default())
            .wrapper
            .is_none()
    );
}

#[test]
fn a_hint_chooses_among_several_lists() {
    let mut html = String::from("<h2>News</h2><ul class=news>");
    (0..8).for_each(|n| html.push_str(&format!("<li>{} 6 May 2026</li>", story(n))));
    html.push_str("</ul><h2>Letters</h2><ul class=letters>");
    for n in 0..5 {
        let _ = write!(
            html,
            "<li><a href=/letters/on-the-pier-{n}>A reader writes on the pier, letter {n}</a> 5 May 2026"
        );
    }
    let first = learned(&html, &ListOptions::default());
    assert!(titles(&html, &first)[0].starts_with("The old mill"));
    let hint = Some("A reader writes on the pier, letter 3".to_owned());
    let hinted = learned(
        &html,
        &ListOptions {
            hint,
            ..ListOptions::default()
        },
    );
    assert!(
        titles(&html, &hinted)
            .iter()
            .all(|title| title.starts_with("A reader"))
    );
    assert_eq!(titles(&html, &hinted).len(), 5);
}

#[test]
fn a_headline_tells_which_text_is_the_title() {
    let mut html = String::from("<ul class=news>");
    for n in 0..5 {
        let _ = write!(
            html,
            "<li><h3>Opinion from the south, column {n}</h3>{} 6 May 2026",
            story(n)
        );
    }
    let key = |n: usize| format!("a.example/2026/the-old-mill-{n}");
    let headlines = (0..3).map(|n| (key(n), format!("The old mill burned down again, part {n}")));
    let options = ListOptions {
        headlines: headlines.collect(),
        ..ListOptions::default()
    };
    let found = titles(&html, &learned(&html, &options));
    assert_eq!(found[0], "The old mill burned down again, part 0");
}
