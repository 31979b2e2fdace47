//! Wrapper and page to article.

use super::article::names_of;
use super::confidence::{
    ArticleEvidence, DOUBTFUL, FieldSources, FieldValues, SampleFeatures, TextSource,
};
use super::onepage::{MIN_EXPECTED, fallback_of, refused};
use super::{Article, ArticleOrigin, ArticleWarning, Options, Status, article};
use crate::error::Result;
use crate::kind::{MIN_ARTICLE, PageKind};
use crate::onepage::{MIN_AGREEMENT, ScoredPage};
use crate::refusal::{NoArticle, Refusal, judge};
use crate::render::images;
use crate::wrapper::{Evidence, Match, Matcher, Wrapper, WrapperField};
use forest_html::page::links::Base;
use forest_html::page::metadata::{Date, DateStyle, MAX_VALUES};
use forest_html::page::{MAX_PAGE_BYTES, Mask, Page, Source};
use forest_html::text::{word_count, words_up_to};

/// Characters of a title at the most: what is longer is a text.
const MAX_TITLE_CHARS: usize = 500;

/// Share of the tags of a site's side bar by which it is known: what is new in it pushes
/// others out.
const OF_SITE: f64 = 2.0 / 3.0;

/// The probability of the kind of a template's pages from which on an alternative of its body may
/// speak: of lists that names of articles select, it is below.
const SURE_KIND: f32 = 0.7;

/// A text with less than one word for so many of the median of the site's articles is none.
const SCRAP: usize = 10;

/// Words (metric tokens) from which the beginning of an article is worth something.
const TEASER_WORDS: usize = 60;

/// A wrapper made ready for many pages.
///
/// ```
/// use forest_core::extract::{Extractor, Options, Status};
/// use forest_html::page::Page;
/// use forest_core::wrapper::Wrapper;
///
/// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//article']\n";
/// let extractor = Extractor::new(Wrapper::from_yaml(yaml)?.wrapper)?;
/// let page = Page::from_html("<nav>Home</nav><article><p>One.<p>Two.</article>");
/// assert_eq!(extractor.extract(&page, &Options::default()).text, "One.\nTwo.");
/// let other = Page::from_html("<title>404 Not Found</title><h1>Not Found</h1>");
/// assert_eq!(extractor.extract(&other, &Options::default()).status, Status::Empty);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Extractor {
    wrapper: Wrapper,
    matcher: Matcher,
}

impl Extractor {
    /// Compiles the wrapper's expressions.
    ///
    /// # Errors
    ///
    /// If one is no XPath 1.0.
    pub fn new(wrapper: Wrapper) -> Result<Extractor> {
        let matcher = wrapper.compile()?;
        Ok(Extractor { wrapper, matcher })
    }

    /// The wrapper.
    pub fn wrapper(&self) -> &Wrapper {
        &self.wrapper
    }

    /// The wrapper's expressions, compiled.
    pub fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// Parses a page's bytes as the wrapper wants them: with its replacements made
    /// in the source, and with a value of the page's JSON as its body where a template is for
    /// that. [`Page::parse`] where it has neither.
    pub fn parse(&self, bytes: &[u8], source: Source<'_>) -> Page {
        self.parse_within(bytes, source, MAX_PAGE_BYTES)
    }

    /// [`parse`](Self::parse) with at most `limit` bytes read.
    pub fn parse_within(&self, bytes: &[u8], source: Source<'_>, limit: usize) -> Page {
        let page = Page::parse_within(bytes, source, limit, |text| self.wrapper.replaced(text));
        self.with_json(page)
    }

    /// A page that was parsed before its wrapper was known, as [`parse`](Self::parse) gives it;
    /// `None` if the wrapper replaces something in the source.
    pub fn adopt(&self, page: Page) -> Option<Page> {
        let is_as_written = self.wrapper.replace.is_empty();
        is_as_written.then(|| self.with_json(page))
    }

    fn with_json(&self, page: Page) -> Page {
        self.matcher.page_of_json(&page).unwrap_or(page)
    }

