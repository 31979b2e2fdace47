mod lossy;

use super::*;
use forest_core::wrapper::{
    DateField, Expect, PageTest, Replace, SampleRef, StripExpect, StripRule, Template, Wrapper,
    WrapperField,
};
use forest_html::page::Page;
use proptest::prelude::*;

fn read(text: &str) -> ImportedWrapper {
    from_ftr(text.as_bytes(), "a.example").expect(text)
}

/// Checks that the displayed notes have these parts.
fn check_notes(text: &str, parts: &[&str]) -> Wrapper {
    let read = read(text);
    let shown: Vec<String> = read.notes.iter().map(Note::to_string).collect();
    assert_eq!(shown.len(), parts.len(), "{shown:?}");
    for (note, part) in shown.iter().zip(parts) {
        assert!(note.contains(part), "{note} has no {part}");
    }
    read.wrapper
}

fn text_of(wrapper: &Wrapper, html: &str) -> Option<String> {
    let page = Page::from_html(html);
    let found = wrapper.compile().expect("compiles").find(&page)?;
    Some(found.kept.texts(&page).map(|n| page.text(n)).collect())
}

const FULL: &str = "\u{feff}# A site of ours\r\n\
    title: //h1[1]\r\n\
    title: //meta[@property='og:title']/@content\r\n\
    body: //div[@id='none']\r\n\
    body: //p\r\n\
    author: substring-after(//p[@class='by'], 'By ')\r\n\
    date: //time/@datetime\r\n\
    strip: //aside\r\n\
    strip_attr: //p/@class\r\n\
    strip_id_or_class: share\r\n\
    strip_image_src: /pixel\r\n\
    http_header(User-Agent): Reader/1.0: x\r\n\
    http_header: Cookie: a=b\r\n\
    find_string: <amp-img\r\n\
    replace_string: <img\r\n\
    replace_string(<a href=\"x:y\">): <b>\r\n\
    tidy: no\r\n\
    parser: html5lib\r\n\
    test_url: https://a.example/1\r\n\
    test_contains: in the valley\r\n\
    test_contains: for nine days\r\n\
    test_url: https://a.example/2\r\n";

#[test]
fn all_of_a_file() {
    let w = check_notes(FULL, &[]);
    let t = &w.templates[0];
    assert_eq!(t.body, ["//div[@id='none']", "//p"]);
    assert_eq!(t.title.len(), 2);
    assert_eq!(t.author, ["substring-after(//p[@class='by'], 'By ')"]);
    assert_eq!(t.date[0].xpath, "//time/@datetime");
    assert_eq!(
        t.expressions(WrapperField::Strip),
        [
            "//aside",
            "//p/@class",
            "//*[contains(@class, 'share') or contains(@id, 'share')]",
            "//img[contains(@src, '/pixel')]"
        ]
    );
    assert_eq!(w.headers["user-agent"], "Reader/1.0: x");
    assert_eq!(w.headers["cookie"], "a=b");
    assert_eq!(w.replace[0].find, "<amp-img");
    assert_eq!(w.replace[1].find, "<a href=\"x:y\">");
    assert_eq!(w.foreign, ["tidy: no", "parser: html5lib"]);
    let tests: Vec<_> = w.tests.iter().map(|t| (&*t.url, &*t.contains)).collect();
    assert_eq!(
        tests,
        [
            ("https://a.example/1", "in the valley"),
            ("https://a.example/1", "for nine days"),
            ("https://a.example/2", "")
        ]
    );
    assert_eq!(
        Wrapper::from_yaml(&w.to_yaml()).expect("own yaml").wrapper,
        w
    );
}

#[test]
fn several_nodes_and_the_first_alternative_with_text() {
    let w = read(FULL).wrapper;
    let html = "<p class=by>By A. Writer<p>One <aside>no</aside><p class=share>no<p>two<h1>T</h1>";
    assert_eq!(text_of(&w, html).as_deref(), Some("By A. WriterOne two"));
    let page = Page::from_html(html);
    let matcher = w.compile().expect("compiles");
    let found = matcher.find(&page).expect("found");
    assert_eq!(matcher.authors(&page, &found), ["A. Writer"]);
    assert_eq!(matcher.title(&page, &found).as_deref(), Some("T"));
}

