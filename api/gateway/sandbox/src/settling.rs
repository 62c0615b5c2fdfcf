//! The provider's account (D103): each charge, refund and dispute with its fee, computed from what the memory holds, and paid out to
//! a bank in one payout a currency and period.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta};
use domain::moment::Moment;
use domain::money::Currency;
use domain::settlement::{BalanceLine, Payout};
use gateway::{GatewayError, GatewayRefundStatus};
use platform::clock;

use crate::disputing::{DisputeStatus, fee_minor};
use crate::memory::{FaultPlan, name};
use crate::{Intent, Refund, Sandbox};

/// What is kept of a charge: so many thousandths, and so many minor units.
const FEE_THOUSANDTHS: i64 = 15;
const FEE_MINOR: i64 = 20;
/// Charges and refunds that are looked through, newest first.
const LOOKED_THROUGH: i64 = 20_000;
/// Intents may be charged, refunded and disputed long after they were made.
const LOOK_BACK: TimeDelta = TimeDelta::days(400);

impl Sandbox {
    pub(crate) async fn lines_since(&self, since: Moment) -> Result<Vec<BalanceLine>, GatewayError> {
        self.reachable().await?;
        let plan = self.memory.plan().await?;
        let mut lines = Vec::new();
        let mut currencies = BTreeMap::new();
        for intent in self.memory.intents(LOOKED_THROUGH).await? {
            currencies.insert(intent.id.clone(), intent.currency);
            if intent.created_at > since - LOOK_BACK {
                lines.extend(charge_lines(&intent, &plan));
            }
        }
        for refund in self.memory.refunds(LOOKED_THROUGH).await? {
            let currency = currencies.get(&refund.request.intent_id);
            lines.extend(currency.and_then(|currency| refund_line(&refund, *currency)));
        }
        Ok(lines)
    }

    pub(crate) async fn payouts_since(&self, since: Moment) -> Result<Vec<Payout>, GatewayError> {
        let period_ms = self.period_ms().await?;
        let delay = TimeDelta::milliseconds(i64::from(self.memory.plan().await?.payout_delay_ms));
        let lines = self.lines_since(since).await?;
        let mut payouts: BTreeMap<String, Payout> = BTreeMap::new();
        for line in lines {
            let Some((payout_id, sent_at)) = sent(&line, period_ms) else {
                continue;
            };
            let payout = payouts.entry(payout_id.clone()).or_insert_with(|| Payout {
                payout_id,
                amount_minor: 0,
                currency: line.currency.clone(),
                status: if sent_at + delay <= clock::now() {
                    "paid"
                } else {
                    "in_transit"
                }
                .to_owned(),
                created_at: sent_at,
                arrives_at: sent_at,
                is_by_hand: Some(false),
            });
            payout.amount_minor += line.net_minor;
        }
        Ok(payouts.into_values().collect())
    }

    pub(crate) async fn lines_of(&self, payout_id: &str) -> Result<Vec<BalanceLine>, GatewayError> {
        let period_ms = self.period_ms().await?;
        let lines = self.lines_since(Moment::UNIX_EPOCH).await?.into_iter();
        let of_payout = lines.filter(|line| sent(line, period_ms).is_some_and(|(id, _)| id == payout_id));
        let payout_id = Some(payout_id.to_owned());
        let with_payout = |line| BalanceLine {
            payout_id: payout_id.clone(),
            ..line
        };
        Ok(of_payout.map(with_payout).collect())
    }

    async fn period_ms(&self) -> Result<i64, GatewayError> {
        Ok(i64::from(self.memory.plan().await?.payout_every_ms.max(1)))
    }
}

/// With which payout a movement went out, and when: at the end of its period.
fn sent(line: &BalanceLine, period_ms: i64) -> Option<(String, Moment)> {
    let period = line.created_at.timestamp_millis().div_euclid(period_ms);
    let ends = DateTime::from_timestamp_millis((period + 1) * period_ms)?;
    let id = name("po", &format!("{} {period_ms} {period}", line.currency));
    (ends <= clock::now()).then_some((id, ends))
}

fn line(
    (kind, source): (&str, &str),
    at: Moment,
    currency: Currency,
    (amount, fee): (i64, i64),
) -> BalanceLine {
    BalanceLine {
        line_id: name("txn", &format!("{kind} {source} {amount}")),
        kind: kind.to_owned(),
        source: Some(source.to_owned()),
        amount_minor: amount,
        fee_minor: fee,
        net_minor: amount - fee,
        currency: currency.code().to_owned(),
        created_at: at,
        available_at: at,
        payout_id: None,
        exchange_rate: None,
    }
}

/// A charge, and what a dispute took of it and gave back.
fn charge_lines(intent: &Intent, plan: &FaultPlan) -> Vec<BalanceLine> {
    let Some(charge) = &intent.charge else {
        return vec![];
    };
    let (at, currency) = (intent.created_at, intent.currency);
    let amount = charge.amount_minor.cast_signed();
    let extra = if plan.fee_extra_of == charge.id {
        i64::from(plan.fee_extra_minor)
    } else {
        0
    };
    let fee = amount * FEE_THOUSANDTHS / 1_000 + FEE_MINOR + extra;
    let mut lines = vec![line(("charge", &charge.id), at, currency, (amount, fee))];
    if let Some(dispute) = &charge.dispute {
        let taken = dispute.amount_minor.cast_signed();
        let fee = fee_minor(currency).cast_signed();
        lines.push(line(("adjustment", &dispute.id), at, currency, (-taken, fee)));
        if dispute.status == DisputeStatus::Won {
            lines.push(line(("adjustment", &dispute.id), at, currency, (taken, -fee)));
        }
    }
    lines
}

fn refund_line(refund: &Refund, currency: Currency) -> Option<BalanceLine> {
    let amount = refund.request.amount_minor.cast_signed();
    let moved = refund.status == GatewayRefundStatus::Succeeded;
    moved.then(|| line(("refund", &refund.id), refund.created_at, currency, (-amount, 0)))
}
