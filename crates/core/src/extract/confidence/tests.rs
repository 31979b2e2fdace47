use super::*;
use crate::extract::{ArticleWarning, Extractor, Options, Status, fallback, one_page};
use crate::onepage::Overlap;
use crate::onepage::ScoredPage;
use crate::wrapper::{Evidence, Support, Wrapper};
use forest_html::page::{Mask, Page};
use std::collections::BTreeMap;

const PARAGRAPHS: [&str; 5] = [
    "The ferry to the islands leaves an hour later from Monday on, said the harbour master on Friday.",
    "The old engine had failed three times in a week, and the passengers had to be towed home.",
    "A new one was ordered in March, but the yard that builds it has no crane that can lift it.",
    "Until it comes the mail goes by fishing boat, as it did in the years before the ferry.",
    "The baker has moved his oven to the quay, so that the bread is warm when the boat leaves.",
];

/// A page with a story of five paragraphs, and `extra` behind it.
fn story(extra: &str) -> Page {
    let body: Vec<String> = PARAGRAPHS.iter().map(|p| format!("<p>{p}</p>")).collect();
    Page::from_html(&format!(
        "<title>The ferry leaves later</title><ul class=menu><li><a href=/>Home</a><li><a href=/b>More news</a></ul>\
         <main><h1>The ferry leaves later</h1><p class=teaser>{}</p><article>{}</article></main>{extra}\
         <div class=footer><a href=/imprint>Imprint</a></div>",
        "An hour later, from Monday on.",
        body.concat()
    ))
}

/// A box with the teasers of other articles.
fn teasers() -> String {
    let teaser = |n: usize| {
        format!(
            "<li><a href=/story/{n}>Another thing that happened on day {n} of the year</a>\
             <p><a href=/story/{n}>Read what the mayor said of it ...</a></p>"
        )
    };
    let all: Vec<String> = (0..40).map(teaser).collect();
    format!(
        "<div class=related><h3>Read also</h3><ul>{}</ul></div>",
        all.concat()
    )
}

fn extractor(body: &str, evidence: &str) -> Extractor {
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n- body: ['{body}']\n{evidence}");
    Extractor::new(Wrapper::from_yaml(&yaml).expect("yaml").wrapper).expect("compiles")
}

const FOREST: &str =
    "  evidence: {method: forest, signifiers: onepage, relevance: 0.9, j: 0, u: 0, level: 0}\n";

#[test]
fn the_whole_article_is_sure_and_a_part_of_it_or_more_is_not() {
    let page = story(&teasers());
    let check = |body: &str, range: std::ops::Range<f64>, warning: &str| {
        for evidence in [FOREST, ""] {
            let article = extractor(body, evidence).extract(&page, &Options::default());
            let sure = article.confidence.expect("judged");
            assert!(range.contains(&sure), "{body}{evidence}: {sure}");
            let is_degraded = article.status == Status::Degraded;
            assert_eq!(is_degraded, sure < DOUBTFUL, "{body}{evidence}: {sure}");
            let unlike = |w: &&ArticleWarning| matches!(w, ArticleWarning::Unlike { .. });
            let warned = article
                .warnings
                .iter()
                .find(unlike)
                .map(ArticleWarning::to_string);
            assert_eq!(warned.is_some(), is_degraded, "{body}: {warned:?}");
            assert!(warned.is_none_or(|said| said.contains(warning)), "{body}");
        }
    };
    check("//article", 0.8..1.01, "");
    check("//*[@class=\"teaser\"]", 0.0..DOUBTFUL, "likely less");
    check("//*[@class=\"menu\"]", 0.0..DOUBTFUL, "");
    check("//*[@class=\"related\"]", 0.0..DOUBTFUL, "");
    check("//body", 0.0..0.6, "likely more");
}

#[test]
fn a_text_of_the_fall_back_is_on_the_same_scale() {
    let good = fallback(&story(""), &Options::default(), "no wrapper");
    assert_eq!(good.status, Status::Fallback);
    let of_wrapper = extractor("//article", FOREST).extract(&story(""), &Options::default());
    let (good, of_wrapper) = (
        good.confidence.expect("judged"),
        of_wrapper.confidence.expect("judged"),
    );
    assert!(
        good >= 0.8 && (good - of_wrapper).abs() < 0.2,
        "{good} {of_wrapper}"
    );
    let lines: String = (0..12)
        .map(|n| format!("<td><font size=2>Line {n} of a table, it rained.</font>"))
        .collect();
    let page = Page::from_html(&format!(
        "<title>Rain</title><table><tr>{lines}</table><a href=/b>Other news of the day</a>"
    ));
    let poor = one_page(&page, &Options::default());
    assert_eq!(poor.status, Status::Ok);
    let poor = poor.confidence.expect("judged");
    assert!(poor < good - 0.2, "{poor} {good}");
}

