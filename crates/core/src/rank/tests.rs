use super::*;
use crate::pattern::{PatternOptions, patterns};
use crate::signifier::{SampleTerms, Signifiers, TfIdf};
use forest_html::page::Page;
use proptest::prelude::*;

fn found(htmls: &[&str], words: &str) -> Vec<Pattern> {
    let pages: Vec<Page> = htmls.iter().map(|html| Page::from_html(html)).collect();
    let pages: Vec<&Page> = pages.iter().collect();
    let terms = SampleTerms::of(&pages);
    let tfidf = TfIdf::of(&terms);
    let signifiers: Vec<_> = (0..pages.len())
        .map(|i| Signifiers::by_words(&terms, &tfidf, i, [words], 10))
        .collect();
    patterns(&pages, &terms, &signifiers, PatternOptions::default())
}

const PAGES: [&str; 2] = [
    "<html lang=en><body><div id=menu>home news</div><div id=story>apples grow near apples</div>\
     <div id=foot>legal apples</div>",
    "<html lang=en><body><div id=menu>home news</div><div id=story>apples fall</div>",
];

/// Worked by hand for `div[@id='story']`: page 0 has X = 3, Y = 5 ("home",
/// "new", "grow", "near", "legal"), the element x = 2, y = 2; page 1 has X = 1,
/// Y = 3, the element x = 1, y = 1. p = 2, level = 2.
#[test]
fn relevance_by_hand() {
    let found = found(&PAGES, "apple");
    let ranked = rank(&found, &Informativeness, LevelFactor::Level);
    let story = ranked
        .iter()
        .find(|r| r.pattern.element_type.attribute("id") == Some("story"))
        .expect("story");
    let j0 = (2.5 - (2.5f64 * 2.5 / 4.0).sqrt()) / 5.0;
    let u0 = 4.0 * 8f64.ln() - 2.0 * 3f64.ln() - 2.0 * 5f64.ln();
    let j1 = (1.5 - (1.5f64 * 1.5 / 2.0).sqrt()) / 3.0;
    let u1 = 2.0 * 4f64.ln() - 1f64.ln() - 3f64.ln();
    let expected = (j0 * u0 + j1 * u1) * 2.0 * 2.0;
    assert!((story.relevance - expected).abs() < 1e-12);
    assert_eq!(story.pages(), 2);
    assert_eq!(story.dfs_set(), [3]);
    assert_eq!(ranked[0].pattern, story.pattern);
}

#[test]
fn the_level_is_a_factor_that_can_be_left_out() {
    let found = found(&PAGES, "apple");
    let with = rank(&found, &Informativeness, LevelFactor::Level);
    let without = rank(&found, &Informativeness, LevelFactor::None);
    for r in &with {
        let other = without.iter().find(|o| o.pattern == r.pattern);
        let expected = other.expect("same patterns").relevance * f64::from(r.pattern.level);
        assert!((r.relevance - expected).abs() < 1e-9);
    }
    let levels: Vec<u16> = with.iter().map(|r| r.pattern.level).collect();
    assert!(levels.contains(&1) && levels.contains(&2), "{levels:?}");
}

#[test]
fn of_several_elements_on_a_page_the_best_counts_the_first_on_a_tie() {
    let html = "<html lang=en><body><p class=a>apples far away</p><p class=a>apples</p>\
                <p class=a>apples</p>";
    let found = found(&[html], "apple");
    let ranked = rank(&found, &Density, LevelFactor::Level);
    let p = ranked
        .iter()
        .find(|r| r.pattern.element_type.attribute("class").is_some())
        .expect("p");
    assert_eq!(p.pages(), 1);
    assert_eq!(p.dfs_set(), [3]);
}

#[test]
fn ties_go_to_the_smaller_dfs() {
    let found = found(
        &["<html lang=en><body><p id=b>apples</p><p id=a>apples</p>"],
        "apple",
    );
    let ranked = rank(&found, &Informativeness, LevelFactor::Level);
    let ids: Vec<_> = ranked
        .iter()
        .filter_map(|r| r.pattern.element_type.attribute("id"))
        .collect();
    assert_eq!(ids, ["b", "a"]);
}

#[test]
fn an_explanation_adds_up() {
    let found = found(&PAGES, "apple");
    for (measure, name) in [
        (&Informativeness as &dyn Measure, "I"),
        (&Coverage, "Cov"),
        (&Density, "J"),
        (&Unexpectedness, "U"),
    ] {
        for r in rank(&found, measure, LevelFactor::Level) {
            let tree = r.explain(measure, LevelFactor::Level);
            let [sum, p, level] = &tree.details[..] else {
                panic!("sum, p, level");
            };
            assert!((tree.value - sum.value * p.value * level.value).abs() < 1e-9);
            let pages: f64 = sum.details.iter().map(|d| d.value).sum();
            assert!((sum.value - pages).abs() < 1e-9);
            assert!(sum.details[0].description.contains(name));
        }
    }
}

proptest! {
    #[test]
    fn measures_are_finite_and_not_negative(
        x in 0u32..1_000_000, y in 0u32..1_000_000, more_x in 0u32..1_000_000, more_y in 0u32..1_000_000,
    ) {
        let element = TermCounts { signifiers: x, others: y };
        let page = TermCounts { signifiers: x + more_x, others: y + more_y };
        let (j, u) = (jeffreys_density(x, y), unexpectedness(element, page));
        prop_assert!((0.0..=1.0).contains(&j), "{j}");
        prop_assert!(u.is_finite() && u >= 0.0, "{u}");
    }
}

use crate::pattern::TermCounts;
