//! Filters that judge elements by what is in them: sections 3.2 to 3.4, and portals.

use super::*;

/// A table of one row with these cells.
fn table(cells: &[&str]) -> String {
    let cells: String = cells
        .iter()
        .map(|cell| format!("<td>{cell}</td>"))
        .collect();
    format!("<table><tbody><tr>{cells}</tr></tbody></table>")
}

const LINK: &str = "<a href=\"a\">b</a>";

fn lists(ratio: f64) -> FilterSettings {
    only(|s| (s.link_lists, s.link_ratio) = (true, ratio))
}

#[test]
fn a_cell_with_more_links_a_word_than_the_ratio_loses_its_content() {
    // Ten letters are two words, and one link.
    let html = table(&[&format!("{LINK}abcde fghij"), "x"]);
    check(&lists(0.5), &html, &html);
    check(&lists(0.49), &html, &table(&["", "x"]));
    let cells = only(|s| (s.link_lists, s.link_ratio, s.remove_cells) = (true, 0.49, true));
    check(&cells, &html, &table(&["x"]));
}

#[test]
fn a_cell_with_links_and_no_words_goes_and_one_with_neither_stays() {
    check(
        &lists(100.0),
        &table(&[LINK, "<br>", "..."]),
        &table(&["", "<br>", "..."]),
    );
    check(
        &lists(100.0),
        &format!("<table><tbody><tr><th>{LINK}</th></tr></tbody></table>"),
        "<table><tbody><tr><th></th></tr></tbody></table>",
    );
}

#[test]
fn letters_are_letters_and_digits_of_any_script() {
    let check = |text: &str, words: f64| {
        let contents = Contents::of_text(text, false);
        assert_eq!(contents.words(&FilterSettings::default()), words, "{text}");
    };
    check("Abc, de!", 1.0);
    check("20 000", 1.0);
    check("Жбвгд", 1.0);
    check("北京欢迎", 2.0);
    check("ไทย かな", 2.5);
    check("→ — …", 0.0);
    assert_eq!(Contents::of_text("abc", true).letters, 0);
    assert_eq!(Contents::of_text("a b", true).characters, 2);
}

#[test]
fn cells_are_judged_outside_in() {
    // The outer cell is judged with the links of the inner ones in it: 2 links, 1 word.
    let html = table(&[&format!("abcde{}", table(&[&format!("{LINK}{LINK}")]))]);
    check(&lists(1.5), &html, &table(&[""]));
    check(
        &lists(2.0),
        &html,
        &table(&[&format!("abcde{}", table(&[""]))]),
    );
}

#[test]
fn a_cell_is_judged_again_by_what_is_left_in_it() {
    // The outer cell: 1 link and 2 words; without the inner table 1 link and 1 word.
    let html = table(&[&format!("{LINK}abcde{}", table(&["fghij"]))]);
    let both = |repeat| {
        only(|s| {
            (s.link_lists, s.link_ratio, s.repeat) = (true, 0.5, repeat);
            (s.empty_tables, s.substance_chars) = (true, 6);
        })
    };
    check(&both(true), &html, "");
    let page = Page::from_html(&html);
    assert_eq!(filter(&page, &both(false)).text(), "babcde\n");
}

#[test]
fn other_blocks_and_fields_by_settings() {
    let html = "<ul><li><a href=\"a\">b</a></li></ul><nav><input><a href=\"c\">d</a></nav>";
    check(&lists(0.5), html, html);
    let blocks = only(|s| {
        (s.link_lists, s.link_list_blocks, s.keep_fields) = (true, true, true);
    });
    check(&blocks, html, "<nav><input><a href=\"c\">d</a></nav>");
    let three = FilterSettings {
        least_links: 2,
        ..blocks
    };
    check(&three, html, html);
}

#[test]
fn tables_without_substance_go_inner_tables_first() {
    let tables = only(|s| (s.empty_tables, s.substance_chars) = (true, 4));
    check(&tables, &table(&["abc", ""]), "");
    check(&tables, &table(&["abcd"]), &table(&["abcd"]));
    let image = table(&["<img src=\"a\">"]);
    check(&tables, &image, &image);
    // Neither table has four characters when the other is gone.
    check(&tables, &table(&[&format!("ab{}", table(&["cd"]))]), "");
    let fields = table(&["<input>"]);
    check(&tables, &fields, "");
    let keeps = FilterSettings {
        keep_fields: true,
        ..tables.clone()
    };
    check(&keeps, &fields, &fields);
    let none = FilterSettings {
        substance: Vec::new(),
        ..tables
    };
    check(&none, &image, "");
}

