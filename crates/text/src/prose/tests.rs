//! The paper's own examples, and rules across the parts of the stage.

use super::*;
use proptest::prelude::*;

fn text_with(html: &str, options: &TextOptions) -> String {
    let page = Page::from_html(html);
    prose(&page, &Mask::all(&page), options).text
}

fn check(html: &str, expected: &str) {
    assert_eq!(text_with(html, &TextOptions::default()), expected, "{html}");
}

/// With the settings of a file.
fn check_set(settings: &str, html: &str, expected: &str) {
    let options = TextOptions::from_yaml(settings).expect(settings);
    assert_eq!(text_with(html, &options), expected, "{settings} {html}");
}

const FIGURE_8: &str = "<p>Before selecting a college, parents need to:</p><ol>\
    <li>Determine how much funding can be available from conventional sources such as savings, income \
    from the family budget, trusts, and part-time jobs, if more money is needed.</li>\
    <li>Explore the availability of scholarships, low-interest student and parent loans, second \
    mortgages, and conventional loans.</li>\
    <li>Examine their own life insurance policies and retirement programs to ensure that college funds \
    will be available in the event of their death.</li></ol>";

/// Section 3.2.3 prints this, with lowered initials.
const FIGURE_8_TEXT: &str = "Before selecting a college, parents need to determine how much funding \
    can be available from conventional sources such as savings, income from the family budget, trusts, \
    and part-time jobs, if more money is needed. Before selecting a college, parents need to explore \
    the availability of scholarships, low-interest student and parent loans, second mortgages, and \
    conventional loans. Before selecting a college, parents need to examine their own life insurance \
    policies and retirement programs to ensure that college funds will be available in the event of \
    their death.";

#[test]
fn figure_7_a_short_list_is_one_sentence() {
    check(
        "<p>The following list contains a general guideline of different body styles and wedding dress \
         styles to consider:</p><ul>\n<li>Hourglass-shaped brides</li>\n<li>Pear-shaped brides</li>\n\
         <li>Petite brides</li>\n<li>Plus-size brides</li>\n<li>Tall brides</li>\n</ul>",
        "The following list contains a general guideline of different body styles and wedding dress \
         styles to consider: Hourglass-shaped brides, Pear-shaped brides, Petite brides, Plus-size \
         brides, Tall brides.",
    );
}

#[test]
fn figure_8_the_introduction_is_repeated() {
    check_set("lower_initials: true", FIGURE_8, FIGURE_8_TEXT);
    let capitals = [
        ("to determine", "to Determine"),
        ("to explore", "to Explore"),
        ("to examine", "to Examine"),
    ];
    let kept = capitals
        .iter()
        .fold(FIGURE_8_TEXT.to_owned(), |text, (lower, upper)| {
            text.replace(lower, upper)
        });
    check(FIGURE_8, &kept);
}

#[test]
fn figure_9_cut_sentences_are_joined() {
    check(
        "<P><B>FIRST-GENERATION (1G) mobile phones,which have been around<BR>\n\
         since the 1970s, use analogue technology to transmit voice calls.<BR>\n\
         Sound quality is generally poor, use of radio spectrum is inefficient,<BR>\n\
         and calls can be intercepted quite easily. Of the world's 800m<BR>\n\
         mobile-phone users, around 70m, mostly in the developing world,<BR>\n\
         have 1G phones. </B></P>",
        "FIRST-GENERATION (1G) mobile phones,which have been around since the 1970s, use analogue \
         technology to transmit voice calls. Sound quality is generally poor, use of radio spectrum is \
         inefficient, and calls can be intercepted quite easily. Of the world's 800m mobile-phone \
         users, around 70m, mostly in the developing world, have 1G phones.",
    );
}

