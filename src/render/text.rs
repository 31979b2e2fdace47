//! The text of what is kept.

use super::shown::{Region, is_unread};
use crate::page::plain::breaks_line;
use crate::page::{Kind, Mask, NodeId, Page};
use html5ever::local_name;

/// The text of the kept text nodes in document order, a line a block.
///
/// - A block element, a `br`, a row of a table and a list item end a line; cells
///   of a row are parted by a tab, unless there are blocks inside of them. There
///   are no empty lines: what parts paragraphs is one line break, as in a
///   file with a paragraph a line.
/// - Inline elements glue as the source does: `<b>a</b>b` is `ab`.
/// - White space is folded to single spaces, the no-break space too; a `pre`
///   keeps its lines and its spaces.
/// - The text of the head, of form controls, of SVG pictures and of what a browser shows only
///   where it cannot play a `video` is left out: it is the page's apparatus, not
///   the article's text. `alt` is no text either. A `button` in a heading and what
///   is hidden are text.
///
/// At most one character (a line break, a tab or a space) stands before each run
/// of characters without white space, so that the text is never longer than
/// twice the page's character data.
///
/// ```
/// use forest::render::text;
/// use forest::page::{Mask, Page};
///
/// let page = Page::from_html("<p>One <b>two</b>.<br>Three</p>\n<table><tr><td>a<td>b</table>");
/// assert_eq!(text(&page, &Mask::all(&page)), "One two.\nThree\na\tb");
/// ```
pub fn text(page: &Page, body: &Mask) -> String {
    match Region::of(page, body) {
        Some(region) => region_text(page, body, region),
        None => String::new(),
    }
}

/// The text of the kept nodes of a region.
pub(crate) fn region_text(page: &Page, body: &Mask, region: Region) -> String {
    let mut writer = TextWriter::default();
    let mut at = region.start.0;
    let mut breaks = Breaks::around(page, region.start);
    while at < region.end.0 {
        let n = NodeId(at);
        at += 1;
        while let Some(ended) = breaks.pop_ended(n) {
            writer.ended(ended);
        }
        match page.kind(n) {
            Kind::Text if body.contains(n) && page.is_content(n) => writer.push(page.text(n)),
            Kind::Element if !page.is_content(n) || is_unread(page, n) => at = page.end(n).0,
            Kind::Element => {
                if let Some(open) = Break::of(page, n) {
                    writer.started(open);
                    breaks.0.push((page.end(n), open));
                }
            }
            _ => {}
        }
    }
    writer.finish()
}

/// The effect of an element on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    Block,
    Cell,
    Pre,
}

impl Break {
    fn of(page: &Page, n: NodeId) -> Option<Break> {
        let tag = page.tag(n)?;
        match *tag {
            local_name!("td") | local_name!("th") => Some(Break::Cell),
            local_name!("pre")
            | local_name!("listing")
            | local_name!("xmp")
            | local_name!("plaintext") => Some(Break::Pre),
            _ => breaks_line(tag).then_some(Break::Block),
        }
    }
}

/// Open elements that break lines, with the ends of their subtrees.
struct Breaks(Vec<(NodeId, Break)>);

impl Breaks {
    /// Those that are open where `start` begins.
    fn around(page: &Page, start: NodeId) -> Breaks {
        let mut open: Vec<_> = page
            .ancestors(start)
            .filter(|&n| n != start)
            .filter_map(|n| Break::of(page, n).map(|b| (page.end(n), b)))
            .collect();
        open.reverse();
        Breaks(open)
    }

    fn pop_ended(&mut self, n: NodeId) -> Option<Break> {
        let &(end, ended) = self.0.last()?;
        (end <= n).then(|| {
            self.0.pop();
            ended
        })
    }
}

/// The gap before the next word, the stronger last.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TextGap {
    #[default]
    None,
    Space,
    Tab,
    Line,
}

/// Invariant: outside of `pre`, `out` is empty or ends in no white space.
#[derive(Debug, Default)]
struct TextWriter {
    out: String,
    gap: TextGap,
    /// The number of open `pre`.
    pre: usize,
    /// True if the open `pre` has shown a character.
    pre_began: bool,
}

impl TextWriter {
    fn started(&mut self, open: Break) {
        self.owe(open);
        if open == Break::Pre {
            self.pre += 1;
            self.pre_began = false;
        }
    }

    fn ended(&mut self, ended: Break) {
        if ended == Break::Pre {
            self.pre = self.pre.saturating_sub(1);
            if self.pre == 0 {
                self.trim();
            }
        }
        self.owe(ended);
    }

    fn owe(&mut self, what: Break) {
        let gap = match what {
            Break::Cell => TextGap::Tab,
            Break::Block | Break::Pre => TextGap::Line,
        };
        self.gap = self.gap.max(gap);
    }

    fn trim(&mut self) {
        self.out.truncate(self.out.trim_end().len());
    }

    fn pay(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if self.out.is_empty() {
            return;
        }
        match gap {
            TextGap::None => {}
            TextGap::Space => self.out.push(' '),
            TextGap::Tab => self.out.push('\t'),
            TextGap::Line => self.out.push('\n'),
        }
    }

    fn push(&mut self, text: &str) {
        if self.pre > 0 {
            return self.push_lines(text);
        }
        let mut words = text.split_whitespace();
        let Some(first) = words.next() else {
            if !text.is_empty() {
                self.gap = self.gap.max(TextGap::Space);
            }
            return;
        };
        if text.starts_with(char::is_whitespace) {
            self.gap = self.gap.max(TextGap::Space);
        }
        self.pay();
        self.out.push_str(first);
        for word in words {
            self.out.push(' ');
            self.out.push_str(word);
        }
        if text.ends_with(char::is_whitespace) {
            self.gap = TextGap::Space;
        }
    }

    /// Text of a `pre`: as it is, without the empty lines at its beginning.
    fn push_lines(&mut self, text: &str) {
        let mut kept = text;
        if !self.pre_began {
            let Some(first) = text.find(|c: char| !c.is_whitespace()) else {
                return;
            };
            kept = &text[text[..first].rfind('\n').map_or(0, |at| at + 1)..];
            self.pre_began = true;
        }
        if self.gap != TextGap::None {
            self.trim();
            self.pay();
        }
        self.out.push_str(kept);
    }

    fn finish(mut self) -> String {
        self.trim();
        self.out
    }
}
