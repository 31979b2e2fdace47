//! Sentences that a `br` cuts (section 3.3, figure 9), and lines that are meant.
//!
//! The paper joins sentences that an "incorrect use of the br tag" cuts, and does not
//! define the incorrect use. The rules here:
//!
//! - behind a mark that ends a sentence, the lines are joined with a space;
//! - a line that begins in lower case continues a sentence;
//! - so does a line behind a comma or a hyphen;
//! - before a capital or a digit, a line was cut if it is full: with the next word it
//!   would exceed the longest line, and the same holds for most other lines;
//! - several short lines without full stops and without such beginnings are verse or an
//!   address: all of them stay and get no full stops;
//! - other lines that stay are separate blocks.

use super::{is_colon, is_comma, is_direction};
use forest_html::page::{NodeId, Page};
use forest_html::text::WordLists;
use forest_html::text::sentence::is_terminal;
use html5ever::local_name;
use std::sync::LazyLock;

/// Characters of a line of verse or of an address at the most: a line of a hexameter
/// has some 50.
const MAX_VERSE_CHARS: usize = 60;

/// Characters of a line of an address of two lines, at the most.
const MAX_PAIR_CHARS: usize = 40;

/// Characters of the longest line from which lines are wrapped to a width: 72 and 80
/// are usual, narrow columns have some 45.
const MIN_WIDTH_CHARS: usize = 45;

/// Characters of a line in a script without capitals, from which the line is not verse.
const MIN_CASELESS_CHARS: usize = 40;

/// Characters of the longest line in Chinese or Japanese from which lines are wrapped
/// to a width; verse has 5 or 7 to a line.
const MIN_IDEOGRAPHS: usize = 15;

static WORDS: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("words.txt")));

/// Elements from a block outwards whose names are read.
const NAMED_ANCESTORS: usize = 3;

/// Bytes of such names, at the most.
const MAX_NAME_BYTES: usize = 200;

/// The kind of a block's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::prose) enum LineKind {
    /// Each line is a block.
    Blocks,
    /// Verse or an address: only the last line gets a full stop.
    Verse,
}

/// Adds the text of a block to `out`. Each `\n` of the text is a `br`; only the meant
/// ones stay. `is_verse` is true if all lines are meant; if `None`, the shape of the
/// lines decides.
pub(in crate::prose) fn mend(text: &str, is_verse: Option<bool>, out: &mut String) -> LineKind {
    let lines: Vec<LineShape<'_>> = text.split('\n').map(LineShape::of).collect();
    if is_verse.unwrap_or_else(|| looks_like_verse(&lines)) {
        out.push_str(text);
        return LineKind::Verse;
    }
    let width = width(&lines);
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            let before = &lines[i - 1];
            match between(before, line, width) {
                Some(joint) => out.push_str(joint),
                None => out.push('\n'),
            }
        }
        out.push_str(line.text);
    }
    LineKind::Blocks
}

/// Returns true if the names of a block's element, or of those around it, mean verse or
/// an address.
pub(in crate::prose) fn is_named_verse(page: &Page, node: NodeId) -> bool {
    page.ancestors(node).take(NAMED_ANCESTORS).any(|n| {
        page.is(n, &local_name!("address"))
            || ["class", "itemprop"].iter().any(|name| {
                let value = page.attr(n, name);
                value
                    .filter(|v| v.len() <= MAX_NAME_BYTES)
                    .is_some_and(|value| {
                        let words = value.split(|c: char| !c.is_ascii_alphabetic());
                        words.into_iter().any(|word| {
                            let word = word.to_ascii_lowercase();
                            WORDS
                                .words("verse-names")
                                .any(|name| word.strip_prefix(name).is_some_and(|s| s.len() <= 1))
                        })
                    })
            })
    })
}

/// The first character of a line, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Lower,
    /// A capital or a digit.
    Upper,
    /// A letter of a script without capitals.
    Caseless,
    /// A Han or Kana character.
    Ideograph,
    /// A mark, such as a bullet.
    Mark,
}