#[test]
fn figure_10_titles_of_acronyms_are_read() {
    check(
        "Accessible Arts is the peak arts organisation in <acronym title=\"New South Wales\">NSW</acronym> \
         promoting creative expression and participation in arts and cultural activities by people with \
         disabilities. This site provides information on art and disability in \
         <acronym title=\"New South Wales\">NSW</acronym>.",
        "Accessible Arts is the peak arts organisation in NSW (New South Wales) promoting creative \
         expression and participation in arts and cultural activities by people with disabilities. This \
         site provides information on art and disability in NSW (New South Wales).",
    );
}

#[test]
fn blocks_end_as_sentences() {
    check(
        "<h1>Rain</h1>\n<p>It rained</p>text<div>more: </div><p>***</p><p></p><p>Is it?",
        "Rain.\nIt rained.\ntext.\nmore:\n***\nIs it?",
    );
    check(
        "<figure><img><figcaption>The ferry</figcaption></figure>",
        "The ferry.",
    );
    check("<h1>A title<br>In Two Lines</h1>", "A title In Two Lines.");
    check(
        "<p lang=zh>今天下雨<p>他说：“走吧。”",
        "今天下雨。\n他说：“走吧。”",
    );
    check("<p>גשם<p>مطر؟", "גשם.\nمطر؟");
    check_set(
        "end_blocks: false",
        "<h1>Rain</h1><p>It rained",
        "Rain\nIt rained",
    );
}

#[test]
fn lines_that_are_meant_stay() {
    check(
        "<address>Jane Doe<br>12 High Street<br>Newtown</address>",
        "Jane Doe\n12 High Street\nNewtown.",
    );
    check(
        "<div class=poem><p>o night<br>o dark<br>o rain</div>",
        "o night\no dark\no rain.",
    );
    check("<p>It rained.<br><br>It snowed", "It rained.\nIt snowed.");
    // One long line does not make a width.
    check(
        "<p>The opening times of the museum of the old town on the hill above the river<br>\
         Tuesday from ten to five<br>Thursday from ten to eight<br>Saturday from nine to noon",
        "The opening times of the museum of the old town on the hill above the river.\n\
         Tuesday from ten to five.\nThursday from ten to eight.\nSaturday from nine to noon.",
    );
    check(
        "<p><b>Rain in May</b><br>It rained all day, and all night, and in June",
        "Rain in May.\nIt rained all day, and all night, and in June.",
    );
    check_set(
        "join_lines: false",
        "<p>It rained<br>all day",
        "It rained.\nall day.",
    );
    check_set(
        "keep_verse: false",
        "<address>Jane Doe<br>Newtown</address>",
        "Jane Doe.\nNewtown.",
    );
}

#[test]
fn links_that_touch_are_parted() {
    check("<p><a>Boats</a><a><b>Tides</b></a>", "Boats Tides.");
    check(
        "<p><a>Boat</a>s and <a>re</a>-<a>fit</a>",
        "Boats and re-fit.",
    );
}

#[test]
fn the_sign_to_link_to_a_heading_by_is_left_out() {
    check("<h2>Tides <a href='#t'>¶</a></h2>a", "Tides.\na.");
    check("<h2><a href='#t'>#</a> Tides</h2>a", "Tides.\na.");
    check("<h2><a>Tides</a></h2><p>a <a>¶</a>", "Tides.\na ¶.");
}

#[test]
fn hyperlink_lists_lose_their_short_items() {
    let links = "<ul><li><a href=/>Home</a><li><a href=/>Ferry to the islands is late</a> |<li><a href=/></a></ul>";
    check(links, "Ferry to the islands is late.");
    check_set(
        "link_item_words: 0",
        links,
        "Home.\nFerry to the islands is late.",
    );
    // A word that is no link: no hyperlink list.
    check("<ul><li><a href=/>Home</a><li>Sport</ul>", "Home.\nSport.");
    // Nested lists are judged alone.
    check(
        "<ul><li>Sport<ul><li><a href=/>Chess</a></ul></ul>",
        "Sport.",
    );
    // Two characters of Chinese are a word.
    check(
        "<ul><li><a href=/>首页</a><li><a href=/>今天下午这里下了大雨</a></ul>",
        "今天下午这里下了大雨。",
    );
    let page = Page::from_html("<ul><li><a>b<ul><li><a>a<br>c</a></ul><li><a>d</a></ul>");
    let prose = prose(&page, &Mask::all(&page), &TextOptions::default());
    assert_eq!(
        (&*prose.text, &*prose.removed),
        ("", &["b".to_owned(), "a c".to_owned(), "d".to_owned()][..])
    );
}

