//! One person sent by another: `PENDING` when the referred lead is created, `COMPLETED` with its first payment (D123).

use serde::{Deserialize, Serialize};

use crate::aggregate::Decide;
use crate::id::{LeadId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealable;

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
        at: Moment,
    },
    /// A review found one person.
    Refuse { by: UserId, at: Moment },
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
        at: Moment,
    },
    /// Held for review after it was opened: both are reached by the same since, or were found to be.
    HeldLater {
        shared: SharedContact,
        at: Moment,
    },
    /// A member of staff has reviewed it: it stands like any other.
    Accepted {
        by: UserId,
        at: Moment,
    },
    /// A member of staff has reviewed it: it never completes.
    Refused {
        by: UserId,
        at: Moment,
    },
}

crate::event_names!(ReferralEvent {
    Opened => "ReferralOpened" 1,
    Held => "ReferralHeld" 1,
    HeldLater => "ReferralHeldLater" 1,
    Completed => "ReferralCompleted" 1,
    Accepted => "ReferralAccepted" 1,
    Refused => "ReferralRefused" 1,
});

impl Sealable for ReferralEvent {}

/// Why a referral turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferralRejection {
    #[error("nobody can refer themselves")]
    SelfReferral,
    #[error("there is no such referral")]
    Unknown,
    #[error("the referral is not held for review")]
    NotHeld,
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
}

impl ReferralCommand {
    /// The first payment; what both are reached by is looked for when it is carried out.
    pub const fn complete(payment_id: PaymentId, at: Moment) -> Self {
        Self::Complete {
            payment_id,
            shared: None,
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
            (
                None,
                ReferralCommand::Open {
                    code,
                    referrer,
                    referred,
                    lead_id,
                    shared,
                    at,
                },
            ) => Ok(vec![match shared {
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
            }]),
            (None, _) => Err(ReferralRejection::Unknown),
            (
                Some(ReferralStatus::Pending),
                ReferralCommand::Complete {
                    payment_id,
                    shared,
                    at,
                },
            ) => {
                let held = self.hold(shared, at);
                Ok(vec![held.unwrap_or(ReferralEvent::Completed { payment_id, at })])
            }
            (Some(_), ReferralCommand::Compare { shared, at }) => {
                Ok(self.hold(shared, at).into_iter().collect())
            }
            (Some(ReferralStatus::Held), ReferralCommand::Accept { by, paid_by, at }) => {
                let accepted = [ReferralEvent::Accepted { by, at }];
                let completed = paid_by.map(|payment_id| ReferralEvent::Completed { payment_id, at });
                Ok(accepted.into_iter().chain(completed).collect())
            }
            (Some(ReferralStatus::Held), ReferralCommand::Refuse { by, at }) => {
                Ok(vec![ReferralEvent::Refused { by, at }])
            }
            (Some(_), ReferralCommand::Accept { .. } | ReferralCommand::Refuse { .. }) => {
                Err(ReferralRejection::NotHeld)
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
            ReferralEvent::Completed { .. } => self.status = Some(ReferralStatus::Completed),
            ReferralEvent::Accepted { .. } => {
                (self.status, self.accepted) = (Some(ReferralStatus::Pending), true);
            }
            ReferralEvent::Refused { .. } => self.status = Some(ReferralStatus::Refused),
        }
    }
}

crate::aggregate!(Referral);

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use cqrs_es::test::TestFramework;
    use uuid::Uuid;

    use super::*;
    use crate::sample::assert_kept;

    fn at() -> Moment {
        DateTime::from_timestamp(1_795_000_000, 0).unwrap()
    }

    fn user(n: u128) -> UserId {
        UserId(Uuid::from_u128(n))
    }

    fn open(referrer: UserId) -> ReferralCommand {
        let (referrer, lead_id) = (Some(referrer), LeadId(Uuid::from_u128(3)));
        ReferralCommand::Open {
            code: "MEI7Q".into(),
            referrer,
            referred: user(2),
            lead_id,
            shared: None,
            at: at(),
        }
    }

    fn opened() -> ReferralEvent {
        let (referrer, lead_id) = (Some(user(1)), LeadId(Uuid::from_u128(3)));
        ReferralEvent::Opened {
            code: "MEI7Q".into(),
            referrer,
            referred: user(2),
            lead_id,
            at: at(),
        }
    }

    #[test]
    fn nobody_refers_themselves() {
        TestFramework::<Referral>::with(())
            .given_no_previous_events()
            .when(open(user(2)))
            .then_expect_error(ReferralRejection::SelfReferral);
    }

