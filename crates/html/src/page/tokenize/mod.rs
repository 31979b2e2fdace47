//! HTML to tokens: the tokenizer of the HTML standard (section 13.2.5) over bytes.
//!
//! Takes a source piece by piece ([`Input`]); gives html5ever's tokens to a [`TokenSink`], such as
//! html5ever's tree builder. The tokens are those of html5ever's own tokenizer, but for three
//! things that no tree shows: a run of text is one token, parse errors are not told, and no line
//! is counted.
//!
//! A token is read whole or not at all: each state looks for the byte that ends it, and
//! a token whose end is still to come is read again when more is there. So the states
//! need no memory, and what they find is a slice of the source.
//!
//! - `mod`: the states of text and of a `<` (13.2.5.1 to 13.2.5.7), bogus comment, markup
//!   declaration open (13.2.5.41, 13.2.5.42), CDATA section (13.2.5.69 to 13.2.5.71).
//! - `tag`: tag name and attributes (13.2.5.8, 13.2.5.32 to 13.2.5.40).
//! - `raw`: where RCDATA, RAWTEXT and scripts end (13.2.5.9 to 13.2.5.31).
//! - `comment`, `doctype`: 13.2.5.43 to 13.2.5.52 and 13.2.5.53 to 13.2.5.68.
//! - `reference`: character references (13.2.5.72 to 13.2.5.80).
//! - `names`: the names of a page, interned once.
//! - `input`: what is there of a source (13.2.3.5).

mod comment;
mod doctype;
mod input;
mod names;
mod raw;
mod reference;
mod tag;

pub use input::{Input, SourceEnd};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, LocalName};
use memchr::{memchr, memchr_iter, memmem};
use names::Names;
use reference::Place;
use std::ops::Range;

/// The state between two tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextState {
    /// Data state: text, tags and comments.
    #[default]
    Data,
    /// RCDATA state: text with character references, up to its end tag.
    Rcdata,
    /// RAWTEXT state: text up to its end tag.
    Rawtext,
    /// Script data state: text up to its end tag, if that is not commented out.
    ScriptData,
    /// PLAINTEXT state: text up to the end of the source.
    Plaintext,
    /// CDATA section state: text up to `]]>`.
    CdataSection,
}

/// Reads tokens, from the data state at the start of a document on. See the module's page.
#[derive(Default)]
pub struct Tokenizer {
    state: TextState,
    last_start_tag: Option<LocalName>,
    names: Names,
    /// The text of a token while its character references are decoded.
    decoded: String,
    /// The attributes of a tag while it is read.
    attributes: Vec<Attribute>,
    tags_cut: usize,
}

impl Tokenizer {
    /// A tokenizer that starts in `state`, after a start tag of the name `last_start_tag`.
    pub fn in_state(state: TextState, last_start_tag: Option<&str>) -> Tokenizer {
        Tokenizer {
            state,
            last_start_tag: last_start_tag.map(LocalName::from),
            ..Tokenizer::default()
        }
    }

    /// Tags of which attributes were left out, since they had more than are kept.
    pub(super) fn tags_cut(&self) -> usize {
        self.tags_cut
    }

    /// Reads the token at `at` and gives it to `sink`; a text with NUL is several.
    /// Returns where the next begins, or `None` if all is read or more of the source is needed.
    pub fn step<S: TokenSink>(&mut self, input: &Input, at: usize, sink: &S) -> Option<usize> {
        if at == input.byte_count() {
            return None;
        }
        let next = match self.state {
            TextState::Data => self.data(input, at, sink),
            TextState::Rcdata | TextState::Rawtext | TextState::ScriptData => {
                self.raw_text(input, at, sink)
            }
            TextState::Plaintext => {
                self.text_then(input, at..input.byte_count(), input.byte_count(), sink)
            }
            TextState::CdataSection => self.cdata_section(input, at, sink),
        };
        // The end of a source ends whatever is open; a tag that is open is no token.
        next.or_else(|| input.is_whole().then_some(input.byte_count()))
    }

    /// Tells `sink` that the source ends.
    pub fn end<S: TokenSink>(&self, sink: &S) {
        pass(sink, Token::EOFToken);
        sink.end();
    }

    /// Data state.
    fn data<S: TokenSink>(&mut self, input: &Input, at: usize, sink: &S) -> Option<usize> {
        let bytes = input.bytes();
        let mut from = at;
        let end = loop {
            match memchr(b'<', &bytes[from..]) {
                None if input.is_whole() => break bytes.len(),
                None => return None,
                Some(n) => match opened(bytes, from + n) {
                    Opened::Markup => break from + n,
                    Opened::Text => from += n + 1,
                    Opened::Unknown if input.is_whole() => break bytes.len(),
                    Opened::Unknown => return None,
                },
            }
        };
        if end > at {
            return self.text_then(input, at..end, end, sink);
        }
        match bytes[at + 1] {
            b'!' => self.markup_declaration_open(input, at + 2, sink),
            b'/' => self.end_tag_open(input, at + 2, sink),
            b'?' => bogus_comment(input, at + 1, sink),
            _ => self.tag(input, TagKind::StartTag, at + 1, sink),
        }
    }

    /// End tag open state.
    fn end_tag_open<S: TokenSink>(&mut self, input: &Input, at: usize, sink: &S) -> Option<usize> {
        match input.bytes()[at] {
            b'>' => Some(at + 1),
            b if b.is_ascii_alphabetic() => self.tag(input, TagKind::EndTag, at, sink),
            _ => bogus_comment(input, at, sink),
        }
    }

