//! Terms of a text: the analyzer against the stock tantivy chain, in time a
//! word; language detection; metric tokens.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use forest_html::text::{Analyzer, Interner, Language};
use tantivy::tokenizer::{
    Language as Stem, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter,
    TextAnalyzer,
};

/// Words a text has: an article with its page's navigation.
const WORDS: usize = 2_000;

/// A text of `WORDS` words over a vocabulary of about the size that a page has,
/// frequent words first as Zipf's law has it (rank = 1 / uniform).
fn text(stems: &[&str], endings: &[&str], small: &[&str]) -> String {
    let mut state = 7_u64;
    let mut draw = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut out = String::new();
    for _ in 0..WORDS {
        if draw(10) < 4 {
            out.push_str(small[draw(small.len())]);
        } else {
            let rank = (stems.len() / (1 + draw(stems.len()))).saturating_sub(1);
            let first = if draw(3) == 0 {
                draw(stems.len())
            } else {
                rank
            };
            out.push_str(stems[first]);
            out.push_str(stems[draw(stems.len())]);
            out.push_str(endings[draw(endings.len())]);
        }
        out.push_str(if draw(12) == 0 { ". " } else { " " });
    }
    out
}

fn samples() -> Vec<(&'static str, Language, Option<Stem>, String)> {
    let english = text(
        &[
            "walk", "Gover", "mini", "relat", "hop", "gener", "nat", "port", "commun", "work",
            "light", "stone", "river", "House", "count", "play",
        ],
        &["ing", "ed", "s", "ation", "ment", "ly", "", "ers", "al"],
        &[
            "the", "of", "and", "The", "is", "was", "he", "in", "has", "a", "by", "which",
        ],
    );
    let russian = text(
        &[
            "дом",
            "работ",
            "Город",
            "нов",
            "говор",
            "свет",
            "рек",
            "стран",
            "игр",
            "мир",
            "вод",
            "слов",
            "Каме",
            "лес",
            "дорог",
            "бел",
        ],
        &["ами", "ость", "ый", "ого", "а", "ение", "ов", "ли", "ать"],
        &[
            "и", "в", "на", "не", "что", "он", "с", "как", "это", "к", "его", "для",
        ],
    );
    let chinese = "记者昨日从北京市政府获悉，新的地铁线路将于明年开工建设，全长约四十公里。"
        .repeat(WORDS / 36);
    vec![
        ("english", Language::English, Some(Stem::English), english),
        ("russian", Language::Russian, Some(Stem::Russian), russian),
        ("chinese", Language::Chinese, None, chinese),
    ]
}

fn bench(c: &mut Criterion) {
    for (name, language, stem, text) in samples() {
        let mut words = 0;
        Analyzer::new(language).words(&text, |_, _| words += 1);
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(words));
        let mut analyzer = Analyzer::new(language);
        group.bench_function("terms", |b| {
            b.iter(|| {
                analyzer.terms(black_box(&text), |term| {
                    black_box(term);
                })
            })
        });
        group.bench_function("terms, new analyzer", |b| {
            b.iter(|| {
                Analyzer::new(language).terms(black_box(&text), |term| {
                    black_box(term);
                })
            })
        });
        if let Some(stem) = stem {
            let mut stock = TextAnalyzer::builder(SimpleTokenizer::default())
                .filter(RemoveLongFilter::limit(80))
                .filter(LowerCaser)
                .filter(StopWordFilter::new(stem).expect("tantivy has the list"))
                .filter(Stemmer::new(stem))
                .build();
            group.bench_function("stock tantivy chain", |b| {
                b.iter(|| {
                    let mut stream = stock.token_stream(black_box(&text));
                    while let Some(token) = stream.next() {
                        black_box(token);
                    }
                })
            });
        }
        let mut interner = Interner::default();
        group.bench_function("metric tokens", |b| {
            b.iter(|| interner.ids(black_box(&text)))
        });
        group.bench_function("detect", |b| {
            b.iter(|| Language::detect(black_box(&text), None))
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
