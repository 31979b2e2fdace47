//! The part of a page's source that a reader of a few of its elements needs.
//!
//! Takes a source and the elements that are wanted ([`WantedElements`]); gives the source without
//! the elements in which none is wanted ([`cut`]). The tree of what is left is the tree of the
//! whole, but for these: a wanted element has its whole subtree and its ancestors, with their
//! attributes. So a condition on an element's name, attributes and ancestors holds in both trees
//! or in neither.
//!
//! An element loses its contents alone, and keeps its tags, if conditions ask for siblings or
//! places, or if other elements stand where they do because of it: its tag ends another element,
//! begins the body, or opens formatting elements again. So does a form, to which the tree
//! builder points.
//!
//! - `wanted`: the elements that are wanted, and the reasons why nothing is cut.
//! - `scan`: tags, comments and raw text, as the tokenizer reads them, without tokens.
//! - `stack`: the open elements, as the tree builder has them.
//! - `cut`: what is left out, and what stands for it.
//! - `kind`: how the tree builder treats an element.
//! - `tags`, `attributes`: what a tag may be by its name and attributes.
//!
//! **Metadata.** The elements from which they are read are always wanted. Those that may be
//! bylines are where they are [asked for](BylineUse): by their attributes, or because their
//! text may begin as one. A longer text is no byline, so they are cut like others if they have
//! one. What is cut leaves a comment ([`CutMark`]) with the number of its nodes: an element with
//! one in it is longer than it looks, and no byline ([`Page::is_cut`]), and bylines with many
//! nodes between them are not of one article ([`Page::place`]).
//!
//! **Refused** ([`Uncut`]): sources whose tree the scan cannot be sure of. It follows
//! the open elements as section 13.2.6 of the HTML standard does, but keeps no list of active
//! formatting elements: while one is open that its parent's end tag did not close, nothing is
//! cut that has formatting elements in it. It refuses frames, `plaintext`, HTML in SVG and
//! MathML, table parts in `template`, tags and comments without an end, NUL.

mod attributes;
mod cut;
mod kind;
mod scan;
mod stack;
mod tags;
mod wanted;

pub use wanted::Uncut;
pub(crate) use wanted::{
    BylineUse, ElementCondition, WantedAttribute, WantedElement, WantedElements, WantedRole,
};

use super::binary::BinaryKind;
use super::tokenize::{has_nul, normalized};
use super::{Mask, Page, PageWarning, Scripting, Source, charset};
pub(super) use cut::CutMark;
use cut::KeptSource;
use scan::{PROSE_BYTES, Scan, ScannedSource};
use std::borrow::Cow;

/// The source without the contents of elements in which nothing is wanted, and the bytes of its
/// prose; `url` is the page's.
fn cut(
    source: &str,
    wanted: &WantedElements,
    bylines: BylineUse,
    url: Option<&str>,
) -> Result<(String, usize), Uncut> {
    if has_nul(source) {
        return Err(Uncut::Unsure("NUL"));
    }
    let text = &*normalized(source);
    let scan = Scan::new(text, wanted, bylines, url.unwrap_or_default());
    let ScannedSource { cuts, prose_bytes } = scan.run()?;
    let mut kept = KeptSource::new(text);
    for cut in &cuts {
        kept.leave_out(cut);
    }
    Ok((kept.finish(), prose_bytes))
}

