//! The authors of whole pages, and bylines as they are found.

use super::names;
use crate::page::{Page, Source};

const TEXT: &str = "<p>The observatory on Carrick Hill has a new mirror, and with it a waiting list. \
    Evening visits for the coming winter were booked out within three days, and the small society \
    that runs the place is looking for volunteers who can explain the sky.</p>";

/// The authors of a page with something in its head, behind its heading and behind its text.
#[track_caller]
fn check_page([head, behind, after]: [&str; 3], expected: &[&str]) {
    let text = TEXT.repeat(8);
    let html = format!(
        "<html><title>A new mirror</title>{head}<body><main><h1>A new mirror</h1>{behind}{text}{after}</main>"
    );
    let source = Source {
        url: Some("https://paper.example/news/mirror.html"),
        ..Source::default()
    };
    let page = Page::parse(html.as_bytes(), source);
    let found: Vec<String> = page
        .metadata()
        .authors
        .iter()
        .flat_map(|name| names(name))
        .collect();
    assert_eq!(found, expected, "{head}{behind}{after}");
}

/// The authors of a page with a short text.
#[track_caller]
fn check_short(main: &str, expected: &[&str]) {
    let html = format!("<title>A new mirror</title><main>{main}</main>");
    assert_eq!(
        Page::from_html(&html).metadata().authors,
        expected,
        "{main}"
    );
}

#[track_caller]
fn check(byline: &str, expected: &[&str]) {
    assert_eq!(names(byline), expected, "{byline}");
}

#[test]
fn roles_places_and_agencies_are_no_authors() {
    check("Orla Penhallow | Senior Reporter", &["Orla Penhallow"]);
    check("Orla Penhallow\nStaff Writer", &["Orla Penhallow"]);
    check(
        "Orla Penhallow • Political Editor • London",
        &["Orla Penhallow"],
    );
    check(
        "Von Orla Penhallow und Tam Breck, Lindach",
        &["Orla Penhallow", "Tam Breck"],
    );
    check("Von Orla Penhallow, Lindach", &["Orla Penhallow"]);
    check("Par Orla Penhallow avec AFP", &["Orla Penhallow"]);
    check("By Orla Penhallow with Reuters", &["Orla Penhallow"]);
    check("Orla Penhallow, dpa", &["Orla Penhallow"]);
    check(
        "By Orla Penhallow, Ph.D., and Tam Breck Jr.",
        &["Orla Penhallow", "Tam Breck Jr."],
    );
    check("By Orla Penhallow, M.D.", &["Orla Penhallow"]);
    // Alone it is the only source.
    check("AFP", &["AFP"]);
    check("Reuters", &["Reuters"]);
    check("Penhallow, Orla", &["Penhallow, Orla"]);
    check(
        "Jane Doe, John Roe, Ann Poe",
        &["Jane Doe", "John Roe", "Ann Poe"],
    );
}

#[test]
fn photographers_and_translators_are_no_authors() {
    check(
        "Words by Orla Penhallow, photographs by Tam Breck",
        &["Orla Penhallow"],
    );
    check("By Orla Penhallow | Photos: Tam Breck", &["Orla Penhallow"]);
    check(
        "Text: Orla Penhallow, Fotos: Tam Breck",
        &["Orla Penhallow"],
    );
    check(
        "Orla Penhallow\nIllustration by Tam Breck",
        &["Orla Penhallow"],
    );
    check("文＝山田太郎／写真＝鈴木花子", &["山田太郎"]);
    check("Photo Editor's Desk", &["Photo Editor's Desk"]);
}

#[test]
fn bylines_of_other_scripts() {
    check("记者 张小雨 通讯员 李大山", &["张小雨", "李大山"]);
    check("本报记者 张小雨", &["张小雨"]);
    check("記者 王小明／台北報導", &["王小明"]);
    check("文/张小雨 摄影/李大山", &["张小雨"]);
    check("작성자 김철수 기자", &["김철수"]);
    check("بقلم: محمد علي", &["محمد علي"]);
}

