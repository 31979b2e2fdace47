//! The kinds of the project's own pages.

use forest_core::extract::PageKind;
use forest_core::onepage;
use forest_html::page::{Page, Source};
use forest_sources::gold::Collection;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn own(folder: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

fn kind(bytes: &[u8], url: Option<&str>) -> PageKind {
    let source = Source {
        url,
        content_type: None,
    };
    onepage::article(&Page::parse(bytes, source)).kind.kind()
}

/// A site of it is a wiki, whose pages are no articles.
#[test]
fn the_articles_of_the_gold_are_articles() {
    let collection = Collection::open(own("gold")).expect("the gold is committed");
    let pages = collection.pages().iter();
    let others = pages.filter(|page| page.site() != "fenland-wiki.example");
    let others = others.filter_map(|page| {
        let kind = kind(&page.read().expect("a page"), page.url.as_deref());
        (kind != PageKind::Article).then(|| format!("{}: {kind}", page.id))
    });
    assert_eq!(others.collect::<Vec<_>>(), Vec::<String>::new());
}

/// One of 13 sites has its items in JSON alone, another is as likely a list as an article.
#[test]
fn most_lists_of_the_gold_are_lists() {
    let (mut lists, mut pages) = (0, 0);
    for site in fs::read_dir(own("gold/lists")).expect("the gold is committed") {
        for snapshot in fs::read_dir(site.expect("a folder").path()).expect("snapshots") {
            let snapshot = snapshot.expect("a folder").path();
            let truth = fs::read(snapshot.join("truth.json")).expect("the truth");
            let truth: Value = serde_json::from_slice(&truth).expect("JSON");
            for (name, page) in truth.as_object().expect("pages") {
                let bytes = fs::read(snapshot.join(name)).expect("a page");
                let kind = kind(&bytes, page["url"].as_str());
                pages += 1;
                lists += usize::from(kind.is_list());
            }
        }
    }
    assert_eq!(pages, 39);
    assert!(lists >= 33, "{lists}");
}
