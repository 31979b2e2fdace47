//! Texts that are searched in a page's text, and white space.

/// A text that is searched in other texts.
#[derive(Debug, Clone)]
pub(super) struct SearchedText {
    pub text: Box<str>,
    /// White space of what is searched is normalized.
    pub is_folded: bool,
}

impl SearchedText {
    /// False of a phrase whose white space is not that of the texts that are searched.
    pub fn may_stand(&self) -> bool {
        !self.is_folded
            || !has_other_space(&self.text) && is_normalized(&self.text, &self.text).is_met
    }

    /// All places of the phrase in a text, in bytes, in order: both ends only grow. Knuth,
    /// Morris and Pratt's way, in one pass over the text.
    pub fn places(&self, text: &str) -> Vec<(usize, usize)> {
        let phrase = self.text.as_bytes();
        let mut words = self.text.split(' ').filter(|_| self.is_folded);
        let word = words.next().unwrap_or(&self.text);
        let Some(first) = memchr::memmem::find(text.as_bytes(), word.as_bytes()) else {
            return Vec::new();
        };
        let borders = borders(phrase);
        // The places of the last bytes that were read, as many as the phrase has.
        let mut read = vec![0; phrase.len()];
        let (mut places, mut fitting, mut count, mut at) = (Vec::new(), 0, 0, first);
        while let Some(&byte) = text.as_bytes().get(at) {
            read[count % phrase.len()] = at;
            count += 1;
            let mut byte = byte;
            at += 1;
            if self.is_folded && is_space(char::from(byte)) {
                byte = b' ';
                let rest = &text.as_bytes()[at..];
                at += rest
                    .iter()
                    .take_while(|&&b| is_space(char::from(b)))
                    .count();
            }
            while fitting > 0 && phrase[fitting] != byte {
                fitting = borders[fitting - 1];
            }
            fitting += usize::from(phrase[fitting] == byte);
            if fitting == phrase.len() {
                places.push((read[count % phrase.len()], at));
                fitting = borders[fitting - 1];
            }
        }
        places
    }
}

/// For each beginning of a phrase, the length of its longest end that is a shorter beginning.
fn borders(phrase: &[u8]) -> Vec<usize> {
    let mut borders = vec![0; phrase.len()];
    let mut fitting = 0;
    for at in 1..phrase.len() {
        while fitting > 0 && phrase[fitting] != phrase[at] {
            fitting = borders[fitting - 1];
        }
        fitting += usize::from(phrase[fitting] == phrase[at]);
        borders[at] = fitting;
    }
    borders
}

/// The answer to whether a text is another once its white space is normalized.
pub(super) struct Normalized {
    pub is_met: bool,
    /// Bytes of the text that were looked at.
    pub looked_at: usize,
}

/// True of white space that no normalized text has.
pub(super) fn has_other_space(text: &str) -> bool {
    text.contains(|c: char| c != ' ' && is_space(c))
}

pub(super) fn is_normalized(text: &str, normalized: &str) -> Normalized {
    let (mut rest, mut left) = (text.trim_start_matches(is_space), normalized);
    let mut is_met = false;
    loop {
        let word = left.split(' ').next().unwrap_or_default();
        let Some(behind) = rest.strip_prefix(word) else {
            break;
        };
        rest = behind;
        left = &left[word.len()..];
        let trimmed = rest.trim_start_matches(is_space);
        let is_spaced = trimmed.len() < rest.len();
        rest = trimmed;
        if left.is_empty() {
            is_met = rest.is_empty();
            break;
        }
        left = &left[1..];
        if !is_spaced || left.is_empty() {
            break;
        }
    }
    Normalized {
        is_met,
        looked_at: text.len() - rest.len(),
    }
}

/// White space as XPath has it.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}
