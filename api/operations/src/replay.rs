//! `latchkey replay`: one stream's events, or all of one request, up to a moment, and what the stream had come to by then;
//! or a read model's rows as they were at an event.
//! Sealed data stays sealed: what a terminal shows names nobody.

use std::collections::HashMap;
use std::io::{self, Write};

use clap::{ArgGroup, Args};
use domain::aggregate::Decide;
use domain::approval::Approval;
use domain::bank_statements::BankStatements;
use domain::booking_form::BookingForm;
use domain::brand::Brand;
use domain::case::Case;
use domain::gateway_event::GatewayEvent;
use domain::handle::Handle;
use domain::home_address::HomeAddress;
use domain::import_run::ImportRun;
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::own_text::OwnText;
use domain::payment::Payment;
use domain::photo::Photo;
use domain::referral::Referral;
use domain::region::Region;
use domain::room_stock::RoomStock;
use domain::second_factor::SecondFactor;
use domain::shortlist::Shortlist;
use domain::site_settings::SiteSettings;
use domain::user::User;
use domain::user_history::UserHistory;
use eventlog::{EventLog, LogError, Position, RecordedEvent, StreamId};
use platform::printout;
use serde_json::Value;
use uuid::Uuid;

mod read_model;

/// Events read at once.
const BATCH: usize = 5_000;
/// Every kind of stream there is, with the fold of its events.
const KINDS: [(&str, Fold); 22] = [
    (Approval::KIND, folded::<Approval>),
    (BankStatements::KIND, folded::<BankStatements>),
    (BookingForm::KIND, folded::<BookingForm>),
    (Brand::KIND, folded::<Brand>),
    (Case::KIND, folded::<Case>),
    (GatewayEvent::KIND, folded::<GatewayEvent>),
    (Handle::KIND, folded::<Handle>),
    (HomeAddress::KIND, folded::<HomeAddress>),
    (ImportRun::KIND, folded::<ImportRun>),
    (Inventory::KIND, folded::<Inventory>),
    (Lead::KIND, folded::<Lead>),
    (OwnText::KIND, folded::<OwnText>),
    (Payment::KIND, folded::<Payment>),
    (Photo::KIND, folded::<Photo>),
    (Referral::KIND, folded::<Referral>),
    (Region::KIND, folded::<Region>),
    (RoomStock::KIND, folded::<RoomStock>),
    (SecondFactor::KIND, folded::<SecondFactor>),
    (Shortlist::KIND, folded::<Shortlist>),
    (SiteSettings::KIND, folded::<SiteSettings>),
    (User::KIND, folded::<User>),
    (UserHistory::KIND, folded::<UserHistory>),
];

type Fold = fn(&[RecordedEvent]) -> Result<Value, String>;

/// Arguments of `latchkey replay`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["stream", "correlation", "projection"]))]
pub struct ReplayArgs {
    /// A stream, e.g. `payment-0192…`: its kind and its id.
    stream: Option<String>,
    /// A request or flow by its correlation id (the `x-request-id` of its answer): its events in every stream. A log
    /// in KurrentDB has no index of them and is read from its beginning.
    #[arg(long)]
    correlation: Option<Uuid>,
    /// The last event shown: an event's number, or a moment such as 2026-09-01T12:00:00Z.
    #[arg(long)]
    until: Option<Until>,
    /// A read model by its name: its rows as they were at an event, one a line.
    #[arg(long, requires = "at", conflicts_with = "until")]
    projection: Option<String>,
    /// The number of the last event that the read model knows.
    #[arg(long, requires = "projection", conflicts_with_all = ["stream", "correlation"])]
    at: Option<Position>,
}

/// Where a replay ends.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    Position(Position),
    Moment(Moment),
}

impl std::str::FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let position = text.parse().map(Self::Position);
        position
            .or_else(|_| text.parse().map(Self::Moment))
            .map_err(|_| "give an event's number, or a moment such as 2026-09-01T12:00:00Z".to_owned())
    }
}

impl Until {
    fn has(self, event: &RecordedEvent) -> bool {
        match self {
            Self::Position(last) => event.position <= last,
            Self::Moment(last) => event.recorded_at <= last,
        }
    }
}

