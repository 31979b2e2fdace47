use super::*;
use crate::feed::{FeedDate, FeedItem};
use crate::wrapper::WrapperField;
use crate::wrapper::xpath::XPath;
use forest_html::page::Page;

/// A page with what the feed says of it: title, author, date.
fn sample(html: &str, item: [&str; 3]) -> SamplePage {
    let mut page = SamplePage::new(Page::from_html(html), "a page");
    let [title, author, date] = item.map(str::to_owned);
    page.item = Some(FeedItem {
        title,
        authors: Some(author)
            .filter(|name| !name.is_empty())
            .into_iter()
            .collect(),
        published: Some(date).filter(|date| !date.is_empty()).map(FeedDate::of),
        ..FeedItem::default()
    });
    page
}

fn fields(pages: &[SamplePage]) -> LearnedFields {
    learn(&pages.iter().collect::<Vec<_>>())
}

/// Pages of one layout, `{t}`, `{a}` and `{d}` filled in as given, and the feed's
/// items.
fn pages(layout: &str, shown: &[[&str; 3]], items: &[[&str; 3]]) -> Vec<SamplePage> {
    let page = |(shown, item): (&[&str; 3], &[&str; 3])| {
        let html = layout.replace("{t}", shown[0]);
        let html = html.replace("{a}", shown[1]).replace("{d}", shown[2]);
        sample(&html, *item)
    };
    shown.iter().zip(items).map(page).collect()
}

const ITEMS: [[&str; 3]; 3] = [
    [
        "Ferry leaves later",
        "Jane Doe",
        "2013-06-05T10:00:00+02:00",
    ],
    [
        "Cat sleeps on organ",
        "John Roe",
        "2013-06-07T10:00:00+02:00",
    ],
    ["Loaf is weighed", "Jane Doe", "2013-06-28T10:00:00+02:00"],
];

/// The title's expression for a layout in which `{t}` is the title.
#[track_caller]
fn check_title(layout: &str, expected: &[&str]) {
    let fields = fields(&pages(layout, &ITEMS, &ITEMS));
    assert_eq!(fields.title, expected, "{layout}");
}

#[test]
fn the_name_that_names_the_field_wins() {
    check_title(
        "<title>Site</title><div class='top'><h2 class='big entry-title'>{t}</h2></div>",
        &["//h2[contains(concat(' ',normalize-space(@class),' '),' entry-title ')]"],
    );
    check_title(
        "<title>Site</title><h3>Site</h3><h2 id=headline>{t}</h2>",
        &["//h2[@id='headline']"],
    );
    check_title(
        "<title>Site</title><h3>Site</h3><b itemprop=title class=title>{t}</b>",
        &["//b[contains(concat(' ',normalize-space(@itemprop),' '),' title ')]"],
    );
}

#[test]
fn an_element_without_a_name_is_found_below_one_that_has() {
    check_title(
        "<title>Site</title><p>Site</p><div class=post-title><p>{t}</p></div>",
        &["//div[contains(concat(' ',normalize-space(@class),' '),' post-title ')]"],
    );
    check_title(
        "<title>Site</title><p>Site</p><div class=story><p>{t}</p><i>more</i></div>",
        &["//div[contains(concat(' ',normalize-space(@class),' '),' story ')]//p"],
    );
}

#[test]
fn nothing_is_learned_where_the_metadata_is_right() {
    check_title("<title>{t}</title><h2 class=entry-title>{t}</h2>", &[]);
    let html = "<title>{t}</title><meta name=author content='{a}'><b class=author>{a}</b>";
    let fields = fields(&pages(html, &ITEMS, &ITEMS));
    assert_eq!(fields.author, [""; 0]);
    let support = &fields.support["author"];
    assert_eq!((support.right, support.metadata, support.pages), (3, 3, 3));
}

#[test]
fn names_of_an_article_or_a_build_are_not_learned() {
    check_title(
        "<title>Site</title><p>Site</p><div class='post-1234 css-1a2b3c'>{t}</div>",
        &[],
    );
}

#[test]
fn an_author_in_a_byline_with_a_date() {
    let html = "<title>{t}</title><p class=posted>Posted by {a} at June 5, 2013 05:12 PM</p>";
    let fields = fields(&pages(html, &ITEMS, &ITEMS));
    assert_eq!(
        fields.author,
        ["//p[contains(concat(' ',normalize-space(@class),' '),' posted ')]"]
    );
    assert_eq!(fields.support["author"].source, "feed");
}

#[test]
fn authors_of_other_articles_behind_the_first_do_not_count() {
    let html = "<title>{t}</title><meta name=author content=Nobody><i class=who>{a}</i>\
                <ul><li><i class=who>Ann Poe</i></ul>";
    let fields = fields(&pages(html, &ITEMS, &ITEMS));
    assert_eq!(
        fields.author,
        ["(//i[contains(concat(' ',normalize-space(@class),' '),' who ')])[1]"]
    );
}