    /// The place of the article on a page: the nodes that a template selects, else those
    /// that the page's own shape shows, corrected by a template without a body.
    pub fn find(&self, page: &Page) -> Option<Match> {
        let matched = self.matcher.find(page);
        matched.or_else(|| self.corrected(&ScoredPage::from(page)))
    }

    /// The text that the page's own shape shows, corrected by a template without a body.
    fn corrected(&self, page: &ScoredPage<'_>) -> Option<Match> {
        if !self.matcher.corrects() {
            return None;
        }
        let shape = page.article();
        if shape.refusal.is_some() {
            return None;
        }
        // If the shape shows nothing, what is kept in any case counts.
        let shown = if shape.confidence < MIN_EXPECTED {
            Mask::none(page)
        } else {
            shape.kept.clone()
        };
        self.matcher.corrected(page, shown)
    }

    /// The article of a page, which is [parsed](Self::parse) already. If no template
    /// selects text, it is that of [`fallback`](super::fallback): `fallback`, `blocked` or
    /// `empty`, and why. A template without a body, which corrects what the page's own
    /// shape shows, gives `fallback` as well. An article that is more likely wrong than
    /// right is [`Status::Degraded`]. If the page says in the article's place that there is
    /// none, or what stands in its way, it is `empty` or `blocked`.
    pub fn extract(&self, page: &Page, options: &Options) -> Article {
        self.extract_scored(&ScoredPage::from(page), options)
    }

    /// [`extract`](Self::extract) from a page whose scores may be known already.
    pub fn extract_scored(&self, page: &ScoredPage<'_>, options: &Options) -> Article {
        let of_json = self.matcher.page_of_json(page).map(ScoredPage::from);
        let page = of_json.as_ref().unwrap_or(page);
        match self.attempt(page, options) {
            Ok((article, evidence)) => self.judged(article, &evidence, page, options),
            Err(_) => self.no_match(page, options),
        }
    }

    /// An [attempt](Self::attempt)'s article with its confidence, and the status that goes
    /// with it.
    pub fn judged(
        &self,
        mut out: Article,
        evidence: &ArticleEvidence,
        page: &ScoredPage<'_>,
        options: &Options,
    ) -> Article {
        let refusal = evidence.judgement.refusal.as_ref();
        if let Some(refusal) = refusal.filter(|refusal| is_explicit(refusal, &out.text)) {
            let mut none = refused(page, options, refusal);
            none.site = out.site;
            return none;
        }
        if let Some(kind) = self.other_kind(evidence, page) {
            let own = self.wrapper.kind_of(evidence.found.template);
            let why = format!(
                "the page is of the kind `{kind}`, and the site's wrapper is for the kind `{own}`"
            );
            let mut other = fallback_of(page, options, &why);
            if !other.text.is_empty() {
                other.site = out.site;
                return other;
            }
        }
        out.kind = Some(self.wrapper.kind_of(evidence.found.template));
        out.warnings.extend(ArticleWarning::too_much(page));
        out.field_confidence = evidence.fields.confidence(self.evidence(&out));
        if !options.confidence() || options.is_stopped() {
            return out;
        }
        out.confidence = evidence.by_sample();
        if out.confidence.is_some() {
            return out;
        }
        let features = evidence.features(page);
        let sure = features.confidence(evidence.source);
        out.confidence = Some(sure);
        if sure < DOUBTFUL && out.status == Status::Ok {
            out.status = Status::Degraded;
            out.warnings.push(ArticleWarning::unlike(&features));
        }
        out
    }