#[test]
fn short_lists_take_commas() {
    check(
        "<p>Take:<ul><li>salt;<li>oil, and<li>eggs,</ul>",
        "Take: salt; oil, and eggs.",
    );
    check("<p>Is it:<ul><li>salt?<li>oil</ul>", "Is it: salt? oil.");
    check("<p>Take :<ul><li>- salt<li>- oil</ul>", "Take : salt, oil.");
    check(
        "<p>Take:<ul><li><p>salt<li></ul><p>Stir",
        "Take: salt.\nStir.",
    );
    check("<p>你要：<ul><li>盐<li>油</ul>", "你要：盐、油。");
    check("<p>خذ:<ul><li>ملح<li>زيت</ul>", "خذ: ملح، زيت.");
    check("<p>Take:<ul></ul>", "Take:");
    check("<p>Take<ul><li>salt<li>oil</ul>", "Take.\nsalt.\noil.");
    check_set(
        "flatten_lists: false",
        "<p>Take:<ul><li>salt<li>oil;</ul>",
        "Take:\nsalt.\noil.",
    );
}

#[test]
fn the_median_decides() {
    let long = "a".repeat(60);
    check(
        &format!("<p>Take:<ul><li>b<li>{long}</ul>"),
        &format!("Take: b, {long}."),
    );
    check(
        &format!("<p>Take:<ul><li>{long};<li>{long} (a)<li>{long} -<li>b</ul>"),
        &format!("Take: {long}. {long} (a). {long} -. b."),
    );
    check_set(
        "short_item_chars: 1",
        "<p>Take:<ul><li>b<li>c</ul>",
        "Take: b. c.",
    );
    // Items of several blocks are sentences.
    check("<p>Take:<ul><li><p>Salt<p>Some</ul>", "Take: Salt. Some.");
}

#[test]
fn introductions_are_repeated_behind_trigger_words() {
    check(
        "<html lang=en><p>It is late. The ferry stops at:<ul><li>the pier,<li>the old harbour; and<li>the islands</ul>",
        "It is late. The ferry stops at the pier. The ferry stops at the old harbour. The ferry stops at the islands.",
    );
    check_set(
        "language: en",
        "<p>Ask Dr. Smith. At 5 p.m. you should go to:<ul><li>bed</ul>",
        "Ask Dr. Smith. At 5 p.m. you should go to bed.",
    );
    check(
        "<html lang=de><p>Auf der Insel können Sie:<ul><li>baden<li>Rad fahren</ul>",
        "Auf der Insel können Sie: baden, Rad fahren.",
    );
    check_set(
        "language: de",
        "<p>Gäste dürfen nicht:<ul><li>baden<li>Rad fahren</ul>",
        "Gäste dürfen nicht baden. Gäste dürfen nicht Rad fahren.",
    );
    check_set(
        "language: fr",
        "<p>Sur l’île, vous pouvez\u{a0}:<ul><li>nager<li>pêcher</ul>",
        "Sur l’île, vous pouvez nager. Sur l’île, vous pouvez pêcher.",
    );
    check_set(
        "language: es",
        "<p>El barco pasa por:<ul><li>la isla<li>el puerto</ul>",
        "El barco pasa por la isla. El barco pasa por el puerto.",
    );
    check_set(
        "repeat_introduction: false",
        "<p lang=en>Go to:<ul><li>a<li>b</ul>",
        "Go to: a, b.",
    );
    check_set(
        "{language: en, lower_initials: true}",
        "<p>You can:<ul><li>Swim<li>I Swim<li>BBC<li>A boat</ul>",
        "You can swim. You can I Swim. You can BBC. You can a boat.",
    );
    check_set(
        "{language: de, lower_initials: true}",
        "<p>Gehen Sie zu:<ul><li>Fuß</ul>",
        "Gehen Sie zu Fuß.",
    );
}