/// The expression and format of the date for what the pages show.
#[track_caller]
fn check_date(shown: [&str; 3], format: Option<&str>) {
    let shown = shown.map(|date| ["t", "a", date]);
    let fields = fields(&pages(
        "<b>Site</b><p><b class=when>{d}</b>",
        &shown,
        &ITEMS,
    ));
    let [date] = &fields.date[..] else {
        panic!("one expression, not {:?}", fields.date);
    };
    assert_eq!(
        date.xpath,
        "//b[contains(concat(' ',normalize-space(@class),' '),' when ')]"
    );
    assert_eq!(date.format.as_deref(), format);
    assert_eq!(fields.support["date"].right, 3);
}

#[test]
fn dates_in_the_site_s_own_form() {
    check_date(["June 5, 2013", "June 7, 2013", "June 28, 2013"], None);
    check_date(
        ["5 czerwca 2013", "7 czerwca 2013", "28 czerwca 2013"],
        None,
    );
    check_date(["2013年6月5日", "2013年6月7日", "2013年6月28日"], None);
    check_date(["am 05.06.2013", "am 07.06.2013", "am 28.06.2013"], None);
}

#[test]
fn the_order_of_numbers_is_that_of_the_sample() {
    check_date(["05/06/2013", "07/06/2013", "28/06/2013"], Some("%d/%m/%Y"));
    check_date(["06/05/2013", "06/07/2013", "06/28/2013"], Some("%m/%d/%Y"));
    check_date(["05.06.13", "07.06.13", "28.06.13"], Some("%d.%m.%y"));
}

#[test]
fn a_date_in_an_attribute() {
    let html = "<b>Site</b><p><abbr class=published title='{d}'>long ago</abbr>";
    let fields = fields(&pages(html, &ITEMS, &ITEMS));
    assert_eq!(
        fields.date[0].xpath,
        "//abbr[contains(concat(' ',normalize-space(@class),' '),' published ')]/@title"
    );
}

#[test]
fn tags_are_those_of_the_feed() {
    let page = |tags: [&str; 2]| {
        let links = tags
            .map(|tag| format!("<a href=/{tag}>{tag}</a>"))
            .join(", ");
        let html = format!("<ul class=menu><a>Home</a></ul><div class=tags>{links}</div>");
        let mut page = sample(&html, ["", "", ""]);
        let item = page.item.get_or_insert_default();
        item.categories = tags.map(str::to_owned).to_vec();
        page
    };
    let fields = fields(&[
        page(["rust", "web"]),
        page(["web", "sea"]),
        page(["sea", "cats"]),
    ]);
    assert_eq!(
        fields.tags,
        ["//div[contains(concat(' ',normalize-space(@class),' '),' tags ')]//a"]
    );
}

#[test]
fn a_side_bar_s_tags_are_no_truth() {
    let cloud =
        "<div id=bar><a rel=tag>a</a><a rel=tag>b</a><a rel=tag>c</a><a rel=tag>d</a></div>";
    let page = |tag: &str| {
        sample(
            &format!("{cloud}<p class=in><a rel=tag>{tag}</a></p>"),
            ["", "", ""],
        )
    };
    let learned = fields(&[page("rust"), page("web"), page("sea")]);
    assert_eq!(learned.tags_of_site, ["a", "b", "c", "d"]);
    let support = &learned.support["tags"];
    assert_eq!((support.pages, support.right, support.metadata), (3, 3, 3));
    assert_eq!(fields(&[page("rust"), page("web")]).tags_of_site, [""; 0]);
}

#[test]
fn without_a_feed_the_metadata_is_the_truth_where_it_speaks() {
    let html = |meta: &str, name: &str| format!("<title>x</title>{meta}<b class=author>{name}</b>");
    let says = |name: &str| html(&format!("<meta name=author content='{name}'>"), name);
    let quiet = sample(&html("", "Ann Poe"), ["", "", ""]);
    let pages = [
        sample(&says("Jane Doe"), ["", "", ""]),
        sample(&says("John Roe"), ["", "", ""]),
        quiet,
    ];
    let learned = fields(&pages);
    assert_eq!(
        learned.author,
        ["//b[contains(concat(' ',normalize-space(@class),' '),' author ')]"]
    );
    let support = &learned.support["author"];
    assert_eq!((support.pages, &*support.source), (2, "metadata"));
    assert_eq!(fields(&pages[..2]).author, [""; 0]);
}

