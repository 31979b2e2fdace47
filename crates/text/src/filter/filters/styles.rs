//! Styles and `style` attributes (figure 1).

use super::elements::has_rel;
use crate::filter::edit::PageEdit;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::NodeId;
use html5ever::{LocalName, local_name};

/// Removes `style`, style sheets in `link`, and `style` attributes.
#[derive(Debug)]
pub(super) struct StyleRemover;

impl PageFilter for StyleRemover {
    fn name(&self) -> &'static str {
        "styles"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        match phase {
            FilterPhase::Edit => name.is_some(),
            FilterPhase::Delete => name.is_some_and(|name| matches!(&**name, "style" | "link")),
            FilterPhase::Text | FilterPhase::Leave => false,
        }
    }

    fn edit(&self, n: NodeId, page: &mut PageEdit<'_>) {
        drop_attrs(n, page, |name| name == "style");
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        let is_style = page
            .page()
            .name(n)
            .is_some_and(|name| &*name.local == "style");
        if is_style || has_rel(n, page, "stylesheet") {
            page.delete(n);
        }
        Descent::Children
    }
}

/// Removes the `style` attributes of `div`.
#[derive(Debug)]
pub(super) struct DivStyleRemover;

impl PageFilter for DivStyleRemover {
    fn name(&self) -> &'static str {
        "div_styles"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Edit && name == Some(&local_name!("div"))
    }

    fn edit(&self, n: NodeId, page: &mut PageEdit<'_>) {
        if page.page().is(n, &local_name!("div")) {
            drop_attrs(n, page, |name| name == "style");
        }
    }
}

/// Drops the attributes of an element with some names.
pub(super) fn drop_attrs(n: NodeId, page: &mut PageEdit<'_>, is_dropped: impl Fn(&str) -> bool) {
    let found = page.attrs(n).filter(|(_, name, _)| is_dropped(name));
    let places: Vec<usize> = found.map(|(at, ..)| at).collect();
    places.into_iter().for_each(|at| page.drop_attr(n, at));
}
