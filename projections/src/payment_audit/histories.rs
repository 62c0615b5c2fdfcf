//! List, sums, files and ledger are one truth: over histories of payments made at random from fixed seeds, with refunds, disputes and fees.

use std::collections::BTreeMap;

use domain::aggregate::Decide as _;
use domain::id::{LeadId, RefundId, UserId};
use domain::moment::Moment;
use domain::money::Currency;
use domain::payment::command::{PaymentCommand, RefundCommand, RoomOutcome};
use domain::payment::dispute::{DisputeCommand, DisputeOutcome};
use domain::payment::event::{Captured, RequestedBy};
use eventlog::{Actor, Append, Context, EventLog, Expected};
use uuid::Uuid;

use super::*;
use crate::lead_timeline::tests::samples;
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

const PAYMENTS: u64 = 60;
const STEPS: u64 = 16;
const CURRENCIES: [Currency; 3] = [Currency::Gbp, Currency::Krw, Currency::Kwd];

/// Numbers that look random and are the same in each run: xorshift, which never reaches zero from a seed above it.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one_of<T: Copy, const N: usize>(&mut self, all: [T; N]) -> T {
        let place = self.below(N as u64);
        all[usize::try_from(place).unwrap()]
    }
}

/// One thing that the gateway or a member of staff may do to a payment; many of them are refused.
fn happens(chance: &mut Chance, total: u64) -> PaymentCommand {
    let at: Moment = "2026-11-20T12:00:00Z".parse().unwrap();
    let by = UserId(Uuid::from_u128(2));
    let (nth, amount_minor) = (chance.below(3), 1 + chance.below(total));
    let refund_id = RefundId(Uuid::from_u128(100 + u128::from(nth)));
    let gateway_refund_id = format!("re_{nth}");
    let (dispute_id, reason) = (format!("dp_{nth}"), "fraudulent".to_owned());
    let fee_minor = chance.one_of([None, Some(0), Some(1_500), Some(3_000)]);
    let note = "as agreed".to_owned();
    let refund = |command| PaymentCommand::Refund(command);
    match chance.below(8) {
        0 => PaymentCommand::Succeed {
            capture: Captured {
                intent_id: "pi_1".to_owned(),
                charge_id: format!("ch_{nth}"),
                amount_minor: total,
                card: None,
            },
            room: chance.one_of([RoomOutcome::Sold, RoomOutcome::Lost]),
            refund_id: RefundId(Uuid::from_u128(200 + u128::from(nth))),
            at,
        },
        1 => refund(RefundCommand::Request {
            refund_id,
            amount_minor,
            note,
            by: RequestedBy::Staff(by),
            booking: None,
            ask: None,
            limit_minor: None,
            at,
        }),
        2 => refund(RefundCommand::Send {
            refund_id,
            gateway_refund_id,
        }),
        3 => refund(RefundCommand::Acknowledge {
            refund_id,
            gateway_refund_id,
            amount_minor,
            at,
        }),
        4 => refund(RefundCommand::Fail {
            refund_id,
            amount_minor,
            reason: "lost".to_owned(),
            at,
        }),
        5 => refund(RefundCommand::PayElsewhere {
            refund_id,
            note,
            by,
            at,
        }),
        6 => PaymentCommand::Dispute(DisputeCommand::Open {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
        }),
        _ => PaymentCommand::Dispute(DisputeCommand::Close {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
            outcome: chance.one_of([DisputeOutcome::Won, DisputeOutcome::Lost]),
            at,
        }),
    }
}

