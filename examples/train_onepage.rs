//! Learns the trees of `density::onepage` from pages with gold.
//!
//! ```text
//! cargo run --release --example train_onepage -- GOLD...            writes the trees to stdout
//! cargo run --release --example train_onepage -- --folds GOLD...    measures them on unseen brands
//! cargo run --release --example train_onepage -- --forest GOLD...   measures what `forest` learns with them
//! ```
//!
//! `--forest` learns each site's wrapper with trees that have not seen its brand, from
//! all of its pages and scored on them; `--unseen` learns from the first five.
//!
//! A block's label is the share of its words that stand in the gold in runs of
//! three; a block that some acceptable text has and the article's does not (a
//! headline) has a tenth of the weight. A block weighs as much as its share of
//! the article's words, a page as much as the root of its site's pages allows.
//! Of blocks with fewer than five words, which are most, three of ten are used, with
//! the weight of ten.

use forest::density::onepage::{self, Seen};
use forest::eval::{EvalSite, GoldTexts, PageScore, Setup, Summary};
use forest::extract;
use forest::gold::{Collection, Gold, GoldPage};
use forest::learn::{Method, SignifierSource};
use forest::page::{Kind, NodeId, Page, Source};
use forest::text::Interner;
use forust_ml::gradientbooster::{GradientBooster, GrowPolicy};
use forust_ml::{Matrix, objective::ObjectiveType};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Trees, and leaves of each. More of either gained less than 0.002 of F1 in five
/// folds, and cost time on every page.
const TREES: usize = 250;
const LEAVES: usize = 40;
const LEARNING_RATE: f32 = 0.05;
const FEATURES_A_TREE: f64 = 0.2;
const BLOCKS_A_TREE: f32 = 0.8;
const FOLDS: u64 = 5;

/// Words in a row that are looked up in the gold.
const RUN: usize = 3;

/// Words below which only some blocks are used, and how many of ten.
const FEW_WORDS: usize = 5;
const OF_TEN: u64 = 3;

struct Example {
    collection: String,
    id: String,
    brand: String,
    page: Page,
    gold: Gold,
    blocks: Vec<Seen>,
    labels: Vec<f64>,
    /// Relative to the page.
    weights: Vec<f64>,
}

impl Example {
    /// The fold that its brand is in.
    fn fold(&self) -> u64 {
        hash(&self.brand) / 7 % FOLDS
    }

    fn site(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }
}

fn main() -> forest::Result<()> {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|arg| arg.starts_with("--"));
    let mut examples = Vec::new();
    for path in &paths {
        let collection = Collection::open(Path::new(path))?;
        let pages: Vec<GoldPage> = collection
            .sites()
            .iter()
            .flat_map(|site| collection.pages_of(site).to_vec())
            .collect();
        let read = |page: &GoldPage| example(collection.name(), page).transpose();
        let of_collection: forest::Result<Vec<Example>> =
            pages.par_iter().filter_map(read).collect();
        examples.extend(of_collection?);
    }
    let mut pages_of: BTreeMap<(String, String), f64> = BTreeMap::new();
    for e in &examples {
        *pages_of
            .entry((e.collection.clone(), e.brand.clone()))
            .or_default() += 1.0;
    }
    for e in &mut examples {
        let pages = pages_of[&(e.collection.clone(), e.brand.clone())];
        e.weights.iter_mut().for_each(|w| *w /= pages.sqrt());
    }
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    if has("--forest") || has("--unseen") {
        forest(&examples, &paths, has("--unseen").then_some(5))?;
    } else if has("--folds") {
        folds(&examples);
    } else {
        let all: Vec<&Example> = examples.iter().collect();
        print!("{}", file(&train(&all)));
    }
    Ok(())
}

fn example(collection: &str, page: &GoldPage) -> forest::Result<Option<Example>> {
    let Some(gold) = page.gold.clone() else {
        return Ok(None);
    };
    let source = Source {
        url: page.url.as_deref(),
        content_type: None,
    };
    let parsed = Page::parse(&page.read()?, source);
    let blocks = onepage::seen(&parsed);
    let (labels, weights) = label(&parsed, &blocks, &gold);
    Ok(Some(Example {
        collection: collection.to_owned(),
        id: page.id.clone(),
        brand: brand(page),
        page: parsed,
        gold,
        blocks,
        labels,
        weights,
    }))
}