#[test]
fn what_cannot_be_used_is_named_with_its_line() {
    let check = check_notes;
    check("body: //p\nno colon here\n", &["line 2: no directive"]);
    check(
        "body: //p\n  body: //p[1\n",
        &["line 2, column 14: left out"],
    );
    check(
        "body: //p\nbody: //p[matches(., 'x')]",
        &["line 2: left out: XPath 1.0 has no function matches()"],
    );
    check(
        "body: //p\nbody: //p[contains(.)]",
        &["contains() does not take 1 arguments"],
    );
    check("body: //x:p\n", &["no `body`", "namespace x:"]);
    check("body: //p[$v]\nbody: //p", &["variable $v"]);
    check("body:\nbody: //p", &["line 1: `body` says nothing"]);
    check(
        "body: //p\nbodies: //p",
        &["line 2: `bodies` is no directive"],
    );
    check(
        "body: //p\nnative_ad_clue: //x",
        &["`native_ad_clue` is kept"],
    );
    check("body: //p\nfind_string: a\n", &["not as many"]);
    check(
        "body: //p\nfind_string:\nreplace_string: a",
        &["line 2: `find_string` says nothing"],
    );
    check("body: //p\ntest_contains: a\n", &["without a `test_url`"]);
    check(
        "body: //p\nif_page_contains: //a\n",
        &["without a `single_page_link`"],
    );
    check("body: //p\nhttp_header: x", &["http_header(user-agent)"]);
    check("body: //p\nstrip_id_or_class: \"\"\n", &["says nothing"]);
    check("title: //h1\n", &["no `body` that can be used"]);
    assert!(from_ftr(b"<html>\n", "a").is_err());
    assert!(from_ftr(b"", "a").is_err());
}

#[test]
fn unknown_lines_are_kept_and_written_again() {
    let w = read("body: //p\nbodies: a: b\nnative_ad_clue: //x\nprune: yes").wrapper;
    let out = to_ftr(&w, UnsupportedPolicy::Refused)
        .expect("expressed")
        .text;
    assert!(
        out.contains("\nbodies: a: b\nnative_ad_clue: //x\nprune: yes\n"),
        "{out}"
    );
    assert!(!out.contains("prune: no"));
    let foreign = read(&out).wrapper.foreign;
    assert_eq!(foreign[0], "tidy: no");
    assert_eq!(foreign[1..], w.foreign);
}

#[test]
fn latin_1_is_read() {
    let read = from_ftr(b"body: //p[.='\xe9']\n", "a").expect("read");
    assert_eq!(read.wrapper.templates[0].body, ["//p[.='é']"]);
    assert_eq!(read.notes[0].kind, NoteKind::Latin1);
}

/// The addresses that the links of a file select on a page.
fn check_link(directives: &str, html: &str, expected: &[&str]) {
    let w = read(&format!("body: //p\n{directives}")).wrapper;
    let link = w.single_page.or(w.next_page).expect("a link");
    let link = forest_core::wrapper::xpath::XPath::parse(&link).expect("an expression");
    assert_eq!(link.strings(&Page::from_html(html)), expected);
}

#[test]
fn links_are_tried_in_order_and_under_their_condition() {
    let two = "single_page_link: //a[@id='x']/@href\nsingle_page_link: //a/@href\n";
    check_link(two, "<a href=1><a id=x href=2>", &["2"]);
    check_link(two, "<a href=1>", &["1"]);
    let only_if = "single_page_link: //a/@href\nif_page_contains: //div[@class='pages']\n";
    check_link(only_if, "<a href=1>", &[]);
    check_link(only_if, "<a href=1><div class=pages>", &["1"]);
    let text = "single_page_link: concat('https://a.example/print/', //meta/@content)\n\
                if_page_contains: count(//i) > 1\n";
    check_link(
        text,
        "<meta content=7><i></i><i></i>",
        &["https://a.example/print/7"],
    );
    check_link(text, "<meta content=7>", &[]);
    let of_next = "next_page_link: //a/@href\nif_page_contains: //i\n";
    check_link(of_next, "<a href=1>", &[]);
    check_notes(
        "body: //p\nnext_page_link: //a\nnext_page_link: concat('a', 'b')",
        &["line 3: left out: a text"],
    );
}

fn template(body: &str, strip: &[&str], title: &str) -> Template {
    Template {
        body: vec![body.to_owned()],
        strip: strip.iter().map(|&s| s.into()).collect(),
        title: vec![title.to_owned()],
        ..Template::default()
    }
}

