//! Cuts a restored PostgreSQL database back to an earlier end, as restoring does with files: the log, the outbox that follows it,
//! and the read models, which are folded again.

use std::time::Duration;

use domain::moment::Moment;
use eventlog::Position;
use eventlog::port::SEGMENT;
use platform::config::Settings;
use sqlx::postgres::{PgConnection, PgTransaction};
use sqlx::{AssertSqlSafe, Connection as _};
use tables::Place;

use super::{connect, options, unusable};

const SETTING: &str = "database";
/// How often, and how long after each other, somebody at work is looked for: one that was just killed is gone a moment later.
const LOOKS: usize = 12;
const LOOKS_AGAIN: Duration = Duration::from_millis(250);
/// Programs of ours that have the log open beside this one.
const AT_WORK: &str = "select count(*) from pg_stat_activity
     where datname = current_database() and application_name = 'latchkey' and pid <> pg_backend_pid()";
const LAST_BEFORE: &str =
    "select coalesce((select min(position) - 1 from event where recorded_at > $1), position) from log_head";
/// Events that were written at once: under one command id, or by one request in one batch.
const AT_ONCE: &str = "select min(event.position), max(event.position) from event
     join event as cut on cut.position = $1 and cut.correlation_id = event.correlation_id
              and (cut.command_id = event.command_id or cut.recorded_at = event.recorded_at)";
/// Each takes the new end.
const CUTS: [&str; 7] = [
    "insert into cut_stream select distinct stream from event where position > $1",
    "delete from event where position > $1",
    "delete from command where last > $1",
    "delete from signed_head where position > $1",
    "update log_head set position = $1, chain = (select chain from event where position = $1) where position > $1",
    "update stream set revision = last.revision, last_event = last.event_id
         from event last where last.stream = stream.id and stream.id in (select stream from cut_stream)
         and last.revision = (select max(revision) from event where stream = stream.id and position <= $1)",
    "delete from stream where id in (select stream from cut_stream)
         and not exists (select 1 from event where event.stream = stream.id and position <= $1)",
];
/// Brings the rest in step with the log: the outbox repeats no effect of an event that is still there, and read models are made anew.
const FITTED: &str = "delete from shape;
     insert into shape select distinct kind, event_type, schema_version from event;
     delete from latchkey_reactor.outbox where event_id not in (select event_id::text from event);
     delete from latchkey_reactor.hold;
     delete from latchkey_reactor.watched;
     delete from latchkey_reactor.price_lock;
     update latchkey_reactor.progress set position = 0;
     drop schema if exists latchkey_read cascade;
     drop schema if exists latchkey_read_kept cascade;
     drop schema if exists latchkey_read_next cascade;";

/// The new end of a log.
#[derive(Debug, Clone, Copy)]
pub enum End {
    /// With this event.
    Event(Position),
    /// With the last event that was recorded by then.
    Moment(Moment),
}

/// Cuts the database of the settings back, all or nothing, and says where its log ends.
///
/// # Errors
/// One sentence for the operator; then nothing was changed.
pub async fn cut_back(settings: &Settings, end: End) -> Result<Position, String> {
    refuse_at_work(settings).await?;
    let Place::Postgres(url) = settings.place() else {
        return Err("only a PostgreSQL database is cut back in its place".to_owned());
    };
    let mut connection = connect(&options(&url, SETTING)?, SETTING).await?;
    let told = |error| unusable(SETTING, &error);
    let mut transaction = connection.begin().await.map_err(told)?;
    let last: i64 = sqlx::query_scalar("select position from log_head for update")
        .fetch_one(&mut *transaction)
        .await
        .map_err(told)?;
    let wanted = find_end(&mut transaction, end, last).await?;
    sqlx::query("create temp table cut_stream (stream bigint) on commit drop")
        .execute(&mut *transaction)
        .await
        .map_err(told)?;
    for cut in CUTS {
        sqlx::query(cut)
            .bind(wanted)
            .execute(&mut *transaction)
            .await
            .map_err(told)?;
    }
    sqlx::query("delete from segment where number >= $1")
        .bind(wanted / i64::try_from(SEGMENT).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await
        .map_err(told)?;
    sqlx::raw_sql(AssertSqlSafe(FITTED))
        .execute(&mut *transaction)
        .await
        .map_err(told)?;
    transaction.commit().await.map_err(told)?;
    Ok(Position::try_from(wanted).unwrap_or_default())
}

/// Where the log shall end; refused where there is no such end.
async fn find_end(transaction: &mut PgTransaction<'_>, end: End, last: i64) -> Result<i64, String> {
    let told = |error| unusable(SETTING, &error);
    let wanted: i64 = match end {
        End::Event(position) => i64::try_from(position).unwrap_or(i64::MAX),
        End::Moment(moment) => sqlx::query_scalar(LAST_BEFORE)
            .bind(moment.timestamp_micros())
            .fetch_one(&mut **transaction)
            .await
            .map_err(told)?,
    };
    if wanted > last {
        return Err(format!(
            "the log ends at event {last}: event {wanted} is not in it"
        ));
    }
    if wanted == 0 {
        return Err("nothing in the log is from before then".to_owned());
    }
    let (first, through): (Option<i64>, Option<i64>) = sqlx::query_as(AT_ONCE)
        .bind(wanted)
        .fetch_one(&mut **transaction)
        .await
        .map_err(told)?;
    match (first, through) {
        (Some(first), Some(through)) if through > wanted => Err(format!(
            "events {first} to {through} were written together: end at event {} or at event {through}",
            first - 1
        )),
        _ => Ok(wanted),
    }
}

/// Refuses a PostgreSQL database on which servers work: it is no copy for a rehearsal, and none to cut back.
///
/// # Errors
/// One sentence for the operator.
pub async fn refuse_at_work(settings: &Settings) -> Result<(), String> {
    let Place::Postgres(url) = settings.place() else {
        return Ok(());
    };
    let mut connection: PgConnection = connect(&options(&url, SETTING)?, SETTING).await?;
    for _ in 0..LOOKS {
        let at_work: i64 = sqlx::query_scalar(AT_WORK)
            .fetch_one(&mut connection)
            .await
            .map_err(|error| unusable(SETTING, &error))?;
        if at_work == 0 {
            return Ok(());
        }
        tokio::time::sleep(LOOKS_AGAIN).await;
    }
    Err(
        "servers work on the database of the setting `database`: stop them, or name the copy that its own tools have restored"
            .to_owned(),
    )
}
