//! `forest-lab slices`: articles from parts of pages against those of whole pages.

use crate::rng::Rng;
use anyhow::Context;
use forest::extract::{Extractor, Options, differences};
use forest::gold::Collection;
use forest::learn::{DEFAULT_SAMPLE, LearnOptions, LearnOutcome, SamplePage, learn};
use forest::page::{MAX_PAGE_BYTES, Page, Source};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Bytes that a mutation takes away or copies at the most.
const CHANGED_BYTES: usize = 40;

/// Changes of a mutated page at the most.
const MAX_CHANGES: usize = 12;

/// Markup that mutations insert.
const PIECES: [&str; 22] = [
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
                let mut names = differences(&article, &whole);
                if article.status != whole.status {
                    *self
                        .refused
                        .entry("(status differs)".to_owned())
                        .or_default() += 0;
                }
                names.dedup();
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
            let source = |url: &Option<String>| -> Source<'static> {
                let url: Option<&'static str> = url.clone().map(|url| &*url.leak());
                Source {
                    url,
                    content_type: None,
                }
            };
            let sample: Vec<SamplePage> = loaded
                .iter()
                .take(DEFAULT_SAMPLE)
                .map(|(id, url, bytes)| {
                    let page = Page::parse(bytes, source(url));
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
                let names = roads.read(&extractor, bytes, source(url));
                if args.list && !names.is_empty() {
                    println!("    {id}: {names:?} (wrapper fast: {is_fast})");
                }
            }
            let share = args.mutated * loaded.len() / collection.pages().len().max(1);
            for at in 0..share {
                let (id, url, bytes) = &loaded[at % loaded.len()];
                let html = mutate(&String::from_utf8_lossy(bytes), &mut rng);
                let names = mutated.read(&extractor, html.as_bytes(), source(url));
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

/// A page, changed in a few places.
fn mutate(html: &str, rng: &mut Rng) -> String {
    let mut page = html.to_owned();
    for _ in 0..rng.between(1, MAX_CHANGES) {
        let at = page.floor_char_boundary(rng.between(0, page.len()));
        let until = page.ceil_char_boundary((at + rng.between(0, CHANGED_BYTES)).min(page.len()));
        match rng.between(0, 2) {
            0 => page.replace_range(at..until, ""),
            1 => page.insert_str(at, rng.pick::<&str>(&PIECES)),
            _ => {
                let copied = page[at..until].to_owned();
                let to = page.floor_char_boundary(rng.between(0, page.len()));
                page.insert_str(to, &copied);
            }
        }
    }
    page
}
