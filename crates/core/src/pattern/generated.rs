//! Names that a tool generates: numbers, hashes, parts that it counts. They differ from page to page,
//! or from one build of the site to the next, and identify nothing.

/// Letters that a stable beginning needs.
const MIN_START: usize = 4;

/// The index at which the generated part of a name begins: the first piece that is a
/// number of more than two digits or mixes digits with letters as no word does.
/// `None` for a name without one, 0 for one that is nothing else.
pub fn generated_part(name: &str) -> Option<usize> {
    if is_counted_first(name) {
        return Some(0);
    }
    let mut at = 0;
    for piece in name.split_inclusive(['-', '_']) {
        if is_generated(piece.trim_end_matches(['-', '_'])) {
            let letters = name[..at].bytes().filter(u8::is_ascii_alphabetic).count();
            return Some(if letters >= MIN_START { at } else { 0 });
        }
        at += piece.len();
    }
    None
}

/// True for a name that begins with a number behind a mark, as page builders count the parts
/// of a page: `_1_tb_body` is the first part of each, whatever it is.
fn is_counted_first(name: &str) -> bool {
    let behind = name.trim_start_matches(['-', '_']);
    behind.len() < name.len() && behind.starts_with(|c: char| c.is_ascii_digit())
}

fn is_generated(piece: &str) -> bool {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    if digits > 2 && letters == 0 {
        return true;
    }
    if piece.len() < 5 || letters == 0 {
        return false;
    }
    // Digits in the middle of letters, or letters in both cases at random.
    let bytes = piece.as_bytes();
    let inner_digit = bytes
        .windows(2)
        .any(|w| w[0].is_ascii_digit() && w[1].is_ascii_alphabetic());
    let turns = bytes
        .windows(2)
        .filter(|w| w[0].is_ascii_uppercase() && w[1].is_ascii_lowercase())
        .count();
    let vowels = piece
        .bytes()
        .filter(|b| b"aeiouyAEIOUY".contains(b))
        .count();
    inner_digit && piece.len() >= 5
        || digits > 3
        || is_hash(piece)
        || turns >= 2 && vowels * 5 < letters
        || letters >= 6 && vowels == 0 && digits > 0
}

/// True if a piece looks like the five or six letters that a build makes of a hash:
/// capitals inside, and a part between them that cannot be said (`xqaQs`).
fn is_hash(piece: &str) -> bool {
    if !matches!(piece.len(), 5 | 6) || !piece.bytes().all(|b| b.is_ascii_alphabetic()) {
        return false;
    }
    let is_turn = |w: &[u8]| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase();
    let mut parts = piece
        .as_bytes()
        .chunk_by(|a, b| !is_turn(&[*a, *b]))
        .peekable();
    let is_said = |part: &[u8]| part.len() < 2 || part.iter().any(|b| b"aeiouyAEIOUY".contains(b));
    parts.next_if(|first| first.len() == piece.len()).is_none() && !parts.all(is_said)
}
