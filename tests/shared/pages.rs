//! Saved pages below some folders, as text.

use forest_html::page::decode;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The pages (*.html, *.html.gz) among these files and below these folders, sorted.
pub fn saved_pages(paths: impl IntoIterator<Item = PathBuf>) -> io::Result<Vec<PathBuf>> {
    let mut open: Vec<PathBuf> = paths.into_iter().collect();
    let mut pages = Vec::new();
    while let Some(path) = open.pop() {
        let name = path.to_string_lossy();
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        } else if name.ends_with(".html") || name.ends_with(".html.gz") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// The text of a saved page.
pub fn text_of(page: &Path) -> io::Result<String> {
    let mut bytes = fs::read(page)?;
    if page.extension().is_some_and(|ending| ending == "gz") {
        let packed = std::mem::take(&mut bytes);
        flate2::read::MultiGzDecoder::new(&*packed).read_to_end(&mut bytes)?;
    }
    Ok(decode(&bytes, None).text.into_owned())
}
