//! Fetches the bytes of one photo, from its address through the guard of outgoing calls or from where an import has put them.

use std::time::Duration;

use domain::photo::PhotoRefusal;
use outbound::{Call, Limits, Outbound, OutboundError};
use url::Url;

/// Bounds of a photo that is fetched: 20 MB, within a minute.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(10),
    total: Duration::from_mins(1),
    received: BYTES_MAX,
    unpacked: BYTES_MAX,
};
/// Bytes of the largest photo.
pub const BYTES_MAX: u64 = BODY_MAX as u64;
/// The same of one that is sent.
pub const BODY_MAX: usize = 20 * 1024 * 1024;
/// Pauses before a host that does not answer is asked again at once; later tries are the read model's.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// The host of an address; `None` for what lies in the picture store.
pub fn find_host(place: &str) -> Option<String> {
    let url = Url::parse(place).ok()?;
    url.host_str().map(ToOwned::to_owned)
}

/// An address for people to read: without a login and without what follows a question mark, which may be keys. Empty for what lies in the
/// picture store.
pub fn show_address(place: &str) -> String {
    let Ok(url) = Url::parse(place) else {
        return String::new();
    };
    let Some(host) = url.host_str() else {
        return String::new();
    };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{host}{port}{}", url.scheme(), url.path())
}

/// Why there are no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unfetched {
    pub(crate) refusal: PhotoRefusal,
    /// The status of the host's answer, where it gave one.
    pub(crate) answered: Option<u16>,
    /// The host did not answer, or has too much to do. One that refuses a single photo is asked for the next one.
    pub(crate) is_host_silent: bool,
}

/// The bytes at an address.
///
/// # Errors
/// Why there are none. What may pass was tried three times.
pub(crate) async fn fetch_photo(outbound: &Outbound, address: &str) -> Result<Vec<u8>, Unfetched> {
    let mut pauses = PAUSES.iter();
    loop {
        let error = match ask_once(outbound, address).await {
            Ok(bytes) => return Ok(bytes),
            Err(error) => error,
        };
        let pause = pauses.next().filter(|_| error.is_temporary());
        let Some(pause) = pause else {
            // The sentence names the host and no path, which may hold a key.
            tracing::info!(%error, "a photo could not be fetched");
            return Err(explain(&error));
        };
        tokio::time::sleep(*pause).await;
    }
}

async fn ask_once(outbound: &Outbound, address: &str) -> Result<Vec<u8>, OutboundError> {
    let (_answer, bytes) = outbound.fetch(Call::get(address, LIMITS)?).await?;
    Ok(bytes)
}

const fn explain(error: &OutboundError) -> Unfetched {
    let refusal = match error {
        OutboundError::Status {
            status: 404 | 410, ..
        } => PhotoRefusal::Gone,
        OutboundError::TooLarge { .. } | OutboundError::UnpacksTooLarge { .. } => PhotoRefusal::TooLarge,
        OutboundError::NoAddress
        | OutboundError::Scheme(_)
        | OutboundError::Plain(_)
        | OutboundError::Forbidden { .. } => PhotoRefusal::NotPermitted,
        _ => PhotoRefusal::Unreachable,
    };
    let answered = match error {
        OutboundError::Status { status, .. } => Some(*status),
        _ => None,
    };
    Unfetched {
        refusal,
        answered,
        is_host_silent: error.is_temporary(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_shown_without_keys() {
        let shown = show_address("https://user:secret@photos.example:8443/a/1.jpg?key=secret#part");
        assert_eq!(shown, "https://photos.example:8443/a/1.jpg");
        assert_eq!(show_address("sha256:abc"), "");
    }

    #[test]
    fn refusals_say_what_a_writer_of_feeds_can_mend() {
        let host = || "photos.example".to_owned();
        let status = |status| OutboundError::Status { host: host(), status };
        for (error, answered, refusal, is_host_silent) in [
            (status(404), Some(404), PhotoRefusal::Gone, false),
            (status(410), Some(410), PhotoRefusal::Gone, false),
            // A bucket says so of a photo that is not in it: it has the others all the same.
            (status(403), Some(403), PhotoRefusal::Unreachable, false),
            (status(503), Some(503), PhotoRefusal::Unreachable, true),
            (
                OutboundError::UnknownHost(host()),
                None,
                PhotoRefusal::Unreachable,
                true,
            ),
            (
                OutboundError::Scheme("file".to_owned()),
                None,
                PhotoRefusal::NotPermitted,
                false,
            ),
            (
                OutboundError::TooLarge {
                    host: host(),
                    limit: BYTES_MAX,
                },
                None,
                PhotoRefusal::TooLarge,
                false,
            ),
        ] {
            let expected = Unfetched {
                refusal,
                answered,
                is_host_silent,
            };
            assert_eq!(explain(&error), expected, "{error}");
        }
    }
}
