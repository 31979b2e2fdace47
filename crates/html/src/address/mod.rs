//! Addresses of pages: which page an address names, on which site, and which page of
//! which article.
//!
//! Takes addresses as text or [`Url`](url::Url); gives names to compare. Nothing is
//! dialled and no file is touched; which addresses may be dialled is decided in `fetch`.
//!
//! - [`page_key`]: the name of a page. Two addresses with one key are one page.
//! - [`site_of`]: the name of a site, under which its wrapper is kept.
//! - [`may_be_canonical`], [`own_address`]: which canonical links count.
//! - [`Address`], [`Series`]: the pages of one article.
//! - [`AddressShape`]: what the segments of an address are, by which pages made alike are known.
//! - [`web_address`], [`web_link`]: addresses of the Web, read from text.
//!
//! # The normal form of a page
//!
//! | part of an address | in the key | in [`Series`] |
//! | --- | --- | --- |
//! | scheme, user name, fragment | left out | left out |
//! | host | lower case, without the dot at its end and `www.` | the same |
//! | port | kept where it is not the scheme's own | the same |
//! | path | dots resolved, without the slashes at its end | empty segments and the name of an index file left out, too |
//! | tracking parameters | left out | left out |
//! | other parameters | as written, in their order | decoded, sorted by name |
//! | text that is no address | without the white space around it | is not an address |
//! | more than 1,000 bytes | the end is replaced by its digest | kept |
//!
//! A series is compared in a looser form because pagers write one page in several ways.
//! The key of an archive's row must not be: `?a=1&b=2` and `?b=2&a=1` may be two pages.

mod canonical;
mod key;
mod series;
mod shape;
mod site;
mod web;

pub use canonical::{may_be_canonical, own_address};
pub use key::page_key;
pub use series::{Address, Series};
pub use shape::{AddressShape, SHAPE_SEGMENTS, SegmentForm};
pub use site::{bare_host, bare_site, most_frequent, site_of};
pub use web::{
    MAX_URL_BYTES, has_credentials, is_reserved, is_web, web_address, web_link,
    without_feed_scheme, without_fragment,
};
