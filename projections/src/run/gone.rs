//! Read models whose table was dropped: they stop, the others go on, and a rebuild makes the table again
//! (decision 0018).

use std::collections::HashMap;

use sqlx::AssertSqlSafe;
use tables::Beside;

use super::rebuild::{OWN, closed};
use super::{Progress, Projection, ProjectionError, Projector};

/// The version in the checkpoint of a read model whose tables were made again and are empty: no program has built that.
pub(super) const UNBUILT: i64 = 0;

/// Why a read model has stopped whose table is missing.
pub(super) fn rests_without(table: &str) -> String {
    format!("its table `{table}` is gone from the database: `latchkey rebuild` makes it again")
}

impl Projector {
    /// The first missing table of each read model, by its name.
    ///
    /// # Errors
    /// `OwnGone` where a table of the projector's own is missing, or when the database cannot be read.
    pub(super) async fn gone(&self) -> Result<HashMap<&'static str, &'static str>, ProjectionError> {
        let there = self.store.tables().await?;
        if let Some(own) = OWN.into_iter().find(|own| !there.contains(*own)) {
            return Err(ProjectionError::OwnGone(own));
        }
        let gone = self.projections.iter().filter_map(|projection| {
            let mut tables = projection.tables().iter().copied();
            let table = tables.find(|table| !there.contains(*table))?;
            Some((projection.name(), table))
        });
        Ok(gone.collect())
    }

    /// While a table of the projector's own is missing, the progress of every read model is unknown: each is reported so, until
    /// its checkpoint can be read again.
    pub(super) fn tell_what_is_gone(&self, error: &ProjectionError) {
        if let ProjectionError::OwnGone(_) = error {
            self.progress.send_modify(|standing| {
                for progress in standing {
                    progress.error = Some(error.to_string());
                }
            });
        }
    }

    /// Of a read model that rests, why it could not be built anew when this process began to fold.
    pub(super) fn say_why_unbuilt(&self, standing: &mut [Progress]) {
        for progress in standing {
            if let (Some(error), Some(why)) = (&mut progress.error, self.unbuilt.get(progress.name)) {
                *error = format!("{error}; tried when this process began: {why}");
            }
        }
    }

    /// Says of each read model, once, that it rests from now on.
    pub(super) fn log_stalled_projections(&self, standing: &[Progress]) {
        let before = self.progress.borrow();
        let rested = |name: &str| before.iter().any(|one| one.name == name && one.error.is_some());
        for Progress { name, error, .. } in standing {
            if let Some(error) = error.as_ref().filter(|_| !rested(name)) {
                tracing::error!(projection = name, error, "a read model rests");
            }
        }
    }

    /// # Errors
    /// `Gone` where a table of this read model is not there, or when the database cannot be read.
    pub(super) async fn is_there(&self, projection: &dyn Projection) -> Result<(), ProjectionError> {
        let name = projection.name();
        match self.gone().await?.remove(name) {
            Some(table) => Err(ProjectionError::Gone { name, table }),
            None => Ok(()),
        }
    }

    /// Makes what was dropped of a read model's tables again. In the same moment its checkpoint says that nobody has built it:
    /// should the rebuild end here, no one takes the empty table for what the log says, and no one goes on in it.
    pub(super) async fn make_again(&self, projection: &dyn Projection) -> Result<(), ProjectionError> {
        if !self.gone().await?.contains_key(projection.name()) {
            return Ok(());
        }
        let mut beside = self.beside().await?;
        let made = self.made_again(&mut beside, projection).await;
        closed(beside, made).await
    }

    async fn made_again(
        &self,
        beside: &mut Beside,
        projection: &dyn Projection,
    ) -> Result<(), ProjectionError> {
        let there = self.store.tables().await?;
        let tables = projection.tables().iter().copied();
        let gone: Vec<&str> = tables.filter(|table| !there.contains(*table)).collect();
        if gone.is_empty() {
            // Another process has done it until now.
            return Ok(());
        }
        let statements = self.store.shapes(beside, &gone).await?;
        if let Some((table, index, on)) = beside.index_taken(&gone).await? {
            let name = projection.name();
            return Err(ProjectionError::IndexTaken {
                name,
                table,
                index,
                on,
            });
        }
        let mut transaction = self.store.writer().begin().await?;
        for statement in statements {
            sqlx::query(AssertSqlSafe(statement))
                .execute(&mut *transaction)
                .await?;
        }
        sqlx::query("update projection set version = $1, position = 0 where name = $2")
            .bind(UNBUILT)
            .bind(projection.name())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        tracing::warn!(projection = projection.name(), tables = ?gone, "tables of a read model were gone and are made again");
        Ok(())
    }
}
