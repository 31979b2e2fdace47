//! The kind of a file by its name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Ends of the names of pages; `.gz` may follow.
const PAGE_ENDS: [&str; 5] = ["html", "htm", "xhtml", "mhtml", "mht"];

/// Ends of the names of other files: pictures, fonts, films and sound; styles, programs and
/// their templates; data and text; papers; archives; copies that `wget -K` and editors
/// leave. These files are not tested, even if they may contain markup.
const OTHER_ENDS: &str = "\
    7z aac ai apk arc asc atom avi avif bak bib bin bmp br bz2 c cfg conf cpp cs css csv cur \
    db deb dll dmg doc docx eot eps epub erb exe flac flv gif go h hbs heic ico ics ini \
    iso j2 jar java jpe jpeg jpg js json jsonl jsx less lock log lua m4a m4v map md \
    mid mjs mkv mobi mov mp3 mp4 mpeg mpg odp ods odt oga ogg ogv opml opus orig \
    otf parquet part pdf png ppt pptx ps psd py rar rb rdf rs rss rtf scss sh sql sqlite \
    svelte svg swf swp tar tgz tif tiff tmp toml torrent ts tsv tsx ttf txt vue warc \
    wasm wav webm webmanifest webp wma wmv woff woff2 xls xlsx xml xsl xslt xz yaml yml \
    zip zst";

/// Returns true if a file is named like a page.
pub fn is_page(path: &Path) -> bool {
    stem(path).is_some()
}

/// A page's name without its ending.
pub fn stem(path: &Path) -> Option<&OsStr> {
    let name = Path::new(path.file_name()?);
    if is_hidden(name.as_os_str()) {
        return None;
    }
    let packed = is_packed(name).then(|| name.file_stem());
    let name = Path::new(packed.unwrap_or(Some(name.as_os_str()))?);
    let end = name.extension()?;
    let is_page = PAGE_ENDS.iter().any(|page| end.eq_ignore_ascii_case(page));
    is_page.then(|| name.file_stem()).flatten()
}

/// The media type of a page that its name tells: XHTML has empty elements of its own.
pub fn media_type(page: &Path) -> Option<&'static str> {
    let page = unpacked(page);
    let is_xhtml = page.extension()?.eq_ignore_ascii_case("xhtml");
    is_xhtml.then_some("application/xhtml+xml")
}

/// A page's name without its ending; the whole name, if it has none of a page.
pub fn own_name(page: &Path) -> &OsStr {
    stem(page).unwrap_or(page.file_name().unwrap_or_default())
}

/// Returns true if a file that is not named like a page may be one: pages of
/// programs (`page.php`), copies of sites with names as in addresses (`story`,
/// `index.html?p=2`) or with numbers (`index.html.1`).
pub fn may_be_page(path: &Path) -> bool {
    let path = unpacked(path);
    let Some(name) = path.file_name() else {
        return false;
    };
    let name = name.to_string_lossy();
    // A query follows `?`, or `@` where a name cannot contain `?`. It is ignored.
    let before = name.split(['?', '@']).next().unwrap_or_default();
    let is_other = |name: &str| {
        let end = Path::new(name).extension().unwrap_or_default();
        OTHER_ENDS
            .split(' ')
            .any(|other| end.eq_ignore_ascii_case(other))
    };
    !is_page(&path) && !name.ends_with('~') && !is_other(&name) && !is_other(before)
}

/// Returns true if a name looks like a host's, perhaps with a port: it contains a dot, and
/// only letters follow the last one.
pub fn may_be_host(name: &str) -> bool {
    let host = name.split(':').next().unwrap_or_default();
    let last = host.rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|last| last.len() > 1 && last.chars().all(char::is_alphabetic))
}

/// Returns true if a name begins with a dot.
pub fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The path without the `.gz` at its end.
pub fn unpacked(path: &Path) -> PathBuf {
    if is_packed(path) {
        return path.with_extension("");
    }
    path.to_owned()
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
        check("a.mhtml", Some("a"));
        check("a.MHT", Some("a"));
        check(".html", None);
        check(".html.gz", None);
        check("html.gz", None);
        check("a.html.gz.gz", None);
        check("a.json", None);
    }

    #[test]
    fn names_that_may_be_those_of_pages() {
        let check = |name: &str, expected| {
            assert_eq!(may_be_page(Path::new(name)), expected, "{name}");
        };
        for name in [
            "story",
            "a.php",
            "index.html?p=2",
            "index.html@p=2",
            "a.html.1",
            "a.php.gz",
        ] {
            check(name, true);
        }
        // Looked at for themselves.
        check("a.html", false);
        check("a.html.gz", false);
        for name in [
            "a.json",
            "feed.XML",
            "a.css?v=1.2",
            "a.css@v=1.2",
            "a?b.png",
            "a.tar.gz",
            "a~",
        ] {
            check(name, false);
        }
        assert!(OTHER_ENDS.split(' ').is_sorted());
    }

    #[test]
    fn names_without_gz() {
        let check = |name, expected| assert_eq!(unpacked(Path::new(name)), Path::new(expected));
        check("d/a.html.gz", "d/a.html");
        check("d/a.html", "d/a.html");
        check("d.gz/a", "d.gz/a");
    }
}
