//! The empty table remover (3.3).

use crate::filter::edit::PageEdit;
use crate::filter::settings::FilterSettings;
use crate::filter::{FilterPhase, PageFilter};
use forest_html::page::NodeId;
use html5ever::{LocalName, local_name};

/// Removes tables without substance, inner tables first, after all in them was filtered.
#[derive(Debug)]
pub(super) struct EmptyTableRemover {
    chars: u32,
    keep_fields: bool,
}

impl EmptyTableRemover {
    pub fn new(settings: &FilterSettings) -> EmptyTableRemover {
        EmptyTableRemover {
            chars: settings.substance_chars,
            keep_fields: settings.keep_fields,
        }
    }
}

impl PageFilter for EmptyTableRemover {
    fn name(&self) -> &'static str {
        "empty_tables"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Leave && name == Some(&local_name!("table"))
    }

    fn leave(&self, n: NodeId, page: &mut PageEdit<'_>) {
        let left = page.contents();
        let has_substance = left.characters >= self.chars
            || left.substance > 0
            || self.keep_fields && left.fields > 0;
        if page.page().is(n, &local_name!("table")) && !has_substance {
            page.delete(n);
        }
    }
}
