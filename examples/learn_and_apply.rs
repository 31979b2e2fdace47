//! Learns a wrapper from a folder of pages and applies it to them, without the
//! network: `cargo run --no-default-features --example learn_and_apply [FOLDER]`.
//!
//! The folder holds the pages of one site (`*.html`) and perhaps its `feed.xml`;
//! without one it is a site of the project's own gold.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use forest::extract::{Extractor, Options};
use forest::feed::{self, FeedItem};
use forest::learn::{LearnOptions, LearnOutcome, SamplePage, learn};
use forest::page::{Page, Source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("gold/tagesbote-lindach.example");
    let folder = std::env::args().nth(1).map_or_else(own, PathBuf::from);

    // What the feed says of each page, by the page's title.
    let mut items = HashMap::new();
    if let Ok(bytes) = fs::read(folder.join("feed.xml")) {
        for item in feed::parse(&bytes, None, None)?.items {
            items.insert(item.title, item.summary);
        }
    }

    let mut sample = Vec::new();
    for path in pages_of(&folder)? {
        let page = Page::parse(&fs::read(&path)?, Source::default());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut sample_page = SamplePage::new(page, name);
        let title = sample_page.page.metadata().title.clone();
        if let Some((title, summary)) = title.and_then(|title| items.remove_entry(&title)) {
            sample_page.item = Some(FeedItem {
                title,
                summary,
                ..FeedItem::default()
            });
        }
        sample.push(sample_page);
    }

    let site = folder.file_name().unwrap_or_default().to_string_lossy();
    let options = LearnOptions::default().with_site(&*site);
    let learned = match learn(&sample, &options) {
        LearnOutcome::Learned(learned) => learned,
        LearnOutcome::Abstained(why) => return Err(why.reason.to_string().into()),
    };
    for (page, verdict) in sample.iter().zip(&learned.verdicts) {
        eprintln!("{}: {verdict}", page.name);
    }
    eprint!("\n{}\n", learned.wrapper.to_yaml());

    let extractor = Extractor::new(learned.wrapper)?;
    for page in &sample {
        let mut article = extractor.extract(&page.page, &Options::default());
        article.id.clone_from(&page.name);
        println!("{}", serde_json::to_string(&article)?);
    }
    Ok(())
}

/// The HTML files of a folder, by name.
fn pages_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut pages: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|e| e == "html"));
    pages.sort();
    Ok(pages)
}
