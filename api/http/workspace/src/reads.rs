//! Who looked at whose personal data or history, for administrators (rows F4, I6, T30): by member of staff, lead and day, with the reason each
//! gave.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use chrono::{Days, NaiveDate, NaiveTime};
use domain::calendar;
use domain::id::{LeadId, UserId};
use domain::moment::Moment;
use domain::user::{User, UserEvent};
use eventlog::EventLog;
use http_kit::caller::Staff;
use http_kit::contract::words::LookWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::ADMIN;
use http_kit::request::{Query, RequestContext, limit_of};
use http_kit::said::say;
use platform::config::Settings;
use projections::lead_board::query::{self, BoardRow, Filter};
use projections::looks::{self, LookFilter, LookRow};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(ADMIN, routes!(list_reads))
}

/// Looks of a page.
const LIMIT: u64 = 50;
const LIMIT_MAX: u64 = 200;

/// Which looks.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ReadsQuery {
    /// A member of staff's id.
    by: Option<String>,
    /// A lead's id or reference.
    lead: Option<String>,
    /// Days of UTC such as 2026-11-26; both ends count.
    from: Option<String>,
    to: Option<String>,
    /// The page before this position: `next` of the answer.
    before: Option<i64>,
    limit: Option<u64>,
}

/// A page of looks.
#[derive(Debug, Serialize, ToSchema)]
pub struct DataReads {
    reads: Vec<DataRead>,
    /// Everybody who ever looked, for the filter.
    readers: Vec<DataReader>,
    /// Where the next page begins; null on the last.
    next: Option<i64>,
}

/// One look.
#[derive(Debug, Serialize, ToSchema)]
pub struct DataRead {
    position: i64,
    /// RFC 3339.
    looked_at: String,
    by: DataReader,
    /// Empty where it is about no lead.
    lead_id: String,
    lead_reference: String,
    /// Null for looks recorded before this was noted.
    #[schema(value_type = Option<LookWord>)]
    what: Option<String>,
    /// As it was given; null once the person was forgotten, and of a history, which is read without one.
    reason: Option<String>,
}

/// A member of staff who looked.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DataReader {
    user_id: String,
    /// Empty for an account that is no staff any more.
    name: String,
}

/// Looks at personal data, the newest first.
///
/// # Errors
/// 422 for an account, a lead or a day that cannot be read, 400 for a last day before the first.
#[utoipa::path(get, path = "/api/v0/workspace/reads", params(ReadsQuery),
    responses((status = 200, body = Success<DataReads>), (status = 422)))]
pub async fn list_reads(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<ReadsQuery>,
) -> ApiResult<Success<DataReads>> {
    let limit = limit_of(query.limit, LIMIT, LIMIT_MAX)?;
    let pool = records.heard().await?;
    let filter = filter_of(&records, query).await?;
    let mut rows = looks::list(pool, &filter, limit + 1).await?;
    let is_more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| is_more).map(|row| row.position);
    let mut names = HashMap::new();
    let mut reads = Vec::with_capacity(rows.len());
    for row in rows {
        reads.push(shown(&records, &settings, row, &mut names).await?);
    }
    let mut readers = Vec::new();
    for user_id in looks::readers(pool).await? {
        let name = staff_name(&records.log, &settings, &user_id, &mut names).await?;
        readers.push(DataReader { user_id, name });
    }
    Ok(Success::new(DataReads { reads, readers, next }))
}

async fn filter_of(records: &Records, query: ReadsQuery) -> ApiResult<LookFilter> {
    let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let by = match given(query.by) {
        None => None,
        Some(id) => Some(
            id.parse::<UserId>()
                .map_err(|_| ApiError::invalid_field("by", "format", say("refusal.owner")))?,
        ),
    };
    let lead = match given(query.lead) {
        None => None,
        Some(word) => Some(lead_of(records, word.trim()).await?),
    };
    let first = day_of("from", given(query.from))?;
    let last = day_of("to", given(query.to))?;
    if first.zip(last).is_some_and(|(first, last)| first > last) {
        return Err(ApiError::malformed(say("refusal.period_order")));
    }
    let after_last = last.and_then(|day| day.checked_add_days(Days::new(1)));
    Ok(LookFilter {
        by,
        lead,
        person: None,
        from: first.map(begin),
        to: after_last.map(begin),
        before: query.before,
    })
}

fn begin(day: NaiveDate) -> Moment {
    day.and_time(NaiveTime::MIN).and_utc()
}

fn day_of(field: &str, text: Option<String>) -> ApiResult<Option<NaiveDate>> {
    text.map(|text| {
        let wrong = || ApiError::invalid_field(field, "format", say("refusal.read_day"));
        calendar::read_day(&text).ok_or_else(wrong)
    })
    .transpose()
}

async fn lead_of(records: &Records, word: &str) -> ApiResult<LeadId> {
    if let Ok(id) = word.parse() {
        return Ok(id);
    }
    let filter = Filter {
        words: word.to_owned(),
        ..Filter::default()
    };
    let found = query::list(records.read.readers(), records.log.handles(), &filter, 1, 20).await?;
    let is_it = |row: &&BoardRow| row.reference.eq_ignore_ascii_case(word);
    let lead = found.rows.iter().find(is_it).and_then(BoardRow::id);
    lead.ok_or_else(|| ApiError::invalid_field("lead", "choice", say("refusal.no_lead")))
}

async fn shown(
    records: &Records,
    settings: &Settings,
    row: LookRow,
    names: &mut HashMap<String, String>,
) -> ApiResult<DataRead> {
    let lead = match row.lead_id.parse() {
        Ok(id) => query::row(records.read.readers(), id).await?,
        Err(_) => None,
    };
    Ok(DataRead {
        reason: reason_of(&records.log, row.position).await?,
        by: DataReader {
            name: staff_name(&records.log, settings, &row.by_id, names).await?,
            user_id: row.by_id,
        },
        position: row.position,
        looked_at: row.looked_at,
        lead_reference: lead.map(|lead| lead.reference).unwrap_or_default(),
        lead_id: row.lead_id,
        what: row.what,
    })
}

/// The reason, from the event itself: it is sealed under the person's key.
async fn reason_of(log: &EventLog, position: i64) -> ApiResult<Option<String>> {
    let position = position.cast_unsigned();
    let record = log.span(position, position).await?.into_iter().next();
    let event = record.and_then(|record| record.decode::<User>().ok());
    Ok(match event {
        // The reason of version 1 stands in the log unsealed, and is not told.
        Some(UserEvent::PersonalDataRevealed {
            person_id: Some(_),
            reason,
            ..
        }) => Some(reason).filter(|reason| !reason.is_empty()),
        _ => None,
    })
}
