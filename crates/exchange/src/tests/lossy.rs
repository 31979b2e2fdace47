//! Parts that a format cannot express are left out and named.

use super::*;

/// Two templates that CSS can express.
fn plain() -> Wrapper {
    let mut wrapper = two_templates();
    wrapper.templates[1].title = vec!["//h2".to_owned()];
    wrapper
}

fn check(
    wrapper: &Wrapper,
    to: impl Fn(&Wrapper, UnsupportedPolicy) -> crate::Result<Exported>,
    written: &[&str],
    left_out: &[&str],
) {
    let refused = to(wrapper, UnsupportedPolicy::Refused)
        .expect_err("refused")
        .to_string();
    let out = to(wrapper, UnsupportedPolicy::LeftOut).expect("the rest");
    for part in written {
        assert!(out.text.contains(part), "{part}: {}", out.text);
    }
    assert_eq!(out.left_out.len(), left_out.len(), "{:?}", out.left_out);
    for (named, part) in out.left_out.iter().zip(left_out) {
        assert!(named.contains(part), "{part}: {named}");
    }
    assert!(
        refused.contains("a.example cannot be expressed in "),
        "{refused}"
    );
    // A wrapper that can be expressed is written the same, and nothing is left out.
    let whole = plain();
    let [a, b] = [UnsupportedPolicy::Refused, UnsupportedPolicy::LeftOut]
        .map(|policy| to_css(&whole, policy).expect("expressed"));
    assert_eq!((a.text, a.left_out.len()), (b.text, 0));
}

#[test]
fn css_keeps_the_alternatives_that_it_can_express() {
    let mut wrapper = plain();
    wrapper.templates[0].strip = vec![
        "//nav".into(),
        "//h2[normalize-space()='More'] | //div[@id='m']".into(),
        "//p/..".into(),
    ];
    wrapper.templates[0].title = vec!["string(//h1)".to_owned(), "//h1".to_owned()];
    wrapper.next_page = Some("//a[.='next']".to_owned());
    check(
        &wrapper,
        to_css,
        &["\"strip\":[\"nav\",\"div#m\"]", "\"title\":[\"h1\"]"],
        &[
            "strip //h2[normalize-space()='More']: it compares",
            "strip //p/..: it goes upwards",
            "title string(//h1): ",
            "next_page //a[.='next']: ",
        ],
    );
    wrapper = plain();
    wrapper.templates[0].strip = vec!["//i | //i/following-sibling::node()".into()];
    check(
        &wrapper,
        to_css,
        &["\"strip\":[\"i, i ~ *\"]"],
        &["strip //i/following-sibling::node(): the elements are written"],
    );
}

#[test]
fn a_template_without_a_body_that_can_be_expressed_is_dropped() {
    let mut wrapper = plain();
    wrapper.templates[0].body = vec!["//p/..".to_owned()];
    check(
        &wrapper,
        to_css,
        &["{\"site\":\"a.example\",\"templates\":[{\"body\":[\"div[class='live']\"]"],
        &["body //p/..: it goes upwards"],
    );
    wrapper.templates.truncate(1);
    for to in [to_css, to_miniflux] {
        let refused = to(&wrapper, UnsupportedPolicy::LeftOut)
            .expect_err("no body")
            .to_string();
        assert!(refused.contains("none of it can be expressed"), "{refused}");
    }
}

#[test]
fn readers_strip_what_all_templates_strip() {
    let wrapper = plain();
    check(
        &wrapper,
        to_miniflux,
        &[
            "\"rewrite_rules\":\"remove(\\\"nav\\\")\"",
            "html:not(:has(article))",
        ],
        &[
            "strip //i: its templates do not strip the same",
            "strip //b: its templates",
        ],
    );
    let freshrss = |wrapper: &Wrapper, policy| to_freshrss(std::slice::from_ref(wrapper), policy);
    check(
        &wrapper,
        freshrss,
        &[
            "frss:cssFullContent=\"article, div[class='live']\"",
            "frss:cssFullContentFilter=\"nav\"",
        ],
        &[
            "a.example: strip //i",
            "a.example: strip //b",
            "alternatives that are tried in order",
        ],
    );
}

#[test]
fn ftr_leaves_out_what_is_on_no_line() {
    let mut wrapper = plain();
    wrapper.templates.truncate(1);
    wrapper.templates[0].keep = vec!["//b".to_owned()];
    wrapper.templates[0].strip.push("//p[.='a\nb']".into());
    wrapper.replace = vec![
        Replace {
            find: "a".to_owned(),
            with: "b\nc".to_owned(),
        },
        Replace {
            find: "d".to_owned(),
            with: "e".to_owned(),
        },
    ];
    check(
        &wrapper,
        to_ftr,
        &[
            "\nbody: //article\nstrip: //nav\nstrip: //i\ntitle: //h1\nfind_string: d\nreplace_string: e\n",
        ],
        &["keep //b: ", "is one line", "replace_string \"b\\nc\""],
    );
}

