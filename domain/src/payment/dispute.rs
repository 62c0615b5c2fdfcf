//! Money a bank takes back on its customer's word, until the dispute is decided. It changes the money, never the status (X8).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::payment::Payment;
use crate::payment::command::PaymentRejection;
use crate::payment::decide::when;
use crate::payment::event::PaymentEvent;
use crate::payment::evidence::{Evidence, EvidenceCommand, EvidenceStep};

/// What the gateway may tell about a dispute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DisputeCommand {
    Open {
        dispute_id: String,
        amount_minor: u64,
        /// What the gateway charges for the dispute; `None` where the notice does not say.
        fee_minor: Option<u64>,
        reason: String,
    },
    /// May be heard before the opening: it says everything the opening says.
    Close {
        dispute_id: String,
        amount_minor: u64,
        /// What the gateway charges for the dispute after all; `None`: as before.
        fee_minor: Option<u64>,
        reason: String,
        outcome: DisputeOutcome,
        at: Moment,
    },
    /// What becomes of the evidence against it.
    Evidence(EvidenceCommand),
}

/// How a bank decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeOutcome {
    /// The money is ours again.
    Won,
    /// The money is gone.
    Lost,
}

/// One dispute as the fold of its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    pub amount_minor: u64,
    /// What the gateway charges for it.
    #[serde(default)]
    pub fee_minor: u64,
    /// `None` until the bank has decided.
    pub outcome: Option<DisputeOutcome>,
}

impl Dispute {
    /// What it keeps from us at present.
    pub fn withheld_minor(&self) -> u64 {
        match self.outcome {
            None | Some(DisputeOutcome::Lost) => self.amount_minor,
            Some(DisputeOutcome::Won) => 0,
        }
    }
}

pub(super) fn decide(
    payment: &Payment,
    command: DisputeCommand,
) -> Result<Vec<PaymentEvent>, PaymentRejection> {
    Ok(match command {
        DisputeCommand::Evidence(command) => return evidence_moves(payment, command),
        DisputeCommand::Open {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
        } => opened(payment, dispute_id, (amount_minor, fee_minor), reason),
        DisputeCommand::Close {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
            outcome,
            at,
        } => {
            let known = payment.disputes.get(&dispute_id);
            let decided = known.is_some_and(|dispute| dispute.outcome.is_some());
            let mut events = opened(payment, dispute_id.clone(), (amount_minor, fee_minor), reason);
            events.extend(when(
                !decided,
                PaymentEvent::DisputeClosed {
                    dispute_id,
                    outcome,
                    fee_minor,
                    at,
                },
            ));
            events
        }
    })
}

fn opened(
    payment: &Payment,
    dispute_id: String,
    (amount_minor, fee_minor): (u64, Option<u64>),
    reason: String,
) -> Vec<PaymentEvent> {
    let news = !payment.disputes.contains_key(&dispute_id);
    when(
        news,
        PaymentEvent::DisputeOpened {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
        },
    )
}

pub(super) fn evolve(disputes: &mut BTreeMap<String, Dispute>, event: &PaymentEvent) {
    if let PaymentEvent::DisputeOpened {
        dispute_id,
        amount_minor,
        fee_minor,
        ..
    } = event
    {
        let dispute = Dispute {
            amount_minor: *amount_minor,
            fee_minor: fee_minor.unwrap_or_default(),
            outcome: None,
        };
        disputes.insert(dispute_id.clone(), dispute);
    } else if let PaymentEvent::DisputeClosed {
        dispute_id,
        outcome,
        fee_minor,
        ..
    } = event
        && let Some(dispute) = disputes.get_mut(dispute_id)
    {
        dispute.outcome = Some(*outcome);
        dispute.fee_minor = fee_minor.unwrap_or(dispute.fee_minor);
    }
}

