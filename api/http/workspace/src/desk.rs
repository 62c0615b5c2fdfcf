//! What the desk can do with a lead now, and what it has done: read before an act and answered after it (row I4).

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use booking::leads::for_staff::find_contact_to_put_back;
use domain::calendar;
use domain::id::{LeadId, PaymentId};
use domain::language::Language;
use domain::lead::desk::RefundAsk;
use domain::lead::{Lead, LeadStatus};
use domain::payment::{Payment, PaymentStatus};
use domain::room_stock::RoomStock;
use http_kit::caller::Staff;
use http_kit::contract::words::{DeskActWord, LeadStatusWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use platform::clock;
use platform::config::Settings;
use projections::lead_board::query;
use projections::payment_audit::reference;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::colleagues::{self, Colleague};
use crate::desk_stays::{DeskStay, LetHome};
use crate::leads::board_row;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(read_desk))
}

/// Leads of the same person that are offered as doubles.
const CANDIDATES: i64 = 20;

/// A lead with what can be done to it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeadDesk)]
pub struct DeskView {
    pub lead_id: String,
    pub reference: String,
    #[schema(value_type = LeadStatusWord)]
    pub status: &'static str,
    /// True where it belongs to an account: another address then says what it means.
    pub is_claimed: bool,
    /// True where it can be taken from that account: its key is its own, and what was begun in it was begun before the claim.
    pub can_move: bool,
    /// The acts that are possible now.
    #[schema(value_type = Vec<DeskActWord>)]
    pub can: Vec<&'static str>,
    /// The stay that the student wishes for.
    pub stay: DeskStay,
    /// Stays that can be picked instead, and paid.
    pub stays: Vec<DeskStay>,
    /// Until when the enquiry keeps its price.
    pub price_until: Option<String>,
    pub room: Option<String>,
    /// Rooms of the lead's home, for a form that is still open.
    pub rooms: Vec<DeskRoom>,
    pub payment: Option<DeskPayment>,
    /// Refunds that finance has not answered.
    pub asks: Vec<DeskAsk>,
    pub team: Option<String>,
    /// Every team of the deployment.
    pub teams: Vec<String>,
    /// The lead that goes on instead of this one.
    pub double_of: Option<DeskLead>,
    pub doubles: Vec<DeskLead>,
    /// Enquiries that were made of this one, or that this one was made of.
    pub related: Vec<DeskLead>,
    /// Other leads of the same address or number.
    pub candidates: Vec<DeskLead>,
    pub colleagues: Vec<Colleague>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskRoom {
    pub inventory_id: String,
    pub name: String,
}

/// The lead's payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskPayment {
    pub payment_id: String,
    pub reference: String,
    /// Amount that can still be given back, in minor units.
    pub refundable_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
    pub hold_until: Option<String>,
}

/// A refund that waits for finance.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAsk {
    pub ask_id: Uuid,
    pub payment_reference: String,
    pub amount_minor: Option<u64>,
    pub ends_booking: bool,
    pub by: String,
    pub at: String,
    /// Null once the student is forgotten.
    pub why: Option<String>,
}

/// Another lead of the same person.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskLead {
    pub lead_id: String,
    pub reference: String,
    #[schema(value_type = LeadStatusWord)]
    pub status: &'static str,
    pub property: Option<String>,
    pub created_at: String,
}

/// `GET /api/v0/workspace/leads/{id}/desk`.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/desk", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<DeskView>), (status = 404, body = Failure)))]
pub async fn read_desk(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<DeskView>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    Ok(Success::new(
        view(&records, &settings, lead_id, context.lang).await?,
    ))
}

/// The lead's payment with its hold.
pub(crate) struct Paying {
    pub payment_id: PaymentId,
    pub payment: Payment,
    pub hold: Option<domain::room_stock::Hold>,
}

/// The payment that booked the lead, else the one that is under way.
pub(crate) async fn paying(records: &Records, lead: &Lead) -> ApiResult<Option<Paying>> {
    let Some(payment_id) = lead.booked_by.or(lead.payment) else {
        return Ok(None);
    };
    let payment = records.log.load::<Payment>(payment_id).await?.state;
    let Some(terms) = &payment.terms else {
        return Ok(None);
    };
    let stock = records.log.load::<RoomStock>(terms.room_id).await?.state;
    let hold = stock.holds.get(&payment_id).cloned();
    Ok(Some(Paying {
        payment_id,
        payment,
        hold,
    }))
}

