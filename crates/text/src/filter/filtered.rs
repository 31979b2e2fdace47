//! A filtered page.

use super::counts::{FilterCount, PageSize};
use super::engine::FilterEngine;
use super::tree::{FilteredTree, NodeEdit, RemovedLink};
use super::walk::FilterRun;
use super::warning::FilterWarning;
use super::write::PageSide;
use super::{plain_text, write};
use forest_html::page::links::Base;
use forest_html::page::view::View;
use forest_html::page::{Mask, NodeId, Page, Source};
use std::collections::BTreeMap;

/// Times that written HTML is parsed and filtered again, at the most.
const MAX_ROUNDS: usize = 4;

/// The style of what goes.
const MARKS: &str = "<style>[data-forest-gone]{outline:3px solid #c00!important;\
    outline-offset:-3px;opacity:.45!important}</style>";

/// A filtered page as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilteredDocument {
    /// The document, in UTF-8.
    pub text: String,
    /// The warnings of the page, and those of its writing.
    pub warnings: Vec<FilterWarning>,
}

/// A filtered page: a mask, edits, and links to append. See the stage's page.
#[derive(Debug, Clone)]
pub struct Filtered<'p> {
    tree: FilteredTree<'p>,
    counts: Vec<FilterCount>,
    warning: Option<FilterWarning>,
    engine: FilterEngine,
}

impl FilterEngine {
    /// Filters a page.
    pub fn filter<'p>(&self, page: &'p Page) -> Filtered<'p> {
        let (run, warning) = self.run_on(&View::whole(page));
        self.finish(run, warning)
    }

    /// Filters a page that was written: by all filters if they promise to change nothing, else
    /// by those of portals, which keep it safe.
    fn filter_written<'p>(&self, page: &'p Page) -> Filtered<'p> {
        if self.promises_fixed_point() {
            return self.filter(page);
        }
        self.finish(self.run_as_portal(&View::whole(page)), None)
    }

    fn finish<'p>(&self, run: FilterRun<'p>, warning: Option<FilterWarning>) -> Filtered<'p> {
        Filtered {
            counts: self.counts(&run),
            tree: run.edit.into_tree(),
            warning,
            engine: self.clone(),
        }
    }
}

impl<'p> Filtered<'p> {
    /// The page as it was.
    pub fn page(&self) -> &'p Page {
        self.tree.page
    }

    /// The nodes that stay.
    pub fn kept(&self) -> &Mask {
        &self.tree.kept
    }

    /// The edits of nodes that stay, in document order.
    pub fn edits(&self) -> &BTreeMap<NodeId, NodeEdit> {
        self.tree.edits.all()
    }

    /// The text links that were taken away, in document order. The writers append them.
    pub fn removed_links(&self) -> &[RemovedLink] {
        &self.tree.links
    }

    /// The changes of each filter, in the order of the filters; filters without a change are
    /// left out.
    pub fn changes(&self) -> &[FilterCount] {
        &self.counts
    }

    /// Words, links and images of the page as it was.
    pub fn before(&self) -> PageSize {
        PageSize::of_page(self.tree.page)
    }

    /// Words, links and images that stay; those of the list at the end are not among them.
    pub fn after(&self) -> PageSize {
        PageSize::of(&self.tree)
    }

    /// The warnings so far; [`html`](Self::html) may have more.
    pub fn warnings(&self) -> Vec<FilterWarning> {
        self.warning.into_iter().collect()
    }

    /// The page as an HTML document, with its layout.
    ///
    /// A browser makes of the document the tree that was filtered: it is parsed and filtered
    /// again until it stays the same.
    pub fn html(&self) -> FilteredDocument {
        let mut warnings = self.warnings();
        let mut written = write::html(&self.tree);
        if written.cut {
            warnings.push(FilterWarning::Cut);
        }
        for _ in 0..MAX_ROUNDS {
            let page = self.parse_written(&written.text);
            let again = write::html(&self.engine.filter_written(&page).tree);
            if again.text == written.text {
                let text = written.text;
                return FilteredDocument { text, warnings };
            }
            written = again;
        }
        warnings.push(FilterWarning::TextOnly);
        let text = write::text_only(&self.text());
        FilteredDocument { text, warnings }
    }

    /// One side of the page as an HTML document, to show it in a frame of another page:
    /// with the base of its addresses, and the elements that go outlined. It holds the
    /// page's own scripts; the frame must not run them.
    pub fn frame(&self, side: PageSide) -> String {
        let mut head = String::new();
        if let Some(base) = Base::of(self.tree.page).url() {
            head.push_str("<base ");
            write::attribute("href", base.as_str(), &mut head);
            head.push('>');
        }
        if side == PageSide::Before {
            head.push_str(MARKS);
        }
        write::side(&self.tree, side, &head).text
    }

    /// The page as it is left as an HTML document, each element from the one element of the
    /// page, with `head` at the beginning of its head.
    pub fn document(&self, head: &str) -> String {
        write::side(&self.tree, PageSide::After, head).text
    }

    /// The text: all tags out, most white space out, a line a block. The links that were
    /// taken away follow, a line each.
    pub fn text(&self) -> String {
        plain_text::text(&self.tree)
    }

    /// The filtered page as a page, as its HTML reads.
    pub fn reparsed(&self) -> Page {
        self.parse_written(&self.html().text)
    }

    fn parse_written(&self, html: &str) -> Page {
        let source = Source {
            url: self.tree.page.url(),
            content_type: Some("text/html; charset=utf-8"),
        };
        self.engine.parse(html.as_bytes(), source)
    }
}
