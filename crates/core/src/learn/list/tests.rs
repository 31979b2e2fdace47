use super::relative::names;
use super::*;
use forest_html::page::NodeId;

fn first(page: &Page, tag: &str) -> NodeId {
    let is = |&n: &NodeId| page.tag(n).is_some_and(|own| &**own == tag);
    page.elements().find(is).expect("an element")
}

#[test]
fn an_element_has_names_with_its_item_as_their_context() {
    let page = Page::from_html("<li><h2 class=head><a class=t>A</a></h2><p><b>x</b>");
    let item = first(&page, "li");
    let of = |tag: &str| names(&page, item, first(&page, tag));
    let link = of("a");
    assert_eq!(link.last().map(String::as_str), Some(".//a"));
    let by_heading = ".//h2[contains(concat(' ',normalize-space(@class),' '),' head ')]/a";
    assert!(link.iter().any(|name| name == by_heading), "{link:?}");
    assert!(of("b").contains(&"./p[1]/b[1]".to_owned()));
    assert_eq!(names(&page, item, item), ["."]);
}

#[test]
fn a_snapshot_that_changes_counts_more_than_a_menu_that_stays() {
    let page = |first: usize| {
        let items: String = (first..first + 4)
            .map(|n| format!("<li><a href=/n/{n}-of-the-storm>Storm number {n} at sea</a>"))
            .collect();
        let menu: String = (0..9)
            .map(|n| format!("<li><a href=/s/{n}-of-the-paper>Part number {n} of it</a>"))
            .collect();
        let html = format!("<ul class=parts>{menu}</ul><ul class=latest>{items}</ul>");
        let url = Some("https://a.example/");
        Page::parse(
            html.as_bytes(),
            forest_html::page::Source {
                url,
                ..Default::default()
            },
        )
    };
    let (old, new) = (page(1), page(3));
    let learned = learn(&[&old, &new], &ListOptions::default());
    let why = |item: &str| {
        let of = learned.candidates.iter().find(|c| c.item.contains(item));
        of.map(|candidate| candidate.why.clone())
            .unwrap_or_default()
    };
    assert!(
        why("latest").contains("67 % of the pages changed"),
        "{:?}",
        learned.candidates
    );
    assert!(why("parts").contains("0 % of the pages changed"));
}

/// The days of the items of a page, by the wrapper that is learned from it.
fn days_of(html: &str) -> Vec<String> {
    let source = forest_html::page::Source {
        url: Some("https://a.example/archive/"),
        ..Default::default()
    };
    let page = Page::parse(html.as_bytes(), source);
    let learned = learn(&[&page], &ListOptions::default());
    let wrapper = learned.wrapper.expect("a list");
    let extractor = ListExtractor::new(wrapper).expect("compiles");
    let items = extractor.apply(&page).items.into_iter();
    let date = |item: crate::extract::list::ListItem| item.date.unwrap_or_default();
    items
        .map(|item| date(item).chars().take(10).collect())
        .collect()
}

#[test]
fn months_and_days_in_digits_stand_below_their_year() {
    let item = |n: usize, day: &str| {
        format!(
            "<a class=item href=/post/{n}.html><b>{day}</b> <i>The storm of number {n} at sea</i></a>"
        )
    };
    let page = |days: [&str; 4]| {
        let [a, b, c, d] = days;
        let (new, old) = (item(1, a) + &item(2, b), item(3, c) + &item(4, d));
        days_of(&format!(
            "<p class=h5>2026</p>{new}<p class=h5>2025</p>{old}"
        ))
    };
    let days_of_month_first = page(["08-19", "01-03", "12-24", "11-02"]);
    let expected = ["2026-08-19", "2026-01-03", "2025-12-24", "2025-11-02"];
    assert_eq!(days_of_month_first, expected);
    let day_first = page(["19.08", "03.01", "24.12", "02.11"]);
    assert_eq!(day_first, expected);
}

#[test]
fn a_day_between_two_items_is_that_of_the_one_below_it() {
    // So many that the last day, which has no item below it, is a small share of them.
    let day = |n: usize| format!("2024-{:02}-{:02}", 12 - n / 20, 28 - n % 20);
    let item = |n: usize| {
        format!(
            "<h4>{}</h4><div class=item><a href=/post/{n}.html>The storm of number {n} at sea</a>\
             <p>It rained for {n} days and nobody had a hat.</p></div>",
            day(n)
        )
    };
    let items: String = (0..80).map(item).collect();
    assert_eq!(days_of(&items), (0..80).map(day).collect::<Vec<_>>());
}