#[test]
fn repetition_is_bounded() {
    let html = format!(
        "<p>{} to:<ul>{}</ul>",
        "word ".repeat(70),
        "<li>a".repeat(10_000)
    );
    let options = TextOptions::from_yaml("language: en").expect("settings");
    assert!(text_with(&html, &options).len() < 4 * html.len());
}

#[test]
fn nested_lists_keep_their_lines() {
    check(
        "<p>Take:<ul><li>fruit:<ul><li>pears<li>plums</ul><li>salt</ul>",
        "Take:\nfruit.\n  pears.\n  plums.\nsalt.",
    );
}

#[test]
fn terms_stand_before_their_definitions() {
    check(
        "<dl><dt>Ferry<dd>A ship<dt>Pier:<dd>A wall<dd>A street",
        "Ferry: A ship.\nPier: A wall.\nPier: A street.",
    );
    check(
        "<dl><dt>Colour<dt>Color<dd>What is seen<dt>Alone</dl>",
        "Colour, Color: What is seen.\nAlone.",
    );
    check(
        "<dl><dt>Is it late?<dd>It is<dd><p>So<p>Say all</dl>",
        "Is it late? It is.\nIs it late? So.\nSay all.",
    );
    check("<dl><dd>A ship</dl>", "A ship.");
    check_set(
        "join_definitions: false",
        "<dl><dt>Ferry<dd>A ship</dl>",
        "Ferry.\nA ship.",
    );
}

#[test]
fn forms_and_menus() {
    let form = "<p>In <select><option>May<option selected>June</select> it rained";
    check(form, "In it rained.");
    check_set("drop_selected: false", form, "In June it rained.");
    let menu = "<div id=topMenu>Home</div><p>Rain";
    check(menu, "Home.\nRain.");
    check_set("drop_menus: true", menu, "Rain.");
}

#[test]
fn a_pre_keeps_its_lines() {
    check(
        "<pre>\n  let a;\n\n  b()  \n</pre><p>Rain",
        "  let a;\n  b()\nRain.",
    );
}

#[test]
fn tables_that_hold_tables_are_blocks() {
    check(
        "<table><tr><td><table><tr><td>a</table>b<td>c</table>",
        "a.\nb.\nc.",
    );
    check_set(
        "tables: false",
        "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
        "a b.\n1 2.",
    );
    let page =
        Page::from_html("<p>Rain<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table><p>Snow");
    let prose = prose(&page, &Mask::all(&page), &TextOptions::default());
    assert!(!prose.fixed.is_empty());
    for range in &prose.fixed {
        assert!(
            !prose.text[range.clone()].contains('\n'),
            "{:?}",
            prose.text
        );
    }
    assert!(prose.text.starts_with("Rain.\n") && prose.text.ends_with("\nSnow."));
}

/// The table of figures 1 and 4, as the paper writes it.
const FIGURE_4: &str = r#"<table>
<caption><b>Dimensions Comparison</b></caption>
<tr><td width="80">&nbsp;</td> <td width="85"><u>DS Lite</u></td>
  <td width="85"><u>Original DS</u></td><td width="85"><u>PSP</u></td>
</tr>
<tr> <td>Length</td> <td>133.0mm</td> <td>148.7mm</td> <td>170.0mm</td> </tr>
<tr> <td>Width</td> <td>73.9mm</td> <td>84.7mm</td> <td>74.0mm</td> </tr>
<tr> <td>Depth</td> <td>21.5mm</td> <td>28.8mm</td> <td>23.0mm</td> </tr>
<tr> <td>Weight</td> <td>218g</td> <td>275g</td> <td>260g</td> </tr>
</table>"#;

