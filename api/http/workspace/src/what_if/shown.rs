//! What a branch came to: its events, the fields they change, messages, calls of the provider and postings.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use domain::aggregate::Decide;
use domain::correspondence::LetterKind;
use domain::id::{LeadId, PaymentId};
use domain::payment::{MessageKind, Payment, ledger};
use domain::policy::Effect;
use eventlog::{EventLog, Position, RecordedEvent, StreamId};
use http_kit::contract::words::{
    AccountWord, BranchCallWord, BranchMessageWord, BranchReaderWord, StreamKindWord, WhatIfActWord,
};
use http_kit::error::{ApiError, ApiResult, FieldError};
use http_kit::said::Said;
use projections::lead_timeline::query::streams;
use projections::payment_audit::{instant, reference};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Branch;
use super::conditions::OWN;
use super::performing::{Became, Tried};
use super::price::StayPrice;
use crate::history::{FIELDS, Reader, TimelineEvent, all_told};

/// More events than acts and what follows from them ever make.
const EVENTS_MAX: usize = 2_000;
/// Events of a stream read at once.
const PAGE: usize = 1_000;

/// Result that acts would have.
#[derive(Debug, Serialize, ToSchema)]
pub struct WhatIf {
    /// The branch's id; the same acts from the same position make the same branch.
    pub branch: String,
    /// The position of the log where it begins.
    pub base: u64,
    /// The event of the past that it begins at; null: the present.
    pub from: Option<i64>,
    /// The moment of that event.
    pub at: Option<String>,
    /// It begins at the present, under no conditions, and no act is refused.
    pub can_apply: bool,
    pub steps: Vec<StepAnswer>,
    pub events: Vec<BranchEvent>,
    pub fields: Vec<FieldDifference>,
    /// Price that the stay would have, where it is not booked.
    pub stay_price: Option<StayPrice>,
    pub messages: Vec<BranchMessage>,
    #[schema(value_type = Vec<BranchCallWord>)]
    pub calls: Vec<&'static str>,
    pub postings: Vec<Posting>,
}

/// One act's answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WhatIfStepAnswer)]
pub struct StepAnswer {
    #[schema(value_type = WhatIfActWord)]
    pub act: String,
    /// Reason for which the real act would be refused.
    pub refusal: Option<StepRefusal>,
    /// Another person would be asked for it.
    pub waits_for_approval: bool,
}

/// The refusal that the real act would give.
#[derive(Debug, Serialize, ToSchema)]
pub struct StepRefusal {
    pub code: &'static str,
    #[schema(value_type = String)]
    pub message: Said,
    pub errors: Vec<FieldError>,
}

/// One event that would be recorded.
#[derive(Debug, Serialize, ToSchema)]
pub struct BranchEvent {
    /// The act that makes it, from 0; null: it follows from one.
    pub step: Option<usize>,
    /// Kind of stream that it goes into, e.g. `room_stock`.
    pub stream: &'static str,
    #[serde(rename = "type")]
    pub event_type: String,
    /// Its sentence, where it is part of the lead's history.
    pub told: Option<TimelineEvent>,
}

/// A field that would change.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldDifference {
    #[schema(value_type = StreamKindWord)]
    pub stream: String,
    pub field: String,
    /// In the catalogues.
    pub label_key: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A message that would go out.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BranchMessage {
    #[schema(value_type = BranchMessageWord)]
    pub kind: &'static str,
    #[schema(value_type = BranchReaderWord)]
    pub to: &'static str,
}

/// One line of the books: debit or credit is above zero.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BranchPosting)]
pub struct Posting {
    pub payment_reference: String,
    #[serde(rename = "type")]
    pub event_type: String,
    #[schema(value_type = AccountWord)]
    pub account: &'static str,
    pub debit_minor: u64,
    pub credit_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
}

/// Sources of an answer.
pub(super) struct Sources<'s> {
    /// The log's.
    pub real: &'s Records,
    /// Those that the branch was taken from: without the event that is left out, where one is.
    pub base: &'s Records,
    /// The branch's.
    pub branch: &'s Records,
    pub reader: &'s Reader<'s>,
}

