//! Writing learned models in the format that `forest` reads.

use forest_core::onepage::PageDigest;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A file of a model, part by part.
pub struct ModelFile(String);

impl ModelFile {
    /// A file without parts that was trained on these pages; `with_pages` also lists
    /// them, so that the program knows them.
    pub fn new(pages: impl IntoIterator<Item = PageDigest>, with_pages: bool) -> ModelFile {
        let pages: BTreeSet<PageDigest> = pages.into_iter().collect();
        let pages: String = pages.iter().map(PageDigest::to_string).collect();
        let corpus = Sha256::digest(pages.as_bytes());
        let corpus: String = corpus.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut file = ModelFile(format!("forest model 1\ncorpus {corpus}\n"));
        if with_pages {
            file.line(&format!("pages {pages}"));
        }
        file
    }

    /// The names of the features of all parts that follow.
    pub fn features(&mut self, names: &[&str]) {
        self.line(&format!("features {}", names.join(" ")));
    }

    /// A linear model: its constant, then a weight a feature, to four decimals.
    pub fn linear(&mut self, name: &str, weights: &[f64]) {
        let mut line = format!("linear {name}");
        for weight in weights {
            write!(line, " {}", (weight * 1e4).round() / 1e4).expect("a string");
        }
        self.line(&line);
    }

    /// Boosted trees; a line a tree follows.
    pub fn boosted(&mut self, name: &str, base: f32) {
        self.line(&format!("boosted {name} {base}"));
    }

    /// A random forest; a line a tree follows.
    pub fn forest(&mut self, name: &str) {
        self.line(&format!("forest {name}"));
    }

    /// A line: that of a tree.
    pub fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// The file.
    pub fn finish(self) -> String {
        self.0
    }
}
