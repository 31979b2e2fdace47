//! The reasons of a method in sentences and figures, for every form of the report.

use super::context::Context;
use crate::learn::{Method, words};
use crate::rank::RankedPattern;
use crate::wrapper::xpath::XPath;
use crate::wrapper::{Evidence, RunnerUp, Template};
use forest_html::error::counted;
use forest_html::page::{Mask, Page};
use maud::{Markup, Render, html};
use std::fmt;

/// A sentence with the figures that decide in it.
#[derive(Debug, Default)]
pub(super) struct ReasonText(Vec<ReasonPart>);

#[derive(Debug)]
enum ReasonPart {
    Plain(String),
    Figure(String),
}

impl ReasonText {
    fn plain(mut self, text: impl Into<String>) -> ReasonText {
        self.0.push(ReasonPart::Plain(text.into()));
        self
    }

    fn figure(mut self, figure: String) -> ReasonText {
        self.0.push(ReasonPart::Figure(figure));
        self
    }
}

impl fmt::Display for ReasonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            ReasonPart::Plain(text) | ReasonPart::Figure(text) => f.write_str(text),
        })
    }
}

impl Render for ReasonText {
    fn render(&self) -> Markup {
        html! {
            @for part in &self.0 {
                @match part {
                    ReasonPart::Plain(text) => (text),
                    ReasonPart::Figure(text) => b { (text) },
                }
            }
        }
    }
}

/// Differences of the F1 to expect below which two are the same.
const SAME_F1: f64 = 0.0005;

/// True if `forest` chose a template by the F1 to expect. If that is 0 for all, the
/// paper's ranking decides, and the evidence names its method.
pub(super) fn is_of_forest(evidence: &Evidence) -> bool {
    evidence.method == Method::Forest.to_string()
}

/// The F1 to expect, and its lead over the runner-up's.
pub(super) fn expected(evidence: &Evidence) -> ReasonText {
    let f1 = evidence.expected_f1().unwrap_or_default();
    let out = ReasonText::default()
        .plain("It can be expected to give the articles of its pages with a mean F1 of ")
        .figure(format!("{f1:.3}"));
    let Some(second) = evidence.runner_up.as_ref().and_then(RunnerUp::expected_f1) else {
        return out.plain("; there was no other candidate.");
    };
    let lead = f1 - second;
    if !evidence.pages.is_empty() {
        // The second was measured on more pages.
        return out.plain(format!(
            "; the runner-up came to {second:.3} over all pages that were still open."
        ));
    }
    match lead {
        _ if lead.abs() < SAME_F1 => out.plain(
            ", as the runner-up; the name that is likely to live longer, or fewer strip rules, \
             decided.",
        ),
        0.0.. => out
            .plain(", ")
            .figure(format!("{lead:.3}"))
            .plain(" more than the runner-up."),
        _ => out.plain(format!(
            ", {:.3} less than the runner-up; a name that is likely to live longer, or fewer strip \
             rules, outweighed so little.",
            -lead
        )),
    }
}

/// The words that the strip rules take away.
pub(super) fn stripped(template: &Template, taken: &StripTotals) -> String {
    match template.strip.len() {
        0 => "It needs no strip rule.".to_owned(),
        n => format!(
            "Its {} {} of {} away ({}).",
            counted(n, "strip rule takes", "strip rules take"),
            taken.stripped,
            counted(taken.whole, "word", "words"),
            super::markup::percent(taken.stripped, taken.whole)
        ),
    }
}

/// The relevance of the first pattern beside that of the second.
pub(super) fn relevant(
    first: &RankedPattern<'_>,
    second: Option<&RankedPattern<'_>>,
) -> ReasonText {
    let out = ReasonText::default()
        .plain("Its relevance R is ")
        .figure(number(first.relevance));
    match second {
        None => out.plain("; no other pattern has any."),
        Some(second) => out
            .plain(", ")
            .figure(format!("{:.2}", first.relevance / second.relevance))
            .plain(format!(
                " times that of the runner-up, {}.",
                number(second.relevance)
            )),
    }
}

/// The names of elements that a body goes by: the last step of each piece of a body.
pub(super) fn known_by(body: &[String]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for piece in body.iter().flat_map(|body| body.split(" | ")) {
        let last = piece.rsplit("//").next().unwrap_or(piece);
        let kind = if last.contains("@dfs") {
            "its position"
        } else if last.contains("[@itemprop") || last.contains("[@role") {
            "its role"
        } else if last.contains("normalize-space(@class),' ')") {
            "a class"
        } else if last.contains("@class") {
            "a part of its class"
        } else if last.contains("[@id=") {
            "its id"
        } else if last.contains("@id") {
            "a part of its id"
        } else if last.contains("[@") {
            "how it looks"
        } else {
            "its tag"
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.join(" and ")
}

/// Words of the bodies of the pages that a template carries.
#[derive(Debug, Default)]
pub(super) struct StripTotals {
    pub pages: usize,
    pub whole: usize,
    pub stripped: usize,
}

impl StripTotals {
    pub fn of(context: &Context<'_>, template: usize) -> StripTotals {
        let mut out = StripTotals::default();
        for (page, trace) in context.carried(template) {
            let page = page.page();
            let whole = words(page, &Mask::subtrees(page, &trace.found.nodes));
            out.pages += 1;
            out.whole += whole;
            out.stripped += whole.saturating_sub(words(page, &trace.found.kept));
        }
        out
    }
}

/// Words that an expression selects, on average, of the pages that a template
/// carries; `None` if nothing.
pub(super) fn words_of(context: &Context<'_>, template: usize, xpath: &str) -> Option<usize> {
    let xpath = XPath::parse(xpath).ok()?;
    let of_page = |page: &Page| words(page, &Mask::subtrees(page, &xpath.own_nodes(page)));
    let all: Vec<usize> = context
        .carried(template)
        .map(|(page, _)| of_page(page.page()))
        .collect();
    let sum: usize = all.iter().sum();
    sum.checked_div(all.len()).filter(|&mean| mean > 0)
}

/// A number with the digits that matter.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