/// Prints what happened, oldest first.
///
/// # Errors
/// One sentence for the operator.
pub async fn run(log: &EventLog, args: &ReplayArgs) -> Result<(), String> {
    if let (Some(projection), Some(at)) = (&args.projection, args.at) {
        let head = log
            .head()
            .await
            .map_err(|error| format!("the log cannot be read: {error}"))?;
        if at > head {
            return Err(format!(
                "the log ends at event {head}: event {at} has not happened"
            ));
        }
        return read_model::print(log, projection, at).await;
    }
    let until = args.until.unwrap_or(Until::Position(Position::MAX));
    let unreadable = |error: LogError| format!("the log cannot be read: {error}");
    if let Some(correlation_id) = args.correlation {
        let events = correlated(log, correlation_id, until).await.map_err(unreadable)?;
        if events.is_empty() {
            return Err(format!(
                "the log holds nothing of the request {correlation_id} up to then"
            ));
        }
        return printed(&events, None);
    }
    let (stream, fold) = stream(args.stream.as_deref().unwrap_or_default())?;
    let events = streamed(log, &stream, until).await.map_err(unreadable)?;
    if events.is_empty() {
        return Err(format!("the log holds nothing of `{stream}` up to then"));
    }
    let state = fold(&events)?;
    printed(&events, Some(&state))
}

fn stream(text: &str) -> Result<(StreamId, Fold), String> {
    let found = KINDS.iter().find_map(|(kind, fold)| {
        let id = text.strip_prefix(kind)?.strip_prefix('-')?.parse().ok()?;
        Some((StreamId { kind, id }, *fold))
    });
    let kinds = || KINDS.map(|(kind, _)| kind).join(", ");
    found.ok_or_else(|| {
        format!(
            "`{text}` is no stream: give kind and id, e.g. `lead-0192…`; kinds are {}",
            kinds()
        )
    })
}

async fn streamed(log: &EventLog, stream: &StreamId, until: Until) -> Result<Vec<RecordedEvent>, LogError> {
    let mut events: Vec<RecordedEvent> = Vec::new();
    loop {
        let after = events.last().map_or(0, |event| event.revision);
        let batch = log.read_stream(stream, after, BATCH).await?;
        let read = batch.len();
        events.extend(batch.into_iter().take_while(|event| until.has(event)));
        if read < BATCH || events.last().map_or(0, |event| event.revision) < after + BATCH as u64 {
            return Ok(events);
        }
    }
}

async fn correlated(log: &EventLog, id: Uuid, until: Until) -> Result<Vec<RecordedEvent>, LogError> {
    let mut events: Vec<RecordedEvent> = Vec::new();
    loop {
        let after = events.last().map_or(0, |event| event.position);
        let batch = log.read_correlated(id, after, BATCH).await?;
        let is_last = batch.len() < BATCH || batch.last().is_some_and(|event| !until.has(event));
        events.extend(batch.into_iter().filter(|event| until.has(event)));
        if is_last {
            return Ok(events);
        }
    }
}

/// What the events add up to, without what is sealed.
fn folded<A: Decide>(events: &[RecordedEvent]) -> Result<Value, String> {
    let mut state = A::default();
    for record in events {
        let event = record
            .decode_sealed::<A>()
            .map_err(|error| format!("event {} cannot be read: {error}", record.position))?;
        state.evolve(&event);
    }
    serde_json::to_value(&state).map_err(|error| error.to_string())
}

fn printed(events: &[RecordedEvent], state: Option<&Value>) -> Result<(), String> {
    let mut out = io::stdout().lock();
    printout::whole(print(&mut out, events, state))
}

fn print(out: &mut impl Write, events: &[RecordedEvent], state: Option<&Value>) -> io::Result<()> {
    let mut positions = HashMap::new();
    for event in events {
        positions.insert(event.event_id, event.position);
        let cause = event.causation_id.and_then(|cause| positions.get(&cause));
        let because = cause.map_or_else(String::new, |position| format!(", because of {position}"));
        let sealed = if event.sealed.is_some() {
            ", personal data sealed"
        } else {
            ""
        };
        writeln!(
            out,
            "{:>9}  {}  {} #{}  {}  by {}{because}{sealed}",
            event.position,
            event
                .recorded_at
                .to_rfc3339_opts(chrono::SecondsFormat::Micros, true),
            event.stream,
            event.revision,
            event.event_type,
            event.actor.kind.name(),
        )?;
        writeln!(out, "           {}", String::from_utf8_lossy(&event.payload))?;
    }
    if let (Some(state), Some(last)) = (state, events.last()) {
        writeln!(out, "\nas of event {}:\n{state:#}", last.position)?;
    }
    Ok(())
}
