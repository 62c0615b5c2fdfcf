//! The list of cases (row G4): who has the next word, who answers and until when. It holds no word of what was written: a page of the
//! list reads its cases from the log.

use std::collections::BTreeMap;
use std::str::FromStr;

use domain::aggregate::Decide;
use domain::case::{Case, CaseEvent, CaseStatus, CaseTopic, Side};
use domain::id::{CaseId, LeadId, UserId};
use domain::moment::Moment;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

const CASES: Table = Table {
    name: "case_board",
    columns: &[
        Text("case_id"),
        Text("person_id"),
        Text("lead_id"),
        Text("topic"),
        Text("status"),
        Text("owner"),
        Number("due_at"),
        Number("opened_at"),
        Number("last_at"),
        Text("last_side"),
        Number("position"),
        Text("team"),
    ],
    key: 1,
};
const MENTIONS: Table = Table {
    name: "case_mention",
    columns: &[Text("case_id"), Text("user_id"), Number("at")],
    key: 2,
};
const COLUMNS: &str = "case_id, person_id, lead_id, topic, status, owner, due_at, opened_at, last_at, last_side, position, team";

/// One row per case.
pub struct CaseBoard;

/// One case in a list. Moments are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseRow {
    pub case_id: String,
    pub person_id: String,
    pub lead_id: Option<String>,
    pub topic: String,
    pub status: String,
    pub owner: Option<String>,
    pub due_at: Option<i64>,
    pub opened_at: i64,
    /// Of the newest message.
    pub last_at: i64,
    /// `person` or `staff`: who wrote the newest message.
    pub last_side: String,
    pub position: i64,
    pub team: Option<String>,
}

tables::from_row!(CaseRow {
    case_id,
    person_id,
    lead_id,
    topic,
    status,
    owner,
    due_at,
    opened_at,
    last_at,
    last_side,
    position,
    team
});

impl CaseRow {
    pub fn id(&self) -> Option<CaseId> {
        CaseId::from_str(&self.case_id).ok()
    }

    pub fn status(&self) -> CaseStatus {
        CaseStatus::from_key(&self.status).unwrap_or_default()
    }

    pub fn topic(&self) -> CaseTopic {
        CaseTopic::from_key(&self.topic).unwrap_or_default()
    }

    /// The row of a case as its own events have it now, before the list has heard of the newest.
    pub fn of(id: CaseId, case: &Case) -> Self {
        let first = case
            .thread()
            .next()
            .map(|(_, message)| message.at.timestamp_millis());
        let newest = case.thread().last().map(|(_, message)| message);
        let last_at = newest.map(|message| message.at.timestamp_millis());
        Self {
            case_id: id.to_string(),
            person_id: case.person.map(|id| id.to_string()).unwrap_or_default(),
            lead_id: case.lead_id.map(|id| id.to_string()),
            topic: case.topic.key().to_owned(),
            status: case.status.key().to_owned(),
            owner: case.owner.map(|owner| owner.to_string()),
            due_at: case.due.map(|due| due.timestamp_millis()),
            opened_at: first.unwrap_or_default(),
            last_at: last_at.unwrap_or_default(),
            last_side: newest
                .map_or(Side::Person, |message| message.side)
                .key()
                .to_owned(),
            position: 0,
            team: case.team.clone(),
        }
    }

    fn opened(record: &RecordedEvent, person: UserId, lead_id: Option<LeadId>, topic: CaseTopic) -> Self {
        Self {
            case_id: record.stream.id.to_string(),
            person_id: person.to_string(),
            lead_id: lead_id.map(|id| id.to_string()),
            topic: topic.key().to_owned(),
            status: CaseStatus::default().key().to_owned(),
            owner: None,
            due_at: None,
            opened_at: 0,
            last_at: 0,
            last_side: Side::Person.key().to_owned(),
            position: 0,
            team: None,
        }
    }

    fn take(&mut self, event: &CaseEvent) {
        let ms = |at: &Moment| at.timestamp_millis();
        match event {
            CaseEvent::Opened { at, .. } => self.opened_at = ms(at),
            CaseEvent::MessageWritten { written, at, .. } => {
                let waits = self.status() == CaseStatus::WaitsForStaff;
                let (status, due) = match written.side {
                    Side::Staff => (CaseStatus::WaitsForPerson, None),
                    // A second question before the answer does not put the answer off.
                    Side::Person => {
                        let due = self.due_at.filter(|_| waits);
                        (CaseStatus::WaitsForStaff, due.or(written.due.as_ref().map(ms)))
                    }
                };
                status.key().clone_into(&mut self.status);
                self.due_at = due;
                self.last_at = ms(at);
                written.side.key().clone_into(&mut self.last_side);
            }
            CaseEvent::AttachmentAdded { attachment, at, .. } => {
                if attachment.side == Side::Person {
                    CaseStatus::WaitsForStaff.key().clone_into(&mut self.status);
                }
                self.last_at = ms(at);
            }
            CaseEvent::MessagePosted { .. } | CaseEvent::NoteAdded { .. } => {}
            CaseEvent::Assigned { owner, .. } => self.owner = owner.map(|owner| owner.to_string()),
            CaseEvent::TeamSet { team, .. } => self.team.clone_from(team),
            CaseEvent::DueSet { due, .. } => self.due_at = due.as_ref().map(ms),
            CaseEvent::Closed { .. } => {
                CaseStatus::Closed.key().clone_into(&mut self.status);
                self.due_at = None;
            }
            CaseEvent::Reopened { .. } => CaseStatus::WaitsForStaff.key().clone_into(&mut self.status),
        }
    }
}

