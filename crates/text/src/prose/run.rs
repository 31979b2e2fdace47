//! Text as one run: white space folded, invisible characters left out, the titles of
//! abbreviations in brackets (section 2, and 3.3 for abbreviations).

use super::TextOptions;
use forest_core::render::{is_deleted, is_reading, is_unread, quotation_marks};
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use forest_html::text::{is_invisible, without_invisible};
use html5ever::local_name;

/// Adds the text of an element's kept nodes: white space folded to single spaces,
/// a `\n` at each `br` and block boundary, no `\n` or space at its ends. Form controls,
/// selected options among them, are left out.
pub fn run(page: &Page, top: NodeId, body: &Mask, options: &TextOptions, out: &mut String) {
    let mut run = TextRun::at(out);
    // Blocks, quotations and abbreviations are opened.
    let mut nodes = page.walk_nested(top, page.end(top));
    while let Some(n) = nodes.next(|ended| match title(page, ended, options) {
        Some(title) => run.bracket(title, out),
        None if is_quotation(page, ended) => {
            run.push(quotation_marks(page, ended)[1], options, out);
        }
        None => run.break_line(),
    }) {
        match page.kind(n) {
            Kind::Text if body.contains(n) && page.is_content(n) => {
                run.push(page.text(n), options, out);
            }
            Kind::Element if is_left_out(page, n, options) => nodes.pass_over(n),
            Kind::Element if n != top => {
                if page.breaks_line(n) {
                    run.break_line();
                    nodes.open(n, n);
                } else if is_quotation(page, n) {
                    run.push(quotation_marks(page, n)[0], options, out);
                    nodes.open(n, n);
                } else if title(page, n, options).is_some() {
                    nodes.open(n, n);
                }
            }
            _ => {}
        }
    }
}

/// Returns true if an element is left out with all its contents: elements that a browser
/// does not show, form controls, options of forms, and menus if the options drop them.
pub(super) fn is_left_out(page: &Page, n: NodeId, options: &TextOptions) -> bool {
    if !page.is_content(n) || is_deleted(page, n) || is_reading(page, n) {
        return true;
    }
    let Some(tag) = page.tag(n) else {
        return is_unread(page, n);
    };
    match *tag {
        local_name!("select") => options.drop_selected,
        local_name!("option") => page.attr(n, "selected").is_none(),
        local_name!("div") => options.drop_menus && has_menu_id(page, n),
        _ => is_unread(page, n),
    }
}

/// Returns true for a quotation in a line, whose marks a browser adds, if it has text.
pub(super) fn is_quotation(page: &Page, n: NodeId) -> bool {
    page.is(n, &local_name!("q")) && !page.text(n).trim().is_empty()
}

fn has_menu_id(page: &Page, n: NodeId) -> bool {
    page.attr(n, "id")
        .is_some_and(|id| id.to_ascii_lowercase().contains("menu"))
}

/// The title of an abbreviation; `None` if it only repeats the abbreviation or if the
/// options do not expand abbreviations.
pub(super) fn title<'p>(page: &'p Page, n: NodeId, options: &TextOptions) -> Option<&'p str> {
    let tag = page.tag(n)?;
    if !matches!(*tag, local_name!("abbr") | local_name!("acronym"))
        || !options.expand_abbreviations
    {
        return None;
    }
    let title = page.attr(n, "title").map(str::trim)?;
    let is_new = !title.is_empty() && title != page.text(n).trim() && !follows(page, n, title);
    is_new.then_some(title)
}

/// Returns true if the text behind an abbreviation begins with its title in brackets.
fn follows(page: &Page, n: NodeId, title: &str) -> bool {
    let next = page.end(n);
    if next.index() >= page.len() || page.kind(next) != Kind::Text {
        return false;
    }
    let text = page.text(next).trim_start().strip_prefix('(');
    text.is_some_and(|text| text.starts_with(title))
}

/// A run of text that is being written. Invariant: the text from its start on neither
/// begins nor ends with white space.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextRun {
    start: usize,
    gap: Option<char>,
}

impl TextRun {
    /// A run that begins at the end of `out`.
    pub fn at(out: &str) -> TextRun {
        TextRun {
            start: out.len(),
            gap: None,
        }
    }

