use super::context::ReportPage;
use super::lines::{LineForm, SheetLine, lines};
use super::marks::{NodeMark, marks};
use super::markup::{HtmlTable, address, cut, expression};
use super::reasons::known_by;
use super::sheet::written;
use crate::extract::{Article, Status};
use crate::learn::{SamplePage, SampleVerdict};
use crate::wrapper::Wrapper;
use forest_html::page::Page;
use html5ever::local_name;
use maud::{Render, html};

/// A line as text: its form, then each piece behind its mark.
fn shown(line: &SheetLine) -> String {
    let form = match line.form {
        LineForm::Plain => "p".to_owned(),
        LineForm::Heading(level) => format!("h{level}"),
        LineForm::Item => "li".to_owned(),
        LineForm::Quote => "quote".to_owned(),
        LineForm::Caption => "caption".to_owned(),
        LineForm::Pre => "pre".to_owned(),
        LineForm::Cell(_) => "cell".to_owned(),
    };
    let runs = line.runs.iter().map(|run| {
        let mark = match run.mark {
            NodeMark::Rest => "-".to_owned(),
            NodeMark::Body => "+".to_owned(),
            NodeMark::Strip(rule) => rule.to_string(),
            NodeMark::Field(field) => field.to_string(),
        };
        let picture = if run.is_picture { "!" } else { "" };
        format!(" {mark}{picture}[{}]", run.text)
    });
    form + &runs.collect::<String>()
}

/// The lines of a page under a wrapper with the body `//article`, two strip rules and
/// two fields.
fn lines_of(html: &str) -> Vec<SheetLine> {
    let yaml = "format: 1\nsite: a\ntemplates:\n- body: [//article]\n  strip: [//aside, //nav]\n  \
                title: [//h1]\n  date: [{xpath: //time/@datetime}]\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let matcher = wrapper.compile().expect("compiles");
    let page = Page::from_html(html);
    let trace = matcher.trace(&page);
    let fields = trace.as_ref().map(|t| matcher.fields(&page, &t.found));
    let marks = marks(&page, trace.as_ref(), &fields.unwrap_or_default());
    lines(&page, &marks)
}

fn check(html: &str, expected: &[&str]) {
    let lines: Vec<String> = lines_of(html).iter().map(shown).collect();
    assert_eq!(lines, expected, "{html}");
}

#[test]
fn a_line_is_a_block_with_its_form() {
    check(
        "<article><h2>A <i>b</i></h2><h5>c</h5><p>d\n  e<br>f<ul><li><p>g</ul><blockquote><p>h</blockquote>\
         <figure><figcaption>i</figcaption></figure><table><tr><td>j<th>k<tr><td><p>l</table></article>",
        &[
            "h2 +[A b]",
            "h3 +[c]",
            "p +[d e]",
            "p +[f]",
            "li +[g]",
            "quote +[h]",
            "caption +[i]",
            "cell +[j]",
            "cell +[k]",
            "p +[l]",
        ],
    );
    check("<article><pre>\na\n  b</pre></article>", &["pre +[a\n  b]"]);
}

#[test]
fn the_white_space_of_code_is_its_own() {
    // Highlighted: a line break may stand alone, or at the end of an element.
    check(
        "<article><pre><code><b>a</b>\n<b>  b\n</b><i>c</i>\n\n</code></pre><p>d</article>",
        &["pre +[a\n  b\nc]", "p +[d]"],
    );
    check(
        "<article><pre>  a<br>\n b</pre>",
        &["pre +[  a]", "pre +[ b]"],
    );
    check("<article><pre>\n \n</pre><pre></pre><p>a", &["p +[a]"]);
    check(
        "<article><pre>a <nav>b\nc</nav>\nd</pre>",
        &["pre +[a]", "pre 1[b\nc]", "pre +[d]"],
    );
}

#[test]
fn each_piece_has_its_mark() {
    check(
        "<p>a</p><h1>t</h1><article>b <time datetime=2026>c</time> d<aside>e<nav>f</nav></aside>g\
         <nav>h</nav></article><aside>i</aside>",
        &[
            "p -[a]",
            "h1 title[t]",
            "p +[b ] date[c ] +[d]",
            "p 0[e]",
            "p 0[f]",
            "p +[g]",
            "p 1[h]",
            "p -[i]",
        ],
    );
}

