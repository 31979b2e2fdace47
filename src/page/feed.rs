//! The feeding loop: html5ever, with bounds on what a page can make it do.
//!
//! html5ever's time is quadratic in nesting depth and in the attributes of one
//! tag, and misnested formatting can multiply nodes. Three bounds keep a parse
//! linear in the page:
//!
//! - [`MAX_DEPTH`]: beyond it start tags are dropped and their end tags with
//!   them; the text stays, in the deepest element that is kept.
//! - [`MAX_ATTRS`]: how many attributes a tag can have.
//! - [`NODES_PER_BYTE`]: how many nodes a page can have.

use super::sink::{ArenaSink, LinkedTree};
use super::{PageWarning, Scripting};
use html5ever::interface::Tracer;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{LocalName, TokenizerResult};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Open elements at the most, as in browsers.
pub(super) const MAX_DEPTH: usize = 512;

/// Bytes that are fed at once. Small enough that the bounds act in time, large
/// enough that their cost does not show in a parse (measured: below noise).
const CHUNK_BYTES: usize = 8192;

/// Attributes of one tag that are kept: the tokenizer compares each attribute of a
/// tag with all before it.
const MAX_ATTRS: usize = 2048;

/// Nodes per byte of page, beside [`FREE_NODES`]: an element needs three bytes,
/// a text one; only repeated formatting elements make more.
const NODES_PER_BYTE: usize = 2;

/// Nodes that any page may have.
const FREE_NODES: usize = 16_384;

/// Parses `html` into linked nodes.
pub(super) fn parse(
    html: &str,
    scripting: Scripting,
    warnings: &mut Vec<PageWarning>,
) -> LinkedTree {
    let mut feeder = Feeder::new(scripting);
    feeder.feed(html, SourceEnd::Here);
    feeder.finish(warnings)
}

/// The end of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceEnd {
    /// More of it is to come.
    Later,
    /// It is all there.
    Here,
}

/// Feeds a source that may still be growing.
pub(super) struct Feeder {
    input: Rc<BufferQueue>,
    tokenizer: Tokenizer<Guard>,
    /// Bytes that were fed or left out.
    at: usize,
    /// The tag that was looked at last ends here; its attributes from `cut` on are too many.
    tag_end: usize,
    cut: Option<usize>,
    /// The length of the source when the end of the open tag was looked for in vain.
    looked_within: Option<usize>,
    cuts_attributes: usize,
}

impl Feeder {
    pub(super) fn new(scripting: Scripting) -> Feeder {
        let input = Rc::new(BufferQueue::default());
        let options = TreeBuilderOpts {
            scripting_enabled: scripting == Scripting::On,
            ..TreeBuilderOpts::default()
        };
        let guard = Guard::new(
            TreeBuilder::new(ArenaSink::new(), options),
            Rc::clone(&input),
        );
        Feeder {
            input,
            tokenizer: Tokenizer::new(guard, TokenizerOpts::default()),
            at: 0,
            tag_end: 0,
            cut: None,
            looked_within: None,
            cuts_attributes: 0,
        }
    }

    /// Feeds what is new of a source. The tree is the same however it came.
    pub(super) fn feed(&mut self, html: &str, end: SourceEnd) {
        if let Some(length) = self.looked_within {
            // Looking again at twice the length keeps it linear.
            if end == SourceEnd::Later && html.len() < 2 * length || !self.look(html, end) {
                return;
            }
        }
        while self.at < html.len() && !self.tokenizer.sink.full.get() {
            if end == SourceEnd::Later && html.len() < self.at + CHUNK_BYTES {
                return;
            }
            let until = html.floor_char_boundary(self.at + CHUNK_BYTES);
            let until = self.cut.map_or(until, |cut| until.min(cut));
            self.tokenizer.sink.fed.set(until);
            self.tokenizer.sink.quiet.set(true);
            self.input
                .push_back(StrTendril::from_slice(&html[self.at..until]));
            while !matches!(self.tokenizer.feed(&self.input), TokenizerResult::Done) {}
            self.at = until;
            if self.cut == Some(self.at) {
                self.at = self.tag_end;
                self.cut = None;
            } else if self.tokenizer.sink.quiet.get()
                && self.at > self.tag_end
                && !self.look(html, end)
            {
                return;
            }
        }
    }

    /// Looks for the end of the open tag, and for too many attributes in it; false if it is
    /// still to come.
    fn look(&mut self, html: &str, end: SourceEnd) -> bool {
        // What was looked at holds no tag: a long comment is looked at once.
        let from = self.tokenizer.sink.after_tag.get().max(self.tag_end);
        let (cut, tag_end) = attributes_to_cut(html, from, self.at);
        if end == SourceEnd::Later && tag_end == html.len() {
            self.looked_within = Some(html.len());
            return false;
        }
        self.looked_within = None;
        (self.cut, self.tag_end) = (cut, tag_end);
        self.cuts_attributes += usize::from(cut.is_some());
        true
    }

