//! What one member of staff asks for and another decides: refunds above a role's limit, and corrections of the books. Both steps are
//! events; who asked cannot decide.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::aggregate::Decide;
use crate::id::{PaymentId, UserId};
use crate::moment::Moment;
use crate::money::Currency;
use crate::payment::event::{BookingChoice, GrantedAsk};
use crate::payment::ledger::Account;
use crate::sealed::{Sealable, Sealed};
use crate::shape::as_it_is;
use crate::{aggregate, event_names};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Money back that is more than the asker may give alone. The refund gets the approval's own id.
    Refund {
        payment_id: PaymentId,
        amount_minor: u64,
        currency: Currency,
        booking: BookingChoice,
        /// The colleague's request that it grants. Unsaid in older events.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ask: Option<GrantedAsk>,
    },
    /// One posting that mends an exception of the reconciliation.
    Correction {
        debit: Account,
        credit: Account,
        amount_minor: u64,
        currency: Currency,
        /// The exception it mends, e.g. `fee_differs:txn_1`.
        item: String,
    },
}

impl Asked {
    /// The word that travels.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Refund { .. } => "refund",
            Self::Correction { .. } => "correction",
        }
    }
}

/// How a request was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approved,
    Declined,
}

impl Decision {
    /// The word that travels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Declined => "declined",
        }
    }
}

/// A request as the fold of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    pub asked: Option<Request>,
    /// How, by whom and when.
    pub decided: Option<(Decision, UserId, Moment)>,
    /// Why it was decided so, in words of who did; approvals of before version 2 say no reason.
    pub because: Option<String>,
}

/// Who asked for what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub what: Asked,
    /// Under whose key the words are sealed.
    pub subject: UserId,
    pub by: UserId,
    pub at: Moment,
    /// Why, in words of the asker.
    pub reason: Option<String>,
}

/// What may be asked of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalCommand {
    Ask(Box<Request>),
    Approve {
        /// May be left out.
        reason: Option<String>,
        by: UserId,
        at: Moment,
    },
    Decline {
        reason: String,
        by: UserId,
        at: Moment,
    },
}

/// What happened to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ApprovalEvent {
    Asked {
        what: Asked,
        subject: UserId,
        by: UserId,
        at: Moment,
        #[serde(skip)]
        reason: Sealed<String>,
    },
    /// Says once more what was asked: a correction is posted by this event.
    Approved {
        what: Asked,
        /// Whose key seals the reason. Unsaid, as the reason, in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subject: Option<UserId>,
        by: UserId,
        at: Moment,
        #[serde(skip)]
        reason: Sealed<String>,
    },
    Declined {
        what: Asked,
        subject: UserId,
        by: UserId,
        at: Moment,
        #[serde(skip)]
        reason: Sealed<String>,
    },
}

event_names!(ApprovalEvent {
    Asked => "ApprovalAsked" 2,
    Approved => "ApprovalGiven" 3,
    Declined => "ApprovalDeclined" 2,
} upcasts {
    "ApprovalAsked" 1 => "ApprovalAsked" 2: as_it_is,
    "ApprovalGiven" 1 => "ApprovalGiven" 2: as_it_is,
    "ApprovalGiven" 2 => "ApprovalGiven" 3: as_it_is,
    "ApprovalDeclined" 1 => "ApprovalDeclined" 2: as_it_is,
});

impl Sealable for ApprovalEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Asked { subject, .. } | Self::Declined { subject, .. } => Some(*subject),
            Self::Approved { subject, .. } => *subject,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Asked { reason, .. } | Self::Declined { reason, .. } | Self::Approved { reason, .. } => {
                reason.to_json()
            }
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        match self {
            Self::Asked { reason, .. } | Self::Declined { reason, .. } | Self::Approved { reason, .. } => {
                reason.reveal(plain);
            }
        }
    }
}

/// Why a request or a decision is turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ApprovalRejection {
    #[error("there is no such request")]
    Unknown,
    #[error("who asked cannot decide")]
    OwnRequest,
    #[error("this request was decided already")]
    Decided,
    #[error("this request was made in another way before")]
    Reused,
    #[error("a request needs an amount above zero and two accounts")]
    Empty,
}

