//! Cases of drift as tables.

use super::case::{DriftCase, EraStep, RIGHT};
use forest_core::drift::Verdict;
use forest_core::drift::relearn::OldTemplates;
use forest_core::learn::Method;
use forest_eval::eval::six;
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// Cases of any collections. [`fmt::Display`] is Markdown: recall and precision of the
/// verdict `drift`.
#[derive(Debug)]
pub struct DriftTable<'a>(pub &'a [DriftCase]);

/// Cases by gold and by the verdict of the check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Alarms {
    /// Drifted, and noticed.
    pub noticed: usize,
    /// Drifted, and not noticed.
    pub missed: usize,
    /// Not drifted, and an alarm.
    pub false_alarms: usize,
    /// Not drifted, and no alarm.
    pub quiet: usize,
}

impl Alarms {
    /// Counts cases; `verdict` chooses one of a case's verdicts.
    pub fn of<'a>(
        cases: impl IntoIterator<Item = &'a DriftCase>,
        verdict: fn(&DriftCase) -> Verdict,
    ) -> Alarms {
        let mut out = Alarms::default();
        for case in cases {
            *match (case.drifted(), verdict(case) == Verdict::Drift) {
                (true, true) => &mut out.noticed,
                (true, false) => &mut out.missed,
                (false, true) => &mut out.false_alarms,
                (false, false) => &mut out.quiet,
            } += 1;
        }
        out
    }

    /// Share of what drifted that was noticed; 1 where nothing drifted.
    pub fn recall(&self) -> f64 {
        share(self.noticed, self.noticed + self.missed)
    }

    /// Share of the alarms that are right; 1 where there is none.
    pub fn precision(&self) -> f64 {
        share(self.noticed, self.noticed + self.false_alarms)
    }
}

fn how(how: Option<OldTemplates>) -> &'static str {
    match how {
        Some(OldTemplates::Replaced) => "replaced",
        Some(OldTemplates::Joined(_)) => "joined",
        None => "kept",
    }
}

fn share(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 1.0,
        _ => part as f64 / whole as f64,
    }
}

impl DriftTable<'_> {
    /// A line a case.
    pub fn by_site(&self) -> String {
        let mut out = String::new();
        for case in self.0 {
            let _ = writeln!(
                out,
                "{:12} {:5} {:28} > {:28} F1 {:.3} > {:.3} on {:2} pages  {} {:8} (without the feed {}) alarm after {:2}, {:8} F1 {:.3}, afresh {:.3}",
                case.method.to_string(),
                case.step.name(),
                case.from,
                case.to,
                case.own,
                case.mean(),
                case.f1.len(),
                if case.drifted() { "drifted" } else { "-      " },
                case.verdict,
                case.without_feed,
                case.alarm_after
                    .map_or("-".to_owned(), |pages| pages.to_string()),
                how(case.relearned.how),
                case.relearned.f1,
                case.relearned.afresh,
            );
        }
        out
    }

    /// The cases as JSON, with what was seen of each page.
    pub fn json(&self) -> Value {
        let cases = self.0.iter().map(|case| {
            let pages = case.f1.iter().zip(&case.seen).map(|(f1, seen)| {
                json!({
                    "f1": six(*f1),
                    "id": seen.id,
                    "status": seen.status,
                    "no_article": seen.no_article.map(|kind| kind.to_string()),
                    "words": seen.words,
                    "link_quota": seen.link_quota,
                    "precision": six(seen.precision),
                    "recall": six(seen.recall),
                    "witness_words": seen.likely_words,
                    "expected_f1": six(seen.expected_f1),
                    "confidence": seen.confidence,
                    "item": seen.item,
                })
            });
            json!({
                "collection": case.collection,
                "method": case.method.to_string(),
                "from": case.from,
                "to": case.to,
                "step": case.step.name(),
                "own_f1": six(case.own),
                "f1": six(case.mean()),
                "drifted": case.drifted(),
                "verdict": case.verdict,
                "without_feed": case.without_feed,
                "alarm_after": case.alarm_after,
                "relearned": {
                    "how": how(case.relearned.how),
                    "f1": six(case.relearned.f1),
                    "afresh_f1": six(case.relearned.afresh),
                    "one_page_f1": six(case.relearned.one_page),
                },
                "pages": pages.collect::<Vec<_>>(),
            })
        });
        Value::Array(cases.collect())
    }
}

