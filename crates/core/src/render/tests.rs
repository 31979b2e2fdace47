use super::*;
use forest_html::page::{Mask, NodeId, Page};

fn check(html: &str, expected: &str) {
    let page = Page::from_html(html);
    assert_eq!(text(&page, &Mask::all(&page)), expected, "{html}");
}

#[test]
fn blocks_and_breaks_end_lines() {
    check("<div>a<div>b</div>c</div>d<p>e", "a\nb\nc\nd\ne");
    check("a<br>b<br><br>c", "a\nb\nc");
    check("<ul><li>a<ul><li>b</ul><li>c</ul>d", "a\nb\nc\nd");
    check("<p> </p><p>a</p><p> \n</p><br>", "a");
}

#[test]
fn inline_elements_glue_as_the_source_does() {
    check("a<b>b</b> <i> c</i>d", "ab cd");
    check("<a>x </a><a> y</a>", "x y");
    check("<span>a</span>\n<span>b</span>", "a b");
    check("a\u{a0} b&nbsp;c", "a b c");
}

#[test]
fn rows_are_lines_and_cells_are_parted() {
    check(
        "<table><tr><th>a</th><th>b<tr><td> c <td><td>d</table>e",
        "a\tb\nc\td\ne",
    );
    check("<table><tr><td><p>a</p><p>b</p></td><td>c", "a\nb\nc");
}

#[test]
fn pre_keeps_lines_and_spaces() {
    check(
        "x<pre>\n\n  a\n\n    b  <b>c</b>\n\n</pre>y",
        "x\n  a\n\n    b  c\ny",
    );
    check("<pre> \n </pre>y", "y");
    check("<pre>a<br>b</pre>", "a\nb");
}

#[test]
fn controls_pictures_and_fallbacks_are_no_text() {
    check(
        "<button>b</button><select><option>c</select><textarea>d</textarea>e",
        "e",
    );
    check(
        "a<svg><title>icon</title></svg><video>no video</video>b<img alt=x>",
        "ab",
    );
    check(
        "<math><semantics><mi>x</mi><annotation>\\x</annotation></semantics></math>",
        "x",
    );
    check(
        "<title>t</title>a<script>s</script><noscript>n</noscript>b",
        "ab",
    );
}

#[test]
fn only_what_is_kept_and_words_never_glue_over_what_is_not() {
    let page = Page::from_html("<div>a<p>b</p>c<div>d</div></div><p>e");
    let texts: Vec<NodeId> = page.content_texts(page.root()).collect();
    let mut mask = Mask::none(&page);
    mask.keep(texts[0]);
    mask.keep(texts[2]);
    mask.keep(texts[4]);
    assert_eq!(text(&page, &mask), "a\nc\ne");
    assert_eq!(text(&page, &Mask::none(&page)), "");
}

#[test]
fn readings_deletions_and_soft_hyphens_are_left_out() {
    check(
        "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>",
        "漢字",
    );
    check(
        "It costs <del>9</del> <ins>8</ins>, not <s>7</s>.",
        "It costs 8, not .",
    );
    check("Wort\u{ad}teil <b>a\u{ad}b</b>", "Wortteil ab");
    check(
        "\u{ad} a\u{ad} <i>\u{ad}</i>b<i>\u{ad} </i>c \u{ad} d",
        "a b c d",
    );
}

#[test]
fn quotations_in_a_line_have_the_marks_of_their_language() {
    check(
        "She said <q>no <b>way</b></q>, twice.",
        "She said “no way”, twice.",
    );
    check("<p lang=de>Er sagte <q>nein </q>.", "Er sagte „nein“ .");
    check("<html lang=fr-CA><p><q>non</q>", "«non»");
    check("<q>«non»</q><q></q>", "«non»");
}

#[test]
fn what_the_source_hides_is_left_out_unless_it_is_much_of_the_text() {
    let words = "It rained for nine days. ".repeat(9);
    let of = |attribute: &str| {
        let page = Page::from_html(&format!("<p>{words}</p><p {attribute}>Copied!"));
        text(&page, &Mask::all(&page)).ends_with("Copied!")
    };
    for attribute in ["hidden", "style='color: red; DISPLAY : none !important'"] {
        assert!(!of(attribute), "{attribute}");
    }
    assert!(of("style='display: block'"));
    check("<div hidden>a</div>b", "a\nb");
}

