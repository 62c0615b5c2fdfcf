//! What a start opens: the desk, the followers of the log, and the folder that one server serves.

use std::path::Path;

use eventlog::EventLog;
use messages::delivery;
use platform::config::Settings;
use platform::desk::Desk;
use platform::{clock, country_zone};
use projections::run::Projector;
use projections::store::ReadStore;
use search_index::IndexFollower;
use tables::Place;

/// The desk, with the mails that an earlier process was sending due again.
pub(crate) async fn desk_of(place: &Place) -> Result<Desk, sqlx::Error> {
    let desk = Desk::open(place).await?;
    if let Err(error) = delivery::take_up(&desk).await {
        tracing::error!(%error, "mails that were under way wait until their claims are over");
    }
    Ok(desk)
}

/// The followers of the log, each of which has folded all it holds; side by side, because a first start has much to fold.
pub(crate) async fn caught_up(
    log: &EventLog,
    read: &ReadStore,
    data_dir: &Path,
) -> Result<(Projector, IndexFollower), String> {
    let follower = IndexFollower::new(log.clone());
    let mut follower = follower.by_calendar(country_zone::today_at);
    let indexing = tokio::spawn(async move { follower.catch_up().await.map(|_position| follower) });
    let mut projector = Projector::new(log.clone(), read.clone(), projections::all(log.handles()));
    match projector.catch_up().await {
        Ok(_reached) => {}
        // What is there can be read all the same, and the rest is folded once there is room (decision 0012).
        Err(error) if platform::disk::is_full(data_dir) => {
            tracing::error!(%error, "the disk is full: the server only reads until there is room");
        }
        Err(error) => return Err(format!("the read models cannot catch up: {error}")),
    }
    let follower = indexing.await.map_err(|error| error.to_string())?;
    let follower = follower.map_err(|error| format!("the search index cannot catch up: {error}"))?;
    Ok((projector, follower))
}

/// One server a folder: a second one would send messages and end holds twice over. The lock goes with the process.
pub(crate) fn serve_alone(data_dir: &Path) -> Result<std::fs::File, String> {
    storage::make_folder(data_dir)?;
    let path = data_dir.join("serve.lock");
    let file = std::fs::File::create(&path)
        .map_err(|error| format!("the file `{}` cannot be made: {error}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(format!(
            "another server works on `{}`: stop it, or set `data_dir` to another folder",
            data_dir.display()
        )),
        Err(std::fs::TryLockError::Error(error)) => {
            Err(format!("the file `{}` cannot be locked: {error}", path.display()))
        }
    }
}

/// Writes what the settings ask to be there before the first request: the demo's homes, and the countries that are opened.
///
/// # Errors
/// When the log cannot be read or written.
pub(crate) async fn write_first_facts(
    settings: &Settings,
    log: &EventLog,
    desk: &Desk,
) -> Result<(), String> {
    if settings.wants_demo_homes() {
        let loaded = demo::load_demo_catalogue(log, desk, settings, clock::now()).await?;
        tracing::info!(?loaded, "the demo catalogue is there");
    }
    if settings.rehearsal {
        return Ok(());
    }
    import::open_countries(log, &settings.countries_to_open())
        .await
        .map(drop)
}
