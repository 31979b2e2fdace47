//! DOCTYPE states: sections 13.2.5.53 to 13.2.5.68 of the HTML standard.

use super::tag::{is_space, skip_space};
use super::{Input, pass};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink};
use memchr::memchr;

/// DOCTYPE state, and all up to its end, which is the first `>` in each of its states.
pub(super) fn doctype<S: TokenSink>(input: &Input, at: usize, sink: &S) -> Option<usize> {
    let close = memchr(b'>', &input.bytes()[at..]).map(|n| at + n);
    if close.is_none() && !input.is_whole() {
        return None;
    }
    let mut declaration = Declaration {
        input,
        at,
        end: close.unwrap_or(input.byte_count()),
        doctype: Doctype::default(),
    };
    let read = declaration.read();
    let mut doctype = declaration.doctype;
    doctype.force_quirks = match read {
        Read::Complete => close.is_none(),
        Read::Bogus => false,
        Read::Quirks => true,
    };
    pass(sink, Token::DoctypeToken(doctype));
    Some(close.map_or(input.byte_count(), |close| close + 1))
}

/// How a declaration was read.
enum Read {
    /// As it should be; where the source ends before it does, quirks are forced.
    Complete,
    /// Something follows that is passed over (bogus DOCTYPE state).
    Bogus,
    /// It forces quirks mode.
    Quirks,
}

/// The declaration from its name on.
struct Declaration<'a> {
    input: &'a Input,
    at: usize,
    end: usize,
    doctype: Doctype,
}

impl Declaration<'_> {
    fn read(&mut self) -> Read {
        self.skip_space();
        if self.rest().is_empty() {
            return Read::Quirks;
        }
        self.doctype.name = Some(self.name());
        self.skip_space();
        if self.rest().is_empty() {
            return Read::Complete;
        }
        let public = self.keyword("public");
        if public {
            let (id, is_whole) = self.identifier();
            self.doctype.public_id = id;
            if !is_whole {
                return Read::Quirks;
            }
            self.skip_space();
            if self.rest().is_empty() {
                return Read::Complete;
            }
        } else if !self.keyword("system") {
            return Read::Quirks;
        }
        let (id, is_whole) = self.identifier();
        self.doctype.system_id = id;
        if !is_whole {
            return Read::Quirks;
        }
        self.skip_space();
        match self.rest() {
            [] => Read::Complete,
            _ => Read::Bogus,
        }
    }

    fn rest(&self) -> &[u8] {
        &self.input.bytes()[self.at..self.end]
    }

    fn skip_space(&mut self) {
        self.at = skip_space(&self.input.bytes()[..self.end], self.at);
    }

    /// DOCTYPE name state.
    fn name(&mut self) -> StrTendril {
        let rest = self.rest();
        let length = rest.iter().position(|&b| is_space(b));
        let end = self.at + length.unwrap_or(rest.len());
        let mut name = self.input.slice(self.at..end);
        name.make_ascii_lowercase();
        self.at = end;
        name
    }

    /// After DOCTYPE name state.
    fn keyword(&mut self, keyword: &str) -> bool {
        let rest = self.rest();
        let there = rest.len() >= keyword.len()
            && rest[..keyword.len()].eq_ignore_ascii_case(keyword.as_bytes());
        self.at += if there { keyword.len() } else { 0 };
        there
    }

    /// Before DOCTYPE public and system identifier states, and the identifier's own: the
    /// identifier, if there is one, and true if its closing quote is there, too.
    fn identifier(&mut self) -> (Option<StrTendril>, bool) {
        self.skip_space();
        let [quote @ (b'"' | b'\''), rest @ ..] = self.rest() else {
            return (None, false);
        };
        let start = self.at + 1;
        match memchr(*quote, rest) {
            Some(length) => {
                self.at = start + length + 1;
                (Some(self.input.slice(start..start + length)), true)
            }
            None => (Some(self.input.slice(start..self.end)), false),
        }
    }
}
