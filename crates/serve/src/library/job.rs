//! The work for `/add`: a feed is found, or the list of articles on a page without one; pages
//! are sampled, a wrapper is learned. It takes seconds, so that pages ask how far it is. Nothing
//! of it is stored.

use super::jobs::{JobProgress, KeptJob, KeptJobs};
use forest_core::extract::{Extractor, Options, one_page};
use forest_core::feed::FeedItem;
use forest_core::learn::{LearnOptions, LearnOutcome, SamplePage, learn};
use forest_fetch::{Fetched, Fetcher, Resource};
use forest_harvest::{FeedNotFound, FoundFeed, find_feed, find_list};
use forest_html::address::site_of;
use forest_html::error::{CRASHED, counted};
use forest_html::page::charset::is_html;
use forest_html::page::{Page, Source};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use url::Url;

/// Pages that a wrapper is learned from: enough to show if it works.
const SAMPLE: usize = 6;

/// Time after which no further page is fetched.
const SAMPLE_WITHIN: Duration = Duration::from_secs(45);

/// Characters of an article that are shown.
const SHOWN_CHARS: usize = 600;

/// An article of the sample.
#[derive(Debug, Clone)]
pub(super) struct SampledArticle {
    pub(super) url: String,
    pub(super) title: Option<String>,
    /// The beginning of its text.
    pub(super) text: String,
    pub(super) status: &'static str,
}

/// How far a job is.
#[derive(Debug, Default)]
pub struct JobState {
    /// The text that the person typed.
    pub(super) typed: String,
    /// The work now; `None`: it is over.
    pub(super) doing: Option<String>,
    /// Finished work, a sentence each.
    pub(super) done: Vec<String>,
    pub(super) fault: Option<String>,
    pub(super) articles: Vec<SampledArticle>,
    /// The feed's own address and title.
    pub(super) feed: Option<(Url, String)>,
    /// The feed, until it is added.
    pub(super) found: Option<FoundFeed>,
    /// When the feed was added.
    pub(super) added: Option<Instant>,
}

/// The address of a feed, or of its site, as a person typed it.
#[derive(Debug)]
pub(super) struct TypedFeed {
    pub(super) url: Url,
    /// The same with http, which is tried if `url` does not answer; `None`: only that.
    pub(super) plain: Option<Url>,
}

impl JobProgress for JobState {
    const MAX_WORKING: usize = 2;

    fn begun() -> JobState {
        JobState {
            doing: Some("Beginning".to_owned()),
            ..JobState::default()
        }
    }

    fn is_working(&self) -> bool {
        self.doing.is_some()
    }
}

/// A job.
pub(super) type AddingJob = KeptJob<JobState>;

/// The jobs of this run.
pub type AddingJobs = KeptJobs<JobState>;

/// Work that is over when this is dropped, also by a panic: others wait for its place.
struct Working<'a>(&'a AddingJob);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.doing = None;
        if std::thread::panicking() {
            state.fault = Some(CRASHED.to_owned());
        }
    }
}

impl AddingJob {
    fn does(&self, what: impl Into<String>) {
        self.state().doing = Some(what.into());
    }

    fn did(&self, what: impl Into<String>) {
        self.state().done.push(what.into());
    }

    /// Only looks for the feed, on a thread that may wait; the error says why there is none.
    pub fn look_for_feed(&self, fetcher: &Fetcher, url: Url) -> Result<FoundFeed, String> {
        let _working = Working(self);
        let (_, found) = self.find(fetcher, TypedFeed { url, plain: None });
        found.map_err(|why| why.to_string())
    }

    /// Does the work, on a thread that may wait.
    /// `sites` is the folder of the archive's wrappers.
    pub(super) fn run(&self, fetcher: &Fetcher, typed: TypedFeed, sites: &Path) {
        let _working = Working(self);
        if let Err(why) = self.work(fetcher, typed, sites) {
            self.state().fault = Some(why);
        }
    }

