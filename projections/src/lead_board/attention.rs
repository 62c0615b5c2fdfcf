//! What a lead needs a member of staff for: an answer, a hold that ends, a declined or pending payment, a dispute. The order of the reasons
//! is the rule of urgency (D138): lists, counts and alarms read it here.

use chrono::{DateTime, TimeDelta, Utc};
use domain::payment::PaymentEvent;
use domain::referral::ReferralEvent;
use tables::Statement;

use super::query::BoardRow;
use super::rows::LeadRow;

/// A reason to look at a lead, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// A room is held for it, and the hold runs out unless it is paid.
    HoldEnding,
    /// A bank has taken money back until a dispute is decided.
    Disputed,
    /// The enquiry has no answer, and the time for one is over.
    Late,
    /// The enquiry has no answer.
    Unanswered,
    /// The last attempt to pay was declined.
    Declined,
    /// A delayed method has not settled.
    Pending,
    /// Referrer and referred may be one person: a review decides (decision 0028).
    ReferralHeld,
}

/// The moment of a look at the list, and how long an enquiry may wait for its answer.
#[derive(Debug, Clone, Copy)]
pub struct DeskTime {
    pub at: DateTime<Utc>,
    pub answer_within: TimeDelta,
}

impl Default for DeskTime {
    fn default() -> Self {
        Self {
            at: DateTime::UNIX_EPOCH,
            answer_within: TimeDelta::hours(24),
        }
    }
}

impl DeskTime {
    /// Enquiries from before this moment are late, as `created_at` is written.
    pub fn late_before(&self) -> String {
        (self.at - self.answer_within).to_rfc3339()
    }
}

/// A lead without an answer (`crate::answers`) that is still to get one. Booked and closed leads wait for nothing.
pub(super) const WAITS: &str = "answered = 0 and status not in ('booked', 'completed', 'cancelled', 'lost')";

impl Attention {
    pub const ALL: [Self; 7] = [
        Self::HoldEnding,
        Self::Disputed,
        Self::Late,
        Self::Unanswered,
        Self::Declined,
        Self::Pending,
        Self::ReferralHeld,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::HoldEnding => "hold_ending",
            Self::Disputed => "disputed",
            Self::Late => "late",
            Self::Unanswered => "unanswered",
            Self::Declined => "declined",
            Self::Pending => "pending",
            Self::ReferralHeld => "referral_held",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.key() == key)
    }

    /// Whether a lead has this reason at a moment.
    pub fn is_of(self, row: &BoardRow, time: &DeskTime) -> bool {
        let payment = |state: &str| row.payment_state.as_deref() == Some(state);
        match self {
            Self::HoldEnding => row
                .hold_until
                .is_some_and(|ends| ends > time.at.timestamp_millis()),
            Self::Disputed => payment(DISPUTED),
            Self::Late => row.waits() && row.created_at < time.late_before(),
            Self::Unanswered => row.waits(),
            Self::Declined => payment(DECLINED),
            Self::Pending => payment(PENDING),
            Self::ReferralHeld => row.referral.is_some(),
        }
    }

    /// Adds the condition of `is_of` in SQL.
    pub(super) fn push(self, query: &mut Statement, time: &DeskTime) {
        match self {
            Self::HoldEnding => {
                query.push("hold_until > ").push_bind(time.at.timestamp_millis());
            }
            Self::Disputed => {
                query.push("payment_state = ").push_bind(DISPUTED);
            }
            Self::Late => {
                query.push(WAITS);
                query.push(" and created_at < ").push_bind(time.late_before());
            }
            Self::Unanswered => {
                query.push(WAITS);
            }
            Self::Declined => {
                query.push("payment_state = ").push_bind(DECLINED);
            }
            Self::Pending => {
                query.push("payment_state = ").push_bind(PENDING);
            }
            Self::ReferralHeld => {
                query.push("referral is not null");
            }
        }
    }

    /// Adds the order of a list: by the most urgent reason, then by what is due first, then the latest event first.
    pub(super) fn push_order(query: &mut Statement, time: &DeskTime) {
        query.push(" order by case");
        for (rank, reason) in Self::ALL.into_iter().enumerate() {
            query.push(" when ");
            reason.push(query, time);
            query.push(&format!(" then {rank}"));
        }
        query.push(&format!(" else {} end, case when ", Self::ALL.len()));
        Self::HoldEnding.push(query, time);
        query.push(" then hold_until end nulls last, case when ");
        query.push(WAITS);
        query.push(" then created_at end nulls last, position desc");
    }
}

const DISPUTED: &str = "disputed";
const DECLINED: &str = "declined";
const PENDING: &str = "pending";
const HELD: &str = "held";

impl LeadRow {
    /// Takes in what happened to this lead's referral.
    pub(super) fn take_referral(&mut self, event: &ReferralEvent) {
        let is_held = matches!(
            event,
            ReferralEvent::Held { .. } | ReferralEvent::HeldLater { .. }
        );
        self.referral = is_held.then(|| HELD.to_owned());
    }

    /// Takes in what happened to a payment of this lead. A dispute is over when it is closed, whatever else happens.
    /// `at`: when it was recorded, in milliseconds since 1970.
    pub(super) fn take_payment(&mut self, event: &PaymentEvent, at: i64) {
        use PaymentEvent as E;
        let state = match event {
            E::PaymentDeclined { .. } => Some(DECLINED),
            // A room is kept for as long as a delayed method takes (P8).
            E::PaymentDelayed {} => {
                self.hold_until = None;
                Some(PENDING)
            }
            E::DisputeOpened { .. } => Some(DISPUTED),
            E::DisputeClosed { .. } => {
                self.payment_state = None;
                self.payment_state_at = Some(at);
                return;
            }
            E::PaymentHoldNoted { expires_at, .. } => {
                // The hold may be noted after the delayed method began to settle.
                if self.payment_state.as_deref() != Some(PENDING) {
                    self.hold_until = expires_at.map(|ends| ends.timestamp_millis());
                }
                return;
            }
            E::PaymentBegun { .. } | E::PaymentRetried { .. } => None,
            E::PaymentSucceeded { .. }
            | E::PaymentCapturedWithoutRoom { .. }
            | E::PaymentCapturedAgain { .. }
            | E::PaymentSoldOut { .. }
            | E::PaymentCancelled { .. } => {
                self.hold_until = None;
                None
            }
            _ => return,
        };
        if self.payment_state.as_deref() != Some(DISPUTED) {
            self.payment_state = state.map(str::to_owned);
            self.payment_state_at = Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::id::HoldId;
    use domain::moment::Moment;

    use super::*;

    /// The two events are written by different workers, so either comes first.
    #[test]
    fn delayed_payment_shows_no_hold_in_either_order() {
        let noted = || PaymentEvent::PaymentHoldNoted {
            hold_id: HoldId(uuid::Uuid::nil()),
            expires_at: Some(Moment::default()),
        };
        for events in [
            [noted(), PaymentEvent::PaymentDelayed {}],
            [PaymentEvent::PaymentDelayed {}, noted()],
        ] {
            let mut row = LeadRow::default();
            for event in &events {
                row.take_payment(event, 0);
            }
            assert_eq!(
                (row.hold_until, row.payment_state.as_deref()),
                (None, Some(PENDING))
            );
        }
    }
}
