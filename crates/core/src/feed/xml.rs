//! Feed XML as it is in the wild, rewritten so that feed-rs reads it.
//!
//! feed-rs gives up a whole feed for one fault in it (an unclosed element, an
//! empty `content`, a `version` it does not know, an `xml:base` that is no URL),
//! panics on some authors and durations, and does not keep what a wrapper
//! learner needs (whether a `guid` is a link, `feedburner:origLink`, dates as
//! written). So one pass over the feed cuts it into items and fields, writes the
//! fields that feed-rs reads as well-formed XML, and keeps the others beside it,
//! an [`Extra`] an item in the same order.
//!
//! A field ends at its end tag, or where its item's does: markup inside is taken
//! as it stands, escaped or not, closed or not. An item that the end of the
//! document cuts is left out.

use url::Url;

use super::field::{
    Attached, FeedField, attached, attribute, author, image, picture, push_end, push_tag,
    write_element, write_text,
};
use super::scan::{Tag, Token, XmlScanner, local, unescape};
use super::space::{FeedFamily, FeedNamespace};
use super::{FeedVersion, FeedWarning};
use forest_html::page::plain::escape;

/// Items read of one feed; feeds with a site's whole history have some
/// thousands. More are left out with a warning.
pub(super) const MAX_ITEMS: usize = 10_000;

/// Authors, categories and enclosures kept of one item, each.
pub(super) const MAX_NAMES: usize = 100;

/// Namespace declarations kept of one feed.
const MAX_PREFIXES: usize = 64;

/// The feed that feed-rs reads, and the parts that it does not keep.
#[derive(Debug)]
pub(super) struct Repaired {
    pub xml: String,
    pub format: FeedVersion,
    /// Of the whole feed: its authors, links and base.
    pub feed: Extra,
    /// One an item.
    pub items: Vec<Extra>,
    pub warnings: Vec<FeedWarning>,
}

/// The parts of an item, or of the feed, that feed-rs does not keep.
#[derive(Debug, Default, Clone)]
pub(super) struct Extra {
    /// The nearest `xml:base`.
    pub base: Option<Url>,
    /// `feedburner:origLink`: the link before a redirector took its place.
    pub original_link: Option<String>,
    /// Links to the page itself; whether one is second choice (another format).
    pub links: Vec<(bool, String)>,
    /// A `guid` that may be a link.
    pub permalink: Option<String>,
    /// `rdf:about`, or the address of content that is not in the feed.
    pub about: Option<String>,
    pub published: Option<String>,
    pub updated: Option<String>,
    pub authors: Vec<String>,
    pub image: Option<String>,
    pub enclosures: Vec<Attached>,
    pub language: Option<String>,
    /// Of the feed: `ttl` in minutes.
    pub ttl: Option<String>,
    /// Of the feed: `sy:updatePeriod` and `sy:updateFrequency`.
    pub update_period: Option<String>,
    pub update_frequency: Option<String>,
}

struct Repair<'a> {
    scanner: XmlScanner<'a>,
    family: FeedFamily,
    prefixes: Vec<(String, FeedNamespace)>,
    /// The open item: its qualified name and what it has so far.
    item: Option<(&'a str, Extra)>,
    out: Repaired,
    /// Length of the XML up to the last whole item.
    whole: usize,
}

/// Rewrites a feed; `None` if the text has no feed's root element.
pub(super) fn repair(text: &str, base: Option<&Url>) -> Option<Repaired> {
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
    let mut repair = Repair {
        scanner,
        family,
        prefixes: Vec::new(),
        item: None,
        out: Repaired {
            xml: String::with_capacity(text.len()),
            format,
            feed: Extra {
                base: base.cloned(),
                ..Extra::default()
            },
            items: Vec::new(),
            warnings: Vec::new(),
        },
        whole: 0,
    };
    repair.out.xml.push_str(match family {
        FeedFamily::Atom => "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
        FeedFamily::Rss => {
            "<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel>"
        }
    });
    repair.whole = repair.out.xml.len();
    repair.container(&attributes);
    if name == "entry" {
        repair.open_item(root, &attributes);
    }
    repair.run(root);
    Some(repair.finish())
}

/// Returns true if a document with this root element is a feed.
pub(super) fn is_root(local_name: &str) -> bool {
    matches!(local_name, "rss" | "RDF" | "feed" | "entry" | "channel")
}

