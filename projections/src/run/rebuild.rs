//! Builds a read model anew beside the one that serves, compares both, and lets the new one serve (decision 0018).

use std::time::Duration;

use eventlog::{Position, RecordedEvent};
use serde::Serialize;
use sqlx::{AnyConnection, AssertSqlSafe, Column as _, Connection as _, Row as _};
use tables::{Beside, InPlace};

use super::gone::UNBUILT;
use super::{
    BATCH, FOLDED, Projection, ProjectionError, Projector, Trust, checkpoint, parked, stored, take_in, wanted,
};

/// Keys that are named where rows differ.
const KEYS: u32 = 5;
/// Batches of one transaction: rows of many leads lie on the same pages, which are then written once for all of them.
const BATCHES: u32 = 10;
/// How often, and how long apart, a process asks whether another one still builds.
const TRIES: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(200);
/// Tables of the projector's own, which a read model that is being built needs too.
pub(super) const OWN: [&str; 2] = ["projection", "parked"];

/// What becomes of what was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ways {
    /// It serves, and what served is kept for a rollback.
    Switch,
    /// It is compared with what serves, and thrown away.
    Compare,
}

/// A table in which what was built is not what served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub table: &'static str,
    /// Rows that only one of both has; a changed row counts twice.
    pub rows: u64,
    /// The first column of the first of them: a position, an id or a keyed hash, never a person.
    pub keys: Vec<String>,
}

/// A read model that was built anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    pub name: &'static str,
    /// The event up to which both were compared; `None` when another version had built what served.
    pub compared_at: Option<Position>,
    pub differences: Vec<Difference>,
}

/// Positions of the two sets of rows that a rollback exchanged: through which events both sets of rows had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolledBack {
    pub serves: Position,
    pub kept: Position,
}

