//! RSS and Atom as they are in the wild: one pass cuts a feed into items and fields.
//!
//! A fault costs the field that it is in, not the feed: no element must be closed, no
//! namespace declared. A field ends at its end tag, or where its item's does: markup inside is
//! taken as it stands, escaped or not, closed or not. An item that the end of the document
//! cuts is left out.

use url::Url;

use super::field::{
    FeedField, attached, attribute, author_names, authors, categories, child, child_text, image,
    picture, push_end, push_tag,
};
use super::raw::{Attached, MAX_ITEMS, MAX_NAMES, RawFeed, RawItem, TextVocabulary};
use super::scan::{Tag, Token, XmlScanner, local, unescape};
use super::space::{FeedFamily, FeedNamespace};
use super::text::FeedText;
use super::{FeedVersion, FeedWarning};
use forest_html::page::plain::escape;

/// Namespace declarations kept of one feed.
const MAX_PREFIXES: usize = 64;

struct XmlFeed<'a> {
    scanner: XmlScanner<'a>,
    family: FeedFamily,
    prefixes: Vec<(String, FeedNamespace)>,
    /// The open item: its qualified name and what it has so far.
    item: Option<(&'a str, RawItem)>,
    out: RawFeed,
}

/// Reads a feed; `None` if the text has no feed's root element.
pub(super) fn read(text: &str, base: Option<&Url>) -> Option<RawFeed> {
    let mut scanner = XmlScanner::new(text);
    let root = loop {
        if let Token::Start(tag) = scanner.next()?
            && is_root(local(tag.name))
        {
            break tag;
        }
    };
    let attributes = root.attributes();
    let name = local(root.name);
    let family = match name {
        "feed" | "entry" => FeedFamily::Atom,
        _ => FeedFamily::Rss,
    };
    let version = attribute(&attributes, "version").unwrap_or("2.0");
    let netscape = attributes
        .iter()
        .any(|(_, value)| value.contains("my.netscape.com/rdf/simple/0.9"));
    let format = match name {
        "feed" | "entry" => FeedVersion::Atom,
        "RDF" if netscape => FeedVersion::Rss0,
        "RDF" => FeedVersion::Rss1,
        _ if version.starts_with("0.") => FeedVersion::Rss0,
        _ if version.starts_with("1.0") => FeedVersion::Rss1,
        _ => FeedVersion::Rss2,
    };
    let mut feed = XmlFeed {
        scanner,
        family,
        prefixes: Vec::new(),
        item: None,
        out: RawFeed {
            format,
            feed: RawItem {
                base: base.cloned(),
                ..RawItem::default()
            },
            items: Vec::new(),
            warnings: Vec::new(),
        },
    };
    // The root's own namespace is the feed's, whatever its address; RDF is another's.
    if let Some((prefix, _)) = root.name.split_once(':')
        && name != "RDF"
    {
        feed.prefixes.push((prefix.to_owned(), FeedNamespace::Core));
    }
    feed.container(&attributes);
    if name == "entry" {
        feed.open_item(root, &attributes, None);
    }
    feed.run(root);
    Some(feed.out)
}

/// Returns true if a document with this root element is a feed.
pub(super) fn is_root(local_name: &str) -> bool {
    matches!(local_name, "rss" | "RDF" | "feed" | "entry" | "channel")
}

impl<'a> XmlFeed<'a> {
    fn run(&mut self, root: Tag<'a>) {
        if root.empty {
            return;
        }
        loop {
            let start = self.scanner.offset();
            let Some(token) = self.scanner.next() else {
                // The document ended before its root element did.
                self.out.warnings.push(FeedWarning::Truncated);
                self.item = None;
                return;
            };
            match token {
                Token::Text(_) | Token::CData(_) => {}
                Token::End(name) if name == root.name => {
                    self.close_item(start);
                    return;
                }
                Token::End(name) => {
                    if self.item.as_ref().is_some_and(|(open, _)| *open == name) {
                        self.close_item(self.scanner.offset());
                    }
                }
                Token::Start(tag) => {
                    let attributes = tag.attributes();
                    self.declare(&attributes);
                    let space = self.space(tag.name, &attributes);
                    let name = local(tag.name);
                    let is_item = ["item", "entry"]
                        .iter()
                        .any(|item| name.eq_ignore_ascii_case(item));
                    if space == FeedNamespace::Core && is_item {
                        self.close_item(start);
                        if self.out.items.len() == MAX_ITEMS {
                            self.out.warnings.push(FeedWarning::TooManyItems);
                            return;
                        }
                        self.open_item(tag, &attributes, Some(start));
                        if tag.empty {
                            self.close_item(self.scanner.offset());
                        }
                    } else if space == FeedNamespace::Core && name.eq_ignore_ascii_case("channel") {
                        self.container(&attributes);
                    } else if let Some(field) = self.field(tag, space, attributes) {
                        self.take(field);
                    }
                }
            }
        }
    }

