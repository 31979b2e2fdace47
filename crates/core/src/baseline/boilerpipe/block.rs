//! Text blocks: the text between two tags that are not inline.

use super::words::BlockWords;
use forest_html::page::view::View;
use forest_html::page::{Kind, NodeId, Page};
use html5ever::{LocalName, local_name};

/// A block of text and its labels by the filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextBlock {
    /// The first text node of the block; no other block's text is between it and
    /// the last.
    pub first: NodeId,
    /// The last text node of the block.
    pub last: NodeId,
    /// Words in the block; 0 if it has only punctuation.
    pub words: u32,
    /// Words in links.
    pub linked: u32,
    /// True if the block is dense enough for full text.
    pub full_text: bool,
    /// The block is the page's title.
    pub is_title: bool,
    /// The block is one that follows articles.
    pub ends_text: bool,
    /// The block belongs to the article, as far as is known.
    pub is_content: bool,
}

impl TextBlock {
    /// The share of words in links, 0 for a block without words.
    pub fn link_density(&self) -> f64 {
        f64::from(self.linked) / f64::from(self.words.max(1))
    }
}

/// The effect of an element on the block that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagAction {
    /// Ends it; its own text is not looked at.
    Ignorable,
    /// Ends the word.
    InlineWhitespace,
    /// Ends the word; words inside are linked.
    AnchorText,
    /// Nothing.
    Inline,
    /// Ends it.
    Block,
}

/// Boilerpipe's table of tags; a tag that is not in it is a block.
fn tag_action(page: &Page, element: NodeId) -> TagAction {
    let Some(name) = page.name(element) else {
        return TagAction::Inline;
    };
    if !page.is_content(element) || page.is(element, &local_name!("title")) {
        return TagAction::Ignorable;
    }
    action_by_name(&name.local)
}

fn action_by_name(name: &LocalName) -> TagAction {
    match *name {
        local_name!("a") => TagAction::AnchorText,
        local_name!("b")
        | local_name!("code")
        | local_name!("em")
        | local_name!("font")
        | local_name!("i")
        | local_name!("span")
        | local_name!("strike")
        | local_name!("strong")
        | local_name!("sub")
        | local_name!("sup")
        | local_name!("tt")
        | local_name!("u")
        | local_name!("var") => TagAction::Inline,
        local_name!("abbr") | local_name!("acronym") => TagAction::InlineWhitespace,
        local_name!("applet")
        | local_name!("embed")
        | local_name!("object")
        | local_name!("option") => TagAction::Ignorable,
        _ => TagAction::Block,
    }
}

/// Calls `each` for every block of the page's body in document order, with its
/// text: white space as in the page, none at the ends.
pub(super) fn text_blocks(view: &View<'_>, each: impl FnMut(TextBlock, &str)) {
    let page = view.page();
    let Some(body) = page.body() else { return };
    let mut reader = BlockReader {
        words: BlockWords::default(),
        text: String::new(),
        span: None,
        links: 0,
        each,
    };
    // Elements whose end has an effect, innermost last.
    let mut open: Vec<(NodeId, TagAction)> = Vec::new();
    let end = page.end(body);
    let mut at = NodeId(body.0 + 1);
    while at < end {
        while let Some((_, action)) = open.pop_if(|(end, _)| *end <= at) {
            reader.end(action);
        }
        match page.kind(at) {
            Kind::Text if page.is_content(at) && view.has_text(at) => {
                reader.characters(at, page.text(at))
            }
            Kind::Element if view.is_gone(at) => {
                at = page.end(at);
                continue;
            }
            Kind::Element => {
                let action = tag_action(page, at);
                reader.start(action);
                match action {
                    TagAction::Ignorable => {
                        at = page.end(at);
                        continue;
                    }
                    TagAction::Inline => {}
                    _ => open.push((page.end(at), action)),
                }
            }
            _ => {}
        }
        at = NodeId(at.0 + 1);
    }
    reader.flush();
}

/// The state of one pass over a page.
struct BlockReader<F> {
    words: BlockWords,
    /// The text of the block that is open. One buffer for all blocks.
    text: String,
    /// First and last text node of the block that is open.
    span: Option<(NodeId, NodeId)>,
    /// Links that are open.
    links: u32,
    each: F,
}

impl<F: FnMut(TextBlock, &str)> BlockReader<F> {
    fn start(&mut self, action: TagAction) {
        match action {
            TagAction::Inline => {}
            TagAction::InlineWhitespace => self.space(),
            TagAction::AnchorText => {
                self.space();
                self.links += 1;
            }
            TagAction::Block | TagAction::Ignorable => self.flush(),
        }
    }

    fn end(&mut self, action: TagAction) {
        match action {
            TagAction::Inline | TagAction::Ignorable => {}
            TagAction::InlineWhitespace => self.space(),
            TagAction::AnchorText => {
                self.space();
                self.links -= 1;
            }
            TagAction::Block => self.flush(),
        }
    }

    fn characters(&mut self, node: NodeId, text: &str) {
        if self.span.is_none() && text.trim_start().is_empty() {
            return;
        }
        self.words.push(text, self.links > 0);
        self.text.push_str(text);
        self.span = match self.span {
            Some((first, _)) => Some((first, node)),
            None => Some((node, node)),
        };
    }

    /// Ends the word that is open.
    fn space(&mut self) {
        self.words.end_token(self.links > 0);
        if self.span.is_some() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    /// Ends the block that is open.
    fn flush(&mut self) {
        let Some((first, last)) = self.span.take() else {
            return;
        };
        if let Some(counts) = self.words.finish(self.links > 0) {
            let block = TextBlock {
                first,
                last,
                words: counts.words,
                linked: counts.linked,
                full_text: counts.full_text,
                is_title: false,
                ends_text: false,
                is_content: false,
            };
            (self.each)(block, self.text.trim());
        }
        self.text.clear();
    }
}