impl Projector {
    /// Builds one projection (or all) anew beside the one that serves. Whoever reads or writes goes on meanwhile; the new
    /// rows appear all at once.
    ///
    /// # Errors
    /// `Unknown` for a name no projection has, `Busy` while another process builds, `LeavesOut` where it cannot take in what the
    /// serving one could, `Gone` where there is nothing to compare with, or whatever stopped the fold; what served then goes on
    /// serving.
    pub async fn rebuild(&self, only: Option<&str>, ways: Ways) -> Result<Vec<Rebuilt>, ProjectionError> {
        let names: Vec<&'static str> = match only {
            Some(name) => vec![self.named(name)?.name()],
            None => self
                .projections
                .iter()
                .map(|projection| projection.name())
                .collect(),
        };
        let mut rebuilt = Vec::new();
        for name in names {
            rebuilt.push(self.rebuild_one(name, ways).await?);
        }
        Ok(rebuilt)
    }

    /// Tables to build in, once no other process builds.
    pub(super) async fn beside(&self) -> Result<Beside, ProjectionError> {
        for _ in 0..TRIES {
            if let Some(beside) = self.store.beside().await? {
                return Ok(beside);
            }
            tokio::time::sleep(BETWEEN).await;
        }
        Err(ProjectionError::Busy)
    }

    pub(super) async fn rebuild_one(&self, name: &str, ways: Ways) -> Result<Rebuilt, ProjectionError> {
        let projection = self.named(name)?;
        match ways {
            Ways::Switch => self.make_again(projection).await?,
            Ways::Compare => self.is_there(projection).await?,
        }
        let mut beside = self.beside().await?;
        let rebuilt = self.build_in(&mut beside, projection, ways).await;
        closed(beside, rebuilt).await
    }

    async fn build_in(
        &self,
        beside: &mut Beside,
        projection: &dyn Projection,
        ways: Ways,
    ) -> Result<Rebuilt, ProjectionError> {
        let tables: Vec<&str> = projection.tables().iter().chain(&OWN).copied().collect();
        beside.make(&tables, projection.indexes_of_readers()).await?;
        checkpoint::begin(projection, &mut beside.connection).await?;
        self.build(projection, beside).await?;
        beside.built().await?;
        if ways == Ways::Switch {
            beside.indexed().await?; // before the comparison, with which all that is written meanwhile is folded in
        }
        let (compared_at, differences) = self.compare(projection, beside).await?;
        if ways == Ways::Switch {
            self.switch(projection, beside).await?;
        }
        Ok(Rebuilt {
            name: projection.name(),
            compared_at,
            differences,
        })
    }

    /// Folds the log into the tables beside, until little is missing of what serves.
    async fn build(&self, projection: &dyn Projection, beside: &mut Beside) -> Result<(), ProjectionError> {
        let mut position = 0;
        loop {
            let goal = match serving(projection, "", beside).await? {
                Some(Serving { position: goal, .. }) => goal,
                None => self.log.head().await?,
            };
            let before = position;
            let folded = self
                .build_batches(projection, (before, goal), beside, Trust::All)
                .await;
            position = match folded {
                Err(error) if error.is_poison_event() => {
                    self.build_batches(projection, (before, goal), beside, Trust::None)
                        .await?
                }
                folded => folded?,
            };
            if position == before {
                return Ok(());
            }
        }
    }

    /// Folds one transaction's batches, or none of them. A savepoint around each batch, which not to trust takes, costs as much as
    /// the batch: SQLite copies every page for it, and looks through all the copies after each statement.
    async fn build_batches(
        &self,
        projection: &dyn Projection,
        (mut position, goal): (Position, Position),
        beside: &mut Beside,
        trust: Trust,
    ) -> Result<Position, ProjectionError> {
        let mut transaction = beside.connection.begin().await?;
        let mut events = self.log.read_all(position, BATCH).await?;
        for batch in 1..=BATCHES {
            events.retain(|event| event.position <= goal);
            let Some(last) = events.last().map(|event| event.position) else {
                break;
            };
            // The next events are read while the database takes these in.
            let following = async {
                match batch {
                    BATCHES => Ok(Vec::new()),
                    _ => self.log.read_all(last, BATCH).await,
                }
            };
            let folded = fold_in(projection, (&events, position), trust, &mut transaction);
            let (folded, following) = tokio::join!(folded, following);
            position = folded?;
            events = following?;
        }
        transaction.commit().await?;
        Ok(position)
    }

    /// Both as they were at one event, which is the one through which the rows that serve have come. Who folds does not wait for it:
    /// those rows are only read, all as they were at once.
    async fn compare(
        &self,
        projection: &dyn Projection,
        beside: &mut Beside,
    ) -> Result<(Option<Position>, Vec<Difference>), ProjectionError> {
        let (next, serves) = (beside.next.clone(), beside.serving.clone());
        if serving(projection, "", beside).await?.is_none() {
            return Ok((None, Vec::new()));
        }
        let mut transaction = beside.connection.begin_with(beside.look).await?;
        let stands = position_of(projection, (&serves, ""), &mut transaction).await?;
        let position = stored(projection, "", &mut transaction).await?.position;
        let mut differences = Vec::new();
        if let Some(goal) = stands {
            self.fold_all(projection, (position, goal), &mut transaction)
                .await?;
            parked::leaves_out_no_more(projection, (&next, &serves), &mut transaction).await?;
            for table in projection.tables() {
                differences.extend(compared(table, (&next, &serves), &mut transaction).await?);
            }
        }
        transaction.commit().await?;
        Ok((stands, differences))
    }

    /// One transaction: the rest, and the new rows in place of the old ones. Nobody else folds meanwhile.
    async fn switch(&self, projection: &dyn Projection, beside: &mut Beside) -> Result<(), ProjectionError> {
        let locked = self.store.writer().for_update();
        let (next, kept, serves) = (beside.next.clone(), beside.kept.clone(), beside.serving.clone());
        let (room, in_place) = (beside.room_to_keep(), beside.in_place);
        let old = serving(projection, "", beside).await?;
        let mut transaction = beside.connection.begin_with(beside.begin).await?;
        let stands = position_of(projection, (&serves, locked), &mut transaction).await?;
        let mut position = stored(projection, "", &mut transaction).await?.position;
        if let Some(goal) = old.and(stands) {
            position = self
                .fold_all(projection, (position, goal), &mut transaction)
                .await?;
            parked::leaves_out_no_more(projection, (&next, &serves), &mut transaction).await?;
        }
        self.fold_all(projection, (position, Position::MAX), &mut transaction)
            .await?;
        // Whoever was forgotten meanwhile took what was kept with them.
        if let Some(room) = room {
            sqlx::query(AssertSqlSafe(room))
                .execute(&mut *transaction)
                .await?;
        }
        replace(projection, (&serves, &kept), &mut transaction).await?;
        moved(projection, (&next, &serves), in_place, &mut transaction).await?;
        self.store
            .writer()
            .ring(FOLDED, &self.node, &mut transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn fold_all(
        &self,
        projection: &dyn Projection,
        (mut position, goal): (Position, Position),
        connection: &mut AnyConnection,
    ) -> Result<Position, ProjectionError> {
        loop {
            let mut events = self.log.read_all(position, BATCH).await?;
            events.retain(|event| event.position <= goal);
            if events.is_empty() {
                return Ok(position);
            }
            position = fold_in(projection, (&events, position), Trust::None, connection).await?;
        }
    }

    /// Lets what served before the last switch serve again, and keeps what serves now in its place.
    ///
    /// # Errors
    /// `NothingKept`, `KeptByAnother`, `Gone`, or whatever stopped it; nothing has then changed.
    pub async fn roll_back(&self, name: &str) -> Result<RolledBack, ProjectionError> {
        let projection = self.named(name)?;
        self.is_there(projection).await?;
        let mut beside = self.beside().await?;
        let rolled_back = self.roll_back_in(&mut beside, projection).await;
        closed(beside, rolled_back).await
    }

    async fn roll_back_in(
        &self,
        beside: &mut Beside,
        projection: &dyn Projection,
    ) -> Result<RolledBack, ProjectionError> {
        let tables: Vec<&str> = projection.tables().iter().chain(&OWN).copied().collect();
        beside.make(&tables, &[]).await?;
        let (next, kept, serves) = (beside.next.clone(), beside.kept.clone(), beside.serving.clone());
        let in_place = beside.in_place;
        let mut transaction = beside.connection.begin_with(beside.begin).await?;
        let reached = position_of(
            projection,
            (&serves, self.store.writer().for_update()),
            &mut transaction,
        )
        .await?;
        keep_own(&kept, &serves, &mut transaction).await?;
        let found: Option<(i64, i64)> = sqlx::query_as(AssertSqlSafe(format!(
            "select version, position from {kept}.projection where name = $1"
        )))
        .bind(projection.name())
        .fetch_optional(&mut *transaction)
        .await?;
        let back = match found {
            None | Some((UNBUILT, _)) => {
                return Err(ProjectionError::NothingKept(projection.name().to_owned()));
            }
            Some((version, _)) if version != i64::from(projection.version()) => {
                return Err(ProjectionError::KeptByAnother(projection.name().to_owned()));
            }
            Some((_, position)) => RolledBack {
                serves: position.cast_unsigned(),
                kept: reached.unwrap_or_default(),
            },
        };
        moved(projection, (&serves, &next), in_place, &mut transaction).await?;
        moved(projection, (&kept, &serves), in_place, &mut transaction).await?;
        replace(projection, (&next, &kept), &mut transaction).await?;
        self.store
            .writer()
            .ring(FOLDED, &self.node, &mut transaction)
            .await?;
        transaction.commit().await?;
        Ok(back)
    }
}

/// Folds events that lie after a position. Says where that leads.
async fn fold_in(
    projection: &dyn Projection,
    (events, after): (&[RecordedEvent], Position),
    trust: Trust,
    connection: &mut AnyConnection,
) -> Result<Position, ProjectionError> {
    let Some(last) = events.last().map(|event| event.position) else {
        return Ok(after);
    };
    let held = checkpoint::parked(projection, connection).await?;
    let wanted = wanted(projection, events, after);
    take_in(projection, wanted, (held, trust), connection).await?;
    checkpoint::save(&[projection], last, connection).await?;
    Ok(last)
}

/// Throws away what was built beside, whatever came of it. Why it failed says more than that it could not be thrown away.
pub(super) async fn closed<T>(
    beside: Beside,
    done: Result<T, ProjectionError>,
) -> Result<T, ProjectionError> {
    let closed = beside.close().await;
    let done = done?;
    closed?;
    Ok(done)
}

/// What serves, when this program's version has built it.
struct Serving {
    position: Position,
}

async fn serving(
    projection: &dyn Projection,
    locked: &str,
    beside: &mut Beside,
) -> Result<Option<Serving>, sqlx::Error> {
    let found: Option<(i64, i64)> = sqlx::query_as(AssertSqlSafe(format!(
        "select version, position from {}.projection where name = $1{locked}",
        beside.serving
    )))
    .bind(projection.name())
    .fetch_optional(&mut beside.connection)
    .await?;
    let ours =
        found.filter(|(version, position)| *version == i64::from(projection.version()) && *position > 0);
    Ok(ours.map(|(_, position)| Serving {
        position: position.cast_unsigned(),
    }))
}

async fn position_of(
    projection: &dyn Projection,
    (area, locked): (&str, &str),
    connection: &mut AnyConnection,
) -> Result<Option<Position>, sqlx::Error> {
    let found: Option<i64> = sqlx::query_scalar(AssertSqlSafe(format!(
        "select position from {area}.projection where name = $1{locked}"
    )))
    .bind(projection.name())
    .fetch_optional(connection)
    .await?;
    Ok(found.map(i64::cast_unsigned))
}

/// The rows that only one of two tables has.
async fn compared(
    table: &'static str,
    (one, other): (&str, &str),
    connection: &mut AnyConnection,
) -> Result<Option<Difference>, sqlx::Error> {
    let apart = format!(
        "select * from (select * from {one}.{table} except select * from {other}.{table}) as only_one
         union all
         select * from (select * from {other}.{table} except select * from {one}.{table}) as only_other"
    );
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from ({apart}) as apart")))
        .fetch_one(&mut *connection)
        .await?;
    if count == 0 {
        return Ok(None);
    }
    let first = sqlx::query(AssertSqlSafe(format!(
        "select * from ({apart}) as apart order by 1 limit {KEYS}"
    )))
    .fetch_all(connection)
    .await?;
    let key = |row: &sqlx::any::AnyRow| {
        let number = row.try_get::<i64, _>(0).map(|number| number.to_string());
        let key = number
            .or_else(|_| row.try_get::<String, _>(0))
            .unwrap_or_default();
        format!("{} {key}", row.column(0).name())
    };
    let mut keys: Vec<String> = first.iter().map(key).collect();
    keys.dedup();
    Ok(Some(Difference {
        table,
        rows: count.cast_unsigned(),
        keys,
    }))
}

/// Makes the other area's tables anew, with the rows of the first.
async fn replace(
    projection: &dyn Projection,
    (from, into): (&str, &str),
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    for table in projection.tables() {
        for change in [
            format!("drop table if exists {into}.{table}"),
            format!("create table {into}.{table} as select * from {from}.{table}"),
        ] {
            sqlx::query(AssertSqlSafe(change))
                .execute(&mut *connection)
                .await?;
        }
    }
    keep_own(into, from, connection).await?;
    moved_own(projection, (from, into), connection).await
}

/// Makes the projector's own tables in an area that may have none yet.
async fn keep_own(area: &str, like: &str, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    for table in OWN {
        sqlx::query(AssertSqlSafe(format!(
            "create table if not exists {area}.{table} as select * from {like}.{table} where 1 = 0"
        )))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Puts the rows of one area in place of another's.
async fn moved(
    projection: &dyn Projection,
    (from, into): (&str, &str),
    in_place: InPlace,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    for table in projection.tables() {
        for change in in_place(table, (from, into)) {
            sqlx::query(AssertSqlSafe(change))
                .execute(&mut *connection)
                .await?;
        }
    }
    moved_own(projection, (from, into), connection).await
}

/// The checkpoint, and what is left out. The checkpoint's row stays the same row: whoever folds may wait for it.
async fn moved_own(
    projection: &dyn Projection,
    (from, into): (&str, &str),
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    for change in [
        format!(
            "insert into {into}.projection (name, version, position) select name, version, position from {from}.projection
             where name = $1 and not exists (select 1 from {into}.projection where name = $1)"
        ),
        format!(
            "update {into}.projection set version = (select version from {from}.projection where name = $1),
             position = (select position from {from}.projection where name = $1), error = null where name = $1"
        ),
        format!("delete from {into}.parked where projection = $1"),
        format!("insert into {into}.parked select * from {from}.parked where projection = $1"),
    ] {
        sqlx::query(AssertSqlSafe(change))
            .bind(projection.name())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
