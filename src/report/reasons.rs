//! Why a method decided as it did, in sentences and figures that every form of the report
//! has.

use super::{Context, number};
use crate::error::counted;
use crate::learn::{Method, words};
use crate::page::{Mask, Page};
use crate::rank::Ranked;
use crate::wrapper::xpath::XPath;
use crate::wrapper::{Evidence, Template};

/// How a figure that decides is shown.
pub(super) type Strong = fn(String) -> String;

/// Differences of the F1 to expect below which two are the same.
const SAME_F1: f64 = 0.0005;

/// Whether `forest` chose a template by what it believes of the pages. Where it believes
/// in none, the paper's ranking decides, which the evidence says.
pub(super) fn is_of_forest(evidence: &Evidence) -> bool {
    evidence.method == Method::Forest.to_string()
}

/// What the F1 to expect was, and how far ahead of the runner-up's.
pub(super) fn expected(evidence: &Evidence, strong: Strong) -> String {
    let f1 = evidence.relevance;
    let lead = evidence
        .runner_up
        .as_ref()
        .map(|second| f1 - second.relevance);
    let beside = match lead {
        None => "; there was no other candidate".to_owned(),
        // The second was measured on more pages.
        Some(lead) if !evidence.pages.is_empty() => format!(
            "; the runner-up came to {:.3} over all pages that were still open",
            f1 - lead
        ),
        Some(lead) if lead.abs() < SAME_F1 => {
            ", as the runner-up; the name that is likely to live \
            longer, or fewer strip rules, decided"
                .to_owned()
        }
        Some(lead) if lead > 0.0 => {
            let lead = strong(format!("{lead:.3}"));
            format!(", {lead} more than the runner-up")
        }
        Some(lead) => format!(
            ", {:.3} less than the runner-up; a name that is likely to live longer, or fewer strip \
             rules, outweighed so little",
            -lead
        ),
    };
    format!(
        "It can be expected to give the articles of its pages with a mean F1 of {}{beside}.",
        strong(format!("{f1:.3}"))
    )
}

/// How much the strip rules take away.
pub(super) fn stripped(template: &Template, taken: &Taken) -> String {
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

/// How relevant the first pattern is, beside the second.
pub(super) fn relevant(first: &Ranked<'_>, second: Option<&Ranked<'_>>, strong: Strong) -> String {
    let beside = match second {
        None => "; no other pattern has any".to_owned(),
        Some(second) => format!(
            ", {} times that of the runner-up, {}",
            strong(format!("{:.2}", first.relevance / second.relevance)),
            number(second.relevance)
        ),
    };
    let relevance = strong(number(first.relevance));
    format!("Its relevance R is {relevance}{beside}.")
}

/// What names elements: by the last step of each piece of a body.
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
pub(super) struct Taken {
    pub pages: usize,
    pub whole: usize,
    pub stripped: usize,
}

impl Taken {
    pub fn of(context: &Context<'_>, template: usize) -> Taken {
        let mut out = Taken::default();
        for (page, trace) in context.carried(template) {
            let page = &page.sample.page;
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
        .map(|(page, _)| of_page(&page.sample.page))
        .collect();
    let sum: usize = all.iter().sum();
    sum.checked_div(all.len()).filter(|&mean| mean > 0)
}
