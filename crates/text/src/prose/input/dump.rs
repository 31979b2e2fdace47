//! The text in binary data.

/// Characters of the shortest run that is text, as in the Unix command `strings`.
const MIN_CHARS: usize = 4;

/// The runs of text in any bytes, a line each: valid UTF-8 without control characters,
/// of at least four characters. The result is not longer than the bytes.
///
/// ```
/// use forest_text::prose::input::dump::dump;
///
/// assert_eq!(dump(b"\x00\x01some text\xff\x02ab\x03"), "some text");
/// ```
pub fn dump(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for run in chunk.valid().split(|c: char| c.is_control() && c != '\t') {
            let run = run.trim();
            if run.chars().take(MIN_CHARS).count() < MIN_CHARS {
                continue;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(run);
        }
    }
    out
}
