//! Marks that end sentences, and notes behind them.

/// Returns true if a mark ends a sentence.
pub fn is_terminal(c: char) -> bool {
    if c.is_ascii() {
        matches!(c, '.' | '!' | '?')
    } else {
        "…‽‼⁇⁈⁉。！？．｡؟۔।॥։።፧။។".contains(c)
    }
}

/// Returns true for full stops, question and exclamation marks and ellipses that split a
/// line. The stops of Burmese and Khmer and the Ethiopic question mark do not.
pub fn is_mark(c: char) -> bool {
    is_terminal(c) && !matches!(c, '፧' | '။' | '។')
}

/// Returns true for the full stops of Chinese and Japanese, and for wide question and
/// exclamation marks.
pub fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '．' | '｡' | '！' | '？')
}

/// The length of a note's number in square brackets that `text` begins with.
pub fn note(text: &str) -> usize {
    if !text.starts_with('[') {
        return 0;
    }
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    match (digits, text.as_bytes().get(1 + digits)) {
        (1..=3, Some(b']')) => digits + 2,
        _ => 0,
    }
}
