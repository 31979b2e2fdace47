//! How the tree builder treats an element: section 13.2.6.4 of the HTML standard.

/// A group of elements that the tree builder treats alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// No end tag, no effect on others.
    Void,
    Hr,
    Input,
    /// Its contents are text.
    Raw,
    /// `div` and the like: closes an open `p`; its end tag closes what is open in it.
    Block,
    /// `dialog` and `search`: the same, but not special.
    PlainBlock,
    Pre,
    Heading,
    P,
    Li,
    /// `dd` and `dt`.
    Definition,
    A,
    /// `nobr`: like `a`, it ends the one that is in scope.
    NoBreak,
    Formatting,
    Form,
    Button,
    Select,
    Option,
    OptGroup,
    /// `rb`, `rtc`, `rp` and `rt`.
    Ruby,
    /// `object`, `applet`, `marquee`.
    Object,
    Table,
    /// `tbody`, `thead`, `tfoot`.
    Section,
    Row,
    /// `td`, `th`.
    Cell,
    Caption,
    /// `col`, `colgroup`.
    Column,
    Template,
    Svg,
    /// In SVG or MathML.
    Foreign,
    /// The same, with text in it only.
    ForeignText,
    /// `html`, `head`, `body`.
    Frame,
    /// Nothing is known of pages with it.
    Unknown,
    Ordinary,
}

use ElementKind as E;

impl ElementKind {
    /// The kind of an HTML element.
    pub fn of(name: &str) -> ElementKind {
        match name {
            "area" | "base" | "basefont" | "bgsound" | "br" | "embed" | "image" | "img"
            | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr" => E::Void,
            "hr" => E::Hr,
            "input" => E::Input,
            "iframe" | "noembed" | "noframes" | "noscript" | "script" | "style" | "textarea"
            | "title" | "xmp" => E::Raw,
            "address" | "article" | "aside" | "blockquote" | "center" | "details" | "dir"
            | "div" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "header"
            | "hgroup" | "main" | "menu" | "nav" | "ol" | "section" | "summary" | "ul" => E::Block,
            "dialog" | "search" => E::PlainBlock,
            "pre" | "listing" => E::Pre,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => E::Heading,
            "p" => E::P,
            "li" => E::Li,
            "dd" | "dt" => E::Definition,
            "a" => E::A,
            "nobr" => E::NoBreak,
            "b" | "big" | "code" | "em" | "font" | "i" | "s" | "small" | "strike" | "strong"
            | "tt" | "u" => E::Formatting,
            "form" => E::Form,
            "button" => E::Button,
            "select" => E::Select,
            "option" => E::Option,
            "optgroup" => E::OptGroup,
            "rb" | "rtc" | "rp" | "rt" => E::Ruby,
            "object" | "applet" | "marquee" => E::Object,
            "table" => E::Table,
            "tbody" | "thead" | "tfoot" => E::Section,
            "tr" => E::Row,
            "td" | "th" => E::Cell,
            "caption" => E::Caption,
            "col" | "colgroup" => E::Column,
            "template" => E::Template,
            "svg" => E::Svg,
            "html" | "head" | "body" => E::Frame,
            "frame" | "frameset" | "isindex" | "math" | "plaintext" | "selectedcontent" => {
                E::Unknown
            }
            _ => E::Ordinary,
        }
    }

    /// The kind of an element in SVG; `None` of one that ends it.
    pub fn in_svg(name: &str) -> ElementKind {
        match name {
            "title" | "desc" => E::ForeignText,
            "foreignobject" | "font" => E::Unknown,
            "span" | "sub" | "sup" | "strong" | "em" | "small" | "code" | "ruby" | "var" | "tt"
            | "u" | "s" | "b" | "big" | "i" | "strike" | "nobr" | "center" | "embed" | "img"
            | "br" | "hr" | "p" | "pre" | "table" | "menu" | "meta" | "ul" | "ol" | "dl" | "dd"
            | "dt" | "li" | "listing" | "div" | "blockquote" | "body" | "head" | "h1" | "h2"
            | "h3" | "h4" | "h5" | "h6" => E::Unknown,
            _ => E::Foreign,
        }
    }

    /// True of a boundary of the standard's default scope.
    pub fn bounds_scope(self) -> bool {
        matches!(
            self,
            E::Caption | E::Table | E::Cell | E::Object | E::Select | E::Template | E::ForeignText
        )
    }

    /// True of an element whose end clears the active formatting elements in it.
    pub fn is_marker(self) -> bool {
        matches!(self, E::Caption | E::Cell | E::Object | E::Template)
    }

    /// True of the standard's special elements among those that are open for more than a token.
    pub fn is_special(self) -> bool {
        !matches!(
            self,
            E::PlainBlock
                | E::A
                | E::NoBreak
                | E::Formatting
                | E::Option
                | E::OptGroup
                | E::Ruby
                | E::Svg
                | E::Foreign
                | E::Ordinary
        )
    }

    /// True of an element whose end tag may be left out.
    pub fn has_implied_end(self) -> bool {
        matches!(
            self,
            E::Definition | E::Li | E::Option | E::OptGroup | E::P | E::Ruby
        )
    }

    /// True of an element that is an ancestor in the tree only of what stands in it in the source.
    pub fn is_ancestor_as_written(self) -> bool {
        matches!(
            self,
            E::Block
                | E::PlainBlock
                | E::Pre
                | E::Heading
                | E::P
                | E::Li
                | E::Definition
                | E::Table
                | E::Ordinary
        )
    }

    pub fn is_formatting(self) -> bool {
        matches!(self, E::A | E::NoBreak | E::Formatting)
    }

    /// True of what decides how tags of table parts are read.
    pub fn is_table_context(self) -> bool {
        matches!(
            self,
            E::Table | E::Section | E::Row | E::Cell | E::Caption | E::Template
        )
    }
}
