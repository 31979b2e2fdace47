//! What the filters promise of every page, on the pages of the gold: the output parses to
//! the filtered tree, filtering twice is filtering once, nothing runs, and nothing appears
//! that was not on the page.

use forest_html::page::{Kind, NodeId, Page, Source};
use forest_html::text::metric_tokens;
use forest_text::filter::{FilterEngine, FilterWarning, Filtered, Profile};
use rayon::prelude::*;
use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The pages in a folder and in all below it.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".html") || name.ends_with(".html.gz") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn bytes_of(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a page");
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut unpacked = Vec::new();
        let mut packed = flate2::read::MultiGzDecoder::new(&bytes[..]);
        packed.read_to_end(&mut unpacked).expect("gzip");
        return unpacked;
    }
    bytes
}

/// A tree, a node a line.
#[derive(Default)]
struct TreeLines {
    lines: Vec<String>,
    text: String,
}

impl TreeLines {
    fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn element(&mut self, line: String) {
        self.end_text();
        self.lines.push(line);
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.lines.push(format!("{text:?}"));
        }
    }
}

/// The tree that should be written.
fn filtered_tree(filtered: &Filtered<'_>) -> Vec<String> {
    let page = filtered.page();
    let mut tree = TreeLines::default();
    let mut ends: Vec<NodeId> = Vec::new();
    let mut at = 0;
    while at < page.len() as u32 {
        let n = NodeId(at);
        at += 1;
        while ends.pop_if(|end| *end <= n).is_some() {
            tree.element("end".into());
        }
        let edit = filtered.edits().get(&n);
        if !filtered.kept().contains(n) {
            at = page.end(n).0;
            continue;
        }
        if let Some(text) = edit.and_then(|edit| edit.text.as_deref()) {
            tree.text(text);
            at = page.end(n).0;
            continue;
        }
        match page.kind(n) {
            Kind::Text => tree.text(page.text(n)),
            Kind::Element if edit.is_some_and(|edit| edit.unwrapped) => {}
            Kind::Element if is_charset(page, n) => at = page.end(n).0,
            Kind::Element => {
                let attrs = page.attrs(n).enumerate();
                let kept = attrs.filter(|(at, _)| edit.is_none_or(|e| !e.dropped.contains(at)));
                let attrs = kept.map(|(_, (name, value))| format!(" {}={value:?}", name.local));
                let name = match &*page.name(n).expect("an element").local {
                    "xmp" | "listing" | "plaintext" => "pre",
                    name => name,
                };
                tree.element(format!("<{name}{}>", attrs.collect::<String>()));
                ends.push(page.end(n));
            }
            _ => {}
        }
    }
    while ends.pop().is_some() {
        tree.element("end".into());
    }
    tree.lines
}

/// A `meta` of the charset is written anew.
fn is_charset(page: &Page, n: NodeId) -> bool {
    let is_type = |kind: &str| kind.trim().eq_ignore_ascii_case("content-type");
    page.tag(n).is_some_and(|tag| **tag == *"meta")
        && (page.attr(n, "charset").is_some() || page.attr(n, "http-equiv").is_some_and(is_type))
}

/// The tokens that a page may show: its text, with and without scripts, and ALT texts.
fn tokens(page: &Page) -> HashSet<String> {
    let mut tokens = HashSet::new();
    let mut add = |text: &str| tokens.extend(metric_tokens(text).iter().map(str::to_owned));
    add(page.text(page.root()));
    page.nodes().for_each(|n| add(page.text(n)));
    page.elements()
        .filter_map(|n| page.attr(n, "alt"))
        .for_each(add);
    tokens
}

/// True for a token, or several without a space between: an ALT text may touch a word.
fn is_of(token: &str, tokens: &HashSet<String>) -> bool {
    let mut starts = vec![0];
    for (end, _) in token.char_indices().chain([(token.len(), ' ')]) {
        if starts
            .iter()
            .any(|&start| tokens.contains(&token[start..end]))
        {
            starts.push(end);
        }
    }
    starts.last() == Some(&token.len())
}

/// The faults of a page by a profile.
fn faults(bytes: &[u8], profile: Profile) -> Vec<String> {
    let engine = FilterEngine::new(profile.settings());
    let page = engine.parse(bytes, Source::default());
    let filtered = engine.filter(&page);
    let written = filtered.html();
    let mut faults = Vec::new();
    if written.warnings.contains(&FilterWarning::TextOnly) {
        faults.push("text only".to_owned());
    }
    let again = engine.parse(written.text.as_bytes(), Source::default());
    let twice = engine.filter(&again);
    if !twice.changes().is_empty() {
        faults.push(format!("twice: {:?}", twice.changes()));
    }
    if twice.html().text != written.text {
        faults.push("twice is another text".to_owned());
    }
    let (ours, read) = (filtered_tree(&filtered), filtered_tree(&twice));
    if let Some((a, b)) = ours.iter().zip(&read).find(|(a, b)| a != b) {
        faults.push(format!("trees differ: {a} and {b}"));
    } else if ours.len() != read.len() {
        faults.push("trees differ in length".to_owned());
    }
    let (all, shown) = (tokens(&page), filtered.text());
    let shown = metric_tokens(&shown);
    let others: Vec<_> = { shown.iter() }
        .filter(|token| !is_of(token, &all))
        .map(str::to_owned)
        .collect();
    if !others.is_empty() {
        faults.push(format!("not on the page: {others:?}"));
    }
    for n in again.elements() {
        let runs = |name: &str| name.starts_with("on") || name == "srcdoc";
        if again
            .tag(n)
            .is_some_and(|tag| matches!(&**tag, "script" | "noscript" | "iframe"))
            || again.attrs(n).any(|(name, value)| {
                runs(&name.local) || value.trim().to_ascii_lowercase().starts_with("javascript:")
            })
        {
            faults.push(format!("runs: {:?}", again.name(n)));
        }
    }
    faults
}

fn check(folders: &[&str], least: usize) {
    let pages: Vec<PathBuf> = folders
        .iter()
        .flat_map(|f| pages_in(Path::new(f)))
        .collect();
    assert!(pages.len() >= least, "{} pages", pages.len());
    let faults: Vec<String> = pages
        .par_iter()
        .flat_map_iter(|path| {
            let bytes = bytes_of(path);
            Profile::ALL.into_iter().flat_map(move |profile| {
                let place = format!("{} {}", path.display(), profile.name());
                let faults = faults(&bytes, profile).into_iter();
                faults.map(move |fault| format!("{place}: {fault:.300}"))
            })
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} pages:\n{}",
        faults.len(),
        pages.len(),
        faults.join("\n")
    );
}

#[test]
fn every_page_of_our_own() {
    check(&["gold", "docs/crunch/pages"], 150);
}

#[test]
#[cfg(feature = "heavy")]
fn every_page_of_the_development_gold() {
    if crate::needed::shared("gold").is_none() {
        return;
    }
    check(&["../shared/gold", "../shared/feeds"], 2000);
}
