//! A site over time: the verdict of its last pages, with hysteresis.
//!
//! Takes the [`PageSign`] of each page as it comes ([`SiteWatch::see`]) and gives notice when the
//! verdict changes. Pure: the time is given. A watch can be written down and read back.
//!
//! - A page counts if it holds an article, as far as one can tell: pages that something
//!   stands in the way of (challenges, logins, paywalls), soft 404s and pages that were not
//!   read count for nothing.
//! - The site has drifted when the wrapper fits none of the last [`RUN`] pages, or when
//!   [`RUN`] of the last ten do not fit and they are what [`report`](super::report())
//!   calls drift. One bad page, or two, never raise an alarm.
//! - It is well again after [`RUN`] good pages in a row; pages from before the alarm are
//!   forgotten then.
//! - If most of the latest pages show no article because something stands in the way,
//!   the verdict is [`Verdict::Blocked`] until [`RUN`] pages in a row can be read. What was
//!   known of the wrapper is then known again; the wall is forgotten, and must be seen anew.
//!   Pages that did not come neither raise a wall nor end one.
//! - A site without a wrapper ([`SiteWatch::bare`]) is [`Verdict::Blocked`] in the same way, is
//!   [`Verdict::Unreachable`] where none of the last [`RUN`] pages came, and is
//!   [`Verdict::NoneYet`] otherwise.

use super::verdict::{DEGRADED, DRIFT, LOST, LOST_PAGES};
use super::{PageSign, Verdict};
use crate::extract::Status;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Pages that are remembered: a month of a weekly, some days of a daily.
pub const REMEMBERED: usize = 20;

/// Pages in a row that raise an alarm, and that end one.
///
/// `forest-lab drift` measures it: `docs/experiments.md`, "Drift".
pub const RUN: usize = 3;

/// Pages of which shares are taken: a sample as large as that which wrappers are learned
/// from.
const LATEST: usize = 10;

/// The signs of a site's last pages, and the verdict that follows from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteWatch {
    /// The last pages, the latest last.
    pages: VecDeque<PageSign>,
    /// The verdict, blocked pages left aside; `NoneYet` or `Unreachable` of a site without
    /// a wrapper.
    wrapper: Verdict,
    /// Something stands in the way.
    blocked: bool,
    /// Since when the verdict is what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<DateTime<Utc>>,
    /// The number of times that the site has drifted.
    drifts: u32,
}

impl Default for SiteWatch {
    fn default() -> Self {
        SiteWatch {
            pages: VecDeque::new(),
            wrapper: Verdict::Ok,
            blocked: false,
            since: None,
            drifts: 0,
        }
    }
}

impl SiteWatch {
    /// Of a site without a wrapper.
    pub fn bare() -> SiteWatch {
        SiteWatch {
            wrapper: Verdict::NoneYet,
            ..SiteWatch::default()
        }
    }

    /// The site has no wrapper.
    pub fn is_bare(&self) -> bool {
        matches!(self.wrapper, Verdict::NoneYet | Verdict::Unreachable)
    }
}

/// A verdict that gave way to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictChange {
    /// The verdict before.
    pub from: Verdict,
    /// The verdict now.
    pub to: Verdict,
    /// When the page came that changed it.
    pub at: DateTime<Utc>,
}

impl SiteWatch {
    /// Takes the next page; gives the change if it changed the verdict.
    pub fn see(&mut self, at: DateTime<Utc>, seen: PageSign) -> Option<VerdictChange> {
        let from = self.verdict();
        if self.pages.len() == REMEMBERED {
            self.pages.pop_front();
        }
        self.pages.push_back(seen);
        self.judge_wall();
        if self.is_bare() {
            self.judge_reach();
        } else if !self.blocked && seen.worth.is_some() {
            self.judge_wrapper();
        }
        let to = self.verdict();
        if self.since.is_none() {
            self.since = Some(at);
        }
        if from == to {
            return None;
        }
        self.since = Some(at);
        Some(VerdictChange { from, to, at })
    }

    /// The verdict on the site.
    pub fn verdict(&self) -> Verdict {
        if self.blocked {
            Verdict::Blocked
        } else {
            self.wrapper
        }
    }

    /// Another wrapper is active from now on: what was seen of the old one is forgotten,
    /// the number of drifts is not. A wall stays where it is.
    pub fn relearned(&mut self, at: DateTime<Utc>) {
        self.pages.retain(|page| page.worth.is_none());
        self.wrapper = Verdict::Ok;
        self.since = Some(at);
    }

    /// There is no wrapper any more.
    pub fn lost(&mut self, at: DateTime<Utc>) {
        self.relearned(at);
        self.wrapper = Verdict::NoneYet;
    }

