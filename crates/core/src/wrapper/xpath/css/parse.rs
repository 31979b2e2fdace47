//! The words of a CSS selector: names, texts, numbers, with their places.

use crate::wrapper::xpath::{MAX_BYTES, XPathFault};

/// Numbers in `:nth-child()` at the most: no element has so many siblings.
const MAX_NUMBER: i64 = 1_000_000;

/// Goes over a selector from its beginning to its end.
pub(super) struct Parser<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Parser<'s> {
    pub fn of(source: &'s str) -> Result<Parser<'s>, XPathFault> {
        if source.len() > MAX_BYTES {
            return Err(XPathFault {
                reason: format!("longer than {MAX_BYTES} bytes"),
                byte: None,
            });
        }
        Ok(Parser { source, at: 0 })
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn fault(&self, reason: &str) -> XPathFault {
        self.fault_at(self.at, reason)
    }

    pub fn fault_at(&self, byte: usize, reason: &str) -> XPathFault {
        XPathFault {
            reason: reason.to_owned(),
            byte: Some(byte),
        }
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub fn take(&mut self, c: char) -> bool {
        let is_next = self.peek() == Some(c);
        if is_next {
            self.skip();
        }
        is_next
    }

    pub fn expect(&mut self, c: char, reason: &str) -> Result<(), XPathFault> {
        if self.take(c) {
            Ok(())
        } else {
            Err(self.fault(reason))
        }
    }

    /// Skips white space and comments; whether there were any.
    pub fn space(&mut self) -> bool {
        let begin = self.at;
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("/*") {
                return self.at > begin;
            }
            self.at += trimmed.find("*/").map_or(trimmed.len(), |end| end + 2);
        }
    }

    pub fn begins_name(&self) -> bool {
        self.peek().is_some_and(|c| is_of_name(c) || c == '\\')
    }

    /// A name, its escapes undone.
    pub fn name(&mut self, what: &str) -> Result<String, XPathFault> {
        let mut name = String::new();
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(self.fault("a name does not begin with a digit: write `1` as `\\31 `"));
        }
        while let Some(c) = self.peek() {
            match c {
                '\\' => name.extend(self.escaped()),
                c if is_of_name(c) => {
                    self.skip();
                    name.push(c);
                }
                _ => break,
            }
        }
        if name.is_empty() {
            Err(self.fault(&format!("the name of {what} is missing")))
        } else {
            Ok(name)
        }
    }

    /// A text in quotes, or a bare word.
    pub fn value(&mut self) -> Result<String, XPathFault> {
        let Some(quote @ ('"' | '\'')) = self.peek() else {
            // Stricter than it need be in CSS only of numbers, which all engines read.
            let begin = self.at;
            while self.peek().is_some_and(|c| is_of_name(c) || c == '\\') {
                match self.peek() {
                    Some('\\') => drop(self.escaped()),
                    _ => self.skip(),
                }
            }
            let word = &self.source[begin..self.at];
            if word.is_empty() {
                return Err(self.fault("a text in quotes is missing"));
            }
            if word.contains('\\') {
                let (source, at) = (word, 0);
                return Parser { source, at }.name("a text");
            }
            return Ok(word.to_owned());
        };
        let begin = self.at;
        self.skip();
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return Err(self.fault_at(begin, "the quote is not closed")),
                Some('\\') => text.extend(self.escaped()),
                Some(c) => {
                    self.skip();
                    if c == quote {
                        return Ok(text);
                    }
                    text.push(c);
                }
            }
        }
    }

    /// `\:`, `\31 `; nothing for an end of a line.
    fn escaped(&mut self) -> Option<char> {
        self.skip();
        let rest = self.rest();
        let digits = rest
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_hexdigit)
            .count();
        if digits == 0 {
            let c = self.peek();
            self.skip();
            return c.filter(|c| *c != '\n');
        }
        self.at += digits;
        if self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.skip();
        }
        let code = u32::from_str_radix(&rest[..digits], 16).ok();
        let c = code.and_then(char::from_u32).filter(|c| *c != '\0');
        Some(c.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// `2n+1`, `odd`, `3`: the step and the first.
    pub fn nth(&mut self) -> Result<(i64, i64), XPathFault> {
        self.space();
        let begin = self.at;
        let end = self
            .rest()
            .find([')', 'o'])
            .map_or(self.source.len(), |n| begin + n);
        // `odd` has the letter that `of` begins with.
        let end = if self.starts_with("odd") {
            begin + 3
        } else {
            end
        };
        let formula: String = self.source[begin..end]
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .to_ascii_lowercase();
        let read = |text: &str| match text {
            "" | "+" => Some(1),
            "-" => Some(-1),
            text => text
                .strip_prefix('+')
                .unwrap_or(text)
                .parse::<i64>()
                .ok()
                .filter(|n| n.abs() <= MAX_NUMBER),
        };
        let found = match &*formula {
            "odd" => Some((2, 1)),
            "even" => Some((2, 0)),
            text => match text.split_once('n') {
                Some((step, "")) => read(step).map(|step| (step, 0)),
                Some((step, first)) => read(step).zip(read(first)),
                None => (!text.is_empty())
                    .then(|| read(text))
                    .flatten()
                    .map(|n| (0, n)),
            },
        };
        match found {
            Some(found) => {
                self.at = end;
                Ok(found)
            }
            None => Err(self.fault("a place is written as `2`, `odd`, `even` or `3n+1`")),
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || (!c.is_ascii() && !c.is_control())
}

/// A number as XPath reads it behind an operator.
pub(super) fn number(n: i64) -> String {
    match n {
        ..0 => format!("({n})"),
        _ => n.to_string(),
    }
}