#[test]
fn a_template_without_a_body_is_a_file_without_one() {
    let mut wrapper = plain();
    wrapper.templates[0].body.clear();
    wrapper.templates.truncate(1);
    let text = to_ftr(&wrapper, UnsupportedPolicy::Refused)
        .expect("expressed")
        .text;
    let again = read(&text).wrapper;
    assert_eq!(again.templates, wrapper.templates);
    // Beside other templates, it is for the pages that they do not match.
    let mut wrapper = plain();
    wrapper.templates[0].body.clear();
    let text = to_ftr(&wrapper, UnsupportedPolicy::Refused)
        .expect("expressed")
        .text;
    let guard = "(//i)[not((//div[@class='live'])[normalize-space()])]";
    assert!(text.contains(&format!("\nstrip: {guard}\n")), "{text}");
    assert!(
        text.contains("\nstrip: (//b)[(//div[@class='live'])[normalize-space()]]\n"),
        "{text}"
    );
    for to in [to_miniflux, to_crawl4ai] {
        let refused = to(&wrapper, UnsupportedPolicy::Refused)
            .expect_err("refused")
            .to_string();
        assert!(refused.contains("no body expression"), "{refused}");
    }
}

/// A schema that is read back has on a page the same results as the wrapper, one line for
/// each paragraph.
#[test]
fn a_schema_is_read_back_and_finds_the_same() {
    let mut wrapper = plain();
    wrapper.templates[0].author = vec![
        "//meta[@name='by']/@content".into(),
        "//a[@rel='author']".into(),
    ];
    wrapper.templates[1].author = wrapper.templates[0].author.clone();
    wrapper.templates[0].title = vec!["//h1".into(), "//h3".into()];
    wrapper.templates[0].strip = vec!["//nav | //nav/following-sibling::node()".into()];
    wrapper.templates[1].strip = vec!["//b//u[.='x']".into()];
    let out = to_crawl4ai(&wrapper, UnsupportedPolicy::Refused).expect("expressed");
    assert_eq!(out.omissions, [Omission::StripsInside]);
    let again = from_crawl4ai(out.text.as_bytes(), "a.example").expect("own schema");
    assert_eq!(again.notes, []);
    for html in [
        "<meta name=by content=Jo><h1>1</h1><article><script>s</script><p>a <b>c</b></p><div>d<p>e</p></div><nav>n</nav>\
         <p>f</p></article><div class=live>l</div>",
        "<a rel=author>Al</a><h2>2</h2><article> </article><div class=live><p>l</p><b><u>x</u><u>y</u></b></div>",
        "<h3>3</h3><article>x</article>",
    ] {
        let page = Page::from_html(html);
        let content_of = |wrapper: &Wrapper| {
            let matcher = wrapper.compile().expect("compiles");
            let found = matcher.find(&page).expect("found");
            let text = found.kept.texts(&page).map(|n| page.text(n));
            // forest does not count a script's text as text of the page.
            let text: String = text.filter(|text| *text != "s").collect();
            (
                text,
                matcher.authors(&page, &found),
                matcher.title(&page, &found),
            )
        };
        assert_eq!(content_of(&again.wrapper), content_of(&wrapper), "{html}");
    }
    assert!(site_of_schema(out.text.as_bytes()).as_deref() == Some("a.example"));
}

#[test]
fn what_a_schema_cannot_say() {
    let mut wrapper = plain();
    wrapper.templates.truncate(1);
    wrapper.templates[0].strip = vec!["//p[2]".into(), "//nav".into()];
    wrapper.templates[0].title = vec!["string(//h1)".to_owned()];
    wrapper.templates[0].keep = vec!["//b".to_owned()];
    check(
        &wrapper,
        to_crawl4ai,
        &["self::nav"],
        &[
            "keep //b: ",
            "strip //p[2]: it counts",
            "title string(//h1): it puts a text together",
        ],
    );
}

#[test]
fn a_value_of_the_pages_json_is_named() {
    let mut wrapper = plain();
    let mut of_json = wrapper.templates[0].clone();
    of_json.json = Some(forest_core::wrapper::JsonPlace {
        script: "#state".to_owned(),
        path: "/post/body".to_owned(),
        kind: forest_core::wrapper::JsonKind::Html,
    });
    wrapper.templates.insert(0, of_json);
    for to in [to_css, to_ftr, to_crawl4ai, to_fundus, to_miniflux] {
        let refused = to(&wrapper, UnsupportedPolicy::Refused).expect_err("refused");
        assert!(
            refused.to_string().contains("json #state /post/body"),
            "{refused}"
        );
    }
    let out = to_css(&wrapper, UnsupportedPolicy::LeftOut).expect("the rest");
    let whole = to_css(&plain(), UnsupportedPolicy::Refused).expect("expressed");
    assert_eq!((out.text, out.left_out.len()), (whole.text, 1));
}
