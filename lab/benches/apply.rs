//! `apply`, from bytes to an Article with its text, beside the bare parse of the
//! same pages. The example `speed` gives their ratio.

mod pages;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use forest_core::extract::{Extractor, Options};
use forest_core::learn::{LearnOptions, LearnOutcome, SamplePage, learn};

fn apply(c: &mut Criterion) {
    let mut work = Vec::new();
    for site in pages::sites("fundus_eval", usize::MAX) {
        let sample: Vec<SamplePage> = site.pages.iter().map(|page| page.sample()).collect();
        let options = LearnOptions::default().with_site(site.name);
        if let LearnOutcome::Learned(learned) = learn(&sample, &options) {
            let extractor = Extractor::new(learned.wrapper).expect("a learned wrapper compiles");
            work.extend(site.pages.into_iter().map(|page| (extractor.clone(), page)));
        }
    }
    let bytes: usize = work.iter().map(|(_, page)| page.bytes.len()).sum();
    let mut group = c.benchmark_group("page");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.sample_size(20);
    group.bench_function("parse", |b| {
        b.iter(|| {
            for (_, page) in &work {
                black_box(page.parse());
            }
        });
    });
    group.bench_function("apply", |b| {
        b.iter(|| {
            for (extractor, page) in &work {
                black_box(extractor.extract(&page.parse(), &Options::default()));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, apply);
criterion_main!(benches);
