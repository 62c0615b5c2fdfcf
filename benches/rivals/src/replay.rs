//! cqrs-es' way to fold all events anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use clap::{Args, ValueEnum};
use cqrs_es::persist::{GenericQuery, PersistedEventRepository, QueryReplay};
use cqrs_es::{EventEnvelope, Query, View};
use measure::Figure;
use measure::enquiry::{advanced, submitted};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, SqlitePool};
use uuid::Uuid;

use crate::cqrs::{Lead, LeadEvent};
use crate::database::{self, Engine};

/// Leads in one transaction of the filling.
const WINDOW: u64 = 1_000;

/// What the events are folded into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Into {
    Memory,
    Table,
}

#[derive(Debug, Args)]
pub struct FillArgs {
    #[arg(long)]
    engine: Engine,
    #[arg(long)]
    place: String,
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
}

/// Writes leads of four events each.
pub async fn fill(args: &FillArgs) -> Figure {
    let begun = Instant::now();
    match args.engine {
        Engine::Sqlite => {
            let pool = database::sqlite_with_tables(&args.place, 1).await;
            fill_sqlite(&pool, args.events / 4, 4).await;
        }
        Engine::Postgres => {
            let pool = database::postgres_with_tables(&args.place, 1).await;
            fill_postgres(&pool, args.events / 4, 4).await;
        }
    }
    Figure::whole(args.events, begun.elapsed())
}

const ROW: &str = "insert into events values ('lead', $1, $2, $3, '1', $4, '{}')";

/// One event of a filled lead: its type and its JSON.
fn event(lead: u64, sequence: u64) -> (&'static str, serde_json::Value) {
    let (name, event) = if sequence == 1 {
        ("Submitted", LeadEvent::Submitted(Box::new(submitted(lead))))
    } else {
        ("Advanced", LeadEvent::Advanced(advanced(sequence)))
    };
    (name, serde_json::to_value(event).expect("an event is JSON"))
}

/// Writes leads of `each` events past the library, and says their ids.
pub async fn fill_sqlite(pool: &SqlitePool, leads: u64, each: u64) -> Vec<String> {
    let ids: Vec<_> = (0..leads).map(|_| Uuid::now_v7().to_string()).collect();
    for first in (0..leads).step_by(usize::try_from(WINDOW).unwrap_or(1)) {
        let mut transaction = pool.begin().await.expect("a transaction");
        for lead in first..leads.min(first + WINDOW) {
            for sequence in 1..=each {
                let (name, payload) = event(lead, sequence);
                sqlx::query(ROW)
                    .bind(&ids[usize::try_from(lead).unwrap_or_default()])
                    .bind(sequence.cast_signed())
                    .bind(name)
                    .bind(payload.to_string())
                    .execute(&mut *transaction)
                    .await
                    .expect("a row is written");
            }
        }
        transaction.commit().await.expect("the rows are durable");
    }
    ids
}

/// The same on the other database.
pub async fn fill_postgres(pool: &PgPool, leads: u64, each: u64) -> Vec<String> {
    let ids: Vec<_> = (0..leads).map(|_| Uuid::now_v7().to_string()).collect();
    for first in (0..leads).step_by(usize::try_from(WINDOW).unwrap_or(1)) {
        let mut transaction = pool.begin().await.expect("a transaction");
        for lead in first..leads.min(first + WINDOW) {
            for sequence in 1..=each {
                let (name, payload) = event(lead, sequence);
                sqlx::query(ROW)
                    .bind(&ids[usize::try_from(lead).unwrap_or_default()])
                    .bind(sequence.cast_signed())
                    .bind(name)
                    .bind(payload)
                    .execute(&mut *transaction)
                    .await
                    .expect("a row is written");
            }
        }
        transaction.commit().await.expect("the rows are durable");
    }
    ids
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[arg(long)]
    engine: Engine,
    #[arg(long)]
    place: String,
    #[arg(long)]
    into: Into,
}

/// The same view as ours: leads by region, and each lead's steps.
#[derive(Default)]
struct Folded {
    by_region: HashMap<u64, u64>,
    leads: HashMap<String, (u64, u64)>,
    events: u64,
}

