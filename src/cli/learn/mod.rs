//! `forest learn`: the wrapper of a site from its feed, or from pages of it.
//!
//! - `crawl`: all sites of a crawl.
//! - `list`: the wrapper of a page that lists articles.
//! - `save`: the wrapper's file.

mod crawl;
mod list;
mod save;

use super::methods::{self, Methods};
use super::net::NetArgs;
use super::signifiers::SignifierArg;
use super::sites::{self, SitesArgs};
use super::source::SourceArgs;
use super::when::{now, time};
use super::{Exit, Global, output};
use forest_core::explain::{self, LearnReport, SiteReport, sample_line};
use forest_core::learn::{
    ClusterReport, DEFAULT_SAMPLE, LearnOptions, LearnOutcome, Learned, SamplePage, SampleVerdict,
    learn, learn_clusters,
};
use forest_core::signifier::DEFAULT_KEYWORDS;
use forest_core::wrapper::Wrapper;
use forest_html::address::site_of;
use forest_sources::sample::{Sampler, SiteSample};
use forest_sources::sources::{Html, PageList, PageSource, Sources};
use forest_text::pipeline::AnyMethod;
use std::path::{Path, PathBuf};
use url::Url;

/// Learn a site's wrapper from the pages that its feed points to
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a feed or a sitemap (address or file, or the address of robots.txt), a site's
home page, a folder of pages, a text file with an address a line, an OPML file, a WARC
or ARC file, or - for JSON lines {\"url\": ..., \"html\": ...} on stdin. Of an OPML file
each feed is learned for itself; pages without a feed are learned host by host, by the
address that a page says is its own where it has none, else folder by folder. Pages of
one site that are made alike are a cluster, and each cluster of articles gets a template.

Exit codes: 0, all learned; 1, nothing; 2, an error; 3, some, or more than a tenth
of a site's pages fit no template.

Examples:
  forest learn https://example.org/feed.xml
  forest learn gold/harbour-gazette.example/feed.xml --sites /tmp/sites
  forest learn saved-pages/ --site example.org --explain
  forest learn https://example.org/ --method paper --signifiers feed --report report/
  forest learn blogs.opml --sample 5
  forest learn --from-warc crawl-*.warc.gz --per-host 20
  forest learn --list https://example.org/news/
  forest learn --list monday.html tuesday.html --site example.org --explain")]
pub struct LearnArgs {
    /// Read the pages of these sources.
    #[arg(
        required_unless_present = "crawl",
        conflicts_with = "crawl",
        value_name = "SOURCE"
    )]
    sources: Vec<String>,
    /// Give the wrapper this site's name [default: the host of its pages].
    #[arg(long, value_name = "NAME", conflicts_with = "crawl", value_parser = sites::checked_name)]
    site: Option<String>,
    #[command(flatten)]
    sites: SitesArgs,
    /// Replace a wrapper that was edited by hand.
    #[arg(long)]
    force: bool,
    /// Learn a list of articles: the sources are snapshots of one page that lists them, the
    /// oldest first. Of two, of different days, one tells a menu that stays the same.
    #[arg(long, conflicts_with_all = ["method", "signifiers", "keywords", "crawl"])]
    list: bool,
    /// Of several lists on the page, learn the one that has an item with this text.
    #[arg(long, value_name = "TEXT", requires = "list")]
    hint: Option<String>,
    #[command(flatten)]
    crawl: crawl::CrawlArgs,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    method_args: MethodArgs,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    net: NetArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to learn")]
struct MethodArgs {
    /// Learn with this method [default: forest].
    #[arg(long, value_name = "METHOD", value_parser = Methods::Learning)]
    method: Option<AnyMethod>,
    /// Take signifiers from this source: tfidf, feed, metadata or words:FILE [default:
    /// tfidf]. Method forest does not learn by them.
    #[arg(long, value_name = "WHERE")]
    signifiers: Option<SignifierArg>,
    /// Learn from this number of good pages.
    #[arg(long, value_name = "N", conflicts_with = "crawl", default_value_t = DEFAULT_SAMPLE, value_parser = positive)]
    sample: usize,
    /// Signifiers of each page [default: 10]. Method forest does not learn by them.
    #[arg(long, value_name = "K", value_parser = positive)]
    keywords: Option<usize>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to show")]
struct ShowArgs {
    /// Show the reasons: the score that the method expects of its choice, the second
    /// candidate, the words and the reason of each strip rule; then the paper's ranking of
    /// the patterns with its numbers.
    #[arg(long, conflicts_with = "crawl")]
    explain: bool,
    /// Write a line of JSON a site; with --explain, with signifiers and explanation trees.
    #[arg(long)]
    json: bool,
    /// Write a report, <site>.html, to this folder: the reasons for the wrapper, and the
    /// pages of the sample with its text marked; of a list, <site>.list.html, the candidates,
    /// why they were not chosen, and the items of each snapshot.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// A number from 1 to 1000.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1000) => Ok(n),
        _ => Err("give a number from 1 to 1000".to_owned()),
    }
}

