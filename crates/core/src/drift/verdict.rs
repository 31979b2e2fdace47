//! All pages of a site.

use super::{ItemWords, PageObservation, PageProblem, Status};
use crate::extract::confidence::DOUBTFUL;
use crate::onepage::{MIN_AGREEMENT, MIN_LIKELY_WORDS};
use crate::wrapper::{Matcher, Wrapper, WrapperField};
use forest_html::error::counted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Below this F1 a page is not what it should be.
const RIGHT_F1: f64 = 0.8;

/// The factor by which an article may exceed the lengths of the sample: a sample is ten
/// pages.
const LENGTH_FACTOR: f64 = 2.0;

/// The same around the middle length of the pages at hand, where no lengths are
/// known.
const MEDIAN_FACTOR: f64 = 5.0;

/// Pages of which a middle length is taken at least.
const MEDIAN_PAGES: usize = 5;

/// An odd length counts if the text and the likely blocks share less than this.
const DOUBT: f64 = 0.7;

/// A confidence below this is as bad as anything else: of the texts with less by wrappers
/// of `paper-nodfs` one of ten is right.
const HARDLY: f64 = 0.2;

/// If the pages of a wrapper's sample show something else than all of them together
/// ([`Expect::agreement`](crate::wrapper::Expect::agreement)), the block scores count alone if they agree less than there by
/// this.
const AGREEMENT_FACTOR: f64 = 2.0;

/// Beyond the usual share of links by this.
const LINKS: f64 = 0.3;

/// Of the pages with an article so many must be right, or the wrapper has drifted.
pub(super) const DRIFT: f64 = 0.5;

/// On so many of the pages with an article no template may select text, from
/// [`LOST_PAGES`] on, or the wrapper has drifted: its mean F1 is below 0.8 then. With trees
/// that have not seen the site it raises no alarm more on 346 halves of unchanged sites, and
/// one on each of 21 of which 3 to 5 of ten pages are of another design
/// (`docs/experiments.md`, "Drift").
pub(super) const LOST: f64 = 0.25;

/// Pages without a text that make a drift: one or two may be of an odd kind.
pub(super) const LOST_PAGES: usize = 3;

/// Of the pages with an article so many must be right, or the wrapper is degraded.
pub(super) const DEGRADED: f64 = 0.9;

/// Pages on which an expression must be silent to be called rotten.
const ROTTEN_PAGES: usize = 3;

/// Pages on which strip rules must meet what they do not expect for the wrapper to be
/// degraded, and their share of the pages with an article.
const UNLIKE_PAGES: usize = 3;
const UNLIKE: f64 = 0.5;

/// Reasons of one kind that are named at the most.
const NAMED: usize = 3;

/// The verdict on a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It finds the articles.
    Ok,
    /// It finds most of them, or has lost a field.
    Degraded,
    /// It no longer fits the site: learn it again.
    Drift,
    /// The pages do not show their articles: there is no verdict.
    Blocked,
    /// The pages of a site without a wrapper do not come.
    Unreachable,
    /// There is no wrapper yet.
    #[serde(rename = "none yet")]
    NoneYet,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Ok => "ok",
            Verdict::Degraded => "degraded",
            Verdict::Drift => "drift",
            Verdict::Blocked => "blocked",
            Verdict::Unreachable => "unreachable",
            Verdict::NoneYet => "none yet",
        })
    }
}

/// The verdict on a wrapper, with its reasons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrapperReport {
    /// The wrapper's site.
    pub site: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The report on each page, in the order of the pages.
    pub pages: Vec<PageReport>,
    /// The faults, for a reader; empty if there is no fault.
    pub why: Vec<String>,
}

/// The report on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageReport {
    /// The page's name.
    pub id: String,
    /// `ok`, `degraded`, `empty`, `blocked` or `error`.
    pub status: Status,
    /// The probability that the text is the article, 0..=1.
    pub confidence: f64,
    /// F1 against the right text, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub f1: Option<f64>,
}

