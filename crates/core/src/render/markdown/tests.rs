use super::*;

fn check(html: &str, expected: &str) {
    let page = Page::from_html(html);
    let found = markdown(
        &page,
        &Mask::all(&page),
        &Base::of(&page),
        &PictureNames::default(),
    )
    .0;
    assert_eq!(
        found.strip_suffix('\n').unwrap_or(&found),
        expected,
        "{html}"
    );
}

#[test]
fn headings_and_paragraphs() {
    check(
        "<h1>a<br>b</h1>c<h6><p>d</p><p>e</p></h6><div>f<div>g",
        "# a b\n\nc\n\n###### d e\n\nf\n\ng",
    );
    check("<h2></h2><p> </p>", "");
}

#[test]
fn line_breaks() {
    check("a<br>b", "a\\\nb");
    check("a<br> <br>b<br>", "a\n\nb");
}

#[test]
fn emphasis() {
    check("a<b> b </b>c", "a **b** c");
    check("<i>a<b>b</b></i><s>c</s>", "*a**b***~~c~~");
    check("<b>a</b><strong>b</strong><b><b>c</b></b>", "**abc**");
    check("<b></b><i> </i>a", "a");
    check("<b>a<p>b</p></b>", "**a**\n\n**b**");
}

#[test]
fn links() {
    check("<a href='/x(1)'>a</a>", "[a](/x%281%29)");
    check("<a href='javascript:x'>a</a><a>b</a>", "ab");
    check("<a href=/x></a>a", "a");
    check("<a href=/x><p>a</p><p>b</p></a>", "[a](/x)\n\nb");
    check("wow!<a href=/x>a</a>", "wow\\![a](/x)");
    check(
        "<a href=/x><img src=/y alt='a [b]'></a>",
        "[![a \\[b\\]](/y)](/x)",
    );
}

#[test]
fn pictures() {
    check("<img src=/a>", "![](/a)");
    check("<img alt=x><img src='data:,'>", "");
}

#[test]
fn lists() {
    check(
        "a<ul><li>b<li><p>c</p><p>d</p><li>e</ul>f",
        "a\n\n- b\n- c\n\n  d\n- e\n\nf",
    );
    check(
        "<ul><li>a<ul><li>b<li>c</ul>d<li>e</ul>",
        "- a\n  - b\n  - c\n\n  d\n- e",
    );
    check("<ol start=9><li>a<li>b<p>c</ol>", "9. a\n10. b\n\n    c");
    check("<ul><li></li><li>a</ul>", "- a");
    check("<li>a<li>b", "- a\n- b");
    check("<ul><li><ul><li>a</ul></ul>", "- - a");
}

#[test]
fn quotations() {
    check(
        "a<blockquote><p>b</p><p>c<br>d</p></blockquote>e",
        "a\n\n> b\n>\n> c\\\n> d\n\ne",
    );
    check(
        "<blockquote>a</blockquote><blockquote>b</blockquote>",
        "> a\n\n> b",
    );
    check(
        "<blockquote>a<ul><li>b<p>c</ul></blockquote>",
        "> a\n>\n> - b\n>\n>   c",
    );
}

#[test]
fn code() {
    check("a <code>b*`c</code>.", "a ``b*`c``.");
    check("a<code> b</code>", "a `b`");
    check(
        "<pre><code class='x language-rust'>\nfn a() {\n\n    b\n}\n</code></pre>c",
        "```rust\nfn a() {\n\n    b\n}\n```\n\nc",
    );
    check("<ul><li><pre>a\nb</pre></ul>", "- ```\n  a\n  b\n  ```");
    check("<pre>```</pre>", "````\n```\n````");
    check("<b><pre>a</pre>b</b>", "```\na\n```\n\n**b**");
    check("<code><p>a</p><p>b</p></code>", "a\n\nb");
    check("<pre> </pre>", "");
    for obsolete in ["listing", "xmp", "plaintext"] {
        check(&format!("<{obsolete}>a\nb"), "```\na\nb\n```");
    }
}

#[test]
fn tables_of_plain_cells() {
    check(
        "<table><caption>t</caption><tr><th>a<th>b|c<tr><td><p>d</p><td></table>e",
        "t\n\n| a | b\\|c |\n| --- | --- |\n| d | |\n\ne",
    );
    check(
        "<ul><li>x<table><tr><td>a<td>b<tr><td>c<td>d</table></ul>",
        "- x\n\n  | a | b |\n  | --- | --- |\n  | c | d |",
    );
}

#[test]
fn spans_are_expanded_and_blocks_in_cells_joined() {
    check(
        "<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<br>d<td><ul><li>e<li>f</ul><tr><td>g<td>h<td>i</table>",
        "| a | b | |\n| --- | --- | --- |\n| a | c<br>d | e<br>f |\n| g | h | i |",
    );
    check(
        "<table><tr><td>a<td><p>b<p>c<tr><td>d</table>",
        "a\n\nb\n\nc\n\nd",
    );
}

#[test]
fn other_tables_are_paragraphs() {
    check("<table><tr><td>a<td>b</table>", "a\n\nb");
    check(
        "<table><tr><td>a<td><h2>b</h2><tr><td>c<td>d</table>",
        "a\n\n## b\n\nc\n\nd",
    );
}

