//! The day that a page shows.

use crate::page::{Page, Source};

const TEXT: &str = "<p>The observatory on Carrick Hill has a new mirror, and with it a waiting list. \
    Evening visits for the coming winter were booked out within three days, and the small society \
    that runs the place is looking for volunteers who can explain the sky.</p>";

/// The day of a page in a language, whose `article` has something before its heading, behind it
/// and behind its text.
#[track_caller]
fn check_page(language: &str, [before, behind, after]: [&str; 3], expected: &str) {
    let html = format!(
        "<html lang={language}><title>A new mirror</title><body><header><a href=/>The Paper</a></header>\
         <main><article>{before}<h1>A new mirror</h1>{behind}{TEXT}{TEXT}{after}</article></main>\
         <footer><p>&copy; 2024 The Paper. All rights reserved.</p></footer>"
    );
    let source = Source {
        url: Some("https://paper.example/news/mirror.html"),
        ..Source::default()
    };
    let page = Page::parse(html.as_bytes(), source);
    let date = page.metadata().date_published.clone();
    let date = date.and_then(|date| date.rfc3339).unwrap_or("-".to_owned());
    assert_eq!(
        date.get(..expected.len()),
        Some(expected),
        "{before}{behind}{after}"
    );
}

/// The day of a page that has something behind its heading.
#[track_caller]
fn check(language: &str, behind: &str, expected: &str) {
    check_page(language, ["", behind, ""], expected);
}

const DAY: &str = "2023-06-05";

#[test]
fn a_class_or_an_id_names_the_day() {
    check("en", "<p class=entry-date>June 5, 2023</p>", DAY);
    check(
        "en",
        "<abbr class=published title=2023-06-05>Monday</abbr>",
        DAY,
    );
    check(
        "en",
        "<div class=h-info><span class=h-time>2023-06-05 20:29:58</span></div>",
        DAY,
    );
    check(
        "es",
        "<p class=fecha-articulo><span>lunes 5 de junio de 2023</span></p>",
        DAY,
    );
    check("de", "<span class=_publishingdate>05.06.2023</span>", DAY);
    check("de", "<div class=fbdatum>05.06.23</div>", DAY);
    check("da", "<span class=artikeldato>5. juni 2023</span>", DAY);
    check("vi", "<span class=ngay-dang>5/6/2023</span>", DAY);
    check(
        "tr",
        "<span id=haberTarih class=tarih>5 Haziran 2023</span>",
        DAY,
    );
    check_page("de", ["<div class=date>Party, 05.06.23</div>", "", ""], DAY);
    check("en", "<p class=date>Monday</p>", "-");
    check("en", "<p class=date-modified>June 5, 2023</p>", "-");
    check("en", "<p class=last-update>June 5, 2023</p>", "-");
    check(
        "en",
        "<p class=candidate>June 5, 2023, in the council of the town of Upper Dallow, again and again</p>",
        "-",
    );
}

#[test]
fn elements_for_dates() {
    check("en", "<time>June 5, 2023</time>", DAY);
    check(
        "en",
        "<time datetime='2023-06-05T10:20:00Z'>yesterday</time>",
        "2023-06-05T10:20:00Z",
    );
    check(
        "de",
        "<time datetime='05-06-2023 10:29'>5. Juni 2023 10:29</time>",
        "2023-06-05T10:29",
    );
    check(
        "en",
        "<p><time data-published='2023-06-05 09:13:00Z'></time></p>",
        DAY,
    );
    check(
        "en",
        "<relative-time datetime=2023-06-05T09:13:00Z>2 years ago</relative-time>",
        DAY,
    );
    check(
        "en",
        "<span class=ago data-utime=1685956380><abbr title='June 5, 2023'>1y</abbr></span>",
        DAY,
    );
    check(
        "en",
        "<time datetime=PT5M>5 min read</time> <span>5 June 2023</span>",
        DAY,
    );
    check("en", "<time datetime=P3D>3 days</time>", "-");
    check("en", "<time datetime=0001-01-01T00:00:00>never</time>", "-");
}

