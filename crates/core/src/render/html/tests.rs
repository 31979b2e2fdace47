use super::pieces::{PIECE_BYTES, is_long_work};
use super::*;
use forest_html::page::Source;
use forest_html::page::plain::text_of_html;
use html5ever::local_name;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample;

fn html_of(html: &str) -> String {
    let page = Page::from_html(html);
    super::html(&page, &Mask::all(&page), &Base::of(&page))
}

fn check(html: &str, expected: &str) {
    assert_eq!(html_of(html), expected, "{html}");
}

#[test]
fn elements_that_start_a_line_by_use_do() {
    let block = |text: &str| format!("<span style='display:block'>{text}</span>");
    check(
        &format!("<p>a{}c", block("b")),
        "<p>a<br><span>b</span><br>c</p>",
    );
    check(
        &format!("<div>{}{}</div>", block("a"), block("b")),
        "<div><span>a</span><br><span>b</span></div>",
    );
    check(
        "<p>a</p><b style='display:block'>b</b><p>c</p>",
        "<p>a</p><b>b</b><p>c</p>",
    );
    check("<x-a>a.</x-a><x-a>b.</x-a>", "<div>a.</div><div>b.</div>");
}

#[test]
fn listed_elements_stay_and_others_leave_their_contents() {
    check("<p>a<font>b</font><b>c</b>", "<p>ab<b>c</b></p>");
    check(
        "<section>a</section><center>b</center>",
        "<div>a</div><div>b</div>",
    );
    check("a<form>b<input><button>c</button></form>", "a<div>b</div>");
    check("<p><b> </b></p><ul><li></li></ul>x", "x");
    check(
        "<p>a<br>b</p><hr>c<svg><text>d</text></svg>",
        "<p>a<br>b</p><hr>c",
    );
}

#[test]
fn lines_of_a_mask_of_texts_stay_apart() {
    let page = Page::from_html("<br><div>a.<br>b<br><b>c</b><p>d</p><br>e<br></div><br>f");
    let mut texts = Mask::none(&page);
    for n in page
        .subtree(page.root())
        .filter(|&n| page.kind(n) == Kind::Text)
    {
        texts.keep(n);
    }
    let clean = super::html(&page, &texts, &Base::of(&page));
    assert_eq!(clean, "<div>a.<br>b<br><b>c</b><p>d</p><br>e</div>f");
}

#[test]
fn what_could_harm_is_gone() {
    check(
        "<p style=x onclick=y id=z class=w lang=en>a&lt;script></p>",
        "<p lang=\"en\">a&lt;script&gt;</p>",
    );
    check(
        "<a href='java\nscript:x'>a</a><img src=x onerror=y>",
        "<a>a</a><img src=\"x\">",
    );
    check("<style>a</style><iframe>b</iframe><object>c</object>", "c");
    check("<p id=x class=language-x>a<span id=y>b</span>", "<p>ab</p>");
    assert_eq!(
        super::sanitise(
            "<p id=x>a<code class='x language-y'>b</code><iframe src=https://c.example></iframe>"
        ),
        "<p>a<code>b</code></p>"
    );
}

#[test]
fn tables_keep_their_spans_and_parts_without_a_table_are_blocks() {
    check(
        "<table><tr><td colspan=2>a</table>",
        "<table><tbody><tr><td colspan=\"2\">a</td></tr></tbody></table>",
    );
    check(
        "<table><tr><td><td>a<tr><td> </table>",
        "<table><tbody><tr><td></td><td>a</td></tr></tbody></table>",
    );
    let page = Page::from_html("<table><tr><td>a<td>b</table>");
    let row = page
        .elements()
        .find(|&n| page.is(n, &local_name!("tr")))
        .expect("tr");
    let clean = super::html(&page, &Mask::subtrees(&page, &[row]), &Base::of(&page));
    assert_eq!(clean, "<div><div>a</div><div>b</div></div>");
}

#[test]
fn addresses_made_absolute_do_not_multiply_a_page() {
    let base = format!("<base href='http://a.example/{}/'>", "x".repeat(4000));
    let html = base + &"<a href=b>c</a>".repeat(10_000);
    let page = Page::from_html(&html);
    let (clean, cut) = html_within(
        &page,
        &Mask::all(&page),
        &Base::of(&page),
        &Substitutes::default(),
    );
    assert!(
        cut && clean.len() <= MAX_GROWTH * html.len() + 100,
        "{}",
        clean.len()
    );
}

