//! Comment states: sections 13.2.5.43 to 13.2.5.52 of the HTML standard.

use super::{Input, pass};
use html5ever::tokenizer::{Token, TokenSink};
use memchr::memchr;

/// Comment start state, and all up to the comment's end.
pub(super) fn comment<S: TokenSink>(input: &Input, at: usize, sink: &S) -> Option<usize> {
    let bytes = input.bytes();
    let (end, next) = match comment_end(bytes, at) {
        Some(found) => found,
        None if input.is_whole() => (end_of_source(&bytes[at..]) + at, bytes.len()),
        None => return None,
    };
    pass(sink, Token::CommentToken(input.slice(at..end)));
    Some(next)
}

/// Where the comment's text ends, and the comment.
pub fn comment_end(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    // Comment start and comment start dash states: `<!-->` and `<!--->`.
    if bytes[start..].starts_with(b">") {
        return Some((start, start + 1));
    }
    if bytes[start..].starts_with(b"->") {
        return Some((start, start + 2));
    }
    let mut at = start;
    loop {
        at += memchr(b'-', &bytes[at..])?;
        let dashes = bytes[at..].iter().take_while(|&&b| b == b'-').count();
        at += dashes;
        if dashes < 2 {
            continue;
        }
        // Comment end and comment end bang states.
        match *bytes.get(at)? {
            b'>' => return Some((at - 2, at + 1)),
            b'!' if *bytes.get(at + 1)? == b'>' => return Some((at - 2, at + 2)),
            _ => {}
        }
    }
}

/// Where the text of a comment ends that the source's end cuts off: a beginning of
/// its end is not of it.
fn end_of_source(text: &[u8]) -> usize {
    let ends: [&[u8]; 3] = [b"--!", b"--", b"-"];
    let cut = ends.iter().find(|end| text.ends_with(end));
    text.len() - cut.map_or(0, |end| end.len())
}
