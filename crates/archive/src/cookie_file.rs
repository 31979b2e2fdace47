//! Files of cookies in the Netscape format, as browsers' extensions, curl and yt-dlp write them: a
//! cookie a line, of seven fields between tabs: domain, subdomains, path, https only, end, name,
//! value. Lines that begin with `#` are comments, except for `#HttpOnly_` before the domain.

use super::secret_fault::{SecretFault, check};
use super::secrets::{SecretCookie, SecretSite};
use chrono::{DateTime, Utc};
use forest_html::text::Secret;

/// Bytes of a file at the most.
pub const MAX_COOKIE_FILE_BYTES: usize = 1_000_000;

/// Stands before the domain of a cookie that scripts do not see.
const HTTP_ONLY: &str = "#HttpOnly_";

/// The cookies that a file has for a site, and what else it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CookieFile {
    pub cookies: Vec<SecretCookie>,
    /// Of other sites, which are passed over.
    pub of_others: usize,
    /// Of the site, but expired already, which are passed over, too.
    pub expired: usize,
    /// Numbers of the lines that are no cookies, from 1.
    pub refused: Vec<usize>,
}

impl CookieFile {
    /// Reads a file. Of two cookies with the same name, domain and path the later one counts.
    /// Those of a site whose secrets go over https only do so, whatever their line says.
    pub fn read(text: &str, site: &SecretSite, now: DateTime<Utc>) -> CookieFile {
        let mut file = CookieFile::default();
        let host = site.host().strip_prefix("www.").unwrap_or(site.host());
        let www = format!("www.{host}");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_end_matches('\r');
            let line = match line.strip_prefix(HTTP_ONLY) {
                Some(rest) => rest,
                None if line.starts_with('#') || line.trim().is_empty() => continue,
                None => line,
            };
            let Ok(mut cookie) = cookie(line) else {
                file.refused.push(number);
                continue;
            };
            if !cookie.is_of(host) && !cookie.is_of(&www) {
                file.of_others += 1;
                continue;
            }
            if cookie.is_expired(now) {
                file.expired += 1;
                continue;
            }
            cookie.secure |= !site.over_http();
            let is_other = |known: &SecretCookie| {
                (&known.name, &known.domain, &known.path)
                    != (&cookie.name, &cookie.domain, &cookie.path)
            };
            file.cookies.retain(is_other);
            file.cookies.push(cookie);
        }
        file
    }
}

/// The cookie in a line.
fn cookie(line: &str) -> Result<SecretCookie, SecretFault> {
    let fields: Vec<&str> = line.splitn(8, '\t').collect();
    let [domain, subdomains, path, secure, end, name, value] = fields[..] else {
        return Err(SecretFault::Empty);
    };
    check(name, |c| {
        c.is_control() || c.is_whitespace() || ";=,".contains(c)
    })?;
    check(value, |c| c.is_control() || c == ';')?;
    check(path, char::is_control)?;
    check(domain, |c| c.is_control() || c.is_whitespace())?;
    let host = domain.strip_prefix('.').unwrap_or(domain);
    check(host, |_| false)?;
    // Some write fractions of seconds.
    let end = end.trim().split('.').next().unwrap_or_default();
    let expires = match end {
        "" | "0" => None,
        end => Some(end.parse().map_err(|_| SecretFault::Characters)?),
    };
    Ok(SecretCookie {
        name: name.to_owned(),
        value: Secret::new(value),
        domain: host.to_ascii_lowercase(),
        subdomains: subdomains.eq_ignore_ascii_case("TRUE") || domain.starts_with('.'),
        path: path.to_owned(),
        secure: secure.eq_ignore_ascii_case("TRUE"),
        expires,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, site: &str) -> CookieFile {
        let site = SecretSite::read(site).expect("a site");
        let now = DateTime::from_timestamp(1000, 0).expect("a time");
        CookieFile::read(text, &site, now)
    }

    /// The cookies as `name domain path`, with `+` for the hosts below and `s` for https only.
    fn shown(file: &CookieFile) -> Vec<String> {
        let cookies = file.cookies.iter().map(|it| {
            let below = if it.subdomains { "+" } else { "" };
            let secure = if it.secure { " s" } else { "" };
            format!("{} {below}{} {}{secure}", it.name, it.domain, it.path)
        });
        cookies.collect()
    }

    #[test]
    fn only_cookies_of_the_site_are_taken() {
        let text = "\u{feff}# Netscape HTTP Cookie File\r\n\r\n\
                    .a.example\tTRUE\t/\tFALSE\t2000\tall\tv1\r\n\
                    #HttpOnly_www.a.example\tFALSE\t/x\tTRUE\t0\tsid\tv=2\n\
                    b.example\tFALSE\t/\tFALSE\t2000\tother\tv\n\
                    evila.example\tTRUE\t/\tFALSE\t2000\tother\tv\n\
                    sub.a.example\tTRUE\t/\tFALSE\t2000\tother\tv\n\
                    a.example\tFALSE\t/\tFALSE\t999.5\told\tv\n\
                    A.example\tFALSE\t/\tFALSE\t2000.25\ttwice\tfirst\n\
                    a.example\tFALSE\t/\tFALSE\t\ttwice\tsecond\n";
        let file = read(text, "http://a.example");
        let expected = [
            "all +a.example /",
            "sid www.a.example /x s",
            "twice a.example /",
        ];
        assert_eq!(shown(&file), expected);
        assert_eq!(file.cookies[2].value.reveal(), "second");
        assert_eq!(file.cookies[1].value.reveal(), "v=2");
        let counts = (file.of_others, file.expired, file.refused.len());
        assert_eq!(counts, (3, 1, 0));
        // Over https only, unless http was asked for.
        let secure = read(text, "a.example");
        assert!(secure.cookies.iter().all(|cookie| cookie.secure));
        // Of hosts above, those that go below.
        let above = read(text, "http://news.a.example");
        assert_eq!(shown(&above), ["all +a.example /"]);
    }

    #[test]
    fn hostile_lines_are_refused_by_number() {
        let long = "x".repeat(4097);
        let bad = [
            "a.example\tTRUE\t/\tFALSE\t2000\tname".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t2000\tname\tv\tmore".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t2000\t\tv".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t2000\tname\tv; other=1".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t2000\tna me\tv".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t2000\tname\tv\u{1b}[2J".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t2000\tname\tv\rX-Evil: 1".to_owned(),
            "a.example\tTRUE\t/\tFALSE\tsoon\tname\tv".to_owned(),
            "a.example\tTRUE\t/\tFALSE\t99999999999999999999\tname\tv".to_owned(),
            ".\tTRUE\t/\tFALSE\t2000\tname\tv".to_owned(),
            format!("a.example\tTRUE\t/\tFALSE\t2000\tname\t{long}"),
            "\0\0\0".to_owned(),
        ];
        let file = read(&bad.join("\n"), "a.example");
        assert_eq!(file.refused, (1..=bad.len()).collect::<Vec<_>>());
        assert_eq!(file.cookies, []);
    }
}
