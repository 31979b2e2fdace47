//! The traits of elements by their names, as HTML has them: one table for all stages.

/// It starts and ends a line of its own: the elements that the standard's style sheet shows
/// as blocks, and `br`.
pub const BLOCK: u16 = 1 << 0;

/// HTML writes it without an end tag: it has no contents. The obsolete ones are among them,
/// as in the standard's serialisation.
pub const VOID: u16 = 1 << 1;

/// A parser reads its text as it stands, up to its end tag.
pub const RAW: u16 = 1 << 2;

/// The same for obsolete elements, whose text is shown as that of a `pre`.
pub const VERBATIM: u16 = 1 << 3;

/// `h1` to `h6`.
pub const HEADING: u16 = 1 << 4;

/// It shows something from elsewhere: a frame, a video, a sound.
pub const EMBED: u16 = 1 << 5;

/// A parser drops it outside of a table.
pub const TABLE_PART: u16 = 1 << 6;

/// It is written in clean HTML. Other blocks become `div`, other inline elements vanish and
/// leave their contents.
pub const CLEAN: u16 = 1 << 7;

/// It tells HTML from text with angle brackets in it (`Vec<T>`).
pub const MARKUP: u16 = 1 << 8;

/// A parser looks no further up than to it for a `p` to close.
pub const SCOPE: u16 = 1 << 9;

/// A field of a form.
pub const FIELD: u16 = 1 << 10;

/// A browser shows something else in its place, as one word in the line.
pub const REPLACED: u16 = 1 << 11;

