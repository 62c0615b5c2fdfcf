//! The rules of the desk's acts, and what a lead makes of them (row I4).

use uuid::Uuid;

use super::desk::{
    Acting, AnswerBeside, Deed, Desk, DeskAct, DoubleOf, RESEND_AFTER_MINUTES, RefundAsk,
    UNDO_CONTACT_MINUTES, UNTOUCHED,
};
use super::{Lead, LeadEvent, LeadRejection, LeadStatus, Submission};
use crate::id::{LeadId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealed;

impl Lead {
    /// What staff have made of it.
    pub fn desk(&self) -> &Desk {
        self.desk.as_deref().unwrap_or(&UNTOUCHED)
    }

    /// Whether the contact that staff corrected can be put back: for a while, and as long as it says what they made of it. A mistyped
    /// address is not: it would give the lead to its account again.
    pub fn can_undo_contact(&self, at: Moment) -> bool {
        let lasts = chrono::TimeDelta::minutes(UNDO_CONTACT_MINUTES);
        let corrected_at = self.desk().contact_corrected_at;
        let is_in_time = corrected_at.is_some_and(|corrected| at < corrected + lasts);
        let was_taken = corrected_at.is_some_and(|corrected| self.has_ended_links_of(corrected));
        is_in_time && !was_taken && self.personal.is_some() && !self.status.is_closed()
    }

    pub(super) fn act(&self, acting: Acting) -> Result<Vec<LeadEvent>, LeadRejection> {
        if self.desk().acts.contains(&acting.act_id) {
            return Ok(vec![]);
        }
        let act = match &acting.deed {
            Deed::Close(cause) => {
                self.is_closable()?;
                DeskAct::Closed { cause: *cause }
            }
            Deed::Reopen => DeskAct::Reopened {
                status: self.status_before_close()?,
            },
            Deed::Keep(act) => act.clone(),
            Deed::SendEnquiry => {
                self.may_resend(acting.at)?;
                DeskAct::EnquirySent
            }
            Deed::AskRefund {
                payment_id,
                amount_minor,
                ends_booking,
            } => {
                if self.desk().asks.values().any(|ask| ask.payment_id == *payment_id) {
                    return Err(LeadRejection::RefundAskedAlready);
                }
                DeskAct::RefundAsked {
                    payment_id: *payment_id,
                    amount_minor: *amount_minor,
                    ends_booking: *ends_booking,
                }
            }
            Deed::DeclineRefund { ask } => {
                let open = self.desk().asks.contains_key(ask);
                open.then_some(()).ok_or(LeadRejection::NoRefundAsked)?;
                answer(*ask, false, false)
            }
            Deed::GrantRefund {
                ask,
                payment_id,
                amount_minor,
                ends_booking,
            } => {
                let asked = self.find_ask(*ask, *payment_id)?;
                let is_other_amount = asked.amount_minor.is_some_and(|wanted| wanted != *amount_minor);
                answer(*ask, true, is_other_amount || asked.ends_booking != *ends_booking)
            }
            Deed::GrantCancellation { ask, payment_id } => {
                let ends_booking = self.find_ask(*ask, *payment_id)?.ends_booking;
                ends_booking.then_some(()).ok_or(LeadRejection::NoRefundAsked)?;
                answer(*ask, true, false)
            }
            Deed::SetTeam(team) if *team == self.desk().team => return Ok(vec![]),
            Deed::SetTeam(team) => DeskAct::TeamSet { team: team.clone() },
        };
        Ok(vec![self.acted(
            (acting.act_id, acting.by),
            act,
            acting.why,
            acting.at,
        )])
    }

    /// Finds an open request for this payment.
    fn find_ask(&self, ask: Uuid, payment_id: PaymentId) -> Result<&RefundAsk, LeadRejection> {
        let asked = self.desk().asks.get(&ask).ok_or(LeadRejection::NoRefundAsked)?;
        if asked.payment_id == payment_id {
            Ok(asked)
        } else {
            Err(LeadRejection::RefundOfAnotherPayment)
        }
    }

    /// Closes what was asked for this payment: finance has given money back, or ended the booking, without naming the request.
    pub(super) fn answer_asks(
        &self,
        payment_id: PaymentId,
        (by, beside): (UserId, AnswerBeside),
        at: Moment,
    ) -> Vec<LeadEvent> {
        let asks = self
            .desk()
            .asks
            .iter()
            .filter(|(_, ask)| ask.payment_id == payment_id);
        asks.map(|(ask, _)| {
            let act = DeskAct::RefundAnswered {
                ask: *ask,
                granted: true,
                otherwise: true,
                beside: Some(beside),
            };
            self.acted((*ask, by), act, String::new(), at)
        })
        .collect()
    }

    /// Gives the lead to a member of staff, or takes it from its owner; no event where it is so already.
    pub(super) fn assign(&self, owner: Option<UserId>, why: Option<String>, at: Moment) -> Vec<LeadEvent> {
        if self.owner == owner {
            return vec![];
        }
        let sent = self.submission.as_ref().map(|sent| sent.person_id);
        vec![LeadEvent::Assigned {
            owner,
            at,
            person_id: self.sealed_by().or(sent).filter(|_| why.is_some()),
            why: Sealed(why),
        }]
    }

    /// A note for colleagues.
    pub(super) fn noted(
        &self,
        submission: &Submission,
        (note_id, note): (Uuid, String),
        mentions: Vec<UserId>,
        at: Moment,
    ) -> LeadEvent {
        LeadEvent::NoteAdded {
            person_id: self.sealed_by().unwrap_or(submission.person_id),
            note_id: Some(note_id),
            mentions,
            at,
            note: Sealed::new(note),
        }
    }

    fn acted(&self, (act_id, by): (Uuid, UserId), act: DeskAct, why: String, at: Moment) -> LeadEvent {
        let sent = self.submission.as_ref().map(|sent| sent.person_id);
        LeadEvent::ActedOn {
            act_id,
            act,
            by,
            person_id: self.sealed_by().or(sent).unwrap_or(by),
            at,
            why: Sealed::new(why),
        }
    }

    fn is_closable(&self) -> Result<(), LeadRejection> {
        match self.status {
            LeadStatus::Booked => Err(LeadRejection::HasBooking),
            status if status.is_closed() => Err(LeadRejection::Closed(status)),
            _ => Ok(()),
        }
    }

    fn status_before_close(&self) -> Result<LeadStatus, LeadRejection> {
        let is_double = self.desk().double_of.is_some();
        self.desk()
            .closed_from
            .filter(|_| self.status == LeadStatus::Lost && !is_double)
            .ok_or(LeadRejection::NotClosedHere)
    }

    fn may_resend(&self, at: Moment) -> Result<(), LeadRejection> {
        let wait = chrono::TimeDelta::minutes(RESEND_AFTER_MINUTES);
        match self.desk().resent_at {
            Some(last) if at < last + wait => Err(LeadRejection::SentMomentsAgo),
            _ => Ok(()),
        }
    }

    pub(super) fn take_act(&mut self, event: &LeadEvent) {
        let LeadEvent::ActedOn {
            act_id,
            act,
            by,
            at,
            why,
            ..
        } = event
        else {
            return;
        };
        let status = self.status;
        let (edition, desk) = (self.edition, self.desk.get_or_insert_default());
        desk.acts.insert(*act_id);
        match act {
            DeskAct::Closed { .. } => desk.closed_from = Some(status),
            DeskAct::Reopened { .. } => desk.closed_from = None,
            DeskAct::EnquirySent => desk.resent_at = Some(*at),
            DeskAct::RefundAsked {
                payment_id,
                amount_minor,
                ends_booking,
            } => {
                let ask = RefundAsk {
                    payment_id: *payment_id,
                    amount_minor: *amount_minor,
                    ends_booking: *ends_booking,
                    by: *by,
                    at: *at,
                    why: why.get().cloned(),
                };
                desk.asks.insert(*act_id, ask);
            }
            DeskAct::RefundAnswered { ask, .. } => {
                desk.asks.remove(ask);
            }
            DeskAct::MarkedDouble { of } => {
                desk.closed_from = Some(status);
                desk.double_of = Some(DoubleOf {
                    lead_id: *of,
                    edition,
                });
            }
            DeskAct::UnmarkedDouble { .. } => {
                desk.closed_from = None;
                desk.double_of = None;
            }
            DeskAct::DoubleJoined { lead_id, .. } => {
                desk.doubles.insert(*lead_id);
            }
            DeskAct::DoubleLeft { lead_id } => {
                desk.doubles.remove(lead_id);
            }
            DeskAct::EnquiredAnew { lead_id } | DeskAct::MadeFrom { lead_id } => {
                desk.related.insert(*lead_id);
            }
            DeskAct::TeamSet { team } => desk.team.clone_from(team),
            DeskAct::ContactCorrected => desk.contact_corrected_at = Some(*at),
            DeskAct::StayChanged { .. }
            | DeskAct::RoomChanged { .. }
            | DeskAct::HoldExtended { .. }
            | DeskAct::Called { .. }
            | DeskAct::CodeSent => {}
        }
    }
}

/// The answer of finance to a request that it names.
const fn answer(ask: Uuid, granted: bool, otherwise: bool) -> DeskAct {
    DeskAct::RefundAnswered {
        ask,
        granted,
        otherwise,
        beside: None,
    }
}

/// Who makes or parts a double, under which act, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joining {
    pub act_id: Uuid,
    pub by: UserId,
    pub why: String,
    /// The kept lead takes over the double's phone number.
    pub takes_phone: bool,
    pub at: Moment,
}

