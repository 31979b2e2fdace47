//! Kitten's table 3 in miniature: which texts answer questions.
//!
//! ```sh
//! cargo run --release --example passages -- gold/questions/questions.jsonl gold
//! cargo run --release --example passages -- ../shared/gold/wtq/questions.jsonl ../shared/gold/wtq/tables
//! ```
//!
//! The first argument holds a question a line (`id`, `page` or `table`, `question`,
//! `answer`, `lang`), the second is the folder of their pages (`<page>` or
//! `<page>.html`). Several pairs can be given; the last table is of all together.

use forest::eval::passages::{Answered, Corpus, Passages, Question};
use forest::page::Page;
use forest::text::Language;
use std::collections::BTreeMap;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut sums = [Answered::default(); Corpus::ALL.len()];
    let sets = arguments.chunks_exact(2);
    if arguments.is_empty() || !sets.remainder().is_empty() {
        return Err("give QUESTIONS.jsonl and the folder of their pages, in turn".into());
    }
    for set in sets {
        let questions = questions(&set[0])?;
        let pages = pages(&questions, Path::new(&set[1]))?;
        let mut found = [Answered::default(); Corpus::ALL.len()];
        for (i, corpus) in Corpus::ALL.into_iter().enumerate() {
            let made: Vec<_> = pages
                .iter()
                .map(|(name, (language, page))| {
                    (name.clone(), *language, corpus.passages(page, *language))
                })
                .collect();
            found[i] = Passages::index(&made)?.answer(&questions)?;
            sums[i].of += found[i].of;
            sums[i].first += found[i].first;
            sums[i].top += found[i].top;
        }
        tell(&set[0], &found);
    }
    if arguments.len() > 2 {
        tell("all", &sums);
    }
    Ok(())
}

fn questions(file: &str) -> Result<Vec<Question>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    Ok(text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

/// The pages that are asked about, by name.
fn pages(
    questions: &[Question],
    folder: &Path,
) -> Result<BTreeMap<String, (Language, Page)>, Box<dyn std::error::Error>> {
    let mut pages = BTreeMap::new();
    for question in questions {
        if !pages.contains_key(&question.page) {
            let mut path = folder.join(&question.page);
            if !path.exists() {
                path = folder.join(format!("{}.html", question.page));
            }
            let html = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let page = Page::parse(&html, forest::page::Source::default());
            let language = Language::from_tag(&question.lang);
            pages.insert(question.page.clone(), (language, page));
        }
    }
    Ok(pages)
}

fn tell(what: &str, found: &[Answered]) {
    println!("\n{what}: {} questions\n", found[0].of);
    println!("| text | first rank | top three |\n| --- | --- | --- |");
    for (corpus, of) in Corpus::ALL.into_iter().zip(found) {
        let share = |n: usize| n as f64 / of.of.max(1) as f64;
        println!(
            "| {} | {} ({:.2}) | {} ({:.2}) |",
            corpus.name(),
            of.first,
            share(of.first),
            of.top,
            share(of.top)
        );
    }
}
