//! `forest-lab train-refusal`: fits the weights of `forest_core::refusal`, and holds them
//! against those that are set by hand.
//!
//! Articles are the pages with gold. Pages without an article are those of
//! `tests/data/no_article`, which were written for the test.
//! For each kind a logistic regression fits a factor for each sign's weight, so that a
//! sign keeps its shape (the bins of a length, the logarithm of a count). Five folds:
//! articles by publisher, written pages by number.

use crate::collections::GoldArgs;
use crate::logistic::{fit, predict};
use crate::real_lists::files;
use crate::training::{FOLDS, Publishers};
use anyhow::bail;
use forest_core::onepage;
use forest_core::refusal::{NoArticle, weighed_signs};
use forest_html::page::{Page, Source};
use forest_sources::gold::GoldPage;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Decay of the factors: few pages are of a kind.
const DECAY: f64 = 1.0;

/// Fit the weights of refusal, and compare them with those set by hand
#[derive(Debug, clap::Args)]
pub struct RefusalArgs {
    #[command(flatten)]
    gold: GoldArgs,
    /// Pages <kind>-<language>-<number>.html.
    #[arg(long, value_name = "FOLDER", default_value = "tests/data/no_article")]
    written: PathBuf,
}

/// A page with its weighed signs.
struct SignedPage {
    id: String,
    /// The group of the table that it is counted in.
    group: &'static str,
    /// `None` for an article.
    kind: Option<NoArticle>,
    fold: u64,
    signs: BTreeMap<&'static str, BTreeMap<&'static str, f64>>,
    /// The kind by the weights that are set by hand.
    by_hand: Option<NoArticle>,
}

impl SignedPage {
    fn of(id: &str, group: &'static str, kind: Option<NoArticle>, fold: u64, page: &Page) -> Self {
        let found = onepage::article(page);
        let mut signs = BTreeMap::new();
        for (kind, of_kind) in weighed_signs(page, &found.kept) {
            let sums: &mut BTreeMap<_, _> = signs.entry(kind.name()).or_default();
            for sign in of_kind {
                *sums.entry(sign.what).or_default() += sign.weight;
            }
        }
        SignedPage {
            id: id.to_owned(),
            group,
            kind,
            fold,
            signs,
            by_hand: found.refusal.map(|refusal| refusal.kind),
        }
    }
}

/// Runs the command.
pub fn run(args: &RefusalArgs) -> anyhow::Result<()> {
    let mut pages = articles(&args.gold)?;
    pages.extend(written(&args.written)?);
    let mut fitted: Vec<Option<NoArticle>> = vec![None; pages.len()];
    for fold in 0..FOLDS {
        let (unseen, seen): (Vec<usize>, Vec<usize>) =
            (0..pages.len()).partition(|&at| pages[at].fold == fold);
        let seen: Vec<&SignedPage> = seen.into_iter().map(|at| &pages[at]).collect();
        let models: Vec<KindModel> = NoArticle::ALL
            .into_iter()
            .filter_map(|kind| KindModel::fit(kind, &seen))
            .collect();
        for at in unseen {
            fitted[at] = refused_as(&pages[at], &models);
        }
    }
    let by_hand: Vec<Option<NoArticle>> = pages.iter().map(|page| page.by_hand).collect();
    print_figures("set by hand", &pages, &by_hand);
    print_figures("fitted, five folds", &pages, &fitted);
    Ok(())
}

/// The factors of the signs of a kind.
struct KindModel {
    kind: NoArticle,
    signs: Vec<&'static str>,
    weights: Vec<f64>,
}

impl KindModel {
    /// `None` without a page of the kind.
    fn fit(kind: NoArticle, pages: &[&SignedPage]) -> Option<KindModel> {
        let may_be = |page: &&&SignedPage| page.signs.contains_key(kind.name());
        let pages: Vec<&&SignedPage> = pages.iter().filter(may_be).collect();
        if !pages.iter().any(|page| page.kind == Some(kind)) {
            return None;
        }
        let names = pages.iter().flat_map(|page| page.signs[kind.name()].keys());
        let names: BTreeSet<&str> = names.copied().collect();
        let signs: Vec<&'static str> = names.into_iter().collect();
        let rows = pages
            .iter()
            .map(|page| (row(page, kind, &signs), page.kind == Some(kind)));
        let rows: Vec<(Vec<f64>, bool)> = rows.collect();
        let rows: Vec<(&[f64], bool)> = rows.iter().map(|(x, y)| (&**x, *y)).collect();
        Some(KindModel {
            kind,
            weights: fit(&rows, DECAY),
            signs,
        })
    }
}

