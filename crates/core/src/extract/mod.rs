//! The article of a page: from a page and a wrapper, or the mask of its body,
//! to an [`Article`].
//!
//! Takes a [`Page`](forest_html::page::Page) and the [`Mask`](forest_html::page::Mask) that
//! says which of its nodes are the article's body; gives the [`Article`] with
//! what the page says of itself (its
//! [`metadata`](forest_html::page::metadata)) and the body in the forms that
//! are asked for:
//!
//! - [`text`](crate::render::text()): a line a block. Always made.
//! - [`markdown`](crate::render::markdown()), [`html`](crate::render::html()): if [`Options`]
//!   ask for it.
//! - [`images`](crate::render::images()): the pictures with their captions.
//!
//! [`confidence`] says how likely the text and the fields are right: where a wrapper's
//! text is more likely wrong than right, the article is [`Status::Degraded`]. Where the page
//! says in the article's place that there is none, or asks for a login, a subscription or a
//! captcha, it is `empty` or `blocked`; of the 1,766 pages of the development gold none is.
//!
//! [`tests_of`] takes pages and their texts for a wrapper's tests.
//!
//! An [`Extractor`] finds the mask with a wrapper; [`one_page`] finds it by the shape
//! of this page alone. A page that no template fits falls back to that, and says so:
//! [`Status::Fallback`]. One that holds no article is [`Status::Empty`] or
//! [`Status::Blocked`].
//!
//! [`list`]: the items of a page that lists articles.
//!
//! An article over several pages is put together by a [`PagedArticle`]: see [`paging`].
//!
//! **Departures.** None: the papers end at the selected nodes.

mod apply;
mod article;
pub mod by_site;
pub mod confidence;
pub mod list;
mod onepage;
mod own_text;
mod paging;
mod parts;
mod phrase;
mod spoken;
#[cfg(test)]
mod tests;
mod warning;

pub use crate::kind::PageKind;
pub use crate::onepage::ScoredPage;
pub use crate::refusal::NoArticle;
pub use crate::render::{EmbedHosts, Image, TextStyle};
pub use apply::Extractor;
pub use article::{Article, ArticleOrigin, CaptionPlace, Options, SCHEMA, Status, article};
pub use by_site::{NoWrapper, SiteExtractors, WrapperSource};
pub use confidence::FieldConfidence;
pub use forest_html::text::Language;
pub use onepage::{fallback, one_page};
pub use own_text::of_json;
pub use paging::PagedArticle;
pub use parts::{PagePart, PagePartKind};
pub use phrase::tests_of;
pub use spoken::language;
pub use warning::ArticleWarning;