#[test]
fn an_embed_stands_apart() {
    let frame = "<iframe src=https://v.example/1 title=A></iframe>";
    let link = "<a href=\"https://v.example/1\">A</a>";
    let check_in = |html: &str, expected: &str| {
        let (html, expected) = (html.replace('@', frame), expected.replace('@', link));
        check(&html, &expected);
        check(&expected, &expected);
    };
    check_in("<p>a @ b</p>c", "<p>a <br>@<br> b</p>c");
    check_in("<p>a @</p><p>b</p>", "<p>a <br>@</p><p>b</p>");
    check_in("<p>@ b</p>", "<p>@<br> b</p>");
    check_in(
        "<p>a <b>b @@ c</b></p>",
        "<p>a <b>b <br>@<br>@<br> c</b></p>",
    );
    check_in("<h2>a @</h2>", "<h2>a <br>@</h2>");
    check_in("<div>a @ b</div>", "<div>a <p>@</p> b</div>");
    check_in("<p>a</p>@@<p>b</p>", "<p>a</p><p>@</p><p>@</p><p>b</p>");
    check_in("<ul><li>a @</ul>", "<ul><li>a <p>@</p></li></ul>");
    check_in(
        "<table><tr><td>@<td>b</table>",
        "<table><tbody><tr><td><p>@</p></td><td>b</td></tr></tbody></table>",
    );
    check_in(
        "<figure>@<figcaption>b</figcaption></figure>",
        "<figure>@<figcaption>b</figcaption></figure>",
    );
}

#[test]
fn embeds_are_links_with_title_and_poster() {
    check(
        "<p>a</p><iframe src=https://v.example/1 title='A &amp; B'></iframe>\
         <video poster=b.jpg><source src=b.mp4>no video</video><object>c</object>",
        "<p>a</p><p><a href=\"https://v.example/1\">A &amp; B</a></p>\
         <p><a href=\"b.mp4\"><img src=\"b.jpg\" alt=\"\">b.mp4</a></p>c",
    );
}

#[test]
fn videos_and_sounds_without_a_title_say_what_they_are() {
    check(
        "<p>a</p><video src=https://v.example/1.mp4></video><audio src=https://www.s.example/1.mp3></audio>\
         <audio title='The tide' src=https://s.example/2.mp3></audio><iframe src=https://f.example/></iframe>",
        "<p>a</p><p><a href=\"https://v.example/1.mp4\">Video (v.example)</a></p>\
         <p><a href=\"https://www.s.example/1.mp3\">Audio (s.example)</a></p>\
         <p><a href=\"https://s.example/2.mp3\">The tide</a></p>\
         <p><a href=\"https://f.example/\">f.example</a></p>",
    );
}

#[test]
fn frames_of_listed_hosts_may_stay() {
    let page = Page::from_html(
        "<iframe src=https://www.v.example/1 title=A onload=x></iframe><iframe src=https://w.example/2></iframe>",
    );
    let names = Substitutes {
        frames: EmbedHosts::read("v.example"),
        ..Substitutes::default()
    };
    let (clean, _) = html_within(&page, &Mask::all(&page), &Base::of(&page), &names);
    for part in [
        "src=\"https://www.v.example/1\"",
        "title=\"A\"",
        "sandbox=\"allow-scripts ",
        "<a href=\"https://w.example/2\">w.example</a>",
    ] {
        assert!(clean.contains(part), "{clean}");
    }
    assert!(!clean.contains("onload") && clean.matches("<iframe").count() == 1);
}

#[test]
fn listings_are_programs_with_their_language() {
    check(
        "<div class='highlight language-rust'><table><tr><td class=gutter><pre>1<br>2</pre>\
         <td><pre>let <b>a</b>;<br>a &lt; b</pre></table></div>",
        "<div><pre><code class=\"language-rust\">let a;\na &lt; b</code></pre></div>",
    );
    check(
        "<figure class='highlight bash'><pre>a</pre></figure>",
        "<figure><pre class=\"language-bash\">a</pre></figure>",
    );
    check(
        "<pre><code class='x lang-c++'>a</code></pre>",
        "<pre><code class=\"language-c++\">a</code></pre>",
    );
}

#[test]
fn links_within_the_article_work() {
    let page = |url: &str| {
        let html = "<p>a<sup id=r1><a href=#n%3A1>1</a></sup><a name=x></a><p>b<a href=#gone>c</a>\
             <ol><li id=n:1>d <a href='https://a.example/1#r1'>up</a></ol><a href=#x>e</a>";
        let source = Source {
            url: Some(url),
            ..Source::default()
        };
        let page = Page::parse(html.as_bytes(), source);
        super::html(&page, &Mask::all(&page), &Base::of(&page))
    };
    let clean = page("https://a.example/1");
    let start = clean.split("id=\"").nth(1).expect("an id");
    let start = start.split("r1").next().expect("a prefix");
    assert!(start.starts_with("anchor-"), "{clean}");
    for part in [
        format!("<sup id=\"{start}r1\"><a href=\"#{start}n:1\">1</a></sup><a id=\"{start}x\"></a>"),
        "<a href=\"https://a.example/1#gone\">c</a>".to_owned(),
        format!("<li id=\"{start}n:1\">d <a href=\"#{start}r1\">up</a></li>"),
    ] {
        assert!(clean.contains(&part), "{part}: {clean}");
    }
    assert!(!page("https://a.example/2").contains(start));
    assert_eq!(super::name_pictures(&clean, HashMap::new()), clean);
}

