//! disintegrate-postgres with its decision maker.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use disintegrate::serde::json::Json;
use disintegrate::{Decision, Event, NoSnapshot, StateMutate, StateQuery};
use disintegrate_postgres::{PgDecisionMaker, PgEventStore, decision_maker};
use measure::enquiry::{Advanced, Submitted, advanced, submitted};
use measure::{Figure, closed_loop, drawn};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use uuid::Uuid;

use crate::cqrs::{NotNow, Workload};
use crate::database;

#[derive(Debug, Args)]
pub struct DisintegrateArgs {
    #[arg(long)]
    place: String,
    #[arg(long)]
    workload: Workload,
    #[arg(long, default_value_t = 64)]
    clients: usize,
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    #[arg(long, default_value_t = 20_000)]
    leads: u64,
    #[arg(long, default_value_t = 10)]
    pool: u32,
}

#[derive(Debug, Clone, PartialEq, Event, Serialize, Deserialize)]
#[stream(LeadEvent, [Submitted, Advanced])]
pub enum DomainEvent {
    Submitted {
        #[id]
        lead: String,
        said: Box<Submitted>,
    },
    Advanced {
        #[id]
        lead: String,
        step: Advanced,
    },
}

#[derive(Debug, Default, Clone, StateQuery, Serialize, Deserialize)]
#[state_query(LeadEvent)]
pub struct LeadState {
    #[id]
    lead: String,
    submitted: bool,
    steps: u64,
}

impl StateMutate for LeadState {
    fn mutate(&mut self, event: Self::Event) {
        match event {
            LeadEvent::Submitted { .. } => self.submitted = true,
            LeadEvent::Advanced { .. } => self.steps += 1,
        }
    }
}

/// W1.
struct Submit(String, Box<Submitted>);
/// W2.
struct Advance(String, Advanced);

fn state_of(lead: &str) -> LeadState {
    LeadState {
        lead: lead.to_owned(),
        ..LeadState::default()
    }
}

impl Decision for Submit {
    type Event = DomainEvent;
    type StateQuery = LeadState;
    type Error = NotNow;

    fn state_query(&self) -> LeadState {
        state_of(&self.0)
    }

    fn process(&self, state: &LeadState) -> Result<Vec<DomainEvent>, NotNow> {
        if state.submitted {
            return Err(NotNow);
        }
        let (lead, said) = (self.0.clone(), self.1.clone());
        let step = DomainEvent::Advanced {
            lead: lead.clone(),
            step: advanced(0),
        };
        Ok(vec![DomainEvent::Submitted { lead, said }, step])
    }
}

impl Decision for Advance {
    type Event = DomainEvent;
    type StateQuery = LeadState;
    type Error = NotNow;

    fn state_query(&self) -> LeadState {
        state_of(&self.0)
    }

    fn process(&self, state: &LeadState) -> Result<Vec<DomainEvent>, NotNow> {
        if !state.submitted {
            return Err(NotNow);
        }
        Ok(vec![DomainEvent::Advanced {
            lead: self.0.clone(),
            step: self.1.clone(),
        }])
    }
}

type Maker = PgDecisionMaker<DomainEvent, Json<DomainEvent>, NoSnapshot>;

/// One figure; decisions that fail with a serialisation conflict are counted apart.
pub async fn run(args: &DisintegrateArgs) -> Figure {
    let pool = database::postgres(&args.place, args.pool).await;
    let store = made(&pool).await;
    let ids = Arc::new(match args.workload {
        Workload::Submit => Vec::new(),
        Workload::Advance => fill(&pool, args.leads).await,
    });
    let maker: Arc<Maker> = Arc::new(decision_maker(store, NoSnapshot));
    let workload = args.workload;
    let time = Duration::from_secs_f64(args.seconds);
    closed_loop(args.clients, time, move |client, number| {
        let (maker, ids) = (maker.clone(), ids.clone());
        async move {
            let made = match workload {
                Workload::Submit => {
                    let said = submitted(number * 1_000 + client as u64);
                    let lead = Uuid::now_v7().to_string();
                    maker.make(Submit(lead, Box::new(said))).await
                }
                Workload::Advance => {
                    let lead = ids[drawn(client, number, ids.len())].clone();
                    maker.make(Advance(lead, advanced(number))).await
                }
            };
            made.map(drop).map_err(|error| error.to_string())
        }
    })
    .await
}

/// The tables as the library makes them. It writes a number in a way that PostgreSQL understands from version 16 on;
/// before, the same number is written as one does there.
async fn made(pool: &PgPool) -> PgEventStore<DomainEvent, Json<DomainEvent>> {
    let Err(error) = PgEventStore::try_new(pool.clone(), Json::<DomainEvent>::default()).await else {
        return PgEventStore::new_uninitialized(pool.clone(), Json::default());
    };
    eprintln!("the library could not make its tables ({error}); making them for PostgreSQL 15");
    sqlx::raw_sql(BEFORE_16)
        .execute(pool)
        .await
        .expect("the tables can be made");
    PgEventStore::new_uninitialized(pool.clone(), Json::default())
}

const BEFORE_16: &str = "
create or replace function event_store_begin_epoch() returns void as $$
declare
  id bigint;
  db_id int;
begin
  select last_value into id from seq_event_event_id;
  select oid into db_id from pg_database where datname = current_database();
  perform pg_try_advisory_xact_lock_shared(db_id, 0);
  perform pg_try_advisory_xact_lock_shared(1, (id & 4294967295)::bit(32)::integer);
  perform pg_try_advisory_xact_lock_shared(2, (id >> 32)::bit(32)::integer);
end;
$$ language plpgsql;
alter table event add column if not exists lead text;
create index if not exists idx_event_lead on event (lead) where lead is not null;
";

/// Leads of two events each, past the library.
async fn fill(pool: &PgPool, leads: u64) -> Vec<String> {
    let ids: Vec<_> = (0..leads).map(|_| Uuid::now_v7().to_string()).collect();
    let row = "insert into event (event_type, payload, lead) values ($1, $2, $3)";
    let mut transaction = pool.begin().await.expect("a transaction");
    for (number, lead) in (0..).zip(&ids) {
        let submitted = DomainEvent::Submitted {
            lead: lead.clone(),
            said: Box::new(submitted(number)),
        };
        let advanced = DomainEvent::Advanced {
            lead: lead.clone(),
            step: advanced(0),
        };
        for (name, event) in [("Submitted", submitted), ("Advanced", advanced)] {
            sqlx::query(row)
                .bind(name)
                .bind(serde_json::to_vec(&event).expect("an event is JSON"))
                .bind(lead)
                .execute(&mut *transaction)
                .await
                .expect("a row is written");
        }
    }
    transaction.commit().await.expect("the rows are durable");
    ids
}
