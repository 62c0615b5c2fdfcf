//! Events that a read model leaves out, tried again (decision 0018).

use std::collections::HashSet;

use eventlog::{Position, RecordedEvent};
use sqlx::{AnyConnection, AssertSqlSafe};

use super::{Parked, Projection, ProjectionError, Projector, Ways, apply_in_savepoint, checkpoint, stored};

/// What a further try came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retried {
    /// Whether the whole read model was built anew, because its rows are made by several streams.
    pub rebuilt: bool,
    /// Streams still left out.
    pub parked: usize,
}

impl Projector {
    /// What a read model leaves out, oldest first.
    ///
    /// # Errors
    /// `Unknown` for a name no projection has, or when the database cannot be read.
    pub async fn left_out(&self, name: &str, limit: u32) -> Result<Vec<Parked>, ProjectionError> {
        let projection = self.named(name)?;
        let mut connection = self.store.readers().acquire().await?;
        Ok(checkpoint::left_out(projection, limit, &mut connection).await?)
    }

    /// Takes in what was left out, as far as it can be taken in now. Where rows are made by several streams, it is too late to
    /// take one in: the read model is then built anew beside the one that serves.
    ///
    /// # Errors
    /// `Unknown` for a name no projection has, or whatever stopped it; nothing has then changed.
    pub async fn retry(&self, name: &str) -> Result<Retried, ProjectionError> {
        let projection = self.named(name)?;
        let mut rebuilt = !projection.folds_per_stream();
        if rebuilt {
            match self.rebuild_one(name, Ways::Switch).await {
                Ok(_) => {}
                // Nothing is worse than before: what serves stays, and so does what it leaves out.
                Err(error @ ProjectionError::LeavesOut { .. }) => {
                    tracing::warn!(%error, "the read model was not built anew");
                    rebuilt = false;
                }
                Err(error) => return Err(error),
            }
        } else {
            self.replay_parked(name).await?;
        }
        let mut connection = self.store.readers().acquire().await?;
        let parked = stored(projection, "", &mut connection).await?.parked;
        Ok(Retried { rebuilt, parked })
    }

    async fn replay_parked(&self, name: &str) -> Result<(), ProjectionError> {
        let (projection, writer) = (self.named(name)?, self.store.writer());
        let mut transaction = writer.begin().await?;
        stored(projection, writer.for_update(), &mut transaction).await?;
        let mut held = HashSet::new();
        for parked in checkpoint::left_out(projection, u32::MAX, &mut transaction).await? {
            let Some(event) = self.event(parked.position.cast_unsigned()).await? else {
                continue;
            };
            if held.contains(&event.stream) {
                continue;
            }
            match apply_in_savepoint(projection, std::slice::from_ref(&event), &mut transaction).await? {
                Ok(()) => checkpoint::unpark(projection, parked.position, &mut transaction).await?,
                Err(error) if error.is_poison_event() => {
                    checkpoint::park(projection, &event, &error.to_string(), &mut transaction).await?;
                    held.insert(event.stream);
                }
                Err(error) => return Err(error),
            }
        }
        writer.ring(super::FOLDED, &self.node, &mut transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn event(&self, position: Position) -> Result<Option<RecordedEvent>, ProjectionError> {
        let found = self.log.read_all(position.saturating_sub(1), 1).await?;
        Ok(found.into_iter().find(|event| event.position == position))
    }
}

/// What leaves out more than what serves is no better than it, whatever its rows say.
pub(super) async fn leaves_out_no_more(
    projection: &dyn Projection,
    (next, serves): (&str, &str),
    connection: &mut AnyConnection,
) -> Result<(), ProjectionError> {
    let mut left_out = [0, 0];
    for (area, count) in [next, serves].into_iter().zip(&mut left_out) {
        *count = sqlx::query_scalar::<_, i64>(AssertSqlSafe(format!(
            "select count(*) from {area}.parked where projection = $1"
        )))
        .bind(projection.name())
        .fetch_one(&mut *connection)
        .await?;
    }
    let [built, serving] = left_out;
    if built <= serving {
        return Ok(());
    }
    let (first, error): (i64, String) = sqlx::query_as(AssertSqlSafe(format!(
        "select position, error from {next}.parked where projection = $1
         and position not in (select position from {serves}.parked where projection = $1) order by position limit 1"
    )))
    .bind(projection.name())
    .fetch_one(connection)
    .await?;
    Err(ProjectionError::LeavesOut {
        name: projection.name(),
        more: (built - serving).cast_unsigned(),
        first: first.cast_unsigned(),
        error,
    })
}
