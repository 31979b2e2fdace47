//! Pages of a web archive.

use super::file::InputStream;
use super::pages::{FurtherPages, PageContent, PageError, PageRef, PageRefs};
use super::warning::{SourceWarning, WarningSink};
use crate::error::{Error, Result, SourceFault};
use crate::warc::{RecordReader, WarcReader, WarcWarning};
use chrono::SecondsFormat;
use forest_core::feed::SniffedType;
use forest_html::error::with_causes;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

/// The pages of a WARC or an ARC in their order, each of at most `limit` bytes. Responses that are no
/// success are left out: they are not pages of the site.
pub fn pages(name: &str, input: InputStream, limit: usize, warn: &WarningSink) -> Result<PageRefs> {
    read(name, input.all(), limit, warn)
}

/// The pages of the archives in a WACZ, in their order.
pub fn wacz_pages(name: &str, file: &Path, limit: usize, warn: &WarningSink) -> Result<PageRefs> {
    Ok(pages_of_files(name, wacz_files(name, file)?, limit, warn))
}

/// The pages of archives; in the place of those of an unreadable one is the reason.
fn pages_of_files(name: &str, files: NamedReaders, limit: usize, warn: &WarningSink) -> PageRefs {
    let (name, warn) = (name.to_owned(), warn.clone());
    Box::new(files.flat_map(move |opened| {
        let pages = opened.and_then(|(name, own)| read(&name, own, limit, &warn));
        pages.unwrap_or_else(|error| {
            Box::new(std::iter::once(Err(PageError {
                id: name.clone(),
                url: None,
                reason: with_causes(&error),
            })))
        })
    }))
}

/// A WARC or an ARC, and its name for messages.
pub type NamedReader = (String, Box<dyn BufRead + Send>);

/// Archives one by one: each is opened when it is asked for, as there may be thousands.
pub type NamedReaders = Box<dyn Iterator<Item = Result<NamedReader>> + Send>;

/// The archives in a file, which is a WARC, an ARC or a WACZ.
///
/// # Errors
///
/// If it cannot be read, or is none of these.
pub fn warc_files(file: &Path) -> Result<NamedReaders> {
    let name = file.display().to_string();
    let input = InputStream::open(file)?;
    match input.kind() {
        SniffedType::Warc => {
            let whole: NamedReader = (name, Box::new(input.all()));
            Ok(Box::new(std::iter::once(Ok(whole))))
        }
        SniffedType::Zip => wacz_files(&name, file),
        SniffedType::Empty => Err(SourceFault::Empty { name }.into()),
        other => {
            let found = other.name();
            Err(SourceFault::NotAWarcFile { name, found }.into())
        }
    }
}

/// The pages of the archives in a file, in their order, each of at most `limit` bytes.
///
/// # Errors
///
/// As [`warc_files`].
pub fn warc_pages(file: &Path, limit: usize, warn: &WarningSink) -> Result<PageRefs> {
    let name = file.display().to_string();
    Ok(pages_of_files(&name, warc_files(file)?, limit, warn))
}

/// The archives in a WACZ.
fn wacz_files(name: &str, file: &Path) -> Result<NamedReaders> {
    let path = file.to_owned();
    files_in(name, move || File::open(&path))
}

fn files_in<R: Read + Seek + Send + 'static>(
    name: &str,
    open: impl Fn() -> io::Result<R> + Send + 'static,
) -> Result<NamedReaders> {
    let name = name.to_owned();
    let open = move |name: &str| open().map_err(|e| Error::read(Path::new(name), e));
    let archives = crate::warc::archives(BufReader::new(open(&name)?));
    let archives = archives.map_err(SourceFault::content(&name))?.into_iter();
    Ok(Box::new(archives.map(move |archive| {
        let own = archive.open(open(&name)?);
        let name = format!("{name}: {}", archive.name);
        let own = own.map_err(|e| Error::read(Path::new(&name), e))?;
        Ok((name, Box::new(BufReader::new(own)) as _))
    })))
}

/// The reader of a WARC or an ARC.
///
/// # Errors
///
/// If it is none.
fn open_warc<R: BufRead>(name: &str, input: R) -> Result<WarcReader<R>> {
    WarcReader::new(input).map_err(SourceFault::content(name))
}

/// The reader of all records of a WARC or an ARC.
///
/// # Errors
///
/// If it is none.
pub fn open_records<R: BufRead>(name: &str, input: R) -> Result<RecordReader<R>> {
    RecordReader::new(input).map_err(SourceFault::content(name))
}

