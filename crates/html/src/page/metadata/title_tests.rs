//! The titles of whole pages.

use crate::page::{Page, Source};

#[track_caller]
fn check_at(url: &str, html: &str, expected: &str) {
    let source = Source {
        url: Some(url),
        ..Source::default()
    };
    let page = Page::parse(html.as_bytes(), source);
    assert_eq!(page.metadata().title.as_deref(), Some(expected), "{html}");
}

#[track_caller]
fn check(html: &str, expected: &str) {
    check_at(
        "https://www.valley-paper.example/news/mirror.html",
        html,
        expected,
    );
}

const TITLE: &str = "A new mirror for Carrick Hill";

#[test]
fn the_page_s_own_heading_is_a_title_whoever_else_is_called_so() {
    let related = "<h2>Related Posts</h2>";
    let page =
        |head: &str, body: &str| format!("<title>{TITLE}</title>{head}<body>{body}{related}");
    let h1 = format!("<h1>{TITLE}</h1>");
    let name = format!("<meta name=application-name content='{TITLE}'>");
    check(&page(&name, &h1), TITLE);
    let og = format!("<meta property=og:site_name content='{TITLE}'>");
    check(&page(&og, &h1), TITLE);
    let logo = format!("<a href='https://www.valley-paper.example/'><img alt='{TITLE}'></a>");
    check(&page("", &(logo + &h1)), TITLE);
    let crumb = format!("<a href=/news/>{TITLE}</a>");
    check(&page("", &(crumb + &h1)), TITLE);
    // The heading that leads home is the site's name.
    check(
        "<title>Valley</title><h1><a href=/>Valley</a></h1><h2>Rain in June</h2>",
        "Rain in June",
    );
    check(
        "<title>Valley</title><a href=/><h1>Valley</h1></a><h2>Rain in June</h2>",
        "Rain in June",
    );
}

#[test]
fn the_title_is_the_one_that_the_page_shows() {
    let check_shown = |said: &str, shown: &str, expected: &str| {
        let html = format!(
            "<title>{said}</title><meta property=og:title content='{said}'><h1>{shown}</h1><h2>More news</h2>"
        );
        check(&html, expected);
    };
    check_shown("A new mirror for Carrick...", TITLE, TITLE);
    check_shown("Carrick Hill gets a new mirror at last", TITLE, TITLE);
    check_shown(
        "A new mirror for Carrick Hill | Sky and stars",
        TITLE,
        TITLE,
    );
    check_shown(
        "Mirror (5 examples) for the Hill",
        "Mirror for the Hill, 5 examples",
        "Mirror for the Hill, 5 examples",
    );
    check_shown(
        "A new mirror for the hill",
        "Sky: a new mirror for the hill",
        "A new mirror for the hill",
    );
    check_shown(
        "A new mirror for the hill",
        "A new mirror for the hill | Office",
        "A new mirror for the hill",
    );
    // In words of its own.
    check_shown(
        "It has been a rough year for the mirrors of Carrick",
        "What keeps a mirror on the ground?",
        "What keeps a mirror on the ground?",
    );
    check_shown(
        "Mirror on a hill - when it pays | Optics",
        "Does a mirror on a hill pay?",
        "Does a mirror on a hill pay?",
    );
    check_shown(
        "Carrick, formerly bald, wants mirrors to be more than glass",
        "The mirrors are up",
        "The mirrors are up",
    );
    // The heading is a part of what is told: the site's, or a section's.
    check(
        "<title>Mirrors of June | Letters on the mirrors</title>\
         <meta property=og:title content='Mirrors of June'><h1>Letters on the mirrors</h1>",
        "Mirrors of June",
    );
    check_shown("Mirrors of June", "Mirrors", "Mirrors of June");
    // Two of three agree, and it is shown.
    check(
        "<title>Mirrors: the best glass of June for hills</title>\
         <meta property=og:title content='A hill in June'><h1>A hill in June</h1><h1>Ads</h1>",
        "A hill in June",
    );
    check(
        &format!(
            "<script type=application/ld+json>{{\"@type\": \"Article\", \"headline\": \"Glass of other hills\"}}</script>\
             <title>{TITLE} | Valley Paper</title><h1>{TITLE}</h1>"
        ),
        TITLE,
    );
    check(
        &format!(
            "<meta property=og:title content='{TITLE}'><title>Letters of June</title>\
             <h1>Letters of June</h1><h1>{TITLE}</h1>"
        ),
        TITLE,
    );
    // Another subject: the heading of a section.
    check_shown(TITLE, "Literature", TITLE);
    check_shown(TITLE, "News from the valley", TITLE);
    // Two first headings, of which one is like the title.
    let html = format!(
        "<title>The hill of Carrick: new mirror</title><h1>Quick links</h1><h1>{TITLE}</h1>"
    );
    check(&html, TITLE);
    let html =
        "<title>Mirrors of June</title><h1>All about our mirrors</h1><h1>Read on: mirrors</h1>";
    check(html, "Mirrors of June");
}