    /// Takes what the attributes of the root or the channel say of the feed.
    fn container(&mut self, attributes: &[(String, String)]) {
        self.declare(attributes);
        inherit(&mut self.out.feed, attributes);
    }

    fn declare(&mut self, attributes: &[(String, String)]) {
        for (name, uri) in attributes {
            if let Some(prefix) = name.strip_prefix("xmlns:")
                && self.prefixes.len() < MAX_PREFIXES
                && self.prefixes.iter().all(|(known, _)| known != prefix)
            {
                let space = FeedNamespace::of_uri(uri, self.family);
                self.prefixes.push((prefix.to_owned(), space));
            }
        }
    }

    fn space(&self, name: &str, attributes: &[(String, String)]) -> FeedNamespace {
        match name.split_once(':') {
            None => match attribute(attributes, "xmlns") {
                // A default namespace on a field is for that field alone; on an
                // item, only writers of Atom in Atom or RSS in RSS set it.
                Some(uri) => match FeedNamespace::of_uri(uri, self.family) {
                    FeedNamespace::Other => FeedNamespace::Core,
                    space => space,
                },
                None => FeedNamespace::Core,
            },
            Some((prefix, _)) => match self.prefixes.iter().find(|(known, _)| known == prefix) {
                Some((_, FeedNamespace::Other)) | None => {
                    FeedNamespace::of_prefix(prefix, self.family)
                }
                Some((_, space)) => *space,
            },
        }
    }

    fn open_item(&mut self, tag: Tag<'a>, attributes: &[(String, String)], start: Option<usize>) {
        let mut item = RawItem {
            source: start.map(|start| start..start),
            base: self.out.feed.base.clone(),
            content_base: self.out.feed.content_base.clone(),
            ..RawItem::default()
        };
        inherit(&mut item, attributes);
        item.about = attribute(attributes, "rdf:about").map(str::to_owned);
        self.item = Some((tag.name, item));
    }

    fn close_item(&mut self, end: usize) {
        let Some((_, mut item)) = self.item.take() else {
            return;
        };
        if let Some(source) = &mut item.source {
            source.end = end;
        }
        self.out.items.push(item);
    }

    /// Reads a field to its end; `None` where the document ends in it.
    fn field(
        &mut self,
        tag: Tag<'a>,
        space: FeedNamespace,
        attributes: Vec<(String, String)>,
    ) -> Option<FeedField> {
        let mut field = FeedField {
            space,
            name: local(tag.name).to_ascii_lowercase(),
            attributes,
            plain: String::new(),
            markup: String::new(),
            has_markup: false,
            inner_base: None,
        };
        if tag.empty {
            return Some(field);
        }
        // Elements inside that have the field's or the item's own name.
        let (mut same, mut items) = (0usize, 0usize);
        let item = self.item.as_ref().map(|(name, _)| *name);
        loop {
            let before = self.scanner.offset();
            match self.scanner.next()? {
                Token::Text(text) => {
                    field.plain.push_str(&unescape(text));
                    let markup = if text == "<" { "&lt;" } else { text };
                    field.markup.push_str(markup);
                }
                Token::CData(text) => {
                    field.plain.push_str(text);
                    escape(text, &mut field.markup);
                }
                Token::Start(inner) => {
                    if !field.has_markup && field.plain.trim().is_empty() {
                        let base = attribute(&inner.attributes(), "xml:base").map(str::to_owned);
                        field.inner_base = base;
                    }
                    field.has_markup = true;
                    if !inner.empty {
                        same += usize::from(inner.name == tag.name);
                        items += usize::from(Some(inner.name) == item);
                    }
                    push_tag(inner, &mut field.markup);
                }
                Token::End(name) if name == tag.name => {
                    if same == 0 {
                        return Some(field);
                    }
                    same -= 1;
                    push_end(name, &mut field.markup);
                }
                Token::End(name) if Some(name) == item => {
                    if items == 0 {
                        self.scanner.seek(before);
                        return Some(field);
                    }
                    items -= 1;
                }
                Token::End(name) => push_end(name, &mut field.markup),
            }
        }
    }

