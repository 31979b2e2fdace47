//! The part of a page that the writers of text, Markdown and HTML go over.

use super::code;
use forest_html::page::style;
use forest_html::page::tags;
use forest_html::page::view::is_blank;
use forest_html::page::{Kind, Mask, NodeId, Page};
use html5ever::{local_name, ns};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

/// The nodes between the first and the last kept one: for a subtree its slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// The first node.
    pub start: NodeId,
    /// One past the last node.
    pub end: NodeId,
}

impl Region {
    /// The region of a mask; `None` if nothing is kept. Where the first kept node
    /// is a text (a mask of text blocks), the region starts with the block around
    /// it, so that it is known for a heading or a list item.
    pub fn of(page: &Page, mask: &Mask) -> Option<Region> {
        let (first, last) = mask.ends()?;
        let block = match page.kind(first) {
            Kind::Text => page.ancestors(first).find(|&n| page.breaks_line(n)),
            _ => None,
        };
        Some(Region {
            start: block.unwrap_or(first),
            end: NodeId(last.0 + 1),
        })
    }
}

/// True if the text of an element is the page's apparatus and no article's text:
/// the head, form controls (`button`: "Share"; `select`: a list of countries),
/// pictures in SVG with the names of their icons, the TeX source of a formula,
/// and what is shown only where a browser cannot play a `video`.
///
/// A `button` in a heading is text: it folds the answer below the question. On
/// the development gold (2,082 pages) 20 of the 278 text nodes of 25 bytes or
/// more in buttons stood in the gold text, all of them such; of those in `select`
/// 21 of 2,124, nearly all headlines of other articles; of those in `textarea`,
/// SVG, `video` and `audio` 2 of 217.
///
/// So are words of a sentence and questions that a button folds; the link of a heading to itself
/// (`#`) and the labels over a listing are none.
///
/// The text of a `form` is read (152 of 2,140 stood in the gold text): some old pages
/// are one. [`without_hidden`] is for hidden text.
pub fn is_unread(page: &Page, n: NodeId) -> bool {
    let Some(name) = page.name(n) else {
        return false;
    };
    if name.ns != ns!(html) {
        return matches!(
            name.local,
            local_name!("svg") | local_name!("annotation") | local_name!("annotation-xml")
        );
    }
    match name.local {
        local_name!("button") => {
            !is_in_heading(page, n) && !is_in_sentence(page, n) && !folds_answer(page, n)
        }
        local_name!("a") => is_permalink(page, n),
        local_name!("span") | local_name!("div") => code::is_label(page, n),
        local_name!("head")
        | local_name!("select")
        | local_name!("textarea")
        | local_name!("datalist")
        | local_name!("video")
        | local_name!("audio")
        | local_name!("canvas") => true,
        _ => false,
    }
}

/// True for text that is marked as deleted: HTML and Markdown show it as such, the text is
/// without it.
pub fn is_deleted(page: &Page, n: NodeId) -> bool {
    page.tag(n).is_some_and(|tag| {
        matches!(
            *tag,
            local_name!("del") | local_name!("s") | local_name!("strike")
        )
    })
}

/// True for the reading beside a word (`rt` in a `ruby`), and the brackets around it: HTML
/// shows it above the word, everything else is without it.
pub fn is_reading(page: &Page, n: NodeId) -> bool {
    page.tag(n)
        .is_some_and(|tag| matches!(&**tag, "rt" | "rp" | "rtc"))
}

/// Share of the kept text of a body up to which what the source hides is left out. An
/// article that is hidden as a whole is shown by a script: on the development gold, of the
/// text nodes below `hidden` 133 of 442 stood in the gold text, of those below `display:none`
/// 70 of 4,417.
const HIDDEN: f64 = 0.25;

/// The body without the elements that the page's source hides, in text, Markdown and HTML
/// alike.
pub fn without_hidden<'m>(page: &Page, body: &'m Mask, region: Region) -> Cow<'m, Mask> {
    let mut hidden: Vec<NodeId> = Vec::new();
    let switches = Switches::default();
    let mut end = region.start;
    for n in (region.start.0..region.end.0).map(NodeId) {
        if n >= end
            && page.kind(n) == Kind::Element
            && is_hidden(page, n)
            && !switches.show(page, n)
        {
            end = page.end(n);
            hidden.push(n);
        }
    }
    if hidden.is_empty() {
        return Cow::Borrowed(body);
    }
    let mut rest = body.clone();
    hidden.iter().for_each(|&n| rest.drop_subtree(page, n));
    let bytes =
        |mask: &Mask| -> usize { mask.texts(page).map(|n| page.text(n).trim().len()).sum() };
    let (all, left) = (bytes(body), bytes(&rest));
    if (all - left) as f64 > HIDDEN * all as f64 {
        return Cow::Borrowed(body);
    }
    Cow::Owned(rest)
}