    /// The wrapper finds the articles, of late each time: the verdict is [`Verdict::Ok`], and the
    /// last [`RUN`] pages that count fit.
    pub fn runs_well(&self) -> bool {
        let counted = self.pages.iter().rev().filter(|page| page.worth.is_some());
        let fitting = counted.take(RUN).filter(|page| page.fits).count();
        self.verdict() == Verdict::Ok && fitting == RUN
    }

    /// Since when the verdict is what it is; `None` before the first page.
    pub fn since(&self) -> Option<DateTime<Utc>> {
        self.since
    }

    fn judge_wall(&mut self) {
        let was_read = |page: &&PageSign| page.status != Status::Error;
        let latest = || self.pages.iter().rev().filter(was_read);
        if self.blocked {
            self.blocked = latest().take(RUN).any(PageSign::is_blocked);
            if !self.blocked {
                self.pages.retain(|page| !page.is_blocked());
            }
        } else {
            let walls = latest().take(LATEST).filter(|page| page.is_blocked());
            let walls = walls.count();
            self.blocked = walls >= RUN && 2 * walls > latest().take(LATEST).count();
        }
    }

    /// True if the pages of a site without a wrapper come at all.
    fn judge_reach(&mut self) {
        let latest = self.pages.iter().rev().take(RUN);
        let failed = latest.filter(|page| page.status == Status::Error).count();
        self.wrapper = if failed == RUN {
            Verdict::Unreachable
        } else {
            Verdict::NoneYet
        };
    }

    fn judge_wrapper(&mut self) {
        let counted = self.pages.iter().rev().filter(|page| page.worth.is_some());
        let latest: Vec<&PageSign> = counted.take(LATEST).collect();
        let count = |of: fn(&PageSign) -> bool| latest.iter().filter(|page| of(page)).count();
        let (fit, lost) = (count(|page| page.fits), count(PageSign::is_lost));
        let ok = count(|page| page.status == Status::Ok);
        let unfit = latest.len() - fit;
        let share = |pages: usize| pages as f64 / latest.len().max(1) as f64;
        let is_run =
            |fits| latest.len() >= RUN && latest[..RUN].iter().all(|page| page.fits == fits);
        let drifting = is_run(false)
            || unfit >= RUN && share(fit) < DRIFT
            || lost >= LOST_PAGES && share(lost) >= LOST;
        if self.wrapper == Verdict::Drift {
            if is_run(true) {
                self.wrapper = Verdict::Ok;
                self.forget_all_but(RUN);
            }
        } else if drifting {
            self.wrapper = Verdict::Drift;
            self.drifts += 1;
        } else {
            // As with a drift, one page is not enough.
            self.wrapper = if latest.len() - ok >= RUN - 1 && share(ok) < DEGRADED {
                Verdict::Degraded
            } else {
                Verdict::Ok
            };
        }
    }

