//! The layouts of a site: the reasons for their elements and for their strip rules.

use super::context::{Context, ReportPage};
use super::marks::NodeMark;
use super::markup::{HtmlTable, cut, expression, or_dash};
use super::reasons::{
    StripTotals, expected, is_of_forest, known_by, number, relevant, stripped, words_of,
};
use crate::learn::Method;
use crate::wrapper::{Evidence, StripEvidence, Template};
use forest_html::error::counted;
use forest_html::text::fold;
use maud::{Markup, html};

/// Characters of a strip rule's example that are shown.
const EXAMPLE_CHARS: usize = 140;

/// Pages that are named one by one.
const MAX_PAGES: usize = 60;

/// The section.
pub(super) fn section(context: &Context<'_>) -> Markup {
    let wrapper = &context.learned.wrapper;
    let uncarried = context.pages.iter().filter(|page| page.trace.is_none());
    let uncarried: Vec<&ReportPage<'_>> = uncarried.collect();
    let paging = [
        ("Next page", &wrapper.next_page),
        ("Whole article on one page", &wrapper.single_page),
    ];
    html! {
        section id="templates" {
            h2 { "Templates" }
            @if wrapper.templates.len() > 1 {
                p.soft {
                    "They are tried in this order; a page belongs to the first that selects text on it."
                }
            }
            @for (t, template) in wrapper.templates.iter().enumerate() {
                (card(context, t, template))
            }
            @if !uncarried.is_empty() {
                p.warn {
                    "No template selects text on " (counted(uncarried.len(), "page", "pages")) ": "
                    (links(&uncarried)) ". Such pages fall back to the one-page extractor."
                }
            }
            @for (name, xpath) in paging {
                @if let Some(xpath) = xpath { p { (name) ": " (expression(xpath)) } }
            }
        }
    }
}

fn card(context: &Context<'_>, t: usize, template: &Template) -> Markup {
    let carried: Vec<&ReportPage<'_>> = context.carried(t).map(|(page, _)| page).collect();
    let good = counted(context.pages.len(), "good page", "good pages");
    html! {
        div.card id={ "t" (t + 1) } {
            h3 { "Template " (t + 1) " " span.badge { (carried.len()) " of " (good) } }
            @for body in &template.body { p.lead { (expression(body)) } }
            @if let Some(audience) = &template.audience {
                p.small.soft {
                    "For pages that have at least half of: "
                    @for (i, pattern) in audience.patterns.iter().enumerate() {
                        @if i > 0 { ", " }
                        code { (cut(pattern, 80)) }
                    }
                }
            }
            @if !carried.is_empty() {
                p.small.soft {
                    "Carries " (counted(carried.len(), "page", "pages")) ": " (links(&carried))
                }
            }
            @if let Some(evidence) = &template.evidence {
                @if is_of_forest(evidence) {
                    (why_forest(context, t, template, evidence))
                } @else {
                    (why_pattern(context, context.learned.induction.method()))
                }
            }
            (strips(context, t, template))
        }
    }
}

/// `1 2 3`, each a link to the page.
fn links(pages: &[&ReportPage<'_>]) -> Markup {
    html! {
        @for (i, page) in pages.iter().take(MAX_PAGES).enumerate() {
            @if i > 0 { " " }
            (page.link())
        }
        @if pages.len() > MAX_PAGES { " and " (pages.len() - MAX_PAGES) " more" }
    }
}

/// The reasons of `forest` for this body: the F1 to expect, less the cost of strip rules
/// and of names that are not likely to live long.
fn why_forest(context: &Context<'_>, t: usize, template: &Template, evidence: &Evidence) -> Markup {
    let totals = StripTotals::of(context, t);
    let pattern = evidence.rank.zip(evidence.j.zip(evidence.u));
    html! {
        p.why { (expected(evidence)) " " (stripped(template, &totals)) }
        @if let Some(second) = &evidence.runner_up {
            @let words = words_of(context, t, &second.xpath);
            @let second = (std::slice::from_ref(&second.xpath), second.expected_f1(), words);
            @let words = totals.whole.checked_div(totals.pages);
            (runner_up((&template.body, evidence.expected_f1(), words), second))
        }
        @if let Some((rank, (j, u))) = pattern {
            p.small.soft {
                "Its structural pattern is number " (rank) " by relevance: mean J " (number(j))
                ", mean U " (number(u)) " nats."
            }
        }
    }
}

/// A body, the F1 to expect of it, and its words a page.
type BodyCandidate<'a> = (&'a [String], Option<f64>, Option<usize>);