    /// The article that the wrapper finds, without confidence, and the evidence for it. If
    /// no template selects text, nor corrects what the page's own shape shows: the match of
    /// a template that selects nothing that is read, if there is one.
    pub fn attempt(
        &self,
        page: &ScoredPage<'_>,
        options: &Options,
    ) -> std::result::Result<(Article, ArticleEvidence), Option<Match>> {
        let matched = self.matcher.find(page);
        let Some(found) = matched.clone().or_else(|| self.corrected(page)) else {
            return Err(None);
        };
        let mut out = article(page, &found.kept, options);
        if out.text.is_empty() {
            // The match is no text to a reader, such as the labels of a form.
            return Err(matched);
        }
        if self.is_scrap(&out.text, found.template, page) || self.is_elsewhere(&found, page) {
            return Err(None);
        }
        if found.unexpected > 0 {
            let matches = found.unexpected;
            out.warnings.push(ArticleWarning::StripsKept { matches });
        }
        out.site = Some(self.wrapper.site.clone());
        out.wrapper = Some(ArticleOrigin {
            site: self.wrapper.site.clone(),
            learned: self.wrapper.learned.clone(),
            template: found.template,
            xpath: self.matcher.expression(&found).to_owned(),
        });
        let fields = self.fields(page, &found, &mut out);
        if let Some(mut held) = self.matcher.images(page, &found) {
            held.union(&found.kept);
            let held = images(page, &held, &Base::of(page));
            if !held.is_empty() {
                out.images = held;
            }
        }
        if found.expression.is_none() {
            out.status = Status::Fallback;
            let why = "the wrapper says what is stripped and kept, not where the article is";
            let why = why.to_owned();
            out.warnings.push(ArticleWarning::Fallback { why });
        }
        let template = &self.wrapper.templates[found.template];
        let judgement = judge(page, &found.kept);
        let sample = SampleFeatures::of(
            &self.wrapper,
            template,
            &out.text,
            judgement.linked_words,
            page.share_of_prose(&found.kept),
        );
        let evidence = ArticleEvidence {
            source: TextSource::of(template),
            sample,
            judgement,
            fields,
            found,
        };
        Ok((out, evidence))
    }

    /// The kind of the page, if that is not the one of the pages that the wrapper was learned
    /// from. Only a text that is somehow unlike theirs is a reason to look.
    pub fn other_kind(
        &self,
        evidence: &ArticleEvidence,
        page: &ScoredPage<'_>,
    ) -> Option<PageKind> {
        self.wrapper.expect.as_ref()?;
        if !evidence.may_be_of_another_kind(page) {
            return None;
        }
        let scores = page.page_kind();
        let own = self.wrapper.kind_of(evidence.found.template);
        (scores.of(own) < MIN_ARTICLE).then(|| scores.kind())
    }

    /// True if a text is too short for one of the template's articles, and the page's own shape
    /// shows a longer one.
    fn is_scrap(&self, text: &str, template: usize, page: &ScoredPage<'_>) -> bool {
        let Some(median) = self.wrapper.median_of(template) else {
            return false;
        };
        let least = median / SCRAP;
        if words_up_to(text, least) >= least {
            return false;
        }
        let shape = page.article();
        let shown = || {
            shape
                .kept
                .texts(page)
                .map(|n| word_count(page.text(n)))
                .sum::<usize>()
        };
        shape.refusal.is_none() && shown() >= least.max(TEASER_WORDS)
    }

    /// True if a learned alternative of the body selects another text than the page's own shape
    /// shows, or the page may be of another kind: the name stands for something else there. Not asked of
    /// a file that was edited by hand, of which no median is known.
    fn is_elsewhere(&self, found: &Match, page: &ScoredPage<'_>) -> bool {
        let is_alternative = found.expression.is_some_and(|at| at > 0);
        let is_learned = || self.wrapper.median_of(found.template).is_some();
        let own = self.wrapper.kind_of(found.template);
        let is_other_kind = || page.page_kind().of(own) < SURE_KIND;
        let agreement = || f64::from(page.overlap(&found.kept).agreement());
        is_alternative && is_learned() && (is_other_kind() || agreement() < MIN_AGREEMENT)
    }

    /// The evidence of the template that found an article.
    fn evidence(&self, article: &Article) -> Option<&Evidence> {
        let origin = article.wrapper.as_ref()?;
        self.wrapper.templates[origin.template].evidence.as_ref()
    }

