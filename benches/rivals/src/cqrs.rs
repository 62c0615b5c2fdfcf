//! cqrs-es with its own stores.

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use cqrs_es::event_sink::EventSink;
use cqrs_es::{Aggregate, CqrsFramework, DomainEvent, EventStore};
use measure::enquiry::{Advanced, Submitted, advanced, submitted};
use measure::{Figure, closed_loop, drawn};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::database::{self, Engine};
use crate::replay;

/// Which workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    Submit,
    Advance,
}

#[derive(Debug, Args)]
pub struct CqrsArgs {
    #[arg(long)]
    engine: Engine,
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
    /// Connections; SQLite has one writer in any case.
    #[arg(long, default_value_t = 10)]
    pool: u32,
}

/// A lead that knows whether it was sent, and how far it has come.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Lead {
    submitted: bool,
    steps: u64,
    total_minor: i64,
}

#[derive(Debug)]
pub enum LeadCommand {
    Submit(Box<Submitted>),
    Advance(Advanced),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LeadEvent {
    Submitted(Box<Submitted>),
    Advanced(Advanced),
}

impl DomainEvent for LeadEvent {
    fn event_type(&self) -> String {
        match self {
            Self::Submitted(_) => "Submitted".to_owned(),
            Self::Advanced(_) => "Advanced".to_owned(),
        }
    }

    fn event_version(&self) -> String {
        "1".to_owned()
    }
}

/// Why a lead turns a command down.
#[derive(Debug)]
pub struct NotNow;

impl std::fmt::Display for NotNow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the lead stands elsewhere")
    }
}

impl std::error::Error for NotNow {}

impl Aggregate for Lead {
    const TYPE: &'static str = "lead";
    type Command = LeadCommand;
    type Event = LeadEvent;
    type Error = NotNow;
    type Services = ();

    async fn handle(
        &mut self,
        command: LeadCommand,
        _services: &(),
        sink: &EventSink<Self>,
    ) -> Result<(), NotNow> {
        match command {
            LeadCommand::Submit(said) if !self.submitted => {
                sink.write(LeadEvent::Submitted(said), self).await;
                sink.write(LeadEvent::Advanced(advanced(0)), self).await;
            }
            LeadCommand::Advance(step) if self.submitted => sink.write(LeadEvent::Advanced(step), self).await,
            LeadCommand::Submit(_) | LeadCommand::Advance(_) => return Err(NotNow),
        }
        Ok(())
    }

    fn apply(&mut self, event: LeadEvent) {
        match event {
            LeadEvent::Submitted(_) => self.submitted = true,
            LeadEvent::Advanced(step) => {
                self.steps += 1;
                self.total_minor += step.amount_minor;
            }
        }
    }
}

/// One figure.
pub async fn run(args: &CqrsArgs) -> Figure {
    let leads = match args.workload {
        Workload::Submit => 0,
        Workload::Advance => args.leads,
    };
    match args.engine {
        Engine::Sqlite => {
            let pool = database::sqlite_with_tables(&args.place, args.pool).await;
            let ids = replay::fill_sqlite(&pool, leads, 2).await;
            driven(args, sqlite_es::sqlite_cqrs::<Lead>(pool, vec![], ()), ids).await
        }
        Engine::Postgres => {
            let pool = database::postgres_with_tables(&args.place, args.pool).await;
            let ids = replay::fill_postgres(&pool, leads, 2).await;
            driven(args, postgres_es::postgres_cqrs::<Lead>(pool, vec![], ()), ids).await
        }
    }
}

async fn driven<S>(args: &CqrsArgs, framework: CqrsFramework<Lead, S>, ids: Vec<String>) -> Figure
where
    S: EventStore<Lead> + 'static,
    S::AC: Send,
{
    let (framework, ids) = (Arc::new(framework), Arc::new(ids));
    let time = Duration::from_secs_f64(args.seconds);
    let workload = args.workload;
    closed_loop(args.clients, time, move |client, number| {
        let (framework, ids) = (framework.clone(), ids.clone());
        async move {
            let done = match workload {
                Workload::Submit => {
                    let said = submitted(number * 1_000 + client as u64);
                    let id = Uuid::now_v7().to_string();
                    framework.execute(&id, LeadCommand::Submit(Box::new(said))).await
                }
                Workload::Advance => {
                    let id = &ids[drawn(client, number, ids.len())];
                    framework
                        .execute(id, LeadCommand::Advance(advanced(number)))
                        .await
                }
            };
            done.map_err(|error| error.to_string())
        }
    })
    .await
}
