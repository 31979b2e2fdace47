use super::*;
use proptest::prelude::*;

fn tags(page: &Page) -> Vec<(String, u16, Option<u32>)> {
    page.elements()
        .map(|n| {
            (
                page.name(n).expect("elements have names").local.to_string(),
                page.level(n),
                page.dfs(n).map(|d| d.0),
            )
        })
        .collect()
}

fn check(html: &str, expected: &[(&str, u16, Option<u32>)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|&(tag, level, dfs)| (tag.to_owned(), level, dfs))
        .collect();
    assert_eq!(tags(&Page::from_html(html)), expected);
}

#[test]
fn dfs_counts_content_elements_of_the_body_only() {
    check(
        "<head><script></script><body><noscript>x</noscript><p>a<!-- c --><b>c</b></p><style></style><p>d",
        &[
            ("html", 0, None),
            ("head", 1, None),
            ("script", 2, None),
            ("body", 1, Some(1)),
            ("noscript", 2, None),
            ("p", 2, Some(2)),
            ("b", 3, Some(3)),
            ("style", 2, None),
            ("p", 2, Some(4)),
        ],
    );
}

#[test]
fn the_head_does_not_shift_dfs() {
    let dfs_of_p = |head: &str| {
        let page = Page::from_html(&format!("<head>{head}</head><body><div><p>x</div>"));
        let p = page.elements().find(|&n| page.is(n, &local_name!("p")))?;
        page.dfs(p)
    };
    assert_eq!(dfs_of_p(""), Some(Dfs(3)));
    assert_eq!(
        dfs_of_p("<title>t</title><meta name=a><link href=b>"),
        Some(Dfs(3))
    );
}

#[test]
fn a_page_of_frames_has_no_dfs() {
    let page = Page::from_html("<frameset><frame src=a></frameset>");
    assert!(page.elements().all(|n| page.dfs(n).is_none()));
    assert_eq!(page.at_dfs(Dfs(1)), None);
}

#[test]
fn templates_are_no_content_but_shadow_roots_are() {
    let shown = |html| {
        let page = Page::from_html(html);
        page.content_texts(page.root())
            .map(|n| page.text(n).to_owned())
            .collect::<String>()
    };
    assert_eq!(shown("<div><template>x</template>y"), "y");
    assert_eq!(
        shown("<div><template shadowrootmode=open>x</template>y"),
        "xy"
    );
}

#[test]
fn the_level_of_template_contents_counts_elements() {
    check(
        "<body><template><p>x",
        &[
            ("html", 0, None),
            ("head", 1, None),
            ("body", 1, Some(1)),
            ("template", 2, None),
            ("p", 3, None),
        ],
    );
}

#[test]
fn an_element_without_contents_is_kept_on_the_deepest_level() {
    for tag in ["img", "keygen", "bgsound"] {
        let page = Page::from_html(&format!("{}<{tag}>", "<div>".repeat(600)));
        let mut tags = page.elements().filter_map(|n| page.tag(n));
        assert!(tags.any(|found| **found == *tag), "{tag}");
    }
}

#[test]
fn nesting_is_capped_in_linear_time_and_text_survives() {
    let html = format!(
        "{}deep{}<p>after",
        "<div>".repeat(100_000),
        "</div>".repeat(100_000)
    );
    let page = Page::from_html(&html);
    let deepest = page.nodes().map(|n| page.level(n)).max().expect("nodes");
    assert!(usize::from(deepest) <= feed::MAX_DEPTH);
    assert_eq!(page.text(page.root()), "deepafter");
    assert!(matches!(page.warnings(), [PageWarning::TooDeep { .. }]));
    let p = page.elements().last().expect("elements");
    assert_eq!(
        page.level(p),
        2,
        "the end tags of dropped elements are dropped too"
    );
}

#[test]
fn multiplied_formatting_is_cut_off() {
    let opened: String = (0..400).map(|i| format!("<b a{i}>")).collect();
    let html = format!("<div>{opened}</div>{}", "<p>x</p>".repeat(20_000));
    let page = Page::from_html(&html);
    assert!(page.warnings().contains(&PageWarning::TooManyNodes));
    assert!(page.len() < 3 * html.len());
}

#[test]
fn an_option_is_not_copied_into_itself() {
    let html = "<select><option selected><selectedcontent>x</option>";
    let page = Page::from_html(html);
    assert_eq!(page.text(page.root()), "x");
}

#[test]
fn a_tag_with_endless_attributes_is_bounded() {
    let attrs: String = (0..400_000).map(|i| format!(" a{i}")).collect();
    let page = Page::from_html(&format!("<p{attrs}>x</p><i>y"));
    let p = page.elements().nth(3).expect("p");
    assert!(page.attrs(p).count() < 8192);
    assert_eq!(page.text(page.root()), "xy");
    assert!(page.warnings().contains(&PageWarning::TooManyAttributes));
}

