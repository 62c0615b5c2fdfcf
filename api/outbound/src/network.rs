//! Networks that no outgoing call may reach, by the registries of special-purpose addresses of IANA (RFC 6890 and its successors).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of a network that is not the public internet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    Loopback,
    Private,
    LinkLocal,
    /// A cloud's service that hands out credentials to the machine that asks.
    Metadata,
    /// Behind a provider's address translation (RFC 6598).
    Shared,
    Multicast,
    Documentation,
    Benchmarking,
    Unspecified,
    /// A tunnel whose end another machine chooses: 6to4, Teredo.
    Transition,
    Reserved,
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loopback => "this machine itself",
            Self::Private => "a private network",
            Self::LinkLocal => "the link-local network",
            Self::Metadata => "a cloud's metadata service",
            Self::Shared => "a provider's inner network",
            Self::Multicast => "a multicast group",
            Self::Documentation => "an address for documentation",
            Self::Benchmarking => "an address for benchmarks",
            Self::Unspecified => "no address",
            Self::Transition => "a tunnel",
            Self::Reserved => "a reserved address",
        })
    }
}

/// IPv4 ranges that are not public, the narrower before the wider.
#[expect(clippy::ip_constant, reason = "the table reads by its numbers")]
const RANGES_V4: [(Ipv4Addr, u32, Network); 18] = [
    (Ipv4Addr::new(169, 254, 169, 254), 32, Network::Metadata),
    (Ipv4Addr::new(168, 63, 129, 16), 32, Network::Metadata),
    (Ipv4Addr::new(100, 100, 100, 200), 32, Network::Metadata),
    (Ipv4Addr::new(192, 0, 0, 192), 32, Network::Metadata),
    (Ipv4Addr::new(0, 0, 0, 0), 8, Network::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Network::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Network::Shared),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Network::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Network::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Network::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Network::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Network::Documentation),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Network::Transition),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Network::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Network::Benchmarking),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Network::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Network::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Network::Multicast),
];
/// From here to the end, broadcast among them.
const RESERVED_V4: (Ipv4Addr, u32) = (Ipv4Addr::new(240, 0, 0, 0), 4);

const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// IPv6 ranges that are not public, the narrower before the wider.
const RANGES_V6: [(Ipv6Addr, u32, Network); 11] = [
    (Ipv6Addr::UNSPECIFIED, 128, Network::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Network::Loopback),
    (
        Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
        128,
        Network::Metadata,
    ),
    (
        Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
        128,
        Network::Metadata,
    ),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Network::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Network::LinkLocal),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, Network::Multicast),
    (
        Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0),
        32,
        Network::Documentation,
    ),
    (
        Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0),
        20,
        Network::Documentation,
    ),
    (
        Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0),
        32,
        Network::Transition,
    ),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Network::Reserved),
];
/// IPv6 ranges whose last 32 bits are an IPv4 address: mapped, translated (RFC 2765), and translated by NAT64.
const EMBEDDING_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96),
    (Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, 0, 0), 96),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96),
];
const SIX_TO_FOUR: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// The network of an address that is not public; `None` for one of the public internet. An address inside another one is judged as
/// itself: the packet goes there.
pub fn find_network(address: IpAddr) -> Option<Network> {
    match address {
        IpAddr::V4(address) => find_v4_network(address),
        IpAddr::V6(address) => find_v6_network(address),
    }
}

fn find_v4_network(address: Ipv4Addr) -> Option<Network> {
    let found = RANGES_V4
        .iter()
        .find(|(start, bits, _)| is_within_v4(address, *start, *bits));
    if let Some((_, _, network)) = found {
        return Some(*network);
    }
    is_within_v4(address, RESERVED_V4.0, RESERVED_V4.1).then_some(Network::Reserved)
}

