//! Ports of this machine that a story may name before anybody listens there.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Below what the system gives to whoever asks for any port: nobody is given one of these between a look and its use.
const FIRST: u16 = 20_000;
const MANY: u16 = 10_000;

/// An address where nobody listens. Each is told once in a process.
///
/// # Panics
/// When all are taken.
pub fn free_address() -> SocketAddr {
    static TOLD: AtomicU16 = AtomicU16::new(0);
    // Processes side by side begin in different places.
    let begin = std::process::id().wrapping_mul(61) % u32::from(MANY);
    let begin = u16::try_from(begin).unwrap_or_default();
    let mut ports = (0..MANY).map(|_| FIRST + begin.wrapping_add(TOLD.fetch_add(1, Relaxed)) % MANY);
    let free = ports.find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok());
    let port = free.unwrap_or_else(|| panic!("no port is free"));
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

#[cfg(test)]
mod tests {
    use super::free_address;

    /// An address is told once and is none that the system gives to anybody.
    #[test]
    fn reserved_port_is_unique_and_outside_the_ephemeral_range() {
        let told: Vec<u16> = (0..100).map(|_| free_address().port()).collect();
        let ports: std::collections::BTreeSet<_> = told.iter().collect();
        assert_eq!(ports.len(), told.len());
        let given = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
        let given: Vec<u16> = given
            .split_whitespace()
            .filter_map(|it| it.parse().ok())
            .collect();
        if let [first, last] = given[..] {
            assert!(
                told.iter().all(|port| !(first..=last).contains(port)),
                "{first} to {last}"
            );
        }
    }
}