#[test]
fn long_attribute_values_are_kept() {
    let value = "v/".repeat(500);
    let blob = "A".repeat(300_000);
    let page = Page::from_html(&format!("<img alt='{value}' src='{blob}'>x"));
    let img = page.elements().last().expect("img");
    assert_eq!(page.attr(img, "src"), Some(&*blob));
    assert_eq!(page.attr(img, "alt"), Some(&*value));
}

#[test]
fn a_page_over_the_limit_is_cut_with_a_warning() {
    let page = Page::parse(&vec![b'x'; MAX_PAGE_BYTES + 10], Source::default());
    assert_eq!(page.text(page.root()).len(), MAX_PAGE_BYTES);
    assert_eq!(
        page.warnings(),
        [PageWarning::CutAtBytes {
            bytes: MAX_PAGE_BYTES + 10,
            limit: MAX_PAGE_BYTES
        }]
    );
}

#[test]
fn a_page_knows_where_it_came_from() {
    let page = Page::parse(
        b"<p>\xe9",
        Source {
            url: Some("http://a.example/b"),
            content_type: Some("text/html; charset=latin1"),
        },
    );
    assert_eq!(page.url(), Some("http://a.example/b"));
    assert_eq!(page.charset(), "windows-1252");
    assert_eq!(page.text(page.root()), "é");
}

#[test]
fn pages_go_from_thread_to_thread() {
    fn needs<T: Send + Sync>() {}
    needs::<Page>();
}

/// Intervals nest, levels and texts agree with them.
fn check_arena(page: &Page) {
    for n in page.nodes() {
        assert!(page.end(n) > n);
        if let Some(parent) = page.parent(n) {
            assert!(parent < n && page.end(n) <= page.end(parent));
            let above = page.parent_element(n);
            assert_eq!(page.level(n), above.map_or(0, |p| page.level(p) + 1));
            assert!(!page.is_content(n) || page.is_content(parent));
        }
        let texts: String = page
            .subtree(n)
            .filter(|&t| page.kind(t) == Kind::Text)
            .map(|t| page.text(t))
            .collect();
        assert_eq!(page.text(n), texts);
        let by_end: Vec<_> = page.children(n).collect();
        let by_parent: Vec<_> = page
            .subtree(n)
            .filter(|&c| page.parent(c) == Some(n))
            .collect();
        assert_eq!(by_end, by_parent);
    }
    let content = page.content_elements().iter();
    let in_body = |&&n: &&NodeId| page.body().is_some_and(|body| page.contains(body, n));
    for (i, &n) in content.filter(in_body).enumerate() {
        assert_eq!(page.dfs(n), Some(Dfs(i as u32 + 1)));
        assert_eq!(page.at_dfs(Dfs(i as u32 + 1)), Some(n));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check_arena(&Page::parse(&bytes, Source::default()));
        // Most of them hold no text. With markup they are a page.
        let page = Page::parse(&[b"<html>", &bytes[..]].concat(), Source::default());
        assert_eq!(page.binary(), None);
        check_arena(&page);
    }

    #[test]
    fn any_tags_are_a_page(tags in prop::collection::vec(
        prop::sample::select(vec![
            "<table>", "</table>", "<tr>", "<td>", "<p>", "</p>", "<b>", "</b>", "<a>", "</a>",
            "<div>", "</div>", "<template>", "</template>", "<svg>", "</svg>", "<select>", "<option selected>",
            "<selectedcontent>", "</option>", "<body a=1>", "<frameset>", "<!-- c -->", "text", "<li>", "<h1>",
            "<script>", "</script>", "<math>", "<mi>", "<template shadowrootmode=open>", "<form>", "</form>",
        ]), 0..60))
    {
        check_arena(&Page::from_html(&tags.concat()));
    }
}

#[test]
fn attributes_of_elements_that_are_opened_again_are_bounded() {
    let check = |attributes: &str| {
        let html = format!("<p><b {attributes}>a</p>{}", "<p>b</p>".repeat(AGAIN));
        let page = Page::from_html(&html);
        let again = page.elements().filter(|&n| page.is(n, &local_name!("b")));
        let with = again.filter(|&n| page.attrs(n).next().is_some()).count();
        assert!((2..AGAIN / 2).contains(&with), "{with}");
        assert!(page.warnings().contains(&PageWarning::TooManyAttributes));
        assert!(page.text(page.root()).ends_with('b'));
        assert!(page.values.len() + page.attrs.len() < 3 * html.len());
    };
    check(&format!("title={}", "x".repeat(100_000)));
    let many: Vec<String> = (0..1000)
        .map(|n| format!("a{n}={}", "x".repeat(90)))
        .collect();
    check(&many.join(" "));
}

const AGAIN: usize = 50;
