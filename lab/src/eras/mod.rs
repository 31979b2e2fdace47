//! The share of wrappers learned from one era of a site that still work in the next.
//!
//! Takes a collection in which sites stand in several designs, learns wrappers of
//! each, and applies them, without any fall-back, to the pages of the next
//! ([`eras`]). Beside the wrappers as learned stand other ways to write the element
//! that `forest` chose, from its position to what a person would write
//! ([`rewrites::Rewrite`]), all with the same strip rules. The same is done within an era, from
//! the half of its pages to the other, to separate the effect of a redesign from that
//! of any new page.
//!
//! - `order`: the eras of one brand.
//! - `names`: the names of an element and of those around it.
//! - `page`: a page of an era, and the F1 of wrappers on it.
//! - `passage`: the fates of wrappers in another era.
//! - `rewrites`: the wrappers of one era.
//! - `table`: the figures.

mod names;
pub mod order;
mod page;
mod passage;
mod rewrites;
mod table;

use crate::collections::{GoldArgs, ReportArgs, learning_methods};
use anyhow::bail;
use forest_core::drift;
use forest_core::learn::Method;
use forest_eval::Result;
use forest_eval::eval::EvalSite;
use forest_sources::gold::Collection;
use order::{Brand, Era};
use page::{EraPage, mean_of, scores};
use passage::{Fate, Named, Passage, Tried};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use table::EraTable;

/// Count the wrappers of one era of a site that work in the next
///
/// Eras are folders <brand>_<year>, <brand>--old1, and layouts in the gold. Beside the
/// wrappers that the methods learn stand other ways to write them.
#[derive(Debug, clap::Args)]
pub struct EraArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// A method that learns; several can be given [default: forest, paper, paper-nodfs].
    #[arg(short, long = "method", value_name = "M")]
    methods: Vec<Method>,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs the command.
pub fn run(args: &EraArgs) -> anyhow::Result<()> {
    let defaults = [Method::Forest, Method::Paper, Method::PaperNoDfs];
    let methods = learning_methods(&args.methods, &defaults)?;
    let mut passages = Vec::new();
    for collection in args.gold.open()? {
        passages.extend(eras(&collection, &methods)?);
    }
    if passages.is_empty() {
        bail!("no site is there in several eras: name their folders <brand>_<year>");
    }
    let table = EraTable(&passages);
    let by_site = || table.by_site();
    args.report
        .print("passages", || table.json(), &table, by_site)
}

/// Pages of an era that are needed to learn from the half of them.
const HALVES: usize = 4;

/// Learns wrappers of each era of each brand with each of the methods, which learn,
/// and tries them on the next. Eras are
///
/// - sites `<brand>_<year>`;
/// - sites `<brand>--old<N>`, the highest N first, and `<brand>`;
/// - in other sites the layouts that the gold names, by their first crawl date.
///
/// Sites in one era are passed over.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn eras(collection: &Collection, methods: &[Method]) -> Result<Vec<Passage>> {
    let brands = order::brands(collection);
    let passages: Result<Vec<Vec<Passage>>> = brands
        .par_iter()
        .map(|brand| of_brand(collection, brand, methods))
        .collect();
    Ok(passages?.into_iter().flatten().collect())
}

fn of_brand(collection: &Collection, brand: &Brand, methods: &[Method]) -> Result<Vec<Passage>> {
    let sites: BTreeSet<usize> = brand.iter().map(|era| era.site).collect();
    let read = |site: usize| {
        let read = EvalSite::read(collection, &collection.sites()[site])?;
        Ok((site, read))
    };
    let sites: BTreeMap<usize, EvalSite> = sites.into_iter().map(read).collect::<Result<_>>()?;
    let pages = |era: &Era| -> Vec<EraPage<'_>> {
        let site = &sites[&era.site];
        let scored = era.pages.iter().flat_map(|&at| site.scored(at..at + 1));
        scored
            .map(|(page, gold)| EraPage::new(page, gold))
            .collect()
    };
    let mut out = Vec::new();
    for (at, era) in brand.iter().enumerate() {
        let mut own = pages(era);
        if own.len() >= HALVES {
            let mut other = own.split_off(own.len() / 2);
            out.push(passage(
                collection,
                era,
                None,
                [&mut own, &mut other],
                methods,
            ));
        }
        if let Some(next) = brand.get(at + 1) {
            let [mut own, mut later] = [era, next].map(pages);
            if !own.is_empty() && !later.is_empty() {
                let pages = [&mut own[..], &mut later];
                out.push(passage(collection, era, Some(next), pages, methods));
            }
        }
    }
    Ok(out)
}

fn passage(
    collection: &Collection,
    from: &Era,
    to: Option<&Era>,
    [own, next]: [&mut [EraPage<'_>]; 2],
    methods: &[Method],
) -> Passage {
    let found = rewrites::of_era(own, methods);
    let tried = found.wrappers.into_iter().map(|known| {
        let f1 = scores(&known.extractor, next);
        let wrapper = known.extractor.wrapper();
        let matcher = known.extractor.matcher();
        let look = |page: &EraPage<'_>| {
            drift::observe(
                &known.extractor,
                &page.sample.name,
                &page.sample.page,
                None,
                |_| None,
            )
        };
        let seen: Vec<drift::PageObservation> = next.iter().map(look).collect();
        Tried {
            rewrite: known.source,
            xpath: known.xpath,
            own: known.own,
            next: mean_of(&f1),
            fate: Fate::of(known.own, &f1),
            verdict: drift::report(wrapper, matcher, &seen).verdict,
        }
    });
    let tried = tried.collect();
    let names = found.names.into_iter().map(|known| Named {
        kind: known.source,
        xpath: known.xpath,
        fate: Fate::of(known.own, &scores(&known.extractor, next)),
    });
    let names = names.collect();
    Passage {
        collection: collection.name().to_owned(),
        from: from.name.clone(),
        to: to.map(|era| era.name.clone()),
        pages: [own.len(), next.len()],
        tried,
        names,
    }
}
