//! A lead's history in pages, and its outline: so much of every event that the whole can be drawn and its fields folded to any
//! moment (decision 0038).

use std::collections::HashMap;

use domain::id::LeadId;
use serde::Deserialize;
use sqlx::AnyPool;
use tables::Statement;

use super::query::{Placed, TimelineRow, streams};

/// The first event of a request is looked for among so many events before a page; what follows later names its cause.
const NEAR: usize = 1_000;
/// Causes asked for in one statement.
const CAUSES: usize = 64;

/// A history without its sentences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Where each event stands in the log: event n is entry n - 1.
    pub positions: Vec<i64>,
    /// Kind, id and revision, lead first.
    pub streams: Vec<(String, String, i64)>,
    /// Of each event, which of `streams` it is in.
    pub of_stream: Vec<usize>,
    /// The events that did not work out.
    pub failed: Vec<u64>,
    /// Each day that has events, and its first.
    pub days: Vec<(String, u64)>,
    pub tracks: Vec<Track>,
}

/// What one field became, and when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Track {
    pub kind: String,
    pub field: String,
    pub masked: bool,
    /// Each value once.
    pub values: Vec<Option<String>>,
    /// At which event, and which of the values.
    pub changes: Vec<(u64, usize)>,
}

/// Where each event of a lead's history stands in the log, in order.
///
/// # Errors
/// When the read models cannot be read.
pub async fn positions(pool: &AnyPool, lead_id: LeadId) -> Result<Vec<i64>, sqlx::Error> {
    // One text: a row each would cost more than the look.
    let all: Option<String> = sqlx::query_scalar(
        "select string_agg(cast(e.position as text), ',' order by e.position) from lead_stream s
         join timeline_event e on e.kind = s.kind and e.stream_id = s.stream_id
         where s.lead_id = $1",
    )
    .bind(lead_id.to_string())
    .fetch_one(pool)
    .await?;
    let all = all.unwrap_or_default();
    Ok(all
        .split(',')
        .filter_map(|position| position.parse().ok())
        .collect())
}

/// Events `from` and so many after it, of a history whose events stand at these `positions`.
///
/// # Errors
/// When the read models cannot be read.
pub async fn page(
    pool: &AnyPool,
    lead_id: LeadId,
    positions: &[i64],
    (from, limit): (usize, usize),
) -> Result<Vec<Placed>, sqlx::Error> {
    let first = from.max(1) - 1;
    let end = first.saturating_add(limit).min(positions.len());
    let (Some(begin), Some(last)) = (
        positions.get(first.saturating_sub(NEAR)),
        positions.get(end.wrapping_sub(1)).filter(|_| first < end),
    ) else {
        return Ok(Vec::new());
    };
    let rows: Vec<TimelineRow> = sqlx::query_as(
        "select e.*, e.type as event_type from lead_stream s
         join timeline_event e on e.kind = s.kind and e.stream_id = s.stream_id
         where s.lead_id = $1 and e.position between $2 and $3
         order by e.position",
    )
    .bind(lead_id.to_string())
    .bind(begin)
    .bind(last)
    .fetch_all(pool)
    .await?;
    let mut placed = place(rows, positions);
    let further = further(pool, &placed.causes).await?;
    let place_of = |position: &i64| {
        positions
            .binary_search(position)
            .ok()
            .map(|index| index as u64 + 1)
    };
    placed.events.retain(|event| event.n > first as u64);
    for event in &mut placed.events {
        let named = event.row.causation_id.as_ref().and_then(|id| further.get(id));
        let named = named.and_then(place_of).filter(|cause| *cause < event.n);
        event.because_of = named.or(event.because_of);
    }
    Ok(placed.events)
}

struct Rows {
    events: Vec<Placed>,
    /// Causes that are named and not among them.
    causes: Vec<String>,
}

