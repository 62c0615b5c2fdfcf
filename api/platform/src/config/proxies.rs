//! The proxies before this server (`trusted_proxy`): addresses and networks between commas.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Addresses whose word about who stands behind them is believed; none by default. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TrustedProxies(Arc<[Network]>);

/// All addresses that begin with the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    first: IpAddr,
    bits: u32,
}

impl TrustedProxies {
    /// Whether a proxy of ours has this address.
    pub fn has(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.has(address))
    }
}

impl Network {
    fn parse(written: &str) -> Option<Self> {
        let (address, bits) = written
            .split_once('/')
            .map_or((written, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.trim().parse().ok()?;
        let first = address.to_canonical();
        let most = if first.is_ipv4() { 32 } else { 128 };
        // Of an IPv4 address written as IPv6 the bits before it do not count.
        let before = if address.is_ipv6() && first.is_ipv4() {
            96
        } else {
            0
        };
        let bits = match bits {
            Some(bits) => bits.trim().parse::<u32>().ok()?.checked_sub(before)?,
            None => most,
        };
        // Who trusts everybody believes whatever a client writes.
        (1..=most).contains(&bits).then_some(Self { first, bits })
    }

    fn has(&self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                (u32::from(first) ^ u32::from(address)).leading_zeros() >= self.bits
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                (u128::from(first) ^ u128::from(address)).leading_zeros() >= self.bits
            }
            _ => false,
        }
    }
}

impl TryFrom<String> for TrustedProxies {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let parts = written.split(',').map(str::trim).filter(|part| !part.is_empty());
        let networks = parts.map(|part| {
            Network::parse(part).ok_or_else(|| {
                format!(
                    "`{part}` is no address and no network: write 10.0.0.7, or 10.0.0.0/8 with 1 to 32 bits (of IPv6 up to \
                     128), several with commas between them"
                )
            })
        });
        networks.collect::<Result<_, _>>().map(Self)
    }
}

impl From<TrustedProxies> for String {
    fn from(proxies: TrustedProxies) -> Self {
        let written: Vec<Self> = proxies.0.iter().map(ToString::to_string).collect();
        written.join(",")
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Result<TrustedProxies, String> {
        written.to_owned().try_into()
    }

    #[test]
    fn address_and_network_are_trusted_and_neighbours_are_not() {
        let proxies = read("10.1.0.0/16, 192.168.7.9, 2001:db8::/32,::ffff:172.16.0.0/108").unwrap();
        for (address, is_trusted) in [
            ("10.1.255.3", true),
            ("10.2.0.1", false),
            ("192.168.7.9", true),
            ("192.168.7.8", false),
            ("2001:db8:1::9", true),
            ("2001:db9::1", false),
            ("::ffff:10.1.0.1", true),
            ("172.16.200.1", true),
            ("172.32.0.1", false),
        ] {
            assert_eq!(proxies.has(address.parse().unwrap()), is_trusted, "{address}");
        }
        let written: String = proxies.clone().into();
        assert_eq!(read(&written), Ok(proxies));
        assert!(!read("").unwrap().has("127.0.0.1".parse().unwrap()));
    }

    #[test]
    fn what_trusts_everybody_or_is_no_network_is_refused() {
        for wrong in [
            "0.0.0.0/0",
            "::/0",
            "10.0.0.0/33",
            "proxy",
            "10.0.0.0/",
            "10.0.0.1:80",
        ] {
            assert!(read(wrong).unwrap_err().contains(&format!("`{wrong}`")));
        }
    }
}
