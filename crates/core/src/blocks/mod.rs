//! `blocks`: a page as blocks of text in containers.
//!
//! Takes a [`Page`](forest_html::page::Page), or a view of what is left of one. Gives its
//! [`Layout`]: the text between borders of block elements, or between two `br`, each in the
//! containers around it; and the [`PageFacts`], what is counted once for all that ask what a
//! page is ([`kind`](crate::kind)) and which of its blocks are its main text
//! ([`onepage`](crate::onepage)).
//!
//! - `counts`: the words of a text and the shape of their letters.
//! - `roles`: the role of a container, by its tag and the names in its attributes.
//! - `layout`: blocks and containers, in one pass over the page.
//! - `topic`: the words of the page's title and summary, and its headline.
//! - `facts`: sums over the blocks, and the containers that look the same.
//!
//! Linear in the page.

mod counts;
mod facts;
mod layout;
mod roles;
mod topic;

pub(crate) use facts::{BlockSums, ContainerFacts, PageFacts};
pub(crate) use layout::{BlockId, ContainerId, FAR, Layout, LayoutBlock, LayoutContainer, share};
pub(crate) use roles::ContainerRole;
