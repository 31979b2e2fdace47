//! Sites of a few pages.

use super::*;
use crate::wrapper::xpath::XPath;
use forest_html::page::{Page, Source};

/// Pages of one site: path, and what stands beside the text.
fn check(pages: &[(&str, &str)], next: Option<&str>, single: Option<&str>) {
    check_of(pages, pages.len(), next, single);
}

/// The same with only the first `good` of them fit to learn from.
fn check_of(pages: &[(&str, &str)], good: usize, next: Option<&str>, single: Option<&str>) {
    let samples: Vec<SamplePage> = pages
        .iter()
        .map(|(path, links)| {
            let url = format!("https://a.example{path}");
            let source = Source {
                url: Some(&url),
                ..Source::default()
            };
            let html = format!("<p>Text of {path}.</p>{links}");
            SamplePage::new(Page::parse(html.as_bytes(), source), url.clone())
        })
        .collect();
    let all: Vec<&SamplePage> = samples.iter().collect();
    let paging = learn(&all[..good], &all);
    for xpath in paging.next_page.iter().chain(&paging.single_page) {
        let css = XPath::parse(xpath).expect("an expression").to_css();
        assert_eq!(css.expect("CSS says it").attribute.as_deref(), Some("href"));
    }
    assert_eq!(paging.next_page.as_deref(), next, "{pages:?}");
    assert_eq!(paging.single_page.as_deref(), single, "{pages:?}");
}

const BY_CLASS: &str = "//a[contains(concat(' ',normalize-space(@class),' '),' next ')]/@href";
const BY_REL: &str = "//a[contains(concat(' ',normalize-space(@rel),' '),' next ')]/@href";
const IN_PAGES: &str =
    "//div[contains(concat(' ',normalize-space(@class),' '),' pages ')]//a/@href";

#[test]
fn a_link_with_a_name_of_its_own() {
    let a = "<a class=next href=/a/2>Next</a>";
    let b = "<a class=next href='/b/2'>Next</a>";
    check(&[("/a", a), ("/b", b), ("/c", "")], Some(BY_CLASS), None);
    let head = |path| format!("<link rel=next href=/{path}?page=2>");
    let by_head = "//link[contains(concat(' ',normalize-space(@rel),' '),' next ')]/@href";
    check(
        &[("/a", &head("a")), ("/b", &head("b"))],
        Some(by_head),
        None,
    );
}

#[test]
fn a_list_of_pages() {
    let a = "<div class=pages><b>1</b> <a href=/a-2.html>2</a> <a href=/a-3.html>3</a></div>";
    let b = "<div class=pages><b>1</b> <a href=/b-2.html>2</a></div>";
    check(
        &[("/a.html", a), ("/b.html", b), ("/c.html", "")],
        Some(IN_PAGES),
        None,
    );
}

#[test]
fn the_next_article_is_no_next_page() {
    let next = |path| format!("<link rel=next href={path}><a rel=next href={path}>Next</a>");
    let pages = [("/a", next("/b")), ("/b", next("/c")), ("/c", next("/d"))];
    let pages: Vec<_> = pages.iter().map(|(path, html)| (*path, &**html)).collect();
    check(&pages, None, None);
    // Nor where articles have numbers.
    let pages = [("/1", next("/2")), ("/2", next("/3")), ("/3", next("/4"))];
    let pages: Vec<_> = pages.iter().map(|(path, html)| (*path, &**html)).collect();
    check(&pages, None, None);
}

#[test]
fn a_name_that_some_pages_have_for_the_next_article_is_not_taken() {
    let list = |path: &str| format!("<div class=pages><a rel=next href={path}/2>2</a></div>");
    let story = "<a rel=next href=/a>Next story</a>";
    let (a, b) = (list("/a"), list("/b"));
    check(&[("/a", &a), ("/b", &b), ("/c", "")], Some(BY_REL), None);
    let of_pages = IN_PAGES.replace("//a/@href", BY_REL);
    check(
        &[("/a", &a), ("/b", &b), ("/c", story)],
        Some(&of_pages),
        None,
    );
}

#[test]
fn one_page_is_enough_where_its_next_one_is_there() {
    let a = "<a class=next href=/a/2>Next</a>";
    check(&[("/a", a), ("/b", "")], None, None);
    check_of(
        &[("/a", a), ("/b", ""), ("/a/2", "")],
        2,
        Some(BY_CLASS),
        None,
    );
}

#[test]
fn the_middle_of_an_article_counts_too() {
    let pages = [
        (
            "/a",
            "<div class=pages>1 <a href=/a/2>2</a> <a href=/a/3>3</a></div>",
        ),
        (
            "/a/2",
            "<div class=pages><a href=/a>1</a> 2 <a href=/a/3>3</a></div>",
        ),
        ("/b", ""),
    ];
    check(&pages, Some(IN_PAGES), None);
}

#[test]
fn the_whole_article_where_only_articles_over_pages_have_it() {
    let links = |path: &str| {
        format!(
            "<div class=pages><a class=next href={path}/2>2</a></div>\
             <a class=single-page href={path}/all>Single page</a><a class=print href={path}/print>Print</a>"
        )
    };
    let (a, b) = (links("/aa"), links("/bb"));
    let print = "<a class=print href=/cc/print>Print</a>";
    let single = "//a[contains(concat(' ',normalize-space(@class),' '),' single-page ')]/@href";
    check(
        &[("/aa", &a), ("/bb", &b), ("/cc", print)],
        Some(BY_CLASS),
        Some(single),
    );
    // Where no article goes on, no page is the whole of one.
    check(&[("/aa", print), ("/cc", print)], None, None);
}

#[test]
fn pages_of_comments_are_none_of_the_article() {
    let comments =
        |path: &str| format!("<a class=next href={path}/comment-page-2#comments>Next</a>");
    let (a, b) = (comments("/a"), comments("/b"));
    check(&[("/a", &a), ("/b", &b)], None, None);
}

#[test]
fn pages_in_the_sample_that_lead_on_without_a_way_back() {
    let next = |path: &str| format!("<a class=next href={path}>Next</a>");
    let (a, b) = (next("/a/2/"), next("/b/2/"));
    let (a2, b2) = (next("/a/3/"), next("/b/3/"));
    let pages = [
        ("/a/", &*a),
        ("/a/2/", &*a2),
        ("/a/3/", ""),
        ("/b/", &*b),
        ("/b/2/", &*b2),
        ("/c/", ""),
    ];
    check(&pages, Some(BY_CLASS), None);
    // The last page first.
    let mut turned = pages;
    turned.reverse();
    check(&turned, Some(BY_CLASS), None);
    // Articles that have numbers: the page without one is a list.
    let (two, three) = (next("/news/3"), next("/news/4"));
    let list = "<a href=/news/2>2</a>";
    let pages = [("/news/2", &*two), ("/news/3", &*three), ("/news", list)];
    check_of(&pages, 2, None, None);
}
