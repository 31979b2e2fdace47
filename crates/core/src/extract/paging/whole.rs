//! An article while its pages come.

use super::marks::without_marks;
use super::repeats::EarlierBlocks;
use super::sameness::{ArticleIdentity, TitleLikeness};
use crate::extract::{self, Article, ArticleWarning, Extractor, Options, Status};
use crate::render::{MAX_IMAGES, images};
use forest_html::address::{Address, Series};
use forest_html::page::links::Base;
use forest_html::page::{MAX_PAGE_BYTES, Mask, Page};
use std::ops::Deref;

/// Pages of an article at the most.
pub const MAX_PAGES: usize = 20;

/// Share of the first page's text that a page with the whole article has, block by
/// block: it may have other blocks, and its lead elsewhere.
const MIN_OF_FIRST: f64 = 0.5;

/// An article, and the page that is wanted for it next.
///
/// ```
/// use forest_core::extract::{Extractor, Options, PagedArticle};
/// use forest_html::page::Source;
/// use forest_core::wrapper::Wrapper;
///
/// let yaml = "format: 1\nsite: a.example\nnext_page: //nav/a\ntemplates:\n- body: [//p]\n";
/// let extractor = Extractor::new(Wrapper::from_yaml(yaml)?.wrapper)?;
/// let page = |url: &str, html: &str| {
///     extractor.parse(html.as_bytes(), Source { url: Some(url), ..Source::default() })
/// };
/// let first = page("https://a.example/s", "<p>One.</p><nav><a href=/s/2>2</a></nav>");
/// let mut whole = PagedArticle::of(&extractor, &first, Options::default());
/// while let Some(url) = whole.wanted().map(str::to_owned) {
///     assert_eq!(url, "https://a.example/s/2");
///     whole.add(&page(&url, "<p>Two.</p><nav><a href=/s>1</a></nav>"));
/// }
/// assert_eq!(whole.finish().text, "One.\nTwo.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PagedArticle<E> {
    extractor: E,
    options: Options,
    article: Article,
    first: Option<Address>,
    identity: ArticleIdentity,
    seen: EarlierBlocks,
    /// Addresses of the pages so far.
    known: Vec<Address>,
    urls: Vec<String>,
    is_joined: bool,
    source_bytes: usize,
    wanted: Option<WantedPage>,
}

#[derive(Debug)]
enum WantedPage {
    /// The page with the whole article, and the next page in case that is another article.
    Single { url: String, next: Option<String> },
    /// The page after the last one.
    Next(String),
}

impl<E: Deref<Target = Extractor>> PagedArticle<E> {
    /// The article of a page, [parsed](Extractor::parse) already, and where it goes
    /// on.
    pub fn of(extractor: E, page: &Page, options: Options) -> PagedArticle<E> {
        let article = extractor.extract(page, &options);
        PagedArticle::with(extractor, page, options, article)
    }

    /// [`of`](Self::of) a page whose article was extracted already.
    pub fn with(extractor: E, page: &Page, options: Options, article: Article) -> PagedArticle<E> {
        let mut whole = PagedArticle {
            article,
            options,
            first: page.url().and_then(Address::of),
            identity: ArticleIdentity::default(),
            seen: EarlierBlocks::default(),
            known: page.url().and_then(Address::of).into_iter().collect(),
            urls: page.url().map(str::to_owned).into_iter().collect(),
            is_joined: false,
            source_bytes: page.source_bytes(),
            wanted: None,
            extractor,
        };
        if !matches!(whole.article.status, Status::Ok | Status::Degraded) {
            return whole;
        }
        let next = whole.extractor.page_after(whole.first.as_ref(), page);
        let single = whole.extractor.single_page(page);
        whole.wanted = match single {
            Some(url) => Some(WantedPage::Single { url, next }),
            None => next.map(WantedPage::Next),
        };
        if whole.wanted.is_some()
            && let Some(found) = whole.extractor.matcher().find(page)
        {
            whole.identity = ArticleIdentity::of(&whole.extractor, page, &found);
            let kept = match without_marks(&whole.extractor, page, &found.kept) {
                Some(kept) => {
                    whole.take_text(&mut extract::article(page, &kept, &whole.options));
                    kept
                }
                None => found.kept,
            };
            whole.seen.add(page, &kept);
        }
        whole
    }

