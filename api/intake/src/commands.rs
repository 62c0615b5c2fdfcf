//! Acts on uploads: taking a file in, changing its map, asking for a try or an import, stopping it, taking it away.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use domain::import_run::MissingRule;
use feeds::{FeedMap, SHARED_FEED};
use fetching::feeds_file::is_feed_name;
use platform::clock;
use platform::desk::Desk;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::error::IntakeError;
use crate::shelf::{Arrived, Incoming, Shelf};
use crate::upload::{MapFrom, Stage, StoppedBy, Upload, UploadRun, UploadState, Work};
use crate::upload_rows::UploadRows;

/// How often somebody who waits looks.
const LOOKED_EVERY: Duration = Duration::from_millis(50);
/// Letters of a file's name that are kept.
const NAME_MAX: usize = 120;

/// The uploads of a house, for all who ask for something; cheap to clone.
#[derive(Debug, Clone)]
pub struct IntakeDesk {
    pub(crate) rows: UploadRows,
    pub(crate) shelf: Shelf,
    /// Rings where work waits.
    pub(crate) bell: Arc<Notify>,
}

/// What is said of a file with it.
#[derive(Debug, Clone)]
pub struct NewUpload {
    pub id: Uuid,
    pub feed: String,
    /// The file's name.
    pub file: String,
    pub by: UserId,
}

/// A dry run or an import that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct AskedRun {
    pub is_import: bool,
    pub missing: MissingRule,
    /// How many homes may be closed.
    pub limit: Option<u64>,
    pub by: UserId,
}

impl IntakeDesk {
    pub fn new(desk: Desk, data_dir: &Path) -> Self {
        Self {
            rows: UploadRows::new(desk),
            shelf: Shelf::new(data_dir),
            bell: Arc::default(),
        }
    }

    /// Begins to take the file of an upload in.
    ///
    /// # Errors
    /// When the feed cannot be called so, or the disk fails.
    pub fn begin(&self, upload: &NewUpload) -> Result<Incoming, IntakeError> {
        if !is_feed_name(&upload.feed) {
            return Err(IntakeError::FeedName);
        }
        Ok(self.shelf.begin(upload.id)?)
    }

    /// Takes a whole file in: its first look waits. The same upload again is the one that is there.
    ///
    /// # Errors
    /// When disk or database fail.
    pub async fn receive(&self, upload: NewUpload, arrived: Arrived) -> Result<Upload, IntakeError> {
        let made = Upload {
            id: upload.id,
            feed: upload.feed.trim().to_owned(),
            by: upload.by,
            made_at: clock::now(),
            stage: Stage::Waiting,
            asked: String::new(),
            version: 1,
            state: UploadState {
                file: upload.file.chars().take(NAME_MAX).collect(),
                bytes: arrived.bytes,
                digest: arrived.digest.clone(),
                map: FeedMap::default(),
                map_from: MapFrom::Suggested,
                kept_fault: None,
                work: Work::Look,
                fault: None,
                stopped_by: None,
                look: None,
                is_looked: false,
                run: None,
                run_by: None,
            },
        };
        // The row first: a file that no row names is swept away.
        if self.rows.add(&made).await? {
            arrived.settle()?;
            self.bell.notify_one();
        }
        self.find(upload.id).await
    }

    /// Finds an upload.
    ///
    /// # Errors
    /// When it is not there, or the database fails.
    pub async fn find(&self, id: Uuid) -> Result<Upload, IntakeError> {
        let found = self.rows.find(id).await?;
        found.ok_or(IntakeError::UnknownUpload)
    }