/// A lead with its id.
pub type Named<'l> = (LeadId, &'l Lead);

/// What is recorded on the double, and on the lead that is kept.
pub type OnBoth = (Vec<LeadEvent>, Vec<LeadEvent>);

/// One person sent both: the double is closed and points to the lead that is kept.
///
/// # Errors
/// Where they are of different people, the double has a booking of its own, or either is part of another pair.
pub fn join(
    (double_id, double): Named,
    (kept_id, kept): Named,
    how: &Joining,
) -> Result<OnBoth, LeadRejection> {
    if double.desk().acts.contains(&how.act_id) {
        return Ok((vec![], vec![]));
    }
    if double.submission.is_none() || kept.submission.is_none() {
        return Err(LeadRejection::Unknown);
    }
    if double_id == kept_id || !is_of_one_person(double, kept) {
        return Err(LeadRejection::NotADouble);
    }
    if double.booked_by.is_some() {
        return Err(LeadRejection::HasBooking);
    }
    let is_paired = double.desk().double_of.is_some() || !double.desk().doubles.is_empty();
    if is_paired || kept.desk().double_of.is_some() {
        return Err(LeadRejection::DoubleAlready);
    }
    let on = |lead: &Lead, act| lead.acted((how.act_id, how.by), act, how.why.clone(), how.at);
    let mut on_kept = phone_of(double, kept, how)?;
    let joined = DeskAct::DoubleJoined {
        lead_id: double_id,
        took_phone: !on_kept.is_empty(),
    };
    on_kept.push(on(kept, joined));
    Ok((vec![on(double, DeskAct::MarkedDouble { of: kept_id })], on_kept))
}

