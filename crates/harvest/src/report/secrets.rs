//! The secrets of sites on lines, and as JSON: everything but their values.

use crate::clock::rfc3339;
use chrono::{DateTime, Utc};
use forest_archive::{SecretsOfSite, SiteSecret, SiteSecrets};
use forest_html::text::OneLine;
use serde_json::json;

/// A header or a cookie of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRow {
    /// Its site.
    pub site: String,
    /// `header` or `cookie`.
    pub kind: &'static str,
    pub name: String,
    /// The host and path of a cookie, with a dot before the host if it goes to those below.
    pub scope: Option<String>,
    /// It may go over plain http.
    pub over_http: bool,
    /// Its end, if it has one.
    pub expires: Option<DateTime<Utc>>,
}

impl SecretRow {
    /// The row of a secret.
    pub fn of(site: &str, secret: SiteSecret<'_>) -> SecretRow {
        let site = site.to_owned();
        match secret {
            SiteSecret::Header(header) => SecretRow {
                site,
                kind: "header",
                name: header.name.clone(),
                scope: None,
                over_http: header.over_http,
                expires: None,
            },
            SiteSecret::Cookie(cookie) => {
                let dot = if cookie.subdomains { "." } else { "" };
                let end =
                    |end| DateTime::from_timestamp(end, 0).unwrap_or(DateTime::<Utc>::MAX_UTC);
                SecretRow {
                    site,
                    kind: "cookie",
                    name: cookie.name.clone(),
                    scope: Some(format!("{dot}{}{}", cookie.domain, cookie.path)),
                    over_http: !cookie.secure,
                    expires: cookie.expires.map(end),
                }
            }
        }
    }
}

/// The secrets of a site.
pub fn rows_of_site(site: &str, secrets: &SecretsOfSite) -> Vec<SecretRow> {
    let rows = secrets.iter().map(|one| SecretRow::of(site, one));
    rows.collect()
}

/// All secrets, by site.
pub fn secret_rows(secrets: &SiteSecrets) -> Vec<SecretRow> {
    let sites = secrets.sites();
    sites
        .flat_map(|(site, of)| rows_of_site(site, of))
        .collect()
}

/// A secret as JSON.
pub fn secret_json(row: &SecretRow) -> serde_json::Value {
    json!({
        "site": row.site,
        "kind": row.kind,
        "name": row.name,
        "scope": row.scope,
        "over_http": row.over_http,
        "expires": row.expires.map(rfc3339),
    })
}

/// A secret on a line.
pub fn secret_line(row: &SecretRow, now: DateTime<Utc>) -> String {
    let mut line = format!("{}  {}  {}", row.site, row.kind, row.name);
    if let Some(scope) = &row.scope {
        line.push_str(&format!("  {scope}"));
    }
    if row.over_http {
        line.push_str("  over http, too");
    }
    match row.expires {
        Some(end) if end <= now => {
            line.push_str(&format!("  expired {}: not sent", rfc3339(end)));
        }
        Some(end) => line.push_str(&format!("  expires {}", rfc3339(end))),
        None => {}
    }
    OneLine(line).to_string()
}
