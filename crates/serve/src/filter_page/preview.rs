//! Previews: a page before and after the filter, kept for the frames that show them.

use super::super::web_page::WebPage;
use forest_html::page::Source;
use forest_text::filter::{
    AdList, FilterCount, FilterEngine, FilterSettings, OutputFormat, PageSide, PageSize,
};
use forest_text::prose::filtered_document;
use forest_web::cores::StopFlag;
use forest_web::token::random_name;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of all previews that are kept; the newest is always kept.
const MAX_PREVIEW_BYTES: usize = 100_000_000;

/// A page before and after the filter with the settings of a form.
#[derive(Debug)]
pub(super) struct Preview {
    /// Its name, which nobody can guess.
    pub(super) id: String,
    pub(super) page: Arc<WebPage>,
    before_html: String,
    after: PreviewText,
    pub(super) before: PageSize,
    pub(super) left: PageSize,
    pub(super) bytes_after: usize,
    pub(super) changes: Vec<FilterCount>,
    pub(super) warnings: Vec<String>,
}

/// The text that is shown of a filtered page.
#[derive(Debug)]
enum PreviewText {
    Html(String),
    Plain(String),
}

impl Preview {
    /// Filters a page; `None` if it was stopped on the way.
    pub(super) fn new(
        page: Arc<WebPage>,
        settings: FilterSettings,
        ads: Arc<AdList>,
        stop: &StopFlag,
    ) -> Option<Preview> {
        let engine = FilterEngine::with_ads(settings, ads);
        let source = Source {
            url: page.url.as_ref().map(url::Url::as_str),
            content_type: page.content_type.as_deref(),
        };
        let parsed = engine.parse(&page.bytes, source);
        stop.step()?;
        let filtered = engine.filter(&parsed);
        stop.step()?;
        let output = engine.settings().output;
        let document = filtered_document(&filtered, output);
        let mut warnings: Vec<String> = parsed.warnings().iter().map(ToString::to_string).collect();
        warnings.extend(document.warnings.iter().map(ToString::to_string));
        let bytes_after = document.text.len();
        stop.step()?;
        let after = if output == OutputFormat::Html {
            PreviewText::Html(filtered.frame(PageSide::After))
        } else {
            PreviewText::Plain(document.text)
        };
        Some(Preview {
            id: random_name(),
            before_html: filtered.frame(PageSide::Before),
            after,
            before: filtered.before(),
            left: filtered.after(),
            bytes_after,
            changes: filtered.changes().to_vec(),
            warnings,
            page,
        })
    }

    /// One side, and its media type.
    pub(super) fn side(&self, side: PageSide) -> (&'static str, String) {
        let (format, text) = match (side, &self.after) {
            (PageSide::Before, _) => (OutputFormat::Html, &self.before_html),
            (PageSide::After, PreviewText::Html(html)) => (OutputFormat::Html, html),
            (PageSide::After, PreviewText::Plain(text)) => (OutputFormat::Text, text),
        };
        (format.media_type(), text.clone())
    }

    fn bytes(&self) -> usize {
        self.page.bytes.len() + self.before_html.len() + self.bytes_after
    }
}

/// The previews that are kept, the newest first.
#[derive(Debug, Default)]
pub struct Previews(Mutex<VecDeque<Arc<Preview>>>);

impl Previews {
    /// Keeps a preview; older ones go if they take too much room.
    pub(super) fn keep(&self, preview: Preview) -> Arc<Preview> {
        let preview = Arc::new(preview);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(Arc::clone(&preview));
        let mut bytes = 0;
        let fitting = kept.iter().take_while(|preview| {
            bytes += preview.bytes();
            bytes <= MAX_PREVIEW_BYTES
        });
        let count = fitting.count().max(1);
        kept.truncate(count);
        preview
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Preview>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|preview| preview.id == id).cloned()
    }
}
