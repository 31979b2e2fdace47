//! Tag name and attribute states: sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40 of the HTML standard.

use super::reference::Place;
use super::{Input, Tokenizer};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::memchr;
use memchr::memchr2;

/// Attributes of one tag that are kept: each is compared with all before it.
pub(super) const MAX_ATTRS: usize = 2048;

/// A byte that ends a tag's name, and an attribute's name and value without quotes too.
const SPACE: u8 = 1;
/// `>`, which ends them as well.
const GREATER: u8 = 2;
/// `/`, which ends names.
const SOLIDUS: u8 = 4;
/// `=`, which ends an attribute's name.
const EQUALS: u8 = 8;
/// A byte that does not stand in a name as it is.
const CHANGED: u8 = 16;

const TAG_NAME_ENDS: u8 = SPACE | GREATER | SOLIDUS;
const ATTRIBUTE_NAME_ENDS: u8 = TAG_NAME_ENDS | EQUALS;
const UNQUOTED_ENDS: u8 = SPACE | GREATER;

/// The kind of each byte.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    kinds[b'\t' as usize] = SPACE;
    kinds[b'\n' as usize] = SPACE;
    kinds[b'\x0c' as usize] = SPACE;
    kinds[b' ' as usize] = SPACE;
    kinds[b'>' as usize] = GREATER;
    kinds[b'/' as usize] = SOLIDUS;
    kinds[b'=' as usize] = EQUALS;
    kinds[0] = CHANGED;
    let mut upper = b'A';
    while upper <= b'Z' {
        kinds[upper as usize] = CHANGED;
        upper += 1;
    }
    kinds
};

/// True of what the standard's tokenizer takes for white space.
pub fn is_space(byte: u8) -> bool {
    KINDS[usize::from(byte)] == SPACE
}

/// True of a byte that ends a tag's name.
pub fn ends_tag_name(byte: u8) -> bool {
    KINDS[usize::from(byte)] & TAG_NAME_ENDS != 0
}

/// The first byte at `at` or later that is not white space.
pub fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&b| is_space(b)) {
        at += 1;
    }
    at
}

impl Tokenizer {
    /// Tag name state, and all up to the tag's end: `None` if the source ends before.
    pub(super) fn tag<S: TokenSink>(
        &mut self,
        input: &Input,
        kind: TagKind,
        at: usize,
        sink: &S,
    ) -> Option<usize> {
        let (name, at) = self.name(input, at, at, TAG_NAME_ENDS)?;
        let mut tag = Tag {
            kind,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        let end = self.attributes(input, at, &mut tag)?;
        if kind == TagKind::StartTag {
            self.last_start_tag = Some(tag.name.clone());
        }
        self.give_tag(Token::TagToken(tag), sink);
        Some(end)
    }

    /// Before attribute name, after attribute name, after attribute value (quoted) and
    /// self-closing start tag states. Returns where the tag ends.
    fn attributes(&mut self, input: &Input, mut at: usize, tag: &mut Tag) -> Option<usize> {
        let bytes = input.bytes();
        let mut left_out = false;
        self.attributes.clear();
        loop {
            at = skip_space(bytes, at);
            match *bytes.get(at)? {
                b'>' => break,
                b'/' => {
                    at += 1;
                    tag.self_closing = *bytes.get(at)? == b'>';
                }
                _ => {
                    let (attribute, next) = self.attribute(input, at)?;
                    at = next;
                    if self
                        .attributes
                        .iter()
                        .any(|a| a.name.local == attribute.name.local)
                    {
                        tag.had_duplicate_attributes = true;
                    } else if self.attributes.len() < MAX_ATTRS {
                        self.attributes.push(attribute);
                    } else {
                        left_out = true;
                    }
                }
            }
        }
        self.tags_cut += usize::from(left_out);
        // A buffer of its length: an element keeps it.
        tag.attrs = self.attributes.drain(..).collect();
        Some(at + 1)
    }

    /// Attribute name, after attribute name and before attribute value states.
    fn attribute(&mut self, input: &Input, at: usize) -> Option<(Attribute, usize)> {
        let bytes = input.bytes();
        // Its first byte is its own, even if it is an equals sign.
        let (name, end) = self.name(input, at, at + 1, ATTRIBUTE_NAME_ENDS)?;
        let after = skip_space(bytes, end);
        let (value, next) = match *bytes.get(after)? {
            b'=' => self.value(input, skip_space(bytes, after + 1))?,
            _ => (StrTendril::new(), after),
        };
        let name = QualName::new(None, ns!(), name);
        Some((Attribute { name, value }, next))
    }

    /// The name that starts at `start`, whose end is looked for from `from` on.
    #[inline]
    fn name(
        &mut self,
        input: &Input,
        start: usize,
        from: usize,
        ends: u8,
    ) -> Option<(LocalName, usize)> {
        let bytes = input.bytes();
        let mut seen = KINDS[usize::from(bytes[start])];
        let mut end = from;
        loop {
            let kind = KINDS[usize::from(*bytes.get(end)?)];
            if kind & ends != 0 {
                break;
            }
            seen |= kind;
            end += 1;
        }
        let name = match seen & CHANGED {
            0 => self.names.get(&input.text()[start..end]),
            _ => {
                let lower = input.slice(start..end).to_ascii_lowercase();
                self.names.get(&lower)
            }
        };
        Some((name, end))
    }

    /// Attribute value states.
    fn value(&mut self, input: &Input, at: usize) -> Option<(StrTendril, usize)> {
        let bytes = input.bytes();
        match *bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                let start = at + 1;
                let first = start + memchr2(quote, b'&', &bytes[start..])?;
                if bytes[first] == quote {
                    return Some((input.slice(start..first), first + 1));
                }
                let end = first + memchr(quote, &bytes[first..])?;
                Some((self.decode(input, start..end, Place::Attribute), end + 1))
            }
            // "Missing attribute value": the tag ends.
            b'>' => Some((StrTendril::new(), at)),
            _ => {
                let ends = |&b: &u8| KINDS[usize::from(b)] & UNQUOTED_ENDS != 0;
                let end = at + bytes[at..].iter().position(ends)?;
                Some((self.decode(input, at..end, Place::Attribute), end))
            }
        }
    }
}
