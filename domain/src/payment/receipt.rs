//! What a receipt says, from a payment's events alone: a receipt for what was taken, a credit note for each refund (row E9).
//!
//! A number holds the place in the log of the event that made the document: unique in the log, and the same after every rebuild.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{PaymentId, RefundId};
use crate::moment::Moment;
use crate::money::Currency;
use crate::payment::event::{Captured, Card, PaymentEvent};
use crate::payment::price::{PaymentType, Quote};

/// A payment's event with its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub position: u64,
    /// When the log took it in.
    pub recorded_at: Moment,
    pub event: PaymentEvent,
}

/// Which document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptKind {
    Receipt,
    CreditNote,
}

impl ReceiptKind {
    /// The kind's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::CreditNote => "credit_note",
        }
    }

    const fn prefix(self) -> char {
        match self {
            Self::Receipt => 'R',
            Self::CreditNote => 'C',
        }
    }
}

/// What a line of a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptLineKind {
    Deposit,
    RefundableToken,
    PlatformFee,
    Rent,
    ProcessingFee,
    /// The gateway took more than was due: it goes back.
    ChargedAgain,
    Refund,
}

impl ReceiptLineKind {
    pub const ALL: [Self; 7] = [
        Self::Deposit,
        Self::RefundableToken,
        Self::PlatformFee,
        Self::Rent,
        Self::ProcessingFee,
        Self::ChargedAgain,
        Self::Refund,
    ];

    /// The kind's name in answers and texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::RefundableToken => "refundable_token",
            Self::PlatformFee => "platform_fee",
            Self::Rent => "rent",
            Self::ProcessingFee => "processing_fee",
            Self::ChargedAgain => "charged_again",
            Self::Refund => "refund",
        }
    }

    const fn of(kind: PaymentType) -> Self {
        match kind {
            PaymentType::Deposit => Self::Deposit,
            PaymentType::RefundableToken => Self::RefundableToken,
            PaymentType::PlatformFee => Self::PlatformFee,
            PaymentType::Rent => Self::Rent,
        }
    }
}

/// One amount of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptLine {
    pub kind: ReceiptLineKind,
    pub amount_minor: u64,
}

/// Money that the gateway took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    pub charge_id: String,
    pub amount_minor: u64,
    pub at: Moment,
    pub card: Option<Card>,
}

/// Money that the gateway has sent back, as a receipt lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Returned {
    /// The credit note's number.
    pub number: String,
    pub refund_id: RefundId,
    pub amount_minor: u64,
    pub at: Moment,
    /// The bank did not take it after all.
    pub failed: bool,
}

/// A receipt or a credit note without anything personal: all of it follows from the payment's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptFacts {
    pub number: String,
    pub kind: ReceiptKind,
    pub payment_id: PaymentId,
    /// When the gateway took the money, or sent it back.
    pub issued_at: Moment,
    /// Of a credit note: the receipt's number.
    pub receipt_number: Option<String>,
    pub currency: Currency,
    pub lines: Vec<ReceiptLine>,
    pub total_minor: u64,
    pub charges: Vec<Charge>,
    /// Of a receipt: every refund so far. Of a credit note: its own.
    pub refunds: Vec<Returned>,
}

impl ReceiptFacts {
    /// What has gone back for good.
    pub fn refunded_minor(&self) -> u64 {
        let stood = self.refunds.iter().filter(|refund| !refund.failed);
        stood.map(|refund| refund.amount_minor).sum()
    }
}

/// The number of a document that the event at this place made.
fn number(kind: ReceiptKind, placed: &Placed) -> String {
    format!(
        "{}-{}-{:07}",
        kind.prefix(),
        placed.recorded_at.format("%Y"),
        placed.position
    )
}

/// Where the event lies that made the document of this number; `None` where it is no number.
pub fn position_of(number: &str) -> Option<u64> {
    let mut parts = number.split('-');
    let (kind, year, position) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = matches!(kind, "R" | "C") && year.len() == 4 && is_number(year) && is_number(position);
    (fits && parts.next().is_none()).then(|| position.parse().ok())?
}

