//! Every way of a referral.

use chrono::DateTime;
use cqrs_es::test::TestFramework;
use uuid::Uuid;

use super::*;
use crate::money::Currency;
use crate::sample::assert_kept;

fn at() -> Moment {
    DateTime::from_timestamp(1_795_000_000, 0).unwrap()
}

fn user(n: u128) -> UserId {
    UserId(Uuid::from_u128(n))
}

fn open(referrer: UserId) -> ReferralCommand {
    let (referrer, lead_id) = (Some(referrer), LeadId(Uuid::from_u128(3)));
    ReferralCommand::Open {
        code: "MEI7Q".into(),
        referrer,
        referred: user(2),
        lead_id,
        shared: None,
        at: at(),
    }
}

fn opened() -> ReferralEvent {
    let (referrer, lead_id) = (Some(user(1)), LeadId(Uuid::from_u128(3)));
    ReferralEvent::Opened {
        code: "MEI7Q".into(),
        referrer,
        referred: user(2),
        lead_id,
        at: at(),
    }
}

#[test]
fn nobody_refers_themselves() {
    TestFramework::<Referral>::with(())
        .given_no_previous_events()
        .when(open(user(2)))
        .then_expect_error(ReferralRejection::SelfReferral);
}

fn held() -> ReferralEvent {
    ReferralEvent::Held {
        code: "MEI7Q".into(),
        referrer: Some(user(1)),
        referred: user(2),
        lead_id: LeadId(Uuid::from_u128(3)),
        shared: SharedContact::Inbox,
        at: at(),
    }
}

#[test]
fn an_accepted_referral_completes_with_its_payment() {
    let payment_id = PaymentId(Uuid::from_u128(4));
    let accepted = ReferralEvent::Accepted {
        by: user(5),
        at: at(),
    };
    let completed = ReferralEvent::Completed {
        payment_id,
        reward: None,
        at: at(),
    };
    let accept = |paid_by| ReferralCommand::Accept {
        by: user(5),
        paid_by,
        reward: None,
        at: at(),
    };
    TestFramework::<Referral>::with(())
        .given(vec![held()])
        .when(accept(Some(payment_id)))
        .then_expect_events(vec![accepted.clone(), completed.clone()]);
    TestFramework::<Referral>::with(())
        .given(vec![held(), accepted.clone()])
        .when(ReferralCommand::Complete {
            payment_id,
            shared: None,
            reward: None,
            at: at(),
        })
        .then_expect_events(vec![completed]);
    TestFramework::<Referral>::with(())
        .given(vec![opened()])
        .when(accept(None))
        .then_expect_error(ReferralRejection::NotHeld);
    assert_kept::<Referral>(&[accepted]);
}

#[test]
fn a_refused_referral_never_completes() {
    let payment_id = PaymentId(Uuid::from_u128(4));
    let refused = ReferralEvent::Refused {
        by: user(5),
        at: at(),
    };
    TestFramework::<Referral>::with(())
        .given(vec![held()])
        .when(ReferralCommand::Refuse {
            by: user(5),
            at: at(),
        })
        .then_expect_events(vec![refused.clone()]);
    TestFramework::<Referral>::with(())
        .given(vec![held(), refused.clone()])
        .when(ReferralCommand::Complete {
            payment_id,
            shared: None,
            reward: None,
            at: at(),
        })
        .then_expect_events(vec![]);
    assert_kept::<Referral>(&[refused]);
}

#[test]
fn a_held_referral_does_not_complete() {
    let payment_id = PaymentId(Uuid::from_u128(4));
    TestFramework::<Referral>::with(())
        .given(vec![held()])
        .when(ReferralCommand::Complete {
            payment_id,
            shared: None,
            reward: None,
            at: at(),
        })
        .then_expect_events(vec![]);
    assert_kept::<Referral>(&[held()]);
}

/// Contacts are compared again when they change and when the booking is paid; what a review accepted stays.
#[test]
fn shared_contact_found_later_holds_the_referral() {
    let (payment_id, shared) = (PaymentId(Uuid::from_u128(4)), SharedContact::Phone);
    let complete = |shared| ReferralCommand::Complete {
        payment_id,
        shared,
        reward: None,
        at: at(),
    };
    let compare = |shared| ReferralCommand::Compare { shared, at: at() };
    let held_later = ReferralEvent::HeldLater { shared, at: at() };
    for found in [compare(Some(shared)), complete(Some(shared))] {
        TestFramework::<Referral>::with(())
            .given(vec![opened()])
            .when(found)
            .then_expect_events(vec![held_later.clone()]);
    }
    TestFramework::<Referral>::with(())
        .given(vec![opened()])
        .when(compare(None))
        .then_expect_events(vec![]);
    TestFramework::<Referral>::with(())
        .given(vec![opened(), held_later.clone()])
        .when(complete(None))
        .then_expect_events(vec![]);
    let accepted = ReferralEvent::Accepted {
        by: user(5),
        at: at(),
    };
    TestFramework::<Referral>::with(())
        .given(vec![opened(), held_later.clone(), accepted])
        .when(complete(Some(shared)))
        .then_expect_events(vec![ReferralEvent::Completed {
            payment_id,
            reward: None,
            at: at(),
        }]);
    assert_kept::<Referral>(&[held_later]);
}

#[test]
fn a_referral_completes_once() {
    let payment_id = PaymentId(Uuid::from_u128(4));
    let reward = Some(Reward {
        amount_minor: 5_000,
        currency: Currency::Gbp,
        due_on: "2027-09-25".parse().unwrap(),
    });
    let complete = ReferralCommand::Complete {
        payment_id,
        shared: None,
        reward,
        at: at(),
    };
    let completed = ReferralEvent::Completed {
        payment_id,
        reward,
        at: at(),
    };
    TestFramework::<Referral>::with(())
        .given(vec![opened()])
        .when(complete.clone())
        .then_expect_events(vec![completed.clone()]);
    TestFramework::<Referral>::with(())
        .given(vec![opened(), completed.clone()])
        .when(complete)
        .then_expect_events(vec![]);
    assert_kept::<Referral>(&[opened(), completed]);
}
