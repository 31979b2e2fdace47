//! A site whose pages are of several layouts: each cluster of articles teaches templates of the
//! site's wrapper.
//!
//! Takes samples of the clusters ([`cluster`](crate::cluster)); each is learned as a site of its own,
//! and what it teaches is put behind what larger clusters taught. Its templates say which pages
//! they are for, as far as patterns tell its pages from the others.

use super::page::{SamplePage, SampleVerdict};
use super::{
    Abstention, AbstentionReason, LearnOptions, LearnOutcome, Learned, learn_from, tests_of,
};
use crate::extract::{Extractor, Options};
use crate::kind::PageKind;
use crate::wrapper::history::Side;
use crate::wrapper::{MAX_TEMPLATES, Template, TemplateAudience};
use forest_html::error::counted;
use forest_html::page::Page;
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// Of how many pages one may fit no template: more are told by the exit code.
const UNFIT_ONE_OF: usize = 10;

/// The sample of a cluster.
#[derive(Debug)]
pub struct ClusterSample {
    /// The number of pages of the cluster, whether sampled or not.
    pub pages: usize,
    /// Their kind.
    pub kind: PageKind,
    /// Which pages of the site's sample it is learned from; none of a kind that is not learned.
    pub learned_from: Range<usize>,
    /// Pages of a cluster that is not learned: the others are told apart from them.
    pub others: Vec<SamplePage>,
}

/// The outcome of learning from a cluster.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterResult {
    /// The number of its pages.
    pub pages: usize,
    /// Their kind.
    pub kind: PageKind,
    /// The wrapper's templates that it taught, from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<usize>,
    /// Why it taught none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<ClusterLeftOut>,
}

/// Why a cluster taught no template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterLeftOut {
    /// Its pages list others.
    List,
    /// Its pages are not of the kind that the site has most of, nor articles.
    OtherKind,
    /// The learner abstained.
    Abstained(String),
    /// The wrapper has as many templates as it may have.
    TooMany,
}

/// The clusters of a site.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterReport {
    /// The number of all pages.
    pub pages: usize,
    /// The clusters, those of most pages first.
    pub clusters: Vec<ClusterResult>,
    /// Pages that fit no cluster, or one whose layout was not learned.
    pub unfit: usize,
}

impl fmt::Display for ClusterLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterLeftOut::List => f.write_str("left out, they list other pages"),
            ClusterLeftOut::OtherKind => f.write_str("left out, most pages are of another kind"),
            ClusterLeftOut::Abstained(why) => write!(f, "nothing learned: {why}"),
            ClusterLeftOut::TooMany => write!(
                f,
                "left out, a wrapper has {MAX_TEMPLATES} templates at the most: learn the pages \
                 alone with --site NAME"
            ),
        }
    }
}

impl Serialize for ClusterLeftOut {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// `16 pages of the kind article, templates 1, 2`.
impl fmt::Display for ClusterResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages = counted(self.pages, "page", "pages");
        write!(f, "{pages} of the kind {}, ", self.kind)?;
        if let Some(why) = &self.left_out {
            return why.fmt(f);
        }
        let numbers: Vec<String> = self.templates.iter().map(|t| (t + 1).to_string()).collect();
        let word = if numbers.len() == 1 {
            "template"
        } else {
            "templates"
        };
        write!(f, "{word} {}", numbers.join(", "))
    }
}

/// `12 pages in 2 clusters, 1 page fits none`, then a line a cluster.
impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clusters = counted(self.clusters.len(), "cluster", "clusters");
        write!(f, "{} in {clusters}", counted(self.pages, "page", "pages"))?;
        if self.unfit > 0 {
            write!(
                f,
                ", {} none",
                counted(self.unfit, "page fits", "pages fit")
            )?;
        }
        self.clusters
            .iter()
            .try_for_each(|cluster| write!(f, "\n  {cluster}"))
    }
}

impl ClusterReport {
    /// True if more than a tenth of the pages fit no template.
    pub fn is_partial(&self) -> bool {
        self.unfit * UNFIT_ONE_OF > self.pages
    }
}

impl ClusterSample {
    fn result(&self, left_out: ClusterLeftOut) -> ClusterResult {
        ClusterResult {
            pages: self.pages,
            kind: self.kind,
            templates: Vec::new(),
            left_out: Some(left_out),
        }
    }
}

