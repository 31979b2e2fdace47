//! WACZ 1.1.1: a web archive in one ZIP file, as replayers in a browser open it.
//!
//! ```text
//! archive/*.warc.gz        the records, not packed once more
//! indexes/index.cdx.gz     CDXJ in blocks of 300 lines, one gzip member each
//! indexes/index.idx        the first key of each block, and where it stands
//! pages/pages.jsonl        the pages a reader begins with, with their texts
//! datapackage.json         all files with their digests
//! datapackage-digest.json  the digest of that
//! ```
//!
//! [`WaczWriter`] writes one: first files of records, then pages, then the end. The bytes
//! depend on what is put in and on nothing else. [`archives`] names the files of records
//! in one that is read.

use super::cdx::cdx_line;
use super::whole::ReadRecord;
use crate::error::{Error, ErrorKind, Result};
use flate2::read::DeflateDecoder;
use flate2::{Compression, GzBuilder};
use forest_html::text::{hex, sha256_hex};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::{self, Read, Seek, SeekFrom, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Lines of a block of the index, as other writers have it.
const BLOCK_LINES: usize = 300;

/// A page that a reader begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WaczPage {
    /// A name of its own.
    pub id: String,
    /// Its address.
    pub url: String,
    /// When it came, RFC 3339.
    pub ts: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// A file of the package.
#[derive(Debug, Serialize)]
struct PackageFile {
    name: String,
    path: String,
    hash: String,
    bytes: u64,
}

/// Counts what is written, and takes its digest.
#[derive(Debug, Default)]
struct FileSum {
    bytes: u64,
    digest: Sha256,
}

/// Writes a WACZ file.
#[derive(Debug)]
pub struct WaczWriter<W: Write + Seek> {
    zip: ZipWriter<W>,
    /// The file that is being written: its path, and what was written of it.
    open: Option<(String, FileSum)>,
    resources: Vec<PackageFile>,
    /// The lines of the index.
    lines: Vec<String>,
}

impl<W: Write + Seek> WaczWriter<W> {
    /// Begins one.
    pub fn new(out: W) -> Self {
        WaczWriter {
            zip: ZipWriter::new(out),
            open: None,
            resources: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Begins a file of records, `archive/<name>`.
    ///
    /// # Errors
    ///
    /// If it cannot be written; so all of these.
    pub fn begin_archive(&mut self, name: &str) -> io::Result<()> {
        self.begin(format!("archive/{name}"), CompressionMethod::Stored)
    }

    /// Adds a record to it: `member` as it stands in a file, `record` as it was read.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn record(&mut self, member: &[u8], record: &ReadRecord) -> io::Result<()> {
        if let Some((path, sum)) = &self.open {
            let name = path.trim_start_matches("archive/");
            self.lines.extend(cdx_line(record, name, sum.bytes));
        }
        self.put(member)
    }

    /// Begins the list of pages.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn begin_pages(&mut self) -> io::Result<()> {
        self.begin("pages/pages.jsonl".to_owned(), CompressionMethod::Deflated)?;
        let head = json!({
            "format": "json-pages-1.0",
            "id": "pages",
            "title": "Articles",
            "hasText": true,
        });
        self.put(format!("{head}\n").as_bytes())
    }

    /// Adds a page to it.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn page(&mut self, page: &WaczPage) -> io::Result<()> {
        let mut line = serde_json::to_vec(page)?;
        line.push(b'\n');
        self.put(&line)
    }

    /// Writes index and package. `created`: RFC 3339.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self, title: &str, created: &str) -> io::Result<W> {
        self.index()?;
        self.end();
        let package = json!({
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": title,
            "created": created,
            "modified": created,
            "software": concat!("forest ", env!("CARGO_PKG_VERSION")),
            "resources": self.resources,
        });
        let package = serde_json::to_vec_pretty(&package)?;
        let digest = json!({
            "path": "datapackage.json",
            "hash": format!("sha256:{}", sha256_hex(&package)),
        });
        let digest = serde_json::to_vec_pretty(&digest)?;
        for (path, bytes) in [
            ("datapackage.json", package),
            ("datapackage-digest.json", digest),
        ] {
            self.zip
                .start_file(path, options(CompressionMethod::Stored))?;
            self.zip.write_all(&bytes)?;
        }
        Ok(self.zip.finish()?)
    }

    fn index(&mut self) -> io::Result<()> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_unstable();
        lines.dedup();
        const NAME: &str = "index.cdx.gz";
        let meta = json!({"format": "cdxj-gzip-1.0", "filename": NAME});
        let mut blocks = format!("!meta 0 {meta}\n");
        self.begin(format!("indexes/{NAME}"), CompressionMethod::Stored)?;
        let mut offset = 0;
        for block in lines.chunks(BLOCK_LINES) {
            let mut gzip = GzBuilder::new().write(Vec::new(), Compression::default());
            for line in block {
                gzip.write_all(line.as_bytes())?;
            }
            let member = gzip.finish()?;
            let key = block[0].split(" {").next().unwrap_or_default();
            let place = json!({
                "offset": offset,
                "length": member.len(),
                "digest": format!("sha256:{}", sha256_hex(&member)),
                "filename": NAME,
            });
            blocks.push_str(&format!("{key} {place}\n"));
            offset += member.len();
            self.put(&member)?;
        }
        self.begin("indexes/index.idx".to_owned(), CompressionMethod::Deflated)?;
        self.put(blocks.as_bytes())
    }

    fn begin(&mut self, path: String, method: CompressionMethod) -> io::Result<()> {
        self.end();
        self.zip.start_file(&*path, options(method))?;
        self.open = Some((path, FileSum::default()));
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.zip.write_all(bytes)?;
        if let Some((_, sum)) = &mut self.open {
            sum.bytes += bytes.len() as u64;
            sum.digest.update(bytes);
        }
        Ok(())
    }

    fn end(&mut self) {
        if let Some((path, sum)) = self.open.take() {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            self.resources.push(PackageFile {
                name,
                path,
                hash: format!("sha256:{}", hex(&sum.digest.finalize())),
                bytes: sum.bytes,
            });
        }
    }
}

