//! The step table, computed: every event of X8 tried in every step, and what came of it written down for the browser.

use std::collections::BTreeMap;

use super::story::{at, opened, succeed};
use super::*;

type Table = BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>;

/// Every command of X8, and what the gateway may tell of a press that this server did not see.
fn every_command() -> Vec<PaymentCommand> {
    let intent_id = "pi_1".to_owned();
    vec![
        PaymentCommand::Begin {
            at: at(),
            capacity: 3,
            proved_by: None,
            device: None,
        },
        PaymentCommand::ReadyIntent {
            intent_id,
            client_secret: "s".to_owned(),
        },
        PaymentCommand::FailIntent {
            reason: "timeout".to_owned(),
        },
        PaymentCommand::SellOut {
            hold_id: None,
            reason: SoldOutReason::NoRoom,
        },
        PaymentCommand::Retry {
            at: at(),
            capacity: 3,
            proved_by: None,
        },
        PaymentCommand::Confirm { at: at() },
        PaymentCommand::NotePress { at: at() },
        succeed("ch_1", RoomOutcome::Sold),
        decline("ch_new"),
        PaymentCommand::Delay,
    ]
}

fn decline(attempt: &str) -> PaymentCommand {
    PaymentCommand::Decline {
        attempt_id: attempt.to_owned(),
        code: DeclineCode::DoNotHonor,
        at: at(),
    }
}

/// X8's name of the edge that an event walks.
fn name_edge(event: &PaymentEvent) -> &'static str {
    match event {
        PaymentEvent::PaymentBegun { .. } => "begin",
        PaymentEvent::IntentReady { .. } => "intent_ready",
        PaymentEvent::IntentFailed { .. } => "intent_failed",
        PaymentEvent::PaymentSoldOut { .. } => "sold_out",
        PaymentEvent::PaymentRetried { .. } => "retry",
        PaymentEvent::PaymentConfirmed { .. } => "confirm",
        PaymentEvent::PaymentSucceeded { .. } => "succeeded",
        PaymentEvent::PaymentDeclined { .. } => "declined",
        PaymentEvent::PaymentDelayed {} => "delayed",
        other => panic!("X8 has no edge for {other:?}"),
    }
}

fn standing_in(status: PaymentStatus) -> Payment {
    let mut payment = crate::aggregate::fold::<Payment>([&opened()]);
    payment.status = status;
    payment.intent = Some(Intent {
        id: "pi_1".to_owned(),
        client_secret: Some("s".to_owned()),
    });
    payment
}

/// Decides a command and folds what happened; gives the status before and after each event.
fn walk(payment: &mut Payment, command: PaymentCommand) -> Vec<(PaymentStatus, &'static str, PaymentStatus)> {
    let mut walked = Vec::new();
    for event in payment.decide(command).unwrap_or_default() {
        let before = payment.status;
        payment.evolve(&event);
        if payment.status != before {
            walked.push((before, name_edge(&event), payment.status));
        }
    }
    walked
}

/// The steps a browser takes: every edge that an event of any command walks. A repeated or late event changes nothing.
fn steps() -> Table {
    let mut table: Table = PaymentStatus::ALL
        .into_iter()
        .map(|status| (status.name(), BTreeMap::new()))
        .collect();
    for status in PaymentStatus::ALL {
        for command in every_command() {
            for (before, edge, after) in walk(&mut standing_in(status), command) {
                table.entry(before.name()).or_default().insert(edge, after.name());
            }
        }
    }
    table
}

#[test]
fn the_browser_s_step_table_is_what_the_code_does() {
    crate::contract_file::assert_written("steps.payment.json", &steps());
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

/// In the gateway's own form Pay is pressed unseen: the decline says of the press too.
#[test]
fn decline_before_the_press_is_heard_walks_both_steps() {
    let mut payment = standing_in(PaymentStatus::Initiated);
    assert_eq!(
        walk(&mut payment, decline("ch_1")),
        [
            (PaymentStatus::Initiated, "confirm", PaymentStatus::Processing),
            (PaymentStatus::Processing, "declined", PaymentStatus::Failed),
        ]
    );
    assert_eq!(payment.confirmed_at, Some(at()));
    assert_eq!(payment.decide(decline("ch_1")), Ok(vec![]), "told twice");
    // The next card of the same form, tried before this server had heard of the first.
    assert_eq!(payment.decide(decline("ch_2")).map(|events| events.len()), Ok(1));
    payment.cancelled_at = Some(at());
    assert_eq!(payment.decide(decline("ch_3")), Ok(vec![]), "taken back");
}

/// Edges that a decline walks in each step, and whether it is recorded. No card can have been tried before the payment was begun, and
/// the money of a payment that is paid or sold out is settled.
const fn decline_in(status: PaymentStatus) -> (&'static [&'static str], bool) {
    match status {
        PaymentStatus::InitLoading => (&["intent_ready", "confirm", "declined"], true),
        PaymentStatus::InitFailure => (&["retry", "intent_ready", "confirm", "declined"], true),
        PaymentStatus::Initiated => (&["confirm", "declined"], true),
        PaymentStatus::Processing | PaymentStatus::Pending => (&["declined"], true),
        PaymentStatus::Failed => (&[], true),
        PaymentStatus::Init | PaymentStatus::SoldOut | PaymentStatus::Success => (&[], false),
    }
}

