//! Each movement beside our books, on both databases.

use std::collections::BTreeMap;

use chrono::{TimeZone as _, Utc};
use domain::gateway_event::{GatewayEventCommand, GatewayEventId};
use eventlog::{Actor, Context, EventLog, commit};
use uuid::Uuid;

use super::query::{LineFilter, PayoutRow, counts, lines};
use super::*;
use crate::lead_timeline::tests::everything;
use crate::payment_audit::{AuditFilter, page};
use crate::reconciliation::{TotalRow, totals};
use crate::trial::places;

/// A movement of this much, after everything that our books hold.
fn moved(kind: &str, source: &str, amount_minor: i64) -> BalanceLine {
    let at = Utc.with_ymd_and_hms(2100, 1, 1, 0, 0, 0).unwrap();
    BalanceLine {
        line_id: format!("txn_{source}"),
        kind: kind.to_owned(),
        source: Some(source.to_owned()),
        amount_minor,
        fee_minor: 0,
        net_minor: amount_minor,
        currency: "GBP".to_owned(),
        created_at: at,
        available_at: at,
        payout_id: None,
        exchange_rate: None,
    }
}

async fn keep(log: &EventLog, number: u128, line: BalanceLine) {
    let context = Context::new(line.created_at, Actor::GATEWAY);
    let command = GatewayEventCommand::ReadLine(Box::new(line));
    let stream = GatewayEventId(Uuid::from_u128(number));
    commit::<GatewayEvent>(log, stream, command, &context)
        .await
        .unwrap();
}

/// What both sides know alike is matched; what only one knows, or knows otherwise, has its reason.
#[tokio::test]
async fn movements_are_matched_differing_or_missing() {
    for (place, _folder) in places() {
        let (log, read, mut projector) = everything(&place).await;
        let pool = read.readers();
        let mut booked = page(pool, &AuditFilter::default(), 1_000, 0).await.unwrap();
        booked.retain(|row| ["captured", "refund_acknowledged"].contains(&row.kind.as_str()));
        // Samples name some charges twice, which a gateway does not.
        let names: Vec<_> = booked.iter().map(|row| row.gateway_id.clone()).collect();
        booked.retain(|row| names.iter().filter(|name| **name == row.gateway_id).count() == 1);
        let [first, second, rest @ ..] = booked.as_slice() else {
            panic!("two movements at least: {booked:?}");
        };
        let source = |row: &crate::payment_audit::AuditRow| row.gateway_id.clone().unwrap();
        keep(&log, 901, moved("charge", &source(first), first.amount_minor)).await;
        keep(
            &log,
            902,
            moved("charge", &source(second), second.amount_minor + 1),
        )
        .await;
        keep(&log, 903, moved("charge", "ch_of_another_shop", 700)).await;
        keep(&log, 904, moved("payout", "po_1", -700)).await;
        projector.catch_up().await.unwrap();
        let rows = lines(pool, &LineFilter::default(), 100, 0).await.unwrap();
        let verdicts: BTreeMap<_, _> = rows
            .iter()
            .map(|row| (row.source.clone().unwrap_or_default(), row.verdict.as_str()))
            .collect();
        assert_eq!(verdicts[&source(first)], "matched");
        assert_eq!(verdicts[&source(second)], "differing");
        assert_eq!(verdicts["ch_of_another_shop"], "missing_here");
        assert_eq!(verdicts["po_1"], "own");
        for row in rest {
            assert_eq!(verdicts[&source(row)], "missing_there", "{row:?}");
        }
        let counted = counts(pool, &LineFilter::default()).await.unwrap();
        assert_eq!(
            counted.iter().map(|(_, count)| *count).sum::<i64>(),
            i64::try_from(rows.len()).unwrap()
        );
    }
}

