//! Methods over collections: what each gives for each page.

use crate::address::page_key;
use crate::error::Result;
use crate::extract::confidence::{DOUBTFUL, TextFeatures, TextSource};
use crate::feed::{self, FeedDate, FeedItem};
use crate::gold::{Collection, Gold, Site};
use crate::learn::{self, LearnOptions, LearnOutcome, Method, SamplePage, description, sigfeed};
use crate::onepage::ScoredPage;
use crate::page::metadata::Metadata;
use crate::page::{Mask, Page, Source};
use crate::pipeline::Preset;
use crate::render;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::setup::Setup;
use super::{GoldTexts, PageScore};

/// What a method gave for a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// `<site>/<page>`.
    pub id: String,
    /// The text; empty where there was none.
    pub text: String,
    /// The title from the page's metadata.
    pub title: Option<String>,
    /// `ok`, `degraded`, `fallback`, `empty` or, for a crash, `error`.
    pub status: &'static str,
    /// How likely the text is right: of wrappers and `onepage`, where it was asked for.
    pub confidence: Option<f64>,
    /// Its scores.
    pub score: PageScore,
}

/// A site's pages, parsed, with their gold.
#[derive(Debug)]
pub struct EvalSite {
    ids: Vec<String>,
    gold: Vec<Option<Gold>>,
    titles: Vec<Option<String>>,
    pages: Vec<SamplePage>,
}

impl EvalSite {
    /// Reads and parses the pages of a site. The items of its `feed.xml` go to
    /// the pages whose address they link to. A page without an item gets what its
    /// feed would say: headline, authors and date of the gold and the description of
    /// the page's metadata.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or the feed is none.
    pub fn read(collection: &Collection, site: &Site) -> Result<EvalSite> {
        let items = match &site.feed {
            Some(path) => items(path)?,
            None => HashMap::new(),
        };
        let mut out = EvalSite {
            ids: Vec::new(),
            gold: Vec::new(),
            titles: Vec::new(),
            pages: Vec::new(),
        };
        for page in collection.pages_of(site) {
            let bytes = page.read()?;
            let source = Source {
                url: page.url.as_deref(),
                content_type: None,
            };
            let mut sample = SamplePage::new(Page::parse(&bytes, source), page.id.clone());
            let item = page
                .url
                .as_deref()
                .and_then(|url| items.get(&page_key(url)));
            let metadata = sample.page.metadata();
            let title = metadata.title.clone();
            sample.item = Some(match item {
                Some(item) => item.without_content(),
                None => item_of(page.gold.as_ref(), metadata),
            });
            out.titles.push(title);
            out.ids.push(page.id.clone());
            out.gold.push(page.gold.clone());
            out.pages.push(sample);
        }
        Ok(out)
    }
}

/// What a feed would say of a page without an item: the gold, and the page's own summary.
fn item_of(gold: Option<&Gold>, metadata: &Metadata) -> FeedItem {
    let mut item = FeedItem {
        summary: metadata.description.clone().unwrap_or_default(),
        ..FeedItem::default()
    };
    if let Some(gold) = gold {
        item.title = gold.title.clone().unwrap_or_default();
        item.authors.clone_from(&gold.authors);
        item.published = gold.published.clone().map(FeedDate::of);
    }
    item
}

/// A feed's items by the key of their link.
fn items(path: &std::path::Path) -> Result<HashMap<String, FeedItem>> {
    let bytes = crate::gold::read(path)?;
    let feed = feed::parse(&bytes, None, None)?;
    let by_link = feed.items.into_iter().filter_map(|item| {
        let link = item.link.as_ref()?;
        Some((page_key(link.as_str()), item))
    });
    Ok(by_link.collect())
}

/// Runs `setups` over a collection: for each setup, what it gave for each scored
/// page, in the order of ids. Each site is read and parsed once; `done` is called
/// after each.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn run(
    collection: &Collection,
    setups: &[Setup],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Vec<Extracted>>> {
    run_as(collection, setups, done, true, |extracted| extracted)
}

