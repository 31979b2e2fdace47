//! Tags, comments and raw text of a source: section 13.2.5 of the HTML standard, without tokens.

use super::cut::{Cut, MARK};
use super::kind::ElementKind as E;
use super::stack::{OpenElements, is_one_of};
use super::wanted::{BylineUse, Uncut, WantedElement, WantedRole};
use crate::page::metadata::PageOrigin;
use crate::page::metadata::byline::{MAX_BYLINE_BYTES, is_author_page, may_name};
use crate::page::metadata::names::may_introduce;
use crate::page::tokenize::{comment_end, raw_text_end, script_end};
use crate::page::tokenize::{ends_tag_name, is_space, skip_space};
use foldhash::HashMap;
use memchr::{memchr, memmem};

/// Bytes of a text that is cut; less is not worth it.
const MIN_RAW_BYTES: usize = 32;

/// Bytes from which a text is prose: those of menus and labels are shorter.
pub(super) const PROSE_BYTES: usize = 80;

/// Attributes of a tag at the most: with more of them the parser leaves some out.
const MAX_ATTRIBUTES: usize = 512;

/// White space as character references.
const SPACES: [&str; 3] = ["&nbsp;", "&#160;", "&#xa0;"];

const UNCLOSED: Uncut = Uncut::Unsure("a tag or comment without an end");

/// The public identifiers of doctypes that are no quirks mode.
const STANDARD_DOCTYPES: [&[u8]; 2] = [b"-//w3c//dtd xhtml 1.", b"-//w3c//dtd html 4.01//"];

/// The tree builder's quirks mode, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quirks {
    No,
    Yes,
    Unknown,
}

/// The attributes of a tag that decide, as they stand in the source.
#[derive(Debug, Default)]
struct TagAttributes<'s> {
    pairs: Vec<(&'s str, &'s str)>,
}

impl<'s> TagAttributes<'s> {
    fn get(&self, name: &str) -> Option<&'s str> {
        let mut pairs = self.pairs.iter();
        pairs
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| *value)
    }
}

/// One pass over a source.
pub(super) struct Scan<'s> {
    text: &'s str,
    bytes: &'s [u8],
    wanted: &'s [WantedElement],
    bylines: BylineUse,
    origin: PageOrigin<'s>,
    open: OpenElements<'s>,
    quirks: Option<Quirks>,
    attributes: TagAttributes<'s>,
    /// The first `time` with a date was there.
    has_time: bool,
    /// From the first to the last element of the text.
    texts: Option<(usize, usize)>,
    /// The kinds of elements by their names.
    kinds: HashMap<&'s str, E>,
    /// Classes and ids; true of those that may make a byline.
    classes: HashMap<&'s str, bool>,
    /// Bytes of the texts that are prose.
    prose_bytes: usize,
}

/// The findings of one pass over a source.
#[derive(Debug)]
pub(super) struct ScannedSource {
    /// The parts of the source that are left out, in their order.
    pub cuts: Vec<Cut>,
    /// Bytes of the texts that are prose.
    pub prose_bytes: usize,
}