    fn held() -> ReferralEvent {
        ReferralEvent::Held {
            code: "MEI7Q".into(),
            referrer: Some(user(1)),
            referred: user(2),
            lead_id: LeadId(Uuid::from_u128(3)),
            shared: SharedContact::Inbox,
            at: at(),
        }
    }

    #[test]
    fn an_accepted_referral_completes_with_its_payment() {
        let payment_id = PaymentId(Uuid::from_u128(4));
        let accepted = ReferralEvent::Accepted {
            by: user(5),
            at: at(),
        };
        let completed = ReferralEvent::Completed { payment_id, at: at() };
        let accept = |paid_by| ReferralCommand::Accept {
            by: user(5),
            paid_by,
            at: at(),
        };
        TestFramework::<Referral>::with(())
            .given(vec![held()])
            .when(accept(Some(payment_id)))
            .then_expect_events(vec![accepted.clone(), completed.clone()]);
        TestFramework::<Referral>::with(())
            .given(vec![held(), accepted.clone()])
            .when(ReferralCommand::Complete {
                payment_id,
                shared: None,
                at: at(),
            })
            .then_expect_events(vec![completed]);
        TestFramework::<Referral>::with(())
            .given(vec![opened()])
            .when(accept(None))
            .then_expect_error(ReferralRejection::NotHeld);
        assert_kept::<Referral>(&[accepted]);
    }

    #[test]
    fn a_refused_referral_never_completes() {
        let payment_id = PaymentId(Uuid::from_u128(4));
        let refused = ReferralEvent::Refused {
            by: user(5),
            at: at(),
        };
        TestFramework::<Referral>::with(())
            .given(vec![held()])
            .when(ReferralCommand::Refuse {
                by: user(5),
                at: at(),
            })
            .then_expect_events(vec![refused.clone()]);
        TestFramework::<Referral>::with(())
            .given(vec![held(), refused.clone()])
            .when(ReferralCommand::Complete {
                payment_id,
                shared: None,
                at: at(),
            })
            .then_expect_events(vec![]);
        assert_kept::<Referral>(&[refused]);
    }

    #[test]
    fn a_held_referral_does_not_complete() {
        let payment_id = PaymentId(Uuid::from_u128(4));
        TestFramework::<Referral>::with(())
            .given(vec![held()])
            .when(ReferralCommand::Complete {
                payment_id,
                shared: None,
                at: at(),
            })
            .then_expect_events(vec![]);
        assert_kept::<Referral>(&[held()]);
    }

    /// Contacts are compared again when they change and when the booking is paid; what a review accepted stays.
    #[test]
    fn shared_contact_found_later_holds_the_referral() {
        let (payment_id, shared) = (PaymentId(Uuid::from_u128(4)), SharedContact::Phone);
        let complete = |shared| ReferralCommand::Complete {
            payment_id,
            shared,
            at: at(),
        };
        let compare = |shared| ReferralCommand::Compare { shared, at: at() };
        let held_later = ReferralEvent::HeldLater { shared, at: at() };
        for found in [compare(Some(shared)), complete(Some(shared))] {
            TestFramework::<Referral>::with(())
                .given(vec![opened()])
                .when(found)
                .then_expect_events(vec![held_later.clone()]);
        }
        TestFramework::<Referral>::with(())
            .given(vec![opened()])
            .when(compare(None))
            .then_expect_events(vec![]);
        TestFramework::<Referral>::with(())
            .given(vec![opened(), held_later.clone()])
            .when(complete(None))
            .then_expect_events(vec![]);
        let accepted = ReferralEvent::Accepted {
            by: user(5),
            at: at(),
        };
        TestFramework::<Referral>::with(())
            .given(vec![opened(), held_later.clone(), accepted])
            .when(complete(Some(shared)))
            .then_expect_events(vec![ReferralEvent::Completed { payment_id, at: at() }]);
        assert_kept::<Referral>(&[held_later]);
    }

    #[test]
    fn a_referral_completes_once() {
        let payment_id = PaymentId(Uuid::from_u128(4));
        let complete = ReferralCommand::Complete {
            payment_id,
            shared: None,
            at: at(),
        };
        let completed = ReferralEvent::Completed { payment_id, at: at() };
        TestFramework::<Referral>::with(())
            .given(vec![opened()])
            .when(complete.clone())
            .then_expect_events(vec![completed.clone()]);
        TestFramework::<Referral>::with(())
            .given(vec![opened(), completed.clone()])
            .when(complete)
            .then_expect_events(vec![]);
        assert_kept::<Referral>(&[opened(), completed]);
    }
}
