//! A page that is parsed while its bytes come.

use super::charset::{PRESCAN_BYTES, detect, is_declared_utf8};
use super::feed::Feeder;
use super::tokenize::SourceEnd;
use super::{Characters, Page, PageWarning, Scripting};
use encoding_rs::{Decoder, UTF_8};

/// A page of which more is to come. It gives the page that [`Page::parse_for`] gives of all its
/// bytes. What it holds is not bounded: the caller bounds what it pushes.
pub struct PageStream {
    url: Option<String>,
    content_type: Option<String>,
    scripting: Scripting,
    parse: StreamParse,
}

/// A parse by what is known of the charset.
enum StreamParse {
    /// The first bytes, in which it may be declared.
    Head(Vec<u8>),
    /// UTF-8, unless bytes follow that are none.
    Utf8(Box<Utf8Parse>),
    /// Another, which the whole page shows.
    Waiting(Vec<u8>),
}

struct Utf8Parse {
    decoder: Decoder,
    feeder: Feeder,
    /// The length of what was decoded.
    source_bytes: usize,
    /// All bytes so far, by which it is judged where some of them are malformed.
    bytes: Vec<u8>,
    malformed: bool,
}

impl PageStream {
    /// A page whose bytes are still to come.
    pub fn new(
        url: Option<String>,
        content_type: Option<String>,
        scripting: Scripting,
    ) -> PageStream {
        PageStream {
            url,
            content_type,
            scripting,
            parse: StreamParse::Head(Vec::new()),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.parse {
            StreamParse::Utf8(parse) => parse.push(bytes, SourceEnd::Later),
            StreamParse::Waiting(bytes_so_far) => bytes_so_far.extend_from_slice(bytes),
            StreamParse::Head(bytes_so_far) => {
                bytes_so_far.extend_from_slice(bytes);
                if bytes_so_far.len() >= PRESCAN_BYTES {
                    let bytes_so_far = std::mem::take(bytes_so_far);
                    self.parse = if is_declared_utf8(&bytes_so_far, self.content_type.as_deref()) {
                        let mut parse = Utf8Parse::new(self.scripting);
                        parse.push(&bytes_so_far, SourceEnd::Later);
                        StreamParse::Utf8(Box::new(parse))
                    } else {
                        StreamParse::Waiting(bytes_so_far)
                    };
                }
            }
        }
    }

    /// The page.
    pub fn finish(self) -> Page {
        let source = super::Source {
            url: None,
            content_type: self.content_type.as_deref(),
        };
        let whole = |bytes: &[u8]| Page::parse_for(self.scripting, bytes, source, usize::MAX);
        let mut page = match self.parse {
            StreamParse::Utf8(parse) => {
                let parsed = parse.finish(self.scripting, source.content_type);
                parsed.unwrap_or_else(|bytes| whole(&bytes))
            }
            StreamParse::Head(bytes_so_far) | StreamParse::Waiting(bytes_so_far) => {
                whole(&bytes_so_far)
            }
        };
        page.url = self.url;
        page
    }
}

impl Utf8Parse {
    fn new(scripting: Scripting) -> Utf8Parse {
        Utf8Parse {
            decoder: UTF_8.new_decoder_with_bom_removal(),
            feeder: Feeder::new(scripting),
            source_bytes: 0,
            bytes: Vec::new(),
            malformed: false,
        }
    }

    fn push(&mut self, bytes: &[u8], end: SourceEnd) {
        self.bytes.extend_from_slice(bytes);
        let room = self.decoder.max_utf8_buffer_length(bytes.len());
        let mut text = String::with_capacity(room.unwrap_or(bytes.len()));
        let is_last = end == SourceEnd::Here;
        let (_, _, malformed) = self.decoder.decode_to_string(bytes, &mut text, is_last);
        self.malformed |= malformed;
        self.source_bytes += text.len();
        self.feeder.feed(&text, end);
    }

    /// The page; its bytes, if they are not UTF-8 after all.
    fn finish(mut self, scripting: Scripting, content_type: Option<&str>) -> Result<Page, Vec<u8>> {
        self.push(b"", SourceEnd::Here);
        let mut warnings = Vec::new();
        if self.malformed {
            if detect(&self.bytes, content_type) != UTF_8 {
                return Err(self.bytes);
            }
            let charset = UTF_8.name();
            warnings.push(PageWarning::Malformed { charset });
        }
        let links = self.feeder.finish(&mut warnings);
        Ok(Page::from_links(
            links,
            self.source_bytes,
            scripting,
            Characters::AsWritten,
            warnings,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{MAX_PAGE_BYTES, Source};

    /// The page in pieces of each of these sizes is the page.
    fn check(bytes: &[u8], content_type: Option<&str>) {
        let source = Source {
            url: Some("http://a.example/"),
            content_type,
        };
        let whole = Page::parse_for(Scripting::On, bytes, source, MAX_PAGE_BYTES);
        for size in [1, 100, 4095, 10_000, MAX_PAGE_BYTES] {
            let kind = content_type.map(str::to_owned);
            let url = source.url.map(str::to_owned);
            let mut stream = PageStream::new(url, kind, Scripting::On);
            bytes.chunks(size).for_each(|piece| stream.push(piece));
            let page = stream.finish();
            let same = format!("{page:?}") == format!("{whole:?}");
            assert!(
                same,
                "pieces of {size}: {:.60}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    #[test]
    fn a_page_is_the_same_however_it_comes() {
        let utf8 = Some("text/html; charset=utf-8");
        let words = "<p>Ferry <b>fährt</b> später – ab Montag. ".repeat(1000);
        for page in [
            String::new(),
            "<p>short".to_owned(),
            words.clone(),
            format!("<meta charset=utf-8>{words}"),
            format!("\u{feff}{words}"),
            format!("<img src='data:{}'>{words}", "A".repeat(50_000)),
            format!("<p {}>{words}", "a=b ".repeat(20_000)),
            format!("{words}<p {}", "a=b ".repeat(20_000)),
            format!("<!--{}-->{words}", "-".repeat(50_000)),
            format!("{words}<!--{}", "<a b".repeat(20_000)),
            format!("<script>{}", "x<y;".repeat(20_000)),
            "<div>".repeat(20_000),
            "<a><b><i><p>".repeat(3000),
        ] {
            check(page.as_bytes(), utf8);
            check(page.as_bytes(), None);
        }
        let mut legacy = words.into_bytes();
        legacy.push(0xe9);
        check(&legacy, utf8);
        check(&legacy, None);
        check(&legacy, Some("text/html; charset=windows-1252"));
        let ascii = "<p>The ferry leaves later. ".repeat(1000);
        check(&[ascii.as_bytes(), b"caf\xe9"].concat(), utf8);
        check(&[ascii.as_bytes(), b"caf\xc3"].concat(), utf8);
        let utf16: Vec<u8> = "\u{feff}<p>words"
            .repeat(2000)
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        check(&utf16, utf8);
    }
}
