//! Notes on the lines of a rule file that are not in the wrapper.

use std::fmt;

/// A note on a line of a rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1; 0 where it is about the whole file.
    pub line: usize,
    /// Where in the line, in characters from 1, if that is known.
    pub column: Option<usize>,
    /// The part that is left out, or kept in another form.
    pub kind: NoteKind,
}

/// The subject of a [`Note`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteKind {
    /// A line without a colon.
    NoDirective,
    /// A directive without a value.
    Empty(String),
    /// A directive that ftr-site-config does not have. The line is kept.
    Unknown(String),
    /// A directive without effect here. The line is kept.
    NotActedOn(String),
    /// An expression that cannot be used. It is left out.
    NotXPath {
        /// The expression.
        expression: String,
        /// Why.
        reason: String,
    },
    /// A link that cannot be an alternative of those before it. It is left out.
    Link(&'static str),
    /// The numbers of `find_string` and `replace_string` differ. All are left out.
    Unpaired,
    /// More replacements than a wrapper may have. It is left out.
    TooManyReplaces,
    /// A line that refers to a directive before it, which is missing. It is left out.
    Without {
        /// The directive.
        directive: &'static str,
        /// The directive that should stand before it.
        before: &'static str,
    },
    /// A line that is not a header. It is left out.
    Header,
    /// A field of a schema that is left out, or a part of it.
    Field {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The file was not UTF-8 and was read as ISO 8859-1.
    Latin1,
    /// There is no usable `body`: pages are read by their own shape, and stripped.
    NoBody,
}

impl Note {
    /// Returns true if a part of the file is not in the wrapper.
    pub fn is_loss(&self) -> bool {
        !matches!(
            self.kind,
            NoteKind::Unknown(_) | NoteKind::NotActedOn(_) | NoteKind::Latin1 | NoteKind::NoBody
        )
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}", self.line)?;
            if let Some(column) = self.column {
                write!(f, ", column {column}")?;
            }
            f.write_str(": ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoteKind::NoDirective => f.write_str("no directive: left out; a comment begins with #"),
            NoteKind::Empty(name) => write!(f, "`{name}` says nothing: left out"),
            NoteKind::Unknown(name) => write!(
                f,
                "`{name}` is no directive of ftr-site-config: kept under `foreign`, not acted on"
            ),
            NoteKind::NotActedOn(name) => {
                write!(f, "`{name}` is kept under `foreign`, not acted on")
            }
            NoteKind::NotXPath { expression, reason } => {
                write!(f, "left out: {reason}: {expression}")
            }
            NoteKind::Link(reason) => write!(f, "left out: {reason}"),
            NoteKind::Unpaired => f.write_str(
                "`find_string` and `replace_string` are not as many: all of them are left out",
            ),
            NoteKind::TooManyReplaces => {
                f.write_str("left out: more replacements than a wrapper may have")
            }
            NoteKind::Without { directive, before } => {
                write!(f, "`{directive}` without a `{before}` before it: left out")
            }
            NoteKind::Header => {
                f.write_str("left out: a header is written `http_header(user-agent): its value`")
            }
            NoteKind::Field { name, reason } => write!(f, "field `{name}`: left out: {reason}"),
            NoteKind::Latin1 => f.write_str("the file is not UTF-8: read as ISO 8859-1"),
            NoteKind::NoBody => f.write_str(
                "no `body` that can be used: pages are read by their own shape until it has one",
            ),
        }
    }
}