    /// Returns true if the run has no text yet.
    pub fn is_empty(&self, out: &str) -> bool {
        out.len() == self.start
    }

    /// The byte of the output at which the run begins.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns true if a line has ended and no text has followed.
    pub fn is_at_break(&self) -> bool {
        self.gap == Some('\n')
    }

    /// Puts a space before the next text if the run ends with a letter or a digit.
    pub fn part(&mut self, out: &str) {
        if out[self.start..].ends_with(char::is_alphanumeric) {
            self.gap = self.gap.or(Some(' '));
        }
    }

    /// Ends the line.
    pub fn break_line(&mut self) {
        self.gap = Some('\n');
    }

    /// Adds the text of a text node.
    pub fn push(&mut self, text: &str, options: &TextOptions, out: &mut String) {
        if text.starts_with(char::is_whitespace) {
            self.gap = self.gap.or(Some(' '));
        }
        let is_plain = !options.drop_invisible || text.is_ascii();
        for word in text.split_whitespace() {
            if !is_plain && word.contains(is_invisible) {
                if word.chars().any(|c| !is_invisible(c)) {
                    self.write_gap(out);
                    out.push_str(&without_invisible(word));
                    self.gap = Some(' ');
                }
                continue;
            }
            self.write_gap(out);
            out.push_str(word);
            self.gap = Some(' ');
        }
        if !text.is_empty() && !text.ends_with(char::is_whitespace) && self.gap == Some(' ') {
            self.gap = None;
        }
    }

    /// Adds a title in brackets, unless the run is empty or at a line break.
    pub fn bracket(&mut self, title: &str, out: &mut String) {
        if self.is_empty(out) || self.is_at_break() {
            return;
        }
        out.push_str(" (");
        out.push_str(&fold(title));
        out.push(')');
    }

    fn write_gap(&mut self, out: &mut String) {
        if let Some(gap) = self.gap.take()
            && out.len() > self.start
        {
            out.push(gap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &str) {
        let page = Page::from_html(html);
        let mut out = String::new();
        let options = TextOptions::default();
        run(&page, page.root(), &Mask::all(&page), &options, &mut out);
        assert_eq!(out, expected, "{html}");
    }

    #[test]
    fn white_space_is_folded_and_lines_are_kept() {
        check(" a\n b<b> c</b>d\u{a0}e ", "a b cd e");
        check("a<br> b<p>c</p>d", "a\nb\nc\nd");
        check("a<br><br>b<br>", "a\nb");
        check("<b>a</b> <i>b</i>", "a b");
    }

    #[test]
    fn what_is_no_text_is_left_out() {
        check("a<select><option selected>b</select>c", "ac");
        check("a<script>b</script>c<textarea>d</textarea>", "ac");
    }

    #[test]
    fn quotations_in_a_line_have_marks() {
        check("a <q>b <i>c</i></q>. <q></q>d", "a “b c”. d");
        check("<p lang=de><q>a</q>", "„a“");
    }

    #[test]
    fn readings_and_deletions_are_left_out() {
        check(
            "<ruby>漢<rt>かん</rt></ruby> <del>a</del><ins>b</ins>",
            "漢 b",
        );
    }

    #[test]
    fn titles_stand_behind_abbreviations() {
        check(
            "<abbr title=' New  South Wales '>NSW</abbr> is",
            "NSW (New South Wales) is",
        );
        check("<acronym title=a>A</acronym>, b", "A (a), b");
        check("<abbr title=NSW>NSW</abbr>", "NSW");
        check(
            "<abbr title='New South'>NS</abbr> (New South)",
            "NS (New South)",
        );
        check("<abbr title=a></abbr>b", "b");
        check("<abbr>a</abbr>", "a");
    }

    #[test]
    fn what_cannot_be_seen_is_left_out() {
        check(
            "Wort\u{ad}teil a\u{200b}b \u{feff} \u{2060}c",
            "Wortteil ab c",
        );
        check("\u{200b}", "");
        // Words of Thai stay parted, joiners and marks of direction stay.
        check("\u{e01}\u{200b}\u{e02}", "\u{e01}\u{200b}\u{e02}");
        check(
            "\u{645}\u{200c}\u{646} \u{200f}a",
            "\u{645}\u{200c}\u{646} \u{200f}a",
        );
    }
}
