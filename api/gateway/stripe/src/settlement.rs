//! The account's balance transactions with their fees, and its payouts, as Stripe lists them.

use chrono::DateTime;
use domain::moment::Moment;
use domain::settlement::{BalanceLine, Payout};
use gateway::GatewayError;
use serde::Deserialize;
use stripe_core::balance_transaction::ListBalanceTransaction;
use stripe_core::payout::{ListPayout, RetrievePayout};
use stripe_types::RangeQueryTs;

use crate::Stripe;
use crate::currencies;

/// Stripe's largest page.
const PAGE: i64 = 100;

#[derive(Deserialize)]
struct Page<T> {
    data: Vec<T>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct Transaction {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    source: Option<String>,
    amount: i64,
    fee: i64,
    net: i64,
    currency: String,
    created: i64,
    available_on: i64,
    /// Where the charge was in another currency.
    #[serde(default)]
    exchange_rate: Option<serde_json::Number>,
}

#[derive(Deserialize)]
struct Sent {
    id: String,
    amount: i64,
    currency: String,
    status: String,
    created: i64,
    arrival_date: i64,
    /// Whether Stripe sent it by the account's schedule.
    #[serde(default = "by_schedule")]
    automatic: bool,
}

const fn by_schedule() -> bool {
    true
}

impl Stripe {
    pub(crate) async fn lines_since(&self, since: Moment) -> Result<Vec<BalanceLine>, GatewayError> {
        let list = ListBalanceTransaction::new()
            .created(RangeQueryTs::gte(since.timestamp()))
            .limit(PAGE);
        self.all_lines(list, None).await
    }

    pub(crate) async fn lines_of(&self, payout_id: &str) -> Result<Vec<BalanceLine>, GatewayError> {
        let list = ListBalanceTransaction::new().payout(payout_id).limit(PAGE);
        match self.all_lines(list, Some(payout_id)).await {
            Err(GatewayError::Refused(why)) => {
                // What a person sends out by hand is a sum and no list of movements: Stripe refuses to list any.
                let sent: Sent = self.0.calls.ask(&RetrievePayout::new(payout_id)).await?;
                let by_hand = (!sent.automatic).then(Vec::new);
                by_hand.ok_or(GatewayError::Refused(why))
            }
            lines => lines,
        }
    }

    async fn all_lines(
        &self,
        mut list: ListBalanceTransaction,
        payout_id: Option<&str>,
    ) -> Result<Vec<BalanceLine>, GatewayError> {
        let mut lines: Vec<BalanceLine> = Vec::new();
        loop {
            let page: Page<Transaction> = self.0.calls.ask(&list).await?;
            let is_last = !page.has_more || page.data.is_empty();
            lines.extend(page.data.into_iter().map(|told| line(told, payout_id)));
            match lines.last() {
                Some(oldest) if !is_last => list = list.starting_after(oldest.line_id.clone()),
                _ => return Ok(lines),
            }
        }
    }

    pub(crate) async fn payouts_since(&self, since: Moment) -> Result<Vec<Payout>, GatewayError> {
        let mut list = ListPayout::new()
            .created(RangeQueryTs::gte(since.timestamp()))
            .limit(PAGE);
        let mut payouts: Vec<Payout> = Vec::new();
        loop {
            let page: Page<Sent> = self.0.calls.ask(&list).await?;
            let is_last = !page.has_more || page.data.is_empty();
            payouts.extend(page.data.into_iter().map(payout));
            match payouts.last() {
                Some(oldest) if !is_last => list = list.starting_after(oldest.payout_id.clone()),
                _ => return Ok(payouts),
            }
        }
    }
}

fn moment(seconds: i64) -> Moment {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// The fee is what lies between amount and net, so that rounding it loses nothing.
fn line(told: Transaction, payout_id: Option<&str>) -> BalanceLine {
    let [amount_minor, net_minor] =
        [told.amount, told.net].map(|sent| currencies::nearest_minor(&told.currency, sent));
    let is_sum = told.amount.checked_sub(told.net) == Some(told.fee);
    let fee_minor = if is_sum {
        amount_minor.saturating_sub(net_minor)
    } else {
        currencies::nearest_minor(&told.currency, told.fee)
    };
    BalanceLine {
        line_id: told.id,
        kind: told.kind,
        source: told.source,
        amount_minor,
        fee_minor,
        net_minor,
        currency: told.currency.to_uppercase(),
        created_at: moment(told.created),
        available_at: moment(told.available_on),
        payout_id: payout_id.map(str::to_owned),
        exchange_rate: told.exchange_rate.map(|rate| rate.to_string()),
    }
}

fn payout(told: Sent) -> Payout {
    Payout {
        payout_id: told.id,
        amount_minor: currencies::nearest_minor(&told.currency, told.amount),
        currency: told.currency.to_uppercase(),
        status: told.status,
        created_at: moment(told.created),
        arrives_at: moment(told.arrival_date),
        is_by_hand: Some(!told.automatic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Krónur come in hundredths, of which a fee may be some: amount, fee and net still add up.
    #[test]
    fn movements_are_counted_in_minor_units_of_iso_4217() {
        let told = |currency: &str| {
            let transaction = serde_json::json!({ "id": "txn_1", "type": "charge", "amount": 500_000, "fee": 7_520,
                "net": 492_480, "currency": currency, "created": 0, "available_on": 0 });
            let told = line(serde_json::from_value(transaction).unwrap(), None);
            (told.amount_minor, told.fee_minor, told.net_minor)
        };
        assert_eq!(told("isk"), (5_000, 75, 4_925));
        assert_eq!(told("gbp"), (500_000, 7_520, 492_480));
        assert_eq!(told("mga"), (50_000_000, 752_000, 49_248_000));
        let sent = serde_json::json!({ "id": "po_1", "amount": 492_500, "currency": "isk", "status": "paid", "created": 0,
            "arrival_date": 0 });
        assert_eq!(payout(serde_json::from_value(sent).unwrap()).amount_minor, 4_925);
    }

    /// Stripe's published examples.
    #[test]
    fn published_balance_and_payout_are_read() {
        let fixtures: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/stripe-fixtures.json")).unwrap();
        let published = |name: &str| fixtures["resources"][name].clone();
        let told = line(
            serde_json::from_value(published("balance_transaction")).unwrap(),
            Some("po_1"),
        );
        assert_eq!((told.amount_minor, told.fee_minor, told.net_minor), (100, 0, 100));
        assert_eq!((told.kind.as_str(), told.currency.as_str()), ("charge", "USD"));
        let told = payout(serde_json::from_value(published("payout")).unwrap());
        assert_eq!((told.amount_minor, told.status.as_str()), (1_100, "in_transit"));
    }
}