#[test]
fn markers_of_footnotes_are_no_part_of_words() {
    check(
        "<p>a<sup id=r><a href=#n>1</a></sup>, b<a class=footnote-ref href=#n>[2]</a><ol><li id=n>c <a href=#r>\u{21a9}</a></ol>",
        "a[1], b[2]\nc",
    );
    check("<p>m<sup>2</sup> <a href=#n>see</a><p id=n>c", "m² see\nc");
}

#[test]
fn formulas_are_written_once() {
    check("a <img class=latex alt='x^2' src=b> b", "a $x^2$ b");
    check(
        "<p><script type='math/tex'>\\alpha_1</script>",
        "$\\alpha_1$",
    );
}

#[test]
fn what_is_read_aloud_is_left_out() {
    let words = "a ferry leaves at nine ".repeat(4);
    check(
        &format!("{words}<a href=/>b<span class=visually-hidden> (opens a tab)</span></a> c"),
        &format!("{words}b c"),
    );
    check(
        &format!("{words}<i style='visibility: hidden'>b</i>c"),
        &format!("{words}c"),
    );
}

#[test]
fn what_a_control_shows_is_text() {
    let words = "a ferry leaves at nine ".repeat(2);
    let words = words.trim();
    check(
        &format!("<p>{words}<div id=m hidden>b</div><a onclick=\"show('m')\">c</a>"),
        &format!("{words}\nb\nc"),
    );
    check(
        &format!("<p>{words}<div id=m hidden>b</div><button aria-controls=m>c</button>"),
        &format!("{words}\nb"),
    );
    check(
        &format!("<p>{words}<div role=tabpanel hidden>b</div>"),
        &format!("{words}\nb"),
    );
    check(
        &format!("<p>{words}<div hidden=until-found>b</div>"),
        &format!("{words}\nb"),
    );
    check(
        &format!("<p>{words}<div id=n hidden>b</div><a onclick=\"show('m')\">c</a>"),
        &format!("{words}\nc"),
    );
}

#[test]
fn buttons_that_are_words_are_text() {
    check("<p>the <button>n</button> of it", "the n of it");
    check("<p>see <button>Share</button></p>", "see");
    check(
        "<button data-target=#a>Do I have to book?</button>",
        "Do I have to book?",
    );
    check("<button data-target=#a>Read more</button>", "");
    check("<button>Do I have to book?</button>", "Do I have to book?");
    check("<button>Booked?</button>", "");
    check("<button>Share it with a friend</button>", "");
}

#[test]
fn links_of_headings_to_themselves_are_left_out() {
    check(
        "<h2>a <a href=#a>#</a></h2><h3>b<a href=/x#b aria-label=Permalink>\u{b6}</a></h3>",
        "a\nb",
    );
    check("<h2><a href=#a>a</a></h2><p>b <a href=#c>#</a>", "a\nb #");
}

#[test]
fn labels_of_listings_are_left_out() {
    let head = "<div><span class=lang>shell</span><span class=copy-code role=button>Copy it</span><i class=copied></i></div>";
    check(&format!("{head}<pre>ls</pre>"), "ls");
    check(
        "<span class=lang>shell</span> and <span class=body-copy>more</span>",
        "shell and more",
    );
}

mod structured {
    use super::*;
    use crate::render::{TextStyle, styled_text};

