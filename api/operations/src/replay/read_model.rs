//! `latchkey replay --projection NAME --at N`: a read model as it was at an event, folded in a folder of its own.

use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use eventlog::{EventLog, Position};
use platform::printout;
use projections::run::Projector;
use projections::store::ReadStore;
use serde_json::json;
use tables::Place;
use tables::rows;
use uuid::Uuid;

use crate::stop_signal::stop_signal;

/// A folder that goes with its owner.
struct Passing(PathBuf);

impl Passing {
    fn make() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("latchkey-replay-{}", Uuid::new_v4().simple()));
        // Its rows are of people, if only by their ids: nobody else looks into them.
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, folder = %self.0.display(), "the folder of a replay is still there");
        }
    }
}

/// Prints every row as an object, its table first. Whoever stops it finds no folder left behind.
pub(super) async fn print(log: &EventLog, name: &str, at: Position) -> Result<(), String> {
    let stopped = stop_signal().map_err(|error| format!("signals cannot be heard: {error}"))?;
    let folder = Passing::make().map_err(|error| format!("no folder can be made to replay in: {error}"))?;
    // A task of its own: printing waits for whoever reads, and the signal does not.
    let printing = tokio::spawn(print_in(
        folder.path().to_owned(),
        log.clone(),
        name.to_owned(),
        at,
    ));
    tokio::select! {
        printed = printing => printed.map_err(|error| error.to_string())?,
        () = stopped => Err("stopped before all was printed".to_owned()),
    }
}

async fn print_in(folder: PathBuf, log: EventLog, name: String, at: Position) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("the read model cannot be folded: {error}");
    let store = ReadStore::open(&Place::Folder(folder))
        .await
        .map_err(|error| failed(&error))?;
    let projector = Projector::new(log.clone(), store.clone(), projections::all(log.handles()));
    let projector = projector.alone(&name).map_err(|error| failed(&error))?;
    let tables = projector.tables(&name).map_err(|error| failed(&error))?;
    projector.fold_until(at).await.map_err(|error| failed(&error))?;
    let mut connection = store.readers().acquire().await.map_err(|error| failed(&error))?;
    for table in tables {
        let rows = rows::of_table(&mut connection, table)
            .await
            .map_err(|error| failed(&error))?;
        for row in rows {
            printout::line(json!({ "table": table, "row": row }))?;
        }
    }
    drop(connection);
    store.close().await;
    Ok(())
}
