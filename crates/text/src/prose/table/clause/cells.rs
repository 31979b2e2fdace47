//! Texts of cells on one line, and pieces of texts.

use super::bounds::{MAX_HEADER_BYTES, MAX_NAME_WORDS};
use crate::prose::table::{Cell, CellClass, Grid};

/// The texts of a table's cells, each on one line.
#[derive(Debug, Default)]
pub struct CellTexts {
    /// The caption.
    pub caption: String,
    /// A text for each cell of the grid.
    pub texts: Vec<String>,
    /// The number of words of each.
    pub words: Vec<usize>,
    /// Bytes of the name at the beginning of each; a short text is all name.
    name_bytes: Vec<u32>,
    /// Bytes of all texts of the grid, the caption included.
    pub bytes: usize,
}

impl CellTexts {
    /// The texts of a grid.
    pub fn of(grid: &Grid, classes: &[CellClass]) -> CellTexts {
        let classes = classes
            .iter()
            .copied()
            .chain(std::iter::repeat(CellClass::Data));
        let text = |(cell, class): (&Cell, CellClass)| {
            // A header of several lines is a phrase, unless it is too long.
            let is_list = class == CellClass::Data || words(&cell.text) > MAX_NAME_WORDS;
            one_line(&cell.text, if is_list { ", " } else { " " })
        };
        let texts: Vec<String> = grid.cells.iter().zip(classes).map(text).collect();
        let caption = one_line(&grid.caption, " ");
        let name_bytes = |(text, cell): (&String, &Cell)| name_bytes(text, &cell.text) as u32;
        CellTexts {
            words: texts.iter().map(|t| words(t)).collect(),
            name_bytes: texts.iter().zip(&grid.cells).map(name_bytes).collect(),
            bytes: grid.caption.len() + grid.cells.iter().map(|c| c.text.len()).sum::<usize>(),
            caption,
            texts,
        }
    }

    /// A cell's name and the rest of its text: `Model One` is the name in
    /// `Model One (built by two brothers in a barn that burnt down the year after)`.
    pub fn named(&self, cell: usize) -> (&str, &str) {
        let (name, rest) = self.texts[cell].split_at(self.name_bytes[cell] as usize);
        (self::name(name), rest.trim_start_matches([' ', ',', ':']))
    }
}

/// The end of a cell's name: the end of a short text; else the end of the first line, a
/// bracket, or the limit of words.
fn name_bytes(text: &str, lines: &str) -> usize {
    if words(text) <= MAX_NAME_WORDS {
        return text.len();
    }
    let first = lines.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.filter(|line| text.starts_with(line)).unwrap_or(text);
    let name = cut(first, (MAX_NAME_WORDS, MAX_HEADER_BYTES));
    if name.len() < first.len() {
        return name.find(" (").filter(|&end| end > 0).unwrap_or(name.len());
    }
    name.len()
}

/// The number of words between white space, by which lines are bounded and cut. A long
/// text without spaces counts as several words of [`BYTES_A_WORD`] bytes each.
pub fn words(text: &str) -> usize {
    text.split_whitespace()
        .map(|word| word.len().div_ceil(BYTES_A_WORD))
        .sum()
}

/// Bytes of one word, at the most. Words of languages with spaces are shorter; addresses
/// are longer.
pub const BYTES_A_WORD: usize = 60;

/// The lines of a cell as one line, with `gap` between two. If a line's end or the next
/// line's beginning shows that a sentence continues, a space stands between them.
fn one_line(text: &str, gap: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push_str(if continues(&out, line) { " " } else { gap });
        }
        out.push_str(line);
    }
    out
}

/// Returns true if a sentence continues from one line to the next.
fn continues(before: &str, next: &str) -> bool {
    let ends = before.chars().next_back();
    let begins = next.chars().next();
    let is_open = |c: char| {
        !(c.is_alphanumeric() || matches!(c, ')' | ']' | '"' | '”' | '’' | '\'' | '%' | '°'))
    };
    ends.is_none_or(is_open)
        || begins.is_none_or(|c| {
            c.is_lowercase()
                || !(c.is_alphanumeric() || matches!(c, '"' | '“' | '‘' | '\'' | '$' | '€' | '£'))
        })
}

/// The beginning of a text, cut between words, at most `most` words and bytes.
pub fn cut(text: &str, (most_words, most_bytes): (usize, usize)) -> &str {
    let mut end = 0;
    let mut at = 0;
    for (count, word) in text.split_whitespace().enumerate() {
        let begin = at + text[at..].find(word).unwrap_or(0);
        at = begin + word.len();
        if count >= most_words || at > most_bytes {
            break;
        }
        end = at;
    }
    if end == 0 && most_words > 0 {
        // A word that is too long alone.
        end = text.floor_char_boundary(most_bytes.min(text.len()));
    }
    text[..end].trim_end_matches([',', ';', ':', ' '])
}