impl Page {
    /// [`parse_within`](Self::parse_within) of the part of the source that the wanted elements
    /// and the metadata need.
    pub(crate) fn parse_slice(
        bytes: &[u8],
        source: Source<'_>,
        limit: usize,
        (wanted, bylines): (&WantedElements, BylineUse),
        edit: impl FnOnce(Cow<'_, str>) -> Cow<'_, str>,
    ) -> Result<Page, Uncut> {
        if bytes.len() > limit {
            return Err(Uncut::Bounded);
        }
        if BinaryKind::of_no_page(bytes).is_some() {
            return Err(Uncut::Unsure("it is no HTML"));
        }
        let decoded = charset::decode(bytes, source.content_type);
        let html = edit(decoded.text);
        let (kept, prose_bytes) = cut(&html, wanted, bylines, source.url)?;
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
        page.cuts = CutMark::all(&page);
        page.source_bytes = html.len();
        page.charset = decoded.charset;
        page.url = source.url.map(str::to_owned);
        page.prose_bytes = Some(prose_bytes);
        Ok(page)
    }

    /// The share of the page's prose that a text has, 0 to 1; 1 if there is none. Of a sliced
    /// page that of its whole source.
    pub(crate) fn share_of_prose(&self, text: &Mask) -> f64 {
        let prose = |n| Some(self.text(n).len()).filter(|&bytes| bytes >= PROSE_BYTES);
        let own: usize = text.texts(self).filter_map(prose).sum();
        let all = self.prose_bytes.unwrap_or_else(|| {
            let shown = self.content_texts(self.root());
            shown.filter_map(prose).sum()
        });
        let all = all.max(own);
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
        let wanted = WantedElements {
            elements: vec![WantedElement {
                condition: ElementCondition {
                    tag: Some("article".into()),
                    attributes: Vec::new(),
                },
                within: Vec::new(),
                role: WantedRole::Text,
            }],
            ask_siblings: false,
        };
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

    /// The names of the elements of a page from its body on, and `-` for what was cut.
    fn shape(html: &str, ask_siblings: bool) -> String {
        let element = |tag: &str, role| WantedElement {
            condition: ElementCondition {
                tag: Some(tag.into()),
                attributes: Vec::new(),
            },
            within: Vec::new(),
            role,
        };
        let wanted = WantedElements {
            elements: vec![
                element("article", WantedRole::Text),
                element("time", WantedRole::Field),
            ],
            ask_siblings,
        };
        let source = Source::default();
        let wanted = (&wanted, BylineUse::Cut);
        let page = Page::parse_slice(html.as_bytes(), source, html.len(), wanted, |text| text)
            .expect("nothing is unsure");
        let body = page.body().expect("a body");
        let names = page.subtree(body).skip(1).filter_map(|n| {
            let is_mark = page.cuts.iter().any(|cut| cut.mark == n);
            let name = page.tag(n).map(|tag| tag.to_string());
            name.or(is_mark.then(|| "-".to_owned()))
        });
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn elements_go_with_their_tags_and_leave_one_mark() {
        let html = "<!doctype html><body><nav><a href=/x>A</a></nav> <img src=i> <style>b</style>\
                    <div><p>c</p></div><article><p>d</p></article><hr><section><i>e</i></section>";
        assert_eq!(shape(html, false), "- article p -");
        assert_eq!(
            shape(html, true),
            "nav - img style div - article p hr section -"
        );
        // Without its tag nobody knows where the body begins, and a style may be the head's.
        let html = html.replace("<body>", "");
        assert_eq!(
            shape(&html, false),
            "nav - img - div - article p hr section -"
        );
    }

    #[test]
    fn what_changes_the_tree_keeps_its_tags() {
        let check = |inner: &str, expected: &str| {
            let html = format!("<!doctype html><body>{inner}<article><p>d</p></article>");
            assert_eq!(
                shape(&html, false),
                format!("{expected} article p"),
                "{inner}"
            );
        };
        check("<p>a<div><i>b</i></div>c", "p div -");
        check("<ul><li>a<li><i>b</i></li></ul>", "-");
        check(
            "<section><time>1</time><p>a<p><i>b</i></p></section>",
            "section time p p -",
        );
        check(
            "<section><time>1</time><p>a</p><p><i>b</i></p></section>",
            "section time -",
        );
        check("<p><b>a</p><span>c</span></b>", "p b b span -");
        check(
            "<section><form><i>a</i></form><time>1</time></section>",
            "section form - time",
        );
        check(
            "<table><td><time>1</time><td><i>b</i></td></table>",
            "table tbody tr td time td -",
        );
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
