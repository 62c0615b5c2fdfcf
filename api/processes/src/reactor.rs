//! Follows the log and carries out what follows from each event: commands to other aggregates at once, effects outside through
//! an outbox. Kill-safe at any instant: the checkpoint moves in the transaction that writes the outbox, every command carries an
//! id made from its cause, and every call to the gateway a key made the same way. Read models being rebuilt never pass here.
//! What follows needs nothing personal of the event: it is left sealed, so that keys that do not answer lose no reaction.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ::messages::Outbox;
use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::booking_form::BookingForm;
use domain::case::Case;
use domain::handle::Handle;
use domain::id::{InventoryId, PaymentId};
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::payment::Payment;
use domain::policy::{self, Effect, FollowUp};
use domain::room_stock::RoomStock;
use domain::second_factor::SecondFactor;
use domain::user::User;
use eventlog::{CodecError, Context, EventLog, LogError, RecordedEvent};
use futures::StreamExt as _;
use gateway::PaymentGateway;
use platform::clock;
use platform::config::Settings;
use platform::duty::{Duty, OffDuty, ours};
use platform::sites::Sites;
use threads::pause_unless_stopped;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::erasure::Eraser;
use crate::evidence::EvidenceOffice;
use crate::payment_ends;

mod about;
pub mod agenda;
mod booking_end;
pub mod branch;
mod case_mail;
mod causes;
mod changed_stay;
mod disputes;
pub mod effects;
pub mod follow_up;
mod former_address;
mod hold_news;
mod lead_letters;
mod letters;
mod link_words;
mod look;
mod mentions;
mod messages;
pub mod messenger;
mod notices;
mod payment_letters;
pub mod port;
mod price_drops;
pub mod price_watch;
mod reactions;
mod returned;
mod rewards;
mod second_factor_notices;
pub mod timers;

use agenda::{HoldNews, Lane, Planned, StoredAgenda};
pub use agenda::{outbox, reached, rewind};
use causes::{actor, cause, concerned};
use port::Agenda;
use price_watch::PriceWatch;
use reactions::{
    after_case, after_catalogue, after_form, after_lead, after_second_factor, after_user, unreadable,
};

/// Events taken at once.
const BATCH: usize = 500;
/// Payments followed side by side; the events of one payment stay in order.
const SIDE_BY_SIDE: usize = 16;
/// How long enquiries come together while there are many; what is about money does not wait.
const GATHERS: Duration = Duration::from_millis(10);
/// How long to wait after trouble with the log or the agenda.
const AGAIN: Duration = Duration::from_millis(500);

