//! A JSON value, or a literal of JavaScript that is nearly one, to its strings.

use super::leaf::{JsonLeaf, PathStep};

/// The deepest level of a value: what nests deeper is no value.
const MAX_DEPTH: usize = 48;

/// Strings of one page at the most.
const MAX_LEAVES: usize = 20_000;

/// Bytes that are read of a page's JSON, attempts that failed included.
const MAX_READ_BYTES: usize = 12_000_000;

/// JSON in strings of JSON in strings: so many times.
const MAX_NESTING: usize = 3;

/// Bytes of a string that may hold JSON.
const MIN_NESTED_BYTES: usize = 40;

/// The strings that were read, and what may still be read.
#[derive(Debug)]
pub(super) struct JsonReader {
    bytes_left: usize,
    leaves_left: usize,
    numbers: JsonNumbers,
}

/// The whole numbers that are read as strings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonNumbers {
    /// The names of objects: `"id": 12`.
    Ids,
    All,
}

/// An open array or object; an array with the index of its next element.
#[derive(Debug, Clone, Copy)]
enum Container {
    Object,
    Array(u32),
}

impl Default for JsonReader {
    fn default() -> Self {
        JsonReader {
            bytes_left: MAX_READ_BYTES,
            leaves_left: MAX_LEAVES,
            numbers: JsonNumbers::Ids,
        }
    }
}

impl JsonReader {
    /// Numbers are read as strings are: times and names of records.
    pub fn with_numbers() -> JsonReader {
        JsonReader {
            numbers: JsonNumbers::All,
            ..JsonReader::default()
        }
    }

    /// True if no more is read: there may be more.
    pub fn is_full(&self) -> bool {
        self.bytes_left == 0 || self.leaves_left == 0
    }

    /// The strings of the value at the beginning of `text`, and the value's length in bytes;
    /// `None` where there is none or it is broken. Strings that hold JSON are read in their
    /// turn.
    pub fn read(&mut self, text: &str) -> Option<(Vec<JsonLeaf>, usize)> {
        let text = &text[..text.floor_char_boundary(self.bytes_left)];
        let mut cursor = LiteralCursor::new(text, self.numbers);
        let read = cursor.value(&[], self.leaves_left);
        self.bytes_left -= cursor.at.min(self.bytes_left);
        let mut leaves = read?;
        self.leaves_left -= leaves.len().min(self.leaves_left);
        let end = cursor.at;
        for _ in 0..MAX_NESTING {
            let mut has_nested = false;
            let mut out = Vec::with_capacity(leaves.len());
            for leaf in leaves {
                match self.nested(&leaf) {
                    Some(inner) => {
                        has_nested = true;
                        out.extend(inner);
                    }
                    None => out.push(leaf),
                }
            }
            leaves = out;
            if !has_nested {
                break;
            }
        }
        Some((leaves, end))
    }

    /// The strings of the JSON that a string holds.
    fn nested(&mut self, leaf: &JsonLeaf) -> Option<Vec<JsonLeaf>> {
        let text = leaf.text.trim();
        if text.len() < MIN_NESTED_BYTES || !text.starts_with(['{', '[']) {
            return None;
        }
        let text = &text[..text.floor_char_boundary(self.bytes_left)];
        let mut cursor = LiteralCursor::new(text, self.numbers);
        let read = cursor.value(&leaf.path, self.leaves_left);
        self.bytes_left -= cursor.at.min(self.bytes_left);
        let read = read.filter(|read| !read.is_empty() && cursor.at == text.len())?;
        self.leaves_left -= read.len().min(self.leaves_left);
        Some(read)
    }
}

#[derive(Debug)]
struct LiteralCursor<'t> {
    text: &'t str,
    at: usize,
    numbers: JsonNumbers,
}

