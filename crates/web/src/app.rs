//! The state that all pages and the proxy need: the names of the server, its password, the token of its forms,
//! requests to other servers, and the cores that its clients take turns on.

use super::access::{PageAccess, SessionMemory};
use super::collect::BodyRoom;
use super::cores::Cores;
use super::header_list::list;
use super::token::{FormToken, random_name};
use crate::error::Result;
use axum::http::header::{self, HeaderMap, HeaderValue};
use forest_fetch::Relay;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Options, set before anything is served.
#[derive(Debug)]
pub struct WebOptions {
    /// Further names of the server.
    pub hosts: Vec<String>,
    /// The hash of the password, if there is one.
    pub password_hash: Option<String>,
    /// The secret in the addresses of feeds.
    pub feed_key: Option<String>,
    /// The token of forms.
    pub form_token: FormToken,
    /// Keeps sessions beyond this run.
    pub session_memory: Option<Arc<dyn SessionMemory>>,
    /// Pages may be fetched from private and loopback addresses.
    pub allow_private: bool,
    /// Room for all pages that are read whole at once, packed and unpacked.
    pub room_bytes: usize,
    /// The time in which a page has to be whole.
    pub whole_within: Duration,
    /// The page that a person wants first, relative to `/`.
    pub first_page: &'static str,
}

/// See the file's page.
#[derive(Debug)]
pub struct WebApp {
    pub hosts: Vec<String>,
    /// The password of the pages; `None`: they have none.
    pub access: Option<Arc<PageAccess>>,
    pub token: FormToken,
    /// The name of this server on the way of a request (RFC 9110, 7.6.3); no other has it.
    pub via: HeaderValue,
    pub relay: Relay,
    pub room: BodyRoom,
    pub cores: Arc<Cores>,
    pub first_page: &'static str,
    /// Rules behind those of the style of all pages, as a person chose them.
    chosen_style: Mutex<&'static str>,
}

impl WebApp {
    /// The state of a server.
    ///
    /// # Errors
    ///
    /// If there is no client for this machine's TLS, or the password's hash is none.
    pub fn new(options: WebOptions) -> Result<WebApp> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let feed_key = options.feed_key.as_deref();
        let access = match &options.password_hash {
            Some(hash) => Some(PageAccess::new(hash, feed_key)?),
            None => None,
        };
        let access = access.map(|access| match options.session_memory {
            Some(memory) => access.with_memory(memory),
            None => access,
        });
        Ok(WebApp {
            hosts: options.hosts,
            access: access.map(Arc::new),
            token: options.form_token,
            via: HeaderValue::try_from(format!("1.1 forest-{}", random_name()))
                .expect("letters, digits, hyphens"),
            relay: Relay::new(options.allow_private)?,
            room: BodyRoom::new(options.room_bytes, options.whole_within),
            cores: Arc::new(Cores::new(cores)),
            first_page: options.first_page,
            chosen_style: Mutex::default(),
        })
    }

    /// The rules behind those of the style of all pages.
    pub fn chosen_style(&self) -> &'static str {
        *self
            .chosen_style
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Chooses these rules, from the next page on.
    pub fn choose_style(&self, rules: &'static str) {
        *self
            .chosen_style
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = rules;
    }

    /// The end of addresses of feeds for feed readers: the secret, if there is a password.
    pub fn feed_query(&self) -> String {
        let access = self.access.as_ref();
        access.map_or_else(String::new, |access| format!("?key={}", access.feed_key()))
    }

    /// True if a request went through this server before.
    pub fn came_through(&self, headers: &HeaderMap) -> bool {
        let ours = self.via.to_str().unwrap_or_default();
        list(headers, &header::VIA).any(|hop| hop == ours)
    }
}
