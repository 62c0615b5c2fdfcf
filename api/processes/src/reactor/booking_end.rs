//! What a booking ends, and what its own end takes along: places in waitlists for the same time, and links that nothing is due by.

use domain::aggregate::Decide as _;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::id::{BookingFormId, InventoryId, LeadId, PaymentId};
use domain::language::Language;
use domain::lead::{Lead, LeadEvent};
use domain::money::{Currency, Money};
use domain::payment::Payment;
use eventlog::{EventLog, LogError, RecordedEvent, StreamId};
use platform::forms::forms_of;
use platform::texts::text;

use crate::bank_money::describe_bank_money;
use crate::{payment_room, waiting};

/// Events of one lead or form, far more than any has.
const EVENTS_MAX: usize = 1_000_000;

/// The links to take back of a lead that has no booking. One that is being paid refuses, and its money goes back when it arrives.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn links_without_booking(
    log: &EventLog,
    lead_id: LeadId,
) -> Result<Vec<PaymentId>, LogError> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    Ok(match lead.booked_by {
        Some(_) => vec![],
        None => lead.links.into_iter().collect(),
    })
}

/// The payment that is open for another stay or room than its lead wishes now, since the lead or its form was changed.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn outdated_payment(log: &EventLog, lead_id: LeadId) -> Result<Option<PaymentId>, LogError> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    let form_id = lead.form.map(|(form_id, _)| form_id);
    let form = match form_id {
        Some(form_id) => log.load::<BookingForm>(form_id).await?.state.start,
        None => None,
    };
    let room = form.map(|form| form.inventory_id);
    let Some(payment_id) = payment_room::outdated_payment(log, &lead, room).await? else {
        return Ok(None);
    };
    let is_changed = is_changed_since(log, payment_id, (lead_id, form_id)).await?;
    Ok(Some(payment_id).filter(|_| is_changed))
}

/// Whether the lead's wish or its form's room changed after the payment was opened. A payment that was opened later is for what its payer
/// chose then, such as the stay of a place in a waitlist.
async fn is_changed_since(
    log: &EventLog,
    payment_id: PaymentId,
    (lead_id, form_id): (LeadId, Option<BookingFormId>),
) -> Result<bool, LogError> {
    let opened = log
        .read_stream(&StreamId::of::<Payment>(payment_id), 0, 1)
        .await?;
    let Some(opened) = opened.first().map(|event| event.position) else {
        return Ok(false);
    };
    let of_lead = log
        .read_stream(&StreamId::of::<Lead>(lead_id), 0, EVENTS_MAX)
        .await?;
    let of_form = match form_id {
        Some(form_id) => {
            let stream = StreamId::of::<BookingForm>(form_id);
            log.read_stream(&stream, 0, EVENTS_MAX).await?
        }
        None => vec![],
    };
    let changes = |event: &RecordedEvent| {
        let wish = event.stream.kind == Lead::KIND
            && matches!(event.decode_sealed::<Lead>(), Ok(LeadEvent::WishChanged { .. }));
        let room = event.stream.kind == BookingForm::KIND
            && matches!(
                event.decode_sealed::<BookingForm>(),
                Ok(BookingFormEvent::RoomChanged { .. })
            );
        event.position > opened && (wish || room)
    };
    Ok(of_lead.iter().chain(&of_form).any(changes))
}

/// The places that the person of a booked lead gives up, each with its room: those for the same time.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn places_of_the_same_time(
    log: &EventLog,
    lead_id: LeadId,
) -> Result<Vec<(InventoryId, PaymentId)>, LogError> {
    let Some(booked_by) = log.load::<Lead>(lead_id).await?.state.booked_by else {
        return Ok(vec![]);
    };
    let Some(terms) = log.load::<Payment>(booked_by).await?.state.terms else {
        return Ok(vec![]);
    };
    let open = waiting::of_person(log, lead_id).await?.open;
    let of_the_time = open.iter().filter(|place| place.stay.overlaps(terms.stay()));
    Ok(of_the_time
        .map(|place| (place.room_id, place.payment_id))
        .collect())
}

/// Says to a payer what has become of the money of a payment whose booking ended: what went back, what is on its way, and what a bank
/// took back or keeps until it has decided.
pub(super) fn money_back(language: Language, payment: &Payment, currency: Currency) -> String {
    let sums = [
        ("mail.money_back.refunded", payment.refunded_minor()),
        ("mail.money_back.coming", payment.refund_pending_minor()),
    ];
    let said = sums.into_iter().filter(|(_, minor)| *minor > 0);
    let said = said.map(|(key, minor)| {
        let amount = forms_of(language).write_price(Money::new(minor, currency));
        text(language, key, &[("amount", &amount)])
    });
    let said: Vec<String> = said.chain(describe_bank_money(language, payment)).collect();
    if said.is_empty() {
        return text(language, "mail.money_back.nothing", &[]);
    }
    language.join_sentences(&said)
}
