//! The article record.

use super::confidence::{FieldConfidence, FieldValues};
use super::parts::PagePart;
use super::warning::ArticleWarning;
use crate::kind::{KindScores, PageKind};
use crate::onepage::Favor;
use crate::render::{
    self, EmbedHosts, Image, PartlyKept, PictureNames, ShownHead, Substitutes, TextStyle, images,
    partly_kept, styled_text, with_captions, with_media, without_captions,
};
use forest_html::address::{own_address, site_of};
use forest_html::page::links::Base;
use forest_html::page::metadata::{MAX_VALUES, names};
use forest_html::page::{Mask, Page};
use forest_html::text::Language;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The version of the record: the field `schema` of every line.
pub const SCHEMA: u32 = 1;

/// The status of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The wrapper found the article.
    Ok,
    /// The wrapper found something that is unlike an article: more likely wrong than
    /// right, see [`confidence`](super::confidence).
    Degraded,
    /// A one-page extractor found the text, no wrapper: the page is of another kind than the
    /// wrapper's, or no template fits. Or the wrapper says no more than what is stripped and kept.
    Fallback,
    /// Nothing was found on the page.
    #[default]
    Empty,
    /// The page is a challenge, a consent wall, a login or a paywall.
    Blocked,
    /// The page could not be read or fetched.
    Error,
}

impl Status {
    /// All statuses.
    pub const ALL: [Status; 6] = [
        Status::Ok,
        Status::Degraded,
        Status::Fallback,
        Status::Empty,
        Status::Blocked,
        Status::Error,
    ];

    /// Its name in records, tables and metrics.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Degraded => "degraded",
            Status::Fallback => "fallback",
            Status::Empty => "empty",
            Status::Blocked => "blocked",
            Status::Error => "error",
        }
    }

    /// The status with this name.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// The wrapper that found an article.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleOrigin {
    /// The wrapper's site.
    pub site: String,
    /// When it was learned, RFC 3339.
    pub learned: Option<String>,
    /// The index of the template that matched, from 0.
    pub template: usize,
    /// The expression that selected the body; empty where the template has none and the
    /// page's own shape showed it.
    pub xpath: String,
}

/// The record of one page: one line of JSONL.
///
/// The fields stand in this order in every record, and all of them stand in every
/// record: what is not known is `null` (lists: `[]`), so that the lines of a
/// file have the same columns. Reading tolerates missing fields and unknown ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Article {
    /// The record's version, [`SCHEMA`].
    pub schema: u32,
    /// The page's name among its input: `<folder>/<stem>`, else its address.
    pub id: String,
    /// The page's own address: its canonical one where it names one.
    pub url: Option<String>,
    /// The address that the page was read from.
    pub fetched_url: Option<String>,
    /// The site whose page it is.
    pub site: Option<String>,
    /// The title, without the site's name.
    pub title: Option<String>,
    /// The text, a line a block: see [`text`](fn@crate::render::text).
    pub text: String,
    /// Clean HTML, if asked for: see [`html`](fn@crate::render::html).
    pub html: Option<String>,
    /// Names of the authors.
    pub authors: Vec<String>,
    /// RFC 3339; see [`Date`](forest_html::page::metadata::Date) for dates without
    /// time or zone.
    pub date_published: Option<String>,
    /// The date as it stood on the page.
    pub date_published_raw: Option<String>,
    /// RFC 3339.
    pub date_modified: Option<String>,
    /// The date as it stood on the page.
    pub date_modified_raw: Option<String>,
    /// When the page was fetched, RFC 3339.
    pub date_fetched: Option<String>,
    /// The language of the text: ISO 639-1.
    pub language: Option<String>,
    /// The article's pictures; where its body has none, the page's own picture.
    pub images: Vec<Image>,
    /// The page's keywords.
    pub tags: Vec<String>,
    /// The wrapper that found the article.
    pub wrapper: Option<ArticleOrigin>,
    /// The kind of the page; `null` where nobody judged, as on a wall.
    pub kind: Option<PageKind>,
    /// The probability of that kind, 0 to 1; `null` where the page fits a template of its site,
    /// which is for articles.
    pub kind_confidence: Option<f64>,
    /// The status of the page.
    pub status: Status,
    /// The probability that the text is right (an F1 of 0.9 or more), 0 to 1: see
    /// [`confidence`](super::confidence). Of an article over several pages that of the
    /// first. Of `empty` and `blocked`: how likely that is.
    /// `null` where nobody judged.
    pub confidence: Option<f64>,
    /// The probability that title, authors and day are right, 0 to 1; `null` for those that are
    /// not there or that nobody judged.
    pub field_confidence: FieldConfidence,
    /// Warnings about the way it was made.
    pub warnings: Vec<ArticleWarning>,
    /// Why there is no article, for `blocked` and `error`.
    pub error: Option<String>,
    /// The addresses of the pages that the text is from, in their order, where it
    /// is not from the page alone.
    pub pages: Vec<String>,
    /// The posts of a thread or the items of a list, which `text` has in the same order.
    pub parts: Vec<PagePart>,
    /// Markdown, if asked for: see [`markdown`](fn@crate::render::markdown). Not a field
    /// of the record.
    #[serde(skip)]
    pub markdown: Option<String>,
    /// The text as [`Options::with_prose`]'s writer writes it, if there is one. Not a
    /// field of the record.
    #[serde(skip)]
    pub prose: Option<String>,
}

