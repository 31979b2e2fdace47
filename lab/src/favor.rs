//! `forest-lab favor`: what it costs to decide doubtful blocks on one side.

use crate::collections::GoldArgs;
use forest_core::extract::{Options, one_page};
use forest_core::onepage::Favor;
use forest_eval::eval::GoldTexts;
use forest_html::page::{Page, Source};
use forest_sources::gold::{Gold, GoldPage};
use rayon::prelude::*;

/// Measure pages read by their own shape with doubtful blocks left out, decided as usual, and kept
#[derive(Debug, clap::Args)]
pub struct FavorArgs {
    #[command(flatten)]
    gold: GoldArgs,
}

const FAVORS: [(&str, Favor); 3] = [
    ("precision", Favor::Precision),
    ("balance", Favor::Balance),
    ("recall", Favor::Recall),
];

/// Runs the command.
pub fn run(args: &FavorArgs) -> anyhow::Result<()> {
    println!("| collection | `--favor` | precision | recall | F1 |");
    println!("| --- | --- | ---: | ---: | ---: |");
    for collection in args.gold.open()? {
        let pages = collection.pages().iter();
        let pages: Vec<(&GoldPage, &Gold)> = pages
            .filter_map(|page| Some((page, page.gold.as_ref()?)))
            .collect();
        for (name, favor) in FAVORS {
            let options = Options::default().with_favor(favor);
            let scores: Vec<[f64; 3]> = pages
                .par_iter()
                .map(|&(page, gold)| {
                    let source = Source {
                        url: page.url.as_deref(),
                        ..Source::default()
                    };
                    let bytes = page.read()?;
                    let article = one_page(&Page::parse(&bytes, source), &options);
                    let mut texts = GoldTexts::new(gold.refs.iter().map(String::as_str));
                    let score = texts.score(&page.id, &article.text).two_gram;
                    anyhow::Ok([score.precision, score.recall, score.f1])
                })
                .collect::<anyhow::Result<_>>()?;
            let mean = |at: usize| {
                scores.iter().map(|score| score[at]).sum::<f64>() / scores.len().max(1) as f64
            };
            println!(
                "| {} | {name} | {:.3} | {:.3} | {:.3} |",
                collection.name(),
                mean(0),
                mean(1),
                mean(2)
            );
        }
    }
    Ok(())
}
