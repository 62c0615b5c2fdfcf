//! The step table, computed: every event of X8 tried in every step, and what came of it written down for the browser.

use std::collections::BTreeMap;
use std::path::Path;

use super::story::{at, opened, succeed};
use super::*;

type Table = BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>;

fn every_event() -> Vec<(&'static str, PaymentCommand)> {
    let intent_id = "pi_1".to_owned();
    let decline = PaymentCommand::Decline {
        attempt_id: "ch_new".to_owned(),
        code: DeclineCode::DoNotHonor,
    };
    let sold_out = PaymentCommand::SellOut {
        hold_id: None,
        reason: SoldOutReason::NoRoom,
    };
    vec![
        (
            "begin",
            PaymentCommand::Begin {
                at: at(),
                capacity: 3,
                proved_by: None,
                device: None,
            },
        ),
        (
            "intent_ready",
            PaymentCommand::ReadyIntent {
                intent_id,
                client_secret: "s".to_owned(),
            },
        ),
        (
            "intent_failed",
            PaymentCommand::FailIntent {
                reason: "timeout".to_owned(),
            },
        ),
        ("sold_out", sold_out),
        (
            "retry",
            PaymentCommand::Retry {
                at: at(),
                capacity: 3,
                proved_by: None,
            },
        ),
        ("confirm", PaymentCommand::Confirm { at: at() }),
        ("succeeded", succeed("ch_1", RoomOutcome::Sold)),
        ("declined", decline),
        ("delayed", PaymentCommand::Delay),
    ]
}

fn standing_in(status: PaymentStatus) -> Payment {
    let mut payment = crate::aggregate::fold::<Payment>([&opened()]);
    payment.status = status;
    payment
}

/// The steps a browser takes: where an event leads to another step. A repeated or late event changes nothing.
fn steps() -> Table {
    let try_in = |status: PaymentStatus| {
        let taken = every_event().into_iter().filter_map(move |(name, command)| {
            let mut payment = standing_in(status);
            let events = payment.decide(command).ok()?;
            for event in &events {
                payment.evolve(event);
            }
            let moved = payment.status != status;
            moved.then(|| (name, payment.status.name()))
        });
        (status.name(), taken.collect())
    };
    PaymentStatus::ALL.into_iter().map(try_in).collect()
}

#[test]
fn the_browser_s_step_table_is_what_the_code_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/contract/steps.payment.json");
    let computed = serde_json::to_string_pretty(&steps()).unwrap() + "\n";
    if std::env::var_os("LATCHKEY_WRITE_CONTRACT").is_some() {
        std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, computed.as_bytes()))
            .unwrap();
    }
    let written = std::fs::File::open(&path)
        .and_then(std::io::read_to_string)
        .unwrap_or_default();
    assert_eq!(
        written,
        computed,
        "run `make contract` and commit {}",
        path.display()
    );
}

#[test]
fn the_steps_are_those_of_x8_and_a_success_is_heard_everywhere() {
    let row = |steps: &[(&'static str, &'static str)]| steps.iter().copied().collect();
    let paid = ("succeeded", "success");
    let expected: Table = BTreeMap::from([
        ("init", row(&[("begin", "init_loading"), paid])),
        (
            "init_loading",
            row(&[
                ("intent_ready", "initiated"),
                ("intent_failed", "init_failure"),
                ("sold_out", "sold_out"),
                paid,
            ]),
        ),
        ("init_failure", row(&[("retry", "init_loading"), paid])),
        ("sold_out", row(&[])),
        (
            "initiated",
            row(&[("confirm", "processing"), ("sold_out", "sold_out"), paid]),
        ),
        (
            "processing",
            row(&[
                paid,
                ("declined", "failed"),
                ("delayed", "pending"),
                ("sold_out", "sold_out"),
            ]),
        ),
        ("success", row(&[])),
        ("failed", row(&[("retry", "init_loading"), paid])),
        ("pending", row(&[paid, ("declined", "failed")])),
    ]);
    assert_eq!(steps(), expected);
}

#[test]
fn a_success_in_sold_out_starts_the_refund_of_everything() {
    let mut payment = standing_in(PaymentStatus::SoldOut);
    for event in payment.decide(succeed("ch_1", RoomOutcome::Sold)).unwrap() {
        payment.evolve(&event);
    }
    assert_eq!(payment.status, PaymentStatus::SoldOut);
    assert_eq!(
        (payment.captured_minor(), payment.refund_pending_minor()),
        (25_907, 25_907)
    );
}
