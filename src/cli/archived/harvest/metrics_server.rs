//! `--metrics ADDR`: the figures of a harvest for Prometheus, over HTTP.

use anyhow::Context;
use forest_harvest::Metrics;
use forest_harvest::metrics::CONTENT_TYPE;
use forest_web::figures::{MetricsServer, serve_figures};
use std::net::SocketAddr;
use std::sync::Arc;

/// Shows `metrics` at `http://<address>/metrics`; port 0 is one that is free.
///
/// # Errors
///
/// If nobody may listen there; the message names the address.
pub fn serve(address: SocketAddr, metrics: Arc<Metrics>) -> anyhow::Result<MetricsServer> {
    serve_figures(address, CONTENT_TYPE, move || metrics.text()).with_context(|| {
        format!(
            "--metrics {address}: cannot listen there: is the port taken, or the address not this \
             machine's?"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_taken_is_named() {
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        let first = serve(loopback, Arc::default()).expect("it listens");
        let error = serve(first.address(), Arc::default()).expect_err("taken");
        let message = format!("{error:#}");
        assert!(
            message.contains(&format!("--metrics {}: ", first.address())),
            "{message}"
        );
    }
}
