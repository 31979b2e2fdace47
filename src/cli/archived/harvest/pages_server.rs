//! `--serve ADDR`: the pages of the archive, beside the harvest that writes to it.

use crate::cli::Global;
use crate::cli::serve::{AccessArgs, listen};
use crate::cli::sites::WrapperFolders;
use anyhow::{Context, bail};
use forest_harvest::Metrics;
use forest_serve::FilterPages;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The address of the pages.
#[derive(Debug, clap::Args)]
pub struct PagesArgs {
    /// Serve the archive at this address, as `forest serve` does, and the metrics
    /// at its /metrics.
    #[arg(long, value_name = "ADDR")]
    serve: Option<SocketAddr>,
    #[command(flatten)]
    access: AccessArgs,
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
            if self.access.is_given() {
                bail!(
                    "--password-file, --host and --tls-cert are for the pages of --serve, which is not given"
                );
            }
            return Ok(None);
        };
        self.access.refuse_open("--serve", address)?;
        let access = self.access.options(global)?;
        let options = access
            .with_archive(archive)
            .with_wrappers(Arc::new(WrapperFolders(vec![sites])))
            .with_metrics(metrics)
            .with_allow_private(allow_private);
        let server = FilterPages::new(options)?.server();
        let server = self.access.open(server, address, global)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("--serve: the system gives no more threads or files")?;
        let listener = runtime.block_on(listen("--serve", address))?;
        let base = self.access.base(listener.local_addr()?);
        global.say(format_args!("pages at {base}/reader"));
        runtime.spawn(server.run(listener));
        Ok(Some(PagesServer(Some(runtime))))
    }
}

/// Answers until it is dropped.
#[derive(Debug)]
pub struct PagesServer(Option<Runtime>);

impl Drop for PagesServer {
    fn drop(&mut self) {
        // Those who are still reading are not waited for.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
