//! The elements that start and end a line of their own: blocks by their name, and what a page
//! makes one: a `span` that its style shows as a block, an element of the page's own that stands
//! in no line, a line of a listing.

use super::sink::{Data, LinkedNode, LinkedTree, NONE};
use super::style::declares;
use super::tags;
use foldhash::HashSet;
use html5ever::{local_name, ns};

/// Values of the property `display` that make a block.
const BLOCK_DISPLAYS: [&str; 3] = ["block", "list-item", "table"];

/// Last parts of classes that highlighters give a line of a listing.
const LINE_CLASSES: [&str; 4] = ["line", "code-line", "cl", "row-line"];

/// Elements between a line of a listing and its `pre`.
const BELOW_LISTING: usize = 4;

/// Nodes below an element of the page's own that are looked at for text.
const MAX_LOOKED_AT: usize = 64;

/// The elements that start and end a line, and are no blocks by their name. One pass.
pub(super) fn blocks_by_use(links: &LinkedTree) -> HashSet<u32> {
    let all = 0..links.nodes.len() as u32;
    all.filter(|&at| is_block_by_use(links, at)).collect()
}

fn is_block_by_use(links: &LinkedTree, at: u32) -> bool {
    let Data::Element { name, attrs, .. } = &links.get(at).data else {
        return false;
    };
    if name.ns != ns!(html) || tags::has(&name.local, tags::BLOCK) {
        return false;
    }
    attrs.iter().any(|attr| match attr.name.local {
        local_name!("style") => shows_block(&attr.value),
        local_name!("class") => is_line_of_listing(links, at),
        _ => false,
    }) || name.local.contains('-') && stands_alone(links, at)
}

/// True for a style that shows an element as a block.
fn shows_block(style: &str) -> bool {
    declares(style, "display", |value| {
        let mut blocks = BLOCK_DISPLAYS.iter();
        blocks.any(|block| value.eq_ignore_ascii_case(block))
    })
}

/// True for an element in a `pre` that is a line by its class, where another one stands beside
/// it without a line break between them.
fn is_line_of_listing(links: &LinkedTree, at: u32) -> bool {
    let touches = |first: u32, second: u32| {
        has_line_class(links, first)
            && has_line_class(links, second)
            && !ends_in_line_break(links, first)
    };
    let LinkedNode { previous, next, .. } = *links.get(at);
    (touches(at, next) || touches(previous, at)) && is_in_listing(links, at)
}

fn has_line_class(links: &LinkedTree, at: u32) -> bool {
    let is_line = |class: &str| {
        LINE_CLASSES.contains(&class) || class.ends_with("-line") || class.ends_with("_line")
    };
    at != NONE
        && matches!(&links.get(at).data, Data::Element { attrs, .. } if attrs.iter().any(|attr| {
            attr.name.local == local_name!("class")
                && attr.value.split_ascii_whitespace().any(is_line)
        }))
}

fn is_in_listing(links: &LinkedTree, at: u32) -> bool {
    let mut up = links.get(at).parent;
    for _ in 0..BELOW_LISTING {
        if up == NONE {
            return false;
        }
        if links.is_html(up, &local_name!("pre")) {
            return true;
        }
        up = links.get(up).parent;
    }
    false
}

/// True if the last text of a line has a line break.
fn ends_in_line_break(links: &LinkedTree, at: u32) -> bool {
    let mut last = at;
    while links.get(last).last != NONE {
        last = links.get(last).last;
    }
    links.is_html(last, &local_name!("br"))
        || matches!(&links.get(last).data, Data::Text(text) if text.contains('\n'))
}

/// True for an element with text alone that has no text beside it, in an element that holds blocks.
fn stands_alone(links: &LinkedTree, at: u32) -> bool {
    let parent = links.get(at).parent;
    parent != NONE
        && holds_blocks(links, parent)
        && !has_text_child(links, parent)
        && has_text_alone(links, at)
}

/// True for a block that may hold others, and for an element of the page's own.
fn holds_blocks(links: &LinkedTree, at: u32) -> bool {
    let Data::Element { name, .. } = &links.get(at).data else {
        return false;
    };
    let is_line = tags::has(&name.local, tags::HEADING)
        || matches!(
            name.local,
            local_name!("p") | local_name!("pre") | local_name!("dt") | local_name!("summary")
        );
    !is_line && (tags::has(&name.local, tags::BLOCK) || name.local.contains('-'))
}

fn is_words(data: &Data) -> bool {
    matches!(data, Data::Text(text) | Data::Formula(text) if !text.trim().is_empty())
}

fn has_text_child(links: &LinkedTree, parent: u32) -> bool {
    let mut child = links.get(parent).first;
    let mut looked_at = 0;
    while child != NONE {
        if is_words(&links.get(child).data) {
            return true;
        }
        looked_at += 1;
        if looked_at > MAX_LOOKED_AT {
            return false;
        }
        child = links.get(child).next;
    }
    false
}

/// True for an element with text and without blocks: these break lines by themselves.
fn has_text_alone(links: &LinkedTree, top: u32) -> bool {
    let mut has_text = false;
    let mut node = links.after(top, top);
    for _ in 0..MAX_LOOKED_AT {
        if node == NONE {
            break;
        }
        match &links.get(node).data {
            Data::Element { name, .. } if tags::has(&name.local, tags::BLOCK) => return false,
            data => has_text |= is_words(data),
        }
        node = links.after(top, node);
    }
    has_text
}

#[cfg(test)]
mod tests {
    use crate::page::plain::text_of_html;

    fn check(html: &str, expected: &str) {
        assert_eq!(text_of_html(html), expected, "{html}");
    }

    #[test]
    fn a_style_makes_blocks() {
        check(
            "<div><span style='display:block'>a</span><span style='color:red; DISPLAY : Block !important'>b</span>c</div>",
            "a\nb\nc",
        );
        check("<a style=display:table>a</a>b", "a\nb");
        check(
            "<span style='display:inline-block'>a</span><span style='display:none'>b</span>c",
            "abc",
        );
    }

    #[test]
    fn elements_of_the_page_that_stand_in_no_line_are_blocks() {
        check("<x-p>a.</x-p><x-p>b.</x-p>", "a.\nb.");
        check(
            "<my-body><my-part>a.</my-part><my-part><i>b</i>.</my-part></my-body>",
            "a.\nb.",
        );
        check("<p>a <x-tip>b</x-tip>c</p>", "a bc");
        check("<p><x-a>a</x-a><x-b>b</x-b></p>", "ab");
        check("<div>see <x-a>a</x-a><x-b>b</x-b></div>", "see ab");
        check(
            "<x-body>see <x-a><p>a</p></x-a></x-body><i>b</i>",
            "see\na\nb",
        );
        check("<div><b>a</b><x-icon></x-icon><b>c</b></div>", "ac");
    }

    #[test]
    fn lines_of_a_listing_are_lines() {
        check(
            "<pre><code><span class=line>a</span><span class=line>b</span></code></pre>",
            "a\nb",
        );
        check(
            "<pre><code><span class=line>a\n</span><span class=line>b\n</span></code></pre>",
            "a b",
        );
        check(
            "<pre><span class=token-line>a</span>\n<span class=token-line>b</span>\n</pre>",
            "a b",
        );
        check(
            "<pre><span class=line>a</span><br><span class=line>b</span><br></pre>",
            "a\nb",
        );
        check(
            "<p><span class=line>a</span><span class=line>b</span>",
            "ab",
        );
    }
}