fn row(page: &SignedPage, kind: NoArticle, signs: &[&str]) -> Vec<f64> {
    let of_kind = &page.signs[kind.name()];
    let value = |sign: &&str| of_kind.get(*sign).copied().unwrap_or_default();
    signs.iter().map(value).collect()
}

/// The likeliest kind with a probability of one half or more.
fn refused_as(page: &SignedPage, models: &[KindModel]) -> Option<NoArticle> {
    let may_be = models
        .iter()
        .filter(|model| page.signs.contains_key(model.kind.name()));
    let kinds = may_be.map(|model| {
        let row = row(page, model.kind, &model.signs);
        (model.kind, predict(&model.weights, &row))
    });
    let likeliest = kinds.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (likeliest.1 >= 0.5).then_some(likeliest.0)
}

/// The pages with gold.
fn articles(gold: &GoldArgs) -> anyhow::Result<Vec<SignedPage>> {
    let collections = gold.open()?;
    let publishers = Publishers::of(&collections);
    let mut pages = Vec::new();
    for collection in &collections {
        let read = |page: &GoldPage| -> forest_eval::Result<SignedPage> {
            let source = Source {
                url: page.url.as_deref(),
                content_type: None,
            };
            let parsed = Page::parse(&page.read()?, source);
            let fold = publishers.fold(collection.name(), page.site());
            let id = format!("{}/{}", collection.name(), page.id);
            Ok(SignedPage::of(
                &id,
                "articles of the gold",
                None,
                fold,
                &parsed,
            ))
        };
        let scored = collection
            .pages()
            .par_iter()
            .filter(|page| page.gold.is_some());
        let read: forest_eval::Result<Vec<SignedPage>> = scored.map(read).collect();
        pages.extend(read?);
    }
    Ok(pages)
}

/// The pages that were written for the test.
fn written(folder: &Path) -> anyhow::Result<Vec<SignedPage>> {
    let mut pages = Vec::new();
    for path in files(folder)? {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let parts: Vec<&str> = name.split('-').collect();
        let [kind, _, number] = parts[..] else {
            bail!("not <kind>-<language>-<number>.html: {}", path.display());
        };
        let page = Page::parse(&std::fs::read(&path)?, Source::default());
        let kind = NoArticle::named(kind);
        let group = kind.map_or("written articles", NoArticle::name);
        let fold = number.parse::<u64>()? % FOLDS;
        pages.push(SignedPage::of(&name, group, kind, fold, &page));
    }
    Ok(pages)
}

fn print_figures(weights: &str, pages: &[SignedPage], refused: &[Option<NoArticle>]) {
    let groups: BTreeSet<&str> = pages.iter().map(|page| page.group).collect();
    println!("\n## Weights {weights}\n");
    println!("| pages of | pages | refused | as this kind |\n| --- | --- | --- | --- |");
    for group in groups {
        let of_group = pages
            .iter()
            .zip(refused)
            .filter(|(page, _)| page.group == group);
        let of_group: Vec<(&SignedPage, &Option<NoArticle>)> = of_group.collect();
        let all = of_group
            .iter()
            .filter(|(_, refused)| refused.is_some())
            .count();
        let right = of_group
            .iter()
            .filter(|(page, refused)| page.kind == **refused)
            .count();
        println!("| {group} | {} | {all} | {right} |", of_group.len());
    }
    let wrong = pages
        .iter()
        .zip(refused)
        .filter(|(page, _)| page.kind.is_none());
    for (page, refused) in wrong {
        if let Some(kind) = refused {
            println!("\nRefused, and an article: {} ({})", page.id, kind.name());
        }
    }
}
