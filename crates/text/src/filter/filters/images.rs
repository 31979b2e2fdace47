//! Images and their ALT texts (figure 1).

use crate::filter::edit::PageEdit;
use crate::filter::{Descent, FilterPhase, PageFilter};
use forest_html::page::{Kind, NodeId};
use html5ever::{LocalName, local_name};

/// Levels above an image in which a `figure` is looked for.
const FIGURE_LEVELS: usize = 4;

/// Nodes before and behind an image in which a text is looked for that its ALT text touches.
const NEAR_NODES: usize = 16;

/// Removes images that are no links.
#[derive(Debug)]
pub(super) struct ImageRemover(ImageRule);

/// Removes images that are links.
#[derive(Debug)]
pub(super) struct ImageLinkRemover(ImageRule);

/// The rule by which images go, and what takes their place.
#[derive(Debug, Clone, Copy)]
struct ImageRule {
    /// The ALT text takes the place of the image.
    alt: bool,
    /// Pixels of width and height from which on an image stays; 0: none stays.
    keep_from: u32,
}

impl ImageRemover {
    pub fn new(alt: bool, keep_from: u32) -> ImageRemover {
        ImageRemover(ImageRule { alt, keep_from })
    }
}

impl PageFilter for ImageRemover {
    fn name(&self) -> &'static str {
        "images"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Delete && name.is_some_and(is_image_name)
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        if !page.is_in_link(n) && is_image(n, page) && !self.0.keeps(n, page) {
            self.0.remove(n, page);
        }
        Descent::Children
    }
}

impl ImageLinkRemover {
    pub fn new(alt: bool, keep_from: u32) -> ImageLinkRemover {
        ImageLinkRemover(ImageRule { alt, keep_from })
    }
}

impl PageFilter for ImageLinkRemover {
    fn name(&self) -> &'static str {
        "image_links"
    }

    fn wants(&self, phase: FilterPhase, name: Option<&LocalName>) -> bool {
        phase == FilterPhase::Delete && name == Some(&local_name!("a"))
    }

    fn delete(&self, n: NodeId, page: &mut PageEdit<'_>) -> Descent {
        if !page.is_link(n) || page.is_in_link(n) {
            return Descent::Children;
        }
        let (mut found, mut kept) = (false, false);
        let mut nodes = page.page().walk(n);
        while let Some(inner) = nodes.next() {
            if !page.is_kept(inner) || !is_image(inner, page) {
                continue;
            }
            nodes.pass_over(inner);
            found = true;
            if self.0.keeps(inner, page) {
                kept = true;
            } else if page.replacement(inner).is_none() {
                self.0.remove(inner, page);
            }
        }
        if found && !kept && !page.has_text(n) {
            page.delete(n);
        }
        Descent::Children
    }
}

impl ImageRule {
    fn remove(self, n: NodeId, page: &mut PageEdit<'_>) {
        let alt = if self.alt { alt_of(n, page) } else { None };
        match alt {
            Some(alt) => page.replace(n, &apart(n, &alt, page)),
            None => page.delete(n),
        }
    }

    /// True for an image that stays: large, or in a figure.
    fn keeps(self, n: NodeId, page: &PageEdit<'_>) -> bool {
        if self.keep_from == 0 {
            return false;
        }
        let image = image_in(n, page);
        let is_large = |name| pixels(page.attr(image, name)) >= self.keep_from;
        let mut above = page.page().ancestors(n).take(FIGURE_LEVELS);
        is_large("width") && is_large("height")
            || above.any(|n| page.tag(n).is_some_and(|tag| **tag == *"figure"))
    }
}

/// True for an image: `img`, or `picture` with one.
fn is_image(n: NodeId, page: &PageEdit<'_>) -> bool {
    page.tag(n).is_some_and(is_image_name) && page.replacement(n).is_none()
}

fn is_image_name(name: &LocalName) -> bool {
    matches!(&**name, "img" | "picture" | "amp-img")
}

/// The `img` of an image.
fn image_in(n: NodeId, page: &PageEdit<'_>) -> NodeId {
    let is_img = |n: &NodeId| page.tag(*n).is_some_and(|tag| **tag == *"img");
    page.page().children(n).find(is_img).unwrap_or(n)
}

/// The ALT text of an image, unless it is blank.
fn alt_of(n: NodeId, page: &PageEdit<'_>) -> Option<String> {
    debug_assert_eq!(page.page().kind(n), Kind::Element);
    let alt = page.attr(image_in(n, page), "alt")?;
    (!alt.trim().is_empty()).then(|| alt.to_owned())
}

/// An ALT text with a space where it would touch another text of its line.
fn apart(n: NodeId, alt: &str, page: &PageEdit<'_>) -> String {
    let end = page.page().end(n).0;
    let before = text_near((0..n.0).rev().map(NodeId), page);
    let behind = text_near((end..page.page().len() as u32).map(NodeId), page);
    let touches = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    let space = |touching: bool| if touching { " " } else { "" };
    let first = space(touches(before.and_then(|text| text.chars().next_back())));
    let last = space(touches(behind.and_then(|text| text.chars().next())));
    format!("{first}{alt}{last}")
}

/// The first text that is left among some nodes, up to the end of the line and to an image
/// that stays or whose turn comes later.
fn text_near<'a>(nodes: impl Iterator<Item = NodeId>, page: &'a PageEdit<'_>) -> Option<&'a str> {
    for n in nodes.take(NEAR_NODES) {
        if page.page().breaks_line(n) {
            return None;
        }
        if !page.is_kept(n) {
            continue;
        }
        // The `img` of a `picture` goes with it.
        let above = page.page().parent(n);
        let replaced = page.replacement(n);
        let replaced = replaced.or_else(|| above.and_then(|above| page.replacement(above)));
        if replaced.is_some() {
            return replaced;
        }
        if is_image(n, page) && alt_of(n, page).is_some() {
            return None;
        }
        if page.page().kind(n) == Kind::Text && page.page().is_content(n) {
            return Some(page.page().text(n));
        }
    }
    None
}

/// The number that an attribute begins with.
fn pixels(value: Option<&str>) -> u32 {
    let value = value.unwrap_or_default().trim_start();
    let digits = value
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(value.len());
    // Nine digits fit.
    value[..digits.min(9)].parse().unwrap_or(0)
}