fn two_templates() -> Wrapper {
    Wrapper {
        site: "a.example".into(),
        templates: vec![
            template("//article", &["//nav", "//i"], "//h1"),
            template("//div[@class='live']", &["//nav", "//b"], "string(//h2)"),
        ],
        ..Wrapper::default()
    }
}

#[test]
fn expressions_of_one_template_stay_its_own() {
    let wrapper = two_templates();
    let again = read(
        &to_ftr(&wrapper, UnsupportedPolicy::Refused)
            .expect("expressed")
            .text,
    )
    .wrapper;
    assert_eq!(again.templates.len(), 1);
    for html in [
        "<h1>1</h1><h2>2</h2><article>a<nav>n</nav><i>i</i><b>b</b></article><div class=live>l",
        "<h1>1</h1><h2>2</h2><article> </article><div class=live>l<nav>n</nav><i>i</i><b>b</b></div>",
        "<p>none",
    ] {
        assert_eq!(text_of(&again, html), text_of(&wrapper, html), "{html}");
        let page = Page::from_html(html);
        let title = |wrapper: &Wrapper| {
            let matcher = wrapper.compile().expect("compiles");
            matcher
                .find(&page)
                .and_then(|found| matcher.title(&page, &found))
        };
        assert_eq!(title(&again), title(&wrapper), "{html}");
    }
}

#[test]
fn places_among_elements_are_written_without_dfs() {
    let body = "//p[contains(translate(@class,'0123456789',''),'a') and (@dfs='4' or @dfs='6')]";
    let mut wrapper = two_templates();
    wrapper.templates.truncate(1);
    wrapper.templates[0].body = vec![body.to_owned()];
    let out = to_ftr(&wrapper, UnsupportedPolicy::Refused)
        .expect("expressed")
        .text;
    assert!(!out.contains("@dfs"), "{out}");
    let again = read(&out).wrapper;
    for html in [
        "<script>x</script><p class=a1>1<p class=a2>2<noscript><p class=a>n</noscript><p class=a>3",
        "<template><p class=a>t</template><p class=b>1<p class=a>2<p class=a>3<p class=a>4",
    ] {
        assert_eq!(text_of(&again, html), text_of(&wrapper, html), "{html}");
    }
    wrapper.templates[0].body = vec!["//p[@dfs < 9]".to_owned()];
    let refused = to_ftr(&wrapper, UnsupportedPolicy::Refused)
        .expect_err("refused")
        .to_string();
    assert!(
        refused.contains("//p[@dfs < 9]") && refused.contains("a.example"),
        "{refused}"
    );
}

#[test]
fn odd_white_space_within_a_line_is_a_space() {
    let wrapper = read("strip: //a\r[b]\r\nbody: //p[a\t\t= 'x\ty']\r\n").wrapper;
    assert_eq!(wrapper.templates[0].strip, ["//a [b]".into()]);
    assert_eq!(wrapper.templates[0].body, ["//p[a = 'x\ty']"]);
    let written = to_ftr(&wrapper, UnsupportedPolicy::Refused).expect("expressed");
    assert_eq!(read(&written.text).wrapper.templates, wrapper.templates);
}

#[test]
fn a_page_named_twice_is_tested_once() {
    let check = |lines: &str, expected: &[(&str, &str)]| {
        let wrapper = read(&format!("body: //p\n{lines}")).wrapper;
        let tests: Vec<(&str, &str)> = wrapper
            .tests
            .iter()
            .map(|t| (&*t.url, &*t.contains))
            .collect();
        assert_eq!(tests, expected, "{lines}");
    };
    let (u, x) = ("test_url: u\n", "test_contains: x\n");
    check(&format!("{u}{u}"), &[("u", "")]);
    check(&format!("{u}{u}{x}"), &[("u", "x")]);
    check(&format!("{u}{x}{u}"), &[("u", "x")]);
    check(
        &format!("{u}{x}{u}test_contains: y\n"),
        &[("u", "x"), ("u", "y")],
    );
    check(
        &format!("{u}test_url: v\n{u}"),
        &[("u", ""), ("v", ""), ("u", "")],
    );
}

