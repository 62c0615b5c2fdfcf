//! One attempt to pay for a room: its steps (X8), its money and its refunds (Spec §4 payment steps, §8, §9; D95–D100).
//!
//! ```text
//! init –begin→ init_loading –intent_ready→ initiated –confirm→ processing –succeeded→ success
//!                  │ intent_failed            │ sold_out       │ declined, delayed, sold_out
//!                  ▼                          ▼                ▼
//!            init_failure –retry→         sold_out        failed –retry→ init_loading;  pending –succeeded, declined→
//! ```
//! Facts of the gateway come in any order and number. A success is heard in every step: where the room is gone it starts the
//! refund of everything that was taken. Nothing leaves `success`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::aggregate;
use crate::aggregate::Decide;
use crate::attribution::DeviceMark;
use crate::id::{HoldId, RefundId};
use crate::moment::Moment;
use crate::sealed::Sealed;

pub mod command;
pub mod consequence;
pub mod decide;
pub mod decline;
pub mod dispute;
pub mod event;
pub mod evidence;
pub mod fee;
mod lease_deposit;
pub mod ledger;
pub mod link;
pub mod link_state;
pub mod price;
pub mod receipt;
pub mod refund;
pub mod terms;

pub use command::{PaymentCommand, PaymentRejection, RefundCommand, RoomOutcome};
pub use event::{
    BookingChoice, Captured, Card, GrantedAsk, MessageKind, PaymentEvent, RefundReason, RequestedBy,
    SoldOutReason,
};

use decline::DeclineCode;
use dispute::{Dispute, DisputeOutcome};
use evidence::Evidence;
use link::PaymentLink;
use refund::{Refund, RefundStatus};
use terms::Terms;

/// The steps of X8, by the names the browser mirrors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    #[default]
    Init,
    InitLoading,
    InitFailure,
    SoldOut,
    Initiated,
    Processing,
    Success,
    Failed,
    Pending,
}

impl PaymentStatus {
    pub const ALL: [Self; 9] = [
        Self::Init,
        Self::InitLoading,
        Self::InitFailure,
        Self::SoldOut,
        Self::Initiated,
        Self::Processing,
        Self::Success,
        Self::Failed,
        Self::Pending,
    ];

    /// The step's name in answers, step tables and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::InitLoading => "init_loading",
            Self::InitFailure => "init_failure",
            Self::SoldOut => "sold_out",
            Self::Initiated => "initiated",
            Self::Processing => "processing",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Pending => "pending",
        }
    }
}

/// A payment as the fold of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The device that it was begun on; `None` once its payer was forgotten.
    #[serde(default)]
    pub device: Option<DeviceMark>,
    /// `None` only where there is no such payment.
    pub terms: Option<Terms>,
    /// The link's secret half; `None` once its payer was forgotten.
    pub token: Option<String>,
    pub status: PaymentStatus,
    pub intent: Option<Intent>,
    pub hold: Option<HeldRoom>,
    /// Where the payer proves who they are (3-D Secure), while `processing`.
    pub next_action: Option<String>,
    pub decline: Option<DeclineCode>,
    /// Why the room was lost, once it was.
    #[serde(default)]
    pub sold_out: Option<SoldOutReason>,
    pub declined_attempts: BTreeSet<String>,
    /// By the gateway's charge id: more than one only where the gateway took twice, and then one goes back.
    pub captures: BTreeMap<String, Captured>,
    pub refunds: BTreeMap<RefundId, Refund>,
    pub disputes: BTreeMap<String, Dispute>,
    /// The evidence against disputes, by their ids.
    #[serde(default)]
    pub evidence: BTreeMap<String, Evidence>,
    pub messages: BTreeSet<MessageKind>,
    pub confirmed_at: Option<Moment>,
    pub succeeded_at: Option<Moment>,
    pub cancelled_at: Option<Moment>,
    /// It was settled by a delayed method, at least once.
    #[serde(default)]
    pub delayed: bool,
    /// Its room went back into the stock.
    #[serde(default)]
    pub room_given_back: bool,
    /// A member of staff ended the booking, with nothing left to give back.
    #[serde(default)]
    pub booking_cancelled: bool,
    /// Where a member of staff made it as a link.
    #[serde(default)]
    pub link: Option<PaymentLink>,
}

/// The gateway's side of this payment: one live intent at most, kept through declines, so that nobody pays twice (E8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    pub id: String,
    pub client_secret: Option<String>,
}

/// The room kept for this payment, as `room_stock` last said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldRoom {
    pub hold_id: HoldId,
    /// `None` while a delayed method settles.
    pub expires_at: Option<Moment>,
}

impl Payment {
    /// Nothing can be paid with it any more, and nothing was.
    pub fn is_over(&self) -> bool {
        self.status == PaymentStatus::SoldOut || self.cancelled_at.is_some()
    }