#[test]
fn words_of_the_surface_are_no_authors() {
    for words in [
        "No Author",
        "View author archive",
        "Get author RSS feed",
        "Sponsored by Gleam Mirrors Ltd",
        "05:42",
        "Follow",
        "n/a",
        "null",
        "Read more",
        "Unknown author",
        "Anzeige",
    ] {
        check(words, &[]);
    }
    check("von r23 » 21.01.2009, 05:42", &["r23"]);
    check("von Ulrike", &["Ulrike"]);
    check("Zeige alle Beiträge von Petra Ruland", &["Petra Ruland"]);
    check("Alle Beiträge von Henry ansehen", &["Henry"]);
    check("Voir tous les articles de Jean Petit", &["Jean Petit"]);
    check("Posted on September 21, 2020 by Adi Tzlil", &["Adi Tzlil"]);
    check("Veröffentlicht am 5. Juni 2023 von Jane Doe", &["Jane Doe"]);
    check(
        "Ein Artikel von Pamela Sladky | 27.01.2022 - 12:45",
        &["Pamela Sladky"],
    );
    check("Orla Penhallow\nDec 9, 2022, 3:00 PM", &["Orla Penhallow"]);
    check("Norman View", &["Norman View"]);
}

#[test]
fn blocks_part_names() {
    check_page(
        [
            "",
            "<div class=byline><span>By</span><span>Orla Penhallow</span><span>VALLEY DAILY NEWS</span><time>Dec 9, 2022</time></div>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "",
            "<div class=byline><span>By</span><a href=/team/6>Orla Penhallow</a><div>Staff Writer</div><time>Dec 9, 2022</time></div>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "",
            "<div class=byline><div>By <span>Orla Penhallow</span></div><div><div>Washington Post</div><time>Dec 16</time></div></div>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(
        ["", "<p class=author>Orla Penhallow<br>Tam Breck</p>", ""],
        &["Orla Penhallow", "Tam Breck"],
    );
    check_page(
        [
            "",
            "<p class=byline>by ORLA PENHALLOW and TAM\n   BRECK</p>",
            "",
        ],
        &["ORLA PENHALLOW", "TAM BRECK"],
    );
    check_page(
        ["", "<p class=byline><span>O</span>rla Penhallow</p>", ""],
        &["Orla Penhallow"],
    );
}

#[test]
fn the_author_is_beside_the_title() {
    let card = "<div class=card><h3>Bees return</h3><p class=byline>By Wrong Person</p></div>";
    let other = "<div class=card><h3>Flood map</h3><p class=byline>By Other Person</p></div>";
    check_page(["", "", &format!("{card}{other}")], &[]);
    // Below a short text.
    let cards = format!("{card}{other}");
    check_short(&format!("<h1>A new mirror</h1>{TEXT}{cards}"), &[]);
    check_short(
        &format!("<h1>A new mirror</h1>{TEXT}<ul><li>{card}<li>{other}</ul>"),
        &[],
    );
    let head = "<header><h2>A new mirror</h2><p class=byline>By Orla Penhallow</p></header>";
    check_short(&format!("{head}{TEXT}{cards}"), &["Orla Penhallow"]);
    check_short(
        &format!("<h1>A new mirror</h1><p class=byline>By Orla Penhallow</p>{TEXT}{cards}"),
        &["Orla Penhallow"],
    );
    check_page(
        ["", "<p class=byline>By Orla Penhallow</p>", card],
        &["Orla Penhallow"],
    );
    let posts = "<div><p>Posted by Orla Penhallow on June 5, 2023</p><h2>Comments</h2><p>Fine.</p><p>Good.</p><p>Posted by Jill</p></div>";
    check_page(["", "", posts], &["Orla Penhallow"]);
    let linked = "<div class=tease><a href=/author/wrong>Wrong Person</a></div>";
    check_page(
        ["", "<p class=byline>By Orla Penhallow</p>", linked],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "",
            "<li><span class=label>von Orla Penhallow</span></li>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(
        ["", "<h5><em>Von Orla Penhallow</em></h5>", ""],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "",
            "<p>par <span class=auteurs>Orla Penhallow</span>, 21 juin 2018</p>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "",
            "<div class=authorbox><strong>von</strong> <span>Orla Penhallow</span></div>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(
        ["", "<a href=/about/editors/orla>Orla Penhallow</a>", ""],
        &["Orla Penhallow"],
    );
    check_page(
        ["", "", "<p class=byline>By Orla Penhallow</p>"],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "",
            "<p>Posted on September 21, 2020 by Orla Penhallow</p>",
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(["", "<p>Von R. R. am 5. Juni 2023</p>", ""], &["R. R."]);
    let gap = " \n".repeat(40);
    check_page(
        [
            "",
            &format!("<div class=meta><b>By</b>{gap}<a>Orla Penhallow</a>{gap}</div>"),
            "",
        ],
        &["Orla Penhallow"],
    );
    check_page(["", "<p>von hier aus</p><p>par exemple</p>", ""], &[]);
}

#[test]
fn the_publisher_is_no_author_beside_a_person() {
    let by = "<p class=byline>By Orla Penhallow</p>";
    let meta = "<meta name=author content='Mirror Press'><meta name=copyright content='(c) Mirror Press 2022'>";
    check_page([meta, by, ""], &["Orla Penhallow"]);
    check_page([meta, "", ""], &["Mirror Press"]);
    check_page(
        ["<meta name=author content='Bund der Spiegel e.V.'>", by, ""],
        &["Orla Penhallow"],
    );
    check_page(
        ["<meta name=author content='paper.example'>", by, ""],
        &["Orla Penhallow"],
    );
    let two = "<meta name=author content='Mirror Press'><meta property=article:author content='Orla Penhallow'><meta name=publisher content='Mirror Press'>";
    check_page([two, "", ""], &["Orla Penhallow"]);
    check_page(
        ["<meta name=xparse:author content='Orla Penhallow'>", "", ""],
        &["Orla Penhallow"],
    );
    check_page(
        [
            "<meta name=author content='&lt;a href=&quot;/u/1&quot;&gt;Orla Penhallow&lt;/a&gt;'>",
            "",
            "",
        ],
        &["Orla Penhallow"],
    );
}

#[test]
fn the_forms_of_a_person_in_json_ld() {
    let check = |author: &str, expected: &[&str]| {
        let json = format!(
            r#"<script type=application/ld+json>{{"@type":"NewsArticle","headline":"A new mirror","author":{author}}}</script>"#
        );
        check_page([&json, "", ""], expected);
    };
    check(
        r#"{"@type":"Person","givenName":"Orla","familyName":"Penhallow"}"#,
        &["Orla Penhallow"],
    );
    check(
        r#"{"@list":[{"name":"Orla Penhallow"},{"name":"Tam Breck"}]}"#,
        &["Orla Penhallow", "Tam Breck"],
    );
    check(
        r#"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"name":"Orla Penhallow"}}]}"#,
        &["Orla Penhallow"],
    );
    check(
        r#"{"@type":"Person","name":{"@value":"Orla Penhallow"}}"#,
        &["Orla Penhallow"],
    );
    check(
        r#"{"@type":"Person","name":["Orla Penhallow","Tam Breck"]}"#,
        &["Orla Penhallow", "Tam Breck"],
    );
    check(
        r#"[{"@type":"Person","familyName":"Penhallow"}]"#,
        &["Penhallow"],
    );
    check(r#""<b>Orla Penhallow</b>""#, &["Orla Penhallow"]);
}

#[test]
fn full_names_beside_the_title_stand_for_weak_ones_of_the_head() {
    let check = |head: &str, behind: &str, after: &str, expected: &[&str]| {
        let head = format!("<meta name=author content='{head}'>");
        check_page([&head, behind, after], expected);
    };
    let shown = "<p class=byline>By <a rel=author href=/a/op>Orla Penhallow</a></p>";
    check("Orla", shown, "", &["Orla Penhallow"]);
    check("openhallow", shown, "", &["Orla Penhallow"]);
    check("Paper, the weekly for all", shown, "", &["Orla Penhallow"]);
    check(
        "Orla",
        "<p class=byline>By Orla Penhallow and Tam Breck</p>",
        "",
        &["Orla Penhallow", "Tam Breck"],
    );
    // A full name of the head stays, and so does a weak one where no full one stands beside the
    // title.
    check("Tam Breck", shown, "", &["Tam Breck"]);
    check("Orla", "<p class=byline>By Tam</p>", "", &["Orla"]);
    check("Orla", "", shown, &["Orla"]);
    check("Tam-Breck Lee", shown, "", &["Tam-Breck Lee"]);
}