impl<'t> LiteralCursor<'t> {
    fn new(text: &'t str, numbers: JsonNumbers) -> LiteralCursor<'t> {
        LiteralCursor {
            text,
            at: 0,
            numbers,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        let is_space = |b: u8| b.is_ascii_whitespace();
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// The strings of the value here, below `prefix`; at most `most` of them.
    fn value(&mut self, prefix: &[PathStep], most: usize) -> Option<Vec<JsonLeaf>> {
        let mut leaves = Vec::new();
        let mut path = prefix.to_vec();
        let mut open: Vec<Container> = Vec::new();
        loop {
            self.skip_space();
            // The path has a step for each open container but the last.
            if let Some(container) = open.last_mut() {
                if self.peek()? == b',' {
                    self.at += 1;
                    continue;
                }
                let closes = match container {
                    Container::Object => b'}',
                    Container::Array(_) => b']',
                };
                if self.peek()? == closes {
                    self.at += 1;
                    open.pop();
                    if open.is_empty() {
                        return Some(leaves);
                    }
                    path.pop();
                    continue;
                }
                path.push(match container {
                    Container::Array(next) => {
                        *next += 1;
                        PathStep::Index(*next - 1)
                    }
                    Container::Object => PathStep::key(&self.key()?),
                });
                self.skip_space();
            }
            match self.peek()? {
                opening @ (b'{' | b'[') => {
                    if path.len() >= MAX_DEPTH {
                        return None;
                    }
                    self.at += 1;
                    open.push(match opening {
                        b'{' => Container::Object,
                        _ => Container::Array(0),
                    });
                    continue;
                }
                b'"' | b'\'' | b'`' => {
                    let text = self.string()?;
                    if leaves.len() < most && !text.trim().is_empty() {
                        let path = path.clone();
                        leaves.push(JsonLeaf { path, text });
                    }
                }
                _ => {
                    let bare = self.bare()?.trim_end();
                    let is_number = !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit());
                    let is_id = || path.last().and_then(PathStep::name) == Some("id");
                    let is_read = self.numbers == JsonNumbers::All || is_id();
                    if is_number && is_read && leaves.len() < most {
                        leaves.push(JsonLeaf {
                            path: path.clone(),
                            text: bare.to_owned(),
                        });
                    }
                }
            }
            if open.is_empty() {
                return Some(leaves);
            }
            path.pop();
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Option<String> {
        let key = match self.peek()? {
            b'"' | b'\'' => self.string()?,
            _ => {
                let rest = &self.text[self.at..];
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
                let end = rest.find(|c| !is_name(c)).filter(|&end| end > 0)?;
                self.at += end;
                rest[..end].to_owned()
            }
        };
        self.skip_space();
        (self.peek()? == b':').then(|| self.at += 1)?;
        Some(key)
    }

    /// A string with its quotes. An escape that is none stands for its letter.
    fn string(&mut self) -> Option<String> {
        let quote = char::from(self.peek()?);
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find([quote, '\\']) else {
                // It was read to the end, which counts.
                self.at = self.text.len();
                return None;
            };
            out.push_str(&rest[..end]);
            self.at += end + 1;
            if !rest[end..].starts_with('\\') {
                return Some(out);
            }
            self.escape(&mut out)?;
        }
    }

    /// The rest of an escape, behind its `\`.
    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        out.push(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' | 'f' | 'v' => ' ',
            'x' => char::from_u32(self.hex(2)).unwrap_or(char::REPLACEMENT_CHARACTER),
            'u' => self.unicode(),
            other => other,
        });
        Some(())
    }

    /// The character of `\uXXXX`, behind its `u`; of two such escapes if they are a pair.
    fn unicode(&mut self) -> char {
        let first = self.hex(4);
        let before = self.at;
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let second = self.hex(4);
            if (0xdc00..0xe000).contains(&second) {
                let pair = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
            self.at = before;
        }
        char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// A number of at most `digits` hexadecimal digits; no character's where there are fewer.
    fn hex(&mut self, digits: usize) -> u32 {
        let rest = self.text[self.at..].bytes();
        let hex = rest.take(digits).take_while(u8::is_ascii_hexdigit).count();
        let number = u32::from_str_radix(&self.text[self.at..self.at + hex], 16);
        self.at += hex;
        number.ok().filter(|_| hex == digits).unwrap_or(u32::MAX)
    }

    /// A number, a name, or a call (`new Date(0)`): nothing that is text.
    fn bare(&mut self) -> Option<&'t str> {
        let begin = self.at;
        let mut calls = 0_usize;
        loop {
            match self.peek()? {
                b'(' => calls += 1,
                b')' if calls > 0 => calls -= 1,
                b',' | b'}' | b']' if calls == 0 => break,
                b'{' | b'[' | b'}' | b']' | b';' | b')' | b'=' | b'"' | b'\'' | b'`'
                    if calls == 0 =>
                {
                    return None;
                }
                _ => {}
            }
            self.at += 1;
        }
        (self.at > begin).then(|| &self.text[begin..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::super::leaf::generalised;
    use super::*;

    fn read(text: &str) -> Option<Vec<String>> {
        let (leaves, _) = JsonReader::default().read(text)?;
        let shown = |leaf: &JsonLeaf| format!("{} {}", generalised(&leaf.path), leaf.text);
        Some(leaves.iter().map(shown).collect())
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(text).expect(text), expected);
    }

    #[test]
    fn strings_have_paths() {
        check(
            r#"{"a":{"b":["x",{"c":"y"}]},"d":"z"}"#,
            &["/a/b/* x", "/a/b/*/c y", "/d z"],
        );
        check(r#"[[],{},"x"]"#, &["/* x"]);
        check(r#""x" + y"#, &[" x"]);
        check(r#"{"a":"x","a":"y"}"#, &["/a x", "/a y"]);
    }

    #[test]
    fn literals_of_javascript_are_read() {
        check(
            "{layout:'d', a:[void 0,!0,new Date(1, 2),],\n b : `x`, c:-1.5e3}",
            &["/layout d", "/b x"],
        );
        assert_eq!(read("{a:function(){return 1}}"), None);
        assert_eq!(read("{return x}"), None);
    }

    #[test]
    fn whole_numbers_are_read_if_asked_for() {
        let mut reader = JsonReader::with_numbers();
        let (leaves, _) = reader
            .read("{id:12, x:-1, y:1.5, at: 1716900000 }")
            .expect("read");
        let texts: Vec<&str> = leaves.iter().map(|leaf| &*leaf.text).collect();
        assert_eq!(texts, ["12", "1716900000"]);
    }

    #[test]
    fn numbers_that_name_objects_are_read() {
        check(
            "{id:12, at:1716900000, a:{\"id\":7}}",
            &["/id 12", "/a/id 7"],
        );
    }

    #[test]
    fn escapes_are_read_or_stand_for_themselves() {
        check(
            r#"["a\n\"b\"\/\u00e9\x41\ud83d\ude00", "\q\uZZ\ud800x"]"#,
            &["/* a\n\"b\"/\u{e9}A\u{1f600}", "/* q\u{fffd}ZZ\u{fffd}x"],
        );
    }

    #[test]
    fn json_in_strings_is_read() {
        let inner = r#"{"text":"The ferry leaves an hour later from Monday."}"#;
        let middle = serde_json::json!({ "inner": inner }).to_string();
        let outer = serde_json::json!({ "state": middle }).to_string();
        check(
            &outer,
            &["/state/inner/text The ferry leaves an hour later from Monday."],
        );
    }

    #[test]
    fn what_is_broken_deep_or_huge_ends() {
        for broken in [
            "",
            "{",
            "{\"a\"",
            "{\"a\":\"x",
            "[\"x\\",
            "[1",
            "{]",
            "[}",
            "x",
        ] {
            assert_eq!(read(broken), None, "{broken}");
        }
        assert_eq!(read(&"[".repeat(1_000_000)), None);
        assert_eq!(read(&"{\"a\":".repeat(100_000)), None);
        let many = format!("[{}\"x\"]", "\"x\",".repeat(100_000));
        assert_eq!(read(&many).expect("read").len(), MAX_LEAVES);
        let mut reader = JsonReader::default();
        let long = format!("[\"{}\"]", "x".repeat(MAX_READ_BYTES));
        assert!(reader.read(&long).is_none());
        assert!(reader.read("[\"x\"]").is_none(), "nothing is left to read");
    }
}
