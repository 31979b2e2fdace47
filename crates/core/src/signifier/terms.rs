//! The terms of a sample's pages, by text node.

use foldhash::HashMap;
use forest_html::page::{Mask, NodeId, Page};
use forest_html::text::{Analyzer, Language};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// Characters of a page's text from which its language is told. whatlang's
/// verdict is stable after some hundred; more only costs time.
const LANGUAGE_SAMPLE_BYTES: usize = 8192;

/// Number of a term in its sample's vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// The terms of one text node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextTerms {
    /// The text node.
    pub node: NodeId,
    start: u32,
    end: u32,
}

/// The terms of a page's body, content only, in document order.
#[derive(Debug, Clone)]
pub struct PageTerms {
    pub(super) language: Language,
    texts: Vec<TextTerms>,
    terms: Vec<TermId>,
}

impl PageTerms {
    /// The text nodes that hold terms.
    pub fn texts(&self) -> &[TextTerms] {
        &self.texts
    }

    /// All terms of the page, with multiplicity.
    pub fn terms(&self) -> &[TermId] {
        &self.terms
    }

    /// The terms of one text node.
    pub fn of(&self, text: TextTerms) -> &[TermId] {
        &self.terms[text.start as usize..text.end as usize]
    }
}

/// The terms of all pages of a sample, and what they are called.
pub struct SampleTerms {
    names: Vec<Box<str>>,
    ids: HashMap<Box<str>, TermId>,
    pages: Vec<PageTerms>,
    analyzers: RefCell<BTreeMap<Language, Analyzer>>,
}

impl fmt::Debug for SampleTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SampleTerms")
            .field("names", &self.names.len())
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}

impl SampleTerms {
    /// Analyzes the bodies of `pages`.
    pub fn of(pages: &[&Page]) -> SampleTerms {
        Self::without(pages, |_| None)
    }

    /// Analyzes the bodies of `pages`, the nodes left out that `left_out` keeps
    /// for a page.
    pub fn without<'m>(
        pages: &[&Page],
        left_out: impl Fn(usize) -> Option<&'m Mask>,
    ) -> SampleTerms {
        let mut sample = SampleTerms {
            names: Vec::new(),
            ids: HashMap::default(),
            pages: Vec::with_capacity(pages.len()),
            analyzers: RefCell::default(),
        };
        for (i, page) in pages.iter().enumerate() {
            let terms = sample.analyze(page, left_out(i));
            sample.pages.push(terms);
        }
        sample
    }

    fn analyze(&mut self, page: &Page, left_out: Option<&Mask>) -> PageTerms {
        let language = language_of(page);
        let mut terms = PageTerms {
            language,
            texts: Vec::new(),
            terms: Vec::new(),
        };
        let Some(body) = page.body() else {
            return terms;
        };
        let (names, ids) = (&mut self.names, &mut self.ids);
        let analyzer = self
            .analyzers
            .get_mut()
            .entry(language)
            .or_insert_with(|| Analyzer::new(language));
        for node in page.content_texts(body) {
            if left_out.is_some_and(|mask| mask.contains(node)) {
                continue;
            }
            let start = terms.terms.len() as u32;
            analyzer.terms(page.text(node), |term| {
                let id = match ids.get(term) {
                    Some(&id) => id,
                    None => {
                        let id = TermId(names.len() as u32);
                        names.push(term.into());
                        ids.insert(term.into(), id);
                        id
                    }
                };
                terms.terms.push(id);
            });
            let end = terms.terms.len() as u32;
            if start < end {
                terms.texts.push(TextTerms { node, start, end });
            }
        }
        terms
    }

    /// Number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// The terms of the `page`-th page.
    pub fn page(&self, page: usize) -> &PageTerms {
        &self.pages[page]
    }

    /// Number of different terms.
    pub fn vocabulary(&self) -> usize {
        self.names.len()
    }

    /// The term with a number.
    pub fn name(&self, term: TermId) -> &str {
        &self.names[term.0 as usize]
    }

    /// The number of a term, if it occurs in the sample.
    pub fn id(&self, name: &str) -> Option<TermId> {
        self.ids.get(name).copied()
    }

    /// Calls `f` with the terms of `text`, read in the language of page `page`,
    /// that occur in the sample.
    pub fn known_terms(&self, page: usize, text: &str, mut f: impl FnMut(TermId)) {
        let language = self.pages[page].language;
        self.analyzers
            .borrow_mut()
            .entry(language)
            .or_insert_with(|| Analyzer::new(language))
            .terms(text, |term| {
                if let Some(&id) = self.ids.get(term) {
                    f(id);
                }
            });
    }
}

/// The language of a page: told from its body's text, `lang` as a hint.
pub fn language_of(page: &Page) -> Language {
    let html = page.children(page.root()).find(|&n| page.tag(n).is_some());
    let hint = html.and_then(|n| page.attr(n, "lang"));
    let mut sample = String::new();
    if let Some(body) = page.body() {
        for node in page.content_texts(body) {
            // The start of a page is menus: short texts say little of its language.
            let text = page.text(node).trim();
            if text.chars().nth(19).is_none() && !text.chars().any(|c| c >= '\u{3040}') {
                continue;
            }
            let room = LANGUAGE_SAMPLE_BYTES - sample.len();
            sample.push_str(&text[..text.floor_char_boundary(room)]);
            sample.push('\n');
            if sample.len() >= LANGUAGE_SAMPLE_BYTES {
                break;
            }
        }
    }
    Language::detect(&sample, hint)
}
