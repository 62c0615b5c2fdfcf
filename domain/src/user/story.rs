//! What a person can do, told as stories.

use chrono::DateTime;
use cqrs_es::test::TestFramework;
use uuid::Uuid;

use super::*;
use crate::correspondence::MessageChannel;
use crate::language::Language;
use crate::sample::assert_kept;

type UserTest = TestFramework<User>;

fn user_id() -> UserId {
    UserId(Uuid::from_u128(1))
}

fn at(second: i64) -> Moment {
    DateTime::from_timestamp(1_795_000_000 + second, 0).unwrap()
}

fn reach(address: &str) -> Reach {
    Reach::Email(Email::parse(address).unwrap())
}

fn registered() -> UserEvent {
    let registration = Registration {
        reach: reach("mei@example.com"),
        name: PersonName::parse("Mei Lin").ok(),
    };
    UserEvent::Registered {
        user_id: user_id(),
        kind: HandleKind::Email,
        at: at(0),
        personal: Sealed::new(registration),
    }
}

fn verified(address: &str) -> UserEvent {
    let personal = Sealed::new(reach(address));
    UserEvent::Verified {
        user_id: user_id(),
        kind: HandleKind::Email,
        at: at(1),
        personal,
    }
}

fn opened() -> UserEvent {
    UserEvent::SessionOpened {
        session_id: SessionId(Uuid::from_u128(5)),
        token_digest: "ab".into(),
        login_type: HandleKind::Email,
        expires_at: at(9_000),
        at: at(2),
    }
}

#[test]
fn a_code_that_came_back_proves_the_address_once() {
    let verify = UserCommand::Verify {
        user_id: user_id(),
        reach: reach("mei@example.com"),
        at: at(1),
    };
    UserTest::with(())
        .given(vec![registered()])
        .when(verify.clone())
        .then_expect_events(vec![verified("mei@example.com")]);
    UserTest::with(())
        .given(vec![registered(), verified("mei@example.com")])
        .when(verify)
        .then_expect_events(vec![]);
}

#[test]
fn nobody_can_be_granted_a_role_before_they_are_known() {
    UserTest::with(())
        .given_no_previous_events()
        .when(UserCommand::Grant {
            role: Role::Admin,
            by: None,
            at: at(0),
        })
        .then_expect_error(UserRejection::Unknown);
}

#[test]
fn only_a_proved_address_at_exactly_the_company_makes_staff() {
    let staff = |address: &str| {
        let user = crate::aggregate::fold::<User>(&[registered(), verified(address)]);
        user.is_internal(Some("company.com"))
    };
    assert!(staff("x@company.com"));
    assert!(staff("x@Company.COM"));
    for address in [
        "x@company.com.evil.io",
        "x@evil-company.com",
        "x@sub.company.com",
        "x@cоmpany.com",
    ] {
        assert!(!staff(address), "{address}");
    }
    let unproved = crate::aggregate::fold::<User>(&[registered()]);
    assert!(!unproved.is_internal(Some("example.com")));
    assert!(!unproved.is_internal(None));
}

#[test]
fn a_closed_session_is_gone() {
    let close = UserCommand::CloseSession {
        session_id: SessionId(Uuid::from_u128(5)),
        at: at(3),
    };
    let closed = UserEvent::SessionClosed {
        session_id: SessionId(Uuid::from_u128(5)),
        at: at(3),
    };
    UserTest::with(())
        .given(vec![registered(), opened()])
        .when(close.clone())
        .then_expect_events(vec![closed.clone()]);
    UserTest::with(())
        .given(vec![registered(), opened(), closed])
        .when(close)
        .then_expect_events(vec![]);
}

#[test]
fn a_forgotten_account_knows_nobody_and_takes_nothing_more() {
    let forget = UserCommand::Forget {
        user_id: user_id(),
        reason: Some(ForgetReason::Asked),
        at: at(9),
    };
    let past = vec![registered(), verified("mei@example.com"), opened(), forgotten()];
    UserTest::with(())
        .given(vec![registered(), opened()])
        .when(forget.clone())
        .then_expect_events(vec![forgotten()]);
    // Done again, and of somebody whose account the log never had, but whose data it may have.
    UserTest::with(())
        .given(past.clone())
        .when(forget.clone())
        .then_expect_events(vec![]);
    UserTest::with(())
        .given_no_previous_events()
        .when(forget)
        .then_expect_events(vec![forgotten()]);
    let prove = UserCommand::Verify {
        user_id: user_id(),
        reach: reach("mei@example.com"),
        at: at(10),
    };
    UserTest::with(())
        .given(past.clone())
        .when(prove)
        .then_expect_error(UserRejection::Forgotten);
    let account = crate::aggregate::fold::<User>(&past);
    assert_eq!(
        (account.email, account.name, account.sessions.len()),
        (None, None, 0)
    );
}

fn forgotten() -> UserEvent {
    UserEvent::Forgotten {
        user_id: user_id(),
        reason: Some(ForgetReason::Asked),
        at: at(9),
    }
}

#[test]
fn every_event_reads_back_from_its_sample() {
    let by = UserId(Uuid::from_u128(7));
    assert_kept::<User>(&[
        forgotten(),
        registered(),
        verified("mei@example.com"),
        opened(),
        UserEvent::SessionClosed {
            session_id: SessionId(Uuid::from_u128(5)),
            at: at(3),
        },
        UserEvent::RoleGranted {
            role: Role::Support,
            by: None,
            at: at(4),
        },
        UserEvent::RoleRevoked {
            role: Role::Support,
            by: Some(by),
            at: at(5),
        },
        UserEvent::MessagesChosen {
            choice: MessageChoice {
                reminders: false,
                language: Some(Language::Zh),
                channel: MessageChannel::Sms,
            },
            at: at(5),
        },
        UserEvent::PersonalDataRevealed {
            lead_id: Some(LeadId(Uuid::from_u128(3))),
            by,
            what: Some(Look::Contact),
            person_id: Some(user_id()),
            reason: "Callback asked in chat".into(),
            until: at(900),
            at: at(6),
        },
    ]);
}

/// A look of a member of staff, as it is asked for and as it is recorded.
fn look(what: Look, by: u128, second: i64) -> (UserCommand, UserEvent) {
    let (lead_id, by) = (Some(LeadId(Uuid::from_u128(3))), UserId(Uuid::from_u128(by)));
    let asked = UserCommand::Reveal {
        lead_id,
        by,
        what,
        reason: String::new(),
        until: at(second),
        at: at(second),
    };
    let recorded = UserEvent::PersonalDataRevealed {
        lead_id,
        by,
        what: Some(what),
        person_id: Some(user_id()),
        reason: String::new(),
        until: at(second),
        at: at(second),
    };
    (asked, recorded)
}

/// T30: one event for each reader and subject in fifteen minutes; looks that need a reason are recorded each time.
#[test]
fn history_read_is_recorded_once_in_fifteen_minutes() {
    let past = |what| vec![registered(), look(what, 7, 0).1];
    for (before, (asked, recorded)) in [
        (Look::Contact, look(Look::Contact, 7, 1)),
        (Look::History, look(Look::History, 7, 900)),
        (Look::History, look(Look::History, 8, 1)),
        (Look::History, look(Look::Case, 7, 1)),
    ] {
        UserTest::with(())
            .given(past(before))
            .when(asked)
            .then_expect_events(vec![recorded]);
    }
    for what in [Look::History, Look::Payment, Look::Case] {
        UserTest::with(())
            .given(past(what))
            .when(look(what, 7, 899).0)
            .then_expect_events(vec![]);
    }
}
