//! Boilerpipe's ArticleExtractor: Kohlschütter, Fankhauser & Nejdl, *Boilerplate
//! Detection using Shallow Text Features*, WSDM 2010.
//!
//! Takes a [`Page`](forest_html::page::Page), gives the [`Mask`] of its article's text nodes. The body is divided into
//! text blocks at every tag that is not inline. A decision tree classifies each block by the
//! words and the link density of itself, the block before and the block after. Content blocks
//! are joined; the largest group is the article, together with the groups between it and the
//! title. The chain is that of boilerpipe 1.1, in this order:
//!
//! | filter of boilerpipe | here |
//! | --- | --- |
//! | `TerminatingBlocksFinder` | marks "12 comments" and the like |
//! | `DocumentTitleMatchClassifier` | marks blocks that are the page's title or its longest part |
//! | `NumWordsRulesClassifier` | the decision tree over numbers of words |
//! | `IgnoreBlocksAfterContentFilter` | nothing after an end mark, if 60 words of full text came before it |
//! | `BlockProximityFusion` | the one block before content is content |
//! | `BoilerplateBlockFilter`, `BlockProximityFusion` | content blocks with at most one other between them are one group |
//! | `KeepLargestBlockFilter` | the group with the most words |
//! | `ExpandTitleToContentFilter` | and the groups before it from the title on |
//!
//! A text block is the text between two tags that are not inline. Inline are `b`,
//! `code`, `em`, `font`, `i`, `span`, `strike`, `strong`, `sub`, `sup`, `tt`, `u`,
//! `var` and comments; `a`, `abbr` and `acronym` end a word, but no block. Nothing
//! below `applet`, `embed`, `object`, `option`, `title` and what the page stage
//! does not call content is read. The rules are trained on English news.
//!
//! One pass over the page, then a few over its blocks; no block has a string of
//! its own.
//!
//! **Departures** from boilerpy3 1.0.7, the port of boilerpipe to Python that the
//! rules are compared with. Fed with the events of our trees, it keeps the same
//! letters and digits on all but 22 of 1,649 pages of eight collections, and the
//! mean F1 of no collection differs by more than 0.001; the 22 are due to the
//! first two points.
//!
//! - The title is compared with blocks after white space is folded, and is the first `title`
//!   with text instead of the last. On 16 pages this finds a headline that the port does not
//!   find; on no page it is the other way round.
//! - A `title` element in the body is no text, as in browsers (6 pages).
//! - Two end marks of boilerpipe that the port lost by an encoding error are included:
//!   "© Reuters" and "rätta artikeln" (no effect measured).
//! - The tree is html5ever's. The port reads the tokens of a tokenizer. It ignores `<br/>`,
//!   `<img/>` and other self-closed tags, which are block borders here and in the Java
//!   original. It has no result for pages without a `body` tag and for some that it fails
//!   on. It skips the rest of the page after an `embed` or `option` that is not closed, and
//!   takes all text for links after a stray `</a>`. Mean F1 of the port and here, if the port
//!   parses the pages itself: `big9`
//!   0.941 and 0.951, `cleanportaleval` 0.961 and 0.961, `dragnet` 0.792 and
//!   0.787, `feeds` 0.825 and 0.817; and where it lost 5 of 35 and 14 of 39 pages:
//!   `fundus_eval` 0.653 and 0.844, `l3s_gn1` 0.594 and 0.968. Not English:
//!   `daniel` 0.792 and 0.863, `xmu_zh` 0.928 and 0.913.
//! - The result is a mask: white space is the page's own, where boilerpipe puts a
//!   space around each link.
//! - Letters are Rust's: combining marks that are alphabetic do not end a word
//!   (no effect on English).
//!
//! The later filters of boilerpipe 1.2 (trailing headlines, same tag level, lists
//! at the end) are not in boilerpy3's chain and not here.

mod block;
mod rules;
#[cfg(test)]
mod tests;
mod title;
mod words;

use block::TextBlock;
use forest_html::page::view::View;
use forest_html::page::{Kind, Mask, NodeId};
use title::PotentialTitles;

/// The text nodes of a page's article.
///
/// ```
/// use forest_core::baseline::boilerpipe;
/// use forest_html::page::{Page, View};
///
/// let page = Page::from_html(
///     "<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>
///      <h1>Rules</h1>
///      <p>A block with more than sixteen words is content, if not more
///      than a third of its words are links.</p>
///      <ul><li><a href=/imprint>Imprint</a></ul>",
/// );
/// let mask = boilerpipe::article(&View::whole(&page));
/// let text: String = mask.texts(&page).map(|n| page.text(n)).collect();
/// assert!(text.contains("A block") && !text.contains("Home") && !text.contains("Imprint"));
/// ```
pub fn article(view: &View<'_>) -> Mask {
    let page = view.page();
    let blocks = labelled_blocks(view);
    let mut mask = Mask::none(page);
    for block in content(blocks) {
        for n in (block.first.0..=block.last.0).map(NodeId) {
            if page.kind(n) == Kind::Text && view.has_text(n) {
                mask.keep(n);
            }
        }
    }
    mask
}

/// The blocks of a page with the labels that need their text.
fn labelled_blocks(view: &View<'_>) -> Vec<TextBlock> {
    let titles = PotentialTitles::of(view.page());
    let mut blocks = Vec::new();
    let mut plain = String::new();
    block::text_blocks(view, |mut block, text| {
        let may_be_title = titles.have_words(block.words);
        let may_end = rules::may_terminate(block.words);
        if may_be_title || may_end {
            fold_lower(text, &mut plain);
            block.is_title = may_be_title && titles.contain(&plain);
            block.ends_text = may_end && rules::terminates(&plain);
        }
        blocks.push(block);
    });
    blocks
}

/// The blocks that belong to the article.
fn content(mut blocks: Vec<TextBlock>) -> impl Iterator<Item = TextBlock> {
    rules::classify_by_num_words(&mut blocks);
    rules::ignore_after_end(&mut blocks);
    rules::join_preceding(&mut blocks);
    let groups = rules::join_near(&blocks);
    let kept = rules::keep_largest_from_title(&groups);
    let range = match kept {
        [first, .., last] => first.blocks.start..last.blocks.end,
        [only] => only.blocks.clone(),
        [] => 0..0,
    };
    blocks.truncate(range.end);
    blocks
        .into_iter()
        .skip(range.start)
        .filter(|b| b.is_content)
}

/// `text` in lower case with single spaces, in a buffer that is used again.
fn fold_lower(text: &str, out: &mut String) {
    out.clear();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.is_ascii() {
        out.make_ascii_lowercase();
    } else {
        *out = out.to_lowercase();
    }
}