/// The report on a wrapper, from the observations of its site's pages.
pub fn report(wrapper: &Wrapper, matcher: &Matcher, seen: &[PageObservation]) -> WrapperReport {
    let usual = UsualValues::of(wrapper, seen);
    let judged: Vec<JudgedPage<'_>> = seen
        .iter()
        .map(|page| JudgedPage::of(page, &usual))
        .collect();
    let count = |status| judged.iter().filter(|page| page.status == status).count();
    let (ok, blocked) = (count(Status::Ok), count(Status::Blocked));
    let doubtful = judged.iter().filter(|page| page.is_only_doubtful()).count();
    let articles = judged.iter().filter(|page| page.is_article).count();
    let mut why = reasons(&judged);
    let rotten = rotten(matcher, seen);
    let field_lost = rotten.iter().any(|(lost, _)| *lost);
    why.extend(rotten.into_iter().map(|(_, reason)| reason));
    let share = |pages: usize| pages as f64 / articles.max(1) as f64;
    let unlike = judged
        .iter()
        .filter(|page| page.seen.unexpected > 0)
        .count();
    let is_unlike = unlike >= UNLIKE_PAGES && share(unlike) >= UNLIKE;
    if is_unlike {
        why.push(format!(
            "strip rules meet other things than those that they were learned from on {}, and leave \
             them: what stands there has changed",
            counted(unlike, "page", "pages")
        ));
    }
    let lost = judged.iter().filter(|page| page.is_lost()).count();
    let is_lost = lost >= LOST_PAGES && share(lost) >= LOST;
    let verdict = match share(ok) {
        _ if blocked > articles => Verdict::Blocked,
        _ if articles == 0 => {
            why.push("no page that was given holds an article".to_owned());
            Verdict::Degraded
        }
        _ if share(ok + doubtful) < DRIFT || is_lost => Verdict::Drift,
        share if share < DEGRADED || field_lost || is_unlike => Verdict::Degraded,
        _ => Verdict::Ok,
    };
    WrapperReport {
        site: wrapper.site.clone(),
        verdict,
        pages: judged.iter().map(JudgedPage::report).collect(),
        why,
    }
}

/// The sign that one page gives of the wrapper: a harvest remembers it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PageSign {
    /// The status of the page: `ok`, `degraded`, `fallback`, `empty`, `blocked` or `error`.
    pub status: Status,
    /// F1 to expect of the wrapper's text, 0..=1: 0 for an empty text. `None` for a page that is
    /// no evidence for the wrapper: it was not read, its article is blocked, or it holds none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<f64>,
    /// The wrapper finds the article: there is no problem, or only a doubt. `false` for a page
    /// that is no evidence.
    pub fits: bool,
}

impl PageSign {
    /// The sign of a page that was observed with a wrapper.
    pub fn of(wrapper: &Wrapper, seen: &PageObservation) -> PageSign {
        let judged = JudgedPage::of(seen, &UsualValues::of(wrapper, std::slice::from_ref(seen)));
        PageSign {
            status: match judged.status {
                Status::Empty if seen.fallback => Status::Fallback,
                status => status,
            },
            worth: judged.worth(),
            fits: judged.is_article && (judged.status == Status::Ok || judged.is_only_doubtful()),
        }
    }

    /// The sign of a page without a wrapper: it came, did not come
    /// (`error`), or something stands in the way (`blocked`).
    pub fn bare(status: Status) -> PageSign {
        PageSign {
            status,
            worth: None,
            fits: false,
        }
    }

    /// The page holds an article, and the wrapper gives nothing.
    pub fn is_lost(&self) -> bool {
        self.worth.is_some() && matches!(self.status, Status::Empty | Status::Fallback)
    }

    /// Something stands in the way of the article.
    pub fn is_blocked(&self) -> bool {
        self.status == Status::Blocked
    }
}

/// The values that are usual on the site.
struct UsualValues {
    /// Words of an article, from and to.
    words: Option<[f64; 2]>,
    /// Share of links at the most.
    links: Option<f64>,
    /// The block scores count alone if their [agreement](PageObservation::agreement) is less.
    agreement: f64,
    /// By template the F1 to expect of its articles, if the block scores are known to be wrong
    /// on this site.
    worth: Vec<Option<f64>>,
}

impl UsualValues {
    fn of(wrapper: &Wrapper, seen: &[PageObservation]) -> UsualValues {
        if let Some(expect) = &wrapper.expect {
            let [least, most] = expect.words.map(|n| n as f64);
            let known = expect.agreement.map(|[least, _]| least / AGREEMENT_FACTOR);
            let evidence = wrapper
                .templates
                .iter()
                .map(|known| known.evidence.as_ref());
            return UsualValues {
                words: Some([least / LENGTH_FACTOR, most * LENGTH_FACTOR]),
                links: Some(expect.link_quota[1] + LINKS),
                agreement: known.unwrap_or(MIN_AGREEMENT).min(MIN_AGREEMENT),
                worth: match known {
                    Some(_) => evidence.map(|known| known?.expected_f1()).collect(),
                    None => Vec::new(),
                },
            };
        }
        let matched = || seen.iter().filter(|page| page.template.is_some());
        let words = middle(matched().map(|page| page.words as f64).collect());
        let links = middle(matched().map(|page| page.link_quota).collect());
        UsualValues {
            words: words.map(|words| [words / MEDIAN_FACTOR, words * MEDIAN_FACTOR]),
            links: links.map(|links| links + LINKS),
            agreement: MIN_AGREEMENT,
            worth: Vec::new(),
        }
    }
}

