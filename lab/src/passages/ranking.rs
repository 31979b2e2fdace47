//! Passages that answer questions: Kitten, section 4 and table 3, in miniature.
//!
//! A corpus is pages made into text in one of several ways ([`Corpus`]). Its
//! passages are the sentences of this text. For each question they are ranked by
//! BM25 (tantivy, in memory) with the question's terms; the question is answered at
//! a rank if one of the passages up to there is of the right page and holds the
//! answer.
//!
//! **Departures.** The paper asks FIDJI, a system that compares syntactic
//! dependencies, and counts its answers. Here only the passages are looked at, so
//! that the figures say how well a text can be searched and cut, not how well it
//! can be parsed. A sentence must hold the answer *and* be found by the question's
//! words, so a cell without its header, or an item without its introduction, is
//! found by luck only.

use forest_html::page::{Mask, Page};
use forest_html::text::{Analyzer, Language};
use forest_text::pipeline::OnePageMethod;
use forest_text::prose::{Prose, TableStyle, TextOptions, prose, sentence};
use serde::Deserialize;
use std::collections::HashMap;
use tantivy::collector::TopDocs;
use tantivy::directory::RamDirectory;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TEXT};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{Index, Searcher, TantivyDocument, Term};

/// Passages that are looked at for a question (the paper's "top-3").
pub const RANKS: usize = 3;

/// Memory of the index writer in bytes: tantivy's least.
const INDEX_BYTES: usize = 15_000_000;

/// The field with a passage's number.
const NUMBER: &str = "number";

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// The page that holds the answer.
    #[serde(alias = "table")]
    pub page: String,
    /// The question, in the language of its page.
    pub question: String,
    /// The answer, as it stands in the page.
    pub answer: String,
    /// The language of both (BCP 47).
    #[serde(default = "english")]
    pub lang: String,
}

fn english() -> String {
    "en".to_owned()
}

/// A way to make pages into text: the lines of table 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Corpus {
    /// The text of the page, a line a block and a row ("Baseline").
    Linear,
    /// The same of what boilerpipe keeps.
    Boilerpipe,
    /// Tables as clauses, nothing else.
    Tab,
    /// Lists, nothing else.
    List,
    /// Segmentation, nothing else.
    Seg,
    /// All of it.
    Full,
    /// All of it, a table's row as a sentence.
    FullSentence,
}

impl Corpus {
    /// All of them, in the paper's order.
    pub const ALL: [Corpus; 7] = [
        Corpus::Linear,
        Corpus::Boilerpipe,
        Corpus::Tab,
        Corpus::List,
        Corpus::Seg,
        Corpus::Full,
        Corpus::FullSentence,
    ];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Corpus::Linear => "linear",
            Corpus::Boilerpipe => "boilerpipe",
            Corpus::Tab => "Tab",
            Corpus::List => "List",
            Corpus::Seg => "Seg",
            Corpus::Full => "Full",
            Corpus::FullSentence => "Full, `sentence`",
        }
    }

    /// The settings that make the text.
    fn options(self) -> TextOptions {
        let linear = TextOptions::linear();
        let all = TextOptions::default();
        match self {
            Corpus::Linear | Corpus::Boilerpipe => linear,
            Corpus::Tab => TextOptions {
                tables: all.tables,
                ..linear
            },
            Corpus::List => TextOptions {
                link_item_words: all.link_item_words,
                drop_bullets: all.drop_bullets,
                flatten_lists: all.flatten_lists,
                repeat_introduction: all.repeat_introduction,
                join_definitions: all.join_definitions,
                ..linear
            },
            Corpus::Seg => TextOptions {
                end_blocks: all.end_blocks,
                join_lines: all.join_lines,
                keep_verse: all.keep_verse,
                expand_abbreviations: all.expand_abbreviations,
                ..linear
            },
            Corpus::Full => all,
            Corpus::FullSentence => TextOptions {
                table_style: TableStyle::Sentence,
                ..all
            },
        }
    }

    /// The passages of a page: the sentences of its text.
    pub fn passages(self, page: &Page, language: Language) -> Vec<String> {
        let body = match self {
            Corpus::Boilerpipe => OnePageMethod::Boilerpipe.article(page),
            _ => Mask::all(page),
        };
        let Prose { text, fixed, .. } = prose(page, &body, &self.options());
        let sentences = sentence::sentences(&text, &fixed, language);
        sentences.into_iter().map(str::to_owned).collect()
    }
}

/// The number of some questions that are answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answered {
    /// Questions.
    pub of: usize,
    /// Those answered by the first passage.
    pub first: usize,
    /// Those answered by one of the first [`RANKS`].
    pub top: usize,
}

/// Passages that can be searched.
pub struct Passages {
    searcher: Searcher,
    body: Field,
    /// Of each passage its page and its text in lower case.
    texts: Vec<(usize, String)>,
    pages: HashMap<String, usize>,
}

