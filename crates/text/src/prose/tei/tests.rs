use super::*;

fn check(html: &str, expected: &str) {
    let mut out = String::new();
    body::push(html, &mut out);
    assert_eq!(out, expected, "{html}");
    let document = format!("<div xmlns=\"{NAMESPACE}\">{out}</div>");
    roxmltree::Document::parse(&document).expect("well-formed");
}

#[test]
fn formulas_are_tex() {
    let check = |around: [&str; 2], expected: &str| {
        let [before, behind] = around;
        let math = "<math><msub><mi>a</mi><mn>1</mn></msub><mo>&lt;</mo><mi>b</mi></math>";
        check(&format!("{before}{math}{behind}"), expected);
    };
    check(
        ["<p>a ", " b"],
        "<p>a <formula notation=\"TeX\">a_1&lt;b</formula> b</p>",
    );
    check(
        ["", ""],
        "<p><formula notation=\"TeX\">a_1&lt;b</formula></p>",
    );
    check(
        ["<pre>", "</pre>"],
        "<p xml:space=\"preserve\"><code>$a_1&lt;b$</code></p>",
    );
}

#[test]
fn headings_are_sections() {
    check(
        "<p>a</p><h2>b</h2><p>c</p><h3>d</h3>e<h2>f</h2>",
        "<p>a</p><div><head rend=\"h2\">b</head><p>c</p><div><head rend=\"h3\">d</head><p>e</p></div></div>\
         <div><head rend=\"h2\">f</head></div>",
    );
    check(
        "<blockquote><h2>a</h2>b</blockquote>",
        "<quote><p rend=\"h2\">a</p>b</quote>",
    );
}

#[test]
fn lists_have_items_and_labels() {
    check(
        "<ul><li>a<ol><li><p>b</p></ol></ul>",
        "<list rend=\"bulleted\"><item>a<list rend=\"numbered\"><item><p>b</p></item></list></item></list>",
    );
    check(
        "<dl><dt>a<dd>b<dd>c<dt>d</dl>",
        "<list type=\"gloss\"><label>a</label><item>b</item><label/><item>c</item><label>d</label><item/></list>",
    );
}

#[test]
fn tables_have_rows_cells_and_spans() {
    check(
        "<table><caption>a</caption><tr><th colspan=2>b<tr><td>c<td><p>d</p><p>e</p><tr></table>",
        "<table><head>a</head><row><cell role=\"label\" cols=\"2\">b</cell></row>\
         <row><cell>c</cell><cell><p>d</p><p>e</p></cell></row></table>",
    );
}

#[test]
fn pictures_programs_and_lines() {
    check(
        "<figure><img src=a.jpg alt='A  gull'><figcaption>b</figcaption></figure>c <img src=d>",
        "<figure><graphic url=\"a.jpg\"/><figDesc>A gull</figDesc><head>b</head></figure>\
         <p>c <figure><graphic url=\"d\"/></figure></p>",
    );
    check(
        "<pre><code class=language-rust>a &lt;\n  <b>b</b></code></pre>",
        "<p xml:space=\"preserve\"><code lang=\"rust\">a &lt;\n  b</code></p>",
    );
    check(
        "a<br>b<hr>c",
        "<p>a<lb/>b</p><milestone unit=\"section\"/><p>c</p>",
    );
    check(
        "<p>a <i>b</i> c <b> d </b> e</p>",
        "<p>a <hi rend=\"italic\">b</hi> c <hi rend=\"bold\">d </hi>e</p>",
    );
    check(
        "<a href='#x:1'><p>a</p><p>b</p></a><ruby>漢<rt>かん</ruby>",
        "<p><ref target=\"#x_1\">a<lb/>b</ref>漢</p>",
    );
}

#[test]
fn an_article_has_a_header() {
    let article = Article {
        title: Some("Wool & <dye>".to_owned()),
        authors: vec!["A. Dyer".to_owned()],
        date_published: Some("2024-03-05T06:30:00Z".to_owned()),
        url: Some("https://wool.example/1?a=1&b=2".to_owned()),
        site: Some("wool.example".to_owned()),
        language: Some("en".to_owned()),
        tags: vec!["dyes".to_owned()],
        text: "a\u{0}b\nc".to_owned(),
        ..Article::default()
    };
    let document = element(&article);
    let parsed = roxmltree::Document::parse(&document).expect("well-formed");
    let texts = |name: &str| -> Vec<String> {
        let named = parsed
            .descendants()
            .filter(|n| n.has_tag_name((NAMESPACE, name)));
        named
            .map(|n| n.text().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(texts("title"), ["Wool & <dye>", "Wool & <dye>"]);
    assert_eq!(texts("author"), ["A. Dyer", "A. Dyer"]);
    assert_eq!(texts("term"), ["dyes"]);
    assert_eq!(texts("p"), ["ab", "c"]);
    let of = |name: &str, attribute: &str| {
        let found = parsed
            .descendants()
            .find(|n| n.has_tag_name((NAMESPACE, name)));
        found
            .and_then(|n| n.attribute(attribute))
            .map(str::to_owned)
    };
    assert_eq!(of("date", "when").as_deref(), Some("2024-03-05T06:30:00Z"));
    assert_eq!(
        of("ptr", "target").as_deref(),
        Some("https://wool.example/1?a=1&b=2")
    );
    assert_eq!(of("language", "ident").as_deref(), Some("en"));
}
