//! The servers of advertisements (3.1).

#[cfg(feature = "adblock")]
use super::ad_rules::AdRules;
use forest_html::address::is_web;
use forest_html::text::sha256_hex;
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

/// Servers of advertisements: a host stands for itself and its subdomains. With the feature
/// `adblock` also rules in EasyList's syntax.
///
/// ```
/// use forest_text::filter::AdList;
///
/// let mut list = AdList::default();
/// let unread = list.add("# a hosts file\n0.0.0.0 ads.example\n||banner.example^\n/banner[0-9]/\n");
/// assert_eq!(unread, 1); // a regular expression
/// assert!(list.matches("//img.ads.example/1.gif"));
/// assert!(list.matches("https://banner.example:8080/"));
/// assert!(!list.matches("https://goods-ads.example/"));
/// assert!(!list.matches("ads.example")); // a path
/// ```
#[derive(Debug, Clone, Default)]
pub struct AdList {
    hosts: HashSet<Box<str>>,
    #[cfg(feature = "adblock")]
    rules: AdRules,
    digest: String,
}

impl AdList {
    /// The list that comes with the program, `lists/ads.txt`.
    pub fn shipped() -> Arc<AdList> {
        Arc::clone(&SHIPPED)
    }

    /// Adds a list: a hosts file, a host a line, or rules of EasyList's syntax, of which
    /// those for whole hosts (`||host^`) are read; with the feature `adblock` also the others,
    /// but for those that run scripts, style elements, or find them by more than a plain
    /// selector, and regular expressions. Gives the number of lines that were not read, comments
    /// left out. The text behind 50 MB and the rules behind 500,000 are not read.
    pub fn add(&mut self, text: &str) -> usize {
        let text = &text[..text.floor_char_boundary(MAX_LIST_BYTES)];
        self.digest = sha256_hex(format!("{}{text}", self.digest));
        text.lines().map(|line| self.add_line(line.trim())).sum()
    }

    /// Adds a line; gives the lines that were not read, 0 or 1.
    fn add_line(&mut self, line: &str) -> usize {
        if is_comment(line) || self.add_hosts(line) {
            return 0;
        }
        #[cfg(feature = "adblock")]
        if self.rules.add(line) {
            return 0;
        }
        1
    }

    /// Adds the hosts of a line; false if it is none of a hosts file, and no rule for a host.
    fn add_hosts(&mut self, line: &str) -> bool {
        if let Some(rule) = line.strip_prefix("||") {
            let host = rule.strip_suffix('^').unwrap_or(rule);
            return self.add_host(host) || self.add_third_party_host(host);
        }
        // A rule for the elements of a site has its mark behind the host: `host##.banner`.
        let comment = line.find(" #").or_else(|| line.find("\t#"));
        let hosts = &line[..comment.unwrap_or(line.len())];
        let mut words = hosts.split_ascii_whitespace();
        let Some(first) = words.next() else {
            return false;
        };
        let is_target = first.parse::<std::net::IpAddr>().is_ok();
        match words.next() {
            Some(second) if is_target => {
                let hosts = std::iter::once(second).chain(words);
                // The names of this machine are no servers.
                let is_read = |host: &&str| self.add_host(host) || is_of_this_machine(host);
                hosts.filter(is_read).count() > 0
            }
            Some(_) => false,
            None => self.add_host(first),
        }
    }

    /// Adds the host of a rule for other sites' pages, where no rules are read.
    fn add_third_party_host(&mut self, rule: &str) -> bool {
        let host = ["^$third-party", "^$3p"]
            .iter()
            .find_map(|end| rule.strip_suffix(end));
        !cfg!(feature = "adblock") && host.is_some_and(|host| self.add_host(host))
    }

    /// Adds a host; false if the text is none, or is the name of this machine.
    fn add_host(&mut self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let is_name = !is_of_this_machine(&host)
            && host.len() <= 253
            && host.parse::<std::net::IpAddr>().is_err()
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if is_name {
            self.hosts.insert(host.into());
        }
        is_name
    }

    /// The number of hosts and rules.
    pub fn len(&self) -> usize {
        self.hosts.len() + self.rule_count()
    }

    fn rule_count(&self) -> usize {
        #[cfg(feature = "adblock")]
        return self.rules.len();
        #[cfg(not(feature = "adblock"))]
        0
    }

    /// Returns true if there is no host and no rule.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A name of the lists that were added, by their texts.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The rules, if there are some.
    #[cfg(feature = "adblock")]
    pub(super) fn rules(&self) -> Option<&AdRules> {
        (self.rules.len() > 0).then_some(&self.rules)
    }

    /// Returns true if a link, as a page has it, leads to a listed server; rules are not asked. A link without a
    /// host leads to the page's own, which is not asked.
    pub fn matches(&self, link: &str) -> bool {
        if self.hosts.is_empty() {
            return false;
        }
        let link = link.trim_start_matches(|c: char| c <= ' ');
        if let Some(host) = plain_host(link) {
            return self.has_host(host);
        }
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

/// True for the name of a machine without a domain, such as `localhost`.
fn is_of_this_machine(host: &str) -> bool {
    !host.contains('.') || host.ends_with(".localdomain")
}

/// True for a comment: of a hosts file `#`, of rules `!`, the name of their syntax, or nothing.
/// Rules for elements begin with `#`, too.
fn is_comment(line: &str) -> bool {
    let is_rule = ["##", "#@#", "#?#"].iter().any(|mark| {
        let rest = line.strip_prefix(mark);
        let selector = rest.map(|rest| rest.trim_start_matches('#'));
        selector.is_some_and(|selector| !selector.is_empty() && !selector.starts_with(' '))
    });
    line.is_empty() || line.starts_with(['#', '!', '[']) && !is_rule
}

/// The host of a link that needs no parser: of lower-case ASCII, and before a path or the end.
fn plain_host(link: &str) -> Option<&str> {
    let schemes = ["https://", "http://", "//"];
    let rest = { schemes.iter() }.find_map(|scheme| link.strip_prefix(scheme))?;
    let host = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-._".contains(&b);
    (!host.is_empty() && host.bytes().all(is_plain)).then_some(host)
}
