//! One person sent by another: `PENDING` when the referred lead is created, `COMPLETED` with its first payment (D123).

use serde::{Deserialize, Serialize};

use crate::aggregate::Decide;
use crate::id::{LeadId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealable;
use crate::shape::as_it_is;

pub mod reward;

pub use reward::{Earned, Reward};

/// Spec §3: PENDING, COMPLETED.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ReferralStatus {
    Pending,
    Completed,
    /// Both may be one person: a reward waits for a review.
    Held,
    /// A review found that both are one person.
    Refused,
}

/// What referrer and referred share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedContact {
    /// The same inbox, under any spelling: `+alias`, dots, googlemail.
    Inbox,
    Phone,
}

/// What a caller may ask of a referral.
#[derive(Debug, Clone)]
pub enum ReferralCommand {
    Open {
        code: String,
        referrer: Option<UserId>,
        referred: UserId,
        lead_id: LeadId,
        /// What both are reached by; such a referral is held.
        shared: Option<SharedContact>,
        at: Moment,
    },
    /// The first payment; held all the same where both are reached by the same by now.
    Complete {
        payment_id: PaymentId,
        shared: Option<SharedContact>,
        /// What the referrer earns with it; `None` where the house pays none.
        reward: Option<Reward>,
        at: Moment,
    },
    /// The referred person wrote another address or number.
    Compare {
        shared: Option<SharedContact>,
        at: Moment,
    },
    /// A review found two people. A booking that was paid meanwhile completes the referral.
    Accept {
        by: UserId,
        paid_by: Option<PaymentId>,
        reward: Option<Reward>,
        at: Moment,
    },
    /// A review found one person.
    Refuse { by: UserId, at: Moment },
    /// Finance has paid the reward to the referrer.
    PayReward { by: UserId, at: Moment },
    /// The booking that earned the reward has ended, and its money went back.
    ReverseReward { payment_id: PaymentId, at: Moment },
}

/// What happened to a referral.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferralEvent {
    Opened {
        code: String,
        referrer: Option<UserId>,
        referred: UserId,
        lead_id: LeadId,
        at: Moment,
    },
    /// Opened, and held for review: it does not complete by itself.
    Held {
        code: String,
        referrer: Option<UserId>,
        referred: UserId,
        lead_id: LeadId,
        shared: SharedContact,
        at: Moment,
    },
    Completed {
        payment_id: PaymentId,
        /// What the referrer earned. Unsaid in events of version 1, which earned nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reward: Option<Reward>,
        at: Moment,
    },
    /// The reward went to the referrer's account at their bank.
    RewardPaid { reward: Reward, by: UserId, at: Moment },
    /// The booking that earned it was refunded: what is not paid out is owed no more, what was paid is owed back.
    RewardReversed { reward: Reward, at: Moment },
    /// Held for review after it was opened: both are reached by the same since, or were found to be.
    HeldLater { shared: SharedContact, at: Moment },
    /// A member of staff has reviewed it: it stands like any other.
    Accepted { by: UserId, at: Moment },
    /// A member of staff has reviewed it: it never completes.
    Refused { by: UserId, at: Moment },
}

crate::event_names!(ReferralEvent {
    Opened => "ReferralOpened" 1,
    Held => "ReferralHeld" 1,
    HeldLater => "ReferralHeldLater" 1,
    Completed => "ReferralCompleted" 2,
    RewardPaid => "ReferralRewardPaid" 1,
    RewardReversed => "ReferralRewardReversed" 1,
    Accepted => "ReferralAccepted" 1,
    Refused => "ReferralRefused" 1,
} upcasts {
    "ReferralCompleted" 1 => "ReferralCompleted" 2: as_it_is,
});

impl Sealable for ReferralEvent {}

/// Why a referral turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferralRejection {
    #[error("people cannot refer themselves")]
    SelfReferral,
    #[error("there is no such referral")]
    Unknown,
    #[error("the referral is not held for review")]
    NotHeld,
    #[error("the referral has no reward to pay")]
    NoReward,
    #[error("the reward is due on {0}")]
    NotDue(chrono::NaiveDate),
}

/// A referral as its events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referral {
    pub status: Option<ReferralStatus>,
    pub lead_id: Option<LeadId>,
    /// Whose code it was.
    #[serde(default)]
    pub referrer: Option<UserId>,
    /// A member of staff has found two people, for good.
    #[serde(default)]
    pub accepted: bool,
    /// What the referrer earned, and what became of it.
    #[serde(default)]
    pub earned: Option<Earned>,
}

impl ReferralCommand {
    /// The first payment; what both are reached by is looked for when it is carried out.
    pub const fn complete(payment_id: PaymentId, at: Moment) -> Self {
        Self::Complete {
            payment_id,
            shared: None,
            reward: None,
            at,
        }
    }
}