impl<'a> Repair<'a> {
    fn run(&mut self, root: Tag<'a>) {
        if root.empty {
            return;
        }
        loop {
            let Some(token) = self.scanner.next() else {
                // The document ended before its root element did.
                self.out.warnings.push(FeedWarning::Truncated);
                self.item = None;
                return;
            };
            match token {
                Token::Text(_) | Token::CData(_) => {}
                Token::End(name) if name == root.name => {
                    self.close_item();
                    return;
                }
                Token::End(name) => {
                    if self.item.as_ref().is_some_and(|(open, _)| *open == name) {
                        self.close_item();
                    }
                }
                Token::Start(tag) => {
                    let attributes = tag.attributes();
                    self.declare(&attributes);
                    let space = self.space(tag.name, &attributes);
                    let name = local(tag.name);
                    let is_item = match self.family {
                        FeedFamily::Rss => name == "item",
                        FeedFamily::Atom => name == "entry",
                    };
                    if space == FeedNamespace::Core && is_item {
                        self.close_item();
                        if self.out.items.len() == MAX_ITEMS {
                            self.out.warnings.push(FeedWarning::TooManyItems);
                            return;
                        }
                        self.open_item(tag, &attributes);
                        if tag.empty {
                            self.close_item();
                        }
                    } else if space == FeedNamespace::Core && name == "channel" {
                        self.container(&attributes);
                    } else if let Some(field) = self.field(tag, space, attributes) {
                        self.write(field);
                    }
                }
            }
        }
    }