    fn work(&self, fetcher: &Fetcher, typed: TypedFeed, sites: &Path) -> Result<(), String> {
        let (url, found) = self.find(fetcher, typed);
        let found = match found {
            Ok(found) => {
                self.did(format!("The feed is {}.", found.url));
                found
            }
            Err(FeedNotFound {
                page: Some(page), ..
            }) => {
                self.did("The page names no feed.");
                self.does("Learning where the page lists its articles");
                let now = SystemTime::now().into();
                let found = find_list(&url, *page, sites, now).map_err(|why| why.to_string())?;
                let articles = counted(found.items, "article", "articles");
                self.did(format!(
                    "The page lists {articles}: it can be polled as a feed is."
                ));
                found
            }
            Err(why) => return Err(why.to_string()),
        };
        let items = found.listed().to_vec();
        let (url, title) = (found.url.clone(), found.title.clone());
        self.state().feed = Some((url, title));
        self.state().found = Some(found);
        let sample = self.sample(fetcher, items);
        if sample.is_empty() {
            return Err("none of its pages can be read".to_owned());
        }
        self.does("Looking how the pages are laid out");
        let site = site_of(sample[0].page.url()).unwrap_or_default();
        let extractor = match learn(&sample, &LearnOptions::default().with_site(&site)) {
            LearnOutcome::Learned(learned) => {
                self.did(format!("The layout of {site} is understood."));
                Extractor::new(learned.wrapper).ok()
            }
            LearnOutcome::Abstained(abstention) => {
                self.did(format!(
                    "The layout of {site} is not understood: {}. Each article is found by the shape of its page.",
                    abstention.reason
                ));
                None
            }
        };
        let articles = sample.iter().map(|page| article(extractor.as_ref(), page));
        self.state().articles = articles.collect();
        Ok(())
    }

    /// Looks for a feed at an address, then at that with http; gives the last one with its result.
    fn find(&self, fetcher: &Fetcher, typed: TypedFeed) -> (Url, Result<FoundFeed, FeedNotFound>) {
        let TypedFeed { url, plain } = typed;
        self.does(format!("Looking for a feed at {url}"));
        match (find_feed(fetcher, &url), plain) {
            (Err(why), Some(plain)) if why.is_down => {
                self.did(format!(
                    "{url} does not answer by https; it is asked by http ({why})."
                ));
                self.does(format!("Looking for a feed at {plain}"));
                let found = find_feed(fetcher, &plain);
                (plain, found)
            }
            (found, _) => (url, found),
        }
    }

    /// The first pages of the feed that can be read.
    fn sample(&self, fetcher: &Fetcher, items: Vec<FeedItem>) -> Vec<SamplePage> {
        let begun = Instant::now();
        let mut sample = Vec::new();
        for item in items.into_iter().take(2 * SAMPLE) {
            if sample.len() == SAMPLE || begun.elapsed() > SAMPLE_WITHIN {
                break;
            }
            let Some(link) = item.link.clone() else {
                continue;
            };
            self.does(format!(
                "Reading page {} of {SAMPLE}: {link}",
                sample.len() + 1
            ));
            match fetcher.get(&link, Resource::Page) {
                Ok(fetched) => sample.extend(sampled(&fetched, item)),
                Err(error) => self.did(format!("Not read: {error}.")),
            }
        }
        sample
    }
}

/// A page of the sample; `None` if it is no HTML.
fn sampled(fetched: &Fetched, item: FeedItem) -> Option<SamplePage> {
    let content_type = fetched.content_type.as_deref();
    if content_type.is_some_and(|kind| !is_html(kind)) {
        return None;
    }
    let url = Some(fetched.url.as_str());
    let page = Page::parse(&fetched.body, Source { url, content_type });
    let mut sample = SamplePage::new(page, fetched.url.as_str());
    sample.item = Some(item);
    Some(sample)
}

fn article(extractor: Option<&Extractor>, page: &SamplePage) -> SampledArticle {
    let options = Options::default();
    let article = match extractor {
        Some(extractor) => extractor.extract(&page.page, &options),
        None => one_page(&page.page, &options),
    };
    SampledArticle {
        url: page.name.clone(),
        title: article.title,
        text: article.text.chars().take(SHOWN_CHARS).collect(),
        status: article.status.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_job_that_panics_gives_up_its_place() {
        let jobs = AddingJobs::default();
        for _ in 0..3 {
            let job = jobs.begin().expect("a place");
            let work = || {
                let _working = Working(&job);
                panic!("a fault of ours");
            };
            assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
            let state = job.state();
            assert_eq!(
                (&state.doing, state.fault.as_deref()),
                (&None, Some(CRASHED))
            );
        }
    }
}