/// A file of any length, without a time of its own.
fn options(method: CompressionMethod) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(method)
        .large_file(true)
}

/// A file of records in a WACZ file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaczArchive {
    /// Its name, `archive/<name>`.
    pub name: String,
    /// Where its bytes begin.
    pub offset: u64,
    /// Bytes that it has there.
    pub length: u64,
    /// True if these are packed (deflate, RFC 1951): usually they are as they are.
    pub is_packed: bool,
}

impl WaczArchive {
    /// Its bytes, read from `file`, the WACZ file.
    ///
    /// # Errors
    ///
    /// If it cannot be read there.
    pub fn open(
        &self,
        mut file: impl Read + Seek + Send + 'static,
    ) -> io::Result<Box<dyn Read + Send>> {
        file.seek(SeekFrom::Start(self.offset))?;
        let own = file.take(self.length);
        Ok(if self.is_packed {
            Box::new(DeflateDecoder::new(own))
        } else {
            Box::new(own)
        })
    }
}

/// The files of records in a WACZ file, by name.
///
/// # Errors
///
/// If it is no ZIP file, if it holds no records, or if they are encrypted or packed in
/// another way than ZIP files are.
pub fn archives(input: impl Read + Seek) -> Result<Vec<WaczArchive>> {
    let none = |_| Error::from(ErrorKind::NotAWacz);
    let mut zip = ZipArchive::new(input).map_err(none)?;
    let mut found = Vec::new();
    for nth in 0..zip.len() {
        let file = zip.by_index_raw(nth).map_err(none)?;
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        let ends = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"];
        if !name.starts_with("archive/") || !ends.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let is_packed = match file.compression() {
            CompressionMethod::Stored => false,
            CompressionMethod::Deflated => true,
            _ => return Err(ErrorKind::NotAWacz.into()),
        };
        if file.encrypted() {
            return Err(ErrorKind::NotAWacz.into());
        }
        let offset = file.data_start().ok_or(ErrorKind::NotAWacz)?;
        found.push(WaczArchive {
            name,
            offset,
            length: file.compressed_size(),
            is_packed,
        });
    }
    if found.is_empty() {
        return Err(ErrorKind::NotAWacz.into());
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warc::{Members, Record, WarcReader};
    use std::io::{BufReader, Cursor};

    fn records() -> Vec<Record> {
        let at = "2026-01-02T03:04:05Z".parse().expect("a date");
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
        let url = |n: usize| format!("https://www.example.org/{n}");
        (0..400)
            .map(|n| Record::response(&url(n), at, head, format!("<p>{n}").as_bytes()))
            .collect()
    }

    fn written() -> Vec<u8> {
        let mut writer = WaczWriter::new(Cursor::new(Vec::new()));
        writer
            .begin_archive("pages-000001.warc.gz")
            .expect("memory");
        for record in records() {
            let member = record.member();
            let read = Members::new(member.as_slice(), 0).read();
            let whole = read.expect("whole").expect("a record");
            writer.record(&member, &whole).expect("memory");
        }
        writer.begin_pages().expect("memory");
        let page = WaczPage {
            id: "1".to_owned(),
            url: "https://www.example.org/1".to_owned(),
            ts: "2026-01-02T03:04:05Z".to_owned(),
            title: "One".to_owned(),
            text: "1".to_owned(),
        };
        writer.page(&page).expect("memory");
        let finished = writer.finish("A place", "2026-01-02T03:04:05Z");
        finished.expect("memory").into_inner()
    }

    fn file(bytes: &[u8], name: &str) -> Vec<u8> {
        let mut zip = ZipArchive::new(Cursor::new(bytes)).expect("a ZIP file");
        let mut file = zip.by_name(name).expect("it is there");
        let mut found = Vec::new();
        file.read_to_end(&mut found).expect("whole");
        found
    }

    fn text(bytes: &[u8], name: &str) -> String {
        String::from_utf8(file(bytes, name)).expect("a text")
    }

    #[test]
    fn the_package_names_all_files_with_their_digests() {
        let bytes = written();
        assert_eq!(bytes, written());
        let package: serde_json::Value =
            serde_json::from_str(&text(&bytes, "datapackage.json")).expect("JSON");
        assert_eq!(package["wacz_version"], "1.1.1");
        let resources = package["resources"].as_array().expect("a list");
        let paths: Vec<&str> = resources
            .iter()
            .filter_map(|r| r["path"].as_str())
            .collect();
        let expected = [
            "archive/pages-000001.warc.gz",
            "pages/pages.jsonl",
            "indexes/index.cdx.gz",
            "indexes/index.idx",
        ];
        assert_eq!(paths, expected);
        for resource in resources {
            let own = file(&bytes, resource["path"].as_str().expect("a path"));
            assert_eq!(resource["bytes"], own.len());
            let hash = format!("sha256:{}", sha256_hex(&own));
            assert_eq!(resource["hash"], hash);
        }
        let digest = text(&bytes, "datapackage-digest.json");
        let hash = sha256_hex(text(&bytes, "datapackage.json"));
        assert!(digest.contains(&hash), "{digest}");
    }

    #[test]
    fn each_line_of_the_index_leads_to_its_record() {
        let bytes = written();
        let index = file(&bytes, "indexes/index.cdx.gz");
        let blocks = text(&bytes, "indexes/index.idx");
        let blocks: Vec<(String, serde_json::Value)> = blocks
            .lines()
            .skip(1)
            .map(|line| {
                let (key, place) = line.split_once(" {").expect("a place");
                let place = format!("{{{place}");
                (key.to_owned(), serde_json::from_str(&place).expect("JSON"))
            })
            .collect();
        assert_eq!(blocks.len(), 2);
        let archive = file(&bytes, "archive/pages-000001.warc.gz");
        let mut seen = 0;
        for (key, place) in blocks {
            let from = place["offset"].as_u64().expect("a number") as usize;
            let length = place["length"].as_u64().expect("a number") as usize;
            let mut lines = String::new();
            flate2::read::GzDecoder::new(&index[from..from + length])
                .read_to_string(&mut lines)
                .expect("a block");
            assert!(lines.starts_with(&key));
            for line in lines.lines() {
                let (key, fields) = line.split_once(" {").expect("fields");
                assert!(key.starts_with("org,example)/") && key.ends_with(" 20260102030405"));
                let fields: serde_json::Value =
                    serde_json::from_str(&format!("{{{fields}")).expect("JSON");
                let number = |name: &str| fields[name].as_str().and_then(|n| n.parse().ok());
                let offset: usize = number("offset").expect("a number");
                let length: usize = number("length").expect("a number");
                let member = &archive[offset..offset + length];
                let page = WarcReader::new(BufReader::new(member))
                    .expect("a WARC")
                    .next();
                let page = page.expect("a page").expect("whole");
                assert_eq!(fields["url"], page.url);
                assert_eq!(fields["mime"], "text/html");
                assert_eq!(fields["status"], "200");
                seen += 1;
            }
        }
        assert_eq!(seen, 400);
    }

    #[test]
    fn its_files_of_records_are_found_and_others_are_refused() {
        let bytes = written();
        let found = archives(Cursor::new(bytes.clone())).expect("a WACZ");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "archive/pages-000001.warc.gz");
        let own = found[0].open(Cursor::new(bytes)).expect("readable");
        let pages = WarcReader::new(BufReader::new(own)).expect("a WARC");
        assert_eq!(pages.filter(|page| page.is_ok()).count(), 400);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("a.txt", options(CompressionMethod::Stored))
            .expect("memory");
        let other = zip.finish().expect("memory");
        assert!(archives(other).is_err());
        assert!(archives(Cursor::new(b"PK\x03\x04 and no more".to_vec())).is_err());
    }
}
