//! The tokens of a page as the project reads them, and as html5ever's own tokenizer does.

use forest_html::page::{Input, SourceEnd, Tokenizer};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts,
};
use std::cell::{Cell, RefCell};

/// Takes all tokens; sets the states that a tree builder sets for elements with raw text.
#[derive(Default)]
pub struct TokenList {
    tokens: RefCell<Vec<Token>>,
    /// The last start tag was one of SVG, so that CDATA may follow.
    in_svg: Cell<bool>,
}

impl TokenList {
    /// The tokens but for parse errors, neighbouring characters as one.
    pub fn into_tokens(self) -> Vec<Token> {
        self.tokens.into_inner()
    }
}

impl TokenSink for TokenList {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut tokens = self.tokens.borrow_mut();
        let mut answer = TokenSinkResult::Continue;
        match (token, tokens.last_mut()) {
            (Token::ParseError(_), _) => return answer,
            (Token::CharacterTokens(text), _) if text.is_empty() => return answer,
            (Token::CharacterTokens(more), Some(Token::CharacterTokens(text))) => {
                text.push_tendril(&more);
                return answer;
            }
            (token, _) => {
                if let Token::TagToken(tag) = &token {
                    self.in_svg.set(&*tag.name == "svg");
                    answer = state_after(tag);
                }
                tokens.push(token);
            }
        }
        answer
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.in_svg.get()
    }
}

fn state_after(tag: &Tag) -> TokenSinkResult<()> {
    if tag.kind == TagKind::EndTag {
        return TokenSinkResult::Continue;
    }
    match &*tag.name {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

/// The tokens that `tokenizer` reads in a source that comes in pieces of `piece_bytes`.
pub fn of_pieces(mut tokenizer: Tokenizer, html: &str, piece_bytes: usize) -> Vec<Token> {
    let sink = TokenList::default();
    let mut input = Input::default();
    let mut rest = html;
    loop {
        let until = rest.ceil_char_boundary(piece_bytes);
        let (piece, after) = rest.split_at(until);
        let end = match after {
            "" => SourceEnd::Here,
            _ => SourceEnd::Later,
        };
        input.push(piece, end);
        let mut at = 0;
        while let Some(next) = tokenizer.step(&input, at, &sink) {
            at = next;
        }
        input.drop_front(at);
        if end == SourceEnd::Here {
            break;
        }
        rest = after;
    }
    tokenizer.end(&sink);
    sink.into_tokens()
}

/// The tokens of html5ever's own tokenizer.
pub fn of_html5ever(html: &str) -> Vec<Token> {
    let options = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let tokenizer = html5ever::tokenizer::Tokenizer::new(TokenList::default(), options);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.into_tokens()
}

/// Fails if the two differ, or the tokens of pieces from those of the whole.
pub fn compare(html: &str) {
    let theirs = of_html5ever(html);
    let pieces = [usize::MAX >> 1, 1 + html.len() / 2, 7];
    for piece_bytes in pieces {
        // A token is read again with each piece: short pieces of short pages only.
        if piece_bytes < 100 && html.len() > 2000 {
            continue;
        }
        let ours = of_pieces(Tokenizer::default(), html, piece_bytes);
        if ours != theirs {
            let at = ours.iter().zip(&theirs).position(|(a, b)| a != b);
            let at = at.unwrap_or(ours.len().min(theirs.len()));
            panic!(
                "pieces of {piece_bytes} bytes, token {at}: {:.300?}\nhtml5ever: {:.300?}",
                ours.get(at),
                theirs.get(at)
            );
        }
    }
}

/// Pieces of markup that states begin and end with.
#[allow(dead_code, reason = "the fuzz target makes its own")]
pub const PIECES: [&str; 72] = [
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    "&",
    ";",
    "#",
    "!",
    "-",
    "?",
    "[",
    "]",
    " ",
    "\n",
    "\r",
    "\0",
    "a",
    "B",
    "1",
    "x",
    "é",
    "\u{feff}",
    "--",
    "<!",
    "<!--",
    "-->",
    "--!>",
    "]]>",
    "</",
    "/>",
    "&#",
    "&#x",
    "&amp",
    "&amp;",
    "&not",
    "&notin;",
    "&#38;",
    "&#x80;",
    "&CounterClockwiseContourIntegral;",
    "<p>",
    "</p>",
    "<p ",
    "<A HREF=",
    "<img src='",
    "<b title=\"",
    " class=a",
    " id='b'",
    "<script>",
    "</script>",
    "<SCRIPT ",
    "</script ",
    "<script",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<svg>",
    "<![CDATA[",
    "<!DOCTYPE",
    "<!doctype html>",
    " PUBLIC",
    " system",
    "<plaintext>",
    "<noscript>",
    "</noscript>",
    "text",
    "\t",
    "\x0c",
];