#[test]
fn labels_and_authors_lines_have_the_day() {
    check(
        "en",
        "<ul><li><span>Date:</span> 5 June 2023</li><li><span>Region:</span> Upper valley</li></ul>",
        DAY,
    );
    check("de", "<dl><dt>Datum</dt><dd>05.06.2023</dd></dl>", DAY);
    check(
        "fr",
        "<p>Publié le : 05/06/2023 à Lyon par la rédaction</p>",
        DAY,
    );
    check_page("de", ["", "", "<p>Erstellt am: 05.06.2023</p>"], DAY);
    check_page(
        "de",
        ["", "", "<div>Pressemitteilung vom 05.06.2023</div>"],
        DAY,
    );
    check(
        "en",
        "<div class=author>Written by <a href=/t/1>Orla Penhallow</a> in <a href=/c/2>Sky</a> on 5 June 2023 at 08:34 PM EDT</div>",
        "2023-06-05T20:34:00-04:00",
    );
    check("en", "<p>Posted by Jane Doe on June 5, 2023</p>", DAY);
    let line = "<p>Posted by Jane Doe at June 5, 2023 08:23 AM</p>";
    check_page(
        "en",
        ["<h2>June 5, 2023</h2>", "", line],
        "2023-06-05T08:23",
    );
    check(
        "de",
        "<p>von <a rel=author href=/a>Jane Doe</a>, 5.6.23</p>",
        DAY,
    );
}

#[test]
fn a_line_beside_the_title_has_the_day() {
    check(
        "de",
        "<p class=caption>05. Juni 2023 | Naturschutz, BUND</p>",
        DAY,
    );
    check("de", "<p><span>Hamburg, 5. Juni 2023</span></p>", DAY);
    check(
        "en",
        "<div class=x1><div class=y2>June 5, 2023, 4:19 PM</div></div>",
        "2023-06-05T16:19",
    );
    check(
        "pt",
        "<p>05/06/2023 - 04:30 - Fonte: Agência - Foto: Cesar</p>",
        DAY,
    );
    check("ko", "<span>이용민 기자 | </span> 2023-06-05 16:52:59", DAY);
    check_page(
        "de",
        [
            "<p>05.06.2023 10:16 Uhr - 1. Liga - PM Vereine, red</p>",
            "",
            "",
        ],
        DAY,
    );
    check_page("en", ["", "", "<h5>05.06.2023</h5>"], DAY);
    check(
        "en",
        "<p>On 5 June 2023 the council met again and decided to wait.</p>",
        "-",
    );
    check("en", "<p>Chapter 5 of 2023</p>", "-");
}

#[test]
fn a_day_of_something_else_is_not_the_page_s() {
    let today = "<div class=today-date>Thursday, 26 November 2026</div>";
    check_page(
        "en",
        [today, "<span class=published-on>5 June 2023</span>", ""],
        DAY,
    );
    let next = "<div class=next-up><a href=/n/2><span>Next</span> Council publishes flood map <time datetime=2024-01-09>9 Jan 2024</time></a></div>";
    check_page("en", [next, "<p class=posted>5 June 2023</p>", ""], DAY);
    let card = "<a href=/n/2><b>Council publishes its new flood map</b> <time datetime=2024-01-09>9 Jan 2024</time></a>";
    check_page("en", [card, "<p>5 June 2023</p>", card], DAY);
    let embed = "<blockquote><p>A post on <time datetime=2018-03-12T19:30:12Z>Mar 12, 2018</time></p></blockquote>";
    check_page("en", ["", "<p class=info>5 June 2023</p>", embed], DAY);
    let comment = "<section class=responses><p>Ned: <time datetime='2009-04-11 18:06:36'>2009</time></p></section>";
    check_page("en", ["", "", comment], "-");
    check_page(
        "en",
        [
            "",
            "",
            "<div class=event-list><time datetime=2023-06-05>5 June</time></div>",
        ],
        "-",
    );
    check("en", "<p class=comment-date>June 5, 2023</p>", "-");
    let both = "<span class=posted-on><time class='entry-date published' datetime=2023-06-05>5 June 2023</time>\
        <time class=updated datetime=2023-07-14>14 July 2023</time></span>";
    check("en", both, DAY);
    check(
        "en",
        "<div class='postmeta updated'><div class=postdate><b>5</b> Jun 2023</div></div>",
        DAY,
    );
    check(
        "en",
        "<div>page revision: 8, last edited: <span class=odate>17 Jun 2018 15:15</span></div>",
        "-",
    );
    check("en", "<p>Version 3, 29 June 2007</p>", "-");
    check("de", "<p>Gültig bis 29.06.2023</p>", "-");
    check("en", "<p>Deadline: 29 June 2023</p>", "-");
    // Two days without a name: nobody knows.
    check_page(
        "en",
        ["", "", "<h5>5 June 2023</h5><h5>7 June 2023</h5>"],
        "-",
    );
}