/// Learns the wrapper of a site from the sample of its clusters, those of most pages first;
/// `in_none` pages are in none of them.
pub fn learn_clusters(
    sample: &[SamplePage],
    clusters: &[ClusterSample],
    in_none: usize,
    options: &LearnOptions,
) -> (LearnOutcome, ClusterReport) {
    let mut site = ClusteredSite::default();
    let mut verdicts: Vec<SampleVerdict> = Vec::new();
    let mut untaught: Vec<Range<usize>> = Vec::new();
    let mut results = Vec::new();
    for (at, cluster) in clusters.iter().enumerate() {
        let pages: Vec<&SamplePage> = sample[cluster.learned_from.clone()].iter().collect();
        let result = match (pages.is_empty(), cluster.kind.is_list()) {
            (true, true) => cluster.result(ClusterLeftOut::List),
            (true, false) => cluster.result(ClusterLeftOut::OtherKind),
            (false, _) if site.is_full() => {
                verdicts.extend(pages.iter().map(|_| SampleVerdict::NoTemplate));
                cluster.result(ClusterLeftOut::TooMany)
            }
            (false, _) => match learn_from(&pages, options) {
                LearnOutcome::Learned(mut learned) => {
                    let own: Vec<&Page> = pages.iter().map(|page| &*page.page).collect();
                    tell_apart(
                        &mut learned,
                        &own,
                        &others(sample, clusters, at),
                        cluster.kind,
                    );
                    verdicts.append(&mut learned.verdicts);
                    ClusterResult {
                        pages: cluster.pages,
                        kind: cluster.kind,
                        templates: site.join(*learned),
                        left_out: None,
                    }
                }
                LearnOutcome::Abstained(abstention) => {
                    let why = ClusterLeftOut::Abstained(abstention.reason.to_string());
                    untaught.push(verdicts.len()..verdicts.len() + abstention.verdicts.len());
                    verdicts.extend(abstention.verdicts);
                    site.abstained.get_or_insert(abstention.reason);
                    cluster.result(why)
                }
            },
        };
        results.push(result);
    }
    let is_unfit = |result: &&ClusterResult| {
        matches!(
            result.left_out,
            Some(ClusterLeftOut::Abstained(_) | ClusterLeftOut::TooMany)
        )
    };
    let unfit: usize = results
        .iter()
        .filter(is_unfit)
        .map(|result| result.pages)
        .sum();
    let report = ClusterReport {
        pages: in_none + clusters.iter().map(|cluster| cluster.pages).sum::<usize>(),
        clusters: results,
        unfit: unfit + in_none,
    };
    if site.learned.is_some() {
        // A good page whose cluster teaches nothing is none that the wrapper was learned from.
        let pages = untaught.into_iter().flatten();
        for at in pages {
            if verdicts[at] == SampleVerdict::Good {
                verdicts[at] = SampleVerdict::NoTemplate;
            }
        }
    }
    (site.outcome(sample, verdicts, options), report)
}

/// The pages of the other clusters of a site.
fn others<'a>(
    sample: &'a [SamplePage],
    clusters: &'a [ClusterSample],
    own: usize,
) -> Vec<&'a Page> {
    let all = clusters.iter().enumerate().filter(|(at, _)| *at != own);
    let pages = all.flat_map(|(_, other)| {
        sample[other.learned_from.clone()]
            .iter()
            .chain(&other.others)
    });
    pages.map(|page| &*page.page).collect()
}

/// Says of the templates of a cluster which pages they are for, where the site has others.
fn tell_apart(learned: &mut Learned, own: &[&Page], others: &[&Page], kind: PageKind) {
    if others.is_empty() {
        return;
    }
    let Some(audience) = TemplateAudience::telling_apart(own, others) else {
        return;
    };
    let median = learned
        .wrapper
        .expect
        .as_ref()
        .and_then(|expect| expect.median);
    for template in &mut learned.wrapper.templates {
        // The patterns are those of the page's elements, not of a value of its JSON.
        if template.json.is_none() {
            template.audience = Some(TemplateAudience {
                kind: Some(kind).filter(|kind| *kind != PageKind::Article),
                median,
                ..audience.clone()
            });
        }
    }
}

/// The wrapper that clusters teach together.
#[derive(Default)]
struct ClusteredSite {
    learned: Option<Learned>,
    abstained: Option<AbstentionReason>,
    clusters: usize,
}

impl ClusteredSite {
    fn templates(&self) -> usize {
        self.learned
            .as_ref()
            .map_or(0, |learned| learned.wrapper.templates.len())
    }