#[test]
fn the_item_of_a_list_of_one_is_its_article() {
    let html = "<div class=page><header><h1><a href=/>The Gazette</a></h1><p class=motto>All the news of the port</header>\
        <article class=post><a href=/2024/05/06/the-mill><time datetime=2024-05-06>6 May</time></a>\
        <h1><a href=/2024/05/06/the-mill>The old mill burned down</a></h1><p>It burned for nine days and nobody had \
        a hat, said the keeper of the lighthouse to this newspaper.</p></article></div>";
    let source = forest_html::page::Source {
        url: Some("https://a.example/page/2/"),
        ..Default::default()
    };
    let page = Page::parse(html.as_bytes(), source);
    let learned = learn(&[&page], &ListOptions::default());
    let extractor = ListExtractor::new(learned.wrapper.expect("a list")).expect("compiles");
    let items = extractor.apply(&page).items;
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].title.as_deref(), Some("The old mill burned down"));
}

#[test]
fn a_day_may_stand_above_several_items_in_parts_or_among_words() {
    let link = |n: usize| format!("<a href=/post/{n}-x.html>The storm of number {n} at sea</a>");
    let list = |day: &str, first: usize| {
        format!(
            "<h3>{day}</h3><ul><li>{}<li>{}</ul>",
            link(first),
            link(first + 1)
        )
    };
    let above = list("6 May 2024", 1) + &list("30 April 2024", 3);
    let expected = ["2024-05-06", "2024-05-06", "2024-04-30", "2024-04-30"];
    assert_eq!(days_of(&above), expected);
    let parts = |day: usize, n: usize| {
        format!(
            "<div class=post><div class=date><b>{day:02}</b><i>May</i><u>2024</u></div><h3>{}</h3></div>",
            link(n)
        )
    };
    let expected = ["2024-05-09", "2024-05-07"];
    assert_eq!(days_of(&(parts(9, 1) + &parts(7, 2))), expected);
    let line = |day: usize, n: usize| {
        format!(
            "<article><h2>{}</h2><p class=meta>By Jane Doe on Mon {day:02} May, 2024 in <a href=/c/x>Sea</a></p>\
             <p>It rained and nobody had a hat.</p></article>",
            link(n)
        )
    };
    assert_eq!(days_of(&(line(9, 1) + &line(7, 2))), expected);
}

#[test]
fn the_title_of_a_line_below_its_article_stands_above_the_text() {
    let article = |n: usize| {
        format!(
            "<h2>May {}, 2024</h2><h3>The storm of number {n} at sea</h3><p>It rained for nine days, and nobody had \
             a hat.</p><p>So it was.</p><p class=posted>Posted by Jane at <a href=/post/{n}.html>0{n}:12 PM</a></p>",
            20 - n
        )
    };
    let html: String = (1..=8).map(article).collect();
    let source = forest_html::page::Source {
        url: Some("https://a.example/old/"),
        ..Default::default()
    };
    let page = Page::parse(
        format!("<div class=content>{html}</div>").as_bytes(),
        source,
    );
    let learned = learn(&[&page], &ListOptions::default());
    let extractor = ListExtractor::new(learned.wrapper.expect("a list")).expect("compiles");
    let items = extractor.apply(&page).items;
    let titles: Vec<_> = items.iter().filter_map(|item| item.title.clone()).collect();
    let expected: Vec<String> = (1..=8)
        .map(|n| format!("The storm of number {n} at sea"))
        .collect();
    assert_eq!(titles, expected, "{:?}", learned.candidates);
    assert_eq!(items[0].date.as_deref(), Some("2024-05-19T00:00:00Z"));
}

/// A page with an address, or without one.
fn page_at(url: Option<&str>, html: &str) -> Page {
    let source = forest_html::page::Source {
        url,
        ..Default::default()
    };
    Page::parse(html.as_bytes(), source)
}

/// The addresses and titles of the items of the last page, by the wrapper that is learned from
/// all.
fn learned_items(pages: &[&Page]) -> Vec<(String, String)> {
    let learned = learn(pages, &ListOptions::default());
    let wrapper = learned.wrapper.expect("a list");
    let extractor = ListExtractor::new(wrapper).expect("XPath");
    let items = extractor.apply(pages[pages.len() - 1]).items.into_iter();
    items
        .map(|item| (item.url, item.title.unwrap_or_default()))
        .collect()
}