/// What stops a reaction for now; it is tried again.
#[derive(Debug, thiserror::Error)]
pub enum ReactorError {
    #[error("the agenda cannot be used: {0}")]
    Agenda(#[from] sqlx::Error),
    #[error("the log cannot be used: {0}")]
    Log(#[from] LogError),
    #[error("the log is busy")]
    Busy,
    #[error(transparent)]
    OffDuty(OffDuty),
    #[error("an effect cannot be written down: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<OffDuty> for ReactorError {
    fn from(why: OffDuty) -> Self {
        match why {
            OffDuty::TakenOver => Self::OffDuty(why),
            OffDuty::Database(error) => Self::Agenda(error),
        }
    }
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Reactor {
    log: EventLog,
    agenda: Arc<dyn Agenda>,
    gateway: Arc<dyn PaymentGateway>,
    messages: Arc<dyn messenger::Messenger>,
    /// What links in messages begin with.
    sites: Sites,
    /// Where finance is told of disputes.
    finance_email: Option<Arc<str>>,
    /// What gathers evidence against disputes.
    evidence: Option<EvidenceOffice>,
    hold_for: TimeDelta,
    /// What a referral earns, in whole units of its booking's currency.
    reward: u32,
    /// Whether holds end and silent gateways are asked as time passes.
    keeps_time: bool,
    /// Wakes the outbox's two lanes.
    calls: Arc<Notify>,
    letters: Arc<Notify>,
    erasures: Arc<Notify>,
    eraser: Option<Arc<dyn Eraser>>,
    /// Whether this node is the leader and has taken the agenda over.
    works: watch::Sender<bool>,
}

/// What one look at the log came to.
enum Step {
    Nothing,
    /// Whether anything among it was about more than leads and people.
    Taken {
        is_urgent: bool,
    },
}

/// What one event leaves on the agenda.
#[derive(Debug, Default)]
pub struct Left {
    pub effects: Vec<Planned>,
    pub holds: Vec<HoldNews>,
    /// Enquiries that froze a price.
    pub locks: Vec<PriceWatch>,
    /// Payments whose gateway is asked when no notice arrives.
    pub watched: Vec<PaymentId>,
}

impl Reactor {
    /// A reactor of these parts; `hold_for` is how long a room waits for its payer.
    pub fn new(
        log: EventLog,
        agenda: Arc<dyn Agenda>,
        (gateway, messages): (Arc<dyn PaymentGateway>, Arc<dyn messenger::Messenger>),
        sites: Sites,
        hold_for: TimeDelta,
    ) -> Self {
        Self {
            log,
            agenda,
            gateway,
            messages,
            sites,
            finance_email: None,
            evidence: None,
            hold_for,
            reward: 0,
            keeps_time: true,
            calls: Arc::new(Notify::new()),
            letters: Arc::new(Notify::new()),
            erasures: Arc::new(Notify::new()),
            eraser: None,
            works: watch::Sender::new(false),
        }
    }

    /// The same, with the service that erases the personal data of forgotten people.
    #[must_use]
    pub fn erasing_by(self, eraser: Arc<dyn Eraser>) -> Self {
        Self {
            eraser: Some(eraser),
            ..self
        }
    }

    /// The same, answering disputes with what this gathers.
    #[must_use]
    pub fn answering_disputes(self, office: EvidenceOffice) -> Self {
        Self {
            evidence: Some(office),
            ..self
        }
    }

    /// The same, telling finance of disputes at this address.
    #[must_use]
    pub fn telling_finance(self, email: &str) -> Self {
        Self {
            finance_email: (!email.is_empty()).then(|| email.into()),
            ..self
        }
    }

    /// Works on a stored agenda, and says under which duty that is done.
    pub fn on(
        agenda: StoredAgenda,
        (settings, sites): (&Settings, &Sites),
        log: EventLog,
        gateway: Arc<dyn PaymentGateway>,
        outbox: Outbox,
        eraser: Arc<dyn Eraser>,
    ) -> (Self, Duty) {
        let duty = agenda.duty().clone();
        let reactor = Self::new(
            log,
            Arc::new(agenda),
            (gateway, Arc::new(messenger::Post::new(outbox))),
            sites.clone(),
            TimeDelta::seconds(i64::from(settings.hold_seconds)),
        )
        .erasing_by(eraser)
        .telling_finance(settings.finance_email.trim())
        .rewarding(settings.referral_reward);
        // In a rehearsal timers stand still: the copy's holds would end, and payments that the original took would be refunded.
        let keeps_time = !settings.rehearsal;
        let reactor = Self {
            keeps_time,
            ..reactor
        };
        (reactor, duty)
    }

    /// Starts following, the outbox and the timers; all are paused while another node is the leader.
    pub fn start(&self, stop: &watch::Sender<bool>) -> Vec<JoinHandle<()>> {
        let mut work = vec![
            tokio::spawn(self.clone().preside(stop.subscribe())),
            tokio::spawn(self.clone().follow(stop.subscribe())),
            tokio::spawn(self.clone().empty_outbox(Lane::Gateway, stop.subscribe())),
            tokio::spawn(self.clone().empty_outbox(Lane::Messages, stop.subscribe())),
            tokio::spawn(self.clone().empty_outbox(Lane::Erasures, stop.subscribe())),
        ];
        if self.keeps_time {
            work.push(tokio::spawn(self.clone().keep_time(stop.subscribe())));
        }
        work
    }

    /// Runs the work while this node holds the lease, after it has taken over what another node left.
    async fn preside(self, mut stop: watch::Receiver<bool>) {
        let mut held = self.agenda.on_duty();
        while ours(&mut held, &mut stop).await {
            if let Err(error) = self.agenda.take_over().await {
                tell(&error, "the agenda could not be taken over; trying again");
                pause_unless_stopped(AGAIN, &mut stop).await;
                continue;
            }
            self.works.send_replace(true);
            tokio::select! {
                _ = held.wait_for(|held| !*held) => {}
                _ = stop.wait_for(|stopped| *stopped) => {}
            }
            self.works.send_replace(false);
        }
    }

    /// What links to the workspace begin with.
    fn house_origin(&self) -> &str {
        &self.sites.house().origin
    }

    /// What links about a lead begin with: the site where it was sent.
    fn find_origin(&self, lead: &Lead) -> &str {
        &self.sites.find_kept(lead.site()).origin
    }

    fn work_of(&self, lane: Lane) -> Arc<Notify> {
        match lane {
            Lane::Gateway => self.calls.clone(),
            Lane::Messages => self.letters.clone(),
            Lane::Erasures => self.erasures.clone(),
        }
    }

    async fn follow(self, mut stop: watch::Receiver<bool>) {
        let (mut head, mut works) = (self.log.watch(), self.works.subscribe());
        while ours(&mut works, &mut stop).await {
            match self.step().await {
                Ok(Step::Nothing) => {}
                Ok(Step::Taken { is_urgent }) => {
                    if *stop.borrow() || (!is_urgent && !pause_unless_stopped(GATHERS, &mut stop).await) {
                        return;
                    }
                    continue;
                }
                Err(error) => {
                    tell(&error, "reactions could not be carried out; trying again");
                    if pause_unless_stopped(AGAIN, &mut stop).await {
                        continue;
                    }
                    return;
                }
            }
            tokio::select! {
                changed = head.changed() => if changed.is_err() { return },
                _ = works.wait_for(|works| !*works) => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
        }
    }

    /// Reacts to the next events.
    async fn step(&self) -> Result<Step, ReactorError> {
        let from = self.agenda.checkpoint().await?;
        let events = self.log.read_all(from, BATCH).await?;
        let Some(last) = events.last().map(|event| event.position) else {
            return Ok(Step::Nothing);
        };
        let mut lines: BTreeMap<Uuid, Vec<RecordedEvent>> = BTreeMap::new();
        for event in &events {
            if let Some(payment_id) = concerned(event) {
                lines.entry(payment_id).or_default().push(event.clone());
            }
        }
        let reactions = lines.into_values().map(|line| self.react_in_order(line));
        let left: Vec<Result<Left, ReactorError>> = futures::stream::iter(reactions)
            .buffer_unordered(SIDE_BY_SIDE)
            .collect()
            .await;
        let mut all = Left::default();
        for one in left {
            let one = one?;
            all.effects.extend(one.effects);
            all.holds.extend(one.holds);
            all.watched.extend(one.watched);
        }
        all.locks = price_watch::frozen_in(&events);
        all.effects.extend(self.price_news(&events, &all.locks).await?);
        self.agenda.advance(last, &all).await?;
        let woken: Vec<Lane> = all
            .effects
            .iter()
            .map(|planned| Lane::of(&planned.effect))
            .collect();
        for lane in [Lane::Gateway, Lane::Messages, Lane::Erasures] {
            if woken.contains(&lane) {
                self.work_of(lane).notify_one();
            }
        }
        let is_urgent = events
            .iter()
            .any(|event| !matches!(event.stream.kind, Lead::KIND | User::KIND | Handle::KIND));
        Ok(Step::Taken { is_urgent })
    }

    async fn react_in_order(&self, events: Vec<RecordedEvent>) -> Result<Left, ReactorError> {
        let mut left = Left::default();
        for event in &events {
            let span = tracing::error_span!(
                "reaction",
                event.position = event.position,
                correlation.id = %event.correlation_id,
                causation.id = %event.event_id,
            );
            match self.react(event, &mut left).instrument(span).await {
                Err(ReactorError::Log(error)) if cannot_be_read(&error) => {
                    tracing::error!(position = event.position, stream = %event.stream, %error, "nothing follows from an event");
                }
                reacted => reacted?,
            }
        }
        Ok(left)
    }

    async fn react(&self, event: &RecordedEvent, left: &mut Left) -> Result<(), ReactorError> {
        let (payment_id, follow_ups) = match event.stream.kind {
            Payment::KIND => self.after_payment(event).await?,
            RoomStock::KIND => after_stock(event, left, self.hold_for),
            Lead::KIND => after_lead(event),
            BookingForm::KIND => after_form(&self.log, event).await?,
            User::KIND => after_user(event),
            Inventory::KIND => after_catalogue(&self.log, event, self.hold_for).await?,
            Case::KIND => after_case(event),
            SecondFactor::KIND => after_second_factor(event),
            _ => self.after_gateway(event).await?,
        };
        let mut effects: Vec<Effect> = Vec::new();
        for (number, follow_up) in follow_ups.into_iter().enumerate() {
            let context = Context::following(event, clock::now(), actor(event), &number.to_string());
            let follow_up = self.with_reward(follow_up).await?;
            effects.extend(follow_up::carry_out(&self.log, follow_up, &context).await?);
        }
        left.effects
            .extend(effects.into_iter().enumerate().map(|(number, effect)| Planned {
                id: format!("{}:{number}", event.event_id),
                event_id: event.event_id,
                correlation_id: event.correlation_id,
                not_before: waits_until(event, &effect, self.hold_for),
                effect,
            }));
        left.watched.extend(payment_id);
        Ok(())
    }

    async fn after_payment(
        &self,
        event: &RecordedEvent,
    ) -> Result<(Option<PaymentId>, Vec<FollowUp>), ReactorError> {
        let payment_id = PaymentId(event.stream.id);
        let Ok(happened) = event.decode_sealed::<Payment>() else {
            return Ok((None, unreadable(event)));
        };
        payment_ends::count_end(&happened);
        let payment = self.log.load::<Payment>(payment_id).await?.state;
        let after = policy::after_payment(payment_id, &payment, &happened, cause(event, self.hold_for));
        let useful = |next: &FollowUp| follow_up::still_useful(next, &payment);
        Ok((Some(payment_id), after.into_iter().filter(useful).collect()))
    }
}

/// When a reminder is due; everything else is at once.
fn waits_until(event: &RecordedEvent, effect: &Effect, hold_for: TimeDelta) -> Option<Moment> {
    let wait = effect.waits(hold_for);
    (wait > TimeDelta::zero()).then(|| event.recorded_at + wait)
}

/// Another node at work is information; everything else is an error.
fn tell(error: &ReactorError, what: &'static str) {
    match error {
        ReactorError::OffDuty(_) => tracing::info!(%error, what),
        ReactorError::Agenda(_) | ReactorError::Log(_) | ReactorError::Busy | ReactorError::Json(_) => {
            tracing::error!(%error, what);
        }
    }
}

fn after_stock(
    event: &RecordedEvent,
    left: &mut Left,
    hold_for: TimeDelta,
) -> (Option<PaymentId>, Vec<FollowUp>) {
    let Ok(happened) = event.decode::<RoomStock>() else {
        return (None, unreadable(event));
    };
    left.holds.push(HoldNews::of(event.stream.id, &happened));
    let room_id = InventoryId(event.stream.id);
    (
        None,
        policy::after_stock(room_id, &happened, cause(event, hold_for)),
    )
}

/// Whether trying again would come to the same: an event is not what the program takes it for. Others must not wait for it.
fn cannot_be_read(error: &LogError) -> bool {
    match error {
        LogError::Unreadable { source, .. } => !matches!(source, CodecError::Keys),
        LogError::Storage(_)
        | LogError::Unavailable(_)
        | LogError::Full(_)
        | LogError::DiskFailed(_)
        | LogError::Stopped(_)
        | LogError::Unknown(_)
        | LogError::Refused(_)
        | LogError::Closed
        | LogError::Unstorable(_) => false,
    }
}
