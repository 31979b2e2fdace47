//! Tags, comments and raw text of a source: section 13.2.5 of the HTML standard, without tokens.

use super::attributes::{CLASS, DATETIME, HREF, ID, ITEMPROP, PUBDATE, REL, TYPE, TagAttributes};
use super::cut::{Cut, MARK};
use super::kind::ElementKind as E;
use super::stack::{OpenElements, is_one_of};
use super::tags::{KnownTag, TagNames};
use super::wanted::{BylineUse, Uncut, WantedElements, WantedRole};
use crate::page::feed::is_quirks;
use crate::page::metadata::PageOrigin;
use crate::page::metadata::byline::{MAX_BYLINE_BYTES, is_author_page, may_name};
use crate::page::metadata::class_names::VALUES;
use crate::page::metadata::names::may_introduce;
use crate::page::tokenize::{comment_end, raw_text_end, script_end};
use crate::page::tokenize::{ends_attribute_name, ends_tag_name, is_space, skip_space};
use foldhash::HashMap;
use memchr::{memchr, memchr3, memmem};
use std::cell::OnceCell;

/// Bytes of a text that is cut; less is not worth it.
const MIN_RAW_BYTES: usize = 32;

/// Bytes from which a text is prose: those of menus and labels are shorter.
pub(super) const PROSE_BYTES: usize = 80;

/// Attributes of a tag at the most: with more of them the parser leaves some out.
const MAX_ATTRIBUTES: usize = 512;

/// White space as character references.
const SPACES: [&str; 3] = ["&nbsp;", "&#160;", "&#xa0;"];

const UNCLOSED: Uncut = Uncut::Unsure("a tag or comment without an end");

