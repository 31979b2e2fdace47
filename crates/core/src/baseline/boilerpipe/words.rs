//! Words, linked words and lines of one block.

/// Characters in a line when a block is thought of as wrapped text, as in
/// boilerpipe. Text density is the number of words in a line.
const LINE_CHARS: u32 = 80;

/// Words in a line from which text counts as full text, as in boilerpipe
/// (`HeuristicFilterBase`).
const FULL_TEXT_DENSITY: u32 = 9;

/// Counts the words of a block in one pass over its text.
///
/// A token is a maximal run of letters, digits and ``_"'.,!@-:;$?()/``; it is a
/// word if it holds a letter or a digit. A token may run over several text nodes
/// and ends where a link starts or ends.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockWords {
    /// Characters of the token that is open, 0 if none is.
    token_chars: u32,
    token_is_word: bool,
    tokens: u32,
    words: u32,
    linked: u32,
    /// Characters in the open line; its first word has no space before it.
    line_chars: u32,
    line_words: u32,
    /// Lines that are full.
    lines: u32,
}

/// The counts of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockDensity {
    pub words: u32,
    pub linked: u32,
    /// True if the block has nine words a line or more; the last line, which is
    /// not full, does not count.
    pub full_text: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenClass {
    Break,
    Token,
    Word,
}

const ASCII: [TokenClass; 128] = {
    let mut table = [TokenClass::Break; 128];
    let mut at = 0;
    while at < 128 {
        let byte = at as u8;
        table[at] = match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => TokenClass::Word,
            b'_' | b'"' | b'\'' | b'.' | b',' | b'!' | b'@' | b'-' | b':' | b';' | b'$' | b'?'
            | b'(' | b')' | b'/' => TokenClass::Token,
            _ => TokenClass::Break,
        };
        at += 1;
    }
    table
};

fn class(c: char) -> TokenClass {
    match ASCII.get(c as usize) {
        Some(&class) => class,
        None if is_common_letter(c) || c.is_alphanumeric() => TokenClass::Word,
        None => TokenClass::Break,
    }
}

/// True if `c` is in a range that has only letters: most text that is not ASCII.
/// A short cut, several times faster than the look-up in Unicode's tables.
fn is_common_letter(c: char) -> bool {
    matches!(
        c,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ʯ'
        | 'Σ'..='ϵ' | 'Α'..='Ρ'
        | 'Ѐ'..='ҁ'
        | 'ぁ'..='ゖ' | 'ァ'..='ヺ'
        | '一'..='\u{9fff}'
        | '가'..='힣'
    )
}

impl BlockWords {
    /// Text of the block, in a link or not.
    pub fn push(&mut self, text: &str, in_link: bool) {
        // The state of the open token in registers: this loop is most of the work.
        let (mut chars, mut is_word) = (self.token_chars, self.token_is_word);
        for c in text.chars() {
            match class(c) {
                TokenClass::Token => chars += 1,
                TokenClass::Word => {
                    chars += 1;
                    is_word = true;
                }
                TokenClass::Break if chars == 0 => {}
                TokenClass::Break => {
                    (self.token_chars, self.token_is_word) = (chars, is_word);
                    self.end_token(in_link);
                    (chars, is_word) = (0, false);
                }
            }
        }
        (self.token_chars, self.token_is_word) = (chars, is_word);
    }

    /// Ends the token that is open. To be called before a link starts or ends.
    pub fn end_token(&mut self, in_link: bool) {
        if self.token_chars == 0 {
            return;
        }
        self.tokens += 1;
        if self.token_is_word {
            self.words += 1;
            self.linked += u32::from(in_link);
            let space = u32::from(self.words > 1);
            self.line_words += 1;
            self.line_chars += space + self.token_chars;
            if self.line_chars > LINE_CHARS {
                self.lines += 1;
                self.line_chars = self.token_chars;
                self.line_words = 1;
            }
        }
        self.token_chars = 0;
        self.token_is_word = false;
    }

    /// The counts of the block, `None` if it has no token; starts a new block.
    pub fn finish(&mut self, in_link: bool) -> Option<BlockDensity> {
        self.end_token(in_link);
        let block = std::mem::take(self);
        if block.tokens == 0 {
            return None;
        }
        let in_full_lines = block.words - block.line_words;
        let (words, lines) = match in_full_lines {
            0 => (block.words, 1),
            words => (words, block.lines),
        };
        Some(BlockDensity {
            words: block.words,
            linked: block.linked,
            full_text: words / lines >= FULL_TEXT_DENSITY,
        })
    }
}

/// The number of words in a text of its own.
pub(super) fn count(text: &str) -> u32 {
    let mut words = BlockWords::default();
    words.push(text, false);
    words.finish(false).map_or(0, |counts| counts.words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: u32, full_text: bool) {
        let mut counter = BlockWords::default();
        counter.push(text, false);
        let counts = counter.finish(false).expect("a token");
        assert_eq!((counts.words, counts.full_text), (words, full_text));
    }

    #[test]
    fn words_hold_a_letter_or_a_digit() {
        check("it's 7:30 - a/b, x_y.", 4, false);
        check("...", 0, false);
        // No character of boilerpipe's tokens: a break.
        check("don’t A&B", 4, false);
        check("Ünïcödé слово", 2, false);
    }

    #[test]
    fn common_letters_are_letters() {
        let common: Vec<char> = ('\0'..=char::MAX)
            .filter(|&c| is_common_letter(c))
            .collect();
        assert!(common.len() > 30_000 && common.iter().all(|c| c.is_alphanumeric()));
    }

    #[test]
    fn a_text_without_a_token_is_none() {
        let mut counter = BlockWords::default();
        counter.push(" | * &", false);
        assert_eq!(counter.finish(false), None);
    }

    #[test]
    fn tokens_run_over_pushes_and_end_at_links() {
        let mut words = BlockWords::default();
        words.push("foo", false);
        words.push("bar", false);
        words.end_token(false);
        words.push("baz", true);
        let counts = words.finish(true).expect("words");
        assert_eq!((counts.words, counts.linked), (2, 1));
    }

    #[test]
    fn density_is_words_in_full_lines() {
        check("one two three four five six seven eight", 8, false);
        check("one two three four five six seven eight nine", 9, true);
        // Nine words in 80 characters are one line, in 81 a full one of eight and
        // a last one.
        let line = ["eightchr"; 9].join(" ");
        check(&line, 9, true);
        check(&format!("{line}s"), 9, false);
        // Ten words in a full line, then one that is left out.
        let line = ["sevench"; 10].join(" ");
        check(&format!("{line} {}", "x".repeat(79)), 11, true);
        // Six words of eleven characters a line.
        check(&"elevenchars ".repeat(30), 30, false);
        // A first word longer than a line: no full line but the block's own.
        check(&"x".repeat(100), 1, false);
    }
}