/// MathML of a formula in a line.
fn in_line(mathml: &str, tex: &str) -> String {
    format!(
        "<math display=\"inline\"><semantics><mrow>{mathml}</mrow>\
         <annotation encoding=\"application/x-tex\">{tex}</annotation></semantics></math>"
    )
}

#[test]
fn formulas_are_mathml_with_their_source() {
    let square = in_line("<msup><mi>x</mi><mn>2</mn></msup>", "x^2");
    let script = "<script type=math/tex>x^2</script>";
    check(
        &format!("<p>a {script} b</p>"),
        &format!("<p>a {square} b</p>"),
    );
    check(
        "<p>a <math><msup><mi>x</mi><mn>2</mn></msup></math></p>",
        &format!("<p>a {square}</p>"),
    );
    let lines = html_of("<p><script type='math/tex; mode=display'>x^2</script></p>");
    assert!(lines.starts_with("<p><math display=\"block\">"), "{lines}");
    // The same text is read from what was written.
    let written = html_of(&format!("<p>a {script} b</p>"));
    assert_eq!(text_of_html(&written), "a $x^2$ b");
    check(
        "<p>a <script type=math/tex>x_1<y\\&z</script>",
        &format!(
            "<p>a {}</p>",
            in_line(
                "<msub><mi>x</mi><mn>1</mn></msub><mo>&lt;</mo><mi>y</mi><mi>&amp;</mi><mi>z</mi>",
                "x_1&lt;y\\&amp;z"
            )
        ),
    );
}

#[test]
fn formulas_that_are_not_known_or_too_large_stay_text() {
    for tex in [
        "\\nosuch{x}".to_owned(),
        "\\frac{a".to_owned(),
        "\\def\\a{\\a\\a}\\a".to_owned(),
        "x\\char😀".to_owned(),
        "x^".repeat(1_000) + "2",
        "{".repeat(200) + "x^2" + &"}".repeat(200),
        "x^2".repeat(2_000),
    ] {
        let written = html_of(&format!("<p>a <script type=math/tex>{tex}</script>"));
        assert_eq!(written, format!("<p>a ${tex}$</p>"));
    }
    check(
        "<p>a <img class=latex alt='mass of it'>",
        "<p>a mass of it</p>",
    );
}

#[test]
fn formulas_of_others_do_no_harm() {
    let check = |html: &str| {
        let clean = sanitise(html);
        for part in [
            "<script",
            "<style",
            "onclick",
            "javascript:",
            "<img",
            "href",
            "xlink",
        ] {
            assert!(!clean.contains(part), "{html}: {clean}");
        }
        assert_eq!(sanitise(&clean), clean);
    };
    check("<math onclick=x><mi xlink:href='javascript:a'>x</mi><maction href='javascript:a'>y");
    check(
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=a&gt;'>",
    );
    check("<math><annotation-xml encoding=text/html><style><img src=x onerror=a></style>");
    check("<math><semantics><annotation encoding=text/html><script>a</script>");
    check("<form><math><mtext></form><form><mglyph><style></math><img src onerror=a>");
}

#[test]
fn what_the_source_hides_is_left_out() {
    let words = "It rained for nine days. ".repeat(9);
    let page = Page::from_html(&format!("<p>{words}</p><p hidden>Copied!"));
    let clean = super::html(&page, &Mask::all(&page), &Base::of(&page));
    assert_eq!(clean, format!("<p>{words}</p>"));
}

/// Pages whose texts are slow to write, each of some 60 kB: one text, many that a parser joins,
/// one behind a start tag that takes a line break with it, one that is slow at its beginning.
fn slow_pages() -> Vec<String> {
    let of = |part: &str| part.repeat(60_000 / part.len());
    vec![
        format!("<p>{}", of("£")),
        format!("<p>{}", of("&amp;")),
        format!("<p>{}", of("a&nbsp;b « » °")),
        format!("<p>{}", of("£<font>")),
        format!("<p>{}", of("£<!-- x -->")),
        format!("<pre>{}", of("\n\n£&#13;\n")),
        format!("<pre>{}{}", "£".repeat(2000), of("\n")),
        format!("<p>{}{}", "£".repeat(2000), of("&#13;")),
        format!("<table><tr><td>{}", of("£ ")),
        format!("<table>{}", of("£ ")),
        of("£</p>"),
    ]
}

