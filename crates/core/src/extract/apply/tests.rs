use super::*;
use crate::wrapper::Expect;

const YAML: &str = "format: 1\nsite: a.example\nlearned: 2026-01-02T03:04:05Z\ntemplates:\n\
    - body: ['//article']\n  strip: ['//aside']\n  title: ['//h1']\n  author: ['//*[@class=\"by\"]']\n  \
    date: [{xpath: '//time', format: '%d|%m|%Y'}]\n  images: ['//figure']\n";

fn check(html: &str) -> Article {
    let wrapper = Wrapper::from_yaml(YAML).expect("yaml").wrapper;
    let page = Page::from_html(html);
    wrapper.apply(&page, &Options::default()).expect("compiles")
}

#[test]
fn the_wrappers_fields_come_before_the_metadata() {
    let article = check(
        "<title>Site</title><meta name=author content=Nobody><h1>The  title</h1><p class=by>A. Writer</p>\
         <time>06|05|2024</time><figure><img src=/a.jpg></figure><article>One<aside>no</aside></article>",
    );
    assert_eq!(article.text, "One");
    assert_eq!(article.title.as_deref(), Some("The title"));
    assert_eq!(article.authors, ["A. Writer"]);
    assert_eq!(
        article.date_published.as_deref(),
        Some("2024-05-06T00:00:00Z")
    );
    assert_eq!(article.images[0].url, "/a.jpg");
    assert_eq!(article.site.as_deref(), Some("a.example"));
    let origin = article.wrapper.expect("origin");
    assert_eq!((origin.template, &*origin.xpath), (0, "//article"));
    assert_eq!(origin.learned.as_deref(), Some("2026-01-02T03:04:05Z"));
}

#[test]
fn what_stands_in_the_articles_place_is_none() {
    let check = |title: &str, said: &str, status: Status, why: &str| {
        let article = check(&format!(
            "<title>{title}</title><ul><li><a href=/>Home</a></ul><h1>{title}</h1><p class=by>A. Writer</p>\
             <article><p>{said}</article>"
        ));
        assert_eq!((article.status, &*article.text), (status, ""), "{title}");
        assert_eq!(
            (article.wrapper, article.site.as_deref()),
            (None, Some("a.example"))
        );
        assert!(article.error.expect("why").contains(why), "{title}");
    };
    check(
        "Page not found",
        "Sorry, the page you are looking for does not exist or has been removed. Error 404.",
        Status::Empty,
        "not found",
    );
    check(
        "Log in",
        "Please log in to read this article. Enter your e-mail address and your password. Register now.",
        Status::Blocked,
        "log in",
    );
    check(
        "Just a moment...",
        "Checking your browser before accessing the site. Please enable JavaScript and cookies to continue. \
         Verify you are human.",
        Status::Blocked,
        "human",
    );
}

#[test]
fn what_a_paywall_shows_of_an_article_is_kept() {
    let sentence =
        "Nobody had told the baker, who waited at the pier for an hour with all of his bread. ";
    let check = |count: usize, is_kept: bool| {
        let article = check(&format!(
            "<title>The ferry leaves later</title><h1>The ferry leaves later</h1><article><p>{}</p>\
             <p>Subscribe to continue reading.</article>",
            sentence.repeat(count)
        ));
        assert_eq!(article.status != Status::Blocked, is_kept, "{count}");
        assert_eq!(!article.text.is_empty(), is_kept, "{count}");
    };
    check(1, false);
    check(4, true);
}

#[test]
fn a_short_article_about_a_wall_is_one() {
    let article = check(
        "<title>Shop asks its readers to log in</title><h1>Shop asks its readers to log in</h1>\
         <article><p>From Monday on readers of the Gazette must log in, said its editor on Friday. Those who have \
         forgotten their password get a new one by post, which takes a week. The mayor, who reads the paper each \
         morning on the ferry, called it a pity.</article>",
    );
    assert_eq!(article.status, Status::Ok);
}

#[test]
fn pictures_outside_of_the_body_come_besides_its_own() {
    let article = check(
        "<figure><img src=/a.jpg><figcaption>c</figcaption></figure><article>One<img src=/b.jpg>\
         <figure><img src=/a.jpg><img src=/c.jpg></figure></article>",
    );
    let urls: Vec<&str> = article.images.iter().map(|image| &*image.url).collect();
    assert_eq!(urls, ["/a.jpg", "/b.jpg", "/c.jpg"]);
    assert_eq!(article.images[0].caption.as_deref(), Some("c"));
    // The page's own picture where neither has one.
    let own = check(
        "<meta property=og:image content=https://a.example/o.jpg><figure></figure><article>One",
    );
    assert_eq!(own.images[0].url, "https://a.example/o.jpg");
}

