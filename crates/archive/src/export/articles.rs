//! The export of articles one by one, with additional fields on request.

use super::super::{ArchiveReader, Filter, MarkupRenderer, Picture};
use super::duplicates::Duplicates;
use crate::error::{ErrorKind, Result};
use forest_core::extract::{Article, Options};
use forest_html::text::sentence::sentences;
use forest_html::text::{Language, word_count};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::io;

/// A field that a record has on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddedField {
    /// `duplicate_of`: the address of an earlier article with nearly the same text, or `null`.
    DuplicateOf,
    /// `paragraphs`: the blocks of the text.
    Paragraphs,
    /// `word_count`: its words ([`word_count`]).
    WordCount,
    /// `sentences`: the beginning and end of each sentence in the text, in code points.
    Sentences,
}

/// The selection of articles and of their fields.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// The selection of articles.
    pub filter: Filter,
    /// Near-duplicates of earlier ones are left out.
    pub dedup: bool,
    /// Additional fields of the records.
    pub added: Vec<AddedField>,
    /// Options for HTML and Markdown, which are made of the raw pages.
    pub markup: Options,
    /// The prefix of the names of stored pictures. If it is given, HTML and Markdown have these
    /// names in place of addresses, and [`ExportedArticle::pictures`] has the pictures.
    pub pictures_at: Option<String>,
}

/// The counts of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportCounts {
    /// Articles.
    pub articles: usize,
    /// Near-duplicates that were left out.
    pub duplicates: usize,
    /// Articles whose raw pages are missing or no longer give their text: they have neither
    /// HTML nor Markdown.
    pub without_markup: usize,
}

/// A record with the requested fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExportedArticle<'a> {
    /// The record.
    #[serde(flatten)]
    pub record: &'a Article,
    /// Its stored pictures, if they were requested.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
    /// The files of its pictures, by their addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    image_files: Option<BTreeMap<&'a str, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paragraphs: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    word_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentences: Option<Vec<[usize; 2]>>,
}

impl<'a> ExportedArticle<'a> {
    fn of(record: &'a Article, original: Option<&'a str>, added: &[AddedField]) -> Self {
        let has = |field| added.contains(&field);
        let text = record.text.as_str();
        let language = record.language.as_deref();
        let language = language.map_or(Language::Unknown, Language::from_tag);
        ExportedArticle {
            record,
            pictures: Vec::new(),
            image_files: None,
            duplicate_of: has(AddedField::DuplicateOf).then_some(original),
            paragraphs: has(AddedField::Paragraphs).then(|| paragraphs(text).collect()),
            word_count: has(AddedField::WordCount).then(|| word_count(text)),
            sentences: has(AddedField::Sentences).then(|| sentence_offsets(text, language)),
        }
    }
}

/// The names of pictures' files, by the pictures' addresses.
pub fn names_at(pictures: &[Picture], at: &str) -> HashMap<String, String> {
    let named = pictures.iter();
    let named =
        named.filter_map(|one| Some((one.url.clone(), format!("{at}{}", one.file_name()?))));
    named.collect()
}

/// The blocks of a text: its lines that are not blank.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// The beginnings and ends of sentences, in code points.
fn sentence_offsets(text: &str, language: Language) -> Vec<[usize; 2]> {
    let (mut bytes, mut chars) = (0, 0);
    let mut chars_up_to = |end: usize| {
        chars += text.get(bytes..end).map_or(0, |part| part.chars().count());
        bytes = end;
        chars
    };
    let found = sentences(text, &[], language).into_iter();
    let offsets = found.map(|sentence| {
        // A sentence is a slice of the text, so its offset is the difference of addresses.
        let start = sentence.as_ptr().addr() - text.as_ptr().addr();
        [chars_up_to(start), chars_up_to(start + sentence.len())]
    });
    offsets.collect()
}

/// The latest version of each selected article, ordered by site, by the time at which the
/// article was first seen, and by key.
///
/// # Errors
///
/// If the archive cannot be read, or `write` could not write.
pub fn each_article(
    archive: &ArchiveReader,
    options: &ExportOptions,
    write: &mut dyn FnMut(&ExportedArticle<'_>) -> io::Result<()>,
) -> Result<ExportCounts> {
    let marks = options.dedup || options.added.contains(&AddedField::DuplicateOf);
    let duplicates = if marks {
        Duplicates::among(archive, &options.filter)?
    } else {
        Duplicates::default()
    };
    let has_markup = options.markup.html() || options.markup.markdown();
    let mut markup = MarkupRenderer::default();
    let mut counts = ExportCounts::default();
    archive.each_latest(&options.filter, &mut |article, mut version| {
        let original = duplicates.of(article.id);
        if options.dedup && original.is_some() {
            counts.duplicates += 1;
            return Ok(());
        }
        counts.articles += 1;
        let pictures = match options.pictures_at {
            Some(_) => archive.pictures(version.id)?,
            None => Vec::new(),
        };
        if has_markup {
            let names = names_at(
                &pictures,
                options.pictures_at.as_deref().unwrap_or_default(),
            );
            let with = options.markup.clone().with_picture_names(names);
            match markup.read(archive, &version, &with)? {
                Some(record) => version.record = record,
                None => counts.without_markup += 1,
            }
        }
        let mut article = ExportedArticle::of(&version.record, original, &options.added);
        article.image_files = options.pictures_at.as_ref().map(|_| {
            let named = pictures.iter();
            let named = named.filter_map(|one| Some((one.url.as_str(), one.file_name()?)));
            named.collect()
        });
        article.pictures.clone_from(&pictures);
        write(&article).map_err(|source| ErrorKind::Export { source }.into())
    })?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_fields_are_in_the_record() {
        let record = Article {
            text: "Größe zählt. It rained, Dr. Hale said.\n\nTwo".to_owned(),
            language: Some("en".to_owned()),
            ..Article::default()
        };
        let all = [
            AddedField::DuplicateOf,
            AddedField::Paragraphs,
            AddedField::WordCount,
            AddedField::Sentences,
        ];
        let value = |added: &[AddedField]| {
            serde_json::to_value(ExportedArticle::of(&record, None, added)).expect("JSON")
        };
        assert_eq!(value(&[]), serde_json::to_value(&record).expect("JSON"));
        let value = value(&all);
        assert_eq!(value["duplicate_of"], serde_json::Value::Null);
        assert!(
            value
                .as_object()
                .expect("fields")
                .contains_key("duplicate_of")
        );
        assert_eq!(
            value["paragraphs"],
            serde_json::json!(["Größe zählt. It rained, Dr. Hale said.", "Two"])
        );
        assert_eq!(value["word_count"], 8);
        assert_eq!(
            value["sentences"],
            serde_json::json!([[0, 12], [13, 38], [40, 43]])
        );
    }
}
