//! From where feeds and photos may be fetched beside the public internet, and where photos are kept.

use std::net::SocketAddr;

use super::Settings;

impl Settings {
    /// Sockets of the operator's own network that may be called; none where the setting cannot be read, which stops the start.
    pub fn permitted_sockets(&self) -> Vec<SocketAddr> {
        read_sockets(&self.outbound_permitted).unwrap_or_default()
    }
}

/// Schemes of buckets that pictures may be kept in.
const BUCKETS: [&str; 3] = ["s3://", "gs://", "az://"];

pub(super) fn check(settings: &Settings) -> Result<(), String> {
    // Not repeated: it may hold a key.
    let pictures = settings.pictures.as_deref().unwrap_or_default();
    if pictures.contains("://") && !BUCKETS.iter().any(|scheme| pictures.starts_with(scheme)) {
        return Err(
            "the setting `pictures` takes a folder, or a bucket such as s3://bucket/folder, gs://bucket/folder or az://container/folder"
                .to_owned(),
        );
    }
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

    #[test]
    fn pictures_are_in_a_folder_or_in_a_bucket() {
        let checked = |pictures: &str| {
            check(&Settings {
                pictures: Some(pictures.to_owned()),
                ..Settings::default()
            })
        };
        for taken in [
            "/srv/pictures",
            "pictures",
            "s3://bucket/house",
            "gs://b",
            "az://c/house",
        ] {
            assert_eq!(checked(taken), Ok(()), "{taken}");
        }
        for wrong in [
            "ftp://bucket?key=secret",
            "https://bucket.example/secret",
            "file:///secret",
        ] {
            let said = checked(wrong).unwrap_err();
            assert!(said.contains("s3://bucket") && !said.contains("secret"), "{said}");
        }
    }
}
