//! Term and document frequencies, from a tantivy index in RAM.

use super::{SampleTerms, Signifier, TermId};
use std::sync::Arc;
use tantivy::directory::RamDirectory;
use tantivy::postings::Postings;
use tantivy::schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{DocSet, Index, IndexSettings, TERMINATED, TantivyDocument};

/// Bytes by which the index writer sizes its first hash table: a third of it, some
/// 16,000 terms; the table grows where a sample has more. Ten news pages hold
/// 1,400 to 2,700. With 15 MB and a thread for the (empty) document store the index
/// of such a sample takes 7 to 12 ms, with this and none 4 to 7.
const INDEX_BYTES: usize = 1_000_000;

/// The name of the tokenizer that hands the sample's terms to tantivy.
const REPLAY: &str = "replay";

/// tf-idf weights of all terms of a sample: see the stage's page.
#[derive(Debug, Clone)]
pub struct TfIdf {
    pages: Vec<Vec<Signifier>>,
    by_tf_only: bool,
}

impl TfIdf {
    /// Indexes the sample and weighs its terms.
    ///
    /// # Panics
    ///
    /// Never: an index in RAM has no way to fail.
    pub fn of(terms: &SampleTerms) -> TfIdf {
        let frequencies = frequencies(terms).expect("an index in RAM cannot fail");
        let pages = terms.len() as f64;
        let by_tf_only = terms.len() == 1;
        let weights = |tf: u32, df: u32| {
            let idf = (pages / f64::from(df)).ln();
            f64::from(tf) * if by_tf_only { 1.0 } else { idf }
        };
        let mut weighed: Vec<Vec<Signifier>> = Vec::with_capacity(terms.len());
        let mut first = vec![u32::MAX; terms.vocabulary()];
        for (i, of_page) in frequencies.into_iter().enumerate() {
            for (position, term) in terms.page(i).terms().iter().enumerate().rev() {
                first[term.0 as usize] = position as u32;
            }
            let mut list: Vec<Signifier> = of_page
                .into_iter()
                .map(|(term, tf, df)| Signifier {
                    term,
                    weight: weights(tf, df),
                })
                .collect();
            list.sort_by_key(|s| first[s.term.0 as usize]);
            weighed.push(list);
        }
        TfIdf {
            pages: weighed,
            by_tf_only,
        }
    }

    /// The different terms of a page with their weights, by first position.
    pub fn weights(&self, page: usize) -> &[Signifier] {
        &self.pages[page]
    }

    /// True if the sample is one page, for which idf is 0.
    pub fn by_tf_only(&self) -> bool {
        self.by_tf_only
    }
}

/// For each page its terms with term and document frequency.
fn frequencies(terms: &SampleTerms) -> tantivy::Result<Vec<Vec<(TermId, u32, u32)>>> {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(REPLAY)
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqs);
    let body = schema.add_text_field(
        "body",
        TextOptions::default().set_indexing_options(indexing),
    );
    let tokenizers = TokenizerManager::new();
    tokenizers.register(REPLAY, Replay::of(terms));
    let settings = IndexSettings {
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    let mut writer = Index::builder()
        .schema(schema.build())
        .tokenizers(tokenizers)
        .settings(settings)
        .single_segment_index_writer(RamDirectory::create(), INDEX_BYTES)?;
    for page in 0..terms.len() {
        let mut document = TantivyDocument::new();
        document.add_text(body, page.to_string());
        writer.add_document(document)?;
    }
    let reader = writer.finalize()?.reader()?;
    let mut found = vec![Vec::new(); terms.len()];
    for segment in reader.searcher().segment_readers() {
        let inverted = segment.inverted_index(body)?;
        let mut stream = inverted.terms().stream()?;
        while stream.advance() {
            let info = stream.value();
            let name = String::from_utf8_lossy(stream.key());
            let Some(term) = terms.id(&name) else {
                continue;
            };
            let mut postings =
                inverted.read_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
            while postings.doc() != TERMINATED {
                found[postings.doc() as usize].push((term, postings.term_freq(), info.doc_freq));
                postings.advance();
            }
        }
    }
    Ok(found)
}

/// A tokenizer whose text is the number of a page and whose tokens are the terms
/// that the sample's analyzers found there: nothing is analyzed twice.
#[derive(Clone)]
struct Replay {
    names: Arc<[Box<str>]>,
    pages: Arc<[Box<[TermId]>]>,
}

impl Replay {
    fn of(terms: &SampleTerms) -> Replay {
        Replay {
            names: (0..terms.vocabulary() as u32)
                .map(|id| terms.name(TermId(id)).into())
                .collect(),
            pages: (0..terms.len())
                .map(|page| terms.page(page).terms().into())
                .collect(),
        }
    }
}

impl Tokenizer for Replay {
    type TokenStream<'a> = ReplayStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> ReplayStream<'a> {
        let page: usize = text.parse().expect("the text is a page's number");
        ReplayStream {
            names: &self.names,
            terms: self.pages[page].iter(),
            token: Token::default(),
        }
    }
}

struct ReplayStream<'a> {
    names: &'a [Box<str>],
    terms: std::slice::Iter<'a, TermId>,
    token: Token,
}

impl TokenStream for ReplayStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(term) = self.terms.next() else {
            return false;
        };
        self.token.position = self.token.position.wrapping_add(1);
        self.token.text.clear();
        self.token.text.push_str(&self.names[term.0 as usize]);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
