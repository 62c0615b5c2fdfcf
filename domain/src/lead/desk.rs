//! What a member of staff does to a lead: each act with who did it and why (row I4).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Lead, LeadEvent, LeadRejection, LeadStatus};
use crate::id::{InventoryId, LeadId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealed;

/// Between two messages that staff send a person again.
pub const RESEND_AFTER_MINUTES: i64 = 10;

/// Why a lead is closed without a booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseCause {
    BookedElsewhere,
    NoAnswer,
    NoRoom,
    PriceTooHigh,
    PlansChanged,
    NotGenuine,
    Other,
}

impl CloseCause {
    pub const ALL: [Self; 7] = [
        Self::BookedElsewhere,
        Self::NoAnswer,
        Self::NoRoom,
        Self::PriceTooHigh,
        Self::PlansChanged,
        Self::NotGenuine,
        Self::Other,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::BookedElsewhere => "booked_elsewhere",
            Self::NoAnswer => "no_answer",
            Self::NoRoom => "no_room",
            Self::PriceTooHigh => "price_too_high",
            Self::PlansChanged => "plans_changed",
            Self::NotGenuine => "not_genuine",
            Self::Other => "other",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.key() == key)
    }
}

/// What was done, as the log keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeskAct {
    Closed {
        cause: CloseCause,
    },
    /// It stands again as before it was closed.
    Reopened {
        status: LeadStatus,
    },
    /// The dates of the stay were changed for the student; `LeadWishChanged` says to what.
    StayChanged,
    RoomChanged {
        inventory_id: InventoryId,
    },
    HoldExtended {
        payment_id: PaymentId,
        until: Moment,
    },
    /// A login code went to the address of the enquiry.
    CodeSent,
    /// The message that confirms the enquiry goes out once more.
    EnquirySent,
    /// Finance is asked to give money back; with `ends_booking` to end the booking as well.
    RefundAsked {
        payment_id: PaymentId,
        /// Minor units of the payment's currency; `None`: as much as finance finds right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount_minor: Option<u64>,
        ends_booking: bool,
    },
    /// `ask` is the act that asked.
    RefundAnswered {
        ask: Uuid,
        granted: bool,
    },
    /// The same person sent it twice: the other lead is the one that goes on.
    MarkedDouble {
        of: LeadId,
    },
    /// It was no double after all, and stands again as before.
    UnmarkedDouble {
        status: LeadStatus,
    },
    DoubleJoined {
        lead_id: LeadId,
    },
    DoubleLeft {
        lead_id: LeadId,
    },
    TeamSet {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        team: Option<String>,
    },
}

/// What a member of staff asks of a lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    Close(CloseCause),
    Reopen,
    /// Done already, on this lead or on its form, payment or account: kept with its reason.
    Keep(DeskAct),
    /// The message that confirms the enquiry goes out once more.
    SendEnquiry,
    AskRefund {
        payment_id: PaymentId,
        amount_minor: Option<u64>,
        ends_booking: bool,
    },
    DeclineRefund {
        ask: Uuid,
    },
    SetTeam(Option<String>),
}

/// A deed with who does it and why. The same `act_id` twice is one act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    pub act_id: Uuid,
    pub by: UserId,
    pub deed: Deed,
    /// May be empty where the deed says enough.
    pub why: String,
    pub at: Moment,
}

/// A refund that waits for finance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAsk {
    pub payment_id: PaymentId,
    /// Minor units of the payment's currency.
    pub amount_minor: Option<u64>,
    pub ends_booking: bool,
    pub by: UserId,
    pub at: Moment,
    /// `None` once the person is forgotten.
    pub why: Option<String>,
}

/// The lead that goes on instead of a double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubleOf {
    pub lead_id: LeadId,
    /// The double's edition when it was marked: a later one means that something was added.
    pub edition: u64,
}

/// What staff have made of a lead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Desk {
    /// The status before it was closed here; `None` while it is not closed by an act.
    pub closed_from: Option<LeadStatus>,
    pub double_of: Option<DoubleOf>,
    pub doubles: BTreeSet<LeadId>,
    /// Refunds that finance has not answered, by the act that asked.
    pub asks: BTreeMap<Uuid, RefundAsk>,
    pub team: Option<String>,
    pub acts: BTreeSet<Uuid>,
    pub resent_at: Option<Moment>,
}

