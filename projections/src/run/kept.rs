//! What a rebuild has kept of the rows that served before it (decision 0018).

use std::collections::HashMap;

use eventlog::Position;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{ProjectionError, Projector};

impl Projector {
    /// Through which event the rows have come that a rollback would let serve, by the name of their read model; those of another
    /// version are not among them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn kept(&self) -> Result<HashMap<&'static str, Position>, ProjectionError> {
        let rows = match self.store.look_at_kept("projection").await {
            // Thrown away just now, because somebody is forgotten: at the second look nothing is there.
            Err(_) => self.store.look_at_kept("projection").await?,
            Ok(rows) => rows,
        };
        let kept = rows.iter().map(|row: &AnyRow| {
            let (name, version): (String, i64) = (row.try_get("name")?, row.try_get("version")?);
            let ours = self
                .projections
                .iter()
                .find(|projection| projection.name() == name && i64::from(projection.version()) == version);
            let position: i64 = row.try_get("position")?;
            Ok(ours.map(|projection| (projection.name(), position.cast_unsigned())))
        });
        kept.filter_map(Result::transpose).collect()
    }
}
