//! The feeding loop: tokenizer and tree builder, with bounds on what a page can make them do.
//!
//! html5ever's tree builder is quadratic in nesting depth, the tokenizer in the attributes of one
//! tag, and misnested formatting can multiply nodes and attributes. Four bounds keep a parse
//! linear in the page:
//!
//! - [`MAX_DEPTH`]: beyond it start tags are dropped and their end tags with
//!   them; the text stays, in the deepest element that is kept.
//! - how many attributes a tag can have, in `tokenize`.
//! - [`NODES_PER_BYTE`]: how many nodes a page can have.
//! - in `sink`, how many attributes a page can have, with their values: beyond it elements have none.

use super::sink::{ArenaSink, LinkedTree};
use super::tokenize::{Input, SourceEnd, Tokenizer};
use super::{PageWarning, Scripting, tags};
use html5ever::LocalName;
use html5ever::interface::Tracer;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Open elements at the most, as in browsers.
pub(super) const MAX_DEPTH: usize = 512;

/// Bytes of a growing source that are read at once, at the least.
const CHUNK_BYTES: usize = 8192;

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

/// Feeds a source that may still be growing.
pub(super) struct Feeder {
    input: Input,
    tokenizer: Tokenizer,
    guard: Guard,
    /// Bytes that were read.
    read: usize,
    /// Bytes that are to be there before any are read again.
    wanted: usize,
}

impl Feeder {
    pub(super) fn new(scripting: Scripting) -> Feeder {
        let options = TreeBuilderOpts {
            scripting_enabled: scripting == Scripting::On,
            ..TreeBuilderOpts::default()
        };
        Feeder {
            input: Input::default(),
            tokenizer: Tokenizer::default(),
            guard: Guard::new(TreeBuilder::new(ArenaSink::new(), options)),
            read: 0,
            wanted: CHUNK_BYTES,
        }
    }

    /// Feeds the next piece of a source. The tree is the same however it came.
    pub(super) fn feed(&mut self, piece: &str, end: SourceEnd) {
        if self.guard.full.get() {
            return;
        }
        self.input.push(piece, end);
        self.guard.builder.sink.grow(piece.len());
        if end == SourceEnd::Later && self.input.byte_count() < self.wanted {
            return;
        }
        let mut at = 0;
        while !self.guard.full.get()
            && let Some(next) = self.tokenizer.step(&self.input, at, &self.guard)
        {
            at = next;
            self.guard.read.set(self.read + at);
        }
        self.read += at;
        self.input.drop_front(at);
        // Reading a token again when twice as much of it is there keeps it linear.
        self.wanted = CHUNK_BYTES.max(2 * self.input.byte_count());
    }

    pub(super) fn finish(self, warnings: &mut Vec<PageWarning>) -> LinkedTree {
        let guard = self.guard;
        self.tokenizer.end(&guard);
        let cut = self.tokenizer.tags_cut();
        warnings.extend((0..cut).map(|_| PageWarning::TooManyAttributes));
        if guard.dropped_tags.get() > 0 {
            warnings.push(PageWarning::TooDeep {
                depth: MAX_DEPTH,
                dropped: guard.dropped_tags.get(),
            });
        }
        if guard.full.get() {
            warnings.push(PageWarning::TooManyNodes);
        }
        let links = guard.builder.sink.finish();
        if links.attributes_cut {
            warnings.push(PageWarning::TooManyAttributes);
        }
        links
    }
}

/// A token sink between tokenizer and tree builder.
struct Guard {
    builder: TreeBuilder<u32, ArenaSink>,
    /// Bytes before the token.
    read: Cell<usize>,
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
    fn new(builder: TreeBuilder<u32, ArenaSink>) -> Self {
        Guard {
            builder,
            read: Cell::new(0),
            full: Cell::new(false),
            counted: Cell::new(0),
            nodes_when_counted: Cell::new(0),
            dropped_tags: Cell::new(0),
            dropped: RefCell::default(),
        }
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
                if !self.at_depth_limit() || tags::has(&tag.name, tags::VOID) {
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

impl TokenSink for Guard {
    type Handle = u32;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<u32> {
        if self.full.get() && !matches!(token, Token::EOFToken) {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token
            && self.drops(tag)
        {
            return TokenSinkResult::Continue;
        }
        let result = self.builder.process_token(token, line);
        if self.builder.sink.nodes() > FREE_NODES + NODES_PER_BYTE * self.read.get() {
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
