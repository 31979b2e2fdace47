//! The description that a page gives of itself.

use super::date::Date;

/// A page's description of itself. White space in strings is folded and entities that
/// were escaped twice are decoded; no string is empty.
///
/// ```
/// use forest_html::page::Page;
///
/// let page = Page::from_html(
///     "<html lang=en><title>Rain | The Paper</title><meta property=og:site_name content='The Paper'>
///      <meta name=author content='A. Reporter'><time itemprop=datePublished datetime=2024-03-05>today</time>",
/// );
/// let metadata = page.metadata();
/// assert_eq!(metadata.title.as_deref(), Some("Rain"));
/// assert_eq!(metadata.authors, ["A. Reporter"]);
/// assert_eq!(metadata.date_published.as_ref().unwrap().rfc3339.as_deref(), Some("2024-03-05T00:00:00Z"));
/// assert_eq!(metadata.language.as_deref(), Some("en"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// JSON-LD `headline`, `og:title`, `citation_title`, `dc.title`, Parse.ly and
    /// Sailthru, `twitter:title`, `itemprop=headline`, `title`, the first heading that is not
    /// the site's name (`h1` before `h2` and `h3`).
    /// A heading of the first level is the title if another of these values equals it, if it says
    /// the same in other words, if it is the page's only one and about the same subject, or if it
    /// is the page's own, whoever else is called so. Headings are read without a kicker.
    /// The site's name is cut off where the page proves what it is: its
    /// `og:site_name` and the like, its host (`valley-paper` is The Valley Paper), the text of its links to the home
    /// page or to the section it is in, or a heading that is the rest.
    pub title: Option<String>,
    /// `og:description`, JSON-LD, `meta name=description`, `twitter:description`.
    pub description: Option<String>,
    /// JSON-LD `author`, `meta` (`author`, `article:author`, `citation_author`,
    /// `dc.creator`, ...), `itemprop=author`, `rel=author`, a class or an id that names an
    /// author, a link to an author's page, a byline by its class, a line such as `Posted by
    /// Jane Doe`. Of those in the body the first of the best kind with its neighbours; none
    /// in side bars and among comments, and those beside the title before others. Addresses and
    /// `@handles` are no names; the site's, its publisher's or a company's is one where no source gives
    /// another. One word, or the site's host, in the head gives way to full names beside the title.
    pub authors: Vec<String>,
    /// True if the authors come from a class, a link or a line in the body alone.
    pub authors_beside_text: bool,
    /// True if they do, and stand beside the title, or no heading shows one.
    pub authors_near_title: bool,
    /// JSON-LD, `article:published_time`, the other vocabularies, `itemprop=datePublished`, `time`
    /// with `pubdate`; else what the page shows: a `time`, a class or an id that names a date, a
    /// label or an author's line, a short line beside the title; the day in the page's address
    /// (`/2024/03/05/`) comes behind those beside the title, the day at an end of the title
    /// last. Days of changes, comments, quotations and other pages are none. A source that can
    /// be read comes before one that cannot.
    pub date_published: Option<Date>,
    /// True if the date comes from a class, a line or the title alone.
    pub date_beside_text: bool,
    /// JSON-LD, `article:modified_time`, `og:updated_time`, the other
    /// vocabularies, `itemprop=dateModified`.
    pub date_modified: Option<Date>,
    /// A language tag as the page has it: `html lang`, `content-language`,
    /// `og:locale`, JSON-LD `inLanguage`, `dc.language`.
    pub language: Option<String>,
    /// `og:image`, JSON-LD `image`, `twitter:image`, `link rel=image_src`;
    /// absolute where the page's address is known.
    pub images: Vec<String>,
    /// `og:site_name`, JSON-LD `WebSite` or `publisher`, `application-name`.
    pub site_name: Option<String>,
    /// `link rel=canonical`, `og:url`, JSON-LD `url`; absolute where the page's
    /// address is known.
    pub canonical: Option<String>,
    /// `article:tag`, JSON-LD `keywords`, `news_keywords`, Parse.ly and Sailthru,
    /// `keywords`, `rel=tag` outside of side bars, menus and footers (`aside`, `nav` and
    /// `footer` that are not in an `article` or a `main`).
    pub tags: Vec<String>,
    /// JSON-LD `articleBody` of the article that describes the page, without markup.
    pub article_body: Option<String>,
    /// `og:type`.
    pub og_type: Option<String>,
    /// `meta name=generator`: the tool that made the page.
    pub generator: Option<String>,
    /// The first `@type` of every JSON-LD object, however deep, each once, in document
    /// order.
    pub schema_types: Vec<String>,
    /// True if JSON-LD `isAccessibleForFree` is false.
    pub is_sold: bool,
}