/// Whether an event is one that documents follow from.
pub const fn is_evidence(event: &PaymentEvent) -> bool {
    matches!(
        event,
        PaymentEvent::PaymentOpened { .. }
            | PaymentEvent::PaymentSucceeded { .. }
            | PaymentEvent::PaymentCapturedWithoutRoom { .. }
            | PaymentEvent::PaymentCapturedAgain { .. }
            | PaymentEvent::RefundAcknowledged { .. }
            | PaymentEvent::RefundFailed { .. }
            | PaymentEvent::RefundPaidElsewhere { .. }
    )
}

/// What a payment's events say of its documents.
#[derive(Default)]
struct Gathered<'e> {
    quote: Option<&'e Quote>,
    receipt_number: Option<String>,
    charges: Vec<Charge>,
    refunds: Vec<Returned>,
    /// What refunds that failed were asked for.
    asked: BTreeMap<RefundId, u64>,
}

impl<'e> Gathered<'e> {
    fn take(&mut self, placed: &'e Placed) {
        match &placed.event {
            PaymentEvent::PaymentOpened { terms, .. } => self.quote = Some(&terms.quote),
            PaymentEvent::PaymentSucceeded { capture, at }
            | PaymentEvent::PaymentCapturedWithoutRoom { capture, at }
            | PaymentEvent::PaymentCapturedAgain { capture, at } => {
                let receipt = || number(ReceiptKind::Receipt, placed);
                self.receipt_number.get_or_insert_with(receipt);
                self.charges.push(charge(capture, *at));
            }
            PaymentEvent::RefundAcknowledged {
                refund_id,
                amount_minor,
                at,
                ..
            } => self.give_back(placed, *refund_id, *amount_minor, *at),
            PaymentEvent::RefundFailed {
                refund_id,
                amount_minor,
                ..
            } => {
                self.asked.insert(*refund_id, *amount_minor);
                let known = self.refunds.iter_mut();
                for refund in known.filter(|refund| refund.refund_id == *refund_id) {
                    refund.failed = true;
                }
            }
            // What was promised before comes by another way: a credit note of its own, for the same amount.
            PaymentEvent::RefundPaidElsewhere { refund_id, at, .. } => {
                let known = self.refunds.iter().find(|refund| refund.refund_id == *refund_id);
                let asked = self.asked.get(refund_id).copied();
                if let Some(amount_minor) = known.map(|refund| refund.amount_minor).or(asked) {
                    self.give_back(placed, *refund_id, amount_minor, *at);
                }
            }
            _ => {}
        }
    }

    fn give_back(&mut self, placed: &Placed, refund_id: RefundId, amount_minor: u64, at: Moment) {
        self.refunds.push(Returned {
            number: number(ReceiptKind::CreditNote, placed),
            refund_id,
            amount_minor,
            at,
            failed: false,
        });
    }
}

/// All documents of a payment, the receipt first; none before money was taken.
pub fn documents(payment_id: PaymentId, events: &[Placed]) -> Vec<ReceiptFacts> {
    let mut gathered = Gathered::default();
    for placed in events {
        gathered.take(placed);
    }
    let Gathered {
        quote,
        receipt_number,
        charges,
        refunds,
        ..
    } = gathered;
    let (Some(quote), Some(receipt_number), Some(first)) = (quote, receipt_number, charges.first()) else {
        return Vec::new();
    };
    let receipt = ReceiptFacts {
        number: receipt_number.clone(),
        kind: ReceiptKind::Receipt,
        payment_id,
        issued_at: first.at,
        receipt_number: None,
        currency: quote.currency,
        lines: lines(quote, &charges),
        total_minor: charges.iter().map(|charge| charge.amount_minor).sum(),
        charges: charges.clone(),
        refunds: refunds.clone(),
    };
    let note = |refund: Returned| ReceiptFacts {
        number: refund.number.clone(),
        kind: ReceiptKind::CreditNote,
        payment_id,
        issued_at: refund.at,
        receipt_number: Some(receipt_number.clone()),
        currency: quote.currency,
        lines: vec![ReceiptLine {
            kind: ReceiptLineKind::Refund,
            amount_minor: refund.amount_minor,
        }],
        total_minor: refund.amount_minor,
        charges: charges.clone(),
        refunds: vec![refund],
    };
    std::iter::once(receipt)
        .chain(refunds.iter().cloned().map(note))
        .collect()
}

