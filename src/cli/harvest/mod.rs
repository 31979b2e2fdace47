//! `forest harvest`: what only the command does.

// Nothing runs it yet.
#[allow(dead_code)]
pub mod metrics_server;
