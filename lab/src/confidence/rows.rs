//! Texts with their features, and which of them are right.

use super::others::{self, OTHERS};
use crate::training::{Example, FoldTrees};
use forest_core::extract::confidence::{
    FieldFeatures, FieldSources, SampleFeatures, TextFeatures, TextSource,
};
use forest_core::extract::{Article, Extractor, Options, article};
use forest_core::learn::{LearnOutcome, Method, SamplePage, SignifierSource, learn_from};
use forest_core::onepage::{BlockModel, ScoredPage};
use forest_eval::eval::{EvalSite, GoldTexts, RightFields, Setup, Split};
use forest_sources::gold::{self, Collection, Gold};
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
    pub source: TextSource,
    pub fold: u64,
    pub f1: f64,
    pub features: Vec<f64>,
    /// Features that are not used: of wrappers that `forest` learned.
    pub others: Vec<Vec<f64>>,
    /// Its features by the sample of a wrapper that `forest` learned.
    pub sample: Option<SampleFeatures>,
    /// Title, authors and day: the features of each, and true if it is right.
    pub fields: [Option<(FieldFeatures, bool)>; 3],
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
) -> forest_eval::Result<Vec<ConfidenceRow>> {
    let gold: BTreeMap<(&str, &str), &Gold> = examples
        .iter()
        .map(|e| ((&*e.collection, &*e.id), &e.gold))
        .collect();
    let mut rows = Vec::new();
    for collection in collections {
        let of_site = |site: &gold::GoldSite| -> forest_eval::Result<Vec<ConfidenceRow>> {
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
        let of_sites: forest_eval::Result<Vec<Vec<ConfidenceRow>>> =
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
    trees: &'a Arc<BlockModel>,
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
        let options = options.with_model(Arc::clone(self.trees));
        let Split { train, test } = setup.split(self.pages.len());
        let sample: Vec<&SamplePage> = self.pages[train].iter().collect();
        let LearnOutcome::Learned(learned) = learn_from(&sample, &options) else {
            return Vec::new();
        };
        let extractor = Extractor::new(learned.wrapper).expect("learned expressions compile");
        let row = |at: usize| {
            let page = &self.pages[at];
            let of_wrapper = self.of_wrapper(&extractor, at, protocol);
            of_wrapper.or_else(|| self.single(page, protocol))
        };
        test.filter_map(row).collect()
    }

    fn of_wrapper(
        &self,
        extractor: &Extractor,
        at: usize,
        protocol: Protocol,
    ) -> Option<ConfidenceRow> {
        let sample = &self.pages[at];
        let page = ScoredPage::with_model(&sample.page, Arc::clone(self.trees));
        let (article, evidence) = extractor.attempt(&page, &Options::default()).ok()?;
        let wrapper = extractor.wrapper();
        let template = article.wrapper.as_ref()?.template;
        let of_template = wrapper.templates[template].evidence.as_ref();
        let fields = evidence.fields.features(of_template);
        let features = evidence.features(&page);
        let source = evidence.source;
        let mut row = self.row(sample, &article, source, &features, fields, protocol)?;
        if source == TextSource::Forest {
            row.others = others::of(sample, wrapper, extractor.matcher());
            assert_eq!(row.others.len(), OTHERS.len());
            row.sample = evidence.sample;
        }
        Some(row)
    }

    fn single(&self, sample: &SamplePage, protocol: Protocol) -> Option<ConfidenceRow> {
        let scored = ScoredPage::with_model(&sample.page, Arc::clone(self.trees));
        let found = scored.article();
        let article = article(&sample.page, &found.kept, &Options::default());
        let fields = FieldSources::of_metadata(&article.values()).features(None);
        let features = TextFeatures::of_one_page(found);
        self.row(
            sample,
            &article,
            TextSource::Page,
            &features,
            fields,
            protocol,
        )
    }

    /// `None` where the right text is not known.
    fn row(
        &self,
        sample: &SamplePage,
        article: &Article,
        source: TextSource,
        features: &TextFeatures,
        fields: [Option<FieldFeatures>; 3],
        protocol: Protocol,
    ) -> Option<ConfidenceRow> {
        let gold = self.gold.get(&(self.collection, &*sample.name))?;
        let mut texts = GoldTexts::new(gold.refs.iter().map(String::as_str));
        // Elsewhere titles are those that a reader saw fit, and dates are rare.
        let right = if self.has_feed {
            RightFields::of(gold, article)
        } else {
            RightFields::default()
        };
        let [title, authors, date] = fields;
        Some(ConfidenceRow {
            collection: self.collection.to_owned(),
            protocol,
            source,
            fold: self.fold,
            f1: texts.score(&sample.name, &article.text).two_gram.f1,
            features: features.numbers().to_vec(),
            others: Vec::new(),
            sample: None,
            fields: [
                title.zip(right.title),
                authors.zip(right.author),
                date.zip(right.date),
            ],
        })
    }
}
