//! Who may read the pages of an archive, and under which names the server is called: of `forest serve`,
//! and of `forest harvest run --serve`.

use super::tls::TlsArgs;
use super::{READER_ADDRESS, password};
use crate::cli::Global;
use anyhow::bail;
use forest_serve::ServeOptions;
use forest_web::clients::ClientRange;
use forest_web::server::WebServer;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct AccessArgs {
    /// Ask for the password whose hash is in this file; needed where other machines reach the pages.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Let the browser call the server by this name, too; may be given again.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    #[command(flatten)]
    tls: TlsArgs,
}

impl AccessArgs {
    /// Returns true if any is given.
    pub fn is_given(&self) -> bool {
        self.password_file.is_some() || !self.host.is_empty() || self.tls.is_given()
    }

    /// An error for an address of other machines, which `option` names, without a password.
    pub fn refuse_open(&self, option: &str, address: SocketAddr) -> anyhow::Result<()> {
        if !address.ip().is_loopback() && self.password_file.is_none() {
            bail!(
                "{option} {address}: other machines reach it: give --password-file, or an address such as \
                 {READER_ADDRESS}"
            );
        }
        Ok(())
    }

    /// The names of the server, and its password.
    ///
    /// # Errors
    ///
    /// If the password's file cannot be read.
    pub fn options(&self, global: &Global) -> anyhow::Result<ServeOptions> {
        let hosts = self.host.iter();
        let mut options = hosts.fold(ServeOptions::default(), |options, host| {
            options.with_host(host)
        });
        if let Some(path) = &self.password_file {
            let file = password::read(path, global)?;
            options = options.with_password_hash(file.hash);
            if let Some(key) = file.feed_key {
                options = options.with_feed_key(key);
            }
        }
        Ok(options)
    }

    /// Lets those in who reach the address, by https if there is a certificate.
    ///
    /// # Errors
    ///
    /// If the certificate cannot be used.
    pub fn open(
        &self,
        mut server: WebServer,
        address: SocketAddr,
        global: &Global,
    ) -> anyhow::Result<WebServer> {
        if !address.ip().is_loopback() {
            server = server.with_clients(ClientRange::all());
        }
        Ok(match self.tls.open(global)? {
            Some(tls) => server.with_tls(tls),
            None => server,
        })
    }

    /// The begin of the pages' addresses: with a certificate, by the name that it is for.
    pub fn base(&self, at: SocketAddr) -> String {
        let scheme = self.tls.scheme();
        match self.host.first().filter(|_| self.tls.is_given()) {
            Some(host) => format!("{scheme}://{host}:{}", at.port()),
            None => format!("{scheme}://{at}"),
        }
    }
}