#[test]
fn an_expression_that_is_too_much_for_a_page_leaves_it_to_the_others() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//p[count(preceding::b) > 3]']\n\
                - body: ['//article']\n  strip: ['//u']\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let page = |rows: usize| {
        let page = Page::from_html(&format!(
            "<article>The text.<u>x</u></article>{}",
            "<b>b</b><p>p</p>".repeat(rows)
        ));
        let budget = page.expression_budget();
        budget.spend(budget.left() - 4_000_000);
        wrapper.apply(&page, &Options::default()).expect("compiles")
    };
    let (few, many) = (page(5), page(5_000));
    let said = "`//p[count(preceding::b) > 3]` is too much for this page";
    let is_said = |article: &Article| {
        let mut warnings = article.warnings.iter().map(ToString::to_string);
        warnings.any(|warning| warning.starts_with(said))
    };
    assert_eq!((&*few.text, is_said(&few)), ("p\np", false));
    assert_eq!((&*many.text, is_said(&many)), ("The text.", true));
}

#[test]
fn what_can_be_no_value_leaves_the_metadata_s() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//article']\n  title: ['//h1']\n  \
                author: ['//i']\n  date: [{xpath: '//time'}]\n  tags: ['//ul/li']\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let check = |html: &str| {
        let page = Page::from_html(html);
        wrapper.apply(&page, &Options::default()).expect("compiles")
    };
    let long = "word ".repeat(200);
    let meta = "<html lang=pl><title>T</title><meta name=author content='By Jane Doe'>\
                <meta name=keywords content=k><meta name=date content=2024-05-06>";
    let none = check(&format!(
        "{meta}<h1>{long}</h1><time>today</time><i>{long}</i><article>One"
    ));
    assert_eq!(none.title.as_deref(), Some("T"));
    assert_eq!(
        (&*none.authors, &*none.tags),
        (&["Jane Doe".to_owned()][..], &["k".to_owned()][..])
    );
    assert_eq!(none.date_published.as_deref(), Some("2024-05-06T00:00:00Z"));
    let all = check(&format!(
        "{meta}<h1>U</h1><time>7 maj 2024</time><i>By A. Poe and B. Roe</i><ul><li>a<li>b</ul><article>One"
    ));
    assert_eq!(all.title.as_deref(), Some("U"));
    assert_eq!(all.authors, ["A. Poe", "B. Roe"]);
    assert_eq!(all.tags, ["a", "b"]);
    assert_eq!(all.date_published.as_deref(), Some("2024-05-07T00:00:00Z"));
    assert_eq!(all.date_published_raw.as_deref(), Some("7 maj 2024"));
}

#[test]
fn lists_of_tags_are_split_by_their_links() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//article']\n  tags: ['//ul']\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let check = |list: &str, expected: &[&str]| {
        let page = Page::from_html(&format!("<article>One</article><ul>{list}</ul>"));
        let article = wrapper.apply(&page, &Options::default()).expect("compiles");
        assert_eq!(article.tags, expected, "{list}");
    };
    check(
        "<li><a href=/a>Sea</a><li><a href=/b>High tide</a>",
        &["Sea", "High tide"],
    );
    check(
        "In: <a href=/a>Sea</a><a href=/b> Sea</a><a href=/c><img></a>",
        &["Sea"],
    );
    check("<li>Sea", &["Sea"]);
    check("<li><a href=/a>Sea</a>", &["Sea"]);
    check("<a href=/a>Sea</a></ul><ul><li>Cats", &["Sea", "Cats"]);
}

#[test]
fn tags_that_all_pages_name_are_no_article_s() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//article']\nexpect:\n  words: [1, 9]\n  \
                link_quota: [0, 1]\n  tags: [a, b, c, d, e, f]\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let check = |tags: &str, expected: &[&str]| {
        let html = format!("<meta name=keywords content='{tags}'><article>One");
        let page = Page::from_html(&html);
        let article = wrapper.apply(&page, &Options::default()).expect("compiles");
        assert_eq!(article.tags, expected, "{tags}");
    };
    check("a,b,c,d,e,f", &[]);
    check("a,own,b,c,d,new", &["own", "new"]);
    check("a,own", &["a", "own"]);
    check("own", &["own"]);
}