fn whole(html: &str) -> (String, String) {
    let page = Page::from_html(html);
    let (body, base) = (Mask::all(&page), Base::of(&page));
    (
        super::html(&page, &body, &base),
        html_in_whole_texts(&page, &body, &base),
    )
}

#[test]
fn no_text_that_is_cleaned_is_long() {
    for html in slow_pages() {
        let page = Page::from_html(&html);
        let names = Substitutes::default();
        let (written, cut) = written(&page, &Mask::all(&page), &Base::of(&page), &names);
        let given = Page::from_html(&written);
        let texts = given.nodes().filter(|&n| given.kind(n) == Kind::Text);
        let longest = texts.map(|n| given.text(n).len()).max();
        let longest = longest.expect("a text");
        // A character more at each end, where the pieces may not part.
        assert!(longest <= PIECE_BYTES + 8, "{html:.40}: {longest}");
        assert!(!cut, "{html:.40}");
        let (clean, expected) = whole(&html);
        assert!(clean == expected, "{html:.40}");
    }
}

#[test]
fn html_that_ammonia_would_take_long_to_sanitise_is_written_as_a_page() {
    assert!(!is_long_work(&"a £ ".repeat(4_000)));
    assert!(!is_long_work(&"<p>a</p>".repeat(1_000_000)));
    for html in slow_pages() {
        let clean = whole(&html).0;
        assert!(sanitise(&clean) == clean, "{html:.40}");
    }
    let slow = "<p onclick=x>£".repeat(30_000);
    assert!(is_long_work(&slow));
    assert!(sanitise(&slow) == "<p>£</p>".repeat(30_000));
}

/// Parts of formulas.
const TEX: [&str; 28] = [
    "{",
    "}",
    "[",
    "]",
    "^",
    "_",
    "&",
    "\\\\",
    "\\frac",
    "\\sqrt",
    "\\left",
    "\\right",
    "(",
    "|",
    "x",
    "é",
    "😀",
    "12",
    "\\text{",
    "\\hat",
    "\\begin{matrix}",
    "\\end{matrix}",
    "\\sum",
    "\\kern",
    "1em",
    "'",
    "%",
    "\\",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn formulas_of_any_parts_are_written(parts in vec(sample::select(&TEX[..]), 0..12)) {
        let tex = parts.concat();
        let written = html_of(&format!("<p>a <script type=math/tex>{tex}</script> b</p>"));
        prop_assert!(written.starts_with("<p>a "), "{}", written);
        prop_assert!(written.ends_with(" b</p>"), "{}", written);
        prop_assert_eq!(sanitise(&written), written);
    }

    #[test]
    fn texts_in_pieces_are_what_ammonia_writes_of_them_in_one(
        parts in vec(("[<>&/£«° \\r\\n\u{a0}a\"'-]{0,6}", 1_usize..900), 0..8),
        tags in vec(sample::select(tags::names_with(tags::CLEAN).collect::<Vec<_>>()), 8),
    ) {
        let mut html = String::new();
        for ((part, times), tag) in parts.iter().zip(tags) {
            html.push_str(&format!("<{tag}>{}", part.repeat(*times)));
            if times % 2 == 0 {
                html.push_str(&format!("</{tag}>"));
            }
        }
        let (clean, expected) = whole(&html);
        prop_assert_eq!(clean, expected);
    }
}

#[test]
fn white_space_alone_in_inline_elements_parts_words() {
    let check = |html: &str, expected: &str| {
        assert_eq!(super::own_html(html, None).trim_end(), expected);
    };
    check(
        "<p>The Forager<em> </em>is<b>&nbsp;</b>a book<strong> </strong>here<a href='/x'> </a>now</p>",
        "<p>The Forager is a book here now</p>",
    );
    check("<p>One<i> </i><b>two</b></p>", "<p>One <b>two</b></p>");
    check(
        "<p><b>One</b><i><u> </u></i><b>two</b></p>",
        "<p><b>One</b> <b>two</b></p>",
    );
    check("<p>One<i> </i> two</p>", "<p>One two</p>");
    check(
        "<p>One<sup> </sup><img src='https://a.example/1.png'></p>",
        "<p>One <img src=\"https://a.example/1.png\"></p>",
    );
    // Not at the border of a block, nor between two.
    check("<p>One<i> </i></p><p>two</p>", "<p>One</p><p>two</p>");
    check("<p><i> </i>One</p>", "<p>One</p>");
    check("<p>One</p><i> </i><p>two</p>", "<p>One</p><p>two</p>");
    check(
        "<p>One</p><ul> <li><i> </i>two</ul>",
        "<p>One</p><ul><li>two</li></ul>",
    );
}
