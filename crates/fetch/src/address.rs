//! Decides which addresses may be dialled: public ones for URLs from the network, and the hosts that the user typed when private ones are allowed.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

#[cfg(test)]
use super::dns_script::DnsScript;
use crate::Why;

/// Returns true if the address belongs to the public Internet.
///
/// Not public: everything that the IANA special-purpose registries (RFC 6890)
/// take out of global unicast: private, loopback, link-local (cloud metadata
/// at 169.254.169.254 among it), shared (CGNAT), documentation, benchmarking,
/// multicast, reserved, unspecified, unique-local; and IPv6 forms that carry
/// an IPv4 address (mapped, compatible, 6to4, Teredo). An address of the
/// well-known NAT64 prefix counts as the IPv4 address in it, because on an
/// IPv6-only network every IPv4 site resolves to such a one.
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

/// The platform address of one cloud (virtual machines reach its metadata and
/// agent services there), in the middle of public space.
const WIRE_SERVER: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18..=19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !special && ip != WIRE_SERVER
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let s = ip.segments();
    if s[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        let [a, b] = s[6].to_be_bytes();
        let [c, d] = s[7].to_be_bytes();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    // Only 2000::/3 is global unicast. Of it: IETF protocol assignments
    // (Teredo, benchmarking, ORCHID), two documentation blocks and 6to4.
    let special = match s[0] {
        0x2001 => s[1] < 0x200 || s[1] == 0xdb8,
        0x2002 => true,
        0x3fff => s[1] < 0x1000,
        _ => false,
    };
    s[0] & 0xe000 == 0x2000 && !special
}

/// The addresses at which a URL's host may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressScope {
    /// At public addresses only.
    Public,
    /// At any address: the user typed this host and port.
    Typed,
    /// At this machine: typed, and no proxy is asked.
    Loopback,
}

/// The hosts that may be private.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum PrivateHosts {
    #[default]
    None,
    /// Those that the user typed, each with its port.
    Typed,
    /// All: each address is of the user's own typing.
    All,
}

impl PrivateHosts {
    /// The typed hosts, if private ones are allowed.
    pub(super) fn typed(allow_private: bool) -> PrivateHosts {
        if allow_private {
            PrivateHosts::Typed
        } else {
            PrivateHosts::None
        }
    }
}

/// The hosts that the user typed, and what that opens.
#[derive(Debug, Default)]
pub(super) struct AddressRules {
    private: PrivateHosts,
    typed: NamedHosts,
    /// Hosts that may be private as typed ones may, and get no credentials.
    untrusted: NamedHosts,
    proxies: Arc<HashSet<String>>,
}

impl AddressRules {
    pub(super) fn new(private: PrivateHosts, proxies: Arc<HashSet<String>>) -> Self {
        AddressRules {
            private,
            typed: RwLock::default(),
            untrusted: RwLock::default(),
            proxies,
        }
    }

    /// The user typed this URL.
    pub(super) fn name(&self, url: &Url) {
        insert(&self.typed, url);
    }

    /// Something of the user's names this URL, which he did not type.
    pub(super) fn name_untrusted(&self, url: &Url) {
        insert(&self.untrusted, url);
    }

    /// Returns true if credentials may go to this URL: it was typed, or nothing was named.
    pub(super) fn trusts(&self, url: &Url) -> bool {
        let is_empty = |hosts| read(hosts).is_empty();
        is_empty(&self.typed) && is_empty(&self.untrusted) || contains(&self.typed, url)
    }

    /// [`reach`](Self::reach) of a URL to which the server of a typed one has led: where all
    /// private hosts are allowed, that is the typed one's, if there is one.
    pub(super) fn reach_from(&self, typed: Option<&Url>, url: &Url) -> Result<AddressScope, Why> {
        let is_typed = typed.is_some_and(|typed| key(typed) == key(url));
        let is_led = self.private == PrivateHosts::All && !is_typed;
        self.reach_as(
            url,
            if is_led {
                PrivateHosts::None
            } else {
                self.private
            },
        )
    }

    /// The addresses at which this URL may be reached, before any name is resolved.
    pub(super) fn reach(&self, url: &Url) -> Result<AddressScope, Why> {
        self.reach_as(url, self.private)
    }

