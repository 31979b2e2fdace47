//! `forest-lab slices`: articles from parts of pages against those of whole pages.

use crate::mutation::Mutation;
use crate::rng::Rng;
use anyhow::Context;
use forest::extract::{Extractor, Options, Status, differences};
use forest::gold::Collection;
use forest::learn::{DEFAULT_SAMPLE, LearnOptions, LearnOutcome, SamplePage, learn};
use forest::page::{MAX_PAGE_BYTES, Page, Source};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Markup that mutations insert.
const PIECES: [&str; 25] = [
    "<nobr>",
    "</nobr>",
    "<svg><image>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<a href=x>",
    "</a>",
    "<table>",
    "<td>",
    "</table>",
    "<li>",
    "</ul>",
    "<form>",
    "</form>",
    "<!--",
    "-->",
    "<h2>",
    "<svg>",
    "<select>",
    "</span>",
    "<button>",
];

const MUTATION: Mutation<'static> = Mutation {
    changes: 12,
    bytes: 40,
    pieces: &PIECES,
};

/// Compare articles from parts of pages with those of whole pages
#[derive(Debug, clap::Args)]
pub struct SlicesArgs {
    /// Collections of gold.
    #[arg(value_name = "DIR", required = true)]
    paths: Vec<PathBuf>,

    /// Mutated pages of each collection.
    #[arg(long, default_value_t = 0)]
    mutated: usize,

    /// Print the pages that differ.
    #[arg(long)]
    list: bool,
}

/// The pages of a collection by their roads.
#[derive(Default)]
struct Roads {
    fast: usize,
    different: usize,
    /// Slices whose whole page is `degraded`.
    degraded: usize,
    refused: BTreeMap<String, usize>,
}

impl Roads {
    fn total(&self) -> usize {
        self.fast + self.refused.values().sum::<usize>()
    }

    fn read(
        &mut self,
        extractor: &Extractor,
        bytes: &[u8],
        source: Source<'_>,
    ) -> Vec<&'static str> {
        let options = Options::default().with_html(true).with_markdown(true);
        match extractor.sliced(bytes, source, MAX_PAGE_BYTES, &options) {
            Err(why) => {
                *self.refused.entry(why.to_string()).or_default() += 1;
                Vec::new()
            }
            Ok(article) => {
                self.fast += 1;
                let whole = extractor.extract(&extractor.parse(bytes, source), &options);
                let names = differences(&article, &whole);
                self.degraded += usize::from(whole.status == Status::Degraded);
                self.different += usize::from(!names.is_empty());
                names
            }
        }
    }

    fn print(&self, what: &str) {
        println!(
            "  {what}: {} pages, {} fast, {} different, {} degraded when whole",
            self.total(),
            self.fast,
            self.different,
            self.degraded
        );
        let mut refused: Vec<(&String, &usize)> = self.refused.iter().collect();
        refused.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (why, count) in refused {
            println!("    {count:5} {why}");
        }
    }
}

pub fn run(args: &SlicesArgs) -> anyhow::Result<()> {
    for path in &args.paths {
        let collection = Collection::open(path).with_context(|| path.display().to_string())?;
        println!("{}", path.display());
        let (mut wrappers, mut able, mut fast) = (0, 0, 0);
        let (mut roads, mut mutated) = (Roads::default(), Roads::default());
        let mut rng = Rng::named("slices");
        for site in collection.sites() {
            let pages = collection.pages_of(site);
            let mut loaded = Vec::new();
            for page in pages {
                loaded.push((page.id.clone(), page.url.clone(), page.read()?));
            }
            let sample: Vec<SamplePage> = loaded
                .iter()
                .take(DEFAULT_SAMPLE)
                .map(|(id, url, bytes)| {
                    let page = Page::parse(bytes, source_of(url));
                    SamplePage::new(page, &**id).with_source(bytes.clone(), None)
                })
                .collect();
            let options = LearnOptions::default().with_site(&site.name);
            let LearnOutcome::Learned(learned) = learn(&sample, &options) else {
                continue;
            };
            wrappers += 1;
            let is_fast = learned.wrapper.fast;
            let extractor = Extractor::new(learned.wrapper)?;
            able += usize::from(extractor.can_be_fast());
            fast += usize::from(is_fast);
            for (id, url, bytes) in &loaded {
                let names = roads.read(&extractor, bytes, source_of(url));
                if args.list && !names.is_empty() {
                    println!("    {id}: {names:?} (wrapper fast: {is_fast})");
                }
            }
            let share = args.mutated * loaded.len() / collection.pages().len().max(1);
            for at in 0..share {
                let (id, url, bytes) = &loaded[at % loaded.len()];
                let html = MUTATION.of(&String::from_utf8_lossy(bytes), &mut rng);
                let names = mutated.read(&extractor, html.as_bytes(), source_of(url));
                if args.list && !names.is_empty() {
                    println!("    mutated {id}: {names:?}");
                    std::fs::write("mutated.html", &html)?;
                }
            }
        }
        println!("  {wrappers} wrappers, {able} could be fast, {fast} are on their sample");
        roads.print("pages");
        if args.mutated > 0 {
            mutated.print("mutated pages");
        }
    }
    Ok(())
}

fn source_of(url: &Option<String>) -> Source<'_> {
    Source {
        url: url.as_deref(),
        content_type: None,
    }
}
