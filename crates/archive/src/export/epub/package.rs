//! The package of a book: its metadata, its files, its title page and its contents.

use super::chapter::{Chapter, PICTURES};
use super::xml_text::escaped;
use chrono::SecondsFormat;
use forest_html::address::most_frequent;
use forest_html::error::counted;
use forest_html::text::sha256_hex;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The language of a book whose articles have none.
const NO_LANGUAGE: &str = "und";

/// The media type of a picture that any reader of books shows, by the name of its file.
pub(super) fn picture_type(name: &str) -> Option<&'static str> {
    match name.rsplit('.').next()? {
        "jpg" | "jpeg" => Some("image/jpeg"),
        "png" => Some("image/png"),
        "gif" => Some("image/gif"),
        "webp" => Some("image/webp"),
        _ => None,
    }
}

/// The name of the file of a chapter, from 1.
pub(super) fn chapter_name(number: usize) -> String {
    format!("article-{number}.xhtml")
}

/// See the file's page.
#[derive(Debug)]
pub(super) struct Package<'a> {
    title: String,
    language: String,
    chapters: &'a [Chapter],
    pictures: &'a BTreeMap<String, Vec<u8>>,
    name: String,
}

impl<'a> Package<'a> {
    pub fn of(
        title: &str,
        chapters: &'a [Chapter],
        pictures: &'a BTreeMap<String, Vec<u8>>,
    ) -> Package<'a> {
        let languages: Vec<_> = chapters
            .iter()
            .map(|chapter| chapter.language.clone())
            .collect();
        let keys = chapters.iter().map(|chapter| chapter.key.as_str());
        let named: Vec<&str> = std::iter::once(title).chain(keys).collect();
        Package {
            title: escaped(title),
            language: escaped(&most_frequent(&languages).unwrap_or_else(|| NO_LANGUAGE.to_owned())),
            chapters,
            pictures,
            name: uuid_of(&sha256_hex(named.join("\n"))),
        }
    }

    /// The package document.
    pub fn opf(&self) -> String {
        let times = self.chapters.iter().map(|chapter| chapter.at);
        let modified = times.max().unwrap_or_default();
        let modified = modified.to_rfc3339_opts(SecondsFormat::Secs, true);
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"name\">\n\
             <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
             <dc:identifier id=\"name\">{}</dc:identifier><dc:title>{}</dc:title>\
             <dc:language>{}</dc:language><meta property=\"dcterms:modified\">{modified}</meta></metadata>\n\
             <manifest>\n\
             <item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n\
             <item id=\"title\" href=\"title.xhtml\" media-type=\"application/xhtml+xml\"/>\n\
             <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n",
            self.name, self.title, self.language
        );
        for (number, chapter) in (1..).zip(self.chapters) {
            let name = chapter_name(number);
            let has = if chapter.has_formulas {
                " properties=\"mathml\""
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "<item id=\"a{number}\" href=\"{name}\" media-type=\"application/xhtml+xml\"{has}/>"
            );
        }
        for (number, name) in (1..).zip(self.pictures.keys()) {
            let kind = picture_type(name).unwrap_or("image/png");
            let _ = writeln!(
                out,
                "<item id=\"p{number}\" href=\"{PICTURES}{name}\" media-type=\"{kind}\"/>"
            );
        }
        out.push_str("</manifest>\n<spine><itemref idref=\"title\"/><itemref idref=\"nav\"/>");
        for (number, _) in (1..).zip(self.chapters) {
            let _ = write!(out, "<itemref idref=\"a{number}\"/>");
        }
        out + "</spine>\n</package>\n"
    }

    pub fn title_page(&self) -> String {
        let articles = counted(self.chapters.len(), "article", "articles");
        let days = self.chapters.iter().map(|chapter| chapter.day.as_str());
        let (first, last) = (days.clone().min(), days.max());
        let days = match (first, last) {
            (Some(first), Some(last)) if first != last => format!(", {first} to {last}"),
            (Some(day), _) => format!(", {day}"),
            _ => String::new(),
        };
        let body = format!(
            "<h1 dir=\"auto\">{}</h1><p>{articles}{days}</p>",
            self.title
        );
        self.document(&self.title, &body)
    }

    /// The contents: titles and dates.
    pub fn nav(&self) -> String {
        let mut body = "<nav epub:type=\"toc\" id=\"toc\"><h1>Contents</h1><ol>".to_owned();
        if self.chapters.is_empty() {
            body.push_str("<li><a href=\"title.xhtml\">No articles</a></li>");
        }
        for (number, chapter) in (1..).zip(self.chapters) {
            let (title, day) = (escaped(&chapter.title), escaped(&chapter.day));
            let _ = write!(
                body,
                "<li><a href=\"{}\" dir=\"auto\">{title} ({day})</a></li>",
                chapter_name(number)
            );
        }
        self.document("Contents", &(body + "</ol></nav>"))
    }

    fn document(&self, title: &str, body: &str) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
             <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"en\" xml:lang=\"en\">\
             <head><title>{title}</title><link rel=\"stylesheet\" href=\"style.css\"/></head>\
             <body>{body}</body></html>\n"
        )
    }
}

/// A name of a book made of a digest in hex.
fn uuid_of(digest: &str) -> String {
    // Version 8 and variant 8 of RFC 9562: its bits are our own.
    format!(
        "urn:uuid:{}-{}-8{}-8{}-{}",
        &digest[..8],
        &digest[8..12],
        &digest[13..16],
        &digest[17..20],
        &digest[20..32]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_a_digest() {
        let digest = "0123456789abcdef0123456789abcdef00";
        assert_eq!(
            uuid_of(digest),
            "urn:uuid:01234567-89ab-8def-8123-456789abcdef"
        );
    }
}
