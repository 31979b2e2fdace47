//! Names of elements as they are written.

use forest_html::page::walk::is_void;
use html5ever::{LocalName, QualName, ns};

/// The name of an element as it is written: obsolete elements whose text is read as it
/// stands are `pre`.
pub(super) fn written_name(name: &QualName) -> &str {
    match &*name.local {
        "xmp" | "listing" | "plaintext" if name.ns == ns!(html) => "pre",
        local => local,
    }
}

/// True for an attribute that leads to what an element shows or links to.
pub(super) fn is_link_attribute(name: &str) -> bool {
    matches!(name, "src" | "href" | "data")
}

/// True for elements without contents, obsolete ones included.
pub(super) fn has_no_contents(tag: &LocalName) -> bool {
    is_void(tag) || matches!(&**tag, "basefont" | "bgsound" | "frame" | "keygen")
}
