//! The facts of a cell, without its neighbours.

use super::Cell;
use forest_html::page::tags;
use forest_html::page::{Kind, NodeId, Page};
use forest_html::text::WordLists;
use html5ever::{LocalName, local_name};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// Words of a cell from which its text counts as prose: the longest header of a
/// cell in the development tables has 12.
const PROSE_WORDS: u32 = 13;

/// Words that tell what a table and its cells are.
pub(super) static WORDS: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::read(include_str!("words.txt")));

/// Signs that begin a foot note.
const NOTE_SIGNS: [char; 9] = ['*', '†', '‡', '§', '¹', '²', '—', '–', '"'];

/// The kind of a cell's content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum CellContent {
    /// No text, no picture, no form control.
    #[default]
    Nothing,
    /// A picture or a form control without text.
    Thing,
    /// Signs without letters and digits.
    Signs,
    /// More digits than letters.
    Number,
    /// Text of a few words.
    Words,
    /// Text of at least [`PROSE_WORDS`].
    Prose,
}

/// The types of contents of Wang and Hu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentType {
    Image,
    Form,
    Hyperlink,
    Alphabetical,
    Digit,
    Empty,
    Others,
}

impl ContentType {
    /// The number of types.
    pub const COUNT: usize = 7;
}

/// The facts of a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CellFacts {
    pub chars: u32,
    pub words: u32,
    /// Lines of its text, 0 for an empty one: one more than its carriage returns.
    pub lines: u32,
    pub digits: u32,
    pub letters: u32,
    /// Characters in links, in bold or heading elements, in small or italic elements.
    pub link_chars: u32,
    pub bold_chars: u32,
    pub light_chars: u32,
    pub links: u32,
    pub images: u32,
    /// Form controls.
    pub controls: u32,
    /// Paragraphs, lists, divisions and headings.
    pub blocks: u32,
    pub scripts: u32,
    pub th: bool,
    pub scope_row: bool,
    pub scope_column: bool,
    pub in_head: bool,
    pub in_foot: bool,
    /// True if the cell or its row has a background colour.
    pub painted: bool,
    /// True if its class or id is typical of headers.
    pub header_class: bool,
    pub ends_with_colon: bool,
    pub note: bool,
    pub holds: CellContent,
    /// Hashes of the text, and of the class and the style, to compare cells.
    pub text_hash: u64,
    pub looks_hash: u64,
    /// The text as a whole number; a point or bracket behind it is allowed.
    pub integer: Option<u32>,
}

impl CellFacts {
    /// Reads the facts of a cell.
    pub fn of(page: &Page, cell: &Cell) -> CellFacts {
        let text = cell.text.as_str();
        let mut facts = CellFacts::of_text(text);
        facts.th = page.is(cell.node, &local_name!("th"));
        let scope = page.attr(cell.node, "scope").unwrap_or_default();
        facts.scope_row = scope.starts_with("row");
        facts.scope_column = scope.starts_with("col");
        let row = page.parent_element(cell.node);
        let part = row.and_then(|row| page.parent_element(row));
        let part = part.and_then(|part| page.tag(part));
        facts.in_head = part == Some(&local_name!("thead"));
        facts.in_foot = part == Some(&local_name!("tfoot"));
        facts.painted = is_painted(page, cell.node) || row.is_some_and(|row| is_painted(page, row));
        let mut looks = DefaultHasher::new();
        facts.th.hash(&mut looks);
        for name in ["class", "style", "bgcolor", "align"] {
            page.attr(cell.node, name).hash(&mut looks);
        }
        facts.header_class = ["class", "id"].iter().any(|name| {
            let value = page.attr(cell.node, name).unwrap_or_default();
            let value = value.to_ascii_lowercase();
            WORDS.words("header-names").any(|part| value.contains(part))
        });
        facts.look_inside(page, cell.node, &mut looks);
        facts.looks_hash = looks.finish();
        if facts.chars == 0 && facts.images + facts.controls > 0 {
            facts.holds = CellContent::Thing;
        }
        facts
    }