    /// Every upload, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(&self) -> Result<Vec<Upload>, IntakeError> {
        let mut all = self.rows.list("").await?;
        all.reverse();
        Ok(all)
    }

    /// Whether the file of an upload lies on this node.
    pub fn holds(&self, id: Uuid) -> bool {
        self.shelf.holds(id)
    }

    /// Changes the map of an upload; a look under it waits.
    ///
    /// # Errors
    /// When the map cannot be used, names a column that the file lacks, or work goes on.
    pub async fn change_map(&self, id: Uuid, map: &str, asked: String) -> Result<Upload, IntakeError> {
        let mut upload = self.find(id).await?;
        if is_repeated(&upload, &asked) {
            return Ok(upload);
        }
        if upload.stage.is_busy() {
            return Err(IntakeError::Busy);
        }
        let map = FeedMap::from_json(map).map_err(IntakeError::Map)?;
        // Under another list, sign or encoding the file has other columns: the look will say.
        if let Some(look) = &upload.state.look
            && map.opens_alike(&upload.state.map)
        {
            let names: Vec<String> = look.columns.iter().map(|column| column.name.clone()).collect();
            feeds::check_map(&map, &names).map_err(IntakeError::Map)?;
        }
        upload.state.map = map;
        upload.state.map_from = MapFrom::Person;
        upload.state.is_looked = false;
        self.ask_for(upload, Work::Look, asked).await
    }

    /// Asks for a dry run or an import.
    ///
    /// # Errors
    /// When no map fits the file yet, or work goes on.
    pub async fn ask_for_run(&self, id: Uuid, run: AskedRun, asked: String) -> Result<Upload, IntakeError> {
        let mut upload = self.find(id).await?;
        if is_repeated(&upload, &asked) {
            return Ok(upload);
        }
        if upload.stage.is_busy() {
            return Err(IntakeError::Busy);
        }
        if !upload.state.is_looked {
            return Err(IntakeError::NotLooked);
        }
        if upload.feed == SHARED_FEED && run.missing == MissingRule::Withdraw {
            return Err(IntakeError::SharedName);
        }
        let work = if run.is_import { Work::Import } else { Work::DryRun };
        upload.state.run = Some(UploadRun::asked(work, run.missing.key(), run.limit));
        upload.state.run_by = Some(run.by);
        self.ask_for(upload, work, asked).await
    }

    async fn ask_for(&self, mut upload: Upload, work: Work, asked: String) -> Result<Upload, IntakeError> {
        upload.stage = Stage::Waiting;
        upload.asked = asked;
        upload.state.work = work;
        upload.state.fault = None;
        upload.state.stopped_by = None;
        if !self.rows.save(&mut upload).await? {
            return Err(IntakeError::Moved);
        }
        self.bell.notify_one();
        Ok(upload)
    }

    /// Stops the work of an upload before its next home; one that nobody works on stays as it is. What only waits is stopped at once: the
    /// node that has its file may be gone.
    ///
    /// # Errors
    /// When it is not there, or the database fails.
    pub async fn cancel(&self, id: Uuid) -> Result<Upload, IntakeError> {
        self.rows.cancel(id).await?;
        let mut upload = self.find(id).await?;
        if upload.stage == Stage::Waiting {
            upload.stop(StoppedBy::Person);
            // Whoever was faster has begun the work, and sees that it is to stop.
            self.rows.save(&mut upload).await?;
        }
        self.find(id).await
    }

    /// Takes an upload away, with its file.
    ///
    /// # Errors
    /// When it is not there, or is worked on.
    pub async fn remove(&self, id: Uuid) -> Result<(), IntakeError> {
        self.find(id).await?;
        if !self.rows.remove(id).await? {
            return Err(IntakeError::Busy);
        }
        self.shelf.remove(id);
        Ok(())
    }

    /// The report of the last run, as CSV.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_report(&self, id: Uuid) -> Result<Option<String>, IntakeError> {
        Ok(self.rows.find_report(id).await?)
    }

    /// The map that a feed was last imported with, as JSON.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_kept_map(&self, feed: &str) -> Result<Option<String>, IntakeError> {
        Ok(self.rows.find_map(feed).await?)
    }

    /// The upload once nobody works on it, or as it stands after that time.
    ///
    /// # Errors
    /// When it is not there any more, or the database fails.
    pub async fn wait_for(&self, id: Uuid, patience: Duration) -> Result<Upload, IntakeError> {
        let begun = tokio::time::Instant::now();
        loop {
            let upload = self.find(id).await?;
            if !upload.stage.is_busy() || begun.elapsed() > patience {
                return Ok(upload);
            }
            tokio::time::sleep(LOOKED_EVERY).await;
        }
    }
}

/// Whether the request that asked for the work is asked again. A request without a key is always a new one.
fn is_repeated(upload: &Upload, asked: &str) -> bool {
    !asked.is_empty() && upload.asked == asked
}

#[cfg(test)]
mod tests {
    use tables::Place;

    use super::*;

