use super::*;
use forest_html::page::NodeId;

fn text(html: &str) -> String {
    let page = Page::from_html(html);
    let kept = article(&page).kept;
    kept.texts(&page).map(|n| page.text(n)).collect()
}

#[test]
fn rows_have_a_value_for_each_name_and_no_nan() {
    let page = Page::from_html("<h1>A</h1><p>One two.<br><br>Three<div><a href=x>four</a></div>");
    let blocks = block_features(&page);
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        assert_eq!(block.features.len(), feature_names().len());
        assert!(block.features.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn names_are_unique() {
    let names: std::collections::BTreeSet<_> = feature_names().iter().collect();
    assert_eq!(names.len(), feature_names().len());
}

fn value(html: &str, block: usize, name: &str) -> f32 {
    let page = Page::from_html(html);
    let at = feature_names().iter().position(|n| *n == name).expect(name);
    block_features(&page)[block].features[at]
}

#[test]
fn features_by_hand() {
    let html = "<title>The old mill</title><div class=menu><a href=/>Home page</a></div>\
        <article><h1>The old mill</h1><p>One two, three. Four five six seven eight nine ten.<p>x</article>";
    for (block, name, expected) in [
        (0, "words", 2.0),
        (0, "link-share", 1.0),
        (0, "to-menu", 0.0),
        (1, "to-menu", 40.0),
        (1, "tag", 4.0),
        (1, "of-title", 1.0),
        (1, "since-headline", 0.0),
        (2, "words", 10.0),
        (2, "stops", 0.2),
        (2, "ends-sentence", 1.0),
        (2, "since-headline", 1.0),
        (2, "since-headline-words", 3.0),
        (2, "to-article", 1.0),
        (2, "article-at", 1.0),
        (2, "own-page", 10.0 / 16.0),
        (2, "up1-words", 14.0),
        (2, "own-alike", 2.0),
        (2, "own-alike-words", 5.5),
        (2, "long-before", 99.0),
        (2, "in-body", -1.0),
        (2, "after-words", 1.0),
        (3, "after-words", -1.0),
        (3, "centre-half", 1.0),
        (3, "h1s", 1.0),
        (3, "paragraph-words-before", 10.0),
    ] {
        assert_eq!(value(html, block, name), expected, "{name} of {block}");
    }
}

#[test]
fn json_ld_is_compared() {
    let html = "<script type=application/ld+json>{\"@type\":\"Article\",\"articleBody\":\"one two three\"}</script>\
        <p>One two three<p>four five";
    assert_eq!(value(html, 0, "in-body"), 2.0 / 3.0);
    assert_eq!(value(html, 1, "in-body"), 0.0);
    assert_eq!(value(html, 1, "body-words"), 3.0);
}

#[test]
fn nothing_is_kept_of_nothing() {
    for html in [
        "",
        "<p>",
        "<script>one two</script>",
        "<frameset><frame src=x></frameset>",
    ] {
        let page = Page::from_html(html);
        let found = article(&page);
        assert!(found.kept.is_empty(), "{html}");
        assert_eq!(found.confidence, 0.0, "{html}");
    }
}

const STORY: [&str; 4] = [
    "The ferry to the islands leaves an hour later from Monday on, said the harbour master in the morning.",
    "The old engine had failed three times in a week, and twice the passengers had to be towed home.",
    "A new one was ordered in March, but the yard that builds it has no crane that can lift it.",
    "Until then, nobody should plan to be back on the mainland before noon, the master added.",
];

fn page_of(story: &str) -> String {
    format!(
        "<title>Ferry leaves later - The Harbour Gazette</title><body><div id=nav><ul><li><a href=/>Home</a>\
         <li><a href=/sport>Sport</a><li><a href=/weather>Weather</a></ul></div>{story}\
         <div class=related><h3>More news</h3><ul><li><a href=/1>Cat slept on the organ</a><li><a href=/2>Largest loaf weighed</a>\
         </ul></div><div id=footer>Copyright The Harbour Gazette. <a href=/imprint>Imprint</a></div>"
    )
}

fn check(story: &str) {
    let text = text(&page_of(story));
    for sentence in STORY {
        assert!(text.contains(sentence), "{sentence} is not in {text}");
    }
    for other in ["Weather", "Largest loaf", "Imprint"] {
        assert!(!text.contains(other), "{other} is in {text}");
    }
}

#[test]
fn articles_in_the_markup_of_each_time() {
    let [a, b, c, d] = STORY;
    check(&format!(
        "<div class=story><h1>Ferry leaves later</h1><p>{a}<p>{b}<p>{c}<p>{d}</div>"
    ));
    check(&format!(
        "<main><article><h1>Ferry leaves later</h1><p>{a}</p><p>{b}</p><p>{c}</p><p>{d}</p></article></main>"
    ));
    check(&format!(
        "<table><tr><td><b>Ferry leaves later</b><br><br>{a}<br><br>{b}<br><br>{c}<br><br>{d}</td></tr></table>"
    ));
    check(&format!(
        "<div class='css-1x2y3z'><div>{a}</div><div>{b}</div><div>{c}</div><div>{d}</div></div>"
    ));
}

#[test]
fn the_model_that_is_shipped_can_be_read() {
    assert!(BlockModel::read(include_str!("trees.txt")).is_ok());
}

/// A story of two paragraphs of eight words, and a menu of `links` short ones.
fn story_and_menu(links: usize) -> (Page, Vec<NodeId>) {
    let menu = "<li><a href=/a>All of it</a>".repeat(links);
    let page = Page::from_html(&format!(
        "<title>Rain</title><ul class=menu>{menu}</ul><article><h1>Rain</h1>\
         <p>It rained for nine days in the valley.<p>On the tenth the river was there.</article>"
    ));
    let elements = page.content_elements().iter().copied();
    let tops = elements.filter(|&n| matches!(page.tag(n).map(|t| &**t), Some("ul" | "article")));
    let tops = tops.collect();
    (page, tops)
}

#[test]
fn an_overlap_counts_the_larger_blocks() {
    let (page, tops) = story_and_menu(2);
    let overlap = |kept: &Mask| Overlap::of(&page, kept, BlockModel::shipped());
    let story = overlap(&Mask::subtrees(&page, &tops[1..]));
    assert_eq!(story.text_words, 15.0);
    assert_eq!(story.recall(), 1.0);
    assert!((story.precision() - story.shared_words / 15.0).abs() < 1e-6);
    let both = overlap(&Mask::subtrees(&page, &tops));
    assert_eq!(
        (both, both.text_words),
        (story, 15.0),
        "short links do not count"
    );
    let scores = BlockScores::of(&page, BlockModel::shipped());
    let from_scores = |kept: &Mask| Overlap::from_scores(&scores, kept);
    let all = Mask::subtrees(&page, &tops);
    assert_eq!(
        (from_scores(&all), from_scores(&Mask::none(&page))),
        (both, overlap(&Mask::none(&page)))
    );
    let nothing = overlap(&Mask::none(&page));
    assert_eq!((nothing.precision(), nothing.recall()), (0.0, 0.0));
    assert_eq!(nothing.article_words, story.article_words);
}

#[test]
fn an_overlap_counts_short_blocks_where_the_text_is_mostly_such() {
    let (page, tops) = story_and_menu(6);
    let all = Overlap::of(&page, &Mask::subtrees(&page, &tops), BlockModel::shipped());
    assert_eq!(all.text_words, 15.0 + 1.0 + 6.0 * 3.0);
    let menu = Overlap::of(
        &page,
        &Mask::subtrees(&page, &tops[..1]),
        BlockModel::shipped(),
    );
    assert_eq!(menu.text_words, 18.0);
    assert!(menu.precision() < 0.5 && menu.recall() < 0.5, "{menu:?}");
}

#[test]
fn an_overlap_by_hand() {
    let blocks = [(10.0, 0.9, true), (20.0, 0.6, false), (10.0, 0.1, true)];
    let sum = Overlap::sum(blocks.into_iter());
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-4, "{a} {b}");
    near(sum.text_words, 20.0);
    near(sum.shared_words, 10.0);
    near(sum.article_words, 22.0);
    near(sum.article_variance, 9.0 + 96.0 + 9.0);
    near(sum.likely_words, 30.0);
    near(sum.agreement(), 2.0 * 10.0 / (20.0 + 30.0));
    near(sum.shared_likely_words, 10.0);
    near(sum.precision(), 0.5);
    near(sum.recall(), 10.0 / 22.0);
    near(sum.expected_f1(), 20.0 / 42.0);
    near(sum.doubt(), 114.0_f32.sqrt() / 22.0);
}

#[test]
fn of_several_articles_with_headlines_the_first_is_kept() {
    let sentence = "The keeper wrote that storms had come and gone, and that the lamp burned. ";
    let story = |name: &str| {
        let body = format!("<p>{}", sentence.repeat(4)).repeat(4);
        format!("<article><h1>{name} story</h1>{body}<p>The end of {name}.</article>")
    };
    let html = format!("<body><main>{}{}</main>", story("First"), story("Second"));
    let text = text(&html);
    assert!(
        text.contains("The end of First.") && !text.contains("Second"),
        "{text}"
    );
}

#[test]
fn below_a_heading_alone_its_tables_are_the_text() {
    let check = |below: &str, parts: &[&str]| {
        let page = format!("<title>Keys</title><h1>Keys of the dome desk</h1>{below}");
        let text = text(&page);
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    };
    let rows = |rows: &[[&str; 2]]| {
        let row = |[a, b]: &[&str; 2]| format!("<tr><td>{a}</td><td>{b}</td></tr>");
        format!(
            "<table>{}</table>",
            rows.iter().map(row).collect::<String>()
        )
    };
    let slit = rows(&[["Ctrl+S", "Shut the slit"], ["Ctrl+O", "Open it by a hand"]]);
    let mount = rows(&[
        ["Ctrl+A", "Turn to the east"],
        ["Ctrl+E", "Turn to the west"],
    ]);
    check(
        &format!("<table><tr><td><b>Slit</b>{slit}</td><td><b>Mount</b>{mount}</td></tr></table>"),
        &["Slit", "Shut the slit", "Mount", "Turn to the west"],
    );
    check(
        &format!("<div><div>{slit}</div><div>{mount}</div></div>"),
        &["Ctrl+S", "Turn to the west"],
    );
    check(
        "<div><dl><dt>Ctrl+S<dd>Shut the slit<dt>Ctrl+A<dd>Turn east</dl></div>",
        &["Shut the slit", "Turn east"],
    );
    check(
        "<div><p>Start</p><pre>dome --open\ndome --turn east</pre></div>",
        &["dome --open"],
    );
}

#[test]
fn formulas_in_lines_of_their_own_are_text() {
    let words = "The mirror of the dome was ground by hand over two long winters, as its keeper \
                 says, and it took nine people to carry it up the hill. ";
    let text_around = |formulas: &str| {
        text(&format!(
            "<title>The mirror</title><article><h1>The mirror</h1><p>{0}</p><p>{0}</p>{formulas}<p>{0}</p></article>",
            words.repeat(3)
        ))
    };
    let square = "<math display=block><msup><mi>x</mi><mn>2</mn></msup></math>";
    let root = "<div><math display=block><msqrt><mi>y</mi></msqrt></math></div>";
    let script = "<div class=eq><script type='math/tex; mode=display'>z_1</script></div>";
    for (formulas, parts) in [
        (square.to_owned(), &["x^2"][..]),
        (
            format!("{square}{root}{script}"),
            &["x^2", "sqrt{y}", "z_1"],
        ),
        (
            format!("<table><tr><td>1<td>2<tr><td>3<td>4</table>{square}"),
            &["x^2"],
        ),
        (format!("<div>{root}</div>"), &["sqrt{y}"]),
    ] {
        let text = text_around(&formulas);
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
