//! Names of hosts as requests and addresses write them.

use std::net::IpAddr;

/// The host of `host`, `host:port` or `[address]:port`, in small letters and without the dot that may end a whole name.
pub fn read_host(said: &str) -> Option<String> {
    if let Some(rest) = said.strip_prefix('[') {
        let (address, _port) = rest.split_once(']')?;
        return address.parse::<IpAddr>().ok().map(|address| address.to_string());
    }
    let name = said.split(':').next().unwrap_or_default();
    let name = name.strip_suffix('.').unwrap_or(name);
    (!name.is_empty()).then(|| name.to_ascii_lowercase())
}

/// Whether this host is the very machine that asks.
pub fn is_loopback(said: &str) -> bool {
    read_host(said).is_some_and(|host| {
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_read_without_its_port() {
        for (said, host) in [
            ("Rooms.Example:8080", Some("rooms.example")),
            ("rooms.example.", Some("rooms.example")),
            ("[2001:DB8:0::1]:81", Some("2001:db8::1")),
            ("192.0.2.7:80", Some("192.0.2.7")),
            ("[rooms.example]", None),
            ("[::1", None),
            (":80", None),
            (".", None),
            ("", None),
        ] {
            assert_eq!(read_host(said).as_deref(), host, "{said}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_names_and_addresses() {
        for (said, is) in [
            ("localhost:8080", true),
            ("LOCALHOST", true),
            ("127.0.0.2", true),
            ("[::1]:8080", true),
            ("localhost.evil.example", false),
            ("10.0.0.1", false),
        ] {
            assert_eq!(is_loopback(said), is, "{said}");
        }
    }
}