    fn check(html: &str, expected: &str) {
        let page = Page::from_html(html);
        let found = styled_text(&page, &Mask::all(&page), TextStyle::Structured);
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn headings_and_items_have_marks() {
        check(
            "<h2>a <b>b</b></h2><h3></h3><p>c<ul><li>d<ol start=3><li>e<li><p>f</p><p>g</p></ol><li></li><li>h</ul>i",
            "## a b\nc\n- d\n  3. e\n  4. f\ng\n- h\ni",
        );
        check("<dl><dt>a<dd>b<dd>c</dl>", "a\n  b\n  c");
    }

    #[test]
    fn data_tables_have_tabs_and_listings_no_numbers() {
        check(
            "a<table><tr><th rowspan=2>b<th>c<tr><td><p>d</p><p>e</p><tr><td colspan=2>f</table>g",
            "a\nb\tc\nb\td e\nf\t\ng",
        );
        check(
            "<table class=highlight><tr><td><pre>1\n2</pre><td><pre>let a;\nlet b;</pre></table>",
            "let a;\nlet b;",
        );
        check(
            "<table><caption>a</caption><tr><td>b<td>c<tr><td>d<td>e</table>",
            "a\nb\tc\nd\te",
        );
        check("<table><tr><td>a</table>", "a");
    }

    #[test]
    fn rows_that_repeat_a_cell_do_not_multiply_a_page() {
        let cell = "x".repeat(900);
        let rows = "<tr><td>b".repeat(30);
        let html = format!("<table><tr><td rowspan=33>{cell}<td>a{rows}</table>");
        let page = Page::from_html(&html);
        let found = styled_text(&page, &Mask::all(&page), TextStyle::Structured);
        assert!(found.len() <= 10 * html.len() && found.contains(&cell));
    }
}

mod media {
    use super::*;
    use crate::render::{PartlyKept, partly_kept, with_media};
    use forest_html::page::Kind;

    /// The page, and the mask of its texts but those with a `-`.
    fn texts(html: &str) -> (Page, Mask) {
        let page = Page::from_html(html);
        let mut mask = Mask::none(&page);
        let kept = page.content_texts(page.root());
        kept.filter(|&n| !page.text(n).contains('-'))
            .for_each(|n| mask.keep(n));
        (page, mask)
    }

    fn check(html: &str, expected: &[&str]) {
        let (page, mask) = texts(html);
        let shown = with_media(&page, &mask);
        let names = shown.nodes().filter(|&n| page.kind(n) == Kind::Element);
        let ids: Vec<_> = names.filter_map(|n| page.attr(n, "id")).collect();
        assert_eq!(ids, expected, "{html}");
    }

    #[test]
    fn pictures_and_embeds_among_kept_text_are_kept() {
        check(
            "<p>a</p><img id=1><iframe id=2></iframe><div><p>-b</p><img id=3></div><p>c<img id=4></p>d",
            &["1", "2", "4"],
        );
        check("<img id=1><p>a</p><img id=2>", &[]);
    }

    #[test]
    fn a_figure_is_kept_with_its_caption_unless_it_is_a_teaser() {
        check(
            "a<figure id=1><img id=2><figcaption id=3>-b</figcaption></figure>c\
             <figure id=4><a id=5 href=/x>-d</a></figure>e",
            &["1", "2", "3"],
        );
        check(
            "<p>a</p><div><figure id=1><img></figure>-a -b -c<p>-d</p></div><p>e",
            &[],
        );
    }

    #[test]
    fn the_picture_of_a_kept_caption_is_kept() {
        let figure = "<figure id=1><a id=2 href=/x><img id=3></a><figcaption id=4>b <i id=5>c</i></figcaption></figure>";
        let all = ["1", "2", "3", "4", "5"];
        check(&format!("<p>a</p>{figure}<p>d</p>"), &all);
        check(&format!("<p>a</p>{figure}<p>-d</p>"), &all);
        check(&format!("<p>-a</p>{figure}<p>d</p>"), &all);
        check(&format!("<img>{figure}<img>"), &all);
        check(
            "<p>a</p><figure id=1><figcaption id=2>b</figcaption><img id=3></figure>",
            &["1", "2", "3"],
        );
        // Not all of its text is kept.
        check("<figure id=1><img id=2><p>b</p><p>-c</p></figure><p>d", &[]);
    }

    #[test]
    fn tables_and_lists_that_are_not_whole_are_counted() {
        let check = |html: &str, tables, lists| {
            let (page, mask) = texts(html);
            assert_eq!(
                partly_kept(&page, &mask),
                PartlyKept { tables, lists },
                "{html}"
            );
        };
        check(
            "a<table><tr><td>b<td>-c</table>d<ul><li>e<ul><li>-f</ul></ul>g",
            1,
            1,
        );
        check(
            "a<table><tr><td>-b</table>c<ul><li><a href=/x>-d</a></ul>e",
            1,
            0,
        );
        check("-a<ul><li>-b</ul><p>c<ul><li>d</ul>e<ul><li>-f</ul>", 0, 0);
    }
}