fn find_v6_network(address: Ipv6Addr) -> Option<Network> {
    let embeds = |(start, bits): &(Ipv6Addr, u32)| is_within_v6(address, *start, *bits);
    if EMBEDDING_V6.iter().any(embeds) {
        return find_v4_network(take_v4(address, 0));
    }
    if embeds(&SIX_TO_FOUR) {
        return Some(find_v4_network(take_v4(address, 80)).unwrap_or(Network::Transition));
    }
    let found = RANGES_V6
        .iter()
        .find(|(start, bits, _)| is_within_v6(address, *start, *bits));
    if let Some((_, _, network)) = found {
        return Some(*network);
    }
    (!is_within_v6(address, PUBLIC_V6.0, PUBLIC_V6.1)).then_some(Network::Reserved)
}

/// The 32 bits before the last `behind` ones, as an IPv4 address.
fn take_v4(address: Ipv6Addr, behind: u32) -> Ipv4Addr {
    let [.., a, b, c, d] = (address.to_bits() >> behind).to_be_bytes();
    Ipv4Addr::new(a, b, c, d)
}

fn is_within_v4(address: Ipv4Addr, start: Ipv4Addr, bits: u32) -> bool {
    (address.to_bits() ^ start.to_bits()) >> (u32::BITS - bits) == 0
}

fn is_within_v6(address: Ipv6Addr, start: Ipv6Addr, bits: u32) -> bool {
    (address.to_bits() ^ start.to_bits()) >> (u128::BITS - bits) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_of_every_kind_are_found() {
        for (address, network) in [
            ("0.0.0.0", Network::Unspecified),
            ("0.1.2.3", Network::Unspecified),
            ("10.255.0.1", Network::Private),
            ("100.64.0.1", Network::Shared),
            ("100.127.255.255", Network::Shared),
            ("100.100.100.200", Network::Metadata),
            ("127.0.0.1", Network::Loopback),
            ("127.255.255.254", Network::Loopback),
            ("168.63.129.16", Network::Metadata),
            ("169.254.1.1", Network::LinkLocal),
            ("169.254.169.254", Network::Metadata),
            ("172.16.0.1", Network::Private),
            ("172.31.255.255", Network::Private),
            ("192.0.0.8", Network::Reserved),
            ("192.0.0.192", Network::Metadata),
            ("192.0.2.1", Network::Documentation),
            ("192.88.99.1", Network::Transition),
            ("192.168.1.1", Network::Private),
            ("198.19.0.1", Network::Benchmarking),
            ("198.51.100.7", Network::Documentation),
            ("203.0.113.7", Network::Documentation),
            ("224.0.0.251", Network::Multicast),
            ("240.0.0.1", Network::Reserved),
            ("255.255.255.255", Network::Reserved),
            ("::", Network::Unspecified),
            ("::1", Network::Loopback),
            ("::127.0.0.1", Network::Reserved),
            ("::ffff:127.0.0.1", Network::Loopback),
            ("::ffff:169.254.169.254", Network::Metadata),
            ("::ffff:0:10.0.0.1", Network::Private),
            ("64:ff9b::10.0.0.1", Network::Private),
            ("64:ff9b:1::1", Network::Reserved),
            ("100::1", Network::Reserved),
            ("2001::1", Network::Transition),
            ("2001:2::1", Network::Reserved),
            ("2001:db8::1", Network::Documentation),
            ("2002:7f00:1::1", Network::Loopback),
            ("2002:a9fe:a9fe::1", Network::Metadata),
            ("2002:808:808::1", Network::Transition),
            ("3fff::1", Network::Documentation),
            ("5f00::1", Network::Reserved),
            ("fc00::1", Network::Private),
            ("fd00:ec2::254", Network::Metadata),
            ("fe80::1", Network::LinkLocal),
            ("fec0::1", Network::Reserved),
            ("ff02::1", Network::Multicast),
        ] {
            assert_eq!(find_network(address.parse().unwrap()), Some(network), "{address}");
        }
    }

    #[test]
    fn public_addresses_are_no_such_network() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.255.255.255",
            "128.0.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert_eq!(find_network(address.parse().unwrap()), None, "{address}");
        }
    }
}
