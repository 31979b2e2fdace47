//! The page without its clutter, with its look and feel: Crunch. Gupta, Kaiser, Neistadt &
//! Grimm 2003, "DOM-based Content Extraction of HTML Documents".
//!
//! Takes a [`Page`] and [`FilterSettings`]; gives a [`Filtered`] page: the nodes that stay,
//! the edits of some of them, and the links to append. It is written as HTML, as text, or as
//! XHTML by [`prose::xhtml`](crate::prose::xhtml::xhtml()) of [`Filtered::reparsed`].
//!
//! - `settings`: [`FilterSettings`] and [`Profile`], settings with a name.
//! - `engine`: [`FilterEngine`], the filters that are on; portals. `walk`: the walk over a page;
//!   `table`: which filters it calls where.
//! - `edit`: [`PageEdit`], a page while it is filtered; `contents`: what stands in an element.
//! - `filters`: the filters. [`PageFilter`] is what each is; [`FilterEngine::with_filter`]
//!   adds another.
//! - `ads`: [`AdList`], the servers of advertisements; `ad_rules`, `hide`: rules of EasyList's
//!   syntax, and selectors of elements that are hidden (feature `adblock`).
//! - `filtered`, `tree`, `warning`: the result; `write`, `plain_text`: its writers.
//! - `counts`: words, links and images before and after.
//!
//! **The walk** (4.2). `filterNode` goes depth first from `html`. At each element come first
//! the filters that *edit* it, in the order of [`FilterEngine::filters`], then those that
//! *delete*; one may stop the descent. At each text come the text filters. When the walk
//! leaves an element, with all in it filtered, come those that judge it by what is left in
//! it, bottom-up (empty tables). With the filters of the stage one walk is enough: a second
//! would change nothing (see `engine`). Other filters are repeated until they change nothing.
//!
//! **Departures**, each with its reason; their measured effect is in `docs/crunch.md`.
//!
//! - A second filtering finds nothing: cells are judged for link lists on the way down, as
//!   published, and again on the way up, by what is left in them.
//! - `iframe` is a frame, `object` and `applet` are `embed`; they are younger or alike.
//! - A page that would lose nearly all its words keeps its text, with
//!   [`FilterWarning::Portal`]; scripts, advertisements and the like still go. The paper
//!   loses such pages (figure 12).
//! - Settings of ours mend what the paper tells as weaknesses: see [`FilterSettings`].
//!
//! Linear in the page but for the sets of a few edited nodes; no recursion.
//!
//! ```
//! use forest_text::filter::{FilterSettings, filter};
//! use forest_html::page::Page;
//!
//! let page = Page::from_html(
//!     "<table><tr><td><a href=/>Home</a> <a href=/news>News</a>\
//!      <td><p>The ferry leaves an hour later from Monday.</table><script>x()</script>",
//! );
//! let filtered = filter(&page, &FilterSettings::default());
//! assert_eq!(filtered.text(), "The ferry leaves an hour later from Monday.\nHome\nNews\n");
//! assert!(!filtered.html().text.contains("script"));
//! assert_eq!(filtered.removed_links().len(), 2);
//! ```

#[cfg(feature = "adblock")]
mod ad_rules;
mod ads;
mod contents;
mod counts;
mod edit;
mod engine;
mod filtered;
mod filters;
#[cfg(feature = "adblock")]
mod hide;
mod names;
mod plain_text;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod warning;
mod write;

pub use ads::AdList;
pub use contents::Contents;
pub use counts::{FilterCount, PageSize};
pub use edit::PageEdit;
pub use engine::FilterEngine;
pub use filtered::{Filtered, FilteredDocument};
pub use settings::{BlockMethod, FilterSettings, MAX_SETTINGS_BYTES, OutputFormat, Profile};
pub use tree::{NodeEdit, RemovedLink};
pub use warning::FilterWarning;

pub use write::PageSide;

