//! The kept nodes of a page as text, HTML and Markdown, and the pictures among them.
//!
//! Takes a [`Page`](forest_html::page::Page) and the [`Mask`](forest_html::page::Mask) of an article's
//! body; gives the body in the form that is asked for:
//!
//! - [`text()`]: a line a block.
//! - [`markdown()`], [`html()`]: sanitised, with absolute addresses.
//! - [`images()`]: the pictures with their captions.
//!
//! [`ShownHead`] takes out of that HTML what stands above it: title, authors and date.
//!
//! All go over the nodes between the first and the last kept one, once, without
//! recursion; none gives more than four bytes for each byte of the page, but for formulas in HTML.
//!
//! **Departures.** None: the papers end at the selected nodes. How text is broken
//! into lines, and what in a body is no text (the head, form controls, SVG: see
//! `shown`, with the figures), is ours.
//!
//! Text nodes that are kept are written with the formatting of the elements
//! around them, whether or not these are kept themselves, so that a mask of
//! subtrees and a mask of text blocks give the same.

mod anchors;
mod code;
mod embed;
mod footnotes;
mod head;
mod html;
mod images;
mod items;
mod markdown;
mod media;
mod quote;
mod raised;
mod shown;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use code::line_numbers;
pub use embed::EmbedHosts;
pub use head::ShownHead;
pub use html::html_in_whole_texts;
pub use html::{Substitutes, html_within};
pub use html::{html, name_pictures, sanitise};
pub use html::{item_html, paragraphs};
pub use images::{Image, images, with_captions, without_captions};
pub use images::{MAX_IMAGES, PictureNames, image_url};
pub use markdown::escape::push as escape_markdown;
pub use markdown::markdown;
pub use media::{PartlyKept, partly_kept, with_media};
pub use quote::marks as quotation_marks;
pub use shown::{is_deleted, is_reading, is_unread};
pub use table::is_data_table;
pub use text::styled_text;
pub use text::{TextStyle, text};
