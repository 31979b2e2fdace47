//! `forest-lab parser`: the parser against html5ever, on pages and on pages that were mutated.

#[path = "../../tests/shared/pages.rs"]
mod pages;
#[path = "../../tests/shared/tokens.rs"]
mod tokens;
#[path = "../../tests/shared/trees.rs"]
mod trees;

use crate::mutation::Mutation;
use crate::rng::Rng;
use anyhow::{Context, ensure};
use pages::{saved_pages, text_of};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes of a page that are mutated at once.
const WINDOW_BYTES: usize = 4096;

const MUTATION: Mutation<'static> = Mutation {
    changes: 8,
    bytes: 12,
    pieces: &tokens::PIECES,
};

/// Compare the parser's tokens and trees with html5ever's
///
/// Stops at the first page that differs.
#[derive(Debug, clap::Args)]
pub struct ParserArgs {
    /// Pages, or folders with pages (*.html, *.html.gz).
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Minutes to go on with mutated parts of the pages.
    #[arg(long, default_value_t = 0)]
    minutes: u64,

    /// Name of the mutations: another name, other mutations.
    #[arg(long, default_value = "parser")]
    seed: String,
}

pub fn run(args: &ParserArgs) -> anyhow::Result<()> {
    let files = saved_pages(args.paths.iter().cloned())?;
    ensure!(!files.is_empty(), "no page was found");
    let (mut bytes, mut with_selectedcontent) = (0, 0);
    for file in &files {
        let html = text_of(file).with_context(|| file.display().to_string())?;
        bytes += html.len();
        with_selectedcontent += usize::from(holds_selectedcontent(&html));
        compare(&html, || file.display().to_string());
    }
    println!(
        "{} pages, {bytes} bytes: the same tokens and trees ({with_selectedcontent} with \
         `selectedcontent`: tokens only)",
        files.len()
    );
    let mut rng = Rng::named(&args.seed);
    let (start, limit) = (Instant::now(), Duration::from_secs(60 * args.minutes));
    let mut mutated = 0;
    while start.elapsed() < limit {
        let html = text_of(rng.pick::<PathBuf>(&files))?;
        for _ in 0..100 {
            let part = mutate(&html, &mut rng);
            compare(&part, || {
                format!("mutation {mutated} of `{}`: {part:?}", args.seed)
            });
            mutated += 1;
        }
    }
    println!("{mutated} mutated parts: the same tokens and trees");
    Ok(())
}

/// The judge copies nothing into this element, which the standard asks for.
fn holds_selectedcontent(html: &str) -> bool {
    html.to_ascii_lowercase().contains("<selectedcontent")
}

fn compare(html: &str, name: impl Fn() -> String) {
    let same = std::panic::catch_unwind(|| {
        tokens::compare(html);
        if !holds_selectedcontent(html) {
            trees::compare(html);
        }
    });
    assert!(same.is_ok(), "{}", name());
}

/// A part of a page, changed in a few places.
fn mutate(html: &str, rng: &mut Rng) -> String {
    let start = html.floor_char_boundary(rng.between(0, html.len()));
    let length = rng.between(0, WINDOW_BYTES);
    let part = &html[start..html.ceil_char_boundary((start + length).min(html.len()))];
    MUTATION.of(part, rng)
}