#[test]
fn pictures_are_named_and_controls_left_out() {
    check(
        "<img src=/x alt=out><article><p>a<img src=/y alt=' A  tree'>b<p><img src=/z><button>c</button>\
         <script>d</script><svg><text>e</text></svg></article>",
        &["p +[a] +![A  tree] +[b]", "p +![]"],
    );
}

#[test]
fn a_page_that_no_template_fits_has_no_marks() {
    check("<h1>t</h1><p>a", &["h1 -[t]", "p -[a]"]);
    check("", &[]);
    check("<frameset><frame src=/a></frameset>", &[]);
}

#[test]
fn what_is_long_is_cut() {
    let long = "x".repeat(5000);
    let lines = lines_of(&format!("<article>{long}</article>"));
    assert_eq!(lines[0].runs[0].text.chars().count(), 2001);
    let deep = format!("<article>{}a", "<ul><li>".repeat(20_000));
    assert_eq!(lines_of(&deep).len(), 1);
}

/// The marked text of a page as HTML.
fn sheet(html: &str) -> String {
    written(&lines_of(html), usize::MAX).into_string()
}

#[test]
fn what_is_left_out_is_folded() {
    let menu = "<p>Home & <b>away</b>".repeat(4);
    let folded = sheet(&format!("{menu}<article>a</article><p>end"));
    assert!(
        folded.starts_with(
            "<details class=\"rest\"><summary>4 lines left out: <span dir=\"auto\">Home &amp; away"
        ),
        "{folded}"
    );
    assert!(
        folded.ends_with("<p class=\"l b\" dir=\"auto\">a</p><p class=\"l\" dir=\"auto\">end</p>")
    );
    let many = sheet(&"<p>x".repeat(100));
    assert!(many.contains("<p class=\"small\">40 more.</p>"));
    assert_eq!(many.matches("<p class=\"l\"").count(), 60);
}

#[test]
fn marks_are_named_where_they_begin() {
    let check = |html: &str, expected: &str| {
        let written = sheet(html).replace(" dir=\"auto\"", "");
        assert_eq!(written.replace('\n', ""), expected);
    };
    check(
        "<article><aside><p>a<p>b</aside><p>c <time datetime=2026>d</time></article>",
        "<p class=\"l s\"><span class=\"tag\">strip 1</span>a</p><p class=\"l s\">b</p>\
         <p class=\"l\"><i class=\"b\">c </i><span class=\"tag\">date</span><i class=\"f\">d</i></p>",
    );
    check(
        "<article><table><tr><td>a<td>b<tr><td>c</table></article>",
        "<div class=\"row\"><p class=\"l b\">a</p><p class=\"l b\">b</p></div><p class=\"l b\">c</p>",
    );
}

#[test]
fn a_sheet_has_room_for_what_it_has_room_for() {
    let html = format!("<article>{}</article>", "<p>words".repeat(50));
    let cut = written(&lines_of(&html), 500).into_string();
    assert!(cut.contains("the report is full") && cut.matches("words").count() < 15);
    assert!(
        !written(&lines_of(&html), 5000)
            .0
            .contains("the report is full")
    );
}

#[test]
fn texts_are_escaped_and_cut() {
    assert_eq!(
        html!((cut("<a b=\"c\">&", 10))).into_string(),
        "&lt;a b=&quot;c&quot;&gt;&amp;"
    );
    assert_eq!(html!((cut("a<b c", 3))).into_string(), "a&lt;b…");
    assert_eq!(cut("äöü", 3), "äöü");
}

#[test]
fn only_addresses_of_the_web_are_links() {
    assert_eq!(
        address("https://a.example/?a=1&b='\"").into_string(),
        "<a href=\"https://a.example/?a=1&amp;b=%27%22\" rel=\"noreferrer noopener\">\
         https://a.example/?a=1&amp;b='&quot;</a>"
    );
    for plain in [
        "javascript:alert(1)",
        "data:text/html,x",
        "pages/1.html",
        "file:///x",
    ] {
        assert_eq!(address(plain).into_string(), plain);
    }
    assert!(
        !address(&format!("https://a.example/{}", "x".repeat(3000)))
            .0
            .contains("href")
    );
}