/// The names of what the controls of a page show: "Read more", tabs, accordions. Read when
/// the first hidden element with an id is met.
#[derive(Debug, Default)]
struct Switches<'p>(OnceCell<HashSet<&'p str>>);

impl<'p> Switches<'p> {
    /// True for a panel of tabs, and for an element whose id a control names.
    fn show(&self, page: &'p Page, n: NodeId) -> bool {
        page.attr(n, "role") == Some("tabpanel")
            || page.attr(n, "id").is_some_and(|id| {
                !id.is_empty() && self.0.get_or_init(|| shown_names(page)).contains(id)
            })
    }
}

/// Attributes of links and buttons that name what they show; the last is a program, of which each
/// word is read.
const SHOWING: [&str; 5] = [
    "aria-controls",
    "data-target",
    "data-bs-target",
    "data-toggle-target",
    "onclick",
];

fn shown_names(page: &Page) -> HashSet<&str> {
    let is_control = |n: &NodeId| {
        page.is(*n, &local_name!("a"))
            || page.is(*n, &local_name!("button"))
            || page.attr(*n, "role") == Some("tab")
    };
    let values = page.elements().filter(is_control);
    let values = values.flat_map(|n| SHOWING.iter().filter_map(move |name| page.attr(n, name)));
    let marks = ['#', '\'', '"', ' ', ',', ';', '(', ')'];
    values.flat_map(|value| value.split(marks)).collect()
}

/// True for the classes of text that is read aloud and not shown.
fn is_for_the_ear(classes: &str) -> bool {
    let mut classes = classes.split_ascii_whitespace();
    classes.any(|class| {
        matches!(
            class,
            "sr-only"
                | "visually-hidden"
                | "visuallyhidden"
                | "visuallyHidden"
                | "u-visually-hidden"
                | "screen-reader-text"
                | "screen-reader-only"
                | "screenreader-only"
        )
    })
}

/// True if the page's source hides an element: `hidden`, `display: none` or `visibility:
/// hidden` in its style, or the class of text for screen readers.
pub(super) fn is_hidden(page: &Page, n: NodeId) -> bool {
    page.attr(n, "hidden")
        .is_some_and(|value| value != "until-found")
        || page.attr(n, "style").is_some_and(style::hides)
        || page.attr(n, "class").is_some_and(is_for_the_ear)
}

/// Nodes before and behind a control that are looked at.
const BESIDE: usize = 8;

/// True for a control with text before and behind it in the same line: a word of a sentence.
fn is_in_sentence(page: &Page, n: NodeId) -> bool {
    let parent = page.parent(n);
    let is_words = |beside: NodeId| {
        page.kind(beside) == Kind::Text
            && page.parent(beside) == parent
            && !is_blank(page.text(beside))
    };
    let mut before = (0..n.0).rev().take(BESIDE).map(NodeId);
    let mut behind = (page.end(n).0..page.len() as u32).take(BESIDE).map(NodeId);
    before.any(is_words) && behind.any(is_words)
}

/// Words of a button that is a question or a title, and no order ("Read more").
const MIN_QUESTION_WORDS: usize = 3;

/// True for a button that is a question, or shows what it names, and says what that is about.
fn folds_answer(page: &Page, n: NodeId) -> bool {
    let text = page.text(n);
    let names = ["aria-controls", "data-target", "data-bs-target"];
    let is_switch = || names.iter().any(|name| page.attr(n, name).is_some());
    let is_question = || text.trim_end().ends_with(['?', '？', '؟']);
    let mut words = text.split_whitespace();
    words.nth(MIN_QUESTION_WORDS - 1).is_some() && (is_question() || is_switch())
}

/// True for the link of a heading to itself: `#`, `¶`, a link sign.
fn is_permalink(page: &Page, n: NodeId) -> bool {
    page.attr(n, "href").is_some_and(|href| href.contains('#'))
        && !page.text(n).contains(char::is_alphanumeric)
        && !is_blank(page.text(n))
        && is_in_heading(page, n)
}

/// True if one of the next three ancestors is a heading.
fn is_in_heading(page: &Page, n: NodeId) -> bool {
    page.ancestors(n).skip(1).take(3).any(|above| {
        page.tag(above)
            .is_some_and(|tag| tags::has(tag, tags::HEADING) || matches!(&**tag, "dt" | "summary"))
    })
}
