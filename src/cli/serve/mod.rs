//! `forest serve`: the filter in the browser, and the filtering proxy.

mod access_args;
mod ads;
#[cfg(feature = "ca")]
mod authority;
mod password;
mod store;
mod tls;

use super::ad_lists;
use super::archived::archive_dir::{ArchiveArgs, READER_ADDRESS};
use super::filter::web_url;
use super::{Exit, Global, filter_settings, sites};
pub use access_args::AccessArgs;
use ads::{AdListUpdates, keep_fresh};
use anyhow::Context;
use forest_archive::{is_in_use, paths};
use forest_fetch::{AdListFolder, FetchOptions, Fetcher, ListValidators};
use forest_proxy::{Proxy, ProxyOptions};
use forest_serve::{FilterPages, ServeOptions};
use forest_text::filter::FilterSettings;
use forest_web::FILTER_HOST;
use forest_web::clients::ClientRange;
use forest_web::server::raise_file_limit;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::SettingsFiles;
use tokio::net::{TcpListener, TcpSocket};
use url::Url;

/// Read and search an archive in the browser, and filter pages there or as a proxy
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page of settings is at http://127.0.0.1:7878/filter. With --proxy, point the browser's
HTTP proxy at that address; the proxy has a page of its own there, and at
http://forest.internal/. Pages with https pass through it untouched: see them at
http://127.0.0.1:7878/view?url=ADDRESS.

For programs on this machine: /extract?url=ADDRESS gives the article of a page as JSON,
/makefulltextfeed?url=ADDRESS a feed with whole articles, and /api describes them. Where there
is an archive, http://127.0.0.1:7878/ leads to its reader, and the page /archive lists its feeds.

Examples:
  forest serve
  forest serve --archive store
  forest serve --new-password forest.password
  forest serve --archive store --addr 0.0.0.0:7878 --password-file forest.password
  forest serve --addr 0.0.0.0:443 --password-file forest.password --host news.example.org \
      --tls-cert fullchain.pem --tls-key privkey.pem
  forest serve --proxy 127.0.0.1:8080 --profile reader
  forest serve --proxy 192.168.1.7:8080 --allow 192.168.1.0/24")]
pub struct ServeArgs {
    /// Show the pages at this address.
    #[arg(long, value_name = "ADDR", default_value = READER_ADDRESS)]
    addr: SocketAddr,
    #[command(flatten)]
    archive: ArchiveArgs,
    /// Read pages for /extract by the wrappers in this folder [default: those of the archive, or
    /// sites].
    #[arg(long, value_name = "DIR")]
    sites: Option<PathBuf>,
    /// Be a proxy for plain HTTP at this address.
    #[arg(long, value_name = "ADDR")]
    proxy: Option<SocketAddr>,
    /// Filter by this profile, or by one that was saved [default: light].
    #[arg(long, value_name = "PROFILE", conflicts_with = "settings")]
    profile: Option<String>,
    /// Read the settings from this file (YAML). A change of it holds from the next page on.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Read more advertisement servers from these files: hosts files, or rules `||host^`.
    #[arg(long, value_name = "FILE")]
    ads: Vec<PathBuf>,
    /// Fetch this list of advertisement servers into the data folder, and again when it is old;
    /// may be given again.
    #[arg(long, value_name = "URL", value_parser = web_url)]
    update_ads: Vec<Url>,
    /// Fetch these lists again after this number of days [default: as a list says, else 4].
    #[arg(long, value_name = "DAYS", requires = "update_ads",
        value_parser = clap::value_parser!(u32).range(1..=90))]
    ads_days: Option<u32>,
    /// Let clients of this address or range use the proxy, too; may be given again [default:
    /// this machine only].
    #[arg(long, value_name = "FROM", requires = "proxy")]
    allow: Vec<ClientRange>,
    /// Fetch from private and loopback addresses, too. Every client can then reach the hosts
    /// that this machine can. Behind a proxy of the environment (HTTP_PROXY), names are resolved
    /// and checked by that proxy, with this option and without it.
    #[arg(long)]
    allow_private: bool,
    /// Make tunnels to this port, too; may be given again [default: 443].
    #[arg(long, value_name = "PORT", requires = "proxy")]
    tunnel_port: Vec<u16>,
    /// Filter pages with https, too, by an authority in this folder, made if it is not there.
    /// Whoever reads its key can pose as any site to those who trust it.
    #[cfg(feature = "ca")]
    #[arg(long, value_name = "DIR", requires = "proxy")]
    ca: Option<PathBuf>,
    #[command(flatten)]
    access: AccessArgs,
    /// Read a password of at least 10 characters, from the terminal or from stdin, write its hash
    /// and a new key of the feeds to this file, and end.
    #[arg(long, value_name = "FILE", conflicts_with = "password_file")]
    new_password: Option<PathBuf>,
    /// Write a new key of the feeds to this file, which has a password, and end: the addresses of
    /// feeds that feed readers have open nothing from the next start on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["password_file", "new_password"])]
    new_feed_key: Option<PathBuf>,
}

