//! The verdicts on wrappers as a table.

use crate::drift::WrapperReport;
use crate::drift::relearn::mean;
use crate::extract::Status;
use std::fmt::Write;

/// The table for a person: a line a wrapper, and the reasons below it.
pub fn verdict_table(reports: &[WrapperReport]) -> String {
    let wide = reports.iter().map(|report| report.site.chars().count());
    let wide = wide.max().unwrap_or(0).max(4);
    let mut out = format!(
        "{:wide$}  {:8}  {:>5}  {:>5}  {:>8}  {:>5}  {:>7}  {:>5}  {:>10}",
        "site", "verdict", "pages", "ok", "degraded", "empty", "blocked", "error", "confidence"
    );
    let scores =
        |report: &WrapperReport| report.pages.iter().filter_map(|p| p.f1).collect::<Vec<_>>();
    let gold = reports.iter().any(|report| !scores(report).is_empty());
    if gold {
        let _ = write!(out, "  {:>6}", "F1");
    }
    out.push('\n');
    for report in reports {
        let count = |status| report.pages.iter().filter(|p| p.status == status).count();
        let confidence: Vec<f64> = report.pages.iter().map(|page| page.confidence).collect();
        let _ = write!(
            out,
            "{:wide$}  {:8}  {:>5}  {:>5}  {:>8}  {:>5}  {:>7}  {:>5}  {:>10.3}",
            report.site,
            report.verdict,
            report.pages.len(),
            count(Status::Ok),
            count(Status::Degraded),
            count(Status::Empty),
            count(Status::Blocked),
            count(Status::Error),
            mean(&confidence)
        );
        match &scores(report)[..] {
            [] if gold => out.push_str("       -"),
            [] => {}
            scores => {
                let _ = write!(out, "  {:>6.3}", mean(scores));
            }
        }
        out.push('\n');
        for why in &report.why {
            let _ = writeln!(out, "    {why}");
        }
    }
    out
}
