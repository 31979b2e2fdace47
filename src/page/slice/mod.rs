//! The part of a page's source that a reader of a few of its elements needs.
//!
//! Takes a source and the elements that are wanted ([`WantedElement`]); gives the source without
//! the contents of elements in which none is wanted ([`cut`]). The tree of what is left is the
//! tree of the whole, but for these contents: a wanted element has its whole subtree, its
//! ancestors and all their children, with their attributes and in their order. So a condition on
//! an element's name, attributes, ancestors or siblings holds in both trees or in neither.
//!
//! - `wanted`: the elements that are wanted, and the reasons why nothing is cut.
//! - `scan`: tags, comments and raw text, as the tokenizer reads them, without tokens.
//! - `stack`: the open elements, as the tree builder has them.
//! - `cut`: what is left out, and what stands for it.
//! - `kind`: how the tree builder treats an element.
//!
//! **Metadata.** The elements from which they are read are always wanted, and those that may be
//! bylines: by their attributes, or because their text may begin as one. A longer text is no
//! byline, so they are cut like others if they have one. Each cut leaves a comment ([`MARK`]):
//! an element with one in it is longer than it looks, and no byline
//! ([`Page::is_cut`]).
//!
//! **Refused** ([`Uncut`]): sources whose tree the scan cannot be sure of. It follows
//! the open elements as section 13.2.6 of the HTML standard does, but keeps no list of active
//! formatting elements: while one is open that its parent's end tag did not close, nothing is
//! cut that has formatting elements in it. It refuses frames, `plaintext`, HTML in SVG and
//! MathML, table parts in `template`, tags and comments without an end, NUL.

mod cut;
mod kind;
mod scan;
mod stack;
mod wanted;

pub use wanted::Uncut;
pub(crate) use wanted::{WantedElement, WantedRole};

use super::tokenize::{Input, SourceEnd};
use super::{Kind, NodeId, Page, PageWarning, Scripting, Source, charset};
use cut::{Cut, MARK};
use scan::Scan;
use std::borrow::Cow;

/// The source without the contents of elements in which nothing is wanted; `url` is the page's.
fn cut(input: &Input, wanted: &[WantedElement], url: Option<&str>) -> Result<String, Uncut> {
    if input.has_nul() {
        return Err(Uncut::Unsure("NUL"));
    }
    let text = input.text();
    let cuts = Scan::new(text, wanted, url.unwrap_or_default()).run()?;
    let mut kept = String::with_capacity(text.len() / 2);
    let mut from = 0;
    for Cut { mark, start, end } in cuts {
        kept.push_str(&text[from..mark]);
        kept.push_str("<!--");
        kept.push_str(MARK);
        kept.push_str("-->");
        kept.push_str(&text[mark..start]);
        from = end;
    }
    kept.push_str(&text[from..]);
    Ok(kept)
}

impl Page {
    /// [`parse_within`](Self::parse_within) of the part of the source that the wanted elements
    /// and the metadata need.
    pub(crate) fn parse_slice(
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        wanted: &[WantedElement],
        edit: impl FnOnce(Cow<'_, str>) -> Cow<'_, str>,
    ) -> Result<Page, Uncut> {
        if bytes.len() > limit {
            return Err(Uncut::Bounded);
        }
        let decoded = charset::decode(bytes, source.content_type);
        let html = edit(decoded.text);
        let mut input = Input::default();
        input.push(&html, SourceEnd::Here);
        let kept = cut(&input, wanted, source.url)?;
        let mut warnings = Vec::new();
        if decoded.malformed {
            let charset = decoded.charset;
            warnings.push(PageWarning::Malformed { charset });
        }
        let found = warnings.len();
        let mut page = Page::from_decoded(&kept, Scripting::On, warnings);
        if page.warnings.len() > found {
            return Err(Uncut::Bounded);
        }
        let is_mark = |n: &NodeId| page.kind(*n) == Kind::Comment && page.note(*n) == MARK;
        page.cuts = page.nodes().filter(is_mark).collect();
        page.source_bytes = html.len();
        page.charset = decoded.charset;
        page.url = source.url.map(str::to_owned);
        Ok(page)
    }
}
