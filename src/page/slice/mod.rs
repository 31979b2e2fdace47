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
//! **Metadata.** The elements from which they are read are always wanted. Those that may be
//! bylines are where they are [asked for](BylineUse): by their attributes, or because their
//! text may begin as one. A longer text is no byline, so they are cut like others if they have
//! one. Each cut leaves a comment ([`MARK`]): an element with one in it is longer than it looks,
//! and no byline ([`Page::is_cut`]).
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
pub(crate) use wanted::{BylineUse, WantedElement, WantedRole};

use super::tokenize::{Input, SourceEnd};
use super::{Kind, Mask, NodeId, Page, PageWarning, Scripting, Source, charset};
use cut::{Cut, MARK};
use scan::{PROSE_BYTES, Scan, ScannedSource};
use std::borrow::Cow;

/// The source without the contents of elements in which nothing is wanted, and the bytes of its
/// prose; `url` is the page's.
fn cut(
    input: &Input,
    wanted: &[WantedElement],
    bylines: BylineUse,
    url: Option<&str>,
) -> Result<(String, usize), Uncut> {
    if input.has_nul() {
        return Err(Uncut::Unsure("NUL"));
    }
    let text = input.text();
    let scan = Scan::new(text, wanted, bylines, url.unwrap_or_default());
    let ScannedSource { cuts, prose_bytes } = scan.run()?;
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
    Ok((kept, prose_bytes))
}

impl Page {
    /// [`parse_within`](Self::parse_within) of the part of the source that the wanted elements
    /// and the metadata need.
    pub(crate) fn parse_slice(
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        (wanted, bylines): (&[WantedElement], BylineUse),
        edit: impl FnOnce(Cow<'_, str>) -> Cow<'_, str>,
    ) -> Result<Page, Uncut> {
        if bytes.len() > limit {
            return Err(Uncut::Bounded);
        }
        let decoded = charset::decode(bytes, source.content_type);
        let html = edit(decoded.text);
        let mut input = Input::default();
        input.push(&html, SourceEnd::Here);
        let (kept, prose_bytes) = cut(&input, wanted, bylines, source.url)?;
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
        page.prose_bytes = prose_bytes;
        Ok(page)
    }

    /// The share of the prose of a sliced page's whole source that a text has, 0 to 1; 1 if
    /// there is none.
    pub(crate) fn share_of_prose(&self, text: &Mask) -> f64 {
        let texts = text.texts(self).map(|n| self.text(n).len());
        let own: usize = texts.filter(|&bytes| bytes >= PROSE_BYTES).sum();
        let all = self.prose_bytes.max(own);
        if all == 0 {
            1.0
        } else {
            own as f64 / all as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<!doctype html><title>T</title><p class=byline>By Jane Doe</p><nav><a href=/x>News of today         and of yesterday</a></nav><article><p>It rained for nine days, and on the tenth the keeper of the lighthouse         put on his hat again.</p></article><div><p>The other paper of the town says that it was eight days, and         that nobody had a hat.</p></div>";

    fn parsed(bylines: BylineUse) -> Page {
        let wanted = [WantedElement {
            tag: Some("article".into()),
            attributes: Vec::new(),
            role: WantedRole::Text,
        }];
        let source = Source::default();
        Page::parse_slice(
            HTML.as_bytes(),
            source,
            HTML.len(),
            (&wanted, bylines),
            |text| text,
        )
        .expect("nothing is unsure")
    }

    #[test]
    fn bylines_are_there_where_they_are_asked_for() {
        let text = |bylines| {
            let page = parsed(bylines);
            page.text(page.root()).to_owned()
        };
        assert!(text(BylineUse::Kept).contains("Jane Doe"));
        let cut = text(BylineUse::Cut);
        assert!(!cut.contains("Jane Doe") && cut.contains("rained"), "{cut}");
    }

    #[test]
    fn prose_that_is_cut_is_counted() {
        let page = parsed(BylineUse::Cut);
        assert!(!page.text(page.root()).contains("other paper"));
        let share = page.share_of_prose(&Mask::all(&page));
        assert!((0.45..0.55).contains(&share), "{share}");
        assert_eq!(page.share_of_prose(&Mask::none(&page)), 0.0);
        let whole = Page::from_html(HTML);
        assert_eq!(whole.share_of_prose(&Mask::all(&whole)), 1.0);
    }
}