impl Referral {
    /// Whose contact the referred person's is compared with: of a referral that waits for its payment and was not reviewed.
    pub fn compared_with(&self) -> Option<UserId> {
        let waits = self.status == Some(ReferralStatus::Pending) && !self.accepted;
        self.referrer.filter(|_| waits)
    }

    /// What a contact that both are reached by does.
    fn hold(&self, shared: Option<SharedContact>, at: Moment) -> Option<ReferralEvent> {
        let shared = shared.filter(|_| self.compared_with().is_some())?;
        Some(ReferralEvent::HeldLater { shared, at })
    }
}

/// The first event: held for review where both are reached by the same.
fn opened(command: ReferralCommand) -> Option<ReferralEvent> {
    let ReferralCommand::Open {
        code,
        referrer,
        referred,
        lead_id,
        shared,
        at,
    } = command
    else {
        return None;
    };
    Some(match shared {
        None => ReferralEvent::Opened {
            code,
            referrer,
            referred,
            lead_id,
            at,
        },
        Some(shared) => ReferralEvent::Held {
            code,
            referrer,
            referred,
            lead_id,
            shared,
            at,
        },
    })
}

impl Decide for Referral {
    const KIND: &'static str = "referral";
    type Command = ReferralCommand;
    type Event = ReferralEvent;
    type Rejection = ReferralRejection;

    fn decide(&self, command: ReferralCommand) -> Result<Vec<ReferralEvent>, ReferralRejection> {
        match (self.status, command) {
            (
                None,
                ReferralCommand::Open {
                    referrer, referred, ..
                },
            ) if referrer == Some(referred) => Err(ReferralRejection::SelfReferral),
            (None, open @ ReferralCommand::Open { .. }) => Ok(opened(open).into_iter().collect()),
            (None, _) => Err(ReferralRejection::Unknown),
            (
                Some(ReferralStatus::Pending),
                ReferralCommand::Complete {
                    payment_id,
                    shared,
                    reward,
                    at,
                },
            ) => {
                let held = self.hold(shared, at);
                Ok(vec![held.unwrap_or(self.completed(payment_id, reward, at))])
            }
            (Some(_), ReferralCommand::Compare { shared, at }) => {
                Ok(self.hold(shared, at).into_iter().collect())
            }
            (
                Some(ReferralStatus::Held),
                ReferralCommand::Accept {
                    by,
                    paid_by,
                    reward,
                    at,
                },
            ) => {
                let accepted = [ReferralEvent::Accepted { by, at }];
                let completed = paid_by.map(|payment_id| self.completed(payment_id, reward, at));
                Ok(accepted.into_iter().chain(completed).collect())
            }
            (Some(ReferralStatus::Held), ReferralCommand::Refuse { by, at }) => {
                Ok(vec![ReferralEvent::Refused { by, at }])
            }
            (Some(_), ReferralCommand::Accept { .. } | ReferralCommand::Refuse { .. }) => {
                Err(ReferralRejection::NotHeld)
            }
            (Some(_), ReferralCommand::PayReward { by, at }) => self.pay_reward(by, at),
            (Some(_), ReferralCommand::ReverseReward { payment_id, at }) => {
                Ok(self.reverse_reward(payment_id, at).into_iter().collect())
            }
            (Some(_), ReferralCommand::Open { .. } | ReferralCommand::Complete { .. }) => Ok(vec![]),
        }
    }

    fn evolve(&mut self, event: &ReferralEvent) {
        match event {
            ReferralEvent::Opened {
                lead_id, referrer, ..
            } => {
                self.status = Some(ReferralStatus::Pending);
                (self.lead_id, self.referrer) = (Some(*lead_id), *referrer);
            }
            ReferralEvent::Held {
                lead_id, referrer, ..
            } => {
                self.status = Some(ReferralStatus::Held);
                (self.lead_id, self.referrer) = (Some(*lead_id), *referrer);
            }
            ReferralEvent::HeldLater { .. } => self.status = Some(ReferralStatus::Held),
            ReferralEvent::Completed {
                payment_id, reward, ..
            } => {
                self.status = Some(ReferralStatus::Completed);
                self.earned = reward.map(|reward| Earned::with(*payment_id, reward));
            }
            ReferralEvent::RewardPaid { .. } => {
                if let Some(earned) = &mut self.earned {
                    earned.paid = true;
                }
            }
            ReferralEvent::RewardReversed { .. } => {
                if let Some(earned) = &mut self.earned {
                    earned.reversed = true;
                }
            }
            ReferralEvent::Accepted { .. } => {
                (self.status, self.accepted) = (Some(ReferralStatus::Pending), true);
            }
            ReferralEvent::Refused { .. } => self.status = Some(ReferralStatus::Refused),
        }
    }
}

crate::aggregate!(Referral);

#[cfg(test)]
mod tests;