/// Puts the answer together.
pub(super) async fn answer(
    sources: &Sources<'_>,
    branch: &Branch<'_>,
    tried: Tried,
    stay_price: Option<StayPrice>,
) -> ApiResult<WhatIf> {
    let base = sources.base.log.until(branch.base);
    let added = sources.branch.log.read_all(branch.base, EVENTS_MAX).await?;
    let streams = streams_of(sources.real, branch.lead_id).await?;
    let before = history(&base, &streams).await?;
    let of_lead = added.iter().filter(|event| streams.contains(&event.stream));
    let of_lead: Vec<RecordedEvent> = of_lead.cloned().collect();
    let told = tell(sources, branch.lead_id, &before, &of_lead).await?;
    let fields = if branch.left_out.is_some() {
        let real = history(&sources.real.log.until(branch.base), &streams).await?;
        let real = tell(sources, branch.lead_id, &[], &real).await?;
        let whole = [before, of_lead].concat();
        let whole = tell(sources, branch.lead_id, &[], &whole).await?;
        fields_of_both(&real, &whole)
    } else {
        fields(&told)
    };
    let ends: Vec<Position> = tried.steps.iter().map(|(_, end)| *end).collect();
    let steps: Vec<StepAnswer> = tried
        .steps
        .into_iter()
        .zip(branch.steps)
        .map(|((became, _), step)| step_answer(step.act.clone(), became))
        .collect();
    Ok(WhatIf {
        branch: branch.id()?.to_string(),
        base: branch.base,
        from: branch.from.map(|(position, _)| position),
        at: branch.from.map(|(_, moment)| instant(moment)),
        can_apply: branch.from.is_none()
            && branch.conditions.is_none()
            && steps.iter().all(|step| step.refusal.is_none()),
        steps,
        postings: postings(&base, &added).await?,
        events: events(&added, told, &ends),
        fields,
        stay_price,
        messages: tried.effects.iter().filter_map(message).collect(),
        calls: tried.effects.iter().filter_map(call).collect(),
    })
}

fn step_answer(act: String, became: ApiResult<Became>) -> StepAnswer {
    StepAnswer {
        act,
        waits_for_approval: matches!(became, Ok(Became::WaitsForApproval(_))),
        refusal: became.err().map(|error| StepRefusal {
            code: error.code,
            message: *error.message,
            errors: error.errors,
        }),
    }
}

/// The streams of a lead that acts change.
pub(super) async fn streams_of(records: &Records, lead_id: LeadId) -> ApiResult<Vec<StreamId>> {
    let named = streams(records.heard().await?, lead_id).await?;
    let known = named.into_iter().filter_map(|(kind, id, _)| {
        let kind = OWN.into_iter().find(|known| *known == kind)?;
        let id = id.parse::<Uuid>().ok()?;
        Some(StreamId { kind, id })
    });
    Ok(known.collect())
}

/// All events of the stream after a revision.
pub(super) async fn read_from(
    log: &EventLog,
    stream: StreamId,
    mut after: u64,
) -> ApiResult<Vec<RecordedEvent>> {
    let mut events = Vec::new();
    loop {
        let page = log.read_stream(&stream, after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(events);
        };
        after = last.revision;
        let is_last = page.len() < PAGE;
        events.extend(page);
        if is_last {
            return Ok(events);
        }
    }
}

/// All events of these streams, in order.
async fn history(log: &EventLog, streams: &[StreamId]) -> ApiResult<Vec<RecordedEvent>> {
    let mut events = Vec::new();
    for stream in streams {
        events.extend(read_from(log, *stream, 0).await?);
    }
    events.sort_by_key(|event| event.position);
    Ok(events)
}

/// The sentences of events of the lead's own streams, after those `before` them.
async fn tell(
    sources: &Sources<'_>,
    lead_id: LeadId,
    before: &[RecordedEvent],
    events: &[RecordedEvent],
) -> ApiResult<Vec<TimelineEvent>> {
    let placed = sources.real.told_of_branch(lead_id, before, events).await?;
    all_told(sources.reader, placed, &mut HashMap::new()).await
}

type BeforeAndAfter = (Option<String>, Option<String>);
/// By stream and field.
type Changed<'t> = BTreeMap<(&'t str, &'t str), BeforeAndAfter>;

/// Each change of a field, in order.
fn changes(told: &[TimelineEvent]) -> impl Iterator<Item = ((&str, &str), BeforeAndAfter)> {
    told.iter().flat_map(|event| {
        let changes = event.changes.as_array().into_iter().flatten();
        changes.filter_map(move |change| {
            let field = change["field"].as_str()?;
            let values = (text(&change["from"]), text(&change["to"]));
            Some(((event.stream.as_str(), field), values))
        })
    })
}