impl Default for Article {
    /// An empty record: [`Status::Empty`], everything else unknown.
    fn default() -> Self {
        Article {
            schema: SCHEMA,
            id: String::new(),
            url: None,
            fetched_url: None,
            site: None,
            title: None,
            text: String::new(),
            html: None,
            authors: Vec::new(),
            date_published: None,
            date_published_raw: None,
            date_modified: None,
            date_modified_raw: None,
            date_fetched: None,
            language: None,
            images: Vec::new(),
            tags: Vec::new(),
            wrapper: None,
            kind: None,
            kind_confidence: None,
            status: Status::Empty,
            confidence: None,
            field_confidence: FieldConfidence::default(),
            warnings: Vec::new(),
            error: None,
            pages: Vec::new(),
            parts: Vec::new(),
            markdown: None,
            prose: None,
        }
    }
}

impl Article {
    /// Puts in what the page is.
    pub(super) fn set_kind(&mut self, scores: &KindScores) {
        let kind = scores.kind();
        self.kind = Some(kind);
        let sure = f64::from(scores.of(kind));
        self.kind_confidence = Some((sure * 1000.0).round() / 1000.0);
    }

    /// The record of a page that was read from this address.
    #[doc(hidden)]
    pub fn read_from(mut self, url: Option<&str>) -> Article {
        if self.site.is_none() {
            self.site = site_of(url);
        }
        self.fetched_url = url.map(str::to_owned);
        self
    }

    /// The values of the fields with a confidence.
    pub fn values(&self) -> FieldValues<'_> {
        FieldValues {
            title: self.title.as_deref(),
            authors: &self.authors,
            date_published: self.date_published.as_deref(),
        }
    }
}

/// The options of extraction.
///
/// ```
/// use forest_core::extract::Options;
///
/// let options = Options::default().with_html(true);
/// assert!(options.html() && !options.markdown());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    without_confidence: bool,
    html: bool,
    markdown: bool,
    captions: CaptionPlace,
    text_style: TextStyle,
    favor: Favor,
    names: Substitutes,
    prose: Option<ProseWriter>,
    stop: Option<StopCheck>,
}

/// A way to write what is kept of a page: the stage that normalises text comes behind
/// this one and works on the same mask.
#[derive(Clone)]
struct ProseWriter(Arc<WriteProse>);

type WriteProse = dyn Fn(&Page, &Mask) -> String + Send + Sync;