#[test]
fn listings_embeds_and_readings() {
    check(
        "<div class=language-c><table class=highlight><tr><td>1<td>a;<tr><td>2<td>b;</table></div>",
        "```c\na;\nb;\n```",
    );
    check(
        "a <iframe src=/v title='A [b]'></iframe><video poster=p.jpg src=c.mp4></video>",
        "a\n\n[A \\[b\\]](/v)\n\n![](p.jpg) [c.mp4](c.mp4)",
    );
    check(
        "<ruby>漢<rt>かん</rt></ruby> so\u{ad}ft <q>a</q>.",
        "漢 soft “a”.",
    );
}

#[test]
fn definitions_are_items_below_their_terms() {
    check(
        "<dl><dt>a<dd>b<dd>c<dt>d<dd><p>e</p><p>f</p></dl>",
        "**a**\n\n- b\n- c\n\n**d**\n\n- e\n\n  f",
    );
}

#[test]
fn footnotes() {
    check(
        "<p>a<sup id=r1><a href=#n1>1</a></sup> b<a href=#n2><sup>[2]</sup></a> <a href=#n1>see</a></p>\
         <ol><li id=n1><p>c <a href=#r1>↩</a></p><p>d</p></li><li id=n2>e</li></ol>",
        "a[^1] b[^2] [see](#n1)\n\n[^1]: c\n\n    d\n\n[^2]: e",
    );
    check("<p>a<sup><a href=#n1>1</a></sup>", "a[1](#n1)");
}

#[test]
fn rules() {
    check("a<hr>b", "a\n\n---\n\nb");
}

#[test]
fn what_would_be_markdown_is_escaped() {
    check("1. a", "1\\. a");
    check("v1.5 and 1.5", "v1.5 and 1.5");
    check(
        "<p># a<p>- b<p>-5<p>+ c<p>> d<p>=== <p>--- ",
        "\\# a\n\n\\- b\n\n-5\n\n\\+ c\n\n\\> d\n\n\\===\n\n\\---",
    );
    check(
        "*a* _b_ c_d [e] `f` ~g \\",
        "\\*a\\* \\_b\\_ c_d \\[e\\] \\`f\\` \\~g \\\\",
    );
    check("a &lt;b> &amp;amp; &amp; < c", "a \\<b> \\&amp; & < c");
}

#[test]
fn items_have_the_numbers_that_a_browser_shows() {
    check("<ol reversed><li>a<li>b</ol>", "2. a\n1. b");
    check(
        "<ol start=4><li>a<li value=9>b<li>c</ol>",
        "4. a\n9. b\n10. c",
    );
    check("<ul><li value=9>a</ul>", "- a");
}

#[test]
fn tasks_have_their_check_boxes() {
    check(
        "<ul><li><input type=checkbox checked> a<li><p><input type=checkbox disabled>b</p><li>c <input type=checkbox></ul>",
        "- [x] a\n- [ ] b\n- c",
    );
}

#[test]
fn a_list_in_a_list_goes_with_the_item_before_it() {
    check(
        "<ul><li>a</li><ul><li>b</li><li>c</li></ul><li>d</li></ul>",
        "- a\n  - b\n  - c\n- d",
    );
    check(
        "<ol><li>a</li><ul><li>b</li></ul><li>d</li></ol>",
        "1. a\n   - b\n2. d",
    );
    check("<ul><ul><li>b</li></ul></ul>", "- b");
}

#[test]
fn lines_of_a_program_may_be_elements() {
    check(
        "<pre><code><div>a:</div><div>  b</div></code></pre>",
        "```\na:\n  b\n```",
    );
    check(
        "<pre><span class=line>a:</span><span class=line>  b</span></pre>",
        "```\na:\n  b\n```",
    );
    check("<pre><div>a\n</div><div>b\n</div></pre>", "```\na\nb\n```");
}

#[test]
fn formulas_and_powers_are_written_as_they_are() {
    check(
        "<p><script type='math/tex'>a_1 * \\beta</script> b",
        "$a_1 * \\beta$ b",
    );
    check("<p>a <img class=tex src=/b alt='x_1'> c", "a $x_1$ c");
    check("10<sup>6</sup>", "10<sup>6</sup>");
}

#[test]
fn only_what_is_kept() {
    let page = Page::from_html("<ul><li>a<li>b</ul><h2>c</h2><p>d");
    let texts: Vec<NodeId> = page.content_texts(page.root()).collect();
    let mut mask = Mask::none(&page);
    mask.keep(texts[1]);
    mask.keep(texts[2]);
    assert_eq!(
        markdown(&page, &mask, &Base::of(&page), &PictureNames::default()).0,
        "- b\n\n## c\n"
    );
}

#[test]
fn deep_nesting_does_not_multiply_a_page() {
    for html in [
        "<ul><li>".repeat(400) + &"<li>x".repeat(5000),
        "<blockquote>".repeat(400) + &"<p>x".repeat(5000),
        format!("<a href='http://a.example/{}'>", "y".repeat(4000)) + &"<p>x".repeat(5000),
        format!("<base href='http://a.example/{}/'>", "y".repeat(4000))
            + &"<a href=b>c</a>".repeat(5000),
    ] {
        let page = Page::from_html(&html);
        let (found, _) = markdown(
            &page,
            &Mask::all(&page),
            &Base::of(&page),
            &PictureNames::default(),
        );
        assert!(found.len() <= MAX_GROWTH * html.len() + 1);
    }
}
