//! A place as it is known now, read from its own stream.

use domain::id::RegionId;
use domain::region::{Region, RegionDetails};
use eventlog::{EventLog, LogError, Revision};

/// A place with where its stream stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPlace {
    pub details: RegionDetails,
    /// Of its last event: a correction that names it has seen all before.
    pub revision: Revision,
}

/// Reads a place; `None` where there is none.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_place(log: &EventLog, id: RegionId) -> Result<Option<KnownPlace>, LogError> {
    let read = log.load::<Region>(id).await?;
    let revision = read.revision;
    let details = read.state.details;
    Ok(details.map(|details| KnownPlace {
        details: *details,
        revision,
    }))
}