#[test]
fn what_all_titles_end_in_is_no_title() {
    let page = |title: &str| {
        let html = format!(
            "<title>{title} :: Our Valley</title><p>Valley</p><div id=headline>{title}</div>"
        );
        sample(&html, ["", "", ""])
    };
    let learned = fields(&[page("Ferry"), page("Cat"), page("Loaf")]);
    assert_eq!(learned.title, ["//div[@id='headline']"]);
}

#[test]
fn one_page_teaches_nothing() {
    let fields = fields(&pages(
        "<b>Site</b><h2 class=title>{t}</h2>",
        &ITEMS[..1],
        &ITEMS[..1],
    ));
    assert_eq!(fields, LearnedFields::default());
}

#[test]
fn expressions_are_xpath_and_select_the_values() {
    let html = "<title>Site</title><h2 class=title>{t}</h2><p class=by>By {a}, Editor</p><i class=day>{d}</i>";
    let pages = pages(html, &ITEMS, &ITEMS);
    let learned = fields(&pages);
    let read = |xpath: &str| {
        XPath::parse(xpath)
            .expect("an expression")
            .strings(&pages[1].page)
    };
    assert_eq!(read(&learned.title[0]), ["Cat sleeps on organ"]);
    assert_eq!(read(&learned.author[0]), ["By John Roe, Editor"]);
    assert_eq!(read(&learned.date[0].xpath), ["2013-06-07T10:00:00+02:00"]);
}

#[test]
fn a_day_may_be_written_in_a_zone_far_away() {
    let mut items = ITEMS;
    items[2][2] = "2013-06-28T23:00:00-05:00";
    let mut shown = ITEMS;
    shown[2][2] = "2013-06-30T01:00:00+09:00";
    let learned = fields(&pages("<i class=day>{d}</i>", &shown, &items));
    assert_eq!(learned.support["date"].right, 3);
}

#[test]
fn a_long_text_is_no_value() {
    let html = format!(
        "<title>{{t}}</title><p class=by>{{a}}<p class=author>{{a}} {}",
        "word ".repeat(200)
    );
    let fields = fields(&pages(&html, &ITEMS, &ITEMS));
    assert_eq!(
        fields.author,
        ["//p[contains(concat(' ',normalize-space(@class),' '),' by ')]"]
    );
}

#[test]
fn many_names_are_bounded() {
    let tags: String = (0..3000)
        .map(|i| format!("<b class='n{}x t{}'>{{t}}</b>", i % 97, i % 89))
        .collect();
    let fields = fields(&pages(&tags, &ITEMS, &ITEMS));
    assert_eq!(fields.title.len(), 1);
}

#[test]
fn the_only_author_of_a_feed_is_the_author_of_pages_that_name_none() {
    let by_jane = ITEMS.map(|[title, _, date]| [title, "Jane Doe", date]);
    let html = "<title>{t}</title><h2>{t}</h2>";
    assert_eq!(
        fields(&pages(html, &ITEMS, &by_jane)).author,
        ["'Jane Doe'"]
    );
    assert_eq!(fields(&pages(html, &ITEMS, &by_jane[..2])).author, [""; 0]);
    assert_eq!(fields(&pages(html, &ITEMS, &ITEMS)).author, [""; 0]);
    let named = "<title>{t}</title><b class=who>Jane Doe</b>";
    let learned = fields(&pages(named, &ITEMS, &by_jane)).author;
    assert_eq!(
        learned,
        ["//b[contains(concat(' ',normalize-space(@class),' '),' who ')]"]
    );
}

#[test]
fn where_the_feed_has_enough_pages_the_metadata_of_others_is_no_truth() {
    let html = "<title>x</title><meta name=author content=Nobody><b class=who>{a}</b>";
    let mut items = ITEMS;
    items[2][1] = "";
    let learned = fields(&pages(html, &ITEMS, &items));
    let support = &learned.support["author"];
    assert_eq!((support.pages, support.right, support.metadata), (2, 2, 0));
}

#[test]
fn a_byline_is_the_truth_where_neither_feed_nor_metadata_speaks() {
    let html = "<title>x</title><p class=byline>By {a}</p>";
    let nothing = [["", "", ""]; 3];
    let learned = fields(&pages(html, &ITEMS, &nothing));
    assert_eq!(
        learned.author,
        ["//p[contains(concat(' ',normalize-space(@class),' '),' byline ')]"]
    );
}

/// Pages that show these days, of which neither feed nor metadata says more.
fn shown_days(layout: &str, days: &[&str]) -> LearnedFields {
    let titles = [
        "Ferry leaves later",
        "Cat sleeps on organ",
        "Loaf is weighed",
        "Choir sings",
    ];
    let shown: Vec<[&str; 3]> = days
        .iter()
        .zip(titles)
        .map(|(day, t)| [t, "", *day])
        .collect();
    let nothing = vec![["", "", ""]; days.len()];
    fields(&pages(layout, &shown, &nothing))
}

