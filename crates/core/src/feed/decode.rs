//! Feed bytes to text: byte order mark, then valid UTF-8 that is more than
//! ASCII, then the charset of the HTTP header, then the XML declaration's, then
//! a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::{FeedWarning, scan};
use forest_html::page::charset::mend_c1;

/// Bytes in which the XML declaration is looked for. It must come first; some
/// servers put blank lines or a notice before it.
const DECLARATION_BYTES: usize = 1024;

/// Bytes that the charset guess looks at (as for pages: the guess on a whole
/// document costs more than parsing it).
const GUESS_BYTES: usize = 32 * 1024;

/// The text of a feed, without characters that XML does not allow. Control characters that a
/// writer made of windows-1252's quotes and dashes are these again.
pub(super) fn decode(bytes: &[u8], content_type: Option<&str>) -> (String, Option<FeedWarning>) {
    let (text, warning) = transcode(bytes, content_type);
    let mut text = mend_c1(text.into()).into_owned();
    if text.contains(|c| !scan::is_xml(c)) {
        text.retain(scan::is_xml);
    }
    (text, warning)
}

fn transcode(bytes: &[u8], content_type: Option<&str>) -> (String, Option<FeedWarning>) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let text = encoding.decode_without_bom_handling(&bytes[length..]).0;
        return (text.into_owned(), None);
    }
    match bytes {
        [0, b'<', ..] => return (UTF_16BE.decode_without_bom_handling(bytes).0.into(), None),
        [b'<', 0, ..] => return (UTF_16LE.decode_without_bom_handling(bytes).0.into(), None),
        _ => {}
    }
    let declared = content_type
        .and_then(charset)
        .or_else(|| declaration(bytes))
        .filter(|&encoding| encoding != REPLACEMENT);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return match declared {
            // A stateful encoding in seven bits is the one that valid UTF-8 does
            // not disprove.
            Some(encoding) if !encoding.is_ascii_compatible() && bytes.contains(&0x1B) => {
                (encoding.decode_without_bom_handling(bytes).0.into(), None)
            }
            Some(encoding) if encoding != UTF_8 && !text.is_ascii() => {
                let warning = FeedWarning::WrongCharset {
                    declared: encoding.name(),
                    used: UTF_8.name(),
                };
                (text.to_owned(), Some(warning))
            }
            _ => (text.to_owned(), None),
        };
    }
    let single = |encoding: &'static Encoding| encoding.decode_without_bom_handling(bytes).0;
    match declared {
        Some(encoding) if encoding != UTF_8 && encoding.is_ascii_compatible() => {
            (single(encoding).into(), None)
        }
        _ => {
            let (good, bad) = utf8_sequences(bytes);
            if good > bad {
                let text = String::from_utf8_lossy(bytes).into_owned();
                return (text, Some(FeedWarning::InvalidUtf8 { sequences: bad }));
            }
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(&bytes[..bytes.len().min(GUESS_BYTES)], true);
            let guess = detector.guess(None, Utf8Detection::Deny);
            let warning = FeedWarning::WrongCharset {
                declared: declared.unwrap_or(UTF_8).name(),
                used: guess.name(),
            };
            (single(guess).into(), Some(warning))
        }
    }
}

/// The number of characters outside ASCII that are well-formed UTF-8, and of
/// sequences are not.
fn utf8_sequences(bytes: &[u8]) -> (usize, usize) {
    let mut good = 0;
    let mut bad = 0;
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    (good, bad)
}

/// The encoding of a `Content-Type` value's `charset` parameter.
fn charset(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| Encoding::for_label(value.as_bytes()))?
    })
}

/// The encoding that the XML declaration names.
fn declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION_BYTES)]);
    let start = head.find("<?xml")?;
    let inside = &head[start..start + head[start..].find("?>")?];
    let after = inside.split_once("encoding")?.1.trim_start();
    let value = after.strip_prefix('=')?.trim_start();
    let label: String = value
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|&c| c.is_ascii_graphic() && c != '"' && c != '\'')
        .collect();
    Encoding::for_label(label.as_bytes())
}