    fn is_full(&self) -> bool {
        self.templates() >= MAX_TEMPLATES
    }

    /// Adds what a cluster taught; gives the places of its templates.
    fn join(&mut self, mut more: Learned) -> Vec<usize> {
        more.wrapper
            .templates
            .truncate(MAX_TEMPLATES - self.templates());
        let new = more.wrapper.templates.clone();
        self.clusters += 1;
        self.learned = Some(match self.learned.take() {
            None => more,
            Some(mut known) => {
                known.wrapper = more.wrapper.join(known.wrapper, Side::Behind);
                known.refused_strips.append(&mut more.refused_strips);
                known.warnings.append(&mut more.warnings);
                known
            }
        });
        let known = self
            .learned
            .iter()
            .flat_map(|learned| &learned.wrapper.templates);
        let is_of_it = |known: &Template| new.iter().any(|new| new.is_same_layout(known));
        let places = known.enumerate().filter(|(_, known)| is_of_it(known));
        places.map(|(place, _)| place).collect()
    }

    /// The outcome. The articles are those of the wrapper as it is, with the templates of all
    /// clusters.
    fn outcome(
        self,
        sample: &[SamplePage],
        verdicts: Vec<SampleVerdict>,
        options: &LearnOptions,
    ) -> LearnOutcome {
        let Some(mut learned) = self.learned else {
            let too_few = AbstentionReason::TooFewPages {
                good: 0,
                needed: options.min_pages,
            };
            let reason = self.abstained.unwrap_or(too_few);
            return LearnOutcome::Abstained(Abstention { reason, verdicts });
        };
        if options.articles
            && self.clusters > 1
            && let Ok(extractor) = Extractor::new(learned.wrapper.clone())
        {
            let good = sample
                .iter()
                .zip(&verdicts)
                .filter(|(_, v)| **v == SampleVerdict::Good);
            let article =
                |page: &SamplePage| extractor.extract_scored(&page.page, &Options::default());
            learned.articles = good.map(|(page, _)| article(page)).collect();
            learned.wrapper.tests = tests_of(&learned.articles);
        }
        LearnOutcome::Learned(Box::new(Learned {
            verdicts,
            ..learned
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Status;

    const WORDS: &str = "The ferry was late again, and nobody had told the baker, who waited at the \
                         pier for an hour with all of his bread before he went home.";

    fn sentence(n: usize) -> String {
        let extra = ["rope", "lamp", "sail", "gull", "moss", "iron", "chart"][n % 7];
        format!(
            "{WORDS} On day {n} the {extra} number {} was found by {extra} boats.",
            n * 37
        )
    }

    /// An article of a layout.
    fn page(layout: &str, n: usize) -> SamplePage {
        let text: String = (0..6)
            .map(|k| format!("<p>{}</p>", sentence(n * 10 + k)))
            .collect();
        let nav = "<nav class=menu><a href=/>Home</a><a href=/n>News</a></nav>";
        let html = match layout {
            "dossier" => format!(
                "{nav}<section class=dossier><div class=lead><h2>Long title {n}</h2></div>\
                 <div class=chapters><div class=chapter>{text}</div></div></section>\
                 <div class=text><p>{WORDS}</p></div>"
            ),
            name => format!(
                "{nav}<main class={name}><h1>Title {n} of it</h1><div class=text>{text}</div></main>"
            ),
        };
        let url = format!("https://a.example/{layout}/{n}");
        let source = forest_html::page::Source {
            url: Some(&url),
            ..forest_html::page::Source::default()
        };
        SamplePage::new(Page::parse(html.as_bytes(), source), url.clone())
    }

    fn cluster(pages: usize, learned_from: Range<usize>) -> ClusterSample {
        ClusterSample {
            pages,
            kind: PageKind::Article,
            learned_from,
            others: Vec::new(),
        }
    }

    #[test]
    fn each_cluster_teaches_a_template_that_knows_its_pages() {
        let sample: Vec<SamplePage> = (0..5)
            .map(|n| page("story", n))
            .chain((5..9).map(|n| page("dossier", n)))
            .collect();
        let clusters = [cluster(50, 0..5), cluster(40, 5..9)];
        let options = LearnOptions::default().with_articles(true);
        let (outcome, report) = learn_clusters(&sample, &clusters, 3, &options);
        let LearnOutcome::Learned(learned) = outcome else {
            panic!("{outcome:?}");
        };
        let places: Vec<&[usize]> = report.clusters.iter().map(|c| &*c.templates).collect();
        assert_eq!(places, [&[0][..], &[1]]);
        assert_eq!(
            (report.pages, report.unfit, report.is_partial()),
            (93, 3, false)
        );
        assert_eq!(learned.articles.len(), 9);
        for (article, template) in learned.articles.iter().zip([0, 0, 0, 0, 0, 1, 1, 1, 1]) {
            assert_eq!(article.status, Status::Ok, "{article:?}");
            assert_eq!(article.wrapper.as_ref().expect("by it").template, template);
        }
        let audience = learned.wrapper.templates[1]
            .audience
            .as_ref()
            .expect("it says");
        assert!(
            audience.patterns.contains(&"2 section.dossier".to_owned()),
            "{audience:?}"
        );
        // A page of a third layout is read by its own shape.
        let other = Page::from_html(&format!("<article><p>{}</p></article>", WORDS.repeat(5)));
        let article = learned
            .wrapper
            .apply(&other, &Options::default())
            .expect("compiles");
        assert_eq!(article.status, Status::Fallback);
    }

    #[test]
    fn a_cluster_alone_teaches_what_it_did_without_clusters() {
        let sample: Vec<SamplePage> = (0..5).map(|n| page("story", n)).collect();
        let options = LearnOptions::default().with_articles(true);
        let (outcome, _) = learn_clusters(&sample, &[cluster(5, 0..5)], 0, &options);
        let pages: Vec<&SamplePage> = sample.iter().collect();
        match (outcome, learn_from(&pages, &options)) {
            (LearnOutcome::Learned(a), LearnOutcome::Learned(b)) => {
                assert_eq!(a.wrapper, b.wrapper);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_fits_none_is_counted_and_lists_are_not() {
        let sample: Vec<SamplePage> = (0..5).map(|n| page("story", n)).collect();
        let list = ClusterSample {
            kind: PageKind::Listing,
            ..cluster(30, 0..0)
        };
        // One page teaches nothing.
        let clusters = [cluster(40, 0..4), list, cluster(7, 4..5)];
        let (_, report) = learn_clusters(&sample, &clusters, 1, &LearnOptions::default());
        assert_eq!(
            (report.pages, report.unfit, report.is_partial()),
            (78, 8, true)
        );
        let said = report.to_string();
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], "78 pages in 3 clusters, 8 pages fit none");
        assert_eq!(lines[1], "  40 pages of the kind article, template 1");
        assert_eq!(
            lines[2],
            "  30 pages of the kind listing, left out, they list other pages"
        );
        assert!(lines[3].contains("nothing learned: 1 good page"), "{said}");
    }

    #[test]
    fn a_wrapper_has_no_more_templates_than_its_bound() {
        let names: Vec<String> = ('a'..='z')
            .take(MAX_TEMPLATES + 1)
            .map(|c| c.to_string().repeat(4))
            .collect();
        let sample: Vec<SamplePage> = (0..2 * names.len())
            .map(|n| page(&names[n / 2], n))
            .collect();
        let clusters: Vec<ClusterSample> = (0..names.len())
            .map(|at| cluster(2, 2 * at..2 * at + 2))
            .collect();
        let (outcome, report) = learn_clusters(&sample, &clusters, 0, &LearnOptions::default());
        let LearnOutcome::Learned(learned) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(learned.wrapper.templates.len(), MAX_TEMPLATES);
        let left_out = report
            .clusters
            .last()
            .and_then(|cluster| cluster.left_out.as_ref());
        assert_eq!(left_out, Some(&ClusterLeftOut::TooMany));
        assert_eq!(report.unfit, 2);
        assert_eq!(learned.verdicts.last(), Some(&SampleVerdict::NoTemplate));
    }

    #[test]
    fn clusters_of_one_body_that_nothing_tells_apart_share_their_template() {
        let sample: Vec<SamplePage> = (0..8).map(|n| page("story", n)).collect();
        let clusters = [cluster(4, 0..4), cluster(4, 4..8)];
        let (outcome, report) = learn_clusters(&sample, &clusters, 0, &LearnOptions::default());
        let LearnOutcome::Learned(learned) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(
            (
                learned.wrapper.templates.len(),
                learned.wrapper.templates[0].pages
            ),
            (1, 8)
        );
        assert!(
            report
                .clusters
                .iter()
                .all(|cluster| cluster.templates == [0])
        );
    }
}