impl<'s> Scan<'s> {
    pub fn new(
        text: &'s str,
        wanted: &'s [WantedElement],
        bylines: BylineUse,
        url: &'s str,
    ) -> Scan<'s> {
        Scan {
            text,
            bytes: text.as_bytes(),
            wanted,
            bylines,
            origin: PageOrigin::of_url(url),
            open: OpenElements::default(),
            quirks: None,
            attributes: TagAttributes::default(),
            has_time: false,
            texts: None,
            kinds: HashMap::default(),
            classes: HashMap::default(),
            prose_bytes: 0,
        }
    }

    /// Reads the source.
    pub fn run(mut self) -> Result<ScannedSource, Uncut> {
        let mut at = 0;
        while let Some(found) = memchr(b'<', &self.bytes[at..]) {
            if found >= PROSE_BYTES {
                self.prose_bytes += found;
            }
            self.read_text(at, at + found);
            at = self.markup(at + found)?;
        }
        self.open.end_all();
        if self.open.has_leaked {
            return Err(Uncut::Unsure("what is wanted may be open across others"));
        }
        let Some((first, last)) = self.texts else {
            return Err(Uncut::NoText);
        };
        let mut cuts = self.open.cuts;
        cuts.retain(|cut| cut.end <= first || cut.start >= last);
        Ok(ScannedSource {
            cuts,
            prose_bytes: self.prose_bytes,
        })
    }

    /// Reads the text from `start` to `end`, which has no markup in it, for bylines.
    fn read_text(&mut self, start: usize, end: usize) {
        if self.bylines == BylineUse::Cut {
            return;
        }
        let mut text = self.text[start..end].trim_start();
        if text.is_empty() {
            return;
        }
        // The spaces that pages write as references; what another one is does not matter.
        while let Some(rest) = SPACES.iter().find_map(|space| text.strip_prefix(space)) {
            text = rest.trim_start();
        }
        let bytes = text.len() * usize::from(memchr(b'&', text.as_bytes()).is_none());
        let may_introduce = text.starts_with('&') || may_introduce(text);
        self.open.text(bytes, !text.is_empty() && may_introduce);
    }

    /// Reads the markup at a `<`; returns where it ends.
    fn markup(&mut self, at: usize) -> Result<usize, Uncut> {
        match self.bytes.get(at + 1) {
            Some(b'!') => self.declaration(at + 2),
            Some(b'?') => self.behind_greater(at + 2),
            Some(b'/') => match self.bytes.get(at + 2) {
                Some(b) if b.is_ascii_alphabetic() => self.end_tag(at),
                Some(b'>') => Ok(at + 3),
                Some(_) => self.behind_greater(at + 2),
                None => Ok(self.bytes.len()),
            },
            Some(b) if b.is_ascii_alphabetic() => self.start_tag(at),
            _ => {
                self.open.text(1, false);
                Ok(at + 1)
            }
        }
    }

    fn behind_greater(&self, at: usize) -> Result<usize, Uncut> {
        let found = memchr(b'>', &self.bytes[at..]).ok_or(UNCLOSED)?;
        Ok(at + found + 1)
    }

    fn declaration(&mut self, at: usize) -> Result<usize, Uncut> {
        const DOCTYPE: &[u8] = b"doctype";
        let rest = &self.bytes[at..];
        if rest.starts_with(b"--") {
            let (end, next) = comment_end(self.bytes, at + 2).ok_or(UNCLOSED)?;
            if self.text.get(at + 2..end) == Some(MARK) {
                return Err(Uncut::Unsure("a comment as cuts leave it"));
            }
            return Ok(next);
        }
        let in_svg = self.open.last().is_some_and(|e| is_foreign(e.kind));
        if rest.starts_with(b"[CDATA[") && in_svg {
            let found = memmem::find(rest, b"]]>").ok_or(UNCLOSED)?;
            self.read_text(at + "[CDATA[".len(), at + found);
            return Ok(at + found + 3);
        }
        let end = self.behind_greater(at)?;
        let is_doctype =
            rest.len() > DOCTYPE.len() && rest[..DOCTYPE.len()].eq_ignore_ascii_case(DOCTYPE);
        if is_doctype && self.quirks.is_none() {
            self.quirks = Some(quirks(&self.bytes[at + DOCTYPE.len()..end - 1]));
        }
        Ok(end)
    }

    /// The name at `at`.
    fn name(&self, at: usize) -> Result<&'s str, Uncut> {
        let ends = |&b: &u8| ends_tag_name(b);
        let length = self.bytes[at..].iter().position(ends).ok_or(UNCLOSED)?;
        Ok(&self.text[at..at + length])
    }

    /// Reads attributes up to the tag's end: returns where that is, and true for a tag that
    /// closes itself.
    fn attributes(&mut self, mut at: usize) -> Result<(usize, bool), Uncut> {
        let (bytes, text) = (self.bytes, self.text);
        self.attributes.pairs.clear();
        let mut closes_itself = false;
        loop {
            at = skip_space(bytes, at);
            match *bytes.get(at).ok_or(UNCLOSED)? {
                b'>' => return Ok((at + 1, closes_itself)),
                b'/' => {
                    at += 1;
                    closes_itself = bytes.get(at) == Some(&b'>');
                    continue;
                }
                _ => {}
            }
            // The first byte is the name's, even an equals sign.
            let ends = |&b: &u8| ends_tag_name(b) || b == b'=';
            let length = bytes[at + 1..].iter().position(ends).ok_or(UNCLOSED)?;
            let name_end = at + 1 + length;
            let Some(name) = text.get(at..name_end) else {
                return Err(UNCLOSED);
            };
            at = skip_space(bytes, name_end);
            let mut value = "";
            if bytes.get(at) == Some(&b'=') {
                at = skip_space(bytes, at + 1);
                (value, at) = match *bytes.get(at).ok_or(UNCLOSED)? {
                    quote @ (b'"' | b'\'') => {
                        let length = memchr(quote, &bytes[at + 1..]).ok_or(UNCLOSED)?;
                        let end = at + 1 + length;
                        (&text[at + 1..end], end + 1)
                    }
                    b'>' => ("", at),
                    _ => {
                        let ends = |&b: &u8| is_space(b) || b == b'>';
                        let length = bytes[at..].iter().position(ends).ok_or(UNCLOSED)?;
                        (&text[at..at + length], at + length)
                    }
                };
            }
            if self.attributes.pairs.len() == MAX_ATTRIBUTES {
                return Err(Uncut::Bounded);
            }
            self.attributes.pairs.push((name, value));
        }
    }

    fn start_tag(&mut self, at: usize) -> Result<usize, Uncut> {
        let name = self.name(at + 1)?;
        let (end, closes_itself) = self.attributes(at + 1 + name.len())?;
        if self.open.last().is_some_and(|e| is_foreign(e.kind)) {
            return self.foreign(name, end, closes_itself);
        }
        let kind = self.kind(name);
        let (wanted, is_tested) = self.wanted(name, kind);
        if wanted == Some(true) {
            if self.open.iter().any(|e| e.is_tested) {
                return Err(Uncut::Unsure("a strip may be around the text"));
            }
            self.texts = Some((self.texts.map_or(at, |(first, _)| first), end));
        }
        let may_be_byline = self.may_be_byline(kind);
        let next = match kind {
            E::Raw => self.raw(name, at, end, wanted)?,
            _ => self.opened(kind, name, (at, end), closes_itself, wanted)?,
        };
        if is_tested {
            self.open.test(end);
        }
        if may_be_byline {
            self.open.may_be_byline(end);
        }
        Ok(next)
    }

    /// The kind of the HTML elements of this name.
    fn kind(&mut self, name: &'s str) -> E {
        let known = self.kinds.entry(name);
        *known.or_insert_with(|| E::of(&name.to_ascii_lowercase()))
    }

    /// The effect of a start tag; returns where the next markup may begin.
    fn opened(
        &mut self,
        kind: E,
        name: &'s str,
        (at, end): (usize, usize),
        closes_itself: bool,
        wanted: Option<bool>,
    ) -> Result<usize, Uncut> {
        let open = &mut self.open;
        match kind {
            E::Void => {}
            E::Hr => {
                open.close_p(None);
                open.close_options_before_rule();
            }
            E::Input => {
                open.close_in_scope(E::Select);
            }
            E::Block | E::PlainBlock | E::Pre => open.close_p(None),
            E::Heading => {
                open.close_p(None);
                open.close_heading_before_another()?;
            }
            E::P => open.close_p(None),
            E::Li | E::Definition => open.close_item(kind),
            E::A | E::NoBreak | E::Formatting => {
                open.push_formatting(kind, name, (at, end), wanted)?
            }
            E::Form => open.push_form(name, end, wanted)?,
            E::Button => {
                open.close_in_scope(E::Button);
            }
            E::Select => {
                if open.close_in_scope(E::Select) {
                    return Ok(end);
                }
            }
            E::Option => open.close_option(false)?,
            E::OptGroup => open.close_option(true)?,
            E::Ruby => open.close_ruby(name)?,
            E::Raw | E::Object | E::Template | E::Ordinary => {}
            E::Table => {
                open.leave_table_for_another();
                if open.p_in_button_scope() {
                    match self.quirks.unwrap_or(Quirks::Yes) {
                        Quirks::No => open.close_p(None),
                        Quirks::Yes => {}
                        Quirks::Unknown => return Err(Uncut::Unsure("quirks mode")),
                    }
                }
            }
            E::Section | E::Row | E::Cell | E::Caption | E::Column => {
                open.push_part(kind, name, end, wanted)?;
                return Ok(end);
            }
            E::Svg => {}
            E::Frame => {
                open.keep_all();
                return Ok(end);
            }
            E::Foreign | E::ForeignText | E::Unknown => {
                return Err(Uncut::Unsure("an element that is not followed"));
            }
        }
        let is_pushed = match kind {
            E::Void | E::Hr | E::Input | E::A | E::NoBreak | E::Formatting | E::Form => false,
            E::Svg => !closes_itself,
            _ => true,
        };
        if is_pushed {
            self.open.push(kind, name, end, wanted)?;
        } else if wanted.is_some() {
            self.open.want(wanted == Some(true));
        }
        Ok(end)
    }

    /// An element whose contents are text.
    fn raw(
        &mut self,
        name: &'s str,
        at: usize,
        end: usize,
        wanted: Option<bool>,
    ) -> Result<usize, Uncut> {
        if is_one_of(name, &["xmp"]) {
            self.open.close_p(None);
        }
        let found = if is_one_of(name, &["script"]) {
            script_end(self.bytes, end, name)
        } else {
            raw_text_end(self.bytes, end, name)
        };
        let close = found.ok_or(Uncut::Unsure("raw text without an end"))?;
        self.read_text(end, close);
        match wanted {
            Some(holds_text) => self.open.want(holds_text),
            // A short one may be a byline itself.
            None if close - end > MAX_BYLINE_BYTES
                || close - end >= MIN_RAW_BYTES && is_one_of(name, &["script", "style"]) =>
            {
                self.open.cuts.push(Cut {
                    mark: at,
                    start: end,
                    end: close,
                });
            }
            None => {}
        }
        let (next, _) = self.attributes(close + 2 + name.len())?;
        Ok(next)
    }

    /// A start tag in SVG.
    fn foreign(&mut self, name: &'s str, end: usize, closes_itself: bool) -> Result<usize, Uncut> {
        let is_text = self.open.last().is_some_and(|e| e.kind == E::ForeignText);
        let kind = E::in_svg(&name.to_ascii_lowercase());
        if is_text || kind == E::Unknown {
            return Err(Uncut::Unsure("HTML in SVG"));
        }
        // An expression may select it by its name or attributes.
        if self.is_wanted(name).is_some() {
            return Err(Uncut::Unsure("SVG is wanted"));
        }
        if !closes_itself {
            self.open.push(kind, name, end, None)?;
        }
        Ok(end)
    }

    fn end_tag(&mut self, at: usize) -> Result<usize, Uncut> {
        let name = self.name(at + 2)?;
        let (end, _) = self.attributes(at + 2 + name.len())?;
        if self.open.last().is_some_and(|e| is_foreign(e.kind)) {
            self.open.end_foreign(name, at)?;
            return Ok(end);
        }
        let kind = self.kind(name);
        let open = &mut self.open;
        match kind {
            E::Block | E::PlainBlock | E::Pre | E::Button | E::Select | E::Object => {
                open.end_block(name, at);
            }
            E::Heading => open.end_heading(at),
            E::P => open.close_p(Some(at)),
            E::Li => open.end_li(at),
            E::Definition => open.end_block(name, at),
            E::A | E::NoBreak | E::Formatting => open.end_formatting(name, at),
            E::Form => open.end_form(at)?,
            kind @ (E::Table | E::Section | E::Row | E::Cell | E::Caption) => {
                open.end_part(kind, name, at)?;
            }
            E::Column => {}
            E::Template => open.end_template(at),
            E::Frame => open.keep_all(),
            E::Unknown => return Err(Uncut::Unsure("an element that is not followed")),
            _ => open.end_other(name, at),
        }
        Ok(end)
    }

    /// If an element is wanted, true for one of the text; and true if a strip may look at the
    /// text of it.
    fn wanted(&mut self, name: &str, kind: E) -> (Option<bool>, bool) {
        if let Some(role) = self.is_wanted(name) {
            match role {
                WantedRole::Text => return (Some(true), false),
                WantedRole::Field => return (Some(false), false),
                WantedRole::NoAncestor if self.is_of_metadata(name, kind) => {
                    return (Some(false), true);
                }
                WantedRole::NoAncestor => return (None, true),
            }
        }
        let of_metadata = self.is_of_metadata(name, kind);
        (of_metadata.then_some(false), false)
    }

    /// True of an element that is a byline, or a date beside the text, if its text is short.
    fn may_be_byline(&mut self, kind: E) -> bool {
        if self.bylines == BylineUse::Cut {
            return false;
        }
        for &(key, value) in &self.attributes.pairs {
            let is_so = match key {
                _ if value.is_empty() => false,
                _ if is_one_of(key, &["class", "id"]) => {
                    let known = self.classes.entry(value);
                    *known.or_insert_with(|| value.contains('&') || may_name(value))
                }
                _ if kind == E::A && is_one_of(key, &["href"]) => {
                    let path = value.split(['?', '#']).next().unwrap_or_default();
                    path.contains('&') || is_author_page(path)
                }
                _ => false,
            };
            if is_so {
                return true;
            }
        }
        false
    }

    /// The first role in which an element is wanted, text before fields.
    fn is_wanted(&self, name: &str) -> Option<WantedRole> {
        let mut role = None;
        for one in self.wanted {
            if one
                .tag
                .as_ref()
                .is_some_and(|tag| !tag.eq_ignore_ascii_case(name))
            {
                continue;
            }
            let fits = one.attributes.iter().all(|(key, part)| {
                let value = self.attributes.get(key);
                value.is_some_and(|value| {
                    memmem::find(value.as_bytes(), part.as_bytes()).is_some()
                        || memchr(b'&', value.as_bytes()).is_some()
                })
            });
            if !fits {
                continue;
            }
            match one.role {
                WantedRole::Text => return Some(WantedRole::Text),
                WantedRole::Field => role = Some(WantedRole::Field),
                WantedRole::NoAncestor => role = role.or(Some(WantedRole::NoAncestor)),
            }
        }
        role
    }

    /// True of an element that the metadata are read from, those that may be bylines apart.
    fn is_of_metadata(&mut self, name: &str, kind: E) -> bool {
        match kind {
            E::Heading if is_one_of(name, &["h1", "h2", "h3"]) => return true,
            E::Void if is_one_of(name, &["meta", "link", "base"]) => return true,
            E::Raw if is_one_of(name, &["title"]) => return true,
            E::Raw if is_one_of(name, &["script"]) => {
                let kind = self.attributes.get("type").unwrap_or_default();
                let json = "application/ld+json";
                if kind.contains('&') || kind.trim().eq_ignore_ascii_case(json) {
                    return true;
                }
            }
            E::A => {
                let href = self.attributes.get("href");
                if href.is_some_and(|href| self.may_be_above(href)) {
                    return true;
                }
                let rel = self.attributes.get("rel").unwrap_or_default();
                if rel.contains('&')
                    || rel
                        .split_ascii_whitespace()
                        .any(|rel| matches!(rel, "tag" | "author"))
                {
                    return true;
                }
            }
            E::Ordinary if is_one_of(name, &["time"]) => {
                let has_date = self
                    .attributes
                    .get("datetime")
                    .is_some_and(|date| !date.trim().is_empty());
                let is_first = has_date && !self.has_time;
                self.has_time |= has_date;
                if is_first || self.attributes.get("pubdate").is_some() {
                    return true;
                }
            }
            _ => {}
        }
        let props = self.attributes.get("itemprop").unwrap_or_default();
        props.contains('&')
            || props.split_ascii_whitespace().any(|prop| {
                matches!(
                    prop,
                    "datePublished" | "dateModified" | "headline" | "author"
                )
            })
    }

    /// True of a link to the home page or to the page's section, or that may be one once its
    /// character references are decoded.
    fn may_be_above(&self, href: &str) -> bool {
        let has_reference =
            href.contains("&#") || href.contains('&') && href.trim_end().ends_with(['/', ';']);
        has_reference || self.origin.is_above(href)
    }
}

fn is_foreign(kind: E) -> bool {
    matches!(kind, E::Svg | E::Foreign | E::ForeignText)
}

/// The quirks mode of a doctype, from behind its keyword to its `>`.
fn quirks(doctype: &[u8]) -> Quirks {
    let lower = doctype.to_ascii_lowercase();
    let rest = lower.trim_ascii();
    let Some(rest) = rest.strip_prefix(b"html") else {
        return Quirks::Unknown;
    };
    let rest = rest.trim_ascii();
    if rest.is_empty() {
        return Quirks::No;
    }
    let public = rest.strip_prefix(b"public").map(<[u8]>::trim_ascii);
    let public = public.and_then(|rest| rest.strip_prefix(b"\""));
    let is_standard = public.is_some_and(|id| {
        STANDARD_DOCTYPES.iter().any(|one| id.starts_with(one)) && memchr(b'"', id).is_some()
    });
    if is_standard {
        Quirks::No
    } else {
        Quirks::Unknown
    }
}