    fn reach_as(&self, url: &Url, private: PrivateHosts) -> Result<AddressScope, Why> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Why::Scheme(url.scheme().to_owned()));
        }
        let Some(host) = url.host() else {
            return Err(Why::Scheme(url.scheme().to_owned()));
        };
        let may_be_private = match private {
            PrivateHosts::None => false,
            PrivateHosts::Typed => contains(&self.typed, url) || contains(&self.untrusted, url),
            PrivateHosts::All => true,
        };
        if may_be_private {
            return Ok(if is_loopback(&host) {
                AddressScope::Loopback
            } else {
                AddressScope::Typed
            });
        }
        match host {
            Host::Ipv4(ip) if !is_public_v4(ip) => Err(Why::PrivateAddress(ip.to_string())),
            Host::Ipv6(ip) if !is_public_v6(ip) => Err(Why::PrivateAddress(ip.to_string())),
            // The resolver lets the proxy's own name pass, so a link to it is
            // stopped here.
            Host::Domain(name) if self.proxies.contains(name) => {
                Err(Why::PrivateAddress(name.to_owned()))
            }
            // No name server is asked for these (RFC 6761, 6.3), and no proxy,
            // for whom they would be its own machine.
            Host::Domain(name) if is_loopback(&host) => Err(Why::PrivateAddress(name.to_owned())),
            _ => Ok(AddressScope::Public),
        }
    }

    /// Returns true if no proxy can stand between.
    pub(super) fn is_direct(&self, reach: AddressScope) -> bool {
        reach == AddressScope::Loopback || self.proxies.is_empty()
    }

    /// Returns true if the URL is private by its text, and allowed: such a host has no default
    /// delay.
    pub(super) fn is_private(&self, url: &Url) -> bool {
        let private = match url.host() {
            Some(Host::Ipv4(ip)) => !is_public_v4(ip),
            Some(Host::Ipv6(ip)) => !is_public_v6(ip),
            Some(host) => is_loopback(&host),
            None => false,
        };
        private && self.reach(url).is_ok()
    }
}

/// Hosts with their ports.
type NamedHosts = RwLock<HashSet<(String, u16)>>;

fn insert(hosts: &NamedHosts, url: &Url) {
    let mut hosts = hosts.write().unwrap_or_else(PoisonError::into_inner);
    hosts.extend(key(url));
}

fn read(hosts: &NamedHosts) -> RwLockReadGuard<'_, HashSet<(String, u16)>> {
    hosts.read().unwrap_or_else(PoisonError::into_inner)
}

fn contains(hosts: &NamedHosts, url: &Url) -> bool {
    key(url).is_some_and(|key| read(hosts).contains(&key))
}

fn key(url: &Url) -> Option<(String, u16)> {
    Some((url.host_str()?.to_owned(), url.port_or_known_default()?))
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

/// The hosts of the proxies that the environment names. The user chose their addresses,
/// which may be private.
pub(super) fn proxy_hosts() -> HashSet<String> {
    [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ]
    .into_iter()
    .filter_map(|name| std::env::var(name).ok())
    .filter_map(|value| proxy_host(&value))
    .collect()
}

fn proxy_host(value: &str) -> Option<String> {
    let url = if value.contains("://") {
        Url::parse(value)
    } else {
        Url::parse(&format!("http://{value}"))
    };
    Some(url.ok()?.host_str()?.to_ascii_lowercase())
}

/// A name that resolved to no address that may be dialled.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NoPublicAddress(pub(super) String);

/// A name that did not resolve.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unresolved(pub(super) std::io::Error);

/// Resolves a name once. The addresses that it gives are the ones that are dialled, so a
/// name cannot pass the check with one address and be dialled at another.
#[derive(Debug, Clone)]
pub(super) struct Resolver {
    /// Give public addresses only.
    pub(super) public_only: bool,
    pub(super) proxies: Arc<HashSet<String>>,
    /// Answers in the place of the system's.
    #[cfg(test)]
    pub(super) script: Option<DnsScript>,
}

impl Resolver {
    async fn lookup(&self, name: &str) -> std::io::Result<Vec<SocketAddr>> {
        #[cfg(test)]
        if let Some(script) = &self.script {
            return Ok(script.answer());
        }
        Ok(tokio::net::lookup_host((name, 0)).await?.collect())
    }

    fn may_be_dialled(&self, ip: IpAddr) -> bool {
        #[cfg(test)]
        if self
            .script
            .as_ref()
            .is_some_and(|script| script.public == ip)
        {
            return true;
        }
        is_public(ip)
    }
}

impl Resolver {
    /// The addresses of a name that may be dialled, with port 0.
    pub(super) async fn addresses(
        &self,
        name: &str,
    ) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let found = self.lookup(name).await.map_err(Unresolved)?;
        let filter = self.public_only && !self.proxies.contains(name);
        permitted(name, found, |ip| !filter || self.may_be_dialled(ip))
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_ascii_lowercase();
        let resolver = self.clone();
        Box::pin(async move { Ok(Box::new(resolver.addresses(&name).await?.into_iter()) as Addrs) })
    }
}