/// A payment that was paid, and what came of it afterwards.
fn history(nth: u64, chance: &mut Chance) -> Vec<PaymentEvent> {
    let mut opened = samples::<Payment>("PaymentOpened").swap_remove(0);
    let mut total = 0;
    if let PaymentEvent::PaymentOpened { terms, .. } = &mut opened {
        terms.link = None;
        terms.lead_id = LeadId(Uuid::from_u128(u128::from(nth) + 1));
        terms.token_digest = format!("{nth:064}");
        terms.quote.currency = chance.one_of(CURRENCIES);
        total = terms.quote.total_minor;
    }
    let mut payment = Payment::default();
    payment.evolve(&opened);
    let mut events = vec![opened];
    let at: Moment = "2026-11-20T12:00:00Z".parse().unwrap();
    let begun = [
        PaymentCommand::Begin {
            at,
            capacity: 3,
            proved_by: None,
            device: None,
        },
        PaymentCommand::ReadyIntent {
            intent_id: "pi_1".to_owned(),
            client_secret: "pi_1_secret".to_owned(),
        },
        PaymentCommand::Confirm { at },
    ];
    let after: Vec<PaymentCommand> = (0..STEPS).map(|_| happens(chance, total)).collect();
    for command in begun.into_iter().chain(after) {
        for event in payment.decide(command).unwrap_or_default() {
            payment.evolve(&event);
            events.push(event);
        }
    }
    events
}

type PerCurrency = BTreeMap<String, i64>;

/// The ledger's balance of money at the gateway and of what the house paid back by itself.
async fn ledger(pool: &AnyPool) -> PerCurrency {
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select currency, cast(sum(debit_minor - credit_minor) as bigint) from ledger_line
         where account in ('gateway_clearing', 'paid_elsewhere') group by currency",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    rows.into_iter().collect()
}

/// Adds up rows as a reader of the list or of a file does.
fn added(rows: &[AuditRow]) -> PerCurrency {
    let mut sums = PerCurrency::new();
    for row in rows {
        *sums.entry(row.currency.clone()).or_default() += row.sign * row.amount_minor;
    }
    sums
}

/// All rows as an export reads them, seven at a time: pieces end between an event and its fee.
async fn in_pieces(pool: &AnyPool, filter: &AuditFilter) -> Vec<AuditRow> {
    let (mut rows, mut place) = (Vec::new(), (0, 0));
    loop {
        let piece = after(pool, filter, place, 7).await.unwrap();
        let Some(last) = piece.last() else {
            return rows;
        };
        place = (last.position, last.line);
        rows.extend(piece);
    }
}

#[tokio::test]
async fn list_sums_files_and_ledger_are_one_truth() {
    for (place, _folder) in places() {
        let log = EventLog::memory();
        let mut chance = Chance(0x1a7c_4b3e);
        for nth in 0..PAYMENTS {
            let at: Moment = "2026-11-20T10:00:00Z".parse().unwrap();
            let events = history(nth, &mut chance);
            let append = Append::new(&Context::new(at, Actor::SYSTEM));
            let payment_id = PaymentId(Uuid::from_u128(u128::from(nth) + 1));
            let append = append.events::<Payment>(payment_id, Expected::Any, &events);
            log.append(append.unwrap()).await.unwrap();
        }
        let read = ReadStore::open(&place).await.unwrap();
        Projector::new(log.clone(), read.clone(), crate::all(log.handles()))
            .catch_up()
            .await
            .unwrap();
        let pool = read.readers();
        let money = AuditFilter {
            is_money: true,
            ..AuditFilter::default()
        };
        let (count, sums) = totals(pool, &money).await.unwrap();
        let listed = page(pool, &money, 10_000, 0).await.unwrap();
        let exported = in_pieces(pool, &money).await;
        let tiles: PerCurrency = sums
            .iter()
            .map(|it| {
                let out = it.refunded_minor + it.disputed_minor + it.fees_minor;
                (it.currency.clone(), it.captured_minor - out)
            })
            .collect();
        let ledger = ledger(pool).await;
        assert_eq!(tiles.len(), CURRENCIES.len());
        assert_eq!(count, listed.len() as u64);
        assert_eq!(
            listed.iter().rev().collect::<Vec<_>>(),
            exported.iter().collect::<Vec<_>>()
        );
        assert_eq!(added(&listed), tiles);
        assert_eq!(ledger, tiles);
        for kind in MONEY {
            assert!(listed.iter().any(|row| row.kind == kind), "{kind} never happened");
        }
    }
}
