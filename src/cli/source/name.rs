//! What the name of a file says of it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Ends of the names of pages; `.gz` may follow.
const PAGE_ENDS: [&str; 3] = ["html", "htm", "xhtml"];

/// Whether a file's name is that of a page.
pub fn is_page(path: &Path) -> bool {
    stem(path).is_some()
}

/// A page's name without what says that it is one.
pub fn stem(path: &Path) -> Option<&OsStr> {
    let name = Path::new(path.file_name()?);
    if is_hidden(name.as_os_str()) {
        return None;
    }
    let name = Path::new(match is_packed(name) {
        true => name.file_stem()?,
        false => name.as_os_str(),
    });
    let end = name.extension()?;
    let is_page = PAGE_ENDS.iter().any(|page| end.eq_ignore_ascii_case(page));
    is_page.then(|| name.file_stem()).flatten()
}

/// Names that begin with a dot are not for those who look for pages.
pub fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The path without the `.gz` at its end.
pub fn unpacked(path: &Path) -> PathBuf {
    match is_packed(path) {
        true => path.with_extension(""),
        false => path.to_owned(),
    }
}

fn is_packed(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("gz"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_of_pages() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(stem(Path::new(name)), expected.map(OsStr::new), "{name}");
        };
        check("d/a.html", Some("a"));
        check("a.b.HTML.gz", Some("a.b"));
        check("a.xhtml.GZ", Some("a"));
        check("a..htm", Some("a."));
        check(".html", None);
        check(".html.gz", None);
        check("html.gz", None);
        check("a.html.gz.gz", None);
        check("a.json", None);
    }

    #[test]
    fn names_without_gz() {
        let check = |name, expected| assert_eq!(unpacked(Path::new(name)), Path::new(expected));
        check("d/a.html.gz", "d/a.html");
        check("d/a.html", "d/a.html");
        check("d.gz/a", "d.gz/a");
    }
}
