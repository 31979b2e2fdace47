//! Formulas in HTML: MathML Core, with their TeX as an annotation.
//!
//! A browser sets MathML as a formula; other programs, and this one, read the source from the
//! annotation. A formula with commands that `pulldown-latex` does not know stays text.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

/// Bytes of TeX at the most.
const MAX_TEX_BYTES: usize = 4_000;

/// Events for a byte of TeX at the most.
const MAX_EVENTS: usize = 4;

/// Elements within each other at the most.
const MAX_DEPTH: usize = 100;

/// Letters in a row that are a word, and no product of variables.
const WORD_LETTERS: usize = 4;

/// The beginnings of commands that are not read: what defines others has an expansion without
/// bound, and `\char` before a letter of two bytes makes the parser panic (0.8.0).
const NOT_READ: [&str; 10] = [
    "\\char",
    "\\def",
    "\\edef",
    "\\futurelet",
    "\\gdef",
    "\\let",
    "\\newcommand",
    "\\providecommand",
    "\\renewcommand",
    "\\xdef",
];

/// Elements of MathML that are written.
pub(super) const ELEMENTS: [&str; 27] = [
    "annotation",
    "math",
    "menclose",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "semantics",
];

/// Attributes of MathML that are written: none names an address or a script.
pub(super) const ATTRS: [(&str, &[&str]); 8] = [
    ("annotation", &["encoding"]),
    ("math", &["display"]),
    ("menclose", &["notation"]),
    ("mfrac", &["linethickness"]),
    ("mi", &["mathvariant"]),
    (
        "mo",
        &["stretchy", "symmetric", "fence", "form", "movablelimits"],
    ),
    ("mover", &["accent"]),
    ("mspace", &["width"]),
];

/// The MathML of a [formula](forest_html::page::Page::is_formula); `None` if it stays text.
pub(super) fn mathml_of(formula: &str) -> Option<String> {
    let (tex, display_mode) = source_of(formula);
    let is_not_read = || NOT_READ.iter().any(|command| tex.contains(command));
    if tex.len() > MAX_TEX_BYTES || is_words(formula) || is_not_read() {
        return None;
    }
    let storage = Storage::new();
    let events = Parser::new(tex, &storage).take(MAX_EVENTS * tex.len() + 1);
    let events = events.collect::<Result<Vec<_>, _>>().ok()?;
    let annotation = tex.replace('&', "&amp;").replace('<', "&lt;");
    let config = RenderConfig {
        display_mode,
        annotation: Some(&annotation),
        ..RenderConfig::default()
    };
    let mut mathml = String::new();
    let events = events.into_iter().map(Ok::<_, std::fmt::Error>);
    push_mathml(&mut mathml, events, config).ok()?;
    (depth_of(&mathml) <= MAX_DEPTH).then_some(mathml)
}

/// The TeX between the marks of a formula.
fn source_of(formula: &str) -> (&str, DisplayMode) {
    let between = |mark: &str| formula.strip_prefix(mark)?.strip_suffix(mark);
    match between("$$") {
        Some(tex) => (tex, DisplayMode::Block),
        None => (between("$").unwrap_or(formula), DisplayMode::Inline),
    }
}

/// True for a formula without marks that has words: the name of a picture.
fn is_words(formula: &str) -> bool {
    let mut parts = formula.split(|c: char| !c.is_alphabetic());
    !formula.starts_with('$') && parts.any(|part| part.chars().nth(WORD_LETTERS - 1).is_some())
}

/// The most elements within each other.
fn depth_of(mathml: &str) -> usize {
    let mut depth = 0_usize;
    let mut most = 0;
    for tag in mathml.split('<').skip(1) {
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            depth += 1;
            most = most.max(depth);
        }
    }
    most
}
