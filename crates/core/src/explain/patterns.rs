//! The structural patterns of the sample by their relevance. FOREST 3.3.

use super::context::Context;
use super::markup::{HtmlTable, cut};
use crate::learn::Method;
use crate::pattern::{Occurrence, Pattern};
use crate::rank::{RankedPattern, jeffreys_density, unexpectedness};
use forest_html::page::NodeId;
use maud::{Markup, html};

/// Patterns that are listed.
const SHOWN: usize = 12;

/// Characters of an element type that are shown.
const MAX_TYPE_CHARS: usize = 200;

/// Pages whose signifiers are listed.
const MAX_PAGES: usize = 50;

/// The section.
pub(super) fn section(context: &Context<'_>) -> Markup {
    let induction = &context.learned.induction;
    let measure = match induction.method() {
        Method::Coverage => "the coverage",
        _ => "J·U",
    };
    html! {
        section id="patterns" {
            h2 { "Patterns" }
            p.soft {
                "Elements that hold the words a page is about, of one type and level over the pages, \
                 as FOREST ranks them: R is the sum of " (measure) " over the pages, times pages, \
                 times level. J and U are means over the pages. There are "
                (induction.ranked().len()) " of them."
                @if let Method::Forest = induction.method() {
                    " " code { "--method forest" }
                    " takes the elements of the first ones as candidates, beside those that names \
                     select, and chooses by the F1 to expect; R decides where that is nearly the same."
                }
            }
            div.card { (table(context)) (signifiers(context)) }
        }
    }
}

/// The first patterns, and those of the templates wherever they rank.
fn table(context: &Context<'_>) -> HtmlTable {
    let ranked = context.learned.induction.ranked();
    let chosen = chosen(context);
    let template_of = |ranked: &RankedPattern<'_>| {
        let is_same = |of: &Option<&Pattern>| of.is_some_and(|p| std::ptr::eq(p, ranked.pattern));
        chosen.iter().position(is_same).map(|at| at + 1)
    };
    let heads = [
        ("Rank", "n"),
        ("Element", ""),
        ("R", "n"),
        ("J", "n"),
        ("U", "n"),
        ("Level", "n"),
        ("Pages", "n"),
    ];
    let mut table = HtmlTable::new(&heads, usize::MAX);
    let most = ranked.first().map_or(0.0, |first| first.relevance);
    for (i, ranked) in ranked.iter().enumerate() {
        let template = template_of(ranked);
        if i >= SHOWN && template.is_none() {
            continue;
        }
        let element_type = ranked.pattern.element_type.to_string();
        let element = html! {
            code { (cut(&element_type, MAX_TYPE_CHARS)) }
            @if let Some(template) = template {
                " " a.badge href={ "#t" (template) } { "template " (template) }
            }
            (bar(ranked.relevance, most))
        };
        let mean = |of: &dyn Fn(&Occurrence) -> f64| {
            let sum: f64 = ranked.chosen.iter().map(|c| of(&c.occurrence)).sum();
            sum / ranked.pages().max(1) as f64
        };
        let j = mean(&|o| jeffreys_density(o.element.signifiers, o.element.others));
        let u = mean(&|o| unexpectedness(o.element, o.page_counts));
        table.row(
            template.map_or("", |_| "won"),
            &[
                &(i + 1),
                &element,
                &format!("{:.1}", ranked.relevance),
                &format!("{j:.4}"),
                &format!("{u:.1}"),
                &ranked.pattern.level,
                &ranked.pages(),
            ],
        );
    }
    table
}

/// The patterns that stand for the elements of the templates.
fn chosen<'a>(context: &'a Context<'_>) -> Vec<Option<&'a Pattern>> {
    let of_template = |template: usize| {
        let pages = context.pages.iter().enumerate();
        let elements = pages.filter_map(|(at, page)| {
            let trace = page.trace.as_ref()?;
            (trace.found.template == template).then_some((at, &trace.found.nodes))
        });
        let elements = elements.flat_map(|(at, nodes)| nodes.iter().map(move |&n| (at, n)));
        let elements: Vec<(usize, NodeId)> = elements.collect();
        let pattern = context.learned.induction.pattern_of(&elements);
        pattern.map(|(pattern, _)| pattern)
    };
    let templates = context.learned.wrapper.templates.len();
    (0..templates).map(of_template).collect()
}

/// A share of the longest bar.
fn bar(value: f64, most: f64) -> Markup {
    let share = if most > 0.0 {
        value / most * 100.0
    } else {
        0.0
    };
    html! {
        svg.bar viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(format!("{share:.1}")) height="4" {}
        }
    }
}

/// The signifiers of each page.
fn signifiers(context: &Context<'_>) -> Markup {
    let mut table = HtmlTable::new(&[("Page", "n"), ("Words", "")], MAX_PAGES);
    let signifiers = &context.learned.induction.signifiers;
    for (page, words) in context.pages.iter().zip(signifiers) {
        table.row("", &[&page.number, &cut(&words.join(" "), 300)]);
    }
    html! {
        details {
            summary { "Signifiers: the words that each page is about" }
            (table)
        }
    }
}