    /// Takes what a field says of the item, or of the feed.
    fn take(&mut self, field: FeedField) {
        let (family, in_item) = (self.family, self.item.is_some());
        let out = match &mut self.item {
            Some((_, item)) => item,
            None => &mut self.out.feed,
        };
        let base = match field.attribute("xml:base") {
            Some(relative) => join(out.base.as_ref(), relative),
            None => out.base.clone(),
        };
        let resolve = |link: &str| resolve(base.as_ref(), link);
        if in_item
            && let Some(file) = attached(&field)
            && out.enclosures.len() < MAX_NAMES
        {
            let url = resolve(&file.url);
            out.enclosures.push(Attached { url, ..file });
        }
        take_text(out, &field, family);
        take_content(out, &field, family, in_item, &resolve);
        take_address(out, &field, in_item, &resolve);
        take_date(out, &field);
        take_names(out, &field, family, in_item);
        take_picture(out, &field, in_item, &resolve);
        take_settings(out, &field, in_item);
    }
}

/// Takes a title or a summary, in the feed's own elements or in another vocabulary's.
fn take_text(out: &mut RawItem, field: &FeedField, family: FeedFamily) {
    let source = match field.space {
        FeedNamespace::Core => TextVocabulary::Core,
        FeedNamespace::DublinCore => TextVocabulary::DublinCore,
        FeedNamespace::Media => TextVocabulary::Media,
        FeedNamespace::Itunes => TextVocabulary::Podcast,
        _ => return,
    };
    match (source, field.name.as_str()) {
        (_, "title") => out.title.offer(source, field.to_text(family)),
        // No element of RSS, but some feeds have both.
        (TextVocabulary::Core, "summary") if family == FeedFamily::Rss => {
            out.summary
                .offer(TextVocabulary::Podcast, field.to_text(family));
        }
        (_, "description" | "summary" | "subtitle")
        | (TextVocabulary::Core, "tagline")
        | (TextVocabulary::DublinCore, "abstract") => {
            out.summary_base = own_base(field, out.base.as_ref()).or(out.summary_base.take());
            out.summary.offer(source, field.to_text(family));
        }
        (TextVocabulary::Media, "group" | "content") if field.has_markup => {
            for (name, text) in [("title", &mut out.title), ("description", &mut out.summary)] {
                text.offer(source, child_text(&field.markup, name));
            }
        }
        _ => {}
    }
}

/// The base of a field's markup, if an `xml:base` of its own gives one.
fn own_base(field: &FeedField, base: Option<&Url>) -> Option<Url> {
    let bases = [field.attribute("xml:base"), field.inner_base.as_deref()];
    let bases = bases.into_iter().flatten();
    bases.fold(None, |inner, relative| {
        join(inner.as_ref().or(base), relative)
    })
}

/// Takes an item's whole content.
fn take_content(
    out: &mut RawItem,
    field: &FeedField,
    family: FeedFamily,
    in_item: bool,
    resolve: &impl Fn(&str) -> String,
) {
    let is_of_atom = field.space == FeedNamespace::Core && field.name == "content";
    let text = match (field.space, field.name.as_str()) {
        _ if !in_item => return,
        _ if is_of_atom && family == FeedFamily::Rss => return,
        _ if is_of_atom && field.attribute("src").is_some() => {
            out.about = field.attribute("src").map(resolve);
            return;
        }
        (FeedNamespace::Core, "content" | "body" | "fullitem") => field.to_text(family),
        (FeedNamespace::Content, "encoded") | (FeedNamespace::Other, "body" | "fullitem") => {
            FeedText::html(field.content())
        }
        _ => return,
    };
    if let Some(base) = own_base(field, out.base.as_ref()) {
        out.content_base = Some(base);
    }
    out.content.offer(TextVocabulary::Core, text);
}

/// Takes what names an item or its page.
fn take_address(
    out: &mut RawItem,
    field: &FeedField,
    in_item: bool,
    resolve: &impl Fn(&str) -> String,
) {
    match (field.space, field.name.as_str()) {
        (FeedNamespace::Core | FeedNamespace::Atom, "link") => {
            take_link(out, field, in_item, resolve);
        }
        (FeedNamespace::Core, "guid") => {
            if field.attribute("isPermaLink") != Some("false") {
                out.permalink = Some(field.content().to_owned());
            }
            field.content().clone_into(&mut out.id);
        }
        (FeedNamespace::Core, "id") => {
            // It is a name, but often the page's address, and then the only one.
            if in_item {
                out.permalink
                    .get_or_insert_with(|| field.content().to_owned());
            }
            field.content().clone_into(&mut out.id);
        }
        (FeedNamespace::Feedburner, "origlink") => {
            out.original_link = Some(field.content().to_owned());
        }
        _ => {}
    }
}

