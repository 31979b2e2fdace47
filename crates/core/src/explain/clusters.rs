//! The clusters of a site's pages, and what became of each.

use super::markup::{HtmlTable, cut};
use crate::learn::ClusterReport;
use forest_html::error::counted;
use maud::{Markup, html};

/// The section.
pub(super) fn section(report: &ClusterReport) -> Markup {
    let heads = [
        ("Cluster", "n"),
        ("Pages", "n"),
        ("Kind", "key"),
        ("Templates", ""),
    ];
    let mut table = HtmlTable::new(&heads, usize::MAX);
    for (number, cluster) in (1..).zip(&report.clusters) {
        let taught = match &cluster.left_out {
            Some(why) => html! { span.no { (cut(&why.to_string(), 300)) } },
            None => html! {
                @for (i, template) in cluster.templates.iter().enumerate() {
                    @if i > 0 { " " }
                    a href={ "#t" (template + 1) } { (template + 1) }
                }
            },
        };
        let kind = cluster.kind.name();
        table.row("", &[&number, &cluster.pages, &kind, &taught]);
    }
    html! {
        section id="clusters" {
            h2 { "Clusters" }
            p.soft {
                "Pages that are made alike, by their structural patterns and addresses."
                @if report.unfit > 0 {
                    " " (counted(report.unfit, "page fits", "pages fit")) " none."
                }
            }
            div.card { (table) }
        }
    }
}
