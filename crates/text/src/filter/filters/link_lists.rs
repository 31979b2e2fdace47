//! The link list remover (3.2).

use super::cells::{is_cell, is_plain_block};
use crate::filter::contents::Contents;
use crate::filter::edit::PageEdit;
use crate::filter::settings::FilterSettings;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::NodeId;
use forest_html::page::tags;
use html5ever::LocalName;

/// Removes the contents of cells with many links a word.
///
/// ```text
/// links / words > ratio        removed
/// ```
///
/// A cell with links and no words is a link list, a cell without links is none. Cells are
/// judged outside in, on the way down, and again on the way up by what is left in them.
#[derive(Debug)]
pub(super) struct LinkListRemover {
    settings: FilterSettings,
}

impl LinkListRemover {
    pub fn new(settings: &FilterSettings) -> LinkListRemover {
        LinkListRemover {
            settings: settings.clone(),
        }
    }

    fn is_link_list(&self, contents: Contents) -> bool {
        let links = f64::from(contents.links);
        contents.links >= self.settings.least_links.max(1)
            && links > self.settings.link_ratio * contents.words(&self.settings)
            && !(self.settings.keep_fields && contents.fields > 0)
    }

    /// True for the elements that are judged.
    fn is_judged(&self, tag: &LocalName) -> bool {
        is_cell(tag) || self.settings.link_list_blocks && is_list_block(tag)
    }

    fn judge(&self, n: NodeId, page: &mut PageEdit<'_>) {
        let Some(tag) = page.tag(n) else { return };
        if !self.is_judged(tag) || !self.is_link_list(page.contents()) {
            return;
        }
        if is_cell(tag) && !self.settings.remove_cells {
            page.empty(n);
        } else {
            page.delete(n);
        }
    }
}

impl PageFilter for LinkListRemover {
    fn name(&self) -> &'static str {
        "link_lists"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        let is_judging = match phase {
            FilterPhase::Delete => true,
            FilterPhase::Leave => self.settings.repeat,
            FilterPhase::Edit | FilterPhase::Text => false,
        };
        is_judging && name.is_some_and(|name| self.is_judged(name))
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        self.judge(n, page);
        Descent::Children
    }

    fn leave(&self, n: NodeId, page: &mut PageEdit<'_>) {
        self.judge(n, page);
    }
}

/// True for a block that may be a link list as a whole: no heading, and no part of a field.
fn is_list_block(tag: &LocalName) -> bool {
    is_plain_block(tag)
        && !tags::has(tag, tags::HEADING | tags::FIELD)
        && !matches!(&**tag, "option" | "optgroup" | "legend")
}