/// The median, of enough numbers.
fn middle(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    (numbers.len() >= MEDIAN_PAGES).then(|| numbers[numbers.len() / 2])
}

/// A page with what is wrong with it.
struct JudgedPage<'a> {
    seen: &'a PageObservation,
    status: Status,
    /// It counts: it holds an article, as far as one can tell.
    is_article: bool,
    problems: Vec<PageProblem>,
    /// F1 to expect of a text without problems.
    expected_f1: f64,
}

impl<'a> JudgedPage<'a> {
    fn of(seen: &'a PageObservation, usual: &UsualValues) -> JudgedPage<'a> {
        let walled = seen.no_article.is_some_and(|no| no.is_in_the_way());
        let in_the_way = seen.f1.is_none() && (walled || seen.is_other_page());
        let unseen = in_the_way || matches!(seen.status, Status::Error | Status::Blocked);
        let problems = if unseen {
            Vec::new()
        } else {
            problems(seen, usual)
        };
        let status = match seen.status {
            Status::Error => Status::Error,
            _ if in_the_way => Status::Blocked,
            Status::Ok if !problems.is_empty() => Status::Degraded,
            status => status,
        };
        JudgedPage {
            seen,
            status,
            is_article: match status {
                Status::Error | Status::Blocked => false,
                _ if seen.other_kind.is_some() => seen.f1.is_some(),
                Status::Empty => seen.f1.is_some() || seen.no_article.is_none(),
                _ => true,
            },
            problems,
            expected_f1: match seen.template.and_then(|at| *usual.worth.get(at)?) {
                Some(of_sample) => of_sample.max(seen.expected_f1),
                None => seen.expected_f1,
            },
        }
    }

    /// The page holds an article, and no template selects text.
    fn is_lost(&self) -> bool {
        self.is_article && self.status == Status::Empty
    }

    /// F1 to expect of the wrapper's text; `None` if the page is no evidence for the wrapper.
    fn worth(&self) -> Option<f64> {
        if !self.is_article {
            return None;
        }
        let lost = |problem: &PageProblem| {
            matches!(
                problem,
                PageProblem::Missing(_) | PageProblem::NoArticle(_) | PageProblem::OtherItem { .. }
            )
        };
        Some(match (self.seen.f1, self.status) {
            (Some(f1), _) => f1,
            (None, Status::Empty) => 0.0,
            _ if self.problems.iter().any(lost) => 0.0,
            _ if self.problems.is_empty() => self.expected_f1,
            _ => self.seen.expected_f1,
        })
    }

    /// Its only problem is its confidence, and that is not almost zero: then the wrapper is
    /// degraded, and has not drifted.
    fn is_only_doubtful(&self) -> bool {
        let is_doubt = |problem: &PageProblem| matches!(problem, PageProblem::Doubtful { confidence } if *confidence >= HARDLY);
        self.status == Status::Degraded && self.problems.iter().all(is_doubt)
    }

    fn report(&self) -> PageReport {
        PageReport {
            id: self.seen.id.clone(),
            status: self.status,
            confidence: self.confidence(),
            f1: self.seen.f1,
        }
    }

    /// That of the text; half of it where something is wrong that is no sign of it.
    fn confidence(&self) -> f64 {
        let sure = self.seen.confidence.unwrap_or_default();
        let sure = match self.status {
            Status::Ok => sure,
            Status::Degraded if self.is_only_doubtful() => sure,
            Status::Degraded => sure / 2.0,
            _ => 0.0,
        };
        (sure * 1000.0).round() / 1000.0
    }
}

fn problems(seen: &PageObservation, usual: &UsualValues) -> Vec<PageProblem> {
    let missing = seen.missing.iter().cloned();
    let mut found: Vec<PageProblem> = missing.map(PageProblem::Missing).collect();
    found.extend(seen.too_much.clone().map(PageProblem::Expression));
    if let Some(f1) = seen.f1 {
        if f1 < RIGHT_F1 {
            found.push(PageProblem::Wrong { f1 });
        }
        return found;
    }
    if seen.status == Status::Empty {
        return found;
    }
    let words = seen.words;
    let [least, most] = usual.words.unwrap_or([0.0, f64::INFINITY]);
    let disagrees = seen.likely_words >= MIN_LIKELY_WORDS && seen.agreement() < usual.agreement;
    let less = seen.recall < seen.precision;
    let short = (words as f64) < least && seen.recall < DOUBT;
    let long = words as f64 > most && seen.precision < DOUBT;
    if short || (disagrees && less) {
        found.push(PageProblem::TooLittle { words });
    } else if long || disagrees {
        found.push(PageProblem::TooMuch { words });
    }
    let quota = seen.link_quota;
    if usual.links.is_some_and(|most| quota > most) {
        found.push(PageProblem::Links { quota });
    }
    if let Some(kind) = seen.no_article {
        found.push(PageProblem::NoArticle(kind));
    }
    if let Some(item) = seen.item.filter(ItemWords::is_of_other_text) {
        found.push(PageProblem::OtherItem {
            in_text: item.in_text,
            on_page: item.on_page,
        });
    }
    let doubtful = seen.confidence.filter(|sure| *sure < DOUBTFUL);
    if let Some(confidence) = doubtful.filter(|_| found.is_empty()) {
        found.push(PageProblem::Doubtful { confidence });
    }
    found
}

/// Of each kind of trouble the first pages, and how many more.
fn reasons(judged: &[JudgedPage<'_>]) -> Vec<String> {
    let mut why = Vec::new();
    let articles = judged.iter().filter(|page| page.is_article).count();
    let empty = |page: &&JudgedPage<'_>| page.is_lost();
    let unmatched = judged.iter().filter(empty).map(|page| &*page.seen.id);
    named(
        &mut why,
        &format!(
            "no template selects text (of {} with an article)",
            counted(articles, "page", "pages")
        ),
        unmatched,
    );
    let shown = judged.iter().flat_map(|page| {
        let each = page.problems.iter().map(|problem| problem.to_string());
        each.map(|problem| format!("{}: {problem}", page.seen.id))
    });
    let shown: Vec<String> = shown.collect();
    let more = shown.len().saturating_sub(NAMED);
    why.extend(shown.into_iter().take(NAMED));
    if more > 0 {
        why.push(format!("and {more} more of this kind"));
    }
    for (status, what) in [
        (
            Status::Blocked,
            "something stands in the way of the article",
        ),
        (Status::Error, "not read"),
    ] {
        let of = judged.iter().filter(|page| page.status == status);
        let of = of.filter(|page| !page.seen.is_other_page());
        named(&mut why, what, of.map(|page| &*page.seen.id));
    }
    let others = judged.iter().filter(|page| page.seen.is_other_page());
    named(
        &mut why,
        "without the words that the feed says of it",
        others.map(|page| &*page.seen.id),
    );
    why
}

fn named<'a>(why: &mut Vec<String>, what: &str, ids: impl Iterator<Item = &'a str>) {
    let ids: Vec<&str> = ids.collect();
    if ids.is_empty() {
        return;
    }
    let more = match ids.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let ids = ids[..ids.len().min(NAMED)].join(", ");
    why.push(format!("{what}: {ids}{more}"));
}

/// Expressions that give nothing on any page that their template matches; whether
/// with them all of a field is lost.
fn rotten(matcher: &Matcher, seen: &[PageObservation]) -> Vec<(bool, String)> {
    let expressions = matcher.expressions();
    let mut found = Vec::new();
    let templates = expressions.last().map_or(0, |last| last.template + 1);
    let matched = seen.iter().filter(|page| page.template.is_some()).count();
    for template in 0..templates {
        let pages: Vec<&PageObservation> = seen
            .iter()
            .filter(|page| page.template == Some(template))
            .collect();
        if pages.is_empty() && matched >= ROTTEN_PAGES {
            found.push((false, format!("template {template} matches no page")));
        }
        if pages.len() < ROTTEN_PAGES {
            continue;
        }
        let gives = |at: usize| pages.iter().any(|page| page.giving.get(at) == Some(&true));
        let own = || (0..expressions.len()).filter(|&at| expressions[at].template == template);
        for at in own().filter(|&at| !gives(at)) {
            let expression = expressions[at];
            let field = expression.field;
            let lost = matches!(
                field,
                WrapperField::Title | WrapperField::Author | WrapperField::Date
            ) && !own().any(|other| expressions[other].field == field && gives(other));
            let pages = counted(pages.len(), "page", "pages");
            let reason = format!("{field} gives nothing on {pages}: {}", expression.xpath);
            found.push((lost, reason));
        }
    }
    found
}
