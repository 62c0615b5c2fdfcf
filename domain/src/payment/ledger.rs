//! Double entry, derived from payment events: each event's entries sum to zero, so the books do by construction.

use serde::{Deserialize, Serialize};

use crate::id::RefundId;
use crate::payment::Payment;
use crate::payment::dispute::{Dispute, DisputeOutcome};
use crate::payment::event::{Captured, PaymentEvent};
use crate::payment::price::{PaymentType, Quote};
use crate::payment::refund::RefundStatus;

/// Where money stands, in the words of the finance screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    GatewayClearing,
    HoldingFees,
    Deposits,
    PlatformFees,
    Rent,
    ProcessingFees,
    /// With a bank until it has decided.
    Disputes,
    DisputeLosses,
    /// What the gateway charges for disputes.
    DisputeFees,
    /// What the house paid back itself because the gateway could not.
    PaidElsewhere,
    /// Promised to payers and not yet confirmed by the gateway.
    RefundsPayable,
    /// Sent by the gateway, not yet at the bank.
    PayoutsInTransit,
    Bank,
    /// What the gateway keeps of charges, and asks for the account itself.
    GatewayFees,
    /// One side of each settlement in another currency; what stays in it is the difference.
    ExchangeDifferences,
    /// What finance has not yet found the right account for.
    Suspense,
    /// Earned by referrers and not paid out yet; below zero what one who was paid owes back.
    RewardsPayable,
    /// What referrals cost.
    ReferralRewards,
}

impl Account {
    /// The account's name in answers and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GatewayClearing => "gateway_clearing",
            Self::HoldingFees => "holding_fees",
            Self::Deposits => "deposits",
            Self::PlatformFees => "platform_fees",
            Self::Rent => "rent",
            Self::ProcessingFees => "processing_fees",
            Self::Disputes => "disputes",
            Self::DisputeLosses => "dispute_losses",
            Self::DisputeFees => "dispute_fees",
            Self::PaidElsewhere => "paid_elsewhere",
            Self::RefundsPayable => "refunds_payable",
            Self::PayoutsInTransit => "payouts_in_transit",
            Self::Bank => "bank",
            Self::GatewayFees => "gateway_fees",
            Self::ExchangeDifferences => "exchange_differences",
            Self::Suspense => "suspense",
            Self::RewardsPayable => "rewards_payable",
            Self::ReferralRewards => "referral_rewards",
        }
    }

    const fn of(kind: PaymentType) -> Self {
        match kind {
            PaymentType::RefundableToken => Self::HoldingFees,
            PaymentType::Deposit => Self::Deposits,
            PaymentType::PlatformFee => Self::PlatformFees,
            PaymentType::Rent => Self::Rent,
        }
    }
}

/// One entry: exactly one side is above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub account: Account,
    pub debit_minor: u64,
    pub credit_minor: u64,
}