    pub(super) fn finish(self, warnings: &mut Vec<PageWarning>) -> LinkedTree {
        self.tokenizer.end();
        let guard = self.tokenizer.sink;
        warnings.extend((0..self.cuts_attributes).map(|_| PageWarning::TooManyAttributes));
        if guard.dropped_tags.get() > 0 {
            warnings.push(PageWarning::TooDeep {
                depth: MAX_DEPTH,
                dropped: guard.dropped_tags.get(),
            });
        }
        if guard.full.get() {
            warnings.push(PageWarning::TooManyNodes);
        }
        guard.builder.sink.finish()
    }
}

/// Looks at the tag that is open at `fed` and starts at `from` or later: where to
/// stop feeding it, if it has more than [`MAX_ATTRS`] attributes, and where it
/// ends.
fn attributes_to_cut(html: &str, from: usize, fed: usize) -> (Option<usize>, usize) {
    let bytes = html.as_bytes();
    let starts_tag = |i: usize| match bytes.get(i + 1) {
        Some(b'/') => bytes.get(i + 2).is_some_and(u8::is_ascii_alphabetic),
        next => next.is_some_and(u8::is_ascii_alphabetic),
    };
    let Some(start) = (from..fed).find(|&i| bytes[i] == b'<' && starts_tag(i)) else {
        return (None, fed);
    };
    let (mut attrs, mut cut) = (0, None);
    let mut at = start;
    let mut after_equals = false;
    while at < bytes.len() && bytes[at] != b'>' {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' | b'/' => {
                if !after_equals {
                    attrs += 1;
                    if cut.is_none() && attrs > MAX_ATTRS && at >= fed {
                        cut = Some(at);
                    }
                }
            }
            b'=' => after_equals = true,
            quote @ (b'"' | b'\'') if after_equals => {
                after_equals = false;
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1;
                }
            }
            _ => after_equals = false,
        }
        at += 1;
    }
    (cut, at.min(bytes.len()))
}

/// A token sink between tokenizer and tree builder.
struct Guard {
    builder: TreeBuilder<u32, ArenaSink>,
    input: Rc<BufferQueue>,
    /// Bytes fed so far.
    fed: Cell<usize>,
    /// Where the last tag ended, in bytes fed.
    after_tag: Cell<usize>,
    /// No token came from the current chunk.
    quiet: Cell<bool>,
    /// The page has too many nodes: the rest is passed over.
    full: Cell<bool>,
    /// Upper bound of open elements: as counted, plus all made since.
    counted: Cell<usize>,
    nodes_when_counted: Cell<usize>,
    dropped_tags: Cell<usize>,
    /// Dropped start tags whose end tags are still to be dropped.
    dropped: RefCell<HashMap<LocalName, usize>>,
}

impl Guard {
    fn new(builder: TreeBuilder<u32, ArenaSink>, input: Rc<BufferQueue>) -> Self {
        Guard {
            builder,
            input,
            fed: Cell::new(0),
            after_tag: Cell::new(0),
            quiet: Cell::new(true),
            full: Cell::new(false),
            counted: Cell::new(0),
            nodes_when_counted: Cell::new(0),
            dropped_tags: Cell::new(0),
            dropped: RefCell::default(),
        }
    }

    /// Notes where in the input a tag has just ended.
    fn note_position(&self) {
        let left = self.input.peek_front_chunk_mut().map_or(0, |t| t.len());
        self.after_tag.set(self.fed.get() - left);
    }

    /// Returns true if the stack of open elements is at its limit. Counts only when the
    /// nodes made since the last count could have reached it.
    fn at_depth_limit(&self) -> bool {
        let nodes = self.builder.sink.nodes();
        let bound = self.counted.get() + (nodes - self.nodes_when_counted.get());
        if bound < MAX_DEPTH {
            return false;
        }
        let count = Count(Cell::new(0));
        self.builder.trace_handles(&count);
        self.counted.set(count.0.get());
        self.nodes_when_counted.set(nodes);
        count.0.get() >= MAX_DEPTH
    }

    /// Returns true if a tag is to be dropped, to keep the tree at its depth.
    fn drops(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                if is_void(&tag.name) || !self.at_depth_limit() {
                    return false;
                }
                self.dropped_tags.set(self.dropped_tags.get() + 1);
                *self
                    .dropped
                    .borrow_mut()
                    .entry(tag.name.clone())
                    .or_default() += 1;
                true
            }
            TagKind::EndTag => {
                if self.dropped_tags.get() == 0 {
                    return false;
                }
                match self.dropped.borrow_mut().get_mut(&tag.name) {
                    Some(open) if *open > 0 => {
                        *open -= 1;
                        true
                    }
                    _ => false,
                }
            }
        }
    }
}

/// Counts the handles that a tree builder holds: its open elements, formatting
/// elements and a few more.
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = u32;

    fn trace_handle(&self, _: &u32) {
        self.0.set(self.0.get() + 1);
    }
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        &**name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

impl TokenSink for Guard {
    type Handle = u32;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<u32> {
        if !matches!(token, Token::ParseError(_)) {
            self.quiet.set(false);
        }
        if self.full.get() && !matches!(token, Token::EOFToken) {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token {
            self.note_position();
            if self.drops(tag) {
                return TokenSinkResult::Continue;
            }
        }
        let result = self.builder.process_token(token, line);
        if self.builder.sink.nodes() > FREE_NODES + NODES_PER_BYTE * self.fed.get() {
            self.full.set(true);
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