    async fn open() -> (tempfile::TempDir, IntakeDesk) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let desk = Desk::open(&place).await.unwrap();
        let intake = IntakeDesk::new(desk, folder.path());
        (folder, intake)
    }

    fn north(id: u128) -> NewUpload {
        NewUpload {
            id: Uuid::from_u128(id),
            feed: "north".to_owned(),
            file: "north.csv".to_owned(),
            by: UserId(Uuid::from_u128(1)),
        }
    }

    async fn receive(intake: &IntakeDesk, id: u128) -> Upload {
        let upload = north(id);
        let mut incoming = intake.begin(&upload).unwrap();
        incoming.take(b"id,name\n1,Loft\n").await.unwrap();
        let arrived = incoming.finish().await.unwrap();
        intake.receive(upload, arrived).await.unwrap()
    }

    fn asked() -> AskedRun {
        AskedRun {
            is_import: true,
            missing: MissingRule::Report,
            limit: None,
            by: UserId(Uuid::from_u128(2)),
        }
    }

    #[tokio::test]
    async fn upload_is_received_once_and_looked_at_before_it_runs() {
        let (_folder, intake) = open().await;
        let first = receive(&intake, 7).await;
        assert_eq!(
            (first.stage, first.state.work, intake.holds(first.id)),
            (Stage::Waiting, Work::Look, true)
        );
        let again = receive(&intake, 7).await;
        assert_eq!(
            (again.made_at, intake.list().await.unwrap().len()),
            (first.made_at, 1)
        );
        let busy = intake.ask_for_run(first.id, asked(), String::new()).await;
        assert!(matches!(busy, Err(IntakeError::Busy)));
        assert!(matches!(intake.remove(first.id).await, Err(IntakeError::Busy)));

        let mut looked = first.clone();
        looked.stage = Stage::Done;
        assert!(intake.rows.save(&mut looked).await.unwrap());
        assert!(
            !intake.rows.save(&mut first.clone()).await.unwrap(),
            "somebody was faster"
        );
        let early = intake.ask_for_run(first.id, asked(), String::new()).await;
        assert!(matches!(early, Err(IntakeError::NotLooked)));
        looked.state.is_looked = true;
        assert!(intake.rows.save(&mut looked).await.unwrap());
        for _ in 0..2 {
            let run = intake
                .ask_for_run(first.id, asked(), "key".to_owned())
                .await
                .unwrap();
            assert_eq!((run.stage, run.state.work), (Stage::Waiting, Work::Import));
        }
        let mut begun = intake.find(first.id).await.unwrap();
        begun.stage = Stage::Running;
        assert!(intake.rows.save(&mut begun).await.unwrap());
        intake.cancel(first.id).await.unwrap();
        assert!(intake.rows.is_cancelled(first.id).await.unwrap());
    }

    /// Nobody works on it: the node that has its file may be gone.
    #[tokio::test]
    async fn upload_that_waits_is_stopped_and_taken_away() {
        let (_folder, intake) = open().await;
        let upload = receive(&intake, 7).await;
        let stopped = intake.cancel(upload.id).await.unwrap();
        assert_eq!(
            (stopped.stage, stopped.state.stopped_by),
            (Stage::Stopped, Some(StoppedBy::Person))
        );
        intake.remove(upload.id).await.unwrap();
        assert!(matches!(
            intake.find(upload.id).await,
            Err(IntakeError::UnknownUpload)
        ));
    }

    #[tokio::test]
    async fn map_that_cannot_be_used_changes_nothing() {
        let (_folder, intake) = open().await;
        let mut upload = receive(&intake, 7).await;
        upload.stage = Stage::Done;
        assert!(intake.rows.save(&mut upload).await.unwrap());
        let wrong = "{\"columns\":{\"colour\":\"x\"}}";
        let refused = intake.change_map(upload.id, wrong, String::new()).await;
        assert!(matches!(refused, Err(IntakeError::Map(_))));
        assert_eq!(intake.find(upload.id).await.unwrap().stage, Stage::Done);
        let right = "{\"columns\":{\"property_id\":\"id\"}}";
        let changed = intake.change_map(upload.id, right, String::new()).await.unwrap();
        assert_eq!(
            (changed.stage, changed.state.map_from),
            (Stage::Waiting, MapFrom::Person)
        );
        let unnamed = NewUpload {
            feed: " ".to_owned(),
            ..north(8)
        };
        assert!(matches!(intake.begin(&unnamed), Err(IntakeError::FeedName)));
        assert!(matches!(
            intake.find(Uuid::from_u128(8)).await,
            Err(IntakeError::UnknownUpload)
        ));
    }
}