fn take_link(
    out: &mut RawItem,
    field: &FeedField,
    in_item: bool,
    resolve: &impl Fn(&str) -> String,
) {
    let link = match field.attribute("href") {
        Some(href) => href,
        None if field.space == FeedNamespace::Core => field.content(),
        None => "",
    };
    if link.is_empty() {
        return;
    }
    let relation = field.relation();
    if relation == "alternate" {
        // An HTML page before other formats of the same item.
        let html = field
            .attribute("type")
            .is_none_or(|kind| kind.contains("html"));
        let best = html && field.space == FeedNamespace::Core;
        out.links.push((!best, resolve(link)));
    } else if relation == "self" && !in_item {
        out.permalink.get_or_insert_with(|| resolve(link));
    }
}

fn take_date(out: &mut RawItem, field: &FeedField) {
    let has_dates = matches!(
        field.space,
        FeedNamespace::Core | FeedNamespace::DublinCore | FeedNamespace::Atom
    );
    match field.name.as_str() {
        _ if !has_dates => {}
        "pubdate" | "published" => out.published = field.text().or(out.published.take()),
        "issued" | "created" | "date" | "available" if out.published.is_none() => {
            out.published = field.text();
        }
        "updated" | "modified" => out.updated = field.text().or(out.updated.take()),
        _ => {}
    }
}

/// Takes names of authors and categories.
fn take_names(out: &mut RawItem, field: &FeedField, family: FeedFamily, in_item: bool) {
    match (field.space, field.name.as_str()) {
        (
            FeedNamespace::Core
            | FeedNamespace::DublinCore
            | FeedNamespace::Atom
            | FeedNamespace::Itunes,
            "author" | "creator",
        ) => {
            for author in authors(field) {
                out.add_author(author);
            }
        }
        // RFC 4287, 4.2.1: they go before the feed's own.
        (FeedNamespace::Core, "source") if family == FeedFamily::Atom && in_item => {
            let name = child(&field.markup, "name");
            out.source_authors = name.iter().flat_map(|name| author_names(name)).collect();
        }
        (FeedNamespace::Core | FeedNamespace::DublinCore, "category" | "subject")
        | (FeedNamespace::Media | FeedNamespace::Itunes, "category")
            if in_item =>
        {
            for name in categories(field) {
                out.add_category(name);
            }
        }
        _ => {}
    }
}

fn take_picture(
    out: &mut RawItem,
    field: &FeedField,
    in_item: bool,
    resolve: &impl Fn(&str) -> String,
) {
    match (field.space, field.name.as_str()) {
        (FeedNamespace::Media, "content" | "thumbnail" | "group")
        | (FeedNamespace::Itunes, "image")
        | (FeedNamespace::Core, "enclosure")
            if in_item && out.image.is_none() =>
        {
            out.image = image(field).map(|image| resolve(&image));
        }
        // The logo before an icon.
        (FeedNamespace::Core, "image" | "logo" | "icon") | (FeedNamespace::Itunes, "image")
            if !in_item =>
        {
            let is_best = field.name != "icon" && field.space == FeedNamespace::Core;
            if let Some(picture) = picture(field)
                && (is_best || out.image.is_none())
            {
                out.image = Some(resolve(&picture));
            }
        }
        _ => {}
    }
}

/// Takes a language, and how often a feed is to be asked.
fn take_settings(out: &mut RawItem, field: &FeedField, in_item: bool) {
    match (field.space, field.name.as_str()) {
        (FeedNamespace::Core | FeedNamespace::DublinCore, "language") => {
            out.language = field.text().map(|tag| tag.replace('_', "-"));
        }
        (FeedNamespace::Core, "ttl") if !in_item => out.ttl = out.ttl.take().or(field.text()),
        (FeedNamespace::Syndication, "updateperiod") if !in_item => {
            out.update_period = field.text();
        }
        (FeedNamespace::Syndication, "updatefrequency") if !in_item => {
            out.update_frequency = field.text();
        }
        _ => {}
    }
}

/// Takes `xml:base` and `xml:lang` from an element's attributes.
fn inherit(out: &mut RawItem, attributes: &[(String, String)]) {
    if let Some(relative) = attribute(attributes, "xml:base") {
        out.base = join(out.base.as_ref(), relative);
        out.content_base.clone_from(&out.base);
    }
    if let Some(language) = attribute(attributes, "xml:lang") {
        out.language = Some(language.replace('_', "-"));
    }
}

/// `relative` against `base`; the base where there is no URL in it.
fn join(base: Option<&Url>, relative: &str) -> Option<Url> {
    match base {
        Some(base) => Some(base.join(relative).unwrap_or_else(|_| base.clone())),
        None => Url::parse(relative).ok(),
    }
}

/// A link made absolute, or as it stands where that cannot be done.
fn resolve(base: Option<&Url>, link: &str) -> String {
    match base.and_then(|base| base.join(link.trim()).ok()) {
        Some(url) => url.into(),
        None => link.trim().to_owned(),
    }
}