#[test]
fn an_export_names_pages_to_test_with() {
    let mut wrapper = two_templates();
    let out = to_ftr(&wrapper, UnsupportedPolicy::Refused).expect("expressed");
    assert_eq!(out.omissions, [Omission::TestUrls, Omission::TestContains]);
    wrapper.sample = ["https://a.example/1", "a/2", "https://a.example/3"]
        .map(|url| SampleRef {
            url: url.into(),
            sha256: String::new(),
            signifiers: "ferri boat".to_owned(),
        })
        .into();
    assert_eq!(
        to_ftr(&wrapper, UnsupportedPolicy::Refused)
            .expect("expressed")
            .omissions,
        [Omission::TestContains]
    );
    wrapper.tests.push(PageTest {
        url: "https://a.example/3".into(),
        contains: "rain".into(),
    });
    let out = to_ftr(&wrapper, UnsupportedPolicy::Refused).expect("expressed");
    assert_eq!(out.omissions, []);
    let end =
        "\ntest_url: https://a.example/3\ntest_contains: rain\ntest_url: https://a.example/1\n";
    assert!(out.text.ends_with(end), "{}", out.text);
}

#[test]
fn what_ftr_cannot_express_is_refused() {
    let check = |change: &dyn Fn(&mut Wrapper), part: &str| {
        let mut wrapper = two_templates();
        change(&mut wrapper);
        let error = to_ftr(&wrapper, UnsupportedPolicy::Refused)
            .expect_err(part)
            .to_string();
        assert!(error.contains(part), "{error}");
    };
    let replace = |find: &str| {
        vec![Replace {
            find: find.into(),
            with: String::new(),
        }]
    };
    check(&|w| w.replace = replace(" a"), "white space");
    check(&|w| w.replace = replace("a\nb"), "one line");
    check(
        &|w| w.templates[0].body = vec!["//p[.='a\nb']".into()],
        "one line",
    );
    let long = format!("//p[{}1]", "1 or ".repeat(252));
    check(
        &|w| w.templates[0].strip = vec![long.as_str().into()],
        "condition of its template",
    );
    let mut wrapper = two_templates();
    wrapper.templates[0].body = vec!["//p\n  [@a]".into()];
    assert!(
        to_ftr(&wrapper, UnsupportedPolicy::Refused)
            .expect("expressed")
            .text
            .contains("\nbody: //p [@a]\n")
    );
}

#[test]
fn css_has_a_selector_for_each_expression() {
    let mut wrapper = two_templates();
    wrapper.templates[1].title = vec!["//meta/@content".into()];
    wrapper.templates[1].date = vec![DateField {
        xpath: "//time".into(),
        format: Some("%d".into()),
    }];
    let out = to_css(&wrapper, UnsupportedPolicy::Refused).expect("expressed");
    let json: serde_json::Value = serde_json::from_str(&out.text).expect("JSON");
    assert_eq!(
        json["templates"][0]["strip"],
        serde_json::json!(["nav", "i"])
    );
    assert_eq!(
        json["templates"][1]["body"],
        serde_json::json!(["div[class='live']"])
    );
    assert_eq!(json["templates"][1]["title"][0]["attribute"], "content");
    assert_eq!(out.omissions, [Omission::DateFormat]);
    wrapper.templates[0].body = vec!["//p/..".into()];
    let error = to_css(&wrapper, UnsupportedPolicy::Refused)
        .expect_err("refused")
        .to_string();
    assert!(
        error.contains("a.example") && error.contains("//p/..: it goes upwards"),
        "{error}"
    );
}

