//! Folding the whole log anew.

use std::collections::HashMap;
use std::time::Instant;

use clap::Args;
use domain::id::{LeadId, RegionId};
use domain::lead::{Lead, LeadEvent};
use domain::sealed::Sealed;
use eventlog::{Append, CodecError, EventLog, Expected, Fact};
use measure::Figure;
use serde::Deserialize;
use uuid::Uuid;

use crate::leads::{Personal, Sender, asked, now};
use crate::place::LogPlace;
use crate::work::lead;

/// Events of one lead: two when it is made, and two steps.
const PER_LEAD: u64 = 4;
/// Leads written in one go.
const WINDOW: u64 = 1_000;
/// Events read at a time.
const PAGE: usize = 10_000;

#[derive(Debug, Args)]
pub struct FillArgs {
    #[command(flatten)]
    place: LogPlace,
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
}

/// Writes leads of four events, whose steps come after those of a thousand others.
pub async fn fill(args: &FillArgs) -> Figure {
    let log = args.place.open().await;
    let begun = Instant::now();
    write(&log, &Sender::read(), 0, args.events / PER_LEAD).await;
    Figure::whole(args.events, begun.elapsed())
}

/// Writes the leads with these numbers.
pub async fn write(log: &EventLog, sender: &Sender, from: u64, to: u64) {
    for first in (from..to).step_by(usize::try_from(WINDOW).unwrap_or(1)) {
        let numbers = first..to.min(first + WINDOW);
        let made = numbers
            .clone()
            .map(|number| lead(sender, Personal::Known, id(number), number));
        let steps = (2..PER_LEAD).flat_map(|revision| numbers.clone().map(move |it| step(it, revision)));
        let all = made.chain(steps).collect();
        log.append_many(all).await.expect("the leads are written");
    }
}

fn step(number: u64, revision: u64) -> Append {
    let owner = Some(domain::id::UserId(Uuid::from_u64_pair(5, number + revision)));
    let event = LeadEvent::Assigned {
        owner,
        at: now(),
        person_id: None,
        why: Sealed::default(),
    };
    let append = Append::new(&asked(number));
    let made = append.events::<Lead>(id(number), Expected::Revision(revision), &[event]);
    made.expect("an event is JSON")
}

/// A time-ordered id that can be told from the number alone.
pub fn id(number: u64) -> LeadId {
    let millis = 1_790_000_000_000 + number / 50;
    let scattered = measure::scattered(number);
    let high = (millis << 16) | 0x7000 | (number % 50);
    LeadId(Uuid::from_u64_pair(high, (scattered >> 2) | (1 << 63)))
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    place: LogPlace,
}

/// The same view as the rivals fold: leads by region, and each lead's steps.
#[derive(Default)]
struct View {
    by_region: HashMap<RegionId, u64>,
    leads: HashMap<Uuid, (Option<RegionId>, u64)>,
    events: u64,
}

impl View {
    fn take_in(&mut self, fact: &Fact<'_>) -> Result<(), CodecError> {
        self.events += 1;
        if fact.event_type == "LeadCreated" {
            let Made { created } = fact.part::<Lead, Made>()?;
            if let Some(region) = created.submission.region_id {
                *self.by_region.entry(region).or_default() += 1;
            }
            self.leads
                .insert(fact.stream.id, (created.submission.region_id, 1));
        } else if let Some((_, steps)) = self.leads.get_mut(&fact.stream.id) {
            *steps += 1;
        }
        Ok(())
    }
}

/// So much of a lead's first event as the view needs.
#[derive(Deserialize)]
struct Made {
    #[serde(rename = "Created")]
    created: Created,
}

#[derive(Deserialize)]
struct Created {
    submission: Submitted,
}

#[derive(Deserialize)]
struct Submitted {
    region_id: Option<RegionId>,
}

/// Events per second from the log into a view in memory, personal data left sealed.
pub async fn replay(args: &ReplayArgs) -> Figure {
    let log = args.place.open().await;
    let begun = Instant::now();
    let mut view = View::default();
    let mut after = 0;
    loop {
        let page = log.fold_all((after, PAGE), view, |view, fact| {
            view.take_in(&fact).expect("an event can be read");
            Ok(())
        });
        let page = page.await.expect("the log can be read");
        view = page.state;
        if page.events == 0 {
            break;
        }
        after = page.last;
    }
    let figure = Figure::whole(view.events, begun.elapsed());
    let (leads, regions) = (view.leads.len(), view.by_region.len());
    figure.noting(format!("{leads} leads of {regions} regions"))
}
