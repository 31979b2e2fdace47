//! Long texts in pieces, as ammonia writes a long one in quadratic time.
//!
//! ammonia writes by html5ever, whose `write_escaped` (0.40.1, `html5ever/src/serialize/mod.rs`)
//! looks at each `&` and each character from U+0080 to U+00BF, whose first byte is that of the
//! no-break space, for the next `<` or `>`, up to the end of the text, before it looks for the
//! next such character: a megabyte of pound signs takes seconds. The remedy there is to look for
//! all of them in one pass, or to go on looking for `<` and `>` where the last search ended.
//! Once it is mended, this module can go.
//!
//! Until then a comment stands between the pieces of a text. ammonia takes it out and leaves the
//! texts around it apart, so the bytes that it writes are the same. An attribute is as slow, but
//! has at most [`MAX_ATTR_BYTES`](super::MAX_ATTR_BYTES) or
//! [`MAX_URL_BYTES`](forest_html::address::MAX_URL_BYTES).

use memchr::memchr2_iter;

/// A comment that parts two pieces. Nothing else that is written holds one.
pub(super) const BREAK: &str = "<!---->";

/// Bytes of a piece of text: with 2 kB a megabyte of pound signs takes 0.03 seconds, as one of
/// letters does, in one piece 6.5.
pub(super) const PIECE_BYTES: usize = 2048;

/// Bytes that ammonia may look at to write a page: some 30 milliseconds' work, by the 6.5 seconds
/// for half a million pound signs.
const MAX_WORK_BYTES: usize = 1 << 30;

/// True if ammonia may take long to write this HTML, whatever its texts and attributes are:
/// each character that is slow, or the reference to one, is looked at with all bytes.
pub(super) fn is_long_work(html: &str) -> bool {
    let slow = memchr2_iter(b'&', 0xC2, html.as_bytes()).count();
    slow.saturating_mul(html.len()) > MAX_WORK_BYTES
}

/// Where the text `next` is parted, after `written`, whose last piece has `piece_bytes` so far;
/// `None` if it has room for all of it.
pub(super) fn part_place(written: &str, next: &str, piece_bytes: usize) -> Option<usize> {
    let room = PIECE_BYTES.saturating_sub(piece_bytes);
    if next.len() <= room {
        return None;
    }
    let from = next.floor_char_boundary(room);
    let mut before = match from {
        0 => written.chars().next_back(),
        _ => next[..from].chars().next_back(),
    };
    for (at, after) in next[from..].char_indices() {
        if may_part(before, after) {
            return Some(from + at);
        }
        before = Some(after);
    }
    None
}

/// True if a parser reads the same text with a comment between two characters: it drops a line
/// break after some start tags, and reads a carriage return with a line feed as one.
fn may_part(before: Option<char>, after: char) -> bool {
    match before {
        Some('>') => !matches!(after, '\r' | '\n'),
        Some('\r') => after != '\n',
        _ => true,
    }
}
