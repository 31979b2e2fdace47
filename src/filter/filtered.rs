//! A filtered page.

use super::counts::{FilterCount, PageCounts};
use super::edit::{NodeEdit, PageEdit};
use super::engine::FilterEngine;
use super::write::PageSide;
use super::{plain_text, write};
use crate::page::links::Base;
use crate::page::{Mask, NodeId, Page, Source};
use std::collections::BTreeMap;
use std::fmt;

/// Times that written HTML is parsed and filtered again, at the most.
const MAX_ROUNDS: usize = 4;

/// The style of what goes.
const MARKS: &str = "<style>[data-forest-gone]{outline:3px solid #c00!important;\
    outline-offset:-3px;opacity:.45!important}</style>";

/// A text link that a filter took away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedLink {
    /// The `a` element.
    pub node: NodeId,
    /// Its address, as the page has it.
    pub href: String,
    /// Its text, white space folded.
    pub text: String,
}

/// Something that a user should know of a filtered page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterWarning {
    /// The filters would have taken nearly all words: only scripts, advertisements and the
    /// like were removed.
    Portal,
    /// The HTML would be more than four times as long as the page: its end was left out.
    Cut,
    /// The page has markup that is read otherwise each time it is written: its text was
    /// written in the place of it.
    TextOnly,
}

impl fmt::Display for FilterWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FilterWarning::Portal => {
                "this page has links and little else: its text and its images stay as they are \
                 (`portal_share` in the settings)"
            }
            FilterWarning::Cut => {
                "the page would be more than four times as long as it was: its end was left out"
            }
            FilterWarning::TextOnly => {
                "the page has markup that reads otherwise each time it is written: only its text \
                 was written"
            }
        })
    }
}

/// HTML of a filtered page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilteredHtml {
    /// The document, in UTF-8.
    pub text: String,
    /// The warnings of the page, and those of its writing.
    pub warnings: Vec<FilterWarning>,
}

/// A filtered page: a mask, edits, and links to append. See the stage's page.
#[derive(Debug, Clone)]
pub struct Filtered<'p> {
    page: &'p Page,
    kept: Mask,
    edits: BTreeMap<NodeId, NodeEdit>,
    links: Vec<RemovedLink>,
    counts: Vec<FilterCount>,
    warning: Option<FilterWarning>,
    engine: FilterEngine,
}

impl<'p> Filtered<'p> {
    pub(super) fn new(
        edit: PageEdit<'p>,
        counts: Vec<FilterCount>,
        warning: Option<FilterWarning>,
        engine: FilterEngine,
    ) -> Filtered<'p> {
        let page = edit.page();
        let mut links = edit.links;
        links.sort_by_key(|link| link.node);
        Filtered {
            page,
            kept: edit.kept,
            edits: edit.edits,
            links,
            counts,
            warning,
            engine,
        }
    }

    /// The page as it was.
    pub fn page(&self) -> &'p Page {
        self.page
    }

    /// The nodes that stay.
    pub fn kept(&self) -> &Mask {
        &self.kept
    }

    /// The edits of nodes that stay, in document order.
    pub fn edits(&self) -> &BTreeMap<NodeId, NodeEdit> {
        &self.edits
    }

    /// The text links that were taken away, in document order. The writers append them.
    pub fn removed_links(&self) -> &[RemovedLink] {
        &self.links
    }

    /// What each filter changed, in the order of the filters; filters without a change are
    /// left out.
    pub fn changes(&self) -> &[FilterCount] {
        &self.counts
    }

    /// Words, links and images of the page as it was.
    pub fn before(&self) -> PageCounts {
        PageCounts::of(self.page)
    }

    /// Words, links and images that stay; those of the list at the end are not among them.
    pub fn after(&self) -> PageCounts {
        PageCounts::left(self.page, &self.kept, &self.edits)
    }

    /// The warnings so far; [`html`](Self::html) may have more.
    pub fn warnings(&self) -> Vec<FilterWarning> {
        self.warning.into_iter().collect()
    }

    /// The page as an HTML document, with its layout.
    ///
    /// What a browser makes of the document is what was filtered: it is parsed and filtered
    /// again until it stays the same.
    pub fn html(&self) -> FilteredHtml {
        let mut warnings = self.warnings();
        let mut written = write::html(self);
        if written.cut {
            warnings.push(FilterWarning::Cut);
        }
        for _ in 0..MAX_ROUNDS {
            let page = self.parse_written(&written.text);
            let again = write::html(&self.engine.filter(&page));
            if again.text == written.text {
                let text = written.text;
                return FilteredHtml { text, warnings };
            }
            written = again;
        }
        warnings.push(FilterWarning::TextOnly);
        let text = write::text_only(&self.text());
        FilteredHtml { text, warnings }
    }

    /// The page as an HTML document, written once: its filters can find something in it when
    /// it is parsed again, and markup that reads otherwise each time it is written stays.
    /// For those who cannot wait, in a place where the page itself could stand.
    pub(crate) fn html_once(&self) -> FilteredHtml {
        let mut warnings = self.warnings();
        let written = write::html(self);
        if written.cut {
            warnings.push(FilterWarning::Cut);
        }
        let text = written.text;
        FilteredHtml { text, warnings }
    }

    /// One side of the page as an HTML document, to show it in a frame of another page:
    /// with the base of its addresses, and the elements that go outlined. It holds the
    /// page's own scripts; the frame must not run them.
    pub(crate) fn frame(&self, side: PageSide) -> String {
        let mut head = String::new();
        if let Some(base) = Base::of(self.page).url() {
            head.push_str("<base ");
            write::attribute("href", base.as_str(), &mut head);
            head.push('>');
        }
        if side == PageSide::Before {
            head.push_str(MARKS);
        }
        write::side(self, side, &head).text
    }

    /// The text: all tags out, most white space out, a line a block. The links that were
    /// taken away follow, a line each.
    pub fn text(&self) -> String {
        plain_text::text(self)
    }

    /// The filtered page as a page, as its HTML reads.
    pub fn reparsed(&self) -> Page {
        self.parse_written(&self.html().text)
    }

    fn parse_written(&self, html: &str) -> Page {
        let source = Source {
            url: self.page.url(),
            content_type: Some("text/html; charset=utf-8"),
        };
        self.engine.parse(html.as_bytes(), source)
    }
}
