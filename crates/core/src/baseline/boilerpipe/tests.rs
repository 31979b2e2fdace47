use super::*;
use forest_html::page::Page;
use proptest::prelude::*;

/// The kept text, one line for each block, white space folded.
fn kept(page: &Page) -> String {
    content(labelled_blocks(&View::whole(page)))
        .map(|block| {
            let nodes = (block.first.0..=block.last.0).map(NodeId);
            let texts = nodes.filter(|&n| page.kind(n) == Kind::Text);
            let text: String = texts.map(|n| page.text(n)).collect();
            forest_html::text::fold(&text)
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn check(html: &str, expected: &str) {
    let page = Page::from_html(html);
    assert_eq!(kept(&page), expected);
    let mask = article(&View::whole(&page));
    let texts: String = mask.texts(&page).map(|n| page.text(n)).collect();
    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeeze(&texts), squeeze(expected));
    assert!(mask.nodes().all(|n| page.kind(n) == Kind::Text));
}

/// All blocks of a page: text, words, linked words.
fn check_blocks(html: &str, expected: &[(&str, u32, u32)]) {
    let page = Page::from_html(html);
    let mut blocks = Vec::new();
    block::text_blocks(&View::whole(&page), |block, text| {
        blocks.push((text.to_owned(), block.words, block.linked));
    });
    let blocks: Vec<_> = blocks
        .iter()
        .map(|(t, w, l)| (t.as_str(), *w, *l))
        .collect();
    assert_eq!(blocks, expected);
}

/// `n` words without a link: `w1 w2 ...`.
fn words(name: &str, n: usize) -> String {
    let words: Vec<String> = (1..=n).map(|i| format!("{name}{i}")).collect();
    words.join(" ")
}

/// A navigation block: links only, so that it separates what is around it.
const NAV: &str = "<p><a href=/>x</a></p>";

#[test]
fn blocks_end_at_tags_that_are_not_inline() {
    check_blocks(
        "<p>a<b>b</b><!-- --> c<span> d</span></p>e<div>f<br>g</div>h<img>i<time>j</time>",
        &[
            ("ab c d", 3, 0),
            ("e", 1, 0),
            ("f", 1, 0),
            ("g", 1, 0),
            ("h", 1, 0),
            ("i", 1, 0),
            ("j", 1, 0),
        ],
    );
}

#[test]
fn links_end_words_and_are_counted() {
    check_blocks(
        "<p>a<a href=x>b<i>c</i></a>d <abbr>e</abbr>f</p><div><a>g<p>h</p></a>i</div>",
        &[("a bc d e f", 5, 1), ("g", 1, 1), ("h", 1, 1), ("i", 1, 0)],
    );
}

#[test]
fn what_is_no_text_separates_blocks() {
    check_blocks(
        "a<script>x</script>b<select><option>y</select>c<object>z</object>d<embed>e\
         <noscript>n</noscript>f<iframe>i</iframe><title>t</title>g<template>t</template>h",
        &[
            ("a", 1, 0),
            ("b", 1, 0),
            ("c", 1, 0),
            ("d", 1, 0),
            ("e", 1, 0),
            ("f", 1, 0),
            ("g", 1, 0),
            ("h", 1, 0),
        ],
    );
}

#[test]
fn a_block_needs_a_token() {
    check_blocks("<p>|</p><p> \u{a0} </p><p>...</p>", &[("...", 0, 0)]);
}

#[test]
fn a_block_of_17_words_is_content() {
    check(&format!("{NAV}<p>{}", words("a", 16)), "");
    let text = words("a", 17);
    check(&format!("{NAV}{NAV}<p>{text}"), "");
    check(&format!("<p>{text}"), &text);
}

#[test]
fn after_a_block_of_links_a_block_needs_41_words_or_18_after_it() {
    check(&format!("{NAV}<p>{}", words("a", 40)), "");
    let text = words("a", 41);
    check(&format!("{NAV}<p>{text}"), &format!("x\n{text}"));
    check(
        &format!("{NAV}<p>b</p><p>{}", words("a", 17)),
        &format!("b\n{}", words("a", 17)),
    );
    check(
        &format!("{NAV}<p>b</p><p>{}", words("a", 18)),
        &format!("x\nb\n{}", words("a", 18)),
    );
}

#[test]
fn short_blocks_are_content_beside_longer_ones() {
    // Fifteen words after it are too few, sixteen are enough.
    check(&format!("<p>b</p><p>{}", words("a", 15)), "");
    let long = words("a", 16);
    check(&format!("<p>b</p><p>{long}"), "b");
    // More than four words before it.
    check("<p>a b c d</p><p>e</p>", "");
    check("<p>a b c d e</p><p>f</p>", "a b c d e\nf");
}

#[test]
fn a_third_of_linked_words_is_too_many() {
    let third = format!("{} <a href=x>{}</a>", words("a", 20), words("l", 10));
    check(&format!("<p>{third}"), "");
    let less = format!("{} <a href=x>{}</a>", words("a", 21), words("l", 10));
    check(
        &format!("<p>{less}"),
        &format!("{} {}", words("a", 21), words("l", 10)),
    );
}

#[test]
fn a_block_is_no_list_of_links_up_to_five_words_in_nine() {
    let text = words("a", 17);
    let before = |words_before: &str, links: &str| {
        let html = format!("<p>{words_before} <a href=x>{links}</a><p>{text}");
        kept(&Page::from_html(&html))
    };
    let (plain, links) = (words("b", 4), words("l", 5));
    assert_eq!(before(&plain, &links), format!("{plain} {links}\n{text}"));
    assert_eq!(before(&words("b", 11), &words("l", 14)), "");
}

#[test]
fn the_block_before_content_is_content() {
    let text = words("a", 41);
    check(&format!("<p>b</p>{NAV}<p>{text}"), &format!("x\n{text}"));
}

#[test]
fn content_over_a_gap_is_joined_without_the_gap() {
    let (a, b) = (words("a", 41), words("b", 50));
    check(
        &format!("<p>{a}</p>{NAV}{NAV}<p>{b}"),
        &format!("{a}\nx\n{b}"),
    );
    check(
        &format!("<p>{a}</p>{NAV}{NAV}{NAV}<p>{b}"),
        &format!("x\n{b}"),
    );
}

#[test]
fn the_largest_group_is_kept_the_first_of_equals() {
    let gap = NAV.repeat(4);
    let (a, b) = (words("a", 50), words("b", 41));
    check(&format!("<p>{a}</p>{gap}<p>{b}"), &a);
    // The link before the second group belongs to it.
    let a = words("a", 42);
    check(&format!("<p>{a}</p>{gap}<p>{b}"), &a);
}

#[test]
fn groups_from_the_title_on_are_kept() {
    let gap = NAV.repeat(4);
    let (a, b) = (words("a", 17), words("b", 50));
    let html = |title: &str| {
        format!("<title>{title} | Site</title><h1>Old\n oak</h1><p>{a}</p>{gap}<p>{b}")
    };
    check(&html("Old oak"), &format!("Old oak\n{a}\nx\n{b}"));
    check(&html("OLD OAK"), &format!("Old oak\n{a}\nx\n{b}"));
    check(&html("Old elm"), &format!("x\n{b}"));
    // From the last group with the title.
    let html = format!(
        "<title>Old oak</title><h1>Old oak</h1><p>{a}</p>{gap}{}",
        html("Old oak")
    );
    check(&html, &format!("Old oak\n{a}\nx\n{b}"));
}

#[test]
fn nothing_is_content_after_an_end_mark() {
    let text = words("a", 60);
    let more = words("b", 20);
    check(
        &format!("<p>{text}</p><h3>12 Comments</h3><p>{more}"),
        &text,
    );
    // Too few words before it: no end.
    let text = words("a", 59);
    check(
        &format!("<p>{text}</p><h3>12 Comments</h3><p>{more}"),
        &format!("{text}\n12 Comments\n{more}"),
    );
}

#[test]
fn only_full_text_counts_before_an_end_mark() {
    // Words of twenty characters: four a line, which is no full text.
    let wide = vec!["abcdefghijklmnopqrst"; 60].join(" ");
    let more = words("b", 20);
    check(
        &format!("<p>{wide}</p><h3>Post a comment</h3><p>{more}"),
        &format!("{wide}\nPost a comment\n{more}"),
    );
}

#[test]
fn end_marks() {
    let marks = [
        "comments",
        "comments (3)",
        "© reuters 2010",
        "please rate this article",
        "post a comment",
        "3 comments",
        "12 users responded in this post",
        "tell us what you think...",
        "now: add your comment",
        "or add comment",
        "reader views",
        "and have your say",
        "all reader comments",
        "rätta artikeln",
        "thanks for your comments - this feedback is now closed",
    ];
    for mark in marks {
        assert!(rules::terminates(mark), "{mark}");
    }
    let others = [
        "comment",
        "1 users",
        "no comments",
        "3comments",
        "2 users",
        "thanks for your comments",
        "",
    ];
    for other in others {
        assert!(!rules::terminates(other), "{other}");
    }
    assert!(rules::may_terminate(14) && !rules::may_terminate(15));
}

#[test]
fn pages_without_a_body_or_without_text_give_nothing() {
    check("", "");
    check("<frameset><frame></frameset>", "");
    check("<p></p><img>", "");
}

#[test]
fn text_after_the_body_and_without_a_body_tag_counts() {
    let text = words("a", 17);
    check(&text, &text);
    check(&format!("<body></body></html>{text}"), &text);
}

#[test]
fn many_blocks() {
    let n = 200_000;
    let page = Page::from_html(&"<p>a b c d e".repeat(n));
    assert_eq!(article(&View::whole(&page)).texts(&page).count(), n);
}

#[test]
fn a_long_block() {
    let html = "<b>word </b>".repeat(100_000) + &"x".repeat(5_000_000);
    let page = Page::from_html(&html);
    assert_eq!(article(&View::whole(&page)).texts(&page).count(), 100_001);
    // One word, so that its text is compared with end marks.
    let page = Page::from_html(&format!("<p>a b c d e<p>{}", "|".repeat(5_000_000) + "f"));
    assert_eq!(article(&View::whole(&page)).texts(&page).count(), 2);
}

#[test]
fn many_separators_in_a_title() {
    let title = "a|b:c(d)e-f,".repeat(50_000);
    let page = Page::from_html(&format!("<title>{title}</title><p>a b c d e<p>f"));
    assert_eq!(article(&View::whole(&page)).texts(&page).count(), 2);
}

/// Pieces of HTML that the rules look at.
fn html() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<p>"),
        Just("</p>"),
        Just("<a href=x>"),
        Just("</a>"),
        Just("<title>a b"),
        Just("</title>"),
        Just("<option>"),
        Just("<abbr>"),
        Just("<template>"),
        Just("<body>"),
        Just("</body>"),
        Just("<table><td>"),
        Just("<svg>"),
        Just(" comments 12 comments "),
        Just("a b "),
        Just("one two three four five six "),
        Just("\u{a0}|"),
        Just("ß北京\u{301}"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_give_a_mask(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let page = Page::parse(&bytes, Default::default());
        article(&View::whole(&page));
    }

    #[test]
    fn only_content_texts_are_kept(html in html()) {
        let page = Page::from_html(&html);
        let mask = article(&View::whole(&page));
        prop_assert!(mask.nodes().all(|n| page.kind(n) == Kind::Text && page.is_content(n)));
        prop_assert_eq!(mask, article(&View::whole(&page)));
    }

    #[test]
    fn blocks_follow_each_other(html in html()) {
        let page = Page::from_html(&html);
        let mut after = NodeId(0);
        for block in labelled_blocks(&View::whole(&page)) {
            prop_assert!(after < block.first && block.first <= block.last);
            prop_assert!(block.linked <= block.words);
            after = block.last;
        }
    }
}