fn rows(numbers: std::ops::Range<usize>, base: &str) -> String {
    numbers
        .map(|n| {
            format!("<li class=row><a href={base}/n/{n}-of-the-storm>Storm number {n} at sea</a>")
        })
        .collect()
}

#[test]
fn a_saved_page_has_the_address_that_it_says() {
    let rows = rows(1..6, "https://a.example");
    let relative = rows.replace("https://a.example", "");
    for (said, rows) in [
        ("<link rel=canonical href=https://a.example/news>", &rows),
        (
            "<meta property=og:url content=https://www.a.example/news>",
            &rows,
        ),
        ("<base href=https://a.example/news/>", &rows),
        ("<base href=https://a.example/news/>", &relative),
        (
            "<link rel=canonical href=https://a.example/news>",
            &relative,
        ),
    ] {
        let page = page_at(None, &format!("<head>{said}</head><ul>{rows}</ul>"));
        let learned = learn(&[&page], &ListOptions::default());
        let wrapper = learned.wrapper.expect(said);
        assert!(
            wrapper.site.ends_with("a.example"),
            "{said} {}",
            wrapper.site
        );
        let items = ListExtractor::new(wrapper)
            .expect("XPath")
            .apply(&page)
            .items;
        assert_eq!(items.len(), 5, "{said}");
        assert_eq!(items[0].url, "https://a.example/n/1-of-the-storm", "{said}");
    }
}

#[test]
fn an_empty_link_over_a_card_is_its_item_with_the_heading_as_title() {
    let forms = [
        "<a class=entry-link href=URL></a><h3>TITLE</h3><p>It was late again on Monday.</p>",
        "<div class=media><a class=entry-link href=URL></a></div><h3>TITLE</h3><p>It was late.</p>",
        "<a class=entry-link href=URL><span></span></a><div><h2>TITLE</h2><p>It was late.</p></div>\
         <a class=tag href=/tag/storms>All storms</a>",
    ];
    for form in forms {
        let cards: String = (1..7)
            .map(|n| {
                let card = form.replace("URL", &format!("/n/{n}-of-the-storm"));
                let card = card.replace("TITLE", &format!("Storm number {n} at sea"));
                format!("<article class=card>{card}</article>")
            })
            .collect();
        let menu = "<ul class=menu><li><a href=/sport>Sport today</a><li><a href=/world>The world</a>\
            <li><a href=/money>Money and more</a></ul>";
        let html = format!("{menu}<main>{cards}</main>");
        let page = page_at(Some("https://a.example/"), &html);
        let items = learned_items(&[&page]);
        let expected: Vec<(String, String)> = (1..7)
            .map(|n| {
                let url = format!("https://a.example/n/{n}-of-the-storm");
                (url, format!("Storm number {n} at sea"))
            })
            .collect();
        assert_eq!(items, expected, "{form}");
    }
}

#[test]
fn two_snapshots_are_as_good_as_the_newest() {
    let aside = |numbers: std::ops::Range<usize>| -> String {
        let rows = numbers.map(|n| {
            format!(
                "<div class=trending><a href=/v/{n}-in-the-harbour>What people watch, part {n}</a></div>"
            )
        });
        rows.collect()
    };
    let url = Some("https://a.example/");
    let page = |list: &str, beside: &str| {
        page_at(
            url,
            &format!("<main><ul class=list>{list}</ul></main><section>{beside}</section>"),
        )
    };
    let sea = |items: &[(String, String)]| items.iter().all(|(url, _)| url.contains("-storm"));
    // The list stays the same, and what stands beside it changes.
    let old = page(&rows(1..9, ""), &aside(1..8));
    let new = page(&rows(1..9, ""), &aside(11..18));
    let alone = learned_items(&[&new]);
    assert!(sea(&alone) && alone.len() == 8, "{alone:?}");
    assert_eq!(learned_items(&[&old, &new]), alone);
    // A new design: of the old one only the links beside the list are left.
    let old = page_at(
        url,
        &format!("<table><tr><td>No list</table>{}", aside(1..8)),
    );
    let new = page(&rows(1..9, ""), &aside(3..10));
    assert_eq!(learned_items(&[&old, &new]), learned_items(&[&new]));
}
