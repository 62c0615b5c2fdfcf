//! Network addresses as limits count them: an IPv6 customer has a whole /64, so a single address says nothing.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The network that one customer has: an IPv4 address, the first 64 bits of an IPv6 address.
pub fn network(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("{}/64", first_bits(ip, 64)),
    }
}

/// The site that one customer can be given, a /48 of IPv6; `None` for IPv4.
pub fn site(ip: IpAddr) -> Option<String> {
    match ip.to_canonical() {
        IpAddr::V4(_) => None,
        IpAddr::V6(ip) => Some(format!("{}/48", first_bits(ip, 48))),
    }
}

fn first_bits(ip: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(ip.to_bits() & (u128::MAX << (128 - bits)))
}

/// Reads the forms in which proxies write an address: with and without port, IPv6 in brackets, IPv4 mapped into IPv6.
pub fn forwarded(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let ip = bare.unwrap_or(text).parse::<IpAddr>().ok().or_else(with_port)?;
    Some(ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forwarded_addresses_are_read_in_every_form() {
        for (text, ip) in [
            ("203.0.113.7", "203.0.113.7"),
            (" 203.0.113.7:51234", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("[::ffff:203.0.113.7]:80", "203.0.113.7"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("\"[2001:db8::1]:4711\"", "2001:db8::1"),
        ] {
            assert_eq!(forwarded(text), ip.parse().ok(), "{text}");
        }
        assert_eq!(forwarded("unknown"), None);
    }

    #[test]
    fn addresses_of_one_customer_are_one_network() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(
            network(ip("2001:db8:1:2::1")),
            network(ip("2001:db8:1:2:ffff::9"))
        );
        assert_ne!(network(ip("2001:db8:1:2::1")), network(ip("2001:db8:1:3::1")));
        assert_eq!(site(ip("2001:db8:1:2::1")), site(ip("2001:db8:1:3::1")));
        assert_eq!(
            (network(ip("::ffff:192.0.2.1")), site(ip("::ffff:192.0.2.1"))),
            ("192.0.2.1".to_owned(), None)
        );
    }
}