use forest_html::page::view::View;
use forest_html::page::{Mask, NodeId, Page};
use html5ever::LocalName;
use std::fmt;

/// Links a word above which a cell is a link list: see `docs/crunch.md`.
const LINK_RATIO: f64 = 0.5;

/// The same where blocks are judged, too: see `docs/crunch.md`.
const BLOCK_LINK_RATIO: f64 = 1.0;

/// Characters of a table with substance: see `docs/crunch.md`.
const SUBSTANCE_CHARS: u32 = 25;

/// Elements that are substance.
const SUBSTANCE: [&str; 10] = [
    "img", "picture", "video", "audio", "object", "embed", "iframe", "svg", "math", "canvas",
];

/// Share of its words below which a page is a portal: see `docs/crunch.md`.
const PORTAL_SHARE: f64 = 0.1;

/// The class of the list of removed links.
const REMOVED_LINKS_CLASS: &str = "forest-removed-links";

/// True if the children of an element are filtered: the paper's `mCheckChildren`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Descent {
    /// The walk goes on with the children.
    Children,
    /// It goes on behind the element.
    Skip,
}

/// The phases of the walk in which a filter is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterPhase {
    /// For [`PageFilter::edit`].
    Edit,
    /// For [`PageFilter::delete`].
    Delete,
    /// For [`PageFilter::text`].
    Text,
    /// For [`PageFilter::leave`].
    Leave,
}

impl FilterPhase {
    /// All phases.
    const ALL: [FilterPhase; 4] = [
        FilterPhase::Edit,
        FilterPhase::Delete,
        FilterPhase::Text,
        FilterPhase::Leave,
    ];
}

/// A filter: what it does at the nodes of a page. All methods do nothing by default.
///
/// A filter looks at a page and changes it by [`PageEdit`]. It may walk alone: through
/// [`Page::subtree`] in one of its methods, and then stop the descent. To keep the filtering
/// linear, a filter looks at the inside of an element by [`PageEdit::contents`]; so that
/// filtering twice is filtering once, it judges in [`leave`](Self::leave) by what is left.
pub trait PageFilter: fmt::Debug + Send + Sync {
    /// Its name, for counts and messages.
    fn name(&self) -> &'static str;

    /// False if the filter does nothing in a phase at elements with this local name, in any
    /// namespace; `None` stands for texts and comments. The filter is not called there.
    /// It is asked once for each phase and name of a page.
    fn wants(&self, _phase: FilterPhase, _name: Option<&LocalName>) -> bool {
        true
    }

    /// Edits an element without deleting it. First phase.
    fn edit(&self, _element: NodeId, _page: &mut PageEdit<'_>) {}

    /// Deletes an element, or a comment, or what is in it. Second phase;
    /// [`PageEdit::contents`] is what stood in it when the walk began.
    fn delete(&self, _node: NodeId, _page: &mut PageEdit<'_>) -> Descent {
        Descent::Children
    }

    /// Filters a text node. The paper has the slot and no filter for it.
    fn text(&self, _text: NodeId, _page: &mut PageEdit<'_>) {}

    /// Judges an element after all in it was filtered; [`PageEdit::contents`] is what is left.
    fn leave(&self, _element: NodeId, _page: &mut PageEdit<'_>) {}

    /// False if the text links in what it deletes are not to be listed.
    fn retains_links(&self) -> bool {
        true
    }

    /// True if it filters portals, too.
    fn filters_portals(&self) -> bool {
        false
    }
}

/// Filters a page with the list of advertisement servers that comes with the program. To
/// filter many pages, or with other lists, make a [`FilterEngine`] once.
pub fn filter<'p>(page: &'p Page, settings: &FilterSettings) -> Filtered<'p> {
    FilterEngine::new(settings.clone()).filter(page)
}

/// The text nodes that the filters leave of what is there of a page.
pub fn within(view: &View<'_>, engine: &FilterEngine) -> Mask {
    engine.texts_within(view)
}
