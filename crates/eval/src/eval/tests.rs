use proptest::prelude::*;

use super::*;
use forest_core::learn::{Method, SignifierSource};
use forest_core::onepage::{BlockModel, PageDigest};
use forest_html::text::Interner;
use forest_sources::gold::Collection;
use forest_text::pipeline::AnyMethod;
use forest_text::pipeline::Preset;
use std::sync::Arc;

/// Both F1 of `given` against `refs`.
#[track_caller]
fn check(given: &str, refs: &[&str], two_gram: f64, word_lcs: f64) {
    let score = GoldTexts::new(refs.iter().copied()).score("s/1", given);
    assert!(
        (score.two_gram.f1 - two_gram).abs() < 1e-12,
        "{given:?}: {:?}",
        score.two_gram
    );
    assert!(
        (score.word_lcs.f1 - word_lcs).abs() < 1e-12,
        "{given:?}: {:?}",
        score.word_lcs
    );
}

#[test]
fn same_words_score_one_whatever_case_and_punctuation() {
    check("A b, c.", &["a B c"], 1.0, 1.0);
}

#[test]
fn empty_texts_follow_the_convention() {
    check("", &[""], 1.0, 1.0);
    check("", &[], 1.0, 1.0);
    check("", &["a b"], 0.0, 0.0);
    check("a b", &[""], 0.0, 0.0);
    check(" .. ", &["!"], 1.0, 1.0);
}

#[test]
fn one_word_is_compared_as_one_word() {
    check("a", &["A"], 1.0, 1.0);
    check("a", &["b"], 0.0, 0.0);
    // One word is no pair: of "a b" it shares a word, but no 2-gram.
    check("a", &["a b"], 0.0, 2.0 / 3.0);
}

#[test]
fn repeated_pairs_count_once() {
    // {ab, ba} against {ab}: P 1/2, R 1; words: 2 of 4, 2 of 2.
    check("a b a b", &["a b"], 2.0 / 3.0, 2.0 / 3.0);
}

#[test]
fn order_matters_to_the_subsequence_across_sentences() {
    // {cd, da, ab} against {ab, bc, cd}; of four words two keep their order.
    check("c d a b", &["a b c d"], 2.0 / 3.0, 0.5);
}

#[test]
fn each_measure_takes_its_own_best_reference() {
    // Against the first, 3 of 5 pairs and 6 of 6 words; against the second 4 of
    // 5 pairs and 3 of 6 words. So: pairs P = R = 4/5, words P = 1, R = 6/8.
    let refs = ["a b x c d x e f", "d e f a b c"];
    check("a b c d e f", &refs, 0.8, 6.0 / 7.0);
    check("x y", &["a b", "x y", "x"], 1.0, 1.0);
}

#[test]
fn gottrons_example() {
    let score = GoldTexts::new(["Title Some text in the body"])
        .score("s/1", "Title Copyright Some text in");
    assert_eq!(score.word_lcs.recall, 4.0 / 6.0);
    assert_eq!(score.word_lcs.precision, 4.0 / 5.0);
    assert!((score.word_lcs.f1 - 8.0 / 11.0).abs() < 1e-12);
}

/// The textbook table, as the oracle.
fn lcs_by_table(a: &[u32], b: &[u32]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let up = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { up.max(row[j]) };
            diagonal = up;
        }
    }
    row[b.len()]
}

proptest! {
    #[test]
    fn subsequences_are_as_long_as_the_table_says(
        a in prop::collection::vec(0_u32..6, 0..300),
        b in prop::collection::vec(0_u32..6, 0..300),
    ) {
        prop_assert_eq!(word_lcs(&a, &b), lcs_by_table(&a, &b));
    }

    #[test]
    fn rare_words_carry_across_many_vector_words(
        a in prop::collection::vec(0_u32..400, 0..700),
        b in prop::collection::vec(0_u32..400, 0..700),
    ) {
        prop_assert_eq!(word_lcs(&a, &b), lcs_by_table(&a, &b));
    }

    #[test]
    fn scores_stay_in_their_range_and_swap(a in "[abc ]{0,30}", b in "[abc ]{0,30}") {
        let mut words = Interner::default();
        let (a, b) = (words.ids(&a), words.ids(&b));
        let (there, back) = (TwoGrams::new(&a), TwoGrams::new(&b));
        let (there, back) = (there.score(&back), back.score(&there));
        prop_assert_eq!(there.precision, back.recall);
        prop_assert!((0.0..=1.0).contains(&there.f1));
        prop_assert_eq!(word_lcs(&a, &b), word_lcs(&b, &a));
    }
}

/// A text of `n` words whose frequencies fall as in natural text.
fn natural(n: usize, seed: u64) -> Vec<u32> {
    let mut state = seed;
    (0..n)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let uniform = (state >> 40) as f64 / (1_u64 << 24) as f64;
            (30_000_f64.powf(uniform)) as u32
        })
        .collect()
}

