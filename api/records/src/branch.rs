//! Records of a branch of the log (row N3): commands given with them are kept in memory alone.

use domain::id::LeadId;
use eventlog::{Position, RecordedEvent};
use projections::lead_timeline::apart::told_apart;
use projections::lead_timeline::query::Placed;
use tables::Place;
use tempfile::TempDir;

use crate::Records;
use crate::error::{RecordsError, RecordsResult};
use crate::past::FOLDER;

impl Records {
    /// These records over a branch of the log from `base`, a position that is 0 or an event's. Read models are those of now: they find
    /// what a command names, and tell of nothing that was added to the branch.
    #[must_use]
    pub fn branch(&self, base: Position) -> Self {
        self.at_the_end_of(self.log.branch(base), self.read.clone(), self.applied.clone())
    }

    /// These records as if the event at a position had not been recorded. Read models are those of now; they take no writes.
    #[must_use]
    pub fn without(&self, left_out: Position) -> Self {
        self.at_the_end_of(
            self.log.without(left_out),
            self.read.clone(),
            self.applied.clone(),
        )
    }

    /// What events of a branch say in the lead's history, after those `before` them; both of the lead's streams, in order.
    ///
    /// # Errors
    /// When they cannot be folded.
    pub async fn told_of_branch(
        &self,
        lead_id: LeadId,
        before: &[RecordedEvent],
        added: &[RecordedEvent],
    ) -> RecordsResult<Vec<Placed>> {
        let failed = |error: &dyn std::fmt::Display| RecordsError::Past(format!("a branch: {error}"));
        let parent = self.data_dir.join(FOLDER);
        if !parent.exists() {
            platform::disk::make_private(&parent).map_err(|error| failed(&error))?;
        }
        let folder = TempDir::new_in(&parent).map_err(|error| failed(&error))?;
        let place = Place::Folder(folder.path().to_owned());
        told_apart(&place, lead_id, (before, added))
            .await
            .map_err(|error| failed(&error))
    }
}