/// The addresses that may be dialled; an error if there is no such address.
fn permitted(
    name: &str,
    found: Vec<SocketAddr>,
    may_be_dialled: impl Fn(IpAddr) -> bool,
) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
    if found.is_empty() {
        let error = std::io::Error::new(std::io::ErrorKind::NotFound, "it has no address");
        return Err(Unresolved(error).into());
    }
    let first = found[0].ip();
    let kept: Vec<SocketAddr> = found
        .into_iter()
        .filter(|found| may_be_dialled(found.ip()))
        .collect();
    if kept.is_empty() {
        Err(NoPublicAddress(format!("{name} ({first})")).into())
    } else {
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn check(ip: &str, public: bool) {
        let parsed: IpAddr = ip.parse().expect("an address");
        assert_eq!(is_public(parsed), public, "{ip}");
    }

    #[test]
    fn only_public_addresses_are_public() {
        for ip in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00::1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "3fff:1000::1",
            "64:ff9b::808:808",
        ] {
            check(ip, true);
        }
        for ip in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
            "168.63.129.16",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::808:808",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "5f00::1",
        ] {
            check(ip, false);
        }
    }

    fn reach(typed: &str, allow: bool, url: &str) -> Result<AddressScope, Why> {
        let rules = AddressRules::new(
            PrivateHosts::typed(allow),
            Arc::new(HashSet::from(["proxy.corp".to_owned()])),
        );
        rules.name(&Url::parse(typed).expect("a URL"));
        rules.reach(&Url::parse(url).expect("a URL"))
    }

    #[test]
    fn a_typed_host_and_port_is_opened_and_nothing_beside_it() {
        let typed = "http://127.0.0.1:8000/feed";
        assert_eq!(
            reach(typed, true, "http://127.0.0.1:8000/a"),
            Ok(AddressScope::Loopback)
        );
        assert_eq!(
            reach(typed, true, "http://site.example/"),
            Ok(AddressScope::Public)
        );
        assert_eq!(
            reach("http://intranet:81/", true, "http://intranet:81/x"),
            Ok(AddressScope::Typed)
        );
        for url in [
            "http://127.0.0.1:8001/",
            "http://127.1/",
            "http://[::1]:8000/",
            "http://0x7f.1:9/",
        ] {
            assert!(
                matches!(reach(typed, true, url), Err(Why::PrivateAddress(_))),
                "{url}"
            );
        }
        let refused = reach(typed, false, typed);
        assert_eq!(refused, Err(Why::PrivateAddress("127.0.0.1".to_owned())));
    }

    #[test]
    fn other_schemes_and_the_proxy_itself_are_refused() {
        let typed = "http://site.example/";
        assert_eq!(
            reach(typed, true, "ftp://site.example/"),
            Err(Why::Scheme("ftp".to_owned()))
        );
        assert_eq!(
            reach(typed, true, "file:///etc/passwd"),
            Err(Why::Scheme("file".to_owned()))
        );
        assert_eq!(
            reach(typed, true, "http://proxy.corp:3128/"),
            Err(Why::PrivateAddress("proxy.corp".to_owned()))
        );
    }

    #[test]
    fn private_addresses_of_a_name_are_left_out() {
        let found: Vec<SocketAddr> = vec![([10, 0, 0, 1], 0).into(), ([8, 8, 8, 8], 0).into()];
        let kept = permitted("a.example", found.clone(), is_public).expect("one is public");
        assert_eq!(kept, [SocketAddr::from(([8, 8, 8, 8], 0))]);
        assert_eq!(
            permitted("a.example", found.clone(), |_| true).expect("typed"),
            found
        );
        let refused = permitted("a.example", found[..1].to_vec(), is_public).expect_err("private");
        assert_eq!(refused.to_string(), "a.example (10.0.0.1)");
    }

    /// A server that answers every connection with a page. It counts them.
    fn listen(at: SocketAddr) -> Option<(u16, Arc<AtomicUsize>)> {
        let listener = std::net::TcpListener::bind(at).ok()?;
        let port = listener.local_addr().expect("an address").port();
        let accepted = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&accepted);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                count.fetch_add(1, Ordering::SeqCst);
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
                    head.push(byte[0]);
                }
                let page: &[u8] = match head.starts_with(b"GET /robots.txt") {
                    true => {
                        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    }
                    false => {
                        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\npage"
                    }
                };
                stream.write_all(page).expect("sent");
            }
        });
        Some((port, accepted))
    }

    /// The result for a page whose host's name has these answers, the connections
    /// to the public address and to the private one, and the questions.
    fn flip(answers: &[&[IpAddr]]) -> (Result<u16, Why>, usize, usize, usize) {
        let (port, public) = listen((PUBLIC, 0).into()).expect("a port");
        // Where the port is taken, nobody listens there and nobody is counted.
        let private = listen((PRIVATE, port).into());
        let script = DnsScript {
            public: PUBLIC,
            answers: Arc::new(Mutex::new(answers.iter().map(|ips| ips.to_vec()).collect())),
            questions: Arc::default(),
        };
        let mut options = crate::FetchOptions::default().with_retries(0);
        options.script = Some(script.clone());
        let fetcher = crate::Fetcher::new(options).expect("a fetcher");
        let url = Url::parse(&format!("http://flip.example:{port}/")).expect("a URL");
        let visited = fetcher.visit(&crate::VisitRequest::new(url, crate::Resource::Page));
        let result = match visited {
            Ok(visited) => Ok(visited.status),
            Err(error) => Err(error.fetch_failure().expect("of the fetch").why().clone()),
        };
        let accepted = |count: &Arc<AtomicUsize>| count.load(Ordering::SeqCst);
        let private = private.map_or(0, |(_, count)| accepted(&count));
        let questions = script.questions.load(Ordering::SeqCst);
        (result, accepted(&public), private, questions)
    }

    const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    /// Only Linux has all of 127.0.0.0/8 by default.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_answer_that_flips_between_check_and_use_is_not_dialled() {
        let refused = || Err(Why::PrivateAddress(format!("flip.example ({PRIVATE})")));
        // A connection for robots.txt and one for the page, a question for each:
        // nothing is asked again between the check and the use.
        assert_eq!(flip(&[&[PUBLIC]]), (Ok(200), 2, 0, 2));
        assert_eq!(flip(&[&[PUBLIC], &[PRIVATE]]), (refused(), 1, 0, 2));
        assert_eq!(
            flip(&[&[PUBLIC], &[PUBLIC], &[PRIVATE]]),
            (Ok(200), 2, 0, 2)
        );
        // Mixed answers: the private part is never there.
        assert_eq!(flip(&[&[PRIVATE, PUBLIC]]), (Ok(200), 2, 0, 2));
        let (result, public, private, _) = flip(&[&[PRIVATE]]);
        assert_eq!((result, public, private), (refused(), 0, 0));
    }

    #[test]
    fn names_of_this_machine_are_refused_without_a_look_up() {
        for host in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "localhost..",
            "a.localhost",
            "A.LocalHost.",
        ] {
            let refused = reach("http://site.example/", true, &format!("http://{host}:9/"));
            assert!(
                matches!(refused, Err(Why::PrivateAddress(_))),
                "{host}: {refused:?}"
            );
        }
        let typed = reach("http://localhost:9/", true, "http://localhost:9/");
        assert_eq!(typed, Ok(AddressScope::Loopback));
        for host in ["localhost.example", "notlocalhost", "local"] {
            let open = reach("http://site.example/", true, &format!("http://{host}/"));
            assert_eq!(open, Ok(AddressScope::Public), "{host}");
        }
    }

    #[test]
    fn proxies_are_known_by_their_host() {
        assert_eq!(
            proxy_host("http://u:p@Proxy.Corp:3128"),
            Some("proxy.corp".to_owned())
        );
        assert_eq!(proxy_host("proxy.corp:3128"), Some("proxy.corp".to_owned()));
        assert_eq!(proxy_host(""), None);
    }
}
