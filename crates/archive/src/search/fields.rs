//! The fields of an article in the index.

use super::super::{ArticleVersion, StoredArticle};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use foldhash::HashMap;
use forest_html::text::{Analyzer, Language};
use tantivy::TantivyDocument;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token, TokenStream, Tokenizer};

/// The format of the index. Every change of a document's fields or of the terms of a text
/// increases it. An index of another format is made again.
pub const FORMAT: u32 = 1;

/// Maximum number of indexed bytes of a text. Longer texts are dumps, not articles.
const MAX_TEXT_BYTES: usize = 1_000_000;

/// Names of the fields that hits are ordered by.
pub const ARTICLE: &str = "article";
pub const DATE: &str = "date";

/// The fields.
#[derive(Debug, Clone, Copy)]
pub struct IndexFields {
    pub article: Field,
    pub site: Field,
    pub status: Field,
    pub language: Field,
    pub date: Field,
    pub url: Field,
    /// Terms.
    pub title: Field,
    pub text: Field,
    /// The texts of the terms.
    pub title_stored: Field,
    pub text_stored: Field,
}

impl IndexFields {
    /// The schema and its fields.
    pub fn schema() -> (Schema, IndexFields) {
        let mut schema = Schema::builder();
        // The tokenizer is not used, as the text is given as terms.
        let terms = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let terms = TextOptions::default().set_indexing_options(terms);
        let fields = IndexFields {
            article: schema.add_i64_field(ARTICLE, INDEXED | FAST | STORED),
            site: schema.add_text_field("site", STRING | STORED),
            status: schema.add_text_field("status", STRING | STORED),
            language: schema.add_text_field("language", STRING | STORED),
            date: schema.add_i64_field(DATE, FAST | STORED),
            url: schema.add_text_field("url", STORED),
            title: schema.add_text_field("title", terms.clone()),
            text: schema.add_text_field("text", terms),
            title_stored: schema.add_text_field("title_stored", STORED),
            text_stored: schema.add_text_field("text_stored", STORED),
        };
        (schema.build(), fields)
    }

    /// The document of a version.
    pub fn document(
        &self,
        article: &StoredArticle,
        version: &ArticleVersion,
        analyzers: &mut Analyzers,
    ) -> TantivyDocument {
        let record = &version.record;
        let language = record.language.as_deref();
        let language = language.map_or(Language::Unknown, Language::from_tag);
        let title = record.title.as_deref().unwrap_or_default();
        let text = &record.text[..record.text.floor_char_boundary(MAX_TEXT_BYTES)];
        let mut document = TantivyDocument::new();
        document.add_i64(self.article, article.id);
        document.add_text(self.site, &article.site);
        document.add_text(self.status, record.status.name());
        document.add_text(self.language, language.tag());
        document.add_i64(self.date, date(article, version).timestamp());
        document.add_text(self.url, record.url.as_deref().unwrap_or(&article.url));
        document.add_text(self.title_stored, title);
        document.add_text(self.text_stored, text);
        for (field, text) in [(self.title, title), (self.text, text)] {
            let tokens = analyzers.tokens(language, text);
            let text = String::new();
            document.add_pre_tokenized_text(field, PreTokenizedString { text, tokens });
        }
        document
    }
}

/// The time of publication of an article; if unknown, the time at which it was first seen. A
/// date without a zone counts as UTC.
pub fn date(article: &StoredArticle, version: &ArticleVersion) -> DateTime<Utc> {
    let published = version.record.date_published.as_deref();
    published.and_then(as_time).unwrap_or(article.first_seen)
}

/// A date of a record as a time.
pub fn as_time(text: &str) -> Option<DateTime<Utc>> {
    let whole = DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    let without_zone = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S").ok();
    let day = || {
        NaiveDate::parse_from_str(text, "%Y-%m-%d")
            .ok()?
            .and_hms_opt(0, 0, 0)
    };
    whole
        .ok()
        .or_else(|| Some(without_zone().or_else(day)?.and_utc()))
}

/// An analyzer for each requested language, with its cache of stems.
#[derive(Debug, Default)]
pub struct Analyzers(HashMap<Language, Analyzer>);

impl Analyzers {
    /// The analyzer of a language.
    pub fn of(&mut self, language: Language) -> &mut Analyzer {
        self.0
            .entry(language)
            .or_insert_with(|| Analyzer::new(language))
    }

    /// The terms of a text, each with its language before it. Their positions count the
    /// words, stop words included.
    pub fn tokens(&mut self, language: Language, text: &str) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(text.len() / 8);
        let tag = language.tag();
        let mut stream = self.of(language).token_stream(text);
        while stream.advance() {
            let token = stream.token();
            let mut text = String::with_capacity(tag.len() + 1 + token.text.len());
            text.push_str(tag);
            text.push(':');
            text.push_str(&token.text);
            tokens.push(Token { text, ..*token });
        }
        tokens
    }
}
