//! The size of a text in words.

/// The size of a text in words: how much there is to read, in any script.
///
/// A maximal run of letters, digits and combining marks is one word. In
/// [scripts without spaces](is_unspaced) two characters are one word, so that sizes are
/// multiples of 0.5. The size of a text is the sum of the sizes of its parts if no part
/// begins within a word.
///
/// This is the unit for rules on length and shape. Texts are compared by their
/// [metric tokens](super::metric_tokens).
///
/// ```
/// use forest_html::text::text_size;
/// assert_eq!(text_size("The ferry, at 9."), 4.0);
/// assert_eq!(text_size("北京欢迎你 2008"), 3.5);
/// assert_eq!(text_size("→ ..."), 0.0);
/// ```
#[inline]
pub fn text_size(text: &str) -> f32 {
    let (mut words, mut unspaced, mut in_word) = (0_u32, 0_u32, false);
    for c in text.chars() {
        if !c.is_ascii() && is_unspaced(c) {
            unspaced += 1;
            in_word = false;
        } else if is_of_word(c) {
            words += u32::from(!in_word);
            in_word = true;
        } else {
            in_word = false;
        }
    }
    words as f32 + unspaced as f32 / 2.0
}

/// Returns true for characters of scripts that put no spaces between words: Han, Kana,
/// Thai, Lao, Myanmar and Khmer.
///
/// ```
/// use forest_html::text::is_unspaced;
/// assert!("北かไ".chars().all(is_unspaced));
/// assert!(!"Ж비a。".contains(is_unspaced));
/// ```
#[inline]
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x3041..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
        || is_south_east_asian(c)
}

/// Returns true for characters of Thai, Lao, Myanmar and Khmer.
#[inline]
pub fn is_south_east_asian(c: char) -> bool {
    matches!(c as u32, 0xe00..=0xeff | 0x1000..=0x109f | 0x1780..=0x17ff)
}

/// Letters, digits, combining marks, the vowel signs of Indic scripts, and joiners.
fn is_of_word(c: char) -> bool {
    match c {
        '\0'..='\x7f' => c.is_ascii_alphanumeric(),
        '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{200b}'..='\u{200f}' => true,
        _ => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_words_or_pairs_of_characters() {
        let check = |text: &str, expected: f32| assert_eq!(text_size(text), expected, "{text}");
        check("", 0.0);
        check("It's 9:30 — COVID_19", 6.0);
        check("cafe\u{301} नमस्ते", 2.0);
        check("ไทย abc", 2.5);
        check("北京2008年", 2.5);
    }
}