#[test]
fn the_same_page_gives_the_same_record() {
    let record = || {
        let article =
            extractor("//article", FOREST).extract(&story(&teasers()), &Options::default());
        serde_json::to_string(&article).expect("a record")
    };
    assert_eq!(record(), record());
}

#[test]
fn any_page_and_any_text_of_it_has_a_confidence() {
    let deep = "<div>".repeat(600) + "word";
    let pages = [
        String::new(),
        "<p>".to_owned(),
        "<frameset><frame>".to_owned(),
        "\u{0}<svg><p>x<br><br></svg>".to_owned(),
        "x".repeat(300_000),
        "a ".repeat(100_000),
        "<p>one".repeat(20_000),
        "<a href=/>one two three four five six</a>".repeat(5_000),
        "。".repeat(50_000),
        deep,
    ];
    for html in pages {
        let page = ScoredPage::from(Page::from_html(&html));
        for kept in [Mask::none(&page), Mask::all(&page)] {
            let features = TextFeatures::of(&page, &kept);
            for source in TextSource::ALL {
                let sure = features.confidence(source);
                assert!((0.0..=1.0).contains(&sure), "{sure}");
            }
            assert!(
                features.numbers().iter().all(|x| x.is_finite()),
                "{features:?}"
            );
        }
    }
}

#[test]
fn the_features_of_a_text_by_hand() {
    let overlap = Overlap {
        text_words: 100.0,
        shared_words: 50.0,
        article_words: 200.0,
        article_variance: 400.0,
        ..Overlap::default()
    };
    let features = TextFeatures {
        overlap,
        article: 1.0,
    };
    let [right, whole, doubt, article] = features.numbers();
    assert!(right.abs() < 1e-6, "{right}");
    assert!((whole - (1.0_f64 / 3.0).ln()).abs() < 1e-6, "{whole}");
    assert!((doubt - 0.1).abs() < 1e-6, "{doubt}");
    assert!((article - 99.0_f64.ln()).abs() < 1e-6, "{article}");
}

fn model() -> String {
    let texts = "linear forest 1 2 0 0 0\nlinear wrapper 0 0 0 0 1\nlinear page -1 0 0 0 0\n";
    let fields = "linear title 0 2 0 0 1 0\nlinear authors 0 0 0 0 0 0\n\
        linear date_published 0 0 -2 0 0 -1\n";
    let (features, of_field) = (TEXT_FEATURES.join(" "), FIELD_FEATURES.join(" "));
    let slice = format!(
        "features {}\nlinear sample 0 0 0 0 1 0\n",
        SAMPLE_FEATURES.join(" ")
    );
    format!("forest model 1\nfeatures {features}\n{texts}{slice}features {of_field}\n{fields}")
}

#[test]
fn a_model_gives_the_logistic_function_of_its_weights() {
    let read = ConfidenceModel::read(&model()).expect("a model");
    let overlap = Overlap {
        text_words: 4.0,
        shared_words: 2.0,
        article_words: 2.0,
        ..Overlap::default()
    };
    let features = TextFeatures {
        overlap,
        article: 0.5,
    };
    let logistic = |score: f64| (1000.0 / (1.0 + (-score).exp())).round() / 1000.0;
    assert_eq!(read.of_text(TextSource::Forest, &features), logistic(1.0));
    assert_eq!(read.of_text(TextSource::Wrapper, &features), 0.5);
    assert_eq!(read.of_text(TextSource::Page, &features), logistic(-1.0));
    let features = SampleFeatures {
        shorter: 2.0,
        linked: 0.5,
        expected: 0.5,
        pages: 8,
        elsewhere: 0.5,
    };
    assert_eq!(read.of_sample(&features), logistic(8.0_f64.ln()));
    let features = FieldFeatures {
        source: FieldSource::Both,
        support: Some((3, 3)),
    };
    assert_eq!(read.of_field(0, &features), logistic(2.0 + 4.0_f64.ln()));
    let features = FieldFeatures {
        source: FieldSource::Expression,
        support: None,
    };
    assert_eq!(read.of_field(2, &features), logistic(-3.0));
}

