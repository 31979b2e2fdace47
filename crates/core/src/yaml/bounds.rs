//! Bounds on YAML from outside, looked at before it is read.
//!
//! The reader (`yaml_serde`) holds all of a document before it gives the first value. Its
//! scanner looks at each open bracket for each token, so that brackets in brackets cost the
//! square of their number, and an alias is read as if it were written out, a hundred times
//! the file at the most. The scanner itself can only be asked by unsafe code.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess};
use serde::de::{VariantAccess, Visitor};
use std::fmt;

/// Levels of lists and mappings in each other at the most. Our own files have six.
const MOST_LEVELS: usize = 64;

/// Bytes that aliases may add to the values of a file, a byte for each value counted with
/// the bytes of its text.
const MOST_ALIAS_BYTES: usize = 1_000_000;

/// The values of a file without aliases have at most this many bytes for each of its text:
/// `\P`, in double quotes, is a separator of paragraphs of three bytes, and a value.
const BYTES_PER_BYTE: usize = 3;

/// Bytes of a text whose brackets need not be counted: scanning 8,000 open ones takes a
/// fiftieth of a second. The count is cautious, and might refuse brackets in texts.
const MOST_UNCOUNTED_BYTES: usize = 8_000;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a YAML text from outside.
///
/// # Errors
///
/// If it is not YAML of this type, is nested deeper than [`MOST_LEVELS`], has aliases that
/// stand for more than [`MOST_ALIAS_BYTES`], or names a prefix of tags.
pub fn read_yaml<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, serde_yaml::Error> {
    if text.len() > MOST_UNCOUNTED_BYTES
        && let Some(line) = line_of_more_brackets(text, MOST_LEVELS)
    {
        return Err(Error::custom(format_args!(
            "more than {MOST_LEVELS} brackets are open at line {line}: write less deep lists and \
             mappings"
        )));
    }
    if let Some(line) = line_of_tag_prefix(text) {
        return Err(Error::custom(format_args!(
            "line {line} has a prefix for tags (`%TAG`), which no file needs: leave it out"
        )));
    }
    let mut is_beyond = false;
    let walk = ValueWalk {
        bytes_left: &mut (text.len() * BYTES_PER_BYTE + MOST_ALIAS_BYTES),
        levels_left: MOST_LEVELS,
        is_beyond: &mut is_beyond,
    };
    // Any other fault of the text has a better message where its type is known.
    match walk.deserialize(serde_yaml::Deserializer::from_str(text)) {
        Err(error) if is_beyond => Err(error),
        _ => serde_yaml::from_str(text),
    }
}

/// The line that gives a prefix of tags a name. The reader writes the prefix out for each tag.
fn line_of_tag_prefix(text: &str) -> Option<usize> {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let names_prefix = |line: &str| line.split(is_line_end).any(|line| line.starts_with("%TAG"));
    text.split('\n').position(names_prefix).map(|at| at + 1)
}

/// Where the scanner may stand inside a list or mapping in brackets.
#[derive(Clone, Copy)]
enum InBrackets {
    /// Where a token may begin.
    Between,
    /// In a value without quotes.
    Plain,
    Comment,
    Single,
    /// After a `'` in single quotes: the end, or half of `''`.
    SingleEnd,
    Double,
    /// After a `\` in double quotes.
    Escape,
    Tag,
    /// In the name of an anchor or an alias.
    Anchor,
}

/// For each place of [`InBrackets`], the most brackets that may be open there; 0 if the
/// scanner cannot be there.
type OpenBrackets = [usize; InBrackets::Anchor as usize + 1];

