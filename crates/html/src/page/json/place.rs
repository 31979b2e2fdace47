//! The place of a value in the JSON of a site's pages, as a wrapper file names it.

use serde::{Deserialize, Serialize};

/// The place of an article's text in the JSON of a page.
///
/// ```
/// use forest_html::page::JsonPlace;
///
/// let place = r##"{"script": "#state", "path": "/posts/*/body", "kind": "html"}"##;
/// let place: JsonPlace = serde_json::from_str(place)?;
/// assert_eq!((&*place.script, &*place.path), ("#state", "/posts/*/body"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonPlace {
    /// The script: `#id` of its element; else, if the script assigns the value or calls a
    /// function with it, the name of the variable or function, without `window.`; else its
    /// type, such as `application/ld+json`. An attribute that holds JSON is `@name`.
    pub script: String,
    /// The path in the value: a JSON Pointer (RFC 6901) in which `*` stands for any index of
    /// an array and for the part of a key that differs from page to page.
    pub path: String,
    /// The way in which the value is a text.
    pub kind: JsonKind,
}

/// The way in which a JSON value is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonKind {
    /// A string of HTML.
    Html,
    /// A string of plain text; line breaks end its paragraphs.
    Text,
    /// An array whose strings, in their order, are the text.
    Blocks,
    /// The strings at the path, in their order: the posts of a thread.
    Thread,
}
