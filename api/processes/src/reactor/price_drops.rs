//! News of a lower price (decision 0025): an enquiry keeps its price until a deadline, and its sender is told when their home asks
//! less before that. One message a change; none after the deadline, after a booking, or for who wants none of its kind.

use domain::aggregate::Decide;
use domain::correspondence::LetterKind;
use domain::id::{InventoryId, LeadId};
use domain::inventory::asked_price::asked_minor;
use domain::inventory::price_lock::LockState;
use domain::inventory::{Inventory, InventoryEvent};
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::money::Money;
use domain::policy::Effect;
use eventlog::{EventLog, RecordedEvent, StreamId};
use platform::clock;
use platform::days::{self, HomeClock};
use platform::forms::forms_of;
use platform::texts::text;
use uuid::Uuid;

use super::agenda::Planned;
use super::price_watch::PriceWatch;
use super::{Reactor, ReactorError};
use crate::home_clock::find_home_clock;
use crate::message_language::find_lead_language;

/// The stored type of the event by which a room gets other prices.
const PRICED: &str = "RoomPriced";
/// Events of one home, far more than any has.
const EVENTS_MAX: usize = 1_000_000;

impl Reactor {
    /// One message for each enquiry that still keeps the price of a home whose rooms got other prices among these events. Whether the
    /// price fell for that enquiry is found out when the message is written.
    pub(super) async fn price_news(
        &self,
        events: &[RecordedEvent],
        fresh: &[PriceWatch],
    ) -> Result<Vec<Planned>, ReactorError> {
        let is_priced =
            |event: &&RecordedEvent| event.stream.kind == Inventory::KIND && event.event_type == PRICED;
        let priced: Vec<&RecordedEvent> = events.iter().filter(is_priced).collect();
        let mut homes: Vec<InventoryId> = priced.iter().map(|event| InventoryId(event.stream.id)).collect();
        homes.sort_unstable();
        homes.dedup();
        if homes.is_empty() {
            return Ok(vec![]);
        }
        let mut watches = self.agenda.price_watches(&homes, clock::now()).await?;
        watches.retain(|known| fresh.iter().all(|one| one.lead_id != known.lead_id));
        watches.extend(fresh);
        let planned = priced.into_iter().flat_map(|event| {
            let home = InventoryId(event.stream.id);
            let told = watches.iter().filter(move |watch| watch.home_id == home);
            told.map(move |watch| planned(event, watch.lead_id))
        });
        Ok(planned.collect())
    }
}

fn planned(event: &RecordedEvent, lead_id: LeadId) -> Planned {
    Planned {
        id: format!("{}:price:{lead_id}", event.event_id),
        event_id: event.event_id,
        correlation_id: event.correlation_id,
        effect: Effect::SendLetter {
            lead_id,
            letter: LetterKind::PriceDropped,
            about: event.event_id,
        },
        not_before: None,
    }
}

/// What an enquirer is told of a lower price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PriceDrop {
    now: Money,
    was: Money,
    period: &'static str,
    until: Moment,
    clock: Option<HomeClock>,
    is_of_room: bool,
}

/// The drop that the event `about` meant for the enquiry; `None` where it meant none, or something else counts by now.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn drop_of(
    log: &EventLog,
    lead: &Lead,
    about: Uuid,
) -> Result<Option<PriceDrop>, ReactorError> {
    let Some(submission) = lead.submission.as_deref() else {
        return Ok(None);
    };
    let Some(lock) = submission.quote.filter(|lock| clock::now() < lock.until) else {
        return Ok(None);
    };
    let room = submission.inventory_id.filter(|room| *room != lock.home_id);
    let asked = |home: &Inventory| asked_minor(home, room, &lead.wish);
    let (mut home, mut frozen, mut around) = (Inventory::default(), None, None);
    let stream = StreamId::of::<Inventory>(lock.home_id);
    for event in log.read_stream(&stream, 0, EVENTS_MAX).await? {
        let before = (event.event_id == about).then(|| asked(&home));
        let happened = event.decode_sealed::<Inventory>();
        let happened: InventoryEvent = happened.map_err(|source| eventlog::LogError::Unreadable {
            position: event.position,
            source,
        })?;
        home.evolve(&happened);
        if event.revision == lock.revision {
            frozen = asked(&home).zip(home.property.clone());
        }
        if let Some(before) = before {
            around = before.zip(asked(&home));
        }
    }
    let (Some((frozen, then)), Some((before, after)), Some(property)) = (frozen, around, &home.property)
    else {
        return Ok(None);
    };
    let currency = property.currency;
    let is_told = after < before
        && asked(&home) == Some(after)
        && then.has_money_of(property)
        && lock.state(frozen, after, clock::now()) == LockState::Fell;
    let language = find_lead_language(log, lead, None).await?;
    let clock = find_home_clock(log, language, Some(property.as_ref())).await?;
    Ok(is_told.then(|| PriceDrop {
        now: Money::new(after, currency),
        was: Money::new(frozen, currency),
        period: property.period.key(),
        until: lock.until,
        clock,
        is_of_room: room.is_some(),
    }))
}

impl PriceDrop {
    /// What the message names.
    pub(super) fn values(&self, language: Language) -> Vec<(&'static str, String)> {
        let a_period = |amount: Money| {
            let key = format!("mail.price_{}", self.period);
            text(
                language,
                &key,
                &[("amount", &forms_of(language).write_price(amount))],
            )
        };
        let what = if self.is_of_room { "room" } else { "home" };
        vec![
            ("what", text(language, &format!("mail.price_dropped_{what}"), &[])),
            ("price", a_period(self.now)),
            ("was", a_period(self.was)),
            ("until", days::moment(language, self.until, self.clock.as_ref())),
        ]
    }
}
