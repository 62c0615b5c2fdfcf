//! Enquiries whose frozen price is not over, kept beside the outbox: who is told when their home asks less.

use domain::aggregate::Decide;
use domain::id::{InventoryId, LeadId};
use domain::lead::{Lead, LeadEvent};
use domain::moment::Moment;
use eventlog::RecordedEvent;
use sqlx::{Any, Pool, Transaction};
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

const LOCKS: Table = Table {
    name: "price_lock",
    columns: &[Text("lead_id"), Text("home_id"), Number("until_ms")],
    key: 1,
};

/// An enquiry whose price counts until a deadline.
#[derive(Debug, Clone, Copy)]
pub struct PriceWatch {
    pub lead_id: LeadId,
    pub home_id: InventoryId,
    pub until: Moment,
}

/// Enquiries among these events that froze a price.
pub(super) fn frozen_in(events: &[RecordedEvent]) -> Vec<PriceWatch> {
    let leads = events
        .iter()
        .filter(|event| event.stream.kind == Lead::KIND && event.revision == 1);
    let frozen = leads.filter_map(|event| match event.decode_sealed::<Lead>() {
        Ok(LeadEvent::Created { submission, .. }) => submission.quote.map(|lock| PriceWatch {
            lead_id: LeadId(event.stream.id),
            home_id: lock.home_id,
            until: lock.until,
        }),
        Ok(_) | Err(_) => None,
    });
    frozen.collect()
}

/// Writes down who froze a price; those that are over go.
pub(super) async fn note(
    transaction: &mut Transaction<'static, Any>,
    locks: &[PriceWatch],
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    if locks.is_empty() {
        return Ok(());
    }
    sqlx::query("delete from price_lock where until_ms <= $1")
        .bind(now_ms)
        .execute(&mut **transaction)
        .await?;
    let rows = locks.iter().map(|lock| {
        row![
            lock.lead_id.0.to_string(),
            lock.home_id.0.to_string(),
            lock.until.timestamp_millis()
        ]
    });
    LOCKS.put(transaction, &rows.collect::<Vec<_>>()).await
}

/// Enquiries of these homes that are not over.
pub(super) async fn watches(
    pool: &Pool<Any>,
    homes: &[InventoryId],
    now: Moment,
) -> Result<Vec<PriceWatch>, sqlx::Error> {
    let homes: Vec<String> = homes.iter().map(|home| home.0.to_string()).collect();
    let homes: Vec<&str> = homes.iter().map(String::as_str).collect();
    let mut connection = pool.acquire().await?;
    let mut wanted = Statement::new("select lead_id, home_id, until_ms from price_lock where until_ms > ");
    wanted
        .push_bind(now.timestamp_millis())
        .push(" and ")
        .push_among("home_id", &homes, &connection);
    let rows: Vec<(String, String, i64)> = wanted.build_query_as()?.fetch_all(&mut *connection).await?;
    let read = |(lead, home, until): (String, String, i64)| {
        Some(PriceWatch {
            lead_id: LeadId(lead.parse().ok()?),
            home_id: InventoryId(home.parse().ok()?),
            until: Moment::from_timestamp_millis(until)?,
        })
    };
    Ok(rows.into_iter().filter_map(read).collect())
}
