//! Articles that were read for a GET, in memory for a while.

use forest_core::extract::Article;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// Time for which an article is kept: feed readers ask again sooner.
const KEPT_FOR: Duration = Duration::from_secs(3600);

/// Articles that are kept at the most.
const MAX_KEPT: usize = 1000;

/// Bytes of text and HTML that are kept at the most.
const MAX_BYTES: usize = 64_000_000;

/// An article and the time when it was read.
#[derive(Debug)]
struct KeptArticle {
    url: String,
    read: Instant,
    article: Arc<Article>,
}

/// See the file's page. The oldest is first.
#[derive(Debug, Default)]
pub struct KeptArticles(Mutex<VecDeque<KeptArticle>>);

impl KeptArticles {
    /// The article of an address, if it was read a short while ago.
    pub(super) fn get(&self, url: &Url) -> Option<Arc<Article>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|kept| kept.url == url.as_str())?;
        (found.read.elapsed() < KEPT_FOR).then(|| Arc::clone(&found.article))
    }

    /// Keeps an article; the oldest ones go if they take too much room.
    pub(super) fn keep(&self, url: &Url, article: Article) -> Arc<Article> {
        let article = Arc::new(article);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.url != url.as_str());
        kept.push_back(KeptArticle {
            url: url.to_string(),
            read: Instant::now(),
            article: Arc::clone(&article),
        });
        let mut bytes: usize = kept.iter().map(|kept| size(&kept.article)).sum();
        while kept.len() > MAX_KEPT || bytes > MAX_BYTES {
            let Some(oldest) = kept.pop_front() else {
                break;
            };
            bytes -= size(&oldest.article);
        }
        article
    }
}

/// Bytes of an article's text and HTML.
fn size(article: &Article) -> usize {
    article.text.len() + article.html.as_ref().map_or(0, String::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_articles_make_room() {
        let kept = KeptArticles::default();
        let url = |n: usize| Url::parse(&format!("https://a.example/{n}")).expect("an address");
        let of_bytes = |bytes: usize| Article {
            text: "x".repeat(bytes),
            ..Article::default()
        };
        for n in 0..=MAX_KEPT {
            kept.keep(&url(n), of_bytes(1));
        }
        assert!(kept.get(&url(0)).is_none());
        assert!(kept.get(&url(1)).is_some());
        kept.keep(&url(0), of_bytes(MAX_BYTES));
        assert!(kept.get(&url(0)).is_some());
        assert!(kept.get(&url(MAX_KEPT)).is_none());
    }
}