/// The line where the scanner might first have more than `most` brackets open.
///
/// Outside of brackets, the meaning of one depends on indentation, so it is left open: each
/// that stands where a value may begin is taken both for a bracket and for a letter.
/// Inside of brackets the rules are few. All places where the scanner may stand are followed
/// at once, so it never has more brackets open than are counted here.
fn line_of_more_brackets(text: &str, most: usize) -> Option<usize> {
    let mut open: OpenBrackets = [0; _];
    let mut before = '\n';
    let mut line = 1;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        // Behind a comma, since the parser goes on after the closed list of `[? ], [`.
        let is_behind = is_blank(before) || matches!(before, BYTE_ORDER_MARK | ',');
        let begins = is_behind && matches!(c, '[' | '{');
        if begins || open != [0; _] {
            let after = chars.peek().copied().unwrap_or('\n');
            open = step(&open, before, c, after);
            if begins {
                reach(&mut open, InBrackets::Between, 1);
            }
            if open.iter().any(|&count| count > most) {
                return Some(line);
            }
        }
        before = c;
    }
    None
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t') || is_line_end(c)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn reach(open: &mut OpenBrackets, place: InBrackets, count: usize) {
    open[place as usize] = open[place as usize].max(count);
}

/// The places after the character `c`, which stands between `before` and `after`.
fn step(open: &OpenBrackets, before: char, c: char, after: char) -> OpenBrackets {
    use InBrackets::{Anchor, Between, Comment, Double, Escape, Plain, Single, SingleEnd, Tag};
    let mut next: OpenBrackets = [0; _];
    let at = |place: InBrackets| open[place as usize];
    // A name and a text in single quotes end before a character, and a token begins there.
    let is_in_name = c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let ended = [(Anchor, !is_in_name), (SingleEnd, c != '\'')];
    let ended = ended.map(|(place, ends)| if ends { at(place) } else { 0 });
    let between = ended.into_iter().fold(at(Between), usize::max);
    let plain = at(Plain);

    match c {
        '[' | '{' => {
            let inside = between.max(plain);
            reach(&mut next, Between, inside + usize::from(inside > 0));
        }
        ']' | '}' => reach(&mut next, Between, between.max(plain).saturating_sub(1)),
        ',' => reach(&mut next, Between, between.max(plain).max(at(Tag))),
        // Is a letter within a line, and nothing before one.
        BYTE_ORDER_MARK => {
            reach(&mut next, Between, between);
            reach(&mut next, Plain, between.max(plain));
        }
        _ => {
            let place = match c {
                '\'' => Single,
                '"' => Double,
                '#' => Comment,
                '!' => Tag,
                '&' | '*' => Anchor,
                ':' | '?' => Between,
                _ if is_blank(c) => Between,
                _ => Plain,
            };
            reach(&mut next, place, between);
            let place = match c {
                ':' if is_blank(after) => Between,
                '#' if is_blank(before) => Comment,
                _ => Plain,
            };
            reach(&mut next, place, plain);
        }
    }
    let within = [
        (Comment, if is_line_end(c) { Between } else { Comment }),
        (Single, if c == '\'' { SingleEnd } else { Single }),
        (Double, if c == '"' { Between } else { Double }),
        (Escape, Double),
        (Tag, if is_blank(c) { Between } else { Tag }),
    ];
    for (from, to) in within {
        let to = if matches!(from, Double) && c == '\\' {
            Escape
        } else {
            to
        };
        reach(&mut next, to, at(from));
    }
    if is_in_name {
        reach(&mut next, Anchor, at(Anchor));
    }
    if c == '\'' {
        reach(&mut next, Single, at(SingleEnd));
    }
    next
}

/// Reads all values of a text and keeps none. Fails where there are too many, or they are
/// too deep.
struct ValueWalk<'a> {
    bytes_left: &'a mut usize,
    levels_left: usize,
    is_beyond: &'a mut bool,
}

