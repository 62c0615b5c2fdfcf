//! Files beside the log that are taken away under the running server: each is told in `/readyz`, in the metrics and in the log output
//! until the next start. Where what is written from then on would be lost, nothing is written (decision 0013).

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use eventlog::EventLog;
use platform::config::Settings;
use serde::Serialize;
use storage::sqlite::Found;
use tables::Place;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::notary;

/// How often they are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// What to do about the database of codes and messages.
const DESK: &str = "one-time codes and messages that are not sent yet are written to a deleted file and lost with the process; put it back from \
     the newest backup, then start the server again";

struct Watched {
    name: &'static str,
    found: Found,
    advice: &'static str,
}

/// The files of this node that are watched, once all of them are open.
#[derive(Default)]
pub struct FilesWatch(OnceLock<Vec<Watched>>);

/// A file that is not what was opened.
#[derive(Debug, Clone, Serialize)]
pub struct GoneFile {
    /// Its name below the data folder.
    pub file: &'static str,
    /// What became of it.
    pub what: &'static str,
    pub advice: &'static str,
}

impl FilesWatch {
    /// Watches what is open now. The log takes no event any more once one is gone that such an event would be lost with.
    pub fn begin(&self, settings: &Settings, log: &EventLog) {
        let heads = notary::heads_dir(settings);
        let mut watched = vec![watched(
            "heads",
            heads,
            "the log's end is signed inside the database alone; put the folder back from the copy outside, then start the server again",
        )];
        if let Place::Folder(folder) = settings.place() {
            watched.extend(of_folder(&folder));
            for name in ["desk.db", "desk.db-wal"] {
                log.needs(&folder.join(name), DESK);
            }
        }
        drop(self.0.set(watched));
    }

    /// What is gone now.
    pub fn gone(&self) -> Vec<GoneFile> {
        let gone = self.0.get().into_iter().flatten().filter_map(|watched| {
            let what = watched.found.gone()?;
            Some(GoneFile {
                file: watched.name,
                what,
                advice: watched.advice,
            })
        });
        gone.collect()
    }
}

fn of_folder(folder: &Path) -> Vec<Watched> {
    let at = |name| (name, folder.join(name));
    [
        (
            at("handles.key"),
            "it is the secret by which people are found again, and no other one fits; put it back from the backup, then start the server \
             again",
        ),
        (at("desk.db"), DESK),
        (at("desk.db-wal"), DESK),
        (
            at("reactor.db"),
            "what the reactor carries out is noted in a deleted file and lost with the process; start the server again: the next start makes it \
             anew from the log",
        ),
    ]
    .into_iter()
    .map(|((name, path), advice)| watched(name, path, advice))
    .collect()
}

fn watched(name: &'static str, path: PathBuf, advice: &'static str) -> Watched {
    Watched {
        name,
        found: Found::of(path),
        advice,
    }
}

/// Tells each file that goes once in the log output, until the server stops.
pub async fn keep_watching(files: Arc<FilesWatch>, mut stop: watch::Receiver<bool>) {
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut told = Vec::new();
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
        for GoneFile { file, what, advice } in files.gone() {
            if !told.contains(&file) {
                told.push(file);
                tracing::error!(file, what, advice, "a file was taken away under the server");
            }
        }
    }
}