impl LearnArgs {
    fn options(&self, global: &Global) -> anyhow::Result<LearnOptions> {
        let method_args = &self.method_args;
        let signifiers = method_args.signifiers.as_ref().map(SignifierArg::source);
        let signifiers = signifiers.transpose()?.unwrap_or_default();
        let method = method_args
            .method
            .as_ref()
            .or(global.config().method.as_ref());
        Ok(LearnOptions::default()
            .with_method(methods::of_site(method)?)
            .with_signifiers(signifiers)
            .with_keywords(method_args.keywords.unwrap_or(DEFAULT_KEYWORDS))
            .with_articles(true)
            .with_learned(time(now())))
    }
}

/// The counts of the sites so far.
#[derive(Debug, Default)]
struct LearnTally {
    learned: usize,
    /// Of these, sites of which more than a tenth of the pages fit no template.
    partial: usize,
    abstained: usize,
    failed: usize,
}

impl LearnTally {
    fn exit(&self) -> Exit {
        match (self.learned, self.failed) {
            (0, 0) => Exit::Nothing,
            (0, _) => Exit::Error,
            _ if self.partial > 0 => Exit::Partial,
            (n, failed) => Exit::of(n, n + failed + self.abstained),
        }
    }
}

/// Learns the wrappers of sites.
struct SiteLearner<'a> {
    args: &'a LearnArgs,
    options: LearnOptions,
    dir: PathBuf,
    global: &'a Global,
    tally: LearnTally,
}

/// Learns what the sources hold.
///
/// # Errors
///
/// If the arguments do not fit. The error of one source is reported, and the others are
/// learned.
pub fn run(args: LearnArgs, global: &Global) -> anyhow::Result<Exit> {
    if args.list {
        return list::run(&args, args.hint.as_deref(), global);
    }
    let mut learner = SiteLearner {
        options: args.options(global)?,
        dir: args.sites.dir(global),
        args: &args,
        global,
        tally: LearnTally::default(),
    };
    let sources = args.source.clone().sampled(args.net.clone(), global)?;
    if args.crawl.is_given() {
        crawl::run(&args, &sources, &mut learner)?;
        return Ok(learner.tally.exit());
    }
    // One address of an HTML page is a home page; several are pages.
    let html = match args.sources.len() {
        1 => Html::Home,
        _ => Html::Page,
    };
    let mut lists = Vec::new();
    for typed in &args.sources {
        let opened = match sources.open(typed, html) {
            Ok(opened) => opened,
            Err(error) => {
                learner.failed(&error.into());
                continue;
            }
        };
        for source in opened {
            match source.open(&sources) {
                Ok(list) if list.by_feed => {
                    let sample = of_feed(&sources, list, args.method_args.sample, global)?;
                    learner.learn(sample)?;
                }
                Ok(list) => lists.push(list),
                Err(error) => learner.failed(&error.into()),
            }
        }
    }
    if !lists.is_empty() {
        let progress = global.progress("reading pages", None);
        let sampler = Sampler {
            sources: &sources,
            want: args.method_args.sample,
            warn: &|line| global.warn(line),
            on_page: &|| progress.step(),
        };
        let samples = sampler.by_site(lists, args.site.is_some())?;
        drop(progress);
        for sample in samples {
            learner.learn(sample)?;
        }
    }
    Ok(learner.tally.exit())
}

/// `want` good pages of a feed, or as many as it has.
fn of_feed(
    sources: &Sources,
    list: PageList,
    want: usize,
    global: &Global,
) -> anyhow::Result<SiteSample> {
    let progress = global.progress("fetching pages", None);
    let sampler = Sampler {
        sources,
        want,
        warn: &|line| global.warn(line),
        on_page: &|| progress.step(),
    };
    Ok(sampler.of_feed(list)?)
}