    /// Markup declaration open state.
    fn markup_declaration_open<S: TokenSink>(
        &mut self,
        input: &Input,
        at: usize,
        sink: &S,
    ) -> Option<usize> {
        const DOCTYPE: &[u8] = b"doctype";
        const CDATA: &[u8] = b"[CDATA[";
        let rest = &input.bytes()[at..];
        if rest.len() < DOCTYPE.len() && !input.is_whole() {
            return None;
        }
        if rest.starts_with(b"--") {
            return comment::comment(input, at + 2, sink);
        }
        if rest.len() >= DOCTYPE.len() && rest[..DOCTYPE.len()].eq_ignore_ascii_case(DOCTYPE) {
            return doctype::doctype(input, at + DOCTYPE.len(), sink);
        }
        if rest.starts_with(CDATA) && sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.state = TextState::CdataSection;
            return Some(at + CDATA.len());
        }
        bogus_comment(input, at, sink)
    }

    /// CDATA section states.
    fn cdata_section<S: TokenSink>(&mut self, input: &Input, at: usize, sink: &S) -> Option<usize> {
        const END: &[u8] = b"]]>";
        let end = memmem::find(&input.bytes()[at..], END);
        let (end, next) = match end {
            Some(n) => (at + n, at + n + END.len()),
            None if input.is_whole() => (input.byte_count(), input.byte_count()),
            None => return None,
        };
        let next = self.text_then(input, at..end, next, sink);
        self.state = TextState::Data;
        next
    }

    /// RCDATA, RAWTEXT and script data states: the text, or the end tag that is next.
    fn raw_text<S: TokenSink>(&mut self, input: &Input, at: usize, sink: &S) -> Option<usize> {
        let end_tag = match self.state {
            TextState::ScriptData => raw::script_end(input.bytes(), at, &self.end_tag_name()),
            _ => raw::raw_text_end(input.bytes(), at, &self.end_tag_name()),
        };
        match end_tag {
            Some(end) if end == at => self.tag(input, TagKind::EndTag, at + 2, sink),
            Some(end) => self.text_then(input, at..end, end, sink),
            None if input.is_whole() => {
                self.text_then(input, at..input.byte_count(), input.byte_count(), sink)
            }
            None => None,
        }
    }

    /// The name of the appropriate end tag.
    fn end_tag_name(&self) -> LocalName {
        self.last_start_tag.clone().unwrap_or_default()
    }

    /// Gives a text; returns `next`.
    fn text_then<S: TokenSink>(
        &mut self,
        input: &Input,
        text: Range<usize>,
        next: usize,
        sink: &S,
    ) -> Option<usize> {
        let keeps_nul = matches!(self.state, TextState::Data | TextState::CdataSection);
        if !input.has_nul() || !keeps_nul {
            self.text(input, text, sink);
            return Some(next);
        }
        let mut from = text.start;
        for n in memchr_iter(0, &input.bytes()[text.clone()]) {
            self.text(input, from..text.start + n, sink);
            pass(sink, Token::NullCharacterToken);
            from = text.start + n + 1;
        }
        self.text(input, from..text.end, sink);
        Some(next)
    }

    fn text<S: TokenSink>(&mut self, input: &Input, text: Range<usize>, sink: &S) {
        let characters = match self.state {
            TextState::Data | TextState::Rcdata => self.decode(input, text, Place::Text),
            _ => input.slice(text),
        };
        if !characters.is_empty() {
            pass(sink, Token::CharacterTokens(characters));
        }
    }

    /// The characters of `span`, its character references decoded.
    fn decode(&mut self, input: &Input, span: Range<usize>, place: Place) -> StrTendril {
        if memchr(b'&', &input.bytes()[span.clone()]).is_none() {
            return input.slice(span);
        }
        let text = input.slice(span);
        self.decoded.clear();
        reference::decode(&text, place, &mut self.decoded);
        StrTendril::from_slice(&self.decoded)
    }

    /// Gives a tag, and takes the state that it sets.
    fn give_tag<S: TokenSink>(&mut self, tag: Token, sink: &S) {
        self.state = match sink.process_token(tag, 1) {
            TokenSinkResult::Plaintext => TextState::Plaintext,
            TokenSinkResult::RawData(RawKind::Rcdata) => TextState::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => TextState::Rawtext,
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => {
                TextState::ScriptData
            }
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => TextState::Data,
        };
    }
}

/// Gives a token to which a sink has no answer.
fn pass<S: TokenSink>(sink: &S, token: Token) {
    let TokenSinkResult::Continue = sink.process_token(token, 1) else {
        unreachable!("only tags change the tokenizer's state");
    };
}

/// The meaning of a `<` in data.
enum Opened {
    /// A tag, a comment or a declaration begins.
    Markup,
    /// It is text.
    Text,
    /// The source ends before it is known.
    Unknown,
}

/// Tag open state.
fn opened(bytes: &[u8], at: usize) -> Opened {
    match bytes.get(at + 1) {
        Some(b'/') if at + 2 == bytes.len() => Opened::Unknown,
        Some(b'/' | b'!' | b'?') => Opened::Markup,
        Some(b) if b.is_ascii_alphabetic() => Opened::Markup,
        Some(_) => Opened::Text,
        None => Opened::Unknown,
    }
}

/// Bogus comment state.
fn bogus_comment<S: TokenSink>(input: &Input, at: usize, sink: &S) -> Option<usize> {
    let (end, next) = match memchr(b'>', &input.bytes()[at..]) {
        Some(n) => (at + n, at + n + 1),
        None if input.is_whole() => (input.byte_count(), input.byte_count()),
        None => return None,
    };
    pass(sink, Token::CommentToken(input.slice(at..end)));
    Some(next)
}
