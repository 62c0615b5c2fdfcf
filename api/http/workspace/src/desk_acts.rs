//! What the desk does to a lead: one call for one act, with who and why in the lead's history (row I4).

use std::sync::Arc;

use account::login;
use account::otp::{Codes, Purpose};
use axum::extract::State;
use booking::booking_forms::for_staff::choose_room;
use booking::leads::for_staff::{
    Contact, StayWish, change_stay, correct_contact, enquire_anew, give_to_student, needs_meaning,
    undo_contact,
};
use chrono::TimeDelta;
use domain::booking_form::BookingForm;
use domain::contact::is_blank;
use domain::id::{InventoryId, LeadId};
use domain::lead::desk::{Acting, CloseCause, Deed, DeskAct, StayChange};
use domain::lead::{Lead, LeadCommand, LeadRejection, LeadWish};
use domain::money::Money;
use domain::payment::{Payment, PaymentCommand};
use domain::room_stock::{RoomStock, RoomStockCommand};
use domain::user::Reach;
use eventlog::{Context, commit, done_before, done_before_on};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{CloseCauseWord, ContactMeaningWord, DeskActWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::{Access, SUPPORT};
use http_kit::request::{Path, RequestContext};
use http_kit::said::{say, unknown_value};
use messages::Outbox;
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::acts::written;
use crate::desk::{DeskView, is_booked_without_money, paying, view};
use crate::desk_stays::{LetHome, is_same_stay};
use crate::leads::board_row;

mod doubles;

/// Who may act on a lead, also by applying a what-if.
pub(crate) const ACTING: Access = SUPPORT;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(ACTING, routes!(act_on_lead))
}

/// A reason is a sentence or two.
const WHY_MAX: usize = 500;

/// One act; which fields it needs follows from `act`.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = LeadAct, example = json!({ "act": "close", "cause": "booked_elsewhere", "reason": "Found a flat with friends" }))]
pub struct LeadAct {
    #[schema(value_type = DeskActWord)]
    pub(crate) act: String,
    /// Why, for colleagues.
    pub(crate) reason: String,
    /// `close`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CloseCauseWord>)]
    pub(crate) cause: Option<String>,
    /// `change_stay`: what is not said stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) move_in_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lease_duration: Option<String>,
    /// `change_room`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inventory_id: Option<String>,
    /// `ask_refund`: minor units; unsaid: as much as finance finds right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) amount_minor: Option<u64>,
    /// `mark_double`: the lead that is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kept_lead_id: Option<String>,
    /// `mark_double`: the kept lead takes over the phone number of the double.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) take_phone: bool,
    /// `correct_contact`: what is not said stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phone: Option<String>,
    /// `correct_contact` with another address, once an account has the enquiry: `same` (the same student, who keeps it), `slip` (the
    /// address was mistyped: the enquiry goes to the right student), `other_person` (a new enquiry is made for them).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ContactMeaningWord>)]
    pub(crate) meaning: Option<String>,
    /// `record_call`: whether they spoke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reached: Option<bool>,
    /// `set_team`: null takes it from its team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<String>,
}

/// What staff mean by another address of an enquiry that an account has.
enum Meaning {
    /// The same student: the account keeps the enquiry.
    Same,
    /// The address was mistyped: the enquiry goes to its student.
    Slip,
    /// Somebody else: a new enquiry is made for them.
    OtherPerson,
}

/// Everything an act is done with. Over the records of a branch it is done there alone.
pub(crate) struct Doing<'d> {
    pub(crate) records: &'d Records,
    pub(crate) settings: &'d Settings,
    pub(crate) context: &'d RequestContext,
    pub(crate) staff: &'d Staff,
    pub(crate) lead_id: LeadId,
    pub(crate) act: &'d LeadAct,
    /// Under which the act is kept.
    pub(crate) act_id: Uuid,
    pub(crate) asked: Context,
}

