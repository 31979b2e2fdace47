//! Texts of feeds: titles, summaries and contents, HTML or not.

use super::plain::{has_tags, is_html, one_line, plain_text};
use super::scan::unescape;
use forest_html::page::plain::escape;
use forest_html::text::{begins_item, fold, is_unspaced};
use std::borrow::Cow;

/// Characters of the lines of a text that was wrapped at a column.
const WRAPPED_CHARS: std::ops::RangeInclusive<usize> = 50..=100;

/// A title, summary or content as a feed has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FeedText {
    content: String,
    /// True if the feed says that it is text; else it is HTML, or may be.
    is_text: bool,
}

impl FeedText {
    /// A text whose feed says that it is no HTML.
    pub(super) fn plain(content: impl Into<String>) -> FeedText {
        FeedText {
            content: content.into(),
            is_text: true,
        }
    }

    /// HTML, or a text of which nothing says what it is.
    pub(super) fn html(content: impl Into<String>) -> FeedText {
        FeedText {
            content: content.into(),
            is_text: false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.content.trim().is_empty()
    }

    /// The text on one line.
    pub(super) fn to_line(&self) -> String {
        if self.is_text {
            fold(&self.content)
        } else {
            one_line(&self.content)
        }
    }

    /// The text with a line a block.
    pub(super) fn to_lines(&self) -> String {
        if !self.is_text && is_html(&self.content) {
            return plain_text(&self.content);
        }
        self.paragraphs().concat().join("\n")
    }

    /// The text as it stands if it is HTML with elements.
    pub(super) fn markup(&self) -> Option<&str> {
        let is_markup = !self.is_text && is_html(&self.content);
        is_markup.then_some(&*self.content)
    }

    /// The HTML; `None` if there is nothing in it.
    pub(super) fn into_html(self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        if !self.is_text && has_tags(&self.content) {
            return Some(self.content);
        }
        let mut out = String::with_capacity(self.content.len());
        for paragraph in self.paragraphs() {
            out.push_str("<p>");
            for (nth, line) in paragraph.iter().enumerate() {
                if nth > 0 {
                    out.push_str("<br>");
                }
                escape(line, &mut out);
            }
            out.push_str("</p>");
        }
        Some(out)
    }

    /// The lines of each paragraph of a text without elements. Blank lines are between
    /// paragraphs. Other line breaks count before an entry of a list and, in what is said to be
    /// text, where the text was not wrapped at a column.
    fn paragraphs(&self) -> Vec<Vec<String>> {
        let text = if self.is_text {
            Cow::Borrowed(&*self.content)
        } else {
            Cow::Owned(unescape(&self.content))
        };
        let mut paragraphs = vec![Vec::new()];
        for line in text.lines().map(fold) {
            match paragraphs.last_mut() {
                Some(lines) if !line.is_empty() => lines.push(line),
                _ => paragraphs.push(Vec::new()),
            }
        }
        paragraphs.retain(|lines| !lines.is_empty());
        for lines in &mut paragraphs {
            if !self.is_text || is_wrapped(lines) {
                *lines = unwrapped(lines);
            }
        }
        paragraphs
    }
}

/// Returns true if a paragraph's line breaks come from a column's width: each line but the last
/// is nearly full, or the next goes on in small letters.
fn is_wrapped(lines: &[String]) -> bool {
    let is_full = |line: &String| WRAPPED_CHARS.contains(&line.chars().count());
    let goes_on = |line: &String| line.starts_with(char::is_lowercase);
    let mut pairs = lines.windows(2);
    pairs.all(|pair| is_full(&pair[0]) || goes_on(&pair[1]))
}

/// The lines of a paragraph that was wrapped, joined but for entries of lists.
fn unwrapped(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        match out.last_mut() {
            Some(before) if !begins_item(line) => {
                let is_parted = !(before.ends_with(is_unspaced) && line.starts_with(is_unspaced));
                before.push_str(if is_parted { " " } else { "" });
                before.push_str(line);
            }
            _ => out.push(line.clone()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_texts_stay() {
        let check = |text: FeedText, lines: &str, html: &str| {
            assert_eq!(text.to_lines(), lines);
            assert_eq!(text.into_html().as_deref(), Some(html));
        };
        check(
            FeedText::plain("The tide.\n\nAt 3 < 4:\r\n\r\n- one\r\n- two\n"),
            "The tide.\nAt 3 < 4:\n- one\n- two",
            "<p>The tide.</p><p>At 3 &lt; 4:</p><p>- one<br>- two</p>",
        );
        check(
            FeedText::plain("The keeper of the lamp went down to the quay\nin the evening."),
            "The keeper of the lamp went down to the quay in the evening.",
            "<p>The keeper of the lamp went down to the quay in the evening.</p>",
        );
        let full = "The keeper of the lamp and the Harbour Office went to the\nMill Lane in March.";
        let joined = full.replace('\n', " ");
        check(FeedText::plain(full), &joined, &format!("<p>{joined}</p>"));
        check(
            FeedText::html("One &lt; two\nand three.\n \nFour &amp; five."),
            "One < two and three.\nFour & five.",
            "<p>One &lt; two and three.</p><p>Four &amp; five.</p>",
        );
        check(
            FeedText::html("Of the bay:\n* one\n* two and\nmore\n2) three"),
            "Of the bay:\n* one\n* two and more\n2) three",
            "<p>Of the bay:<br>* one<br>* two and more<br>2) three</p>",
        );
        check(
            FeedText::html("日本語の文章が\n途中で折り返されて"),
            "日本語の文章が途中で折り返されて",
            "<p>日本語の文章が途中で折り返されて</p>",
        );
        check(
            FeedText::html("<p>One\n\ntwo</p>"),
            "One two",
            "<p>One\n\ntwo</p>",
        );
        assert_eq!(FeedText::plain(" \n ").into_html(), None);
    }

    #[test]
    fn html_is_known_by_its_elements_or_by_attributes() {
        let check = |text: &str, lines: &str| {
            assert_eq!(FeedText::html(text).to_lines(), lines);
        };
        check("a < b and\nc > d", "a < b and c > d");
        check("<p>a</p><p>b &lt; c</p>", "a\nb < c");
        check("Vec<T> of <svg> tags", "Vec<T> of <svg> tags");
        check("See <object data='a.pdf'>the plan</object>", "See the plan");
    }
}
