//! The log at the KurrentDB server of the setting `event_log`.

use eventlog::{EventLog, LogError};
use platform::config::Settings;
use tables::Place;

use crate::{cannot_be_opened, check, keys_url, named, options};

/// The log at a KurrentDB server, with the keys where everything else lies.
///
/// # Errors
/// One sentence for the operator.
pub(crate) async fn open(settings: &Settings, place: &Place) -> Result<EventLog, String> {
    let apart = match place {
        Place::Folder(folder) => eventlog_sqlite::keys_in_folder(folder).await,
        Place::Postgres(database) => {
            let own = options(database, "database")?;
            check(&own, "database").await?;
            let keys_url = keys_url(settings, database, &own).await?;
            check(&options(&keys_url, "keys_database")?, "keys_database").await?;
            eventlog_postgres::keys(&keys_url).await
        }
    };
    let (keys, handles) = apart.map_err(|error| cannot_be_opened(&error))?;
    let url = settings.event_log.as_deref().unwrap_or_default();
    let opened = kurrent::open_with(url, "", keys, handles).await;
    let log = opened.map_err(|error| match error {
        LogError::Unavailable(said) => format!(
            "the server of {} does not answer: look whether it runs, at the address and at `tls` in it ({said})",
            named("event_log")
        ),
        error => format!("the server of {} cannot be used: {error}", named("event_log")),
    })?;
    Ok(match place {
        Place::Folder(folder) => eventlog_sqlite::with_snapshots(log, folder),
        Place::Postgres(_) => log,
    })
}

/// Refuses what needs the log's chain, which such a server does not keep.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn needs_chain(what: &str) -> Result<(), String> {
    kurrent::CAPABILITIES
        .needs_chain(what)
        .map_err(|error| error.to_string())
}