#[test]
fn no_match_is_empty_and_says_so() {
    let article = check("<title>Home</title><img src=/x.png width=300>");
    assert_eq!((article.status, &*article.text), (Status::Empty, ""));
    assert!(article.error.expect("reason").contains("a.example"));
    assert!(article.wrapper.is_none());
}

/// A page whose own shape shows its article, with a box in it and a note behind it.
fn shaped() -> String {
    let sentence =
        "Nobody had told the baker, who waited at the pier for an hour with all of his bread.";
    format!(
        "<title>The ferry</title><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><article>\
         <h1>The ferry</h1><p>{sentence}<p>{sentence}<div class=box><p>{sentence} Box.\
         <p class=by>By A. Writer</p></div><p>{sentence}</article><ul class=note><li><a href=/x>Note</a></ul>"
    )
}

#[test]
fn a_template_without_a_body_corrects_what_the_page_s_own_shape_shows() {
    let check = |template: &str| {
        let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{template}");
        let wrapper = Wrapper::from_yaml(&yaml).expect("yaml").wrapper;
        assert_eq!(
            Wrapper::from_yaml(&wrapper.to_yaml()).expect("own").wrapper,
            wrapper
        );
        let page = Page::from_html(&shaped());
        wrapper.apply(&page, &Options::default()).expect("compiles")
    };
    let plain = check("- body: [//video]\n");
    assert!(
        plain.text.contains("Box") && !plain.text.contains("Note"),
        "{}",
        plain.text
    );
    assert_eq!(plain.wrapper, None);
    let box_ = "//div[@class=\"box\"]";
    let stripped = check(&format!("- strip: ['{box_}']\n"));
    assert!(!stripped.text.contains("Box") && stripped.text.contains("baker"));
    assert_eq!(stripped.status, Status::Fallback);
    let warning = stripped.warnings.last().expect("a warning").to_string();
    assert!(warning.contains("what is stripped and kept"), "{warning}");
    let origin = stripped.wrapper.expect("the wrapper had its say");
    assert_eq!((origin.template, &*origin.xpath), (0, ""));
    // What is kept is not stripped, and is there where the shape leaves it out.
    let kept = check(&format!(
        "- body: [//video]\n- strip: ['{box_}']\n  keep: ['//*[@class=\"by\"]', '//ul[@class=\"note\"]']\n  \
         author: ['//*[@class=\"by\"]']\n"
    ));
    assert!(!kept.text.contains("Box"), "{}", kept.text);
    assert!(
        kept.text.contains("By A. Writer\n") && kept.text.ends_with("\nNote"),
        "{}",
        kept.text
    );
    assert_eq!(
        (kept.authors, kept.wrapper.expect("origin").template),
        (vec!["A. Writer".to_owned()], 1)
    );
    // A body comes first, and its own keeps are not stripped either.
    let body = check(
        "- strip: [//p]\n- body: [//article]\n  strip: [//p, //div]\n  keep: ['//*[@class=\"by\"]']\n",
    );
    assert_eq!(
        (body.status, &*body.text),
        (Status::Degraded, "The ferry\nBy A. Writer")
    );
}

#[test]
fn a_page_without_an_article_has_none_by_its_shape_either() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- keep: [//h1]\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let page = Page::from_html("<title>404 Not Found</title><h1>Not Found</h1><p>nginx</p>");
    let article = wrapper.apply(&page, &Options::default()).expect("compiles");
    assert_eq!((article.status, &*article.text), (Status::Empty, ""));
}

#[test]
fn a_challenge_is_blocked() {
    let article = check("<title>Just a moment...</title><div>Verify you are human</div>");
    assert_eq!(article.status, Status::Blocked);
    let login = check(
        "<title>Log in</title><h1>Log in</h1><form><input name=user><input type=password></form>\
         <p>Forgot your password?</p>",
    );
    assert_eq!(login.status, Status::Blocked);
    assert!(login.error.expect("reason").contains("log in"));
}

#[test]
fn an_error_page_is_empty_and_says_so() {
    let article = check("<title>404 Not Found</title><h1>Not Found</h1><p>nginx</p>");
    assert_eq!(article.status, Status::Empty);
    let error = article.error.expect("reason");
    assert!(
        error.contains("a.example") && error.contains("nothing here"),
        "{error}"
    );
}