/// The text in pieces of at most `room` words, cut at the ends of sentences and
/// clauses where that leaves more than half of the room filled.
pub fn pieces(text: &str, room: usize) -> Vec<&str> {
    let room = room.max(1);
    let mut out = Vec::new();
    let (mut begin, mut end, mut count) = (0, 0, 0);
    // The last end of a clause in the piece, and the number of words up to it.
    let mut stop: Option<(usize, usize)> = None;
    for (from, to) in spans(text) {
        if count == room {
            let (at, kept) = stop.filter(|&(_, n)| n * 2 > room).unwrap_or((end, count));
            out.push(text[begin..at].trim());
            begin = at;
            count -= kept;
            stop = None;
        }
        count += 1;
        end = to;
        if text[from..to].ends_with(['.', ';', '!', '?', ',', ':', '。', '、', '，']) {
            stop = Some((to, count));
        }
    }
    if !text[begin..].trim().is_empty() {
        out.push(text[begin..].trim());
    }
    out
}

/// The byte ranges of a text's words; those longer than [`BYTES_A_WORD`] in parts.
fn spans(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + text[at..].find(|c: char| !c.is_whitespace())?;
        let length = text[begin..].find(char::is_whitespace);
        let end = length.map_or(text.len(), |length| begin + length);
        let part = text.floor_char_boundary(begin + BYTES_A_WORD);
        at = end.min(part.max(begin + 1));
        Some((begin, at))
    })
}

/// Adds a full stop, unless the text ends a sentence already.
pub fn end(text: &mut String) {
    text.truncate(text.trim_end_matches([' ', ',', ';', ':']).len());
    if !text.ends_with(['.', '!', '?', '…', '。', '！', '？']) && !text.is_empty() {
        text.push('.');
    }
}

/// The beginning of a sentence: a label with a colon; empty without a label.
pub fn headed(label: &str) -> String {
    match label {
        "" => String::new(),
        _ => format!("{label}: "),
    }
}

/// A header without its colon.
pub fn name(text: &str) -> &str {
    text.trim_end_matches([':', ' ', '\u{a0}', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_cell_are_items_or_one_sentence() {
        let check = |text: &str, expected: &str| assert_eq!(one_line(text, ", "), expected);
        check("Ann Bell\nCarl Dorn", "Ann Bell, Carl Dorn");
        check("Ann Bell,\nCarl Dorn", "Ann Bell, Carl Dorn");
        check("Built in\nstone", "Built in stone");
        check("Paid in full.\nNo debts", "Paid in full. No debts");
        check("Lyon\n(France)", "Lyon (France)");
        check("12\n14", "12, 14");
        check("north-\nEast", "north- East");
        check("\n \n", "");
    }

    #[test]
    fn a_long_text_is_named_by_its_beginning() {
        let more = "by all who saw it on the days that it ran to the sea";
        let check = |text: &str, expected: &str| {
            let bytes = name_bytes(&one_line(text, " "), text);
            assert_eq!(&one_line(text, " ")[..bytes], expected);
        };
        check("The Mule (of Bonn)", "The Mule (of Bonn)");
        check(&format!("The Mule\nLoved {more}"), "The Mule");
        check(&format!("The Mule (loved {more})"), "The Mule");
        check(more, "by all who saw it on the days that it ran to");
    }

    #[test]
    fn a_cut_is_between_words() {
        let check = |most, expected: &str| assert_eq!(cut("one two, three", most), expected);
        check((2, 99), "one two");
        check((9, 99), "one two, three");
        check((9, 9), "one two");
        check((9, 2), "on");
        check((0, 0), "");
        assert_eq!(cut("ééé", (9, 3)), "é");
    }

    #[test]
    fn pieces_end_with_a_clause_where_that_is_late_enough() {
        let check = |room, expected: &[&str]| {
            assert_eq!(pieces("a b c, d e f g. h", room), expected, "{room}");
        };
        check(4, &["a b c,", "d e f g.", "h"]);
        check(8, &["a b c, d e f g. h"]);
        check(7, &["a b c, d e f g.", "h"]);
        check(2, &["a b", "c, d", "e f", "g. h"]);
        check(0, &["a", "b", "c,", "d", "e", "f", "g.", "h"]);
        let long = "汉".repeat(100);
        assert_eq!(words(&long), 5);
        assert_eq!(pieces(&long, 2).concat(), long);
        assert_eq!(pieces(&long, 2).len(), 3);
        assert_eq!(pieces("", 3), [""; 0]);
    }

    #[test]
    fn a_sentence_ends_once() {
        let check = |text: &str, expected: &str| {
            let mut text = text.to_owned();
            end(&mut text);
            assert_eq!(text, expected);
        };
        check("a", "a.");
        check("a Ltd.", "a Ltd.");
        check("a: ", "a.");
        check("", "");
        assert_eq!(name("Length: "), "Length");
    }
}
