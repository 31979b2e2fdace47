//! The clients that may use a server, by their addresses.

use ipnet::IpNet;
use std::net::IpAddr;
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
pub(super) fn may_use(ranges: &[ClientRange], ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback() || ranges.iter().any(|range| range.contains(ip))
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
}