#[test]
fn a_learned_alternative_speaks_for_articles_of_the_page_s_own_shape() {
    let line = "<p>The miller said that the river was in the cellar of the mill on the tenth day, \
                and that nobody had seen it rise.</p>";
    let story = line.repeat(8);
    let yaml = "format: 2\nsite: a.example\ntemplates:\n- body: [\"//p[@class='gone']\", \"//div[@class='x']\"]\n";
    let check = |html: &str, median: Option<usize>, expected: Status| {
        let mut wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        wrapper.expect = Some(Expect {
            median,
            ..Expect::default()
        });
        let page = Page::from_html(&format!("<title>The river</title><h1>The river</h1>{html}"));
        let article = wrapper.apply(&page, &Options::default()).expect("compiles");
        assert_eq!(article.status, expected, "{html:.80}");
    };
    let learned = Some(20);
    let elsewhere = format!("<div class=story>{story}</div><div class=x>Call us on Monday.</div>");
    check(&format!("<div class=x>{story}</div>"), learned, Status::Ok);
    check(&elsewhere, learned, Status::Fallback);
    // A person's second expression is taken at its word.
    check(&elsewhere, None, Status::Degraded);
    let items: String = (0..12)
        .map(|i| format!("<li><h3><a href=/news/{i}>The river rose again, number {i}</a></h3><span>{i} May</span></li>"))
        .collect();
    check(
        &format!("<div class=x><ul>{items}</ul></div>"),
        learned,
        Status::Fallback,
    );
}

#[test]
fn what_all_pages_of_the_sample_show_is_of_no_page() {
    let check = |head: &str, expected: (Option<&str>, &[&str])| {
        let mut wrapper = Wrapper::from_yaml(YAML).expect("yaml").wrapper;
        let page = Page::from_html(&format!(
            "<title>T</title>{head}<div class=date>5 June 2023</div><article><h1>T</h1>\
             <p>{}</p></article><p class=byline>By Jane Doe</p>",
            "The river was in the cellar of the mill. ".repeat(50)
        ));
        let mut fields = |shared: &[WrapperField]| {
            wrapper.expect = Some(Expect {
                shared: shared.to_vec(),
                ..Expect::default()
            });
            let article = wrapper.apply(&page, &Options::default()).expect("compiles");
            (article.date_published, article.authors)
        };
        let (date, authors) = fields(&[]);
        assert_eq!(
            (date.is_some(), authors),
            (true, vec!["Jane Doe".to_owned()])
        );
        let (date, authors) = fields(&[WrapperField::Date, WrapperField::Author]);
        assert_eq!((date.as_deref(), authors), (expected.0, names(expected.1)));
    };
    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }
    check("", (None, &[]));
    check(
        "<meta property=article:published_time content=2023-06-07><meta name=author content='Jane Doe'>",
        (Some("2023-06-07T00:00:00Z"), &["Jane Doe"]),
    );
}

#[test]
fn a_scrap_is_no_article_where_the_page_shows_one() {
    let check = |median: Option<usize>, is_edited: bool, story: usize, expected: Status| {
        let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [\"//p[@class='x']\"]\n";
        let mut wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        wrapper.expect = Some(Expect {
            words: [2, 900],
            link_quota: [0.0, 0.2],
            median,
            ..Expect::default()
        });
        if is_edited {
            let by_hand = wrapper.to_yaml_by_hand();
            wrapper = Wrapper::from_yaml(&by_hand).expect("yaml").wrapper;
        }
        let line = "<p>The miller said that the river was in the cellar of the mill on the tenth day, \
                    and that nobody had seen it rise.</p>";
        let page = Page::from_html(&format!(
            "<title>T</title><p class=x>5 May 2024</p><div>{}</div>",
            line.repeat(story)
        ));
        let article = wrapper.apply(&page, &Options::default()).expect("compiles");
        let is_scrap = article.text == "5 May 2024";
        assert_eq!(
            article.status == Status::Fallback,
            expected == Status::Fallback
        );
        assert_eq!(is_scrap, expected != Status::Fallback, "{}", article.text);
    };
    check(Some(400), false, 20, Status::Fallback);
    check(Some(20), false, 20, Status::Ok);
    check(Some(400), false, 0, Status::Ok);
    check(Some(400), true, 20, Status::Ok);
    check(None, false, 20, Status::Ok);
}
