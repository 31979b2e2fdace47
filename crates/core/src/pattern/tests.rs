use super::*;
use crate::signifier::TfIdf;

fn sample(htmls: &[&str], words: &str, options: PatternOptions) -> Vec<Pattern> {
    let pages: Vec<Page> = htmls.iter().map(|html| Page::from_html(html)).collect();
    let pages: Vec<&Page> = pages.iter().collect();
    let terms = SampleTerms::of(&pages);
    let tfidf = TfIdf::of(&terms);
    let signifiers: Vec<_> = (0..pages.len())
        .map(|i| Signifiers::by_words(&terms, &tfidf, i, [words], 10))
        .collect();
    patterns(&pages, &terms, &signifiers, options)
}

fn check(htmls: &[&str], words: &str, expected: &[&str]) {
    let found: Vec<String> = sample(htmls, words, PatternOptions::default())
        .iter()
        .map(|p| {
            let at: Vec<String> = p
                .occurrences
                .iter()
                .map(|o| {
                    format!(
                        "{}:{} {}/{}",
                        o.page, o.dfs.0, o.element.signifiers, o.element.others
                    )
                })
                .collect();
            format!("{} {} [{}]", p.level, p.element_type, at.join(", "))
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn elements_on_significant_paths_only() {
    check(
        &[
            "<html lang=en><body><div id=a><p>apples grow</p><p>nothing</p></div><div id=b>else</div>",
        ],
        "apple",
        &[
            "1 //body[@dfs=1] [0:1 1/3]",
            "2 //div[@id='a'] [0:2 1/2]",
            "3 //p[@dfs=3] [0:3 1/1]",
        ],
    );
}

#[test]
fn tolerant_forms_meet_across_pages_and_levels_part() {
    check(
        &[
            "<html lang=en><body><div class='post-1 a'>apples",
            "<html lang=en><body><div class='post-22 b'><div class=post->apples",
        ],
        "apple",
        &[
            "1 //body[@dfs=1] [0:1 1/0, 1:1 1/0]",
            "2 //div[@class='post-'] [0:2 1/0, 1:2 1/0]",
            "3 //div[@class='post-'] [1:3 1/0]",
        ],
    );
}

#[test]
fn whole_values_when_not_tolerant() {
    let htmls = [
        "<html lang=en><body><p class='post-1'>apples",
        "<html lang=en><body><p class='post-2'>apples",
    ];
    let found = sample(
        &htmls,
        "apple",
        PatternOptions::default().with_tolerant(false),
    );
    assert_eq!(found.len(), 3);
    assert_eq!(sample(&htmls, "apple", PatternOptions::default()).len(), 2);
}

#[test]
fn comment_paths_can_be_left_out() {
    let htmls = ["<html lang=en><body><p id=x>apples</p><div class=user-comments>apples"];
    let left = |options| {
        sample(&htmls, "apple", options)
            .iter()
            .filter(|p| p.element_type.attribute("class").is_some())
            .count()
    };
    assert_eq!(left(PatternOptions::default()), 1);
    assert_eq!(left(PatternOptions::default().with_comment_paths(false)), 0);
}

#[test]
fn names_that_xpath_cannot_say_are_no_part_of_a_type() {
    let page = Page::from_html("<p @click=a :class=b fb:x=c 1=d data-k=e xmlns=f>");
    let p = page.elements().last().expect("p");
    assert_eq!(
        ElementType::of(&page, p, true).to_string(),
        "//p[@data-k='e']"
    );
}

/// One page, so weights are tf: "appl" 2, "pear" 1, normalised 2/3 and 1/3. An
/// element with both covers (2/3 + 1/3) / 2, with the first (2/3) / 2, with the
/// second (1/3) / 2.
#[test]
fn coverage_by_hand() {
    let found = sample(
        &["<html lang=en><body><p id=a>apples apples</p><p id=b>pears"],
        "apple pear",
        PatternOptions::default(),
    );
    let coverage: Vec<f64> = found.iter().map(|p| p.occurrences[0].coverage).collect();
    assert_eq!(coverage, [0.5, 2.0 / 3.0 / 2.0, 1.0 / 3.0 / 2.0]);
}

/// On two pages that share the words all weights are 0.
#[test]
fn words_without_weight_share_coverage_evenly() {
    let html = "<html lang=en><body><p id=a>apples</p><p id=b>pears";
    let found = sample(&[html, html], "apple pear", PatternOptions::default());
    let coverage: Vec<f64> = found.iter().map(|p| p.occurrences[0].coverage).collect();
    assert_eq!(coverage, [0.5, 0.25, 0.25]);
}

#[test]
fn a_page_without_signifiers_has_no_pattern() {
    let page = Page::from_html("<p>a");
    let terms = SampleTerms::of(&[&page]);
    let none = Signifiers::by_tfidf(&TfIdf::of(&terms), 0, 0);
    assert!(patterns(&[&page], &terms, &[none], PatternOptions::default()).is_empty());
}
