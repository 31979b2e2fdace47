//! A filtered page in one of its formats. XHTML is written here, below `filter`.

use super::xhtml::xhtml;
use crate::filter::{Filtered, FilteredDocument, OutputFormat};

/// The document of a filtered page, with the warnings of the page and of its writing.
pub fn filtered_document(filtered: &Filtered<'_>, format: OutputFormat) -> FilteredDocument {
    match format {
        OutputFormat::Html => filtered.html(),
        OutputFormat::Text => FilteredDocument {
            text: filtered.text(),
            warnings: filtered.warnings(),
        },
        OutputFormat::Xhtml => FilteredDocument {
            text: xhtml(&filtered.reparsed()).text,
            warnings: filtered.warnings(),
        },
    }
}