#[test]
fn decline_is_recorded_in_each_step_that_has_an_intent() {
    for status in PaymentStatus::ALL {
        let (steps, is_recorded) = decline_in(status);
        let mut payment = standing_in(status);
        let intent = payment.intent.clone();
        let walked = walk(&mut payment, decline("ch_1"));
        let edges: Vec<_> = walked.iter().map(|(_, edge, _)| *edge).collect();
        assert_eq!(edges, steps, "{status:?}");
        assert_eq!(
            payment.declined_attempts.contains("ch_1"),
            is_recorded,
            "{status:?}"
        );
        let ended = if is_recorded {
            PaymentStatus::Failed
        } else {
            status
        };
        assert_eq!(
            (payment.status, payment.intent.clone()),
            (ended, intent),
            "{status:?}"
        );
        assert_eq!(
            payment.decide(decline("ch_1")),
            Ok(vec![]),
            "{status:?} told twice"
        );

        // A payment that was taken back keeps the end of a press that is under way.
        let mut cancelled = standing_in(status);
        cancelled.cancelled_at = Some(at());
        let is_under_way = matches!(status, PaymentStatus::Processing | PaymentStatus::Pending);
        walk(&mut cancelled, decline("ch_1"));
        assert_eq!(
            cancelled.declined_attempts.contains("ch_1"),
            is_under_way,
            "{status:?}"
        );
    }
}

/// Without an intent no card can have been tried: the decline is of no press of this payment.
#[test]
fn decline_without_an_intent_changes_nothing() {
    for status in [PaymentStatus::InitLoading, PaymentStatus::InitFailure] {
        let mut payment = standing_in(status);
        payment.intent = None;
        assert_eq!(payment.decide(decline("ch_1")), Ok(vec![]), "{status:?}");
    }
}

/// An intent that was cancelled at the provider takes no card any more: its try is over, and the next one makes another.
#[test]
fn cancelled_intent_ends_its_try_and_is_forgotten() {
    for status in PaymentStatus::ALL {
        let ends = matches!(
            status,
            PaymentStatus::Initiated
                | PaymentStatus::Processing
                | PaymentStatus::Pending
                | PaymentStatus::Failed
        );
        let mut payment = standing_in(status);
        walk(&mut payment, decline("canceled:pi_0"));
        assert_eq!(
            (payment.status, payment.intent.is_some()),
            (status, true),
            "{status:?}: the end of another intent"
        );
        walk(&mut payment, decline("canceled:pi_1"));
        let after = if ends { PaymentStatus::Failed } else { status };
        assert_eq!(
            (payment.status, payment.intent.is_none()),
            (after, ends),
            "{status:?}"
        );
        assert_eq!(payment.decide(decline("canceled:pi_1")), Ok(vec![]), "{status:?}");
    }
}

/// A slow method that was chosen after a decline is a try of its own, with the intent that is there.
#[test]
fn press_after_a_decline_keeps_the_intent() {
    let mut payment = standing_in(PaymentStatus::Failed);
    let intent = payment.intent.clone();
    let walked = walk(&mut payment, PaymentCommand::NotePress { at: at() });
    let edges: Vec<_> = walked.iter().map(|(_, edge, _)| *edge).collect();
    assert_eq!(edges, ["retry", "intent_ready", "confirm"]);
    assert_eq!(
        (payment.status, payment.intent),
        (PaymentStatus::Processing, intent)
    );
}

/// Failure after success, and success after failure.
#[test]
fn decline_and_success_end_in_success_in_either_order() {
    for told in [
        [decline("ch_0"), succeed("ch_1", RoomOutcome::Sold)],
        [succeed("ch_1", RoomOutcome::Sold), decline("ch_0")],
    ] {
        let mut payment = standing_in(PaymentStatus::Initiated);
        for command in told {
            walk(&mut payment, command);
        }
        assert_eq!((payment.status, payment.decline), (PaymentStatus::Success, None));
        assert_eq!(payment.captured_minor(), 25_907);
    }
}
