//! The clients that may use a server, and who is who, by their addresses.

use axum::http::Extensions;
use axum::http::header::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// A range of addresses, such as `192.168.1.0/24`, or one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientRange(IpNet);

impl ClientRange {
    /// All addresses.
    pub fn all() -> Vec<ClientRange> {
        let all = ["0.0.0.0/0", "::/0"].map(|range| range.parse().expect("a range"));
        all.into()
    }

    /// True if an address is of the range. An IPv4 address in an IPv6 one counts as itself.
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.0.contains(&ip.to_canonical())
    }
}

/// The reason why a text is no range.
const NO_RANGE: &str = "give an address or a range, such as 192.168.1.7 or 192.168.1.0/24";

impl FromStr for ClientRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ClientRange, &'static str> {
        let range = text.parse::<IpAddr>().map(IpNet::from);
        let range = range.or_else(|_| text.parse::<IpNet>());
        range.map(ClientRange).map_err(|_| NO_RANGE)
    }
}

/// True if a client may use a server: one of this machine, or one of the ranges.
pub fn may_use(ranges: &[ClientRange], ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback() || ranges.iter().any(|range| range.contains(ip))
}

/// The header by which a reverse proxy names the client of a request.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client for whom something is counted: an address, of IPv6 the network of 64 bits that one
/// client has all of (RFC 6177). It says who shares with whom, and never who may do what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientKey {
    Address(IpAddr),
    /// Of a router that another program mounts.
    Unknown,
}

impl ClientKey {
    pub fn of(ip: IpAddr) -> ClientKey {
        ClientKey::Address(match ip.to_canonical() {
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            v4 => v4,
        })
    }

    /// The client that a request was marked with.
    pub fn of_extensions(extensions: &Extensions) -> ClientKey {
        extensions.get().copied().unwrap_or(ClientKey::Unknown)
    }

    /// The client of a request: the one that sent it, or, where that is a reverse proxy of this
    /// machine, the one for which it was sent. Only the last address counts: it is the proxy's
    /// own, and those before it are what the client said.
    pub fn of_request(peer: IpAddr, headers: &HeaderMap) -> ClientKey {
        let named = headers.get_all(FORWARDED_FOR).iter().next_back();
        let named = named.and_then(|named| named.to_str().ok()?.rsplit(',').next());
        let named = named.and_then(|named| named.trim().parse().ok());
        let is_proxy = peer.to_canonical().is_loopback();
        ClientKey::of(named.filter(|_| is_proxy).unwrap_or(peer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: &str, inside: &[&str], outside: &[&str]) {
        let range: ClientRange = range.parse().expect("a range");
        let ip = |text: &&str| text.parse::<IpAddr>().expect("an address");
        assert!(
            inside.iter().map(ip).all(|ip| range.contains(ip)),
            "{range:?}"
        );
        assert!(
            !outside.iter().map(ip).any(|ip| range.contains(ip)),
            "{range:?}"
        );
    }

    #[test]
    fn a_range_holds_its_addresses() {
        check(
            "192.168.1.0/24",
            &["192.168.1.0", "192.168.1.255", "::ffff:192.168.1.7"],
            &["192.168.2.0", "192.168.0.255", "::1"],
        );
        check("10.0.0.7", &["10.0.0.7"], &["10.0.0.6", "10.0.0.8"]);
        check("0.0.0.0/0", &["8.8.8.8"], &["2001:db8::1"]);
        check("fd00::/8", &["fd12::1"], &["fe80::1", "10.0.0.1"]);
        check("::/0", &["2001:db8::1"], &["10.0.0.1"]);
        for wrong in [
            "",
            "a",
            "10.0.0.0/33",
            "10.0.0/8",
            "::/129",
            "10.0.0.0/-1",
            "10.0.0.0/",
        ] {
            assert_eq!(wrong.parse::<ClientRange>(), Err(NO_RANGE), "{wrong}");
        }
    }

    #[test]
    fn nobody_but_this_machine_without_a_range() {
        let may = |ip: &str| may_use(&[], ip.parse().expect("an address"));
        assert!(may("127.0.0.1") && may("127.9.9.9") && may("::1") && may("::ffff:127.0.0.1"));
        assert!(!may("10.0.0.1") && !may("8.8.8.8") && !may("fe80::1"));
    }

    #[test]
    fn a_client_is_its_address_or_its_network() {
        let key = |ip: &str| ClientKey::of(ip.parse().expect("an address"));
        assert_eq!(key("10.0.0.1"), key("::ffff:10.0.0.1"));
        assert_ne!(key("10.0.0.1"), key("10.0.0.2"));
        assert_eq!(key("2001:db8:1:2::3"), key("2001:db8:1:2:ffff::"));
        assert_ne!(key("2001:db8:1:2::"), key("2001:db8:1:3::"));
    }

    #[test]
    fn a_reverse_proxy_of_this_machine_names_the_client() {
        let check = |peer: &str, lines: &[&str], expected: &str| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(FORWARDED_FOR, line.parse().expect("a value"));
            }
            let ip = |text: &str| text.parse().expect("an address");
            let client = ClientKey::of_request(ip(peer), &headers);
            assert_eq!(client, ClientKey::of(ip(expected)), "{peer} {lines:?}");
        };
        check("127.0.0.1", &[], "127.0.0.1");
        check("127.0.0.1", &["10.0.0.7"], "10.0.0.7");
        check("::1", &["10.0.0.7, 10.0.0.8"], "10.0.0.8");
        check("127.0.0.1", &["10.0.0.7", "2001:db8::1"], "2001:db8::1");
        check("127.0.0.1", &["10.0.0.7, unknown"], "127.0.0.1");
        check("10.0.0.9", &["10.0.0.7"], "10.0.0.9");
    }
}