/// A provider that lists nothing more: what it had to list by now is missing there, and no sum waits for the next reading.
#[tokio::test]
async fn movement_that_is_never_listed_becomes_missing() {
    for (place, _folder) in places() {
        let (_log, read, mut projector) = everything(&place).await;
        projector.catch_up().await.unwrap();
        let pool = read.readers();
        let missing = async |listed_before: &str| {
            let filter = LineFilter {
                verdict: Some("missing_there".to_owned()),
                listed_before: Some(listed_before.to_owned()),
                ..LineFilter::default()
            };
            let rows = lines(pool, &filter, 100, 0).await.unwrap();
            let counted = counts(pool, &filter).await.unwrap();
            let count: i64 = counted.iter().map(|(_, count)| *count).sum();
            assert_eq!(count, i64::try_from(rows.len()).unwrap());
            rows
        };
        let (early, late) = ("2000-01-01T00:00:00.000000Z", "2100-01-01T00:00:00.000000Z");
        let rows = missing(late).await;
        assert!(!rows.is_empty() && rows.len() >= missing(early).await.len());
        assert!(rows.iter().all(|row| row.created_at.as_str() < late), "{rows:?}");
        let (before, after) = (
            totals(pool, early).await.unwrap(),
            totals(pool, late).await.unwrap(),
        );
        let newer = |all: &[TotalRow]| all.iter().filter(|total| total.newer_minor != 0).count();
        assert_eq!(newer(&after), 0, "{after:?}");
        for (waits, is_due) in before.iter().zip(&after) {
            assert_eq!(waits.here_minor + waits.newer_minor, is_due.here_minor);
        }
    }
}

/// A charge that was settled in another currency fits by its rate, whatever decimals both have.
#[tokio::test]
async fn settled_charges_fit_by_their_rate_in_any_decimals() {
    for (place, _folder) in places() {
        let (log, read, mut projector) = everything(&place).await;
        let pool = read.readers();
        let booked = page(pool, &AuditFilter::default(), 1_000, 0).await.unwrap();
        let mut charges = booked.iter().filter(|row| row.kind == "captured");
        let charge = charges.find(|row| row.currency == "GBP").unwrap();
        let (source, pence) = (charge.gateway_id.clone().unwrap(), charge.amount_minor);
        let settled = [
            ("EUR", "1.1704", pence * 11_704 / 10_000, "matched"),
            ("KWD", "0.39", pence * 39 / 10, "matched"),
            ("JPY", "190.5", pence * 1_905 / 1_000, "matched"),
            ("KRW", "1700", pence * 17 * 10, "differing"),
        ];
        for (number, (currency, rate, amount_minor, _)) in settled.into_iter().enumerate() {
            let line = BalanceLine {
                line_id: format!("txn_{currency}"),
                currency: currency.to_owned(),
                exchange_rate: Some(rate.to_owned()),
                ..moved("charge", &source, amount_minor)
            };
            keep(&log, 950 + number as u128, line).await;
        }
        projector.catch_up().await.unwrap();
        let rows = lines(pool, &LineFilter::default(), 100, 0).await.unwrap();
        for (currency, rate, amount_minor, verdict) in settled {
            let found = rows
                .iter()
                .find(|row| row.line_id == Some(format!("txn_{currency}")));
            assert_eq!(
                found.unwrap().verdict,
                verdict,
                "{currency} {rate} {amount_minor}"
            );
        }
    }
}

/// Forint are paid out whole, and what is over goes with a later payout; nothing is over of a pound.
#[test]
fn payout_is_whole_to_what_its_currency_is_paid_out_in() {
    let is_whole = |currency: &str, items_minor| {
        PayoutRow {
            payout_id: "po_1".to_owned(),
            amount_minor: 1_000,
            currency: currency.to_owned(),
            status: "paid".to_owned(),
            created_at: String::new(),
            arrives_at: String::new(),
            items: 2,
            items_minor,
            is_by_hand: Some(0),
        }
        .is_whole()
    };
    assert_eq!(
        [1_000, 1_045, 955, 1_100].map(|sum| is_whole("HUF", sum)),
        [true, true, true, false].map(Some)
    );
    assert_eq!(
        [1_000, 1_001].map(|sum| is_whole("GBP", sum)),
        [true, false].map(Some)
    );
}
