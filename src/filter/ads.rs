//! The servers of advertisements (3.1).

use crate::address::is_web;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};
use url::Url;

/// Bytes of a list at the most; the longest public ones have some 10 MB.
pub const MAX_LIST_BYTES: usize = 50_000_000;

/// The list that comes with the program, read once.
static SHIPPED: LazyLock<Arc<AdList>> = LazyLock::new(|| {
    let mut list = AdList::default();
    list.add(include_str!("../../lists/ads.txt"));
    Arc::new(list)
});

/// Servers of advertisements: a host stands for itself and its subdomains.
///
/// ```
/// use forest::filter::AdList;
///
/// let mut list = AdList::default();
/// let unread = list.add("# a hosts file\n0.0.0.0 ads.example\n||banner.example^\n/banner/*.gif\n");
/// assert_eq!(unread, 1);
/// assert!(list.matches("//img.ads.example/1.gif"));
/// assert!(list.matches("https://banner.example:8080/"));
/// assert!(!list.matches("https://goods-ads.example/"));
/// assert!(!list.matches("ads.example")); // a path
/// ```
#[derive(Debug, Clone, Default)]
pub struct AdList {
    hosts: HashSet<Box<str>>,
}

impl AdList {
    /// The list that comes with the program, `lists/ads.txt`.
    pub fn shipped() -> Arc<AdList> {
        Arc::clone(&SHIPPED)
    }

    /// Adds a list: a hosts file, a host a line, or rules of EasyList's syntax, of which
    /// those for whole hosts (`||host^`) are read. Gives the number of lines that were not
    /// read, comments left out. What lies behind [`MAX_LIST_BYTES`] is not read.
    pub fn add(&mut self, text: &str) -> usize {
        let text = &text[..text.floor_char_boundary(MAX_LIST_BYTES)];
        text.lines().map(|line| self.add_line(line)).sum()
    }

    /// Adds a line; gives the lines that were not read, 0 or 1.
    fn add_line(&mut self, line: &str) -> usize {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '!', '[']) && !line.starts_with("##") {
            return 0;
        }
        if let Some(rule) = line.strip_prefix("||") {
            let (host, rest) = rule.split_at(rule.find(['^', '/', '*', '$']).unwrap_or(rule.len()));
            let is_whole = matches!(rest, "" | "^" | "^$third-party" | "^$3p");
            return usize::from(!(is_whole && self.add_host(host)));
        }
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return 1 };
        let is_target = first.parse::<std::net::IpAddr>().is_ok();
        let hosts: Vec<&str> = match words.next() {
            Some(second) if is_target => std::iter::once(second).chain(words).collect(),
            Some(_) => return 1,
            None => vec![first],
        };
        let read = hosts.into_iter().filter(|host| self.add_host(host)).count();
        usize::from(read == 0)
    }

    /// Adds a host; false if the text is none, or is the name of this machine.
    fn add_host(&mut self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let is_name = host.contains('.')
            && host.len() <= 253
            && host.parse::<std::net::IpAddr>().is_err()
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
            && !host.ends_with(".localdomain");
        if is_name {
            self.hosts.insert(host.into());
        }
        is_name
    }

    /// The number of hosts.
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Returns true if there is no host.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// Returns true if a link, as a page has it, leads to a listed server. A link without a
    /// host leads to the page's own, which is not asked.
    pub fn matches(&self, link: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let link = link.trim_start_matches(|c: char| c <= ' ');
        let has_scheme = link
            .get(..4)
            .is_some_and(|s| s.eq_ignore_ascii_case("http"));
        let has_host = link
            .bytes()
            .take(2)
            .filter(|b| matches!(b, b'/' | b'\\'))
            .count()
            == 2;
        let url = if has_host {
            Url::parse(&format!("https:{link}"))
        } else if has_scheme {
            Url::parse(link)
        } else {
            return false;
        };
        let Some(url) = url.ok().filter(is_web) else {
            return false;
        };
        url.host_str().is_some_and(|host| self.has_host(host))
    }

    /// Returns true if a host or a domain above it is listed.
    fn has_host(&self, host: &str) -> bool {
        let mut host = host.trim_end_matches('.');
        loop {
            if self.hosts.contains(host) {
                return true;
            }
            match host.split_once('.') {
                Some((_, above)) => host = above,
                None => return false,
            }
        }
    }
}
