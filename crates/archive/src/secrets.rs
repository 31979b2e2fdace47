//! The secrets of sites: headers and cookies that a harvest sends to their own sites. They stand in
//! a file of their own, `secrets.json` in the archive's folder, which only its owner can read. It
//! is not read where others could; no export and no backup has it.

use super::disk::lock_file;
use super::paths;
use super::secret_fault::{
    MAX_SECRET_COOKIES, MAX_SECRET_HEADERS, MAX_SECRET_SITES, SecretFault, check,
};
use super::user_file::{KnownFile, UserFile};
use crate::error::{ErrorKind, Result};
use chrono::{DateTime, Utc};
use forest_html::address::bare_site;
use forest_html::text::Secret;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// The site that a secret is for.
///
/// ```
/// use forest_archive::SecretSite;
///
/// let read = |typed| SecretSite::read(typed).map(|site| (site.name().to_owned(), site.over_http()));
/// assert_eq!(read("www.a.example"), Some(("a.example".to_owned(), false)));
/// assert_eq!(read("http://a.example:8000/feed"), Some(("a.example:8000".to_owned(), true)));
/// assert_eq!(read("no host"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretSite {
    name: String,
    host: String,
    over_http: bool,
}

impl SecretSite {
    /// A typed site: its host, with the port if it has one of its own, or an address of it. Its
    /// secrets go over https only, unless `http://` stands before it.
    pub fn read(typed: &str) -> Option<SecretSite> {
        let typed = typed.trim();
        let is_address = typed.contains("://");
        let url = if is_address {
            Url::parse(typed)
        } else {
            Url::parse(&format!("https://{typed}"))
        };
        let url = url.ok().filter(|url| match url.scheme() {
            "http" => is_address,
            scheme => scheme == "https",
        })?;
        Some(SecretSite {
            name: bare_site(&url)?.into_owned(),
            host: url.host_str()?.trim_end_matches('.').to_owned(),
            over_http: url.scheme() == "http",
        })
    }

    /// The same site, whose secrets may also go over plain http.
    #[must_use]
    pub fn with_http(mut self, over_http: bool) -> SecretSite {
        self.over_http = over_http;
        self
    }

    /// Its host without `www.`, with the port if that is not the scheme's own.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its host as it was typed.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Its secrets may also go over plain http.
    pub fn over_http(&self) -> bool {
        self.over_http
    }
}

/// A header with a secret value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretHeader {
    pub name: String,
    pub value: Secret,
    /// It may also go over plain http.
    #[serde(default)]
    pub over_http: bool,
}

/// A cookie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretCookie {
    pub name: String,
    pub value: Secret,
    /// Its host, without a dot before it.
    pub domain: String,
    /// It goes to the hosts below, too.
    #[serde(default)]
    pub subdomains: bool,
    pub path: String,
    /// It goes over https only.
    pub secure: bool,
    /// Its end, in seconds since 1970; `None`: it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<i64>,
}

impl SecretCookie {
    /// True after its end.
    pub fn is_expired(&self, now: DateTime<Utc>) -> bool {
        self.expires.is_some_and(|end| end <= now.timestamp())
    }

    /// True if it goes to this host (RFC 6265, 5.1.3).
    pub(super) fn is_of(&self, host: &str) -> bool {
        let below = || host.strip_suffix(self.domain.as_str());
        host == self.domain || self.subdomains && below().is_some_and(|rest| rest.ends_with('.'))
    }

    /// True if it goes to an address (RFC 6265, 5.4), its end aside.
    fn goes_to(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        let under = || url.path().strip_prefix(self.path.as_str());
        let has_path = || {
            under().is_some_and(|rest| {
                rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/')
            })
        };
        self.is_of(host) && (!self.secure || url.scheme() == "https") && has_path()
    }
}

/// A secret of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteSecret<'a> {
    Header(&'a SecretHeader),
    Cookie(&'a SecretCookie),
}

/// The secrets of one site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SecretsOfSite {
    /// At most [`MAX_SECRET_HEADERS`], of different names.
    pub headers: Vec<SecretHeader>,
    /// At most [`MAX_SECRET_COOKIES`].
    pub cookies: Vec<SecretCookie>,
}

impl SecretsOfSite {
    /// All, headers first.
    pub fn iter(&self) -> impl Iterator<Item = SiteSecret<'_>> {
        let headers = self.headers.iter().map(SiteSecret::Header);
        headers.chain(self.cookies.iter().map(SiteSecret::Cookie))
    }
}

/// The headers of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestSecrets {
    /// Names and values; the cookies are one of them.
    pub headers: Vec<(String, Secret)>,
    /// Names of cookies that are not sent, since they have expired.
    pub expired: Vec<String>,
}

/// The secrets of all sites.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteSecrets {
    format: u32,
    sites: BTreeMap<String, SecretsOfSite>,
}

impl fmt::Debug for SiteSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SiteSecrets")
    }
}

impl UserFile for SiteSecrets {
    const FORMAT: u32 = 1;
    const IS_PRIVATE: bool = true;
    const HAS_SECRETS: bool = true;
    const MAX_BYTES: Option<u64> = Some(10_000_000);

    fn format(&mut self) -> &mut u32 {
        &mut self.format
    }
}

/// The secrets as they were read last.
#[derive(Debug, Default)]
pub struct KnownSecrets(KnownFile<SiteSecrets>);