    /// Whose wrapper it is.
    pub fn extractor(&self) -> &Extractor {
        &self.extractor
    }

    /// The address of the page that is wanted next: one of the first page's site
    /// that was not there before.
    pub fn wanted(&self) -> Option<&str> {
        self.wanted.as_ref().map(|wanted| match wanted {
            WantedPage::Single { url, .. } | WantedPage::Next(url) => &**url,
        })
    }

    /// The page that was wanted, [parsed](Extractor::parse) with the address that it
    /// has now; whether the article has something of it. Nothing happens if none was
    /// wanted.
    pub fn add(&mut self, page: &Page) -> bool {
        match self.wanted.take() {
            None => false,
            Some(WantedPage::Single { .. }) if self.replace(page) => true,
            Some(WantedPage::Single { next, .. }) => {
                self.wanted = next.map(WantedPage::Next);
                false
            }
            Some(WantedPage::Next(url)) => self.append(url, page),
        }
    }

    /// The page that was wanted cannot be had. The article is what it is so far, and
    /// says so.
    pub fn miss(&mut self, why: &str) {
        match self.wanted.take() {
            None => {}
            Some(WantedPage::Single {
                next: Some(next), ..
            }) => {
                self.wanted = Some(WantedPage::Next(next));
            }
            Some(WantedPage::Single { url, .. } | WantedPage::Next(url)) => {
                self.ends_before(url, why)
            }
        }
    }

    /// The article of the pages so far.
    pub fn finish(mut self) -> Article {
        if self.is_joined {
            self.article.pages = self.urls;
        }
        self.article
    }

    fn ends_before(&mut self, url: String, why: &str) {
        let why = why.to_owned();
        let warning = ArticleWarning::EndsBefore { url, why };
        self.article.warnings.push(warning);
    }

    /// The nodes that the wrapper keeps of a page of this article, or the reason why it is no page of it.
    fn kept(&self, page: &Page, likeness: TitleLikeness) -> Result<Mask, &'static str> {
        let own = page.url().and_then(Address::of);
        let site = self.first.as_ref().zip(own.as_ref());
        if site.is_some_and(|(first, own)| !first.is_of_site(own)) {
            return Err("it leads to another site");
        }
        let found = self.extractor.matcher().find(page);
        let found = found.ok_or("the wrapper selects nothing there")?;
        let identity = ArticleIdentity::of(&self.extractor, page, &found);
        let kept = || without_marks(&self.extractor, page, &found.kept);
        if self.identity.may_be(&identity, likeness) {
            Ok(kept().unwrap_or(found.kept))
        } else {
            Err("its title is another article's")
        }
    }

    /// Takes the text of the page with the whole article, if it is that and has
    /// more than the first.
    fn replace(&mut self, page: &Page) -> bool {
        let Ok(kept) = self.kept(page, TitleLikeness::Half) else {
            return false;
        };
        let mut whole = extract::article(page, &kept, &self.options);
        let is_more = whole.text.len() > self.article.text.len();
        if !is_more || self.seen.share_in(page, &kept) < MIN_OF_FIRST {
            return false;
        }
        self.is_joined = true;
        self.urls = vec![page.url().unwrap_or_default().to_owned()];
        self.take_text(&mut whole);
        whole.images = images(page, &kept, &Base::of(page));
        self.article.join(whole);
        true
    }

    /// Takes the text of `other` in the place of the article's own, unless it is empty.
    fn take_text(&mut self, other: &mut Article) {
        if !other.text.is_empty() {
            self.article.text = std::mem::take(&mut other.text);
            self.article.html = other.html.take();
            self.article.markdown = other.markdown.take();
            self.article.prose = other.prose.take();
        }
    }

    /// Adds the next page, if it says anything new; whether it does.
    fn append(&mut self, url: String, page: &Page) -> bool {
        let own = page.url().and_then(Address::of);
        if own.as_ref().is_some_and(|own| self.is_known(own)) {
            return false;
        }
        if self.source_bytes + page.source_bytes() > MAX_PAGE_BYTES {
            let megabytes = MAX_PAGE_BYTES / 1_000_000;
            let why = format!("the article's pages are together larger than {megabytes} MB");
            self.ends_before(url, &why);
            return false;
        }
        let first = self.first.as_ref().map(|first| Series::of(first, &[]));
        let number = first.and_then(|series| series.number(&Address::of(&url)?));
        let likeness = match number {
            Some(_) => TitleLikeness::Half,
            None => TitleLikeness::Whole,
        };
        let kept = match self.kept(page, likeness) {
            Ok(kept) => kept,
            Err(why) => {
                self.ends_before(url, why);
                return false;
            }
        };
        let Some(new) = self.seen.new_of(page, &kept) else {
            return false;
        };
        self.seen.add(page, &kept);
        let mut part = extract::article(page, &new, &self.options);
        // Not the page's own picture where its body has none.
        part.images = images(page, &new, &Base::of(page));
        self.article.join(part);
        self.is_joined = true;
        self.source_bytes += page.source_bytes();
        self.known.extend(Address::of(&url).into_iter().chain(own));
        self.urls.push(page.url().unwrap_or(&url).to_owned());
        let next = self.extractor.page_after(self.first.as_ref(), page);
        let is_new = |next: &String| Address::of(next).is_some_and(|next| !self.is_known(&next));
        match next.filter(is_new) {
            None => {}
            Some(next) if self.urls.len() < MAX_PAGES => self.wanted = Some(WantedPage::Next(next)),
            Some(next) => {
                self.ends_before(next, &format!("no more than {MAX_PAGES} pages are joined"));
            }
        }
        true
    }

    fn is_known(&self, address: &Address) -> bool {
        self.known.iter().any(|known| known.is(address))
    }
}

