//! Opens a feed: a file, or an address whose answer is fetched whole before its first row is read. A feed that breaks off on its way
//! takes no row in.

use std::fs::{File, OpenOptions};
use std::io::Seek as _;
use std::sync::Arc;
use std::time::Duration;

use outbound::{Call, Limits, Outbound, Policy, SystemResolver};
use uuid::Uuid;

/// Bounds of a feed that is fetched. A list of 100,000 leases in XML has about 300 MB.
const FEED_LIMITS: Limits = Limits {
    connect: Duration::from_secs(10),
    total: Duration::from_mins(30),
    received: 1024 * 1024 * 1024,
    unpacked: 4 * 1024 * 1024 * 1024,
};

/// Opens the feed at a path or an address.
///
/// # Errors
/// One sentence; of an address it names the host alone, since the rest may hold a key.
pub(crate) async fn open_feed(place: &str) -> Result<File, String> {
    if !place.contains("://") {
        return File::open(place).map_err(|error| format!("`{place}`: {error}"));
    }
    let refused = |error: outbound::OutboundError| format!("the feed cannot be fetched: {error}");
    let call = Call::get(place, FEED_LIMITS).map_err(refused)?;
    let outbound = Outbound::open(Policy::default(), Arc::new(SystemResolver)).map_err(refused)?;
    let mut file = create_unnamed().map_err(|error| format!("the fetched feed cannot be kept: {error}"))?;
    outbound.send(call, &mut file).await.map_err(refused)?;
    file.rewind()
        .map_err(|error| format!("the fetched feed cannot be read: {error}"))?;
    Ok(file)
}

/// A file that is gone with its handle.
fn create_unnamed() -> std::io::Result<File> {
    let path = std::env::temp_dir().join(format!("latchkey-feed-{}", Uuid::new_v4()));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}
