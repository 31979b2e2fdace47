//! The layouts of a site: why these elements, and what is stripped from them.

use super::marks::Mark;
use super::markup::{Table, cut, expression};
use super::reasons::{Taken, expected, is_of_forest, known_by, relevant, stripped, words_of};
use super::{Context, Shown, number};
use crate::error::counted;
use crate::learn::Method;
use crate::text::fold;
use crate::wrapper::{Evidence, StripEvidence, Template};
use std::fmt::{Display, Write};

/// Characters of what a strip rule takes away that are shown.
const EXAMPLE_CHARS: usize = 140;

/// Pages that are named one by one.
const MAX_PAGES: usize = 60;

/// The section.
pub(super) fn section(context: &Context<'_>, out: &mut String) {
    let templates = &context.learned.wrapper.templates;
    out.push_str("<section id=\"templates\">\n<h2>Templates</h2>\n");
    if templates.len() > 1 {
        out.push_str(
            "<p class=\"soft\">They are tried in this order; a page belongs to the first that selects \
             text on it.</p>\n",
        );
    }
    for (t, template) in templates.iter().enumerate() {
        card(context, t, template, out);
    }
    let uncarried = context.pages.iter().filter(|page| page.trace.is_none());
    let uncarried: Vec<&Shown<'_>> = uncarried.collect();
    if !uncarried.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"warn\">No template selects text on {}: {}. Such pages fall back to the \
             one-page extractor.</p>",
            counted(uncarried.len(), "page", "pages"),
            links(&uncarried)
        );
    }
    for (name, xpath) in [
        ("Next page", &context.learned.wrapper.next_page),
        (
            "Whole article on one page",
            &context.learned.wrapper.single_page,
        ),
    ] {
        if let Some(xpath) = xpath {
            let _ = writeln!(out, "<p>{name}: {}</p>", expression(xpath));
        }
    }
    out.push_str("</section>\n");
}

fn card(context: &Context<'_>, t: usize, template: &Template, out: &mut String) {
    let carried: Vec<&Shown<'_>> = context.carried(t).map(|(page, _)| page).collect();
    let _ = writeln!(
        out,
        "<div class=\"card\" id=\"t{}\">\n<h3>Template {} <span class=\"badge\">{} of {}</span></h3>",
        t + 1,
        t + 1,
        carried.len(),
        counted(context.pages.len(), "good page", "good pages")
    );
    for body in &template.body {
        let _ = writeln!(out, "<p class=\"lead\">{}</p>", expression(body));
    }
    if !carried.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"small soft\">Carries {}: {}</p>",
            counted(carried.len(), "page", "pages"),
            links(&carried)
        );
    }
    let why = match &template.evidence {
        Some(evidence) if is_of_forest(evidence) => why_forest(context, t, template, evidence),
        Some(_) => why_pattern(context, context.learned.induction.method()),
        None => String::new(),
    };
    out.push_str(&why);
    if let Some(evidence) = &template.evidence
        && let (Some(j), Some(u), Some(level)) = (evidence.j, evidence.u, evidence.level)
        && is_of_forest(evidence)
    {
        let _ = writeln!(
            out,
            "<p class=\"small soft\">Its structural pattern: mean J {}, mean U {} nats, level {level}.</p>",
            number(j),
            number(u)
        );
    }
    strips(context, t, template, out);
    out.push_str("</div>\n");
}

