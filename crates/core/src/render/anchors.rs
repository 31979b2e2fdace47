//! Links within an article, and the elements that they lead to: footnotes, headings.

use super::shown::Region;
use forest_html::page::{NodeId, Page};
use forest_html::text::fnv1a;
use html5ever::local_name;
use percent_encoding::percent_decode_str;
use std::collections::{HashMap, HashSet};

/// The beginning of every id in HTML that leaves the program, so that none is the
/// id of something on the page where it is shown.
pub(super) const ID_START: &str = "anchor-";

/// Bytes of an id at the most.
const MAX_ID_BYTES: usize = 200;

/// The ids in a region that links of the region lead to.
#[derive(Debug, Default)]
pub(super) struct Anchors<'p> {
    /// `ID_START` with a hash of the page's address: pages that are shown together keep
    /// their ids apart.
    start: String,
    names: HashMap<NodeId, &'p str>,
    targets: HashSet<&'p str>,
}

impl<'p> Anchors<'p> {
    /// One pass over the region.
    pub fn of(page: &'p Page, region: Region) -> Anchors<'p> {
        let nodes = || (region.start.0..region.end.0).map(NodeId);
        let fragments = nodes().filter_map(|n| fragment(page, n));
        let wanted: HashSet<String> = fragments.collect();
        let mut anchors = Anchors {
            start: format!(
                "{ID_START}{:08x}-",
                fnv1a(page.url().unwrap_or_default().bytes()) as u32
            ),
            ..Anchors::default()
        };
        if wanted.is_empty() {
            return anchors;
        }
        for n in nodes() {
            if let Some(name) = name(page, n)
                && wanted.contains(name)
                && anchors.targets.insert(name)
            {
                anchors.names.insert(n, name);
            }
        }
        anchors
    }

    /// The id of an element to which a link leads.
    pub fn id(&self, n: NodeId) -> Option<String> {
        self.names.get(&n).map(|name| self.full(name))
    }

    /// The address of a link that leads to an element of the region.
    pub fn href(&self, page: &Page, link: NodeId) -> Option<String> {
        let name = fragment(page, link)?;
        let is_there = self.targets.contains(&*name);
        is_there.then(|| format!("#{}", self.full(&name)))
    }

    fn full(&self, name: &str) -> String {
        if name.starts_with(ID_START) {
            return name.to_owned();
        }
        format!("{}{name}", self.start)
    }
}

/// The id of an element, or the name of an anchor.
pub(super) fn name(page: &Page, n: NodeId) -> Option<&str> {
    let own = page.attr(n, "id").or_else(|| {
        let is_anchor = page.is(n, &local_name!("a"));
        page.attr(n, "name").filter(|_| is_anchor)
    })?;
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    (own.len() <= MAX_ID_BYTES && !own.is_empty() && own.chars().all(is_plain)).then_some(own)
}

/// The name that a link to a place on its own page gives.
pub(super) fn fragment(page: &Page, n: NodeId) -> Option<String> {
    if !page.is(n, &local_name!("a")) {
        return None;
    }
    let href = page.attr(n, "href")?.trim();
    let (address, name) = href.split_once('#')?;
    let is_own = address.is_empty()
        || page
            .url()
            .is_some_and(|url| url.split('#').next() == Some(address));
    if !is_own || name.is_empty() || name.len() > 3 * MAX_ID_BYTES {
        return None;
    }
    Some(percent_decode_str(name).decode_utf8_lossy().into_owned())
}