/// The cause is the event named by the log, or else the first event of the same request.
fn place(rows: Vec<TimelineRow>, positions: &[i64]) -> Rows {
    let (mut by_event, mut by_request) = (HashMap::new(), HashMap::new());
    let (mut events, mut causes) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        // An event that was tried again meanwhile has no place yet.
        let Ok(index) = positions.binary_search(&row.position) else {
            continue;
        };
        let n = index as u64 + 1;
        by_event.insert(row.event_id.clone(), n);
        let first_of_request = *by_request.entry(row.correlation_id.clone()).or_insert(n);
        let named = row.causation_id.as_ref().and_then(|id| by_event.get(id).copied());
        if let (None, Some(cause)) = (named, &row.causation_id) {
            causes.push(cause.clone());
        }
        let because_of = named.or(Some(first_of_request)).filter(|cause| *cause < n);
        events.push(Placed { n, because_of, row });
    }
    Rows { events, causes }
}

/// Where events stand that lie far before a page.
async fn further(pool: &AnyPool, causes: &[String]) -> Result<HashMap<String, i64>, sqlx::Error> {
    let mut found = HashMap::new();
    for some in causes.chunks(CAUSES) {
        let mut query = Statement::new("select event_id, position from timeline_event where event_id in ");
        query.push_list(some.iter().map(String::as_str));
        let rows: Vec<(String, i64)> = query.build_query_as()?.fetch_all(pool).await?;
        found.extend(rows);
    }
    Ok(found)
}

/// One event: where it stands, whether it failed, its day, what it changed.
#[derive(Deserialize)]
struct Line(i64, u8, String, Vec<Change>);

#[derive(Deserialize)]
struct Change {
    field: String,
    to: Option<String>,
    masked: bool,
}

/// Which track a field's changes are in, and which of its values each is.
type Values = (usize, HashMap<Option<String>, usize>);

/// The outline of a lead's history.
///
/// # Errors
/// When the read models cannot be read.
pub async fn outline(pool: &AnyPool, lead_id: LeadId) -> Result<Outline, sqlx::Error> {
    let mut outline = Outline {
        streams: streams(pool, lead_id).await?,
        ..Outline::default()
    };
    let mut lines = Vec::new();
    for (number, (kind, stream_id, _)) in outline.streams.iter().enumerate() {
        let of_stream = lines_of(pool, kind, stream_id).await?;
        lines.extend(of_stream.into_iter().map(|line| (number, line)));
    }
    lines.sort_by_key(|(_, line)| line.0);
    let mut tracks: HashMap<(String, String), Values> = HashMap::new();
    for (n, (stream, Line(position, failed, day, changes))) in (1..).zip(lines) {
        outline.positions.push(position);
        outline.of_stream.push(stream);
        if failed != 0 {
            outline.failed.push(n);
        }
        if outline.days.last().is_none_or(|(last, _)| *last != day) {
            outline.days.push((day, n));
        }
        let kind = &outline.streams[stream].0;
        for Change { field, to, masked } in changes {
            let (track, values) = tracks.entry((kind.clone(), field.clone())).or_insert_with(|| {
                outline.tracks.push(Track {
                    kind: kind.clone(),
                    field,
                    masked,
                    ..Track::default()
                });
                (outline.tracks.len() - 1, HashMap::new())
            });
            let track = &mut outline.tracks[*track];
            let value = *values.entry(to).or_insert_with_key(|to| {
                track.values.push(to.clone());
                track.values.len() - 1
            });
            track.changes.push((n, value));
        }
    }
    Ok(outline)
}

async fn lines_of(pool: &AnyPool, kind: &str, stream_id: &str) -> Result<Vec<Line>, sqlx::Error> {
    let all: Option<String> = sqlx::query_scalar(
        "select string_agg('[' || cast(position as text) || ',' || cast(failed as text)
           || ',\"' || substr(recorded_at, 1, 10) || '\",' || changes || ']', ',' order by position)
         from timeline_event
         where kind = $1 and stream_id = $2",
    )
    .bind(kind)
    .bind(stream_id)
    .fetch_one(pool)
    .await?;
    let all = format!("[{}]", all.unwrap_or_default());
    serde_json::from_str(&all).map_err(|error| sqlx::Error::Decode(error.into()))
}
