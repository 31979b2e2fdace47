//! What the fields of the pages came out as, beside what the feed says.

use super::markup::{Table, cut, expression};
use super::{Context, Shown};
use crate::error::counted;
use crate::extract::Article;
use crate::learn::SamplePage;
use crate::learn::fields::{Agreement, Field, agreement};
use crate::wrapper::{Support, Template, WrapperField as Key};
use std::fmt::Write;

/// Pages of which a field is shown.
const MAX_PAGES: usize = 40;

/// Characters of a value that are shown.
const MAX_VALUE_CHARS: usize = 160;

/// The section.
pub(super) fn section(context: &Context<'_>, out: &mut String) {
    out.push_str(
        "<section id=\"fields\">\n<h2>Fields</h2>\n<p class=\"soft\">A field is read by the first \
         expression that gives something, else from the page’s metadata (JSON-LD, OpenGraph, \
         <code>meta</code>, <code>title</code>).</p>\n",
    );
    let samples: Vec<&SamplePage> = context.pages.iter().map(|page| page.sample).collect();
    let found = |at: usize, field| {
        let article = &context.pages[at].article;
        values(article, field)
    };
    let agreements = agreement(&samples, found);
    for (of_field, field) in Field::ALL.into_iter().enumerate() {
        let agrees: Vec<Option<Agreement>> = agreements.iter().map(|all| all[of_field]).collect();
        card(context, field, &agrees, out);
    }
    out.push_str("</section>\n");
}

fn card(context: &Context<'_>, field: Field, agrees: &[Option<Agreement>], out: &mut String) {
    let by_feed = agrees.iter().flatten().filter(|a| a.by_feed);
    let differ = by_feed.clone().filter(|a| !a.agrees).count();
    let verdict = match (by_feed.count(), differ) {
        (0, _) => "<span class=\"badge\">the feed says nothing</span>".to_owned(),
        (n, 0) => format!("<span class=\"badge yes\">✓ as the feed says on {n} of {n}</span>"),
        (n, differ) => {
            format!("<span class=\"badge no\">✗ differs from the feed on {differ} of {n}</span>")
        }
    };
    let _ = writeln!(
        out,
        "<div class=\"card\">\n<h3>{} {verdict}</h3>",
        heading(field)
    );
    expressions(context, field, out);
    if let Some(support) = support(context, field) {
        let _ = writeln!(
            out,
            "<p class=\"small soft\">While learning: right on {} of {} of which the {} says what is \
             right; the metadata alone on {}.</p>",
            support.right,
            counted(support.pages, "page", "pages"),
            cut(&support.source, 20),
            support.metadata
        );
    }
    let is_known = |page: &Shown<'_>| {
        !values(&page.article, field).is_empty() || !said(page.sample, field).is_empty()
    };
    if !context.pages.iter().any(is_known) {
        out.push_str("<p class=\"small soft\">Nothing is known of it on any page.</p>\n</div>\n");
        return;
    }
    let heads = [
        ("Page", "n"),
        ("Extracted", ""),
        ("From", "key"),
        ("Feed", ""),
        ("Verdict", "key"),
    ];
    let mut table = Table::new(&heads, MAX_PAGES);
    for (page, agrees) in context.pages.iter().zip(agrees) {
        row(page, field, *agrees, &mut table);
    }
    let _ = writeln!(
        out,
        "<details{}><summary>Values on {}</summary>\n{}</details>\n</div>",
        if differ > 0 { " open" } else { "" },
        counted(context.pages.len(), "page", "pages"),
        table.finish()
    );
}

