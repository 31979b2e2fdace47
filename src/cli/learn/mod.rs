//! `forest learn`: the wrapper of a site from its feed, or from pages of it.
//!
//! - `sample`: good pages from sources.
//! - `save`: the wrapper's file.
//! - `report`: what was learned, and why, for the terminal and for machines.

mod report;
mod sample;
mod save;

use super::methods::Methods;
use super::net::{NetArgs, now};
use super::signifiers::Signifiers;
use super::source::{Html, Source, SourceArgs, Sources};
use super::{Exit, Global, output, sites};
use forest::learn::{
    DEFAULT_SAMPLE, LearnOptions, Learned, Method, Outcome, Verdict, learn, site_of,
};
use forest::signifier::DEFAULT_KEYWORDS;
use sample::Sample;
use std::path::PathBuf;

/// Learn a site's wrapper from the pages that its feed points to
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SOURCE is a feed (address or file), a site's home page, a folder of pages, a text
file with an address a line, an OPML file, a WARC file, or - for JSON lines
{\"url\": ..., \"html\": ...} on stdin. Of an OPML file each feed is learned for
itself; pages that come without a feed are learned host by host.

Examples:
  forest learn https://example.org/feed.xml
  forest learn gold/harbour-gazette.example/feed.xml --sites /tmp/sites
  forest learn saved-pages/ --site example.org --explain
  forest learn https://example.org/ --method paper --signifiers feed --report report/
  forest learn blogs.opml --sample 5")]
pub struct LearnArgs {
    /// Where the pages come from.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// The site's name [default: the host of its pages].
    #[arg(long, value_name = "NAME", value_parser = sites::checked_name)]
    site: Option<String>,
    /// The folder of the wrappers [default: sites].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// Replace a wrapper that was edited by hand.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    how: HowArgs,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    net: NetArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to learn")]
struct HowArgs {
    /// The method [default: forest].
    #[arg(long, value_name = "METHOD", value_parser = Methods::Learning)]
    method: Option<Method>,
    /// Where signifiers come from: tfidf, feed, metadata or words:FILE [default: tfidf].
    /// Method forest does not learn by them.
    #[arg(long, value_name = "WHERE")]
    signifiers: Option<Signifiers>,
    /// Good pages to learn from.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SAMPLE, value_parser = positive)]
    sample: usize,
    /// Signifiers of each page [default: 10]. Method forest does not learn by them.
    #[arg(long, value_name = "K", value_parser = positive)]
    keywords: Option<usize>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to show")]
struct ShowArgs {
    /// Show why: what the method expects of its choice, what came second, what each
    /// strip rule takes away and why; then the paper's ranking of the patterns with the
    /// numbers behind it.
    #[arg(long)]
    explain: bool,
    /// Write JSON, a line a site; with --explain, signifiers and explanation trees.
    #[arg(long)]
    json: bool,
    /// Write a report, <site>.html, to this folder: why this wrapper, on which pages,
    /// with their text marked.
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
        let how = &self.how;
        let signifiers = how.signifiers.as_ref().map(Signifiers::source);
        let signifiers = signifiers.transpose()?.unwrap_or_default();
        let method = how.method.as_ref().or(global.config().method.as_ref());
        let method = method.cloned().unwrap_or_default();
        for (flag, is_set) in [
            ("--signifiers", how.signifiers.is_some()),
            ("--keywords", how.keywords.is_some()),
        ] {
            if is_set && method == Method::Forest {
                global.warn(format_args!(
                    "{flag} does not change what method forest learns, but where it takes no \
                     page for an article; it changes the ranking of --explain and --report: \
                     --method paper learns by it"
                ));
            }
        }
        Ok(LearnOptions::default()
            .with_method(method)
            .with_signifiers(signifiers)
            .with_keywords(how.keywords.unwrap_or(DEFAULT_KEYWORDS))
            .with_ranking(self.show.explain || self.show.report.is_some())
            .with_learned(now()))
    }
}

/// What came of the sites so far.
#[derive(Debug, Default)]
struct Tally {
    learned: usize,
    abstained: usize,
    failed: usize,
}

impl Tally {
    fn exit(&self) -> Exit {
        match (self.learned, self.failed) {
            (0, 0) => Exit::Nothing,
            (0, _) => Exit::Error,
            (n, failed) => Exit::of(n, n + failed + self.abstained),
        }
    }
}

/// A learner at work.
struct Learner<'a> {
    args: &'a LearnArgs,
    options: LearnOptions,
    dir: PathBuf,
    global: &'a Global,
    tally: Tally,
}

/// Learns what the sources hold.
///
/// # Errors
///
/// If the arguments do not fit. What goes wrong with one source is reported, and
/// the others are learned.
pub fn run(args: LearnArgs, global: &Global) -> anyhow::Result<Exit> {
    let config = global.config();
    let dir = args.sites.as_ref().or(config.sites.as_ref());
    let mut learner = Learner {
        options: args.options(global)?,
        dir: dir.cloned().unwrap_or_else(|| sites::DEFAULT.into()),
        args: &args,
        global,
        tally: Tally::default(),
    };
    let sources = Sources::new(args.source.clone(), args.net.clone(), global)?;
    // One address of an HTML page is a home page; several are pages.
    let html = match args.sources.len() {
        1 => Html::Home,
        _ => Html::Page,
    };
    let mut pools = Vec::new();
    for typed in &args.sources {
        match sources.open(typed, html) {
            Ok(opened) => {
                for source in opened {
                    let opened = match source {
                        Source::Opened(opened) => Ok(opened),
                        Source::Feed(url) => sources.open_feed(&url),
                    };
                    match opened {
                        Ok(opened) if opened.by_feed => {
                            let sample =
                                sample::of_feed(&sources, opened, args.how.sample, global)?;
                            learner.learn(sample)?;
                        }
                        Ok(opened) => pools.push(opened),
                        Err(error) => learner.failed(&error),
                    }
                }
            }
            Err(error) => learner.failed(&error),
        }
    }
    if !pools.is_empty() {
        let one_site = args.site.is_some();
        for sample in sample::by_host(&sources, pools, args.how.sample, one_site, global)? {
            learner.learn(sample)?;
        }
    }
    Ok(learner.tally.exit())
}

impl Learner<'_> {
    fn failed(&mut self, error: &anyhow::Error) {
        self.tally.failed += 1;
        self.global.warn(format_args!("forest: {error:#}"));
    }

    /// Learns one site, writes its wrapper and says so.
    ///
    /// # Errors
    ///
    /// If stdout cannot be written.
    fn learn(&mut self, sample: Sample) -> anyhow::Result<()> {
        let mut options = self.options.clone();
        if let Some(site) = self.args.site.as_ref().or(sample.site.as_ref()) {
            options = options.with_site(site);
        }
        if let Some(feed) = &sample.feed {
            options = options.with_feed(feed);
        }
        let progress = self.global.busy("learning");
        let outcome = learn(&sample.pages, &options);
        drop(progress);
        match &outcome {
            Outcome::Abstained(abstention) => {
                for (page, verdict) in sample.pages.iter().zip(&abstention.verdicts) {
                    self.global.warn(report::line(page, verdict));
                }
                self.tally.abstained += 1;
                let name = &sample.name;
                let reason = &abstention.reason;
                self.global
                    .warn(format_args!("{name}: nothing learned: {reason}"));
                let site = self.args.site.as_ref().or(sample.site.as_ref());
                let found = || site_of(sample.pages.iter().find_map(|p| p.page.url()));
                let site = site.cloned().or_else(found);
                if let Err(error) =
                    self.write_report(site.as_ref().unwrap_or(name), &sample, &outcome)
                {
                    self.failed(&error);
                }
                Ok(())
            }
            Outcome::Learned(learned) => self.learned(&sample, learned, &outcome),
        }
    }

    fn learned(
        &mut self,
        sample: &Sample,
        learned: &Learned,
        outcome: &Outcome,
    ) -> anyhow::Result<()> {
        let good: Vec<_> = sample
            .pages
            .iter()
            .zip(&learned.verdicts)
            .filter(|(_, verdict)| **verdict == Verdict::Good)
            .map(|(page, _)| page)
            .collect();
        let report = report::Report::new(learned, &good)?;
        for (page, verdict) in sample.pages.iter().zip(&learned.verdicts) {
            let line = report.line(page, verdict);
            match verdict {
                Verdict::Good => self.global.say(line),
                _ => self.global.warn(line),
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
        if let Err(error) = self.write_report(&saved.wrapper.site, sample, outcome) {
            self.failed(&error);
            return Ok(());
        }
        self.tally.learned += 1;
        let (explain, summary) = (self.args.show.explain, report.summary(&saved));
        if self.args.show.json {
            self.global
                .print(report.json(&saved, explain)?.as_bytes())?;
            self.global.say_lines(summary.trim_end());
        } else {
            if explain {
                let explanation = report.explanation(&sample.pages)?;
                self.global.print(explanation.as_bytes())?;
            }
            self.global.print(summary.as_bytes())?;
        }
        Ok(())
    }

    /// Writes a site's report, if reports are wanted.
    fn write_report(&self, name: &str, sample: &Sample, outcome: &Outcome) -> anyhow::Result<()> {
        let Some(dir) = &self.args.show.report else {
            return Ok(());
        };
        let method = self.options.method().to_string();
        let signifiers = self.options.signifiers().to_string();
        let learned = now();
        let html = forest::report::html(&forest::report::SiteReport {
            name,
            feed: sample.feed.as_deref(),
            learned: Some(match outcome {
                Outcome::Learned(of) => of.wrapper.learned.as_deref().unwrap_or(&learned),
                Outcome::Abstained(_) => &learned,
            }),
            method: &method,
            signifiers: &signifiers,
            sample: &sample.pages,
            outcome,
        })?;
        output::make_folder(dir)?;
        let path = dir.join(format!("{}.html", output::file_name(name)));
        output::write(&path, html.as_bytes())
    }
}