impl Passages {
    /// An index of the passages of pages, each with its name, its language and its
    /// passages.
    ///
    /// # Errors
    ///
    /// The error of tantivy.
    pub fn index(pages: &[(String, Language, Vec<String>)]) -> tantivy::Result<Passages> {
        let mut schema = Schema::builder();
        let body = schema.add_text_field("body", TEXT);
        let number = schema.add_u64_field(NUMBER, FAST);
        let index = Index::builder()
            .schema(schema.build())
            .open_or_create(RamDirectory::create())?;
        // The terms are found before, by the analyzer of each page's language.
        let words = TextAnalyzer::from(WhitespaceTokenizer::default());
        index.tokenizers().register("default", words);
        // One thread: of passages that score the same, the first wins.
        let mut writer = index.writer_with_num_threads(1, INDEX_BYTES)?;
        let mut texts = Vec::new();
        for (page, (_, language, passages)) in pages.iter().enumerate() {
            let mut analyzer = Analyzer::new(*language);
            for passage in passages {
                let mut document = TantivyDocument::new();
                document.add_text(body, terms(&mut analyzer, passage).join(" "));
                document.add_u64(number, texts.len() as u64);
                writer.add_document(document)?;
                texts.push((page, comparable(passage)));
            }
        }
        writer.commit()?;
        let names = pages.iter().enumerate();
        Ok(Passages {
            searcher: index.reader()?.searcher(),
            body,
            texts,
            pages: names.map(|(i, (name, _, _))| (name.clone(), i)).collect(),
        })
    }

    /// The number of the questions that these passages answer.
    ///
    /// # Errors
    ///
    /// The error of tantivy.
    pub fn answer(&self, questions: &[Question]) -> tantivy::Result<Answered> {
        let mut answered = Answered::default();
        for question in questions {
            answered.of += 1;
            let rank = self.rank(question)?;
            answered.first += usize::from(rank == Some(0));
            answered.top += usize::from(rank.is_some());
        }
        Ok(answered)
    }

    /// The rank of the first passage that answers a question, from 0; `None` if none
    /// of the first [`RANKS`] does.
    fn rank(&self, question: &Question) -> tantivy::Result<Option<usize>> {
        let Some(&page) = self.pages.get(&question.page) else {
            return Ok(None);
        };
        let mut analyzer = Analyzer::new(Language::from_tag(&question.lang));
        let of_term = |term: String| -> (Occur, Box<dyn Query>) {
            let term = Term::from_field_text(self.body, &term);
            let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
            (Occur::Should, Box::new(query))
        };
        let terms = terms(&mut analyzer, &question.question);
        let query = BooleanQuery::new(terms.into_iter().map(of_term).collect());
        let best = self
            .searcher
            .search(&query, &TopDocs::with_limit(RANKS).order_by_score())?;
        let answer = comparable(&question.answer);
        for (rank, (_, at)) in best.into_iter().enumerate() {
            let segment = self.searcher.segment_reader(at.segment_ord);
            let number = segment.fast_fields().u64(NUMBER)?.first(at.doc_id);
            let (of, text) = &self.texts[number.unwrap_or_default() as usize];
            if *of == page && text.contains(&answer) {
                return Ok(Some(rank));
            }
        }
        Ok(None)
    }
}

/// The different terms of a text.
fn terms(analyzer: &mut Analyzer, text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    analyzer.terms(text, |term| terms.push(term.to_owned()));
    terms
}

/// A text as answers are compared: lower case, spaces folded, padded, so that `3` is
/// not found in `13`.
fn comparable(text: &str) -> String {
    let words = text.to_lowercase();
    let words = words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(page: &str, question: &str, answer: &str) -> Question {
        Question {
            id: String::new(),
            page: page.to_owned(),
            question: question.to_owned(),
            answer: answer.to_owned(),
            lang: english(),
        }
    }

    fn of(pages: &[(&str, &[&str])], questions: &[Question]) -> Answered {
        let pages: Vec<_> = pages
            .iter()
            .map(|(name, passages)| {
                let passages = passages.iter().map(|p| (*p).to_owned()).collect();
                ((*name).to_owned(), Language::English, passages)
            })
            .collect();
        let index = Passages::index(&pages).expect("an index");
        index.answer(questions).expect("a search")
    }

    #[test]
    fn a_question_is_answered_by_a_passage_of_its_page_that_holds_the_answer() {
        let pages: [(&str, &[&str]); 2] = [
            (
                "a",
                &["The ferry leaves at ten.", "Gulls nest on the roof."],
            ),
            ("b", &["The ferry costs ten crowns."]),
        ];
        let asked = |page, answer| {
            of(
                &pages,
                &[question(page, "When does the ferry leave?", answer)],
            )
        };
        let (one, none) = (
            Answered {
                of: 1,
                first: 1,
                top: 1,
            },
            Answered {
                of: 1,
                first: 0,
                top: 0,
            },
        );
        assert_eq!(asked("a", "ten"), one);
        assert_eq!(asked("a", "noon"), none);
        assert_eq!(
            asked("b", "ten"),
            Answered { first: 0, ..one },
            "second rank"
        );
        assert_eq!(asked("a", "en"), none, "no part of a word");
        assert_eq!(asked("c", "ten"), none, "no such page");
        let gulls = question("a", "Where do gulls nest?", "roof");
        assert_eq!(of(&pages, &[gulls.clone(), gulls]).of, 2);
    }

    #[test]
    fn only_so_many_ranks_are_looked_at() {
        let many: Vec<String> = (0..RANKS).map(|_| "ferry ferry".to_owned()).collect();
        let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
        many.push("the ferry that goes to the islands in the morning costs nine");
        let asked = [question("a", "ferry", "nine")];
        assert_eq!(of(&[("a", &many)], &asked).top, 0);
        assert_eq!(of(&[("a", &many[1..])], &asked).top, 1);
    }
}
