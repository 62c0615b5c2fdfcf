//! Who of staff looked at whose personal data or history, and at what (rows F4, I6, T30). Holds ids alone; the reason is sealed in the event and read
//! from the log.

use domain::aggregate::Decide;
use domain::id::{LeadId, UserId};
use domain::moment::Moment;
use domain::user::{Look, User, UserEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use crate::payment_audit::instant;
use crate::run::{Projection, ProjectionError};

const LOOKS: Table = Table {
    name: "look",
    columns: &[
        Number("position"),
        Text("looked_at"),
        Text("until"),
        Text("person_id"),
        Text("lead_id"),
        Text("by_id"),
        Text("what"),
    ],
    key: 1,
};

/// The table of `0530_look.sql`.
pub struct Looks;

/// One look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookRow {
    /// Of the event, where the reason is.
    pub position: i64,
    /// RFC 3339.
    pub looked_at: String,
    /// The person whose data it was.
    pub person_id: String,
    /// Empty where it is about no lead.
    pub lead_id: String,
    /// The member of staff.
    pub by_id: String,
    /// `None` for looks recorded before this was noted.
    pub what: Option<String>,
}

tables::from_row!(LookRow {
    position,
    looked_at,
    person_id,
    lead_id,
    by_id,
    what
});

impl Projection for Looks {
    fn name(&self) -> &'static str {
        "looks"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["look"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["look_person", "look_lead", "look_by"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[User::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut rows = Vec::new();
            for record in events {
                if let UserEvent::PersonalDataRevealed {
                    lead_id,
                    by,
                    what,
                    until,
                    at,
                    ..
                } = record.decode_sealed::<User>()?
                {
                    rows.push(row![
                        record.position.cast_signed(),
                        instant(at),
                        instant(until),
                        record.stream.id.to_string(),
                        lead_id.map(|lead_id| lead_id.to_string()).unwrap_or_default(),
                        by.to_string(),
                        what.map(Look::key)
                    ]);
                }
            }
            Ok(LOOKS.put(connection, &rows).await?)
        })
    }
}

/// Which looks are asked for; all of them where nothing is said.
#[derive(Debug, Clone, Default)]
pub struct LookFilter {
    /// The member of staff.
    pub by: Option<UserId>,
    /// The person whose data it was.
    pub person: Option<UserId>,
    pub lead: Option<LeadId>,
    /// From this moment on.
    pub from: Option<Moment>,
    /// Before this moment.
    pub to: Option<Moment>,
    /// Before this position: the next page.
    pub before: Option<i64>,
}

/// Looks, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(pool: &AnyPool, filter: &LookFilter, limit: u64) -> Result<Vec<LookRow>, sqlx::Error> {
    let mut query =
        Statement::new("select position, looked_at, person_id, lead_id, by_id, what from look where 1 = 1");
    if let Some(by) = filter.by {
        query.push(" and by_id = ").push_bind(by.to_string());
    }
    if let Some(person) = filter.person {
        query.push(" and person_id = ").push_bind(person.to_string());
    }
    if let Some(lead) = filter.lead {
        query.push(" and lead_id = ").push_bind(lead.to_string());
    }
    if let Some(from) = filter.from {
        query.push(" and looked_at >= ").push_bind(instant(from));
    }
    if let Some(to) = filter.to {
        query.push(" and looked_at < ").push_bind(instant(to));
    }
    if let Some(before) = filter.before {
        query.push(" and position < ").push_bind(before);
    }
    query
        .push(" order by position desc limit ")
        .push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// Every member of staff who ever looked.
///
/// # Errors
/// When the read models cannot be read.
pub async fn readers(pool: &AnyPool) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("select distinct by_id from look order by by_id")
        .fetch_all(pool)
        .await
}

/// Whether this member of staff may see the contact data of a lead now: they looked at it, and the time is not over.
///
/// # Errors
/// When the read models cannot be read.
pub async fn is_revealed(pool: &AnyPool, lead: LeadId, by: UserId, now: Moment) -> Result<bool, sqlx::Error> {
    let open: i64 =
        sqlx::query_scalar("select count(*) from look where lead_id = $1 and by_id = $2 and until > $3")
            .bind(lead.to_string())
            .bind(by.to_string())
            .bind(instant(now))
            .fetch_one(pool)
            .await?;
    Ok(open > 0)
}