#[test]
fn a_model_without_all_weights_is_refused() {
    let check = |text: &str, expected: &str| {
        let why = ConfidenceModel::read(text).expect_err(text);
        assert!(why.starts_with(expected), "{why}");
    };
    check("", "line 1: not `forest model 1`");
    let other = model().replace("right", "wrong");
    check(&other, "line 3: made for other features");
    let page = model().replace("linear page -1 0 0 0 0\n", "");
    check(&page, "no part `page`");
    let bad = model().replace("forest 1 2", "forest 1 x");
    check(&bad, "line 3: `x` is no weight");
    let slice = model().replace("linear sample", "linear other");
    check(&slice, "no part `sample`");
    let date = model().replace("linear date_published 0 0 -2 0 0 -1\n", "");
    check(&date, "no part `date_published`");
}

fn evidence(field: &str, pages: usize, right: usize, metadata: usize) -> Evidence {
    let source = "feed".to_owned();
    let support = Support {
        pages,
        right,
        metadata,
        source,
    };
    Evidence {
        fields: BTreeMap::from([(field.to_owned(), support)]),
        ..Evidence::default()
    }
}

#[test]
fn the_sources_of_fields_and_how_often_they_were_right() {
    let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [//article]\n  title: [//h1]\n  author: [//address]\n  \
                date: [{xpath: //time}]\n";
    let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
    let sources = |html: &str| {
        let page = ScoredPage::from(Page::from_html(html));
        let extractor = Extractor::new(wrapper.clone()).expect("compiles");
        let (_, evidence) = extractor
            .attempt(&page, &Options::default())
            .expect("a match");
        evidence.fields
    };
    let check = |html: &str,
                 title: Option<FieldSource>,
                 authors: Option<FieldSource>,
                 date: Option<FieldSource>| {
        let expected = FieldSources {
            title,
            authors,
            date_published: date,
        };
        assert_eq!(
            sources(&format!("{html}<article>One two three.</article>")),
            expected,
            "{html}"
        );
    };
    let meta = "<title>Rain in May</title><meta name=author content='Jane Doe'><meta name=date content=2024-05-06>";
    check("", None, None, None);
    check(
        meta,
        Some(FieldSource::Metadata),
        Some(FieldSource::Metadata),
        Some(FieldSource::Metadata),
    );
    let own = "<h1>Rain in  May</h1><address>jane doe</address><time>2024-05-06T11:00:00Z</time>";
    check(
        &format!("{meta}{own}"),
        Some(FieldSource::Both),
        Some(FieldSource::Both),
        Some(FieldSource::Both),
    );
    let other = "<h1>Snow</h1><address>John Roe</address><time>2023-01-01</time>";
    let differs = Some(FieldSource::Expression);
    check(&format!("{meta}{other}"), differs, differs, differs);
    let alone = Some(FieldSource::Alone);
    check("<address>John Roe</address>", None, alone, None);

    let title = |source, evidence: Option<&Evidence>| {
        let sources = FieldSources {
            title: Some(source),
            ..FieldSources::default()
        };
        let sure = sources.confidence(evidence);
        assert_eq!((sure.authors, sure.date_published), (None, None));
        sure.title.expect("a title")
    };
    let good = evidence("title", 10, 10, 2);
    assert!(
        title(FieldSource::Expression, Some(&good)) > title(FieldSource::Metadata, Some(&good))
    );
    let poor = evidence("title", 10, 3, 2);
    assert!(
        title(FieldSource::Expression, Some(&good)) > title(FieldSource::Expression, Some(&poor))
    );
    let none = evidence("date", 10, 10, 10);
    assert_eq!(
        title(FieldSource::Both, Some(&none)),
        title(FieldSource::Both, None)
    );
}

#[test]
fn a_part_of_a_page_is_doubted_for_what_the_sample_and_the_scan_say() {
    let sure = SampleFeatures {
        shorter: 1.0,
        linked: 0.0,
        expected: 0.97,
        pages: 10,
        elsewhere: 0.1,
    };
    let check = |what: &str, features: SampleFeatures| {
        let (less, most) = (features.confidence(), sure.confidence());
        assert!(most > 0.9 && less < most, "{what}: {less} of {most}");
    };
    check(
        "a shorter text",
        SampleFeatures {
            shorter: 8.0,
            ..sure
        },
    );
    check(
        "more links",
        SampleFeatures {
            linked: 0.3,
            ..sure
        },
    );
    check(
        "a worse wrapper",
        SampleFeatures {
            expected: 0.8,
            ..sure
        },
    );
    check("fewer pages", SampleFeatures { pages: 2, ..sure });
    check(
        "prose elsewhere",
        SampleFeatures {
            elsewhere: 0.8,
            ..sure
        },
    );
}
