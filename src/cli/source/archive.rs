//! Pages of a web archive.

use super::{FurtherPages, InputStream, PageContent, PageError, PageRef, PageRefs};
use crate::cli::when::time;
use anyhow::Context;
use forest_sources::warc::{WarcReader, WarcWarning};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

/// The pages of a WARC in their order, each of at most `limit` bytes. Responses that are no
/// success are left out: they are not pages of the site.
pub fn pages(name: &str, input: InputStream, limit: usize) -> anyhow::Result<PageRefs> {
    read(name, input.all(), limit)
}

/// The pages of the WARC files in a WACZ, in their order.
pub fn wacz_pages(name: &str, file: &Path, limit: usize) -> anyhow::Result<PageRefs> {
    Ok(pages_of_files(name, wacz_files(name, file)?, limit))
}

/// The pages of WARC files; in the place of those of an unreadable one is the reason.
fn pages_of_files(name: &str, files: NamedReaders, limit: usize) -> PageRefs {
    let name = name.to_owned();
    Box::new(files.flat_map(move |opened| {
        let pages = opened.and_then(|(name, own)| read(&name, own, limit));
        pages.unwrap_or_else(|error| {
            Box::new(std::iter::once(Err(PageError {
                id: name.clone(),
                url: None,
                reason: format!("{error:#}"),
            })))
        })
    }))
}

/// A WARC file, and its name for messages.
pub type NamedReader = (String, Box<dyn BufRead + Send>);

/// WARC files one by one: each is opened when it is asked for, as there may be thousands.
pub type NamedReaders = Box<dyn Iterator<Item = anyhow::Result<NamedReader>> + Send>;

/// The WARC files in a WACZ.
pub fn wacz_files(name: &str, file: &Path) -> anyhow::Result<NamedReaders> {
    let path = file.to_owned();
    files_in(name, move || File::open(&path))
}

fn files_in<R: Read + Seek + Send + 'static>(
    name: &str,
    open: impl Fn() -> io::Result<R> + Send + 'static,
) -> anyhow::Result<NamedReaders> {
    let name = name.to_owned();
    let open = move |name: &str| open().with_context(|| format!("cannot read {name}"));
    let archives = forest_sources::warc::archives(BufReader::new(open(&name)?));
    let archives = archives.with_context(|| name.clone())?.into_iter();
    Ok(Box::new(archives.map(move |archive| {
        let own = archive.open(open(&name)?);
        let name = format!("{name}: {}", archive.name);
        let own = own.with_context(|| format!("cannot read {name}"))?;
        Ok((name, Box::new(BufReader::new(own)) as _))
    })))
}

fn read(
    name: &str,
    input: impl BufRead + Send + 'static,
    limit: usize,
) -> anyhow::Result<PageRefs> {
    let name = name.to_owned();
    let reader = WarcReader::new(input).with_context(|| name.clone())?;
    let reader = reader.with_page_limit(limit);
    let pages = reader.filter_map(move |record| match record {
        Ok(page) if page.status.is_some_and(|s| !(200..300).contains(&s)) => None,
        Ok(page) => Some(Ok(PageRef::of_content(PageContent {
            url: Some(page.url),
            bytes: page.payload,
            content_type: page.content_type,
            date: page.date.map(|date| time(date.to_utc())),
            further: FurtherPages::Together,
        }))),
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
    use forest_sources::warc::{Members, Record, WaczWriter};
    use std::io::{Cursor, SeekFrom};
    use std::sync::Arc;

    const FILES: usize = 200;

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
        for page in pages_of_files("many.wacz", files, 1 << 20) {
            page.expect("readable");
            seen += 1;
            assert_eq!(Arc::strong_count(&open), idle + 1, "page {seen}");
        }
        assert_eq!(seen, FILES);
    }

    #[test]
    fn a_file_that_is_no_warc_is_named_and_the_next_one_is_read() {
        let file = |name: &str, bytes: Vec<u8>| -> anyhow::Result<NamedReader> {
            Ok((name.to_owned(), Box::new(Cursor::new(bytes))))
        };
        let files = [
            file("a.wacz: archive/1.warc", b"nothing".to_vec()),
            file("a.wacz: archive/2.warc.gz", page(2)),
        ];
        let files = Box::new(files.into_iter());
        let pages: Vec<_> = pages_of_files("a.wacz", files, 1 << 20).collect();
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
