//! Money a bank takes back on its customer's word, until the dispute is decided. It changes the money, never the status (X8).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::payment::Payment;
use crate::payment::decide::when;
use crate::payment::event::PaymentEvent;

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

pub(super) fn decide(payment: &Payment, command: DisputeCommand) -> Vec<PaymentEvent> {
    match command {
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
    }
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

#[cfg(test)]
mod tests {
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

    #[test]
    fn booking_with_money_left_ends_by_a_refund() {
        let (payment, _) = hear(vec![succeed("ch_1", RoomOutcome::Sold)]);
        let refused = payment.decide(cancel()).unwrap_err();
        assert_eq!(refused.code(), "money_left");
    }
}
