//! `learn` from ten pages of a site, beside the parse of the same ten.
//! `examples/speed.rs` gives their ratio.

mod pages;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use forest_core::learn::{DEFAULT_SAMPLE, LearnOptions, SamplePage, learn};

/// Sites that are measured: one in each part of the collection.
const SITES: usize = 4;

fn learn_site(c: &mut Criterion) {
    let mut sites = pages::sites("big9", DEFAULT_SAMPLE);
    sites.retain(|site| site.pages.len() == DEFAULT_SAMPLE);
    let step = (sites.len() / SITES).max(1);
    let mut group = c.benchmark_group("site");
    group.sample_size(20);
    for site in sites.iter().step_by(step).take(SITES) {
        let bytes: usize = site.pages.iter().map(|page| page.bytes.len()).sum();
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_with_input(BenchmarkId::new("parse", &site.name), site, |b, site| {
            b.iter(|| {
                for page in &site.pages {
                    black_box(page.parse());
                }
            });
        });
        let options = LearnOptions::default().with_site(&site.name);
        group.bench_with_input(BenchmarkId::new("learn", &site.name), site, |b, site| {
            b.iter(|| {
                let sample: Vec<SamplePage> = site.pages.iter().map(|page| page.sample()).collect();
                black_box(learn(&sample, &options))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, learn_site);
criterion_main!(benches);