#[test]
fn a_change_is_no_publication() {
    check(
        "en",
        "<p class=date>Updated 7 June 2023 | Published 5 June 2023</p>",
        DAY,
    );
    check(
        "en",
        "<p class=date>Published 5 June 2023, updated 7 June 2023</p>",
        DAY,
    );
    check(
        "de",
        "<p>Aktualisiert am 07.06.2023, erschienen am 05.06.2023</p>",
        DAY,
    );
    check("fr", "<p class=date>Mis à jour le 07/06/2023</p>", "-");
    check(
        "en",
        "<p>Last updated: <time datetime=2023-06-07>7 June</time></p>",
        "-",
    );
    check("en", "<span>Updated:</span> <span>7 June 2023</span>", "-");
    check(
        "zh",
        "<p>发布时间：2023-06-05 更新时间：2023-06-07</p>",
        DAY,
    );
}

#[test]
fn a_title_may_end_in_the_day() {
    let check = |title: &str, expected: Option<&str>| {
        let html = format!("<html lang=de><title>{title}</title><p>Text");
        let date = Page::from_html(&html).metadata().date_published.clone();
        let date = date.and_then(|date| date.rfc3339);
        assert_eq!(date.as_deref().map(|date| &date[..10]), expected, "{title}");
    };
    check("05.06.2023 | Online-Fachtag", Some(DAY));
    check("Les éléphants | Environnement | DW | 05.06.2023", Some(DAY));
    check("05.06.2023 - Wiener darf jubeln - News", Some(DAY));
    check("Was am 05.06.2023 in Lindach geschah", None);
}

#[test]
fn a_whole_post_in_a_widget_has_its_day() {
    let html = "<html lang=de><title>Rain</title><body><div class='widget Blog'><h2 class=date-header>Freitag, 5. Juni 2015</h2>\
        <h3 class=post-title>Rain</h3><p>Text</p></div><div class=widget><p class=date>1. Mai 2014</p></div>";
    let date = Page::from_html(html).metadata().date_published.clone();
    assert_eq!(
        date.and_then(|date| date.rfc3339).as_deref(),
        Some("2015-06-05T00:00:00Z")
    );
}

#[test]
fn a_line_of_the_title_may_be_named_as_a_teaser_s() {
    let check = |behind: &str, expected: &str| check("en", behind, expected);
    check(
        "<div class=teaser-small__meta><p>By <a href=/a>Ann Doe</a> on June 5, 2023</p></div>",
        DAY,
    );
    check("<p class=teaser__date>June 5, 2023</p>", DAY);
    check("<div class=promo-line>Posted June 5, 2023</div>", DAY);
    // What stands farther, and what is longer, is a teaser.
    check(
        "<p>Rain fell on the hill.</p><div class=teaser><p>June 5, 2023</p></div>",
        "-",
    );
    let long = "Another story about other mirrors. ".repeat(6);
    check(
        &format!("<div class=teaser><p>{long}</p><p>June 5, 2023</p></div>"),
        "-",
    );
}