impl ApprovalRejection {
    /// The code programs read (X4).
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unknown => "approval_unknown",
            Self::OwnRequest => "approval_own_request",
            Self::Decided => "approval_decided",
            Self::Reused => "approval_reused",
            Self::Empty => "approval_empty",
        }
    }
}

impl Decide for Approval {
    const KIND: &'static str = "approval";
    type Command = ApprovalCommand;
    type Event = ApprovalEvent;
    type Rejection = ApprovalRejection;

    fn decide(&self, command: ApprovalCommand) -> Result<Vec<ApprovalEvent>, ApprovalRejection> {
        match command {
            ApprovalCommand::Ask(request) => self.ask(*request),
            ApprovalCommand::Approve { reason, by, at } => {
                let is_new = self.may_decide(Decision::Approved, by)?;
                let seal = self.asked.as_ref().map(|request| request.subject);
                let approved = |what| ApprovalEvent::Approved {
                    what,
                    subject: seal.filter(|_| reason.is_some()),
                    by,
                    at,
                    reason: Sealed(reason.clone()),
                };
                Ok(is_new.map(approved).into_iter().collect())
            }
            ApprovalCommand::Decline { reason, by, at } => {
                let is_new = self.may_decide(Decision::Declined, by)?;
                let subject = self.asked.as_ref().map_or(by, |request| request.subject);
                let declined = |what| ApprovalEvent::Declined {
                    what,
                    subject,
                    by,
                    at,
                    reason: Sealed::new(reason.clone()),
                };
                Ok(is_new.map(declined).into_iter().collect())
            }
        }
    }

    fn evolve(&mut self, event: &ApprovalEvent) {
        match event {
            ApprovalEvent::Asked {
                what,
                subject,
                by,
                at,
                reason,
            } => {
                self.decided = None;
                self.because = None;
                self.asked = Some(Request {
                    what: what.clone(),
                    subject: *subject,
                    by: *by,
                    at: *at,
                    reason: reason.get().cloned(),
                });
            }
            ApprovalEvent::Approved { by, at, reason, .. } => {
                self.decided = Some((Decision::Approved, *by, *at));
                self.because = reason.get().cloned();
            }
            ApprovalEvent::Declined { by, at, reason, .. } => {
                self.decided = Some((Decision::Declined, *by, *at));
                self.because = reason.get().cloned();
            }
        }
    }
}

impl Approval {
    fn ask(&self, request: Request) -> Result<Vec<ApprovalEvent>, ApprovalRejection> {
        // A correction has the id of its exception, so that two people ask for it once; after a refusal it may be asked for again.
        let is_correction = matches!(request.what, Asked::Correction { .. });
        let is_open_again = is_correction && matches!(self.decided, Some((Decision::Declined, ..)));
        if let Some(known) = self.asked.as_ref().filter(|_| !is_open_again) {
            let is_same = known.what == request.what;
            return if is_same {
                Ok(vec![])
            } else {
                Err(ApprovalRejection::Reused)
            };
        }
        let is_empty = match &request.what {
            Asked::Refund { amount_minor, .. } => *amount_minor == 0,
            Asked::Correction {
                debit,
                credit,
                amount_minor,
                ..
            } => *amount_minor == 0 || debit == credit,
        };
        if is_empty {
            return Err(ApprovalRejection::Empty);
        }
        Ok(vec![ApprovalEvent::Asked {
            what: request.what,
            subject: request.subject,
            by: request.by,
            at: request.at,
            reason: request.reason.map_or_else(Sealed::default, Sealed::new),
        }])
    }

    /// What is decided; nothing where the same was decided before.
    fn may_decide(&self, decision: Decision, by: UserId) -> Result<Option<Asked>, ApprovalRejection> {
        let request = self.asked.as_ref().ok_or(ApprovalRejection::Unknown)?;
        match self.decided {
            _ if request.by == by => Err(ApprovalRejection::OwnRequest),
            Some((before, _, _)) if before == decision => Ok(None),
            Some(_) => Err(ApprovalRejection::Decided),
            None => Ok(Some(request.what.clone())),
        }
    }
}