    /// A room is kept for it at this moment.
    pub fn keeps_room(&self, at: Moment) -> bool {
        let is_held = |hold: HeldRoom| hold.expires_at.is_none_or(|end| at < end);
        !self.is_over() && self.hold.is_some_and(is_held)
    }

    /// What the gateway took.
    pub fn captured_minor(&self) -> u64 {
        self.captures.values().map(|capture| capture.amount_minor).sum()
    }

    /// What went back for good.
    pub fn refunded_minor(&self) -> u64 {
        self.refunds_in(RefundStatus::is_back)
    }

    /// What is on its way back.
    pub fn refund_pending_minor(&self) -> u64 {
        self.refunds_in(|status| matches!(status, RefundStatus::Requested | RefundStatus::Sent))
    }

    /// What banks took back, or keep until they have decided.
    pub fn disputed_minor(&self) -> u64 {
        self.disputes.values().map(Dispute::withheld_minor).sum()
    }

    /// Whether a bank disputes it and has not decided.
    pub fn has_open_dispute(&self) -> bool {
        self.disputes.values().any(|dispute| dispute.outcome.is_none())
    }

    /// What banks took back for good.
    pub fn lost_minor(&self) -> u64 {
        let lost = self.disputes.values();
        lost.filter(|dispute| dispute.outcome == Some(DisputeOutcome::Lost))
            .map(|dispute| dispute.amount_minor)
            .sum()
    }

    /// How many disputes wait for an answer whose deadline is before `end`, or over: their evidence has not gone to the bank.
    pub fn disputes_due_before(&self, end: Moment) -> usize {
        let waits = |id: &String| {
            let evidence = self.evidence.get(id);
            evidence.is_some_and(|evidence| evidence.sent_at.is_none() && evidence.is_late(end))
        };
        let open = self
            .disputes
            .iter()
            .filter(|(_, dispute)| dispute.outcome.is_none());
        open.filter(|(id, _)| waits(id)).count()
    }

    /// captured − refunded − pending − disputed, never below zero (P10).
    pub fn refundable_minor(&self) -> u64 {
        self.captured_minor().saturating_sub(self.away_minor())
    }

    /// What was taken and is no longer ours, or soon will not be.
    fn away_minor(&self) -> u64 {
        self.refunded_minor()
            .saturating_add(self.refund_pending_minor())
            .saturating_add(self.disputed_minor())
    }

    /// Paid once, and all of it went back for good, by refunds or by disputes that were lost.
    pub fn returned_in_full(&self) -> bool {
        let captured = self.captured_minor();
        captured > 0 && self.refunded_minor().saturating_add(self.lost_minor()) >= captured
    }

    /// Whether its room goes back into the stock: staff ended the booking, by itself or by a refund that the gateway has confirmed,
    /// or all money went back and no member of staff said that the booking is kept (decision 0024). What staff decided counts
    /// from when they said it, whatever becomes of that refund and whichever way the rest of the money goes.
    pub fn gives_room_back(&self) -> bool {
        let mut refunds = self.refunds.values();
        let is_confirmed = |refund: &Refund| refund.status.is_back();
        let is_kept = self
            .refunds
            .values()
            .any(|refund| refund.booking == Some(BookingChoice::Keep));
        self.booking_cancelled
            || refunds.any(|refund| refund.booking == Some(BookingChoice::Cancel) && is_confirmed(refund))
            || self.returned_in_full() && !is_kept
    }

    /// The card that paid, or that was last tried with success.
    pub fn card(&self) -> Option<&Card> {
        self.captures.values().find_map(|capture| capture.card.as_ref())
    }

    fn refunds_in(&self, wanted: impl Fn(RefundStatus) -> bool) -> u64 {
        self.refunds
            .values()
            .filter(|refund| wanted(refund.status))
            .map(|refund| refund.amount_minor)
            .sum()
    }

    fn open(&mut self, terms: &Terms, token: &Sealed<event::Secret>) {
        self.terms = Some(terms.clone());
        self.token = token.get().map(|secret| secret.0.clone());
    }

    fn go(&mut self, status: PaymentStatus) {
        self.status = status;
        self.next_action = None;
    }

    fn initiate(&mut self, intent_id: &str, client_secret: Option<String>) {
        self.status = PaymentStatus::Initiated;
        self.intent = Some(Intent {
            id: intent_id.to_owned(),
            client_secret,
        });
    }

    fn lose_room(&mut self) {
        self.go(PaymentStatus::SoldOut);
        self.hold = None;
    }

    /// The mark that version 3 of the event has in its payload goes with its payer, as the token does.
    fn start_on(&mut self, device: Option<DeviceMark>) {
        self.device = device.filter(|_| self.token.is_some());
        self.start();
    }