#[test]
fn a_table_that_the_link_filter_emptied_goes_and_its_links_are_listed_in_order() {
    let settings = only(|s| (s.link_lists, s.empty_tables, s.removed_links) = (true, true, true));
    check(
        &settings,
        "<table><tr><td><a href=1>One</a> <a href=2><img></a><td><a href='3&amp;4'>Two &lt;</a></table><p>a</p>",
        "<p>a</p><nav class=\"forest-removed-links\"><ul><li><a href=\"1\">One</a></li>\
         <li><a href=\"3&amp;4\">Two &lt;</a></li></ul></nav>",
    );
}

#[test]
fn blocks_that_lost_all_go_and_those_that_had_nothing_stay() {
    let settings = only(|s| (s.text_links, s.emptied_blocks) = (true, true));
    check(
        &settings,
        "<div><div><a href=\"a\">b</a></div></div><div></div><p>c</p>",
        "<div></div><p>c</p>",
    );
}

#[test]
fn the_list_of_removed_links_is_left_alone() {
    let settings = only(|s| (s.text_links, s.removed_links) = (true, true));
    let html = "<p>1<a href=a>b</a></p>";
    let once = body(html, &settings);
    check(&settings, &once, &once);
    // A page cannot smuggle addresses that run into it.
    check(
        &settings,
        "<nav class=forest-removed-links><a href='javascript:x'>a</a><b onclick=c>d</b></nav>",
        "",
    );
}

#[test]
fn a_portal_keeps_its_text_and_loses_what_runs() {
    let cell = format!("News{}", LINK.repeat(60));
    let html = format!("{}<script>x</script><p>abc</p>", table(&[&cell, &cell]));
    let paper = FilterSettings {
        portal_share: 0.1,
        ..FilterSettings::default()
    };
    let page = Page::from_html(&html);
    let filtered = filter(&page, &paper);
    assert_eq!(filtered.warnings(), [FilterWarning::Portal]);
    assert_eq!(filtered.after().links, 120);
    assert!(!filtered.html().text.contains("script"));
    let published = FilterSettings {
        portal_share: 0.0,
        ..paper
    };
    let filtered = filter(&page, &published);
    assert_eq!(
        (filtered.warnings(), filtered.text()),
        (vec![], "abc\n".to_owned() + &"b\n".repeat(120))
    );
}

#[test]
fn statistical_methods_remove_blocks() {
    let html = "<ul><li><a href=a>Home</a></li><li><a href=b>News</a></li></ul>\
                <p>The ferry to the islands leaves an hour later than it did.</p>";
    let lqf = only(|s| s.blocks = BlockMethod::Lqf);
    check(
        &lqf,
        html,
        "<p>The ferry to the islands leaves an hour later than it did.</p>",
    );
    let once = FilterSettings {
        repeat: false,
        ..lqf.clone()
    };
    assert_eq!(body(html, &once), body(html, &lqf));
    let listed = FilterSettings {
        removed_links: true,
        ..lqf
    };
    assert_eq!(
        filter(&Page::from_html(html), &listed)
            .removed_links()
            .len(),
        2
    );
}

#[test]
fn one_published_walk_is_written_as_it_left_the_page() {
    let html = table(&[&format!("{LINK}abcde{}", table(&["fghij"]))]);
    let once = only(|s| {
        (s.link_lists, s.link_ratio, s.repeat) = (true, 0.5, false);
        (s.empty_tables, s.substance_chars) = (true, 6);
    });
    check(&once, &html, &table(&[&format!("{LINK}abcde")]));
}

#[test]
fn the_words_of_a_link_that_ran_are_words() {
    // On the way down two links and four words; on the way up one link and, without the
    // form, the two words of the link that lost its address.
    let html = "<table><tr><td><form>the words of the forms go</form><a href=/a>b</a>\
                <a href='javascript:c'>harbour news</a></table>";
    let settings = only(|s| (s.scripts, s.forms, s.link_lists) = (true, true, true));
    check(
        &settings,
        html,
        "<table><tbody><tr><td><a href=\"/a\">b</a><a>harbour news</a></td></tr></tbody></table>",
    );
}
