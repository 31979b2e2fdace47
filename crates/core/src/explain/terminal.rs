//! The reasons for a wrapper's templates as text for a terminal.

use super::context::Context;
use super::reasons::{self, StripTotals, known_by, words_of};
use super::templates;
use crate::error::Result;
use crate::learn::{Learned, SamplePage};
use crate::wrapper::{Evidence, Template};
use forest_html::error::counted;
use forest_html::text::fold;
use forest_html::text::visible;
use std::fmt::Write;

/// Characters of a strip rule's example that are shown.
const EXAMPLE_CHARS: usize = 100;

/// The reasons for the templates of a wrapper: method, F1 to expect, runner-up, and the
/// words that each strip rule takes away.
///
/// # Errors
///
/// If an expression of the wrapper is not valid XPath 1.0; learned ones are.
pub fn decision(learned: &Learned, sample: &[SamplePage]) -> Result<String> {
    let context = Context::of(learned, sample)?;
    let mut out = String::new();
    for (t, template) in learned.wrapper.templates.iter().enumerate() {
        card(&context, t, template, &mut out);
    }
    Ok(out)
}

fn card(context: &Context<'_>, t: usize, template: &Template, out: &mut String) {
    let evidence = template.evidence.as_ref();
    let by = evidence.map_or_else(String::new, |of| {
        format!(", chosen by method {}", of.method)
    });
    let carried = context.carried(t).count();
    let good = counted(context.pages.len(), "good page", "good pages");
    let _ = writeln!(out, "template {}: {carried} of {good}{by}", t + 1);
    for body in &template.body {
        let _ = writeln!(out, "  {}", line(body));
    }
    match evidence {
        Some(evidence) if reasons::is_of_forest(evidence) => {
            forest(context, t, template, evidence, out);
        }
        Some(_) => {
            let ranked = context.learned.induction.ranked();
            if let Some(first) = ranked.first() {
                let second = ranked.get(1).filter(|second| second.relevance > 0.0);
                let _ = writeln!(out, "  {}", reasons::relevant(first, second));
            }
        }
        None => {}
    }
    strips(context, t, template, out);
    out.push('\n');
}

fn forest(
    context: &Context<'_>,
    t: usize,
    template: &Template,
    evidence: &Evidence,
    out: &mut String,
) {
    let taken = StripTotals::of(context, t);
    let _ = writeln!(out, "  {}", reasons::expected(evidence));
    let _ = writeln!(out, "  {}", reasons::stripped(template, &taken));
    let Some(second) = &evidence.runner_up else {
        return;
    };
    let _ = writeln!(
        out,
        "  {:<10} {:>6} {:>12}  known by",
        "", "F1", "words a page"
    );
    let mut row = |who: &str, body: &[String], f1: Option<f64>, words: Option<usize>| {
        let f1 = f1.unwrap_or_default();
        let words = words.map_or_else(|| "-".to_owned(), |words| words.to_string());
        let body_text = line(&body.join(" and "));
        let known = known_by(body);
        let _ = writeln!(
            out,
            "  {who:<10} {f1:>6.3} {words:>12}  {known}: {body_text}"
        );
    };
    let words = taken.whole.checked_div(taken.pages);
    row("winner", &template.body, evidence.expected_f1(), words);
    let words = words_of(context, t, &second.xpath);
    let body = std::slice::from_ref(&second.xpath);
    row("runner-up", body, second.expected_f1(), words);
}

fn strips(context: &Context<'_>, t: usize, template: &Template, out: &mut String) {
    if template.strip.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "  {:>5} {:>6}  {:<18}  strip rule",
        "pages", "words", "why"
    );
    for (rule, strip) in template.strip.iter().enumerate() {
        let dash = || "-".to_owned();
        let known = templates::evidence_of(template, rule);
        let pages = known.map_or_else(dash, |known| known.pages.to_string());
        let words = known.map_or_else(dash, |known| known.words.to_string());
        let why = known.map_or_else(dash, |known| known.why.to_string());
        let xpath = line(&strip.xpath);
        let _ = writeln!(out, "  {pages:>5} {words:>6}  {why:<18}  {xpath}");
        if let Some((page, text)) = templates::example(context, t, rule) {
            let text = line(&text);
            let short: String = text.chars().take(EXAMPLE_CHARS).collect();
            let dots = if short.len() < text.len() { "…" } else { "" };
            let number = page.number;
            let _ = writeln!(out, "  {:>34}  on page {number}: “{short}{dots}”", "");
        }
    }
}

/// On one line, without control characters.
fn line(text: &str) -> String {
    visible(&fold(text)).into_owned()
}