    /// Forgets all pages but the last that count, and the blocked ones between them.
    fn forget_all_but(&mut self, count: usize) {
        let counted = self.pages.iter().enumerate().rev();
        let counted = counted.filter(|(_, page)| page.worth.is_some());
        if let Some((first, _)) = counted.take(count).last() {
            self.pages.drain(..first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(letter: char) -> PageSign {
        let (status, worth) = match letter {
            'g' => (Status::Ok, Some(0.97)),
            // Doubtful, and wrong.
            'd' => (Status::Degraded, Some(0.8)),
            'w' => (Status::Degraded, Some(0.3)),
            'f' => (Status::Fallback, Some(0.0)),
            'e' => (Status::Empty, Some(0.0)),
            'b' => (Status::Blocked, None),
            'n' => (Status::Empty, None),
            'x' => (Status::Error, None),
            other => panic!("no sign {other}"),
        };
        let fits = matches!(letter, 'g' | 'd');
        PageSign {
            status,
            worth,
            fits,
        }
    }

    fn time(n: usize) -> DateTime<Utc> {
        DateTime::from_timestamp(n as i64 * 3600, 0).expect("a time")
    }

    /// The verdict's first letter after each page: Ok, degraded (D), drift (!), blocked.
    fn check(pages: &str, expected: &str) -> SiteWatch {
        check_from(SiteWatch::default(), pages, expected)
    }

    fn check_from(mut watch: SiteWatch, pages: &str, expected: &str) -> SiteWatch {
        let mut verdicts = String::new();
        for (n, page) in pages.chars().enumerate() {
            let before = watch.verdict();
            let change = watch.see(time(n), sign(page));
            let now = watch.verdict();
            assert_eq!(change.is_some(), before != now, "{pages} page {n}");
            if let Some(change) = change {
                assert_eq!((change.from, change.to, change.at), (before, now, time(n)));
                assert_eq!(watch.since, Some(time(n)));
            }
            verdicts.push(match now {
                Verdict::Ok => 'o',
                Verdict::Degraded => 'd',
                Verdict::Drift => '!',
                Verdict::Blocked => 'b',
                Verdict::NoneYet => 'n',
                Verdict::Unreachable => 'u',
            });
            // Written down and read back at any time, it goes on as it was.
            let text = serde_json::to_string(&watch).expect("serialises");
            watch = serde_json::from_str(&text).expect("reads");
        }
        assert_eq!(verdicts, expected, "{pages}");
        watch
    }

    #[test]
    fn one_bad_page_raises_no_alarm_nor_do_two() {
        check("f", "o");
        check("fgggggggggggg", &"o".repeat(13));
        check("gwgggggggggeggggggggg", &"o".repeat(21));
        // Two of ten are a flaw, and say so.
        check("ggffgggggggggggg", "ooodddddddddoooo");
        check("gwgdgggggggg", "oooddddddddo");
    }

    #[test]
    fn three_in_a_row_do_and_three_good_ones_end_it() {
        let watch = check("gggggfwffgfgfgggg", "ooooood!!!!!!!!oo");
        assert_eq!(watch.drifts, 1);
        // What was before is forgotten: two more bad pages are no drift.
        check("fffgggfgfg", "od!!!ooodd");
    }

    #[test]
    fn a_part_of_the_site_that_changed_is_a_drift_in_time() {
        // Every other page has another design.
        check("gggggfgfgfg", "ooooooodd!!");
        // Something else is selected: that takes a majority.
        check("gggwggwggwgg", "oooooodddddd");
        check("wgwgwgw", "oodd!!!");
    }

    #[test]
    fn walls_and_missing_pages_count_for_nothing() {
        check("gggnnnnnnnnxxxxx", &"o".repeat(16));
        check("ggggggbgbggg", &"o".repeat(12));
        // Most of the latest pages: blocked, and no drift, until three can be read.
        let watch = check("ggbbbbbggg", "oooobbbbbo");
        assert_eq!(watch.drifts, 0);
        // Behind a wall nothing is judged.
        check("gggbbbbbfbfbf", "oooooobbbbbbb");
    }

    #[test]
    fn a_wall_that_is_gone_is_not_reported_again_by_good_pages() {
        check("bbbbbbbbbbgggggggg", "oobbbbbbbbbboooooo");
        check("ggbbbbbbgggggggg", "oooobbbbbboooooo");
        // Another one is seen as the first was.
        check("bbbgggbbbbb", "oobbboooobb");
        // What did not come is no page that can be read.
        check("bbbbxxxxxgggx", "oobbbbbbbbboo");
        // Nor does it dilute a wall.
        check("xxxxxxxbbb", "ooooooooob");
    }

    #[test]
    fn a_site_without_a_wrapper_is_judged_as_well() {
        let check = |pages, expected| check_from(SiteWatch::bare(), pages, expected);
        check("nnnnnn", "nnnnnn");
        check("bbbbnnnn", "nnbbbbnn");
        check("xxxxnxx", "nnuunnn");
        check("xxxbbbxxx", "nnunnbbbb");
        let mut watch = check("xxxx", "nnuu");
        watch.relearned(time(9));
        assert_eq!(watch.verdict(), Verdict::Ok);
        watch.see(time(10), sign('x'));
        assert_eq!(watch.verdict(), Verdict::Ok);
        watch.lost(time(11));
        assert_eq!(watch.verdict(), Verdict::NoneYet);
    }

    #[test]
    fn a_drift_outlasts_a_wall() {
        check("fffbbbbbggf", "od!!!!bbbb!");
        // The three pages that end the wall are good, and end the drift as well.
        check("fffbbbbgbggg", "od!!!!bbbbbo");
    }

    #[test]
    fn after_relearning_it_begins_anew_and_counts_on() {
        let mut watch = check("gggfff", "ooood!");
        watch.relearned(time(9));
        assert_eq!((watch.verdict(), watch.since), (Verdict::Ok, Some(time(9))));
        assert_eq!((watch.drifts, watch.pages.len()), (1, 0));
        for n in 10..12 {
            watch.see(time(n), sign('f'));
        }
        assert_ne!(watch.verdict(), Verdict::Drift);
        watch.see(time(12), sign('f'));
        assert_eq!((watch.verdict(), watch.drifts), (Verdict::Drift, 2));
    }

    #[test]
    fn it_remembers_so_many_pages_and_no_more() {
        let watch = check(&"g".repeat(50), &"o".repeat(50));
        assert_eq!(watch.pages.len(), REMEMBERED);
    }
}
