//! Addresses of feeds as a user types them.

use forest_harvest::inputs::{self, RefusedReason};
use forest_sources::sources::address;
use url::Url;

/// The address of a typed feed: normalised; with `https`, if it is a bare host. `None` if it
/// is no address.
pub fn feed_address(typed: &str) -> Option<Url> {
    match inputs::address(typed) {
        Ok(url) => Some(url),
        Err(RefusedReason::NoAddress | RefusedReason::Scheme) => address(typed),
        Err(_) => None,
    }
}

/// The address of a feed in the archive: normalised, if it is an address.
pub fn feed_url(typed: &str) -> String {
    inputs::address(typed).map_or_else(|_| typed.to_owned(), String::from)
}