/// What the sites of one publisher have in common: the name in front of the
/// public suffix, guessed; eras of a site have one.
fn brand(page: &GoldPage) -> String {
    let folder = page.id.split('/').next().unwrap_or_default();
    let era = folder.split("--").next().unwrap_or_default();
    let era = era.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let host = page
        .url
        .as_deref()
        .and_then(|url| url.split("://").nth(1)?.split(['/', ':']).next());
    let Some(host) = host.filter(|host| host.contains('.')) else {
        return era.to_owned();
    };
    let labels: Vec<&str> = host.split('.').filter(|label| *label != "www").collect();
    let suffix = match labels[..] {
        [.., "co" | "com" | "org" | "net" | "gov" | "ac", last] if last.len() == 2 => 2,
        // What many sites of one host are: the site's own name counts.
        [
            ..,
            "github" | "blogspot" | "wordpress" | "gitlab" | "netlify",
            _,
        ] => 2,
        _ => 1,
    };
    labels
        .iter()
        .rev()
        .nth(suffix)
        .map_or(era, |brand| brand)
        .to_owned()
}

/// Labels and weights of a page's blocks.
fn label(page: &Page, blocks: &[Seen], gold: &Gold) -> (Vec<f64>, Vec<f64>) {
    let mut words = Interner::default();
    let main = if gold.text.is_empty() {
        &gold.refs[0]
    } else {
        &gold.text
    };
    let main_ids = words.ids(main);
    let longest = gold
        .refs
        .iter()
        .map(|text| words.ids(text))
        .max_by_key(Vec::len)
        .unwrap_or_default();
    let lines: HashSet<Vec<u32>> = main.lines().map(|line| words.ids(line)).collect();
    let of_blocks: Vec<Vec<u32>> = blocks
        .iter()
        .map(|b| words.ids(&text_of(page, b.span)))
        .collect();
    let article = covered(&of_blocks, &main_ids, &lines);
    let any = covered(&of_blocks, &longest, &lines);
    let weights = of_blocks
        .iter()
        .zip(article.iter().zip(&any))
        .map(|(ids, (article, any))| {
            let weight = (ids.len() as f64 / (main_ids.len() as f64).max(30.0)).min(1.0);
            if (any - article).abs() > 0.5 {
                weight * 0.1
            } else {
                weight
            }
        });
    let weights = weights.collect();
    (article, weights)
}

fn text_of(page: &Page, (first, last): (NodeId, NodeId)) -> String {
    let nodes = (first.0..=last.0).map(NodeId);
    let texts = nodes.filter(|&n| page.kind(n) == Kind::Text && page.is_content(n));
    texts.map(|n| page.text(n)).collect()
}

/// For each block the share of its words in runs that the gold has; a block of
/// fewer words counts if it is a line of the gold.
fn covered(blocks: &[Vec<u32>], gold: &[u32], lines: &HashSet<Vec<u32>>) -> Vec<f64> {
    let run = RUN.min(gold.len().max(1));
    let known: HashSet<&[u32]> = gold.windows(run).collect();
    let all: Vec<u32> = blocks.concat();
    let mut is_covered = vec![false; all.len()];
    for (at, words) in all.windows(run).enumerate() {
        if known.contains(words) {
            is_covered[at..at + run].fill(true);
        }
    }
    let mut at = 0;
    let share = |block: &Vec<u32>| {
        let of_block = &is_covered[at..at + block.len()];
        at += block.len();
        match block.len() {
            0 => 0.0,
            n if n < RUN => f64::from(u8::from(lines.contains(block))),
            n => of_block.iter().filter(|c| **c).count() as f64 / n as f64,
        }
    };
    blocks.iter().map(share).collect()
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| {
        (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    })
}

