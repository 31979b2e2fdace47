//! Where text ends that holds no tags: sections 13.2.5.9 to 13.2.5.31 of the HTML standard.

use super::tag::ends_tag_name;
use memchr::{memchr, memchr2};

/// RCDATA and RAWTEXT states: the appropriate end tag from `at` on.
pub fn raw_text_end(bytes: &[u8], mut at: usize, name: &str) -> Option<usize> {
    loop {
        at += memchr(b'<', &bytes[at..])?;
        if is_end_tag(bytes, at, name) {
            return Some(at);
        }
        at += 1;
    }
}

/// How far a script is commented out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Script data state.
    No,
    /// Script data escaped state: after `<!--`.
    Escaped,
    /// Script data double escaped state: and after `<script`.
    DoubleEscaped,
}

/// Script data states: the appropriate end tag from `at` on.
pub fn script_end(bytes: &[u8], mut at: usize, name: &str) -> Option<usize> {
    let mut escape = Escape::No;
    loop {
        let rest = &bytes[at..];
        at += match escape {
            Escape::No => memchr(b'<', rest)?,
            Escape::Escaped | Escape::DoubleEscaped => memchr2(b'<', b'-', rest)?,
        };
        let rest = &bytes[at..];
        if rest[0] == b'-' {
            // Escaped dash dash states.
            if rest.starts_with(b"-->") {
                escape = Escape::No;
            }
            at += 1;
            continue;
        }
        match escape {
            Escape::No | Escape::Escaped if is_end_tag(bytes, at, name) => return Some(at),
            // The dashes may be those of the comment's end too.
            Escape::No if rest.starts_with(b"<!--") => {
                escape = Escape::Escaped;
                at += 2;
            }
            // Double escape start state.
            Escape::Escaped if is_tag(bytes, at + 1, "script") => {
                escape = Escape::DoubleEscaped;
                at += 1;
            }
            // Double escape end state.
            Escape::DoubleEscaped if is_end_tag(bytes, at, "script") => {
                escape = Escape::Escaped;
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// End tag open and end tag name states.
fn is_end_tag(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && !name.is_empty() && is_tag(bytes, at + 2, name)
}

/// True if `name` stands at `at`, and ends there.
fn is_tag(bytes: &[u8], at: usize, name: &str) -> bool {
    let end = at + name.len();
    bytes.get(end).is_some_and(|&b| ends_tag_name(b))
        && bytes[at..end].eq_ignore_ascii_case(name.as_bytes())
}
