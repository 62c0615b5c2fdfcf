use chrono::DateTime;

use super::*;
use crate::aggregate::fold;
use crate::sample::assert_kept;

const FIRST: Uuid = Uuid::from_u128(1);

fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

fn at() -> Moment {
    DateTime::from_timestamp(1_795_000_000, 0).unwrap()
}

fn file(reading: &str) -> KeptFile {
    KeptFile {
        statement_id: FIRST,
        document_id: Uuid::from_u128(2),
        digest: "9f".to_owned(),
        reading: reading.to_owned(),
        form: "camt".to_owned(),
        account_end: Some("4417".to_owned()),
        bytes: 1_200,
        rows: 2,
        lines: 2,
        covered: vec![CoveredDays {
            currency: "GBP".to_owned(),
            first: NaiveDate::from_ymd_opt(2026, 11, 1).unwrap(),
            last: NaiveDate::from_ymd_opt(2026, 11, 30).unwrap(),
        }],
    }
}

fn make_kept_event() -> BankStatementsEvent {
    BankStatementsEvent::Kept {
        file: file("aa"),
        by: user(7),
        at: at(),
    }
}

fn decide_line(line: u32, decision: Decision, by: u128) -> BankStatementsCommand {
    BankStatementsCommand::Decide {
        statement_id: FIRST,
        line,
        decision,
        note_id: None,
        by: user(by),
        at: at(),
    }
}

fn payout(id: &str) -> Decision {
    Decision::Payout(id.to_owned())
}

/// Folds what a command makes, or says why it makes nothing.
fn run(state: &mut BankStatements, command: BankStatementsCommand) -> Result<usize, BankStatementsRejection> {
    let events = state.decide(command)?;
    for event in &events {
        state.evolve(event);
    }
    Ok(events.len())
}

#[test]
fn line_and_payout_are_matched_once() {
    let mut state = fold::<BankStatements>([&make_kept_event()]);
    assert_eq!(run(&mut state, decide_line(0, payout("po_1"), 7)), Ok(1));
    assert_eq!(run(&mut state, decide_line(0, payout("po_1"), 8)), Ok(0));
    assert_eq!(
        run(&mut state, decide_line(0, payout("po_2"), 8)),
        Err(BankStatementsRejection::LineDecided { by: user(7) })
    );
    assert_eq!(
        run(&mut state, decide_line(1, payout("po_1"), 8)),
        Err(BankStatementsRejection::PayoutMatched { by: user(7) })
    );
    assert_eq!(
        run(&mut state, decide_line(2, payout("po_3"), 8)),
        Err(BankStatementsRejection::Unknown)
    );
    assert_eq!(state.matched_payouts().collect::<Vec<_>>(), ["po_1"]);
    let reopen = BankStatementsCommand::Reopen {
        statement_id: FIRST,
        line: 0,
        by: user(8),
        at: at(),
    };
    assert_eq!(run(&mut state, reopen.clone()), Ok(1));
    assert_eq!(run(&mut state, reopen), Ok(0));
    let explained = Decision::Explained(LineReason::BankCharge);
    assert_eq!(run(&mut state, decide_line(0, explained.clone(), 8)), Ok(1));
    assert_eq!(run(&mut state, decide_line(1, explained, 8)), Ok(1));
}

#[test]
fn note_of_a_reopened_line_is_to_be_deleted() {
    let mut state = fold::<BankStatements>([&make_kept_event()]);
    let note = Uuid::from_u128(4);
    let decide = BankStatementsCommand::Decide {
        statement_id: FIRST,
        line: 1,
        decision: Decision::Explained(LineReason::OtherBusiness),
        note_id: Some(note),
        by: user(7),
        at: at(),
    };
    assert_eq!(run(&mut state, decide), Ok(1));
    assert_eq!(state.kept[&FIRST].list_notes().collect::<Vec<_>>(), [(1, note)]);
    let reopen = BankStatementsCommand::Reopen {
        statement_id: FIRST,
        line: 1,
        by: user(8),
        at: at(),
    };
    assert_eq!(run(&mut state, reopen), Ok(1));
    assert_eq!(state.kept[&FIRST].list_notes().count(), 0);
    assert_eq!(state.kept[&FIRST].replaced, [note]);
}

#[test]
fn file_is_kept_once_and_read_anew_while_undecided() {
    let mut state = fold::<BankStatements>([&make_kept_event()]);
    let keep = |reading: &str, document: u128| BankStatementsCommand::Keep {
        file: KeptFile {
            statement_id: Uuid::from_u128(9),
            document_id: Uuid::from_u128(document),
            ..file(reading)
        },
        by: user(8),
        at: at(),
    };
    assert_eq!(run(&mut state, keep("aa", 3)), Ok(0));
    assert_eq!(run(&mut state, keep("bb", 3)), Ok(1));
    let read_anew = &state.kept[&FIRST];
    assert_eq!(
        (read_anew.by, read_anew.file.document_id, &read_anew.replaced[..]),
        (user(7), Uuid::from_u128(3), &[Uuid::from_u128(2)][..])
    );
    run(&mut state, decide_line(0, payout("po_1"), 7)).unwrap();
    assert_eq!(
        run(&mut state, keep("cc", 4)),
        Err(BankStatementsRejection::ReadOtherwise)
    );
}

#[test]
fn statement_is_kept_for_seven_years() {
    let state = fold::<BankStatements>([&make_kept_event()]);
    let end = state.kept[&FIRST].kept_until();
    assert_eq!(end.to_rfc3339(), "2033-11-18T11:06:40+00:00");
    assert_eq!(state.list_expired(end - chrono::TimeDelta::seconds(1)).count(), 0);
    assert_eq!(state.list_expired(end).count(), 1);
}

#[test]
fn events_read_back_from_their_samples() {
    let (statement_id, by, at) = (FIRST, user(7), at());
    assert_kept::<BankStatements>(&[
        make_kept_event(),
        BankStatementsEvent::Opened { statement_id, by, at },
        BankStatementsEvent::LineDecided {
            statement_id,
            line: 1,
            decision: Decision::Explained(LineReason::OtherBusiness),
            note_id: Some(Uuid::from_u128(4)),
            by,
            at,
        },
        BankStatementsEvent::LineReopened {
            statement_id,
            line: 0,
            by,
            at,
        },
        BankStatementsEvent::Redacted {
            statement_id,
            document_id: Uuid::from_u128(3),
            lines: 1,
            at,
        },
        BankStatementsEvent::Removed { statement_id, at },
    ]);
}