/// One pass over a source.
pub(super) struct Scan<'s> {
    text: &'s str,
    bytes: &'s [u8],
    names: TagNames<'s>,
    bylines: BylineUse,
    /// Elements go with their tags.
    cuts_tags: bool,
    /// The tree builder has a body.
    has_body: bool,
    origin: PageOrigin<'s>,
    open: OpenElements<'s>,
    /// Where the doctype ends.
    doctype: Option<usize>,
    is_quirks: OnceCell<bool>,
    attributes: TagAttributes<'s>,
    /// The first `time` with a date was there.
    has_time: bool,
    /// From the first to the last element of the text.
    texts: Option<(usize, usize)>,
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
        wanted: &'s WantedElements,
        bylines: BylineUse,
        url: &'s str,
    ) -> Scan<'s> {
        let conditions = wanted.elements.iter();
        let conditions = conditions.flat_map(|one| one.within.iter().chain([&one.condition]));
        let asked = conditions.flat_map(|condition| &condition.attributes);
        let attributes = TagAttributes::asked(asked.map(|attribute| &*attribute.name));
        Scan {
            text,
            bytes: text.as_bytes(),
            names: TagNames::of(wanted, &attributes),
            bylines,
            cuts_tags: !wanted.ask_siblings,
            has_body: false,
            origin: PageOrigin::of_url(url),
            open: OpenElements::default(),
            doctype: None,
            is_quirks: OnceCell::new(),
            attributes,
            has_time: false,
            texts: None,
            classes: HashMap::with_capacity_and_hasher(VALUES, Default::default()),
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
            self.open.nodes += usize::from(found > 0);
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
        let start = skip_space(self.bytes, start);
        if start >= end {
            return;
        }
        let mut text = self.text[start..end].trim_start();
        // The spaces that pages write as references; what another one is does not matter.
        while text.starts_with('&')
            && let Some(rest) = SPACES.iter().find_map(|space| text.strip_prefix(space))
        {
            text = rest.trim_start();
        }
        let bytes = text.len() * usize::from(memchr(b'&', text.as_bytes()).is_none());
        let may_introduce = !text.is_empty()
            && self.open.asks_how_texts_begin()
            && (text.starts_with('&') || may_introduce(text));
        self.open.text(bytes, may_introduce);
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
            let note = self.text.get(at + 2..end).unwrap_or_default();
            if note.starts_with(MARK) {
                return Err(Uncut::Unsure("a comment as cuts leave it"));
            }
            self.open.nodes += 1;
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
        if is_doctype {
            self.doctype.get_or_insert(end);
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
        self.attributes.clear();
        let mut closes_itself = false;
        let mut count = 0;
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
            let ends = |&b: &u8| ends_attribute_name(b);
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
            if count == MAX_ATTRIBUTES {
                return Err(Uncut::Bounded);
            }
            count += 1;
            self.attributes.add(name, value);
        }
    }

    fn start_tag(&mut self, at: usize) -> Result<usize, Uncut> {
        let name = self.name(at + 1)?;
        let (end, closes_itself) = self.attributes(at + 1 + name.len())?;
        self.open.read_tag(end);
        if self.open.last().is_some_and(|e| is_foreign(e.kind)) {
            return self.foreign(name, end, closes_itself);
        }
        let tag = self.names.get(name);
        let kind = tag.kind;
        let (wanted, is_tested) = self.wanted(name, tag);
        if wanted == Some(true) {
            if self.open.iter().any(|e| e.is_tested) {
                return Err(Uncut::Unsure("a strip may be around the text"));
            }
            self.texts = Some((self.texts.map_or(at, |(first, _)| first), end));
        }
        let may_be_byline = self.may_be_byline(kind);
        self.open.nodes += match kind {
            E::Void | E::Hr | E::Input => 1,
            E::Raw => 2,
            _ => 0,
        };
        let next = match kind {
            E::Raw => self.raw(name, at, end, wanted)?,
            _ => self.opened(kind, name, (at, end), closes_itself, wanted)?,
        };
        if self.cuts_tags && wanted.is_none() {
            self.take_tags(kind, name, (at, end, next));
        }
        if is_tested {
            self.open.test(end);
        }
        if may_be_byline {
            self.open.may_be_byline(end);
        }
        let conditions = self.names.conditions(tag, &self.attributes);
        self.open.add_conditions(end, conditions);
        Ok(next)
    }

    /// Leaves out an element without contents, from its tag at `at` to `next`, and marks another,
    /// whose contents begin at `end`, as one that can go with its tags: no tag behind it finds
    /// another tree.
    fn take_tags(&mut self, kind: E, name: &str, (at, end, next): (usize, usize, usize)) {
        let in_head = ["link", "meta", "script", "style"];
        if !self.has_body && !is_one_of(name, &in_head) {
            return;
        }
        match kind {
            E::Void | E::Hr | E::Input | E::Raw => {
                // A short text may be a byline itself.
                let may_be_byline = kind == E::Raw
                    && self.bylines == BylineUse::Kept
                    && next - end <= MAX_BYLINE_BYTES
                    && !is_one_of(name, &in_head);
                if self.open.has_changed_by(0) && !may_be_byline {
                    // What was cut of it.
                    self.open.cuts.pop_if(|cut| cut.mark == at);
                    self.open.cuts.push(Cut {
                        mark: at,
                        start: at,
                        end: next,
                        with_tags: true,
                        nodes: 1 + usize::from(kind == E::Raw),
                    });
                }
            }
            // The element pointer is to a form.
            E::Form => {}
            _ => {
                let is_open = self.open.last().is_some_and(|e| e.start == end);
                if is_open && self.open.has_changed_by(1) {
                    self.open.may_go(at);
                }
            }
        }
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
                let is_quirks = || self.doctype.is_none_or(|end| is_quirks(&self.text[..end]));
                if open.p_in_button_scope() && !self.is_quirks.get_or_init(is_quirks) {
                    open.close_p(None);
                }
            }
            E::Section | E::Row | E::Cell | E::Caption | E::Column => {
                open.push_part(kind, name, end, wanted)?;
                return Ok(end);
            }
            E::Svg => {}
            E::Frame => {
                open.keep_all();
                self.has_body |= self.open.last().is_none() && is_one_of(name, &["body"]);
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
                    with_tags: false,
                    nodes: 1,
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
        let tag = self.names.get(name);
        if self.role(tag).is_some() {
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
        self.open.read_tag(end);
        if self.open.last().is_some_and(|e| is_foreign(e.kind)) {
            self.open.end_foreign(name, at)?;
            return Ok(end);
        }
        let kind = self.names.get(name).kind;
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
    fn wanted(&mut self, name: &str, tag: KnownTag) -> (Option<bool>, bool) {
        let role = self.role(tag);
        match role {
            Some(WantedRole::Text) => return (Some(true), false),
            Some(WantedRole::Field) => return (Some(false), false),
            Some(WantedRole::NoAncestor) | None => {}
        }
        let of_metadata = self.is_of_metadata(name, tag.kind);
        (of_metadata.then_some(false), role.is_some())
    }

    fn role(&self, tag: KnownTag) -> Option<WantedRole> {
        self.names.role(tag, &self.attributes, self.open.within())
    }

    /// True of an element that is a byline, or a date beside the text, if its text is short.
    fn may_be_byline(&mut self, kind: E) -> bool {
        if self.bylines == BylineUse::Cut {
            return false;
        }
        let names = [CLASS, ID].map(|number| self.attributes.get(number));
        for value in names
            .into_iter()
            .flatten()
            .filter(|value| !value.is_empty())
        {
            let known = self.classes.entry(value);
            if *known.or_insert_with(|| value.contains('&') || may_name(value)) {
                return true;
            }
        }
        let Some(href) = self.attributes.get(HREF).filter(|_| kind == E::A) else {
            return false;
        };
        // A reference in the path may be any letter.
        let first = memchr3(b'&', b'?', b'#', href.as_bytes());
        first.is_some_and(|at| href.as_bytes()[at] == b'&') || is_author_page(href)
    }

    /// True of an element that the metadata are read from, those that may be bylines apart.
    fn is_of_metadata(&mut self, name: &str, kind: E) -> bool {
        match kind {
            E::Heading if is_one_of(name, &["h1", "h2", "h3"]) => return true,
            E::Void if is_one_of(name, &["meta", "base"]) => return true,
            E::Void if is_one_of(name, &["link"]) => {
                let rel = self.attributes.get(REL).unwrap_or_default();
                return rel.contains('&')
                    || rel
                        .split_ascii_whitespace()
                        .any(|rel| is_one_of(rel, &["canonical", "image_src"]));
            }
            E::Raw if is_one_of(name, &["title"]) => return true,
            E::Raw if is_one_of(name, &["script"]) => {
                let kind = self.attributes.get(TYPE).unwrap_or_default();
                let json = "application/ld+json";
                if kind.contains('&') || kind.trim().eq_ignore_ascii_case(json) {
                    return true;
                }
            }
            E::A => {
                let href = self.attributes.get(HREF);
                if href.is_some_and(|href| self.may_be_above(href)) {
                    return true;
                }
                let rel = self.attributes.get(REL).unwrap_or_default();
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
                    .get(DATETIME)
                    .is_some_and(|date| !date.trim().is_empty());
                let is_first = has_date && !self.has_time;
                self.has_time |= has_date;
                if is_first || self.attributes.get(PUBDATE).is_some() {
                    return true;
                }
            }
            _ => {}
        }
        let props = self.attributes.get(ITEMPROP).unwrap_or_default();
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
        let may_decode = || href.contains("&#") || href.trim_end().ends_with(['/', ';']);
        let has_reference = memchr(b'&', href.as_bytes()).is_some();
        has_reference && may_decode() || self.origin.is_above(href)
    }
}

fn is_foreign(kind: E) -> bool {
    matches!(kind, E::Svg | E::Foreign | E::ForeignText)
}
