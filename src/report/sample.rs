//! What was made of each page of the sample.

use super::Shown;
use super::markup::{Table, address, cut};
use crate::extract::Status;
use crate::learn::{SamplePage, Verdict};
use crate::text::metric_tokens;
use std::fmt::Write;

/// Pages that are listed.
const MAX_PAGES: usize = 200;

/// The section; `shown` are the pages that were learned from.
pub(super) fn section(
    sample: &[SamplePage],
    verdicts: &[Verdict],
    shown: &[Shown<'_>],
    out: &mut String,
) {
    if sample.is_empty() {
        out.push_str("<p class=\"warn\">No page could be read.</p>\n");
        return;
    }
    let mut heads = vec![
        ("Page", "n"),
        ("Address", ""),
        ("Verdict", ""),
        ("Template", "n"),
        ("Words", "n"),
    ];
    // Only a page that somebody judged has one.
    if shown.iter().any(|shown| shown.article.confidence.is_some()) {
        heads.push(("Confidence", "n"));
    }
    let mut table = Table::new(&heads, MAX_PAGES);
    let mut good = shown.iter().peekable();
    for (number, (page, verdict)) in (1..).zip(sample.iter().zip(verdicts)) {
        let shown = good.next_if(|shown| shown.number == number);
        let article = shown.map(|shown| &shown.article);
        let article = article.filter(|a| matches!(a.status, Status::Ok | Status::Degraded));
        let template = shown.and_then(|shown| Some(shown.trace.as_ref()?.found.template + 1));
        let said = match (verdict, shown, template) {
            (Verdict::Good, Some(_), None) => {
                "<span class=\"no\">good, but no template selects text on it</span>".to_owned()
            }
            (Verdict::Good, Some(shown), _) if shown.article.status == Status::Degraded => {
                "<span class=\"no\">good, but its article is unlike the others</span>".to_owned()
            }
            (Verdict::Good, ..) => "<span class=\"yes\">good</span>".to_owned(),
            _ => format!(
                "<span class=\"no\">{}</span>",
                cut(&verdict.to_string(), 300)
            ),
        };
        let link = shown.map_or_else(|| number.to_string(), Shown::link);
        let mut name = address(&page.name);
        let title = article.and_then(|article| article.title.as_deref());
        let by_feed = page.item.as_ref().map(|item| &*item.title);
        if let Some(title) = title.or(by_feed.filter(|title| !title.is_empty())) {
            name = format!(
                "<span dir=\"auto\">{}</span><br><span class=\"small\">{name}</span>",
                cut(title, 160)
            );
        }
        let or_dash = |n: Option<usize>| n.map_or_else(|| "–".to_owned(), |n| n.to_string());
        let words = article.map(|article| metric_tokens(&article.text).len());
        let confidence = shown.and_then(|shown| shown.article.confidence);
        let confidence = confidence.map_or_else(|| "–".to_owned(), |c| format!("{c:.2}"));
        table.row(
            "",
            &[
                &link,
                &name,
                &said,
                &or_dash(template),
                &or_dash(words),
                &confidence,
            ],
        );
    }
    let _ = writeln!(
        out,
        "<section id=\"sample\">\n<h2>Sample</h2>\n<div class=\"card\">{}</div>\n</section>",
        table.finish()
    );
}
