//! Reads the payment provider's account into the log: movements with their fees, and payouts with what they hold. What was read
//! before changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use domain::gateway_event::{GatewayEvent, GatewayEventCommand, GatewayEventId};
use domain::moment::Moment;
use domain::settlement::BalanceLine;
use eventlog::{Actor, CommitError, Context, EventLog, LogError, Position, commit};
use gateway::{GatewayError, PaymentGateway, notice};
use platform::clock;
use platform::duty::{Duty, ours};
use projections::provider_account::query;
use sqlx::AnyPool;
use tokio::sync::watch;

/// How often the account is read.
const EVERY: Duration = Duration::from_mins(15);
/// Movements are listed again from this long before the newest one that is known: a provider may list one late.
const OVERLAP: TimeDelta = TimeDelta::days(1);
/// A payout changes its state for days, e.g. when a bank sends it back.
const PAYOUTS_FOR: TimeDelta = TimeDelta::days(35);
/// Movements that are looked up at once.
const AT_ONCE: usize = 500;
/// Payouts whose state is compared with the provider's.
const PAYOUTS: u64 = 1_000;

/// Why the account could not be read to its end; the next time begins at the same place.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    #[error("the read models cannot be read: {0}")]
    ReadModels(#[from] sqlx::Error),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("the log is busy")]
    Busy,
}

/// Reads what is new; gives back where the last of it is in the log, if any of it is.
///
/// # Errors
/// [`ReadError`]; what was read until then is kept.
pub async fn read(
    log: &EventLog,
    gateway: &dyn PaymentGateway,
    pool: &AnyPool,
) -> Result<Option<Position>, ReadError> {
    let newest = query::newest(pool).await?;
    let newest = newest.and_then(|at| DateTime::parse_from_rfc3339(&at).ok());
    let newest = newest.map_or(Moment::UNIX_EPOCH, |at| at.to_utc());
    let since = |overlap: TimeDelta| newest.checked_sub_signed(overlap).unwrap_or(Moment::UNIX_EPOCH);
    let mut reached = None;
    let lines = gateway
        .account_lines(since(OVERLAP).max(Moment::UNIX_EPOCH))
        .await?;
    for some in lines.chunks(AT_ONCE) {
        let ids: Vec<&str> = some.iter().map(|line| line.line_id.as_str()).collect();
        let known = query::known(pool, &ids).await?;
        for line in some.iter().filter(|line| !known.contains(&line.line_id)) {
            reached = reached.max(keep_line(log, line.clone()).await?);
        }
    }
    let known = query::payouts(pool, PAYOUTS).await?;
    let known: BTreeMap<String, String> = known.into_iter().map(|one| (one.payout_id, one.status)).collect();
    for payout in gateway
        .payouts(since(PAYOUTS_FOR).max(Moment::UNIX_EPOCH))
        .await?
    {
        if known.get(&payout.payout_id) == Some(&payout.status) {
            continue;
        }
        // Its movements first: once the payout itself is kept, all of it is.
        for line in gateway.payout_lines(&payout.payout_id).await? {
            reached = reached.max(keep_line(log, line).await?);
        }
        let stream = notice::stream_of_payout(&payout.payout_id);
        reached = reached.max(keep(log, stream, GatewayEventCommand::ReadPayout(Box::new(payout))).await?);
    }
    Ok(reached)
}

async fn keep_line(log: &EventLog, line: BalanceLine) -> Result<Option<Position>, ReadError> {
    let stream = notice::stream_of_line(&line.line_id);
    keep(log, stream, GatewayEventCommand::ReadLine(Box::new(line))).await
}

async fn keep(
    log: &EventLog,
    stream: GatewayEventId,
    command: GatewayEventCommand,
) -> Result<Option<Position>, ReadError> {
    let context = Context::new(clock::now(), Actor::GATEWAY);
    match commit::<GatewayEvent>(log, stream, command, &context).await {
        Ok(committed) => Ok(Some(committed.position)),
        Err(CommitError::Rejected(_) | CommitError::CommandReused) => Ok(None),
        Err(CommitError::Log(error)) => Err(error.into()),
        Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReadError::Busy),
    }
}

/// Reads it again and again until `stop` is set, while no other node does.
pub async fn keep_reading(
    log: EventLog,
    gateway: Arc<dyn PaymentGateway>,
    pool: AnyPool,
    duty: Duty,
    mut stop: watch::Receiver<bool>,
) {
    let mut held = duty.watch();
    while ours(&mut held, &mut stop).await {
        if let Err(error) = read(&log, &*gateway, &pool).await {
            tracing::warn!(%error, "the account at the payment provider could not be read; trying again");
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
    }
}
