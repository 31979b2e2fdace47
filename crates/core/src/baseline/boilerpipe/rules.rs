//! The filters of the ArticleExtractor, each under boilerpipe's name.

use super::block::TextBlock;
use std::ops::Range;

/// Words from which on a block is not an end mark (`TerminatingBlocksFinder`).
const END_MARK_WORDS: u32 = 15;

/// Words of full text before an end mark counts
/// (`IgnoreBlocksAfterContentFilter`).
const WORDS_BEFORE_END: u64 = 60;

/// Blocks that may be missing between two that are joined
/// (`BlockProximityFusion`).
const MAX_BLOCKS_BETWEEN: usize = 1;

/// `TerminatingBlocksFinder`, by words alone: true if a block may be an end mark, so that its
/// text must be compared.
pub(super) fn may_terminate(words: u32) -> bool {
    words < END_MARK_WORDS
}

/// `TerminatingBlocksFinder`: true if a short block, given in lower case with single spaces,
/// is one that follows articles. (Boilerpipe's minimum of eight characters changes nothing:
/// no mark is shorter.)
pub(super) fn terminates(text: &str) -> bool {
    let starts = [
        "comments",
        "© reuters",
        "please rate this",
        "post a comment",
    ];
    // Split at their first space: there is one search for spaces, not one for each.
    let inside = [
        ("what", "you think..."),
        ("add", "your comment"),
        ("add", "comment"),
        ("reader", "views"),
        ("have", "your say"),
        ("reader", "comments"),
        ("rätta", "artikeln"),
    ];
    let holds_mark = || {
        text.match_indices(' ').any(|(at, _)| {
            let (left, right) = (&text[..at], &text[at + 1..]);
            right.starts_with(['y', 'c', 'v', 'a'])
                && inside
                    .iter()
                    .any(|(before, after)| left.ends_with(before) && right.starts_with(after))
        })
    };
    let unnumbered = text.trim_start_matches(char::is_numeric);
    let numbered = unnumbered.len() < text.len();
    starts.iter().any(|start| text.starts_with(start))
        || (numbered
            && (unnumbered.starts_with(" comments")
                || unnumbered.starts_with(" users responded in")))
        || holds_mark()
        || text == "thanks for your comments - this feedback is now closed"
}

/// `NumWordsRulesClassifier`: marks content by the decision tree over words and
/// link density of a block and its neighbours, which was learned from news pages
/// (Kohlschütter et al. 2010). Outside the page there is an empty block.
pub(super) fn classify_by_num_words(blocks: &mut [TextBlock]) {
    let (mut previous_words, mut previous_density) = (0, 0.0);
    for at in 0..blocks.len() {
        let next_words = blocks.get(at + 1).map_or(0, |next| next.words);
        let block = &mut blocks[at];
        let density = block.link_density();
        block.is_content = density <= 0.333333
            && if previous_density <= 0.555556 {
                block.words > 16 || next_words > 15 || previous_words > 4
            } else {
                block.words > 40 || next_words > 17
            };
        (previous_words, previous_density) = (block.words, density);
    }
}

/// `IgnoreBlocksAfterContentFilter`: nothing is content from the first end mark
/// on that has enough full text before it.
pub(super) fn ignore_after_end(blocks: &mut [TextBlock]) {
    let mut words = 0;
    let mut ended = false;
    for block in blocks {
        if block.is_content && block.full_text {
            words += u64::from(block.words);
        }
        ended |= block.ends_text && words >= WORDS_BEFORE_END;
        block.is_content &= !ended;
    }
}

/// `BlockProximityFusion` over all blocks: a block before a content block is
/// joined to it and so becomes content: mostly a headline or a short line.
pub(super) fn join_preceding(blocks: &mut [TextBlock]) {
    for at in 1..blocks.len() {
        blocks[at - 1].is_content |= blocks[at].is_content;
    }
}

/// Content blocks that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The blocks from the group's first to its last; those that are no content
    /// do not belong to it.
    pub blocks: Range<usize>,
    /// Words of its blocks.
    pub words: u64,
    /// True if one of its blocks is the title.
    pub has_title: bool,
}

/// `BoilerplateBlockFilter`, then `BlockProximityFusion` over content blocks: runs
/// of content blocks with at most one other block between them.
pub(super) fn join_near(blocks: &[TextBlock]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let content = blocks.iter().enumerate().filter(|(_, b)| b.is_content);
    for (at, block) in content {
        match groups.last_mut() {
            Some(group) if at - group.blocks.end <= MAX_BLOCKS_BETWEEN => {
                group.blocks.end = at + 1;
                group.words += u64::from(block.words);
                group.has_title |= block.is_title;
            }
            _ => groups.push(Group {
                blocks: at..at + 1,
                words: u64::from(block.words),
                has_title: block.is_title,
            }),
        }
    }
    groups
}

/// `KeepLargestBlockFilter`, then `ExpandTitleToContentFilter`: the group with
/// the most words, the first of equals, and those before it from the last one
/// that has the title.
pub(super) fn keep_largest_from_title(groups: &[Group]) -> &[Group] {
    let by_words = groups.iter().enumerate().rev();
    let Some((largest, _)) = by_words.max_by_key(|(_, group)| group.words) else {
        return &[];
    };
    let title = groups[..=largest].iter().rposition(|g| g.has_title);
    &groups[title.unwrap_or(largest)..=largest]
}
