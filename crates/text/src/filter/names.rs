//! Names of elements as they are written.

use forest_html::page::tags;
use html5ever::{QualName, ns};

/// The name of an element as it is written: obsolete elements whose text is read as it
/// stands are `pre`.
pub(super) fn written_name(name: &QualName) -> &str {
    if name.ns == ns!(html) && tags::has(&name.local, tags::VERBATIM) {
        return "pre";
    }
    &name.local
}

/// True for an attribute that leads to what an element shows or links to.
pub(super) fn is_link_attribute(name: &str) -> bool {
    matches!(name, "src" | "href" | "data")
}
