//! `filter` over tables, flat and nested, of growing size: linear. Nested tables go to the
//! page's bound of 512 levels; 10,000 levels of input are what this bound flattens.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use forest::filter::{FilterEngine, Profile};
use forest::page::{Page, Source};

const CELL: &str = "<td><a href=\"/a\">Home</a> one two three <b>four</b></td>";

/// A table of so many rows.
fn flat(rows: usize) -> String {
    let row = format!("<tr>{}</tr>", CELL.repeat(4));
    format!("<table>{}</table>", row.repeat(rows))
}

/// Tables in each other, so many levels of them, with text and links on each.
fn nested(levels: usize) -> String {
    let open = format!("<table><tr>{CELL}<td>a few words on each level ");
    open.repeat(levels)
}

fn bench(c: &mut Criterion, name: &str, page_of: fn(usize) -> String, sizes: &[usize]) {
    let engine = FilterEngine::new(Profile::Paper.settings());
    let mut group = c.benchmark_group(name);
    group.sample_size(10);
    for &size in sizes {
        let html = page_of(size);
        let page = engine.parse(html.as_bytes(), Source::default());
        group.throughput(Throughput::Elements(page.len() as u64));
        group.bench_with_input(BenchmarkId::new("parse", size), &html, |b, html| {
            b.iter(|| black_box(Page::from_html(html)));
        });
        group.bench_with_input(BenchmarkId::new("filter", size), &page, |b, page| {
            b.iter(|| black_box(engine.filter(page)));
        });
        group.bench_with_input(BenchmarkId::new("html", size), &page, |b, page| {
            b.iter(|| black_box(engine.filter(page).html()));
        });
    }
    group.finish();
}

fn filter(c: &mut Criterion) {
    bench(c, "flat", flat, &[1, 10, 100, 1_000, 10_000]);
    // Table, tbody, tr and td are four levels.
    bench(c, "nested", nested, &[1, 8, 32, 127, 10_000]);
}

criterion_group!(benches, filter);
criterion_main!(benches);
