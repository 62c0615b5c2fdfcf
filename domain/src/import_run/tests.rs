use chrono::DateTime;
use uuid::Uuid;

use super::*;
use crate::aggregate::fold;
use crate::sample::assert_kept;

fn at(seconds: i64) -> Moment {
    DateTime::from_timestamp(1_795_000_000 + seconds, 0).unwrap()
}

fn source(by: RunBy) -> RunSource {
    RunSource {
        feed: "north".to_owned(),
        by,
        file: "homes.csv".to_owned(),
        digest: "9f".to_owned(),
        map_digest: Some("aa".to_owned()),
        missing: MissingRule::Withdraw,
    }
}

fn counts() -> RunCounts {
    RunCounts {
        added: 3,
        changed: 2,
        unchanged: 190,
        rejected: 1,
        left_out: 4,
        missing: 0,
        withdrawn: 11,
    }
}

fn begin(by: RunBy) -> ImportRunCommand {
    ImportRunCommand::Begin {
        source: source(by),
        at: at(0),
    }
}

fn end(outcome: RunOutcome) -> ImportRunCommand {
    ImportRunCommand::End {
        counts: counts(),
        outcome,
        at: at(60),
    }
}

fn begun() -> ImportRun {
    fold::<ImportRun>(&ImportRun::default().decide(begin(RunBy::Operator)).unwrap())
}

#[test]
fn run_begins_once_and_for_one_file() {
    let run = begun();
    assert_eq!(run.decide(begin(RunBy::Operator)), Ok(vec![]));
    assert_eq!(
        run.decide(begin(RunBy::Schedule)),
        Err(ImportRunRejection::Reused)
    );
    let early = ImportRun::default().decide(end(RunOutcome::Complete));
    assert_eq!(early, Err(ImportRunRejection::Unknown));
}

#[test]
fn run_ends_once_and_in_one_way() {
    let mut run = begun();
    let ended = run.decide(end(RunOutcome::Complete)).unwrap();
    assert_eq!(ended.len(), 1);
    run.evolve(&ended[0]);
    assert_eq!(run.decide(end(RunOutcome::Complete)), Ok(vec![]));
    let otherwise = RunOutcome::Refused(RunRefusal::NumberNotTyped {
        missing: 3,
        homes: 4,
        typed: None,
    });
    assert_eq!(run.decide(end(otherwise)), Err(ImportRunRejection::Ended));
}

#[test]
fn long_reason_is_cut() {
    let reason = "ü".repeat(REASON_MAX + 1);
    let ended = begun().decide(end(RunOutcome::Stopped { reason })).unwrap();
    let [
        ImportRunEvent::Ended {
            outcome: RunOutcome::Stopped { reason },
            ..
        },
    ] = &ended[..]
    else {
        panic!("{ended:?}");
    };
    assert_eq!(reason.chars().count(), REASON_MAX);
}

#[test]
fn outcomes_have_each_a_word() {
    let refusals = [
        RunRefusal::TooManyMissing {
            missing: 9,
            homes: 10,
            limit: Some(8),
        },
        RunRefusal::NumberNotTyped {
            missing: 3,
            homes: 4,
            typed: Some(2),
        },
    ];
    let stopped = RunOutcome::Stopped {
        reason: "it breaks off".to_owned(),
    };
    let all = [RunOutcome::Complete, stopped]
        .into_iter()
        .chain(refusals.map(RunOutcome::Refused));
    let words: Vec<&str> = all.map(|outcome| outcome.key()).collect();
    assert_eq!(words, RunOutcome::KEYS);
    let people = [
        RunBy::Operator,
        RunBy::Staff(UserId(Uuid::nil())),
        RunBy::Schedule,
    ];
    assert_eq!(people.map(RunBy::key), RunBy::KEYS);
    assert_eq!(
        people.map(RunBy::user_id),
        [None, Some(UserId(Uuid::nil())), None]
    );
}

#[test]
fn every_event_reads_back_from_its_sample() {
    let begun = ImportRunEvent::Begun {
        source: source(RunBy::Staff(UserId(Uuid::from_u128(7)))),
        at: at(0),
    };
    let ended = ImportRunEvent::Ended {
        counts: counts(),
        outcome: RunOutcome::Complete,
        at: at(60),
    };
    assert_kept::<ImportRun>(&[begun, ended]);
}