impl Projection for CaseBoard {
    fn name(&self) -> &'static str {
        "case_board"
    }

    fn version(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["case_board", "case_mention"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Case::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut rows = known(connection, events).await?;
            let mut mentions = Vec::new();
            for record in events {
                let event = record.decode_sealed::<Case>()?;
                let id = record.stream.id.to_string();
                if let CaseEvent::Opened {
                    person,
                    lead_id,
                    topic,
                    ..
                } = &event
                {
                    rows.insert(id.clone(), CaseRow::opened(record, *person, *lead_id, *topic));
                }
                if let CaseEvent::NoteAdded { mentions: to, at, .. } = &event {
                    let at = at.timestamp_millis();
                    mentions.extend(to.iter().map(|user| row![id.as_str(), user.to_string(), at]));
                }
                if let Some(row) = rows.get_mut(&id) {
                    row.take(&event);
                    row.position = i64::try_from(record.position).unwrap_or(i64::MAX);
                }
            }
            let rows: Vec<_> = rows.into_values().map(written).collect();
            MENTIONS.put(connection, &mentions).await?;
            Ok(CASES.put(connection, &rows).await?)
        })
    }
}

/// The rows of these events' cases as they were before.
async fn known(
    connection: &mut AnyConnection,
    events: &[RecordedEvent],
) -> Result<BTreeMap<String, CaseRow>, sqlx::Error> {
    let ids: std::collections::BTreeSet<String> =
        events.iter().map(|record| record.stream.id.to_string()).collect();
    let among = ids.iter().map(String::as_str).collect();
    let rows: Vec<CaseRow> = CASES.read(connection, &[("case_id", among)]).await?;
    Ok(rows.into_iter().map(|row| (row.case_id.clone(), row)).collect())
}

fn written(row: CaseRow) -> Vec<tables::table::Value> {
    row![
        row.case_id,
        row.person_id,
        row.lead_id,
        row.topic,
        row.status,
        row.owner,
        row.due_at,
        row.opened_at,
        row.last_at,
        row.last_side,
        row.position,
        row.team
    ]
}

/// What a list of cases is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct CaseFilter {
    pub status: Option<CaseStatus>,
    pub owner: Option<UserId>,
    /// Without an owner alone.
    pub unowned: bool,
    pub topic: Option<CaseTopic>,
    /// Those whose answer was due before this moment, in milliseconds since 1970.
    pub due_before: Option<i64>,
    pub lead_id: Option<LeadId>,
    /// Of one of these teams.
    pub teams: Option<Vec<String>>,
    /// With a note that mentions this colleague.
    pub mentions: Option<UserId>,
}

impl CaseFilter {
    fn push(&self, query: &mut Statement) {
        query.push(" where 1 = 1");
        if let Some(status) = self.status {
            query.push(" and status = ").push_bind(status.key());
        }
        if let Some(owner) = self.owner {
            query.push(" and owner = ").push_bind(owner.to_string());
        }
        if self.unowned {
            query.push(" and owner is null");
        }
        if let Some(topic) = self.topic {
            query.push(" and topic = ").push_bind(topic.key());
        }
        if let Some(due) = self.due_before {
            query.push(" and due_at < ").push_bind(due);
        }
        if let Some(lead_id) = self.lead_id {
            query.push(" and lead_id = ").push_bind(lead_id.to_string());
        }
        match self.teams.as_deref() {
            None => {}
            Some([]) => {
                query.push(" and 1 = 0");
            }
            Some(teams) => {
                query.push(" and team in ");
                query.push_list(teams.iter().map(String::as_str));
            }
        }
        if let Some(user) = self.mentions {
            query
                .push(" and case_id in (select case_id from case_mention where user_id = ")
                .push_bind(user.to_string())
                .push(")");
        }
    }
}

/// A page of cases: those that wait for staff first, what is due first before what is due later, then the newest message first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(
    pool: &AnyPool,
    filter: &CaseFilter,
    limit: u32,
    offset: u32,
) -> Result<Vec<CaseRow>, sqlx::Error> {
    let mut query = Statement::new(format!("select {COLUMNS} from case_board"));
    filter.push(&mut query);
    query.push(" order by case when status = 'waits_for_staff' then 0 when status = 'waits_for_person' then 1 else 2 end,");
    query.push(" due_at nulls last, last_at desc, case_id limit ");
    query
        .push_bind(i64::from(limit))
        .push(" offset ")
        .push_bind(i64::from(offset));
    query.build_query_as()?.fetch_all(pool).await
}

/// How many cases a filter leaves.
///
/// # Errors
/// When the read models cannot be read.
pub async fn count(pool: &AnyPool, filter: &CaseFilter) -> Result<u64, sqlx::Error> {
    let mut query = Statement::new("select count(*) from case_board");
    filter.push(&mut query);
    let (count,): (i64,) = query.build_query_as()?.fetch_one(pool).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// A person's cases, by their account and by the leads that are theirs; the newest message first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_person(
    pool: &AnyPool,
    person: UserId,
    leads: &[LeadId],
) -> Result<Vec<CaseRow>, sqlx::Error> {
    let mut query = Statement::new(format!("select {COLUMNS} from case_board where person_id = "));
    query.push_bind(person.to_string());
    for lead in leads {
        query.push(" or lead_id = ").push_bind(lead.to_string());
    }
    query.push(" order by last_at desc, case_id limit 200");
    query.build_query_as()?.fetch_all(pool).await
}
