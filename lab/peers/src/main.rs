//! One tool over the pages of a collection of gold, a round for each line of input:
//! `forest-peers TOOL FOLDER`. Prints the number of pages, then the seconds of each round.
//! `peers.py` runs the tools in turn and compares them.

use std::hint::black_box;
use std::io::{BufRead as _, Error, Result, Write as _};
use std::time::Instant;

use dom_smoothie::Readability;
use forest_core::extract::{Extractor, Options, one_page};
use forest_sources::gold::Collection;
use forest_core::learn::{DEFAULT_SAMPLE, LearnOptions, LearnOutcome, SamplePage, learn};
use forest_html::page::{Mask, Page, Source};
use forest_text::prose::{TextOptions, prose};
use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::RcDom;

/// A page, and the wrapper of its site.
struct Work {
    bytes: Vec<u8>,
    url: Option<String>,
    extractor: Option<Extractor>,
}

impl Work {
    fn source(&self) -> Source<'_> {
        Source {
            url: self.url.as_deref(),
            content_type: None,
        }
    }

    fn page(&self) -> Page {
        Page::parse(&self.bytes, self.source())
    }
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(tool), Some(folder)) = (args.next(), args.next()) else {
        return Err(Error::other("usage: forest-peers TOOL FOLDER"));
    };
    let work = pages(&folder, tool.starts_with("apply"))?;
    let run = tool_named(&tool).ok_or_else(|| Error::other(format!("no tool `{tool}`")))?;
    println!("{}", work.len());
    // The peak of memory is that of the rounds: where the system does not reset it, of all.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    for line in std::io::stdin().lock().lines() {
        line?;
        let start = Instant::now();
        work.iter().for_each(run);
        println!("{}", start.elapsed().as_secs_f64());
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// The pages of a collection; with the wrappers of their sites, learned from the first ten, if
/// `learned`.
fn pages(folder: &str, learned: bool) -> Result<Vec<Work>> {
    let collection = Collection::open(folder).map_err(Error::other)?;
    let mut work = Vec::new();
    for site in collection.sites() {
        let first = work.len();
        for page in collection.pages_of(site) {
            work.push(Work {
                bytes: page.read().map_err(Error::other)?,
                url: page.url.clone(),
                extractor: None,
            });
        }
        let of_site = &mut work[first..];
        let extractor = learned.then(|| learn_from(&site.name, of_site)).flatten();
        for page in of_site {
            page.extractor = extractor.clone();
        }
    }
    Ok(work)
}

fn learn_from(site: &str, pages: &[Work]) -> Option<Extractor> {
    let sample = pages.iter().take(DEFAULT_SAMPLE).enumerate();
    let sample: Vec<SamplePage> = sample
        .map(|(at, work)| SamplePage::new(work.page(), at.to_string()))
        .collect();
    match learn(&sample, &LearnOptions::default().with_site(site)) {
        LearnOutcome::Learned(learned) => Extractor::new(learned.wrapper).ok(),
        _ => None,
    }
}

/// The function of a tool, over one page.
fn tool_named(name: &str) -> Option<fn(&Work)> {
    Some(match name {
        "html5ever" => |work| {
            let parser = html5ever::parse_document(RcDom::default(), Default::default());
            drop(black_box(parser.from_utf8().one(&*work.bytes)));
        },
        "parse" => |work| drop(black_box(work.page())),
        "apply" => |work| {
            let options = Options::default();
            black_box(match &work.extractor {
                Some(extractor) => extractor.extract(&work.page(), &options),
                None => one_page(&work.page(), &options),
            });
        },
        "onepage" => |work| drop(black_box(one_page(&work.page(), &Options::default()))),
        "text" => |work| {
            let page = work.page();
            black_box(prose(&page, &Mask::all(&page), &TextOptions::default()));
        },
        "dom_smoothie" => |work| {
            let html = String::from_utf8_lossy(&work.bytes);
            let article = Readability::new(html.as_ref(), work.url.as_deref(), None);
            let _ = black_box(article.and_then(|mut reader| reader.parse()));
        },
        "trafilatura-rs" => |work| {
            let html = String::from_utf8_lossy(&work.bytes);
            let _ = black_box(trafilatura::extract(
                &html,
                &trafilatura::Options::default(),
            ));
        },
        _ => return None,
    })
}