/// The entries `event` makes, given the payment as it stood before it.
pub fn entries(before: &Payment, event: &PaymentEvent) -> Vec<Entry> {
    let Some(quote) = before.terms.as_ref().map(|terms| &terms.quote) else {
        return vec![];
    };
    match event {
        PaymentEvent::PaymentSucceeded { capture, .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { capture, .. }
        | PaymentEvent::PaymentCapturedAgain { capture, .. } => {
            let early = lost_before_taken(quote, before, capture.amount_minor);
            taken(quote, capture).into_iter().chain(early).collect()
        }
        PaymentEvent::RefundRequested {
            refund_id,
            amount_minor,
            ..
        } if !before.refunds.contains_key(refund_id) => {
            given_back(quote, gone(before), (*amount_minor, Account::RefundsPayable))
        }
        PaymentEvent::RefundAcknowledged {
            refund_id,
            amount_minor,
            ..
        } => confirmed(quote, before, (*refund_id, *amount_minor)),
        PaymentEvent::RefundPaidElsewhere { refund_id, .. } => {
            let known = before.refunds.get(refund_id);
            let waits = known.filter(|refund| refund.status == RefundStatus::Failed);
            waits.map_or_else(Vec::new, |refund| {
                given_back(quote, gone(before), (refund.amount_minor, Account::PaidElsewhere))
            })
        }
        PaymentEvent::RefundFailed { refund_id, .. } => undone(quote, before, *refund_id),
        PaymentEvent::DisputeOpened {
            dispute_id,
            amount_minor,
            fee_minor,
            ..
        } => {
            let known = before.disputes.contains_key(dispute_id);
            disputed(known, *amount_minor, *fee_minor)
        }
        PaymentEvent::DisputeClosed {
            dispute_id,
            outcome,
            fee_minor,
            ..
        } => {
            let known = before.disputes.get(dispute_id);
            decided(quote, before, known, (*outcome, *fee_minor))
        }
        PaymentEvent::PaymentOpened { .. }
        | PaymentEvent::PaymentLinkMade { .. }
        | PaymentEvent::PaymentBegun { .. }
        | PaymentEvent::PaymentRetried { .. }
        | PaymentEvent::PaymentHoldNoted { .. }
        | PaymentEvent::IntentReady { .. }
        | PaymentEvent::IntentFailed { .. }
        | PaymentEvent::PaymentSoldOut { .. }
        | PaymentEvent::PaymentConfirmed { .. }
        | PaymentEvent::PaymentActionRequired { .. }
        | PaymentEvent::PaymentDeclined { .. }
        | PaymentEvent::PaymentDelayed {}
        | PaymentEvent::PaymentCancelled { .. }
        | PaymentEvent::RefundRequested { .. }
        | PaymentEvent::RefundSent { .. }
        | PaymentEvent::DisputeEvidenceNoted { .. }
        | PaymentEvent::PaymentMessageSent { .. }
        | PaymentEvent::PaymentRoomGivenBack { .. }
        | PaymentEvent::PaymentBookingCancelled { .. }
        | PaymentEvent::RefundMessageSent { .. }
        | PaymentEvent::PaymentMessageRefused { .. } => vec![],
    }
}

/// A refund that the gateway confirmed, once: what was promised is paid. One that began at the gateway is taken off the lines.
fn confirmed(quote: &Quote, before: &Payment, (refund_id, amount_minor): (RefundId, u64)) -> Vec<Entry> {
    match before.refunds.get(&refund_id) {
        Some(refund) if refund.status >= RefundStatus::Acknowledged => vec![],
        Some(refund) => moved(
            Account::GatewayClearing,
            Account::RefundsPayable,
            refund.amount_minor,
        ),
        None => given_back(quote, gone(before), (amount_minor, Account::GatewayClearing)),
    }
}

/// A refund that the gateway could not pay out goes back to the lines: from the gateway's account if it was confirmed before, else
/// from what was promised.
fn undone(quote: &Quote, before: &Payment, refund_id: RefundId) -> Vec<Entry> {
    let known = before.refunds.get(&refund_id);
    let source = known.and_then(|refund| match refund.status {
        RefundStatus::Requested | RefundStatus::Sent => Some((refund.amount_minor, Account::RefundsPayable)),
        RefundStatus::Acknowledged => Some((refund.amount_minor, Account::GatewayClearing)),
        RefundStatus::Failed | RefundStatus::PaidElsewhere => None,
    });
    source.map_or_else(Vec::new, |(amount, from)| {
        let others = gone(before).saturating_sub(amount);
        let entries = given_back(quote, others, (amount, from));
        entries.into_iter().map(turned).collect()
    })
}

/// A dispute is opened once: its amount is with the bank, and the gateway charges its fee.
fn disputed(known: bool, amount_minor: u64, fee_minor: Option<u64>) -> Vec<Entry> {
    if known {
        return vec![];
    }
    let mut entries = moved(Account::GatewayClearing, Account::Disputes, amount_minor);
    let fee = fee_minor.unwrap_or_default();
    entries.extend(moved(Account::GatewayClearing, Account::DisputeFees, fee));
    entries
}

/// A dispute is decided once.
fn decided(
    quote: &Quote,
    before: &Payment,
    known: Option<&Dispute>,
    (outcome, fee_minor): (DisputeOutcome, Option<u64>),
) -> Vec<Entry> {
    let Some(open) = known.filter(|dispute| dispute.outcome.is_none()) else {
        return vec![];
    };
    let mut entries = settled(quote, before, open.amount_minor, outcome);
    entries.extend(fee_changed(open.fee_minor, fee_minor.unwrap_or(open.fee_minor)));
    entries
}

/// What a bank took for good is no liability any more: as for a refund, the lines it was paid for are taken off, liabilities
/// and income alike (decision 0024). What lies above a charge is a loss.
fn settled(quote: &Quote, before: &Payment, amount: u64, outcome: DisputeOutcome) -> Vec<Entry> {
    if amount == 0 || outcome == DisputeOutcome::Won {
        return moved(Account::Disputes, Account::GatewayClearing, amount);
    }
    let owed = before.captured_minor().saturating_sub(gone(before));
    let from_lines = amount.min(owed);
    shares(quote, gone(before), from_lines)
        .into_iter()
        .chain([(Account::DisputeLosses, amount - from_lines)])
        .filter(|(_, share)| *share > 0)
        .map(|(account, share)| debit(account, share))
        .chain([credit(Account::Disputes, amount)])
        .collect()
}

/// A gateway may give its fee back, or ask for more, when a dispute is decided.
fn fee_changed(before: u64, after: u64) -> Vec<Entry> {
    let (more, less) = (after.saturating_sub(before), before.saturating_sub(after));
    let mut entries = moved(Account::GatewayClearing, Account::DisputeFees, more);
    entries.extend(moved(Account::DisputeFees, Account::GatewayClearing, less));
    entries
}

/// A dispute may be lost before its charge is heard of: what stands as a loss then comes off the lines now.
fn lost_before_taken(quote: &Quote, before: &Payment, amount: u64) -> Vec<Entry> {
    let uncovered = gone(before).saturating_sub(before.captured_minor());
    let early = uncovered.min(before.lost_minor()).min(amount);
    if early == 0 {
        return vec![];
    }
    shares(quote, gone(before) - early, early)
        .into_iter()
        .map(|(account, share)| debit(account, share))
        .chain([credit(Account::DisputeLosses, early)])
        .collect()
}

/// What was taken off the lines already: refunds from when they were promised, and disputes that were lost.
fn gone(payment: &Payment) -> u64 {
    let refunds = payment
        .refunded_minor()
        .saturating_add(payment.refund_pending_minor());
    refunds.saturating_add(payment.lost_minor())
}

/// An amount that goes from one account to another.
fn moved(from: Account, to: Account, amount: u64) -> Vec<Entry> {
    if amount == 0 {
        return vec![];
    }
    vec![debit(to, amount), credit(from, amount)]
}

/// Money in: the gateway owes us, we owe it to what it was paid for.
fn taken(quote: &Quote, capture: &Captured) -> Vec<Entry> {
    let shares = shares(quote, 0, capture.amount_minor);
    let credits = shares
        .into_iter()
        .map(|(account, amount)| credit(account, amount));
    [debit(Account::GatewayClearing, capture.amount_minor)]
        .into_iter()
        .chain(credits)
        .collect()
}

/// Money back, taken from the lines in order and from the processing fee last.
fn given_back(quote: &Quote, already: u64, (amount, from): (u64, Account)) -> Vec<Entry> {
    let shares = shares(quote, already, amount);
    shares
        .into_iter()
        .map(|(account, share)| debit(account, share))
        .chain([credit(from, amount)])
        .filter(|entry| entry.debit_minor + entry.credit_minor > 0)
        .collect()
}

/// How the minor units from `start` to `start + amount` fall on the lines, stacked in order, the processing fee on top.
/// What lies above the stack (a second capture's refund wraps around) belongs to the processing fee.
fn shares(quote: &Quote, start: u64, amount: u64) -> Vec<(Account, u64)> {
    let start = if quote.total_minor == 0 {
        0
    } else {
        start % quote.total_minor
    };
    let end = start.saturating_add(amount);
    let lines = quote
        .lines
        .iter()
        .map(|line| (Account::of(line.kind), line.amount_minor));
    let mut floor = 0_u64;
    let mut shares = Vec::new();
    for (account, height) in lines {
        let ceiling = floor.saturating_add(height);
        let share = end.min(ceiling).saturating_sub(start.max(floor));
        if share > 0 {
            shares.push((account, share));
        }
        floor = ceiling;
    }
    let rest = end.saturating_sub(start.max(floor));
    if rest > 0 {
        shares.push((Account::ProcessingFees, rest));
    }
    shares
}

const fn debit(account: Account, amount: u64) -> Entry {
    Entry {
        account,
        debit_minor: amount,
        credit_minor: 0,
    }
}

const fn credit(account: Account, amount: u64) -> Entry {
    Entry {
        account,
        debit_minor: 0,
        credit_minor: amount,
    }
}

const fn turned(entry: Entry) -> Entry {
    Entry {
        account: entry.account,
        debit_minor: entry.credit_minor,
        credit_minor: entry.debit_minor,
    }
}