    fn finish(mut self) -> Repaired {
        self.out.xml.truncate(self.whole);
        self.out.xml.push_str(match self.family {
            FeedFamily::Atom => "</feed>",
            FeedFamily::Rss => "</channel></rss>",
        });
        self.out
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
                // RSS 1.0 under a prefix, and the many addresses of RSS 2.0.
                let core = self.family == FeedFamily::Rss
                    && uri.contains("purl.org/rss/1.0/")
                    && !uri.contains("modules");
                let space = if core { FeedNamespace::Core } else { space };
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

    fn open_item(&mut self, tag: Tag<'a>, attributes: &[(String, String)]) {
        let mut extra = Extra {
            base: self.out.feed.base.clone(),
            ..Extra::default()
        };
        inherit(&mut extra, attributes);
        extra.about = attribute(attributes, "rdf:about").map(str::to_owned);
        self.item = Some((tag.name, extra));
        self.out.xml.push_str(match self.family {
            FeedFamily::Atom => "<entry>",
            FeedFamily::Rss => "<item>",
        });
    }

    fn close_item(&mut self) {
        let Some((_, extra)) = self.item.take() else {
            return;
        };
        for (element, date) in [
            (
                if self.family == FeedFamily::Atom {
                    "published"
                } else {
                    "pubDate"
                },
                &extra.published,
            ),
            ("updated", &extra.updated),
        ] {
            if let Some(date) = date {
                write_element(&mut self.out.xml, element, "", date);
            }
        }
        self.out.xml.push_str(match self.family {
            FeedFamily::Atom => "</entry>",
            FeedFamily::Rss => "</item>",
        });
        self.whole = self.out.xml.len();
        self.out.items.push(extra);
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
            name: local(tag.name).to_owned(),
            attributes,
            plain: String::new(),
            markup: String::new(),
            has_markup: false,
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

    /// Writes what feed-rs reads of a field, keeps what it does not.
    fn write(&mut self, field: FeedField) {
        let in_item = self.item.is_some();
        let extra = match &mut self.item {
            Some((_, extra)) => extra,
            None => &mut self.out.feed,
        };
        let base = match attribute(&field.attributes, "xml:base") {
            Some(relative) => join(extra.base.as_ref(), relative),
            None => extra.base.clone(),
        };
        let resolve = |link: &str| resolve(base.as_ref(), link);
        if in_item
            && let Some(file) = attached(&field)
            && extra.enclosures.len() < MAX_NAMES
        {
            let url = resolve(&file.url);
            extra.enclosures.push(Attached { url, ..file });
        }
        let out = &mut self.out.xml;
        match (field.space, field.name.as_str()) {
            (FeedNamespace::Core, "title") => write_text(out, "title", &field, self.family),
            (FeedNamespace::Core, "description" | "summary" | "subtitle" | "tagline") => {
                let element = match (self.family, in_item) {
                    (FeedFamily::Rss, _) => "description",
                    (FeedFamily::Atom, true) => "summary",
                    (FeedFamily::Atom, false) => "subtitle",
                };
                write_text(out, element, &field, self.family);
            }
            (FeedNamespace::Core, "content") if self.family == FeedFamily::Atom && in_item => {
                match field.attribute("src") {
                    Some(link) => extra.about = Some(resolve(link)),
                    None => write_text(out, "content", &field, self.family),
                }
            }
            (FeedNamespace::Content, "encoded") | (FeedNamespace::Other, "body") if in_item => {
                write_element(out, "content:encoded", "", field.content());
            }
            (FeedNamespace::Core | FeedNamespace::Atom, "link") => {
                let relation = field.attribute("rel").unwrap_or("alternate");
                let text = field.content();
                let link = match field.attribute("href") {
                    Some(href) => href,
                    None if field.space == FeedNamespace::Core => text,
                    None => "",
                };
                if link.is_empty() {
                    return;
                }
                if relation == "alternate" {
                    // An HTML page before other formats of the same item.
                    let html = field
                        .attribute("type")
                        .is_none_or(|kind| kind.contains("html"));
                    let best = html && field.space == FeedNamespace::Core;
                    extra.links.push((!best, resolve(link)));
                } else if relation == "self" && !in_item {
                    extra.permalink.get_or_insert_with(|| resolve(link));
                }
            }
            (FeedNamespace::Core, "guid") => {
                if field.attribute("isPermaLink") != Some("false") {
                    extra.permalink = Some(field.content().to_owned());
                }
                write_element(out, "guid", "", field.content());
            }
            (FeedNamespace::Core, "id") => write_element(out, "id", "", field.content()),
            (FeedNamespace::Feedburner, "origLink") => {
                extra.original_link = Some(field.content().to_owned());
            }
            (
                FeedNamespace::Core | FeedNamespace::DublinCore | FeedNamespace::Atom,
                "pubDate" | "published" | "issued" | "created" | "date" | "available",
            ) => {
                let first = matches!(field.name.as_str(), "pubDate" | "published");
                if first || extra.published.is_none() {
                    extra.published = field.text().or(extra.published.take());
                }
            }
            (
                FeedNamespace::Core | FeedNamespace::DublinCore | FeedNamespace::Atom,
                "updated" | "modified",
            ) => {
                extra.updated = field.text().or(extra.updated.take());
            }
            (
                FeedNamespace::Core
                | FeedNamespace::DublinCore
                | FeedNamespace::Atom
                | FeedNamespace::Itunes,
                "author" | "creator",
            ) => {
                if let Some(author) = author(&field)
                    && extra.authors.len() < MAX_NAMES
                    && !extra.authors.contains(&author)
                {
                    extra.authors.push(author);
                }
            }
            (FeedNamespace::Core | FeedNamespace::DublinCore, "category" | "subject")
                if in_item =>
            {
                let name = field.attribute("label").or(field.attribute("term"));
                let Some(name) = name.map(str::to_owned).or_else(|| field.text()) else {
                    return;
                };
                if self.family == FeedFamily::Atom {
                    let mut term = String::from(" term=\"");
                    escape(&name, &mut term);
                    term.push('"');
                    write_element(out, "category", &term, "");
                } else {
                    write_element(out, "category", "", &name);
                }
            }
            (FeedNamespace::Core, "ttl") if !in_item => {
                extra.ttl = extra.ttl.take().or(field.text())
            }
            (FeedNamespace::Syndication, "updatePeriod") if !in_item => {
                extra.update_period = field.text();
            }
            (FeedNamespace::Syndication, "updateFrequency") if !in_item => {
                extra.update_frequency = field.text();
            }
            (FeedNamespace::Core | FeedNamespace::DublinCore, "language") => {
                extra.language = field.text()
            }
            (FeedNamespace::Media, "content" | "thumbnail" | "group")
            | (FeedNamespace::Itunes, "image")
            | (FeedNamespace::Core, "enclosure")
                if in_item =>
            {
                if let Some(image) = image(&field)
                    && extra.image.is_none()
                {
                    extra.image = Some(resolve(&image));
                }
            }
            // The logo before an icon.
            (FeedNamespace::Core, "image" | "logo" | "icon") | (FeedNamespace::Itunes, "image")
                if !in_item =>
            {
                let is_best = field.name != "icon" && field.space == FeedNamespace::Core;
                if let Some(picture) = picture(&field)
                    && (is_best || extra.image.is_none())
                {
                    extra.image = Some(resolve(&picture));
                }
            }
            _ => {}
        }
        if !in_item {
            self.whole = self.out.xml.len();
        }
    }
}

/// Takes `xml:base` and `xml:lang` from an element's attributes.
fn inherit(extra: &mut Extra, attributes: &[(String, String)]) {
    if let Some(relative) = attribute(attributes, "xml:base") {
        extra.base = join(extra.base.as_ref(), relative);
    }
    if let Some(language) = attribute(attributes, "xml:lang") {
        extra.language = Some(language.to_owned());
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