fn evidence_moves(
    payment: &Payment,
    command: EvidenceCommand,
) -> Result<Vec<PaymentEvent>, PaymentRejection> {
    let EvidenceCommand { dispute_id, step, at } = command;
    let known = payment.disputes.get(&dispute_id);
    let dispute = known.ok_or(PaymentRejection::NoDispute)?;
    let evidence = payment.evidence.get(&dispute_id).cloned().unwrap_or_default();
    let is_news = match &step {
        EvidenceStep::Laid { .. } => evidence.laid_at.is_none() && evidence.asked.is_none(),
        EvidenceStep::Asked { .. } => {
            may_be_sent(&evidence, dispute.outcome.is_some(), at)?;
            true
        }
        EvidenceStep::Sent { .. } | EvidenceStep::Refused { .. } => evidence.sent_at.is_none(),
    };
    Ok(when(
        is_news,
        PaymentEvent::DisputeEvidenceNoted { dispute_id, step, at },
    ))
}

fn may_be_sent(evidence: &Evidence, is_decided: bool, at: Moment) -> Result<(), PaymentRejection> {
    if evidence.sent_at.is_some() || evidence.is_being_sent() {
        Err(PaymentRejection::EvidenceSent)
    } else if is_decided {
        Err(PaymentRejection::DisputeDecided)
    } else if evidence.is_late(at) {
        Err(PaymentRejection::EvidenceLate)
    } else {
        Ok(())
    }
}