/// The kept lead names the double's number from now on, where that is asked for and another one.
fn phone_of(double: &Lead, kept: &Lead, how: &Joining) -> Result<Vec<LeadEvent>, LeadRejection> {
    let (Some(theirs), Some(own), Some(sent)) = (&double.personal, &kept.personal, &kept.submission) else {
        return Ok(vec![]);
    };
    if !how.takes_phone || theirs.phone == own.phone {
        return Ok(vec![]);
    }
    let mut personal = Box::new(own.clone());
    personal.phone = theirs.phone.clone();
    kept.change(sent, kept.wish.clone(), (Some(personal), None), None, how.at)
}

/// Takes the mark back while nothing was added to the double since.
///
/// # Errors
/// Where it is no double of that lead, or has gone on since.
pub fn part((double_id, double): Named, kept: &Lead, how: &Joining) -> Result<OnBoth, LeadRejection> {
    if double.desk().acts.contains(&how.act_id) {
        return Ok((vec![], vec![]));
    }
    let marked = double.desk().double_of.ok_or(LeadRejection::NotADouble)?;
    let status = double.desk().closed_from.unwrap_or_default();
    if marked.edition != double.edition || double.status != LeadStatus::Lost {
        return Err(LeadRejection::DoubleWentOn);
    }
    let on = |lead: &Lead, act| lead.acted((how.act_id, how.by), act, how.why.clone(), how.at);
    Ok((
        vec![on(double, DeskAct::UnmarkedDouble { status })],
        vec![on(kept, DeskAct::DoubleLeft { lead_id: double_id })],
    ))
}

/// The same account, address or number.
fn is_of_one_person(one: &Lead, other: &Lead) -> bool {
    if one.person() == other.person() {
        return true;
    }
    let (Some(one), Some(other)) = (&one.personal, &other.personal) else {
        return false;
    };
    one.email.canonical() == other.email.canonical() || one.phone.e164() == other.phone.e164()
}