fn text(value: &serde_json::Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// What each field was at the base and is at the branch's end.
fn fields(told: &[TimelineEvent]) -> Vec<FieldDifference> {
    let mut changed = Changed::new();
    for (field, (from, to)) in changes(told) {
        changed.entry(field).or_insert_with(|| (from, None)).1 = to;
    }
    different(changed)
}

/// The same where the base is without an event: what each field is in the real history, and at the branch's end.
fn fields_of_both(real: &[TimelineEvent], branch: &[TimelineEvent]) -> Vec<FieldDifference> {
    let mut both = Changed::new();
    for (field, (_, value)) in changes(real) {
        both.entry(field).or_default().0 = value;
    }
    for (field, (_, value)) in changes(branch) {
        both.entry(field).or_default().1 = value;
    }
    different(both)
}

/// The fields that differ, in the order of the history's fields.
fn different(mut changed: Changed<'_>) -> Vec<FieldDifference> {
    let order = FIELDS
        .iter()
        .flat_map(|(stream, fields)| fields.iter().map(move |field| (*stream, *field)));
    order
        .filter_map(|(stream, field)| {
            let (before, after) = changed.remove(&(stream, field))?;
            (before != after).then(|| FieldDifference {
                stream: stream.to_owned(),
                field: field.to_owned(),
                label_key: format!("timeline_ui.field_{field}"),
                before,
                after,
            })
        })
        .collect()
}

fn events(added: &[RecordedEvent], told: Vec<TimelineEvent>, ends: &[Position]) -> Vec<BranchEvent> {
    let mut told: HashMap<u64, TimelineEvent> = told
        .into_iter()
        .map(|event| (event.position.unsigned_abs(), event))
        .collect();
    added
        .iter()
        .map(|event| BranchEvent {
            step: ends.iter().position(|end| event.position <= *end),
            stream: event.stream.kind,
            event_type: event.event_type.clone(),
            told: told.remove(&event.position),
        })
        .collect()
}

/// The ledger's own entries of the branch's events.
async fn postings(base: &EventLog, added: &[RecordedEvent]) -> ApiResult<Vec<Posting>> {
    let mut payments: HashMap<Uuid, Payment> = HashMap::new();
    let mut postings = Vec::new();
    for event in added.iter().filter(|event| event.stream.kind == Payment::KIND) {
        let payment_id = PaymentId(event.stream.id);
        let payment = match payments.entry(payment_id.0) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(base.load::<Payment>(payment_id).await?.state),
        };
        let happened = event.decode_sealed::<Payment>().map_err(ApiError::broken)?;
        let currency = payment.terms.as_ref().map(|terms| terms.quote.currency);
        let entries = ledger::entries(payment, &happened);
        payment.evolve(&happened);
        let Some(currency) = currency else { continue };
        postings.extend(entries.into_iter().map(|entry| Posting {
            payment_reference: reference(payment_id),
            event_type: event.event_type.clone(),
            account: entry.account.name(),
            debit_minor: entry.debit_minor,
            credit_minor: entry.credit_minor,
            currency: currency.code(),
            decimals: currency.decimals(),
        }));
    }
    Ok(postings)
}

fn message(effect: &Effect) -> Option<BranchMessage> {
    let (kind, to) = match effect {
        Effect::SendMessage { kind, .. } => (letter_of(*kind).key(), "student"),
        Effect::SendRefundMessage { .. } => (LetterKind::Refunded.key(), "student"),
        // The student was told nothing yet of a refund that is refused on the branch: finance alone is told.
        Effect::SendRefundReturned { .. } => ("refund_came_back", "finance"),
        Effect::SendLeadMessage { .. } => (LetterKind::Arrived.key(), "student"),
        Effect::SendLetter { letter, .. } => (letter.key(), "student"),
        Effect::SendDisputeAlert { .. } => ("dispute_alert", "finance"),
        Effect::SendMentions { .. } | Effect::SendCaseMentions { .. } => ("mention", "colleagues"),
        Effect::SendCaseMessage { .. } => ("case_message", "student"),
        Effect::EnsureIntent { .. }
        | Effect::CancelIntent { .. }
        | Effect::SendRefund { .. }
        | Effect::LayEvidence { .. }
        | Effect::SendSecondFactorNotice { .. }
        | Effect::Erase { .. } => return None,
    };
    Some(BranchMessage { kind, to })
}

const fn letter_of(kind: MessageKind) -> LetterKind {
    match kind {
        MessageKind::Receipt => LetterKind::Receipt,
        MessageKind::RoomGone => LetterKind::RoomGone,
        MessageKind::Refunded => LetterKind::Refunded,
        MessageKind::BookingCancelled => LetterKind::BookingCancelled,
        MessageKind::PaymentLink => LetterKind::PaymentLink,
        MessageKind::PlaceOffered => LetterKind::PlaceOffered,
        MessageKind::LinkWithdrawn => LetterKind::LinkWithdrawn,
        MessageKind::HomeClosed => LetterKind::HomeClosed,
    }
}

const fn call(effect: &Effect) -> Option<&'static str> {
    match effect {
        Effect::EnsureIntent { .. } => Some("make_intent"),
        Effect::CancelIntent { .. } => Some("cancel_intent"),
        Effect::SendRefund { .. } => Some("send_refund"),
        Effect::LayEvidence { .. } => Some("lay_evidence"),
        _ => None,
    }
}