struct LineShape<'t> {
    text: &'t str,
    chars: usize,
    beginning: Beginning,
    /// The last character that shows.
    last: char,
}

impl<'t> LineShape<'t> {
    fn of(text: &'t str) -> LineShape<'t> {
        let is_opening = |c: char| is_direction(c) || "\"'“”„‘‚«»‹›([¿¡「『（".contains(c);
        let first = text.trim_start_matches(is_opening).chars().next();
        let beginning = match first.unwrap_or(' ') {
            c if c.is_lowercase() => Beginning::Lower,
            c if c.is_uppercase() || c.is_numeric() => Beginning::Upper,
            c if super::stop_of(c.encode_utf8(&mut [0; 4])) == Some('。') => Beginning::Ideograph,
            c if c.is_alphabetic() => Beginning::Caseless,
            _ => Beginning::Mark,
        };
        let last = text.trim_end_matches(|c| is_direction(c) || c == ' ');
        LineShape {
            text,
            chars: text.chars().count(),
            beginning,
            last: last.chars().next_back().unwrap_or(' '),
        }
    }

    /// Characters that the line's first word needs at the end of another line.
    fn first_word(&self) -> usize {
        match self.beginning {
            Beginning::Ideograph => 2,
            _ => {
                1 + self
                    .text
                    .split(' ')
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .count()
            }
        }
    }

    fn is_ended(&self) -> bool {
        is_terminal(self.last) || super::is_ended(self.text)
    }
}

fn looks_like_verse(lines: &[LineShape<'_>]) -> bool {
    let (Some(last), cuts) = (lines.last(), lines.len() - 1) else {
        return false;
    };
    let limit = match cuts {
        0 => return false,
        1 if last.is_ended() => return false,
        1 => MAX_PAIR_CHARS,
        _ => MAX_VERSE_CHARS,
    };
    let open = lines[..cuts].iter().filter(|line| !line.is_ended()).count();
    let going_on = lines[1..].iter().zip(lines);
    let going_on =
        going_on.filter(|(line, before)| line.beginning == Beginning::Lower && !before.is_ended());
    let is_short = |line: &LineShape<'_>| match line.beginning {
        Beginning::Ideograph => line.chars < limit.min(MIN_IDEOGRAPHS),
        _ => line.chars <= limit,
    };
    lines.iter().all(is_short) && 2 * open > cuts && 4 * going_on.count() <= cuts
}

/// The width to which lines are wrapped, in characters: the length of the longest line.
/// `None` for fewer than three lines, or if the next word fits into most lines. In a list
/// of records only the longest line is full.
fn width(lines: &[LineShape<'_>]) -> Option<usize> {
    let longest = lines.iter().map(|line| line.chars).max()?;
    let cuts = lines.len() - 1;
    let full = lines.iter().zip(&lines[1..]);
    let full = full.filter(|(line, next)| line.chars + next.first_word() > longest);
    (cuts > 1 && 2 * full.count() > cuts).then_some(longest)
}

/// The text that joins two lines of a block with a width; `None` if the break is meant.
fn between(
    line: &LineShape<'_>,
    next: &LineShape<'_>,
    width: Option<usize>,
) -> Option<&'static str> {
    let space = match (super::is_unspaced_end(line.text), next.beginning) {
        (true, Beginning::Ideograph) => "",
        _ => " ",
    };
    if next.beginning == Beginning::Mark {
        return None;
    }
    if line.is_ended() || is_colon(line.last) || is_comma(line.last) {
        return Some(space);
    }
    let first_word = next.text.split(' ').next().unwrap_or_default();
    if next.beginning == Beginning::Lower {
        let is_one_word =
            is_hyphenated(line.text) && !is_conjunction(first_word, "hyphen-conjunctions");
        return Some(if is_one_word { "" } else { space });
    }
    let was_full = |least: usize| {
        width.is_some_and(|width| width >= least && line.chars + next.first_word() > width)
    };
    let is_cut = match next.beginning {
        Beginning::Ideograph => was_full(MIN_IDEOGRAPHS),
        Beginning::Caseless => line.chars >= MIN_CASELESS_CHARS || was_full(MIN_WIDTH_CHARS),
        _ => matches!(line.last, '-' | '–' | '—') || was_full(MIN_WIDTH_CHARS),
    };
    is_cut.then_some(space)
}

/// Returns true if a line ends in the middle of a word.
fn is_hyphenated(line: &str) -> bool {
    line.strip_suffix('-')
        .is_some_and(|word| word.ends_with(char::is_alphabetic))
}

/// Returns true for the conjunctions that join two items, and for those of another section
/// of the words.
pub(in crate::prose) fn is_conjunction(word: &str, section: &str) -> bool {
    WORDS.has("conjunctions", word) || WORDS.has(section, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_the_words_is_used() {
        let conjunctions = ["conjunctions", "item-conjunctions", "hyphen-conjunctions"];
        assert_eq!(WORDS.sections()[0], "verse-names");
        assert_eq!(WORDS.sections()[1..], conjunctions);
    }

    fn check(text: &str, expected: &str, is: LineKind) {
        let mut out = String::new();
        let lines = mend(text, None, &mut out);
        assert_eq!((&*out, lines), (expected, is), "{text}");
    }

    #[test]
    fn cut_sentences_are_joined() {
        // Lower case, and a capital behind a line that was full.
        check(
            "The ferry leaves an hour later from Monday on, said the\n\
             Harbour Master, and will do so until the new engine is\nthere. It was ordered in May.",
            "The ferry leaves an hour later from Monday on, said the Harbour Master, and will do \
             so until the new engine is there. It was ordered in May.",
            LineKind::Blocks,
        );
        check("Rain and\nsnow", "Rain and snow", LineKind::Blocks);
        check(
            "It rained.\nIt snowed.",
            "It rained. It snowed.",
            LineKind::Blocks,
        );
        check("a mobile-\nphone", "a mobile-phone", LineKind::Blocks);
        check("Haus-\nund Hof", "Haus- und Hof", LineKind::Blocks);
    }

    #[test]
    fn a_line_before_a_sentence_is_a_block() {
        check(
            "Rain in May\nIt rained all day.",
            "Rain in May\nIt rained all day.",
            LineKind::Blocks,
        );
    }

    #[test]
    fn verse_and_addresses_keep_their_lines() {
        let keeps = |text| check(text, text, LineKind::Verse);
        keeps(
            "The ferry is late,\nThe harbour is dark,\nThe master is waiting,\nAnd so is his bark.",
        );
        keeps("Jane Doe\n12 High Street\nNewtown");
        keeps("Jane Doe\nLondon");
    }

    #[test]
    fn scripts_without_capitals() {
        let line = "雨雨雨雨雨雨雨雨雨雨雨雨雨雨雨雨";
        check(
            &format!("{line}\n{line}\n雨雨。"),
            &format!("{line}{line}雨雨。"),
            LineKind::Blocks,
        );
        check("雨雨\n雪雪\n風風", "雨雨\n雪雪\n風風", LineKind::Verse);
        let arabic = "مطر ".repeat(12).trim().to_owned();
        check(
            &format!("{arabic}\n{arabic}"),
            &format!("{arabic} {arabic}"),
            LineKind::Blocks,
        );
    }

    #[test]
    fn names_of_elements_show_that_lines_are_meant() {
        let check = |html: &str, expected: bool| {
            let page = Page::from_html(html);
            let block = page.elements().last().expect("an element");
            assert_eq!(is_named_verse(&page, block), expected, "{html}");
        };
        check("<address>", true);
        check("<div class='a Poem-body'><p>", true);
        check("<p class=lyrics>", true);
        check("<p itemprop=address>", true);
        check("<p class='universe addressed'>", false);
        check("<p>", false);
    }
}