fn row(page: &Shown<'_>, field: Field, agrees: Option<Agreement>, table: &mut Table) {
    let extracted = values(&page.article, field).join(", ");
    let by_expression = page.fields.iter().any(|(key, _)| *key == key_of(field));
    let from = match (by_expression, extracted.is_empty()) {
        (_, true) => "–",
        (true, _) => "expression",
        (false, _) => "metadata",
    };
    let said = said(page.sample, field);
    let verdict = match agrees {
        Some(Agreement {
            by_feed: true,
            agrees: true,
        }) => "<span class=\"yes\">✓ agrees</span>",
        Some(Agreement {
            by_feed: true,
            agrees: false,
        }) => "<span class=\"no\">✗ differs</span>",
        _ => "–",
    };
    table.row(
        "",
        &[
            &page.link(),
            &value(&extracted),
            &from,
            &value(&said),
            &verdict,
        ],
    );
}

fn value(text: &str) -> String {
    match text {
        "" => "–".to_owned(),
        _ => format!("<span dir=\"auto\">{}</span>", cut(text, MAX_VALUE_CHARS)),
    }
}

fn heading(field: Field) -> &'static str {
    match field {
        Field::Title => "Title",
        Field::Author => "Authors",
        Field::Date => "Date",
        Field::Tags => "Tags",
    }
}

fn key_of(field: Field) -> Key {
    match field {
        Field::Title => Key::Title,
        Field::Author => Key::Author,
        Field::Date => Key::Date,
        Field::Tags => Key::Tags,
    }
}

/// What an article has of a field.
fn values(article: &Article, field: Field) -> Vec<String> {
    match field {
        Field::Title => article.title.iter().cloned().collect(),
        Field::Author => article.authors.clone(),
        Field::Date => {
            let date = article.date_published.as_ref();
            date.or(article.date_published_raw.as_ref())
                .into_iter()
                .cloned()
                .collect()
        }
        Field::Tags => article.tags.clone(),
    }
}

/// What the feed says of it.
fn said(sample: &SamplePage, field: Field) -> String {
    let Some(item) = &sample.item else {
        return String::new();
    };
    match field {
        Field::Title => item.title.clone(),
        Field::Author => item.authors.join(", "),
        Field::Date => item.date().map(ToString::to_string).unwrap_or_default(),
        Field::Tags => item.categories.join(", "),
    }
}

fn support<'a>(context: &'a Context<'_>, field: Field) -> Option<&'a Support> {
    let evidence = context
        .learned
        .wrapper
        .templates
        .iter()
        .find_map(|t| t.evidence.as_ref());
    evidence?.fields.get(field.name())
}

/// The expressions with the templates that have them.
fn expressions(context: &Context<'_>, field: Field, out: &mut String) {
    let templates = &context.learned.wrapper.templates;
    let all: Vec<Vec<(&str, Option<&str>)>> = templates.iter().map(|t| of(t, field)).collect();
    let mut shown: Vec<&Vec<(&str, Option<&str>)>> = Vec::new();
    for own in &all {
        if shown.contains(&own) {
            continue;
        }
        shown.push(own);
        let with = all.iter().enumerate().filter(|(_, other)| *other == own);
        let with: Vec<String> = with.map(|(t, _)| (t + 1).to_string()).collect();
        if with.len() < all.len() {
            let _ = writeln!(
                out,
                "<p class=\"small soft\">Template {}:</p>",
                with.join(", ")
            );
        }
        if own.is_empty() {
            out.push_str("<p>No expression is right more often than the metadata.</p>\n");
        }
        for (xpath, format) in own {
            let _ = write!(out, "<p>{}", expression(xpath));
            if let Some(format) = format {
                let _ = write!(out, " read as <code>{}</code>", cut(format, 60));
            }
            out.push_str("</p>\n");
        }
    }
}

/// A field's expressions, with the format of dates.
fn of(template: &Template, field: Field) -> Vec<(&str, Option<&str>)> {
    let texts = match field {
        Field::Title => &template.title,
        Field::Author => &template.author,
        Field::Tags => &template.tags,
        Field::Date => {
            let dates = template.date.iter();
            return dates
                .map(|date| (&*date.xpath, date.format.as_deref()))
                .collect();
        }
    };
    texts.iter().map(|xpath| (&**xpath, None)).collect()
}