    /// Puts the fields that the matched template's expressions give into the article; if
    /// they give nothing that can be one, the metadata's stay. Gives their sources.
    fn fields(&self, page: &Page, found: &Match, out: &mut Article) -> FieldSources {
        self.drop_shared(page, out);
        let is_title = |title: &String| title.chars().count() <= MAX_TITLE_CHARS;
        let title = self.matcher.title(page, found).filter(is_title);
        let authors = names_of(&self.matcher.authors(page, found));
        let date = self.date(page, found, out.language.as_deref());
        let date = date.filter(|date| date.rfc3339.is_some() || out.date_published.is_none());
        let selected = FieldValues {
            title: title.as_deref(),
            authors: &authors,
            date_published: date.as_ref().and_then(|date| date.rfc3339.as_deref()),
        };
        let sources = FieldSources::of(&selected, &out.values());
        if let Some(title) = title {
            out.title = Some(title);
            out.warnings
                .retain(|warning| *warning != ArticleWarning::NoTitle);
        }
        if !authors.is_empty() {
            out.authors = authors;
        }
        // A date that cannot be read is better than none, not than another.
        if let Some(date) = date {
            out.date_published = date.rfc3339;
            out.date_published_raw = Some(date.raw);
        }
        let mut tags = self.matcher.tags(page, found);
        tags.truncate(MAX_VALUES);
        if tags.is_empty() {
            self.drop_tags_of_site(&mut out.tags);
        } else {
            out.tags = tags;
        }
        sources
    }

    /// Leaves out of the tags that a page's metadata names those that all pages of the
    /// sample named, where most of these are there: an article alone may have one of them.
    fn drop_tags_of_site(&self, tags: &mut Vec<String>) {
        let of_site = self.wrapper.expect.as_ref();
        let of_site = of_site.map_or(&[][..], |expect| &expect.tags);
        let here = of_site.iter().filter(|tag| tags.contains(tag)).count();
        if here as f64 >= OF_SITE * of_site.len() as f64 {
            tags.retain(|tag| !of_site.contains(tag));
        }
    }

    /// Leaves out what stands beside the text of all pages of the sample.
    fn drop_shared(&self, page: &Page, out: &mut Article) {
        let shared = self.wrapper.expect.as_ref();
        let shared = shared.map_or(&[][..], |expect| &expect.shared);
        if shared.is_empty() {
            return;
        }
        let said = page.metadata();
        if said.date_beside_text && shared.contains(&WrapperField::Date) {
            (out.date_published, out.date_published_raw) = (None, None);
        }
        let are_aside = said.authors_beside_text && !said.authors_near_title;
        if are_aside && shared.contains(&WrapperField::Author) {
            out.authors.clear();
        }
    }

    /// The date that the matched template's expressions give.
    fn date(&self, page: &Page, found: &Match, language: Option<&str>) -> Option<Date> {
        let (raw, format) = self.matcher.date(page, found)?;
        let style = DateStyle::of(language, page.url());
        Some(match format {
            None | Some("rfc3339") => Date::read_in(&raw, style),
            Some(format) => Date::read_as(&raw, format),
        })
    }

    /// A page that no template fits.
    pub fn no_match(&self, page: &ScoredPage<'_>, options: &Options) -> Article {
        let why = format!(
            "no template of the wrapper for {} selects an article on this page",
            self.wrapper.site
        );
        let mut out = fallback_of(page, options, &why);
        out.site = Some(self.wrapper.site.clone());
        out.warnings.extend(ArticleWarning::too_much(page));
        out
    }
}

/// True if the page itself says that it holds no article. The look of a list, or of
/// nothing, is outweighed by a wrapper that fits. A text before a wall counts, if it has
/// [`TEASER_WORDS`].
fn is_explicit(refusal: &Refusal, text: &str) -> bool {
    match refusal.kind {
        NoArticle::Challenge | NoArticle::Error => true,
        NoArticle::Consent | NoArticle::Login | NoArticle::Paywall => {
            words_up_to(text, TEASER_WORDS) < TEASER_WORDS
        }
        NoArticle::Shell => false,
    }
}

impl Wrapper {
    /// The article of one page. For many pages make an [`Extractor`] once.
    ///
    /// # Errors
    ///
    /// If one of the wrapper's expressions is no XPath 1.0.
    pub fn apply(&self, page: &Page, options: &Options) -> Result<Article> {
        Ok(Extractor::new(self.clone())?.extract(page, options))
    }
}

#[cfg(test)]
mod tests;
