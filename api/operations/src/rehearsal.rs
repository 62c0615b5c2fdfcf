//! Which folder may be rehearsed on, and which may serve. A rehearsal carries out nothing outside, so what it did in its copy is
//! not what happened: the copy never goes into service.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use health::notary::KEY_FILE;
use platform::config::Settings;
use tables::Place;

/// Left by `latchkey restore`: nothing has served from the folder yet.
const RESTORED: &str = "restored.mark";
/// Takes its place when a rehearsal begins.
const REHEARSED: &str = "rehearsed.mark";

/// Marks a folder that was made from a backup.
///
/// # Errors
/// When the mark cannot be written.
pub fn mark_restored(dir: &Path) -> io::Result<()> {
    File::create(dir.join(RESTORED))?.sync_all()
}

/// Refuses a folder or a database that is no copy, before anything in it is changed: restored by `latchkey restore` into files, or
/// by PostgreSQL's own tools into databases.
///
/// # Errors
/// One sentence for the operator.
pub async fn refuse_original(settings: &Settings) -> Result<(), String> {
    check_place(settings)?;
    storage::cut_back::refuse_at_work(settings).await
}

/// Lets a start go on that fits the folder: a rehearsal on a restored copy alone, and anything else on no copy that was rehearsed on.
///
/// # Errors
/// One sentence for the operator.
pub async fn admit_start(settings: &Settings) -> Result<(), String> {
    let dir = &settings.data_dir;
    let (restored, rehearsed) = (dir.join(RESTORED), dir.join(REHEARSED));
    let failed = |error: io::Error| format!("the mark of a restored copy in `{}`: {error}", dir.display());
    match (settings.rehearsal, rehearsed.is_file()) {
        (true, true) => storage::cut_back::refuse_at_work(settings).await,
        (true, false) if restored.is_file() => fs::rename(&restored, &rehearsed).map_err(failed),
        (true, false) => {
            refuse_original(settings).await?;
            File::create(&rehearsed).map(drop).map_err(failed)
        }
        (false, true) => Err(format!(
            "`{}` served a rehearsal, and what happened in it happened nowhere else: restore the backup into a new folder",
            dir.display()
        )),
        (false, false) if restored.is_file() => fs::remove_file(&restored).map_err(failed),
        (false, false) => Ok(()),
    }
}

/// Whether a folder without a mark may be rehearsed on.
fn check_place(settings: &Settings) -> Result<(), String> {
    let dir = settings.data_dir.display();
    match settings.place() {
        _ if settings.event_log.is_some() => Err(
            "a rehearsal writes into its log, and the log lies at the KurrentDB server of the setting `event_log`: rehearse \
             with that server's own tools on a copy of it"
                .to_owned(),
        ),
        Place::Folder(_) => Err(format!(
            "`{dir}` was not made by `latchkey restore`, or has served since: rehearse on a restored copy, not on what serves"
        )),
        // The database does not tell a copy from the original, but a folder of its own shows that somebody set the copy up.
        Place::Postgres(_) if settings.data_dir.join(KEY_FILE).is_file() => Err(format!(
            "`{dir}` is the data folder of a server: give the rehearsal a new one (`--data-dir`), and a restored copy of both \
             databases (`database`, `keys_database`)"
        )),
        Place::Postgres(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn on(dir: &Path, rehearsal: bool) -> Result<(), String> {
        let settings = Settings {
            data_dir: dir.to_owned(),
            ..Settings::default()
        };
        admit_start(&if rehearsal {
            settings.in_rehearsal()
        } else {
            settings
        })
        .await
    }

    #[tokio::test]
    async fn copy_is_rehearsed_on_or_serves_and_never_both() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        assert!(on(dir, true).await.unwrap_err().contains("was not made by"));
        mark_restored(dir).unwrap();
        assert_eq!(on(dir, true).await, Ok(()));
        assert_eq!(on(dir, true).await, Ok(()), "and again");
        assert!(on(dir, false).await.unwrap_err().contains("served a rehearsal"));
        let served = tempfile::tempdir().unwrap();
        let served = served.path();
        mark_restored(served).unwrap();
        assert_eq!(on(served, false).await, Ok(()));
        assert!(on(served, true).await.unwrap_err().contains("has served since"));
    }

    #[test]
    fn originals_elsewhere_are_told_apart_by_folder_and_engine() {
        let dir = tempfile::tempdir().unwrap();
        let settings = Settings {
            data_dir: dir.path().to_owned(),
            database: "postgres://ops@localhost/copy".to_owned(),
            ..Settings::default()
        };
        assert_eq!(check_place(&settings), Ok(()));
        fs::write(dir.path().join(KEY_FILE), "").unwrap();
        let refused = check_place(&settings).unwrap_err();
        assert!(refused.contains("is the data folder of a server"), "{refused}");
        let at_kurrentdb = Settings {
            event_log: Some("kurrentdb://localhost:2113".to_owned()),
            ..settings
        };
        let refused = check_place(&at_kurrentdb).unwrap_err();
        assert!(refused.contains("`event_log`"), "{refused}");
    }
}