impl ServeArgs {
    /// The settings at first, and the files that they are read from and saved in.
    fn settings(&self) -> anyhow::Result<(FilterSettings, SettingsFiles)> {
        if let Some(path) = &self.settings {
            let (settings, files) = SettingsFiles::watching(path)
                .with_context(|| format!("--settings {}", path.display()))?;
            return Ok((settings, files));
        }
        let settings = filter_settings::of_profile(self.profile.as_deref())?;
        Ok((settings, SettingsFiles::default()))
    }

    fn options(&self, archive: Option<&Path>, global: &Global) -> anyhow::Result<ServeOptions> {
        let (settings, files) = self.settings()?;
        let sites = self.sites.clone().or(archive.map(paths::sites));
        let sites = sites::dir(sites.as_ref(), global);
        let access = self.access.options(global)?;
        let mut options = access
            .with_settings(settings)
            .with_ads(ad_lists::read(&self.ads, global)?)
            .with_ad_lists(self.updates().read()?.1)
            .with_allow_private(self.allow_private)
            .with_store(Arc::new(files))
            .with_wrappers(Arc::new(sites::WrapperFolders(vec![sites])));
        if let Some(dir) = archive {
            options = options.with_archive(dir);
        }
        Ok(options)
    }

    #[cfg_attr(
        not(feature = "ca"),
        expect(unused_variables, clippy::unnecessary_wraps)
    )]
    fn proxy_options(&self, global: &Global) -> anyhow::Result<ProxyOptions> {
        let ports = self.tunnel_port.iter();
        let options = ports.fold(ProxyOptions::default(), |options, port| {
            options.with_tunnel_port(*port)
        });
        #[cfg(feature = "ca")]
        if let Some(dir) = &self.ca {
            return Ok(options.with_authority(authority::open(dir, global)?));
        }
        Ok(options)
    }
}

impl ServeArgs {
    fn updates(&self) -> AdListUpdates {
        AdListUpdates {
            folder: AdListFolder::of_user().ok(),
            files: self.ads.clone(),
            urls: self.update_ads.clone(),
            days: self.ads_days,
            failures: BTreeMap::new(),
        }
    }

    /// The fetcher of lists.
    fn fetcher(&self) -> anyhow::Result<Fetcher> {
        let options = FetchOptions::default().with_allow_private(self.allow_private);
        let fetcher = Fetcher::new(options)?;
        self.update_ads.iter().for_each(|url| fetcher.allow(url));
        Ok(fetcher)
    }
}

/// Answers until it is interrupted.
///
/// # Errors
///
/// If the settings cannot be read, or nobody may listen at an address.
pub fn run(args: ServeArgs, global: &Global) -> anyhow::Result<Exit> {
    if let Some(path) = &args.new_password {
        return password::write(path, global);
    }
    if let Some(path) = &args.new_feed_key {
        return password::renew_feed_key(path, global);
    }
    args.access.refuse_open("--addr", args.addr)?;
    // A wrong folder is an error now, and not at the first request.
    let archive = args.archive.dir_of_existing(global)?;
    let pages = FilterPages::new(args.options(archive.as_deref(), global)?)?;
    let proxy = Proxy::new(pages.web(), pages.filter(), args.proxy_options(global)?);
    let server = args.access.open(pages.server(), args.addr, global)?;
    let fetcher = Arc::new(args.fetcher()?);
    let updates = args.updates();
    raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the system gives no more threads or files")?;
    runtime.block_on(async {
        let listener = listen("--addr", args.addr).await?;
        let base = args.access.base(listener.local_addr()?);
        if let Some(dir) = &archive {
            global.say(format_args!("archive: {}", dir.display()));
            global.say(format_args!("reader: {base}/reader"));
        }
        if archive.is_some_and(|dir| !is_in_use(&dir)) {
            global.say(format_args!(
                "no harvest runs there: `{}` beside this fetches new articles",
                args.archive.harvest_command()
            ));
        }
        global.say(format_args!("settings: {base}/filter"));
        tokio::spawn(server.run(listener));
        let ask = move |url: &Url, known: &ListValidators| Ok(fetcher.visit_list(url, known)?);
        tokio::spawn(keep_fresh(pages.clone(), updates, ask));
        if let Some(address) = args.proxy {
            let listener = listen("--proxy", address).await?;
            let at = listener.local_addr()?;
            global.say(format_args!(
                "proxy: {at}, its page: http://{at}/ or http://{FILTER_HOST}/"
            ));
            let server = proxy.server(|root| pages.router_with(root));
            tokio::spawn(server.with_clients(args.allow).run(listener));
        }
        tokio::signal::ctrl_c()
            .await
            .context("cannot wait for Ctrl-C")
    })?;
    runtime.shutdown_background();
    Ok(Exit::Done)
}

/// Connections that wait to be accepted, if the system has as many: a flood of them does not make
/// the others try again, which they do after a second.
const BACKLOG: u32 = 4_096;

/// A listener at an address of an option.
pub async fn listen(option: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    let bind = || {
        let socket = if address.is_ipv4() {
            TcpSocket::new_v4()?
        } else {
            TcpSocket::new_v6()?
        };
        // As a listener of tokio's own has it, where it does no harm.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    bind().with_context(|| {
        format!(
            "{option} {address}: cannot listen there: is the port taken, or the address not this \
             machine's?"
        )
    })
}
