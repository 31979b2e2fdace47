//! Titles and descriptions, HTML or not, to plain text.

use super::scan::{Tag, Token, XmlScanner, local, unescape};
use forest_html::page::plain::text_of_html;
use forest_html::page::tags;
use forest_html::text::fold;

/// Bytes of one title or description that are read as HTML; the rest is cut off.
/// It bounds the tree that is built for it (some 60 bytes a byte of tags). The
/// longest whole articles in descriptions have some 300 kB.
const MAX_TEXT_BYTES: usize = 1_000_000;

/// The text of a piece of HTML: entities replaced, white space folded, a line a
/// block, no scripts and styles. A megabyte is read at most.
pub fn plain_text(html: &str) -> String {
    text_of_html(&html[..html.floor_char_boundary(MAX_TEXT_BYTES)])
}

/// Open elements of one line that are kept in mind.
const MAX_OPEN: usize = 32;

/// Elements that a line of HTML may begin with and leave open.
const LEFT_OPEN: [&str; 8] = ["b", "div", "em", "font", "i", "p", "span", "strong"];

/// Returns true if text has HTML elements in it.
pub(super) fn looks_like_html(text: &str) -> bool {
    has_token(text, |token| match token {
        Token::Start(tag) => is_of_html(tag.name),
        Token::End(name) => is_of_html(name),
        Token::Text(_) | Token::CData(_) => false,
    })
}

/// Returns true if a feed's text is HTML: with elements that it has, or with any tag that has an
/// attribute.
pub(super) fn is_html(text: &str) -> bool {
    has_token(text, |token| match token {
        Token::Start(tag) => is_of_html(tag.name) || has_value(tag),
        Token::End(name) => is_of_html(name),
        Token::Text(_) | Token::CData(_) => false,
    })
}

/// Returns true if there are tags in a text, of HTML or not.
pub(super) fn has_tags(text: &str) -> bool {
    has_token(text, |token| {
        matches!(token, Token::Start(_) | Token::End(_))
    })
}

/// Returns true if a line is HTML and does not speak of it: an element of HTML is closed in it
/// or void, has an attribute, or begins the line.
fn has_markup(line: &str) -> bool {
    let (mut open, mut is_first) = (Vec::new(), true);
    has_token(line, |token| match token {
        Token::Start(tag) => {
            let name = local(tag.name).to_ascii_lowercase();
            let begins = std::mem::take(&mut is_first) && LEFT_OPEN.contains(&&*name);
            let is_void = is_of_html(&name) && tags::has(&name, tags::VOID);
            if open.len() < MAX_OPEN {
                open.push(name);
            }
            begins || is_void || has_value(tag)
        }
        Token::End(name) => is_of_html(name) && open.contains(&local(name).to_ascii_lowercase()),
        Token::Text(_) | Token::CData(_) => {
            is_first = false;
            false
        }
    })
}

fn has_token<'a>(text: &'a str, is_it: impl FnMut(Token<'a>) -> bool) -> bool {
    text.contains('<') && XmlScanner::new(text).any(is_it)
}

fn is_of_html(name: &str) -> bool {
    tags::has(&local(name).to_ascii_lowercase(), tags::MARKUP)
}

fn has_value(tag: Tag) -> bool {
    tag.attributes().iter().any(|(_, value)| !value.is_empty())
}

/// A title or another one-line text that may or may not be HTML: one line.
pub(super) fn one_line(text: &str) -> String {
    if has_markup(text) {
        fold(&plain_text(text))
    } else {
        fold(&unescape(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        let check = |text: &str, expected: &str| assert_eq!(one_line(text), expected);
        check("Vec<T> in practice", "Vec<T> in practice");
        check("A <em>new</em>\n day", "A new day");
        check("one<br>two", "one two");
        check("<p>One", "One");
        check("One <img src=a> two", "One two");
        check("Option<U> and <b>more</b>", "Option and more");
        for spoken_of in [
            "Option<U>",
            "Vec<T> and Option<U>",
            "The <details> thing",
            "The <style> thing",
            "<head> vs <header>",
            "How to use <svg>",
        ] {
            check(spoken_of, spoken_of);
        }
        check("Q&amp;A &#8211; part 2", "Q&A – part 2");
    }

    #[test]
    fn long_text_is_cut() {
        let long = format!("<b>{}", "é".repeat(MAX_TEXT_BYTES));
        assert_eq!(plain_text(&long).len(), MAX_TEXT_BYTES - 4);
    }
}
