//! Texts with their signs, and which of them are right.

use super::others::{self, OTHERS};
use crate::training::{Example, FoldTrees};
use forest::eval::{EvalSite, GoldTexts, RightFields, Setup, Split};
use forest::extract::confidence::{FieldSigns, Finder, Signs, Tellers};
use forest::extract::{Article, Extractor, Options, article};
use forest::gold::{self, Collection, Gold};
use forest::learn::{Method, Outcome, SamplePage, SignifierSource, learn_from};
use forest::onepage::{Trees, article_by};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// F1 from which a text is right.
const RIGHT_F1: f64 = 0.9;

/// The wrapper that a page is read with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `forest` learned from all pages of the site, this one among them.
    Learned,
    /// `forest` learned from the first five pages of the site, this is another.
    Unseen,
    /// `paper-nodfs` learned from all pages of the site.
    Paper,
    /// Nothing is known of the site.
    Single,
}

/// A text.
#[derive(Clone)]
pub struct ConfidenceRow {
    pub collection: String,
    pub protocol: Protocol,
    pub finder: Finder,
    pub fold: u64,
    pub f1: f64,
    pub signs: Vec<f64>,
    /// Signs that are not used: of wrappers that `forest` learned.
    pub others: Vec<Vec<f64>>,
    /// Title, authors and day: the signs of each, and true if it is right.
    pub fields: [Option<(FieldSigns, bool)>; 3],
}

impl ConfidenceRow {
    pub fn is_right(&self) -> bool {
        self.f1 >= RIGHT_F1
    }
}

/// All texts of some collections, with trees that have not seen the publisher.
///
/// # Errors
///
/// If a page cannot be read.
pub fn rows(
    examples: &[Example],
    collections: &[Collection],
    trees: &FoldTrees,
) -> forest::Result<Vec<ConfidenceRow>> {
    let gold: BTreeMap<(&str, &str), &Gold> = examples
        .iter()
        .map(|e| ((&*e.collection, &*e.id), &e.gold))
        .collect();
    let mut rows = Vec::new();
    for collection in collections {
        let of_site = |site: &gold::GoldSite| -> forest::Result<Vec<ConfidenceRow>> {
            let pages = EvalSite::read(collection, site)?;
            let site = TrialSite {
                collection: collection.name(),
                pages: pages.samples(),
                gold: &gold,
                fold: trees.fold(collection.name(), &site.name),
                trees: &trees.unseen(collection.name(), &site.name),
                has_feed: site.feed.is_some(),
            };
            Ok(site.rows())
        };
        let of_sites: forest::Result<Vec<Vec<ConfidenceRow>>> =
            collection.sites().par_iter().map(of_site).collect();
        rows.extend(of_sites?.into_iter().flatten());
    }
    Ok(rows)
}

struct TrialSite<'a> {
    collection: &'a str,
    pages: &'a [SamplePage],
    gold: &'a BTreeMap<(&'a str, &'a str), &'a Gold>,
    fold: u64,
    trees: &'a Arc<Trees>,
    has_feed: bool,
}

impl TrialSite<'_> {
    fn rows(&self) -> Vec<ConfidenceRow> {
        let mut rows = Vec::new();
        let forest = Setup::of(Method::Forest, SignifierSource::default());
        let paper = Setup::of(Method::PaperNoDfs, SignifierSource::default());
        if self.pages.len() > 1 {
            rows.extend(self.learned(&forest, Protocol::Learned));
            rows.extend(self.learned(&forest.unseen(5), Protocol::Unseen));
            rows.extend(self.learned(&paper, Protocol::Paper));
        }
        let single = self.pages.iter();
        rows.extend(single.filter_map(|page| self.single(page, Protocol::Single)));
        rows
    }

    /// The texts that a wrapper of the site finds.
    fn learned(&self, setup: &Setup, protocol: Protocol) -> Vec<ConfidenceRow> {
        let options = setup.options.clone().with_min_pages(1).with_any_host(true);
        let options = options.with_trees(Arc::clone(self.trees));
        let Split { train, test } = setup.split(self.pages.len());
        let sample: Vec<&SamplePage> = self.pages[train].iter().collect();
        let Outcome::Learned(learned) = learn_from(&sample, &options) else {
            return Vec::new();
        };
        let extractor = Extractor::new(learned.wrapper).expect("learned expressions compile");
        let row = |page| {
            let of_wrapper = self.of_wrapper(&extractor, page, protocol);
            of_wrapper.or_else(|| self.single(page, protocol))
        };
        self.pages[test].iter().filter_map(row).collect()
    }

    fn of_wrapper(
        &self,
        extractor: &Extractor,
        sample: &SamplePage,
        protocol: Protocol,
    ) -> Option<ConfidenceRow> {
        let page = &sample.page;
        let (article, seen) = extractor.witnessed(page, &Options::default(), self.trees)?;
        let wrapper = extractor.wrapper();
        let at = article.wrapper.as_ref()?.template;
        let fields = seen.tellers.signs(wrapper.templates[at].evidence.as_ref());
        let mut row = self.row(sample, &article, seen.finder, &seen.signs, fields, protocol)?;
        if seen.finder == Finder::Forest {
            row.others = others::of(sample, wrapper, extractor.matcher());
            assert_eq!(row.others.len(), OTHERS.len());
        }
        Some(row)
    }

    fn single(&self, sample: &SamplePage, protocol: Protocol) -> Option<ConfidenceRow> {
        let found = article_by(&sample.page, self.trees);
        let article = article(&sample.page, &found.kept, &Options::default());
        let fields = Tellers::of_metadata(&article).signs(None);
        let signs = Signs::of_one_page(&found);
        self.row(sample, &article, Finder::Page, &signs, fields, protocol)
    }

    /// `None` where the right text is not known.
    fn row(
        &self,
        sample: &SamplePage,
        article: &Article,
        finder: Finder,
        signs: &Signs,
        fields: [Option<FieldSigns>; 3],
        protocol: Protocol,
    ) -> Option<ConfidenceRow> {
        let gold = self.gold.get(&(self.collection, &*sample.name))?;
        let mut texts = GoldTexts::new(gold.refs.iter().map(String::as_str));
        // Elsewhere titles are those that a reader saw fit, and dates are rare.
        let right = match self.has_feed {
            true => RightFields::of(gold, article),
            false => RightFields::default(),
        };
        let [title, authors, date] = fields;
        Some(ConfidenceRow {
            collection: self.collection.to_owned(),
            protocol,
            finder,
            fold: self.fold,
            f1: texts.score(&sample.name, &article.text).two_gram.f1,
            signs: signs.numbers().to_vec(),
            others: Vec::new(),
            fields: [
                title.zip(right.title),
                authors.zip(right.author),
                date.zip(right.date),
            ],
        })
    }
}