#[test]
fn breaks_and_marks_in_a_heading() {
    check(
        "<title>Carrick Hill: a new mirror</title><h1>A new mirror<br>for Carrick Hill</h1>",
        TITLE,
    );
    check(
        &format!("<title>{TITLE} — docs</title><h1>{TITLE}<a href=#m>¶</a></h1>"),
        TITLE,
    );
    check(&format!("<title>{TITLE}¶</title>"), TITLE);
    check(
        &format!(
            "<title>{TITLE} | x</title><h1><span>A new mirror</span>\n<span>for Carrick Hill</span></h1>"
        ),
        TITLE,
    );
}

#[test]
fn the_address_says_the_site_s_name() {
    let at =
        |url: &str, end: &str| check_at(url, &format!("<title>{TITLE}{end}</title><p>x"), TITLE);
    at("https://www.valley-paper.example/a", " - The Valley Paper");
    at("https://oekologisch-bauen.example/a", " | Ökologisch Bauen");
    at("https://paper.co.uk/a", " » PAPER");
    check_at(
        "https://hill.example/a",
        "<title>A mirror for the hill</title>",
        "A mirror for the hill",
    );
    check_at(
        "https://valley.example/a",
        "<title>Rain - and no end</title>",
        "Rain - and no end",
    );
}

#[test]
fn a_kicker_before_a_title_is_no_part_of_it() {
    let check_kicker = |kicker: &str, expected: &str| {
        let said = "Optics - A new mirror for Carrick Hill";
        check(
            &format!(
                "<title>{said} | Valley</title><meta property=og:title content='{said}'>\
                 <h1>{kicker} <span class=headline>{TITLE}</span></h1>"
            ),
            expected,
        );
    };
    check_kicker("<span class=article-kicker>Optics</span>", TITLE);
    check_kicker(" <span class=article-kicker> Optics </span>", TITLE);
    check_kicker("<div class=Dachzeile>Optics</div>", TITLE);
    check_kicker(
        "<span class=overline>Optics</span> <i class=sr-only>-</i>",
        TITLE,
    );
    check_kicker(
        "<div><span class='c-topline small'>Optics</span></div>",
        TITLE,
    );
    let with_colon = "Optics: A new mirror for Carrick Hill";
    check(
        &format!(
            "<meta property=og:title content='{with_colon}'>\
             <h1><span class=kicker>Optics</span>: <span>{TITLE}</span></h1>"
        ),
        with_colon,
    );
    check(
        "<title>Rain in June</title><h1 class=kicker>Rain <b class=kicker>in June</b></h1>",
        "Rain in June",
    );
}

#[test]
fn headings_of_a_menu_hide_no_title() {
    let menu = "<h3>Heating</h3>".repeat(40);
    check(
        &format!("<title>Carrick Hill: a mirror, new</title><nav>{menu}</nav><h1>{TITLE}</h1>"),
        TITLE,
    );
}
