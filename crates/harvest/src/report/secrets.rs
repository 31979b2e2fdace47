//! The secrets of sites on lines, and as JSON: everything but their values.

use crate::clock::rfc3339;
use chrono::{DateTime, Utc};
use forest_archive::{SecretCookie, SecretHeader, SiteSecrets};
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
    /// A header of a site.
    pub fn of_header(site: &str, header: &SecretHeader) -> SecretRow {
        SecretRow {
            site: site.to_owned(),
            kind: "header",
            name: header.name.clone(),
            scope: None,
            over_http: header.over_http,
            expires: None,
        }
    }

    /// A cookie of a site.
    pub fn of_cookie(site: &str, cookie: &SecretCookie) -> SecretRow {
        let dot = if cookie.subdomains { "." } else { "" };
        let end = |end| DateTime::from_timestamp(end, 0).unwrap_or(DateTime::<Utc>::MAX_UTC);
        SecretRow {
            site: site.to_owned(),
            kind: "cookie",
            name: cookie.name.clone(),
            scope: Some(format!("{dot}{}{}", cookie.domain, cookie.path)),
            over_http: !cookie.secure,
            expires: cookie.expires.map(end),
        }
    }
}

/// All secrets, by site.
pub fn secret_rows(secrets: &SiteSecrets) -> Vec<SecretRow> {
    let mut rows = Vec::new();
    for (site, of) in secrets.sites() {
        rows.extend(of.headers.iter().map(|one| SecretRow::of_header(site, one)));
        rows.extend(of.cookies.iter().map(|one| SecretRow::of_cookie(site, one)));
    }
    rows
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
