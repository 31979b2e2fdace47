//! The verdict on each page of the sample, and the article that comes of it.

use super::context::ReportPage;
use super::markup::{HtmlTable, address, cut, or_dash};
use crate::extract::Status;
use crate::learn::{SamplePage, SampleVerdict};
use forest_html::text::word_count;
use maud::{Markup, Render, html};

/// Pages that are listed.
const MAX_PAGES: usize = 200;

/// The section; `shown` are the pages that were learned from.
pub(super) fn section(
    sample: &[SamplePage],
    verdicts: &[SampleVerdict],
    shown: &[ReportPage<'_>],
) -> Markup {
    if sample.is_empty() {
        return html! { p.warn { "No page could be read." } };
    }
    let mut heads = vec![
        ("Page", "n"),
        ("Address", ""),
        ("Verdict", ""),
        ("Template", "n"),
        ("Words", "n"),
    ];
    // Only a page whose article was checked has a confidence.
    if shown.iter().any(|shown| shown.article.confidence.is_some()) {
        heads.push(("Confidence", "n"));
    }
    let mut table = HtmlTable::new(&heads, MAX_PAGES);
    let mut good = shown.iter().peekable();
    for (number, (page, verdict)) in (1..).zip(sample.iter().zip(verdicts)) {
        let shown = good.next_if(|shown| shown.number == number);
        row(number, page, verdict, shown, &mut table);
    }
    html! {
        section id="sample" {
            h2 { "Sample" }
            div.card { (table) }
        }
    }
}

fn row(
    number: usize,
    page: &SamplePage,
    verdict: &SampleVerdict,
    shown: Option<&ReportPage<'_>>,
    table: &mut HtmlTable,
) {
    let article = shown.map(|shown| &shown.article);
    let article = article.filter(|a| matches!(a.status, Status::Ok | Status::Degraded));
    let template = shown.and_then(|shown| Some(shown.trace.as_ref()?.found.template + 1));
    let verdict = match (verdict, shown, template) {
        (SampleVerdict::Good, Some(_), None) => {
            html! { span.no { "good, but no template selects text on it" } }
        }
        (SampleVerdict::Good, Some(shown), _) if shown.article.status == Status::Degraded => {
            html! { span.no { "good, but its article is unlike the others" } }
        }
        (SampleVerdict::Good, ..) => html! { span.yes { "good" } },
        _ => html! { span.no { (cut(&verdict.to_string(), 300)) } },
    };
    let link = shown.map_or_else(|| number.render(), ReportPage::link);
    let title = article.and_then(|article| article.title.as_deref());
    let by_feed = page.item.as_ref().map(|item| &*item.title);
    let by_feed = by_feed.filter(|title| !title.is_empty());
    let name = html! {
        @if let Some(title) = title.or(by_feed) {
            span dir="auto" { (cut(title, 160)) }
            br;
            span.small { (address(&page.name)) }
        } @else {
            (address(&page.name))
        }
    };
    let words = article.map(|article| word_count(&article.text));
    let confidence = shown.and_then(|shown| shown.article.confidence);
    let confidence = confidence.map_or_else(|| "–".to_owned(), |c| format!("{c:.2}"));
    table.row(
        "",
        &[
            &link,
            &name,
            &verdict,
            &or_dash(template),
            &or_dash(words),
            &confidence,
        ],
    );
}
