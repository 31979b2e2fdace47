//! Articles as a book, EPUB 3.3, with their stored pictures.
//!
//! ```text
//! mimetype                 first, not packed
//! META-INF/container.xml   the place of the package
//! EPUB/package.opf         title, language, all files, the order of reading
//! EPUB/title.xhtml         the title page
//! EPUB/nav.xhtml           titles and dates
//! EPUB/article-1.xhtml     the articles: see `chapter`
//! EPUB/pictures/           their pictures, named by their digests
//! EPUB/style.css
//! ```
//!
//! Nothing in it loads from elsewhere. The bytes depend on the articles and the title alone.

mod chapter;
mod package;
mod xml_text;

use super::super::ArchiveReader;
use crate::MarkupRenderer;
use crate::error::{ErrorKind, Result};
use chapter::Chapter;
use forest_core::extract::Options;
use package::Package;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Articles of a book at the most.
pub const MAX_EPUB_ARTICLES: usize = 100;

/// Bytes of texts and pictures at the most, before they are packed.
const MAX_BYTES: usize = 50_000_000;

const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\
    <rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/>\
    </rootfiles></container>\n";

const STYLE: &str = "body { line-height: 1.4; }\nimg { max-width: 100%; height: auto; }\n\
    pre { white-space: pre-wrap; }\n.about { font-size: 0.9em; }\n";

/// The counts of a book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EpubCounts {
    /// Articles in it.
    pub articles: usize,
    /// Pictures in it.
    pub pictures: usize,
    /// Articles for which it has no room.
    pub left_out: usize,
}

/// Writes articles, given by their numbers, as a book with this title, in their order. A book has
/// at most [`MAX_EPUB_ARTICLES`] of them, and no more than 50 MB before it is packed: further ones
/// are counted.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn epub(
    archive: &ArchiveReader,
    title: &str,
    articles: &[i64],
) -> Result<(Vec<u8>, EpubCounts)> {
    let mut book = Book::default();
    for (at, &article) in articles.iter().enumerate() {
        if book.chapters.len() == MAX_EPUB_ARTICLES || !book.add(archive, article)? {
            book.counts.left_out = articles.len() - at;
            break;
        }
    }
    book.counts.articles = book.chapters.len();
    book.counts.pictures = book.pictures.len();
    let counts = book.counts;
    let written = book.written(title);
    written
        .map(|bytes| (bytes, counts))
        .map_err(|source| ErrorKind::Export { source }.into())
}

/// A book that is made.
#[derive(Debug, Default)]
struct Book {
    renderer: MarkupRenderer,
    chapters: Vec<Chapter>,
    /// By their names.
    pictures: BTreeMap<String, Vec<u8>>,
    bytes: usize,
    counts: EpubCounts,
}

impl Book {
    /// Adds an article; false if there is no room for it. An article that is gone is passed over,
    /// a picture without room is left out.
    fn add(&mut self, archive: &ArchiveReader, article: i64) -> Result<bool> {
        let Some((article, version)) = archive.latest_of(article)? else {
            return Ok(true);
        };
        let names = self.pictures_of(archive, version.id)?;
        let options = Options::default()
            .with_html(true)
            .with_picture_names(names.clone());
        // A version whose markup cannot be made again is written as text.
        let made = self.renderer.read(archive, &version, &options).ok();
        let html = made.flatten().and_then(|record| record.html);
        let fuller = archive
            .article_items(article.id, &version.record.text)?
            .fuller;
        let chapter = Chapter::of(&article, &version, html, fuller.as_ref(), names);
        if self.bytes + chapter.xhtml.len() > MAX_BYTES {
            return Ok(false);
        }
        self.bytes += chapter.xhtml.len();
        self.chapters.push(chapter);
        Ok(true)
    }

    /// Takes the stored pictures of a version into the book; their names, by their addresses.
    fn pictures_of(
        &mut self,
        archive: &ArchiveReader,
        version: i64,
    ) -> Result<HashMap<String, String>> {
        let mut names = HashMap::new();
        for picture in archive.pictures(version)? {
            let (Some(name), Some(sha256)) = (picture.file_name(), &picture.sha256) else {
                continue;
            };
            if package::picture_type(&name).is_none() {
                continue;
            }
            if !self.pictures.contains_key(&name) {
                let Some(bytes) = archive.requisite_bytes(sha256)? else {
                    continue;
                };
                if self.bytes + bytes.len() > MAX_BYTES {
                    continue;
                }
                self.bytes += bytes.len();
                self.pictures.insert(name.clone(), bytes);
            }
            names.insert(picture.url, format!("{}{name}", chapter::PICTURES));
        }
        Ok(names)
    }

    fn written(self, title: &str) -> io::Result<Vec<u8>> {
        let package = Package::of(title, &self.chapters, &self.pictures);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut put = |path: &str, bytes: &[u8], is_packed: bool| -> io::Result<()> {
            let method = if is_packed {
                CompressionMethod::Deflated
            } else {
                CompressionMethod::Stored
            };
            let options = SimpleFileOptions::default().compression_method(method);
            zip.start_file(path, options)?;
            zip.write_all(bytes)
        };
        put("mimetype", b"application/epub+zip", false)?;
        put("META-INF/container.xml", CONTAINER.as_bytes(), true)?;
        put("EPUB/package.opf", package.opf().as_bytes(), true)?;
        put("EPUB/title.xhtml", package.title_page().as_bytes(), true)?;
        put("EPUB/nav.xhtml", package.nav().as_bytes(), true)?;
        put("EPUB/style.css", STYLE.as_bytes(), true)?;
        for (number, chapter) in (1..).zip(&self.chapters) {
            let path = format!("EPUB/{}", package::chapter_name(number));
            put(&path, chapter.xhtml.as_bytes(), true)?;
        }
        for (name, bytes) in &self.pictures {
            let path = format!("EPUB/{}{name}", chapter::PICTURES);
            put(&path, bytes, false)?;
        }
        Ok(zip.finish()?.into_inner())
    }
}
