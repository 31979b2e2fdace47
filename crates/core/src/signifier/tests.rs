use super::*;
use forest_html::page::Page;
use forest_html::text::Language;

const A: &str = "<html lang=en><title>Not the body</title><body>\
    <p>Harvest harvest harvest of the apples in the orchard.</p><script>apples</script>\
    <p>Common words stand on every page.</p>";
const B: &str = "<html lang=en><body><p>Engines and engines drive the apples.</p>\
    <p>Common words stand on every page.</p>";

fn signifiers(pages: &[&str], of: usize, k: usize) -> Vec<(String, f64)> {
    let pages: Vec<Page> = pages.iter().map(|html| Page::from_html(html)).collect();
    let terms = SampleTerms::of(&pages.iter().collect::<Vec<_>>());
    let tfidf = TfIdf::of(&terms);
    Signifiers::by_tfidf(&tfidf, of, k)
        .iter()
        .map(|s| (terms.name(s.term).to_owned(), s.weight))
        .collect()
}

/// Weights worked by hand: n = 2; "harvest" tf 3, df 1; "engin" tf 2, df 1;
/// "appl" and the common words are on both pages and weigh 0.
#[test]
fn tf_times_idf() {
    let ln2 = 2f64.ln();
    assert_eq!(
        signifiers(&[A, B], 0, 10),
        [
            ("harvest".to_owned(), 3.0 * ln2),
            ("orchard".to_owned(), ln2)
        ]
    );
    assert_eq!(
        signifiers(&[A, B], 1, 10),
        [("engin".to_owned(), 2.0 * ln2), ("drive".to_owned(), ln2)]
    );
}

#[test]
fn ties_go_to_the_first_position_and_k_cuts() {
    let page = "<html lang=en><body>zebra yak xylophone walrus zebra";
    let names: Vec<_> = signifiers(&[page, A], 0, 3)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["zebra", "yak", "xylophon"]);
}

#[test]
fn one_page_is_ranked_by_tf() {
    assert_eq!(signifiers(&[A], 0, 1), [("harvest".to_owned(), 3.0)]);
    let page = Page::from_html(A);
    let terms = SampleTerms::of(&[&page]);
    assert!(TfIdf::of(&terms).by_tf_only());
}

#[test]
fn words_from_elsewhere_count_if_they_are_on_the_page() {
    let pages = [Page::from_html(A), Page::from_html(B)];
    let terms = SampleTerms::of(&pages.iter().collect::<Vec<_>>());
    let tfidf = TfIdf::of(&terms);
    let check = |k, expected: &[&str]| {
        let texts = ["The Orchards!", "Engines, orchard, apple harvests"];
        let found = Signifiers::by_words(&terms, &tfidf, 0, texts, k);
        let names: Vec<_> = found.iter().map(|s| terms.name(s.term)).collect();
        assert_eq!(names, expected);
    };
    // "appl" is on both pages and weighs nothing, but it was asked for.
    check(10, &["harvest", "orchard", "appl"]);
    check(1, &["harvest"]);
}

#[test]
fn the_language_of_the_page_picks_the_analyzer() {
    let page = Page::from_html(
        "<html lang=en><body><p>北京举行了一场关于城市交通的会议，代表们讨论了地铁线路的建设。</p>",
    );
    let terms = SampleTerms::of(&[&page]);
    assert_eq!(terms.page(0).language, Language::Chinese);
    assert!(terms.id("地铁").is_some());
}

#[test]
fn terms_are_kept_by_text_node() {
    let page = Page::from_html("<html lang=en><body>Apples <b>and</b> <i>pears, plums</i>");
    let terms = SampleTerms::of(&[&page]);
    let by_node: Vec<Vec<&str>> = terms
        .page(0)
        .texts()
        .iter()
        .map(|&t| {
            terms
                .page(0)
                .of(t)
                .iter()
                .map(|&id| terms.name(id))
                .collect()
        })
        .collect();
    assert_eq!(by_node, [vec!["appl"], vec!["pear", "plum"]]);
}

#[test]
fn pages_without_text_have_no_signifiers() {
    assert!(signifiers(&["", A], 0, 10).is_empty());
    assert!(signifiers(&["<frameset>"], 0, 10).is_empty());
}
