//! Reads one lead's history.

use domain::id::LeadId;
use sqlx::AnyPool;
use tables::Flag;

use super::pages::{page, positions};

/// One event of a lead's history, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineRow {
    pub position: i64,
    pub kind: String,
    pub stream_id: String,
    pub revision: i64,
    pub event_id: String,
    pub event_type: String,
    pub recorded_at: String,
    pub actor_kind: String,
    pub actor_id: Option<String>,
    pub correlation_id: String,
    pub causation_id: Option<String>,
    pub sentence: String,
    pub params: String,
    pub failed: Flag,
    pub changes: String,
}

tables::from_row!(TimelineRow {
    position,
    kind,
    stream_id,
    revision,
    event_id,
    event_type,
    recorded_at,
    actor_kind,
    actor_id,
    correlation_id,
    causation_id,
    sentence,
    params,
    failed,
    changes
});

/// An event with its place in the lead's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// From 1.
    pub n: u64,
    pub because_of: Option<u64>,
    pub row: TimelineRow,
}

/// The whole history in order. Events of a person who has several leads stand in each of their histories.
///
/// # Errors
/// When the read models cannot be read.
pub async fn history(pool: &AnyPool, lead_id: LeadId) -> Result<Vec<Placed>, sqlx::Error> {
    let positions = positions(pool, lead_id).await?;
    page(pool, lead_id, &positions, (1, positions.len())).await
}

/// Where the newest event of a lead's history stands, without reading it; `None` when there is none.
///
/// # Errors
/// When the read models cannot be read.
pub async fn newest(pool: &AnyPool, lead_id: LeadId) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "select max(position) from (
           select (select max(e.position) from timeline_event e where e.kind = s.kind and e.stream_id = s.stream_id)
             as position
           from lead_stream s where s.lead_id = $1) as ends",
    )
    .bind(lead_id.to_string())
    .fetch_one(pool)
    .await
}

/// The leads whose histories have grown behind a position.
///
/// # Errors
/// When the read models cannot be read.
pub async fn grown(pool: &AnyPool, after: i64) -> Result<Vec<LeadId>, sqlx::Error> {
    let leads: Vec<String> = sqlx::query_scalar(
        "select distinct s.lead_id from timeline_event e
         join lead_stream s on s.kind = e.kind and s.stream_id = e.stream_id
         where e.position > $1",
    )
    .bind(after)
    .fetch_all(pool)
    .await?;
    Ok(leads.iter().filter_map(|lead| lead.parse().ok()).collect())
}

/// The streams of a lead, lead first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn streams(pool: &AnyPool, lead_id: LeadId) -> Result<Vec<(String, String, i64)>, sqlx::Error> {
    sqlx::query_as(
        "select s.kind, s.stream_id,
                coalesce((select e.revision from timeline_event e
                          where e.kind = s.kind and e.stream_id = s.stream_id
                          order by e.position desc limit 1), 0)
         from lead_stream s where s.lead_id = $1
         order by case s.kind when 'lead' then 0 when 'booking_form' then 1 when 'payment' then 2 else 3 end",
    )
    .bind(lead_id.to_string())
    .fetch_all(pool)
    .await
}

/// A lead whose history holds a stored event; the first of a person who has several.
///
/// # Errors
/// When the read models cannot be read.
pub async fn lead_of(pool: &AnyPool, position: u64) -> Result<Option<LeadId>, sqlx::Error> {
    let lead: Option<String> = sqlx::query_scalar(
        "select s.lead_id from timeline_event e
         join lead_stream s on s.kind = e.kind and s.stream_id = e.stream_id
         where e.position = $1 order by s.lead_id limit 1",
    )
    .bind(position.cast_signed())
    .fetch_optional(pool)
    .await?;
    Ok(lead.and_then(|lead| lead.parse().ok()))
}

/// Whether a stored event belongs to some lead's history.
///
/// # Errors
/// When the read models cannot be read.
pub async fn holds(pool: &AnyPool, position: u64) -> Result<bool, sqlx::Error> {
    let row: Option<(i64,)> = sqlx::query_as("select 1 from timeline_event where position = $1")
        .bind(position.cast_signed())
        .fetch_optional(pool)
        .await?;
    Ok(row.is_some())
}