    fn start(&mut self) {
        self.go(PaymentStatus::InitLoading);
        self.decline = None;
        // Noted anew once `room_stock` has answered: news of an older hold must not reach this attempt.
        self.hold = None;
    }

    /// An intent that was cancelled takes no card any more: the next try makes another one.
    fn turn_down(&mut self, attempt_id: &str, code: DeclineCode) {
        self.go(PaymentStatus::Failed);
        self.decline = Some(code);
        self.declined_attempts.insert(attempt_id.to_owned());
        let cancelled = decline::read_cancelled(attempt_id);
        self.intent = self.intent.take().filter(|intent| cancelled != Some(&*intent.id));
    }

    fn capture(&mut self, capture: &Captured) {
        self.next_action = None;
        self.decline = None;
        self.captures.insert(capture.charge_id.clone(), capture.clone());
    }
}

impl Decide for Payment {
    const KIND: &'static str = "payment";
    type Command = PaymentCommand;
    type Event = PaymentEvent;
    type Rejection = PaymentRejection;

    fn decide(&self, command: PaymentCommand) -> Result<Vec<PaymentEvent>, PaymentRejection> {
        decide::decide(self, command)
    }

    fn evolve(&mut self, event: &PaymentEvent) {
        match event {
            PaymentEvent::PaymentOpened { terms, token } => self.open(terms, token),
            PaymentEvent::PaymentLinkMade { at, words, .. } => {
                self.link = Some(PaymentLink::made(*at, words));
            }
            PaymentEvent::PaymentBegun { device, .. } => self.start_on(*device),
            PaymentEvent::PaymentRetried { .. } => self.start(),
            PaymentEvent::PaymentHoldNoted { hold_id, expires_at } => {
                self.hold = Some(HeldRoom {
                    hold_id: *hold_id,
                    expires_at: *expires_at,
                });
            }
            PaymentEvent::IntentReady {
                intent_id,
                client_secret,
                ..
            } => self.initiate(intent_id, client_secret.get().map(|secret| secret.0.clone())),
            PaymentEvent::IntentFailed { .. } => self.status = PaymentStatus::InitFailure,
            PaymentEvent::PaymentSoldOut { reason } => {
                self.lose_room();
                self.sold_out = Some(*reason);
            }
            PaymentEvent::PaymentConfirmed { at } => {
                self.go(PaymentStatus::Processing);
                self.confirmed_at = Some(*at);
            }
            PaymentEvent::PaymentActionRequired { url } => self.next_action = Some(url.clone()),
            PaymentEvent::PaymentSucceeded { capture, at } => {
                self.status = PaymentStatus::Success;
                self.succeeded_at = Some(*at);
                self.capture(capture);
            }
            PaymentEvent::PaymentCapturedWithoutRoom { capture, .. } => {
                self.lose_room();
                self.capture(capture);
            }
            PaymentEvent::PaymentCapturedAgain { capture, .. } => self.capture(capture),
            PaymentEvent::PaymentDeclined { attempt_id, code } => self.turn_down(attempt_id, *code),
            PaymentEvent::PaymentDelayed {} => {
                self.delayed = true;
                self.go(PaymentStatus::Pending);
            }
            PaymentEvent::PaymentCancelled { at } => {
                (self.cancelled_at, self.hold) = (Some(*at), None);
            }
            PaymentEvent::RefundRequested { .. }
            | PaymentEvent::RefundSent { .. }
            | PaymentEvent::RefundAcknowledged { .. }
            | PaymentEvent::RefundFailed { .. }
            | PaymentEvent::RefundPaidElsewhere { .. }
            | PaymentEvent::RefundMessageSent { .. }
            | PaymentEvent::PaymentMessageRefused {
                refund_id: Some(_), ..
            } => refund::evolve(&mut self.refunds, event),
            PaymentEvent::DisputeOpened { .. } | PaymentEvent::DisputeClosed { .. } => {
                dispute::evolve(&mut self.disputes, event);
            }
            PaymentEvent::DisputeEvidenceNoted { .. } => dispute::evolve_evidence(&mut self.evidence, event),
            PaymentEvent::PaymentMessageSent { kind } | PaymentEvent::PaymentMessageRefused { kind, .. } => {
                self.messages.insert(*kind);
            }
            PaymentEvent::PaymentRoomGivenBack { .. } => self.room_given_back = true,
            PaymentEvent::PaymentBookingCancelled { .. } => self.booking_cancelled = true,
        }
    }
}

aggregate!(Payment);

#[cfg(test)]
mod breakdown;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod money_rules;
#[cfg(test)]
mod postings;
#[cfg(test)]
mod refunding;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod standing;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod story;
#[cfg(test)]
mod undone;
#[cfg(test)]
pub(crate) use story::terms as sample_terms;
