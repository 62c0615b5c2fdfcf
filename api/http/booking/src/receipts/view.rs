//! A receipt or credit note as its page reads it.

use chrono::SecondsFormat;
use domain::moment::Moment;
use domain::payment::receipt::{Charge, ReceiptFacts, Returned};
use http_kit::contract::words::{ReceiptKindWord, ReceiptLineWord};
use serde::Serialize;
use utoipa::ToSchema;

use super::Opened;
use crate::payments::view::CardView;

/// A document with the names that stand on it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Receipt)]
pub struct ReceiptView {
    pub facts: FactsView,
    pub seller: String,
    pub seller_address: String,
    pub reference: String,
    pub home: String,
    pub room: String,
    pub provider: Option<String>,
    /// Null where the reader may not know, or the payer was forgotten.
    pub payer: Option<String>,
    /// The home's clock, on which page and PDF tell their times; null for documents of before, whose times are in UTC.
    pub clock: Option<ClockView>,
}

/// A clock and its name.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptClock)]
pub struct ClockView {
    /// IANA name: `Europe/London`.
    pub zone: String,
    /// As the reader calls it: `London time`.
    pub name: String,
}

/// Facts that follow from the log's events alone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptFacts)]
pub struct FactsView {
    pub number: String,
    #[schema(value_type = ReceiptKindWord)]
    pub kind: &'static str,
    pub issued_at: String,
    /// Of a credit note: the number of the receipt.
    pub receipt_number: Option<String>,
    pub currency: &'static str,
    pub decimals: u32,
    pub lines: Vec<ReceiptLineView>,
    pub total_minor: u64,
    pub refunded_minor: u64,
    pub charges: Vec<ChargeView>,
    pub refunds: Vec<ReturnedView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptLine)]
pub struct ReceiptLineView {
    #[schema(value_type = ReceiptLineWord)]
    pub kind: &'static str,
    pub amount_minor: u64,
}

/// Money that the gateway took.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptCharge)]
pub struct ChargeView {
    pub amount_minor: u64,
    pub at: String,
    pub card: Option<CardView>,
}

/// Money that went back.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptRefund)]
pub struct ReturnedView {
    /// The credit note's number.
    pub number: String,
    pub amount_minor: u64,
    pub at: String,
    /// The bank did not take it.
    pub failed: bool,
}

fn instant(at: Moment) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

impl ReceiptView {
    /// What the page of an opened document shows.
    pub fn of(Opened { facts, shown, .. }: Opened) -> Self {
        let clock = shown.clock.map(|clock| ClockView {
            name: clock.name(shown.language),
            zone: clock.zone,
        });
        Self {
            clock,
            facts: FactsView::of(&facts),
            seller: shown.seller,
            seller_address: shown.seller_address,
            reference: shown.reference,
            home: shown.home,
            room: shown.room,
            provider: shown.provider,
            payer: shown.payer,
        }
    }
}

impl FactsView {
    /// The facts of a document.
    pub fn of(facts: &ReceiptFacts) -> Self {
        let lines = facts.lines.iter().map(|line| ReceiptLineView {
            kind: line.kind.name(),
            amount_minor: line.amount_minor,
        });
        Self {
            number: facts.number.clone(),
            kind: facts.kind.name(),
            issued_at: instant(facts.issued_at),
            receipt_number: facts.receipt_number.clone(),
            currency: facts.currency.code(),
            decimals: facts.currency.decimals(),
            lines: lines.collect(),
            total_minor: facts.total_minor,
            refunded_minor: facts.refunded_minor(),
            charges: facts.charges.iter().map(charge).collect(),
            refunds: facts.refunds.iter().map(returned).collect(),
        }
    }
}

fn charge(charge: &Charge) -> ChargeView {
    ChargeView {
        amount_minor: charge.amount_minor,
        at: instant(charge.at),
        card: charge.card.as_ref().map(|card| CardView {
            brand: card.brand.clone(),
            last4: card.last4.clone(),
        }),
    }
}

fn returned(refund: &Returned) -> ReturnedView {
    ReturnedView {
        number: refund.number.clone(),
        amount_minor: refund.amount_minor,
        at: instant(refund.at),
        failed: refund.failed,
    }
}
