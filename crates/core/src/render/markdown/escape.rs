//! The escapes of text that would be Markdown and is not meant to be.

/// Writes a piece of text without white space at its ends. `line` is where the
/// current line's text begins in `out`; `in_table` makes `|` no border.
pub fn push(out: &mut String, text: &str, line: usize, in_table: bool) {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let begins = out.len() == line;
        let is_special = match c {
            '\\' | '`' | '*' | '[' | ']' | '~' => true,
            '|' => in_table,
            '_' => {
                let before = out.chars().next_back().is_some_and(char::is_alphanumeric);
                !(before && next.is_some_and(char::is_alphanumeric))
            }
            '<' => next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
            '&' => is_entity(&text[at..]),
            '#' | '>' => begins,
            '+' => begins && next.is_none_or(char::is_whitespace),
            '-' => begins && next.is_none_or(|c| c == '-' || c.is_whitespace()),
            '=' => begins,
            '.' | ')' => {
                let number = &out[line.min(out.len())..];
                (1..=9).contains(&number.len())
                    && number.bytes().all(|b| b.is_ascii_digit())
                    && next.is_none_or(char::is_whitespace)
            }
            _ => false,
        };
        if is_special {
            out.push('\\');
        }
        out.push(c);
    }
}

/// True if `text`, which begins with `&`, begins with a character reference.
fn is_entity(text: &str) -> bool {
    /// The longest name of a reference is `CounterClockwiseContourIntegral`.
    const LONGEST: usize = 33;
    let name = text[1..].bytes().take(LONGEST);
    let len = name
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'#')
        .count();
    len > 0 && text.as_bytes().get(len + 1) == Some(&b';')
}

/// An address as a link's destination.
pub(super) fn url(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '|' => out.push_str("%7C"),
            '\\' => out.push_str("%5C"),
            c => out.push(c),
        }
    }
    out
}

/// The longest run of backticks.
pub(super) fn backticks(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for b in text.bytes() {
        run = if b == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
