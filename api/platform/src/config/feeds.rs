//! From where feeds may be fetched beside the public internet.

use std::net::SocketAddr;

use super::Settings;

impl Settings {
    /// Sockets of the operator's own network that may be called; none where the setting cannot be read, which stops the start.
    pub fn permitted_sockets(&self) -> Vec<SocketAddr> {
        read_sockets(&self.outbound_permitted).unwrap_or_default()
    }
}

pub(super) fn check(settings: &Settings) -> Result<(), String> {
    match read_sockets(&settings.outbound_permitted) {
        Ok(_sockets) => Ok(()),
        Err(wrong) => Err(format!(
            "the setting `outbound_permitted` holds `{wrong}`: it takes addresses with their ports between commas, such as \
             `10.0.0.7:8443`; names are not looked up"
        )),
    }
}

/// The sockets between commas, or the first that is none.
fn read_sockets(text: &str) -> Result<Vec<SocketAddr>, &str> {
    let written = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    written.map(|part| part.parse().map_err(|_| part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permitted_sockets_are_numbers_with_ports() {
        let sockets = read_sockets("10.0.0.7:8443, [fd00::1]:443,").unwrap();
        assert_eq!(sockets.len(), 2);
        assert!(read_sockets("").unwrap().is_empty());
        for wrong in ["10.0.0.7", "feeds.example:443", "10.0.0.0/8", "10.0.0.7:8443 x"] {
            assert_eq!(read_sockets(wrong), Err(wrong));
        }
        let settings = Settings {
            outbound_permitted: "10.0.0.7:443,feeds.example:443".to_owned(),
            ..Settings::default()
        };
        assert!(check(&settings).unwrap_err().contains("`feeds.example:443`"));
    }
}