/// An element's name, and all that is true of it.
type ElementRow = (&'static str, u16);

/// Makes the table: as a list, and as a `match`, which is looked up faster than a hash.
macro_rules! elements {
    ($($name:literal => $traits:expr,)*) => {
        const ELEMENTS: &[ElementRow] = &[$(($name, $traits),)*];

        fn row_of(tag: &str) -> Option<ElementRow> {
            match tag {
                $($name => Some(($name, $traits)),)*
                _ => None,
            }
        }
    };
}

// By name. What is not here has no trait.
elements! {
    "a" => CLEAN | MARKUP,
    "abbr" => CLEAN | MARKUP,
    "address" => BLOCK | MARKUP,
    "amp-iframe" => EMBED | REPLACED,
    "amp-video" => EMBED | REPLACED,
    "applet" => SCOPE,
    "area" => VOID,
    "article" => BLOCK | MARKUP,
    "aside" => BLOCK | MARKUP,
    "audio" => EMBED | MARKUP | REPLACED,
    "b" => CLEAN | MARKUP,
    "base" => VOID,
    "basefont" => VOID,
    "bdi" => CLEAN,
    "bdo" => CLEAN,
    "bgsound" => VOID,
    "big" => MARKUP,
    "blockquote" => BLOCK | CLEAN | MARKUP,
    "body" => BLOCK,
    "br" => BLOCK | VOID | CLEAN | MARKUP,
    "button" => SCOPE | FIELD,
    "canvas" => REPLACED,
    "caption" => BLOCK | TABLE_PART | CLEAN | SCOPE,
    "center" => BLOCK | MARKUP,
    "cite" => CLEAN | MARKUP,
    "code" => CLEAN | MARKUP,
    "col" => VOID,
    "dd" => BLOCK | CLEAN | MARKUP,
    "del" => CLEAN | MARKUP,
    "details" => BLOCK | CLEAN | MARKUP,
    "dfn" => CLEAN,
    "dialog" => BLOCK,
    "dir" => BLOCK,
    "div" => BLOCK | CLEAN | MARKUP,
    "dl" => BLOCK | CLEAN | MARKUP,
    "dt" => BLOCK | CLEAN | MARKUP,
    "em" => CLEAN | MARKUP,
    "embed" => VOID | EMBED | REPLACED,
    "fieldset" => BLOCK,
    "figcaption" => BLOCK | CLEAN | MARKUP,
    "figure" => BLOCK | CLEAN | MARKUP,
    "font" => MARKUP,
    "footer" => BLOCK | MARKUP,
    "form" => BLOCK,
    "frame" => BLOCK | VOID,
    "frameset" => BLOCK,
    "h1" => BLOCK | HEADING | CLEAN | MARKUP,
    "h2" => BLOCK | HEADING | CLEAN | MARKUP,
    "h3" => BLOCK | HEADING | CLEAN | MARKUP,
    "h4" => BLOCK | HEADING | CLEAN | MARKUP,
    "h5" => BLOCK | HEADING | CLEAN | MARKUP,
    "h6" => BLOCK | HEADING | CLEAN | MARKUP,
    "head" => BLOCK,
    "header" => BLOCK | MARKUP,
    "hgroup" => BLOCK,
    "hr" => BLOCK | VOID | CLEAN | MARKUP,
    "html" => BLOCK,
    "i" => CLEAN | MARKUP,
    "iframe" => RAW | EMBED | MARKUP | REPLACED,
    "img" => VOID | CLEAN | MARKUP | REPLACED,
    "input" => VOID | FIELD,
    "ins" => CLEAN | MARKUP,
    "kbd" => CLEAN | MARKUP,
    "keygen" => VOID,
    "legend" => BLOCK,
    "li" => BLOCK | CLEAN | MARKUP,
    "link" => VOID,
    "listing" => BLOCK | VERBATIM,
    "main" => BLOCK | MARKUP,
    "mark" => CLEAN | MARKUP,
    "marquee" => SCOPE,
    "menu" => BLOCK,
    "meta" => VOID,
    "nav" => BLOCK | MARKUP,
    "noembed" => RAW,
    "noframes" => RAW,
    "noscript" => RAW,
    "object" => EMBED | SCOPE | REPLACED,
    "ol" => BLOCK | CLEAN | MARKUP,
    "optgroup" => BLOCK,
    "option" => BLOCK,
    "p" => BLOCK | CLEAN | MARKUP,
    "param" => VOID,
    "picture" => MARKUP | REPLACED,
    "plaintext" => BLOCK | VERBATIM,
    "pre" => BLOCK | CLEAN | MARKUP,
    "q" => CLEAN | MARKUP,
    "rp" => CLEAN,
    "rt" => CLEAN,
    "ruby" => CLEAN,
    "s" => CLEAN | MARKUP,
    "samp" => CLEAN,
    "script" => RAW | MARKUP,
    "search" => BLOCK,
    "section" => BLOCK | MARKUP,
    "select" => BLOCK | SCOPE | FIELD,
    "small" => CLEAN | MARKUP,
    "source" => VOID,
    "span" => CLEAN | MARKUP,
    "strike" => MARKUP,
    "strong" => CLEAN | MARKUP,
    "style" => RAW | MARKUP,
    "sub" => CLEAN | MARKUP,
    "summary" => BLOCK | CLEAN,
    "sup" => CLEAN | MARKUP,
    "svg" => REPLACED,
    "table" => BLOCK | CLEAN | MARKUP | SCOPE,
    "tbody" => BLOCK | TABLE_PART | CLEAN,
    "td" => BLOCK | TABLE_PART | CLEAN | MARKUP | SCOPE,
    "template" => SCOPE,
    "textarea" => BLOCK | FIELD,
    "tfoot" => BLOCK | TABLE_PART | CLEAN,
    "th" => BLOCK | TABLE_PART | CLEAN | MARKUP | SCOPE,
    "thead" => BLOCK | TABLE_PART | CLEAN,
    "time" => CLEAN,
    "title" => BLOCK,
    "tr" => BLOCK | TABLE_PART | CLEAN | MARKUP,
    "track" => VOID,
    "tt" => MARKUP,
    "u" => CLEAN | MARKUP,
    "ul" => BLOCK | CLEAN | MARKUP,
    "video" => EMBED | MARKUP | REPLACED,
    "wbr" => VOID | MARKUP,
    "xmp" => BLOCK | VERBATIM,
}

/// True if an element of this name has one of these traits.
#[inline]
pub fn has(tag: &str, traits: u16) -> bool {
    name_with(tag, traits).is_some()
}

/// The name of an element that has one of these traits.
pub fn name_with(tag: &str, traits: u16) -> Option<&'static str> {
    let (name, own) = row_of(tag)?;
    (own & traits != 0).then_some(name)
}

/// The names of all elements that have one of these traits, in their order.
pub fn names_with(traits: u16) -> impl Iterator<Item = &'static str> {
    let rows = ELEMENTS.iter().filter(move |row| row.1 & traits != 0);
    rows.map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_row() {
        let names: Vec<&str> = ELEMENTS.iter().map(|row| row.0).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        assert!(ELEMENTS.iter().all(|row| row.1 != 0));
    }

    #[test]
    fn traits_are_looked_up_by_name() {
        assert!(has("h1", HEADING) && has("h1", VOID | BLOCK) && !has("h1", VOID));
        assert!(!has("H1", HEADING) && !has("my-element", u16::MAX));
        assert_eq!(name_with("td", TABLE_PART), Some("td"));
        assert_eq!(
            names_with(VERBATIM).collect::<Vec<_>>(),
            ["listing", "plaintext", "xmp"]
        );
    }
}
