//! The elements and attributes of clean HTML.

use super::formula;
use crate::render::anchors::ID_START;
use crate::render::code::is_language;
use crate::render::embed::EmbedHosts;
use ammonia::{Builder, UrlRelative};
use forest_html::page::tags;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Attributes that are written besides `href` and `src`.
pub(super) const ATTRS: [(&str, &[&str]); 6] = [
    ("img", &["alt", "width", "height"]),
    ("ol", &["start"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["colspan", "rowspan"]),
    ("time", &["datetime"]),
    ("bdo", &["dir"]),
];

/// Attributes that are written for every element.
pub(super) const GENERIC_ATTRS: [&str; 2] = ["lang", "title"];

/// Bytes of an attribute that is written; longer ones are no prose.
pub(super) const MAX_ATTR_BYTES: usize = 8192;

/// The beginning of the class of a program's language.
pub(super) const LANGUAGE: &str = "language-";

/// Values of the attribute `sandbox` of a frame that stays: it may run its scripts, on its
/// own origin, and go full screen; it may not lead the page around it elsewhere.
pub(super) const SANDBOX: &str = "allow-scripts allow-same-origin allow-popups allow-presentation";

/// ammonia with the lists above: made once, it is the same for every page.
static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = builder();
    builder.attribute_filter(|_, name, value| of_us(name, value).map(Cow::Borrowed));
    builder
});

fn builder() -> Builder<'static> {
    let mut builder = Builder::default();
    let attrs = ATTRS.map(|(tag, names)| (tag, HashSet::from_iter(names.iter().copied())));
    let mut attrs: HashMap<_, HashSet<_>> = attrs.into_iter().collect();
    attrs.insert("a", HashSet::from(["href"]));
    attrs.entry("img").or_default().insert("src");
    for code in ["code", "pre"] {
        attrs.insert(code, HashSet::from(["class"]));
    }
    let of_formulas = formula::ATTRS.map(|(tag, names)| (tag, names.iter().copied().collect()));
    attrs.extend(of_formulas);
    let mut generic = HashSet::from(GENERIC_ATTRS);
    generic.insert("id");
    builder
        .tags(
            tags::names_with(tags::CLEAN)
                .chain(formula::ELEMENTS)
                .collect(),
        )
        .tag_attributes(attrs)
        .generic_attributes(generic)
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel", "ftp"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None);
    builder
}

/// The value of an attribute, if it is one that the writer gives: of an id, one that begins
/// with [`ID_START`]; of a class, a language.
fn of_us<'v>(name: &str, value: &'v str) -> Option<&'v str> {
    match name {
        "id" => value.starts_with(ID_START),
        "class" => value.strip_prefix(LANGUAGE).is_some_and(is_language),
        _ => true,
    }
    .then_some(value)
}

/// HTML with nothing but these elements and attributes, and frames of these hosts.
pub(super) fn cleaned(html: &str, frames: &EmbedHosts) -> String {
    if frames.is_empty() {
        return CLEANER.clean(html).to_string();
    }
    let hosts = frames.clone();
    let mut builder = builder();
    builder
        .add_tags(["iframe"])
        .add_tag_attributes("iframe", ["src", "title"])
        .set_tag_attribute_value("iframe", "sandbox", SANDBOX)
        .set_tag_attribute_value("iframe", "loading", "lazy")
        .attribute_filter(move |element, name, value| match (element, name) {
            ("iframe", "src") => hosts.has(value).then_some(Cow::Borrowed(value)),
            _ => of_us(name, value).map(Cow::Borrowed),
        });
    builder.clean(html).to_string()
}