impl KnownSecrets {
    /// The secrets in an archive's folder, read again if its file is another one.
    ///
    /// # Errors
    ///
    /// As [`SiteSecrets::of`].
    pub fn of(&self, dir: &Path) -> Result<Arc<SiteSecrets>> {
        self.0.read(&paths::secrets(dir), || SiteSecrets::of(dir))
    }
}

impl SiteSecrets {
    /// The secrets in an archive's folder; none if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another format, or can be read by others than its owner.
    pub fn of(dir: &Path) -> Result<SiteSecrets> {
        SiteSecrets::read(&paths::secrets(dir))
    }

    /// The sites with their secrets, by name.
    pub fn sites(&self) -> impl Iterator<Item = (&str, &SecretsOfSite)> {
        self.sites.iter().map(|(site, of)| (site.as_str(), of))
    }

    /// The secrets of a site by its name, if it has any.
    pub fn of_site(&self, site: &str) -> Option<&SecretsOfSite> {
        self.sites.get(site)
    }

    /// The secrets for a request to an address.
    pub fn for_request(&self, url: &Url, now: DateTime<Utc>) -> RequestSecrets {
        let mut found = RequestSecrets::default();
        let Some(of) = bare_site(url).and_then(|site| self.sites.get(&*site)) else {
            return found;
        };
        let (mut cookies, mut own) = (Vec::new(), None);
        for header in &of.headers {
            if !(header.over_http || url.scheme() == "https") {
                continue;
            }
            if header.name.eq_ignore_ascii_case("cookie") {
                own = Some(header.value.reveal().to_owned());
            } else {
                found
                    .headers
                    .push((header.name.clone(), header.value.clone()));
            }
        }
        for cookie in of.cookies.iter().filter(|cookie| cookie.goes_to(url)) {
            if cookie.is_expired(now) {
                found.expired.push(cookie.name.clone());
            } else {
                cookies.push(cookie);
            }
        }
        // Longer paths first, as servers expect them (RFC 6265, 5.4).
        cookies.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs = cookies
            .iter()
            .map(|it| format!("{}={}", it.name, it.value.reveal()));
        let line: Vec<String> = own.into_iter().chain(pairs).collect();
        if !line.is_empty() {
            let value = Secret::new(line.join("; "));
            found.headers.push(("Cookie".to_owned(), value));
        }
        found
    }

    /// Keeps a header of a site in the place of one with the same name.
    ///
    /// # Errors
    ///
    /// A name or a value that is empty, too long or has control characters; too many of them; and as
    /// [`of`](Self::of). The old file stays.
    pub fn keep_header(dir: &Path, site: &SecretSite, name: &str, value: Secret) -> Result<()> {
        for part in [name, value.reveal()] {
            check(part, |c| c.is_control())?;
        }
        let header = SecretHeader {
            name: name.to_owned(),
            value,
            over_http: site.over_http,
        };
        SiteSecrets::change(dir, site, |of| {
            of.headers
                .retain(|known| !known.name.eq_ignore_ascii_case(name));
            of.headers.push(header);
        })
    }

    /// Keeps the cookies of a site in the place of those that it had.
    ///
    /// # Errors
    ///
    /// As [`keep_header`](Self::keep_header).
    pub fn keep_cookies(dir: &Path, site: &SecretSite, cookies: Vec<SecretCookie>) -> Result<()> {
        SiteSecrets::change(dir, site, |of| of.cookies = cookies)
    }

    fn change(
        dir: &Path,
        site: &SecretSite,
        change: impl FnOnce(&mut SecretsOfSite),
    ) -> Result<()> {
        let _lock = lock_file(&paths::secrets_lock(dir))?;
        let mut secrets = SiteSecrets::of(dir)?;
        let of = secrets.sites.entry(site.name.clone()).or_default();
        change(of);
        let fault = match () {
            () if of.headers.len() > MAX_SECRET_HEADERS => Some(SecretFault::TooManyHeaders),
            () if of.cookies.len() > MAX_SECRET_COOKIES => Some(SecretFault::TooManyCookies),
            () if secrets.sites.len() > MAX_SECRET_SITES => Some(SecretFault::TooManySites),
            () => None,
        };
        if let Some(fault) = fault {
            return Err(ErrorKind::Secret(fault).into());
        }
        secrets.replace(&paths::secrets(dir))
    }

    /// Removes the secrets of a site for which `is_one` is true; gives their number.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of), and if the file cannot be written; the old one stays.
    pub fn remove(
        dir: &Path,
        site: &str,
        is_one: impl Fn(SiteSecret<'_>) -> bool,
    ) -> Result<usize> {
        let _lock = lock_file(&paths::secrets_lock(dir))?;
        let mut secrets = SiteSecrets::of(dir)?;
        let Some(of) = secrets.sites.get_mut(site) else {
            return Ok(0);
        };
        let before = of.iter().count();
        of.headers.retain(|one| !is_one(SiteSecret::Header(one)));
        of.cookies.retain(|one| !is_one(SiteSecret::Cookie(one)));
        let left = of.iter().count();
        if left == 0 {
            secrets.sites.remove(site);
        }
        if left < before {
            secrets.replace(&paths::secrets(dir))?;
        }
        Ok(before - left)
    }
}

#[cfg(test)]
mod tests;