#[test]
fn expressions_are_shown_as_css_if_it_can_express_them() {
    let class = "//div[contains(concat(' ',normalize-space(@class),' '),' a ')]//p";
    assert_eq!(expression(class).into_string(), "<code>div.a p</code>");
    assert_eq!(
        expression("//time/@datetime").into_string(),
        "<code>time[datetime] @datetime</code>"
    );
    assert_eq!(expression("//p/..").into_string(), "<code>//p/..</code>");
    assert_eq!(expression("//p[").into_string(), "<code>//p[</code>");
}

#[test]
fn names_are_classified() {
    let check = |xpath: &str, expected: &str| {
        assert_eq!(known_by(&[xpath.to_owned()]), expected, "{xpath}");
    };
    check("//div[@itemprop='articleBody']", "its role");
    check(
        "//main//div[contains(concat(' ',normalize-space(@class),' '),' a ')]",
        "a class",
    );
    check(
        "//div[contains(concat(' ',normalize-space(@class)),' a')]",
        "a part of its class",
    );
    check(
        "//div[contains(translate(@class,'0123456789',''),'a')]",
        "a part of its class",
    );
    check("//div[@id='a']", "its id");
    check("//div[starts-with(@id,'a')]", "a part of its id");
    check("//div[@id='a' and @dfs='3']", "its position");
    check("//table[@width='600']", "how it looks");
    check("//article", "its tag");
    check(
        "//h2[@id='a'] | //article | //p[@id='b']",
        "its id and its tag",
    );
}

#[test]
fn a_table_counts_the_rows_that_are_left_out() {
    let mut table = HtmlTable::new(&[("A", "n"), ("B", "")], 2);
    for n in 0..5 {
        table.row(if n == 1 { "won" } else { "" }, &[&n, &"x"]);
    }
    let html = table.render().into_string();
    assert_eq!(html.matches("<td class=\"n\" data-k=\"A\">").count(), 2);
    assert!(html.contains("<tr class=\"won\">") && html.contains("3 more left out"));
}

#[test]
fn the_sample_has_the_outcome_of_each_page() {
    let wrapper = Wrapper::from_yaml("format: 1\nsite: a\ntemplates:\n- body: [//p]\n");
    let matcher = wrapper.expect("yaml").wrapper.compile().expect("compiles");
    let html = "<title>T</title><p>one two";
    let sample: Vec<SamplePage> = ["a", "b", "c"]
        .map(|name| SamplePage::new(Page::from_html(html), name))
        .into();
    let verdicts = [
        SampleVerdict::Good,
        SampleVerdict::NotHtml,
        SampleVerdict::Good,
    ];
    let section = |confidence: Option<f64>| {
        let shown = [(0, Status::Ok), (2, Status::Degraded)].map(|(at, status)| ReportPage {
            number: at + 1,
            place: at / 2,
            sample: &sample[at],
            of_json: None,
            trace: matcher.trace(&sample[at].page),
            fields: Vec::new(),
            marks: Vec::new(),
            article: Article {
                text: "one two".to_owned(),
                status,
                confidence,
                ..Article::default()
            },
        });
        let section = super::sample::section(&sample, &verdicts, &shown);
        let page = Page::from_html(&section.0);
        let rows = page.elements().filter(|&n| page.is(n, &local_name!("tr")));
        let cells = |row| -> Vec<&str> { page.children(row).map(|cell| page.text(cell)).collect() };
        rows.map(|row| cells(row).join("|")).collect::<Vec<_>>()
    };
    let expected = [
        "Page|Address|Verdict|Template|Words",
        "1|a|good|1|2",
        "2|b|left out: no HTML page|–|–",
        "3|c|good, but its article is unlike the others|1|2",
    ];
    assert_eq!(section(None), expected);
    let judged = section(Some(0.934));
    assert_eq!(judged[0], format!("{}|Confidence", expected[0]));
    assert_eq!(judged[1], format!("{}|0.93", expected[1]));
    assert_eq!(judged[2], format!("{}|–", expected[2]));
}