impl fmt::Debug for ProseWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProseWriter")
    }
}

/// A way to learn that nobody waits for an article any more.
#[derive(Clone)]
struct StopCheck(Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for StopCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StopCheck")
    }
}

/// The place of the captions of pictures. [`Article::images`], HTML and Markdown have them
/// in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CaptionPlace {
    /// In the text, too, where the wrapper or the page's own shape has them there.
    #[default]
    Learned,
    /// In the text, too, all of them: also those that a learned strip leaves out.
    Text,
    /// Nowhere else.
    Images,
}

impl Options {
    /// If false, an article by a wrapper has no [`Article::confidence`] and is never
    /// [`Status::Degraded`]: no block scores are computed for it, which take about a fifth
    /// of the time of a parse. Default: true.
    #[must_use]
    pub fn with_confidence(mut self, confidence: bool) -> Self {
        self.without_confidence = !confidence;
        self
    }

    /// True if [`Article::html`] is made: it costs a second parse of the article.
    /// Default: no.
    #[must_use]
    pub fn with_html(mut self, html: bool) -> Self {
        self.html = html;
        self
    }

    /// True if [`Article::markdown`] is made. Default: no.
    #[must_use]
    pub fn with_markdown(mut self, markdown: bool) -> Self {
        self.markdown = markdown;
        self
    }

    /// The place of captions. Default: [`CaptionPlace::Learned`].
    #[must_use]
    pub fn with_captions(mut self, captions: CaptionPlace) -> Self {
        self.captions = captions;
        self
    }

    /// The style of [`Article::text`]. Default: [`TextStyle::Plain`].
    #[must_use]
    pub fn with_text_style(mut self, style: TextStyle) -> Self {
        self.text_style = style;
        self
    }

    /// The side on which doubtful blocks of a page without a wrapper are decided. Default:
    /// [`Favor::Balance`].
    #[must_use]
    pub fn with_favor(mut self, favor: Favor) -> Self {
        self.favor = favor;
        self
    }

    pub(super) fn favor(&self) -> Favor {
        self.favor
    }

    /// Names that HTML and Markdown have in the place of pictures' addresses, by these:
    /// files that were stored. The record's `images` keep their addresses. Default: none.
    #[must_use]
    pub fn with_picture_names(mut self, names: HashMap<String, String>) -> Self {
        self.names.pictures = PictureNames::new(names);
        self
    }

    /// Hosts whose frames (`iframe`) stay frames in HTML. All other frames, videos and
    /// sounds are links, with their titles and posters. Default: none.
    #[must_use]
    pub fn with_frames(mut self, hosts: EmbedHosts) -> Self {
        self.names.frames = hosts;
        self
    }

    /// Besides the text, writes [`Article::prose`] of the body. Of an article over
    /// several pages that of each, one behind the other. Default: no.
    ///
    /// ```
    /// use forest_core::extract::{Options, article};
    /// use forest_html::page::{Mask, Page};
    ///
    /// let loud = |page: &Page, body: &Mask| forest_core::render::text(page, body).to_uppercase();
    /// let options = Options::default().with_prose(loud);
    /// let page = Page::from_html("<p>Take salt.");
    /// let article = article(&page, &Mask::all(&page), &options);
    /// assert_eq!(article.prose.unwrap(), "TAKE SALT.");
    /// ```
    #[must_use]
    pub fn with_prose(
        mut self,
        write: impl Fn(&Page, &Mask) -> String + Send + Sync + 'static,
    ) -> Self {
        self.prose = Some(ProseWriter(Arc::new(write)));
        self
    }

    /// Asks between the steps of an extraction if anybody still waits for the article. If not,
    /// it is left as it is, without what would have come: it is good for nothing.
    #[must_use]
    pub fn with_stop(mut self, is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.stop = Some(StopCheck(Arc::new(is_stopped)));
        self
    }