/// The wrapper of the site of a feed, learned from its pages and saved in `dir`.
///
/// # Errors
///
/// If the feed cannot be read, if nothing was learned, or if the wrapper cannot be saved.
pub fn wrapper_of_feed(
    sources: &Sources,
    feed: &Url,
    dir: &Path,
    global: &Global,
) -> anyhow::Result<Wrapper> {
    let list = PageSource::Feed(feed.clone()).open(sources)?;
    let sample = of_feed(sources, list, DEFAULT_SAMPLE, global)?;
    let method = global.config().method.as_ref();
    let options = LearnOptions::default()
        .with_method(methods::of_site(method)?)
        .with_feed(feed.as_str())
        .with_learned(time(now()));
    let (outcome, _) = {
        let _progress = global.busy("learning");
        learned_again(&sample, options, dir)
    };
    match outcome {
        LearnOutcome::Abstained(abstention) => {
            anyhow::bail!("nothing learned: {}", abstention.reason)
        }
        LearnOutcome::Learned(learned) => {
            let good = good_pages(&sample, &learned);
            Ok(save::save(dir, &learned, &good, false)?.wrapper)
        }
    }
}

/// Learns a site; where its wrapper in `dir` has labels or `keep` expressions, obeys these.
fn learned_again(
    sample: &SiteSample,
    options: LearnOptions,
    dir: &Path,
) -> (LearnOutcome, Option<ClusterReport>) {
    let found = learn_sample(sample, &options);
    let LearnOutcome::Learned(learned) = &found.0 else {
        return found;
    };
    let known = sites::read(&sites::path_of(dir, &learned.wrapper.site));
    let Ok(Some(known)) = known else {
        return found;
    };
    let corrected = options.clone().with_corrections_of(&known.wrapper);
    if corrected == options {
        found
    } else {
        learn_sample(sample, &corrected)
    }
}

/// Learns a site, cluster by cluster if its pages come without a feed.
fn learn_sample(
    sample: &SiteSample,
    options: &LearnOptions,
) -> (LearnOutcome, Option<ClusterReport>) {
    if sample.clusters.is_empty() {
        return (learn(&sample.pages, options), None);
    }
    let (clusters, in_none) = (&sample.clusters, sample.in_none);
    let (outcome, report) = learn_clusters(&sample.pages, clusters, in_none, options);
    (outcome, Some(report))
}

/// The pages of a sample that were learned from.
fn good_pages<'a>(sample: &'a SiteSample, learned: &Learned) -> Vec<&'a SamplePage> {
    let pages = sample.pages.iter().zip(&learned.verdicts);
    let good = pages.filter(|(_, verdict)| **verdict == SampleVerdict::Good);
    good.map(|(page, _)| page).collect()
}

