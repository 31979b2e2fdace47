//! The fields of the pages beside their values in the feed.

use super::context::{Context, ReportPage};
use super::markup::{HtmlTable, cut, expression};
use crate::extract::Article;
use crate::learn::SamplePage;
use crate::learn::fields::{Agreement, ArticleField, agreement};
use crate::wrapper::{Support, Template, WrapperField as Key};
use forest_html::error::counted;
use maud::{Markup, html};

/// Pages of which a field is shown.
const MAX_PAGES: usize = 40;

/// Characters of a value that are shown.
const MAX_VALUE_CHARS: usize = 160;

/// The section.
pub(super) fn section(context: &Context<'_>) -> Markup {
    let samples: Vec<&SamplePage> = context.pages.iter().map(|page| page.sample).collect();
    let found = |at: usize, field| values(&context.pages[at].article, field);
    let agreements = agreement(&samples, found);
    let of_field = |at: usize| agreements.iter().map(|all| all[at]).collect::<Vec<_>>();
    html! {
        section id="fields" {
            h2 { "Fields" }
            p.soft {
                "A field is read by the first expression that gives something, else from the page’s \
                 metadata (JSON-LD, OpenGraph, " code { "meta" } ", " code { "title" } ")."
            }
            @for (at, field) in ArticleField::ALL.into_iter().enumerate() {
                (card(context, field, &of_field(at)))
            }
        }
    }
}

fn card(context: &Context<'_>, field: ArticleField, agrees: &[Option<Agreement>]) -> Markup {
    let by_feed = agrees.iter().flatten().filter(|a| a.by_feed);
    let differ = by_feed.clone().filter(|a| !a.agrees).count();
    let verdict = match (by_feed.count(), differ) {
        (0, _) => html! { span.badge { "the feed says nothing" } },
        (n, 0) => html! { span.badge.yes { "✓ as the feed says on " (n) " of " (n) } },
        (n, differ) => {
            html! { span.badge.no { "✗ differs from the feed on " (differ) " of " (n) } }
        }
    };
    let is_known = |page: &ReportPage<'_>| {
        !values(&page.article, field).is_empty() || !feed_value(page.sample, field).is_empty()
    };
    let mut table = HtmlTable::new(
        &[
            ("Page", "n"),
            ("Extracted", ""),
            ("From", "key"),
            ("Feed", ""),
            ("Verdict", "key"),
        ],
        MAX_PAGES,
    );
    for (page, agrees) in context.pages.iter().zip(agrees) {
        row(page, field, *agrees, &mut table);
    }
    html! {
        div.card {
            h3 { (heading(field)) " " (verdict) }
            (expressions(context, field))
            @if let Some(support) = support(context, field) {
                p.small.soft {
                    "While learning: right on " (support.right) " of "
                    (counted(support.pages, "page", "pages")) " of which the "
                    (cut(&support.source, 20)) " says what is right; the metadata alone on "
                    (support.metadata) "."
                }
            }
            @if context.pages.iter().any(is_known) {
                details open[differ > 0] {
                    summary { "Values on " (counted(context.pages.len(), "page", "pages")) }
                    (table)
                }
            } @else {
                p.small.soft { "Nothing is known of it on any page." }
            }
        }
    }
}

fn row(
    page: &ReportPage<'_>,
    field: ArticleField,
    agrees: Option<Agreement>,
    table: &mut HtmlTable,
) {
    let extracted = values(&page.article, field).join(", ");
    let by_expression = page.fields.iter().any(|(key, _)| *key == key_of(field));
    let from = match (by_expression, extracted.is_empty()) {
        (_, true) => "–",
        (true, _) => "expression",
        (false, _) => "metadata",
    };
    let of_feed = feed_value(page.sample, field);
    let verdict = match agrees.filter(|agreement| agreement.by_feed) {
        None => html! { "–" },
        Some(Agreement { agrees: true, .. }) => html! { span.yes { "✓ agrees" } },
        Some(_) => html! { span.no { "✗ differs" } },
    };
    let (extracted, of_feed) = (value(&extracted), value(&of_feed));
    table.row("", &[&page.link(), &extracted, &from, &of_feed, &verdict]);
}

fn value(text: &str) -> Markup {
    match text {
        "" => html! { "–" },
        _ => html! { span dir="auto" { (cut(text, MAX_VALUE_CHARS)) } },
    }
}

fn heading(field: ArticleField) -> &'static str {
    match field {
        ArticleField::Title => "Title",
        ArticleField::Author => "Authors",
        ArticleField::Date => "Date",
        ArticleField::Tags => "Tags",
    }
}

fn key_of(field: ArticleField) -> Key {
    match field {
        ArticleField::Title => Key::Title,
        ArticleField::Author => Key::Author,
        ArticleField::Date => Key::Date,
        ArticleField::Tags => Key::Tags,
    }
}

/// The values of a field of an article.
fn values(article: &Article, field: ArticleField) -> Vec<String> {
    match field {
        ArticleField::Title => article.title.iter().cloned().collect(),
        ArticleField::Author => article.authors.clone(),
        ArticleField::Date => {
            let date = article.date_published.as_ref();
            date.or(article.date_published_raw.as_ref())
                .into_iter()
                .cloned()
                .collect()
        }
        ArticleField::Tags => article.tags.clone(),
    }
}

/// The value of a field in the feed.
fn feed_value(sample: &SamplePage, field: ArticleField) -> String {
    let Some(item) = &sample.item else {
        return String::new();
    };
    match field {
        ArticleField::Title => item.title.clone(),
        ArticleField::Author => item.authors.join(", "),
        ArticleField::Date => item.date().map(ToString::to_string).unwrap_or_default(),
        ArticleField::Tags => item.categories.join(", "),
    }
}

fn support<'a>(context: &'a Context<'_>, field: ArticleField) -> Option<&'a Support> {
    let evidence = context
        .learned
        .wrapper
        .templates
        .iter()
        .find_map(|t| t.evidence.as_ref());
    evidence?.fields.get(field.name())
}

/// The expressions with the templates that have them.
fn expressions(context: &Context<'_>, field: ArticleField) -> Markup {
    let templates = &context.learned.wrapper.templates;
    let all: Vec<Vec<(&str, Option<&str>)>> = templates.iter().map(|t| of(t, field)).collect();
    let is_first = |t: usize| !all[..t].contains(&all[t]);
    let with_same = |t: usize| -> Vec<String> {
        let same = all
            .iter()
            .enumerate()
            .filter(|(_, other)| **other == all[t]);
        same.map(|(t, _)| (t + 1).to_string()).collect()
    };
    html! {
        @for (t, own) in all.iter().enumerate().filter(|(t, _)| is_first(*t)) {
            @let with = with_same(t);
            @if with.len() < all.len() { p.small.soft { "Template " (with.join(", ")) ":" } }
            @if own.is_empty() {
                p { "No expression is right more often than the metadata." }
            }
            @for (xpath, format) in own {
                p {
                    (expression(xpath))
                    @if let Some(format) = format { " read as " code { (cut(format, 60)) } }
                }
            }
        }
    }
}

/// A field's expressions, with the format of dates.
fn of(template: &Template, field: ArticleField) -> Vec<(&str, Option<&str>)> {
    let texts = match field {
        ArticleField::Title => &template.title,
        ArticleField::Author => &template.author,
        ArticleField::Tags => &template.tags,
        ArticleField::Date => {
            let dates = template.date.iter();
            return dates
                .map(|date| (&*date.xpath, date.format.as_deref()))
                .collect();
        }
    };
    texts.iter().map(|xpath| (&**xpath, None)).collect()
}