pub(crate) async fn view(
    records: &Records,
    settings: &Settings,
    lead_id: LeadId,
    lang: Language,
) -> ApiResult<DeskView> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let paying = paying(records, &lead).await?;
    let home = LetHome::find(&records.log, &lead).await?;
    let (stay, stays) = stays_of(records, home.as_ref(), &lead, lang).await?;
    let lock = lead.submission.as_ref().and_then(|sent| sent.quote);
    let price_until = lock.map(|lock| lock.until).filter(|until| *until > clock::now());
    let rooms = home.as_ref().map_or_else(Vec::new, |home| home.named_rooms(lang));
    let rooms = rooms.into_iter().map(|(id, name)| DeskRoom {
        inventory_id: id.to_string(),
        name,
    });
    let mut names = HashMap::new();
    let mut asks = Vec::new();
    for (ask_id, ask) in &lead.desk().asks {
        let by = staff_name(&records.log, settings, &ask.by.to_string(), &mut names).await?;
        asks.push(shown_ask(*ask_id, ask, by));
    }
    let pool = records.heard().await?;
    let candidates = query::of_same_person(pool, lead_id, CANDIDATES).await?;
    let mut doubles = Vec::new();
    for id in &lead.desk().doubles {
        doubles.extend(query::row(pool, *id).await?.map(shown_lead));
    }
    let mut related = Vec::new();
    for id in &lead.desk().related {
        related.extend(query::row(pool, *id).await?.map(shown_lead));
    }
    let double_of = match lead.desk().double_of {
        Some(kept) => query::row(pool, kept.lead_id).await?.map(shown_lead),
        None => None,
    };
    let put_back = find_contact_to_put_back(&records.log, (lead_id, &lead), clock::now()).await?;
    let can_undo_contact = put_back.is_some();
    Ok(DeskView {
        lead_id: lead_id.to_string(),
        reference: lead
            .submission
            .as_ref()
            .map(|sent| sent.reference.clone())
            .unwrap_or_default(),
        status: lead.status.key(),
        is_claimed: !lead.is_unclaimed(),
        can_move: lead.key_to_hand_over().is_ok(),
        can: possible(&lead, paying.as_ref(), (!candidates.is_empty(), can_undo_contact)),
        stay,
        stays,
        price_until: price_until.map(|until| until.to_rfc3339()),
        room: home
            .as_ref()
            .and_then(|home| home.room)
            .map(|room| room.to_string()),
        rooms: rooms.collect(),
        payment: paying.as_ref().and_then(shown_payment),
        asks,
        team: lead.desk().team.clone(),
        teams: settings.team_names(),
        double_of,
        doubles,
        related,
        candidates: candidates.into_iter().map(shown_lead).collect(),
        colleagues: colleagues::all(records, settings).await?,
    })
}

/// The lead's stay, and those that can be picked instead.
async fn stays_of(
    records: &Records,
    home: Option<&LetHome>,
    lead: &Lead,
    lang: Language,
) -> ApiResult<(DeskStay, Vec<DeskStay>)> {
    let wished = DeskStay {
        move_in_date: lead.wish.move_in_date.as_deref().map(calendar::in_form_of_today),
        lease_duration: lead.wish.lease_duration.clone(),
        ..DeskStay::default()
    };
    let Some(home) = home else {
        return Ok((wished, vec![]));
    };
    let current = home.find_current(&records.log, lead).await?;
    let offers = home.list_offers(&records.log, lead, lang).await?;
    let stay = current.map_or(wished, |current| home.show(&current, lang));
    Ok((stay, offers))
}

fn shown_ask(ask_id: Uuid, ask: &RefundAsk, by: String) -> DeskAsk {
    DeskAsk {
        ask_id,
        payment_reference: reference(ask.payment_id),
        amount_minor: ask.amount_minor,
        ends_booking: ask.ends_booking,
        by,
        at: ask.at.to_rfc3339(),
        why: ask.why.clone(),
    }
}

fn shown_lead(row: query::BoardRow) -> DeskLead {
    DeskLead {
        status: row.status().key(),
        lead_id: row.lead_id,
        reference: row.reference,
        property: row.property,
        created_at: row.created_at,
    }
}

fn shown_payment(paying: &Paying) -> Option<DeskPayment> {
    let currency = paying.payment.terms.as_ref()?.quote.currency;
    let ends = paying.hold.as_ref().and_then(|hold| hold.expires_at);
    Some(DeskPayment {
        payment_id: paying.payment_id.to_string(),
        reference: reference(paying.payment_id),
        refundable_minor: paying.payment.refundable_minor(),
        currency: currency.code(),
        decimals: currency.decimals(),
        hold_until: ends.map(|ends| ends.to_rfc3339()),
    })
}

/// What the acts' own rules would not refuse at once.
fn possible(
    lead: &Lead,
    paying: Option<&Paying>,
    (has_candidates, can_undo_contact): (bool, bool),
) -> Vec<&'static str> {
    let is_booked = lead.booked_by.is_some();
    let is_open = !lead.status.is_closed() && lead.status != LeadStatus::Booked;
    let is_known = !lead.is_forgotten();
    let desk = lead.desk();
    let asked = |payment_id| desk.asks.values().any(|ask| ask.payment_id == payment_id);
    let refundable =
        paying.is_some_and(|paying| paying.payment.refundable_minor() > 0 && !asked(paying.payment_id));
    let endable =
        paying.is_some_and(|paying| is_booked_without_money(&paying.payment) && !asked(paying.payment_id));
    let extendable = paying
        .and_then(|paying| paying.hold.as_ref())
        .is_some_and(|hold| {
            !hold.extended_by_staff && hold.expires_at.is_some_and(|ends| ends > clock::now())
        });
    let reopenable = lead.status == LeadStatus::Lost && desk.closed_from.is_some();
    [
        ("note", is_known),
        ("record_call", is_known),
        ("assign", true),
        ("set_team", true),
        ("close", is_open),
        ("reopen", reopenable && desk.double_of.is_none()),
        ("change_stay", is_open && is_known),
        ("correct_contact", is_known && !lead.status.is_closed()),
        ("undo_contact", can_undo_contact),
        ("change_room", is_open && is_known && lead.form.is_some()),
        ("extend_hold", extendable),
        ("send_code", is_known),
        ("send_enquiry", is_known),
        ("ask_refund", refundable),
        ("ask_cancellation", (refundable || endable) && is_booked),
        (
            "mark_double",
            has_candidates && !is_booked && desk.double_of.is_none() && desk.doubles.is_empty(),
        ),
        ("unmark_double", desk.double_of.is_some()),
    ]
    .into_iter()
    .filter_map(|(act, possible)| possible.then_some(act))
    .collect()
}

/// Whether a booking stands of which all money has gone back: its end alone is left to ask for.
pub(crate) fn is_booked_without_money(payment: &Payment) -> bool {
    let has_ended = payment.booking_cancelled || payment.room_given_back;
    payment.status == PaymentStatus::Success
        && payment.refundable_minor() == 0
        && !has_ended
        && !payment.has_open_dispute()
}