impl ValueWalk<'_> {
    fn fail<E: Error>(&mut self, reason: impl fmt::Display) -> E {
        *self.is_beyond = true;
        E::custom(reason)
    }

    /// Counts a value and the bytes of its text.
    fn count<E: Error>(&mut self, text_bytes: usize) -> Result<(), E> {
        match self.bytes_left.checked_sub(text_bytes + 1) {
            Some(left) => {
                *self.bytes_left = left;
                Ok(())
            }
            None => Err(self.fail(format_args!(
                "its aliases (`*name`) stand for more than {MOST_ALIAS_BYTES} bytes: write \
                 fewer of them"
            ))),
        }
    }

    fn below(&mut self) -> ValueWalk<'_> {
        ValueWalk {
            bytes_left: self.bytes_left,
            levels_left: self.levels_left - 1,
            is_beyond: self.is_beyond,
        }
    }

    fn descend<E: Error>(&mut self) -> Result<(), E> {
        self.count(0)?;
        if self.levels_left == 0 {
            return Err(self.fail(format_args!(
                "lists and mappings are nested deeper than {MOST_LEVELS} levels"
            )));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ValueWalk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueWalk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(mut self, _: bool) -> Result<(), E> {
        self.count(0)
    }

    fn visit_i64<E: Error>(mut self, _: i64) -> Result<(), E> {
        self.count(0)
    }

    fn visit_i128<E: Error>(mut self, _: i128) -> Result<(), E> {
        self.count(0)
    }

    fn visit_u64<E: Error>(mut self, _: u64) -> Result<(), E> {
        self.count(0)
    }

    fn visit_u128<E: Error>(mut self, _: u128) -> Result<(), E> {
        self.count(0)
    }

    fn visit_f64<E: Error>(mut self, _: f64) -> Result<(), E> {
        self.count(0)
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        self.count(text.len())
    }

    fn visit_unit<E: Error>(mut self) -> Result<(), E> {
        self.count(0)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        self.descend()?;
        while seq.next_element_seed(self.below())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.descend()?;
        while map.next_key_seed(self.below())?.is_some() {
            map.next_value_seed(self.below())?;
        }
        Ok(())
    }

    /// A value with a tag.
    fn visit_enum<A: EnumAccess<'de>>(mut self, tagged: A) -> Result<(), A::Error> {
        self.descend()?;
        let (tag, value) = tagged.variant::<String>()?;
        self.count(tag.len())?;
        value.newtype_variant_seed(self.below())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_yaml::Value;
    use std::path::Path;

    #[track_caller]
    fn check_refused(text: &str, parts: &[&str]) {
        let error = read_yaml::<Value>(text).expect_err("is refused");
        for part in parts {
            assert!(error.to_string().contains(part), "{error} says {part}");
        }
    }

    #[test]
    fn aliases_that_grow_are_refused() {
        let mut bomb = "a: &a xxxxxxxxxx\n".to_owned();
        for (name, of) in ["b", "c", "d", "e", "f", "g", "h"]
            .iter()
            .zip(["a", "b", "c", "d", "e", "f", "g"])
        {
            let ten = vec![format!("*{of}"); 10].join(", ");
            bomb.push_str(&format!("{name}: &{name} [{ten}]\n"));
        }
        check_refused(&bomb, &["repetition limit"]);
        let text = format!(
            "a: &a {}\nb: [{}*a]\n",
            "x".repeat(100_000),
            "*a, ".repeat(20_000)
        );
        check_refused(&text, &["aliases", "b["]);
        check_refused("a: &a [*a]", &["64 levels"]);
        let few = "a: &a [x, y]\nb: *a\nc: *a\n";
        assert_eq!(
            read_yaml::<Value>(few).expect("reads"),
            serde_yaml::from_str::<Value>(few).expect("reads")
        );
    }

    /// Sequences of 200,000 brackets took the reader 15 s.
    #[test]
    fn brackets_in_brackets_are_refused_before_they_are_scanned() {
        for nest in [
            "[",
            "{",
            "[ ",
            "{a: ",
            "[\n",
            "? [",
            "[['a]', ",
            "[\"]\", ",
            "[ # ]\n",
            "[!<]> ",
            "[&a ",
            "[&a?\"]\",",
        ] {
            check_refused(&nest.repeat(100_000), &["64 brackets", "line"]);
            let after_a_key = format!("a: b\nc:\n  - {}", nest.repeat(100_000));
            check_refused(&after_a_key, &["64 brackets", "line"]);
        }
        let behind_a_closed_list = format!("[? ],{}", "[".repeat(100_000));
        check_refused(&behind_a_closed_list, &["64 brackets", "line 1"]);
    }

    #[test]
    fn deep_blocks_are_refused() {
        let deep = "- ".repeat(65);
        check_refused(&deep, &["64 levels", "line 1"]);
        assert!(read_yaml::<Value>(&deep[2..]).is_ok());
        check_refused(
            &format!("a: {}x{}", "[".repeat(64), "]".repeat(64)),
            &["64 levels"],
        );
    }

    /// Each tag is as long as the prefix, so that 4 MB of prefix and 4 MB of tags are 4 TB.
    #[test]
    fn prefixes_of_tags_are_refused() {
        check_refused(
            "%TAG ! tag:x.example,2024:\n---\n- !a b\n",
            &["line 1", "%TAG"],
        );
        check_refused("\u{feff}# a\r%TAG ! x:\r---\r- !a b\r", &["line 1", "%TAG"]);
        assert!(read_yaml::<Value>("%YAML 1.1\n---\n- !a b\n").is_ok());
    }

    #[test]
    fn sensible_files_are_read() {
        for text in [
            "- //*[a]\n- '//*'\n- '* [ & { *'\n- \"[[[[\"\n".repeat(150),
            format!("a: |\n{}", "  [ { [ it's\n".repeat(3)),
            format!("[{}]", "[a, 'b]', {c: \"}\"}], ".repeat(10_000)),
            "a: b & c *d\ne: f *d\n".to_owned(),
            String::new(),
            "# nothing\n".to_owned(),
        ] {
            let read = read_yaml::<Option<Value>>(&text).expect("is read");
            assert_eq!(
                read,
                serde_yaml::from_str(&text).expect("is read"),
                "{text}"
            );
        }
    }

    /// The wrapper files of this repository.
    fn real_files() -> Vec<String> {
        let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sites");
        let files = std::fs::read_dir(sites)
            .expect("is there")
            .map(|entry| entry.expect("is read").path());
        let mut files: Vec<_> = files.collect();
        files.sort();
        files
            .into_iter()
            .map(|file| std::fs::read_to_string(file).expect("is read"))
            .collect()
    }

    /// Levels of lists in a value.
    fn levels(value: &Value) -> usize {
        match value {
            Value::Sequence(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
            Value::Mapping(pairs) => pairs
                .iter()
                .flat_map(|(a, b)| [levels(a), levels(b)])
                .max()
                .unwrap_or(0),
            Value::Tagged(tagged) => levels(&tagged.value),
            _ => 0,
        }
    }

    const PARTS: [&str; 27] = [
        "[", "[", "[", "]", "]", ",", ", ", "'", "\"", "']'", "\"[\"", "\\", "# ]\n", "#", "!<]> ",
        "!a ", "&a ", "*a", "&b?", ": ", ":", "? ", "\n", " ", "a", "- ", "\u{feff}",
    ];

    #[test]
    fn a_list_behind_hyphens_has_no_bracket() {
        let text = "[]: \n- - \\]";
        let value: Value = serde_yaml::from_str(text).expect("YAML");
        assert_eq!(levels(&value), 2);
        assert_eq!(line_of_more_brackets(text, 1), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// The count is never less than the brackets that the reader opens.
        #[test]
        fn no_bracket_is_missed(parts in proptest::collection::vec(0..PARTS.len(), 0..24)) {
            let inside: String = parts.into_iter().map(|at| PARTS[at]).collect();
            // Closed in some way, since most texts are open.
            for end in ["]", "]]", "]]]", "]]]]"] {
                let text = format!("[{inside}{end}");
                if let Ok(value) = serde_yaml::from_str::<Value>(&text) {
                    // The parser takes the `]` of `[? ]` for the key, and reads on in the list
                    // that its scanner has closed. Lists behind hyphens have no bracket.
                    let others = text.matches('?').count() + text.matches("- ").count();
                    let levels = levels(&value).saturating_sub(others).max(1);
                    prop_assert!(line_of_more_brackets(&text, levels - 1).is_some(), "{text:?}: {levels}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Accepted files have the value that the reader alone gives.
        #[test]
        fn changed_files_have_the_value_that_the_reader_gives(
            file in 0..14_usize,
            changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..PARTS.len()), 0..6),
        ) {
            let mut text = real_files()[file].clone();
            for (at, part) in &changes {
                let mut at = at.index(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.insert_str(at, PARTS[*part]);
            }
            let read = read_yaml::<Value>(&text).map_err(|error| error.to_string());
            let alone = serde_yaml::from_str::<Value>(&text).map_err(|error| error.to_string());
            prop_assert_eq!(read, alone);
        }
    }
}
