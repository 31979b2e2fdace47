//! Items that join their introductory clause (section 3.2.3).

use super::trigger::ends_in_trigger;
use crate::prose::TextOptions;
use crate::prose::segment::{
    Ending, comma_of, end, is_colon, is_comma, is_conjunction, is_direction, is_ended,
    is_unspaced_end,
};
use forest_html::text::Language;
use forest_html::text::sentence::sentences;

/// Characters of an introduction that is repeated, at the most. A longer one is no clause,
/// and repeating it would multiply the text.
const MAX_INTRODUCTION_CHARS: usize = 400;

/// The form in which a list's items become sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::prose) enum FlattenStyle {
    /// One sentence of all items.
    Short,
    /// A sentence an item.
    Long,
    /// The introduction again with each item.
    Repeated,
}

/// The text block before a list, split into its last sentence without the colon and the
/// text before that sentence.
#[derive(Debug, Clone, Copy)]
pub(in crate::prose) struct Introduction<'t> {
    /// The whole block.
    pub text: &'t str,
    before: &'t str,
    clause: &'t str,
}

impl<'t> Introduction<'t> {
    /// `None` if the text does not end in a colon or has no words before it.
    pub fn of(text: &'t str, language: Language) -> Option<Introduction<'t>> {
        let shown = text.trim_end_matches(|c| is_direction(c) || c == ' ');
        let introduction = shown.strip_suffix([':', '：'])?.trim_end();
        let clause = sentences(introduction, &[], language).pop()?;
        let before = introduction.strip_suffix(clause).unwrap_or_default();
        clause
            .contains(char::is_alphanumeric)
            .then_some(Introduction {
                text: shown,
                before: before.trim_end(),
                clause,
            })
    }
}

/// The style of a list. `lengths` are those of its items with text; `has_blocks` is true
/// if one of them has several blocks.
pub(in crate::prose) fn style(
    introduction: &Introduction<'_>,
    lengths: &mut [u32],
    has_blocks: bool,
    language: Language,
    options: &TextOptions,
) -> FlattenStyle {
    let can_be_repeated = options.repeat_introduction
        && introduction.clause.chars().count() <= MAX_INTRODUCTION_CHARS;
    if can_be_repeated && ends_in_trigger(introduction.clause, language) {
        return FlattenStyle::Repeated;
    }
    if !has_blocks && twice_the_median(lengths) < 2 * options.short_item_chars as u64 {
        FlattenStyle::Short
    } else {
        FlattenStyle::Long
    }
}

/// Twice the median: of an even number the sum of the two in the middle.
fn twice_the_median(lengths: &mut [u32]) -> u64 {
    if lengths.is_empty() {
        return 0;
    }
    let middle = lengths.len() / 2;
    let is_even = lengths.len().is_multiple_of(2);
    let (below, upper, _) = lengths.select_nth_unstable(middle);
    let upper = u64::from(*upper);
    match below.iter().max() {
        Some(&lower) if is_even => upper + u64::from(lower),
        _ => 2 * upper,
    }
}

/// Writes an introduction and its list. `items` are the texts of the items that have
/// text. The introduction is repeated until `budget`, in bytes, is used up; then the
/// items follow as sentences.
pub(in crate::prose) fn flatten<'i>(
    introduction: &Introduction<'_>,
    style: FlattenStyle,
    items: impl Iterator<Item = &'i str>,
    lowers: bool,
    budget: &mut usize,
    out: &mut String,
) {
    let start = out.len();
    match style {
        FlattenStyle::Short | FlattenStyle::Long => out.push_str(introduction.text),
        FlattenStyle::Repeated => out.push_str(introduction.before),
    }
    let mut items = items.peekable();
    let mut is_first = true;
    while let Some(item) = items.next() {
        space(out, start);
        let mut item = item;
        let from = out.len();
        if style == FlattenStyle::Repeated {
            if is_first || *budget >= introduction.clause.len() {
                *budget -= introduction.clause.len().min(*budget);
                out.push_str(introduction.clause);
                space(out, start);
            }
            if items.peek().is_some() {
                item = without_conjunction(item);
            }
        }
        is_first = false;
        push_item(item, lowers && style == FlattenStyle::Repeated, out);
        match style {
            FlattenStyle::Short if items.peek().is_some() => comma(out, from),
            _ => end(out, from, Ending::Item),
        }
    }
}

/// The space between two pieces of a line, in scripts that have one.
fn space(out: &mut String, start: usize) {
    let line = &out[start..];
    if !line.is_empty() && !line.ends_with(' ') && !is_unspaced_end(line) {
        out.push(' ');
    }
}

fn push_item(item: &str, lowers: bool, out: &mut String) {
    let word = item
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let mut chars = word.chars();
    // Abbreviations, names with inner capitals and "I" keep their capital.
    let is_plain = chars.next().is_some_and(char::is_uppercase)
        && chars.clone().all(char::is_lowercase)
        && word != "I";
    if lowers && is_plain {
        let first = word.chars().next().map_or(0, char::len_utf8);
        out.extend(item[..first].chars().flat_map(char::to_lowercase));
        out.push_str(&item[first..]);
    } else {
        out.push_str(item)
    }
}

/// Adds a comma to an item, unless it ends in one of the marks that the paper allows
/// or in a conjunction behind one.
fn comma(out: &mut String, from: usize) {
    let item = &out[from..];
    let last = item.chars().next_back().unwrap_or(' ');
    let is_allowed = is_comma(last) || matches!(last, ';' | '；' | '؛') || is_ended(item);
    if is_allowed || without_conjunction(item).len() < item.len() {
        return;
    }
    let comma = comma_of(item);
    if is_colon(last) {
        out.pop();
    }
    out.push(comma);
}

/// An item without the conjunction that binds it to the next one: `; and`, `, or`.
fn without_conjunction(item: &str) -> &str {
    let Some((before, word)) = item.trim_end().rsplit_once(' ') else {
        return item;
    };
    let is_parted = before.ends_with(|c| is_comma(c) || is_colon(c));
    if is_parted && is_conjunction(word, "item-conjunctions") {
        before
    } else {
        item
    }
}