impl SiteLearner<'_> {
    fn failed(&mut self, error: &anyhow::Error) {
        self.tally.failed += 1;
        self.global.warn_failed(error);
    }

    /// Learns one site, writes its wrapper and prints the result.
    ///
    /// # Errors
    ///
    /// If stdout cannot be written.
    fn learn(&mut self, sample: SiteSample) -> anyhow::Result<()> {
        let (outcome, clusters) = {
            let _progress = self.global.busy("learning");
            learned_again(&sample, self.options_for(&sample), &self.dir)
        };
        self.tell(&sample, &outcome, clusters.as_ref())
    }

    /// The options for a site.
    fn options_for(&self, sample: &SiteSample) -> LearnOptions {
        let mut options = self.options.clone();
        if let Some(site) = self.args.site.as_ref().or(sample.site.as_ref()) {
            options = options.with_site(site);
        }
        if let Some(feed) = &sample.feed {
            options = options.with_feed(feed);
        }
        options
    }

    /// Returns true if each site gets a line, and its pages none: a crawl has many.
    fn is_brief(&self) -> bool {
        self.args.crawl.is_given()
    }

    /// Writes the wrapper of one site and prints the result.
    ///
    /// # Errors
    ///
    /// If stdout cannot be written.
    fn tell(
        &mut self,
        sample: &SiteSample,
        outcome: &LearnOutcome,
        clusters: Option<&ClusterReport>,
    ) -> anyhow::Result<()> {
        match outcome {
            LearnOutcome::Abstained(abstention) => {
                for (page, verdict) in sample.pages.iter().zip(&abstention.verdicts) {
                    self.warn_of_page(sample_line(page, verdict));
                }
                self.tally.abstained += 1;
                let name = &sample.name;
                let reason = &abstention.reason;
                self.global
                    .warn(format_args!("{name}: nothing learned: {reason}"));
                if let Some(clusters) = clusters {
                    self.global.say_lines(&format!("{name}: {clusters}"));
                }
                let site = self.args.site.as_ref().or(sample.site.as_ref());
                let found = || site_of(sample.pages.iter().find_map(|p| p.page.url()));
                let site = site.cloned().or_else(found);
                if let Err(error) =
                    self.write_report(site.as_ref().unwrap_or(name), sample, outcome, clusters)
                {
                    self.failed(&error);
                }
                Ok(())
            }
            LearnOutcome::Learned(learned) => self.learned(sample, learned, outcome, clusters),
        }
    }

    fn warn_of_page(&self, line: String) {
        if self.is_brief() {
            self.global.detail(line);
        } else {
            self.global.warn(line);
        }
    }

    fn learned(
        &mut self,
        sample: &SiteSample,
        learned: &Learned,
        outcome: &LearnOutcome,
        clusters: Option<&ClusterReport>,
    ) -> anyhow::Result<()> {
        let good = good_pages(sample, learned);
        for warning in &learned.warnings {
            self.global.warn(warning);
        }
        let report = LearnReport::new(learned, &good, clusters);
        for (page, verdict) in sample.pages.iter().zip(&learned.verdicts) {
            let line = report.line(page, verdict);
            match verdict {
                SampleVerdict::Good if self.is_brief() => self.global.detail(line),
                SampleVerdict::Good => self.global.say(line),
                _ => self.warn_of_page(line),
            }
        }
        let saved = save::save(&self.dir, learned, &good, self.args.force);
        let saved = match saved {
            Ok(saved) => saved,
            Err(error) => {
                self.failed(&error);
                return Ok(());
            }
        };
        if let Err(error) = self.write_report(&saved.wrapper.site, sample, outcome, clusters) {
            self.failed(&error);
            return Ok(());
        }
        self.tally.learned += 1;
        self.tally.partial += usize::from(clusters.is_some_and(ClusterReport::is_partial));
        let summary = if self.is_brief() {
            report.brief(&saved.wrapper.site, &saved.action())
        } else {
            report.summary(&saved.wrapper.site, &saved.action())
        };
        if self.args.show.json {
            self.global.print_json(&report.json(
                &saved.wrapper,
                &saved.path,
                self.args.show.explain,
            ))?;
            self.global.say_lines(summary.trim_end());
        } else {
            if self.args.show.explain {
                let explanation = report.explanation(&sample.pages)?;
                self.global.print(explanation.as_bytes())?;
            }
            self.global.print(summary.as_bytes())?;
        }
        Ok(())
    }

    /// Writes a site's report, if reports are wanted.
    fn write_report(
        &self,
        name: &str,
        sample: &SiteSample,
        outcome: &LearnOutcome,
        clusters: Option<&ClusterReport>,
    ) -> anyhow::Result<()> {
        let method = self.options.method().to_string();
        let signifiers = self.options.signifiers().to_string();
        let learned = time(now());
        self.args.show.write_report(name, || {
            explain::html(&SiteReport {
                name,
                feed: sample.feed.as_deref(),
                learned: Some(match outcome {
                    LearnOutcome::Learned(of) => of.wrapper.learned.as_deref().unwrap_or(&learned),
                    LearnOutcome::Abstained(_) => &learned,
                }),
                method: &method,
                signifiers: &signifiers,
                sample: &sample.pages,
                outcome,
                clusters,
            })
        })
    }
}

impl ShowArgs {
    /// Writes the report of a site, if reports are wanted.
    fn write_report(
        &self,
        name: &str,
        html: impl FnOnce() -> forest_core::Result<String>,
    ) -> anyhow::Result<()> {
        let Some(dir) = &self.report else {
            return Ok(());
        };
        output::make_folder(dir)?;
        let path = dir.join(format!("{}.html", output::file_name(name)));
        output::write(&path, html()?.as_bytes())
    }
}
