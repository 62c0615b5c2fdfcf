//! W1 and W2 in process.

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use domain::id::LeadId;
use domain::lead::Lead;
use eventlog::{Append, EventLog, Expected, commit};
use measure::{Figure, closed_loop, drawn};
use uuid::Uuid;

use crate::enquiry::{Enquiry, EnquiryCommand, EnquiryEvent};
use crate::leads::{self, KNOWN, Personal, Sender, asked};
use crate::place::LogPlace;

/// Which workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// W1: a command on a fresh stream, two events.
    Submit,
    /// W2: a command on one of many leads that are there, one event.
    Advance,
}

#[derive(Debug, Args)]
pub struct WorkArgs {
    #[command(flatten)]
    place: LogPlace,
    #[arg(long)]
    workload: Workload,
    #[arg(long, default_value = "fresh")]
    personal: Personal,
    #[arg(long, default_value_t = 64)]
    clients: usize,
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Leads that are there before W2 begins.
    #[arg(long, default_value_t = 20_000)]
    leads: u64,
}

/// One figure.
pub async fn run(args: &WorkArgs) -> Figure {
    let log = args.place.open().await;
    let time = Duration::from_secs_f64(args.seconds);
    let personal = args.personal;
    let sender = Arc::new(Sender::read());
    match args.workload {
        Workload::Submit => {
            if personal == Personal::Known {
                make_known(&log, &sender).await;
            }
            closed_loop(args.clients, time, move |client, number| {
                let (log, sender) = (log.clone(), sender.clone());
                async move { submit(&log, &sender, personal, number * 1_000 + client as u64).await }
            })
            .await
        }
        Workload::Advance => {
            let ids = Arc::new(fill(&log, &sender, personal, args.leads).await);
            closed_loop(args.clients, time, move |client, number| {
                let (log, ids) = (log.clone(), ids.clone());
                async move { advance(&log, personal, ids[drawn(client, number, ids.len())], number).await }
            })
            .await
        }
    }
}

async fn submit(log: &EventLog, sender: &Sender, personal: Personal, number: u64) -> Result<(), String> {
    let id = LeadId(Uuid::now_v7());
    if personal == Personal::Nothing {
        let command = EnquiryCommand::Submit(Box::new(measure::enquiry::submitted(number)));
        return heard(commit::<Enquiry>(log, id, command, &asked(number)).await);
    }
    let command = leads::submit(sender, id, leads::person(personal, number), number);
    heard(commit::<Lead>(log, id, command, &asked(number)).await)
}

async fn advance(log: &EventLog, personal: Personal, id: LeadId, number: u64) -> Result<(), String> {
    if personal == Personal::Nothing {
        let command = EnquiryCommand::Advance(measure::enquiry::advanced(number));
        return heard(commit::<Enquiry>(log, id, command, &asked(number)).await);
    }
    heard(commit::<Lead>(log, id, leads::assign(), &asked(number)).await)
}

/// Why a command did not do what it should.
fn heard<T, E: std::fmt::Display>(answer: Result<T, E>) -> Result<(), String> {
    answer.map(drop).map_err(|error| error.to_string())
}

/// Makes the keys of the people that known leads come from.
async fn make_known(log: &EventLog, sender: &Sender) {
    let all = (0..KNOWN).map(|number| lead(sender, Personal::Known, LeadId(Uuid::now_v7()), number));
    written(log, all.collect()).await;
}

/// Writes the leads of W2, without measuring.
async fn fill(log: &EventLog, sender: &Sender, personal: Personal, leads: u64) -> Vec<LeadId> {
    let ids: Vec<_> = (0..leads).map(|_| LeadId(Uuid::now_v7())).collect();
    // The keys of W2's leads are no part of it.
    let personal = match personal {
        Personal::Fresh => Personal::Known,
        other => other,
    };
    let all = ids
        .iter()
        .zip(0..)
        .map(|(id, number)| lead(sender, personal, *id, number));
    written(log, all.collect()).await;
    ids
}

async fn written(log: &EventLog, appends: Vec<Append>) {
    let last = log.append_many(appends).await;
    last.unwrap_or_else(|error| panic!("the leads could not be written: {error}"));
}

/// A lead's first two events as one append.
pub fn lead(sender: &Sender, personal: Personal, id: LeadId, number: u64) -> Append {
    use domain::aggregate::Decide as _;
    let append = Append::new(&asked(number));
    let fresh = Expected::Revision(0);
    let made = if personal == Personal::Nothing {
        let submitted = EnquiryEvent::Submitted(Box::new(measure::enquiry::submitted(number)));
        let events = [submitted, EnquiryEvent::Advanced(measure::enquiry::advanced(0))];
        append.events::<Enquiry>(id, fresh, &events)
    } else {
        let command = leads::submit(sender, id, leads::person(personal, number), number);
        let events = Lead::default().decide(command).expect("a lead is taken");
        append.events::<Lead>(id, fresh, &events)
    };
    made.expect("an event is JSON")
}