/// [`run`], without the texts: what hundreds of setups need.
///
/// # Errors
///
/// If a file of the collection cannot be read.
pub fn scores(
    collection: &Collection,
    setups: &[Setup],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Vec<PageScore>>> {
    run_as(collection, setups, done, false, |extracted| extracted.score)
}

fn run_as<T: Send>(
    collection: &Collection,
    setups: &[Setup],
    done: &(dyn Fn() + Sync),
    judged: bool,
    keep: impl Fn(Extracted) -> T + Sync,
) -> Result<Vec<Vec<T>>> {
    let by_site: Result<Vec<Vec<Vec<T>>>> = collection
        .sites()
        .par_iter()
        .map(|site| {
            let site = EvalSite::read(collection, site)?;
            let mut scorers = site.scorers();
            let of_setup = |setup| site.run_with(setup, &mut scorers, judged).into_iter();
            let of_site = setups
                .iter()
                .map(of_setup)
                .map(|pages| pages.map(&keep).collect())
                .collect();
            done();
            Ok(of_site)
        })
        .collect();
    let mut out: Vec<Vec<T>> = setups.iter().map(|_| Vec::new()).collect();
    for site in by_site? {
        for (all, pages) in out.iter_mut().zip(site) {
            all.extend(pages);
        }
    }
    Ok(out)
}

/// The gold of a page, and the scores of the texts that it has been compared
/// with: most setups give a page one of a few texts.
struct Scorer {
    gold: GoldTexts,
    known: HashMap<String, PageScore>,
    /// What a method that learns nothing gave, whatever else a setup says.
    page_by_page: Vec<(LearnOptions, Result<String, String>)>,
}

impl EvalSite {
    /// The pages.
    pub fn samples(&self) -> &[SamplePage] {
        &self.pages
    }

    /// Pages in a range that are to be scored, with their gold.
    pub(super) fn scored(&self, range: Range<usize>) -> impl Iterator<Item = (&SamplePage, &Gold)> {
        let gold = self.gold[range.clone()].iter();
        let pages = self.pages[range].iter().zip(gold);
        pages.filter_map(|(page, gold)| Some((page, gold.as_ref()?)))
    }

    /// Runs one setup over the site's scored pages.
    pub fn run(&self, setup: &Setup) -> Vec<Extracted> {
        self.run_with(setup, &mut self.scorers(), true)
    }

    fn scorers(&self) -> Vec<Scorer> {
        let of_gold = |gold: &Option<Gold>| {
            let refs = gold.iter().flat_map(|g| g.refs.iter());
            Scorer {
                gold: GoldTexts::new(refs.map(String::as_str)),
                known: HashMap::new(),
                page_by_page: Vec::new(),
            }
        };
        self.gold.iter().map(of_gold).collect()
    }

    fn run_with(&self, setup: &Setup, scorers: &mut [Scorer], judged: bool) -> Vec<Extracted> {
        let mut out = Vec::new();
        for share in setup.shares(self.pages.len()) {
            let attempt = self.learn(&share.teach, setup);
            for i in share.score.filter(|&i| self.gold[i].is_some()) {
                let mut page = self.extract(i, setup, &attempt, &mut scorers[i]);
                if judged {
                    self.judge(i, setup, &attempt, &mut page);
                }
                out.push(page);
            }
        }
        out
    }

    fn learn(&self, teach: &Range<usize>, setup: &Setup) -> Attempt {
        if !setup.options.method().learns() {
            return Attempt::PageByPage;
        }
        let pages: Vec<&SamplePage> = self.pages[teach.clone()].iter().collect();
        let options = setup.options.clone().with_min_pages(1).with_any_host(true);
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            match learn::learn_from(&pages, &options) {
                LearnOutcome::Learned(learned) => Attempt::Matcher(
                    learned
                        .wrapper
                        .compile()
                        .expect("learned expressions compile"),
                ),
                LearnOutcome::Abstained(_) => Attempt::Nothing,
            }
        }));
        attempt.unwrap_or_else(|panic| Attempt::Crashed(message(panic)))
    }

    fn extract(
        &self,
        i: usize,
        setup: &Setup,
        attempt: &Attempt,
        scorer: &mut Scorer,
    ) -> Extracted {
        let sample = &self.pages[i];
        let id = self.ids[i].clone();
        let mut known = scorer.page_by_page.iter();
        let known = known.find(|(options, _)| *options == setup.options);
        let text = match (attempt, known) {
            (Attempt::Crashed(message), _) => Err(message.clone()),
            (Attempt::PageByPage, Some((_, text))) => text.clone(),
            _ => catch_unwind(AssertUnwindSafe(|| text(sample, setup, attempt))).map_err(message),
        };
        if known.is_none() && matches!(attempt, Attempt::PageByPage) {
            let options = setup.options.clone();
            scorer.page_by_page.push((options, text.clone()));
        }
        let score = match &text {
            Ok(text) => match scorer.known.get(text) {
                Some(score) => score.clone(),
                None => {
                    let score = scorer.gold.score(&id, text);
                    scorer.known.insert(text.clone(), score.clone());
                    score
                }
            },
            Err(message) => PageScore::crashed(&id, message.clone()),
        };
        let status = match &text {
            Err(_) => "error",
            Ok(text) if text.is_empty() => "empty",
            Ok(_) => "ok",
        };
        Extracted {
            id,
            text: text.unwrap_or_default(),
            title: self.titles[i].clone(),
            status,
            confidence: None,
            score,
        }
    }

    /// How sure a text is, and what that makes of its status.
    fn judge(&self, i: usize, setup: &Setup, attempt: &Attempt, out: &mut Extracted) {
        if out.status != "ok" {
            return;
        }
        let judge = |page: &ScoredPage<'_>| {
            let alone = || TextFeatures::of_one_page(page.article());
            match (attempt, setup.options.method()) {
                (Attempt::Matcher(matcher), method) => Some(match matcher.find(page) {
                    Some(found) => {
                        let source = match method {
                            Method::Forest => TextSource::Forest,
                            _ => TextSource::Wrapper,
                        };
                        (source, TextFeatures::of(page, &found.kept))
                    }
                    None => (TextSource::Page, alone()),
                }),
                (Attempt::Nothing, Method::Forest) => Some((TextSource::Page, alone())),
                (_, Method::OnePage(Preset::Onepage)) => Some((TextSource::Page, alone())),
                _ => None,
            }
        };
        let judged = || setup.options.with_scored(&self.pages[i].page, judge);
        let Ok(Some((source, features))) = catch_unwind(AssertUnwindSafe(judged)) else {
            return;
        };
        let sure = features.confidence(source);
        out.confidence = Some(sure);
        out.status = match source {
            TextSource::Page if setup.options.method().learns() => "fallback",
            TextSource::Page => "ok",
            _ if sure < DOUBTFUL => "degraded",
            _ => "ok",
        };
    }
}

/// What came of learning a site.
enum Attempt {
    Matcher(crate::wrapper::Matcher),
    PageByPage,
    Nothing,
    Crashed(String),
}

fn text(sample: &SamplePage, setup: &Setup, attempt: &Attempt) -> String {
    let page = &sample.page;
    let mask: Option<Mask> = match (attempt, setup.options.method()) {
        (Attempt::Matcher(matcher), method) => {
            let found = matcher.find(page).map(|found| found.kept);
            found.or_else(|| (*method == Method::Forest).then(|| setup.options.fall_back(page)))
        }
        (Attempt::Nothing, Method::Forest) => Some(setup.options.fall_back(page)),
        (Attempt::PageByPage, Method::Sigfeed) => Some(sigfeed(sample, setup.options.keywords())),
        (Attempt::PageByPage, Method::Description) => return description(sample),
        (Attempt::PageByPage, method) => method.of_one_page(page),
        _ => None,
    };
    mask.map_or_else(String::new, |mut mask| {
        if let Some(left_out) = setup.options.left_out(page) {
            mask.subtract(&left_out);
        }
        render::text(page, &mask)
    })
}

fn message(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "crashed without a message".to_owned())
}