    /// True if nobody waits for the article any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| (stop.0)())
    }

    /// True if articles get a confidence.
    pub fn confidence(&self) -> bool {
        !self.without_confidence
    }

    /// The place of captions.
    pub fn captions(&self) -> CaptionPlace {
        self.captions
    }

    /// True if [`Article::html`] is made.
    pub fn html(&self) -> bool {
        self.html
    }

    /// True if [`Article::markdown`] is made.
    pub fn markdown(&self) -> bool {
        self.markdown
    }
}

/// The article of a page whose body is `body`.
///
/// Gives [`Status::Ok`] if there is text and [`Status::Empty`] if not. What a page
/// cannot know of itself is left for the caller to fill in: `site`, `wrapper`,
/// `date_fetched`, `confidence` and `field_confidence`, an `id` other than the page's address, and the
/// statuses that need a wrapper.
///
/// ```
/// use forest_core::extract::{Options, Status, article};
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<html lang=en><title>Rain</title><p>It rained <a href=/>all</a> day.");
/// let article = article(&page, &Mask::all(&page), &Options::default().with_markdown(true));
/// assert_eq!(article.title.as_deref(), Some("Rain"));
/// assert_eq!(article.status, Status::Ok);
/// assert_eq!(article.markdown.unwrap(), "It rained [all](/) day.\n");
/// ```
pub fn article(page: &Page, body: &Mask, options: &Options) -> Article {
    let base = Base::of(page);
    let said = page.metadata();
    let spoken = match options.captions {
        CaptionPlace::Learned => Cow::Borrowed(body),
        CaptionPlace::Text => Cow::Owned(with_captions(page, body)),
        CaptionPlace::Images => Cow::Owned(without_captions(page, body)),
    };
    let text = styled_text(page, &spoken, options.text_style);
    let shown = with_media(page, body);
    let mut warnings: Vec<ArticleWarning> = page
        .warnings()
        .iter()
        .map(|&w| ArticleWarning::Page(w))
        .collect();
    let PartlyKept { tables, lists } = partly_kept(page, body);
    if tables + lists > 0 {
        warnings.push(ArticleWarning::PartlyKept { tables, lists });
    }
    let from_json = page.json_place().filter(|_| !text.is_empty()).cloned();
    warnings.extend(from_json.map(ArticleWarning::OwnJson));
    let mut bounded = |(text, cut): (String, bool)| {
        if cut && !warnings.contains(&ArticleWarning::MarkupCut) {
            warnings.push(ArticleWarning::MarkupCut);
        }
        text
    };
    let goes_on = !options.is_stopped();
    let html = (options.html && goes_on)
        .then(|| bounded(render::html_within(page, &shown, &base, &options.names)));
    let goes_on = !options.is_stopped();
    let markdown = (options.markdown && goes_on).then(|| {
        bounded(render::markdown(
            page,
            &shown,
            &base,
            &options.names.pictures,
        ))
    });
    let prose = options.prose.as_ref().map(|write| write.0(page, &spoken));
    let mut images = images(page, &shown, &base);
    if images.is_empty() && !text.is_empty() {
        images.extend(said.images.first().map(|url| Image {
            url: url.clone(),
            caption: None,
        }));
    }
    let hint = said.language.as_deref();
    let language = language_tag(super::language(page, &spoken, &text, hint), hint);
    let (date_published, date_published_raw) = said
        .date_published
        .clone()
        .map(|d| (d.rfc3339, d.raw))
        .unzip();
    let (date_modified, date_modified_raw) = said
        .date_modified
        .clone()
        .map(|d| (d.rfc3339, d.raw))
        .unzip();
    let unread = [
        ("published", &date_published, &date_published_raw),
        ("modified", &date_modified, &date_modified_raw),
    ];
    for (what, read, raw) in unread {
        if let (Some(None), Some(raw)) = (read, raw) {
            warnings.push(ArticleWarning::DateUnread {
                what,
                raw: raw.clone(),
            });
        }
    }
    if said.title.is_none() && !text.is_empty() {
        warnings.push(ArticleWarning::NoTitle);
    }
    let fetched_url = page.url().map(str::to_owned);
    Article {
        id: fetched_url.clone().unwrap_or_default(),
        url: own_address(said.canonical.as_deref(), page.url()),
        fetched_url,
        title: said.title.clone(),
        status: if text.is_empty() {
            Status::Empty
        } else {
            Status::Ok
        },
        text,
        html,
        authors: names_of(&said.authors),
        date_published: date_published.flatten(),
        date_published_raw,
        date_modified: date_modified.flatten(),
        date_modified_raw,
        language,
        images,
        tags: said.tags.clone(),
        warnings,
        markdown,
        prose,
        ..Article::default()
    }
}