fn charge(capture: &Captured, at: Moment) -> Charge {
    Charge {
        charge_id: capture.charge_id.clone(),
        amount_minor: capture.amount_minor,
        at,
        card: capture.card.clone(),
    }
}

fn lines(quote: &Quote, charges: &[Charge]) -> Vec<ReceiptLine> {
    let line = |kind, amount_minor| ReceiptLine { kind, amount_minor };
    let mut lines: Vec<_> = quote
        .lines
        .iter()
        .map(|due| line(ReceiptLineKind::of(due.kind), due.amount_minor))
        .collect();
    lines.push(line(ReceiptLineKind::ProcessingFee, quote.processing_fee_minor));
    let taken: u64 = charges.iter().map(|charge| charge.amount_minor).sum();
    let more = taken.saturating_sub(quote.total_minor);
    if more > 0 {
        lines.push(line(ReceiptLineKind::ChargedAgain, more));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PaymentId;
    use crate::payment::story::{at, opened, refund_id};

    fn payment_id() -> PaymentId {
        PaymentId(uuid::Uuid::from_u128(1))
    }

    fn capture(charge_id: &str) -> Captured {
        Captured {
            intent_id: "pi_1".to_owned(),
            charge_id: charge_id.to_owned(),
            amount_minor: 25_907,
            card: None,
        }
    }

    fn placed(events: Vec<PaymentEvent>) -> Vec<Placed> {
        let place = |(event, position)| Placed {
            position,
            recorded_at: at(),
            event,
        };
        events.into_iter().zip(41..).map(place).collect()
    }

    fn back(number: u128) -> PaymentEvent {
        PaymentEvent::RefundAcknowledged {
            refund_id: refund_id(number),
            gateway_refund_id: "re_1".to_owned(),
            amount_minor: 5_000,
            at: at(),
        }
    }

    #[test]
    fn nothing_taken_makes_no_receipt() {
        assert!(documents(payment_id(), &placed(vec![opened()])).is_empty());
    }

    #[test]
    fn receipt_lines_sum_to_what_was_taken() {
        let paid = PaymentEvent::PaymentSucceeded {
            capture: capture("ch_1"),
            at: at(),
        };
        let again = PaymentEvent::PaymentCapturedAgain {
            capture: capture("ch_2"),
            at: at(),
        };
        for events in [vec![opened(), paid.clone()], vec![opened(), paid, again]] {
            let made = documents(payment_id(), &placed(events));
            let [receipt] = made.as_slice() else {
                panic!("{made:?}")
            };
            let sum: u64 = receipt.lines.iter().map(|line| line.amount_minor).sum();
            assert_eq!(sum, receipt.total_minor);
            assert_eq!(receipt.number, format!("R-{}-0000042", at().format("%Y")));
            assert_eq!(position_of(&receipt.number), Some(42));
        }
    }

    #[test]
    fn each_refund_has_a_credit_note_of_its_own() {
        let paid = PaymentEvent::PaymentSucceeded {
            capture: capture("ch_1"),
            at: at(),
        };
        let failed = PaymentEvent::RefundFailed {
            refund_id: refund_id(2),
            amount_minor: 5_000,
            reason: "closed".to_owned(),
            at: at(),
        };
        let made = documents(
            payment_id(),
            &placed(vec![opened(), paid, back(1), back(2), failed]),
        );
        let numbers: Vec<_> = made.iter().filter_map(|made| position_of(&made.number)).collect();
        assert_eq!(numbers, [42, 43, 44]);
        assert_eq!(
            made[0].refunded_minor(),
            5_000,
            "what the bank refused is not back"
        );
        assert!(
            made[1..]
                .iter()
                .all(|note| note.receipt_number.as_ref() == Some(&made[0].number))
        );
        assert!(made[2].refunds[0].failed);
    }

    #[test]
    fn words_that_are_no_number_have_no_place() {
        for words in [
            "",
            "R",
            "R-2026-",
            "X-2026-0000001",
            "R-26-1",
            "R-2026-1-1",
            "R-2026-+1",
            "R-2026-99999999999999999999",
        ] {
            assert_eq!(position_of(words), None, "{words}");
        }
    }
}