/// A query that folds into memory.
#[derive(Clone, Default)]
struct InMemory(Arc<Mutex<Folded>>);

#[async_trait::async_trait]
impl Query<Lead> for InMemory {
    async fn dispatch(&self, lead: &str, events: &[EventEnvelope<Lead>]) {
        let mut folded = self.0.lock().expect("nobody else folds");
        for event in events {
            folded.events += 1;
            match &event.payload {
                LeadEvent::Submitted(said) => {
                    *folded.by_region.entry(said.region_id).or_default() += 1;
                    folded.leads.insert(lead.to_owned(), (said.region_id, 1));
                }
                LeadEvent::Advanced(_) => {
                    if let Some((_, steps)) = folded.leads.get_mut(lead) {
                        *steps += 1;
                    }
                }
            }
        }
    }
}

/// One lead's row, as the library's own view store keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct LeadRow {
    region: u64,
    name: String,
    email: String,
    steps: u64,
    total_minor: i64,
}

impl View<Lead> for LeadRow {
    fn update(&mut self, event: &EventEnvelope<Lead>) {
        match &event.payload {
            LeadEvent::Submitted(said) => {
                self.region = said.region_id;
                self.name.clone_from(&said.user.name);
                self.email.clone_from(&said.user.email);
            }
            LeadEvent::Advanced(step) => {
                self.steps += 1;
                self.total_minor += step.amount_minor;
            }
        }
    }
}

/// Events per second.
pub async fn replay(args: &ReplayArgs) -> Figure {
    match args.engine {
        Engine::Sqlite => {
            let pool = database::sqlite(&args.place, 4).await;
            emptied(sqlx::query("delete from lead_view").execute(&pool).await);
            let events: i64 = sqlx::query_scalar("select count(*) from events")
                .fetch_one(&pool)
                .await
                .expect("the events can be counted");
            let events = events.cast_unsigned();
            let repository = sqlite_es::SqliteEventRepository::new(pool.clone());
            if args.into == Into::Memory {
                return in_memory(repository, events).await;
            }
            let views = sqlite_es::SqliteViewRepository::<LeadRow, Lead>::new("lead_view", pool);
            timed(
                repository,
                GenericQuery::<_, LeadRow, Lead>::new(Arc::new(views)),
                events,
            )
            .await
        }
        Engine::Postgres => {
            let pool = database::postgres(&args.place, 10).await;
            emptied(sqlx::query("delete from lead_view").execute(&pool).await);
            let events: i64 = sqlx::query_scalar("select count(*) from events")
                .fetch_one(&pool)
                .await
                .expect("the events can be counted");
            let events = events.cast_unsigned();
            let repository = postgres_es::PostgresEventRepository::new(pool.clone());
            if args.into == Into::Memory {
                return in_memory(repository, events).await;
            }
            let views = postgres_es::PostgresViewRepository::<LeadRow, Lead>::new("lead_view", pool);
            timed(
                repository,
                GenericQuery::<_, LeadRow, Lead>::new(Arc::new(views)),
                events,
            )
            .await
        }
    }
}

fn emptied<R, E: std::fmt::Display>(done: Result<R, E>) {
    if let Err(error) = done {
        panic!("the view cannot be emptied: {error}");
    }
}

async fn in_memory<R: PersistedEventRepository>(repository: R, events: u64) -> Figure {
    let view = InMemory::default();
    let figure = timed(repository, view.clone(), events).await;
    let folded = view.0.lock().expect("nobody else folds");
    assert_eq!(folded.events, events, "the replay saw every event");
    let (leads, regions) = (folded.leads.len(), folded.by_region.len());
    figure.noting(format!("{leads} leads of {regions} regions"))
}

async fn timed<R: PersistedEventRepository, Q: Query<Lead>>(repository: R, query: Q, events: u64) -> Figure {
    let begun = Instant::now();
    let replayed = QueryReplay::<R, Q, Lead>::new(repository, query)
        .replay_all()
        .await;
    replayed.unwrap_or_else(|error| panic!("the replay stopped: {error}"));
    Figure::whole(events, begun.elapsed())
}