    fn of_text(text: &str) -> CellFacts {
        let (mut chars, mut digits, mut letters) = (0, 0, 0);
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            chars += 1;
            digits += u32::from(c.is_numeric());
            letters += u32::from(c.is_alphabetic());
        }
        let words = text.split_whitespace().count() as u32;
        let holds = match (words, digits, letters) {
            (0, _, _) => CellContent::Nothing,
            (_, 0, 0) => CellContent::Signs,
            (PROSE_WORDS.., _, _) => CellContent::Prose,
            _ if digits >= letters => CellContent::Number,
            _ => CellContent::Words,
        };
        let mut hash = DefaultHasher::new();
        text.hash(&mut hash);
        CellFacts {
            chars,
            words,
            lines: text.lines().count() as u32,
            digits,
            letters,
            ends_with_colon: text.ends_with([':', '：']),
            note: is_note(text),
            holds,
            text_hash: hash.finish(),
            integer: text.trim_end_matches(['.', ')']).parse().ok(),
            ..CellFacts::default()
        }
    }

    /// Counts the nodes in the cell.
    fn look_inside(&mut self, page: &Page, cell: NodeId, looks: &mut DefaultHasher) {
        // One past the outermost open link, bold element, light element.
        let (mut link, mut bold, mut light) = (cell, cell, cell);
        for n in page.subtree(cell).skip(1) {
            if page.kind(n) == Kind::Text {
                if n < link || n < bold || n < light {
                    let chars = page.text(n).chars().filter(|c| !c.is_whitespace());
                    let chars = chars.count() as u32;
                    self.link_chars += if n < link { chars } else { 0 };
                    self.bold_chars += if n < bold { chars } else { 0 };
                    self.light_chars += if n < light { chars } else { 0 };
                }
                continue;
            }
            let Some(tag) = page.tag(n) else {
                continue;
            };
            let end = page.end(n);
            match *tag {
                local_name!("a") => {
                    self.links += 1;
                    link = link.max(end);
                }
                local_name!("b") | local_name!("strong") => bold = bold.max(end),
                _ if tags::has(tag, tags::HEADING) => {
                    self.blocks += 1;
                    bold = bold.max(end);
                }
                local_name!("small") | local_name!("i") | local_name!("em") => {
                    light = light.max(end);
                }
                local_name!("img") => self.images += 1,
                local_name!("input")
                | local_name!("select")
                | local_name!("textarea")
                | local_name!("form")
                | local_name!("button") => self.controls += 1,
                local_name!("p")
                | local_name!("div")
                | local_name!("ul")
                | local_name!("ol")
                | local_name!("dl")
                | local_name!("li") => self.blocks += 1,
                local_name!("script") | local_name!("iframe") => self.scripts += 1,
                _ => {}
            }
            if page.parent(n) == Some(cell) {
                LocalName::hash(tag, looks);
            }
        }
    }

    /// The type of content of Wang and Hu.
    pub fn content_type(&self) -> ContentType {
        match self.holds {
            CellContent::Thing if self.controls > 0 => ContentType::Form,
            CellContent::Thing => ContentType::Image,
            CellContent::Nothing => ContentType::Empty,
            CellContent::Signs => ContentType::Others,
            _ if self.controls > 0 => ContentType::Form,
            _ if self.link_chars * 2 > self.chars => ContentType::Hyperlink,
            CellContent::Number => ContentType::Digit,
            _ => ContentType::Alphabetical,
        }
    }

    /// Returns true if the cell has no text, no picture and no form control.
    pub fn is_empty(&self) -> bool {
        self.holds == CellContent::Nothing
    }
}

/// Returns true if an element has a background colour.
fn is_painted(page: &Page, n: NodeId) -> bool {
    page.attr(n, "bgcolor").is_some()
        || page
            .attr(n, "style")
            .is_some_and(|style| style.contains("background"))
}

/// Returns true if a text begins as notes, legends and sources do.
fn is_note(text: &str) -> bool {
    if text.starts_with(NOTE_SIGNS) && text.split_whitespace().nth(2).is_some() {
        return true;
    }
    let first = text.split(|c: char| !c.is_alphabetic()).next();
    let first = first.filter(|word| word.len() < 20).unwrap_or_default();
    WORDS.has("notes", &first.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_the_words_is_used() {
        let used = ["notes", "header-names", "data-names", "layout-names"];
        assert_eq!(WORDS.sections(), used);
    }

    #[test]
    fn what_cells_hold() {
        let check = |text: &str, expected: CellContent| {
            assert_eq!(CellFacts::of_text(text).holds, expected, "{text}");
        };
        check("", CellContent::Nothing);
        check("—", CellContent::Signs);
        check("$1,600–$7,000", CellContent::Number);
        check("W 10-0", CellContent::Number);
        check("1 x HDMI", CellContent::Words);
        check("September 10", CellContent::Words);
        check(&"word ".repeat(13), CellContent::Prose);
        check(&"word ".repeat(12), CellContent::Words);
    }

    #[test]
    fn notes_are_known_by_their_beginning() {
        let check = |text: &str, expected: bool| assert_eq!(is_note(text), expected, "{text}");
        check("Source: the ministry", true);
        check("Quelle: eigene Zählung", true);
        check("* without islands", true);
        check("* 3", false);
        check("Sourcery", false);
        check("", false);
    }

    #[test]
    fn whole_numbers() {
        let check = |text: &str, expected| assert_eq!(CellFacts::of_text(text).integer, expected);
        check("7", Some(7));
        check("7.", Some(7));
        check("7th", None);
        check("7.5", None);
    }
}