#[test]
fn the_order_of_day_and_month_is_that_of_the_pages_that_tell_it() {
    let html = "<title>{t}</title><article><h1>{t}</h1><p class=posted-on>{d}</p><p>text</article>";
    let check = |days: [&str; 4], format: Option<&str>| {
        let found = shown_days(html, &days).date;
        let formats: Vec<Option<&str>> = found.iter().map(|date| date.format.as_deref()).collect();
        assert_eq!(formats, [format], "{days:?}");
    };
    check(
        ["05/06/2023", "25/06/2023", "03/07/2023", "19/08/2023"],
        Some("%d/%m/%Y"),
    );
    check(
        ["06/05/2023", "06/25/2023", "07/03/2023", "08/19/2023"],
        Some("%m/%d/%Y"),
    );
    check(
        ["05-06-2023", "25-06-2023", "03-07-2023", "19-08-2023"],
        Some("%d-%m-%Y"),
    );
    check(
        ["15/06/2023", "25/06/2023", "13/07/2023", "19/08/2023"],
        None,
    );
    check(
        [
            "5 June 2023",
            "25 June 2023",
            "3 July 2023",
            "19 August 2023",
        ],
        None,
    );
}

#[test]
fn a_day_that_all_pages_show_is_the_site_s() {
    let html = "<title>{t}</title><div class=date>{d}</div><article><h1>{t}</h1><p>text</article>";
    let today = "5 June 2023";
    let learned = shown_days(html, &[today; 4]);
    assert_eq!(
        (learned.date.len(), learned.shared),
        (0, vec![WrapperField::Date])
    );
    let learned = shown_days(html, &[today, today, today, "6 June 2023"]);
    assert_eq!(learned.shared, []);
    let learned = shown_days(html, &[today; 2]);
    assert_eq!(learned.shared, []);
    // The feed says so: all articles are of one day.
    let items = ITEMS.map(|[title, author, _]| [title, author, "2023-06-05T10:00:00Z"]);
    let shown = ITEMS.map(|[title, author, _]| [title, author, today]);
    assert_eq!(fields(&pages(html, &shown, &items)).shared, []);
}

#[test]
fn one_author_beside_all_texts_is_the_site_s_unless_the_feed_says_so() {
    let text = "The river was in the cellar of the mill. ".repeat(50);
    let html = format!(
        "<title>{{t}}</title><article><h1>{{t}}</h1><p>{text}</p></article><p class=byline>By {{a}}</p>"
    );
    let html = html.as_str();
    let shown = ITEMS.map(|[title, _, date]| [title, "Jane Doe", date]);
    let learned = fields(&pages(html, &shown, &[["", "", ""]; 3]));
    assert_eq!(
        (learned.author.len(), learned.shared),
        (0, vec![WrapperField::Author])
    );
    let learned = fields(&pages(html, &shown, &shown));
    assert_eq!(learned.shared, []);
    let head = html.replace("</title>", "</title><meta name=author content='{a}'>");
    assert_eq!(fields(&pages(&head, &shown, &[["", "", ""]; 3])).shared, []);
    // A line below each title is that of a site with one author.
    let near = "<title>{t}</title><article><h1>{t}</h1><p class=byline>By {a}</p><p>text</article>";
    assert_eq!(fields(&pages(near, &shown, &[["", "", ""]; 3])).shared, []);
}

#[test]
fn days_of_other_calendars_and_digits_are_finds() {
    let check = |lang: &str, days: [&str; 3]| {
        let html = format!(
            "<html lang={lang}><title>{{t}}</title><h1>{{t}}</h1><p>x</p><div>{}</div><b class=when>{{d}}</b>",
            "The river was in the cellar of the mill. ".repeat(50)
        );
        let shown: Vec<[&str; 3]> = ITEMS
            .iter()
            .zip(days)
            .map(|(item, day)| [item[0], "", day])
            .collect();
        let found = fields(&pages(&html, &shown, &ITEMS));
        assert_eq!(found.date.len(), 1, "{days:?}");
        assert_eq!(found.support["date"].right, 3, "{days:?}");
    };
    check("fa", ["۱۵ خرداد ۱۳۹۲", "۱۷ خرداد ۱۳۹۲", "۷ تیر ۱۳۹۲"]);
    check("fa", ["1392/03/15", "1392/03/17", "1392/04/07"]);
    check("ar", ["٥ يونيو ٢٠١٣", "٧ يونيو ٢٠١٣", "٢٨ يونيو ٢٠١٣"]);
    check("hi", ["५ जून २०१३", "७ जून २०१३", "२८ जून २०१३"]);
}