#[test]
fn long_texts_are_compared_in_linear_memory() {
    // A full table of these would hold 10^10 entries. The length itself is that
    // of the generator's words; what is checked is its order of magnitude.
    let (a, b) = (natural(100_000, 1), natural(100_000, 2));
    let common = word_lcs(&a, &b);
    assert!((10_000..20_000).contains(&common), "{common}");
    let mut cut = a.clone();
    cut.drain(40_000..60_000);
    cut[0] = u32::MAX;
    assert_eq!(word_lcs(&a, &cut), 79_999);
}

fn page(id: &str, f1: f64) -> PageScore {
    let score = Score {
        precision: f1,
        recall: f1,
        f1,
    };
    PageScore {
        id: id.to_owned(),
        two_gram: score,
        word_lcs: score,
        empty: false,
        crash: None,
    }
}

#[test]
fn a_crash_counts_as_zero_and_is_named() {
    let pages = [page("a/1", 1.0), PageScore::crashed("a/2", "stack")];
    let summary = Summary::of(&pages).unwrap();
    assert_eq!(summary.two_gram.mean.f1, 0.5);
    assert_eq!(summary.crashed, ["a/2"]);
    assert_eq!((summary.pages, summary.empty), (2, 1));
}

#[test]
fn percentiles_are_linear_between_pages() {
    let pages: Vec<_> = (0..11)
        .map(|i| page(&format!("a/{i}"), f64::from(i) / 10.0))
        .collect();
    let summary = Summary::of(&pages).unwrap();
    let expected = [0.09, 0.25, 0.5, 0.75, 0.91];
    for (got, want) in summary.word_lcs.f1_percentiles.iter().zip(expected) {
        assert!((got - want).abs() < 1e-12, "{got} {want}");
    }
    assert!(Summary::of([]).is_none());
}

#[test]
fn sites_are_ordered_by_name_even_if_their_pages_are_not() {
    let pages = [page("b/1", 0.2), page("a/1", 1.0), page("b/2", 0.4)];
    let sites = by_site(&pages);
    let names: Vec<_> = sites.iter().map(|(name, s)| (*name, s.pages)).collect();
    assert_eq!(names, [("a", 1), ("b", 2)]);
    assert!((sites[1].1.two_gram.mean.f1 - 0.3).abs() < 1e-12);
}

#[test]
fn the_interval_is_the_same_every_time_and_holds_the_mean() {
    let pages: Vec<_> = (0..40)
        .map(|i| page(&format!("s{}/{i}", i % 10), f64::from(i % 10) / 10.0))
        .collect();
    let draw = |seed| bootstrap_over_sites(&pages, |p| p.two_gram.f1, RESAMPLES, seed).unwrap();
    let interval = draw(7);
    assert_eq!(interval, draw(7));
    assert_ne!(interval, draw(8));
    // Ten sites of 0.0, 0.1 ... 0.9: mean 0.45, standard error 0.091.
    assert!(
        (interval.low - (0.45 - 1.96 * 0.091)).abs() < 0.03,
        "{interval:?}"
    );
    assert!(
        (interval.high - (0.45 + 1.96 * 0.091)).abs() < 0.03,
        "{interval:?}"
    );
    assert!(bootstrap_over_sites(&[], |p| p.two_gram.f1, 10, 1).is_none());
    assert!(bootstrap_over_sites(&pages, |p| p.two_gram.f1, 0, 1).is_none());
}

#[test]
fn a_page_that_the_trees_were_trained_on_is_marked() {
    let dir = tempfile::tempdir().expect("a folder");
    let site = dir.path().join("a.example");
    std::fs::create_dir(&site).expect("made");
    for (name, html) in [("seen", "<p>One two three."), ("unseen", "<p>Four five.")] {
        std::fs::write(site.join(format!("{name}.html")), html).expect("a page");
        std::fs::write(site.join(format!("{name}.json")), r#"{"text": "One"}"#).expect("gold");
    }
    let collection = Collection::open(dir.path()).expect("a collection");
    let digest = PageDigest::of(b"<p>One two three.");
    let trees: String = include_str!("../../../core/src/onepage/trees.txt")
        .lines()
        .map(|line| match line.starts_with("pages ") {
            true => format!("pages {digest}\n"),
            false => format!("{line}\n"),
        })
        .collect();
    let trees = Arc::new(BlockModel::read(&trees).expect("trees"));
    let marked = |method: AnyMethod| {
        let mut setup = Setup::of(method, SignifierSource::TfIdf);
        setup.options = setup.options.with_model(Arc::clone(&trees));
        let pages = run(&collection, &[setup], &|| ()).expect("readable");
        let marked: Vec<bool> = pages[0].iter().map(|page| page.is_trained_on).collect();
        marked
    };
    assert_eq!(marked(Method::Forest.into()), [true, false]);
    assert_eq!(marked(Preset::Onepage.into()), [true, false]);
    assert_eq!(marked(Method::PaperNoDfs.into()), [false, false]);
}