/// The winner beside the runner-up.
fn runner_up(first: BodyCandidate<'_>, second: BodyCandidate<'_>) -> HtmlTable {
    let heads = [
        ("", "key"),
        ("Body", ""),
        ("Known by", ""),
        ("F1 to expect", "n"),
        ("Words a page, unstripped", "n"),
    ];
    let mut table = HtmlTable::new(&heads, usize::MAX);
    for (class, name, (body, f1, words)) in [("won", "Winner", first), ("", "Runner-up", second)] {
        let expressions = html! {
            @for (i, body) in body.iter().enumerate() {
                @if i > 0 { " " }
                (expression(body))
            }
        };
        let f1 = format!("{:.3}", f1.unwrap_or_default());
        table.row(
            class,
            &[&name, &expressions, &known_by(body), &f1, &or_dash(words)],
        );
    }
    table
}

/// The factors of the most relevant pattern beside those of the second.
fn why_pattern(context: &Context<'_>, method: Method) -> Markup {
    let induction = &context.learned.induction;
    let ranked = induction.ranked();
    let Some(first) = ranked.first() else {
        return Markup::default();
    };
    let second = ranked.get(1).filter(|second| second.relevance > 0.0);
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
    let mut table = HtmlTable::new(&heads, usize::MAX);
    for (name, class, ranked) in [("Winner", "won", Some(first)), ("Runner-up", "", second)] {
        let Some(ranked) = ranked else { continue };
        let sum: f64 = ranked.chosen.iter().map(|c| c.value).sum();
        table.row(
            class,
            &[
                &name,
                &expression(&induction.expression(ranked)),
                &number(sum),
                &ranked.pages(),
                &ranked.pattern.level,
                &number(ranked.relevance),
            ],
        );
    }
    html! { p.why { (relevant(first, second)) } (table) }
}

fn strips(context: &Context<'_>, t: usize, template: &Template) -> Markup {
    if template.strip.is_empty() {
        return Markup::default();
    }
    let heads = [
        ("Rule", "n"),
        ("Takes away", ""),
        ("Pages", "n"),
        ("Words", "n"),
        ("Why", "key"),
    ];
    let mut table = HtmlTable::new(&heads, usize::MAX);
    for (rule, strip) in template.strip.iter().enumerate() {
        let rule_text = html! {
            (expression(&strip.xpath))
            @if let Some((page, text)) = example(context, t, rule) {
                br;
                span.small.soft {
                    "On page " (page.link()) ": " q dir="auto" { (cut(&text, EXAMPLE_CHARS)) }
                }
            }
        };
        let known = evidence_of(template, rule);
        let why = known.map_or_else(|| "–".to_owned(), |known| known.why.to_string());
        table.row(
            "",
            &[
                &(rule + 1),
                &rule_text,
                &or_dash(known.map(|known| known.pages)),
                &or_dash(known.map(|known| known.words)),
                &why,
            ],
        );
    }
    html! {
        h4 { "Strip rules" }
        p.small.soft {
            "What two rules take away counts for the first. A rule " i { "repeats" }
            " where most of its words stand letter by letter on several pages, takes " i { "links" }
            " where most stand in links, and is " i { "unlike the article" }
            " where the one-page extractor says so."
        }
        (table)
    }
}

/// The evidence of a strip rule.
pub(super) fn evidence_of(template: &Template, rule: usize) -> Option<&StripEvidence> {
    let known = template.evidence.as_ref()?.strips.get(rule)?;
    (template.strip.get(rule)?.xpath == known.xpath).then_some(known)
}

/// The text that a rule takes away from the first page on which it takes any.
pub(super) fn example<'c, 'a>(
    context: &'c Context<'a>,
    template: usize,
    rule: usize,
) -> Option<(&'c ReportPage<'a>, String)> {
    let mark = NodeMark::Strip(u16::try_from(rule).ok()?);
    context.carried(template).find_map(|(shown, _)| {
        let page = shown.page();
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
