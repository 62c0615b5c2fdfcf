//! The laws of the log on SQLite, and what its files promise besides.

mod appending;
mod commands;
mod failing;
mod following;
mod killing;
mod newcomers;
mod power;
mod proving;
mod reading;
mod sealing;
mod shapes;
mod snapshots;
mod tampering;

mod committing {
    eventlog_conformance::committing!(super::ground());
}

use std::path::Path;
use std::sync::Arc;

use eventlog::EventLog;
use eventlog_conformance::Ground;
use tempfile::TempDir;

/// A folder of its own, opened anew each time.
fn ground() -> Ground {
    let dir = Arc::new(TempDir::new().expect("a directory for the test"));
    Ground::new(move || {
        let dir = dir.clone();
        async move { open(dir.path()).await }
    })
}

pub(crate) async fn open(dir: &Path) -> EventLog {
    crate::open(dir).await.expect("the log opens")
}
