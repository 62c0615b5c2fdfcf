//! Requests that wait for a second person, and how they were decided. Words and amounts are read from the request's own stream.

use domain::aggregate::Decide;
use domain::approval::{Approval, ApprovalEvent, Asked};
use domain::id::PaymentId;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use tables::table::Column::Text;
use tables::table::{Table, row};

use crate::payment_audit::instant;
use crate::run::{Projection, ProjectionError};

const APPROVALS: Table = Table {
    name: "approval",
    columns: &[
        Text("approval_id"),
        Text("kind"),
        Text("payment_id"),
        Text("item"),
        Text("asked_at"),
        Text("decision"),
        Text("decided_at"),
    ],
    key: 1,
};

/// The table of `0521_approval.sql`.
pub struct Approvals;

impl Projection for Approvals {
    fn name(&self) -> &'static str {
        "approvals"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["approval"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["approval_open", "approval_payment"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Approval::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                take(connection, record).await?;
            }
            Ok(())
        })
    }
}

async fn take(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let id = record.stream.id.to_string();
    match record.decode_sealed::<Approval>()? {
        ApprovalEvent::Asked { what, at, .. } => {
            let (payment_id, item) = match &what {
                Asked::Refund { payment_id, .. } => (Some(payment_id.to_string()), None),
                Asked::Correction { item, .. } => (None, Some(item.as_str())),
            };
            let asked = row![
                id,
                what.kind(),
                payment_id,
                item,
                instant(at),
                None::<String>,
                None::<String>
            ];
            APPROVALS.put(connection, &[asked]).await?;
        }
        ApprovalEvent::Approved { at, .. } => decide(connection, &id, "approved", &instant(at)).await?,
        ApprovalEvent::Declined { at, .. } => decide(connection, &id, "declined", &instant(at)).await?,
    }
    Ok(())
}

async fn decide(
    connection: &mut AnyConnection,
    id: &str,
    decision: &str,
    at: &str,
) -> Result<(), ProjectionError> {
    sqlx::query("update approval set decision = $1, decided_at = $2 where approval_id = $3")
        .bind(decision)
        .bind(at)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whose requests are listed.
#[derive(Debug, Clone, Default)]
pub struct ApprovalFilter {
    /// Those that were decided, instead of those that wait.
    pub decided: bool,
    pub payment_id: Option<PaymentId>,
}

/// Ids of requests, those of one payment whether decided or not; newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(pool: &AnyPool, filter: &ApprovalFilter, limit: u64) -> Result<Vec<String>, sqlx::Error> {
    let mut query = Statement::new("select approval_id from approval where ");
    match filter.payment_id {
        Some(payment_id) => query.push("payment_id = ").push_bind(payment_id.to_string()),
        None if filter.decided => query.push("decision is not null"),
        None => query.push("decision is null"),
    };
    query
        .push(" order by asked_at desc, approval_id limit ")
        .push_bind(limit.cast_signed());
    let rows: Vec<(String,)> = query.build_query_as()?.fetch_all(pool).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Exceptions of the reconciliation for which a correction waits or was approved: item and decision.
///
/// # Errors
/// When the read models cannot be read.
pub async fn items(pool: &AnyPool) -> Result<Vec<(String, Option<String>, String)>, sqlx::Error> {
    sqlx::query_as(
        "select item, decision, approval_id from approval where item is not null
         and (decision is null or decision = 'approved') order by item",
    )
    .fetch_all(pool)
    .await
}
