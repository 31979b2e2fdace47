//! The interfaces of feed readers: their feeds, and the selectors in the settings of these.
//!
//! - `service`: a reader's feeds, settings and requests, which its caller sends.
//! - `miniflux`, `freshrss`: two readers.
//! - `outcome`: the settings that a feed is to get.

mod freshrss;
mod miniflux;
mod outcome;
mod service;

pub use freshrss::FreshRss;
pub use miniflux::Miniflux;
pub use outcome::PushOutcome;
pub use service::{
    FeedReader, ReaderNetwork, ReaderRequest, ReaderVerb, Service, Subscription, UnreadEntry,
};