aggregate!(Approval);

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::aggregate::fold;
    use crate::sample::assert_kept;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn request() -> Request {
        Request {
            what: Asked::Correction {
                debit: Account::GatewayFees,
                credit: Account::Suspense,
                amount_minor: 100,
                currency: Currency::Gbp,
                item: "fee_differs:txn_1".to_owned(),
            },
            subject: user(3),
            by: user(3),
            at: Moment::UNIX_EPOCH,
            reason: Some("The bank's letter of May".to_owned()),
        }
    }

    fn refund() -> Asked {
        Asked::Refund {
            payment_id: PaymentId(Uuid::from_u128(4)),
            amount_minor: 150_000,
            currency: Currency::Gbp,
            booking: BookingChoice::Keep,
            ask: Some(GrantedAsk {
                ask_id: Uuid::from_u128(5),
                by: user(6),
            }),
        }
    }

    fn asked() -> ApprovalEvent {
        let events = Approval::default().decide(ApprovalCommand::Ask(Box::new(request())));
        events.unwrap().remove(0)
    }

    #[test]
    fn asker_cannot_decide_and_a_decision_is_final() {
        let at = Moment::UNIX_EPOCH;
        let approve = |by| ApprovalCommand::Approve {
            reason: None,
            by: user(by),
            at,
        };
        let decline = |by| ApprovalCommand::Decline {
            reason: "no".to_owned(),
            by: user(by),
            at,
        };
        assert_eq!(
            Approval::default().decide(approve(4)),
            Err(ApprovalRejection::Unknown)
        );
        let mut approval = fold::<Approval>([&asked()]);
        for own in [approve(3), decline(3)] {
            assert_eq!(approval.decide(own), Err(ApprovalRejection::OwnRequest));
        }
        let given = approval.decide(approve(4)).unwrap();
        assert_eq!(given.len(), 1);
        approval.evolve(&given[0]);
        assert_eq!(approval.decide(approve(5)), Ok(vec![]));
        assert_eq!(approval.decide(decline(5)), Err(ApprovalRejection::Decided));
    }

    #[test]
    fn request_is_made_once_and_needs_an_amount() {
        let approval = fold::<Approval>([&asked()]);
        assert_eq!(
            approval.decide(ApprovalCommand::Ask(Box::new(request()))),
            Ok(vec![])
        );
        let other = Request {
            what: refund(),
            ..request()
        };
        assert_eq!(
            approval.decide(ApprovalCommand::Ask(Box::new(other))),
            Err(ApprovalRejection::Reused)
        );
        let empty = Request {
            what: Asked::Refund {
                payment_id: PaymentId(Uuid::from_u128(4)),
                amount_minor: 0,
                currency: Currency::Gbp,
                booking: BookingChoice::Keep,
                ask: None,
            },
            ..request()
        };
        assert_eq!(
            Approval::default().decide(ApprovalCommand::Ask(Box::new(empty))),
            Err(ApprovalRejection::Empty)
        );
    }

    #[test]
    fn declined_correction_may_be_asked_for_again() {
        let at = Moment::UNIX_EPOCH;
        let mut approval = fold::<Approval>([&asked()]);
        let reason = "no".to_owned();
        let declined = approval.decide(ApprovalCommand::Decline {
            reason,
            by: user(4),
            at,
        });
        approval.evolve(&declined.unwrap()[0]);
        let again = approval.decide(ApprovalCommand::Ask(Box::new(request())));
        approval.evolve(&again.unwrap()[0]);
        assert_eq!((approval.decided, &approval.because), (None, &None));
        let reason = Some("The letter is here now".to_owned());
        let given = approval
            .decide(ApprovalCommand::Approve {
                reason: reason.clone(),
                by: user(4),
                at,
            })
            .unwrap();
        assert_eq!(given.len(), 1);
        approval.evolve(&given[0]);
        assert_eq!(approval.because, reason);
    }

    #[test]
    fn every_event_reads_back_from_its_sample() {
        let (at, by) = (Moment::UNIX_EPOCH, user(4));
        let declined = ApprovalEvent::Declined {
            what: refund(),
            subject: user(2),
            by,
            at,
            reason: Sealed::new("Ask for less".to_owned()),
        };
        let given = ApprovalEvent::Approved {
            what: request().what,
            subject: Some(user(3)),
            by,
            at,
            reason: Sealed::new("The letter is here".to_owned()),
        };
        assert_kept::<Approval>(&[asked(), given, declined]);
    }
}
