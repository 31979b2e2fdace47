//! `--serve ADDR`: the pages of the archive, beside the harvest that writes to it.

use crate::cli::Global;
use crate::cli::serve::{TlsArgs, listen};
use crate::cli::sites::WrapperFolders;
use anyhow::{Context, bail};
use forest_harvest::Metrics;
use forest_serve::{FilterPages, ServeOptions};
use forest_web::tls::ServerTls;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The address of the pages.
#[derive(Debug, clap::Args)]
pub struct PagesArgs {
    /// Serve the archive at this address of this machine, as `forest serve` does, and the metrics
    /// at its /metrics.
    #[arg(long, value_name = "ADDR")]
    serve: Option<SocketAddr>,
    #[command(flatten)]
    tls: TlsArgs,
}

impl PagesArgs {
    /// Returns true if pages are served.
    pub fn is_given(&self) -> bool {
        self.serve.is_some()
    }

    /// Serves the archive and its wrappers, in these folders, and the metrics of its harvest, if
    /// that is wanted. The pages may request private addresses if the harvest may.
    ///
    /// # Errors
    ///
    /// If nobody may listen there, or other machines reach the address.
    pub fn serve(
        &self,
        (archive, sites): (&Path, PathBuf),
        metrics: Arc<Metrics>,
        allow_private: bool,
        global: &Global,
    ) -> anyhow::Result<Option<PagesServer>> {
        let Some(address) = self.serve else {
            if self.tls.is_given() {
                bail!("--tls-cert: it is for the pages of --serve, which is not given");
            }
            return Ok(None);
        };
        let options = ServeOptions::default()
            .with_archive(archive)
            .with_wrappers(Arc::new(WrapperFolders(vec![sites])))
            .with_metrics(metrics)
            .with_allow_private(allow_private);
        let pages = serve(address, options, self.tls.open(global)?)?;
        let (scheme, at) = (self.tls.scheme(), pages.address);
        global.say(format_args!("pages at {scheme}://{at}/reader"));
        Ok(Some(pages))
    }
}

/// Answers until it is dropped.
#[derive(Debug)]
pub struct PagesServer {
    /// The address on which it listens.
    address: SocketAddr,
    runtime: Option<Runtime>,
}

fn serve(
    address: SocketAddr,
    options: ServeOptions,
    tls: Option<ServerTls>,
) -> anyhow::Result<PagesServer> {
    if !address.ip().is_loopback() {
        bail!(
            "--serve {address}: other machines reach it: run `forest serve --password-file` beside \
             the harvest"
        );
    }
    let pages = FilterPages::new(options)?;
    let mut server = pages.server();
    if let Some(tls) = tls {
        server = server.with_tls(tls);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("--serve: the system gives no more threads or files")?;
    let listener = runtime.block_on(listen("--serve", address))?;
    let address = listener.local_addr()?;
    runtime.spawn(server.run(listener));
    Ok(PagesServer {
        address,
        runtime: Some(runtime),
    })
}

impl Drop for PagesServer {
    fn drop(&mut self) {
        // Those who are still reading are not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