#[test]
fn readers_get_body_and_strips() {
    let mut wrapper = two_templates();
    let refused = to_miniflux(&wrapper, UnsupportedPolicy::Refused)
        .expect_err("strips differ")
        .to_string();
    assert!(refused.contains("do not strip the same"));
    wrapper.templates[1].strip = wrapper.templates[0].strip.clone();
    wrapper.feed = Some("https://a.example/feed?a&b".into());
    wrapper.headers.insert("user-agent".into(), "R/1".into());
    let json: serde_json::Value = serde_json::from_str(
        &to_miniflux(&wrapper, UnsupportedPolicy::Refused)
            .expect("expressed")
            .text,
    )
    .expect("JSON");
    assert_eq!(
        json["scraper_rules"],
        "article, html:not(:has(article)) div[class='live']"
    );
    assert_eq!(json["rewrite_rules"], "remove(\"nav, i\")");
    assert_eq!(
        (&json["user_agent"], &json["crawler"]),
        (&"R/1".into(), &true.into())
    );
    let refused = to_freshrss(&[wrapper.clone()], UnsupportedPolicy::Refused)
        .expect_err("alternatives")
        .to_string();
    assert!(refused.contains("tried in order"));
    wrapper.templates.truncate(1);
    let opml = to_freshrss(&[wrapper.clone()], UnsupportedPolicy::Refused).expect("expressed");
    assert!(
        opml.text.contains(
            "<outline type=\"rss\" text=\"a.example\" xmlUrl=\"https://a.example/feed?a&amp;b\" \
         frss:cssFullContent=\"article\" frss:cssFullContentFilter=\"nav, i\"/>"
        ),
        "{}",
        opml.text
    );
    assert_eq!(
        forest_core::feed::parse_opml(opml.text.as_bytes())
            .expect("OPML")
            .len(),
        1
    );
    wrapper.feed = None;
    assert_eq!(
        to_freshrss(&[wrapper], UnsupportedPolicy::Refused)
            .expect("expressed")
            .omissions,
        [Omission::Feed]
    );
}

#[test]
fn spaces_in_an_expression_stay() {
    let first = from_ftr(b"body: //div  //p", "a.example")
        .expect("a file")
        .wrapper;
    assert_eq!(first.templates[0].body, ["//div  //p"]);
    let out = to_ftr(&first, UnsupportedPolicy::Refused).expect("expressed");
    let again = from_ftr(out.text.as_bytes(), "a.example").expect("own file");
    assert_eq!(again.wrapper.templates, first.templates);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = from_ftr(&bytes, "a.example");
    }

    #[test]
    fn what_is_read_is_written_and_read_the_same(
        lines in proptest::collection::vec(
            "(body|title|strip|strip_attr|strip_id_or_class|find_string|replace_string|tidy|odd|\
             test_url|test_contains|single_page_link|next_page_link|if_page_contains|http_header\\(a\\))\
             : ?[-/a-b@\\[\\]()|*+='\" 0-9:]{0,12}", 1..8),
    ) {
        if let Ok(first) = from_ftr(lines.join("\n").as_bytes(), "a.example") {
            let out = to_ftr(&first.wrapper, UnsupportedPolicy::Refused).expect("what a file says, a file can say");
            let mut again = from_ftr(out.text.as_bytes(), "a.example").expect("own file").wrapper;
            again.foreign = first.wrapper.foreign.clone();
            prop_assert_eq!(again, first.wrapper);
        }
    }
}

#[test]
fn conditions_that_no_format_has_are_told() {
    let yaml = "format: 2\nsite: a.example\nfeed: https://a.example/feed\ntemplates:\n- for: {patterns: [], kind: article}\n  body: ['//article']\n  title: ['//h1']\n";
    let for_articles = Wrapper::from_yaml(yaml).expect("a wrapper").wrapper;
    let mut expecting = for_articles.clone();
    expecting.templates[0].audience = None;
    expecting.templates[0].strip = vec![StripRule {
        xpath: "//nav".to_owned(),
        expect: Some(StripExpect::default()),
    }];
    let mut with_kind = for_articles.clone();
    with_kind.templates[0].audience = None;
    with_kind.expect = Some(Expect::default());
    let mut plain = expecting.clone();
    plain.templates[0].strip[0].expect = None;
    let policy = UnsupportedPolicy::Refused;
    let omissions = |wrapper: &Wrapper| {
        [
            to_ftr(wrapper, policy).expect("ftr").omissions,
            to_css(wrapper, policy).expect("CSS").omissions,
            to_crawl4ai(wrapper, policy).expect("crawl4ai").omissions,
            to_fundus(wrapper, policy).expect("fundus").omissions,
            to_miniflux(wrapper, policy).expect("miniflux").omissions,
            to_freshrss(std::slice::from_ref(wrapper), policy)
                .expect("freshrss")
                .omissions,
        ]
        .map(|told| told.contains(&Omission::Conditions))
    };
    assert_eq!(omissions(&for_articles), [true; 6]);
    assert_eq!(omissions(&expecting), [true; 6]);
    assert_eq!(omissions(&with_kind), [true; 6]);
    assert_eq!(omissions(&plain), [false; 6]);
}
