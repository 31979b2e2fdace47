//! `forest-lab passages`: the questions and the figures.

use super::ranking::{Answered, Corpus, Passages, Question};
use anyhow::{Context, bail};
use forest_html::page::{Page, Source};
use forest_html::text::Language;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Count the questions that the passages of a text answer (Kitten, table 3)
#[derive(Debug, clap::Args)]
pub struct PassageArgs {
    /// In turn: a file with a question a line ("id", "page" or "table", "question",
    /// "answer", "lang") and the folder of their pages (<page> or <page>.html). The last
    /// table is of all together.
    #[arg(value_name = "QUESTIONS FOLDER", required = true)]
    sets: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &PassageArgs) -> anyhow::Result<()> {
    let sets = args.sets.chunks_exact(2);
    if !sets.remainder().is_empty() {
        bail!("give QUESTIONS.jsonl and the folder of their pages, in turn");
    }
    let mut sums = [Answered::default(); Corpus::ALL.len()];
    for set in sets {
        let answered = answered(&questions(&set[0])?, &set[1])?;
        for (sum, of) in sums.iter_mut().zip(&answered) {
            sum.of += of.of;
            sum.first += of.first;
            sum.top += of.top;
        }
        print_figures(&set[0].display().to_string(), &answered);
    }
    if args.sets.len() > 2 {
        print_figures("all", &sums);
    }
    Ok(())
}

/// The answered questions by corpus.
fn answered(questions: &[Question], folder: &Path) -> anyhow::Result<Vec<Answered>> {
    let pages = pages(questions, folder)?;
    let of_corpus = |corpus: Corpus| {
        let passages = pages.iter().map(|(name, (language, page))| {
            (name.clone(), *language, corpus.passages(page, *language))
        });
        let passages: Vec<_> = passages.collect();
        Ok(Passages::index(&passages)?.answer(questions)?)
    };
    Corpus::ALL.into_iter().map(of_corpus).collect()
}

fn questions(file: &Path) -> anyhow::Result<Vec<Question>> {
    let shown = || format!("cannot read {}", file.display());
    let text = std::fs::read_to_string(file).with_context(shown)?;
    let questions = text.lines().map(serde_json::from_str);
    questions.collect::<Result<_, _>>().with_context(shown)
}

/// The pages that are asked about, by name.
fn pages(
    questions: &[Question],
    folder: &Path,
) -> anyhow::Result<BTreeMap<String, (Language, Page)>> {
    let mut pages = BTreeMap::new();
    for question in questions {
        if pages.contains_key(&question.page) {
            continue;
        }
        let mut path = folder.join(&question.page);
        if !path.exists() {
            path = folder.join(format!("{}.html", question.page));
        }
        let html = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let page = Page::parse(&html, Source::default());
        let language = Language::from_tag(&question.lang);
        pages.insert(question.page.clone(), (language, page));
    }
    Ok(pages)
}

fn print_figures(set: &str, answered: &[Answered]) {
    println!("\n{set}: {} questions\n", answered[0].of);
    println!("| text | first rank | top three |\n| --- | --- | --- |");
    for (corpus, of) in Corpus::ALL.into_iter().zip(answered) {
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
