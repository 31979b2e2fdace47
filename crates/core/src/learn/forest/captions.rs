//! Captions: words of a picture, no part of the text.
//!
//! Publishers' pages and the right texts of collections disagree about captions, so a model
//! that learns from both is unsure of each of them, and a template would keep them all. Here
//! they have one convention: they belong to the picture, in the images, the HTML and the
//! Markdown of an article. They are text where the feed has them as text, and on a page whose
//! article is nothing but captions.

use crate::onepage::{BlockScores, ScoredBlock};
use forest_html::page::{NodeId, Page};
use html5ever::local_name;

/// Parts of the names of elements that hold a caption or the credit of a picture.
const NAMES: [&str; 3] = ["caption", "credit", "cutline"];

/// Elements around a block that are looked at.
const AROUND: usize = 4;

/// Bytes of an element's text up to which its name makes it a caption: what is longer may be
/// an article with one.
const MAX_BYTES: usize = 1000;

/// The share of its probability that a caption keeps.
const OF_CAPTION: f32 = 0.3;

/// Share of an article's words in captions above which the captions are the article.
const PHOTO_STORY: f32 = 0.5;

/// Lowers the probabilities of the blocks that are captions, but for those that are text
/// for sure.
pub(super) fn lower(
    page: &Page,
    scores: &BlockScores,
    probabilities: &mut [f32],
    is_text: impl Fn(&ScoredBlock) -> bool,
) {
    let words = |at: usize| scores.blocks[at].words * probabilities[at];
    let blocks = 0..probabilities.len();
    let is_caption = |&at: &usize| is_caption(page, scores.blocks[at].span.0);
    let captions: Vec<usize> = blocks.clone().filter(is_caption).collect();
    let of_captions: f32 = captions.iter().map(|&at| words(at)).sum();
    if of_captions > PHOTO_STORY * blocks.map(words).sum::<f32>() {
        return;
    }
    for at in captions {
        if !is_text(&scores.blocks[at]) {
            probabilities[at] *= OF_CAPTION;
        }
    }
}

/// True for a node in a `figcaption` or in a short element with the name of a caption.
fn is_caption(page: &Page, n: NodeId) -> bool {
    page.ancestors(n).take(AROUND).any(|up| {
        page.is(up, &local_name!("figcaption")) || has_name(page, up) && is_short(page, up)
    })
}

fn has_name(page: &Page, n: NodeId) -> bool {
    let values = ["class", "id"].into_iter().filter_map(|a| page.attr(n, a));
    let mut values = values.map(str::to_ascii_lowercase);
    values.any(|value| NAMES.iter().any(|name| value.contains(name)))
}

fn is_short(page: &Page, n: NodeId) -> bool {
    let texts = page.content_texts(n).map(|text| page.text(text).len());
    let mut bytes = texts.scan(0, |sum, bytes| {
        *sum += bytes;
        Some(*sum)
    });
    bytes.all(|bytes| bytes <= MAX_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onepage::BlockModel;

    /// The texts of the blocks that are lowered, where all are as likely and `sure` is text.
    fn check(html: &str, sure: &str, expected: &[&str]) {
        let page = Page::from_html(html);
        let scores = BlockScores::of(&page, BlockModel::shipped());
        let text = |block: &ScoredBlock| page.text(block.span.0).trim().to_owned();
        let mut probabilities = vec![1.0; scores.blocks.len()];
        lower(&page, &scores, &mut probabilities, |block| {
            text(block) == sure
        });
        let lowered = scores
            .blocks
            .iter()
            .zip(probabilities)
            .filter(|(_, p)| *p < 1.0);
        let lowered: Vec<String> = lowered.map(|(block, _)| text(block)).collect();
        assert_eq!(lowered, expected, "{html}");
    }

    const STORY: &str =
        "<p>It rained for nine days, and on the tenth the river was in the cellar.</p>";

    #[test]
    fn figcaptions_and_elements_named_so_are_lowered() {
        let figure = "<figure><img src=a><figcaption><p>The old mill</figcaption></figure>";
        check(&format!("{STORY}{figure}"), "", &["The old mill"]);
        let named = "<div class=PhotoCaption><p>The old mill</p><i id=credit2>Jane</i></div>";
        check(&format!("{STORY}{named}"), "", &["The old mill", "Jane"]);
        check(&format!("{STORY}<p class=note>The old mill"), "", &[]);
    }

    #[test]
    fn text_of_the_feed_long_elements_and_photo_stories_are_not() {
        let caption = "<figcaption>The old mill</figcaption>";
        check(&format!("{STORY}{caption}"), "The old mill", &[]);
        let long = format!("<div class=with-caption>{}</div>", STORY.repeat(20));
        check(&format!("{}{long}", STORY.repeat(30)), "", &[]);
        check(&format!("{caption}<p>Two words"), "", &[]);
    }
}