fn train(examples: &[&Example]) -> GradientBooster {
    let names = onepage::feature_names();
    let words = names.iter().position(|n| *n == "words").expect("a feature");
    let (mut rows, mut labels, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (e, example) in examples.iter().enumerate() {
        for (i, block) in example.blocks.iter().enumerate() {
            let mut weight = example.weights[i];
            if (block.features[words] as usize) < FEW_WORDS {
                if hash(&format!("{e} {i}")) / 7 % 10 >= OF_TEN {
                    continue;
                }
                weight *= 10.0 / OF_TEN as f64;
            }
            rows.push(&block.features);
            labels.push(example.labels[i]);
            weights.push(weight);
        }
    }
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    weights.iter_mut().for_each(|w| *w /= mean);
    let columns: Vec<f64> = (0..names.len())
        .flat_map(|f| rows.iter().map(move |row| f64::from(row[f])))
        .collect();
    let matrix = Matrix::new(&columns, rows.len(), names.len());
    let mut booster = GradientBooster::default()
        .set_objective_type(ObjectiveType::LogLoss)
        .set_iterations(TREES)
        .set_max_leaves(LEAVES)
        .set_max_depth(usize::MAX)
        .set_learning_rate(LEARNING_RATE)
        .set_l2(5.0)
        .set_min_leaf_weight(5.0)
        .set_nbins(64)
        .set_subsample(BLOCKS_A_TREE)
        .set_sample_method(forust_ml::sampler::SampleMethod::Random)
        .set_colsample_bytree(FEATURES_A_TREE)
        .set_seed(1)
        .set_parallel(true);
    booster.grow_policy = GrowPolicy::LossGuide;
    booster
        .fit(&matrix, &labels, &weights, None)
        .expect("the examples are a matrix");
    booster
}

/// The trees in the format of `density::onepage`.
fn file(booster: &GradientBooster) -> String {
    let mut out = format!(
        "forest trees 1\n{}\nbase {}\n",
        onepage::feature_names().join(" "),
        booster.base_score as f32
    );
    for tree in &booster.trees {
        let mut open = vec![0];
        let mut line = String::new();
        while let Some(at) = open.pop() {
            let node = &tree.nodes[at];
            if node.is_leaf {
                write!(line, " {}", (node.weight_value * 1e4).round() / 1e4).expect("a string");
            } else {
                let name = onepage::feature_names()[node.split_feature];
                write!(line, " {name}<{}", node.split_value as f32).expect("a string");
                open.extend([node.right_child, node.left_child]);
            }
        }
        writeln!(out, "{}", line.trim_start()).expect("a string");
    }
    out
}

/// The mean F1 of each collection under both measures, and its 9th percentile, by
/// trees that have not seen the page's brand.
fn folds(examples: &[Example]) {
    let mut scores: BTreeMap<&str, Vec<PageScore>> = BTreeMap::new();
    for fold in 0..FOLDS {
        let is_in = |e: &&Example| e.fold() == fold;
        let (unseen, seen): (Vec<&Example>, Vec<&Example>) = examples.iter().partition(is_in);
        let booster = train(&seen);
        for e in unseen {
            let blocks = e.blocks.iter();
            let columns: Vec<f64> = (0..onepage::feature_names().len())
                .flat_map(|f| blocks.clone().map(move |b| f64::from(b.features[f])))
                .collect();
            let matrix = Matrix::new(&columns, e.blocks.len(), onepage::feature_names().len());
            let logits = booster.predict(&matrix, false);
            let probabilities = logits.iter().map(|x| (1.0 / (1.0 + (-x).exp())) as f32);
            let probabilities: Vec<f32> = probabilities.collect();
            let kept = onepage::kept(&e.page, blocks.map(|b| b.span), &probabilities);
            let text = extract::text(&e.page, &kept);
            let mut gold = GoldTexts::new(e.gold.refs.iter().map(String::as_str));
            let of_collection = scores.entry(&e.collection).or_default();
            of_collection.push(gold.score("", &text));
        }
    }
    for (collection, pages) in scores {
        tell(collection, &pages);
    }
}

/// The same of the wrappers that `forest` learns with such trees.
fn forest(examples: &[Example], paths: &[String], learn_on: Option<usize>) -> forest::Result<()> {
    let trees_of = |fold| {
        let seen: Vec<&Example> = examples.iter().filter(|e| e.fold() != fold).collect();
        let trees = onepage::Trees::read(&file(&train(&seen)));
        Arc::new(trees.expect("the file that was written"))
    };
    let trees: Vec<Arc<onepage::Trees>> = (0..FOLDS).map(trees_of).collect();
    let fold_of: BTreeMap<(&str, &str), u64> = examples
        .iter()
        .map(|e| ((&*e.collection, e.site()), e.fold()))
        .collect();
    for path in paths {
        let collection = Collection::open(Path::new(path))?;
        let of_site = |site| -> forest::Result<Vec<PageScore>> {
            let id = collection
                .pages_of(site)
                .first()
                .map_or("", |page| &page.id);
            let key = (collection.name(), id.split('/').next().unwrap_or_default());
            // A site without gold is in no fold, and is not scored.
            let fold = fold_of.get(&key).copied().unwrap_or_default();
            let mut setup = Setup::of(Method::Forest, SignifierSource::default());
            setup.options = setup.options.with_trees(Arc::clone(&trees[fold as usize]));
            setup.learn_on = learn_on;
            let pages = EvalSite::read(&collection, site)?.run(&setup);
            Ok(pages.into_iter().map(|page| page.score).collect())
        };
        let sites: forest::Result<Vec<Vec<PageScore>>> =
            collection.sites().par_iter().map(of_site).collect();
        tell(collection.name(), &sites?.concat());
    }
    Ok(())
}

/// Prints the figures of a collection.
fn tell(collection: &str, pages: &[PageScore]) {
    let of = Summary::of(pages).expect("a collection has pages");
    let (two_gram, word_lcs) = (of.two_gram, of.word_lcs);
    println!(
        "{collection} ({}): {:.3} / {:.3}, 9th percentile {:.2}",
        of.pages, two_gram.mean.f1, word_lcs.mean.f1, two_gram.f1_percentiles[0]
    );
}
