use chrono::{DateTime, TimeDelta};
use cqrs_es::test::TestFramework;

use super::*;
use crate::sample::assert_kept;

fn at(hour: i64) -> Moment {
    DateTime::from_timestamp(1_795_000_000, 0).unwrap() + TimeDelta::hours(hour)
}

fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

fn message(n: u128, side: Side, due: Option<Moment>) -> NewMessage {
    NewMessage {
        message_id: id(n),
        side,
        channel: MessageChannel::Email,
        words: format!("Message {n}"),
        due,
    }
}

fn opened() -> Case {
    let opening = Opening {
        person: UserId(id(1)),
        sealed_by: UserId(id(2)),
        lead_id: Some(LeadId(id(3))),
        topic: CaseTopic::Booking,
        language: Language::Zh,
        subject: "The key".to_owned(),
        site: Some("study.example".to_owned()),
        first: message(10, Side::Person, Some(at(2))),
    };
    let mut case = Case::default();
    take(
        &mut case,
        CaseCommand::Open {
            opening: Box::new(opening),
            at: at(0),
        },
    );
    case
}

fn take(case: &mut Case, command: CaseCommand) -> Vec<CaseEvent> {
    let events = case.decide(command).expect("the case takes it");
    for event in &events {
        case.evolve(event);
    }
    events
}

fn write(case: &mut Case, message: NewMessage, hour: i64) -> Vec<CaseEvent> {
    take(
        case,
        CaseCommand::Write {
            message: Box::new(message),
            at: at(hour),
        },
    )
}

#[test]
fn next_word_passes_from_side_to_side() {
    let mut case = opened();
    assert_eq!((case.status, case.due), (CaseStatus::WaitsForStaff, Some(at(2))));
    write(&mut case, message(11, Side::Staff, None), 1);
    assert_eq!((case.status, case.due), (CaseStatus::WaitsForPerson, None));
    write(&mut case, message(12, Side::Person, Some(at(5))), 3);
    assert_eq!((case.status, case.due), (CaseStatus::WaitsForStaff, Some(at(5))));
    let order: Vec<Uuid> = case.thread().map(|(id, _)| id).collect();
    assert_eq!(order, [id(10), id(11), id(12)]);
}

#[test]
fn second_question_does_not_put_the_answer_off() {
    let mut case = opened();
    write(&mut case, message(11, Side::Person, Some(at(9))), 1);
    assert_eq!(case.due, Some(at(2)));
}

#[test]
fn message_of_its_person_reopens_a_closed_case() {
    let mut case = opened();
    take(&mut case, CaseCommand::Close { at: at(1) });
    assert_eq!((case.status, case.due), (CaseStatus::Closed, None));
    write(&mut case, message(11, Side::Person, Some(at(4))), 2);
    assert_eq!((case.status, case.due), (CaseStatus::WaitsForStaff, Some(at(4))));
}

#[test]
fn same_message_twice_is_one_message() {
    let mut case = opened();
    assert_eq!(write(&mut case, message(11, Side::Staff, None), 1).len(), 1);
    assert_eq!(write(&mut case, message(11, Side::Staff, None), 1), []);
}

#[test]
fn case_that_was_never_opened_takes_nothing() {
    TestFramework::<Case>::with(())
        .given_no_previous_events()
        .when(CaseCommand::Close { at: at(0) })
        .then_expect_error(CaseRejection::Unknown);
}

#[test]
fn every_event_reads_back_from_its_sample() {
    let mut case = Case::default();
    let mut events = Vec::new();
    let opening = Opening {
        person: UserId(id(1)),
        sealed_by: UserId(id(2)),
        lead_id: Some(LeadId(id(3))),
        topic: CaseTopic::Booking,
        language: Language::Zh,
        subject: "The key".to_owned(),
        site: Some("study.example".to_owned()),
        first: message(10, Side::Person, Some(at(2))),
    };
    let commands = [
        CaseCommand::Open {
            opening: Box::new(opening),
            at: at(0),
        },
        CaseCommand::NotePosted {
            message_id: id(10),
            outcome: LetterOutcome::Delivered,
            at: at(1),
        },
        CaseCommand::Assign {
            owner: Some(UserId(id(4))),
            at: at(1),
        },
        CaseCommand::SetDue {
            due: Some(at(8)),
            at: at(1),
        },
        CaseCommand::Note {
            note_id: id(14),
            by: UserId(id(8)),
            mentions: vec![UserId(id(9))],
            note: "Asked the warden".to_owned(),
            at: at(1),
        },
        CaseCommand::SetTeam {
            team: Some("payments".to_owned()),
            at: at(1),
        },
        CaseCommand::Attach {
            attachment: attachment("ab"),
            name: "visa.pdf".to_owned(),
            at: at(2),
        },
        CaseCommand::Close { at: at(2) },
        CaseCommand::Reopen { at: at(3) },
    ];
    for command in commands {
        events.extend(take(&mut case, command));
    }
    assert_kept::<Case>(&events);
}

fn attachment(digest: &str) -> Attachment {
    Attachment {
        attachment_id: id(12),
        side: Side::Person,
        media_type: "application/pdf".to_owned(),
        size_bytes: 70,
        digest: digest.to_owned(),
    }
}

#[test]
fn equal_files_are_kept_once_and_files_are_bounded() {
    let mut case = Case::default();
    let opening = Opening {
        person: UserId(id(1)),
        sealed_by: UserId(id(1)),
        lead_id: None,
        topic: CaseTopic::Other,
        language: Language::En,
        subject: "Visa".to_owned(),
        site: None,
        first: message(10, Side::Person, None),
    };
    take(
        &mut case,
        CaseCommand::Open {
            opening: Box::new(opening),
            at: at(0),
        },
    );
    let attach = |digest: &str| CaseCommand::Attach {
        attachment: attachment(digest),
        name: "visa.pdf".to_owned(),
        at: at(1),
    };
    assert_eq!(take(&mut case, attach("0")).len(), 1);
    assert_eq!(take(&mut case, attach("0")).len(), 0);
    for number in 1..ATTACHMENTS_MAX {
        take(&mut case, attach(&number.to_string()));
    }
    assert_eq!(case.decide(attach("more")), Err(CaseRejection::TooManyFiles));
}