#[test]
fn figure_1_a_linear_extraction_is_row_after_row() {
    let page = Page::from_html(FIGURE_4);
    let text = prose(&page, &Mask::all(&page), &TextOptions::linear()).text;
    assert_eq!(
        text,
        "Dimensions Comparison\nDS Lite Original DS PSP\nLength 133.0mm 148.7mm 170.0mm\n\
         Width 73.9mm 84.7mm 74.0mm\nDepth 21.5mm 28.8mm 23.0mm\nWeight 218g 275g 260g"
    );
}

#[test]
fn figure_6_a_data_table_is_clauses() {
    let rows = "<tr><td></td><th>DS Lite<th>Original DS<th>PSP\
                <tr><th>Length<td>133.0mm<td>148.7mm<td>170.0mm<tr><th>Width<td>73.9mm<td>84.7mm<td>74.0mm\
                <tr><th>Depth<td>21.5mm<td>28.8mm<td>23.0mm<tr><th>Weight<td>218g<td>275g<td>260g";
    let table = format!("<table><caption>Dimensions Comparison</caption>{rows}</table>");
    let clauses = "Dimensions Comparison ;; DS Lite ; Length: 133.0mm / Original DS ; Length: 148.7mm / PSP ; Length: 170.0mm.\n\
         Dimensions Comparison ;; DS Lite ; Width: 73.9mm / Original DS ; Width: 84.7mm / PSP ; Width: 74.0mm.\n\
         Dimensions Comparison ;; DS Lite ; Depth: 21.5mm / Original DS ; Depth: 28.8mm / PSP ; Depth: 23.0mm.\n\
         Dimensions Comparison ;; DS Lite ; Weight: 218g / Original DS ; Weight: 275g / PSP ; Weight: 260g.";
    check(&table, clauses);
    check(FIGURE_4, clauses);
    // Without the tags that say what the cells are, and with the caption as a row.
    check(&table.replace("th>", "td>"), clauses);
    let title = "<tr><td colspan=4>Dimensions Comparison";
    check(&format!("<table>{title}{rows}</table>"), clauses);
    check_set(
        "{table_style: sentence, table_across: false}",
        "<table><tr><th>Town<th>Rain<th>Snow<tr><th>Kiel<td>10 mm<td>4 mm<tr><th>Bonn<td>12 mm<td>1 mm</table>",
        "Town Kiel: Rain 10 mm, Snow 4 mm.\nTown Bonn: Rain 12 mm, Snow 1 mm.",
    );
}

#[test]
fn a_markdown_table_ends_with_a_blank_line() {
    let table = "<table><caption>Of rain</caption><tr><th>Year<th>Rain<th>Snow\
                 <tr><th>1998<td>10 mm<td>4 mm<tr><th>1999<td>12 mm<td>0 mm<tr><th>2000<td>9 mm<td>7 mm</table>";
    check_set(
        "table_style: markdown",
        &format!("<p>Look:</p>{table}<p>Snow"),
        "Look:\nOf rain\n\n| Year | Rain | Snow |\n| --- | --- | --- |\n| 1998 | 10 mm | 4 mm |\n\
         | 1999 | 12 mm | 0 mm |\n| 2000 | 9 mm | 7 mm |\n\nSnow.",
    );
}

#[test]
fn a_mask_of_texts_gives_what_a_mask_of_subtrees_gives() {
    let page =
        Page::from_html("<nav>Home</nav><div><p>Take:<ul><li>salt<li>oil</ul><h2>Rain</h2></div>");
    let div = page
        .content_elements()
        .iter()
        .find(|&&n| page.tag(n).is_some_and(|t| &**t == "div"));
    let all = Mask::subtrees(&page, &[*div.expect("a div")]);
    let mut texts = Mask::none(&page);
    all.texts(&page).for_each(|n| texts.keep(n));
    let of = |mask: &Mask| prose(&page, mask, &TextOptions::default()).text;
    assert_eq!(of(&all), "Take: salt, oil.\nRain.");
    assert_eq!(of(&texts), of(&all));
    assert_eq!(of(&Mask::none(&page)), "");
}