impl DriftTable<'_> {
    /// The cases in groups, with what they are called.
    fn groups(&self) -> Vec<(String, Vec<&DriftCase>)> {
        let mut keys: Vec<(EraStep, &Method, &str)> = Vec::new();
        for case in self.0 {
            let key = (case.step, &case.method, &*case.collection);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.sort_by_key(|(step, ..)| *step);
        let all = || self.0.iter();
        let of = |key: (EraStep, &Method, &str)| {
            let cases = all().filter(|c| (c.step, &c.method, &*c.collection) == key);
            let (step, method, collection) = key;
            let name = format!("`{method}` {} {collection}", step.name());
            (name, cases.collect())
        };
        let mut groups: Vec<(String, Vec<&DriftCase>)> = keys.into_iter().map(of).collect();
        let rest = all().filter(|case| case.step != EraStep::Mixed);
        groups.push(("all but mixed".to_owned(), rest.collect()));
        groups
    }
}

impl fmt::Display for DriftTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.groups();
        writeln!(
            f,
            "| pages | cases | drifted | noticed | false alarms | of these F1 < 0.8 | recall | precision \
             | without the feed: noticed | false alarms | one by one: noticed | false alarms | after pages |"
        )?;
        writeln!(f, "| --- |{}", " --- |".repeat(12))?;
        for (name, cases) in &groups {
            alarms(f, name, cases)?;
        }
        writeln!(
            f,
            "\n| pages | learned again | replaced | joined | kept | old F1 | F1 then | F1 afresh | F1 by one page | 0.01 below afresh | 0.01 below the old |"
        )?;
        writeln!(f, "| --- |{}", " --- |".repeat(10))?;
        for (name, cases) in &groups {
            relearned(f, name, cases)?;
        }
        Ok(())
    }
}

fn alarms(f: &mut fmt::Formatter<'_>, name: &str, cases: &[&DriftCase]) -> fmt::Result {
    let of = |verdict: fn(&DriftCase) -> Verdict| Alarms::of(cases.iter().copied(), verdict);
    let alarms = of(|case| case.verdict);
    let blind = of(|case| case.without_feed);
    let one_by_one = of(|case| match case.alarm_after {
        Some(_) => Verdict::Drift,
        None => Verdict::Ok,
    });
    let is_false = |case: &&&DriftCase| case.verdict == Verdict::Drift && !case.drifted();
    let bad = cases
        .iter()
        .filter(is_false)
        .filter(|case| case.mean() < RIGHT);
    let mut after: Vec<usize> = cases.iter().filter_map(|case| case.alarm_after).collect();
    after.sort_unstable();
    let after = after.get(after.len() / 2);
    writeln!(
        f,
        "| {name} | {} | {} | {} | {} | {} | {:.3} | {:.3} | {} | {} | {} | {} | {} |",
        cases.len(),
        alarms.noticed + alarms.missed,
        alarms.noticed,
        alarms.false_alarms,
        bad.count(),
        alarms.recall(),
        alarms.precision(),
        blind.noticed,
        blind.false_alarms,
        one_by_one.noticed,
        one_by_one.false_alarms,
        after.map_or("-".to_owned(), usize::to_string),
    )
}

/// The results of learning again where the check calls for it; on what has not changed,
/// everywhere: there it should do no harm.
fn relearned(f: &mut fmt::Formatter<'_>, name: &str, cases: &[&DriftCase]) -> fmt::Result {
    let called = |case: &&&DriftCase| case.step == EraStep::Half || case.verdict == Verdict::Drift;
    let cases: Vec<&&DriftCase> = cases.iter().filter(called).collect();
    if cases.is_empty() {
        return Ok(());
    }
    let count = |name: &str| {
        let of = cases.iter();
        of.filter(|case| how(case.relearned.how) == name).count()
    };
    let mean = |figure: fn(&DriftCase) -> f64| {
        cases.iter().map(|case| figure(case)).sum::<f64>() / cases.len() as f64
    };
    let below = |figure: fn(&DriftCase) -> f64| {
        let of = cases.iter();
        of.filter(|case| case.relearned.f1 < figure(case) - 0.01)
            .count()
    };
    writeln!(
        f,
        "| {name} | {} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {} | {} |",
        cases.len(),
        count("replaced"),
        count("joined"),
        count("kept"),
        mean(DriftCase::mean),
        mean(|case| case.relearned.f1),
        mean(|case| case.relearned.afresh),
        mean(|case| case.relearned.one_page),
        below(|case| case.relearned.afresh),
        below(DriftCase::mean),
    )
}