/// Does one act; asked twice with the same Idempotency-Key it is done once. Notes and owners have calls of their own.
///
/// # Errors
/// 404 for an unknown lead, 409 where the lead does not allow it, 422 with the field, 429 where a code was sent a moment ago.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/acts", tag = "support", params(("id" = String, Path)),
    request_body = LeadAct,
    responses((status = 200, body = Success<DeskView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn act_on_lead(
    State(records): State<Records>,
    State(outbox): State<Outbox>,
    State(codes): State<Codes>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(body): Body<LeadAct>,
) -> ApiResult<Success<DeskView>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    let settings = Arc::clone(&codes.settings);
    let doing = Doing {
        records: &records,
        settings: &settings,
        context: &context,
        staff: &staff,
        lead_id,
        act: &body,
        act_id: context.command_id.unwrap_or_else(clock::new_id),
        asked: context.command(staff.actor(), &body),
    };
    if !doing.is_done().await? {
        match body.act.as_str() {
            "send_code" => doing.send_code(&outbox, &codes).await?,
            _ => doing.perform().await?,
        }
    }
    let position = records.log.head().await?;
    records.answers_for(position);
    let shown = view(&records, &settings, lead_id, context.lang).await?;
    Ok(Success::at(shown, position))
}

impl Doing<'_> {
    /// Whether this very request was done before. It is answered again, though what it changed would refuse it by now.
    async fn is_done(&self) -> ApiResult<bool> {
        let log = &self.records.log;
        let known = match self.act.act.as_str() {
            // Kept together with what other streams say.
            "correct_contact" | "undo_contact" | "mark_double" | "unmark_double" => {
                done_before::<LeadRejection>(log, &self.asked).await?
            }
            _ => done_before_on::<Lead>(log, self.lead_id, &self.asked.step("act")).await?,
        };
        Ok(known.is_some())
    }

    /// Does the act by commands alone; a code is sent by [`act_on_lead`].
    ///
    /// # Errors
    /// As [`act_on_lead`].
    pub(crate) async fn perform(&self) -> ApiResult<()> {
        match self.act.act.as_str() {
            "close" => self.close().await,
            "reopen" => self.keep(Deed::Reopen, self.why(false)?).await,
            "change_stay" => self.change_stay().await,
            "change_room" => self.change_room().await,
            "extend_hold" => self.extend_hold().await,
            "send_enquiry" => self.keep(Deed::SendEnquiry, self.why(true)?).await,
            "correct_contact" => self.correct_contact().await,
            "undo_contact" => self.undo_contact().await,
            "ask_refund" => self.ask_refund(false).await,
            "ask_cancellation" => self.ask_refund(true).await,
            "mark_double" => self.mark_double().await,
            "unmark_double" => self.unmark_double().await,
            "set_team" => self.set_team().await,
            "record_call" => self.record_call().await,
            word => Err(ApiError::invalid_field(
                "act",
                "choice",
                unknown_value("act", word),
            )),
        }
    }

    /// The reason; an undone act needs none.
    fn why(&self, needed: bool) -> ApiResult<String> {
        if !needed && is_blank(&self.act.reason) {
            return Ok(String::new());
        }
        written(&self.act.reason, "reason", WHY_MAX)
    }

    fn acting(&self, deed: Deed, why: String) -> Acting {
        Acting {
            act_id: self.act_id,
            by: self.staff.person.user_id,
            deed,
            why,
            at: self.asked.at,
        }
    }

    async fn keep(&self, deed: Deed, why: String) -> ApiResult<()> {
        let acting = self.acting(deed, why);
        let command = LeadCommand::Act(Box::new(acting));
        commit::<Lead>(&self.records.log, self.lead_id, command, &self.asked.step("act")).await?;
        Ok(())
    }

    async fn lead(&self) -> ApiResult<Lead> {
        Ok(self.records.log.load::<Lead>(self.lead_id).await?.state)
    }

    async fn close(&self) -> ApiResult<()> {
        let word = self.act.cause.as_deref().unwrap_or_default();
        let cause = CloseCause::from_key(word)
            .ok_or_else(|| ApiError::invalid_field("cause", "choice", unknown_value("cause", word)))?;
        let why = self.why(cause == CloseCause::Other)?;
        self.keep(Deed::Close(cause), why).await
    }

    async fn change_stay(&self) -> ApiResult<()> {
        let why = self.why(true)?;
        let said = |text: &Option<String>| text.clone().filter(|text| !is_blank(text));
        let wish = StayWish {
            move_in_date: said(&self.act.move_in_date),
            lease_duration: said(&self.act.lease_duration),
        };
        if wish.move_in_date.is_none() && wish.lease_duration.is_none() {
            return Err(ApiError::invalid_field(
                "move_in_date",
                "required",
                say("refusal.desk_stay"),
            ));
        }
        let lead = self.lead().await?;
        let wished = LeadWish {
            move_in_date: wish
                .move_in_date
                .clone()
                .or_else(|| lead.wish.move_in_date.clone()),
            lease_duration: wish
                .lease_duration
                .clone()
                .or_else(|| lead.wish.lease_duration.clone()),
            ..lead.wish.clone()
        };
        let wanted = said(&self.act.inventory_id);
        // Asked before anything is changed: what the home does not let cannot be paid.
        let wanted = (&wished, wanted.as_deref());
        let change = self.stay_change(&lead, wanted, "move_in_date").await?;
        let asked = self.asked.step("change");
        let changed = done_before::<LeadRejection>(&self.records.log, &asked).await?;
        // A request that ended between its two appends goes on with the second one.
        if changed.is_none_or(|changed| changed.last == 0) {
            let to_room = change.as_ref().map(|change| change.after.room_id);
            // The same stay again, however it is spelled, is no change, and nothing is announced.
            if change.as_ref().is_some_and(|change| is_same_stay(&lead, change)) {
                return Err(nothing_changed());
            }
            let moved = self.move_room(&lead, to_room).await?;
            change_stay(self.records, self.lead_id, &wish, &asked).await?;
            if !moved && self.lead().await?.edition == lead.edition {
                return Err(nothing_changed());
            }
        }
        let change = change.map(Box::new);
        self.keep(Deed::Keep(DeskAct::StayChanged { change }), why).await
    }

    /// What the lead's stay is changed from and to; `None` where the enquiry names no home.
    async fn stay_change(
        &self,
        lead: &Lead,
        (wish, room): (&LeadWish, Option<&str>),
        field: &'static str,
    ) -> ApiResult<Option<StayChange>> {
        let unknown = || ApiError::invalid_field("inventory_id", "choice", say("validation.choice"));
        let room = room.map(str::parse).transpose().map_err(|_| unknown())?;
        let log = &self.records.log;
        match LetHome::find(log, lead).await? {
            Some(home) => Ok(Some(home.find_change(log, lead, (wish, room), field).await?)),
            None => Ok(None),
        }
    }

    /// Gives the lead's open form another room of its home; says whether it had another one.
    async fn move_room(&self, lead: &Lead, room: Option<InventoryId>) -> ApiResult<bool> {
        let (Some(room), Some((form_id, _))) = (room, lead.form) else {
            return Ok(false);
        };
        let form = self.records.log.load::<BookingForm>(form_id).await?.state;
        if form.start.is_none_or(|start| start.inventory_id == room) {
            return Ok(false);
        }
        let asked = self.asked.step("room");
        choose_room(self.records, lead, &room.to_string(), &asked).await?;
        Ok(true)
    }

    /// A call that reached the student answers the lead; one that did not stays in its history.
    async fn record_call(&self) -> ApiResult<()> {
        let unsaid = || ApiError::invalid_field("reached", "required", say("refusal.call_reached"));
        let reached = self.act.reached.ok_or_else(unsaid)?;
        self.keep(Deed::Keep(DeskAct::Called { reached }), self.why(false)?)
            .await
    }

    async fn correct_contact(&self) -> ApiResult<()> {
        let acting = self.acting(Deed::Keep(DeskAct::ContactCorrected), self.why(true)?);
        let contact = Contact {
            name: self.act.name.clone(),
            email: self.act.email.clone(),
            phone: self.act.phone.clone(),
        };
        let with = (self.records, self.settings);
        match self.meaning_of(&contact).await? {
            Meaning::Same => {
                correct_contact(self.records, self.lead_id, &contact, acting, &self.asked).await?
            }
            Meaning::Slip => give_to_student(with, self.lead_id, &contact, acting, &self.asked).await?,
            Meaning::OtherPerson => {
                enquire_anew(with, self.lead_id, &contact, (acting, false), &self.asked).await?
            }
        };
        Ok(())
    }

    /// Meaning of another address for an enquiry that an account has; only staff know, so they say it.
    async fn meaning_of(&self, contact: &Contact) -> ApiResult<Meaning> {
        if !needs_meaning(&self.lead().await?, contact)? {
            return Ok(Meaning::Same);
        }
        match self.act.meaning.as_deref() {
            Some("same") => Ok(Meaning::Same),
            Some("slip") => Ok(Meaning::Slip),
            Some("other_person") => Ok(Meaning::OtherPerson),
            Some(word) => {
                let says = unknown_value("meaning", word);
                Err(ApiError::invalid_field("meaning", "choice", says))
            }
            None => {
                let says = say("refusal.contact_meaning");
                Err(ApiError::invalid_field("meaning", "required", says))
            }
        }
    }

    /// The history tells of it as of any correction, with its own reason.
    async fn undo_contact(&self) -> ApiResult<()> {
        let acting = self.acting(Deed::Keep(DeskAct::ContactCorrected), self.why(true)?);
        undo_contact(self.records, self.lead_id, acting, &self.asked).await?;
        Ok(())
    }

    async fn change_room(&self) -> ApiResult<()> {
        let why = self.why(true)?;
        let lead = self.lead().await?;
        let room = self.act.inventory_id.as_deref().unwrap_or_default();
        let asked = self.asked.step("room");
        let is_room = lead.form.is_some() && room.parse::<InventoryId>().is_ok();
        let change = if is_room {
            let wanted = (&lead.wish, Some(room));
            self.stay_change(&lead, wanted, "inventory_id").await?
        } else {
            None
        };
        let (inventory_id, is_moved) = choose_room(self.records, &lead, room, &asked).await?;
        if !is_moved {
            return Err(nothing_changed());
        }
        let change = change.map(Box::new);
        self.keep(Deed::Keep(DeskAct::RoomChanged { inventory_id, change }), why)
            .await
    }

    /// The room's stock decides; the payment is told of the new end, so that its payer's page counts down to it.
    async fn extend_hold(&self) -> ApiResult<()> {
        let why = self.why(true)?;
        let no_hold = || ApiError::conflict("no_hold", say("refusal.no_hold_to_extend"));
        let paying = paying(self.records, &self.lead().await?)
            .await?
            .ok_or_else(no_hold)?;
        let terms = paying.payment.terms.as_ref().ok_or_else(no_hold)?;
        let (payment_id, log) = (paying.payment_id, &self.records.log);
        if paying.hold.as_ref().and_then(|hold| hold.expires_at).is_none() {
            return Err(no_hold());
        }
        let extend = RoomStockCommand::ExtendByStaff {
            payment_id,
            by: TimeDelta::seconds(i64::from(self.settings.hold_seconds)),
            at: self.asked.at,
        };
        let extended = commit::<RoomStock>(log, terms.room_id, extend, &self.asked.step("hold")).await?;
        let hold = extended.state.holds.get(&payment_id).ok_or_else(no_hold)?;
        let noted = PaymentCommand::NoteHold {
            hold_id: hold.hold_id,
            expires_at: hold.expires_at,
        };
        commit::<Payment>(log, payment_id, noted, &self.asked.step("payment")).await?;
        let until = hold.expires_at.ok_or_else(no_hold)?;
        self.keep(Deed::Keep(DeskAct::HoldExtended { payment_id, until }), why)
            .await
    }

    async fn send_code(&self, outbox: &Outbox, codes: &Codes) -> ApiResult<()> {
        let why = self.why(true)?;
        let lead = self.lead().await?;
        let gone = || ApiError::conflict("forgotten", say("refusal.case_forgotten"));
        let email = lead.personal.as_ref().ok_or_else(gone)?.email.clone();
        let language = lead.submission.as_ref().and_then(|sent| sent.language);
        login::send_code_in(
            language.unwrap_or_default(),
            (&self.records.log, self.settings, outbox, codes),
            self.context,
            Purpose::Login,
            &Reach::Email(email),
        )
        .await?;
        self.keep(Deed::Keep(DeskAct::CodeSent), why).await
    }

    async fn ask_refund(&self, ends_booking: bool) -> ApiResult<()> {
        let why = self.why(true)?;
        let nothing = || ApiError::conflict("nothing_to_refund", say("refusal.nothing_to_refund"));
        let paying = paying(self.records, &self.lead().await?)
            .await?
            .ok_or_else(nothing)?;
        let left = paying.payment.refundable_minor();
        let is_end_left = ends_booking && is_booked_without_money(&paying.payment);
        if left == 0 && !is_end_left {
            return Err(nothing());
        }
        if self
            .act
            .amount_minor
            .is_some_and(|wanted| wanted == 0 || wanted > left)
        {
            // A booking whose money is away is ended, not refunded: there is no highest amount to name.
            if left == 0 {
                return Err(nothing());
            }
            let terms = paying.payment.terms.as_ref().ok_or_else(nothing)?;
            let most = Money::new(left, terms.quote.currency);
            let says = say("refusal.refund_ask_amount").with_amount("most", most);
            return Err(ApiError::invalid_field("amount_minor", "range", says));
        }
        let deed = Deed::AskRefund {
            payment_id: paying.payment_id,
            amount_minor: self.act.amount_minor,
            ends_booking,
        };
        self.keep(deed, why).await
    }

    async fn set_team(&self) -> ApiResult<()> {
        let team = self.act.team.clone().filter(|team| !team.is_empty());
        let is_known = |team: &String| self.settings.team_names().contains(team);
        if team.as_ref().is_some_and(|team| !is_known(team)) {
            return Err(ApiError::invalid_field("team", "choice", say("refusal.team")));
        }
        self.keep(Deed::SetTeam(team), self.why(false)?).await
    }
}

fn nothing_changed() -> ApiError {
    ApiError::conflict("nothing_changed", say("refusal.nothing_changed"))
}
