//! Character references: sections 13.2.5.72 to 13.2.5.80 of the HTML standard.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::memchr;

/// Bytes of the longest name of an entity, its semicolon included.
const LONGEST_NAME: usize = "CounterClockwiseContourIntegral;".len();

/// Bytes of the longest name of an entity that needs no semicolon.
const LONGEST_LEGACY_NAME: usize = "frac12".len();

/// Where a reference stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Text,
    Attribute,
}

/// Appends `text` to `out`, its character references decoded.
pub(super) fn decode(text: &str, place: Place, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let read = match after.strip_prefix('#') {
            Some(number) => numeric(number, out).map(|length| length + 1),
            None => named(after, place, out),
        };
        if read.is_none() {
            out.push('&');
        }
        rest = &after[read.unwrap_or(0)..];
    }
    out.push_str(rest);
}

/// Named character reference state: the bytes that were read after the ampersand.
fn named(after: &str, place: Place, out: &mut String) -> Option<usize> {
    let bytes = after.as_bytes();
    let letters = bytes.iter().take(LONGEST_NAME);
    let letters = letters.take_while(|b| b.is_ascii_alphanumeric()).count();
    if letters == 0 {
        return None;
    }
    let (length, (first, second)) = match bytes.get(letters) {
        Some(b';') if let Some(character) = common(&after[..letters]) => {
            out.push(character);
            return Some(letters + 1);
        }
        Some(b';') if let Some(found) = entity(&after[..=letters]) => (letters + 1, found),
        _ => {
            let (length, found) = legacy(&after[..letters])?;
            let next = bytes.get(length);
            let goes_on = next.is_some_and(|&b| b == b'=' || b.is_ascii_alphanumeric());
            if place == Place::Attribute && goes_on {
                return None;
            }
            (length, found)
        }
    };
    let second = Some(second).filter(|&second| second != 0);
    out.extend(
        [Some(first), second]
            .into_iter()
            .flatten()
            .filter_map(char::from_u32),
    );
    Some(length)
}

/// The longest name without semicolon that `name` starts with.
fn legacy(name: &str) -> Option<(usize, (u32, u32))> {
    let lengths = (1..=name.len().min(LONGEST_LEGACY_NAME)).rev();
    let mut names = lengths.map(|length| (length, entity(&name[..length])));
    names.find_map(|(length, found)| Some((length, found?)))
}

/// The character of an entity that most pages are full of.
fn common(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "quot" => '"',
        "lt" => '<',
        "gt" => '>',
        "nbsp" => '\u{a0}',
        _ => return None,
    })
}

/// The characters of an entity, the second 0 where it has one only. The table holds
/// the beginnings of names too, as no character.
fn entity(name: &str) -> Option<(u32, u32)> {
    let found = NAMED_ENTITIES.get(name).copied();
    found.filter(|&(first, _)| first != 0)
}

/// Numeric character reference states: the bytes that were read after the number sign.
fn numeric(after: &str, out: &mut String) -> Option<usize> {
    let (base, marker) = match after.as_bytes() {
        [b'x' | b'X', ..] => (16, 1),
        _ => (10, 0),
    };
    let digits = after[marker..].bytes();
    let digits = digits.take_while(|&b| char::from(b).is_digit(base)).count();
    if digits == 0 {
        return None;
    }
    let end = marker + digits;
    out.push(character(
        u32::from_str_radix(&after[marker..end], base).ok(),
    ));
    let semicolon = after[end..].starts_with(';');
    Some(end + usize::from(semicolon))
}

/// Numeric character reference end state; `None` is a number too large for any character.
fn character(number: Option<u32>) -> char {
    let replaced = number
        .filter(|number| (0x80..=0x9f).contains(number))
        .and_then(|number| C1_REPLACEMENTS[number as usize - 0x80]);
    let is_character = |&number: &u32| number != 0;
    replaced
        .or_else(|| number.filter(is_character).and_then(char::from_u32))
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}