#[test]
fn hostile_pages_give_bounded_text() {
    let n = 20_000;
    let shapes = [
        format!("<p>in:<ul>{}", "<li>a".repeat(n)),
        format!("<p>{}", "ab<br>".repeat(n)),
        "<p>to:<ul><li>a</ul>".repeat(n),
        format!("{}{}", "<ul><li>".repeat(240), "<li>a".repeat(n)),
        "<table><tr><td>a".repeat(n),
        format!("<dl><dt>{}{}", "w ".repeat(n), "<dd>a".repeat(n)),
        format!("<dl>{}<dd>b", "<dt>a".repeat(n)),
        format!("<p>{}:<ul><li>a", "a. A ".repeat(n)),
        format!("<p>(a{}", ")".repeat(n)),
        format!("<p>x:<ul><li>{}", "<p>*".repeat(n)),
        format!("<pre>{}", "a\n".repeat(n)),
        format!(
            "<div class='{}'>{}",
            "poet ".repeat(n),
            "<p>a<br>B".repeat(n)
        ),
    ];
    for html in shapes {
        let text = text_with(
            &html,
            &TextOptions::from_yaml("language: en").expect("settings"),
        );
        assert!(text.len() <= 4 * html.len(), "{}", &html[..20]);
    }
}

/// Pieces of pages: words, marks and markup, without verse and `pre`, whose lines are
/// no sentences.
fn pieces() -> impl Strategy<Value = String> {
    let words = "(rain|Ferry|to|5|雨|مطر|a|\\*|-)( |, |\\. |: |; |\\? |\u{a0}|\\))";
    let markup =
        "<(p|div|h2|ul|ol|li|dl|dt|dd|/ul|/ol|/dl|td|table|tr|a href=/|/a|br|abbr title=x|/abbr)>";
    let piece = prop_oneof![3 => words, 2 => markup];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn prose_of_prose_is_the_same(html in pieces()) {
        let options = TextOptions::from_yaml("{language: en, keep_verse: false}").expect("settings");
        let once = text_with(&html, &options);
        let page: String = once.lines().map(|line| format!("<p>{line}</p>")).collect();
        let lines: Vec<&str> = once.lines().map(str::trim).collect();
        prop_assert_eq!(text_with(&page, &options), lines.join("\n"), "{}", html);
        // And as a file of plain text, where all its lines end and none has a bullet.
        let is_sentence = |line: &&str| {
            line.ends_with(['.', '?', ':', '。']) && line.starts_with(char::is_alphabetic)
        };
        if lines.iter().all(is_sentence) && !once.contains("a. ") {
            let page = input::plain::page(&lines.join("\n"));
            let again = prose(&page, &Mask::all(&page), &options).text;
            prop_assert_eq!(again, lines.join("\n"), "{}", html);
        }
    }

    #[test]
    fn whatever_is_kept_there_is_no_empty_line_and_no_panic(html in pieces(), kept in any::<u64>()) {
        let page = Page::from_html(&html);
        let mut mask = Mask::none(&page);
        for n in page.nodes().filter(|n| kept >> (n.0 % 64) & 1 == 1) {
            mask.keep(n);
        }
        for options in [TextOptions::default(), TextOptions::linear()] {
            let prose = prose(&page, &mask, &options);
            prop_assert!(prose.text.lines().all(|line| !line.trim().is_empty()), "{:?}", prose.text);
            prop_assert_eq!(prose.text.trim_end(), &*prose.text);
        }
    }

    #[test]
    fn linear_text_has_the_words_of_the_page(html in pieces()) {
        let page = Page::from_html(&html.replace("abbr", "b"));
        let linear = prose(&page, &Mask::all(&page), &TextOptions::linear()).text;
        let words = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(words(&linear), words(&forest_core::render::text(&page, &Mask::all(&page))));
    }
}

#[test]
fn quotations_in_a_line_have_marks_and_deletions_are_gone() {
    check(
        "<p>She said <q>no, <b>never</b></q>, for <del>9</del> <ins>8</ins> days",
        "She said “no, never”, for 8 days.",
    );
}
