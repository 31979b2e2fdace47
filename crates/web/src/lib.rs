//! The base of a server for one person: who may have a connection, which requests are let through,
//! the password, work in turns, and the frame of a page.
//!
//! An inner crate of `forest-wrappers`: its interface may change with any version. The pages of
//! `forest-serve` and the proxy of `forest-proxy` stand on it, and do not know each other.
//!
//! - [`app`]: the state that all pages and the proxy need; [`shared_filter`]: the filter that they
//!   share; [`ad_status`]: its lists of advertisements.
//! - [`server`], [`places`], [`connection`], [`timed_body`], [`clients`]: connections, who may have
//!   one, and for how long; [`tls`]: HTTPS of a server's own.
//! - [`access`], [`login`], [`wrong_passwords`]: the password of the pages, if they have one.
//! - [`guard`], [`token`]: requests that a foreign page thought of are refused.
//! - [`cores`], [`permits`]: work on a core, which ends with its request, and for which clients take
//!   turns; [`served_state`]: the state, for the client of one request.
//! - [`figures`]: those of a harvest, at `/metrics`, with [`bounded`] connections.
//! - [`links`]: addresses of our own pages; [`front`]: where `/` leads, and the page of unknown paths.
//! - [`shell`], [`form_fields`], [`answers`]: the frame of a page, a form, plain answers.
//! - [`encodings`], [`collect`], [`header_list`]: bodies unpacked and read whole, within limits.

pub mod access;
pub mod ad_status;
pub mod answers;
pub mod app;
pub mod app_guard;
pub mod bounded;
pub mod clients;
pub mod collect;
pub mod connection;
pub mod cores;
pub mod encodings;
pub mod error;
pub mod figures;
pub mod form_fields;
pub mod front;
pub mod guard;
pub mod header_list;
pub mod links;
pub mod login;
pub mod permits;
pub mod places;
pub mod served_state;
pub mod server;
pub mod shared_filter;
pub mod shell;
pub mod timed_body;
pub mod tls;
pub mod token;
pub mod wrong_passwords;

pub use error::{Error, Result};

/// The host under which the pages of the proxy are found by those who use it. Nobody owns
/// the domain `internal`.
pub const FILTER_HOST: &str = "forest.internal";
