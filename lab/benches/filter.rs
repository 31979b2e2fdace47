//! `filter` over tables, flat and nested, of growing size: linear. Nested tables go to the
//! page's bound of 512 levels; 10,000 levels of input are what this bound flattens. And over
//! the pages of a collection, by each profile.

#[allow(dead_code, reason = "the names of sites are for the examples")]
mod pages;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use forest_html::page::{Page, Source};
use forest_text::filter::{FilterEngine, Profile};

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

/// All pages of a collection: parsed; and filtered and written, by each profile.
fn real_pages(c: &mut Criterion) {
    let sites = pages::sites("fundus_eval", usize::MAX);
    let bytes: Vec<&[u8]> = { sites.iter() }
        .flat_map(|site| &site.pages)
        .map(|page| &*page.bytes)
        .collect();
    let mut group = c.benchmark_group("pages");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(
        bytes.iter().map(|b| b.len() as u64).sum(),
    ));
    for profile in Profile::ALL {
        let engine = FilterEngine::new(profile.settings());
        let parse = || bytes.iter().map(|b| engine.parse(b, Source::default()));
        let read: Vec<Page> = parse().collect();
        group.bench_function(BenchmarkId::new("parse", profile.name()), |b| {
            b.iter(|| parse().for_each(|page| drop(black_box(page))));
        });
        group.bench_function(BenchmarkId::new("html", profile.name()), |b| {
            b.iter(|| {
                read.iter()
                    .for_each(|page| drop(black_box(engine.filter(page).html())))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, filter, real_pages);
criterion_main!(benches);
