//! What a page's article is: from a page and the mask of its body.
//!
//! Takes a [`Page`](crate::page::Page) and the [`Mask`](crate::page::Mask) that
//! says which of its nodes are the article's body; gives its text ([`fn@text`]).

mod shown;
#[cfg(test)]
mod tests;
mod text;

pub use text::text;
