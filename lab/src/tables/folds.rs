//! Learning from labelled tables, and scoring such trees on other hosts.

use super::labelled::LabelledTable;
use super::learn::{Example, TableLearnOptions, learn};
use super::made_up::{KINDS, Kind, make_of};
use super::scores::{CELL_CLASSES, Confusion, TableScores};
use forest_text::prose::table::classify::classes_by;
use forest_text::prose::table::trees::TableTrees;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Learns the trees from all tables; gives them as a file.
///
/// # Errors
///
/// The error of the learner.
pub fn learned(tables: &[LabelledTable], options: &TableLearnOptions) -> Result<String, String> {
    let examples: Vec<Example> = tables.iter().map(example).collect();
    learn(&examples.iter().collect::<Vec<_>>(), options)
}

fn example(of: &LabelledTable) -> Example {
    Example::of(of)
}

/// Scores each table with trees that learned from the tables of other hosts only:
/// `folds` times, each with the hosts of one fold left out, and all of that `repeats`
/// times with other folds and other draws. Counts are sums over the repeats.
///
/// # Errors
///
/// The error of the learner.
pub fn cross_validate(
    tables: &[LabelledTable],
    folds: usize,
    repeats: u32,
    options: &TableLearnOptions,
) -> Result<TableScores, String> {
    let examples: Vec<Example> = tables.iter().map(example).collect();
    let hosts: BTreeSet<&str> = tables.iter().map(|table| table.host.as_str()).collect();
    let runs: Vec<(u32, usize)> = (0..repeats)
        .flat_map(|repeat| (0..folds).map(move |fold| (repeat, fold)))
        .collect();
    let scores: Result<Vec<TableScores>, String> = runs
        .par_iter()
        .map(|&(repeat, fold)| {
            let left_out = hosts_of(fold, folds, &hosts, repeat);
            let is_in = |table: &LabelledTable| left_out.contains(table.host.as_str());
            let seen = tables
                .iter()
                .zip(&examples)
                .filter(|(table, _)| !is_in(table));
            let seen: Vec<&Example> = seen.map(|(_, example)| example).collect();
            let options = options.clone().with_seed(u64::from(repeat));
            let trees = TableTrees::read(&learn(&seen, &options)?)?;
            let mut scores = TableScores::default();
            for table in tables.iter().filter(|table| is_in(table)) {
                scores.add(table, &trees);
            }
            Ok(scores)
        })
        .collect();
    let mut sum = TableScores::default();
    for scores in scores? {
        sum.add_all(&scores);
    }
    Ok(sum)
}

/// Tables of a kind that trees are scored on.
const OF_A_KIND: u64 = 60;

/// Scores tables that are made up, by kind, with trees that learned from all labelled
/// tables and from made-up ones of the other kinds.
///
/// # Errors
///
/// The error of the learner.
pub fn unseen_kinds(
    tables: &[LabelledTable],
    options: &TableLearnOptions,
) -> Result<Vec<(Kind, Confusion)>, String> {
    let examples: Vec<Example> = tables.iter().map(example).collect();
    let examples: Vec<&Example> = examples.iter().collect();
    let scores = KINDS.par_iter().map(|&(kind, _)| {
        let options = options.clone().without(kind);
        let trees = TableTrees::read(&learn(&examples, &options)?)?;
        let mut scores = Confusion::new(&CELL_CLASSES);
        // Far from the seeds that are learned from.
        for seed in 1 << 20..(1 << 20) + OF_A_KIND {
            let made = make_of(kind, seed);
            if let Some((page, _, grid)) = made.read() {
                scores.add_cells(&made.right(), &classes_by(&page, &grid, &trees));
            }
        }
        Ok((kind, scores))
    });
    scores.collect()
}

/// The hosts of a fold: all hosts in the order of their hashes with the repeat's
/// number, dealt out in turn.
fn hosts_of<'a>(
    fold: usize,
    folds: usize,
    hosts: &BTreeSet<&'a str>,
    repeat: u32,
) -> BTreeSet<&'a str> {
    let mut order: Vec<(Vec<u8>, &str)> = hosts
        .iter()
        .map(|&host| (Sha256::digest(format!("{repeat} {host}")).to_vec(), host))
        .collect();
    order.sort_unstable();
    let dealt = order.into_iter().skip(fold).step_by(folds.max(1));
    dealt.map(|(_, host)| host).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_is_left_out_once() {
        let hosts: BTreeSet<&str> = ["a", "b", "c", "d", "e", "f", "g"].into();
        let folds = |repeat| -> Vec<BTreeSet<&str>> {
            (0..3)
                .map(|fold| hosts_of(fold, 3, &hosts, repeat))
                .collect()
        };
        let first = folds(0);
        assert_eq!(
            first.iter().map(BTreeSet::len).collect::<Vec<_>>(),
            [3, 2, 2]
        );
        assert_eq!(
            first.iter().flatten().copied().collect::<BTreeSet<_>>(),
            hosts
        );
        assert_ne!(first, folds(1));
    }
}
