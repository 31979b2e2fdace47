//! A page of which no wrapper is known.

use super::confidence::{DOUBTFUL, FieldSources, TextFeatures, TextSource};
use super::own_text::OwnText;
use super::parts::parts;
use super::{Article, ArticleWarning, Options, Status, article};
use crate::onepage::ScoredPage;
use crate::refusal::Refusal;
use forest_html::page::{Mask, Page};

/// The F1 to expect below which what was kept is called nothing. No article of the
/// development gold is below it that has an F1 above 0.5.
pub(super) const MIN_EXPECTED: f64 = 0.1;

/// The article of a page by the shape of this page alone
/// ([`onepage`](crate::onepage)). A page that holds none is
/// [`Status::Blocked`] if something stands in the way of one and [`Status::Empty`]
/// if there is no article; `error` says what, and `confidence` how sure that is. Where the
/// page's elements show no article, or a far shorter one, the text is that of the page's own
/// JSON, and a warning says so. Of bytes that hold no text ([`Page::binary`]) the status is
/// [`Status::Error`].
///
/// ```
/// use forest_core::extract::{Options, Status, one_page};
/// use forest_html::page::Page;
///
/// let page = Page::from_html("<title>404 Not Found</title><h1>Not Found</h1><hr>");
/// let article = one_page(&page, &Options::default());
/// assert_eq!((article.status, &*article.text), (Status::Empty, ""));
/// assert!(article.error.unwrap().contains("not found"));
/// ```
pub fn one_page(page: &Page, options: &Options) -> Article {
    one_page_of(&ScoredPage::from(page), options)
}

fn one_page_of(page: &ScoredPage<'_>, options: &Options) -> Article {
    if let Some(found) = page.binary() {
        return Article {
            url: page.url().map(str::to_owned),
            status: Status::Error,
            error: Some(format!("this is {found}, not an HTML page")),
            ..Article::default()
        };
    }
    if let Some(own) = OwnText::of(page) {
        let kept = Mask::all(&own.page);
        let mut out = article(&own.page, &kept, options);
        out.kind = Some(own.kind());
        out.parts = parts(&own.page, own.kind(), &kept);
        out.confidence = Some(own.confidence(&kept));
        out.field_confidence = FieldSources::of_metadata(&out.values()).confidence(None);
        return out;
    }
    let found = &*page.article_favoring(options.favor());
    if let Some(refusal) = &found.refusal {
        return refused(page, options, refusal);
    }
    let mut out = article(page, &found.kept, options);
    let is_article = found.kind.is_article();
    if out.text.is_empty() || is_article && found.confidence < MIN_EXPECTED {
        let why = "no text on the page looks like an article's".to_owned();
        return nothing(page, options, Status::Empty, why, 1.0 - found.confidence);
    }
    out.set_kind(&found.kind);
    out.parts = parts(page, found.kind.kind(), &found.kept);
    let sure = TextFeatures::of_one_page(found).confidence(TextSource::Page);
    out.confidence = Some(sure);
    if sure < DOUBTFUL && !is_article {
        out.status = Status::Degraded;
        out.warnings.push(ArticleWarning::Doubtful);
    }
    out.field_confidence = FieldSources::of_metadata(&out.values()).confidence(None);
    out
}

/// [`one_page`] of a page that a wrapper was to be found for or to fit. An article
/// is [`Status::Fallback`], with the reason among its warnings. If there is no article,
/// the reason comes before the page's own.
pub fn fallback(page: &Page, options: &Options, why: &str) -> Article {
    fallback_of(&ScoredPage::from(page), options, why)
}

pub(super) fn fallback_of(page: &ScoredPage<'_>, options: &Options, why: &str) -> Article {
    let mut out = one_page_of(page, options);
    if page.binary().is_some() {
        // No wrapper would fit.
        return out;
    }
    if matches!(out.status, Status::Ok | Status::Degraded) {
        out.status = Status::Fallback;
        let why = why.to_owned();
        out.warnings.push(ArticleWarning::Fallback { why });
    } else {
        out.error = out.error.map(|error| format!("{why}; {error}"));
    }
    out
}