impl Lead {
    pub(super) fn act(&self, acting: Acting) -> Result<Vec<LeadEvent>, LeadRejection> {
        if self.desk.acts.contains(&acting.act_id) {
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
                if self.desk.asks.values().any(|ask| ask.payment_id == *payment_id) {
                    return Err(LeadRejection::RefundAskedAlready);
                }
                DeskAct::RefundAsked {
                    payment_id: *payment_id,
                    amount_minor: *amount_minor,
                    ends_booking: *ends_booking,
                }
            }
            Deed::DeclineRefund { ask } => {
                let open = self.desk.asks.contains_key(ask);
                open.then_some(()).ok_or(LeadRejection::NoRefundAsked)?;
                let (ask, granted) = (*ask, false);
                DeskAct::RefundAnswered { ask, granted }
            }
            Deed::SetTeam(team) if *team == self.desk.team => return Ok(vec![]),
            Deed::SetTeam(team) => DeskAct::TeamSet { team: team.clone() },
        };
        Ok(vec![self.acted(
            (acting.act_id, acting.by),
            act,
            acting.why,
            acting.at,
        )])
    }

    /// Finance has given money back: what was asked for this payment is answered.
    pub(super) fn answer_asks(&self, payment_id: PaymentId, by: UserId, at: Moment) -> Vec<LeadEvent> {
        let asks = self
            .desk
            .asks
            .iter()
            .filter(|(_, ask)| ask.payment_id == payment_id);
        asks.map(|(ask, _)| {
            let act = DeskAct::RefundAnswered {
                ask: *ask,
                granted: true,
            };
            self.acted((*ask, by), act, String::new(), at)
        })
        .collect()
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
        let is_double = self.desk.double_of.is_some();
        self.desk
            .closed_from
            .filter(|_| self.status == LeadStatus::Lost && !is_double)
            .ok_or(LeadRejection::NotClosedHere)
    }

    fn may_resend(&self, at: Moment) -> Result<(), LeadRejection> {
        let wait = chrono::TimeDelta::minutes(RESEND_AFTER_MINUTES);
        match self.desk.resent_at {
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
        let (edition, desk) = (self.edition, &mut self.desk);
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
            DeskAct::DoubleJoined { lead_id } => {
                desk.doubles.insert(*lead_id);
            }
            DeskAct::DoubleLeft { lead_id } => {
                desk.doubles.remove(lead_id);
            }
            DeskAct::TeamSet { team } => desk.team.clone_from(team),
            DeskAct::StayChanged
            | DeskAct::RoomChanged { .. }
            | DeskAct::HoldExtended { .. }
            | DeskAct::CodeSent => {}
        }
    }
}

/// Who makes or parts a double, under which act, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joining {
    pub act_id: Uuid,
    pub by: UserId,
    pub why: String,
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
    if double.desk.acts.contains(&how.act_id) {
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
    let is_paired = double.desk.double_of.is_some() || !double.desk.doubles.is_empty();
    if is_paired || kept.desk.double_of.is_some() {
        return Err(LeadRejection::DoubleAlready);
    }
    let on = |lead: &Lead, act| lead.acted((how.act_id, how.by), act, how.why.clone(), how.at);
    Ok((
        vec![on(double, DeskAct::MarkedDouble { of: kept_id })],
        vec![on(kept, DeskAct::DoubleJoined { lead_id: double_id })],
    ))
}

/// Takes the mark back while nothing was added to the double since.
///
/// # Errors
/// Where it is no double of that lead, or has gone on since.
pub fn part((double_id, double): Named, kept: &Lead, how: &Joining) -> Result<OnBoth, LeadRejection> {
    if double.desk.acts.contains(&how.act_id) {
        return Ok((vec![], vec![]));
    }
    let marked = double.desk.double_of.ok_or(LeadRejection::NotADouble)?;
    let status = double.desk.closed_from.unwrap_or_default();
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
