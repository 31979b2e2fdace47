//! Texts with what speaks for them and whether they are right.

use crate::others::{self, OTHERS};
use crate::training::{Example, folds_of_sites};
use forest::eval::{EvalSite, GoldTexts, RightFields, Setup};
use forest::extract::confidence::{FieldFeatures, FieldSources, TextFeatures, TextSource};
use forest::extract::{Article, Extractor, Options, article};
use forest::gold::{Collection, Gold};
use forest::learn::{LearnOutcome, Method, SamplePage, SignifierSource, learn_from};
use forest::onepage::{BlockModel, ScoredPage, article_with};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// F1 from which a text is right.
const RIGHT_F1: f64 = 0.9;

/// What was done with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
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
pub struct Row {
    pub collection: String,
    pub case: Case,
    pub finder: TextSource,
    pub fold: u64,
    pub f1: f64,
    pub signs: Vec<f64>,
    /// TextFeatures that are not used: of wrappers that `forest` learned.
    pub others: Vec<Vec<f64>>,
    /// Title, authors and day: what speaks for each and whether it is right.
    pub fields: [Option<(FieldFeatures, bool)>; 3],
}

impl Row {
    pub fn is_right(&self) -> bool {
        self.f1 >= RIGHT_F1
    }
}

/// All texts of the collections at `paths`; `trees` have not seen the brands of their
/// fold.
pub fn rows(
    examples: &[Example],
    paths: &[String],
    trees: &[Arc<BlockModel>],
) -> forest::Result<Vec<Row>> {
    let folds = folds_of_sites(examples);
    let gold: BTreeMap<(&str, &str), &Gold> = examples
        .iter()
        .map(|e| ((&*e.collection, &*e.id), &e.gold))
        .collect();
    let mut rows = Vec::new();
    for path in paths {
        let collection = Collection::open(Path::new(path))?;
        let of_site = |site| -> forest::Result<Vec<Row>> {
            let pages = EvalSite::read(&collection, site)?;
            let first = pages.samples().first().map_or("", |sample| &*sample.name);
            let folder = first.split('/').next().unwrap_or_default();
            let Some(&fold) = folds.get(&(collection.name(), folder)) else {
                // A site without gold.
                return Ok(Vec::new());
            };
            let site = Site {
                collection: collection.name(),
                pages: pages.samples(),
                gold: &gold,
                fold,
                trees: &trees[fold as usize],
                has_feed: site.feed.is_some(),
            };
            Ok(site.rows())
        };
        let of_sites: forest::Result<Vec<Vec<Row>>> =
            collection.sites().par_iter().map(of_site).collect();
        rows.extend(of_sites?.into_iter().flatten());
    }
    Ok(rows)
}

struct Site<'a> {
    collection: &'a str,
    pages: &'a [SamplePage],
    gold: &'a BTreeMap<(&'a str, &'a str), &'a Gold>,
    fold: u64,
    trees: &'a Arc<BlockModel>,
    has_feed: bool,
}

impl Site<'_> {
    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let forest = Setup::of(Method::Forest, SignifierSource::default());
        let paper = Setup::of(Method::PaperNoDfs, SignifierSource::default());
        if self.pages.len() > 1 {
            rows.extend(self.learned(&forest, Case::Learned));
            rows.extend(self.learned(&forest.unseen(5), Case::Unseen));
            rows.extend(self.learned(&paper, Case::Paper));
        }
        let single = self.pages.iter();
        rows.extend(single.filter_map(|page| self.single(page, Case::Single)));
        rows
    }

    /// What a wrapper of the site finds.
    fn learned(&self, setup: &Setup, case: Case) -> Vec<Row> {
        let options = setup.options.clone().with_min_pages(1).with_any_host(true);
        let options = options.with_model(Arc::clone(self.trees));
        let mut rows = Vec::new();
        for share in setup.shares(self.pages.len()) {
            let teach: Vec<&SamplePage> = self.pages[share.teach].iter().collect();
            let LearnOutcome::Learned(learned) = learn_from(&teach, &options) else {
                continue;
            };
            let extractor = Extractor::new(learned.wrapper).expect("learned expressions compile");
            for page in &self.pages[share.score] {
                let of_wrapper = self.of_wrapper(&extractor, page, case);
                rows.extend(of_wrapper.or_else(|| self.single(page, case)));
            }
        }
        rows
    }

    fn of_wrapper(&self, extractor: &Extractor, sample: &SamplePage, case: Case) -> Option<Row> {
        let page = ScoredPage::with_model(&sample.page, Arc::clone(self.trees));
        let (article, evidence) = extractor.attempt(&page, &Options::default()).ok()?;
        let wrapper = extractor.wrapper();
        let at = article.wrapper.as_ref()?.template;
        let fields = evidence
            .fields
            .features(wrapper.templates[at].evidence.as_ref());
        let features = evidence.features().expect("with confidence");
        let mut row = self.row(sample, &article, evidence.source, &features, fields, case)?;
        if evidence.source == TextSource::Forest {
            row.others = others::of(sample, wrapper, extractor.matcher());
            assert_eq!(row.others.len(), OTHERS.len());
        }
        Some(row)
    }

    fn single(&self, sample: &SamplePage, case: Case) -> Option<Row> {
        let found = article_with(&sample.page, self.trees);
        let article = article(&sample.page, &found.kept, &Options::default());
        let fields = FieldSources::of_metadata(&article.values()).features(None);
        let signs = TextFeatures::of_one_page(&found);
        self.row(sample, &article, TextSource::Page, &signs, fields, case)
    }

    /// `None` where the right text is not known.
    fn row(
        &self,
        sample: &SamplePage,
        article: &Article,
        finder: TextSource,
        signs: &TextFeatures,
        fields: [Option<FieldFeatures>; 3],
        case: Case,
    ) -> Option<Row> {
        let gold = self.gold.get(&(self.collection, &*sample.name))?;
        let mut texts = GoldTexts::new(gold.refs.iter().map(String::as_str));
        // Elsewhere titles are those that a reader saw fit, and dates are rare.
        let right = match self.has_feed {
            true => RightFields::of(gold, article),
            false => RightFields::default(),
        };
        let [title, authors, date] = fields;
        Some(Row {
            collection: self.collection.to_owned(),
            case,
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
