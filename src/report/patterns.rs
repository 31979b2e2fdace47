//! The structural patterns of the sample by their relevance. FOREST 3.3.

use super::Context;
use super::markup::{Table, cut};
use crate::learn::Method;
use crate::page::NodeId;
use crate::pattern::{Occurrence, Pattern};
use crate::rank::{Ranked, jeffreys_density, unexpectedness};
use std::fmt::Write;

/// Patterns that are listed.
const SHOWN: usize = 12;

/// Characters of an element type that are shown.
const MAX_TYPE_CHARS: usize = 200;

/// The section.
pub(super) fn section(context: &Context<'_>, out: &mut String) {
    let induction = &context.learned.induction;
    let ranked = induction.ranked();
    let chosen = chosen(context);
    let template_of = |ranked: &Ranked<'_>| {
        let at = chosen
            .iter()
            .position(|of| of.is_some_and(|p| std::ptr::eq(p, ranked.pattern)));
        at.map(|at| at + 1)
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
    let mut table = Table::new(&heads, usize::MAX);
    let most = ranked.first().map_or(0.0, |first| first.relevance);
    let last = ranked
        .iter()
        .rposition(|ranked| template_of(ranked).is_some());
    for (i, ranked) in ranked.iter().enumerate() {
        let template = template_of(ranked);
        if i >= SHOWN && template.is_none() {
            if last.is_none_or(|last| i > last) {
                break;
            }
            continue;
        }
        let element_type = ranked.pattern.element_type.to_string();
        let mut element = format!("<code>{}</code>", cut(&element_type, MAX_TYPE_CHARS));
        if let Some(template) = template {
            let _ = write!(
                element,
                " <a class=\"badge\" href=\"#t{template}\">template {template}</a>"
            );
        }
        let _ = write!(element, "{}", bar(ranked.relevance, most));
        let mean = |of: &dyn Fn(&Occurrence) -> f64| {
            let sum: f64 = ranked.chosen.iter().map(|c| of(&c.occurrence)).sum();
            sum / ranked.pages().max(1) as f64
        };
        let j = mean(&|o| jeffreys_density(o.element.signifiers, o.element.others));
        let u = mean(&|o| unexpectedness(o.element, o.page_counts));
        table.row(
            if template.is_some() { "won" } else { "" },
            &[
                &(i + 1),
                &element,
                &format_args!("{:.1}", ranked.relevance),
                &format_args!("{j:.4}"),
                &format_args!("{u:.1}"),
                &ranked.pattern.level,
                &ranked.pages(),
            ],
        );
    }
    let method = induction.method();
    out.push_str("<section id=\"patterns\">\n<h2>Patterns</h2>\n");
    let _ = writeln!(
        out,
        "<p class=\"soft\">Elements that hold the words a page is about, of one type and level over \
         the pages, as FOREST ranks them: R is the sum of {} over the pages, times pages, times level. \
         J and U are means over the pages. There are {} of them.{}</p>",
        match method {
            Method::Coverage => "the coverage",
            _ => "J·U",
        },
        ranked.len(),
        match method {
            Method::Forest =>
                " <code>--method forest</code> does not choose by R, but by the F1 to expect.",
            _ => "",
        }
    );
    let _ = writeln!(out, "<div class=\"card\">{}", table.finish());
    signifiers(context, out);
    out.push_str("</div>\n</section>\n");
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
fn bar(value: f64, most: f64) -> String {
    let share = if most > 0.0 {
        value / most * 100.0
    } else {
        0.0
    };
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect width=\"{share:.1}\" height=\"4\"></rect></svg>"
    )
}

/// The words of each page that stand for what it is about.
fn signifiers(context: &Context<'_>, out: &mut String) {
    out.push_str("<details><summary>Signifiers: the words that each page is about</summary>\n");
    let mut table = Table::new(&[("Page", "n"), ("Words", "")], 50);
    for (page, words) in context
        .pages
        .iter()
        .zip(&context.learned.induction.signifiers)
    {
        let words = words.join(" ");
        table.row("", &[&page.number, &cut(&words, 300)]);
    }
    let _ = writeln!(out, "{}</details>", table.finish());
}
