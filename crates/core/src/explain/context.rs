//! The pages of a sample with the wrapper's matches on them.

use super::marks::{NodeMark, marks};
use crate::error::Result;
use crate::extract::{Article, Extractor, Options};
use crate::learn::{Learned, SamplePage, SampleVerdict};
use crate::wrapper::{Trace, WrapperField};
use forest_html::page::{NodeId, Page};
use maud::{Markup, html};

/// Pages whose text is shown.
pub(super) const MAX_SHEETS: usize = 20;

/// A page that was learned from, with the matches of the wrapper.
pub(super) struct ReportPage<'a> {
    /// Its number in the sample, from 1.
    pub number: usize,
    /// Its place among these pages, from 0.
    pub place: usize,
    pub sample: &'a SamplePage,
    /// The page with a value of its JSON as its body, if the wrapper is for that.
    pub of_json: Option<Page>,
    pub trace: Option<Trace>,
    /// The nodes that its fields are read from.
    pub fields: Vec<(WrapperField, Vec<NodeId>)>,
    /// The mark of each of its nodes.
    pub marks: Vec<NodeMark>,
    pub article: Article,
}

impl ReportPage<'_> {
    /// The page that the wrapper was applied to.
    pub fn page(&self) -> &Page {
        self.of_json.as_ref().unwrap_or(&self.sample.page)
    }

    /// Its number, as a link to its marked text if that is in the report.
    pub fn link(&self) -> Markup {
        html! {
            @if self.place < MAX_SHEETS {
                a href={ "#p" (self.number) } { (self.number) }
            } @else {
                (self.number)
            }
        }
    }
}

/// A wrapper and the pages that it was learned from.
pub(super) struct Context<'a> {
    pub learned: &'a Learned,
    pub pages: Vec<ReportPage<'a>>,
}

impl<'a> Context<'a> {
    pub fn of(learned: &'a Learned, sample: &'a [SamplePage]) -> Result<Context<'a>> {
        let extractor = Extractor::new(learned.wrapper.clone())?;
        let numbered = sample.iter().zip(&learned.verdicts).zip(1..);
        let good = numbered.filter(|((_, verdict), _)| **verdict == SampleVerdict::Good);
        let pages = good.enumerate().map(|(place, ((sample, _), number))| {
            let known = learned.articles.get(place).cloned();
            let of_json = extractor.matcher().page_of_json(&sample.page);
            let page = of_json.as_ref().unwrap_or(&sample.page);
            let trace = extractor.matcher().trace(page);
            let found = trace.as_ref().map(|trace| &trace.found);
            let fields = found.map(|found| extractor.matcher().fields(page, found));
            let fields = fields.unwrap_or_default();
            ReportPage {
                number,
                place,
                sample,
                marks: marks(page, trace.as_ref(), &fields),
                fields,
                trace,
                article: known.unwrap_or_else(|| extractor.extract(page, &Options::default())),
                of_json,
            }
        });
        Ok(Context {
            learned,
            pages: pages.collect(),
        })
    }

    /// The pages that a template carries.
    pub fn carried(&self, template: usize) -> impl Iterator<Item = (&ReportPage<'a>, &Trace)> {
        self.pages.iter().filter_map(move |page| {
            let trace = page.trace.as_ref()?;
            (trace.found.template == template).then_some((page, trace))
        })
    }
}