impl Article {
    /// This article with what follows on its next page: the text, the prose, the
    /// Markdown and the HTML behind its own, and the pictures that it does not have yet. All other
    /// fields stay.
    ///
    /// ```
    /// use forest_core::extract::Article;
    ///
    /// let page = |text: &str| Article { text: text.into(), ..Article::default() };
    /// let mut article = page("One.");
    /// article.join(page("Two."));
    /// assert_eq!(article.text, "One.\nTwo.");
    /// ```
    pub fn join(&mut self, next: Article) {
        fn add(text: &mut String, next: &str, between: &str) {
            if !text.is_empty() && !next.is_empty() {
                text.push_str(between);
            }
            text.push_str(next);
        }
        add(&mut self.text, &next.text, "\n");
        for (own, next, between) in [
            (&mut self.markdown, &next.markdown, "\n"),
            (&mut self.prose, &next.prose, "\n"),
            (&mut self.html, &next.html, ""),
        ] {
            match (own.as_mut(), next) {
                (Some(own), Some(next)) => add(own, next, between),
                (None, Some(next)) => *own = Some(next.clone()),
                (_, None) => {}
            }
        }
        for image in next.images {
            let is_new = self.images.iter().all(|known| known.url != image.url);
            if is_new && self.images.len() < MAX_IMAGES {
                self.images.push(image);
            }
        }
        for warning in next.warnings {
            // Of later pages only what was lost of their text counts.
            let counts = matches!(warning, ArticleWarning::Page(_) | ArticleWarning::MarkupCut);
            if counts && !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::Wrapper;
    use forest_html::page::Source;

    #[test]
    fn pages_are_together_no_larger_than_one_may_be() {
        let yaml = "format: 1\nsite: a\nnext_page: //a\ntemplates:\n- body: [//p]\n";
        let wrapper = Wrapper::from_yaml(yaml).expect("yaml").wrapper;
        let extractor = Extractor::new(wrapper).expect("compiles");
        let html = "<p>One.</p><a href=/s/2>2</a>";
        let url = Some("https://a.example/s");
        let source = Source {
            url,
            ..Source::default()
        };
        let first = extractor.parse(html.as_bytes(), source);
        let second = Page::from_html("<p>Two.</p>");
        for (room, expected) in [(0, "One.\nTwo."), (1, "One.")] {
            let mut whole = PagedArticle::of(&extractor, &first, Options::default());
            whole.source_bytes = MAX_PAGE_BYTES - second.source_bytes() + room;
            whole.add(&second);
            let article = whole.finish();
            assert_eq!(article.text, expected);
            assert_eq!(
                article
                    .warnings
                    .iter()
                    .filter(|w| w.to_string().contains("20 MB"))
                    .count(),
                room
            );
        }
    }
}
