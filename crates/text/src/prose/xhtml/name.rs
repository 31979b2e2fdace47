//! Names that XML allows.

/// Characters of a name; libxml2 refuses one of 50,000 bytes.
const MAX_NAME_CHARS: usize = 1000;

/// Appends a name as XML and its namespaces allow it. Characters that are not allowed
/// become `_`; so does the colon, since no prefix is declared. `_` precedes a first
/// character that is allowed only further on. A long name is cut.
///
/// ```
/// use forest_text::prose::xhtml::name::push_name;
///
/// let name = |html: &str| {
///     let mut out = String::new();
///     push_name(html, &mut out);
///     out
/// };
/// assert_eq!(name("data-x"), "data-x");
/// assert_eq!(name("@click"), "_click");
/// assert_eq!(name("o:p"), "o_p");
/// assert_eq!(name("2nd"), "_2nd");
/// ```
pub fn push_name(html: &str, out: &mut String) {
    let start = out.len();
    for c in html.chars().take(MAX_NAME_CHARS) {
        let first = out.len() == start;
        if first && !starts_name(c) && continues_name(c) {
            out.push('_');
        }
        out.push(if continues_name(c) { c } else { '_' });
    }
    if out.len() == start {
        out.push('_');
    }
}

/// NameStartChar of XML 1.0, fifth edition, without the colon.
fn starts_name(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// NameChar of XML 1.0, fifth edition, without the colon.
fn continues_name(c: char) -> bool {
    starts_name(c)
        || matches!(c,
            '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}
