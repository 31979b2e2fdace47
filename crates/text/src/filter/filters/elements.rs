//! Filters that remove elements by their tags (figure 1).

use crate::filter::edit::PageEdit;
use crate::filter::write::names_charset;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::NodeId;
use html5ever::{LocalName, local_name};

/// Removes all elements with some tags.
#[derive(Debug)]
pub(super) struct ElementRemover {
    name: &'static str,
    tags: &'static [&'static str],
    filters_portals: bool,
}

/// `form`.
pub(super) const FORMS: ElementRemover = ElementRemover {
    name: "forms",
    tags: &["form"],
    filters_portals: false,
};

/// `input`, and `textarea`, which figure 1 does not have.
pub(super) const INPUTS: ElementRemover = ElementRemover {
    name: "inputs",
    tags: &["input", "textarea"],
    filters_portals: false,
};

/// `button`.
pub(super) const BUTTONS: ElementRemover = ElementRemover {
    name: "buttons",
    tags: &["button"],
    filters_portals: false,
};

/// `select`, and the list that an `input` offers.
pub(super) const SELECTS: ElementRemover = ElementRemover {
    name: "selects",
    tags: &["select", "datalist"],
    filters_portals: false,
};

/// Pages in the page.
pub(super) const FRAMES: ElementRemover = ElementRemover {
    name: "frames",
    tags: &["frame", "iframe", "fencedframe"],
    filters_portals: true,
};

/// Plugins.
pub(super) const EMBEDS: ElementRemover = ElementRemover {
    name: "embeds",
    tags: &["embed", "object", "applet"],
    filters_portals: true,
};

impl PageFilter for ElementRemover {
    fn name(&self) -> &'static str {
        self.name
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Delete && name.is_some_and(|name| self.tags.contains(&&**name))
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        if page.tag(n).is_some_and(|tag| self.tags.contains(&&**tag)) {
            page.delete(n);
        }
        Descent::Children
    }

    fn filters_portals(&self) -> bool {
        self.filters_portals
    }
}

/// Removes each `meta` but that of the charset.
#[derive(Debug)]
pub(super) struct MetaRemover;

impl PageFilter for MetaRemover {
    fn name(&self) -> &'static str {
        "meta"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Delete && name == Some(&local_name!("meta"))
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        if page.page().is(n, &local_name!("meta")) && !names_charset(page.page(), n) {
            page.delete(n);
        }
        Descent::Children
    }

    fn filters_portals(&self) -> bool {
        true
    }
}

/// True for a `link` with this word in its `rel`.
pub(super) fn has_rel(n: NodeId, page: &PageEdit<'_>, word: &str) -> bool {
    let rel = page.page().is(n, &local_name!("link"));
    let rel = rel.then(|| page.attr(n, "rel")).flatten();
    rel.is_some_and(|rel| { rel.split_ascii_whitespace() }.any(|w| w.eq_ignore_ascii_case(word)))
}
