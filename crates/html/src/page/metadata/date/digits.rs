//! Digits, of any script.

/// The digit zero of scripts whose digits follow each other: Arabic, Persian, N'Ko, ten of India
/// (from Devanagari to Malayalam), Thai, Lao, Tibetan, Burmese, Khmer, and the wide ones.
const ZEROS: [char; 18] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}',
    '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}',
    '\u{17e0}', '\u{ff10}',
];

/// A text whose digits, and the wide and unbreakable marks between them, are those of ASCII;
/// marks of direction are left out.
pub(super) fn with_ascii_digits(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'));
    kept.map(ascii).collect()
}

fn ascii(c: char) -> char {
    match c {
        '：' => ':',
        '／' => '/',
        '．' => '.',
        '－' | '\u{2010}' | '\u{2011}' => '-',
        '\u{660}'.. => {
            let place = |zero: &char| (c as u32).checked_sub(*zero as u32).filter(|at| *at < 10);
            let digit = ZEROS.iter().find_map(place);
            digit
                .and_then(|digit| char::from_digit(digit, 10))
                .unwrap_or(c)
        }
        c => c,
    }
}

/// The number at the beginning of `text`, of `min` to `max` digits, and the rest.
pub(super) fn number(text: &str, min: usize, max: usize) -> Option<(u32, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(min..=max).contains(&len) {
        return None;
    }
    Some((text[..len].parse().ok()?, &text[len..]))
}
