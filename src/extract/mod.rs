//! What a page's article is: from a page and a wrapper, or the mask of its body,
//! to an [`Article`].
//!
//! Takes a [`Page`](crate::page::Page) and the [`Mask`](crate::page::Mask) that
//! says which of its nodes are the article's body; gives the [`Article`] with
//! what the page says of itself (its
//! [`metadata`](crate::page::metadata::metadata)) and the body in the forms that
//! are asked for:
//!
//! - [`text()`]: a line a block. Always made.
//! - [`markdown()`], [`html()`]: if [`Options`] ask for it.
//! - [`images()`]: the pictures with their captions.
//!
//! [`confidence`] says how likely the text and the fields are right: where a wrapper's
//! text is more likely wrong than right, the article is [`Status::Degraded`]. Where the page
//! says in the article's place that there is none, or asks for a login, a subscription or a
//! captcha, it is `empty` or `blocked`; of the 1,766 pages of the development gold none is.
//!
//! [`check`] says whether a wrapper still finds the articles of its site, and
//! [`tests_of`] takes pages and their texts for a wrapper's tests. Where it does not,
//! [`relearn`] learns it again, and proves the new wrapper before it replaces the old one.
//!
//! An [`Extractor`] finds the mask with a wrapper; [`one_page`] finds it by the shape
//! of this page alone. A page that no template fits falls back to that, and says so:
//! [`Status::Fallback`]. One that holds no article is [`Status::Empty`] or
//! [`Status::Blocked`].
//!
//! An article over several pages is put together by a [`Whole`]: see [`paging`].
//!
//! All go over the nodes between the first and the last kept one, once, without
//! recursion; none gives more than four bytes for each byte of the page.
//!
//! **Departures.** None: the papers end at the selected nodes. How text is broken
//! into lines, and what in a body is no text (the head, form controls, SVG: see
//! `shown`, with the figures), is ours.
//!
//! Text nodes that are kept are written with the formatting of the elements
//! around them, whether or not these are kept themselves, so that a mask of
//! subtrees and a mask of text blocks give the same.

mod apply;
mod article;
pub mod check;
pub mod confidence;
mod html;
mod images;
mod markdown;
mod onepage;
pub mod paging;
mod phrase;
pub mod relearn;
mod shown;
mod spoken;
#[cfg(test)]
mod tests;
mod text;
mod warning;

pub use apply::Extractor;
pub use article::{Article, Captions, Options, Origin, SCHEMA, Status, article};
pub use html::{html, name_pictures, sanitise};
pub use images::{Image, images, without_captions};
pub(crate) use markdown::escape::push as escape_markdown;
pub use markdown::markdown;
pub use onepage::{fallback, one_page};
pub use paging::Whole;
pub use phrase::tests_of;
pub use shown::is_unread;
pub use spoken::language;
pub use text::text;
pub use warning::Warning;