impl Article {
    /// The facts that stand above its text, under this title.
    pub fn head<'a>(&'a self, title: &'a str) -> ShownHead<'a> {
        ShownHead {
            title,
            authors: &self.authors,
            tags: &self.tags,
            date: self.date_published.as_deref(),
            language: self.language.as_deref(),
        }
    }

    /// Takes from a feed what its article's page does not say: the authors and the tags.
    ///
    /// ```
    /// let mut article = forest_core::extract::Article::default();
    /// article.tags = vec!["Ferries".to_owned()];
    /// article.complete(&["@jane".to_owned(), "Jane Doe".to_owned()], &["News".to_owned()]);
    /// assert_eq!((article.authors, article.tags), (vec!["Jane Doe".to_owned()], vec!["Ferries".to_owned()]));
    /// ```
    pub fn complete(&mut self, authors: &[String], tags: &[String]) {
        if self.authors.is_empty() {
            self.authors = names_of(authors);
        }
        if self.tags.is_empty() {
            let tags = tags.iter().filter(|tag| !tag.trim().is_empty());
            self.tags = tags.take(MAX_VALUES).cloned().collect();
        }
    }
}

/// The names in bylines, each once.
pub(super) fn names_of(bylines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in bylines.iter().flat_map(|byline| names(byline)) {
        if !out.contains(&name) && out.len() < MAX_VALUES {
            out.push(name);
        }
    }
    out
}

/// Languages whose texts are hard to tell apart.
const NEAR_RELATIVES: [&[&str]; 5] = [
    &["hr", "sr", "bs", "sh"],
    &["no", "nn"],
    &["pt", "gl"],
    &["es", "gl"],
    &["id", "ms"],
];

/// The tag of a text's language; where that is not known, or is a near relative of what the
/// page says, what that says.
fn language_tag(found: Language, said: Option<&str>) -> Option<String> {
    let said = said.and_then(|tag| {
        let primary = tag.split(['-', '_']).next()?.trim().to_ascii_lowercase();
        let is_code =
            matches!(primary.len(), 2 | 3) && primary.bytes().all(|b| b.is_ascii_alphabetic());
        is_code.then_some(primary)
    });
    let are_near = |said: &String| {
        let mut groups = NEAR_RELATIVES.iter();
        groups.any(|group| group.contains(&found.tag()) && group.contains(&&**said))
    };
    match found {
        Language::Unknown => said,
        known => Some(
            said.filter(are_near)
                .unwrap_or_else(|| known.tag().to_owned()),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_knows_its_language_from_near_relatives() {
        let tag = |found, said| language_tag(found, said).unwrap_or_default();
        assert_eq!(tag(Language::Croatian, Some("sr-Latn")), "sr");
        assert_eq!(tag(Language::Norwegian, Some("nn_NO")), "nn");
        assert_eq!(tag(Language::Portuguese, Some("gl")), "gl");
        assert_eq!(tag(Language::Croatian, Some("en")), "hr");
        assert_eq!(tag(Language::German, Some("gl")), "de");
        assert_eq!(tag(Language::Unknown, Some("gl-ES")), "gl");
        assert_eq!(language_tag(Language::Unknown, Some("x")), None);
    }
}