/// The record of a page that holds no article, and says so.
pub(super) fn refused(page: &Page, options: &Options, refusal: &Refusal) -> Article {
    let status = if refusal.kind.is_in_the_way() {
        Status::Blocked
    } else {
        Status::Empty
    };
    let why = refusal.kind.to_string();
    nothing(page, options, status, why, refusal.confidence)
}

/// The record of a page without an article: what the page says of itself, no text.
fn nothing(
    page: &Page,
    options: &Options,
    status: Status,
    why: String,
    confidence: f64,
) -> Article {
    let mut out = article(page, &Mask::none(page), options);
    out.images.clear();
    out.status = status;
    out.error = Some(why);
    out.confidence = Some(confidence);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{Extractor, PagedArticle};
    use crate::wrapper::Wrapper;
    use forest_html::page::Source;

    const STORY: &str = "<title>Ferry</title><ul><li><a href=/>Home</a></ul><article><h1>Ferry</h1>\
        <p>The ferry to the islands leaves an hour later from Monday on, said the harbour master.\
        <p>The old engine had failed three times in a week, and the passengers had to be towed home.\
        <p>A new one was ordered in March, but the yard that builds it has no crane to lift it.</article>";

    #[test]
    fn bytes_without_text_are_an_error() {
        let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//article']\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("a wrapper").wrapper;
        let extractor = Extractor::new(wrapper).expect("compiles");
        let options = Options::default();
        for (mark, kind) in [
            ("\u{1f}\0", "binary data"),
            ("PK\u{3}\u{4}", "a ZIP file"),
            ("%PDF-1.4\n", "a PDF document"),
        ] {
            let bytes = format!("{mark}{STORY}");
            let page = Page::parse(bytes.as_bytes(), Source::default());
            let whole = PagedArticle::of(&extractor, &page, options.clone()).finish();
            for article in [
                one_page(&page, &options),
                fallback(&page, &options, "why"),
                whole,
            ] {
                let expected = format!("this is {kind}, not an HTML page");
                assert_eq!(article.error, Some(expected));
                assert_eq!((article.status, &*article.text), (Status::Error, ""));
            }
        }
    }

    #[test]
    fn an_article_is_ok_or_a_declared_fallback() {
        let page = Page::from_html(STORY);
        let article = one_page(&page, &Options::default());
        assert_eq!(article.status, Status::Ok);
        assert!(article.text.contains("old engine") && !article.text.contains("Home"));
        let confidence = article.confidence.expect("judged");
        assert!((0.5..=1.0).contains(&confidence), "{confidence}");
        let other = fallback(&page, &Options::default(), "no wrapper");
        assert_eq!(
            (other.status, &other.text),
            (Status::Fallback, &article.text)
        );
        let warning = other.warnings.last().expect("a warning").to_string();
        assert!(warning.contains("no wrapper"), "{warning}");
    }

    #[test]
    fn a_wall_is_blocked_and_says_why_twice() {
        let page = Page::from_html("<title>Just a moment...</title><h1>Verify you are human</h1>");
        let article = fallback(&page, &Options::default(), "no wrapper");
        assert_eq!((article.status, &*article.text), (Status::Blocked, ""));
        let error = article.error.expect("a reason");
        assert!(
            error.starts_with("no wrapper; ") && error.contains("human"),
            "{error}"
        );
    }

    #[test]
    fn no_text_is_empty() {
        let page = Page::from_html("<img src=a.jpg width=400>");
        let article = one_page(&page, &Options::default());
        assert_eq!((article.status, &*article.text), (Status::Empty, ""));
        assert!(article.images.is_empty() && article.error.is_some());
    }
}
