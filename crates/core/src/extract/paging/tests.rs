//! Sites of a few pages in memory.

use super::whole::MAX_PAGES;
use super::*;
use crate::extract::{Article, ArticleWarning, Options};
use crate::wrapper::Wrapper;
use forest_html::page::Source;
use proptest::prelude::*;
use std::collections::BTreeMap;

const HOST: &str = "https://a.example";

/// A site: pages by path; what is not there cannot be had.
struct PagedSite {
    extractor: Extractor,
    pages: BTreeMap<&'static str, String>,
    asked: Vec<String>,
}

impl PagedSite {
    fn new(keys: &str, pages: &[(&'static str, String)]) -> PagedSite {
        let yaml = format!("format: 1\nsite: a.example\n{keys}templates:\n- body: [//main]\n");
        let wrapper = Wrapper::from_yaml(&yaml).expect("yaml").wrapper;
        PagedSite {
            extractor: Extractor::new(wrapper).expect("compiles"),
            pages: pages.iter().cloned().collect(),
            asked: Vec::new(),
        }
    }

    fn page(&self, path: &str) -> Option<Page> {
        let url = format!("{HOST}{path}");
        let source = Source {
            url: Some(&url),
            ..Source::default()
        };
        let html = self.pages.get(path)?;
        Some(self.extractor.parse(html.as_bytes(), source))
    }

    fn whole(&mut self, path: &str, options: Options) -> Article {
        let first = self.page(path).expect("the first page");
        let extractor = self.extractor.clone();
        let mut whole = PagedArticle::of(&extractor, &first, options);
        while let Some(url) = whole.wanted().map(str::to_owned) {
            self.asked.push(url.clone());
            match url.strip_prefix(HOST).and_then(|path| self.page(path)) {
                Some(page) => {
                    whole.add(&page);
                }
                None => whole.miss("it is gone"),
            }
        }
        whole.finish()
    }

    #[track_caller]
    fn check(&mut self, path: &str, text: &str, pages: &[&str]) -> Article {
        let article = self.whole(path, Options::default());
        assert_eq!(article.text, text);
        let expected: Vec<String> = pages.iter().map(|path| format!("{HOST}{path}")).collect();
        assert_eq!(article.pages, expected);
        article
    }
}

/// A page with a title, a body and links.
fn html(title: &str, body: &str, links: &str) -> String {
    format!("<title>{title}</title><main>{body}</main><nav>{links}</nav>")
}

fn story(body: &str, links: &str) -> String {
    html("The ferry leaves later", body, links)
}

/// Its warnings, without doubts whether a text of two words is an article.
fn warnings(article: &Article) -> String {
    let all = article.warnings.iter();
    let all = all.filter(|warning| !matches!(warning, ArticleWarning::Unlike { .. }));
    let all: Vec<String> = all.map(ToString::to_string).collect();
    all.join("; ")
}

const NEXT: &str = "next_page: //nav/a\n";

/// Three pages that list each other.
fn three() -> Vec<(&'static str, String)> {
    let all = "<a href=/s>1</a> <a href=/s/2>2</a> <a href=/s/3>3</a>";
    vec![
        ("/s", story("<p>Lead.<p>One.", all)),
        ("/s/2", story("<p>Lead.<p>Two.", all)),
        ("/s/3", story("<p>Lead.<p>Three.", all)),
    ]
}

#[test]
fn three_pages_become_one_article_without_what_repeats() {
    let mut site = PagedSite::new(NEXT, &three());
    let article = site.check("/s", "Lead.\nOne.\nTwo.\nThree.", &["/s", "/s/2", "/s/3"]);
    assert_eq!(warnings(&article), "");
    assert_eq!(site.asked.len(), 2);
    // From the second page on, without the first.
    site.check("/s/2", "Lead.\nTwo.\nThree.", &["/s/2", "/s/3"]);
    // The last page is an article of its own.
    site.check("/s/3", "Lead.\nThree.", &[]);
}

#[test]
fn links_within_the_body_are_no_text() {
    let all = "<div>Page <a href=/s>1</a> <a href=/s/2>2</a> <a href=/s/2>Next</a></div>";
    let pages = [
        ("/s", story(&format!("<p>One.{all}"), "")),
        ("/s/2", story(&format!("<p>Two.{all}"), "")),
    ];
    let mut site = PagedSite::new("next_page: //div/a\n", &pages);
    site.check("/s", "One.\nTwo.", &["/s", "/s/2"]);
    // Without the other page, too.
    PagedSite::new("next_page: //div/a\n", &pages[..1]).check("/s", "One.", &[]);
}

#[test]
fn markdown_html_and_pictures_are_joined_too() {
    let all = "<a href=/s/2>2</a>";
    let pages = [
        ("/s", story("<p>One.<img src=/1.jpg>", all)),
        ("/s/2", story("<p>Two.<img src=/1.jpg><img src=/2.jpg>", "")),
    ];
    let options = Options::default().with_markdown(true).with_html(true);
    let options = options.with_prose(|page, body| crate::render::text(page, body).to_uppercase());
    let article = PagedSite::new(NEXT, &pages).whole("/s", options);
    assert_eq!(article.prose.as_deref(), Some("ONE.\nTWO."));
    let markdown = article.markdown.expect("asked for");
    assert!(
        markdown.starts_with("One.") && markdown.contains("\n\nTwo."),
        "{markdown}"
    );
    let html = article.html.expect("asked for");
    assert!(html.find("One.") < html.find("Two."), "{html}");
    let urls: Vec<&str> = article.images.iter().map(|image| &*image.url).collect();
    assert_eq!(urls, ["https://a.example/1.jpg", "https://a.example/2.jpg"]);
}

#[test]
fn a_page_that_cannot_be_had_is_named() {
    let mut pages = three();
    pages.remove(2);
    let article = PagedSite::new(NEXT, &pages).check("/s", "Lead.\nOne.\nTwo.", &["/s", "/s/2"]);
    let said = warnings(&article);
    assert!(
        said.contains("https://a.example/s/3") && said.contains("it is gone"),
        "{said}"
    );
}

#[test]
fn another_article_is_not_joined() {
    let other = html("Cat sleeps on organ", "<p>Meow.", "");
    let by_rel = "next_page: //a[@rel='next']\n";
    let link = "<a rel=next href=/t>Next story</a>";
    let pages = [("/s", story("<p>One.", link)), ("/t", other.clone())];
    let article = PagedSite::new(by_rel, &pages).check("/s", "One.", &[]);
    assert!(warnings(&article).contains("another article's"));
    // Nor where its address looks like a second page.
    let pages = [
        ("/s", story("<p>One.", "<a href=/s-2>2</a>")),
        ("/s-2", other),
    ];
    PagedSite::new(NEXT, &pages).check("/s", "One.", &[]);
}

#[test]
fn addresses_without_numbers_are_followed_where_the_title_is_the_same() {
    let pages = [
        ("/s", story("<p>One.", "<a href=/more>more</a>")),
        ("/more", story("<p>Two.", "<a href=/s>back</a>")),
    ];
    PagedSite::new(NEXT, &pages).check("/s", "One.\nTwo.", &["/s", "/more"]);
}

#[test]
fn links_that_lead_nowhere_are_none() {
    for link in [
        "/s",
        "/s#2",
        "https://b.example/s/2",
        "javascript:next()",
        "data:text/html,x",
        "mailto:a@a.example",
        "//",
        "",
    ] {
        let pages = [("/s", story("<p>One.", &format!("<a href='{link}'>2</a>")))];
        let mut site = PagedSite::new(NEXT, &pages);
        site.check("/s", "One.", &[]);
        assert_eq!(site.asked, [""; 0], "{link}");
    }
    let none = Extractor::new(Wrapper::default()).expect("nothing to compile");
    let page = PagedSite::new("", &three()).page("/s").expect("there");
    assert_eq!(
        (none.next_page(&page), none.single_page(&page)),
        (None, None)
    );
    let by_text = "next_page: concat('/s/', 2)\n";
    PagedSite::new(by_text, &three()).check("/s", "Lead.\nOne.\nTwo.", &["/s", "/s/2"]);
}

#[test]
fn a_page_that_says_the_same_is_not_joined() {
    let body = "<p>The ferry to the islands leaves an hour later.";
    let pages = [
        ("/s", story(body, "<a href=/s/2>2</a>")),
        ("/s/2", story(body, "<a href=/s/3>3</a>")),
    ];
    let mut site = PagedSite::new(NEXT, &pages);
    let article = site.check("/s", "The ferry to the islands leaves an hour later.", &[]);
    assert_eq!((site.asked.len(), article.warnings.len()), (1, 0));
}

#[test]
fn circles_and_chains_without_end_do_end() {
    let pages = [
        ("/s", story("<p>One.", "<a href=/more>more</a>")),
        ("/more", story("<p>Two.", "<a href=/s>more</a>")),
    ];
    let mut site = PagedSite::new(NEXT, &pages);
    site.whole("/s", Options::default());
    assert_eq!(site.asked.len(), 1);

    let paths: Vec<&'static str> = (0..30)
        .map(|n| &*Box::leak(format!("/x{n}y").into_boxed_str()))
        .collect();
    let chain: Vec<(&'static str, String)> = paths
        .iter()
        .zip(paths.iter().skip(1))
        .enumerate()
        .map(|(n, (path, next))| {
            (
                *path,
                story(
                    &format!("<p>Part {n}."),
                    &format!("<a href={next}>more</a>"),
                ),
            )
        })
        .collect();
    let mut site = PagedSite::new(NEXT, &chain);
    let article = site.whole(paths[0], Options::default());
    assert_eq!(
        (article.pages.len(), site.asked.len()),
        (MAX_PAGES, MAX_PAGES - 1)
    );
    assert!(warnings(&article).contains("no more than 20 pages"));
}

const SINGLE: &str = "single_page: //nav/b/a\nnext_page: //nav/a\n";

#[test]
fn the_whole_article_on_one_page_comes_first() {
    let mut pages = three();
    let link = "<b><a href=/s/all>all</a></b></nav>";
    pages[0].1 = pages[0].1.replace("</nav>", link);
    pages.push(("/s/all", story("<p>Lead.<p>One.<p>Two.<p>Three.", "")));
    let mut site = PagedSite::new(SINGLE, &pages);
    site.check("/s", "Lead.\nOne.\nTwo.\nThree.", &["/s/all"]);
    assert_eq!(site.asked.len(), 1);
    // It has less, is another article, or is gone: page by page.
    let less = story("<p>Lead.", "");
    let other = html("Cat sleeps", "<p>Lead.<p>One.<p>Two.<p>Three.", "");
    let unlike = story(
        "<p>Log in to read what this is about, or take out a subscription.",
        "",
    );
    for instead in [Some(less), Some(other), Some(unlike), None] {
        pages.truncate(3);
        pages.extend(instead.map(|html| ("/s/all", html)));
        let mut site = PagedSite::new(SINGLE, &pages);
        site.check("/s", "Lead.\nOne.\nTwo.\nThree.", &["/s", "/s/2", "/s/3"]);
        assert_eq!(site.asked.len(), 3);
    }
}

#[test]
fn a_whole_article_that_is_gone_is_named_where_nothing_else_leads_on() {
    let link = "<b><a href=/s/all>all</a></b>";
    let pages = [("/s", story("<p>One.", link))];
    let article = PagedSite::new(SINGLE, &pages).check("/s", "One.", &[]);
    assert!(warnings(&article).contains("/s/all"));
}

#[test]
fn a_page_without_an_article_is_not_followed() {
    let pages = [(
        "/s",
        "<title>404 Not Found</title><h1>Not Found</h1><nav><a href=/s/2>2</a></nav>".to_owned(),
    )];
    let mut site = PagedSite::new(NEXT, &pages);
    site.check("/s", "", &[]);
    assert!(site.asked.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Pages that link to each other anyhow: it ends, and no page is there twice.
    #[test]
    fn any_links_come_to_an_end(
        links in proptest::collection::vec(
            proptest::collection::vec((0_usize..8, 0_usize..2), 0..4), 8),
    ) {
        const PATHS: [&str; 8] = ["/s", "/s/2", "/s/3", "/s?page=2", "/s/page/4", "/t", "/s/all", "/"];
        let pages: Vec<(&'static str, String)> = links
            .iter()
            .enumerate()
            .map(|(n, to)| {
                let links: String = to
                    .iter()
                    .map(|(at, single)| match single {
                        0 => format!("<a href='{}'>{}</a>", PATHS[*at], at + 1),
                        _ => format!("<b><a href='{}'>all</a></b>", PATHS[*at]),
                    })
                    .collect();
                (PATHS[n], story(&format!("<p>Part {n} of the story.<p>All."), &links))
            })
            .collect();
        let mut site = PagedSite::new(SINGLE, &pages);
        for (path, _) in &pages {
            site.asked.clear();
            let article = site.whole(path, Options::default());
            prop_assert!(site.asked.len() <= MAX_PAGES);
            let mut once = article.pages.clone();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), article.pages.len());
            prop_assert!(site.asked.iter().all(|url| url.starts_with(HOST)));
            let parts: Vec<&str> = article.text.lines().filter(|l| l.starts_with("Part")).collect();
            let mut distinct = parts.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), parts.len());
        }
    }
}