fn read(
    name: &str,
    input: impl BufRead + Send + 'static,
    limit: usize,
    warn: &WarningSink,
) -> Result<PageRefs> {
    let (name, warn) = (name.to_owned(), warn.clone());
    let reader = open_warc(&name, input)?.with_page_limit(limit);
    let pages = reader.filter_map(move |record| match record {
        Ok(page) if page.status.is_some_and(|s| !(200..300).contains(&s)) => None,
        Ok(page) => Some(Ok(PageRef::of_content(PageContent {
            url: Some(page.url),
            bytes: page.payload,
            content_type: page.content_type,
            date: page.date.map(|date| {
                let date = date.to_utc();
                date.to_rfc3339_opts(SecondsFormat::Secs, true)
            }),
            further: FurtherPages::Together,
        }))),
        Err(warning) if warning.is_mended() => {
            let (name, fault) = (name.clone(), warning.to_string());
            warn(&SourceWarning::OfArchive { name, fault });
            None
        }
        Err(warning) => {
            let url = match &warning {
                WarcWarning::TooLarge { url, .. }
                | WarcWarning::Coding { url, .. }
                | WarcWarning::Segmented { url } => Some(url.clone()),
                _ => None,
            };
            Some(Err(PageError {
                id: url.clone().unwrap_or_else(|| name.clone()),
                url,
                reason: format!("{name}: {warning}"),
            }))
        }
    });
    Ok(Box::new(pages))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::pages::PageLocation;
    use crate::warc::{Members, Record, WaczWriter};
    use std::io::{Cursor, SeekFrom};
    use std::sync::{Arc, Mutex};

    const FILES: usize = 200;

    /// Takes no warning: none is expected.
    fn silent() -> WarningSink {
        Arc::new(|warning| panic!("{warning}"))
    }

    #[test]
    fn a_fault_that_was_mended_is_a_warning_and_no_page_that_is_missing() {
        let record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
            Content-Type: application/http\r\nContent-Length: 50\r\n\r\n\
            HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A longer page\r\n\r\n";
        let warnings = Arc::new(Mutex::new(Vec::new()));
        let taken = Arc::clone(&warnings);
        let warn: WarningSink = Arc::new(move |warning| {
            taken.lock().expect("no panic").push(warning.to_string());
        });
        let pages = read("a.warc", record.as_bytes(), 1 << 20, &warn).expect("a WARC");
        let pages: Vec<_> = pages.collect();
        let [Ok(page)] = &pages[..] else {
            panic!("{pages:?}")
        };
        let PageLocation::Content(content) = &page.location else {
            panic!("{page:?}")
        };
        assert_eq!(content.bytes, b"<p>A longer page");
        let expected =
            "a.warc: record 1 states a length of 50 bytes and has 60 bytes, which were read";
        assert_eq!(*warnings.lock().expect("no panic"), [expected]);
    }

    /// A member of a WARC file: a page.
    fn page(n: usize) -> Vec<u8> {
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let url = format!("https://www.example.org/{n}");
        Record::response(&url, at, head, b"<p>One").member()
    }

    /// A WACZ of many files of records, each with one page.
    fn wacz() -> Vec<u8> {
        let mut writer = WaczWriter::new(Cursor::new(Vec::new()));
        for n in 0..FILES {
            let member = page(n);
            let record = Members::new(member.as_slice(), 0).read();
            let record = record.expect("whole").expect("a record");
            let begun = writer.begin_archive(&format!("{n:06}.warc.gz"));
            begun.expect("memory");
            writer.record(&member, &record).expect("memory");
        }
        let finished = writer.finish("Many", "2026-01-02T03:04:05Z");
        finished.expect("memory").into_inner()
    }

    /// A file that is counted while it is open.
    struct CountedFile(
        Cursor<Arc<[u8]>>,
        #[expect(dead_code, reason = "it is held")] Arc<()>,
    );

    impl Read for CountedFile {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }

    impl Seek for CountedFile {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn of_the_files_in_a_wacz_one_is_open() {
        let bytes: Arc<[u8]> = wacz().into();
        let open = Arc::new(());
        let counter = Arc::clone(&open);
        let file = move || {
            let bytes = Cursor::new(Arc::clone(&bytes));
            Ok(CountedFile(bytes, Arc::clone(&counter)))
        };
        let files = files_in("many.wacz", file).expect("a WACZ");
        let idle = Arc::strong_count(&open);
        let mut seen = 0;
        for page in pages_of_files("many.wacz", files, 1 << 20, &silent()) {
            page.expect("readable");
            seen += 1;
            assert!(Arc::strong_count(&open) <= idle + 1, "page {seen}");
        }
        assert_eq!(seen, FILES);
    }

    #[test]
    fn a_file_that_is_no_warc_is_named_and_the_next_one_is_read() {
        let file = |name: &str, bytes: Vec<u8>| -> Result<NamedReader> {
            Ok((name.to_owned(), Box::new(Cursor::new(bytes))))
        };
        let files = [
            file("a.wacz: archive/1.warc", b"nothing".to_vec()),
            file("a.wacz: archive/2.warc.gz", page(2)),
        ];
        let files = Box::new(files.into_iter());
        let pages: Vec<_> = pages_of_files("a.wacz", files, 1 << 20, &silent()).collect();
        let [Err(broken), Ok(_)] = &pages[..] else {
            panic!("{pages:?}")
        };
        assert!(
            broken.reason.starts_with("a.wacz: archive/1.warc: "),
            "{}",
            broken.reason
        );
    }
}