/// `1 2 3`, each a link to the page.
fn links(pages: &[&Shown<'_>]) -> String {
    let mut out = String::new();
    for page in pages.iter().take(MAX_PAGES) {
        let _ = write!(out, "{} ", page.link());
    }
    if pages.len() > MAX_PAGES {
        let _ = write!(out, "and {} more", pages.len() - MAX_PAGES);
    }
    out.trim_end().to_owned()
}

/// Why `forest` chose this body: by the F1 to expect, less what names that will not
/// live long and strips cost.
fn why_forest(context: &Context<'_>, t: usize, template: &Template, evidence: &Evidence) -> String {
    let f1 = evidence.relevance;
    let taken = Taken::of(context, t);
    let out = format!(
        "<p class=\"why\">{} {}</p>",
        expected(evidence, bold),
        stripped(template, &taken)
    );
    let second = evidence.runner_up.as_ref();
    let Some(second) = second else {
        return out;
    };
    let heads = [
        ("", "key"),
        ("Body", ""),
        ("Known by", ""),
        ("F1 to expect", "n"),
        ("Words a page, unstripped", "n"),
    ];
    let mut table = Table::new(&heads, usize::MAX);
    let dash = |words: Option<usize>| words.map_or_else(|| "–".to_owned(), |w| w.to_string());
    let mut row = |class, who: &str, body: &[String], f1: f64, words| {
        let expressions: Vec<String> = body.iter().map(|body| expression(body)).collect();
        let cells: [&dyn Display; 5] = [
            &who,
            &expressions.join(" "),
            &known_by(body),
            &format_args!("{f1:.3}"),
            &dash(words),
        ];
        table.row(class, &cells);
    };
    let words = taken.whole.checked_div(taken.pages);
    row("won", "Winner", &template.body, f1, words);
    let body = std::slice::from_ref(&second.xpath);
    let words = words_of(context, t, &second.xpath);
    row("", "Runner-up", body, second.relevance, words);
    out + &table.finish()
}

fn bold(figure: String) -> String {
    format!("<b>{figure}</b>")
}

/// Why a pattern is the most relevant: its factors beside those of the second.
fn why_pattern(context: &Context<'_>, method: &Method) -> String {
    let induction = &context.learned.induction;
    let ranked = induction.ranked();
    let Some(first) = ranked.first() else {
        return String::new();
    };
    let second = ranked.get(1).filter(|second| second.relevance > 0.0);
    let out = format!("<p class=\"why\">{}</p>", relevant(first, second, bold));
    let measure = match method {
        Method::Coverage => "Sum of the coverage",
        _ => "Sum of J·U",
    };
    let heads = [
        ("", "key"),
        ("Body", ""),
        (measure, "n"),
        ("× pages", "n"),
        ("× level", "n"),
        ("= R", "n"),
    ];
    let mut table = Table::new(&heads, usize::MAX);
    for (who, class, ranked) in [("Winner", "won", Some(first)), ("Runner-up", "", second)] {
        let Some(ranked) = ranked else { continue };
        let sum: f64 = ranked.chosen.iter().map(|c| c.value).sum();
        let cells: [&dyn Display; 6] = [
            &who,
            &expression(&induction.expression(ranked)),
            &number(sum),
            &ranked.pages(),
            &ranked.pattern.level,
            &number(ranked.relevance),
        ];
        table.row(class, &cells);
    }
    out + &table.finish()
}

fn strips(context: &Context<'_>, t: usize, template: &Template, out: &mut String) {
    if template.strip.is_empty() {
        return;
    }
    let heads = [
        ("Rule", "n"),
        ("Takes away", ""),
        ("Pages", "n"),
        ("Words", "n"),
        ("Why", "key"),
    ];
    let mut table = Table::new(&heads, usize::MAX);
    for (rule, xpath) in template.strip.iter().enumerate() {
        let mut what = expression(xpath);
        if let Some((page, text)) = example(context, t, rule) {
            let _ = write!(
                what,
                "<br><span class=\"small soft\">On page {}: <q dir=\"auto\">{}</q></span>",
                page.link(),
                cut(&text, EXAMPLE_CHARS)
            );
        }
        let known = evidence_of(template, rule);
        let or_dash = |n: Option<usize>| n.map_or_else(|| "–".to_owned(), |n| n.to_string());
        table.row(
            "",
            &[
                &(rule + 1),
                &what,
                &or_dash(known.map(|known| known.pages)),
                &or_dash(known.map(|known| known.words)),
                &known.map_or_else(|| "–".to_owned(), |known| known.why.to_string()),
            ],
        );
    }
    let _ = writeln!(
        out,
        "<h4>Strip rules</h4>\n<p class=\"small soft\">What two rules take away counts for the first. \
         A rule <i>repeats</i> where most of its words stand letter by letter on several pages, takes \
         <i>links</i> where most stand in links, and is <i>unlike the article</i> where the one-page \
         extractor says so.</p>\n{}",
        table.finish()
    );
}

/// What is known of what a rule takes away.
pub(super) fn evidence_of(template: &Template, rule: usize) -> Option<&StripEvidence> {
    let known = template.evidence.as_ref()?.strips.get(rule)?;
    (template.strip.get(rule) == Some(&known.xpath)).then_some(known)
}

/// What a rule takes away from the first page that it takes something from.
pub(super) fn example<'c, 'a>(
    context: &'c Context<'a>,
    template: usize,
    rule: usize,
) -> Option<(&'c Shown<'a>, String)> {
    let mark = Mark::Strip(u16::try_from(rule).ok()?);
    context.carried(template).find_map(|(shown, _)| {
        let page = &shown.sample.page;
        let body = page.body()?;
        let mut text = String::new();
        for n in page.content_texts(body) {
            if shown.marks[n.index()] == mark && text.len() < 4 * EXAMPLE_CHARS {
                text.push_str(page.text(n));
                text.push(' ');
            }
        }
        let text = fold(&text);
        (!text.is_empty()).then_some((shown, text))
    })
}
