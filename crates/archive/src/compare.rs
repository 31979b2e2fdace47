//! The article of a received page beside what the archive has of its address: the one way in
//! which a harvest, an import and `apply --archive` store it.

use super::arrival::{Arrival, HttpExchange, VisitResponse};
use super::joined::earlier_reading;
use super::known::KnownAddress;
use super::raw::RawPages;
use super::teaser::close_teaser;
use forest_core::extract::Extractor;

impl Arrival {
    /// Compares the article with the latest version, before [`prepare`](Arrival::prepare). A page
    /// that shows only the beginning of that version, and asks for a subscription, has no article:
    /// its error says so. If that version was read in another way, it is read again as today.
    /// `by` is today's wrapper with the digest of its file. Returns true if it is such a page.
    pub fn compare(
        &mut self,
        known: &KnownAddress,
        raw_pages: &RawPages,
        by: Option<(&Extractor, &str)>,
    ) -> bool {
        let Some(article) = &mut self.article else {
            return false;
        };
        let body: &[u8] = match &self.response {
            VisitResponse::Answer(HttpExchange { body, .. })
            | VisitResponse::NotModified(HttpExchange { body, .. })
            | VisitResponse::File { body }
            | VisitResponse::Shown { body } => body,
            VisitResponse::Nothing => &[],
        };
        let url = self.final_url.as_deref().unwrap_or(&self.url);
        let now = (body, url, self.content_type.as_deref());
        let is_teaser = close_teaser(raw_pages, known, now, article);
        if !is_teaser {
            self.before = earlier_reading(raw_pages, known, now, article, by);
        }
        self.error.clone_from(&article.error);
        is_teaser
    }
}