pub(super) fn evolve_evidence(all: &mut BTreeMap<String, Evidence>, event: &PaymentEvent) {
    let PaymentEvent::DisputeEvidenceNoted { dispute_id, step, at } = event else {
        return;
    };
    let evidence = all.entry(dispute_id.clone()).or_default();
    match step {
        EvidenceStep::Laid { due_by, .. } => {
            evidence.laid_at = Some(*at);
            evidence.due_by = due_by.or(evidence.due_by);
            evidence.refused = None;
        }
        EvidenceStep::Asked {
            by,
            struck,
            last_seen,
        } => {
            evidence.asked = Some((*by, *at));
            evidence.struck.clone_from(struck);
            evidence.last_seen = *last_seen;
            evidence.refused = None;
        }
        EvidenceStep::Sent { .. } => {
            evidence.sent_at = Some(*at);
            evidence.refused = None;
        }
        EvidenceStep::Refused { reason } => evidence.refused = Some(reason.clone()),
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::*;
    use crate::aggregate::{Decide, fold};
    use crate::id::UserId;
    use crate::payment::story::{at, opened, refund_id, succeed};
    use crate::payment::{BookingChoice, PaymentCommand, RefundCommand, RequestedBy, RoomOutcome, ledger};

    fn open() -> PaymentCommand {
        PaymentCommand::Dispute(DisputeCommand::Open {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 25_907,
            fee_minor: Some(1_500),
            reason: "fraudulent".to_owned(),
        })
    }

    fn close(outcome: DisputeOutcome) -> PaymentCommand {
        PaymentCommand::Dispute(DisputeCommand::Close {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 25_907,
            fee_minor: (outcome == DisputeOutcome::Won).then_some(0),
            reason: "fraudulent".to_owned(),
            outcome,
            at: at(),
        })
    }

    /// The payment after all of it, and debits minus credits per account.
    fn hear(told: Vec<PaymentCommand>) -> (Payment, Vec<(&'static str, i128)>) {
        let mut payment = fold::<Payment>([&opened()]);
        let mut books = std::collections::BTreeMap::<_, i128>::new();
        for command in told {
            for event in payment.decide(command).unwrap() {
                for entry in ledger::entries(&payment, &event) {
                    *books.entry(entry.account.name()).or_default() +=
                        i128::from(entry.debit_minor) - i128::from(entry.credit_minor);
                }
                payment.evolve(&event);
            }
        }
        assert_eq!(books.values().sum::<i128>(), 0);
        books.retain(|_, sum| *sum != 0);
        (payment, books.into_iter().collect())
    }

    #[test]
    fn money_in_dispute_cannot_be_refunded_and_the_status_stays() {
        let (payment, books) = hear(vec![succeed("ch_1", RoomOutcome::Sold), open(), open()]);
        assert_eq!(payment.status.name(), "success");
        assert_eq!(
            (payment.disputed_minor(), payment.refundable_minor()),
            (25_907, 0)
        );
        assert!(books.contains(&("disputes", 25_907)), "{books:?}");
        assert!(books.contains(&("gateway_clearing", -1_500)), "{books:?}");
        assert!(books.contains(&("dispute_fees", 1_500)), "{books:?}");
    }

    /// A dispute won gives the money back and one lost is a loss whatever is heard first.
    #[test]
    fn dispute_outcome_is_the_same_in_any_order_of_notices() {
        let paid = || succeed("ch_1", RoomOutcome::Sold);
        for told in [
            vec![paid(), open(), close(DisputeOutcome::Won)],
            vec![
                close(DisputeOutcome::Won),
                open(),
                paid(),
                close(DisputeOutcome::Lost),
            ],
        ] {
            let (payment, books) = hear(told);
            assert_eq!(
                (payment.disputed_minor(), payment.refundable_minor()),
                (0, 25_907)
            );
            assert!(books.contains(&("gateway_clearing", 25_907)), "{books:?}");
            assert!(!books.iter().any(|(account, _)| account.starts_with("dispute")));
        }
        for (told, fee_minor) in [
            (vec![paid(), open(), close(DisputeOutcome::Lost)], 1_500),
            (vec![close(DisputeOutcome::Lost), paid(), open()], 0),
        ] {
            let (payment, books) = hear(told);
            assert_eq!(
                (payment.disputed_minor(), payment.refundable_minor()),
                (25_907, 0)
            );
            let mut fee = vec![("dispute_fees", fee_minor), ("gateway_clearing", -fee_minor)];
            fee.retain(|(_, sum)| *sum != 0);
            assert_eq!(books, fee, "nothing but the fee is left, and nothing is owed");
        }
    }

    fn refund(booking: BookingChoice, amount_minor: u64) -> Vec<PaymentCommand> {
        let refund_id = refund_id(20);
        vec![
            PaymentCommand::Refund(RefundCommand::Request {
                refund_id,
                amount_minor,
                note: "goodwill".to_owned(),
                by: RequestedBy::Staff(staff()),
                booking: Some(booking),
                ask: None,
                limit_minor: None,
                at: at(),
            }),
            PaymentCommand::Refund(RefundCommand::Acknowledge {
                refund_id,
                gateway_refund_id: "re_20".to_owned(),
                amount_minor,
                at: at(),
            }),
        ]
    }

    fn staff() -> UserId {
        UserId(uuid::Uuid::from_u128(7))
    }

    fn cancel() -> PaymentCommand {
        PaymentCommand::CancelBooking {
            note: "the guest has left".to_owned(),
            by: staff(),
            ask: None,
            at: at(),
        }
    }

    /// A booking that staff keeps stays until staff ends it, whichever way the rest of its money goes and in any order of notices.
    #[test]
    fn kept_booking_stays_until_staff_ends_it() {
        let [asked, confirmed] = <[_; 2]>::try_from(refund(BookingChoice::Keep, 10_000)).unwrap();
        let paid = || succeed("ch_1", RoomOutcome::Sold);
        let lost = || close(DisputeOutcome::Lost);
        for told in [
            vec![paid(), asked.clone(), confirmed.clone(), open(), lost()],
            vec![paid(), asked.clone(), open(), lost()],
            vec![paid(), asked, open(), lost(), confirmed],
        ] {
            let (mut payment, _) = hear(told);
            assert!(payment.returned_in_full() && !payment.gives_room_back());
            for event in payment.decide(cancel()).unwrap() {
                payment.evolve(&event);
            }
            assert!(payment.gives_room_back());
            assert_eq!(payment.decide(cancel()), Ok(vec![]));
        }
        let (unkept, _) = hear(vec![paid(), open(), lost()]);
        assert!(unkept.gives_room_back());
    }

    /// The bank holds the money and may give it back: no act says that nothing is left.
    #[test]
    fn booking_stays_while_a_bank_has_not_decided() {
        let paid = || succeed("ch_1", RoomOutcome::Sold);
        let [asked, confirmed] = <[_; 2]>::try_from(refund(BookingChoice::Keep, 10_000)).unwrap();
        for told in [vec![paid(), open()], vec![paid(), asked, confirmed, open()]] {
            let (payment, _) = hear(told);
            assert_eq!(payment.refundable_minor(), 0);
            assert_eq!(payment.decide(cancel()), Err(PaymentRejection::DisputeOpen));
        }
    }

    #[test]
    fn booking_with_money_left_ends_by_a_refund() {
        let (payment, _) = hear(vec![succeed("ch_1", RoomOutcome::Sold)]);
        let refused = payment.decide(cancel()).unwrap_err();
        assert_eq!(refused.code(), "money_left");
    }

    fn disputed() -> Payment {
        let mut payment = fold::<Payment>([&opened()]);
        payment.evolve(&PaymentEvent::DisputeOpened {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 25_907,
            fee_minor: None,
            reason: "fraudulent".to_owned(),
        });
        payment
    }

    fn say(payment: &mut Payment, step: EvidenceStep, at: Moment) -> Result<usize, PaymentRejection> {
        let command = DisputeCommand::Evidence(EvidenceCommand {
            dispute_id: "dp_1".to_owned(),
            step,
            at,
        });
        let events = payment.decide(PaymentCommand::Dispute(command))?;
        for event in &events {
            payment.evolve(event);
        }
        Ok(events.len())
    }

    fn laid() -> EvidenceStep {
        EvidenceStep::Laid {
            due_by: Some(at() + TimeDelta::days(7)),
            digest: "d".repeat(64),
        }
    }

    fn struck(struck: Vec<Uuid>) -> EvidenceStep {
        EvidenceStep::Asked {
            by: staff(),
            struck,
            last_seen: Some(Uuid::from_u128(9)),
        }
    }

    fn asked() -> EvidenceStep {
        struck(vec![])
    }

    #[test]
    fn evidence_is_sent_once() {
        let mut payment = disputed();
        assert_eq!(say(&mut payment, laid(), at()), Ok(1));
        assert_eq!(say(&mut payment, laid(), at()), Ok(0));
        assert_eq!(say(&mut payment, asked(), at()), Ok(1));
        assert_eq!(
            say(&mut payment, asked(), at()),
            Err(PaymentRejection::EvidenceSent)
        );
        let sent = || EvidenceStep::Sent {
            digest: "d".repeat(64),
        };
        assert_eq!(say(&mut payment, sent(), at()), Ok(1));
        assert_eq!(say(&mut payment, sent(), at()), Ok(0));
        assert_eq!(
            say(&mut payment, asked(), at()),
            Err(PaymentRejection::EvidenceSent)
        );
    }

    /// What the gateway did not take may be sent again.
    #[test]
    fn refused_evidence_may_be_sent_again() {
        let mut payment = disputed();
        let refused = EvidenceStep::Refused {
            reason: "too long".to_owned(),
        };
        let line = Uuid::from_u128(7);
        assert_eq!(say(&mut payment, struck(vec![line]), at()), Ok(1));
        assert_eq!(payment.evidence["dp_1"].struck, [line]);
        assert_eq!(payment.evidence["dp_1"].last_seen, Some(Uuid::from_u128(9)));
        assert_eq!(say(&mut payment, refused, at()), Ok(1));
        // The lines are chosen anew each time.
        assert_eq!(say(&mut payment, asked(), at()), Ok(1));
        assert!(payment.evidence["dp_1"].struck.is_empty());
    }

    #[test]
    fn evidence_is_refused_past_its_deadline() {
        let mut payment = disputed();
        let _events = say(&mut payment, laid(), at());
        let late = at() + TimeDelta::days(8);
        assert_eq!(
            say(&mut payment, asked(), late),
            Err(PaymentRejection::EvidenceLate)
        );
    }

    #[test]
    fn decided_dispute_takes_no_evidence() {
        let mut payment = disputed();
        payment.evolve(&PaymentEvent::DisputeClosed {
            dispute_id: "dp_1".to_owned(),
            outcome: DisputeOutcome::Lost,
            fee_minor: None,
            at: at(),
        });
        assert_eq!(
            say(&mut payment, asked(), at()),
            Err(PaymentRejection::DisputeDecided)
        );
    }
}
