//! The share of wrappers learned from one era of a site that still work in the next.
//!
//! Takes a collection in which sites stand in several designs, learns wrappers of
//! each, and applies them, without any fall-back, to the pages of the next
//! ([`eras`]). Beside the wrappers as learned stand other ways to write the element
//! that `forest` chose, from its position to what a person would write
//! ([`Rewrite`]), all with the same strip rules. The same is done within an era, from
//! the half of its pages to the other, to separate the effect of a redesign from that
//! of any new page.
//!
//! - `order`: the eras of one brand.
//! - `names`: the names of an element and of those around it.
//! - `rewrites`: the wrappers of one era.
//! - `table`: the figures.

mod names;
pub mod order;
mod rewrites;
mod table;

use crate::collections::{GoldArgs, learning_methods};
use anyhow::bail;
use forest::drift::{self, Verdict};
use forest::error::Result;
use forest::eval::{EvalSite, GoldTexts};
use forest::extract::Extractor;
use forest::gold::{Collection, Gold};
use forest::learn::{Method, SamplePage};
use forest::render::text;
use names::NameKind;
use order::{Brand, Era};
use rayon::prelude::*;
use rewrites::Rewrite;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    /// The figures of each site, too.
    #[arg(long)]
    by_site: bool,
    /// JSON on stdout.
    #[arg(long)]
    json: bool,
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
    if args.json {
        let json = serde_json::json!({ "passages": table.json() });
        println!("{}", serde_json::to_string_pretty(&json)?);
        return Ok(());
    }
    print!("{table}");
    if args.by_site {
        print!("\n{}", table.by_site());
    }
    Ok(())
}

/// Below this mean F1 a wrapper does not work, be it in its own era or in the next.
const WORKING: f64 = 0.5;

/// A wrapper still works if its mean F1 is at least this share of that in its own
/// era.
const STILL: f64 = 0.9;

/// Pages of an era that are needed to learn from the half of them.
const HALVES: usize = 4;

/// The fate of an expression in the next era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Mean F1 of 0.9 times that in its own era, and of 0.5.
    Works,
    /// Less, but what it selects is the article for the most part (mean F1 of 0.5
    /// over the pages on which it selects text).
    Partly,
    /// It selects no text on any page.
    Nothing,
    /// The selected text is not the article.
    Wrong,
}

impl Fate {
    /// The fate by the mean F1 in the own era and the next era's pages: the F1 of
    /// each, `None` where no text is selected.
    fn of(own: f64, next: &[Option<f64>]) -> Fate {
        let selected: Vec<f64> = next.iter().flatten().copied().collect();
        let all = mean_of(next);
        if all >= WORKING && all >= STILL * own {
            Fate::Works
        } else if selected.is_empty() {
            Fate::Nothing
        } else if mean(&selected) >= WORKING {
            Fate::Partly
        } else {
            Fate::Wrong
        }
    }
}

/// A wrapper of one era in the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// Its origin.
    pub rewrite: Rewrite,
    /// The body expression that matched most pages of its own era.
    pub xpath: String,
    /// Mean 2-gram F1 over the pages that it comes from.
    pub own: f64,
    /// The same over the pages of the next era; a page without a text is 0.
    pub next: f64,
    /// Its fate.
    pub fate: Fate,
    /// The verdict of [`mod@forest::drift`] in the next era, without gold.
    pub verdict: Verdict,
}

/// A name of an element that holds an era's articles as well as the wrapper does, in
/// the next era.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The kind of the name.
    pub kind: NameKind,
    /// The expression.
    pub xpath: String,
    /// Its fate.
    pub fate: Fate,
}

/// An era, or the half of one, and the fate of its wrappers in another.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The collection.
    pub collection: String,
    /// The era that was learned from.
    pub from: String,
    /// The era that follows; `None`: the other half of the same.
    pub to: Option<String>,
    /// Pages with gold that were learned from, and that were tried.
    pub pages: [usize; 2],
    /// The wrappers that work in their own era.
    pub tried: Vec<Tried>,
    /// The names that do.
    pub names: Vec<Named>,
}

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
            drift::look(
                &known.extractor,
                &page.sample.name,
                &page.sample.page,
                None,
                |_| None,
            )
        };
        let seen: Vec<drift::Seen> = next.iter().map(look).collect();
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

/// A page with its gold, and the texts that it has been compared with.
struct EraPage<'a> {
    sample: &'a SamplePage,
    gold: GoldTexts,
    known: HashMap<String, f64>,
}

impl<'a> EraPage<'a> {
    fn new(sample: &'a SamplePage, gold: &Gold) -> EraPage<'a> {
        EraPage {
            sample,
            gold: GoldTexts::new(gold.refs.iter().map(String::as_str)),
            known: HashMap::new(),
        }
    }

    /// F1 of what a wrapper selects; `None` where that is no text.
    fn f1(&mut self, extractor: &Extractor) -> Option<f64> {
        let page = &self.sample.page;
        let text = text(page, &extractor.matcher().find(page)?.kept);
        if text.is_empty() {
            return None;
        }
        if let Some(&f1) = self.known.get(&text) {
            return Some(f1);
        }
        let f1 = self.gold.score("", &text).two_gram.f1;
        self.known.insert(text, f1);
        Some(f1)
    }
}

fn scores(extractor: &Extractor, pages: &mut [EraPage<'_>]) -> Vec<Option<f64>> {
    pages.iter_mut().map(|page| page.f1(extractor)).collect()
}

/// Mean F1 of a wrapper, a page without a text being 0.
fn mean_f1(extractor: &Extractor, pages: &mut [EraPage<'_>]) -> f64 {
    mean_of(&scores(extractor, pages))
}

fn mean_of(scores: &[Option<f64>]) -> f64 {
    let f1 = scores.iter().map(|f1| f1.unwrap_or_default());
    mean(&f1.collect::<Vec<_>>())
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fate_is_told_by_what_is_selected() {
        for (own, next, fate) in [
            (1.0, vec![Some(0.9), Some(0.9)], Fate::Works),
            (0.5, vec![Some(0.5)], Fate::Works),
            (0.5, vec![Some(0.48)], Fate::Wrong),
            (1.0, vec![Some(0.89)], Fate::Partly),
            (1.0, vec![Some(0.9), None], Fate::Partly),
            (1.0, vec![None, None], Fate::Nothing),
            (1.0, vec![Some(0.1), None], Fate::Wrong),
            (1.0, vec![Some(0.0)], Fate::Wrong),
        ] {
            assert_eq!(Fate::of(own, &next), fate, "{own} {next:?}");
        }
    }
}
